"""The numbers in the steps recompute the outcome."""

from typing import Any

import pytest

from arbitre.rules.examples import Example, load_examples
from arbitre.systems.lady_blackbird import SYSTEM
from arbitre.systems.lady_blackbird.sheet import XP_PER_ADVANCE
from arbitre.testing.cases import resolved

PLAYED = [example for example in load_examples(SYSTEM) if example.refused is None]


class Steps(dict[str, list[dict[str, Any]]]):
    """The values of each kind of step."""

    def one(self, key: str) -> dict[str, Any]:
        (values,) = self[key]
        return values

    def add(self, key: str, name: str) -> int:
        return sum(values[name] for values in self.get(key, []))


def steps_of(example: Example) -> tuple[Steps, Any]:
    played = resolved(SYSTEM, example)
    steps = Steps()
    for note in played.notes:
        steps.setdefault(note.key, []).append(note.values)
    return steps, played.outcome


def of(resolver: str) -> pytest.MarkDecorator:
    examples = [example for example in PLAYED if example.resolver == resolver]
    return pytest.mark.parametrize("example", examples, ids=str)


@of("roll")
def test_the_steps_of_a_test_add_up(example: Example) -> None:
    steps, outcome = steps_of(example)
    dice = steps.one("gathered")
    sources = ("trait", "tags", "bonus", "pool", "helpers")
    assert dice["rolled"] == 1 + sum(dice[name] for name in sources) == outcome.dice_rolled
    compared = steps.one("compared")
    assert steps.one("successes")["successes"] == compared["successes"] == outcome.successes
    assert compared["success"] == (compared["successes"] >= compared["difficulty"])
    assert compared["success"] == outcome.success
    assert ("hopeless" in steps) == (dice["rolled"] < compared["difficulty"])
    moved = steps.one("spent" if outcome.success else "kept")
    change = -moved["spent"] if outcome.success else moved["gained"]
    assert moved["before"] + change == moved["after"] == outcome.state.pool
    assert steps.add("full", "lost") == outcome.dice_lost
    assert ("retry" in steps) == outcome.retry
    helped = steps.get("helper_lost" if outcome.success else "helper_back", [])
    assert [values["after"] for values in helped] == [helper.pool for helper in outcome.helpers]


@of("help")
def test_the_steps_of_help_add_up(example: Example) -> None:
    steps, outcome = steps_of(example)
    after = [
        values["after"]
        for key in ("die_given", "helper_lost", "helper_back")
        for values in steps.get(key, [])
    ]
    assert after == [helper.pool for helper in outcome.helpers]
    assert steps.add("full", "lost") == sum(helper.dice_lost for helper in outcome.helpers)


@of("key")
def test_the_steps_of_a_key_add_up(example: Example) -> None:
    steps, outcome = steps_of(example)
    assert steps.add("rewarded", "xp") == outcome.xp_gained
    assert steps.add("rewarded", "dice") == outcome.dice_gained + outcome.dice_lost
    assert steps.add("full", "lost") == outcome.dice_lost
    bought = steps.add("given_up", "advances")
    assert steps.add("converted", "gained") + bought == outcome.advances_gained
    for values in steps.get("converted", []):
        assert values["gained"] * XP_PER_ADVANCE + values["rest"] == values["xp"]
        assert values["rest"] == outcome.state.xp
    for values in steps.get("pool_rises", []):
        assert values["before"] + values["gained"] == values["after"] == outcome.state.pool


@of("healing")
def test_the_steps_of_a_scene_add_up(example: Example) -> None:
    steps, outcome = steps_of(example)
    moved = steps.one("refreshed")
    assert moved["after"] == outcome.state.pool
    assert moved["after"] - moved["before"] == outcome.dice_gained
    removed = [values["condition"] for values in steps.get("removed", [])]
    assert removed == [outcome.removed_condition][: len(removed)]
    assert ("recovered" in steps) == (outcome.recovered_secret is not None)


@of("condition")
def test_the_steps_of_a_condition_tell_the_outcome(example: Example) -> None:
    steps, outcome = steps_of(example)
    for values in steps.get("ticked", []):
        assert values == {"condition": outcome.condition, "already": outcome.already_present}
    if "presumed_dead" in steps:
        assert outcome.presumed_dead
    if "death_real" in steps:
        assert outcome.state.death_is_final


@of("advancement")
def test_the_steps_of_an_advancement_add_up(example: Example) -> None:
    steps, outcome = steps_of(example)
    assert steps.add("converted", "gained") == outcome.advances_gained
    left = steps.one("advances_left")
    assert left["before"] - left["spent"] == left["after"] == outcome.state.advances
    assert len(steps.get("bought", [])) == left["spent"] == outcome.advances_spent
