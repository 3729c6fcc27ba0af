"""The whole OpenAPI document is true: every operation, every check, valid and invalid data.

The same from outside: ``schemathesis run http://127.0.0.1:8000/openapi.json``.
"""

import asyncio
from collections.abc import Iterator

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.schemas import BaseSchema

import fresh_keys  # noqa: F401 - its hook
from arbitre.api.openapi import document
from arbitre.app import create_app
from arbitre.registry import Registry
from arbitre.settings import Settings
from arbitre.store import store_from
from in_process import ADDRESS, InProcess

SHARES = 24
"""Tests that share the operations: what fails is named by its own words."""

SETTINGS = settings(
    max_examples=5,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def session(
    tmp_path_factory: pytest.TempPathFactory, registry: Registry
) -> Iterator[requests.Session]:
    data = tmp_path_factory.mktemp("data")
    store = store_from(None, data)
    app = create_app(Settings(data=data), registry, store)
    with asyncio.Runner() as runner, requests.Session() as session:
        runner.run(store.open())
        session.trust_env = False
        session.mount(ADDRESS, InProcess(app, runner.get_loop()))
        yield session
        runner.run(store.close())


@pytest.fixture(scope="module")
def schema(registry: Registry) -> BaseSchema:
    schema = schemathesis.openapi.from_dict(document(registry))
    schema.config.update(base_url=ADDRESS)
    return schema


def again(path: str, registry: Registry) -> bool:
    """Say whether an operation takes the very body that another one does: odds without options."""
    match path.split("/"):
        case ["", "v1", system, resolver, "odds"]:
            aid = registry[system].by_id[resolver].aid
            return not (aid and aid.options)
        case _:
            return False


@pytest.mark.parametrize("share", range(SHARES))
def test_every_operation_keeps_its_word(
    share: int, schema: BaseSchema, session: requests.Session, registry: Registry
) -> None:
    def keeps_its_word(case: schemathesis.Case) -> None:
        case.call_and_validate(session=session)

    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations[share::SHARES]:
        schema.config.phases.coverage.enabled = not again(operation.path, registry)
        build_operation_test(
            config=schema.config,
            operation=operation,
            test_func=keeps_its_word,
            given_kwargs={},
            feedback=FeedbackSources(),
            explicit_settings=SETTINGS,
        )()
