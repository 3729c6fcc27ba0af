"""Rolls in Redis, for many workers and machines: one round trip carries a whole batch.

====================== =====================================================================
``arb:{rolls}:r:<id>``   64 bytes of signature, then the entry
``arb:{rolls}:i:<idem>`` 32 bytes of fingerprint, then the id of the roll
====================== =====================================================================

Both keys of a roll expire together. All rolls outside tables share the hash tag ``rolls``, so
one slot and, in a cluster, one node: a batch stays one script, atomic and retried as a whole,
and one node takes more rolls than dozens of workers resolve. Any node of a cluster will do as
the address.

Behind Sentinel the address is ``redis+sentinel://user:password@host:port,host:port/service/db``:
the sentinels, the name they know the master by, the database. Whoever signs in does so at the
master; the sentinels are asked without.

The logs of tables are in ``redis_tables``: a slot each, and in a cluster a call each.

A script that is sent twice, because the first answer was lost, finds what it wrote.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import RedisError, ResponseError

from arbitre.audit import Signed
from arbitre.audit.tables import Line
from arbitre.store import redis_tables
from arbitre.store.group import GroupCommit
from arbitre.store.interface import (
    TTL,
    Known,
    KnownLine,
    Put,
    Stored,
    StoreDownError,
    StoreUnsafeError,
    TableKept,
    TablePut,
    earlier,
)

TIMEOUT: Final = 1.0
"""Seconds that Redis has for an answer."""

RETRIES: Final = 2

SETTLE: Final = 2.0
"""Seconds after which ``appendfsync everysec`` has surely reached the disk."""

AT_ONCE: Final = 64
"""Most calls on their way to a cluster: its client refuses more than it has connections."""

SENTINEL: Final = "redis+sentinel://"
SENTINEL_PORT: Final = 26379

_ROLL: Final = "arb:{rolls}:r:"
_IDEM: Final = "arb:{rolls}:i:"
_SIG: Final = 64
_FP: Final = 32

_PUT: Final = """
local function known(idem)
  local found = redis.call('GET', idem)
  if not found then return nil end
  local id = string.sub(found, 33)
  return {string.sub(found, 1, 32), id, redis.call('GET', 'arb:{rolls}:r:' .. id)}
end
local answers = {}
for i = 1, #KEYS / 2 do
  local roll, idem = KEYS[2 * i - 1], KEYS[2 * i]
  local id, fp, value, px = unpack(ARGV, 4 * i - 3, 4 * i)
  local earlier = fp ~= '' and known(idem)
  if earlier then
    answers[i] = earlier
  elseif redis.call('SET', roll, value, 'PX', px, 'NX') then
    if fp ~= '' then redis.call('SET', idem, fp .. id, 'PX', px) end
    answers[i] = 1
  else
    answers[i] = {fp, id, redis.call('GET', roll)}
  end
end
return answers
"""


def _options() -> dict[str, Any]:
    return {
        "socket_timeout": TIMEOUT,
        "socket_connect_timeout": TIMEOUT,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), RETRIES),
    }


def _sentinel(url: str) -> Sentinel:
    """Read an address of sentinels; ``ValueError`` says what it lacks, not what it holds."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    _, _, db = parts.path[1:].partition("/")
    try:
        addresses = [_address(one) for one in hosts.split(",")]
        database = int(db or 0)
    except ValueError:
        addresses, database = [], 0
    if not addresses or not _service(url):
        msg = f"write {SENTINEL}host:port,host:port/service/database"
        raise ValueError(msg)
    return Sentinel(  # type: ignore[no-untyped-call]
        addresses,
        sentinel_kwargs=_options(),
        username=unquote(user) or None,
        password=unquote(password) or None,
        db=database,
        **_options(),
    )


def _service(url: str) -> str:
    return unquote(urlsplit(url).path[1:].partition("/")[0])


def _address(text: str) -> tuple[str, int]:
    """Read ``host``, ``host:port`` or ``[address]:port``."""
    found = urlsplit(f"//{text}")
    if not found.hostname:
        raise ValueError
    return found.hostname, found.port or SENTINEL_PORT


