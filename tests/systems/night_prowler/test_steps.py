"""The numbers in the steps recompute the outcome: who reads them needs nothing else."""

from collections import Counter
from typing import Any

import pytest

from arbitre.dice import Note
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.play import Play
from arbitre.systems.night_prowler import SYSTEM
from arbitre.systems.night_prowler.health import NightProwlerHealth, checked
from arbitre.systems.night_prowler.tables import TRACKS
from arbitre.systems.night_prowler.test import NightProwlerTestResult
from arbitre.testing.cases import resolved

EXAMPLES = [example for example in load_examples(SYSTEM) if example.refused is None]

BASES = {"base-skill", "base-default", "base-attribute", "base-fear"}
CHANGES = {"adjusted", "crasse", "converted"}


def _named(*resolvers: str) -> Any:
    chosen = [example for example in EXAMPLES if example.resolver in resolvers]
    return pytest.mark.parametrize("example", chosen, ids=str)


def _played(example: Example) -> Play[Any]:
    return resolved(SYSTEM, example)


def _tests_told(notes: list[Note]) -> list[tuple[int, int]]:
    """Recompute the threshold and the quality of each test from the notes alone."""
    found: list[tuple[int, int]] = []
    reckoned = threshold = quality = 0
    for note in notes:
        values: dict[str, Any] = note.values
        if note.key in BASES:
            reckoned = values["base"]
        elif note.key == "term":
            reckoned += values["value"]
        elif note.key == "threshold":
            threshold = values["threshold"]
            assert reckoned == threshold
        elif note.key == "natural":
            quality = values["quality"]
            found.append((threshold, quality))
        elif note.key in CHANGES:
            assert values["before"] == quality
            quality = values["after"]
            found[-1] = (threshold, quality)
    return found


def _tests_of(value: Any) -> list[NightProwlerTestResult]:
    """Find every test in an outcome."""
    if isinstance(value, NightProwlerTestResult):
        return [value]
    if isinstance(value, tuple):
        return [test for item in value for test in _tests_of(item)]
    fields = getattr(type(value), "model_fields", {})
    return [test for name in fields for test in _tests_of(getattr(value, name))]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_modifiers_told_give_the_threshold_and_the_changes_the_quality(
    example: Example,
) -> None:
    played = _played(example)
    told = Counter(_tests_told(played.notes))
    shown = Counter((test.threshold, test.quality) for test in _tests_of(played.outcome))
    assert shown <= told
    assert sum(told.values()) == len(played.draws)


def _marks(notes: list[Note]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for note in notes:
        if note.key == "box":
            values: dict[str, Any] = note.values
            assert values["after"] == values["before"] + 1
            found[values["track"], values["row"]] += 1
    return found


def _boxes(health: NightProwlerHealth | None) -> Counter[tuple[str, str]]:
    health = health or NightProwlerHealth()
    return Counter(
        {
            (track, row.row): boxes
            for track, rows in TRACKS.items()
            for row, boxes in zip(rows, checked(health, track), strict=True)
        }
    )


def _request(example: Example) -> Any:
    model = SYSTEM.by_id[example.resolver].request
    return model.model_validate(example.request, strict=False)


@_named("damage", "hazard")
def test_every_box_marked_is_told(example: Example) -> None:
    played = _played(example)
    before, after = _boxes(_request(example).health), _boxes(played.outcome.health)
    assert after - before == _marks(played.notes)
    assert not before - after


@_named("attack")
def test_every_box_of_an_exchange_is_told(example: Example) -> None:
    played, request = _played(example), _request(example)
    gained: Counter[tuple[str, str]] = Counter()
    for fighter, asked in zip(
        (played.outcome.a, *played.outcome.b), (request.a, *request.b), strict=True
    ):
        gained += _boxes(fighter.health) - _boxes(asked.health)
    assert gained == _marks(played.notes)


@_named("attack")
def test_blows_and_margins_of_an_exchange_recompute(example: Example) -> None:
    played = _played(example)
    damages = []
    pairs = []
    for note in played.notes:
        values: dict[str, Any] = note.values
        if note.key == "blow":
            assert values["attack"] - values["protection"] - values["guard"] == values["damage"]
            damages.append(values["damage"])
        elif note.key in {"pair", "nobody"}:
            pairs.append(values)
    struck = [pair for pair in played.outcome.pairs if pair.damage_quality is not None]
    if example.request.get("mode") != "ranged":
        assert [pair.damage_quality for pair in struck] == damages
    assert len(pairs) == len(played.outcome.pairs)
    for told, pair in zip(pairs, played.outcome.pairs, strict=True):
        assert (told["winner"], told["margin"]) == (pair.winner, pair.margin)
        if pair.winner is not None and example.request.get("mode") != "ranged":
            own, foe = (told["a"], told["b"])[:: 1 if pair.winner == "a" else -1]
            assert pair.margin == own - foe


@_named("attack")
def test_each_change_of_a_quality_is_told(example: Example) -> None:
    played = _played(example)
    changes = [note for note in played.notes if note.key.startswith("change-")]
    fighters = {"a": played.outcome.a} if len(played.outcome.b) == 1 else {}
    if len(played.outcome.b) == 1:
        fighters["b"] = played.outcome.b[0]
    for side, fighter in fighters.items():
        if fighter.test is None or not fighter.test.success or fighter.test.converted:
            continue
        quality = fighter.test.quality
        for change in changes:
            values: dict[str, Any] = change.values
            if change.key == f"change-{side}":
                assert values["before"] == quality
                quality = values["after"]
        assert fighter.comparison_quality == quality


@_named("chase")
def test_totals_and_heroism_of_a_chase_recompute(example: Example) -> None:
    played = _played(example)
    told = {
        note.values["number"]: note.values for note in played.notes if note.key == "chase-total"
    }
    paid = {
        note.values["number"]: note.values for note in played.notes if note.key == "heroism-paid"
    }
    asked = _request(example).state.participants
    for number, (one, before) in enumerate(zip(played.outcome.results, asked, strict=True), 1):
        if one.test is None:
            assert number not in told
            continue
        values: dict[str, Any] = told[number]
        assert (values["before"], values["after"]) == (before.accumulated, one.accumulated)
        assert values["goal"] == one.goal
        if not played.outcome.reset:
            assert values["after"] - values["before"] == one.gain
        if number in paid:
            assert (paid[number]["before"], paid[number]["after"]) == (
                before.heroism,
                one.heroism_left,
            )


@_named("contract")
def test_the_total_of_a_contract_recomputes(example: Example) -> None:
    played = _played(example)
    (gained,) = [note.values for note in played.notes if note.key == "gained"]
    assert gained["gained"] == sum(test.quality for test in played.outcome.rolls)
    assert gained["after"] == gained["before"] + gained["gained"]
    assert gained["after"] == played.outcome.state.accumulated


@_named("healing")
def test_the_time_of_a_recovery_recomputes(example: Example) -> None:
    played = _played(example)
    for note in played.notes:
        values: dict[str, Any] = note.values
        if note.key == "recovery":
            minutes = (values["hours"] - values["saved"]) * 60 // values["divisor"]
            assert minutes == played.outcome.hours * 60 + played.outcome.minutes
    cleared = [note.values["row"] for note in played.notes if note.key == "cleared"]
    assert tuple(cleared) == played.outcome.row_cleared


@_named("hazard")
def test_the_lines_of_a_fall_recompute(example: Example) -> None:
    played = _played(example)
    for note in played.notes:
        values: dict[str, Any] = note.values
        if note.key == "lines":
            assert values["after"] == max(0, values["lines"] + values["ground"])
            assert values["after"] == played.outcome.lines
