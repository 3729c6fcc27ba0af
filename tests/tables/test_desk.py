"""What a table's desk does when others are faster, or the store is away."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import orjson
import pytest

from arbitre.api import table_pages
from arbitre.api import tables as module
from arbitre.api.problems import Problem
from arbitre.api.tables import (
    CloseCall,
    RevealCall,
    Seat,
    TableCall,
    TableDesk,
    UnveilCall,
)
from arbitre.audit.ledger import Receipt, verify_ledger
from arbitre.audit.tables import Kind, Line, Role
from arbitre.store import StoreDownError
from arbitre.store.backup import log_of
from arbitre.store.interface import TableKept, TableMovedError, TablePut
from arbitre.store.sqlite import SqliteStore
from entries import DUEL
from ledgers import KEYS
from roller import REGISTRY, RULE, call


class Faulty(SqliteStore):
    """A store that is away, or where others are always faster."""

    moves = 0
    down = 0

    async def append(self, item: TablePut) -> TableKept:
        if self.moves:
            self.moves -= 1
            raise TableMovedError
        return await super().append(item)

    async def lines(self, table: bytes, start: int, limit: int) -> list[Line]:
        if self.down:
            self.down -= 1
            raise StoreDownError
        return await super().lines(table, start, limit)


class Room:
    """A table, two desks of a store, and both seats."""

    def __init__(self, store: Faulty) -> None:
        self.store = store
        self.desk = TableDesk(REGISTRY, KEYS, store)
        self.other = TableDesk(REGISTRY, KEYS, store)

    async def open(self) -> None:
        self.id: str = (await self.desk.create(TableCall(name="Table")))["id"]
        self.gm = self.seat(Role.GM)
        self.player = self.seat(Role.PLAYER)

    def seat(self, role: Role) -> Seat:
        table = bytes.fromhex(self.id)
        return self.desk.seat(self.id, KEYS.token(table, role))

    async def roll(self, key: str = "k") -> dict[str, Any]:
        return await self.desk.roll(self.player, RULE, call(key), "fr", None, None)

    async def secret(self) -> dict[str, Any]:
        asked = RULE.call.validate_json(orjson.dumps({"request": DUEL, "secret": True}))
        return await self.desk.roll(self.gm, RULE, asked, "fr", None, None)

    async def kinds(self) -> list[str]:
        return [
            orjson.loads(line.entry)["type"] async for line in log_of(self.store, self.gm.table)
        ]


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    store = Faulty(tmp_path / "rolls.sqlite3")
    await store.open()
    opened = Room(store)
    await opened.open()
    yield opened
    found = verify_ledger(
        [Receipt(line.entry, line.sig) async for line in log_of(store, opened.gm.table)], REGISTRY
    )
    assert not found.failures
    await store.close()


async def test_who_was_slower_builds_anew(room: Room) -> None:
    room.store.moves = 30
    assert (await room.roll())["log"]["seq"] == 1


async def test_who_is_always_slower_gives_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    room.store.moves = 1_000_000
    with pytest.raises(Problem) as refused:
        await room.roll()
    assert (refused.value.status, refused.value.code) == (503, "table-busy")
    assert refused.value.headers == {"Retry-After": "1"}
    room.store.moves = 0


async def test_a_roll_that_slips_in_while_a_table_closes_is_revealed_too(room: Room) -> None:
    settle, room.store.settle = room.store.settle, 0.05
    closing = asyncio.create_task(room.desk.close(room.gm, CloseCall(), None))
    await asyncio.sleep(0.02)
    await room.roll()
    await closing
    room.store.settle = settle
    assert (await room.kinds())[1:] == [
        *("rotate", "roll", "reveal", "rotate", "reveal", "close"),
    ]
    lines = [Receipt(line.entry, line.sig) async for line in log_of(room.store, room.gm.table)]
    assert verify_ledger(lines, REGISTRY).waiting == 0


async def test_a_table_where_rolls_never_end_cannot_close(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLOSINGS", 2)
    room.store.settle = 0.05
    rolling = True

    async def play() -> None:
        while rolling:
            await room.roll()
            await asyncio.sleep(0.01)

    playing = asyncio.create_task(play())
    with pytest.raises(Problem) as refused:
        await room.desk.close(room.gm, CloseCall(), None)
    assert (refused.value.status, refused.value.code) == (503, "table-busy")
    rolling = False
    await playing
    await room.desk.close(room.gm, CloseCall(), None)


@pytest.mark.parametrize("deed", ["reveal", "unveil"])
async def test_of_two_who_open_the_same_one_is_refused(room: Room, deed: str) -> None:
    await room.secret()
    await room.desk.rotate(room.gm, None)
    calls: Any = {"reveal": RevealCall(epoch=0), "unveil": UnveilCall(target=1)}
    answers = await asyncio.gather(
        *(getattr(desk, deed)(room.gm, calls[deed], None) for desk in (room.desk, room.other)),
        return_exceptions=True,
    )
    codes = [answer.code for answer in answers if isinstance(answer, Problem)]
    assert codes == [f"{deed}ed"]
    assert (await room.kinds()).count(deed) == 1


async def test_two_who_close_write_one_end(room: Room) -> None:
    await room.roll()
    answers = await asyncio.gather(
        *(desk.close(room.gm, CloseCall(), None) for desk in (room.desk, room.other)),
        return_exceptions=True,
    )
    codes = [answer.code for answer in answers if isinstance(answer, Problem)]
    assert codes == ["table-closed"]
    assert (await room.kinds()).count(Kind.CLOSE) == 1


async def test_whoever_follows_waits_for_a_store_that_is_away(room: Room) -> None:
    await room.roll()
    lines = room.desk.follow(room.gm, 0)
    seen = [await anext(lines) for _ in range(2)]
    room.store.down = 2
    assert await anext(lines) is None
    assert await anext(lines) is None
    await room.roll("l")
    while (line := await anext(lines)) is None:
        pass
    assert [one.seq for one in [*seen, line] if one] == [0, 1, 2]
    await lines.aclose()  # type: ignore[attr-defined]


async def test_a_follower_gets_long_logs_whole(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAGE", 3)
    for number in range(8):
        await room.roll(str(number))
    await room.desk.close(room.gm, CloseCall(), None)
    found = [line.seq async for line in room.other.follow(room.gm, 0) if line]
    assert found == list(range(12))
    assert [line async for line in room.other.follow(room.gm, 12)] == []


async def test_only_so_many_tables_are_remembered(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    rooms = [Room(room.store) for _ in range(4)]
    for one in rooms:
        one.desk = room.desk
        await one.open()
    for _ in range(2):
        for one in (room, *rooms):
            await one.roll()
    assert len(room.desk._states) <= 2  # noqa: SLF001
    assert len(room.desk._locks) == 0  # noqa: SLF001


async def test_a_quiet_stream_shows_that_it_lives(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_POLL", 0.001)
    parts = table_pages._events(room.desk, room.gm, 1)  # noqa: SLF001
    assert await anext(parts) == b"retry: 1000\n\n"
    assert await anext(parts) == b": still here\n\n"
    await room.roll()
    while not (part := await anext(parts)).startswith(b"id: 1\nevent: entry\ndata: {"):
        assert part == b": still here\n\n"
    await parts.aclose()  # type: ignore[attr-defined]


async def test_a_desk_that_is_behind_reads_the_end_it_does_not_know(room: Room) -> None:
    await room.other.card(room.gm)
    await room.roll()
    assert (await room.other.card(room.gm))["length"] == 2
    assert (await room.desk.card(room.gm))["length"] == 2


async def test_a_log_that_the_store_lost_is_shown_as_it_is(room: Room) -> None:
    """After a failover the store may know less: what is remembered is not shown."""
    first = await room.store.last(room.gm.table)
    await room.roll()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.store, "last", AsyncMock(return_value=first))
        assert (await room.desk.card(room.gm))["length"] == 1
    assert (await room.roll("l"))["log"]["seq"] == 2


async def test_there_is_no_table_after_its_last_line_is_gone(room: Room) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.store, "last", AsyncMock(return_value=None))
        with pytest.raises(Problem) as refused:
            await room.desk.card(room.gm)
    assert (refused.value.status, refused.value.code) == (404, "no-table")
