"""Every change of an entry is refused, for the right reason."""

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

import tiny_duel
from arbitre.audit import Check, Reason, Signed, Signer, Status, Verdict, replay, verify_lines
from arbitre.audit.replay import LARGEST_ENTRY
from arbitre.dice.live import LIMIT
from arbitre.registry import registry_of
from arbitre.rules.labels import LANGUAGES
from entries import DUEL, REGISTRY, SEED, SIGNER, rolled, signed_again

KEY = SIGNER.public_key
MORE = {"actor": "Ana", "note": "é", "idem": bytes(32), "fp": bytes(32)}
KINDS = {
    "server": rolled(DUEL),
    "caller": rolled(DUEL, seed_text="épée"),
    "hand": rolled(DUEL, hand=(5, 1, 6, 6, 2)),
    "all fields": rolled(DUEL, seed_text="x", **MORE),
}
EACH_KIND = pytest.mark.parametrize("signed", KINDS.values(), ids=KINDS)


def failures(verdict: Verdict) -> list[tuple[Check, Reason | None]]:
    return [(check.name, check.reason) for check in verdict.checks if check.ok is False]


def values(verdict: Verdict, name: Check) -> dict[str, Any]:
    (found,) = [check.values for check in verdict.checks if check.name is name]
    return found


@EACH_KIND
def test_an_entry_replays_to_itself(signed: Signed) -> None:
    verdict = replay(signed.entry, signed.sig, REGISTRY, KEY)
    assert verdict.valid
    assert verdict.status is Status.VALID
    assert [check.name for check in verdict.checks] == [
        *(Check.FORM, Check.FIELDS, Check.KEY, Check.SIGNATURE, Check.SEED, Check.FACES),
        *(Check.RULESET, Check.REQUEST, Check.DRAWS, Check.OUTCOME),
    ]
    assert verdict.data == orjson.loads(signed.entry)


def test_the_play_of_a_stored_entry_can_be_told_again() -> None:
    verdict = replay(*KINDS["server"][1:], REGISTRY)
    assert verdict.system is tiny_duel.SYSTEM
    assert verdict.resolver is tiny_duel.duel
    assert verdict.data is not None
    assert verdict.play is not None
    assert verdict.request.a.skill == 3
    assert [draw.tag for draw in verdict.play.draws] == ["fighter", "fighter"]
    assert verdict.play.outcome.model_dump(mode="json") == verdict.data["outcome"]
    labels = verdict.system.labels[LANGUAGES[0]]
    assert [labels.say("steps", note.key, note.values) for note in verdict.play.notes]


def test_what_was_not_looked_at_is_said() -> None:
    signed = KINDS["hand"]
    verdict = replay(signed.entry, None, REGISTRY)
    assert verdict.valid
    assert {check.name: check.reason for check in verdict.checks if check.ok is None} == {
        Check.KEY: Reason.NOT_PINNED,
        Check.SIGNATURE: Reason.NOT_SIGNED,
        Check.SEED: Reason.BY_HAND,
        Check.FACES: Reason.BY_HAND,
    }


def expected_form(entry: bytes) -> Reason | None:
    """Say with other libraries what is wrong with the form of an entry."""
    try:
        data = json.loads(entry.decode(), parse_float=Decimal)  # which has no canonical form
    except ValueError:
        return Reason.NOT_JSON
    try:
        return None if rfc8785.dumps(data) == entry else Reason.NOT_CANONICAL
    except rfc8785.CanonicalizationError:
        return Reason.NOT_CANONICAL


def refused_rightly(entry: bytes, sig: str) -> bool:
    found = failures(replay(entry, sig, REGISTRY, KEY))
    form = expected_form(entry)
    if form:
        return found == [(Check.FORM, form)]
    return found[0][0] is Check.FIELDS or (Check.SIGNATURE, Reason.SIGNATURE_WRONG) in found


