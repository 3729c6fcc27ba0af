"""Run an entry again: the same faces, the same outcome, or where they differ and why.

Bytes come from anywhere: whatever they are, there is a verdict, never an exception.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

import orjson
from pydantic import ValidationError

from arbitre.audit.canonical import NotCanonicalError, canonical
from arbitre.audit.entry import ROLL, VERSION, Entropy, pairs
from arbitre.audit.signing import verify, weak_key
from arbitre.dice import (
    DiceFaceError,
    DiceLeftError,
    DiceLimitError,
    DiceMissingError,
    FaceSource,
    HandFaces,
    SeededFaces,
    caller_seed,
)
from arbitre.dice.live import LIMIT
from arbitre.dice.seeded import MAX_SIDES
from arbitre.registry import Registry
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import Play, play
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System

_SORTED: Final = orjson.OPT_SORT_KEYS

LARGEST_ENTRY: Final = 1 << 20
"""Most bytes of an entry that is worth a look."""


class Check(StrEnum):
    """What is looked at, in this order."""

    LINE = "line"
    FORM = "form"
    FIELDS = "fields"
    KEY = "key"
    SIGNATURE = "signature"
    SEED = "seed"
    FACES = "faces"
    RULESET = "ruleset"
    REQUEST = "request"
    DRAWS = "draws"
    OUTCOME = "outcome"


class Reason(StrEnum):
    """Why a check failed, or was not made."""

    NOT_A_LINE = "not-a-line"
    TOO_LARGE = "too-large"
    NOT_JSON = "not-json"
    NOT_CANONICAL = "not-canonical"
    TOO_DEEP = "too-deep"
    NOT_AN_OBJECT = "not-an-object"
    OTHER_VERSION = "other-version"
    OTHER_TYPE = "other-type"
    FIELD_MISSING = "field-missing"
    FIELD_UNKNOWN = "field-unknown"
    FIELD_WRONG = "field-wrong"
    WEAK_KEY = "weak-key"
    OTHER_KEY = "other-key"
    NOT_PINNED = "not-pinned"
    NOT_SIGNED = "not-signed"
    SIGNATURE_WRONG = "signature-wrong"
    SEED_WRONG = "seed-wrong"
    BY_HAND = "by-hand"
    FACE_WRONG = "face-wrong"
    SYSTEM_UNKNOWN = "system-unknown"
    RESOLVER_UNKNOWN = "resolver-unknown"
    VERSION = "version"
    REQUEST_INVALID = "request-invalid"
    REQUEST_DIFFERS = "request-differs"
    REFUSED = "refused"
    DRAWS_DIFFER = "draws-differ"
    OUTCOME_DIFFERS = "outcome-differs"


class Status(StrEnum):
    """What a verdict comes to."""

    VALID = "valid"
    INVALID = "invalid"
    VERSION = "version"


class Checked(NamedTuple):
    """One check: held, failed, or (None) not made; with the reason and what to show."""

    name: Check
    ok: bool | None
    reason: Reason | None
    values: dict[str, Any]


@dataclass(slots=True)
class Verdict:
    """What an entry was found to be.

    ``data`` is the entry as far as it could be read; ``play``, ``request``, ``system`` and
    ``resolver`` are there once it was run again.
    """

    checks: list[Checked] = field(default_factory=list)
    data: dict[str, Any] | None = None
    system: System | None = None
    resolver: Resolver[Any, Any] | None = None
    request: Any = None
    play: Play[Any] | None = None

    @property
    def status(self) -> Status:
        """Valid, invalid, or of a version of the rules that is not here."""
        failed = [check for check in self.checks if check.ok is False]
        if not failed:
            return Status.VALID
        only_version = all(check.reason is Reason.VERSION for check in failed)
        return Status.VERSION if only_version else Status.INVALID

    @property
    def valid(self) -> bool:
        """Say whether everything that was looked at holds."""
        return self.status is Status.VALID

    def failed(self, name: Check, reason: Reason, **values: Any) -> None:
        """Note a check that failed."""
        self.checks.append(Checked(name, False, reason, values))

    def held(self, name: Check) -> None:
        """Note a check that held."""
        self.checks.append(Checked(name, True, None, {}))

    def open(self, name: Check, reason: Reason) -> None:
        """Note a check that was not made."""
        self.checks.append(Checked(name, None, reason, {}))


def replay(
    entry: bytes, sig: str | None, registry: Registry, public_key: str | None = None
) -> Verdict:
    """Check an entry and run it again.

    Without ``public_key`` the entry's own key is taken at its word, and the verdict says
    so. Without ``sig`` nothing shows who wrote the entry.
    """
    verdict = Verdict()
    data = read_entry(verdict, entry)
    if data is None or not _fields(verdict, data):
        return verdict
    _signature(verdict, entry, data["key"], sig, public_key)
    faces = _faces(verdict, data)
    resolver = find_rule(verdict, data, registry)
    if resolver is not None:
        run_again(verdict, resolver, data, faces)
    return verdict


class Line(NamedTuple):
    """One line of a file: its number, from 1, and the verdict on it."""

    number: int
    verdict: Verdict


def verify_lines(
    lines: Iterable[str | bytes], registry: Registry, public_key: str | None = None
) -> Iterator[Line]:
    """Check each line ``{"entry": "<the entry>", "sig": "<hexadecimal>"}``; skip empty ones."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield Line(number, _verify_line(line, registry, public_key))


