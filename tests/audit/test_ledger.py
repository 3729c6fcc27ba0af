"""Whole logs of tables: the honest one holds, each forged one is refused for its reason."""

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

import tiny_duel
from arbitre.audit.ledger import (
    Fault,
    LedgerStatus,
    LedgerVerdict,
    Receipt,
    is_table_log,
    read_lines,
    verify_ledger,
)
from arbitre.audit.tables import Drawn, Lane, Role
from arbitre.registry import Registry, registry_of
from entries import REGISTRY, TS
from golden.forge import ATTACKS, FOLDER, forged_files
from golden.rolls import LOG as ROLLS
from golden.table import LOG, golden, golden_log
from ledgers import ANA, BEN, KEY, Log, fixed_chance, written

MANIFEST = orjson.loads((FOLDER / "manifest.json").read_bytes())
NOBODY: Registry = registry_of([])


def first(verdict: LedgerVerdict) -> tuple[Fault, int] | None:
    found = verdict.first
    return (found.fault, found.seq) if found is not None else None


def verified(log: Log) -> LedgerVerdict:
    return verify_ledger(log.receipts, REGISTRY, key=KEY)


# The golden log


def test_the_golden_log_is_regenerated_without_a_difference() -> None:
    assert golden() == LOG.read_text(encoding="utf-8")


def test_the_golden_log_verifies() -> None:
    lines = list(read_lines(LOG.read_bytes()))
    verdict = verify_ledger(lines, REGISTRY, key=KEY, receipts=lines)
    assert verdict.failures == []
    assert verdict.first is None
    assert verdict.status is LedgerStatus.VALID
    assert verdict.table == bytes(range(16)).hex()
    assert verdict.key == KEY
    assert verdict.entries == 21
    assert verdict.head == golden_log().state.head.hex()
    assert verdict.entropy == {"server-only": 2, "own": 2, "pool": 4, "hand": 2}
    assert (verdict.verified, verdict.waiting, verdict.secret) == (6, 1, 1)
    assert (verdict.foreign, verdict.backwards) == (0, 0)


def test_every_beginning_of_the_golden_log_verifies() -> None:
    lines = golden_log().receipts
    for length in range(1, len(lines) + 1):
        verdict = verify_ledger(lines[:length], REGISTRY, key=KEY, receipts=lines[:length])
        assert verdict.failures == []
        assert verdict.entries == length


# Forged logs


def test_the_forged_logs_are_written_anew_without_a_difference() -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert forged_files() == files


def test_every_fault_has_a_forged_log() -> None:
    assert {row["fault"] for row in MANIFEST} == {None, *Fault}
    assert len(MANIFEST) == len(ATTACKS)


@pytest.mark.parametrize("row", MANIFEST, ids=lambda row: str(row["log"]).removesuffix(".jsonl"))
def test_a_forged_log_shows_its_fault(row: dict[str, Any]) -> None:
    kept = (FOLDER / row["receipts"]).read_bytes() if "receipts" in row else b""
    verdict = verify_ledger(
        read_lines((FOLDER / row["log"]).read_bytes()),
        REGISTRY,
        key=row.get("key"),
        receipts=read_lines(kept),
    )
    expected = (row["fault"], row["entry"]) if row["fault"] else None
    assert first(verdict) == expected
    assert verdict.status == (LedgerStatus.INVALID if expected else LedgerStatus.VALID)


# Every bit of every type of entry


def one_of_each() -> Iterator[tuple[str, Log]]:
    with fixed_chance(256):
        log = Log()
        log.genesis()
        yield "genesis", log
        log = Log()
        log.genesis()
        log.seed("Ben", BEN)
        yield "seed", log
        log = Log()
        log.genesis()
        log.roll(ANA, note="é")
        yield "roll", log
        log = Log()
        log.genesis()
        log.roll(secret=True)
        yield "secret roll", log
        log = Log()
        log.genesis()
        log.roll(secret=True, note="é")
        log.unveil(1)
        yield "unveil", log
        log = Log()
        log.genesis()
        log.rotate(idem="0f" * 32, fp="f0" * 32)
        yield "rotate", log
        log = Log()
        log.genesis()
        log.rotate()
        log.reveal(0)
        yield "reveal", log
        log = Log()
        log.genesis()
        log.close("fin")
        yield "close", log


