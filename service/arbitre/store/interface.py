"""What every store keeps and promises."""

from typing import Final, NamedTuple, Protocol

from arbitre.audit import Signed
from arbitre.audit.tables import Line

TTL: Final = 30 * 24 * 3600
"""Seconds that a roll outside a table is kept, unless told otherwise."""


class StoreDownError(Exception):
    """The database does not answer: nothing was written, or nobody knows."""


class StoreUnsafeError(StoreDownError):
    """The database would lose acknowledged rolls; the sentence says what to change."""


class IdempotencyConflictError(Exception):
    """The same key was used before for another request."""


class Put(NamedTuple):
    """One roll to keep.

    ``idem`` and ``fp`` come together or not at all. ``expires`` is in milliseconds since
    1970; None means the store's own time to live, from now.
    """

    id: str
    idem: bytes | None
    fp: bytes | None
    entry: bytes
    sig: str
    expires: int | None = None


class Stored(NamedTuple):
    """What a store holds now; ``replayed`` when an earlier request wrote it."""

    signed: Signed
    replayed: bool


class Known(NamedTuple):
    """What was stored before, and the fingerprint of its request, if it had one."""

    signed: Signed
    fp: bytes | None


class Store(Protocol):
    """Where rolls are kept.

    Every method may raise ``StoreDownError``, and works again once the database does.
    """

    async def open(self) -> None:
        """Connect and check that the database is fit; ``StoreUnsafeError`` if it is not."""

    async def close(self) -> None:
        """Write what is waiting and let go of the database."""

    async def put(self, item: Put) -> Stored:
        """Keep one roll durably, or return the one already kept under the same ``idem``.

        ``IdempotencyConflictError`` when that one has another fingerprint.
        """

    async def get(self, id: str) -> Signed | None:  # noqa: A002 - it is the id
        """Return the roll ``id``, unless there is none or its time is over."""

    async def by_idem(self, idem: bytes) -> Known | None:
        """Return what is kept under an Idempotency-Key."""

    async def ping(self) -> None:
        """Return if the database could take a roll now."""


def earlier(item: Put, known: Known) -> Stored | IdempotencyConflictError:
    """Answer ``item``, in whose place ``known`` already stands."""
    mine = known.signed.id == item.id
    if (known.fp or None) != item.fp or (mine and known.signed.entry != item.entry):
        return IdempotencyConflictError()
    return Stored(known.signed, replayed=not mine)


class TableMovedError(Exception):
    """Somebody else appended to the table's log first: build on its new end and try again."""


class TablePut(NamedTuple):
    """The next entry of a table's log.

    ``seq`` is its number and ``prev`` the hash of the entry before it (32 zero bytes for the
    first): it is kept only where the log ends just there. ``head`` is its own hash. Every
    entry has an ``idem``, made by the service where the caller gave no key.
    """

    table: bytes
    seq: int
    prev: bytes
    head: bytes
    entry: bytes
    sig: str
    idem: bytes
    fp: bytes


class TableKept(NamedTuple):
    """What a table's log holds now; ``replayed`` when an earlier request wrote it."""

    line: Line
    replayed: bool


class KnownLine(NamedTuple):
    """What a table's log holds under an Idempotency-Key, and its request's fingerprint."""

    line: Line
    fp: bytes


class TableStore(Protocol):
    """Where the logs of tables are kept: nothing in them expires, changes or goes.

    Every method may raise ``StoreDownError``.
    """

    settle: float
    """Seconds after which an acknowledged entry survives even a power failure."""

    async def append(self, item: TablePut) -> TableKept:
        """Append one entry durably, or return the one already kept under the same ``idem``.

        ``TableMovedError`` when the log does not end at ``prev``, and for a table that does
        not exist unless ``seq`` is 0; ``IdempotencyConflictError`` when ``idem`` was used
        with another fingerprint.
        """

    async def by_key(self, table: bytes, idem: bytes) -> KnownLine | None:
        """Return what a table's log holds under an Idempotency-Key."""

    async def last(self, table: bytes) -> Line | None:
        """Return the last entry of a log, or None: there is no such table."""

    async def lines(self, table: bytes, start: int, limit: int) -> list[Line]:
        """Return up to ``limit`` entries from number ``start`` on."""

    async def tables(self, start: bytes, limit: int) -> list[bytes]:
        """Return up to ``limit`` ids of tables, in order, after ``start``: to restore."""


class Log(Store, TableStore, Protocol):
    """A store of both kinds: rolls outside tables, and tables."""
