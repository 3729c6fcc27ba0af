"""The composition root: a store that fails and comes back, workers that share it, a clean end."""

import gc
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import tiny_duel
from arbitre.api.desk import MOST_WAITING
from arbitre.app import create_app, from_environment
from arbitre.audit.master import MasterSecretError
from arbitre.registry import registry_of
from arbitre.settings import Settings, SettingsError
from arbitre.store import StoreDownError
from arbitre.store.sqlite import FILE
from redis_server import RedisServer

GAMES = registry_of([tiny_duel.SYSTEM])
DUEL = "/v1/tiny-duel/duel"
ASKED = {"request": {"a": {"skill": 3}, "b": {"skill": 2}}}
KEY = {"Idempotency-Key": "k"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


@pytest.fixture(autouse=True)
def interpreter() -> Iterator[None]:
    """A service tunes its process; tests put it back."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    gc.unfreeze()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.stop()


def down(client: TestClient) -> None:
    """Every call that needs the log says that nothing was rolled, and when to come back."""
    rolled = "/v1/rolls/01900000-0000-7000-8000-000000000000"
    for language, nothing in (
        ("fr", "rien n\N{RIGHT SINGLE QUOTATION MARK}a été lancé"),
        ("en", "nothing was rolled"),
    ):
        for method, path, asked in (
            ("POST", DUEL, ASKED),
            ("POST", "/v1/tables", {"name": "t"}),
            ("GET", rolled, None),
            ("GET", "/readyz", None),
        ):
            answer = client.request(
                method, path, json=asked, headers={"Accept-Language": language, **KEY}
            )
            assert answer.status_code == 503, path
            assert answer.headers["retry-after"] == "2"
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["code"] == "store-down"
            assert nothing in answer.json()["detail"]
    item = {"system": "tiny-duel", "resolver": "duel", **ASKED}
    answer = client.post("/v1/batch", json={"items": [item]})
    assert answer.status_code == 200
    assert answer.json()["answers"][0]["status"] == 503
    duel = "mutation{tinyDuel{duel(request:{a:{skill:3},b:{skill:2}}){id}}}"
    answer = client.post("/graphql", json={"query": duel})
    assert answer.json()["errors"][0]["extensions"]["code"] == "store-down"
    assert client.get("/healthz").status_code == 200
    assert client.post(f"{DUEL}/odds", json=ASKED).status_code == 200


def works(client: TestClient) -> str:
    answer = client.post(DUEL, json=ASKED, headers=KEY)
    assert answer.status_code == 200
    assert client.get("/readyz").status_code == 200
    assert client.get(f"/v1/rolls/{answer.json()['id']}").content == answer.content
    return str(answer.json()["id"])


def test_while_redis_is_down_nothing_is_rolled_and_it_recovers_by_itself(
    settings: Settings, redis: RedisServer
) -> None:
    redis_settings = Settings(data=settings.data, redis_url=redis.url)
    with TestClient(create_app(redis_settings, GAMES)) as client:
        id_ = works(client)
        redis.stop()
        down(client)
        redis.start()
        assert works(client) == id_
        assert client.post(DUEL, json=ASKED, headers={"Idempotency-Key": "l"}).json()["id"] != id_


def test_while_the_file_is_locked_nothing_is_rolled_and_it_recovers_by_itself(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arbitre.store.sqlite.PATIENCE", 0.02)
    with TestClient(create_app(settings, GAMES)) as client:
        other = sqlite3.connect(settings.data / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = client.post(DUEL, json=ASKED, headers=KEY)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert client.get("/readyz").status_code == 503
        (kept,) = other.execute("SELECT count(*) FROM rolls").fetchone()
        assert kept == 0
        other.execute("ROLLBACK")
        works(client)
        (kept,) = other.execute("SELECT count(*) FROM rolls").fetchone()
        other.close()
        assert kept == 1


def test_a_redis_that_would_lose_rolls_is_refused_unless_told_otherwise(
    settings: Settings, tmp_path: Path
) -> None:
    server = RedisServer(tmp_path, "--appendonly", "no", "--save", "")
    server.start()
    try:
        with (
            pytest.raises(StoreDownError),
            TestClient(create_app(Settings(data=settings.data, redis_url=server.url), GAMES)),
        ):
            pass
        volatile = Settings(data=settings.data, redis_url=server.url, redis_volatile=True)
        with TestClient(create_app(volatile, GAMES)) as client:
            works(client)
    finally:
        server.stop()


def test_two_services_on_one_file_share_keys_and_rolls(settings: Settings) -> None:
    with (
        TestClient(create_app(settings, GAMES)) as one,
        TestClient(create_app(settings, GAMES)) as other,
    ):
        assert works(one) == works(other)


def test_the_master_key_is_made_once_for_its_owner_alone(settings: Settings) -> None:
    create_app(settings, GAMES)
    (key,) = settings.data.glob("*.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    kept = key.read_bytes()
    create_app(settings, GAMES)
    assert key.read_bytes() == kept


def test_a_given_master_key_needs_no_file(settings: Settings) -> None:
    given = Settings(data=settings.data, master_key="ab" * 32)
    with TestClient(create_app(given, GAMES)) as client:
        one = client.get("/v1/key").json()
    assert not list(settings.data.glob("*.key"))
    with TestClient(create_app(given, GAMES)) as client:
        assert client.get("/v1/key").json() == one


def test_an_unfit_master_key_is_refused(settings: Settings) -> None:
    with pytest.raises(MasterSecretError):
        create_app(Settings(data=settings.data, master_key="short"), GAMES)


def test_a_worker_starts_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARBITRE_DATA", str(tmp_path / "deep" / "er"))
    with TestClient(from_environment()) as client:
        assert client.get("/readyz").status_code == 200
    assert (tmp_path / "deep" / "er" / FILE).is_file()


def test_no_odds_wait_beyond_the_limit(settings: Settings) -> None:
    app = create_app(settings, GAMES)
    with TestClient(app) as client:
        desk: Any = app._rest.state.desk  # type: ignore[attr-defined]  # noqa: SLF001
        desk._waiting = MOST_WAITING  # noqa: SLF001
        answer = client.post(f"{DUEL}/odds", json=ASKED, params={"lang": "en"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.json()["code"] == "odds-busy"
        desk._waiting = 0  # noqa: SLF001
        assert client.post(f"{DUEL}/odds", json=ASKED).status_code == 200


def test_a_wrong_setting_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARBITRE_PORT", "x")
    with pytest.raises(SettingsError, match="ARBITRE_PORT"):
        from_environment()
