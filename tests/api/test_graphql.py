"""GraphQL and the rules agree, for every worked example of every game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema
from graphql import build_schema as read_sdl
from starlette.testclient import TestClient

import tiny_duel
from arbitre.api.envelope import steps, summary
from arbitre.api.graphql import build_schema, sdl
from arbitre.app import create_app
from arbitre.registry import Registry, built_in_systems, registry_of
from arbitre.rules.play import Play
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System
from arbitre.settings import Settings
from arbitre.testing import Example, load_examples
from arbitre.testing.cases import refusal, resolved
from typed_query import camel, selection, shown, variable

GAMES = [*built_in_systems(), tiny_duel.SYSTEM]
EXAMPLES = [(system, example) for system in GAMES for example in load_examples(system)]
RULES = [(system, rule) for system in GAMES for rule in system.resolvers]


@pytest.fixture(scope="module")
def games() -> Registry:
    return registry_of(GAMES)


@pytest.fixture(scope="module")
def schema(games: Registry) -> GraphQLSchema:
    return build_schema(games)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory, games: Registry) -> Iterator[TestClient]:
    """The service with the games that come with it and one from elsewhere."""
    settings = Settings(data=Path(tmp_path_factory.mktemp("data")))
    with TestClient(create_app(settings, games)) as client:
        yield client


def ask(door: TestClient, query: str, language: str = "fr", **variables: Any) -> dict[str, Any]:
    answer = door.post(
        "/graphql",
        json={"query": query, "variables": variables},
        headers={"Accept-Language": language},
    )
    assert answer.headers["content-language"] == language
    return dict(answer.json())


def mutation(schema: GraphQLSchema, system: System, resolver: str, selected: str = "") -> str:
    game, rule = camel(system.id), camel(resolver)
    field = schema.mutation_type.fields[game].type.of_type.fields[rule]
    request = field.args.get("request")
    declared, given = (f"$r:{request.type},", "request:$r,") if request else ("", "")
    selected = selected or selection(field.type)
    return f"mutation({declared}$d:[Int!]){{{game}{{{rule}({given}dice:$d){selected}}}}}"


def given(schema: GraphQLSchema, system: System, example: Example) -> dict[str, Any]:
    game, rule = camel(system.id), camel(example.resolver)
    field = schema.mutation_type.fields[game].type.of_type.fields[rule]
    request = field.args.get("request")
    return {"r": variable(request.type, example.request)} if request else {}


def name(value: object) -> str:
    return value.id if isinstance(value, System | Resolver) else str(value)


@pytest.mark.parametrize(("system", "example"), EXAMPLES, ids=name)
def test_a_worked_example_has_the_outcome_of_its_hand_play(
    door: TestClient, schema: GraphQLSchema, system: System, example: Example
) -> None:
    code = refusal(system, example)
    query = mutation(schema, system, example.resolver)
    answer = ask(door, query, d=list(example.faces), **given(schema, system, example))
    if code is not None:
        codes = {"invalid", "invalid-query"} if code == "invalid" else {code}
        assert answer["errors"][0]["extensions"]["code"] in codes
        return
    play: Play[Any] = resolved(system, example)
    assert "errors" not in answer
    field = schema.mutation_type.fields[camel(system.id)].type.of_type
    kind = field.fields[camel(example.resolver)].type
    told = answer["data"][camel(system.id)][camel(example.resolver)]
    outcome = play.outcome.model_dump(mode="json")
    assert told["outcome"] == shown(kind.fields["outcome"].type, outcome)
    assert [draw["faces"] for draw in told["draws"]] == [list(draw.faces) for draw in play.draws]
    rule = system.by_id[example.resolver]
    for language in ("fr", "en"):
        answer = ask(
            door,
            mutation(schema, system, example.resolver, "{summary steps{text rule}}"),
            language,
            d=list(example.faces),
            **given(schema, system, example),
        )
        told = answer["data"][camel(system.id)][camel(example.resolver)]
        assert told["summary"] == summary(system, rule, play.outcome, language)
        assert [step["text"] for step in told["steps"]] == [
            step["text"] for step in steps(system, play.notes, language)
        ]


@pytest.mark.parametrize(("system", "rule"), RULES, ids=name)
def test_odds_are_those_of_rest(
    door: TestClient, schema: GraphQLSchema, system: System, rule: Resolver[Any, Any]
) -> None:
    queries = schema.query_type.fields
    field = camel(rule.id) + "Odds"
    if not rule.odds:
        assert camel(system.id) not in queries or (
            field not in queries[camel(system.id)].type.of_type.fields
        )
        return
    shown_ = [e for e in load_examples(system) if e.resolver == rule.id and e.refused is None]
    example = max(shown_, key=lambda e: e.options is not None)
    asked = queries[camel(system.id)].type.of_type.fields[field]
    body = {"request": example.request}
    if example.options is not None:
        body["options"] = example.options
    declared = ",".join(f"${name}:{asked.args[name].type}" for name in body)
    passed = ",".join(f"{name}:${name}" for name in body)
    query = f"query({declared}){{{camel(system.id)}{{{field}({passed}){selection(asked.type)}}}}}"
    told = ask(door, query, **{k: variable(asked.args[k].type, v) for k, v in body.items()})
    rest = door.post(f"/v1/{system.id}/{rule.id}/odds", json=body)
    if rest.status_code != 200:
        assert told["errors"][0]["extensions"]["code"] == rest.json()["code"]
        return
    answer = told["data"][camel(system.id)][field]
    assert answer["work"] == rest.json()["work"]
    if rest.json().get("aid") is not None:
        kind = asked.type.fields["aid"].type
        assert answer["aid"] == shown(kind, rest.json()["aid"])
    assert [
        (row["field"], [(v["p"], v["decimal"]) for v in row["values"]]) for row in answer["odds"]
    ] == [
        (row["field"], [(v["p"], v["decimal"]) for v in row["values"]])
        for row in rest.json()["odds"]
    ]


def test_every_game_and_rule_is_listed(door: TestClient, games: Registry) -> None:
    told = ask(door, "{systems(language:EN){id name version languages resolvers{id title rules}}}")
    assert [
        (row["id"], [rule["id"] for rule in row["resolvers"]]) for row in told["data"]["systems"]
    ] == [(system.id, list(system.by_id)) for system in games.values()]
    assert all(row["languages"] == ["fr", "en"] for row in told["data"]["systems"])


def test_a_game_is_found_by_its_id_or_named_unknown(door: TestClient) -> None:
    told = ask(door, '{a:system(id:"tiny-duel"){name} b:system(id:"x",language:EN){name}}')
    assert told["data"] == {"a": {"name": "Petit Duel"}, "b": None}
    (error,) = told["errors"]
    assert error["path"] == ["b"]
    assert error["extensions"]["code"] == "no-system"


def test_the_sdl_says_the_same_schema(games: Registry, schema: GraphQLSchema) -> None:
    written = read_sdl(sdl(games))
    assert written.mutation_type is not None
    assert schema.mutation_type is not None
    assert written.mutation_type.fields.keys() == schema.mutation_type.fields.keys()
    assert sdl(games) == sdl(registry_of(GAMES))


def test_two_registries_live_in_one_process(schema: GraphQLSchema) -> None:
    alone = build_schema(registry_of([tiny_duel.SYSTEM]))
    assert alone.mutation_type is not None
    assert "tinyDuel" in alone.mutation_type.fields
    assert "kadath" not in alone.mutation_type.fields
    assert alone.type_map["TinyDuelWeapon"] is not schema.type_map["TinyDuelWeapon"]
    empty = build_schema(registry_of([])).mutation_type
    assert empty is not None
    assert "newTable" in empty.fields


DUEL = """mutation($dice:[Int!],$seed:String,$key:String,$lang:Language){tinyDuel{
  duel(request:{a:{skill:2,weapon:BLADE},b:{skill:2}},dice:$dice,seed:$seed,idempotencyKey:$key,
       actor:"Ana",note:"first blood",language:$lang)
  {id actor note summary draws{faces source} log{entry sig entropy}}}}"""


def test_a_seed_gives_the_same_faces_and_a_key_the_same_roll(door: TestClient) -> None:
    one, again, other = (
        ask(door, DUEL, seed="s", key=key)["data"]["tinyDuel"]["duel"] for key in ("k", "k", "l")
    )
    assert one == again
    assert one["id"] != other["id"]
    assert one["draws"] == other["draws"]
    assert one["actor"] == "Ana"
    assert one["note"] == "first blood"
    assert one["log"]["entropy"] == "CALLER"


def test_a_key_serves_one_request_and_is_a_key(door: TestClient) -> None:
    ask(door, DUEL, seed="s", key="m")
    told = ask(door, DUEL, seed="t", key="m")
    assert told["errors"][0]["extensions"]["code"] == "key-reused"
    told = ask(door, DUEL, key="é")
    assert told["errors"][0]["extensions"]["code"] == "key-invalid"
    assert told["data"] == {"tinyDuel": {"duel": None}}


def test_the_language_of_a_field_goes_before_that_of_the_request(door: TestClient) -> None:
    dice = [5, 1, 6, 2]
    told = ask(door, DUEL, "fr", dice=dice, lang="EN")["data"]["tinyDuel"]["duel"]
    assert told["summary"] == "Victory: the first fighter, margin 1."
    told = ask(door, DUEL, "en", dice=dice, lang="FR")["data"]["tinyDuel"]["duel"]
    assert told["summary"] == "Victoire : le premier combattant, écart 1."
    told = ask(door, DUEL, "en", dice=[1], lang="FR")
    assert told["errors"][0]["extensions"]["title"] == "Il manque des dés"


def test_rolls_of_one_operation_are_made_in_its_order(door: TestClient) -> None:
    roll = (
        'a{0}:duel(request:{{a:{{skill:1}},b:{{skill:1}}}},seed:"{0}",idempotencyKey:"order"){{id}}'
    )
    told = ask(door, "mutation{tinyDuel{" + " ".join(roll.format(n) for n in range(9)) + "}}")
    made = told["data"]["tinyDuel"]
    assert made.pop("a0")
    assert set(made.values()) == {None}
    assert {error["extensions"]["code"] for error in told["errors"]} == {"key-reused"}


def test_a_roll_is_read_back_and_its_entry_verified(door: TestClient) -> None:
    roll = ask(door, DUEL, dice=[5, 1, 6, 2])["data"]["tinyDuel"]["duel"]
    told = ask(
        door,
        "query($id:String!,$e:String!,$s:String){"
        "roll(id:$id){summary resolver outcome request steps{values{name value}}}"
        "good:verify(entry:$e,sig:$s){valid status checks{name ok}}"
        'bad:verify(entry:"{}"){valid status}}',
        id=roll["id"],
        e=roll["log"]["entry"],
        s=roll["log"]["sig"],
    )["data"]
    assert told["roll"]["outcome"] == '{"winner":"a","margin":1}'
    assert told["roll"]["steps"][0] == {
        "values": [{"name": "hits", "value": "1"}, {"name": "edge", "value": "1"}]
    }
    assert told["good"]["valid"]
    assert told["good"]["status"] == "VALID"
    assert told["bad"] == {"valid": False, "status": "INVALID"}
    told = ask(door, '{roll(id:"01900000-0000-7000-8000-000000000000"){id}}')
    assert told["errors"][0]["extensions"]["status"] == 404


def test_a_refusal_says_what_rest_says(door: TestClient) -> None:
    told = ask(door, "mutation{tinyDuel{duel(request:{a:{skill:0},b:{skill:0}}){id}}}")
    (error,) = told["errors"]
    rest = door.post("/v1/tiny-duel/duel", json={"request": {"a": {"skill": 0}, "b": {"skill": 0}}})
    problem = rest.json()
    assert error.pop("message") == problem.pop("detail")
    assert error.pop("extensions") == problem
    assert error == {"path": ["tinyDuel", "duel"], "locations": [{"line": 1, "column": 19}]}


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"a": {"skill": 13}, "b": {"skill": 1}}, "invalid"),
        ({"a": {"skill": None}, "b": {"skill": 1}}, "invalid-query"),
        ({"a": {"skill": True}, "b": {"skill": 1}}, "invalid-query"),
        ({"a": {"skill": "1"}, "b": {"skill": 1}}, "invalid-query"),
        ({"a": {"skill": 1, "weapon": "blade"}, "b": {"skill": 1}}, "invalid-query"),
        ({"a": {"skill": 1, "luck": 1}, "b": {"skill": 1}}, "invalid-query"),
        ({"a": {"skill": 10**30}, "b": {"skill": 1}}, "invalid-query"),
        ({}, "invalid-query"),
    ],
)
def test_a_bad_request_is_refused(door: TestClient, request_: dict[str, Any], code: str) -> None:
    query = "query($r:TinyDuelDuelRequestInput!){tinyDuel{duelOdds(request:$r){work}}}"
    told = ask(door, query, r=request_)
    assert told["errors"][0]["extensions"]["code"] == code
    assert told["errors"][0]["extensions"]["status"] in {400, 422}
