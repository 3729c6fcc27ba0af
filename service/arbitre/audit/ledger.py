"""Verify the whole log of a table, offline: chain, signatures, commitments, faces, rules.

A log is verified from its first line to its last. What was committed and not yet revealed is
counted, never believed. A log that was rewritten as a whole, by the holder of the key, passes:
only the *receipts* that players kept show it, so give them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

import orjson

from arbitre.audit.canonical import LARGEST
from arbitre.audit.forms import (
    Commit,
    Entry,
    FormError,
    Genesis,
    OpenRoll,
    Reveal,
    Rotate,
    SecretRoll,
    Seed,
    Unveil,
    formed,
)
from arbitre.audit.replay import Reason, Verdict, find_rule, read_entry, run_again
from arbitre.audit.signing import entry_hash, verify, weak_key
from arbitre.audit.tables import (
    NO_POOL,
    VEILED,
    Drawn,
    Role,
    State,
    after,
    commitment,
    contributed,
    veil,
)
from arbitre.dice import HandFaces, SeededFaces
from arbitre.dice.seeded import place
from arbitre.registry import Registry


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
    EMPTY = "empty"
    TRUNCATED = "truncated"
    FORK = "fork"
    RECEIPT = "receipt"
    RECEIPT_TABLE = "receipt-table"
    RECEIPT_UNSIGNED = "receipt-unsigned"


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
    """An entry and its signature: a line of a log, or what somebody kept of an answer."""

    entry: bytes
    sig: str


def read_lines(text: bytes) -> Iterator[Receipt | None]:
    """Read lines ``{"entry": "<the entry>", "sig": "<hexadecimal>"}``; None for any other.

    Answers of the service, which hold such an object as ``log``, are read as well.
    """
    for line in text.splitlines():
        if line.strip():
            yield _read_line(line)


def _read_line(line: bytes) -> Receipt | None:
    try:
        row = orjson.loads(line)
        row = row.get("log", row)
        entry, sig = row["entry"], row["sig"]
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
        return None
    if isinstance(entry, str) and isinstance(sig, str):
        return Receipt(entry.encode(), sig)
    return None


def is_table_log(text: bytes) -> bool:
    """Say whether lines are those of a table, not of rolls outside tables; nothing is too."""
    return not text.strip() or any(_place_of(line) is not None for line in read_lines(text))


def verify_ledger(
    lines: Iterable[Receipt | None],
    registry: Registry,
    *,
    key: str | None = None,
    receipts: Iterable[Receipt | None] = (),
) -> LedgerVerdict:
    """Verify a table's log and say where it fails first; None is what is no line.

    ``key`` is the public key to trust; without it the genesis entry's is taken at its word.
    """
    return _Ledger(registry, key).run(lines, receipts)


class _StopError(Exception):
    """Nothing after this entry can be judged."""


class _Rolled(NamedTuple):
    """A roll, and what its faces derive from beside the seed."""

    entry: OpenRoll | SecretRoll
    epoch: int
    pool: bytes


class _Ledger:
    def __init__(self, registry: Registry, key: str | None) -> None:
        self._registry = registry
        self._pinned = key
        self._verdict = LedgerVerdict()
        self._state: State | None = None
        self._ts = 0
        self._hashes: list[bytes] = []
        self._commits: dict[int, Commit] = {}
        self._salts: set[str] = set()
        self._idems: set[str] = set()
        self._seeds: dict[tuple[int, str], bytes] = {}
        self._rolls: dict[int, _Rolled] = {}
        self._unveiled: dict[int, dict[str, Any]] = {}

    def run(
        self, lines: Iterable[Receipt | None], receipts: Iterable[Receipt | None]
    ) -> LedgerVerdict:
        verdict = self._verdict
        try:
            for line in lines:
                self._line(line)
            if not self._hashes:
                self._failed(Fault.EMPTY)
        except _StopError:
            pass
        verdict.entries = len(self._hashes)
        for receipt in receipts:
            self._receipt(receipt)
        for seq, rolled in self._rolls.items():
            self._roll(seq, rolled)
        verdict.head = self._hashes[-1].hex() if self._hashes else ""
        return verdict

    def _failed(self, fault: Fault, /, **values: Any) -> None:
        self._failed_at(len(self._hashes), fault, **values)

    def _failed_at(self, at: int, fault: Fault, /, **values: Any) -> None:
        self._verdict.failures.append(Failure(at, fault, values))

    def _stop(self, fault: Fault, /, **values: Any) -> _StopError:
        self._failed(fault, **values)
        return _StopError()

    def _line(self, line: Receipt | None) -> None:
        if line is None:
            raise self._stop(Fault.NOT_A_LINE)
        looked = Verdict()
        data = read_entry(looked, line.entry)
        if data is None:
            raise self._stop(Fault.FORM, reason=looked.checks[-1].reason)
        try:
            entry = formed(line.entry)
        except FormError as wrong:
            if wrong.pointer is None:
                raise self._stop(Fault.FORM, reason=Reason.TOO_DEEP) from None
            raise self._stop(Fault.FIELDS, pointer=wrong.pointer) from None
        state = self._place(entry)
        self._signature(entry, line)
        left = self._left(entry, data, state)
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

    def _place(self, entry: Entry) -> State:
        """Check that the entry stands where it says: table, number, the one before it."""
        state = self._state
        if state is None:
            if not isinstance(entry, Genesis):
                raise self._stop(Fault.NO_GENESIS)
            state = State(bytes.fromhex(entry.table))
            self._verdict.table = entry.table
            self._verdict.key = entry.key
            if weak_key(bytes.fromhex(entry.key)):
                raise self._stop(Fault.WEAK_KEY)
            if self._pinned is not None and entry.key != self._pinned:
                self._failed(Fault.OTHER_KEY, expected=self._pinned, found=entry.key)
        elif isinstance(entry, Genesis):
            raise self._stop(Fault.GENESIS_AGAIN)
        if entry.table != state.table.hex():
            raise self._stop(Fault.OTHER_TABLE, found=entry.table)
        if entry.seq != state.seq:
            raise self._stop(Fault.NUMBER, expected=state.seq, found=entry.seq)
        if entry.prev != state.head.hex():
            raise self._stop(Fault.CHAIN)
        if state.closed:
            raise self._stop(Fault.AFTER_CLOSE)
        return state

    def _signature(self, entry: Entry, line: Receipt) -> None:
        table = bytes.fromhex(entry.table)
        if not verify(line.entry, line.sig, self._verdict.key, table, entry.seq):
            raise self._stop(Fault.SIGNATURE)

    def _left(  # noqa: PLR0911 - one for each type of entry
        self, entry: Entry, data: dict[str, Any], state: State
    ) -> State:
        """Return the state that the entry must leave, and check what its kind demands."""
        match entry:
            case Genesis():
                return self._opened(entry.commit, state, entry.st.salt)
            case Rotate():
                state = replace(state, epoch=state.epoch + 1)
                return self._opened(entry.commit, state, entry.st.salt)
            case Seed():
                return contributed(state, entry.who, entry.seed)
            case OpenRoll() | SecretRoll():
                return self._rolled(entry, state)
            case Reveal():
                self._revealed(entry, state)
                return state
            case Unveil():
                self._opened_one(entry, data["values"])
                return state
            case _:
                return replace(state, closed=True)

    def _opened(self, commit: Commit, state: State, salt: str) -> State:
        if salt in self._salts:
            self._failed(Fault.SALT_AGAIN)
        self._salts.add(salt)
        self._commits[state.epoch] = commit
        return replace(state, salt=bytes.fromhex(salt), pool=NO_POOL, contributions=0)

    def _rolled(self, entry: OpenRoll | SecretRoll, state: State) -> State:
        hand = entry.entropy is Drawn.HAND
        if (entry.client is not None) != (entry.role == Role.PLAYER and not hand):
            self._failed(Fault.CLIENT)
        if entry.client is not None:
            state = contributed(state, entry.who, entry.client)
            fair = Drawn.OWN
        else:
            fair = Drawn.POOL if state.contributions else Drawn.SERVER_ONLY
        if not hand and entry.entropy is not fair:
            self._failed(Fault.ENTROPY, expected=fair.value, found=entry.entropy.value)
        self._verdict.entropy[entry.entropy.value] += 1
        self._rolls[state.seq] = _Rolled(entry, state.epoch, state.pool)
        return state

    def _revealed(self, entry: Reveal, state: State) -> None:
        if entry.epoch >= state.epoch:
            self._failed(Fault.REVEAL_EARLY, epoch=entry.epoch)
            return
        seed = bytes.fromhex(entry.seed)
        expected = getattr(self._commits[entry.epoch], entry.lane.value)
        if commitment(state.table, entry.epoch, seed).hex() != expected:
            self._failed(Fault.REVEAL_WRONG, epoch=entry.epoch, lane=entry.lane.value)
            return
        self._seeds[entry.epoch, entry.lane.value] = seed

    def _opened_one(self, entry: Unveil, values: dict[str, Any]) -> None:
        rolled = self._rolls.get(entry.target)
        secret = rolled.entry if rolled is not None else None
        if not isinstance(secret, SecretRoll) or entry.target in self._unveiled:
            self._failed(Fault.UNVEIL_TARGET, target=entry.target)
            return
        for name in VEILED:
            salt = bytes.fromhex(getattr(entry.salts, name))
            if veil(salt, values[name]).hex() != getattr(secret.veil, name):
                self._failed(Fault.UNVEIL_WRONG, target=entry.target, field=name)
                return
        told = {"draws": values["draws"], "outcome": values["outcome"]}
        self._unveiled[entry.target] = {**values["req"], **told}

    def _receipt(self, receipt: Receipt | None) -> None:
        """Hold what somebody kept against the log; only a signed entry proves anything."""
        place = _place_of(receipt)
        if receipt is None or place is None:
            self._failed(Fault.RECEIPT)
            return
        seq, table = place
        length = len(self._hashes)
        if table != self._verdict.table:
            self._failed(Fault.RECEIPT_TABLE)
        elif seq >= length or entry_hash(receipt.entry) != self._hashes[seq]:
            key = self._pinned or self._verdict.key
            at = min(seq, length)
            if not verify(receipt.entry, receipt.sig, key, bytes.fromhex(table), seq):
                self._failed_at(at, Fault.RECEIPT_UNSIGNED, seq=seq)
            elif seq < length:
                self._failed_at(at, Fault.FORK)
            else:
                self._failed_at(at, Fault.TRUNCATED, seq=seq)

    def _roll(self, seq: int, rolled: _Rolled) -> None:
        """Derive the faces again where the seed is known, and run the rule again."""
        entry = rolled.entry
        if isinstance(entry, OpenRoll):
            told = {name: getattr(entry, name) for name in _TOLD}
        elif seq in self._unveiled:
            told = self._unveiled[seq]
        else:
            self._verdict.secret += 1
            return
        if entry.entropy is not Drawn.HAND:
            self._faces(seq, rolled, told["draws"])
        self._rule(seq, told)

    def _faces(self, seq: int, rolled: _Rolled, draws: list[list[int]]) -> None:
        seed = self._seeds.get((rolled.epoch, rolled.entry.lane))
        if seed is None:
            self._verdict.waiting += 1
            return
        table = bytes.fromhex(rolled.entry.table)
        stream = SeededFaces(seed, place(table, rolled.epoch, seq, rolled.pool))
        for number, (sides, face) in enumerate(draws, 1):
            if stream.draw("", 1, sides) != (face,):
                self._failed_at(seq, Fault.FACES, number=number)
                return
        self._verdict.verified += 1

    def _rule(self, seq: int, told: dict[str, Any]) -> None:
        again = Verdict()
        resolver = find_rule(again, told, self._registry)
        if resolver is not None:
            run_again(again, resolver, told, HandFaces([face for _, face in told["draws"]]))
        for check in again.checks:
            if check.ok is False:
                if check.reason in _FOREIGN:
                    self._verdict.foreign += 1
                else:
                    values = {**check.values, "reason": check.reason}
                    self._failed_at(seq, Fault.RULE, **values)
                return


_TOLD: Final = ("ruleset", "resolver", "req", "draws", "outcome")
_FOREIGN: Final = (Reason.VERSION, Reason.SYSTEM_UNKNOWN)


def _place_of(receipt: Receipt | None) -> tuple[int, str] | None:
    """Return where an entry says that it stands: its number and its table."""
    if receipt is None:
        return None
    try:
        data = orjson.loads(receipt.entry)
        seq, table = data["seq"], data["table"]
    except (orjson.JSONDecodeError, TypeError, KeyError):
        return None
    fits = type(seq) is int and 0 <= seq <= LARGEST and type(table) is str
    return (seq, table) if fits else None
