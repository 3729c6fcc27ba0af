"""French sentences have their no-break spaces and their apostrophes."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arbitre

PACKAGE = Path(arbitre.__file__).parent
FILES = sorted(PACKAGE.rglob("labels/fr.toml"))

SPACE = "\N{NO-BREAK SPACE}"
LONELY = re.compile(f"(?<!{SPACE})[;!?»]|(?<![{SPACE}\\w]):|«(?!{SPACE})")


def texts(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from texts(value)
        else:
            yield str(value)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_french_is_set_as_french(file: Path) -> None:
    for text in texts(tomllib.loads(file.read_text("utf-8"))):
        plain = re.sub(r"\{[^}]*\}", "0", text)
        assert not LONELY.search(plain), text
        assert "'" not in plain, text
