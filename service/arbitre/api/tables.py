"""Rolling at a table: tokens, epochs, secret rolls, the log as it grows."""

import asyncio
import hmac
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import random
from typing import Annotated, Any, Final, TypeVar
from weakref import WeakValueDictionary

import orjson
from pydantic import Field

from arbitre.api.calls import Client
from arbitre.api.envelope import Place, Receipt, Replayed, answer, logged_answer
from arbitre.api.problems import REFUSALS, Fault, Problem, refused, store_down
from arbitre.audit import Signed, entry_hash, pairs
from arbitre.audit.replay import Verdict, find_rule, run_again
from arbitre.audit.tables import (
    NO_HASH,
    TABLE_BYTES,
    Drawn,
    Kind,
    Lane,
    Line,
    Role,
    State,
    TableKeys,
    Written,
    contributed,
    genesis,
    new_table,
    resumed,
    rotate,
    veiled,
    write,
)
from arbitre.dice import HandFaces, SeededFaces
from arbitre.dice.seeded import place
from arbitre.registry import Registry
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen
from arbitre.rules.play import Play, play
from arbitre.store import IdempotencyConflictError, StoreDownError
from arbitre.store.interface import TableKept, TableMovedError, TablePut, TableStore

PATIENCE: Final = 5.0
"""Seconds for which an entry is built anew because another worker was faster."""

_STEP_BACK: Final = 0.002
"""Most seconds that who was slower waits before the next try."""

KEPT: Final = 1_000
"""Tables whose end is remembered; any other is read when it is used."""

CLOSINGS: Final = 5
"""How often a table that somebody still rolls at is rotated before it can close."""

PAGE: Final = 200
"""Most entries of one page."""

_POLL: Final = 0.5
"""Seconds after which a follower looks for entries that another worker wrote."""


T = TypeVar("T")


class Deed(StrEnum):
    """What can be done at a table."""

    READ = "read"
    ROLL = "roll"
    SEED = "seed"
    SECRET = "secret"  # noqa: S105 - a deed
    READ_SECRET = "read-secret"  # noqa: S105 - a deed
    ROTATE = "rotate"
    REVEAL = "reveal"
    UNVEIL = "unveil"
    CLOSE = "close"


RIGHTS: Final[dict[Deed, frozenset[Role | None]]] = {
    Deed.READ: frozenset({None, Role.PLAYER, Role.GM}),
    Deed.ROLL: frozenset({Role.PLAYER, Role.GM}),
    Deed.SEED: frozenset({Role.PLAYER}),
    Deed.SECRET: frozenset({Role.GM}),
    Deed.READ_SECRET: frozenset({Role.GM}),
    Deed.ROTATE: frozenset({Role.GM}),
    Deed.REVEAL: frozenset({Role.GM}),
    Deed.UNVEIL: frozenset({Role.GM}),
    Deed.CLOSE: frozenset({Role.GM}),
}
"""Whose token allows what; None is no token. Whoever knows a table's id may read its log."""

Who = Annotated[str, Field(min_length=1, max_length=80), CLEAN]


class TableCall(Frozen):
    """A new table."""

    name: Annotated[str, Field(min_length=1, max_length=120), CLEAN]
    """What the players call it."""


class SeedCall(Frozen):
    """A player's contribution to the faces of the rolls to come."""

    who: Who
    """Who contributes."""
    seed: Client
    """Fresh words of the player's own program."""


class NothingCall(Frozen):
    """No more to say."""


class RevealCall(Frozen):
    """Which seed of a closed epoch to reveal."""

    epoch: Annotated[int, Field(ge=0, le=1_000_000), WHOLE]
    """The epoch: an earlier one than the table's."""
    lane: Lane = Lane.OPEN
    """The seed of open rolls, or that of secret ones."""


class UnveilCall(Frozen):
    """Which secret roll to open."""

    target: Annotated[int, Field(ge=1, le=2**31 - 1), WHOLE]
    """The number of its entry."""


class CloseCall(Frozen):
    """The end of a table: its last epoch is closed and its seeds revealed."""

    reason: Annotated[str, Field(max_length=200), CLEAN] = ""
    """Why, in the caller's words."""
    reveal_secret: bool = False
    """Whether the seeds of secret rolls are revealed too, which shows their dice."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at a table: which, and with what right."""

    table: bytes
    role: Role | None


