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
from arbitre.store.open import store_from

__all__ = [
    "TTL",
    "IdempotencyConflictError",
    "Known",
    "Put",
    "Store",
    "StoreDownError",
    "StoreUnsafeError",
    "Stored",
    "store_from",
]
