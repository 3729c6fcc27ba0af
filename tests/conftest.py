"""A whole service for the tests; and of a whole ``--cov`` run, enough of it covered."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from coverage import Coverage
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


LEAST = {"dice": 100, "rules": 100, "systems": 100, "odds": 100, "audit": 100, "": 95}
"""Percent of the statements and branches of each package, and of everything together."""


def _too_little() -> Iterator[str]:
    measured = Coverage()
    measured.load()
    for package, least in LEAST.items():
        text = StringIO()
        files = [f"*/arbitre/{package}/*"] if package else None
        reached = measured.report(include=files, file=text, show_missing=True, precision=2)
        if reached < least:
            yield f"coverage of {package or 'arbitre'}: {reached:.2f} %, not {least}"
            yield text.getvalue()


def _whole(config: pytest.Config) -> bool:
    option = config.option
    chosen = option.keyword or option.markexpr or option.deselect or option.collectonly
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not chosen


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if too little was covered."""
    config = session.config
    done = session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("_cov"):
        return
    if done and _whole(config):
        config.stash[_SAID] = list(_too_little())
        if config.stash[_SAID]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was missed."""
    for line in config.stash.get(_SAID, []):
        terminalreporter.write_line(line, red=True)


_SAID = pytest.StashKey[list[str]]()
