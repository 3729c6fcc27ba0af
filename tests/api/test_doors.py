"""One request is answered alike at every door: REST, GraphQL, batch, command line, by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema
from starlette.testclient import TestClient

from arbitre.__main__ import main
from arbitre.api.graphql import build_schema
from arbitre.registry import Registry
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.system import System
from doors import GAMES, address, body, name, thrown, told
from typed_query import camel, selection, shown, variable


@pytest.fixture(params=GAMES, ids=name)
def system(request: pytest.FixtureRequest) -> System:
    found: System = request.param
    return found


@pytest.fixture(scope="module")
def schema(registry: Registry) -> GraphQLSchema:
    return build_schema(registry)


def texts(answer: dict[str, Any]) -> list[str]:
    return [step["text"] for step in answer["steps"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_batch_answers_as_a_call(client: TestClient, system: System, language: str) -> None:
    example = thrown(system)
    alone = client.post(address(system, example), json=body(example), params={"lang": language})
    item = {"system": system.id, "resolver": example.resolver, **body(example)}
    answer = client.post("/v1/batch", json={"items": [item]}, params={"lang": language})
    (found,) = answer.json()["answers"]
    assert found["status"] == 200
    assert told(found["answer"]) == told(alone.json())


def test_a_seed_gives_faces_that_judge_alike_by_hand(client: TestClient, system: System) -> None:
    example = thrown(system)
    asked = {"request": example.request, "seed": "Épée +2"}
    seeded, again = (client.post(address(system, example), json=asked).json() for _ in range(2))
    assert told(seeded) == told(again)
    faces = [face for draw in seeded["draws"] for face in draw["faces"]]
    by_hand = client.post(
        address(system, example), json={"request": example.request, "dice": faces}
    ).json()
    assert by_hand["outcome"] == seeded["outcome"]
    assert by_hand["steps"] == seeded["steps"]
    assert by_hand["summary"] == seeded["summary"]
    assert {draw["source"] for draw in by_hand["draws"]} == {"hand"}
    assert {draw["source"] for draw in seeded["draws"]} == {"seed"}
    assert by_hand["log"]["entropy"] == "hand"
    assert by_hand["log"]["seed"] is None
    assert seeded["log"]["entropy"] == "caller"
    assert len(bytes.fromhex(seeded["log"]["seed"])) == 32


def test_english_says_the_same_in_other_words(client: TestClient, system: System) -> None:
    example = thrown(system)
    french, english = (
        client.post(
            address(system, example), json=body(example), headers={"Accept-Language": language}
        )
        for language in LANGUAGES
    )
    assert french.headers["content-language"] == "fr"
    assert english.headers["content-language"] == "en"
    one, other = french.json(), english.json()
    assert [one["summary"], *texts(one)] != [other["summary"], *texts(other)]
    for key in ("request", "draws", "outcome", "rules_version"):
        assert one[key] == other[key]
    assert [(step["rule"], step["key"], step["values"]) for step in one["steps"]] == [
        (step["rule"], step["key"], step["values"]) for step in other["steps"]
    ]


def test_what_happened_has_odds(client: TestClient, system: System) -> None:
    example = thrown(system)
    outcome = client.post(address(system, example), json=body(example)).json()["outcome"]
    odds = client.post(f"{address(system, example)}/odds", json={"request": example.request}).json()
    plain = [field for field in odds["odds"] if field["field"] in outcome]
    assert plain
    for field in plain:
        assert outcome[field["field"]] in [row["value"] for row in field["values"]]


def test_the_command_line_answers_as_rest(
    client: TestClient,
    system: System,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    example = thrown(system)
    alone = client.post(address(system, example), json=body(example), params={"lang": "en"})
    fields = [f"{key}={json.dumps(value)}" for key, value in example.request.items()]
    faces = ",".join(map(str, example.faces))
    data = ["--data", str(tmp_path)]
    asked = ["roll", system.id, example.resolver, *fields, "--dice", faces, *data]
    assert main([*asked, "--lang", "en", "--json"]) == 0
    assert told(json.loads(capsys.readouterr().out)) == told(alone.json())
    assert main([*asked, "--lang", "en"]) == 0
    printed = capsys.readouterr().out
    assert alone.json()["summary"] in printed
    assert all(text in printed for text in texts(alone.json()))
    assert main(["odds", system.id, example.resolver, *fields, "--json"]) == 0
    odds = client.post(f"{address(system, example)}/odds", json={"request": example.request})
    assert json.loads(capsys.readouterr().out) == odds.json()


@pytest.mark.parametrize("language", LANGUAGES)
def test_graphql_answers_as_rest(
    client: TestClient, schema: GraphQLSchema, system: System, language: str
) -> None:
    example = thrown(system)
    rest = client.post(address(system, example), json=body(example), params={"lang": language})
    game, rule = camel(system.id), camel(example.resolver)
    assert schema.mutation_type is not None
    field = schema.mutation_type.fields[game].type.of_type.fields[rule]
    asked = variable(field.args["request"].type, example.request)
    answer = client.post(
        "/graphql",
        json={
            "query": f"mutation($r:{field.args['request'].type},$d:[Int!])"
            f"{{{game}{{{rule}(request:$r,dice:$d){selection(field.type)}}}}}",
            "variables": {"r": asked, "d": list(example.faces)},
        },
        headers={"Accept-Language": language},
    ).json()
    found: dict[str, Any] = answer["data"][game][rule]
    expected = rest.json()
    outcome = field.type.of_type if hasattr(field.type, "of_type") else field.type
    assert found["outcome"] == shown(outcome.fields["outcome"].type, expected["outcome"])
    assert found["summary"] == expected["summary"]
    assert texts(found) == texts(expected)
    assert [draw["faces"] for draw in found["draws"]] == [
        draw["faces"] for draw in expected["draws"]
    ]
    assert found["rulesVersion"] == expected["rules_version"]


def test_chat_answers_as_its_rule(client: TestClient, system: System) -> None:
    if system.chat is None:
        assert client.post(f"/v1/{system.id}/chat", json={"line": "1"}).status_code == 404
        return
    asked = {"line": system.chat.example, "seed": "the same"}
    said = client.post(f"/v1/{system.id}/chat", json=asked)
    assert said.status_code == 200, said.text
    found = said.json()
    again = client.post(
        f"/v1/{system.id}/{found['resolver']}",
        json={"request": found["request"], "seed": "the same"},
    )
    assert {**told(again.json()), "note": found["note"]} == told(found)