EACH_TYPE = pytest.mark.parametrize(
    "log", [log for _, log in one_of_each()], ids=[name for name, _ in one_of_each()]
)
HEX = re.compile(r"[0-9a-f]{32,}")
FREE_TEXTS = {"who", "note", "origin", "reason", "client", "ruleset", "resolver"}
FREE_OBJECTS = {"settings", "outcome", "req"}
CHOICES = {"type", "role", "lane", "entropy"}
NUMBERS = {"ts", "st", "epoch", "target"}
PLACES = {"table": Fault.OTHER_TABLE, "seq": Fault.NUMBER, "prev": Fault.CHAIN}


def only_form(entry: bytes) -> dict[str, Any] | None:
    """Return what the bytes say if they are the one way to say it, by other libraries."""
    try:
        data: dict[str, Any] = json.loads(entry.decode(), parse_float=Decimal)
        return data if rfc8785.dumps(data) == entry else None
    except (ValueError, rfc8785.CanonicalizationError):
        return None


def change_of(old: Any, new: Any) -> tuple[list[str], Any, Any]:
    """Return where two values differ, and how: a path that ends where a name differs."""
    if isinstance(old, dict) and old.keys() == new.keys():
        for name in old:
            if old[name] != new[name]:
                path, one, other = change_of(old[name], new[name])
                return [name, *path], one, other
    return [], old, new


def expected_fault(old: dict[str, Any], entry: bytes) -> Fault:  # noqa: PLR0911 - by field
    """Say what a changed entry must be refused for."""
    new = only_form(entry)
    if new is None:
        return Fault.FORM
    path, before, after = change_of(old, new)
    name = path[0] if path else ""
    if path[:2] == ["values", "req"] and len(path) == 3:
        path = path[2:]  # what a secret roll hid is written as an open roll is
    elif path[:1] == ["values"]:
        path = path[1:]
    signature = PLACES.get(name, Fault.SIGNATURE) if old["type"] != "genesis" else Fault.SIGNATURE
    if name == "seq" or (name == "prev" and HEX.fullmatch(after)):
        return PLACES[name]
    if isinstance(after, str) and HEX.fullmatch(before):
        return signature if re.fullmatch(rf"[0-9a-f]{{{len(before)}}}", after) else Fault.FIELDS
    leaf = path[0] if path else ""
    if leaf in FREE_TEXTS or (leaf in NUMBERS and isinstance(after, int)):
        return Fault.SIGNATURE
    if leaf == "seed" and old["type"] == "seed":
        return Fault.SIGNATURE
    if leaf in FREE_OBJECTS and isinstance(before, str | int | dict):
        at_name = leaf == "req" and len(path) == 1 and "ruleset" in before
        return Fault.FIELDS if at_name else Fault.SIGNATURE
    if leaf == "draws":
        fair = all(sides >= 2 and 1 <= face <= sides for sides, face in after)
        return Fault.SIGNATURE if fair else Fault.FIELDS
    assert leaf in CHOICES | NUMBERS | {"", "v", "commit", "veil", "salts", "values"}, path
    return Fault.FIELDS


