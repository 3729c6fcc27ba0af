"""A game from a package of its own is found at every door, and nothing here knows of it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tiny_duel
from arbitre.testing import Case, cases

TESTS = Path(__file__).parent
PLUGIN = TESTS / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Install the package apart; return the environment of processes that see it."""
    target = tmp_path_factory.mktemp("site")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"),
            *("--no-build-isolation", "--disable-pip-version-check"),
            *("--target", str(target), str(PLUGIN)),
        ],
        check=True,
        timeout=120,
    )
    return {**os.environ, "PYTHONPATH": str(target), "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(scope="module")
def found(installed: dict[str, str]) -> dict[str, Any]:
    """What a fresh process says of the game."""
    done = subprocess.run(
        [sys.executable, str(TESTS / "probe.py")],
        env=installed,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("case", cases(tiny_duel.SYSTEM), ids=str)
def test_the_contract_holds(case: Case) -> None:
    case.run()


def test_the_contract_holds_where_it_is_installed(found: dict[str, Any]) -> None:
    assert found["failures"] == []


def test_it_stands_beside_the_games_that_come_with_the_service(found: dict[str, Any]) -> None:
    assert "tiny-duel" in found["systems"]
    assert len(found["systems"]) > 1


def test_its_pages_are_there(found: dict[str, Any]) -> None:
    assert [card["id"] for card in found["page"]["resolvers"]] == ["duel"]
    assert {card["id"] for card in found["rules"]["rules"]} >= {"TD-01", "TD-02", "TD-R1"}
    assert [table["id"] for table in found["tables"]["tables"]] == ["weapons"]
    assert found["problems"] == list(tiny_duel.SYSTEM.labels["fr"].table("refusals"))


def test_it_rolls_at_every_door(found: dict[str, Any]) -> None:
    assert found["roll"]["outcome"] == {"winner": None, "margin": 0}
    told = found["graphql"]["data"]["tinyDuel"]["duel"]
    assert told["outcome"] == {"winner": None, "margin": 0}
    assert told["summary"] == found["roll"]["summary"]
    assert found["chat"]["resolver"] == "duel"
    assert found["refusal"]["code"] == "nobody-fights"
    assert found["refusal"]["rule"] == "TD-R1"


def test_it_has_odds_at_every_door(found: dict[str, Any]) -> None:
    assert [row["field"] for row in found["odds"]["odds"]] == ["winner", "margin", "winner+margin"]
    rows = found["graphql_odds"]["data"]["tinyDuel"]["duelOdds"]["odds"]
    assert [row["field"] for row in rows] == ["winner", "margin", "winner+margin"]


def test_it_is_documented(found: dict[str, Any]) -> None:
    assert found["openapi"] == [
        "/v1/tiny-duel/chat",
        "/v1/tiny-duel/duel",
        "/v1/tiny-duel/duel/odds",
    ]


def test_the_command_line_knows_it(installed: dict[str, str], tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "arbitre", *arguments],
            env=installed,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=60,
        ).stdout

    assert "tiny-duel" in run("systems")
    duel = ("tiny-duel", "duel", 'a={"skill":3}', 'b={"skill":2}')
    printed = run("roll", *duel, "--dice", "5,1,1,6,6", "--lang", "en", "--data", str(tmp_path))
    assert "Victory: the second fighter, margin 1." in printed
    assert "winner" in run("odds", *duel)


def test_without_it_nothing_here_knows_of_it() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "arbitre", "systems"],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    assert "tiny-duel" not in done.stdout
