"""Asks the service of a fresh process about one game, and prints what it finds as JSON."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from arbitre.app import create_app
from arbitre.registry import load_registry
from arbitre.settings import Settings
from arbitre.testing import cases

GRAPHQL = """mutation{tinyDuel{duel(request:{a:{skill:3,weapon:BLADE},b:{skill:2}},
dice:[5,1,1,6,6],language:EN){outcome{winner margin}summary}}}"""
ODDS = "{tinyDuel{duelOdds(request:{a:{skill:1},b:{skill:1}}){odds{field values{p}}}}}"
DUEL = {"a": {"skill": 3, "weapon": "blade"}, "b": {"skill": 2}}


def failures() -> list[str]:
    """Run the contract of the installed game."""
    failed = []
    for case in cases(load_registry()["tiny-duel"]):
        try:
            case.run()
        except AssertionError as wrong:
            failed.append(f"{case}: {wrong}")
    return failed


def asked(client: TestClient) -> dict[str, Any]:
    """Ask at every door."""
    english = {"lang": "en"}
    duel = "/v1/tiny-duel/duel"
    return {
        "systems": [card["id"] for card in client.get("/v1/systems").json()["systems"]],
        "page": client.get("/v1/systems/tiny-duel", params=english).json(),
        "rules": client.get("/v1/systems/tiny-duel/rules", params=english).json(),
        "tables": client.get("/v1/systems/tiny-duel/tables", params=english).json(),
        "roll": client.post(
            duel, json={"request": DUEL, "dice": [5, 1, 1, 6, 6]}, params=english
        ).json(),
        "refusal": client.post(
            duel, json={"request": {"a": {"skill": 0}, "b": {"skill": 0}}}, params=english
        ).json(),
        "odds": client.post(f"{duel}/odds", json={"request": DUEL}).json(),
        "chat": client.post("/v1/tiny-duel/chat", json={"line": "3 lame / 2", "seed": "s"}).json(),
        "openapi": sorted(
            path for path in client.get("/openapi.json").json()["paths"] if "tiny-duel" in path
        ),
        "graphql": client.post("/graphql", json={"query": GRAPHQL}).json(),
        "graphql_odds": client.post("/graphql", json={"query": ODDS}).json(),
        "problems": [
            card["code"]
            for card in client.get("/v1/problems").json()["problems"]
            if card["system"] == "tiny-duel"
        ],
    }


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as folder,
        TestClient(create_app(Settings(data=Path(folder)))) as client,
    ):
        json.dump({"failures": failures(), **asked(client)}, sys.stdout)