@EACH_TYPE
def test_each_bit_of_an_entry_counts(log: Log) -> None:
    *before, (entry, sig) = log.receipts
    old = orjson.loads(entry)
    seen = set()
    for bit in range(8 * len(entry)):
        changed = bytearray(entry)
        changed[bit // 8] ^= 1 << bit % 8
        verdict = verify_ledger([*before, Receipt(bytes(changed), sig)], REGISTRY)
        expected = expected_fault(old, bytes(changed))
        assert first(verdict) == (expected, len(before)), (bit, bytes(changed))
        seen.add(expected)
    places = set() if old["type"] == "genesis" else set(PLACES.values())
    assert seen >= {Fault.FORM, Fault.FIELDS, Fault.SIGNATURE} | places


@EACH_TYPE
def test_each_bit_of_a_signature_counts(log: Log) -> None:
    *before, (entry, sig) = log.receipts
    for bit in range(512):
        wrong = bytearray.fromhex(sig)
        wrong[bit // 8] ^= 1 << bit % 8
        verdict = verify_ledger([*before, Receipt(entry, wrong.hex())], REGISTRY)
        assert first(verdict) == (Fault.SIGNATURE, len(before))
    for text in ("", sig[:-1], sig + "0", sig.upper(), f" {sig[1:]}"):
        verdict = verify_ledger([*before, Receipt(entry, text)], REGISTRY)
        assert first(verdict) == (Fault.SIGNATURE, len(before))


# Every place of every size


def forty() -> list[Receipt]:
    log = Log()
    with fixed_chance(256):
        log.genesis()
        while len(log.lines) < 40:
            seq = len(log.lines)
            if seq % 13 == 12:
                log.rotate()
            elif seq % 13 == 5:
                log.roll(secret=True)
            elif seq % 13 == 9 and seq > 13:
                log.reveal(seq // 13 - 1)
            elif seq % 4 == 1:
                log.roll(ANA)
            else:
                log.seed("Ben", f"{BEN} {seq}")
    return log.receipts


FORTY = forty()


def by_place(edit: Callable[[list[Receipt], int], None]) -> Iterator[tuple[int, int, Any]]:
    for size in range(1, len(FORTY) + 1):
        for place in range(size):
            lines = FORTY[:size]
            edit(lines, place)
            yield size, place, first(verify_ledger(lines, REGISTRY))


def test_an_entry_left_out_is_missed() -> None:
    def drop(lines: list[Receipt], place: int) -> None:
        del lines[place]

    for size, place, found in by_place(drop):
        if size == 1:
            assert found == (Fault.EMPTY, 0)
        elif place == 0:
            assert found == (Fault.NO_GENESIS, 0)
        elif place == size - 1:
            assert found is None  # cut short: only a receipt shows it
        else:
            assert found == (Fault.NUMBER, place), (size, place)


def test_entries_that_change_places_are_seen() -> None:
    def swap(lines: list[Receipt], place: int) -> None:
        lines[place - 1 : place + 1] = lines[place - 1 : place + 1][::-1]

    for size, place, found in by_place(swap):
        if place == 0:
            assert found is None  # nothing stands before the first
        elif place == 1:
            assert found == (Fault.NO_GENESIS, 0)
        else:
            assert found == (Fault.NUMBER, place - 1), (size, place)


def test_an_entry_written_twice_is_seen() -> None:
    def double(lines: list[Receipt], place: int) -> None:
        lines.insert(place, lines[place])

    for size, place, found in by_place(double):
        fault = Fault.GENESIS_AGAIN if place == 0 else Fault.NUMBER
        assert found == (fault, place + 1), (size, place)


def test_a_log_cut_short_is_seen_with_a_receipt_and_only_so() -> None:
    for size in range(1, len(FORTY)):
        assert verify_ledger(FORTY[:size], REGISTRY).first is None
        for kept in (FORTY[size], FORTY[-1]):
            verdict = verify_ledger(FORTY[:size], REGISTRY, receipts=[kept])
            assert first(verdict) == (Fault.TRUNCATED, size)
        verdict = verify_ledger(FORTY[:size], REGISTRY, receipts=FORTY[:size])
        assert verdict.first is None


def test_a_log_signed_anew_is_seen_with_a_receipt_and_only_so() -> None:
    log = golden_log()
    seeds = [line.seq for line in log.lines if b'"type":"seed"' in line.entry]
    other = Log()
    with fixed_chance():
        other.genesis()
        other.roll(who="MJ")
        other.roll(ANA, note="another note")
        other.seed("Ben", BEN)
    assert verified(other).first is None
    for kept in log.receipts[2:4]:
        verdict = verify_ledger(other.receipts, REGISTRY, key=KEY, receipts=[kept])
        assert first(verdict) == (Fault.FORK, orjson.loads(kept.entry)["seq"])
    before = verify_ledger(other.receipts, REGISTRY, key=KEY, receipts=log.receipts[:2])
    assert before.first is None
    assert seeds == [3]


# What is counted, and never guessed


def other_version(version: str) -> Registry:
    system = tiny_duel.SYSTEM.__class__.__new__(tiny_duel.SYSTEM.__class__)
    system.__dict__.update({**tiny_duel.SYSTEM.__dict__, "version": version})
    return {system.id: system}


@pytest.mark.parametrize("registry", [NOBODY, other_version("1.0.1")], ids=["none", "other"])
def test_rules_of_another_version_are_said_not_guessed(registry: Registry) -> None:
    verdict = verify_ledger(golden_log().receipts, registry, key=KEY)
    assert verdict.failures == []
    assert verdict.foreign == 9
    assert (verdict.verified, verdict.waiting, verdict.secret) == (6, 1, 1)


def test_a_clock_that_runs_back_is_counted_not_refused() -> None:
    log = Log()
    log.genesis()
    log.seed("Ana", ANA, ts=TS - 1)
    log.seed("Ben", BEN)
    verdict = verified(log)
    assert verdict.failures == []
    assert verdict.backwards == 1


def test_faces_wait_until_their_seed_is_revealed() -> None:
    log = Log()
    log.genesis()
    log.roll(ANA)
    log.roll(secret=True)
    log.unveil(2)
    verdict = verified(log)
    assert (verdict.verified, verdict.waiting, verdict.secret) == (0, 2, 0)
    log.rotate()
    log.reveal(0)
    assert (verified(log).verified, verified(log).waiting) == (1, 1)
    log.reveal(0, Lane.VEIL)
    assert (verified(log).verified, verified(log).waiting) == (2, 0)


def test_a_secret_roll_that_is_not_opened_is_counted() -> None:
    log = Log()
    log.genesis()
    log.roll(secret=True)
    log.roll(secret=True, hand=(1, 2, 3, 4, 5))
    log.rotate()
    log.reveal(0, Lane.VEIL)
    verdict = verified(log)
    assert verdict.failures == []
    assert (verdict.verified, verdict.secret) == (0, 2)


def test_dice_rolled_by_hand_are_run_through_the_rule() -> None:
    log = Log()
    log.genesis()
    log.roll(hand=(5, 1, 6, 6, 2), role=Role.PLAYER)
    assert verified(log).failures == []
    log.forge(outcome={"margin": 2, "winner": "b"})
    assert first(verified(log)) == (Fault.RULE, 1)


def test_several_faults_are_all_told_and_the_first_is_named() -> None:
    log = Log()
    log.genesis()
    log.roll(fair=Drawn.POOL)
    log.roll(ANA, role=Role.GM, who="MJ")
    verdict = verify_ledger([*log.receipts, None], REGISTRY, key="00" * 32)
    assert [(failure.fault, failure.seq) for failure in verdict.failures] == [
        (Fault.OTHER_KEY, 0),
        (Fault.ENTROPY, 1),
        (Fault.CLIENT, 2),
        (Fault.NOT_A_LINE, 3),
    ]
    assert first(verdict) == (Fault.OTHER_KEY, 0)


def test_a_receipt_that_agrees_needs_no_signature() -> None:
    log = golden_log()
    kept = [Receipt(line.entry, "") for line in log.receipts]
    assert verify_ledger(log.receipts, REGISTRY, receipts=kept).first is None


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"null",
        b'{"seq":1}',
        b'{"seq":-1,"table":""}',
        b'{"seq":true,"table":""}',
        b'{"seq":1,"table":1}',
    ],
)
def test_what_is_no_receipt_is_said(entry: bytes) -> None:
    verdict = verify_ledger(FORTY[:1], REGISTRY, receipts=[Receipt(entry, "")])
    assert first(verdict) == (Fault.RECEIPT, 1)


# Lines, from wherever


def test_lines_are_read_from_exports_and_from_answers() -> None:
    text = written(FORTY[:2]).replace("\n", "\r\n\n")
    assert list(read_lines(text.encode())) == FORTY[:2]
    entry, sig = FORTY[0]
    log = {"entry": entry.decode(), "sig": sig, "key": KEY}
    assert list(read_lines(orjson.dumps({"log": log, "id": "x"}))) == FORTY[:1]
    assert list(read_lines(orjson.dumps(log))) == FORTY[:1]


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"[]",
        b"1",
        b"{}",
        b'{"entry":1,"sig":""}',
        b'{"entry":"","sig":1}',
        b'{"log":1}',
        b"\xff",
    ],
)
def test_what_is_no_line_is_none(line: bytes) -> None:
    assert list(read_lines(line)) == [None]
    assert first(verify_ledger([None], REGISTRY)) == (Fault.NOT_A_LINE, 0)


