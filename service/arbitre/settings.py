"""The environment, once, frozen."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MONTH = 30 * 24 * 3600


class SettingsError(ValueError):
    """A setting cannot be used; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How this service runs. Each field is the variable ``ARBITRE_<FIELD>``."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("data")
    workers: int = 1
    redis_url: str | None = None
    redis_volatile: bool = False
    master_key: str | None = None
    roll_ttl: int = MONTH
    odds_threads: int = 1

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read the ``ARBITRE_…`` variables; ``SettingsError`` names the first bad one."""
        return cls(
            host=environment.get("ARBITRE_HOST") or "127.0.0.1",
            port=_whole(environment, "ARBITRE_PORT", 8000, 0, 65535),
            data=Path(environment.get("ARBITRE_DATA") or "data"),
            workers=_whole(environment, "ARBITRE_WORKERS", 1, 1, 64),
            redis_url=environment.get("ARBITRE_REDIS_URL") or None,
            redis_volatile=_boolean(environment, "ARBITRE_REDIS_VOLATILE"),
            master_key=environment.get("ARBITRE_MASTER_KEY") or None,
            roll_ttl=_whole(environment, "ARBITRE_ROLL_TTL", MONTH, 60, 100 * 365 * 24 * 3600),
            odds_threads=_whole(environment, "ARBITRE_ODDS_THREADS", 1, 1, 16),
        )


def _whole(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name, "")
    if not text:
        return default
    fits = text.isascii() and text.isdigit() and len(text) <= len(str(high))
    if not fits or not low <= int(text) <= high:
        msg = f"{name} must be a whole number from {low} to {high}."
        raise SettingsError(msg)
    return int(text)


def _boolean(environment: Mapping[str, str], name: str) -> bool:
    text = environment.get(name, "").lower()
    if text not in {"", "0", "1", "false", "true", "no", "yes"}:
        msg = f"{name} must be yes or no."
        raise SettingsError(msg)
    return text in {"1", "true", "yes"}
