from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arbitre.app import create_app
from arbitre.settings import Settings
from arbitre.store import store_from
from arbitre.store.interface import Log
from at_table import Table
from entries import REGISTRY
from redis_server import RedisServer

Starts = Callable[[], TestClient]


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session", params=["sqlite", "redis"])
def where(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str | None, Path]:
    """Return the address of Redis, or nothing, and the folder of the data."""
    server: RedisServer | None = (
        request.getfixturevalue("redis_server") if request.param == "redis" else None
    )
    return server.url if server else None, tmp_path_factory.mktemp("data")


def store_at(where: tuple[str | None, Path]) -> Log:
    """Return a store, not yet opened, that takes everything for settled at once."""
    store = store_from(*where)
    store.settle = 0.0
    return store


@pytest.fixture(scope="session")
def starts(where: tuple[str | None, Path]) -> Iterator[Starts]:
    """Starts services that share a store, as workers do."""
    running: list[TestClient] = []

    def start() -> TestClient:
        app = create_app(Settings(data=where[1], redis_url=where[0]), REGISTRY, store_at(where))
        running.append(TestClient(app, raise_server_exceptions=False).__enter__())
        return running[-1]

    yield start
    for client in running:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def service(starts: Starts) -> TestClient:
    return starts()


@pytest.fixture(scope="session")
def other(starts: Starts) -> TestClient:
    """Return another worker of the same service."""
    return starts()


@pytest.fixture
def table(service: TestClient) -> Iterator[Table]:
    """A new table; whatever happens there, its log must hold, with every receipt."""
    opened = Table(service)
    yield opened
    opened.verify()
