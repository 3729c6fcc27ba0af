"""In a fight, the numbers in the steps recompute the outcome."""

from typing import Any

import pytest

from arbitre.rules.examples import Example, load_examples
from arbitre.systems.cydonia import SYSTEM
from arbitre.systems.cydonia.tables import ZONES
from arbitre.testing.cases import resolved

PLAYED = [example for example in load_examples(SYSTEM) if example.refused is None]

Steps = list[tuple[str, dict[str, Any]]]


def told(example: Example) -> tuple[Steps, Any]:
    """Return the steps in order, and the outcome."""
    played = resolved(SYSTEM, example)
    return [(note.key, note.values) for note in played.notes], played.outcome


def said(steps: Steps, key: str) -> list[dict[str, Any]]:
    return [values for name, values in steps if name == key]


def of(*resolvers: str) -> pytest.MarkDecorator:
    examples = [example for example in PLAYED if example.resolver in resolvers]
    return pytest.mark.parametrize("example", examples, ids=str)


TESTS = {"test-skill", "test-attribute", "test-resistance", "test-double"}


def totals(steps: Steps) -> list[int]:
    """Recompute every total there is, in order, from what is said before it."""
    found, modifiers = [], 0
    for key, values in steps:
        if key == "modifier":
            modifiers += values["value"]
        elif key == "fixed-total":
            found.append(values["total"])
        elif key in TESTS:
            times = 2 if key == "test-double" else 1
            parts = (values["skill"], values["courage"], values["die"], modifiers)
            total = times * values["attribute"] + sum(part for part in parts if part)
            assert values["modifiers"] == modifiers
            assert values["total"] == total
            found.append(total)
            modifiers = 0
    return found


def check_test(steps: Steps, test: Any) -> None:
    """What is said of the items and the kept die is what the test shows."""
    for values in said(steps, "items"):
        assert values["value"] + values["bonus"] == values["effective"]
    for values in said(steps, "kept"):
        faces = (values["first"], values["second"])
        kept = dict(
            zip(
                ("highest", "lowest", "first", "second"),
                (max(faces), min(faces), *faces),
                strict=True,
            )
        )
        assert values["kept"] == kept[values["keep"]]
    modifiers = [(m.code, m.value) for m in test.modifiers]
    assert set(modifiers) <= {(v["code"], v["value"]) for v in said(steps, "modifier")}


def check_difficulty(steps: Steps, total: int, success: bool | None) -> None:
    for values in said(steps, "difficulty"):
        assert values["total"] == total
        assert values["margin"] == total - values["difficulty"]
        assert values["success"] is success


def check_versus(values: dict[str, Any], a: int, b: int) -> None:
    assert (values["a"], values["b"], values["margin"]) == (a, b, a - b)


@of("roll")
def test_the_steps_of_a_test_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    assert totals(steps) == [outcome.total]
    check_test(steps, outcome)
    check_difficulty(steps, outcome.total, outcome.success)
    criticals = [values["critical"] for values in said(steps, "critical")]
    assert criticals == [outcome.critical] * (outcome.critical is not None)
    assert sum(values["penalty"] for values in said(steps, "penalty")) == outcome.penalty
    assert bool(said(steps, "illiterate")) is outcome.illiterate


@of("opposition")
def test_the_steps_of_an_opposition_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    assert totals(steps) == [outcome.a.total, outcome.b.total]
    (values,) = said(steps, "versus")
    check_versus(values, outcome.a.total, outcome.b.total)
    assert values["winner"] is outcome.winner
    assert values["margin"] == outcome.margin
    assert sum(values["penalty"] for values in said(steps, "penalty")) == outcome.penalty
    assert bool(said(steps, "unusual")) is outcome.unusual


def check_location(steps: Steps, location: Any) -> None:
    bonuses = [(v["code"], v["value"]) for v in said(steps, "location-bonus")]
    assert bonuses == [(bonus.code, bonus.value) for bonus in location.bonuses]
    for values in said(steps, "location"):
        assert values["bonus"] == sum(value for _, value in bonuses) == location.bonus
        assert values["die"] + values["bonus"] == values["total"] == location.total
        assert values["row"] == min(max(values["total"], 1), 20) == location.row
        assert values["zone"] is location.zone
    for values in said(steps, "called-zone"):
        assert values["zone"] is location.zone
    prices = [values["modifier"] for values in said(steps, "called-price")]
    assert sum(prices) == location.attack_modifier
    assert [values["vital"] for values in said(steps, "vital")] == [location.vital]


@of("damage-location")
def test_the_steps_of_a_location_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    check_location(steps, outcome)
    extra = [(values["count"], values["sides"]) for values in said(steps, "zone-dice")]
    shown = outcome.extra_dice
    assert extra == ([(shown.count, shown.sides)] if shown else [])


def check_damage(steps: Steps, gross: int, protection: int, damage: int) -> None:
    bonuses = sum(values["value"] for values in said(steps, "damage-modifier"))
    for values in said(steps, "gross"):
        parts = ("physique", "flat", "dice", "zone", "bonuses")
        assert values["bonuses"] == bonuses
        assert sum(values[part] for part in parts) == values["gross"] == gross
    for values in said(steps, "fixed-damage"):
        assert values["known"] + values["zone"] == values["gross"] == gross
    (net,) = said(steps, "net")
    assert (net["gross"], net["protection"]) == (gross, protection)
    assert net["damage"] == (0 if net["stopped"] else max(0, gross - protection)) == damage


