"""The logs of tables in SQLite, beside the rolls: rows that are only ever added."""

import sqlite3
from typing import Final

from arbitre.audit.tables import Line
from arbitre.store.interface import (
    IdempotencyConflictError,
    KnownLine,
    TableKept,
    TableMovedError,
    TablePut,
)

SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS lines (
      tbl BLOB NOT NULL CHECK (length(tbl) = 16),
      seq INTEGER NOT NULL CHECK (seq >= 0),
      head BLOB NOT NULL,
      idem BLOB NOT NULL,
      fp BLOB NOT NULL,
      entry BLOB NOT NULL,
      sig TEXT NOT NULL,
      PRIMARY KEY (tbl, seq),
      UNIQUE (tbl, idem)
    ) STRICT""",
    """CREATE TRIGGER IF NOT EXISTS lines_never_change BEFORE UPDATE ON lines
    BEGIN SELECT RAISE(ABORT, 'an entry never changes'); END""",
    """CREATE TRIGGER IF NOT EXISTS lines_never_go BEFORE DELETE ON lines
    BEGIN SELECT RAISE(ABORT, 'an entry is kept for ever'); END""",
)

_BY_KEY: Final = "SELECT seq, entry, sig, fp FROM lines WHERE tbl = ? AND idem = ?"
_LAST: Final = "SELECT seq, head, entry, sig FROM lines WHERE tbl = ? ORDER BY seq DESC LIMIT 1"
_INSERT: Final = (
    "INSERT INTO lines (tbl, seq, head, idem, fp, entry, sig) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_LINES: Final = "SELECT seq, entry, sig FROM lines WHERE tbl = ? AND seq >= ? ORDER BY seq LIMIT ?"
_TABLES: Final = "SELECT tbl FROM lines WHERE seq = 0 AND tbl > ? ORDER BY tbl LIMIT ?"


def append(writer: sqlite3.Connection, item: TablePut) -> TableKept | Exception:
    """Add one entry where the log ends just before it; return what stands there now."""
    known = by_key(writer, item.table, item.idem)
    if known is not None:
        if known.fp != item.fp:
            return IdempotencyConflictError()
        return TableKept(known.line, replayed=True)
    end = writer.execute(_LAST, (item.table,)).fetchone()
    stands = (end[0] + 1, end[1]) if end else (0, bytes(32))
    if stands != (item.seq, item.prev):
        return TableMovedError()
    writer.execute(
        _INSERT, (item.table, item.seq, item.head, item.idem, item.fp, item.entry, item.sig)
    )
    return TableKept(Line(item.seq, item.entry, item.sig), replayed=False)


def by_key(reader: sqlite3.Connection, table: bytes, idem: bytes) -> KnownLine | None:
    """Return what is kept under an Idempotency-Key."""
    row = reader.execute(_BY_KEY, (table, idem)).fetchone()
    return KnownLine(Line(row[0], row[1], row[2]), row[3]) if row else None


def last(reader: sqlite3.Connection, table: bytes) -> Line | None:
    """Return the last entry of a log."""
    row = reader.execute(_LAST, (table,)).fetchone()
    return Line(row[0], row[2], row[3]) if row else None


def lines(reader: sqlite3.Connection, table: bytes, start: int, limit: int) -> list[Line]:
    """Return entries from number ``start`` on."""
    return [Line(*row) for row in reader.execute(_LINES, (table, start, limit)).fetchall()]


def tables(reader: sqlite3.Connection, start: bytes, limit: int) -> list[bytes]:
    """Return ids of tables, in order, after ``start``."""
    return [row[0] for row in reader.execute(_TABLES, (start, limit)).fetchall()]