class TableDesk:
    """Tables: the keys that seed, sign and seal, and the store that keeps their logs."""

    def __init__(self, registry: Registry, keys: TableKeys, store: TableStore) -> None:
        self.keys = keys
        self._registry = registry
        self._store = store
        self._states: OrderedDict[bytes, State] = OrderedDict()
        self._locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        self._grown: dict[bytes, asyncio.Event] = {}

    def seat(self, table: str, token: str) -> Seat:
        """Return who shows ``token`` at ``table``; a wrong token is a 401, whatever exists."""
        try:
            id_ = bytes.fromhex(table)
        except ValueError:
            id_ = b""
        if len(id_) != TABLE_BYTES or table != id_.hex():
            raise Problem(404, "no-table")
        if not token:
            return Seat(id_, None)
        shown = token.encode()
        found = [
            role for role in Role if hmac.compare_digest(self.keys.token(id_, role).encode(), shown)
        ]
        if not found:
            raise _no_token()
        return Seat(id_, found[0])

    def allow(self, seat: Seat, deed: Deed) -> None:
        """Refuse a deed without the right to it."""
        if seat.role in RIGHTS[deed]:
            return
        if seat.role is None:
            raise _no_token()
        raise Problem(403, "not-yours")

    async def create(self, call: TableCall) -> dict[str, Any]:
        """Open a table: its id, both tokens, the commitments that precede every roll."""
        table = new_table()
        written = genesis(self.keys, table, _now(), "", {"name": call.name})
        await self._put(written, NO_HASH, _Idem())
        self._remember(written.state)
        return {
            **self._card(orjson.loads(written.line.entry), written.state),
            "gm_token": self.keys.token(table, Role.GM),
            "player_token": self.keys.token(table, Role.PLAYER),
            "log": self._receipt(written.line),
        }

    async def card(self, seat: Seat) -> dict[str, Any]:
        """Describe a table: its key, its epoch's commitments, where its log stands."""
        self.allow(seat, Deed.READ)
        first = await self._lines(seat.table, 0, 1)
        if not first:
            raise Problem(404, "no-table")
        state = await self._fresh(seat.table)
        return self._card(orjson.loads(first[0].entry), state)

    async def page(self, seat: Seat, start: int, limit: int) -> dict[str, Any]:
        """Return entries from number ``start``; the GM's token opens secret ones."""
        lines = await self.lines(seat, start, limit)
        found = [self.shown(seat, line) for line in lines]
        more = lines[-1].seq + 1 if len(lines) == limit else None
        return {"entries": found, "next": more}

    async def lines(self, seat: Seat, start: int, limit: int) -> list[Line]:
        """Return the exact entries of a log from number ``start`` on."""
        self.allow(seat, Deed.READ)
        lines = await self._lines(seat.table, start, limit)
        if not lines and start == 0:
            raise Problem(404, "no-table")
        return lines

    async def follow(self, seat: Seat, start: int) -> AsyncIterator[Line | None]:
        """Give every entry from ``start`` on, once and in order; None when there is no news."""
        await self.card(seat)
        while True:
            grown = self._grown.setdefault(seat.table, asyncio.Event())
            try:
                lines = await self._lines(seat.table, start, PAGE)
            except Problem:  # the store is down: whoever follows waits for it
                lines = []
            for line in lines:
                yield line
                start = line.seq + 1
                if orjson.loads(line.entry)["type"] == Kind.CLOSE:
                    return
            if len(lines) == PAGE:
                continue
            state = self._states.get(seat.table)
            if not lines and state is not None and state.closed:
                return  # asked for what follows the end
            try:
                async with asyncio.timeout(_POLL):
                    await grown.wait()
            except TimeoutError:
                yield None

    async def roll(
        self,
        seat: Seat,
        rule: Any,
        call: Any,
        language: str,
        key: str | None,
        match: str | None,
    ) -> dict[str, Any]:
        """Roll at a table; ``match`` is the hash that the log must end with."""
        self.allow(seat, Deed.SECRET if call.secret else Deed.ROLL)
        player = seat.role is Role.PLAYER
        hand = call.dice is not None
        if call.seed is not None:
            raise _unfit("/seed", "seed-at-table")
        if (call.client is not None) != (player and not hand):
            raise _unfit("/client", "client-needed" if call.client is None else "client-unfit")
        system, resolver = rule.system, rule.resolver
        lane = Lane.VEIL if call.secret else Lane.OPEN
        who = call.actor or str(seat.role)
        request = call.request.model_dump(mode="json")
        outcome: dict[str, Any] = {}
        entropy = Drawn.HAND
        played: Play[Any] | None = None

        def build(state: State) -> Written:
            nonlocal entropy, outcome, played
            if call.client is not None:
                state = contributed(state, who, call.client)
            seed = self.keys.seed(state.table, state.epoch, state.salt, lane)
            where = place(state.table, state.epoch, state.seq, state.pool)
            try:
                played = play(
                    resolver,
                    call.request,
                    HandFaces(call.dice) if hand else SeededFaces(seed, where),
                )
            except REFUSALS as error:
                raise refused(error, system) from None
            entropy = _entropy(state, call.client, hand=hand)
            body: dict[str, Any] = {
                "who": who,
                "role": str(seat.role),
                "lane": lane.value,
                "client": call.client,
                "entropy": entropy.value,
                **idem.fields,
            }
            told = {"ruleset": system.ruleset, "resolver": resolver.id, "req": request}
            if call.note is not None:
                told["note"] = call.note
            draws = pairs(played.draws)
            outcome = played.outcome.model_dump(mode="json")
            if call.secret:
                hidden = {"req": told, "draws": draws, "outcome": outcome}
                cover = veiled(self.keys, state, hidden)
                body |= {"veil": cover.veil, "sealed": cover.sealed}
            else:
                body |= {**told, "draws": draws, "outcome": outcome}
            return write(self.keys, state, Kind.ROLL, _now(), body)

        idem = self._idem(seat, key, [system.id, resolver.id, call], who)
        kept = await self._append(seat.table, build, idem, match)
        if kept.replayed or played is None:
            return Replayed(self.answer(seat, kept.line, language))
        receipt = self._roll_receipt(kept.line, entropy.value, seat.table)
        words = {"actor": who, "note": call.note}
        found = answer(system, resolver, played, request, outcome, receipt, words, language)
        found["secret"] = call.secret
        return found

    async def seed(self, seat: Seat, call: SeedCall, key: str | None) -> dict[str, Any]:
        """Mix a player's words into the pool."""
        self.allow(seat, Deed.SEED)
        idem = self._idem(seat, key, ["seed", call], call.who)

        def build(state: State) -> Written:
            left = contributed(state, call.who, call.seed)
            body = {"who": call.who, "seed": call.seed, **idem.fields}
            return write(self.keys, left, Kind.SEED, _now(), body)

        return self._kept(await self._append(seat.table, build, idem))

    async def rotate(self, seat: Seat, key: str | None) -> dict[str, Any]:
        """Close the epoch and commit to the next one."""
        self.allow(seat, Deed.ROTATE)
        idem = self._idem(seat, key, ["rotate"])
        return self._kept(await self._append(seat.table, self._rotating(idem), idem))

    async def reveal(self, seat: Seat, call: RevealCall, key: str | None) -> dict[str, Any]:
        """Reveal a seed of a closed epoch, once its closing cannot be undone by a crash."""
        self.allow(seat, Deed.REVEAL)
        idem = self._idem(seat, key, ["reveal", call])
        known = await self._earlier(seat.table, idem)
        if known is None:
            state = await self._fresh(seat.table)
            await self._may_reveal(state, call.epoch, call.lane)
            await asyncio.sleep(self._store.settle)
            known = await self._reveal(seat.table, call.epoch, call.lane, idem)
        return self._kept(known)

    async def unveil(self, seat: Seat, call: UnveilCall, key: str | None) -> dict[str, Any]:
        """Open one secret roll to everybody."""
        self.allow(seat, Deed.UNVEIL)
        idem = self._idem(seat, key, ["unveil", call])
        lines = await self._lines(seat.table, call.target, 1)
        data = orjson.loads(lines[0].entry) if lines else {}
        if "sealed" not in data:
            raise _unfit("/target", "not-secret")
        hidden = self.keys.unseal(seat.table, call.target, data["sealed"])

        async def guard(state: State) -> None:
            if call.target in (await self._history(state.table)).unveiled:
                raise _unfit("/target", "unveiled")

        def build(state: State) -> Written:
            body = {"target": call.target, **hidden, **idem.fields}
            return write(self.keys, state, Kind.UNVEIL, _now(), body)

        return self._kept(await self._append(seat.table, build, idem, guard=guard))

    async def close(self, seat: Seat, call: CloseCall, key: str | None) -> dict[str, Any]:
        """End a table: rotate, reveal every seed that is left, write the last line."""
        self.allow(seat, Deed.CLOSE)
        idem = self._idem(seat, key, ["close", call])
        lanes = tuple(Lane) if call.reveal_secret else (Lane.OPEN,)

        async def guard(state: State) -> None:
            if state.epoch in (await self._history(state.table)).rolled:
                raise _RolledMeanwhileError

        def build(state: State) -> Written:
            body = {"reason": call.reason, **idem.fields}
            return write(self.keys, state, Kind.CLOSE, _now(), body)

        for _ in range(CLOSINGS):
            known = await self._earlier(seat.table, idem)
            if known is None:
                await self._wind_up(seat.table, lanes)
            try:
                return self._kept(known or await self._append(seat.table, build, idem, guard=guard))
            except _RolledMeanwhileError:
                continue
        raise _busy()

    async def _wind_up(self, table: bytes, lanes: tuple[Lane, ...]) -> None:
        """Rotate, and reveal the seeds of every closed epoch that are still secret."""
        idem = _Idem()
        await self._append(table, self._rotating(idem), idem)
        await asyncio.sleep(self._store.settle)
        history = await self._history(table)
        state = await self._fresh(table)
        for epoch in range(state.epoch):
            for lane in lanes:
                if (epoch, lane) not in history.revealed:
                    await self._reveal(table, epoch, lane, _Idem(), again=True)

    async def _reveal(
        self, table: bytes, epoch: int, lane: Lane, idem: "_Idem", *, again: bool = False
    ) -> TableKept:
        """Write a seed into the log; ``again`` where another worker may do so too."""

        async def guard(state: State) -> None:
            await self._may_reveal(state, epoch, lane)

        salt = (await self._history(table)).salts[epoch]

        def build(state: State) -> Written:
            seed = self.keys.seed(state.table, epoch, salt, lane).hex()
            body = {"epoch": epoch, "lane": lane.value, "seed": seed, **idem.fields}
            return write(self.keys, state, Kind.REVEAL, _now(), body)

        return await self._append(table, build, idem, guard=None if again else guard)

    async def _may_reveal(self, state: State, epoch: int, lane: Lane) -> None:
        if epoch >= state.epoch:
            raise _unfit("/epoch", "epoch-running")
        if (epoch, lane) in (await self._history(state.table)).revealed:
            raise _unfit("/epoch", "revealed")

    async def logged(self, id_: str, token: str, language: str) -> dict[str, Any]:
        """Return the answer of a roll at a table by its id, ``<table>.<number>``."""
        table, _, number = id_.partition(".")
        seat = self.seat(table, token)
        lines = await self._lines(seat.table, entry_number(number) or 0, 1)
        if not lines or orjson.loads(lines[0].entry)["type"] != Kind.ROLL:
            raise Problem(404, "no-roll")
        return self.answer(seat, lines[0], language)

    def answer(self, seat: Seat, line: Line, language: str) -> dict[str, Any]:
        """Build the answer of a roll's entry; a secret one opens for the GM alone.

        Must agree with what ``roll`` answered.
        """
        data = orjson.loads(line.entry)
        secret = data["lane"] == Lane.VEIL
        if secret:
            if seat.role is None:
                raise _no_token()
            if seat.role not in RIGHTS[Deed.READ_SECRET]:
                raise Problem(403, "sealed")
            hidden = self.keys.unseal(seat.table, line.seq, data["sealed"])["values"]
            told = {**hidden["req"], "draws": hidden["draws"], "outcome": hidden["outcome"]}
        else:
            told = data
        again = Verdict()
        resolver = find_rule(again, told, self._registry)
        if resolver is not None:
            faces = HandFaces([face for _, face in told["draws"]])
            run_again(again, resolver, told, faces)
        receipt = self._roll_receipt(line, data["entropy"], seat.table)
        words = {"actor": data["who"], "note": told.get("note")}
        entry = {**told, "entropy": data["entropy"]}
        found = logged_answer(again, entry, receipt, words, language)
        found["secret"] = secret
        return found

    def _roll_receipt(self, line: Line, entropy: str, table: bytes) -> Receipt:
        place_ = Place(table.hex(), line.seq)
        signed = Signed(f"{place_.table}.{line.seq}", line.entry, line.sig)
        return Receipt(signed, self.keys.signer.public_key, entropy, None, place_)

    def _card(self, first: dict[str, Any], state: State) -> dict[str, Any]:
        return {
            "id": state.table.hex(),
            "name": first["settings"]["name"],
            "key": first["key"],
            "epoch": state.epoch,
            "commitments": self.keys.commitments(state),
            "contributions": state.contributions,
            "length": state.seq,
            "head": state.head.hex(),
            "closed": state.closed,
        }

    def _receipt(self, line: Line) -> dict[str, Any]:
        data = orjson.loads(line.entry)
        return {
            "table": data["table"],
            "seq": line.seq,
            "type": data["type"],
            "entry": line.entry.decode(),
            "sig": line.sig,
            "hash": entry_hash(line.entry).hex(),
            "key": self.keys.signer.public_key,
        }

    def _kept(self, kept: TableKept) -> dict[str, Any]:
        found = self._receipt(kept.line)
        return Replayed(found) if kept.replayed else found

    def shown(self, seat: Seat, line: Line) -> dict[str, Any]:
        """Show one entry, as far as ``seat`` may see it."""
        found = self._receipt(line)
        found["opened"] = None
        if seat.role in RIGHTS[Deed.READ_SECRET]:
            data = orjson.loads(line.entry)
            if "sealed" in data:
                found["opened"] = self.keys.unseal(seat.table, line.seq, data["sealed"])["values"]
        return found

    def _rotating(self, idem: "_Idem") -> Callable[[State], Written]:
        return lambda state: rotate(self.keys, state, _now(), idem.fields)

    def _idem(self, seat: Seat, key: str | None, body: list[Any], who: str = "") -> "_Idem":
        """Return what a request is known by; the scope is the table, the right shown, and who.

        The key is part of the fingerprint, or two secret rolls would show that they are alike.
        """
        if key is None:
            return _Idem()
        scope = f"{seat.table.hex()} {seat.role} {who}"
        signer = self.keys.signer
        told = [one.model_dump(mode="json") if isinstance(one, Frozen) else one for one in body]
        return _Idem(signer.idem(scope, key), signer.fingerprint("table", scope, [key, told]))

    async def _append(
        self,
        table: bytes,
        build: Callable[[State], Written],
        idem: "_Idem",
        match: str | None = None,
        guard: Callable[[State], Awaitable[None]] | None = None,
    ) -> TableKept:
        """Write the next entry; whoever else writes first, this one is built anew.

        ``guard`` refuses by raising: what it read of the log still holds when the entry is kept.
        """
        async with self._locks.setdefault(table, asyncio.Lock()):
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until:
                state = await self._load(table)
                if _stops(state, match):  # or has another worker been there since?
                    state = await self._fresh(table)
                if guard is not None or _stops(state, match):
                    known = await self._earlier(table, idem)
                    if known is not None:
                        return known
                    if state.closed:
                        raise Problem(409, "table-closed")
                    if _stops(state, match):
                        raise Problem(412, "head-moved", headers={"ETag": f'"{state.head.hex()}"'})
                if guard is not None:
                    await guard(state)
                written = build(state)
                try:
                    kept = await self._put(written, state.head, idem)
                except TableMovedError:
                    self._states.pop(table, None)
                    await asyncio.sleep(random() * _STEP_BACK)  # noqa: S311 - no secret
                    continue
                if not kept.replayed:
                    self._remember(written.state)
                return kept
        raise _busy()

    async def _earlier(self, table: bytes, idem: "_Idem") -> TableKept | None:
        """Return what an earlier request with the same key wrote."""
        known = await self._guarded(self._store.by_key(table, idem.key))
        if known is None:
            return None
        if known.fp != idem.fp:
            raise Problem(422, "key-reused")
        return TableKept(known.line, replayed=True)

    async def _put(self, written: Written, prev: bytes, idem: "_Idem") -> TableKept:
        line, state = written
        item = TablePut(
            table=state.table,
            seq=line.seq,
            prev=prev,
            head=state.head,
            entry=line.entry,
            sig=line.sig,
            idem=idem.key,
            fp=idem.fp,
        )
        try:
            return await self._guarded(self._store.append(item))
        except IdempotencyConflictError:
            raise Problem(422, "key-reused") from None

    async def _guarded(self, asked: Awaitable[T]) -> T:
        try:
            return await asked
        except StoreDownError:
            raise store_down() from None

    async def _lines(self, table: bytes, start: int, limit: int) -> list[Line]:
        return await self._guarded(self._store.lines(table, start, limit))

    async def _load(self, table: bytes) -> State:
        state = self._states.get(table)
        if state is None:
            return await self._fresh(table)
        return state

    async def _fresh(self, table: bytes) -> State:
        """Return where a log stands in the store, whatever this process remembers."""
        line = await self._guarded(self._store.last(table))
        if line is None:
            raise Problem(404, "no-table")
        state = self._states.get(table)
        if state is not None and state.head == entry_hash(line.entry):
            return state
        fresh = resumed(table, line)
        if state is None or fresh.seq > state.seq:
            self._remember(fresh)
        return fresh

    def _remember(self, state: State) -> None:
        self._states[state.table] = state
        self._states.move_to_end(state.table)
        if len(self._states) > KEPT:
            self._states.popitem(last=False)
        grown = self._grown.pop(state.table, None)
        if grown is not None:
            grown.set()

    async def _history(self, table: bytes) -> "_History":
        """Read the whole log for what was opened, and when."""
        found = _History()
        start = 0
        while lines := await self._lines(table, start, PAGE):
            for line in lines:
                data = orjson.loads(line.entry)
                epoch = data["st"]["epoch"]
                found.salts.setdefault(epoch, bytes.fromhex(data["st"]["salt"]))
                if data["type"] == Kind.REVEAL:
                    found.revealed.add((data["epoch"], Lane(data["lane"])))
                elif data["type"] == Kind.UNVEIL:
                    found.unveiled.add(data["target"])
                elif data["type"] == Kind.ROLL:
                    found.rolled.add(epoch)
            start = lines[-1].seq + 1
        return found


