"""HTTP as clients, browsers and proxies expect it, on every address and every answer."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import tiny_duel
from arbitre.api.rest import Front
from arbitre.app import create_app
from arbitre.registry import registry_of
from arbitre.settings import Settings

ROLL = "/v1/kadath/roll"
ASKED = {"request": {"skill": 3}, "dice": [3, 3, 5]}
TABLE = "/v1/tables/" + "0" * 32
PAGES = [
    "/v1/systems",
    "/v1/systems/kadath",
    "/v1/systems/kadath/rules",
    "/v1/systems/kadath/tables",
    "/v1/problems",
    "/v1/key",
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/docs",
    "/docs/start.js",
    "/docs/swagger-ui.css",
    "/docs/swagger-ui-bundle.js",
    "/docs/favicon.png",
]
READ = "GET, HEAD, OPTIONS"
CALL = "OPTIONS, POST"
ALLOWED = {
    **dict.fromkeys(PAGES, READ),
    "/v1/rolls/x": READ,
    TABLE: READ,
    f"{TABLE}/rolls": READ,
    f"{TABLE}/events": READ,
    "/v1/tables": CALL,
    f"{TABLE}/seed": CALL,
    f"{TABLE}/rotate": CALL,
    f"{TABLE}/reveal": CALL,
    f"{TABLE}/unveil": CALL,
    f"{TABLE}/close": CALL,
    ROLL: CALL,
    f"{ROLL}/odds": CALL,
    "/v1/batch": CALL,
    "/v1/verify": CALL,
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "BREW")


def refused(client: TestClient, method: str, path: str, **more: Any) -> dict[str, Any]:
    """Send what must be refused, and return the problem."""
    answer = client.request(method, path, **more)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["access-control-allow-origin"] == "*"
    found: dict[str, Any] = answer.json()
    assert found["status"] == answer.status_code
    return found


@pytest.mark.parametrize(("path", "allowed"), ALLOWED.items())
def test_another_method_is_405_and_allow_names_them_all(
    client: TestClient, path: str, allowed: str
) -> None:
    for method in set(METHODS) - set(allowed.split(", ")):
        answer = client.request(method, path)
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed
        assert answer.json()["code"] == "method"


@pytest.mark.parametrize(("path", "allowed"), ALLOWED.items())
def test_a_preflight_is_answered_without_credentials(
    client: TestClient, path: str, allowed: str
) -> None:
    answer = client.options(
        path,
        headers={
            "Origin": "null",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
            "Access-Control-Request-Private-Network": "true",
        },
    )
    assert answer.status_code == 204
    assert answer.content == b""
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == allowed
    assert answer.headers["allow"] == allowed
    assert answer.headers["access-control-max-age"] == "86400"
    assert answer.headers["access-control-allow-private-network"] == "true"
    named = answer.headers["access-control-allow-headers"].lower()
    for header in (
        "content-type",
        "authorization",
        "idempotency-key",
        "accept-language",
        "accept",
        "x-request-id",
    ):
        assert header in named.split(", ")


def test_a_preflight_of_graphql_and_of_nothing_is_answered_too(client: TestClient) -> None:
    for path in ("/graphql", "/nowhere"):
        answer = client.options(path)
        assert answer.status_code == 204
        assert "POST" in answer.headers["access-control-allow-methods"]
        assert "access-control-allow-private-network" not in answer.headers


@pytest.mark.parametrize("path", PAGES)
def test_head_is_get_without_a_body(client: TestClient, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert head.status_code == whole.status_code == 200
    assert head.content == b""
    assert dict(head.headers) == dict(whole.headers)


def test_head_of_a_stream_ends(client: TestClient) -> None:
    table = client.post("/v1/tables", json={"name": "t"}).json()["id"]
    head = client.head(f"/v1/tables/{table}/events")
    assert head.status_code == 200
    assert head.headers["content-type"].startswith("text/event-stream")
    assert head.content == b""


@pytest.mark.parametrize("path", ["/nowhere", "/v1", "/v1/kadath", "/v1/kadath/roll/odds/x"])
def test_what_is_not_there_is_404(client: TestClient, path: str) -> None:
    found = refused(client, "GET", path, params={"lang": "en"})
    assert (found["status"], found["code"]) == (404, "not-found")
    assert found["fix"] == "The addresses are described at /docs."


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/go/roll", "no-system"),
        ("/v1/go/roll/odds", "no-system"),
        ("/v1/kadath/rol", "no-resolver"),
        ("/v1/kadath/rol/odds", "no-resolver"),
    ],
)
def test_an_unknown_game_or_rule_is_named_whatever_the_method(
    client: TestClient, method: str, path: str, code: str
) -> None:
    found = refused(client, method, path)
    assert (found["status"], found["code"]) == (404, code)


@pytest.mark.parametrize("path", [ROLL, f"{ROLL}/odds", "/v1/systems", "/v1/key", "/docs"])
def test_a_slash_at_the_end_changes_nothing(client: TestClient, path: str) -> None:
    method = "GET" if ALLOWED[path] == READ else "POST"
    asked = {"request": ASKED["request"]} if method == "POST" else None
    one, other = (client.request(method, p, json=asked) for p in (path, path + "/"))
    assert one.status_code == other.status_code == 200
    assert client.request("DELETE", path + "/").status_code == 405


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ("x=1", "?", "unknown-field"),
        ("lang=de", "?lang", "unknown-language"),
        ("lang=", "?lang", "unknown-language"),
        ("lang=FR", "?lang", "unknown-language"),
        ("%FF=%FF", "?", "unknown-field"),
        ("lang=fr&lang=xx", "?lang", "unknown-language"),
        ("lang=fr&XYZZY", "?", "unknown-field"),
    ],
)
def test_a_query_is_read_strictly_at_a_call(
    client: TestClient, query: str, pointer: str, code: str
) -> None:
    answer = client.post(f"{ROLL}?{query}", json=ASKED)
    assert answer.status_code == 422
    (fault,) = answer.json()["faults"]
    assert (fault["pointer"], fault["code"]) == (pointer, code)


@pytest.mark.parametrize("query", ["x=1", "lang=de", "lang=", "lang=fr&XYZZY=1"])
@pytest.mark.parametrize("path", ["/v1/systems", "/v1/systems/kadath/rules", "/healthz", "/v1/key"])
def test_a_query_is_read_strictly_at_a_page(client: TestClient, path: str, query: str) -> None:
    found = refused(client, "GET", f"{path}?{query}")
    assert (found["status"], found["code"]) == (422, "invalid")
    assert found["faults"][0]["pointer"].startswith("?")


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "application/json",
        "application/json;charset=utf-8",
        'application/json; charset="UTF-8"',
        "APPLICATION/JSON",
        "application/vnd.arbitre+json",
        "application/problem+json; x=y",
        "text/plain",
        "text/plain;charset=UTF-8",
        "application/json; charset=latin1",
    ],
)
@pytest.mark.parametrize("path", [ROLL, "/v1/tables"])
def test_json_is_read_under_every_name_it_goes_by(
    client: TestClient, kind: str | None, path: str
) -> None:
    body = ASKED if path == ROLL else {"name": "Les Égarés"}
    headers = {} if kind is None else {"Content-Type": kind}
    answer = client.post(path, content=json.dumps(body).encode(), headers=headers)
    assert answer.status_code == (200 if path == ROLL else 201)


@pytest.mark.parametrize(
    "kind",
    [
        "text/html",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/jsonx",
        "json",
        ";",
    ],
)
@pytest.mark.parametrize("path", [ROLL, "/v1/batch", "/v1/verify", "/v1/tables"])
def test_what_is_not_json_by_its_type_is_415(client: TestClient, kind: str, path: str) -> None:
    found = refused(client, "POST", path, content=b"{}", headers={"Content-Type": kind})
    if kind == ";":
        assert found["status"] == 422  # no type at all
        return
    assert (found["status"], found["code"]) == (415, "media-type")


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("", "fr"),
        ("*", "fr"),
        ("en", "en"),
        ("EN-gb", "en"),
        ("de, en;q=0.5", "en"),
        ("fr-FR,fr;q=0.9,en;q=abc", "fr"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("fr;q=0, en;q=0.1", "en"),
        ("en;q=0", "fr"),
        (";q=1", "fr"),
        ("en;q=1e999", "en"),
        ("en;q=nan", "fr"),
        ("en;q=-1", "fr"),
        ("en;q=0.00000001", "fr"),
        ("fr-CA-x-ü", "fr"),
        ("en;level=1;q=0.5", "en"),
        (",,,;;;===", "fr"),
        ("xx," * 10_000, "fr"),
    ],
)
def test_a_language_is_always_found(client: TestClient, accept: str, language: str) -> None:
    headers = {"Accept-Language": accept.encode("latin-1")}
    for method, path, asked in (
        ("POST", ROLL, ASKED),
        ("POST", ROLL, {"request": {}}),
        ("GET", "/v1/systems/kadath", None),
        ("GET", "/nowhere", None),
        ("DELETE", ROLL, None),
    ):
        answer = client.request(method, path, json=asked, headers=headers)  # type: ignore[arg-type]
        assert answer.headers["content-language"] == language
        assert answer.headers["vary"] == "Accept-Language"


@pytest.mark.parametrize("path", [ROLL, "/v1/systems", "/nowhere"])
def test_the_query_wins_over_the_header(client: TestClient, path: str) -> None:
    method = "POST" if path == ROLL else "GET"
    answer = client.request(
        method, f"{path}?lang=en", json=ASKED, headers={"Accept-Language": "fr"}
    )
    assert answer.headers["content-language"] == "en"


def test_what_reads_alike_in_every_language_names_none(client: TestClient) -> None:
    for path in ("/openapi.json", "/docs", "/docs/start.js"):
        answer = client.get(path, headers={"Accept-Language": "en"})
        assert "content-language" not in answer.headers
        assert "vary" not in answer.headers


@pytest.mark.parametrize("accept", ["text/html", "image/png", "*/*", ""])
def test_an_api_answers_json_whatever_a_browser_accepts(client: TestClient, accept: str) -> None:
    for path in ("/v1/systems", "/nowhere"):
        kind = client.get(path, headers={"Accept": accept}).headers["content-type"]
        assert kind in {"application/json", "application/problem+json"}


@pytest.mark.parametrize("given", ["a", "8e03-978e", "x" * 128])
def test_a_request_id_comes_back_on_every_answer(client: TestClient, given: str) -> None:
    headers = {"X-Request-Id": given}
    for method, path in (
        ("POST", ROLL),
        ("GET", "/v1/systems"),
        ("GET", "/nowhere"),
        ("DELETE", ROLL),
        ("OPTIONS", ROLL),
    ):
        answer = client.request(method, path, headers=headers)
        assert answer.headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "é", "a\tb"])
def test_what_is_no_request_id_does_not_come_back(client: TestClient, given: str) -> None:
    headers = [("X-Request-Id", given.encode("latin-1"))]
    answer = client.get("/healthz", headers=headers)  # type: ignore[arg-type]
    assert "x-request-id" not in answer.headers


def test_every_answer_may_be_read_by_a_page(client: TestClient) -> None:
    for method, path in (("POST", ROLL), ("GET", "/v1/key"), ("GET", "/docs"), ("PUT", ROLL)):
        headers = client.request(method, path, headers={"Origin": "null"}).headers
        assert headers["access-control-allow-origin"] == "*"
        exposed = headers["access-control-expose-headers"].split(", ")
        assert {"Retry-After", "ETag", "Idempotency-Replayed", "X-Request-Id"} <= {*exposed}
        assert headers["x-content-type-options"] == "nosniff"


def test_behind_a_proxy_with_a_prefix_every_address_works(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path), registry_of([tiny_duel.SYSTEM]))
    duel = {"request": {"a": {"skill": 1}, "b": {"skill": 1}}}
    with TestClient(app, root_path="/arbitre") as client:
        for prefix in ("/arbitre", ""):
            assert client.post(f"{prefix}/v1/tiny-duel/duel", json=duel).status_code == 200
            assert client.get(f"{prefix}/v1/systems").status_code == 200
            assert client.get(f"{prefix}/docs").status_code == 200
            assert client.get(f"{prefix}/v1/tiny-duel/duel").status_code == 405
            assert client.put(f"{prefix}/v1/systems").headers["allow"] == READ
            assert client.post(f"{prefix}/graphql", json={"query": "{systems{id}}"}).is_success
        assert 'href="docs"' in client.get("/arbitre/").text


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A service in which every game breaks."""

    def broken(*_args: object, **_kwargs: object) -> Any:
        message = "XYZZY"
        raise ZeroDivisionError(message)

    monkeypatch.setattr("arbitre.api.desk.play", broken)
    monkeypatch.setattr("arbitre.api.desk.Desk.system", broken)
    app = create_app(Settings(data=tmp_path), registry_of([tiny_duel.SYSTEM]))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_failure_of_ours_is_a_problem_too_and_says_nothing_of_itself(
    failing: TestClient, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    duel = {"request": {"a": {"skill": 1}, "b": {"skill": 1}}}
    headers = {"Accept-Language": language, "X-Request-Id": "trace-1", "Origin": "null"}
    for method, path, asked in (
        ("POST", "/v1/tiny-duel/duel", duel),
        ("GET", "/v1/systems/tiny-duel", None),
        ("HEAD", "/v1/systems/tiny-duel", None),
    ):
        answer = failing.request(method, path, json=asked, headers=headers)
        assert answer.status_code == 500
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["content-language"] == language
        assert answer.headers["x-request-id"] == "trace-1"
        assert "XYZZY" not in answer.text
        if method != "HEAD":
            assert answer.json()["code"] == "internal"
    assert "ZeroDivisionError" in caplog.text


def _told(app: Front, path: str) -> list[dict[str, Any]]:
    """Ask ``app`` directly and return what it sends until it is done or breaks."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [],
        "root_path": "",
    }
    asyncio.run(app(scope, receive, send))
    return sent


def test_an_application_that_breaks_before_it_answers_is_a_problem() -> None:
    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise ZeroDivisionError

    app = Front({}, broken, broken, lambda _path: "")
    start, body = _told(app, "/x")
    assert start["status"] == 500
    assert json.loads(body["body"])["code"] == "internal"


def test_an_answer_that_breaks_in_its_middle_is_broken_off() -> None:
    async def broken(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        raise ZeroDivisionError

    app = Front({}, broken, broken, lambda _path: "")
    with pytest.raises(ZeroDivisionError):
        _told(app, "/x")
