"""GraphQL over HTTP: methods, media types, bodies that are none, errors that say nothing."""

import logging
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest
from graphql import GraphQLSchema, get_introspection_query
from hypothesis import HealthCheck, given, settings
from hypothesis_graphql import from_schema
from starlette.testclient import TestClient

import tiny_duel
from arbitre.api.graphql import GraphQLEndpoint, build_schema, sdl
from arbitre.api.graphql.ide import pinned_ide
from arbitre.api.graphql.route import JSON, RESPONSE, media_type
from arbitre.app import create_app
from arbitre.registry import registry_of
from arbitre.settings import Settings

ROLL = "mutation{tinyDuel{duel(request:{a:{skill:1},b:{skill:1}}){id}}}"
GAMES = "{systems{id}}"
SPACE = "\N{NO-BREAK SPACE}"
WITHOUT_QUERY = f"La requête n\N{RIGHT SINGLE QUOTATION MARK}a pas de champ «{SPACE}query{SPACE}»."


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The service with one small game."""
    data = Settings(data=Path(tmp_path_factory.mktemp("data")))
    with TestClient(create_app(data, registry_of([tiny_duel.SYSTEM]), ide=pinned_ide())) as client:
        yield client


def code(answer: Any) -> str:
    errors = answer.json()["errors"]
    assert errors[0]["message"]
    return str(errors[0]["extensions"]["code"])


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        ("application/json", JSON),
        ("application/graphql-response+json", RESPONSE),
        ("application/graphql-response+json, application/json", RESPONSE),
        ("application/json, application/graphql-response+json;q=0.9", JSON),
        ("application/graphql-response+json;q=0.1, application/json;q=0.2", JSON),
        ("application/json;q=0, */*", RESPONSE),
        ("text/html, */*;q=0.1", JSON),
        ("APPLICATION/JSON ; Q=1.0", JSON),
        ("application/json;q=high", None),
        ("application/json;q=0", None),
        ("text/html", None),
        (",;,=;q", None),
        ("é", None),
    ],
)
def test_the_answer_has_the_media_type_wanted_most(accept: str, kind: str | None) -> None:
    assert media_type(accept) == kind


@pytest.mark.parametrize("kind", [JSON, RESPONSE])
def test_an_answer_names_its_type_and_language(door: TestClient, kind: str) -> None:
    answer = door.post("/graphql", json={"query": GAMES}, headers={"Accept": kind})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
    assert answer.headers["content-language"] == "fr"
    assert answer.headers["vary"] == "Accept, Accept-Language"
    assert answer.json() == {"data": {"systems": [{"id": "tiny-duel"}]}}


@pytest.mark.parametrize(
    "query",
    ["{", "{x}", "query A{systems{id}} query B{systems{id}}", "query($a:Int!){systems{id}}"],
)
def test_a_request_that_cannot_run_is_400_in_the_new_media_type(
    door: TestClient, query: str
) -> None:
    for kind, status in ((JSON, 200), (RESPONSE, 400)):
        answer = door.post("/graphql", json={"query": query}, headers={"Accept": kind})
        assert answer.status_code == status
        assert code(answer) == "invalid-query"
        assert "data" not in answer.json()


def test_a_refused_field_is_200_beside_the_others(door: TestClient) -> None:
    query = '{systems{id} system(id:"none"){id}}'
    answer = door.post("/graphql", json={"query": query}, headers={"Accept": RESPONSE})
    assert answer.status_code == 200
    assert answer.json()["data"] == {"systems": [{"id": "tiny-duel"}], "system": None}


def test_names_are_not_guessed(door: TestClient) -> None:
    answer = door.post("/graphql", json={"query": "{sistems{id}}"})
    assert answer.json()["errors"][0]["message"] == "Cannot query field 'sistems' on type 'Query'."


def test_a_long_fault_is_told_briefly(door: TestClient) -> None:
    answer = door.post("/graphql", json={"query": f"{{{'a' * 100_000}}}"})
    assert len(answer.content) < 600


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=UTF-8"])
def test_json_is_taken(door: TestClient, content_type: str) -> None:
    body = orjson.dumps({"query": GAMES})
    answer = door.post("/graphql", content=body, headers={"Content-Type": content_type})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/graphql", "application/json; charset=utf-16", "multipart/x"],
)
def test_another_content_type_is_415(door: TestClient, content_type: str) -> None:
    body = orjson.dumps({"query": GAMES})
    answer = door.post("/graphql", content=body, headers={"Content-Type": content_type})
    assert answer.status_code == 415
    assert code(answer) == "media-type"


def test_what_is_not_there_is_406(door: TestClient) -> None:
    answer = door.post("/graphql", json={"query": GAMES}, headers={"Accept": "text/plain"})
    assert answer.status_code == 406
    assert code(answer) == "not-acceptable"
    assert answer.headers["content-type"] == f"{JSON}; charset=utf-8"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"{",
        b'{"query":1}',
        b'{"query":"{systems{id}}","variables":[]}',
        b'{"query":"{systems{id}}","variables":"{}"}',
        b'{"query":"{systems{id}}","operationName":1}',
        b'{"query":"{systems{id}}","extensions":[]}',
        b'{"query":"{systems{id}}","query":"{systems{id}}"}',
        b'{"query":"{systems{id}}","variables":{"a":NaN}}',
        b'{"query":"{systems{id}}","variables":{"a":Infinity}}',
        b'{"query":"\\ud800"}',
        b'{"query":"{systems{id}}","variables":{"a":"\\udfff"}}',
        b'{"query":"{systems{id}}","variables":{"a":' + b"9" * 5_000 + b"}}",
        b'{"query":"{systems{id}}","variables":' + b'{"a":' * 99 + b"1" + b"}" * 100,
        b"[" * 30_000,
        b'\xef\xbb\xbf{"query":"{systems{id}}"}',
        '{"query":"{systems{id}}"}'.encode("utf-16"),
        '{"query":"é"}'.encode("latin-1"),
    ],
    ids=range(21),
)
def test_a_body_that_is_no_request_is_400(door: TestClient, body: bytes) -> None:
    for kind in (JSON, RESPONSE):
        headers = {"Content-Type": "application/json", "Accept": kind}
        answer = door.post("/graphql", content=body, headers=headers)
        assert answer.status_code == 400
        assert code(answer) in {"not-json", "key-twice", "too-deep", "parameters", "no-query"}
        assert "data" not in answer.json()


@pytest.mark.parametrize(
    "value", ["1e99", "1" + "0" * 30, "-4294967296", "1.5", '"1"', '"\\u0000"', "[[]]", "{}"]
)
def test_a_variable_of_another_type_is_refused(door: TestClient, value: str) -> None:
    body = '{"query":"query($a:Int){tinyDuel{duelOdds(request:{a:{skill:$a}}){work}}}","variables":'
    answer = door.post(
        "/graphql",
        content=f'{body}{{"a":{value}}}}}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 200
    assert code(answer) == "invalid-query"


def test_text_with_nul_or_half_a_character_is_refused(door: TestClient) -> None:
    query = "mutation($a:String){tinyDuel{duel(request:{a:{skill:1},b:{skill:1}},actor:$a){id}}}"
    answer = door.post("/graphql", json={"query": query, "variables": {"a": "x\0"}})
    assert code(answer) == "invalid"
    literal = query.replace("($a:String)", "").replace("$a", '"\\ud800"')
    assert code(door.post("/graphql", json={"query": literal})) == "invalid-query"


def test_a_body_beyond_the_limit_is_413(door: TestClient) -> None:
    answer = door.post("/graphql", json={"query": "{systems{id}}", "x": "x" * 300_000})
    assert answer.status_code == 413
    assert code(answer) == "too-big"


def test_a_get_reads(door: TestClient) -> None:
    query = "query A($id:String!){system(id:$id){id}} query B{systems{id}}"
    asked = {"query": query, "operationName": "A", "variables": '{"id":"tiny-duel"}'}
    answer = door.get("/graphql", params={**asked, "extensions": "{}", "lang": "en"})
    assert answer.status_code == 200
    assert answer.json() == {"data": {"system": {"id": "tiny-duel"}}}
    assert answer.headers["content-language"] == "en"


def test_a_get_never_rolls(door: TestClient) -> None:
    answer = door.get("/graphql", params={"query": ROLL})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert code(answer) == "get-reads"


@pytest.mark.parametrize(
    "query", ["", "query=", "query={systems{id}}&variables=x", "query={systems{id}}&variables=[]"]
)
def test_a_get_without_a_request_is_400(door: TestClient, query: str) -> None:
    answer = door.get(f"/graphql?{query}", headers={"Accept": RESPONSE})
    assert answer.status_code == 400
    assert code(answer) in {"no-query", "invalid-query", "not-json", "parameters"}


def test_a_browser_gets_the_page(door: TestClient) -> None:
    for headers in ({"Accept": "text/html"}, {"Accept": "text/html,*/*;q=0.8"}):
        answer = door.get("/graphql", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "GraphiQL" in answer.text
    asked = door.get("/graphql", params={"query": GAMES}, headers={"Accept": "text/html,*/*"})
    assert asked.json() == {"data": {"systems": [{"id": "tiny-duel"}]}}
    assert door.get("/graphql", headers={"Accept": "text/html;q=0"}).status_code == 406


def test_what_the_page_loads_is_pinned_and_nothing_else_runs(door: TestClient) -> None:
    answer = door.get("/graphql", headers={"Accept": "text/html"})
    loaded = re.findall(r'(?:src|href)="(https:[^"]+)"[^>]*integrity="sha384-', answer.text)
    assert len(loaded) == answer.text.count("https:") == 4
    assert all(re.match(r"https://unpkg\.com/[a-z-]+@\d+\.\d+\.\d+/", url) for url in loaded)
    policy = answer.headers["content-security-policy"]
    (script,) = re.findall(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    assert b64encode(sha256(script.encode()).digest()).decode() in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_another_method_is_405(door: TestClient, method: str) -> None:
    answer = door.request(method, "/graphql", json={"query": GAMES})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, POST"
    assert code(answer) == "method"


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("", WITHOUT_QUERY),
        ("en", "The request has no “query”."),
        ("de, en;q=0.5", "The request has no “query”."),
        ("*;q=é", WITHOUT_QUERY),
    ],
)
def test_errors_are_in_the_caller_s_language(door: TestClient, language: str, message: str) -> None:
    answer = door.post("/graphql", json={}, headers={"Accept-Language": language.encode()})
    assert answer.json()["errors"][0]["message"] == message


def test_the_schema_is_told_alone_and_again(door: TestClient) -> None:
    query = get_introspection_query(input_value_deprecation=True, one_of=True)
    answers = [door.post("/graphql", json={"query": query}).json() for _ in range(2)]
    assert answers[0] == answers[1]
    names = {kind["name"]: kind for kind in answers[0]["data"]["__schema"]["types"]}
    assert names["TinyDuelFighterInput"]["isOneOf"] is False
    query = "query($n:String!){__type(name:$n){name fields{name}}}"
    for name in ("TinyDuelDuelOutcome", "TinyDuelFighter"):
        answer = door.post("/graphql", json={"query": query, "variables": {"n": name}}).json()
        assert answer["data"]["__type"]["name"] == name


class Broken:
    """A desk whose every answer fails with words that are nobody's business."""

    def rule(self, *_ids: str) -> None:
        return None

    async def resolve(self, *_call: object) -> Any:
        msg = "the secret word"
        raise RuntimeError(msg)

    async def odds(self, *_call: object) -> Any:
        return {"odds": [], "request": None}