def check_life(steps: Steps, before: int, damage: int, excess: int, target: Any) -> None:
    (values,) = said(steps, "life")
    assert (values["before"], values["damage"]) == (before, damage)
    assert values["after"] == max(0, before - damage) == target.hp
    assert values["excess"] == max(0, damage - before) == excess
    for values in said(steps, "status"):
        assert values["after"] is target.status


@of("damage")
def test_the_steps_of_damage_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    check_damage(steps, outcome.gross, outcome.protection, outcome.damage)
    if outcome.target is not None:
        check_life(steps, outcome.hp_before, outcome.damage, outcome.excess, outcome.target)
    resisted = [values["resisted"] for values in said(steps, "paralysis")]
    assert resisted == [
        effect.resisted for effect in outcome.effects if effect.resisted is not None
    ]


@of("attack")
def test_the_steps_of_a_blow_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    sides = [outcome.a.total, *([outcome.b.total] if outcome.b else [])]
    assert totals(steps)[: len(sides)] == sides
    check_test(steps, outcome.a)
    for values in said(steps, "versus"):
        check_versus(values, outcome.a.total, outcome.b.total)
        assert values["winner"] is outcome.winner
    if outcome.b is None:
        check_difficulty(steps, outcome.a.total, outcome.hit)
    if outcome.location:
        check_location(steps, outcome.location)
    if outcome.hit and outcome.damage is not None:
        check_damage(steps, outcome.gross, outcome.protection, outcome.damage)
        if outcome.target:
            before = example.request["target"]["hp"]
            check_life(steps, before, outcome.damage, outcome.excess, outcome.target)
    for values in said(steps, "endure"):
        assert values["difficulty"] == outcome.damage
        assert values["stands"] is (values["total"] > outcome.damage) is not outcome.stunned
    assert bool(said(steps, "concentration-lost")) is outcome.concentration_lost


@of("initiative")
def test_the_steps_of_initiative_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    found = []
    for values in said(steps, "initiative"):
        parts = ("agility", "senses", "modifier", "die")
        assert sum(values[part] for part in parts) == values["initiative"]
        found.append(values["initiative"])
    assert sorted(found, reverse=True) == [turn.initiative for turn in outcome.order]
    assert bool(said(steps, "shared-rank")) is outcome.shared


@of("healing")
def test_the_steps_of_care_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    for values in said(steps, "rest"):
        assert values["physique"] + values["die"] == values["rolled"] == outcome.rolled
    for values in said(steps, "dose"):
        assert max(0, values["flat"] + values["dice"]) == values["rolled"] == outcome.rolled
    for values in said(steps, "medicine"):
        assert values["skill"] == outcome.rolled == outcome.test.skill
        assert min(values["removed"], outcome.target.penalty + outcome.penalty_removed) == (
            outcome.penalty_removed
        )
    if outcome.test:
        assert totals(steps) == [outcome.test.total]
        check_difficulty(steps, outcome.test.total, outcome.success)
    (values,) = said(steps, "healed")
    assert values["after"] == min(values["most"], values["before"] + outcome.rolled)
    assert values["after"] == outcome.target.hp
    assert values["after"] - values["before"] == outcome.healed
    for values in said(steps, "penalty-removed"):
        assert values["before"] - values["after"] == outcome.penalty_removed


@of("stun")
def test_the_steps_of_a_stun_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    for values in said(steps, "stun-decay"):
        assert values["after"] == max(0, values["before"] - 1) == outcome.difficulty
    for values in said(steps, "endure"):
        assert (values["total"], values["difficulty"]) == (outcome.test.total, outcome.difficulty)
        assert values["stands"] is outcome.success
    (values,) = said(steps, "turns-lost")
    assert values["after"] == values["before"] + values["stunned"] == outcome.state.turns
    assert values["stunned"] is outcome.state.stunned


@of("kravkar")
def test_the_steps_of_a_chain_tell_the_outcome(example: Example) -> None:
    steps, outcome = told(example)
    exchanges = [total for step in outcome.steps for total in (step.a.total, step.b.total)]
    resisted = [e.total for step in outcome.steps for e in step.effects if e.total is not None]
    assert sorted(totals(steps)) == sorted(exchanges + resisted)
    actions = [(v["number"], v["type"], v["success"]) for v in said(steps, "action")]
    assert actions == [(step.index, step.type, step.success) for step in outcome.steps]
    penalties = [values["penalty"] for values in said(steps, "chain-penalty")]
    assert penalties == [step.penalty for step in outcome.steps[1:]]
    margins = [values["margin"] for values in said(steps, "versus")]
    assert margins == [step.margin for step in outcome.steps]
    net = [values["damage"] for values in said(steps, "net")]
    assert sum(net) == sum(step.damage for step in outcome.steps) == outcome.total_damage
    (values,) = said(steps, "chain")
    assert (values["length"], values["damage"]) == (outcome.chain_length, outcome.total_damage)
    assert values["ended"] is outcome.ended_by


def test_every_zone_belongs_to_one_part_of_the_body() -> None:
    assert len(ZONES) == 18
    assert len({group for group, _ in ZONES.values()}) == 12
