"""``requirements.txt`` pins every dependency that the project declares."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = (ROOT / "requirements.txt").read_text(encoding="utf-8")


def test_every_dependency_is_pinned_with_hashes() -> None:
    pinned = dict(
        re.findall(r"^([\w.-]+)(?:\[\w+\])?==\S+.*?\n((?: +--hash=.*\n)+)", PINNED, re.MULTILINE)
    )
    declared = {re.split(r"[\[<>=]", text)[0] for text in PROJECT["dependencies"]}
    assert declared <= pinned.keys()


def test_no_address_is_in_it() -> None:
    assert "://" not in PINNED
