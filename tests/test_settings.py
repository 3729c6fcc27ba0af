"""The environment, read once."""

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from arbitre.__main__ import OPTIONS
from arbitre.settings import MONTH, Settings, SettingsError


def test_an_empty_environment_is_enough() -> None:
    assert Settings.from_environment({}) == Settings()
    blank = {variable: "" for variable, _ in OPTIONS.values()}
    assert Settings.from_environment(blank) == Settings()


def test_every_variable_is_read() -> None:
    found = Settings.from_environment(
        {
            "ARBITRE_HOST": "0.0.0.0",  # noqa: S104 - it is read, not bound
            "ARBITRE_PORT": "0",
            "ARBITRE_DATA": "/var/lib/arbitre",
            "ARBITRE_WORKERS": "4",
            "ARBITRE_REDIS_URL": "redis://db/0",
            "ARBITRE_REDIS_VOLATILE": "Yes",
            "ARBITRE_MASTER_KEY": "00" * 32,
            "ARBITRE_ROLL_TTL": "60",
            "ARBITRE_ODDS_THREADS": "2",
            "PATH": "/bin",
        }
    )
    assert found == Settings(
        host="0.0.0.0",  # noqa: S104 - likewise
        port=0,
        data=Path("/var/lib/arbitre"),
        workers=4,
        redis_url="redis://db/0",
        redis_volatile=True,
        master_key="00" * 32,
        roll_ttl=60,
        odds_threads=2,
    )


def test_each_setting_is_an_option_of_serve_and_a_variable() -> None:
    names = {field.name for field in fields(Settings)}
    assert {name.replace("-", "_") for name in OPTIONS} == names
    for name, (variable, _) in OPTIONS.items():
        assert variable == f"ARBITRE_{name.replace('-', '_').upper()}"


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ARBITRE_PORT", "65536"),
        ("ARBITRE_PORT", "-1"),
        ("ARBITRE_PORT", "80.0"),
        ("ARBITRE_PORT", " 80"),
        ("ARBITRE_PORT", "٨٠"),
        ("ARBITRE_PORT", "http"),
        ("ARBITRE_PORT", "0" * 20 + "99999"),
        ("ARBITRE_PORT", "9" * 5000),
        ("ARBITRE_WORKERS", "0"),
        ("ARBITRE_WORKERS", "65"),
        ("ARBITRE_ROLL_TTL", "59"),
        ("ARBITRE_ODDS_THREADS", "17"),
        ("ARBITRE_REDIS_VOLATILE", "perhaps"),
    ],
)
def test_what_cannot_be_used_is_named(name: str, text: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({name: text})


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", True), ("true", True), ("YES", True), ("0", False), ("False", False), ("no", False)],
)
def test_yes_and_no_may_be_written_in_several_ways(text: str, value: bool) -> None:
    assert Settings.from_environment({"ARBITRE_REDIS_VOLATILE": text}).redis_volatile is value


def test_a_month_is_thirty_days() -> None:
    assert Settings().roll_ttl == MONTH == 2_592_000
