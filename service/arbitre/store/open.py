"""Which store a service has: Redis where an address is given, else a file."""

from pathlib import Path

from arbitre.store.interface import TTL, Log
from arbitre.store.redis import RedisStore
from arbitre.store.sqlite import FILE, SqliteStore


def store_from(
    redis_url: str | None, data_dir: Path, ttl: int = TTL, *, allow_volatile: bool = False
) -> Log:
    """Return the store, not yet opened; rolls outside tables live ``ttl`` seconds."""
    if redis_url:
        return RedisStore(redis_url, ttl, allow_volatile=allow_volatile)
    return SqliteStore(data_dir / FILE, ttl)
