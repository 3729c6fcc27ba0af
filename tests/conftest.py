"""A whole service, in this process, with a log of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from arbitre.app import create_app
from arbitre.registry import Registry, load_registry
from arbitre.settings import Settings

# a busy machine is slow, not wrong; and what was found once is found again
settings.register_profile(
    "arbitre", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arbitre")


@pytest.fixture(scope="session")
def registry() -> Registry:
    return load_registry()


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory, registry: Registry) -> Iterator[TestClient]:
    """REST and GraphQL of every game, on SQLite."""
    settings = Settings(data=Path(tmp_path_factory.mktemp("data")))
    with TestClient(create_app(settings, registry), raise_server_exceptions=False) as client:
        yield client
