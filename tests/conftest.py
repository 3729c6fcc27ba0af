"""A whole service, in this process, with a log of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from arbitre.app import create_app
from arbitre.registry import Registry, load_registry
from arbitre.settings import Settings
from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def registry() -> Registry:
    return load_registry()


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory, registry: Registry) -> Iterator[TestClient]:
    """REST and GraphQL of every game, on SQLite."""
    settings = Settings(data=Path(tmp_path_factory.mktemp("data")))
    with TestClient(create_app(settings, registry), raise_server_exceptions=False) as client:
        yield client
