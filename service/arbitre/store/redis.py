"""Rolls in Redis, for many workers and machines: one round trip carries a whole batch.

====================== =====================================================================
``arb:{rolls}:r:<id>``   64 bytes of signature, then the entry
``arb:{rolls}:i:<idem>`` 32 bytes of fingerprint, then the id of the roll
====================== =====================================================================

Both keys of a roll expire together. All rolls outside tables share the hash tag ``rolls``, so
one slot and, in a cluster, one node: a batch stays one script, atomic and retried as a whole,
and one node takes more rolls than dozens of workers resolve.

A script that is sent twice, because the first answer was lost, finds what it wrote.
"""

import time
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis
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


class RedisStore:
    """The store at ``url``; rolls live ``ttl`` seconds.

    A server that may lose acknowledged rolls is refused unless ``allow_volatile``.
    """

    def __init__(self, url: str, ttl: int = TTL, *, allow_volatile: bool = False) -> None:
        if not url.startswith(("redis://", "rediss://", "unix://")):
            msg = "the address of Redis must begin with redis://, rediss:// or unix://"
            raise ValueError(msg)
        self._ttl = ttl
        self._fit = allow_volatile
        self._redis: Redis = Redis.from_url(
            url,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            retry=Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), RETRIES),
        )
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
        """Ask for a sign of life, and once whether the server is fit."""
        try:
            await self._redis.ping()
            if not self._fit:
                await self._check()
                self._fit = True
        except (RedisError, OSError) as wrong:
            raise _down(wrong) from wrong

    async def _check(self) -> None:
        try:
            persistence = await self._redis.info("persistence")
            memory = await self._redis.info("memory")
        except ResponseError:
            raise StoreUnsafeError(_UNKNOWN) from None
        if not persistence.get("aof_enabled"):
            raise StoreUnsafeError(_NO_AOF)
        policy = memory.get("maxmemory_policy")
        if policy != "noeviction":
            raise StoreUnsafeError(_EVICTS.format(policy))

    async def _flush(self, items: Sequence[Put]) -> Sequence[Stored | Exception]:
        if not self._fit:
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
