"""What a document may ask: each limit is met exactly, and one more is refused at once."""

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import tiny_duel
from arbitre.api.graphql import limits
from arbitre.app import create_app
from arbitre.registry import registry_of
from arbitre.settings import Settings

ODDS = "duelOdds(request:{a:{skill:1},b:{skill:1}}){work}"
READ = 'roll(id:"x"){id}'
VERIFY = 'verify(entry:"x"){id}'
ROLL = "duel(request:{a:{skill:1},b:{skill:1}}){id}"


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The service with one small game."""
    settings = Settings(data=Path(tmp_path_factory.mktemp("data")))
    with TestClient(create_app(settings, registry_of([tiny_duel.SYSTEM]))) as client:
        yield client


def codes(door: TestClient, query: str) -> set[str]:
    answer = door.post("/graphql", json={"query": query}, headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    return {error["extensions"]["code"] for error in answer.json().get("errors", [])}


def aliases(field: str, count: int) -> str:
    return " ".join(f"a{n}:{field}" for n in range(count))


@pytest.mark.parametrize(
    ("most", "one_more", "code"),
    [
        (
            f"{{{aliases('systems{id}', limits.ALIASES)}}}",
            f"{{{aliases('systems{id}', limits.ALIASES + 1)}}}",
            "query-aliases",
        ),
        (
            f"mutation{{tinyDuel{{{aliases(ROLL, limits.CALLS)}}}}}",
            f"mutation{{tinyDuel{{{aliases(ROLL, limits.CALLS + 1)}}}}}",
            "query-calls",
        ),
        (
            f"{{tinyDuel{{{aliases(ODDS, limits.CALLS // limits.ODDS)}}}}}",
            f"{{tinyDuel{{{aliases(ODDS, limits.CALLS // limits.ODDS + 1)}}}}}",
            "query-calls",
        ),
        (
            f"{{systems{{{'id ' * (limits.REPEATS + 1)}}}}}",
            f"{{systems{{{'id ' * (limits.REPEATS + 2)}}}}}",
            "query-repeats",
        ),
        (
            f"{{{'systems{id}' * (limits.REPEATS // 2 + 1)}}}",
            f"{{{'systems{id}' * (limits.REPEATS // 2 + 2)}}}",
            "query-repeats",
        ),
    ],
)
def test_a_limit_is_met_exactly(door: TestClient, most: str, one_more: str, code: str) -> None:
    assert codes(door, most) == set()
    assert codes(door, one_more) == {code}


def spread(names: str, last: str) -> str:
    """Spread each fragment twice in the one before it."""
    pairs = pairwise(names)
    doubled = (f"fragment {a} on KnownSystem{{...{b} ...{b}}}" for a, b in pairs)
    return f"{{systems{{...{names[0]}}}}}{''.join(doubled)}fragment {names[-1]} on {last}"


DEEP = limits.DEPTH
TWICE = "fragment A on KnownSystem{id ...B} fragment B on KnownSystem{...A}"
SIX_ODDS = aliases(ODDS, 6)
MANY = "".join(f"query A{n}{{systems{{...F}}}}" for n in range(40))
CIRCLE = '{__type(name:"Query")' + "{fields{type" * 20 + "{name}" + "}}" * 20 + "}"

FLOODS = [
    ("{systems" + "{resolvers" * DEEP + "{id}" + "}" * (DEEP + 1), "query-deep"),
    ("{" + "...{" * 62 + "systems{id}" + "}" * 63, "query-deep"),
    (f"{{systems{{{'id ' * limits.FIELDS}}}}}", "query-fields"),
    (spread("ABCDEFGHIJKL", "KnownSystem{id}"), "query-fields"),
    (f"{MANY} fragment F on KnownSystem{{{'id ' * 30}}}", "query-fields"),
    ("query A{systems{id}}query B{systems{id}}", "invalid-query"),
    (f"{{systems{{...A}}}} {TWICE}", "query-cycle"),
    ("{...A} fragment A on Query{systems{id} ...A}", "query-cycle"),
    ("{systems{...None}}", "invalid-query"),
    ("{" + "systems " * limits.TOKENS + "}", "invalid-query"),
    ("#\n" * (limits.TOKENS + 1) + "{systems{id}}", "invalid-query"),
    (f"{{tinyDuel{{...A}}}} fragment A on TinyDuelQueries{{{SIX_ODDS}}}", "query-calls"),
    (f"{{tinyDuel{{...{{{SIX_ODDS}}}}}}}", "query-calls"),
    (f"{{{aliases(READ, 21)}}}", "query-calls"),
    (f"{{{aliases(VERIFY, 21)}}}", "query-calls"),
    ('{__schema{types{name}} __type(name:"Query"){name}}', "query-introspection"),
    ("{__schema{types{name}} systems{id}}", "query-introspection"),
    ("{__schema{a:types{name}}}", "query-introspection"),
    ("{__schema{types{fields{type{fields{name}}}}}}", "query-introspection"),
    ("{...A} fragment A on Query{__schema{types{name}} systems{id}}", "query-introspection"),
    (CIRCLE, "query-introspection"),
]


@pytest.mark.parametrize(("query", "code"), FLOODS, ids=range(len(FLOODS)))
def test_a_flood_is_refused_at_once(door: TestClient, query: str, code: str) -> None:
    started = time.perf_counter()
    assert codes(door, query) == {code}
    assert time.perf_counter() - started < 1


def test_variables_hold_a_bounded_number_of_values(door: TestClient) -> None:
    query = "mutation($d:[Int!]){tinyDuel{duel(request:{a:{skill:1},b:{skill:1}},dice:$d){id}}}"
    for count, code in ((1_001, "invalid"), (30_000, "query-values")):
        body = {"query": query, "variables": {"d": [1] * count}}
        answer = door.post("/graphql", json=body)
        assert answer.json()["errors"][0]["extensions"]["code"] == code


def test_a_long_document_is_answered_but_not_kept(door: TestClient) -> None:
    for query in ("{systems{id}}", "{__schema{queryType{name}}}"):
        assert codes(door, query + " " * 30_000) == set()


def test_limits_are_told_in_both_languages(door: TestClient) -> None:
    query = "{" + aliases("systems{id}", 31) + "}"
    told = {}
    for language in ("fr", "en"):
        answer = door.post("/graphql", json={"query": query}, headers={"Accept-Language": language})
        told[language] = answer.json()["errors"][0]
    assert told["fr"]["message"] == "La requête emploie plus de 30 alias."
    assert told["en"]["message"] == "The query uses more than 30 aliases."
    assert told["en"]["extensions"]["fix"] == "Send several operations."
