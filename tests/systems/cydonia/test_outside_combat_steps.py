"""Outside combat, the numbers in the steps recompute the outcome."""

from decimal import Decimal
from itertools import accumulate
from typing import Any

import pytest

from arbitre.rules.examples import Example, load_examples
from arbitre.systems.cydonia import SYSTEM
from arbitre.testing.cases import resolved

PLAYED = [example for example in load_examples(SYSTEM) if example.refused is None]

Notes = dict[str, list[dict[str, Any]]]


def told(example: Example) -> tuple[Notes, Any]:
    """Return the steps by key, and the outcome."""
    played = resolved(SYSTEM, example)
    notes: Notes = {}
    for note in played.notes:
        notes.setdefault(note.key, []).append(note.values)
    return notes, played.outcome


def of(resolver: str) -> pytest.MarkDecorator:
    examples = [example for example in PLAYED if example.resolver == resolver]
    return pytest.mark.parametrize("example", examples, ids=str)


def total_of(notes: Notes, role: str) -> int:
    """Add up what the steps say of one side."""
    for values in notes.get("fixed-total", []):
        if values["role"] == role:
            return int(values["total"])
    (said,) = [
        values
        for key in ("test-skill", "test-attribute", "test-resistance")
        for values in notes.get(key, [])
        if values["role"] == role
    ]
    modifiers = [v["value"] for v in notes.get("modifier", []) if v["role"] == role]
    assert said["modifiers"] == sum(modifiers)
    parts = ("attribute", "skill", "courage", "die", "modifiers")
    total = sum(said[part] or 0 for part in parts)
    assert said["total"] == total
    return total


def check_versus(notes: Notes, outcome: Any, a: str, b: str) -> None:
    assert outcome.a.total == total_of(notes, a)
    assert outcome.b.total == total_of(notes, b)
    (said,) = notes["versus"]
    assert said["a"] - said["b"] == said["margin"] == outcome.margin
    assert (said["a"], said["b"], said["winner"]) == (
        outcome.a.total,
        outcome.b.total,
        outcome.winner,
    )


def check_life(notes: Notes, damage: int, target: Any) -> None:
    for said in notes.get("life", []):
        assert said["damage"] == damage
        assert said["after"] == max(0, said["before"] - damage) == target.hp
        assert said["excess"] == max(0, damage - said["before"])
    for said in notes.get("status", []):
        assert said["after"] is target.status


def check_difficulty(notes: Notes, outcome: Any, total: int) -> None:
    (said,) = notes["difficulty"]
    assert said["total"] == total
    assert said["difficulty"] == outcome.difficulty
    assert said["margin"] == total - outcome.difficulty == outcome.margin
    assert said["success"] is outcome.success


