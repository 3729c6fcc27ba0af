"""Verify the whole log of a table, offline: chain, signatures, commitments, faces, rules.

A log is verified from its first line to its last. What was committed and not yet revealed is
counted, never believed. A log that was rewritten as a whole, by the holder of the key, passes:
only the *receipts* that players kept show it, so give them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from arbitre.audit.replay import Check, Reason, Verdict, find_rule, read_entry, run_again
from arbitre.audit.signing import entry_hash, verify, weak_key
from arbitre.audit.tables import (
    NO_POOL,
    VEILED,
    Drawn,
    Lane,
    Role,
    State,
    after,
    commitment,
    contributed,
    veil,
)
from arbitre.dice import HandFaces, SeededFaces
from arbitre.dice.seeded import MAX_SIDES, place
from arbitre.registry import Registry

MOST_TEXT: Final = 500


class Fault(StrEnum):
    """Why an entry of a table's log does not hold."""

    NOT_A_LINE = "not-a-line"
    FORM = "form"
    FIELDS = "fields"
    NO_GENESIS = "no-genesis"
    GENESIS_AGAIN = "genesis-again"
    OTHER_TABLE = "other-table"
    NUMBER = "number"
    CHAIN = "chain"
    WEAK_KEY = "weak-key"
    OTHER_KEY = "other-key"
    SIGNATURE = "signature"
    STATE = "state"
    IDEM_TWICE = "idem-twice"
    AFTER_CLOSE = "after-close"
    SALT_AGAIN = "salt-again"
    CLIENT = "client"
    ENTROPY = "entropy"
    REVEAL_EARLY = "reveal-early"
    REVEAL_WRONG = "reveal-wrong"
    UNVEIL_TARGET = "unveil-target"
    UNVEIL_WRONG = "unveil-wrong"
    FACES = "faces"
    RULE = "rule"
    TRUNCATED = "truncated"
    FORK = "fork"
    EMPTY = "empty"


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Text = Annotated[str, Field(max_length=MOST_TEXT)]
_Whole = Annotated[int, Field(ge=0, le=2**53 - 1)]


class _St(_Part):
    epoch: _Whole
    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    cs: _Hash
    n: _Whole


class _Common(_Part):
    v: Literal[1]
    table: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    seq: _Whole
    prev: _Hash
    ts: _Whole
    st: _St
    idem: _Hash | None = None
    fp: _Hash | None = None


class _Commit(_Part):
    open: _Hash
    veil: _Hash


class _Genesis(_Common):
    type: Literal["genesis"]
    origin: _Text
    key: _Hash
    commit: _Commit
    settings: dict[str, Any]


class _Seed(_Common):
    type: Literal["seed"]
    who: _Text
    seed: Annotated[str, Field(min_length=16, max_length=64)]


class _Veil(_Part):
    req: _Hash
    draws: _Hash
    outcome: _Hash


class _Roll(_Common):
    type: Literal["roll"]
    who: _Text
    role: Role
    lane: Lane
    client: Annotated[str, Field(min_length=16, max_length=64)] | None
    entropy: Drawn
    note: _Text | None = None
    ruleset: _Text | None = None
    resolver: _Text | None = None
    req: dict[str, Any] | None = None
    draws: list[Annotated[list[_Whole], Field(min_length=2, max_length=2)]] | None = None
    outcome: dict[str, Any] | None = None
    veil: _Veil | None = None
    sealed: Annotated[str, Field(pattern=r"^([0-9a-f]{2})+$")] | None = None


class _Rotate(_Common):
    type: Literal["rotate"]
    commit: _Commit


class _Reveal(_Common):
    type: Literal["reveal"]
    epoch: _Whole
    lane: Lane
    seed: _Hash


class _Salts(_Part):
    req: _Hash
    draws: _Hash
    outcome: _Hash


class _Values(_Part):
    req: dict[str, Any]
    draws: list[Any]
    outcome: dict[str, Any]


class _Unveil(_Common):
    type: Literal["unveil"]
    target: _Whole
    values: _Values
    salts: _Salts


class _Close(_Common):
    type: Literal["close"]
    reason: _Text


