"""Every command that the README shows is run against a running service, its answer compared.

A command is a block ```` ```sh ````; the block right after it is what it prints. There, ``…``
stands for whatever differs from run to run.
"""

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arbitre.__main__ import OPTIONS
from redis_server import free_port

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$(?:\n+^```(\w+)\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
PORT = "8000"
INSTALL = "python3 -m venv .venv && .venv/bin/pip install"
STARTS = (INSTALL, "uv run ", "git clone ", "arbitre serve ", "ARBITRE_")
"""Commands that install, or that stay in the foreground: a test cannot run them."""


class Command(NamedTuple):
    """What is shown: what one types, and what one reads."""

    text: str
    answer: str | None


def commands() -> list[Command]:
    found = []
    for kind, text, next_kind, answer in FENCE.findall(README):
        if kind == "sh":
            shown = answer.strip() if next_kind not in {"", "sh"} else None
            found.append(Command(text.strip(), shown))
        if next_kind == "sh":
            found.append(Command(answer.strip(), None))
    return found


SHOWN = [command for command in commands() if not command.text.startswith(STARTS)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The service as the README starts it, in a folder of its own, on another port."""
    folder, port = tmp_path_factory.mktemp("readme"), free_port()
    environment = {key: value for key, value in os.environ.items() if "ARBITRE" not in key}
    process = subprocess.Popen(
        [sys.executable, "-m", "arbitre", "serve", "--port", str(port)],
        cwd=folder,
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
        except OSError:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        else:
            break
    yield folder, port
    process.terminate()
    process.wait(20)


def _pattern(answer: str) -> re.Pattern[str]:
    return re.compile(".*?".join(map(re.escape, answer.split("…"))), re.DOTALL)


@pytest.mark.parametrize("command", SHOWN, ids=lambda command: command.text[:70])
def test_a_command_prints_what_the_readme_says(command: Command, server: tuple[Path, int]) -> None:
    folder, port = server
    tools = str(Path(sys.executable).parent)
    text = command.text.replace(f":{PORT}", f":{port}").replace(".venv/bin/", f"{tools}/")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.strip().replace(f":{port}", f":{PORT}")
    if command.answer is not None:
        assert _pattern(command.answer).fullmatch(printed), printed


def test_the_two_commands_come_first() -> None:
    first, second = [text for kind, text, *_ in FENCE.findall(README) if kind == "sh"][:2]
    assert first.strip() == f"{INSTALL} . && .venv/bin/arbitre serve"
    assert second.strip() == f"{INSTALL} -e '.[test]' && .venv/bin/python -m pytest -n 2 --cov"


def test_ci_runs_the_very_command_of_the_readme() -> None:
    second = f"{INSTALL} -e '.[test]' && .venv/bin/python -m pytest -n 2 --cov"
    assert second in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_every_setting_is_in_the_table() -> None:
    described = re.findall(r"^\| `(ARBITRE_\w+)`", README, re.MULTILINE)
    assert sorted(described) == sorted(variable for variable, _ in OPTIONS.values())