def _verify_line(line: str | bytes, registry: Registry, public_key: str | None) -> Verdict:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = None
    if isinstance(row, dict) and row.keys() == {"entry", "sig"}:
        entry, sig = row["entry"], row["sig"]
        if isinstance(entry, str) and isinstance(sig, str):
            return replay(entry.encode(), sig, registry, public_key)
    verdict = Verdict()
    verdict.failed(Check.LINE, Reason.NOT_A_LINE)
    return verdict


def read_entry(verdict: Verdict, entry: bytes) -> dict[str, Any] | None:
    """Check that the bytes are the one form of a JSON object."""
    reason = None
    data: Any = None
    if len(entry) > LARGEST_ENTRY:
        reason = Reason.TOO_LARGE
    else:
        try:
            data = orjson.loads(entry)
            if canonical(data) != entry:
                reason = Reason.NOT_CANONICAL
            elif type(data) is not dict:
                reason = Reason.NOT_AN_OBJECT
        except orjson.JSONDecodeError:
            reason = Reason.NOT_JSON
        except NotCanonicalError:
            reason = Reason.NOT_CANONICAL
    if reason:
        verdict.failed(Check.FORM, reason)
        return None
    verdict.held(Check.FORM)
    verdict.data = data
    found: dict[str, Any] = data
    return found