_Entry = _Genesis | _Seed | _Roll | _Rotate | _Reveal | _Unveil | _Close
_ENTRY: Final = TypeAdapter[_Entry](Annotated[_Entry, Field(discriminator="type")])

_OPEN_FIELDS: Final = ("ruleset", "resolver", "req", "draws", "outcome")


class Failure(NamedTuple):
    """One entry that does not hold: its number in the log, why, and what to show."""

    seq: int
    fault: Fault
    values: dict[str, Any]


class LedgerStatus(StrEnum):
    """What a log comes to."""

    VALID = "valid"
    INVALID = "invalid"


@dataclass(slots=True)
class LedgerVerdict:
    """What a log was found to be.

    ``entropy`` counts the rolls by who had a say in their faces. ``waiting`` rolls have faces
    that cannot be derived until their seed is revealed; ``secret`` ones were never opened;
    ``foreign`` ones follow rules of a version that is not here. ``backwards`` counts entries
    whose clock ran behind the one before: a warning, no fault.
    """

    table: str = ""
    key: str = ""
    entries: int = 0
    head: str = ""
    failures: list[Failure] = field(default_factory=list)
    entropy: Counter[str] = field(default_factory=Counter)
    verified: int = 0
    waiting: int = 0
    secret: int = 0
    foreign: int = 0
    backwards: int = 0

    @property
    def status(self) -> LedgerStatus:
        """Valid when no entry fails."""
        return LedgerStatus.INVALID if self.failures else LedgerStatus.VALID

    @property
    def first(self) -> Failure | None:
        """The first entry that does not hold."""
        return min(self.failures, key=lambda failure: failure.seq, default=None)


class Receipt(NamedTuple):
    """An entry that somebody kept when it was answered."""

    entry: bytes
    sig: str


def verify_ledger(
    lines: Iterable[Receipt],
    registry: Registry,
    *,
    key: str | None = None,
    receipts: Iterable[Receipt] = (),
) -> LedgerVerdict:
    """Verify a table's log and say where it fails first.

    ``key`` is the public key to trust; without it the genesis entry's is taken at its word.
    """
    return _Ledger(registry, key).run(lines, receipts)


class _StopError(Exception):
    """Nothing after this entry can be judged."""


