"""Games are found, and two that claim one name are refused."""

from dataclasses import replace

import pytest

import tiny_duel
from arbitre import registry
from arbitre.dice import Dice
from arbitre.registry import (
    SystemClashError,
    built_in_systems,
    installed_systems,
    load_registry,
    registry_of,
)
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems import kadath


class Point:
    """An entry point."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load(self) -> object:
        return replace(tiny_duel.SYSTEM, id=self.name)


class TinyDuelDuelRequest(Request):
    pass


class OtherOutcome(Outcome):
    pass


@resolver("other", rules=())
def other(request: TinyDuelDuelRequest, dice: Dice) -> OtherOutcome:
    raise NotImplementedError(request, dice)


DUEL = tiny_duel.SYSTEM


def test_each_folder_is_a_game() -> None:
    found = {system.id: system for system in built_in_systems()}
    assert found["kadath"] is kadath.SYSTEM
    assert all(id_.replace("-", "_") == s.package.split(".")[-1] for id_, s in found.items())


def test_installed_games_come_in_order_of_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [Point(f"{group}-b"), Point("a")])
    assert [system.id for system in installed_systems()] == ["a", "arbitre.systems-b"]
    found = load_registry
    monkeypatch.setattr(registry, "entry_points", lambda group: [Point("tiny-duel")])  # noqa: ARG005
    assert set(found()) == {system.id for system in built_in_systems()} | {"tiny-duel"}


def test_a_registry_does_not_change() -> None:
    found = registry_of([DUEL])
    assert dict(found) == {"tiny-duel": DUEL}
    with pytest.raises(TypeError):
        found["x"] = DUEL  # type: ignore[index]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (replace(DUEL, prefix="XX"), "id 'tiny-duel' is claimed by both tiny-duel and tiny-duel"),
        (replace(DUEL, id="xx"), "rule prefix 'TD' is claimed by both tiny-duel and xx"),
        (
            replace(DUEL, id="xx", prefix="XX", resolvers=(other,)),
            "model name 'TinyDuelDuelRequest' is claimed by both tiny-duel and xx",
        ),
    ],
)
def test_a_name_has_one_owner(second: object, said: str) -> None:
    with pytest.raises(SystemClashError) as refused:
        registry_of([DUEL, second])  # type: ignore[list-item]
    assert str(refused.value) == said


def test_two_games_may_share_a_model() -> None:
    shared = replace(DUEL, id="xx", prefix="XX")
    assert set(registry_of([DUEL, shared])) == {"tiny-duel", "xx"}