def test_each_bit_of_an_entry_counts() -> None:
    entry, sig = KINDS["all fields"][1:]
    for bit in range(8 * len(entry)):
        changed = bytearray(entry)
        changed[bit // 8] ^= 1 << bit % 8
        assert refused_rightly(bytes(changed), sig), bit


@EACH_KIND
def test_each_byte_of_an_entry_counts(signed: Signed) -> None:
    for index, byte in enumerate(signed.entry):
        start, end = signed.entry[:index], signed.entry[index + 1 :]
        for other in {byte + 1 & 255, byte - 1 & 255, *b'0 "}\x00\xff'} - {byte}:
            assert refused_rightly(start + bytes([other]) + end, signed.sig), (index, other)
        assert refused_rightly(start + end, signed.sig), index
        assert refused_rightly(start + b" " + signed.entry[index:], signed.sig), index
        assert refused_rightly(start, signed.sig), index


def test_each_bit_of_a_signature_counts() -> None:
    entry, sig = KINDS["server"][1:]
    for bit in range(512):
        wrong = bytearray.fromhex(sig)
        wrong[bit // 8] ^= 1 << bit % 8
        found = failures(replay(entry, wrong.hex(), REGISTRY, KEY))
        assert found == [(Check.SIGNATURE, Reason.SIGNATURE_WRONG)]


def test_another_key_is_told_apart_from_a_wrong_signature() -> None:
    other = Signer(bytes(32)).public_key
    verdict = replay(*KINDS["server"][1:], REGISTRY, other)
    assert failures(verdict) == [(Check.KEY, Reason.OTHER_KEY)]
    assert values(verdict, Check.KEY) == {"expected": other, "found": KEY}


def test_a_key_of_small_order_is_refused_even_if_the_signature_fits() -> None:
    data = orjson.loads(KINDS["server"].entry)
    data["key"] = (1).to_bytes(32, "little").hex()
    entry, _ = signed_again(data)
    forged = data["key"] + "00" * 32
    assert failures(replay(entry, forged, REGISTRY)) == [
        (Check.KEY, Reason.WEAK_KEY),
        (Check.SIGNATURE, Reason.SIGNATURE_WRONG),
    ]


# What the holder of the key might write: all of it well signed.

Change = Callable[[dict[str, Any]], object]


def without(name: str) -> Change:
    return lambda data: data.pop(name)


def to(name: str, value: Any) -> Change:
    return lambda data: data.update({name: value})


def inside(name: str, **more: Any) -> Change:
    return lambda data: data[name].update(more)


def face(index: int, value: Any) -> Change:
    return lambda data: data["draws"].__setitem__(index, value)


def one_less(data: dict[str, Any]) -> None:
    data["draws"].pop()


FIELDS = Check.FIELDS
FORGED: dict[str, tuple[str, Change, list[tuple[Check, Reason]]]] = {
    "version": ("server", to("v", 2), [(FIELDS, Reason.OTHER_VERSION)]),
    "version true": ("server", to("v", True), [(FIELDS, Reason.OTHER_VERSION)]),
    "no version": ("server", without("v"), [(FIELDS, Reason.OTHER_VERSION)]),
    "type": ("server", to("type", "genesis"), [(FIELDS, Reason.OTHER_TYPE)]),
    "no entropy": ("server", without("entropy"), [(FIELDS, Reason.FIELD_MISSING)]),
    "entropy": ("server", to("entropy", "own"), [(FIELDS, Reason.FIELD_WRONG)]),
    "entropy a list": ("server", to("entropy", []), [(FIELDS, Reason.FIELD_WRONG)]),
    "relabelled hand": ("server", to("entropy", "hand"), [(FIELDS, Reason.FIELD_UNKNOWN)]),
    "relabelled caller": ("server", to("entropy", "caller"), [(FIELDS, Reason.FIELD_MISSING)]),
    "relabelled server": ("hand", to("entropy", "server-only"), [(FIELDS, Reason.FIELD_MISSING)]),
    "no outcome": ("server", without("outcome"), [(FIELDS, Reason.FIELD_MISSING)]),
    "idem without fp": ("all fields", without("fp"), [(FIELDS, Reason.FIELD_MISSING)]),
    "unknown": ("server", to("luck", 1), [(FIELDS, Reason.FIELD_UNKNOWN)]),
    "id": ("server", to("id", "1"), [(FIELDS, Reason.FIELD_WRONG)]),
    "id a number": ("server", to("id", 1), [(FIELDS, Reason.FIELD_WRONG)]),
    "ts": ("server", to("ts", -1), [(FIELDS, Reason.FIELD_WRONG)]),
    "ts true": ("server", to("ts", True), [(FIELDS, Reason.FIELD_WRONG)]),
    "req": ("server", to("req", []), [(FIELDS, Reason.FIELD_WRONG)]),
    "draws": ("server", to("draws", {}), [(FIELDS, Reason.FIELD_WRONG)]),
    "too many": ("hand", to("draws", [[6, 1]] * (LIMIT + 1)), [(FIELDS, Reason.FIELD_WRONG)]),
    "no die": ("server", face(0, 6), [(FIELDS, Reason.FIELD_WRONG)]),
    "half a die": ("server", face(0, [6]), [(FIELDS, Reason.FIELD_WRONG)]),
    "a true die": ("server", face(0, [6, True]), [(FIELDS, Reason.FIELD_WRONG)]),
    "one side": ("server", face(0, [1, 1]), [(FIELDS, Reason.FIELD_WRONG)]),
    "no such face": ("server", face(0, [6, 7]), [(FIELDS, Reason.FIELD_WRONG)]),
    "face": (
        "server",
        face(0, [6, 6]),
        [(Check.FACES, Reason.FACE_WRONG), (Check.DRAWS, Reason.DRAWS_DIFFER)],
    ),
    "sides": (
        "server",
        face(4, [20, 1]),
        [(Check.FACES, Reason.FACE_WRONG), (Check.DRAWS, Reason.DRAWS_DIFFER)],
    ),
    "a die too few": (
        "server",
        lambda data: data["draws"].pop(),
        [(Check.DRAWS, Reason.DRAWS_DIFFER)],
    ),
    "seed": (
        "caller",
        to("seed", SEED[::-1].hex()),
        [
            (Check.SEED, Reason.SEED_WRONG),
            (Check.FACES, Reason.FACE_WRONG),
            (Check.DRAWS, Reason.DRAWS_DIFFER),
            (Check.OUTCOME, Reason.OUTCOME_DIFFERS),
        ],
    ),
    "seed_text": ("caller", to("seed_text", "other"), [(Check.SEED, Reason.SEED_WRONG)]),
    "game": ("server", to("ruleset", "chess@1.0.0"), [(Check.RULESET, Reason.SYSTEM_UNKNOWN)]),
    "ruleset": ("server", to("ruleset", "tiny-duel"), [(FIELDS, Reason.FIELD_WRONG)]),
    "rule": ("server", to("resolver", "dance"), [(Check.RULESET, Reason.RESOLVER_UNKNOWN)]),
    "request": ("server", inside("req", c=1), [(Check.REQUEST, Reason.REQUEST_INVALID)]),
    "default left out": (
        "server",
        lambda data: data["req"]["b"].pop("weapon"),
        [(Check.REQUEST, Reason.REQUEST_DIFFERS)],
    ),
    "weapon": (
        "server",
        lambda data: data["req"]["a"].update(weapon="fist"),
        [(Check.OUTCOME, Reason.OUTCOME_DIFFERS)],
    ),
    "refused": (
        "server",
        to("req", {side: {"skill": 0, "weapon": "fist"} for side in "ab"}),
        [(Check.OUTCOME, Reason.REFUSED)],
    ),
    "margin": ("server", inside("outcome", margin=9), [(Check.OUTCOME, Reason.OUTCOME_DIFFERS)]),
    "margin true": (
        "server",
        inside("outcome", margin=True),
        [(Check.OUTCOME, Reason.OUTCOME_DIFFERS)],
    ),
    "outcome more": (
        "server",
        inside("outcome", luck=1),
        [(Check.OUTCOME, Reason.OUTCOME_DIFFERS)],
    ),
    "hand face": ("hand", face(4, [6, 6]), [(Check.OUTCOME, Reason.OUTCOME_DIFFERS)]),
    "hand sides": ("hand", face(0, [20, 5]), [(Check.DRAWS, Reason.DRAWS_DIFFER)]),
    "hand impossible": ("hand", face(0, [20, 15]), [(Check.DRAWS, Reason.DRAWS_DIFFER)]),
    "hand missing": (
        "hand",
        lambda data: data["draws"].pop(),
        [(Check.DRAWS, Reason.DRAWS_DIFFER)],
    ),
    "hand left": (
        "hand",
        lambda data: data["draws"].append([6, 1]),
        [(Check.DRAWS, Reason.DRAWS_DIFFER)],
    ),
}


@pytest.mark.parametrize(("kind", "change", "expected"), FORGED.values(), ids=FORGED)
def test_a_forgery_that_is_well_signed_is_seen(
    kind: str, change: Change, expected: list[tuple[Check, Reason]]
) -> None:
    data = orjson.loads(KINDS[kind].entry)
    change(data)
    entry, sig = signed_again(data)
    verdict = replay(entry, sig, REGISTRY, KEY)
    assert failures(verdict) == expected
    assert verdict.status is Status.INVALID
    assert not verdict.valid


def test_where_it_differs_is_shown() -> None:
    data = orjson.loads(KINDS["server"].entry)
    true = data["draws"][1][1]
    data["draws"][1][1] = true % 6 + 1
    data["outcome"]["margin"] += 1
    verdict = replay(*signed_again(data), REGISTRY)
    assert values(verdict, Check.FACES) == {
        "index": 1,
        "sides": 6,
        "expected": true,
        "found": true % 6 + 1,
    }
    assert values(verdict, Check.DRAWS)["pointer"] == "/1/1"
    assert values(verdict, Check.OUTCOME) == {
        "pointer": "/margin",
        "expected": data["outcome"]["margin"] - 1,
        "found": data["outcome"]["margin"],
    }


def test_the_field_at_fault_is_named() -> None:
    data = orjson.loads(KINDS["server"].entry)
    data["req"]["a"]["skill"] = 99
    verdict = replay(*signed_again(data), REGISTRY)
    assert values(verdict, Check.REQUEST) == {"pointer": "/a/skill"}
    data["req"] = {"a/b~c": 1}
    verdict = replay(*signed_again(data), REGISTRY)
    assert values(verdict, Check.REQUEST)["pointer"] in {"/a", "/a~1b~0c"}


def test_another_version_of_the_rules_is_said_not_guessed() -> None:
    newer = registry_of([replace(tiny_duel.SYSTEM, version="1.1.0")])
    verdict = replay(*KINDS["server"][1:], newer, KEY)
    assert verdict.status is Status.VERSION
    assert not verdict.valid
    assert failures(verdict) == [(Check.RULESET, Reason.VERSION)]
    assert values(verdict, Check.RULESET) == {
        "system": "tiny-duel",
        "expected": "1.0.0",
        "found": "1.1.0",
    }
    assert verdict.play is None
    entry, sig = KINDS["server"][1:]
    spoilt = replay(entry, sig[::-1], newer, KEY)
    assert spoilt.status is Status.INVALID


DEEP = b"[" * 2000 + b"]" * 2000


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (b"", Reason.NOT_JSON),
        (b"null", Reason.NOT_AN_OBJECT),
        (b"[]", Reason.NOT_AN_OBJECT),
        (b'"x"', Reason.NOT_AN_OBJECT),
        (b"{} ", Reason.NOT_CANONICAL),
        (b"\xef\xbb\xbf{}", Reason.NOT_JSON),
        (b'{"a":1,"a":1}', Reason.NOT_CANONICAL),
        (b'{"a":1.0}', Reason.NOT_CANONICAL),
        (b'{"a":1e999}', Reason.NOT_JSON),
        (b'{"a":NaN}', Reason.NOT_JSON),
        (b'{"a":%d}' % 2**53, Reason.NOT_CANONICAL),
        (b'{"a":' + b"9" * 5000 + b"}", Reason.NOT_JSON),
        (b'{"a":' + b"9" * 50 + b"}", Reason.NOT_CANONICAL),
        (b'{"a":"\\ud800"}', Reason.NOT_JSON),
        (b'{"a":"\xff"}', Reason.NOT_JSON),
        (b'{"a":"\\u00e9"}', Reason.NOT_CANONICAL),
        (DEEP, Reason.NOT_JSON),
        (b"[" * 500 + b"]" * 500, Reason.NOT_CANONICAL),
        (b" " * (LARGEST_ENTRY + 1), Reason.TOO_LARGE),
    ],
    ids=lambda value: str(value)[:20],
)
def test_hostile_bytes_get_a_verdict(entry: bytes, reason: Reason) -> None:
    assert failures(replay(entry, "", REGISTRY, "")) == [(Check.FORM, reason)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted(orjson.loads(KINDS["all fields"].entry))), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from(sorted(orjson.loads(KINDS["all fields"].entry))), JSON, st.text())
