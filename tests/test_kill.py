"""A service killed in the middle of a thousand rolls: every one is in the log, once."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from httpx2 import AsyncClient, HTTPError
from redis import Redis

from arbitre.store.sqlite import FILE
from redis_server import RedisServer, free_port

ROLLS = 1_000
CONNECTIONS = 8
KILLED_AFTER = 300
PATH = "/v1/kadath/roll"
ENTRIES = "arb:{rolls}:r:*"
BODY = {"request": {"skill": 3, "unfavorable": 1}}


class Service:
    """``arbitre serve`` on a port and a log of its own."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "arbitre", "serve", "--port", str(self.port)]
        self._process = subprocess.Popen([*command, *self._options], stderr=subprocess.PIPE)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if b"running on" in line:
                return
        message = "the service does not start"
        raise RuntimeError(message)

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.communicate()
            self._process = None


class Players:
    """Eight connections that roll under a thousand keys, and remember what was acknowledged."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"
        self.acknowledged: dict[str, str] = {}
        self.enough = asyncio.Event()

    async def roll(self, keys: list[str]) -> dict[str, str]:
        """Roll under ``keys`` until all are answered or the service is gone."""
        waiting, answered = list(reversed(keys)), dict[str, str]()

        async def play(client: AsyncClient) -> None:
            while waiting:
                key = waiting.pop()
                try:
                    answer = await client.post(PATH, json=BODY, headers={"Idempotency-Key": key})
                except HTTPError:
                    return
                assert answer.status_code == 200
                answered[key] = answer.json()["id"]
                if len(answered) == KILLED_AFTER:
                    self.enough.set()

        async with self._client() as client:
            await asyncio.gather(*(play(client) for _ in range(CONNECTIONS)))
        return answered

    async def kept(self, ids: list[str]) -> list[str]:
        """Return which of the rolls the service still shows."""
        async with self._client() as client:
            answers = [await client.get(f"/v1/rolls/{id_}") for id_ in ids]
        return [answer.json()["id"] for answer in answers if answer.status_code == 200]

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[AsyncClient]:
        async with AsyncClient(base_url=self._address, timeout=20) as client:
            yield client


async def killed_and_retried(service: Service, *, redis: RedisServer | None = None) -> set[str]:
    """Kill the service, and its Redis, while it rolls; start again, retry; return the ids."""
    keys = [f"key-{number}" for number in range(ROLLS)]
    service.start()
    try:
        players = Players(service.port)
        rolling = asyncio.create_task(players.roll(keys))
        await players.enough.wait()
        service.kill()
        if redis is not None:
            redis.stop(signal.SIGKILL)
        acknowledged = await rolling
        assert KILLED_AFTER <= len(acknowledged) < ROLLS
        if redis is not None:
            redis.start()
        service.start()
        answered = await players.roll(keys)
        assert len(answered) == ROLLS
        assert {key: answered[key] for key in acknowledged} == acknowledged
        some = list(answered.values())[::20]
        assert await players.kept(some) == some
    finally:
        service.kill()
    return set(answered.values())


async def test_on_sqlite_every_roll_is_kept_once(tmp_path: Path) -> None:
    ids = await killed_and_retried(Service("--data", str(tmp_path)))
    assert len(ids) == ROLLS
    database = sqlite3.connect(tmp_path / FILE)
    assert {id_ for (id_,) in database.execute("SELECT id FROM rolls")} == ids
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


@pytest.mark.parametrize("too", [False, True], ids=["the service", "the service and Redis"])
async def test_on_redis_every_roll_is_kept_once(tmp_path: Path, too: bool) -> None:
    server = RedisServer(tmp_path)
    server.start()
    try:
        service = Service("--data", str(tmp_path), "--redis-url", server.url)
        ids = await killed_and_retried(service, redis=server if too else None)
        assert len(ids) == ROLLS
        with Redis.from_url(server.url) as database:
            kept = {name.decode().rpartition(":")[2] for name in database.scan_iter(ENTRIES)}
        assert kept == ids
    finally:
        server.stop()