def _matches(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_TEXT: Final = {
    "id": _matches(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
    "key": _matches(r"[0-9a-f]{64}"),
    "ruleset": _matches(r"[a-z]+(?:-[a-z]+)*@[0-9]+(?:\.[0-9]+){2}"),
    "resolver": _matches(r"[a-z]+(?:-[a-z]+)*"),
    "entropy": _matches("|".join(Entropy)),
    "seed": _matches(r"[0-9a-f]{64}"),
    "seed_text": _matches(r"(?s:.*)"),
    "actor": _matches(r"(?s:.*)"),
    "note": _matches(r"(?s:.*)"),
    "idem": _matches(r"[0-9a-f]{64}"),
    "fp": _matches(r"[0-9a-f]{64}"),
}
_ALWAYS: Final = frozenset(
    ("v", "type", "id", "ts", "key", "ruleset", "resolver", "entropy", "req", "draws", "outcome")
)
_SOMETIMES: Final = frozenset(("actor", "note", "idem", "fp"))
_OF_ENTROPY: Final = {
    "server-only": frozenset(("seed",)),
    "caller": frozenset(("seed", "seed_text")),
    "hand": frozenset[str](),
}


def _fields(verdict: Verdict, data: dict[str, Any]) -> bool:
    """Check which fields there are, and of what kind."""
    reason, name = _wrong_field(data)
    if reason:
        verdict.failed(Check.FIELDS, reason, field=name)
        return False
    verdict.held(Check.FIELDS)
    return True


def _wrong_field(data: dict[str, Any]) -> tuple[Reason | None, str]:
    for name, expected, reason in (
        ("v", VERSION, Reason.OTHER_VERSION),
        ("type", ROLL, Reason.OTHER_TYPE),
    ):
        if type(data.get(name)) is not type(expected) or data[name] != expected:
            return reason, name
    entropy = data.get("entropy")
    own = _OF_ENTROPY.get(entropy) if isinstance(entropy, str) else None
    if own is None:
        return (Reason.FIELD_WRONG if "entropy" in data else Reason.FIELD_MISSING), "entropy"
    needed = _ALWAYS | own | ({"fp"} if "idem" in data else set())
    for names, reason in (
        (needed - data.keys(), Reason.FIELD_MISSING),
        (data.keys() - needed - _SOMETIMES, Reason.FIELD_UNKNOWN),
    ):
        if names:
            return reason, min(names)
    wrong = [name for name in sorted(data) if not _fits(name, data[name])]
    return (Reason.FIELD_WRONG, wrong[0]) if wrong else (None, "")


def _fits(name: str, value: Any) -> bool:
    if name in _TEXT:
        return isinstance(value, str) and _TEXT[name].fullmatch(value) is not None
    if name == "draws":
        return isinstance(value, list) and len(value) <= LIMIT and all(map(is_die, value))
    if name in {"req", "outcome"}:
        return isinstance(value, dict)
    return name in {"v", "type"} or (type(value) is int and value >= 0)


def is_die(pair: Any) -> bool:
    """Say whether a value is a pair of sides and a face that such a die has."""
    if type(pair) is not list or [type(number) for number in pair] != [int, int]:
        return False
    sides, face = pair
    return bool(2 <= sides <= MAX_SIDES and 1 <= face <= sides)  # noqa: PLR2004 - as dice have


def _signature(
    verdict: Verdict, entry: bytes, key: str, sig: str | None, public_key: str | None
) -> None:
    if weak_key(bytes.fromhex(key)):
        verdict.failed(Check.KEY, Reason.WEAK_KEY)
    elif public_key is None:
        verdict.open(Check.KEY, Reason.NOT_PINNED)
    elif public_key != key:
        verdict.failed(Check.KEY, Reason.OTHER_KEY, expected=public_key, found=key)
    else:
        verdict.held(Check.KEY)
    if sig is None:
        verdict.open(Check.SIGNATURE, Reason.NOT_SIGNED)
    elif verify(entry, sig, key):
        verdict.held(Check.SIGNATURE)
    else:
        verdict.failed(Check.SIGNATURE, Reason.SIGNATURE_WRONG)


def _faces(verdict: Verdict, data: dict[str, Any]) -> FaceSource:
    """Check that the faces are those of the seed, whatever rule drew them."""
    draws = data["draws"]
    if data["entropy"] == Entropy.HAND:
        verdict.open(Check.SEED, Reason.BY_HAND)
        verdict.open(Check.FACES, Reason.BY_HAND)
        return HandFaces([face for _, face in draws])
    seed = bytes.fromhex(data["seed"])
    if "seed_text" in data and caller_seed(data["seed_text"]) != seed:
        verdict.failed(Check.SEED, Reason.SEED_WRONG)
    else:
        verdict.held(Check.SEED)
    stream = SeededFaces(seed)
    for index, (sides, found) in enumerate(draws):
        (face,) = stream.draw("", 1, sides)
        if face != found:
            verdict.failed(
                Check.FACES, Reason.FACE_WRONG, index=index, sides=sides, expected=face, found=found
            )
            break
    else:
        verdict.held(Check.FACES)
    return SeededFaces(seed)


def find_rule(
    verdict: Verdict, data: dict[str, Any], registry: Registry
) -> Resolver[Any, Any] | None:
    """Find the rule and read the request."""
    name, _, version = data["ruleset"].partition("@")
    system = registry.get(name)
    if system is None:
        verdict.failed(Check.RULESET, Reason.SYSTEM_UNKNOWN, system=name)
        return None
    if version != system.version:
        verdict.failed(
            Check.RULESET, Reason.VERSION, system=name, expected=version, found=system.version
        )
        return None
    resolver = system.by_id.get(data["resolver"])
    if resolver is None:
        verdict.failed(Check.RULESET, Reason.RESOLVER_UNKNOWN, resolver=data["resolver"])
        return None
    verdict.held(Check.RULESET)
    try:
        request = resolver.request.model_validate_json(orjson.dumps(data["req"]))
    except ValidationError as wrong:
        where = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
        verdict.failed(Check.REQUEST, Reason.REQUEST_INVALID, pointer=_pointer(where["loc"]))
        return None
    difference = difference_of(data["req"], request.model_dump(mode="json"))
    if difference:
        verdict.failed(Check.REQUEST, Reason.REQUEST_DIFFERS, **difference)
        return None
    verdict.held(Check.REQUEST)
    verdict.system, verdict.resolver, verdict.request = system, resolver, request
    return resolver


def run_again(
    verdict: Verdict, resolver: Resolver[Any, Any], data: dict[str, Any], faces: FaceSource
) -> None:
    """Run the rule with the entry's own dice."""
    try:
        played = play(resolver, verdict.request, faces)
    except RuleRefused as refused:
        verdict.failed(Check.OUTCOME, Reason.REFUSED, code=refused.code, pointer=refused.pointer)
        return
    except (DiceMissingError, DiceLeftError, DiceFaceError, DiceLimitError):
        verdict.failed(Check.DRAWS, Reason.DRAWS_DIFFER, pointer="")
        return
    verdict.play = played
    drawn = [list(pair) for pair in pairs(played.draws)]
    outcome = played.outcome.model_dump(mode="json")
    for name, reason, found, again in (
        (Check.DRAWS, Reason.DRAWS_DIFFER, data["draws"], drawn),
        (Check.OUTCOME, Reason.OUTCOME_DIFFERS, data["outcome"], outcome),
    ):
        difference = difference_of(found, again)
        if difference:
            verdict.failed(name, reason, **difference)
        else:
            verdict.held(name)


def difference_of(found: Any, expected: Any) -> dict[str, Any] | None:
    """Return the first place where two JSON values differ; True is not 1."""
    if orjson.dumps(found, option=_SORTED) == orjson.dumps(expected, option=_SORTED):
        return None  # as nearly always, and much quicker than a look at each part
    return _difference(found, expected, "")


def _difference(found: Any, expected: Any, pointer: str) -> dict[str, Any] | None:
    if type(found) is dict and type(expected) is dict:
        for key in sorted(found.keys() | expected.keys()):
            inner = f"{pointer}/{_escaped(key)}"
            if key not in found or key not in expected:
                return _where(inner, found.get(key), expected.get(key))
            difference = _difference(found[key], expected[key], inner)
            if difference:
                return difference
        return None
    if type(found) is list and type(expected) is list and len(found) == len(expected):
        for index, (one, other) in enumerate(zip(found, expected, strict=True)):
            difference = _difference(one, other, f"{pointer}/{index}")
            if difference:
                return difference
        return None
    same = type(found) is type(expected) and found == expected
    return None if same else _where(pointer, found, expected)


def _where(pointer: str, found: Any, expected: Any) -> dict[str, Any]:
    return {"pointer": pointer, "found": found, "expected": expected}


def _pointer(path: Iterable[str | int]) -> str:
    return "".join(f"/{_escaped(str(step))}" for step in path)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