class _Ledger:
    def __init__(self, registry: Registry, key: str | None) -> None:
        self._registry = registry
        self._pinned = key
        self._verdict = LedgerVerdict()
        self._state: State | None = None
        self._ts = 0
        self._hashes: list[bytes] = []
        self._commits: dict[int, _Commit] = {}
        self._salts: set[str] = set()
        self._idems: set[str] = set()
        self._seeds: dict[tuple[int, Lane], bytes] = {}
        self._rolls: dict[int, tuple[_Roll, bytes]] = {}
        self._unveiled: dict[int, _Values] = {}

    def run(self, lines: Iterable[Receipt], receipts: Iterable[Receipt]) -> LedgerVerdict:
        verdict = self._verdict
        try:
            for line in lines:
                self._line(line)
                verdict.entries += 1
        except _StopError:
            pass
        else:
            if not self._hashes:
                verdict.failures.append(Failure(0, Fault.EMPTY, {}))
        for receipt in receipts:
            self._receipt(receipt)
        for seq, (roll, pool) in self._rolls.items():
            self._roll(seq, roll, pool)
        verdict.head = self._hashes[-1].hex() if self._hashes else ""
        return verdict

    def _failed(self, fault: Fault, **values: Any) -> None:
        self._verdict.failures.append(Failure(len(self._hashes), fault, values))

    def _stop(self, fault: Fault, **values: Any) -> _StopError:
        self._failed(fault, **values)
        return _StopError()

    def _line(self, line: Receipt) -> None:
        looked = Verdict()
        data = read_entry(looked, line.entry)
        if data is None:
            raise self._stop(Fault.FORM, reason=looked.checks[-1].reason)
        try:
            entry = _ENTRY.validate_json(line.entry)
        except ValidationError as wrong:
            where = wrong.errors(include_url=False, include_context=False, include_input=False)
            pointer = "".join(f"/{step}" for step in where[0]["loc"][1:])
            raise self._stop(Fault.FIELDS, pointer=pointer) from None
        self._place(entry)
        self._signature(entry, line)
        left = self._left(entry)
        if left.st != data["st"]:
            self._failed(Fault.STATE)
        if entry.idem is not None:
            if entry.idem in self._idems:
                self._failed(Fault.IDEM_TWICE)
            self._idems.add(entry.idem)
        if entry.ts < self._ts:
            self._verdict.backwards += 1
        self._ts = entry.ts
        self._state = after(left, line.entry)
        self._hashes.append(self._state.head)

    def _place(self, entry: _Entry) -> None:
        """Check that the entry stands where it says: table, number, the one before it."""
        if self._state is None:
            if not isinstance(entry, _Genesis):
                raise self._stop(Fault.NO_GENESIS)
            self._state = State(bytes.fromhex(entry.table))
            self._verdict.table = entry.table
            self._verdict.key = entry.key
            if weak_key(bytes.fromhex(entry.key)):
                raise self._stop(Fault.WEAK_KEY)
            if self._pinned is not None and entry.key != self._pinned:
                self._failed(Fault.OTHER_KEY, expected=self._pinned, found=entry.key)
        elif isinstance(entry, _Genesis):
            raise self._stop(Fault.GENESIS_AGAIN)
        if entry.table != self._state.table.hex():
            raise self._stop(Fault.OTHER_TABLE, found=entry.table)
        if entry.seq != self._state.seq:
            raise self._stop(Fault.NUMBER, expected=self._state.seq, found=entry.seq)
        if entry.prev != self._state.head.hex():
            raise self._stop(Fault.CHAIN)
        if self._state.closed:
            raise self._stop(Fault.AFTER_CLOSE)

    def _signature(self, entry: _Entry, line: Receipt) -> None:
        table = bytes.fromhex(entry.table)
        if not verify(line.entry, line.sig, self._verdict.key, table, entry.seq):
            raise self._stop(Fault.SIGNATURE)

    def _left(self, entry: _Entry) -> State:
        """Return the state that the entry must leave, and check what its kind demands."""
        state = self._state
        assert state is not None  # noqa: S101 - _place made it
        match entry:
            case _Genesis():
                return self._opened(entry.commit, replace(state, epoch=0), entry.st.salt)
            case _Rotate():
                state = replace(state, epoch=state.epoch + 1)
                return self._opened(entry.commit, state, entry.st.salt)
            case _Seed():
                return contributed(state, entry.who, entry.seed)
            case _Roll():
                return self._rolled(entry, state)
            case _Reveal():
                self._revealed(entry, state)
            case _Unveil():
                self._opened_one(entry)
            case _Close():
                return replace(state, closed=True)
        return state

    def _opened(self, commit: _Commit, state: State, salt: str) -> State:
        if salt in self._salts:
            self._failed(Fault.SALT_AGAIN)
        self._salts.add(salt)
        self._commits[state.epoch] = commit
        return replace(state, salt=bytes.fromhex(salt), pool=NO_POOL, contributions=0)

    def _rolled(self, entry: _Roll, state: State) -> State:
        seq = state.seq
        hand = entry.entropy is Drawn.HAND
        player = entry.role is Role.PLAYER
        if (entry.client is not None) != (player and not hand):
            self._failed(Fault.CLIENT)
        own = entry.client is not None
        if own:
            state = contributed(state, entry.who, entry.client or "")
        fair = Drawn.OWN if own else Drawn.POOL if state.contributions else Drawn.SERVER_ONLY
        if not hand and entry.entropy is not fair:
            self._failed(Fault.ENTROPY, expected=fair.value, found=entry.entropy.value)
        shown = [getattr(entry, name) is not None for name in _OPEN_FIELDS]
        hidden = [entry.veil is not None, entry.sealed is not None]
        secret = entry.lane is Lane.VEIL
        if not (all(hidden) and not any(shown) if secret else all(shown) and not any(hidden)):
            self._failed(Fault.FIELDS, pointer="/lane")
        self._verdict.entropy[entry.entropy.value] += 1
        self._rolls[seq] = (entry, state.pool)
        return state

    def _revealed(self, entry: _Reveal, state: State) -> None:
        if entry.epoch >= state.epoch:
            self._failed(Fault.REVEAL_EARLY, epoch=entry.epoch)
            return
        seed = bytes.fromhex(entry.seed)
        expected = getattr(self._commits[entry.epoch], entry.lane.value)
        if commitment(state.table, entry.epoch, seed).hex() != expected:
            self._failed(Fault.REVEAL_WRONG, epoch=entry.epoch, lane=entry.lane.value)
            return
        self._seeds[entry.epoch, entry.lane] = seed

    def _opened_one(self, entry: _Unveil) -> None:
        roll = self._rolls.get(entry.target, (None, b""))[0]
        if roll is None or roll.veil is None or entry.target in self._unveiled:
            self._failed(Fault.UNVEIL_TARGET, target=entry.target)
            return
        for name in VEILED:
            salt = bytes.fromhex(getattr(entry.salts, name))
            if veil(salt, getattr(entry.values, name)).hex() != getattr(roll.veil, name):
                self._failed(Fault.UNVEIL_WRONG, target=entry.target, field=name)
                return
        self._unveiled[entry.target] = entry.values

    def _receipt(self, receipt: Receipt) -> None:
        try:
            data = orjson.loads(receipt.entry)
            seq, table = data["seq"], data["table"]
        except (ValueError, TypeError, KeyError):
            self._failed(Fault.NOT_A_LINE)
            return
        if table != self._verdict.table or type(seq) is not int or seq < 0:
            self._failed(Fault.OTHER_TABLE, found=str(table)[:32])
        elif seq >= len(self._hashes):
            self._verdict.failures.append(Failure(len(self._hashes), Fault.TRUNCATED, {"seq": seq}))
        elif entry_hash(receipt.entry) != self._hashes[seq]:
            self._verdict.failures.append(Failure(seq, Fault.FORK, {}))

    def _roll(self, seq: int, roll: _Roll, pool: bytes) -> None:
        """Derive the faces again where the seed is known, and run the rule again."""
        if roll.lane is Lane.VEIL:
            values = self._unveiled.get(seq)
            if values is None:
                self._verdict.secret += 1
                return
            shown = {**values.req, "draws": values.draws, "outcome": values.outcome}
        else:
            shown = {name: getattr(roll, name) for name in _OPEN_FIELDS}
        try:
            told = _TOLD.validate_python(shown)
        except ValidationError:
            self._verdict.failures.append(Failure(seq, Fault.FIELDS, {"pointer": "/req"}))
            return
        if roll.entropy is not Drawn.HAND:
            self._faces(seq, roll, pool, told.draws)
        self._rule(seq, told)

    def _faces(self, seq: int, roll: _Roll, pool: bytes, draws: list[list[int]]) -> None:
        seed = self._seeds.get((roll.st.epoch, roll.lane))
        if seed is None:
            self._verdict.waiting += 1
            return
        table = bytes.fromhex(roll.table)
        stream = SeededFaces(seed, place(table, roll.st.epoch, seq, pool))
        for index, (sides, face) in enumerate(draws):
            if not 2 <= sides <= MAX_SIDES or stream.draw("", 1, sides)[0] != face:  # noqa: PLR2004
                self._verdict.failures.append(Failure(seq, Fault.FACES, {"index": index}))
                return
        self._verdict.verified += 1

    def _rule(self, seq: int, told: "_Told") -> None:
        again = Verdict()
        data = told.model_dump()
        resolver = find_rule(again, data, self._registry)
        if resolver is not None:
            run_again(again, resolver, data, HandFaces([face for _, face in told.draws]))
        wrong = next((check for check in again.checks if check.ok is False), None)
        if wrong is None:
            return
        if wrong.reason is Reason.VERSION or wrong.name is Check.RULESET:
            self._verdict.foreign += 1
            return
        values = {"reason": wrong.reason, **wrong.values}
        self._verdict.failures.append(Failure(seq, Fault.RULE, values))


class _Told(_Part):
    ruleset: _Text
    resolver: _Text
    note: _Text | None = None
    req: dict[str, Any]
    draws: list[Annotated[list[_Whole], Field(min_length=2, max_length=2)]]
    outcome: dict[str, Any]


_TOLD: Final = TypeAdapter(_Told)
