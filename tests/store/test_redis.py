"""What only Redis does."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from arbitre.store import Stored, StoreDownError, StoreUnsafeError, store_from
from arbitre.store.redis import RedisStore
from arbitre.store.redis_tables import log_key
from lines import Ledger, line
from puts import make_put, signed
from redis_server import AOF, RedisSentinel, RedisServer, free_port


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server of one's own, to stop and start."""
    own = RedisServer(tmp_path)
    own.start()
    yield own
    own.stop()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--appendonly", "no"), "appendonly yes"),
        ((*AOF, "--maxmemory-policy", "volatile-ttl"), "maxmemory-policy noeviction"),
        ((*AOF, "--maxmemory-policy", "allkeys-lru"), "maxmemory-policy noeviction"),
        ((*AOF, "--rename-command", "INFO", ""), "allow the command INFO"),
    ],
)
async def test_a_server_that_may_lose_rolls_is_refused_unless_accepted(
    tmp_path: Path, options: tuple[str, ...], sentence: str
) -> None:
    server = RedisServer(tmp_path, *options)
    server.start()
    strict, lax = RedisStore(server.url), RedisStore(server.url, allow_volatile=True)
    try:
        for attempt in (strict.open, strict.ping, lambda: strict.put(make_put())):
            with pytest.raises(StoreUnsafeError, match=sentence):
                await attempt()
        await lax.open()
        assert not (await lax.put(make_put())).replayed
    finally:
        await strict.close()
        await lax.close()
        server.stop()


async def test_an_outage_ends_without_a_restart(server: RedisServer) -> None:
    store = RedisStore(server.url)
    await store.open()
    kept, lost = make_put("kept"), make_put("lost")
    await store.put(kept)
    await asyncio.sleep(1.2)  # appendfsync everysec
    server.stop()
    idem = kept.idem or b""
    for attempt in (
        lambda: store.put(lost),
        lambda: store.get(kept.id),
        lambda: store.by_idem(idem),
        store.ping,
    ):
        with pytest.raises(StoreDownError):
            await attempt()
    server.start()
    await store.ping()
    assert await store.get(kept.id) == signed(kept)
    assert await store.put(lost) == Stored(signed(lost), replayed=False)
    await store.close()


async def test_a_server_that_comes_late_is_still_checked(tmp_path: Path) -> None:
    server = RedisServer(tmp_path, "--appendonly", "no")
    store = RedisStore(server.url)
    with pytest.raises(StoreDownError):
        await store.open()
    with pytest.raises(StoreDownError):
        await store.put(make_put())
    server.start()
    with pytest.raises(StoreUnsafeError):
        await store.put(make_put())
    server.stop()
    await store.close()


async def test_a_hung_server_is_an_outage(server: RedisServer) -> None:
    store = RedisStore(server.url)
    await store.open()
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(StoreDownError):
        await store.put(make_put())
    assert loop.time() - began < 5
    server.process.send_signal(signal.SIGCONT)
    await store.ping()
    await store.close()


async def test_a_cluster_that_may_lose_rolls_is_refused_too(tmp_path: Path) -> None:
    server = RedisServer(tmp_path, "--appendonly", "no", "--cluster-enabled", "yes")
    server.start()
    server.own_all_slots()
    strict, lax = RedisStore(server.url), RedisStore(server.url, allow_volatile=True)
    for _ in range(2):
        with pytest.raises(StoreUnsafeError, match="appendonly yes"):
            await strict.open()
    await lax.open()
    await lax.ping()
    item = make_put("k")
    await lax.put(item)
    assert await lax.get(item.id) == signed(item)
    await strict.close()
    await lax.close()
    server.stop()


