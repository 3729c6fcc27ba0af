"""Logs of tables out of a store, and back into one."""

import os
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import orjson

from arbitre.audit import entry_hash
from arbitre.audit.ledger import Receipt
from arbitre.audit.tables import Line, TableKeys, resumed, rotate
from arbitre.store.interface import TableMovedError, TablePut, TableStore

PAGE: Final = 1_000


class OtherHistoryError(Exception):
    """The store already holds another log of the same table."""


@dataclass(slots=True)
class Restored:
    """What became of the tables of a store.

    ``foreign`` tables were opened under another master secret: nobody here can go on with
    them.
    """

    rotated: int = 0
    closed: int = 0
    foreign: list[bytes] = field(default_factory=list)


async def log_of(store: TableStore, table: bytes) -> AsyncIterator[Line]:
    """Give every entry of a log, in order."""
    start = 0
    while lines := await store.lines(table, start, PAGE):
        for line in lines:
            yield line
        start = lines[-1].seq + 1


async def put_back(store: TableStore, lines: Sequence[Receipt]) -> int:
    """Append what the store lacks of a verified log; return how many entries it lacked."""
    table = bytes.fromhex(orjson.loads(lines[0].entry)["table"])
    length = 0
    async for kept in log_of(store, table):
        if kept.seq < len(lines) and kept.entry != lines[kept.seq].entry:
            raise OtherHistoryError
        length = kept.seq + 1
    for seq, line in enumerate(lines[length:], length):
        data = orjson.loads(line.entry)
        await store.append(
            TablePut(
                table=table,
                seq=seq,
                prev=bytes.fromhex(data["prev"]),
                head=entry_hash(line.entry),
                entry=line.entry,
                sig=line.sig,
                idem=bytes.fromhex(data["idem"]) if "idem" in data else os.urandom(32),
                fp=bytes.fromhex(data["fp"]) if "fp" in data else bytes(32),
            )
        )
    return max(0, len(lines) - length)


async def rotate_all(store: TableStore, keys: TableKeys, now: Callable[[], int]) -> Restored:
    """Open a new epoch at every table.

    A backup may be older than the reveal of a seed: whoever kept that entry would know the
    faces of each roll to come. So nobody may roll before this is done.
    """
    restored = Restored()
    start = b""
    while tables := await store.tables(start, PAGE):
        for table in tables:
            await _rotate(store, keys, now, table, restored)
        start = tables[-1]
    return restored


async def _rotate(
    store: TableStore, keys: TableKeys, now: Callable[[], int], table: bytes, restored: Restored
) -> None:
    first = (await store.lines(table, 0, 1))[0]
    if orjson.loads(first.entry)["key"] != keys.signer.public_key:
        restored.foreign.append(table)
        return
    while True:
        last = await store.last(table)
        state = resumed(table, first if last is None else last)
        if state.closed:
            restored.closed += 1
            return
        idem = os.urandom(32)
        body = {"idem": idem.hex(), "fp": bytes(32).hex()}
        (seq, entry, sig), left = rotate(keys, state, now(), body)
        try:
            await store.append(
                TablePut(table, seq, state.head, left.head, entry, sig, idem, bytes(32))
            )
        except TableMovedError:  # somebody rolls already: on top of that, then
            continue
        restored.rotated += 1
        return
