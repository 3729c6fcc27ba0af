"""Rolls in Redis, for many workers and machines: one round trip carries a whole batch.

====================== =====================================================================
``arb:{rolls}:r:<id>``   64 bytes of signature, then the entry
``arb:{rolls}:i:<idem>`` 32 bytes of fingerprint, then the id of the roll
====================== =====================================================================

Both keys of a roll expire together. All rolls outside tables share the hash tag ``rolls``, so
one slot and, in a cluster, one node: a batch stays one script, atomic and retried as a whole,
and one node takes more rolls than dozens of workers resolve. Any node of a cluster will do as
the address.

A script that is sent twice, because the first answer was lost, finds what it wrote.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import RedisError, ResponseError

from arbitre.audit import Signed
from arbitre.store.group import GroupCommit
from arbitre.store.interface import (
    TTL,
    Known,
    Put,
    Stored,
    StoreDownError,
    StoreUnsafeError,
    earlier,
)

TIMEOUT: Final = 1.0
"""Seconds that Redis has for an answer."""

RETRIES: Final = 2

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


class RedisStore:
    """The store at ``url``; rolls live ``ttl`` seconds.

    A server that may lose acknowledged rolls is refused unless ``allow_volatile``.
    """

    def __init__(self, url: str, ttl: int = TTL, *, allow_volatile: bool = False) -> None:
        if not url.startswith(("redis://", "rediss://", "unix://")):
            msg = "the address of Redis must begin with redis://, rediss:// or unix://"
            raise ValueError(msg)
        self._url = url
        self._ttl = ttl
        self._allow_volatile = allow_volatile
        self._known = False
        self._turn = asyncio.Lock()
        self._redis: Redis | RedisCluster = Redis.from_url(url, **_options())
        self._script = self._redis.register_script(_PUT)
        self._group: GroupCommit[Put, Stored] = GroupCommit(self._flush)
        self.batches = 0

    async def open(self) -> None:
        """Connect, and check that the server keeps what it acknowledges."""
        await self.ping()

    async def close(self) -> None:
        """Write what is waiting and disconnect."""
        await self._group.drain()
        await self._redis.aclose()

    async def put(self, item: Put) -> Stored:
        """Keep one roll."""
        return await self._group.add(item)

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
