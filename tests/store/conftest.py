from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from arbitre.store import Store, store_from
from arbitre.store.interface import Log
from redis_server import AOF, RedisNodes, RedisServer

Stores = Callable[[], Store]
Logs = Callable[[], Log]


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """Return a cluster of one node: clients must speak its language all the same."""
    server = RedisServer(tmp_path_factory.mktemp("cluster"), *AOF, "--cluster-enabled", "yes")
    server.start()
    server.own_all_slots()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisNodes]:
    """Return a cluster of three nodes."""
    nodes = RedisNodes(tmp_path_factory.mktemp("nodes"))
    nodes.start()
    yield nodes
    nodes.stop()


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def address(request: pytest.FixtureRequest) -> str | None:
    """Return where an empty Redis is, or nothing for SQLite."""
    if request.param == "sqlite":
        return None
    name = "redis_server" if request.param == "redis" else "redis_cluster"
    server: RedisServer = request.getfixturevalue(name)
    server.flush()
    return server.url


@pytest.fixture
def stores(address: str | None, tmp_path: Path) -> Stores:
    """Makes stores that share one database, as the workers of a service do."""
    return lambda: store_from(address, tmp_path / "data", 3600)


@pytest.fixture
async def store(stores: Stores) -> AsyncIterator[Store]:
    opened = stores()
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", "redis", "nodes"])
def logs(request: pytest.FixtureRequest, tmp_path: Path) -> Logs:
    """Makes stores of tables that share one database, as the workers of a service do."""
    address = None
    if request.param != "sqlite":
        name = "redis_server" if request.param == "redis" else "redis_nodes"
        server: RedisServer | RedisNodes = request.getfixturevalue(name)
        server.flush()
        address = server.url
    return lambda: store_from(address, tmp_path / "data", 3600)


@pytest.fixture
async def log(logs: Logs) -> AsyncIterator[Log]:
    opened = logs()
    await opened.open()
    yield opened
    await opened.close()