class RedisStore:
    """The store at ``url``; rolls live ``ttl`` seconds, tables for ever.

    A server that may lose acknowledged rolls is refused unless ``allow_volatile``.
    """

    settle = SETTLE

    def __init__(self, url: str, ttl: int = TTL, *, allow_volatile: bool = False) -> None:
        if not url.startswith(("redis://", "rediss://", "unix://", SENTINEL)):
            msg = f"the address of Redis must begin with redis://, rediss://, unix:// or {SENTINEL}"
            raise ValueError(msg)
        self._url = url
        self._ttl = ttl
        self._allow_volatile = allow_volatile
        self._known = False
        self._turn = asyncio.Lock()
        self._sentinel = _sentinel(url) if url.startswith(SENTINEL) else None
        self._redis: Redis | RedisCluster = (
            self._sentinel.master_for(_service(url))
            if self._sentinel
            else Redis.from_url(url, **_options())
        )
        self._script = self._redis.register_script(_PUT)
        self._append = self._redis.register_script(redis_tables.APPEND)
        self._group: GroupCommit[Put, Stored] = GroupCommit(self._flush)
        self._tables: GroupCommit[TablePut, TableKept] = GroupCommit(self._flush_tables)
        self.batches = 0

    async def open(self) -> None:
        """Connect, and check that the server keeps what it acknowledges."""
        await self.ping()

    async def close(self) -> None:
        """Write what is waiting and disconnect."""
        await self._group.drain()
        await self._tables.drain()
        await self._redis.aclose()
        for one in self._sentinel.sentinels if self._sentinel else ():
            await one.aclose()

    async def put(self, item: Put) -> Stored:
        """Keep one roll."""
        return await self._group.add(item)

    async def append(self, item: TablePut) -> TableKept:
        """Append one entry to a table's log."""
        return await self._tables.add(item)

    async def by_key(self, table: bytes, idem: bytes) -> KnownLine | None:
        """Return what a table's log holds under an Idempotency-Key."""
        try:
            found: Any = await self._redis.hget(redis_tables.index_key(table), idem)
            if not found:
                return None
            at = int(found[redis_tables.FP :])
            value: Any = await self._redis.lindex(redis_tables.log_key(table), at)
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        if value is None:
            raise StoreDownError(redis_tables.LOST)
        return redis_tables.known(found, value)

    async def last(self, table: bytes) -> Line | None:
        """Return the last entry of a table's log."""
        found = await self._range(table, -1, -1)
        return found[0] if found else None

    async def lines(self, table: bytes, start: int, limit: int) -> list[Line]:
        """Return entries of a table's log from number ``start`` on."""
        return await self._range(table, start, start + limit - 1)

    async def tables(self, start: bytes, limit: int) -> list[bytes]:
        """Return ids of tables, in order, after ``start``: looks at every key there is."""
        found = set()
        try:
            async for key in self._redis.scan_iter(match="arb:{*}:log", count=1000):
                found.add(bytes.fromhex(key[5:37].decode()))
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        return sorted(table for table in found if table > start)[:limit]

    async def _range(self, table: bytes, first: int, last: int) -> list[Line]:
        try:
            found: Any = await self._redis.lrange(redis_tables.log_key(table), first, last)
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        return [redis_tables.line(value) for value in found]

    async def get(self, id: str) -> Signed | None:  # noqa: A002 - it is the id
        """Return the roll ``id``."""
        try:
            value: Any = await self._redis.get(_ROLL + id)
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        return _signed(id, value) if value else None

    async def by_idem(self, idem: bytes) -> Known | None:
        """Return what is kept under an Idempotency-Key."""
        try:
            found: Any = await self._redis.get(_IDEM + idem.hex())
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        signed = await self.get(found[_FP:].decode()) if found else None
        return Known(signed, found[:_FP]) if signed else None

    async def ping(self) -> None:
        """Ask the server that holds the rolls for a sign of life; the first time, for more."""
        try:
            if not self._known:
                async with self._turn:
                    await self._get_to_know()
                self._known = True
            await self._redis.get(_ROLL)
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong

    async def _get_to_know(self) -> None:
        """Find out whether this is a cluster, and whether it keeps what it acknowledges."""
        try:
            cluster = await self._redis.info("cluster")
            at: dict[str, Any] = {}
            if cluster.get("cluster_enabled"):
                at = {"target_nodes": await self._join()}
            persistence = await self._redis.info("persistence", **at)
            memory = await self._redis.info("memory", **at)
        except ResponseError:
            if not self._allow_volatile:
                raise StoreUnsafeError(_UNKNOWN) from None
            return
        policy = memory.get("maxmemory_policy")
        if not self._allow_volatile and not persistence.get("aof_enabled"):
            raise StoreUnsafeError(_NO_AOF)
        if not self._allow_volatile and policy != "noeviction":
            raise StoreUnsafeError(_EVICTS.format(policy))

    async def _join(self) -> Any:
        """Speak to the whole cluster from now on; return the node that holds the rolls."""
        if not isinstance(self._redis, RedisCluster):
            await self._redis.aclose()
            self._redis = RedisCluster.from_url(self._url, max_connections=1024, **_options())
            self._script = self._redis.register_script(_PUT)
            self._append = self._redis.register_script(redis_tables.APPEND)
        await self._redis.initialize()
        return self._redis.get_node_from_key(_ROLL)

    async def _flush(self, items: Sequence[Put]) -> Sequence[Stored | Exception]:
        if not self._known:
            await self.ping()
        now = time.time_ns() // 1_000_000
        keys: list[str] = []
        args: list[Any] = []
        for item in items:
            idem = _IDEM + item.idem.hex() if item.idem else _ROLL + item.id
            left = self._ttl * 1000 if item.expires is None else max(item.expires - now, 1)
            keys += (_ROLL + item.id, idem)
            args += (item.id, item.fp or b"", bytes.fromhex(item.sig) + item.entry, left)
        try:
            answers = await self._script(keys, args)
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        self.batches += 1
        return [_stored(item, answer) for item, answer in zip(items, answers, strict=True)]

    async def _flush_tables(self, items: Sequence[TablePut]) -> Sequence[TableKept | Exception]:
        if not self._known:
            await self.ping()
        self.batches += 1
        if not isinstance(self._redis, RedisCluster):
            return await self._append_all(items)
        free = asyncio.Semaphore(AT_ONCE)

        async def alone(item: TablePut) -> TableKept | Exception:
            async with free:
                try:
                    return (await self._append_all((item,)))[0]
                except StoreDownError as wrong:
                    return wrong

        return await asyncio.gather(*(alone(item) for item in items))

    async def _append_all(self, items: Sequence[TablePut]) -> list[TableKept | Exception]:
        keys, args = redis_tables.parameters(items)
        try:
            answers = await self._append(keys, args)
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong
        return [redis_tables.kept(*pair) for pair in zip(items, answers, strict=True)]


