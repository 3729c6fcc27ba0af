"""What CONTRIBUTING.md quotes is what stands in Tiny Duel."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GAME = ROOT / "tests" / "plugin" / "src" / "tiny_duel"
QUOTED = re.findall(r"^```(python|toml)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("kind", "quoted"), QUOTED, ids=[text[:40] for _, text in QUOTED])
def test_a_quotation_stands_in_the_game(kind: str, quoted: str) -> None:
    suffix = {"python": "*.py", "toml": "*.toml"}[kind]
    sources = [path.read_text(encoding="utf-8") for path in GAME.rglob(suffix)]
    assert any(quoted in source for source in sources)
