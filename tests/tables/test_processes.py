"""Many processes at one table: nothing is lost, nothing is doubled, whoever is killed."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from arbitre.api.tables import CloseCall, TableCall, TableDesk
from arbitre.audit.ledger import Receipt, read_lines, verify_ledger
from arbitre.audit.tables import Line, Role
from arbitre.store import store_from
from arbitre.store.backup import log_of
from arbitre.store.interface import Log
from ledgers import KEYS
from redis_server import RedisServer
from roller import REGISTRY, roll

TESTS = Path(__file__).parent.parent


class Room:
    """A table in a store of its own, and what its players kept."""

    def __init__(self, folder: Path, server: RedisServer | None) -> None:
        self.folder, self.server = folder, server
        self.url = server.url if server else ""
        self.table = b""

    def store(self) -> Log:
        store = store_from(self.url or None, self.folder)
        store.settle = 0.0
        return store

    async def open(self) -> None:
        store = self.store()
        await store.open()
        desk = TableDesk(REGISTRY, KEYS, store)
        self.table = bytes.fromhex((await desk.create(TableCall(name="Foule")))["id"])
        await store.close()

    async def run(self, *mode: object) -> None:
        """Run processes at the table until they are done."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(TESTS / "roller.py"), str(self.folder), self.url),
            *(self.table.hex(), *map(str, mode)),
            env={**os.environ, "PYTHONPATH": f"{TESTS}:{TESTS / 'plugin' / 'src'}"},
            stderr=subprocess.PIPE,
        )
        _, said = await process.communicate()
        assert process.returncode == 0, said.decode()

    def kept(self) -> dict[str, list[Receipt]]:
        """Return the receipts by the key of their roll; a line cut by a kill is none."""
        found: dict[str, list[Receipt]] = {}
        for path in self.folder.glob("*.receipts"):
            for row in path.read_bytes().splitlines(keepends=True):
                receipt = next(read_lines(row)) if row.endswith(b"\n") else None
                if receipt is not None:
                    found.setdefault(orjson.loads(row)["key"], []).append(receipt)
        return found

    async def verified(self) -> list[Line]:
        """Reveal everything, and verify the log with every receipt."""
        store = self.store()
        await store.open()
        desk = TableDesk(REGISTRY, KEYS, store)
        gm = desk.seat(self.table.hex(), KEYS.token(self.table, Role.GM))
        player = desk.seat(self.table.hex(), KEYS.token(self.table, Role.PLAYER))
        for key in self.asked:
            await roll(desk, player, key)
        lines = [line async for line in log_of(store, self.table)]
        await desk.close(gm, CloseCall(), None)
        whole = [line async for line in log_of(store, self.table)]
        await store.close()
        receipts = [receipt for kept in self.kept().values() for receipt in kept]
        found = verify_ledger(
            [Receipt(line.entry, line.sig) for line in whole],
            REGISTRY,
            key=KEYS.signer.public_key,
            receipts=receipts,
        )
        assert not found.failures, found.failures[:3]
        assert (found.verified, found.waiting) == (len(lines) - 1, 0)
        return lines

    asked: tuple[str, ...] = ()
    """Keys to ask for once more at the end."""


@pytest.fixture(params=["sqlite", "redis"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisServer | None]:
    if request.param == "sqlite":
        yield None
        return
    folder = tmp_path / "redis"
    folder.mkdir()
    own = RedisServer(folder)
    own.start()
    yield own
    own.stop()


@pytest.fixture
async def room(server: RedisServer | None, tmp_path: Path) -> Room:
    opened = Room(tmp_path, server)
    await opened.open()
    return opened


async def test_eight_processes_append_two_hundred_each(room: Room) -> None:
    await room.run("count", 8, 200)
    kept = room.kept()
    assert len(kept) == 1600
    assert {len(receipts) for receipts in kept.values()} == {1}
    lines = await room.verified()
    assert len(lines) == 1601
    assert sorted(receipts[0].entry for receipts in kept.values()) == sorted(
        line.entry for line in lines[1:]
    )


async def test_a_storm_of_retries_writes_each_roll_once(room: Room) -> None:
    await room.run("storm", 8, 25)
    kept = room.kept()
    assert len(kept) == 25
    for receipts in kept.values():
        assert len(receipts) == 24
        assert len(set(receipts)) == 1
    assert len(await room.verified()) == 26


async def test_whoever_is_killed_loses_nothing_acknowledged(room: Room) -> None:
    async def outages() -> None:
        for _ in range(3):
            await asyncio.sleep(1.2)
            if room.server is not None:
                room.server.stop()
                await asyncio.sleep(0.2)
                await asyncio.to_thread(room.server.start)

    await asyncio.gather(room.run("killed", 4, 5), outages())
    kept = room.kept()
    assert len(kept) > 100
    # the roll that each was killed in is asked for once more: it is written once, or was
    counts = Counter(key.rpartition("-")[0] for key in kept)
    room.asked = tuple(f"{name}-{count}" for name, count in counts.items())
    lines = await room.verified()
    keys = [orjson.loads(line.entry)["client"].lstrip("x") for line in lines[1:]]
    assert len(set(keys)) == len(keys)
    assert {*kept, *room.asked} <= set(keys)
    assert len(keys) <= len(kept) + len(room.asked) + sum(1 for key in keys if key.endswith("-0"))
