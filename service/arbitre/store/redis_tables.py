"""The logs of tables in Redis.

======================= ===================================================================
``arb:{<table>}:log``   a list: 64 bytes of signature, then the entry, for each number
``arb:{<table>}:idx``   a hash: ``#head`` is the hash of the last entry; for each key that was
                        used, 32 bytes of fingerprint, then the number of its entry
======================= ===================================================================

Both keys of a table share its hash tag, so one slot of a cluster. Nothing here expires.
"""

from collections.abc import Sequence
from typing import Any, Final

import orjson

from arbitre.audit.tables import Line
from arbitre.store.interface import (
    IdempotencyConflictError,
    KnownLine,
    StoreDownError,
    TableKept,
    TableMovedError,
    TablePut,
)

SIG: Final = 64
FP: Final = 32
LOST: Final = "Redis lost an entry of a table"

APPEND: Final = """
local answers = {}
for i = 1, #KEYS / 2 do
  local log, idx = KEYS[2 * i - 1], KEYS[2 * i]
  local seq, prev, head, idem, fp, value = unpack(ARGV, 6 * i - 5, 6 * i)
  local known = redis.call('HGET', idx, idem)
  if known then
    local at = string.sub(known, 33)
    answers[i] = {string.sub(known, 1, 32), at, redis.call('LINDEX', log, at)}
  elseif redis.call('LLEN', log) ~= tonumber(seq)
      or (redis.call('HGET', idx, '#head') or string.rep('\\0', 32)) ~= prev then
    answers[i] = 0
  else
    redis.call('RPUSH', log, value)
    redis.call('HSET', idx, '#head', head, idem, fp .. seq)
    answers[i] = 1
  end
end
return answers
"""
"""Appends entries, each only where its log ends just before it; sent twice, it writes once."""


def log_key(table: bytes) -> str:
    """Return the key of a table's entries."""
    return f"arb:{{{table.hex()}}}:log"


def index_key(table: bytes) -> str:
    """Return the key of what a table's log is known by."""
    return f"arb:{{{table.hex()}}}:idx"


def parameters(items: Sequence[TablePut]) -> tuple[list[str], list[Any]]:
    """Return the keys and arguments of ``APPEND``."""
    keys: list[str] = []
    args: list[Any] = []
    for item in items:
        keys += (log_key(item.table), index_key(item.table))
        value = bytes.fromhex(item.sig) + item.entry
        args += (item.seq, item.prev, item.head, item.idem, item.fp, value)
    return keys, args


def kept(item: TablePut, answer: Any) -> TableKept | Exception:
    """Read what ``APPEND`` answered for ``item``."""
    if answer == 1:
        return TableKept(Line(item.seq, item.entry, item.sig), replayed=False)
    if answer == 0:
        return TableMovedError()
    fp, _at, value = answer
    if value is None:
        return StoreDownError(LOST)
    if fp != item.fp:
        return IdempotencyConflictError()
    return TableKept(line(value), replayed=True)


def known(found: bytes, value: bytes) -> KnownLine:
    """Read what the index and the list hold of a key."""
    return KnownLine(line(value), found[:FP])


def line(value: bytes) -> Line:
    """Read one entry of the list."""
    entry = value[SIG:]
    return Line(orjson.loads(entry)["seq"], entry, value[:SIG].hex())
