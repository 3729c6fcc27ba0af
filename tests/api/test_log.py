"""A roll that was answered is in the log, once, and can be proved."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient
from starlette.testclient import TestClient

import tiny_duel
from arbitre.app import create_app
from arbitre.audit import Signer, canonical
from arbitre.audit.master import load_master
from arbitre.audit.tables import TableKeys
from arbitre.registry import registry_of
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.system import System
from arbitre.settings import Settings
from arbitre.store import store_from
from doors import GAMES, address, body, name, thrown

DUEL = "/v1/tiny-duel/duel"
ASKED = {"request": {"a": {"skill": 3}, "b": {"skill": 2, "weapon": "blade"}}}
REPLAYED = "idempotency-replayed"

Starts = Callable[..., TestClient]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starts]:
    """Starts services one after the other on the same data, as restarts do."""
    running: list[TestClient] = []

    def restart(system: System = tiny_duel.SYSTEM) -> TestClient:
        while running:
            running.pop().__exit__(None, None, None)
        app = create_app(Settings(data=tmp_path), registry_of([system]))
        running.append(TestClient(app, raise_server_exceptions=False).__enter__())
        return running[0]

    yield restart
    running.pop().__exit__(None, None, None)


@pytest.fixture
def duels(start: Starts) -> TestClient:
    return start()


@pytest.mark.parametrize("system", GAMES, ids=name)
def test_an_answer_is_read_back_byte_for_byte_after_a_restart(
    start: Starts, system: System
) -> None:
    example = thrown(system)
    client = start(system)
    rolls = []
    for language in LANGUAGES:
        for asked in (
            body(example, actor="Ysé", note="aube — « ½ »"),
            {"request": example.request, "seed": "encore"},
            {"request": example.request},
        ):
            answer = client.post(address(system, example), json=asked, params={"lang": language})
            assert answer.status_code == 200
            rolls.append((language, answer.json()["id"], answer.content))
    client = start(system)
    for language, id_, content in rolls:
        again = client.get(f"/v1/rolls/{id_}", headers={"Accept-Language": language})
        assert again.status_code == 200
        assert again.headers["content-language"] == language
        assert again.content == content
        other = "en" if language == "fr" else "fr"
        translated = client.get(f"/v1/rolls/{id_}", params={"lang": other})
        assert translated.json()["log"] == json.loads(content)["log"]


def test_the_key_survives_a_restart_and_signs_every_roll(start: Starts) -> None:
    client = start()
    key = client.get("/v1/key").json()
    assert client.post(DUEL, json=ASKED).json()["log"]["key"] == key["key"]
    assert start().get("/v1/key").json() == key


@pytest.mark.parametrize("id_", ["x", "0" * 60, "01900000-0000-7000-8000-000000000000", "%00", "é"])
def test_what_is_in_no_log_is_404(duels: TestClient, id_: str) -> None:
    answer = duels.get(f"/v1/rolls/{id_}", params={"lang": "en"})
    assert answer.status_code == 404
    assert answer.json()["code"] == "no-roll"
    assert answer.json()["detail"] == "No roll of that name is in the log, or it has expired."


def test_a_roll_of_other_rules_is_shown_as_it_was_logged(tmp_path: Path) -> None:
    older = tiny_duel.SYSTEM
    with TestClient(create_app(Settings(data=tmp_path), registry_of([older]))) as client:
        rolled = client.post(DUEL, json={**ASKED, "dice": [5, 1, 1, 1, 1], "actor": "Ana"}).json()
    newer = System(**{**vars_of(older), "version": "2.0.0"})
    with TestClient(create_app(Settings(data=tmp_path), registry_of([newer]))) as client:
        shown = client.get(f"/v1/rolls/{rolled['id']}", params={"lang": "en"}).json()
        verdict = client.post("/v1/verify", json=receipt(rolled), params={"lang": "en"}).json()
    assert shown["rules_version"] == "1.0.0"
    assert shown["outcome"] == rolled["outcome"]
    assert shown["log"] == rolled["log"]
    assert shown["actor"] == "Ana"
    assert shown["steps"] == []
    assert [draw["faces"] for draw in shown["draws"]] == [[5], [1], [1], [1], [1]]
    assert shown["summary"] == (
        "This roll follows another version of the rules: it is shown as logged."
    )
    assert (verdict["valid"], verdict["status"]) == (False, "version")
    assert verdict["summary"].startswith("The rules of that version are not here")


def vars_of(system: System) -> dict[str, Any]:
    fields = ("id", "prefix", "models", "version", "package", "resolvers", "tables", "chat")
    return {field: getattr(system, field) for field in fields}


def receipt(answer: dict[str, Any]) -> dict[str, Any]:
    return {"entry": answer["log"]["entry"], "sig": answer["log"]["sig"]}


@pytest.mark.parametrize(
    "more", [{}, {"seed": "s"}, {"dice": [5, 1, 1, 1, 1]}, {"actor": "Ana", "note": "\N{SNOWMAN}"}]
)
def test_a_roll_verifies(duels: TestClient, more: dict[str, Any]) -> None:
    rolled = duels.post(DUEL, json={**ASKED, **more}).json()
    verdict = duels.post("/v1/verify", json=receipt(rolled)).json()
    assert verdict["valid"]
    assert verdict["status"] == "valid"
    assert verdict["id"] == rolled["id"]
    assert verdict["summary"].endswith("la même règle donnent le même résultat.")
    assert {check["ok"] for check in verdict["checks"]} <= {True, None}


def checks(verdict: dict[str, Any]) -> dict[str, str]:
    return {
        check["name"]: check["reason"] for check in verdict["checks"] if check["ok"] is not True
    }


def test_an_unsigned_entry_is_run_again_all_the_same(duels: TestClient) -> None:
    rolled = duels.post(DUEL, json=ASKED).json()
    verdict = duels.post("/v1/verify", json={"entry": rolled["log"]["entry"]}).json()
    assert verdict["valid"]
    assert checks(verdict) == {"signature": "not-signed"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_entry_does_not_hold_and_the_verdict_says_where(
    duels: TestClient, language: str
) -> None:
    rolled = duels.post(DUEL, json={**ASKED, "seed": "s"}).json()
    entry = json.loads(rolled["log"]["entry"])
    entry["outcome"]["margin"] += 1
    changed = {"entry": canonical(entry).decode(), "sig": rolled["log"]["sig"]}
    verdict = duels.post("/v1/verify", json=changed, params={"lang": language}).json()
    assert not verdict["valid"]
    assert checks(verdict) == {"signature": "signature-wrong", "outcome": "outcome-differs"}
    (outcome,) = [check for check in verdict["checks"] if check["name"] == "outcome"]
    values = {value["name"]: json.loads(value["value"]) for value in outcome["values"]}
    assert values["pointer"] == "/margin"
    assert values["found"] == values["expected"] + 1
    said = {"fr": "résultat\N{NO-BREAK SPACE}: la règle donne", "en": "outcome: the rule gives"}
    assert outcome["detail"].startswith(said[language])


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("", "not-json"),
        ("nothing", "not-json"),
        ("[1]", "not-an-object"),
        ('{"b":1, "a":2}', "not-canonical"),
        ("{}", "other-version"),
    ],
)
def test_what_is_no_entry_is_no_fault_of_the_service(
    duels: TestClient, entry: str, reason: str
) -> None:
    verdict = duels.post("/v1/verify", json={"entry": entry, "sig": "0"})
    assert verdict.status_code == 200
    assert verdict.json()["status"] == "invalid"
    assert verdict.json()["id"] is None
    assert reason in checks(verdict.json()).values()


def test_the_signature_of_another_key_is_told_apart(duels: TestClient) -> None:
    rolled = duels.post(DUEL, json=ASKED).json()
    other = Signer(bytes(range(32)))
    entry = json.loads(rolled["log"]["entry"]) | {"key": other.public_key}
    signed = canonical(entry)
    verdict = duels.post(
        "/v1/verify", json={"entry": signed.decode(), "sig": other.sign(signed)}
    ).json()
    assert checks(verdict) == {"key": "other-key"}


def test_the_service_signs_with_its_master_key(duels: TestClient, tmp_path: Path) -> None:
    signer = TableKeys(load_master(None, tmp_path)).signer
    assert duels.get("/v1/key").json() == {
        "algorithm": "Ed25519",
        "key": signer.public_key,
        "key_id": signer.key_id,
    }


@pytest.mark.parametrize(
    "key", ["k", '"k"', " k ", "a key of words", "é".encode().hex(), "x" * 200]
)
def test_a_retry_gets_the_same_roll_and_is_told_so(duels: TestClient, key: str) -> None:
    first = duels.post(DUEL, json=ASKED, headers={"Idempotency-Key": key})
    assert REPLAYED not in first.headers
    for language in ("fr", "en"):
        again = duels.post(
            DUEL, json=ASKED, headers={"Idempotency-Key": key, "Accept-Language": language}
        )
        assert again.headers[REPLAYED] == "true"
        assert again.json()["log"] == first.json()["log"]
    same = duels.post(DUEL, json=ASKED, headers={"Idempotency-Key": key})
    assert same.content == first.content


def test_quoted_and_bare_are_one_key(duels: TestClient) -> None:
    quoted = duels.post(DUEL, json=ASKED, headers={"Idempotency-Key": '"8e03978e"'})
    bare = duels.post(DUEL, json=ASKED, headers={"Idempotency-Key": "8e03978e"})
    assert bare.content == quoted.content


def test_a_body_written_otherwise_is_the_same_request(duels: TestClient) -> None:
    one = duels.post(DUEL, json=ASKED, headers={"Idempotency-Key": "k"})
    filled = {"request": {"b": {"weapon": "blade", "skill": 2.0}, "a": {"skill": 3}}, "dice": None}
    again = duels.post(DUEL, json=filled, headers={"Idempotency-Key": "k"})
    assert again.content == one.content


@pytest.mark.parametrize(
    "other",
    [
        {"request": {"a": {"skill": 3}, "b": {"skill": 2}}},
        {**ASKED, "seed": "s"},
        {**ASKED, "dice": [1, 1, 1, 1, 1]},
        {**ASKED, "actor": "Ana"},
        {**ASKED, "note": "n"},
    ],
)
def test_a_key_serves_one_request(duels: TestClient, other: dict[str, Any]) -> None:
    duels.post(DUEL, json=ASKED, headers={"Idempotency-Key": "k"})
    for language, fix in (("fr", "nouvelle clé"), ("en", "new key")):
        answer = duels.post(
            DUEL, json=other, headers={"Idempotency-Key": "k", "Accept-Language": language}
        )
        assert answer.status_code == 422
        assert answer.json()["code"] == "key-reused"
        assert fix in answer.json()["fix"]


def test_a_key_serves_one_rule(client: TestClient) -> None:
    headers = {"Idempotency-Key": "test_a_key_serves_one_rule"}
    first, second = (address(system, thrown(system)) for system in GAMES[:2])
    asked = [body(thrown(system)) for system in GAMES[:2]]
    assert client.post(first, json=asked[0], headers=headers).status_code == 200
    assert client.post(second, json=asked[1], headers=headers).status_code == 422


@pytest.mark.parametrize("key", ["", " ", '""', "é", "a\tb", "x" * 201, '"' + "x" * 201 + '"'])
def test_what_is_no_key_is_refused_before_any_roll(duels: TestClient, key: str) -> None:
    headers = [("Idempotency-Key", key.encode("latin-1"))]
    answer = duels.post(DUEL, json=ASKED, headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 400
    assert answer.json()["code"] == "key-invalid"


def test_a_refused_request_leaves_its_key_free(duels: TestClient) -> None:
    headers = {"Idempotency-Key": "k"}
    refused = {"request": {"a": {"skill": 0}, "b": {"skill": 0}}}
    assert duels.post(DUEL, json=refused, headers=headers).status_code == 409
    assert duels.post(DUEL, json=ASKED, headers=headers).status_code == 200


def test_each_item_of_a_batch_is_kept_under_the_batch_key(duels: TestClient) -> None:
    items = [{"system": "tiny-duel", "resolver": "duel", **ASKED} for _ in range(40)]
    headers = {"Idempotency-Key": "batch"}
    first = duels.post("/v1/batch", json={"items": items}, headers=headers)
    again = duels.post("/v1/batch", json={"items": items}, headers=headers)
    assert again.content == first.content
    assert REPLAYED not in first.headers
    assert again.headers[REPLAYED] == "true"
    ids = [answer["answer"]["id"] for answer in first.json()["answers"]]
    assert len(set(ids)) == 40
    items[7] = {**items[7], "note": "another"}
    other = duels.post("/v1/batch", json={"items": items}, headers=headers)
    assert REPLAYED not in other.headers
    answers = other.json()["answers"]
    assert [answer["status"] for answer in answers].count(422) == 1
    assert answers[7]["problem"]["code"] == "key-reused"


def test_an_item_of_a_batch_fails_alone(duels: TestClient) -> None:
    roll = {"system": "tiny-duel", "resolver": "duel"}
    items = [
        {**roll, **ASKED, "dice": [1, 2, 3, 4, 5]},
        {**roll, **ASKED, "dice": [1]},
        {**roll, "request": {}},
        {"system": "tiny-duel", "resolver": "dual"},
        {"system": "go", "resolver": "duel"},
        {**roll, **ASKED, "luck": 1},
    ]
    answer = duels.post("/v1/batch", json={"items": items}, params={"lang": "en"})
    assert answer.status_code == 200
    found = answer.json()["answers"]
    assert [row["status"] for row in found] == [200, 409, 422, 404, 404, 422]
    assert [row["problem"]["code"] for row in found[1:]] == [
        "dice-missing",
        "invalid",
        "no-resolver",
        "no-system",
        "invalid",
    ]
    assert found[2]["problem"]["faults"][0]["pointer"] == "/request/a"


def test_a_full_batch_is_answered_in_order(duels: TestClient) -> None:
    roll = {"system": "tiny-duel", "resolver": "duel"}
    items = [{**roll, **ASKED, "note": f"{number:040}"} for number in range(1000)]
    answers = duels.post("/v1/batch", json={"items": items}).json()["answers"]
    assert [row["answer"]["note"] for row in answers] == [item["note"] for item in items]
    answer = duels.post("/v1/batch", json={"items": [*items, items[0]]})
    assert answer.status_code == 422
    assert answer.json()["faults"][0]["code"] == "list-too-long"


def test_a_retry_at_a_table_is_told_so_too(duels: TestClient) -> None:
    table = duels.post("/v1/tables", json={"name": "t"}).json()
    headers = {"Authorization": f"Bearer {table['gm_token']}", "Idempotency-Key": "k"}
    for path, asked in (
        (DUEL, {**ASKED, "table": table["id"]}),
        (f"/v1/tables/{table['id']}/rotate", {}),
    ):
        one, again = (duels.post(path, json=asked, headers=headers) for _ in range(2))
        headers["Idempotency-Key"] += "k"
        assert one.status_code == again.status_code == 200
        assert again.content == one.content
        assert REPLAYED not in one.headers
        assert again.headers[REPLAYED] == "true"
    id_ = f"{table['id']}.1"
    shown = duels.get(f"/v1/rolls/{id_}")
    assert shown.json()["id"] == id_


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[AsyncClient]:
    store = store_from(None, tmp_path)
    app = create_app(Settings(data=tmp_path), registry_of([tiny_duel.SYSTEM]), store)
    await store.open()
    async with AsyncClient(transport=ASGITransport(app), base_url="http://arbitre") as client:
        yield client
    await store.close()


async def test_requests_that_race_with_one_key_are_one_roll(running: AsyncClient) -> None:
    answers = await asyncio.gather(
        *(running.post(DUEL, json=ASKED, headers={"Idempotency-Key": "race"}) for _ in range(20))
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1


async def test_of_different_requests_that_race_with_one_key_one_wins(running: AsyncClient) -> None:
    answers = await asyncio.gather(
        *(
            running.post(
                DUEL, json={**ASKED, "note": str(number)}, headers={"Idempotency-Key": "r"}
            )
            for number in range(20)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [422] * 19


async def test_requests_in_flight_do_not_cross(running: AsyncClient) -> None:
    async def roll(number: int) -> None:
        asked = {**ASKED, "actor": f"actor {number}", "note": f"note {number}", "seed": str(number)}
        answer = (await running.post(DUEL, json=asked)).json()
        assert (answer["actor"], answer["note"]) == (asked["actor"], asked["note"])
        again = (await running.get(f"/v1/rolls/{answer['id']}")).json()
        assert again == answer

    await asyncio.gather(*map(roll, range(200)))


async def test_callers_that_leave_do_not_get_in_the_way_of_others(running: AsyncClient) -> None:
    async def roll(number: int) -> None:
        asked = {**ASKED, "note": str(number)}
        answer = await running.post(DUEL, json=asked, headers={"Idempotency-Key": f"n{number}"})
        assert answer.json()["note"] == str(number)

    for turn in range(5):
        numbers = range(turn * 60, turn * 60 + 60)
        rolling = {number: asyncio.create_task(roll(number)) for number in numbers}
        for steps in range(4):
            await asyncio.sleep(0)
            for number in list(rolling)[steps::7]:
                rolling.pop(number).cancel()
        await asyncio.gather(*rolling.values())
    await asyncio.gather(*map(roll, range(300)))