_NO_AOF: Final = (
    "Redis keeps no append-only file, so rolls are lost when it stops: set `appendonly yes`"
    " (and `CONFIG SET appendonly yes` on the running server),"
    " or ARBITRE_REDIS_VOLATILE=yes to accept the loss."
)
_EVICTS: Final = (
    "Redis deletes keys when its memory is full (maxmemory-policy {}), and rolls are such keys:"
    " set `maxmemory-policy noeviction`, or ARBITRE_REDIS_VOLATILE=yes to accept the loss."
)
_UNKNOWN: Final = (
    "Redis does not tell whether it keeps what it acknowledges: allow the command INFO to this"
    " user, or set ARBITRE_REDIS_VOLATILE=yes to go without knowing."
)


def _down(wrong: Exception) -> StoreDownError:
    return StoreDownError(f"Redis: {type(wrong).__name__}")


def _signed(id_: str, value: bytes) -> Signed:
    return Signed(id_, value[_SIG:], value[:_SIG].hex())


def _stored(item: Put, answer: Any) -> Stored | Exception:
    if answer == 1:
        return Stored(Signed(item.id, item.entry, item.sig), replayed=False)
    fp, id_, value = answer
    if value is None:
        return StoreDownError("Redis lost a roll")
    return earlier(item, Known(_signed(id_.decode(), value), fp))
