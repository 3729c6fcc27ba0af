from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from arbitre.store import Store, store_from
from redis_server import RedisServer

Stores = Callable[[], Store]


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "redis"])
def stores(request: pytest.FixtureRequest, tmp_path: Path, redis_server: RedisServer) -> Stores:
    """Makes stores that share one database, as the workers of a service do."""
    url = None
    if request.param == "redis":
        redis_server.flush()
        url = redis_server.url
    return lambda: store_from(url, tmp_path / "data", 3600)


@pytest.fixture
async def store(stores: Stores) -> AsyncIterator[Store]:
    opened = stores()
    await opened.open()
    yield opened
    await opened.close()
