"""Processes that roll at one table; each writes down every receipt that it was given.

``roller.py FOLDER URL TABLE MODE …``, the master secret being that of ``ledgers``:

``count PROCESSES ROLLS``     each rolls so often
``storm PROCESSES KEYS``      each asks for the same keyed rolls, thrice, and once otherwise
``killed PROCESSES SECONDS``  each rolls until it is killed, and another takes its place
"""

import asyncio
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import orjson

import tiny_duel
from arbitre.api.desk import Rule
from arbitre.api.problems import Problem
from arbitre.api.tables import Seat, TableDesk
from arbitre.audit.tables import Role
from arbitre.registry import registry_of
from arbitre.store import StoreDownError, store_from
from arbitre.store.interface import Log
from entries import DUEL
from ledgers import KEYS

REGISTRY = registry_of([tiny_duel.SYSTEM])
RULE = Rule(tiny_duel.SYSTEM, tiny_duel.SYSTEM.by_id["duel"])


def call(key: str, actor: str = "Ana", skill: int = 3) -> Any:
    """Return a player's roll; the same key, the same words."""
    told = {
        "request": {**DUEL, "a": {"skill": skill}},
        "client": f"{key:x>16}",
        "actor": actor,
    }
    return RULE.call.validate_json(orjson.dumps(told))


async def roll(desk: TableDesk, seat: Seat, key: str, **more: Any) -> dict[str, Any]:
    """Roll, and ask again with the same key while the database is away."""
    while True:
        try:
            return await desk.roll(seat, RULE, call(key, **more), "en", key, None)
        except Problem as problem:
            if problem.code != "store-down":
                raise
            await asyncio.sleep(0.05)


async def work(folder: Path, url: str, table: bytes, mode: str, name: str, number: int) -> None:
    store: Log = store_from(url or None, folder)
    while True:
        try:
            await store.open()
            break
        except StoreDownError:
            await asyncio.sleep(0.05)
    desk = TableDesk(REGISTRY, KEYS, store)
    seat = desk.seat(table.hex(), KEYS.token(table, Role.PLAYER))
    with (folder / f"{name}.receipts").open("ab", buffering=0) as kept:

        def keep(key: str, answer: dict[str, Any]) -> None:
            told = {"key": key, "entry": answer["log"]["entry"], "sig": answer["log"]["sig"]}
            kept.write(orjson.dumps(told) + b"\n")

        if mode == "storm":
            for at in range(number):
                key = f"storm-{at}"
                answers = [roll(desk, seat, key) for _ in range(3)]
                for answer in await asyncio.gather(*answers):
                    keep(key, answer)
                try:
                    await roll(desk, seat, key, skill=4)
                except Problem as problem:
                    assert problem.code == "key-reused"  # noqa: PT017
                else:
                    raise AssertionError
        else:
            at = 0
            while mode == "killed" or at < number:
                key = f"{name}-{at}"
                keep(key, await roll(desk, seat, key))
                at += 1
    await store.close()


def fork(folder: Path, url: str, table: bytes, mode: str, name: str, number: int) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            asyncio.run(work(folder, url, table, mode, name, number))
        except BaseException:  # noqa: BLE001 - whatever it is, it must not go on as the parent
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return pid


def main(folder: str, url: str, table: str, mode: str, processes: str, number: str) -> int:
    given = Path(folder), url, bytes.fromhex(table), mode
    children = [fork(*given, f"{mode}-{n}", int(number)) for n in range(int(processes))]
    if mode != "killed":
        return sum(os.waitpid(child, 0)[1] != 0 for child in children)
    until = time.monotonic() + int(number)
    turn = 0
    while time.monotonic() < until:
        time.sleep(0.25)
        at = turn % len(children)
        os.kill(children[at], signal.SIGKILL)
        os.waitpid(children[at], 0)
        children[at] = fork(*given, f"{mode}-{len(children) + turn}", 0)
        turn += 1
    for child in children:
        os.kill(child, signal.SIGKILL)
    return sum(os.waitpid(child, 0)[1] != signal.SIGKILL for child in children)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