@of("creatures")
def test_the_steps_of_creatures_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    (said,) = notes["creatures"]
    assert said["maximum"] == -(-said["skill"] // 5) == outcome.maximum
    for items in notes.get("items", []):
        assert items["value"] + items["bonus"] == items["effective"] == said["skill"]


@of("carrying")
def test_the_steps_of_a_load_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    for said in notes.get("load", []):
        assert said["small_most"] == outcome.small_capacity
        assert said["large_most"] == outcome.large_capacity
        assert max(0, said["small"] - said["small_most"]) == outcome.small_overload
        assert max(0, said["large"] - said["large_most"]) == outcome.large_overload
    for said in notes.get("load-units", []):
        assert (said["units"], said["most"]) == (outcome.units, outcome.units_capacity)
        assert max(0, said["units"] - said["most"]) == outcome.units_overload
    assert ("load" in notes) != ("load-units" in notes)
    assert [(said["slot"], said["worn"], said["maximum"]) for said in notes.get("slot", [])] == [
        (row.slot, row.worn, row.maximum) for row in outcome.violations
    ]


@of("item-bonus")
def test_the_steps_of_items_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    (said,) = notes["item-total"]
    counted = [row for row in notes["item"] if row["counts"]]
    assert sum(row["item"] for row in counted) == said["bonus"] == outcome.bonus
    assert said["value"] + said["bonus"] == said["effective"] == outcome.effective
    assert [row["number"] for row in counted] == [item.position for item in outcome.accepted]


@of("weapon-change")
def test_the_step_of_a_weapon_change_tells_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    (said,) = notes["weapon-change"]
    assert said["turns"] == outcome.turns_lost
    assert outcome.can_attack == (said["turns"] == 0)


@of("luck")
def test_the_steps_of_luck_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    (said,) = notes["fate"]
    assert said["value"] == outcome.value
    dice = [row["die"] for row in notes.get("tie-die", [])]
    count = said["count"]
    if dice:
        best = max(dice) if said["want"] == "luckiest" else min(dice)
        count = dice.count(best)
    assert count == len(outcome.selected)
    assert outcome.tied == (count > 1)


@of("reputation")
def test_the_steps_of_reputation_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    moves = notes.get("level", [])
    assert sum(move["after"] - move["before"] for move in moves) == outcome.levels_changed
    (title,), (counter,) = notes["title"], notes["counter"]
    assert (title["level"], title["title"]) == (outcome.level, outcome.title)
    assert title["bounty"] == outcome.bounty_gold
    assert counter["after"] == outcome.points
    if moves:
        assert moves[-1]["after"] == outcome.level
    if not moves and "capped" not in notes:
        assert counter["before"] + counter["award"] == counter["after"]


@of("advancement")
def test_the_steps_of_advancement_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    bought = [
        note.values
        for note in resolved(SYSTEM, example).notes
        if note.key in ("bought", "bought-new")
    ]
    assert [(said["after"], said["cost"]) for said in bought] == [
        (result.to, result.cost) for result in outcome.results
    ]
    for currency in ("xp", "learning_points", "shira_xp"):
        spent = sum(said["cost"] for said in bought if said["currency"] == currency)
        assert spent == getattr(outcome.spent, currency)
    above = [result.to for result in outcome.results if result.above_nominal]
    assert [said["value"] for said in notes.get("above-nominal", [])] == above


@of("award")
def test_the_steps_of_awards_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    for field in ("xp", "learning_points", "shira_xp"):
        assert sum(said[field] for said in notes["award"]) == getattr(outcome, field)
    assert sum(s["points"] for s in notes.get("reputation-points", [])) == outcome.reputation_points


@of("taming")
def test_the_steps_of_taming_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    total = total_of(notes, "handler")
    check_difficulty(notes, outcome, total)
    (owned,) = notes["owned"]
    assert (owned["after"], owned["maximum"]) == (outcome.owned_after, outcome.maximum)
    gained = "wild" in notes and outcome.success
    assert owned["after"] - owned["before"] == gained
    for said in notes.get("wild", []):
        assert said["value"] == 10
        assert said["difficulty"] == outcome.difficulty


@of("trap")
def test_the_steps_of_a_trap_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    check_versus(notes, outcome, "trapper", "victim")
    assert ("trap-seen" in notes) == outcome.detected
    for said in notes.get("trap-damage", []):
        assert said["flat"] + said["dice"] == said["gross"] == outcome.gross
    for said in notes.get("net", []):
        assert max(0, said["gross"] - said["protection"]) == said["damage"] == outcome.damage
    check_life(notes, outcome.damage, outcome.target)


@of("torture")
def test_the_steps_of_torture_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    check_versus(notes, outcome, "torturer", "victim")
    assert sum(said["damage"] for said in notes.get("pain", [])) == outcome.damage
    assert ("pain" in notes) != outcome.talks
    check_life(notes, outcome.damage, outcome.target)


@of("negotiation")
def test_the_steps_of_a_negotiation_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    check_versus(notes, outcome, "buyer", "merchant")
    (said,) = notes["discount"]
    usual = min(50, 5 * (max(0, said["margin"]) // 2))
    assert ("critical-discount" in notes) == outcome.critical_effect
    assert said["percent"] == (50 if outcome.critical_effect else usual)
    assert said["percent"] == outcome.discount_percent
    for price in notes.get("price", []):
        assert price["price"] * said["percent"] // 100 == price["reduction"] == outcome.reduction
        assert price["price"] - price["reduction"] == price["final"] == outcome.final_price


@of("search")
def test_the_steps_of_a_search_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    assert total_of(notes, "searcher") == outcome.total
    (found,), (coins,) = notes["found"], notes["coins"]
    assert found == {"found": outcome.found, "magic_item": outcome.magic_item}
    assert 10 * coins["gold"] + coins["silver"] == outcome.coins.silver_total
    assert [said["found"] for said in notes.get("hidden", [])] == (
        [] if outcome.hidden_found is None else [outcome.hidden_found]
    )
    for said in notes.get("difficulty", []) + notes.get("versus", []):
        assert said["margin"] == outcome.margin


@of("travel")
def test_the_steps_of_a_journey_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    (said,) = notes["meters"]
    assert said["total"] == total_of(notes, "traveler") == outcome.total
    share = Decimal("0.5") if said["mode"] == "swim" else Decimal(1)
    assert said["distance"] == max(0, said["total"]) * share == outcome.distance_m


@of("ride")
def test_the_steps_of_a_ride_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    check_difficulty(notes, outcome, total_of(notes, "rider"))
    assert notes["gait"][0]["difficulty"] == outcome.difficulty
    for said in notes.get("speed", []):
        assert said["running"] + said["die"] == said["speed"] == outcome.speed_m
    if "gait-failed" in notes:
        assert outcome.speed_m == 0


@of("chase")
def test_the_steps_of_a_pursuit_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    said = notes["gap"]
    assert [row["quarry"] - row["pursuer"] for row in said] == [gap.gap_m for gap in outcome.gaps]
    (end,) = notes["chase-end"]
    assert end["caught"] == sum(row["gap"] <= 0 for row in said) == len(outcome.caught_by)
    assert end["escaped"] == outcome.escaped
    covered = [row["distance"] for row in notes.get("meters", [])]
    covered += [Decimal(row["speed"]) for row in notes.get("speed", [])]
    assert sum(covered) == sum(move.distance_m for move in outcome.moves)


@of("concentration")
def test_the_steps_of_a_concentration_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    (stored,) = notes["stored"]
    assert (stored["after"], stored["active"]) == (outcome.state.turns, outcome.state.active)
    for said in notes.get("attacked", []):
        assert said == {"modifier": outcome.defense_modifier, "lost": outcome.lost}
    for said in notes.get("released", []):
        assert said == {"roll": outcome.roll_bonus, "damage": outcome.damage_bonus}


@of("transformation")
def test_the_steps_of_a_transformation_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    for said in notes.get("shape", []):
        assert (said["physique"], said["agility"]) == (outcome.physique, outcome.agility)
    for said in notes.get("shape-life", []):
        assert max(0, said["before"] + said["bonus"]) == said["after"] == outcome.hp
        assert said["most"] == outcome.hp_max
    assert ("return-kills" in notes) == outcome.killed
    assert [s["turns"] for s in notes.get("turns-left", [])] in ([], [outcome.state.turns_left])


@of("charge")
def test_the_steps_of_a_charge_tell_the_outcome(example: Example) -> None:
    notes, outcome = told(example)
    assert notes["momentum"][-1]["after"] == outcome.state.momentum_turns
    if outcome.blow is None:
        return
    rider = total_of(notes, "attacker")
    assert rider == outcome.blow.a.total
    dodges = [row for row in notes["test-skill"] if row["role"] == "bystander"]
    assert [row["total"] for row in dodges] == [fate.b.total for fate in outcome.bystanders]
    hit = [fate for fate in outcome.bystanders if rider > fate.b.total]
    assert hit == [fate for fate in outcome.bystanders if fate.hit]
    gross = [row["flat"] + row["dice"] for row in notes.get("trample", [])]
    assert gross == [row["gross"] for row in notes.get("trample", [])]
    nets = notes["net"][-len(hit) :] if hit else []
    assert [row["damage"] for row in nets] == [fate.damage for fate in hit]
    for blow in notes.get("gross", []):
        parts = ("physique", "flat", "dice", "zone", "bonuses")
        assert sum(blow[part] for part in parts) == blow["gross"] == outcome.blow.gross


def test_a_large_award_tells_each_level_it_buys() -> None:
    (example,) = [example for example in PLAYED if example.id == "CY-E100"]
    notes, outcome = told(example)
    costs = [move["cost"] for move in notes["level"]]
    assert costs == list(range(1, 11))
    assert list(accumulate(costs))[-1] == 55
    assert outcome.level == 10