def test_no_value_of_a_field_crashes(name: str, value: Any, sig: str) -> None:
    data = orjson.loads(KINDS["all fields"].entry)
    changed = value != data[name] or type(value) is not type(data[name])
    data[name] = value
    verdict = replay(json.dumps(data, sort_keys=True).encode(), sig, REGISTRY, KEY)
    assert not verdict.valid
    if abs(value) < 2**53 if isinstance(value, int) else False:
        entry, again = signed_again(data)
        told = replay(entry, again, REGISTRY, KEY)
        assert told.valid is (not changed or (name == "ts" and type(value) is int and value >= 0))


@given(st.binary(max_size=40))
def test_no_bytes_crash(entry: bytes) -> None:
    assert not replay(entry, None, REGISTRY).valid


# A file of lines


def line(signed: Signed) -> str:
    return json.dumps({"entry": signed.entry.decode(), "sig": signed.sig}, ensure_ascii=False)


def test_a_file_is_checked_line_by_line() -> None:
    good = line(KINDS["server"])
    spoilt = good.replace("blade", "fist!")
    found = [
        (number, failures(verdict))
        for number, verdict in verify_lines(
            [good + "\n", "\n", good.encode(), spoilt], REGISTRY, KEY
        )
    ]
    assert found[:2] == [(1, []), (3, [])]
    assert found[2][0] == 4
    assert (Check.SIGNATURE, Reason.SIGNATURE_WRONG) in found[2][1]


@pytest.mark.parametrize(
    "text",
    [
        "not JSON",
        "[]",
        "{}",
        '{"entry":"{}"}',
        '{"entry":"{}","sig":1}',
        '{"entry":{},"sig":"x"}',
        '{"entry":"{}","sig":"","more":1}',
        '"\ud800"',
        b"\xff",
    ],
)
def test_a_line_that_is_no_entry_is_said(text: str | bytes) -> None:
    ((number, verdict),) = verify_lines([text], REGISTRY)
    assert number == 1
    assert failures(verdict) == [(Check.LINE, Reason.NOT_A_LINE)]


def test_a_seed_of_a_table_is_not_one_of_a_roll_alone() -> None:
    """The first faces of a seed differ from those of the same seed anywhere else."""
    data = orjson.loads(KINDS["server"].entry)
    assert data["seed"] == SEED.hex()
    data["seed"] = SEED[::-1].hex()
    assert (Check.FACES, Reason.FACE_WRONG) in failures(replay(*signed_again(data), REGISTRY))