@dataclass(slots=True)
class _History:
    """What a log tells of its seeds: salts by epoch, what is open, which epochs were rolled in."""

    salts: dict[int, bytes] = field(default_factory=dict)
    revealed: set[tuple[int, Lane]] = field(default_factory=set)
    unveiled: set[int] = field(default_factory=set)
    rolled: set[int] = field(default_factory=set)


class _RolledMeanwhileError(Exception):
    """Somebody rolled in the epoch that should have been the last."""


class _Idem:
    """What a request is known by; one of its own where the caller gave no key."""

    __slots__ = ("fp", "key")

    def __init__(self, key: bytes | None = None, fp: bytes | None = None) -> None:
        self.key = key or os.urandom(32)
        self.fp = fp or bytes(32)

    @property
    def fields(self) -> dict[str, str]:
        """What the entry says of it, so that the index can be made anew."""
        return {"idem": self.key.hex(), "fp": self.fp.hex()}


def _entropy(state: State, client: str | None, *, hand: bool) -> Drawn:
    if hand:
        return Drawn.HAND
    if client is not None:
        return Drawn.OWN
    return Drawn.POOL if state.contributions else Drawn.SERVER_ONLY


def entry_number(text: str) -> int | None:
    """Return the number of an entry as addresses and headers write it; None if it is none."""
    fits = text.isascii() and text.isdigit() and len(text) < 10  # noqa: PLR2004 - in 32 bits
    return int(text) if fits else None


def _stops(state: State, match: str | None) -> bool:
    """Say whether nothing may follow, or not here."""
    return state.closed or (match is not None and match != state.head.hex())


def _no_token() -> Problem:
    return Problem(401, "token", headers={"WWW-Authenticate": "Bearer"})


def _busy() -> Problem:
    return Problem(503, "table-busy", headers={"Retry-After": "1"})


def _unfit(pointer: str, code: str) -> Problem:
    return Problem(409, code, faults=(Fault(pointer, code),))


def _now() -> int:
    return time.time_ns() // 1_000_000