@pytest.fixture
def broken() -> TestClient:
    schema: GraphQLSchema = build_schema(registry_of([tiny_duel.SYSTEM]))
    return TestClient(GraphQLEndpoint(schema, Broken()))  # type: ignore[arg-type]


def test_an_unexpected_error_says_nothing_and_is_logged_without_the_query(
    broken: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = broken.post("/graphql", json={"query": ROLL})
    assert answer.status_code == 200
    assert code(answer) == "internal"
    assert answer.json()["data"] == {"tinyDuel": {"duel": None}}
    assert "secret" not in answer.text
    assert "the secret word" in caplog.text
    assert "skill" not in caplog.text


def test_an_answer_that_does_not_fit_is_our_fault(
    broken: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    query = "{tinyDuel{duelOdds(request:{a:{skill:1},b:{skill:1}}){work request{a{skill}}}}}"
    with caplog.at_level(logging.ERROR):
        answer = broken.post("/graphql", json={"query": query})
    assert {error["extensions"]["code"] for error in answer.json()["errors"]} == {"internal"}
    assert answer.json()["data"] == {"tinyDuel": {"duelOdds": None}}


SDL = sdl(registry_of([tiny_duel.SYSTEM]))


@given(query=from_schema(SDL))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_never_fails_inside(door: TestClient, query: str) -> None:
    answer = door.post("/graphql", json={"query": query})
    assert answer.status_code == 200
    codes = {error["extensions"]["code"] for error in answer.json().get("errors", [])}
    assert "internal" not in codes
