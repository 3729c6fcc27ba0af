"""Rolls in one SQLite file on a local disk: nothing to install, and it survives ``kill -9``.

A batch is one transaction, made durable before anyone is answered. It runs on the event
loop's thread as long as that takes a moment only (two thread hops cost more than a fast
disk does); if the disk turns out slow, or another process is writing, on a writer thread.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from arbitre.audit import Signed
from arbitre.audit.tables import Line
from arbitre.store import sqlite_tables
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

FILE: Final = "rolls.sqlite3"
SLOW: Final = 0.002
"""Seconds of an average commit from which the event loop is spared."""

PATIENCE: Final = 2.0
"""Seconds that the writer thread waits for another process's lock."""

PURGE: Final = 16
"""Expired rolls that a batch may always take away; a large batch takes twice its own size."""

_NEWEST_SAMPLE: Final = 0.1
_STRICT_TABLES: Final = (3, 37)
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA recursive_triggers = ON",  # or REPLACE would delete unseen
)
_SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS rolls (
      id TEXT PRIMARY KEY NOT NULL,
      idem BLOB UNIQUE,
      fp BLOB CHECK ((fp IS NULL) = (idem IS NULL)),
      entry BLOB NOT NULL,
      sig TEXT NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX IF NOT EXISTS rolls_by_expiry ON rolls (expires)",
    """CREATE TRIGGER IF NOT EXISTS rolls_never_change BEFORE UPDATE ON rolls
    BEGIN SELECT RAISE(ABORT, 'a roll never changes'); END""",
    """CREATE TRIGGER IF NOT EXISTS rolls_live_their_time BEFORE DELETE ON rolls
    WHEN old.expires > CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)
    BEGIN SELECT RAISE(ABORT, 'a roll is kept until it expires'); END""",
    *sqlite_tables.SCHEMA,
)
_BY_ID: Final = "SELECT id, entry, sig, fp FROM rolls WHERE id = ? AND expires > ?"
_BY_IDEM: Final = "SELECT id, entry, sig, fp FROM rolls WHERE idem = ? AND expires > ?"
_INSERT: Final = (
    "INSERT INTO rolls (id, idem, fp, entry, sig, expires) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_OVER: Final = "DELETE FROM rolls WHERE (id = ? OR idem = ?) AND expires <= ?"
_PURGE: Final = (
    "DELETE FROM rolls WHERE rowid IN (SELECT rowid FROM rolls WHERE expires <= ? LIMIT ?)"
)

Item = Put | TablePut
Result = TypeVar("Result")


class _LockedError(Exception):
    """Another process is writing."""


class SqliteStore:
    """The store in the file ``path``; rolls live ``ttl`` seconds, tables for ever."""

    settle = 0.0

    def __init__(self, path: Path, ttl: int = TTL) -> None:
        self._path = path
        self._ttl = ttl
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rolls")
        self._group: GroupCommit[Item, Any] = GroupCommit(self._flush)
        self._average = 0.0
        self._purge_at = 0
        self.batches = 0

    async def open(self) -> None:
        """Open the file, or make it."""
        if sqlite3.sqlite_version_info < _STRICT_TABLES:
            msg = f"SQLite is {sqlite3.sqlite_version}; Arbitre needs 3.37 or newer, or Redis."
            raise StoreUnsafeError(msg)
        await self._in_thread(self._connected)

    async def close(self) -> None:
        """Write what is waiting and close the file."""
        await self._group.drain()
        await self._in_thread(self._disconnect)
        self._forget_reader()
        self._thread.shutdown()

    async def put(self, item: Put) -> Stored:
        """Keep one roll; it is on the disk when this returns."""
        stored: Stored = await self._group.add(item)
        return stored

    async def append(self, item: TablePut) -> TableKept:
        """Append one entry to a table's log; it is on the disk when this returns."""
        kept: TableKept = await self._group.add(item)
        return kept

    async def by_key(self, table: bytes, idem: bytes) -> KnownLine | None:
        """Return what a table's log holds under an Idempotency-Key."""
        return await self._read(lambda reader: sqlite_tables.by_key(reader, table, idem))

    async def last(self, table: bytes) -> Line | None:
        """Return the last entry of a table's log."""
        return await self._read(lambda reader: sqlite_tables.last(reader, table))

    async def lines(self, table: bytes, start: int, limit: int) -> list[Line]:
        """Return entries of a table's log from number ``start`` on."""
        return await self._read(lambda reader: sqlite_tables.lines(reader, table, start, limit))

    async def tables(self, start: bytes, limit: int) -> list[bytes]:
        """Return ids of tables, in order, after ``start``."""
        return await self._read(lambda reader: sqlite_tables.tables(reader, start, limit))

    async def get(self, id: str) -> Signed | None:  # noqa: A002 - it is the id
        """Return the roll ``id``."""
        known = await self._look(_BY_ID, id)
        return known and known.signed

    async def by_idem(self, idem: bytes) -> Known | None:
        """Return what is kept under an Idempotency-Key."""
        return await self._look(_BY_IDEM, idem)

    async def ping(self) -> None:
        """Take the write lock and let it go."""
        await self._in_thread(self._commit, (), PATIENCE)

    @property
    def slow(self) -> bool:
        """Say whether commits take so long that they are kept off the event loop."""
        return self._average >= SLOW

    async def _in_thread(self, work: Callable[..., Result], *args: Any) -> Result:
        """Run ``work`` on the writer thread, alone; a cancelled caller leaves it to finish."""

        async def alone() -> Result:
            async with self._turn:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, work, *args)

        try:
            return await asyncio.shield(alone())
        except (sqlite3.Error, OSError, _LockedError) as wrong:
            raise StoreDownError(str(wrong)) from wrong

    async def _flush(self, items: Sequence[Item]) -> Sequence[Stored | TableKept | Exception]:
        if self._writer is not None and not self.slow:
            async with self._turn:
                try:
                    return self._commit(items, 0)
                except _LockedError:
                    pass  # wait for the lock, but not here: the loop has other work
                except sqlite3.Error as wrong:
                    raise StoreDownError(str(wrong)) from wrong
        return await self._in_thread(self._commit, items, PATIENCE)

    def _commit(
        self, items: Sequence[Item], patience: float
    ) -> list[Stored | TableKept | Exception]:
        """Write one batch; after an error the file is opened anew."""
        try:
            writer = self._connected()
            writer.execute(f"PRAGMA busy_timeout = {patience * 1000:.0f}")
            writer.execute("BEGIN IMMEDIATE")
            began = time.perf_counter()
            now = _now()
            results = [
                sqlite_tables.append(writer, item)
                if isinstance(item, TablePut)
                else self._keep(writer, item, now)
                for item in items
            ]
            self._purge(writer, len(items), now)
            writer.execute("COMMIT")
        except sqlite3.Error as wrong:
            if _is_lock(wrong) and not (self._writer and self._writer.in_transaction):
                raise _LockedError(str(wrong)) from wrong
            self._disconnect()
            raise
        self.batches += 1
        self._average += _NEWEST_SAMPLE * (time.perf_counter() - began - self._average)
        return results

    def _keep(self, writer: sqlite3.Connection, item: Put, now: int) -> Stored | Exception:
        expires = now + self._ttl * 1000 if item.expires is None else item.expires
        row = (item.id, item.idem, item.fp, item.entry, item.sig, expires)
        if writer.execute(_INSERT, row).rowcount:
            return Stored(Signed(item.id, item.entry, item.sig), replayed=False)
        if writer.execute(_OVER, (item.id, item.idem, now)).rowcount:
            return self._keep(writer, item, now)
        known = _known(writer, _BY_IDEM, item.idem, now) or _known(writer, _BY_ID, item.id, now)
        assert known is not None  # noqa: S101 - it was in the way
        return earlier(item, known)

    def _purge(self, writer: sqlite3.Connection, batch: int, now: int) -> None:
        """Take some expired rolls away, at most once a second unless more are waiting."""
        if now < self._purge_at:
            return
        most = max(PURGE, 2 * batch)
        gone = writer.execute(_PURGE, (now, most)).rowcount
        if gone < most:
            self._purge_at = now + 1000

    def _connected(self) -> sqlite3.Connection:
        if self._writer is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._writer = _connect(self._path)
        return self._writer

    def _disconnect(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    async def _look(self, query: str, value: object) -> Known | None:
        return await self._read(lambda reader: _known(reader, query, value, _now()))

    async def _read(self, look: Callable[[sqlite3.Connection], Result]) -> Result:
        try:
            if self._reader is None:
                if self._writer is None:
                    await self._in_thread(self._connected)
                self._reader = sqlite3.connect(self._path, isolation_level=None, timeout=0.05)
            return look(self._reader)
        except sqlite3.Error as wrong:
            self._forget_reader()
            raise StoreDownError(str(wrong)) from wrong

    def _forget_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()


def _now() -> int:
    return time.time_ns() // 1_000_000


def _known(connection: sqlite3.Connection, query: str, value: object, now: int) -> Known | None:
    for id_, entry, sig, fp in connection.execute(query, (value, now)).fetchall():
        return Known(Signed(id_, entry, sig), fp)
    return None


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file with its schema; several workers may be doing so at once."""
    deadline = time.monotonic() + PATIENCE
    while True:
        connection = sqlite3.connect(
            path, isolation_level=None, timeout=0.05, check_same_thread=False
        )
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("COMMIT")
        except sqlite3.Error as wrong:
            connection.close()
            # turning a new file to WAL does not wait for the lock by itself
            if not _is_lock(wrong) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return connection


def _is_lock(wrong: sqlite3.Error) -> bool:
    code = getattr(wrong, "sqlite_errorcode", 0)
    return code & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
