"""Logs of tables of a known key, table, time and chance, honest and forged."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

import tiny_duel
from arbitre.audit import canonical, pairs, tables
from arbitre.audit.ledger import Receipt
from arbitre.audit.tables import (
    Drawn,
    Kind,
    Lane,
    Line,
    Role,
    State,
    TableKeys,
    Written,
    after,
    contributed,
    genesis,
    rotate,
    veiled,
    write,
)
from arbitre.dice import HandFaces, SeededFaces
from arbitre.dice.seeded import place
from arbitre.rules.play import play
from entries import DUEL, TS

MASTER = bytes(range(32))
KEYS = TableKeys(MASTER)
KEY = KEYS.signer.public_key
TABLE = bytes(range(16))
ANA = "ana-0123456789abcdef"
BEN = "ben-0123456789abcdef"


def chance(size: int, calls: list[int]) -> bytes:
    """Return bytes that are the same in every run, and never twice the same in one."""
    calls.append(size)
    seed = len(calls).to_bytes(4, "big")
    return b"".join(
        hashlib.sha256(seed + block.to_bytes(4, "big")).digest() for block in range(size // 32 + 1)
    )[:size]


@contextmanager
def fixed_chance(sealed: int = tables.SEALED) -> Iterator[None]:
    """Make the salts and nonces of logs the same in every run; ``sealed`` is their padding."""
    calls: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "os", SimpleNamespace(urandom=lambda size: chance(size, calls)))
        patch.setattr(tables, "SEALED", sealed)
        yield


@dataclass
class Log:
    """A table's log as it is written; what ``keys`` signs need not be honest."""

    keys: TableKeys = KEYS
    table: bytes = TABLE
    lines: list[Line] = field(default_factory=list)
    salts: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states = [State(self.table)]

    @property
    def state(self) -> State:
        """Where the log stands."""
        return self.states[-1]

    def add(self, written: Written) -> None:
        """Keep an entry."""
        self.lines.append(written.line)
        self.states.append(written.state)

    def cut(self, length: int) -> None:
        """Forget what follows the first entries."""
        del self.lines[length:], self.states[length + 1 :]

    def write(self, kind: Kind, left: State | None = None, **body: Any) -> None:
        """Write any entry that leaves the state ``left``; a pair of hashes names it."""
        seq = self.state.seq.to_bytes(4, "big")
        named = {"idem": hashlib.sha256(b"idem" + seq).hexdigest(), "fp": "00" * 32}
        self.add(write(self.keys, left or self.state, kind, self.now, {**named, **body}))

    @property
    def now(self) -> int:
        """One second for each entry."""
        return TS + 1000 * self.state.seq

    def genesis(self, name: str = "La table des épées") -> None:
        self.add(genesis(self.keys, self.table, self.now, "https://table.example", {"name": name}))
        self.salts.append(self.state.salt)

    def rotate(self, **body: Any) -> None:
        self.add(rotate(self.keys, self.state, self.now, body))
        self.salts.append(self.state.salt)

    def seed(self, who: str, words: str, **more: Any) -> None:
        left = contributed(self.state, who, words)
        self.write(Kind.SEED, left, who=who, seed=words, **more)

    def secret_seed(self, epoch: int, lane: Lane) -> bytes:
        return self.keys.seed(self.table, epoch, self.salts[epoch], lane)

    def reveal(self, epoch: int, lane: Lane = Lane.OPEN, **more: Any) -> None:
        seed = self.secret_seed(epoch, lane).hex()
        self.write(Kind.REVEAL, **{"epoch": epoch, "lane": lane.value, "seed": seed, **more})

    def close(self, reason: str = "") -> None:
        self.write(Kind.CLOSE, reason=reason)

    def unveil(self, target: int, **more: Any) -> None:
        data = orjson.loads(self.lines[target].entry)
        hidden = self.keys.unseal(self.table, target, data["sealed"])
        self.write(Kind.UNVEIL, target=target, **{**hidden, **more})

    def roll(
        self,
        client: str | None = None,
        *,
        who: str = "Ana",
        role: Role | None = None,
        hand: tuple[int, ...] | None = None,
        secret: bool = False,
        lane: Lane | None = None,
        note: str | None = None,
        faces_at: int | None = None,
        told: dict[str, Any] | None = None,
        fair: Drawn | None = None,
        **more: Any,
    ) -> None:
        """Roll a duel; ``more`` changes the entry, ``told`` what a secret one hides."""
        state = self.state
        if client is not None:
            state = contributed(state, who, client)
        if lane is None:
            lane = Lane.VEIL if secret else Lane.OPEN
        number = state.seq if faces_at is None else faces_at
        seed = self.keys.seed(self.table, state.epoch, state.salt, lane)
        rule = tiny_duel.SYSTEM.by_id["duel"]
        asked = rule.request.model_validate_json(canonical(DUEL))
        place_ = place(self.table, state.epoch, number, state.pool)
        played = play(rule, asked, HandFaces(hand) if hand else SeededFaces(seed, place_))
        if fair is None:
            by = Drawn.POOL if state.contributions else Drawn.SERVER_ONLY
            fair = Drawn.HAND if hand else Drawn.OWN if client is not None else by
        body: dict[str, Any] = {
            "who": who,
            "role": str(role or (Role.PLAYER if client is not None else Role.GM)),
            "lane": "veil" if secret else "open",
            "client": client,
            "entropy": fair.value,
        }
        ask: dict[str, Any] = {
            "ruleset": tiny_duel.SYSTEM.ruleset,
            "resolver": "duel",
            "req": asked.model_dump(mode="json"),
        }
        if note is not None:
            ask["note"] = note
        draws = [list(pair) for pair in pairs(played.draws)]
        outcome = played.outcome.model_dump(mode="json")
        if secret:
            hidden = {"req": ask, "draws": draws, "outcome": outcome, **(told or {})}
            cover = veiled(self.keys, state, hidden)
            body |= {"veil": cover.veil, "sealed": cover.sealed}
        else:
            body |= {**ask, "draws": draws, "outcome": outcome}
        self.write(Kind.ROLL, state, **{**body, **more})

    def sign(self, entry: bytes, left: State | None = None) -> None:
        """Sign any bytes as the next entry."""
        sig = self.keys.signer.sign(entry, self.table, self.state.seq)
        line = Line(self.state.seq, entry, sig)
        self.add(Written(line, after(left or self.state, entry)))

    def last(self) -> dict[str, Any]:
        """Return the last entry, taken out of the log to be written anew."""
        data: dict[str, Any] = orjson.loads(self.lines[-1].entry)
        self.cut(len(self.lines) - 1)
        return data

    def forge(self, **more: Any) -> None:
        """Write the last entry anew with other fields, well signed."""
        self.sign(canonical({**self.last(), **more}))

    @property
    def receipts(self) -> list[Receipt]:
        return receipts(self.lines)


def receipts(lines: list[Line]) -> list[Receipt]:
    return [Receipt(line.entry, line.sig) for line in lines]


def written(lines: list[Receipt]) -> str:
    """Return a log as it is exported."""
    return "".join(
        orjson.dumps({"entry": line.entry.decode(), "sig": line.sig}).decode() + "\n"
        for line in lines
    )
