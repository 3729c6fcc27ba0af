"""Packages of games, written on the spot."""

from collections.abc import Callable
from importlib import invalidate_caches
from itertools import count
from pathlib import Path

import pytest

Package = Callable[..., str]
_NUMBERS = count()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """Makes a package of the files given, and names it."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(files: dict[str, str]) -> str:
        name = f"game_{next(_NUMBERS)}"
        for path, text in {"__init__.py": "", **files}.items():
            place = tmp_path / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        invalidate_caches()
        return name

    return make
