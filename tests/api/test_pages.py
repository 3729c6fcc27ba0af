"""The pages about games, rules, tables, problems and the service itself."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from arbitre import __version__
from arbitre.api.problems import LABELS
from arbitre.registry import Registry
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.system import System
from doors import GAMES, examples, name


@pytest.fixture(params=GAMES, ids=name)
def system(request: pytest.FixtureRequest) -> System:
    found: System = request.param
    return found


def page(client: TestClient, path: str, language: str = "fr") -> Any:
    answer = client.get(path, params={"lang": language})
    assert answer.status_code == 200
    assert answer.headers["content-language"] == language
    return answer.json()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_listed_with_its_rules(
    client: TestClient, registry: Registry, language: str
) -> None:
    found = page(client, "/v1/systems", language)["systems"]
    assert [card["id"] for card in found] == list(registry)
    for card in found:
        system = registry[card["id"]]
        assert card["resolvers"] == list(system.by_id)
        assert card["version"] == system.version
        assert card["languages"] == list(LANGUAGES)
        assert card["name"] == system.labels[language].raw("system", "name")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_shows_a_schema_and_an_example_of_each_rule(
    client: TestClient, system: System, language: str
) -> None:
    found = page(client, f"/v1/systems/{system.id}", language)
    assert found["id"] == system.id
    assert [card["id"] for card in found["resolvers"]] == list(system.by_id)
    for card in found["resolvers"]:
        assert card["name"] == system.labels[language].raw("resolvers", card["id"])
        assert card["description"]
        assert set(card["rules"]) <= set(system.rules)
        assert not list(Draft202012Validator(card["request"]).iter_errors(card["example"]))
        answer = client.post(
            f"/v1/{system.id}/{card['id']}", json={"request": card["example"], "seed": "s"}
        )
        assert answer.status_code == 200, answer.text
        outcome = Draft202012Validator(card["outcome"])
        assert not list(outcome.iter_errors(answer.json()["outcome"]))
        asked = client.post(f"/v1/{system.id}/{card['id']}/odds", json={"request": card["example"]})
        assert asked.status_code == (200 if card["odds"] else 404)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_the_book_is_cited(client: TestClient, system: System, language: str) -> None:
    found = page(client, f"/v1/systems/{system.id}/rules", language)["rules"]
    assert [card["id"] for card in found] == list(system.rules)
    for card in found:
        rule = system.rules[card["id"]]
        assert card["title"] == rule.title[language]
        assert card["section"]
        assert card["ruling"] is rule.ruling
        assert bool(card["resolvers"]) is not bool(card["unclaimed"])
        assert set(card["resolvers"]) <= set(system.by_id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_table_of_the_book_is_data(client: TestClient, system: System, language: str) -> None:
    found = page(client, f"/v1/systems/{system.id}/tables", language)["tables"]
    assert [card["id"] for card in found] == [table.id for table in system.tables]
    for card in found:
        assert card["title"]
        assert card["rules"]
        assert all(column["label"] for column in card["columns"])
        assert card["rows"]
        assert {len(row) for row in card["rows"]} == {len(card["columns"])}


@pytest.mark.parametrize("part", ["", "/rules", "/tables"])
def test_an_unknown_game_has_no_page(client: TestClient, part: str) -> None:
    answer = client.get(f"/v1/systems/go{part}", params={"lang": "en"})
    assert answer.status_code == 404
    assert answer.json()["detail"] == "The service does not know this game."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_is_listed_with_its_way_out(client: TestClient, language: str) -> None:
    found = page(client, "/v1/problems", language)["problems"]
    listed = {(card["system"], card["code"]) for card in found}
    assert len(listed) == len(found)
    assert all(card["detail"] and card["fix"] for card in found)
    for system, example in examples():
        code = example.refused
        if code:
            assert {(system.id, code), (None, code)} & listed, (example, code)
    assert {code for of, code in listed if of is None} == set(LABELS["en"].table("titles")) - {
        "refused"
    }


def test_the_service_lives_and_is_ready(client: TestClient) -> None:
    assert page(client, "/healthz") == {"status": "ok"}
    assert page(client, "/readyz") == {"status": "ok"}


def test_the_document_describes_this_version_and_every_call(
    client: TestClient, registry: Registry
) -> None:
    answer = client.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    document = answer.json()
    assert document["info"]["version"] == __version__
    paths = document["paths"]
    for system in registry.values():
        for resolver in system.resolvers:
            path = f"/v1/{system.id}/{resolver.id}"
            assert "post" in paths[path]
            assert (f"{path}/odds" in paths) is bool(resolver.odds)
            for rule in resolver.rules:
                assert rule in paths[path]["post"]["description"]
        assert (f"/v1/{system.id}/chat" in paths) is (system.chat is not None)
    ids = [item["operationId"] for path in paths.values() for item in path.values()]
    assert len(set(ids)) == len(ids)


@pytest.fixture
def test_the_documentation_needs_nothing_from_elsewhere(client: TestClient) -> None:
    answer = client.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    named = re.findall(r'(?:src|href)="(.*?)"', answer.text)
    assert len(named) >= 4
    for path in named:
        assert re.fullmatch(r"docs/[\w.-]+", path)
        asset = client.get(f"/{path}")
        assert asset.status_code == 200
        assert len(asset.content) > 100
    start = client.get("/docs/start.js").text
    assert "//" not in answer.text.replace("<!doctype html>", "")
    assert "//" not in start
    assert 'url: "openapi.json"' in start
    assert "validatorUrl: null" in start
    style = client.get("/docs/swagger-ui.css").text
    assert not re.findall(r"url\(\s*[\"']?(?:https?:)?//", style)
    assert "@import" not in style


@pytest.mark.parametrize("path", ["/docs/x.js", "/docs/..%2Fapp.py", "/docs/__init__.py"])
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404
