"""The numbers in the steps recompute the outcome."""

from typing import Any

import pytest

from arbitre.rules.examples import Example, load_examples
from arbitre.systems.cthulhu_noir import SYSTEM
from arbitre.testing.cases import resolved

PLAYED = [example for example in load_examples(SYSTEM) if example.refused is None]


def notes_of(example: Example) -> tuple[dict[str, list[dict[str, Any]]], Any]:
    played = resolved(SYSTEM, example)
    notes: dict[str, list[dict[str, Any]]] = {}
    for note in played.notes:
        notes.setdefault(note.key, []).append(note.values)
    return notes, played.outcome


def of(*resolvers: str) -> pytest.MarkDecorator:
    examples = [example for example in PLAYED if example.resolver in resolvers]
    return pytest.mark.parametrize("example", examples, ids=str)


def check_action(notes: dict[str, list[dict[str, Any]]], who: str, result: Any) -> None:
    """What the steps say about one thrower is what the result holds."""

    def mine(key: str) -> list[dict[str, Any]]:
        return [values for values in notes.get(key, []) if values["who"] == who]

    assert mine("quality")[-1]["quality"] == result.quality
    for name in ("insanity_roll", "wound_roll"):
        rolled, said = getattr(result, name), mine(name)
        assert len(said) == (rolled is not None)
        for values in said:
            rose = values["face"] > values["before"]
            points = values.get("damage", 1) if rose else 0
            assert values["after"] == min(6, values["before"] + points) == rolled.after
            assert rolled.increased == rose
            source = name.removesuffix("_roll")
            due = [row for row in mine("due") + mine("due_alone") if row["source"] == source][-1]
            assert (due in mine("due_alone")) == (due["ordinary"] == 0)
            assert due["face"] == result.quality > due["ordinary"]
    if mine("mad"):
        assert result.mad
    if mine("dead"):
        assert result.dead


def check_failure(notes: dict[str, list[dict[str, Any]]], outcome: Any) -> None:
    said = notes.get("failure", [])
    assert len(said) == (outcome.failure_face is not None)
    for values in said:
        assert values["quality"] == outcome.quality
        assert values["failure"] == outcome.failure_face
        assert values["success"] == (values["failure"] <= values["quality"]) == outcome.success
        assert values["quality"] - values["failure"] == outcome.margin


@of("roll", "reroll")
def test_the_steps_of_an_action_tell_the_outcome(example: Example) -> None:
    notes, outcome = notes_of(example)
    check_action(notes, "actor", outcome)
    check_failure(notes, outcome)
    for values in notes.get("attempt", []):
        assert values["number"] == outcome.attempt
        assert (values["now"] > values["before"]) == outcome.improved


@of("opposition")
def test_the_steps_of_an_opposition_tell_the_outcome(example: Example) -> None:
    notes, outcome = notes_of(example)
    if outcome.sides:
        for side in outcome.sides:
            check_action(notes, side.id, side)
        rerolls = [values["rerolls"] for values in notes.get("thrown_again", [])]
        assert rerolls == [outcome.rerolls][: len(rerolls)]
        for values in notes.get("ahead", []) + notes.get("ahead_alone", []):
            assert (values["who"], values["at"]) == (outcome.winner, outcome.decided_at)
            assert values["face"] > values["rival"]
            assert (outcome.decided_by == "missing_die") == (values["rival"] == 0)
        assert ("ahead_alone" in notes) == (outcome.decided_by == "missing_die")
        for values in notes.get("draw", []):
            assert values["sides"] == len(outcome.tied)
        assert ("draw" in notes) == (outcome.winner is None)
    else:
        check_failure(notes, outcome)
        if "quality" in notes:
            check_action(notes, "actor", outcome)


@of("cooperation")
def test_the_steps_of_a_cooperation_tell_the_outcome(example: Example) -> None:
    notes, outcome = notes_of(example)
    for place, participant in enumerate(outcome.participants, 1):
        check_action(notes, str(place), participant)
    check_failure(notes, outcome)
    (common,) = notes["common"]
    kept = [values["quality"] for values in notes.get("standing", [])]
    best = max([participant.quality for participant in outcome.participants] + kept)
    assert common["quality"] == best == outcome.quality


@of("insanity", "suppress")
def test_the_steps_of_a_gauge_tell_the_outcome(example: Example) -> None:
    notes, outcome = notes_of(example)
    (values,) = notes.get("insanity_roll", []) + notes.get("suppression_roll", [])
    face, before = values["face"], values["before"]
    moved = (face > before) if example.resolver == "insanity" else -(face < before)
    assert values["after"] == before + moved == outcome.state.insanity


@of("damage")
def test_the_steps_of_an_injury_tell_the_outcome(example: Example) -> None:
    notes, outcome = notes_of(example)
    assert ("immune" in notes) == outcome.immune
    for values in notes.get("wound_roll", []):
        risen = min(outcome.state.death_threshold, values["before"] + values["damage"])
        rose = values["face"] > values["before"]
        assert values["after"] == (risen if rose else values["before"]) == outcome.state.wound
        assert values["damage"] == outcome.damage
    assert ("dead" in notes) == outcome.dead
    for values in notes.get("dead", []):
        assert values["threshold"] == outcome.state.death_threshold == outcome.state.wound
    asked = example.request.get("target", "investigator")
    for values in notes.get("wound_roll", []) + notes.get("dead", []):
        assert values["who"] == ("entity" if asked == "entity" else "actor")


@of("healing")
def test_the_steps_of_healing_tell_the_outcome(example: Example) -> None:
    notes, outcome = notes_of(example)
    (values,) = (note for said in notes.values() for note in said)
    for amount in (note["amount"] for note in notes.get("healed", [])):
        assert values["after"] == max(values["least"], values["before"] - amount)
    for note in notes.get("not_approved", []):
        assert note["after"] == note["before"]
    assert values["before"] - values["after"] == outcome.healed
    assert values["after"] == outcome.state.wound
