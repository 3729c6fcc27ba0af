"""Where rolls are kept: SQLite by default, or Redis, behind one interface."""

from arbitre.store.interface import (
    TTL,
    IdempotencyConflictError,
    Known,
    Put,
    Store,
    Stored,
    StoreDownError,
    StoreUnsafeError,
)

__all__ = [
    "TTL",
    "IdempotencyConflictError",
    "Known",
    "Put",
    "Store",
    "StoreDownError",
    "StoreUnsafeError",
    "Stored",
]