class LossyProxy:
    """Passes everything on, but swallows one answer and hangs up."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lose_next = False
        self.requests = 0
        self.served: list[asyncio.Task[None]] = []

    async def start(self) -> int:
        def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.served.append(asyncio.create_task(self._serve(reader, writer)))

        self.server = await asyncio.start_server(serve, "127.0.0.1", 0)
        return int(self.server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        self.server.close()
        await asyncio.gather(*self.served)
        await self.server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        above, below = await asyncio.open_connection("127.0.0.1", self.port)
        answers = asyncio.create_task(self._answers(above, writer))
        while data := await reader.read(65536):
            self.requests += b"EVALSHA" in data
            below.write(data)
            await below.drain()
        below.close()
        await below.wait_closed()
        await answers

    async def _answers(self, above: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await above.read(65536):
            if self.lose_next:
                self.lose_next = False
                break
            writer.write(data)
            await writer.drain()
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize("key", [None, "k"])
async def test_an_answer_lost_on_the_way_stores_no_roll_twice(
    redis_server: RedisServer, key: str | None
) -> None:
    redis_server.flush()
    proxy = LossyProxy(redis_server.port)
    store = RedisStore(f"redis://127.0.0.1:{await proxy.start()}")
    await store.open()
    await store.put(make_put())
    item, before = make_put(key), proxy.requests
    proxy.lose_next = True
    assert await store.put(item) == Stored(signed(item), replayed=False)
    assert proxy.requests - before == 2
    direct = RedisStore(redis_server.url)
    assert await direct.get(item.id) == signed(item)
    await direct.close()
    await store.close()
    await proxy.stop()


async def test_keys_expire_together_and_share_a_slot(redis_server: RedisServer) -> None:
    redis_server.flush()
    store = RedisStore(redis_server.url, 100)
    await store.put(make_put("k"))
    keys = await store._redis.keys("*")  # noqa: SLF001
    assert len(keys) == 2
    assert all(b"{rolls}" in key for key in keys)
    left = [await store._redis.pttl(key) for key in keys]  # noqa: SLF001
    assert all(99_000 < ms <= 100_000 for ms in left)
    await store.close()


async def test_a_roll_deleted_behind_our_back_is_an_outage_not_a_second_roll(
    redis_server: RedisServer,
) -> None:
    redis_server.flush()
    store = RedisStore(redis_server.url)
    item = make_put("k")
    await store.put(item)
    await store._redis.delete(f"arb:{{rolls}}:r:{item.id}")  # noqa: SLF001
    with pytest.raises(StoreDownError):
        await store.put(make_put("k"))
    assert await store.by_idem(item.idem or b"") is None
    await store.close()


async def test_a_unix_socket_will_do(tmp_path: Path) -> None:
    server = RedisServer(tmp_path, *AOF, "--unixsocket", str(tmp_path / "r.sock"))
    server.start()
    store = store_from(f"unix://{tmp_path / 'r.sock'}", tmp_path)
    await store.open()
    item = make_put()
    await store.put(item)
    assert await store.get(item.id) == signed(item)
    await store.close()
    server.stop()


def test_another_kind_of_address_is_refused_without_showing_it() -> None:
    with pytest.raises(ValueError, match="redis://, rediss://, unix://") as refused:
        RedisStore("http://user:secret@host")
    assert "secret" not in str(refused.value)


async def test_behind_sentinel_the_new_master_is_found(tmp_path: Path) -> None:
    (tmp_path / "master").mkdir()
    (tmp_path / "replica").mkdir()
    master = RedisServer(tmp_path / "master")
    master.start()
    at = ("--replicaof", "127.0.0.1", str(master.port))
    replica = RedisServer(tmp_path / "replica", *AOF, *at)
    replica.start()
    sentinel = RedisSentinel(tmp_path / "sentinel", master)
    sentinel.start()
    sentinel.await_replica()
    hosts = f"127.0.0.1:{free_port()},127.0.0.1:{sentinel.port}"  # the first sentinel is gone
    store = RedisStore(f"redis+sentinel://{hosts}/tables/0")
    await store.open()
    item = make_put("k")
    await store.put(item)
    ledger = Ledger()
    await store.append(first := ledger.next())
    ledger.took(first)
    loop = asyncio.get_running_loop()
    until = loop.time() + 30
    async with Redis(port=replica.port) as copy:
        while not await copy.exists(log_key(ledger.table)):  # replication takes its time
            assert loop.time() < until
            await asyncio.sleep(0.05)
    master.stop()
    while True:
        try:
            kept = await store.append(ledger.next("k"))
            break
        except StoreDownError:
            assert loop.time() < until
            await asyncio.sleep(0.1)
    assert await store.lines(ledger.table, 0, 9) == [line(first), kept.line]
    assert await store.get(item.id) == signed(item)
    await store.close()
    for server in (sentinel, replica):
        server.stop()


@pytest.mark.parametrize(
    "rest", ["", "host", "host/", "/tables", "host:x/tables", "host/tables/x", "a,,b/tables"]
)
def test_an_address_of_sentinels_says_what_it_lacks(rest: str) -> None:
    with pytest.raises(ValueError, match="service/database") as refused:
        RedisStore(f"redis+sentinel://user:secret@{rest}")
    assert "secret" not in str(refused.value)


def test_an_address_of_sentinels_names_all_of_them_and_who_signs_in() -> None:
    store = RedisStore("redis+sentinel://ana:%C3%A9p%C3%A9e@one:1,[::1]:2,three/la%20table/5")
    assert store._sentinel is not None  # noqa: SLF001
    places = [one.connection_pool.connection_kwargs for one in store._sentinel.sentinels]  # noqa: SLF001
    assert [(at["host"], at["port"]) for at in places] == [("one", 1), ("::1", 2), ("three", 26379)]
    used = store._redis.connection_pool  # type: ignore[union-attr]  # noqa: SLF001
    assert used.service_name == "la table"
    asked = used.connection_kwargs
    assert (asked["username"], asked["password"], asked["db"]) == ("ana", "épée", 5)
    assert places[0]["password"] is None
