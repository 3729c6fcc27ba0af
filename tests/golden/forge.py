"""Forged logs, each an attack: ``python tests/golden/forge.py`` with ``tests`` on the path.

``forged/manifest.json`` says of each file what a verifier must answer: the fault and the number
of the first entry that has it, or no fault where the attack cannot be seen that way. What only
a run of the rules shows has ``"rules": true``.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from arbitre.audit import canonical
from arbitre.audit.ledger import Fault, Receipt
from arbitre.audit.tables import Drawn, Kind, Lane, Role, TableKeys, write
from ledgers import ANA, BEN, KEY, Log, fixed_chance, written

FOLDER = Path(__file__).with_name("forged")
OTHER = TableKeys(bytes(32))
WEAK = (1).to_bytes(32, "little").hex()


DEEPEST = 199
"""Objects in objects below the entry itself that still have a canonical form here."""


class Forged(NamedTuple):
    """A log that lies, and what a verifier answers."""

    lines: list[Receipt]
    fault: Fault | None
    seq: int = 0
    receipts: list[Receipt] | None = None
    key: str | None = None
    rules: bool = False
    text: str | None = None


Attack = Callable[[], Forged]
ATTACKS: dict[str, Attack] = {}


def attack(make: Attack) -> Attack:
    ATTACKS[make.__name__.replace("_", "-")] = make
    return make


def honest(keys: TableKeys | None = None) -> Log:
    """Six entries: a roll of each side, a seed, the end of the epoch, its seed."""
    log = Log() if keys is None else Log(keys)
    log.genesis()
    log.roll(ANA)
    log.seed("Ben", BEN)
    log.roll(who="MJ")
    log.rotate()
    log.reveal(0)
    return log


def again(log: Log, start: int, edit: Callable[[dict[str, Any]], object]) -> list[Receipt]:
    """Let the holder of the key edit entry ``start`` and sign it and all that follows anew."""
    new = Log(log.keys)
    for line in log.lines:
        data = orjson.loads(line.entry)
        if line.seq == start:
            edit(data)
        if line.seq > start:
            data["prev"] = new.state.head.hex()
        new.sign(canonical(data))
    return new.receipts


def with_outcome(data: dict[str, Any]) -> None:
    data["outcome"] = {"margin": 3, "winner": "b"}


def with_faces(data: dict[str, Any]) -> None:
    data["draws"] = [[6, 1], [6, 1], [6, 1], [6, 6], [6, 6]]
    data["outcome"] = {"margin": 1, "winner": "b"}


# Without the key


@attack
def edited() -> Forged:
    lines = honest().receipts
    lines[1] = Receipt(lines[1].entry.replace(b'"Ana"', b'"Bea"'), lines[1].sig)
    return Forged(lines, Fault.SIGNATURE, 1)


@attack
def deleted() -> Forged:
    lines = honest().receipts
    del lines[2]
    return Forged(lines, Fault.NUMBER, 2)


@attack
def swapped() -> Forged:
    lines = honest().receipts
    lines[2], lines[3] = lines[3], lines[2]
    return Forged(lines, Fault.NUMBER, 2)


@attack
def doubled() -> Forged:
    lines = honest().receipts
    return Forged([*lines[:3], *lines[2:]], Fault.NUMBER, 3)


@attack
def headless() -> Forged:
    return Forged(honest().receipts[1:], Fault.NO_GENESIS)


@attack
def empty() -> Forged:
    return Forged([], Fault.EMPTY)


@attack
def not_a_line() -> Forged:
    lines = honest().receipts
    return Forged(lines, Fault.NOT_A_LINE, 2, text=written(lines[:2]) + "{}\n" + written(lines[2:]))


@attack
def lone_surrogate() -> Forged:
    lines = honest().receipts
    text = written(lines[:2]) + '{"entry":"\\ud800","sig":""}\n'
    return Forged(lines, Fault.NOT_A_LINE, 2, text=text)


@attack
def from_another_table() -> Forged:
    log = honest()
    other = Log(table=bytes(16))
    other.genesis()
    other.roll(ANA)
    return Forged([*log.receipts[:1], *other.receipts[1:]], Fault.OTHER_TABLE, 1)


@attack
def moved_to_another_table() -> Forged:
    """The names are changed, the signatures are not."""
    other = Log(table=bytes(16))
    other.genesis()
    (line,) = other.receipts
    data = {**orjson.loads(line.entry), "table": bytes(range(16)).hex()}
    return Forged([Receipt(canonical(data), line.sig)], Fault.SIGNATURE)


@attack
def signed_by_another_key() -> Forged:
    log = honest()
    log.lines[3] = log.lines[3]._replace(
        sig=OTHER.signer.sign(log.lines[3].entry, log.table, 3),
    )
    return Forged(log.receipts, Fault.SIGNATURE, 3)


@attack
def weak_key() -> Forged:
    """One signature fits every message."""
    log = Log()
    log.genesis()
    log.forge(key=WEAK)
    return Forged([Receipt(log.lines[0].entry, WEAK + "00" * 32)], Fault.WEAK_KEY)


@attack
def key_that_is_not_canonical() -> Forged:
    log = Log()
    log.genesis()
    log.forge(key=(2**255 - 18).to_bytes(32, "little").hex())
    return Forged(log.receipts, Fault.WEAK_KEY)


@attack
def another_key_than_pinned() -> Forged:
    return Forged(honest(OTHER).receipts, Fault.OTHER_KEY, key=KEY)


# By the operator, who signs what he likes


@attack
def rewritten() -> Forged:
    """Nothing shows it …"""
    return Forged(again(honest(), 3, lambda data: data.update(who="Zoé")), None)


@attack
def rewritten_against_a_receipt() -> Forged:
    """… but a receipt."""
    log = honest()
    lines = again(log, 3, lambda data: data.update(who="Zoé"))
    return Forged(lines, Fault.FORK, 3, receipts=log.receipts[3:4])


@attack
def truncated() -> Forged:
    return Forged(honest().receipts[:4], None)


@attack
def truncated_against_a_receipt() -> Forged:
    log = honest()
    return Forged(log.receipts[:4], Fault.TRUNCATED, 4, receipts=log.receipts[5:])


@attack
def emptied_against_a_receipt() -> Forged:
    return Forged([], Fault.EMPTY, receipts=honest().receipts[2:3])


@attack
def started_anew_under_another_key() -> Forged:
    log, other = honest(), honest(OTHER)
    return Forged(other.receipts, Fault.RECEIPT_UNSIGNED, 1, receipts=log.receipts[1:2])


@attack
def other_faces() -> Forged:
    return Forged(again(honest(), 1, with_faces), Fault.FACES, 1)


@attack
def other_faces_not_yet_revealed() -> Forged:
    return Forged(again(honest(), 1, with_faces)[:5], None)


@attack
def other_outcome() -> Forged:
    return Forged(again(honest(), 1, with_outcome), Fault.RULE, 1, rules=True)


@attack
def other_outcome_against_a_receipt() -> Forged:
    log = honest()
    return Forged(again(log, 1, with_outcome), Fault.FORK, 1, receipts=log.receipts[1:2])


@attack
def other_request() -> Forged:
    """The fighter was better than that."""
    easier = {"a": {"skill": 4, "weapon": "blade"}, "b": {"skill": 2, "weapon": "fist"}}
    lines = again(honest(), 1, lambda data: data.update(req=easier))
    return Forged(lines, Fault.RULE, 1, rules=True)


@attack
def unknown_rule() -> Forged:
    lines = again(honest(), 1, lambda data: data.update(resolver="triumph"))
    return Forged(lines, Fault.RULE, 1, rules=True)


@attack
def relabeled_as_hand() -> Forged:
    def relabel(data: dict[str, Any]) -> None:
        with_faces(data)
        data["entropy"] = "hand"

    log = honest()
    return Forged(again(log, 3, relabel), Fault.FORK, 3, receipts=log.receipts[3:4])


@attack
def seed_chosen_after_the_players_words() -> Forged:
    """The commitment came first, and the seed is not the committed one."""
    log = honest()
    log.forge(seed="11" * 32)
    return Forged(log.receipts, Fault.REVEAL_WRONG, 5)


@attack
def seed_of_the_other_lane() -> Forged:
    log = honest()
    log.forge(lane="veil")
    return Forged(log.receipts, Fault.REVEAL_WRONG, 5)


@attack
def revealed_in_its_own_epoch() -> Forged:
    log = honest()
    log.cut(4)
    log.reveal(0)
    return Forged(log.receipts, Fault.REVEAL_EARLY, 4)


@attack
def roll_moved_to_another_number() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA)
    log.roll(BEN, who="Ben", faces_at=7)
    log.rotate()
    log.reveal(0)
    return Forged(log.receipts, Fault.FACES, 2)


@attack
def game_master_with_a_seed() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA, who="MJ", role=Role.GM)
    return Forged(log.receipts, Fault.CLIENT, 1)


@attack
def player_without_a_seed() -> Forged:
    log = Log()
    log.genesis()
    log.roll(role=Role.PLAYER)
    return Forged(log.receipts, Fault.CLIENT, 1)


@attack
def hand_dice_with_a_seed() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA, hand=(1, 2, 3, 4, 5))
    return Forged(log.receipts, Fault.CLIENT, 1)


@attack
def seed_too_short() -> Forged:
    log = Log()
    log.genesis()
    log.roll("fifteen-letters")
    return Forged(log.receipts, Fault.FIELDS, 1)


@attack
def said_to_be_seeded() -> Forged:
    log = Log()
    log.genesis()
    log.roll(fair=Drawn.POOL)
    return Forged(log.receipts, Fault.ENTROPY, 1)


@attack
def said_to_be_own() -> Forged:
    log = honest()
    log.roll(fair=Drawn.OWN)
    return Forged(log.receipts, Fault.ENTROPY, 6)


@attack
def pool_of_the_operator() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA)
    data = log.last()
    data["st"]["cs"] = "22" * 32
    log.sign(canonical(data))
    return Forged(log.receipts, Fault.STATE, 1)


@attack
def contribution_left_out() -> Forged:
    log = Log()
    log.genesis()
    log.seed("Ana", ANA)
    data = log.last()
    data["st"] = {**data["st"], "cs": "00" * 32, "n": 0}
    log.sign(canonical(data))
    return Forged(log.receipts, Fault.STATE, 1)


@attack
def pool_that_outlives_its_epoch() -> Forged:
    log = Log()
    log.genesis()
    log.seed("Ana", ANA)
    kept = log.state.pool
    log.rotate()
    data = log.last()
    data["st"] = {**data["st"], "cs": kept.hex(), "n": 1}
    log.sign(canonical(data))
    return Forged(log.receipts, Fault.STATE, 2)


@attack
def epoch_left_out() -> Forged:
    log = Log()
    log.genesis()
    log.rotate()
    data = log.last()
    data["st"]["epoch"] = 2
    log.sign(canonical(data))
    return Forged(log.receipts, Fault.STATE, 1)


@attack
def same_salt_again() -> Forged:
    log = Log()
    log.genesis()
    left = replace(log.state, epoch=1)
    log.add(write(log.keys, left, Kind.ROTATE, log.now, {"commit": log.keys.commitments(left)}))
    return Forged(log.receipts, Fault.SALT_AGAIN, 1)


@attack
def request_answered_twice() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA)
    log.roll(ANA, idem=orjson.loads(log.lines[1].entry)["idem"])
    return Forged(log.receipts, Fault.IDEM_TWICE, 2)


@attack
def opened_twice() -> Forged:
    log = honest()
    log.genesis()
    return Forged(log.receipts, Fault.GENESIS_AGAIN, 6)


@attack
def gap_in_the_chain() -> Forged:
    log = honest()
    log.forge(prev="33" * 32)
    return Forged(log.receipts, Fault.CHAIN, 5)


@attack
def forgotten_number() -> Forged:
    log = honest()
    log.forge(seq=6)
    return Forged(log.receipts, Fault.NUMBER, 5)


@attack
def after_the_end() -> Forged:
    log = honest()
    log.close()
    log.seed("Ana", ANA)
    return Forged(log.receipts, Fault.AFTER_CLOSE, 7)


# Secret rolls


@attack
def secret_roll_of_a_player() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA, secret=True, role=Role.PLAYER)
    return Forged(log.receipts, Fault.FIELDS, 1)


@attack
def secret_roll_half_shown() -> Forged:
    log = Log()
    log.genesis()
    log.roll(secret=True, note=None, outcome={"margin": 1, "winner": "a"})
    return Forged(log.receipts, Fault.FIELDS, 1)


@attack
def other_values_unveiled() -> Forged:
    log = Log()
    log.genesis()
    log.roll(secret=True)
    log.unveil(1)
    data = log.last()
    data["values"]["outcome"] = {"margin": 3, "winner": "b"}
    log.sign(canonical(data))
    return Forged(log.receipts, Fault.UNVEIL_WRONG, 2)


@attack
def open_roll_unveiled() -> Forged:
    log = Log()
    log.genesis()
    log.roll(secret=True)
    log.roll(ANA)
    log.unveil(1)
    log.forge(target=2)
    return Forged(log.receipts, Fault.UNVEIL_TARGET, 3)


@attack
def unveiled_twice() -> Forged:
    log = Log()
    log.genesis()
    log.roll(secret=True)
    log.unveil(1)
    log.unveil(1)
    return Forged(log.receipts, Fault.UNVEIL_TARGET, 3)


@attack
def faces_of_the_open_lane() -> Forged:
    log = Log()
    log.genesis()
    log.roll(secret=True, lane=Lane.OPEN)
    log.rotate()
    log.unveil(1)
    log.reveal(0, Lane.VEIL)
    return Forged(log.receipts, Fault.FACES, 1)


@attack
def impossible_secret_dice() -> Forged:
    log = Log()
    log.genesis()
    log.roll(secret=True, told={"draws": [[6, 7]]})
    log.unveil(1)
    return Forged(log.receipts, Fault.FIELDS, 2)


# Bytes that two readers could read differently


@attack
def impossible_face() -> Forged:
    lines = again(honest(), 1, lambda data: data["draws"].append([6, 7]))
    return Forged(lines, Fault.FIELDS, 1)


@attack
def die_without_sides() -> Forged:
    lines = again(honest(), 1, lambda data: data["draws"].append([1, 1]))
    return Forged(lines, Fault.FIELDS, 1)


@attack
def unknown_field() -> Forged:
    log = honest()
    log.forge(more=1)
    return Forged(log.receipts, Fault.FIELDS, 5)


@attack
def unknown_type() -> Forged:
    log = Log()
    log.genesis()
    log.roll(ANA)
    log.forge(type="roll open")
    return Forged(log.receipts, Fault.FIELDS, 1)


@attack
def lane_of_none() -> Forged:
    log = honest()
    log.close()
    log.forge(lane=None)
    return Forged(log.receipts, Fault.FIELDS, 6)


@attack
def other_format() -> Forged:
    log = honest()
    log.forge(v=2)
    return Forged(log.receipts, Fault.FIELDS, 5)


def spelled(find: bytes, put: bytes) -> Log:
    """Sign the second entry as somebody else would spell it."""
    log = Log()
    log.genesis()
    log.roll(ANA)
    entry = log.lines[1].entry
    assert entry.count(find) == 1
    log.cut(1)
    log.sign(entry.replace(find, put))
    return log


@attack
def key_twice() -> Forged:
    return Forged(spelled(b'"seq":1', b'"seq":1,"seq":1').receipts, Fault.FORM, 1)


@attack
def stray_space() -> Forged:
    return Forged(spelled(b'"seq":1', b'"seq": 1').receipts, Fault.FORM, 1)


@attack
def fraction() -> Forged:
    return Forged(spelled(b'"seq":1', b'"seq":1.0').receipts, Fault.FORM, 1)


@attack
def half() -> Forged:
    return Forged(spelled(b'"skill":2', b'"skill":2.5').receipts, Fault.FORM, 1)


@attack
def minus_zero() -> Forged:
    return Forged(spelled(b'"skill":2', b'"skill":-0').receipts, Fault.FORM, 1)


@attack
def number_beyond_53_bits() -> Forged:
    return Forged(spelled(b'"skill":2', b'"skill":9007199254740993').receipts, Fault.FORM, 1)


@attack
def keys_out_of_order() -> Forged:
    log = spelled(b'"seq":1,"st":', b'"st":')
    entry = log.lines[1].entry
    log.cut(1)
    log.sign(entry[:-1] + b',"seq":1}')
    return Forged(log.receipts, Fault.FORM, 1)


def with_settings(entry_part: bytes) -> Log:
    log = Log()
    log.genesis("?")
    entry = log.lines[0].entry.replace(b'{"name":"?"}', entry_part)
    log.cut(0)
    log.sign(entry)
    return log


def nested(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


@attack
def keys_by_utf_16() -> Forged:
    log = with_settings('{"name":"?","\U0001f600":1,"\ue000":2}'.encode())
    return Forged(log.receipts, None)


@attack
def keys_by_code_point() -> Forged:
    log = with_settings('{"name":"?","\ue000":2,"\U0001f600":1}'.encode())
    return Forged(log.receipts, Fault.FORM)


@attack
def deep() -> Forged:
    return Forged(with_settings(nested(DEEPEST)).receipts, None)


@attack
def too_deep() -> Forged:
    return Forged(with_settings(nested(DEEPEST + 1)).receipts, Fault.FORM)


@attack
def prototype() -> Forged:
    return Forged(spelled(b'"client":', b'"__proto__":1,"client":').receipts, Fault.FIELDS, 1)


@attack
def inherited() -> Forged:
    return Forged(spelled(b'"draws":', b'"constructor":1,"draws":').receipts, Fault.FIELDS, 1)


@attack
def idle_escape() -> Forged:
    return Forged(spelled(b'"who":"Ana"', b'"who":"\\u0041na"').receipts, Fault.FORM, 1)


@attack
def half_a_character() -> Forged:
    return Forged(spelled(b'"who":"Ana"', b'"who":"\\ud83c"').receipts, Fault.FORM, 1)


@attack
def truth_for_one() -> Forged:
    return Forged(spelled(b'"v":1', b'"v":true').receipts, Fault.FIELDS, 1)


@attack
def no_object() -> Forged:
    log = Log()
    log.sign(b"[]")
    return Forged(log.receipts, Fault.FORM)


# Receipts that prove nothing


@attack
def false_receipt() -> Forged:
    log = honest()
    entry = log.lines[3].entry.replace(b'"MJ"', b'"Me"')
    return Forged(
        log.receipts, Fault.RECEIPT_UNSIGNED, 3, receipts=[Receipt(entry, log.lines[3].sig)]
    )


@attack
def false_receipt_beyond_the_end() -> Forged:
    log = honest()
    entry = log.lines[5].entry.replace(b'"seq":5', b'"seq":9')
    return Forged(
        log.receipts, Fault.RECEIPT_UNSIGNED, 6, receipts=[Receipt(entry, log.lines[5].sig)]
    )


@attack
def receipt_of_another_table() -> Forged:
    log, other = honest(), Log(table=bytes(16))
    other.genesis()
    return Forged(log.receipts, Fault.RECEIPT_TABLE, 6, receipts=other.receipts)


@attack
def no_receipt() -> Forged:
    return Forged(honest().receipts, Fault.RECEIPT, 6, receipts=[Receipt(b"[1]", "")])


def forged_files() -> dict[str, str]:
    """Return every file of ``forged/``."""
    files = {}
    rows = []
    for name, make in ATTACKS.items():
        with fixed_chance(256):
            found = make()
        log = f"{name}.jsonl"
        files[log] = written(found.lines) if found.text is None else found.text
        row: dict[str, Any] = {"log": log, "fault": found.fault, "entry": found.seq}
        if found.receipts is not None:
            row["receipts"] = f"{name}.receipts.jsonl"
            files[row["receipts"]] = written(found.receipts)
        if found.key is not None:
            row["key"] = found.key
        if found.rules:
            row["rules"] = True
        rows.append(orjson.dumps(row).decode())
    files["manifest.json"] = "[\n" + ",\n".join(rows) + "\n]\n"
    return files


if __name__ == "__main__":
    for name, text in forged_files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
