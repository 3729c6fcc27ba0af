"""Lint, format, types and layers: whoever runs the tests runs these too."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = "from importlinter.cli import lint_imports_command as run; run()"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["-m", "ruff", "check"], id="ruff check"),
        pytest.param(["-m", "ruff", "format", "--check"], id="ruff format"),
        pytest.param(["-m", "mypy"], id="mypy"),
        pytest.param(["-c", LAYERS], id="import-linter"),
    ],
)
def test_the_tools_find_nothing(arguments: list[str]) -> None:
    found = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout
