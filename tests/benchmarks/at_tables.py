"""Rolls at one table and at a hundred, beside rolls outside tables, on each store."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median

import orjson

from arbitre.api.desk import Desk
from arbitre.api.http import Shown
from arbitre.api.tables import TableCall, TableDesk
from arbitre.audit.tables import TableKeys
from arbitre.registry import Registry
from arbitre.store import store_from
from tests.redis_server import RedisServer

TABLES = 100
AT_ONCE = 32
"""Rolls on their way together; at one table they queue."""

OUTSIDE, MANY, ONE = "outside tables", "a hundred tables", "one table"
ALONE, LONE = "outside tables, one by one", "one table, one by one"
ROWS = ((OUTSIDE, ""), (MANY, OUTSIDE), (ONE, OUTSIDE), (ALONE, ""), (LONE, ALONE))
"""What is measured, and what it is compared with."""


async def rates(
    registry: Registry,
    path: tuple[str, str],
    body: dict[str, object],
    url: str,
    folder: Path,
    n: int,
) -> dict[str, float]:
    """Return rolls per second in this process, by where they are made."""
    store = store_from(url or None, folder)
    await store.open()
    keys = TableKeys(bytes(range(32)))
    tables = TableDesk(registry, keys, store)
    desk = Desk(registry, keys.signer, store, tables=tables)
    rule = desk.rule(*path)
    made = [await tables.create(TableCall(name=str(number))) for number in range(TABLES)]
    calls = [
        (
            orjson.dumps({**body, "table": one["id"], "client": "0123456789abcdef"}),
            Shown(one["player_token"]),
        )
        for one in made
    ]
    outside = [(orjson.dumps(body), Shown())]

    async def rate(calls: list[tuple[bytes, Shown]], at_once: int) -> float:
        turns = cycle(calls)

        async def one_after_the_other() -> None:
            for _ in range(n // at_once):
                text, shown = next(turns)
                orjson.dumps(await desk.resolve(rule, text, "fr", None, shown))

        began = time.perf_counter()
        await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))
        return n // at_once * at_once / (time.perf_counter() - began)

    try:
        await rate(outside, AT_ONCE)  # warm
        return {
            OUTSIDE: await rate(outside, AT_ONCE),
            MANY: await rate(calls, AT_ONCE),
            ONE: await rate(calls[:1], AT_ONCE),
            ALONE: await rate(outside, 1),
            LONE: await rate(calls[:1], 1),
        }
    finally:
        await store.close()


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Run a Redis."""
    folder.mkdir()
    server = RedisServer(folder)
    server.start()
    try:
        yield server.url
    finally:
        server.stop()


def show(
    registry: Registry, path: tuple[str, str], body: dict[str, object], folder: Path, rounds: int
) -> Iterator[tuple[str, float, float | None]]:
    """Give each row: what, rolls per second, and the ratio to the same outside tables."""
    with redis(folder / "redis") as url:
        for name, at in (("SQLite", ""), ("Redis", url)):
            found = [
                asyncio.run(rates(registry, path, body, at, folder / f"{name}-{turn}", 640))
                for turn in range(rounds)
            ]
            for row, base in ROWS:
                per_second = median(one[row] for one in found)
                ratio = median(one[row] / one[base] for one in found) if base else None
                yield f"{name}, {row}", per_second, ratio
