"""One line of a game's notation over REST: read to its end, or refused by the word at fault."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import tiny_duel
from arbitre.api.desk import Desk
from arbitre.api.problems import LABELS, Problem
from arbitre.app import create_app
from arbitre.audit import Signer
from arbitre.registry import registry_of
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System
from arbitre.settings import Settings
from arbitre.store import store_from
from doors import told

CHAT = "/v1/tiny-duel/chat"
DUEL = "/v1/tiny-duel/duel"


@pytest.fixture(scope="module")
def duels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data=tmp_path_factory.mktemp("data"))
    app = create_app(settings, registry_of([tiny_duel.SYSTEM]))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_a_line_with_faces_and_a_comment_is_a_roll_with_a_note(duels: TestClient) -> None:
    asked = {
        "line": "/td 3 lame / 2 = 5,1,1,6,6 # à l\N{RIGHT SINGLE QUOTATION MARK}aube",
        "actor": "Ana",
    }
    found = duels.post(CHAT, json=asked).json()
    assert found["request"] == {
        "a": {"skill": 3, "weapon": "blade"},
        "b": {"skill": 2, "weapon": "fist"},
    }
    assert [draw["faces"] for draw in found["draws"]] == [[5, 1, 1], [6, 6]]
    assert found["note"] == "à l\N{RIGHT SINGLE QUOTATION MARK}aube"
    assert found["actor"] == "Ana"
    again = duels.get(f"/v1/rolls/{found['id']}").json()
    assert again == found


def test_a_line_with_a_seed_rolls_as_its_rule_does(duels: TestClient) -> None:
    said = duels.post(CHAT, json={"line": "3 / 2", "seed": "s"}).json()
    sent = duels.post(DUEL, json={"request": said["request"], "seed": "s"}).json()
    assert told(said) == told(sent)


def test_a_line_may_ask_for_odds(duels: TestClient) -> None:
    said = duels.post(CHAT, json={"line": "/td? 3 / 2", "note": None}).json()
    assert said["code"] == "invalid"
    said = duels.post(CHAT, json={"line": "/td? 3 / 2"}).json()
    request = {"a": {"skill": 3}, "b": {"skill": 2}}
    assert said == duels.post(f"{DUEL}/odds", json={"request": request}).json()


def test_a_retried_line_rolls_once(duels: TestClient) -> None:
    headers = {"Idempotency-Key": "line"}
    one, other = (duels.post(CHAT, json={"line": "3 / 2"}, headers=headers) for _ in range(2))
    assert one.content == other.content
    assert other.headers["idempotency-replayed"] == "true"
    answer = duels.post(CHAT, json={"line": "3 / 3"}, headers=headers)
    assert answer.status_code == 422


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("/td 3 épée / 2", "chat-missing", "épée"),
        ("/td", "chat-bare-prefix", ""),
        ("/td 3", "chat-missing", ""),
        ("   ", "chat-empty", ""),
        ("# rien", "chat-empty", ""),
        ("/td 3 / 2 = 5 = 6", "chat-unknown-word", "="),
        ("/td 99999999999999999999 / 2", "chat-long-number", "99999999999999999999"),
    ],
)
def test_a_line_that_cannot_be_read_shows_the_word_at_fault(
    duels: TestClient, line: str, code: str, word: str, language: str
) -> None:
    answer = duels.post(CHAT, json={"line": line}, params={"lang": language})
    assert answer.status_code == 409
    found = answer.json()
    assert found["code"] == code
    assert found["word"] == word
    assert 0 <= found["position"] <= len(line)
    assert [fault["pointer"] for fault in found["faults"]] == ["/line"]
    assert found["title"] == LABELS[language].raw("titles", code)
    if word:
        assert word not in found["detail"] + found["fix"]


def test_a_line_that_says_what_the_rule_forbids_is_409(duels: TestClient) -> None:
    answer = duels.post(CHAT, json={"line": "13 / 2"})
    assert answer.status_code == 409
    found = answer.json()
    assert (found["code"], found["status"]) == ("invalid", 409)
    assert found["faults"][0]["pointer"] == "/request/a/skill"
    answer = duels.post(CHAT, json={"line": "/td? 13 / 2"})
    assert answer.status_code == 409
    answer = duels.post(CHAT, json={"line": "0 / 0"})
    assert (answer.status_code, answer.json()["code"]) == (409, "nobody-fights")
    answer = duels.post(CHAT, json={"line": "3 / 2 = 5,1", "seed": "s"})
    assert (answer.status_code, answer.json()["code"]) == (409, "dice-and-seed")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/line"),
        ({"line": ""}, "/line"),
        ({"line": "\0"}, "/line"),
        ({"line": 3}, "/line"),
        ({"line": "3 / 2", "dice": [1]}, "/dice"),
        ({"line": "x" * 1001}, "/line"),
    ],
)
def test_a_body_without_a_line_is_422(
    duels: TestClient, body: dict[str, Any], pointer: str
) -> None:
    answer = duels.post(CHAT, json=body)
    assert answer.status_code == 422
    assert answer.json()["faults"][0]["pointer"] == pointer


def changed(**more: Any) -> System:
    fields = ("id", "prefix", "models", "version", "package", "resolvers", "tables", "chat")
    found = {field: getattr(tiny_duel.SYSTEM, field) for field in fields}
    return System(**{**found, **more})


@pytest.fixture
def bare() -> System:
    """The same game without notation and without odds."""
    (duel,) = tiny_duel.SYSTEM.resolvers
    silent = Resolver(**{**{f: getattr(duel, f) for f in duel.__slots__}, "odds": ()})
    return changed(chat=None, resolvers=(silent,))


def test_a_game_without_notation_or_odds_has_no_such_address(tmp_path: Path, bare: System) -> None:
    with TestClient(create_app(Settings(data=tmp_path), registry_of([bare]))) as client:
        paths = client.get("/openapi.json").json()["paths"]
        assert DUEL in paths
        assert CHAT not in paths
        assert f"{DUEL}/odds" not in paths
        assert client.post(CHAT, json={"line": "3 / 2"}).status_code == 404
        assert client.post(f"{DUEL}/odds", json={}).status_code == 404


async def test_a_desk_says_what_it_has_not(tmp_path: Path, bare: System) -> None:
    desk = Desk(registry_of([bare]), Signer(bytes(32)), store_from(None, tmp_path))
    rule = desk.rule("tiny-duel", "duel")
    with pytest.raises(Problem, match="no-odds"):
        await desk.odds(rule, b"{}", "fr")
    with pytest.raises(Problem, match="no-table"):
        await desk.roll("0.1", "fr")
    with pytest.raises(Problem, match="chat-no-notation"):
        await desk.chat(bare, b'{"line": "3"}', "fr")
