"""Bodies that are no request, at REST and at GraphQL: a problem in words, and no echo."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from arbitre.rules.labels import LANGUAGES
from doors import GAMES, examples

ROLL = "/v1/kadath/roll"
TABLE = "/v1/tables"
ECHO = "XYZZY"
GRAPHQL = "mutation($r:KadathRollRequestInput!){kadath{roll(request:$r){id}}}"

NOT_JSON = {
    "empty": b"",
    "blank": b" \n",
    "cut": b'{"request": {"skill": 3}',
    "more": b'{"request": {"skill": 3}} {"XYZZY": 1}',
    "comment": b'{"request": {"skill": 3}} // XYZZY',
    "single quotes": b"{'request': {'skill': 3}}",
    "trailing comma": b'{"request": {"skill": 3,}}',
    "NaN": b'{"request": {"skill": NaN}, "note": "XYZZY"}',
    "Infinity": b'{"request": {"skill": Infinity}}',
    "-Infinity": b'{"request": {"skill": -Infinity}}',
    "1e999": b'{"request": {"skill": 1e999}}',
    "1e999 as dice": b'{"request": {"skill": 3}, "dice": 1e999}',
    "5,000 digits": b'{"request": {"skill": ' + b"9" * 5000 + b"}}",
    "byte order mark": b'\xef\xbb\xbf{"request": {"skill": 3}}',
    "UTF-16": '{"request": {"skill": 3}}'.encode("utf-16"),
    "UTF-16 without mark": '{"request": {"skill": 3}}'.encode("utf-16-le"),
    "UTF-32": '{"request": {"skill": 3}}'.encode("utf-32"),
    "latin-1": '{"request": {"skill": 3}, "note": "XYZZY é"}'.encode("latin-1"),
    "overlong": b'{"request": {"skill": 3}, "note": "\xc0\xaf"}',
    "surrogate in UTF-8": b'{"request": {"skill": 3}, "note": "\xed\xa0\x80"}',
    "lone high surrogate": b'{"request": {"skill": 3}, "note": "\\ud800"}',
    "lone low surrogate": b'{"request": {"skill": 3}, "note": "\\udc00 XYZZY"}',
    "surrogate in a name": b'{"request": {"skill": 3}, "\\ud800": 1}',
    "swapped surrogates": b'{"request": {"skill": 3}, "note": "\\udc00\\ud800"}',
    "bad escape": b'{"request": {"skill": 3}, "note": "\\x41"}',
    "raw NUL": b'{"request": {"skill": 3}, "note": "\0"}',
    "raw line break": b'{"request": {"skill": 3}, "note": "a\nb"}',
    "octal": b'{"request": {"skill": 03}}',
    "plus": b'{"request": {"skill": +3}}',
    "hexadecimal": b'{"request": {"skill": 0x3}}',
    "30,000 brackets": b'{"request": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "open brackets": b"[" * 30_000,
    "30,000 braces": b'{"a":' * 30_000 + b"1" + b"}" * 30_000,
}
TWICE = {
    "twice": b'{"request": {"skill": 3}, "request": {"skill": 4}}',
    "twice inside": b'{"request": {"skill": 3, "skill": 3}, "note": "XYZZY"}',
    "twice by escape": b'{"request": {"skill": 3, "\\u0073kill": 4}}',
}
DEEP = b'{"request": ' + b"[" * 200 + b"]" * 200 + b"}"
NO_REQUEST = {
    "null": b"null",
    "a list": b'[{"request": {"skill": 3}}]',
    "a text": b'"XYZZY"',
    "a number": b"3",
    "true": b"true",
    "no field": b"{}",
}
MISFITS = {
    "request: null": (b'{"request": null}', "/request"),
    "request: list": (b'{"request": [3]}', "/request"),
    "request: text": (b'{"request": "XYZZY"}', "/request"),
    "missing": (b'{"request": {}}', "/request/skill"),
    "unknown": (b'{"request": {"skill": 3, "XYZZY": 1}}', "/request/XYZZY"),
    "unknown outside": (b'{"request": {"skill": 3}, "luck": 1}', "/luck"),
    "true": (b'{"request": {"skill": true}}', "/request/skill"),
    "false": (b'{"request": {"skill": false}}', "/request/skill"),
    "text": (b'{"request": {"skill": "3"}}', "/request/skill"),
    "fraction": (b'{"request": {"skill": 3.5}}', "/request/skill"),
    "null": (b'{"request": {"skill": null}}', "/request/skill"),
    "list": (b'{"request": {"skill": [3]}}', "/request/skill"),
    "object": (b'{"request": {"skill": {"XYZZY": 3}}}', "/request/skill"),
    "30 digits": (b'{"request": {"skill": 999999999999999999999999999999}}', "/request/skill"),
    "1e30": (b'{"request": {"skill": 1e30}}', "/request/skill"),
    "below": (b'{"request": {"skill": -1}}', "/request/skill"),
    "dice: number": (b'{"request": {"skill": 3}, "dice": 3}', "/dice"),
    "dice: text": (b'{"request": {"skill": 3}, "dice": "3,3,5"}', "/dice"),
    "dice: texts": (b'{"request": {"skill": 3}, "dice": ["3"]}', "/dice/0"),
    "dice: true": (b'{"request": {"skill": 3}, "dice": [true]}', "/dice/0"),
    "dice: 0": (b'{"request": {"skill": 3}, "dice": [3, 0, 5]}', "/dice/1"),
    "too many dice": (
        b'{"request": {"skill": 3}, "dice": [' + b"1," * 1000 + b"1]}",
        "/dice",
    ),
    "seed: number": (b'{"request": {"skill": 3}, "seed": 42}', "/seed"),
    "seed: NUL": (b'{"request": {"skill": 3}, "seed": "XYZZY\\u0000"}', "/seed"),
    "seed: long": (b'{"request": {"skill": 3}, "seed": "' + b"x" * 201 + b'"}', "/seed"),
    "note: NUL": (b'{"request": {"skill": 3}, "note": "\\u0000"}', "/note"),
    "note: long": (b'{"request": {"skill": 3}, "note": "' + b"x" * 501 + b'"}', "/note"),
    "actor: empty": (b'{"request": {"skill": 3}, "actor": ""}', "/actor"),
    "secret: text": (b'{"request": {"skill": 3}, "secret": "yes"}', "/secret"),
    "table: short": (b'{"request": {"skill": 3}, "table": "XYZZY"}', "/table"),
    "a slash in a name": (b'{"request": {"skill": 3, "a/b~c": 1}}', "/request/a~1b~0c"),
}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def send(client: TestClient, path: str, body: bytes, language: str) -> Any:
    answer = client.post(
        path,
        content=body,
        headers={"Content-Type": "application/json", "Accept-Language": language},
    )
    assert answer.headers["access-control-allow-origin"] == "*"
    return answer


def problem(client: TestClient, path: str, body: bytes, language: str, status: int) -> Any:
    answer = send(client, path, body, language)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["content-language"] == language
    found = answer.json()
    assert found["status"] == status
    assert found["type"] == f"/v1/problems#{found['code']}"
    assert found["detail"] and found["fix"] and found["title"]  # noqa: PT018 - all of them
    return found


def words(found: dict[str, Any]) -> str:
    """All that a problem says, its pointers aside."""
    said = [found["title"], found["detail"], found["fix"]]
    return " ".join([*said, *(fault["detail"] for fault in found["faults"])])


@pytest.mark.parametrize("path", [ROLL, f"{ROLL}/odds", "/v1/batch", "/v1/verify", TABLE])
@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_not_json_is_400(client: TestClient, path: str, body: bytes, language: str) -> None:
    found = problem(client, path, body, language, 400)
    assert found["code"] == "not-json"
    assert ECHO not in json.dumps(found)


@pytest.mark.parametrize("path", [ROLL, f"{ROLL}/odds", "/v1/batch", "/v1/verify", TABLE])
@pytest.mark.parametrize("body", TWICE.values(), ids=TWICE)
def test_a_field_written_twice_is_400(
    client: TestClient, path: str, body: bytes, language: str
) -> None:
    found = problem(client, path, body, language, 400)
    assert found["code"] == "key-twice"
    assert ECHO not in json.dumps(found)


@pytest.mark.parametrize("path", [ROLL, "/v1/batch", TABLE])
def test_what_is_nested_beyond_reason_is_400(client: TestClient, path: str, language: str) -> None:
    assert problem(client, path, DEEP, language, 400)["code"] == "too-deep"


@pytest.mark.parametrize("path", [ROLL, f"{ROLL}/odds", "/v1/batch", "/v1/verify", TABLE])
@pytest.mark.parametrize("body", NO_REQUEST.values(), ids=NO_REQUEST)
def test_what_is_no_object_or_empty_is_422(
    client: TestClient, path: str, body: bytes, language: str
) -> None:
    found = problem(client, path, body, language, 422)
    assert found["code"] == "invalid"
    assert found["faults"]
    assert ECHO not in json.dumps(found)


@pytest.mark.parametrize(("body", "pointer"), MISFITS.values(), ids=MISFITS)
def test_what_the_schema_forbids_is_422_and_names_the_place(
    client: TestClient, body: bytes, pointer: str, language: str
) -> None:
    found = problem(client, ROLL, body, language, 422)
    assert pointer in [fault["pointer"] for fault in found["faults"]]
    assert ECHO not in words(found)
    assert "999999" not in words(found)


@pytest.mark.parametrize(("body", "pointer"), MISFITS.values(), ids=MISFITS)
def test_an_item_of_a_batch_is_read_as_strictly(
    client: TestClient, body: bytes, pointer: str
) -> None:
    item = b'{"system": "kadath", "resolver": "roll", ' + body[1:]
    answer = send(client, "/v1/batch", b'{"items": [' + item + b"]}", "en")
    assert answer.status_code == 200, answer.text
    (found,) = answer.json()["answers"]
    assert found["status"] == 422
    assert pointer in [fault["pointer"] for fault in found["problem"]["faults"]]
    assert ECHO not in words(found["problem"])


@pytest.mark.parametrize("value", [b"3", b"3.0", b"3e0", b"30e-1"])
def test_a_whole_number_is_one_however_it_is_written(client: TestClient, value: bytes) -> None:
    answer = send(client, ROLL, b'{"request": {"skill": ' + value + b"}}", "en")
    assert answer.status_code == 200
    assert answer.json()["request"]["skill"] == 3
    assert b'"skill":3,' in answer.content


def test_absent_and_null_are_told_apart(client: TestClient) -> None:
    for field in (b'"dice"', b'"seed"', b'"actor"', b'"note"', b'"table"', b'"client"'):
        body = b'{"request": {"skill": 3}, ' + field + b": null}"
        assert send(client, ROLL, body, "en").status_code == 200
    body = b'{"request": {"skill": 3}, "secret": null}'
    assert send(client, ROLL, body, "en").status_code == 422


def test_every_fault_is_named_at_once_up_to_fifty(client: TestClient) -> None:
    body = b'{"request": {"skill": "3", "favorable": -1}, "seed": 1, "luck": 1}'
    found = problem(client, ROLL, body, "en", 422)
    assert [(fault["pointer"], fault["code"]) for fault in found["faults"]] == [
        ("/request/skill", "not-whole"),
        ("/request/favorable", "too-small"),
        ("/seed", "not-text"),
        ("/luck", "unknown-field"),
    ]
    assert found["detail"] == "The request has 4 faults."
    many = {"request": {"skill": 3, **{f"x{number}": 1 for number in range(500)}}}
    found = problem(client, ROLL, json.dumps(many).encode(), "en", 422)
    assert len(found["faults"]) == 50
    assert found["detail"] == "The request has 500 faults."


def test_a_long_name_is_cut_in_its_pointer(client: TestClient) -> None:
    body = json.dumps({"request": {"skill": 3}, "x" * 10_000: 1}).encode()
    found = problem(client, ROLL, body, "fr", 422)
    assert found["faults"][0]["pointer"] == "/" + "x" * 80


@pytest.mark.parametrize(
    ("limit", "path"), [(256 * 1024, ROLL), (1024 * 1024, "/v1/batch"), (256 * 1024, TABLE)]
)
def test_a_body_beyond_the_limit_is_413(
    client: TestClient, limit: int, path: str, language: str
) -> None:
    fits = b'{"request": {"skill": 3}}'.ljust(limit)
    assert send(client, path, fits, language).status_code in {200, 422}
    found = problem(client, path, fits + b" ", language, 413)
    assert found["code"] == "too-big"
    assert str(limit) in found["detail"]

    def parts() -> Any:
        yield from (fits[start : start + 65536] for start in range(0, limit, 65536))
        yield b" "

    answer = client.post(path, content=parts(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too-big"


def test_a_body_in_parts_is_put_together(client: TestClient) -> None:
    parts = (bytes([byte]) for byte in b'{"request": {"skill": 3}, "dice": [3, 3, 5]}')
    answer = client.post(ROLL, content=parts, headers={"Content-Type": "application/json"})
    assert answer.status_code == 200
    assert answer.json()["draws"][0]["faces"] == [3, 3, 5]


@pytest.mark.parametrize("body", [*NOT_JSON.values(), *TWICE.values(), DEEP], ids=str)
def test_graphql_refuses_the_same_bodies(client: TestClient, body: bytes, language: str) -> None:
    answer = send(client, "/graphql", body, language)
    assert 400 <= answer.status_code < 500
    assert "application/json" in answer.headers["content-type"]
    (error,) = answer.json()["errors"]
    assert error["message"]
    assert error["extensions"]["code"]
    assert ECHO not in answer.text


@pytest.mark.parametrize(
    "value",
    [
        b"NaN",
        b"Infinity",
        b"1e999",
        b"9" * 5000,
        b"9" * 30,
        b"true",
        b'"3"',
        b"3.5",
        b"null",
        b"[" * 30_000 + b"]" * 30_000,
        b'"\\ud800"',
    ],
    ids=lambda value: str(value[:20]),
)
def test_graphql_reads_variables_as_strictly(
    client: TestClient, value: bytes, language: str
) -> None:
    body = b'{"query": "%b", "variables": {"r": {"skill": %b}}}' % (GRAPHQL.encode(), value)
    answer = send(client, "/graphql", body, language)
    assert answer.status_code < 500
    assert answer.json()["errors"][0]["extensions"]["code"]
    assert not answer.json().get("data")


@pytest.mark.parametrize("system", GAMES, ids=lambda system: system.id)
def test_every_rule_refuses_hostile_bodies(client: TestClient, system: Any) -> None:
    for resolver in system.resolvers:
        path = f"/v1/{system.id}/{resolver.id}"
        shown = next(e for s, e in examples() if s is system and e.resolver == resolver.id)
        for name, body in {**NOT_JSON, **TWICE}.items():
            assert send(client, path, body, "en").status_code == 400, (path, name)
        for field in shown.request:
            for value in (b"NaN", b"1e999", b'"\\ud800"', b"9" * 5000):
                body = b'{"request": {"%b": %b}}' % (field.encode(), value)
                assert send(client, path, body, "en").status_code == 400, (path, field, value)
            for value in (b"9" * 30, b"-1e30", b'"\\u0000"', b"[[[]]]", b'{"": {}}'):
                body = b'{"request": {"%b": %b}}' % (field.encode(), value)
                answer = send(client, path, body, "en")
                assert 400 <= answer.status_code < 500, (path, field, value, answer.text)