def test_logs_of_tables_are_told_from_rolls_outside_tables() -> None:
    text = LOG.read_bytes()
    assert is_table_log(text)
    assert is_table_log(b"\n")
    assert is_table_log(b"x\n" + text)
    assert is_table_log(text.split(b"\n", 1)[1])
    assert not is_table_log(ROLLS.read_bytes())
    assert not is_table_log(b"x\n{}")


@given(st.lists(st.none() | st.builds(Receipt, st.binary(), st.text()), max_size=3))
def test_whatever_comes_gets_a_verdict(lines: list[Receipt | None]) -> None:
    verdict = verify_ledger([*FORTY[:2], *lines], REGISTRY, receipts=lines)
    assert (verdict.first is None) == (not lines)


STEPS = st.sampled_from(["roll", "gm", "hand", "secret", "seed", "rotate", "reveal", "unveil"])


@given(st.lists(STEPS, max_size=25))
def test_whatever_honest_people_do_verifies(steps: list[str]) -> None:
    """Against a plain count of what was done."""
    log = Log()
    secrets: list[int] = []
    opened = done = 0
    with fixed_chance(256):
        log.genesis()
        for step in steps:
            seq = len(log.lines)
            if step == "roll":
                log.roll(f"{ANA} {seq}")
            elif step == "gm":
                log.roll(who="MJ")
            elif step == "hand":
                log.roll(hand=(1, 2, 3, 4, 5))
            elif step == "secret":
                secrets.append(seq)
                log.roll(secret=True)
            elif step == "seed":
                log.seed("Ben", f"{BEN} {seq}")
            elif step == "rotate":
                log.rotate()
            elif step == "reveal" and len(log.salts) > 1:
                log.reveal(len(log.salts) - 2, Lane.VEIL if seq % 2 else Lane.OPEN)
            elif step == "unveil" and opened < len(secrets):
                log.unveil(secrets[opened])
                opened += 1
            else:
                continue
            done += 1
    verdict = verified(log)
    assert verdict.failures == []
    assert verdict.entries == 1 + done
    assert verdict.secret == len(secrets) - opened
    hand = steps.count("hand")
    rolls = hand + sum(steps.count(step) for step in ("roll", "gm", "secret"))
    assert verdict.entropy.total() == rolls
    assert verdict.verified + verdict.waiting + verdict.secret + hand == rolls
