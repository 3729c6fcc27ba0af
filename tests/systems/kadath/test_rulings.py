"""Cases of the rules that the worked examples leave out."""

import json
from typing import Any

import pytest

from arbitre.dice import HandFaces
from arbitre.rules.play import play
from arbitre.systems.kadath import SYSTEM

LINE = {"light_gray": 3, "dark_gray": 2}


def resolve(resolver: str, request: dict[str, Any], *faces: int) -> Any:
    found = SYSTEM.by_id[resolver]
    asked = found.request.model_validate_json(json.dumps(request))
    return play(found, asked, HandFaces(faces)).outcome


def test_character_damage_is_read_at_the_combat_value() -> None:
    table = [{"combat": 1, "damage": 1}, {"combat": 2, "damage": 3}]
    attacker = {"skill": 2, "weapon": {"class": "custom", "damage": 4}}
    request = {
        "attacker": {**attacker, "character_damage_table": table},
        "defender": {"skill": 0},
    }
    assert resolve("attack", request, 6, 1).damage == 7


def test_total_damage_keeps_the_weapon_to_be_handled() -> None:
    request = {
        "attacker": {"skill": 1, "muscles": 0, "weapon": {"class": "heavy"}, "total_damage": 5},
        "defender": {"skill": 0},
    }
    outcome = resolve("attack", request, 6)
    assert outcome.raw_damage == 5
    assert outcome.attacker.unfavorable == 3


def test_a_surprised_defender_is_told_so() -> None:
    request = {
        "attacker": {"skill": 0, "total_damage": 1},
        "defender": {"skill": 6},
        "surprised": True,
    }
    outcome = resolve("attack", request)
    assert (outcome.hit, outcome.defended, outcome.defender_state.caution) == (True, False, 0)


def test_the_box_of_the_target_is_that_of_the_defender() -> None:
    request: dict[str, Any] = {
        "attacker": {"skill": 0, "total_damage": 0},
        "defender": {"skill": 1},
        "target": {"life_line": LINE, "state": {"position": 5}},
    }
    assert resolve("attack", request, 6).defender.unfavorable == 1
    request["defender"]["box"] = "dark_gray"
    assert resolve("attack", request, 6).defender.unfavorable == 1


def test_a_target_without_token_cannot_defend_whatever_its_box() -> None:
    request = {
        "attacker": {"skill": 1, "total_damage": 2},
        "defender": {"skill": 6, "box": "black"},
        "target": {
            "life_line": LINE,
            "state": {"condition": "unconscious", "prone": True},
            "peril_table": [
                {"from": 1, "to": 5, "label": "a", "condition": "unconscious"},
                {"from": 6, "to": 6, "label": "b", "condition": "coma"},
            ],
        },
    }
    outcome = resolve("attack", request, 1, 3)
    assert (outcome.hit, outcome.defended) == (True, False)
    assert outcome.target.state.condition == "unconscious"
    outcome = resolve("attack", request, 1, 6, 2)
    assert (outcome.target.state.condition, outcome.target.state.days_to_live) == ("coma", 2)


def test_the_dead_take_no_more_blows() -> None:
    request = {
        "life_line": {"light_gray": 0, "dark_gray": 0},
        "state": {"position": 1},
        "hits": [1, 1, 1],
        "peril_table": [{"from": 1, "to": 6, "label": "x", "condition": "dead"}],
    }
    outcome = resolve("damage", request, 4)
    assert len(outcome.events) == 1
    assert outcome.destiny_roll_due
    assert not outcome.in_peril
    champion = resolve("damage", {**request, "actor_type": "champion"}, 4)
    assert not champion.destiny_roll_due


def test_a_lighter_condition_does_not_heal() -> None:
    request = {
        "life_line": LINE,
        "state": {"condition": "coma", "days_to_live": 4},
        "hits": [1],
        "peril_table": [{"from": 1, "to": 6, "label": "x", "condition": "trauma"}],
    }
    state = resolve("damage", request, 1).state
    assert (state.condition, state.days_to_live) == ("coma", 4)


def test_no_more_effects_are_kept_than_a_state_may_hold() -> None:
    request = {
        "life_line": LINE,
        "state": {"position": 6, "peril_effects": ["x"] * 19},
        "hits": [1, 1, 1],
        "peril_table": [{"from": 1, "to": 6, "label": "y"}],
    }
    outcome = resolve("damage", request, 1, 2, 3)
    assert outcome.state.peril_effects == ("x",) * 19 + ("y",)
    assert len(outcome.peril_rolls) == 3


def test_first_aid_brings_the_unconscious_one_box_right_of_black() -> None:
    state = {"condition": "unconscious", "prone": True, "peril_effects": ["x"]}
    request = {
        "method": "first_aid",
        "healer": {"skill": 1},
        "patient": {"life_line": LINE, "state": state},
    }
    after = resolve("healing", request, 5)
    assert (after.state.position, after.state.condition, after.boxes) == (5, "none", 1)
    assert (after.state.prone, after.state.treated, after.state.peril_effects) == (True, True, ())
    failed = resolve("healing", request, 4)
    assert (failed.state.position, failed.state.condition, failed.boxes) == (None, "unconscious", 0)


@pytest.mark.parametrize(
    ("values", "lowered", "pending"),
    [((2, 3), None, True), ((2, 1), "s0", False), ((1, 1), None, False)],
)
def test_the_aftereffect_is_taken_where_there_is_no_choice(
    values: tuple[int, ...], lowered: str | None, *, pending: bool
) -> None:
    request = {
        "method": "first_aid",
        "healer": {"skill": 1},
        "patient": {"life_line": LINE, "state": {"condition": "coma"}},
        "skills": [{"skill_name": f"s{n}", "skill": value} for n, value in enumerate(values)],
    }
    outcome = resolve("healing", request, 6)
    assert (outcome.sequela_skill, outcome.sequela_pending) == (lowered, pending)
    failed = resolve("healing", request, 5)
    assert (failed.success, failed.eligible_skills) == (False, None)


def test_on_the_shortest_line_first_aid_leaves_peril_for_white() -> None:
    request = {
        "method": "first_aid",
        "healer": {"skill": 1},
        "patient": {"life_line": {"light_gray": 0, "dark_gray": 0}, "state": {"position": 1}},
    }
    outcome = resolve("healing", request, 5)
    assert (outcome.state.position, outcome.box, outcome.in_peril) == (0, "white", False)


def test_other_patients_weigh_on_care() -> None:
    request = {
        "method": "care",
        "healer": {"skill": 2},
        "period": "day",
        "patients": [{"id": "Aya", "life_line": LINE, "state": {"position": 4}}],
        "other_patients": 2,
    }
    cared = resolve("healing", request, 6, 1).patients[0]
    assert (cared.id, cared.test.unfavorable, cared.success, cared.boxes) == ("Aya", 2, False, 1)


def test_a_fall_hurts_the_target() -> None:
    request = {
        "kind": "fall",
        "height": "3.5",
        "acrobatics": {"skill": 1},
        "target": {"life_line": LINE, "state": {"position": 5}},
    }
    assert resolve("hazard", request, 4).target.state.position == 6
    spared = resolve("hazard", request, 5)
    assert (spared.damage, spared.target.state.position, spared.target.events) == (0, 5, ())


def test_suffocating_costs_what_the_caller_says() -> None:
    request = {
        "kind": "asphyxia",
        "air_used": 10,
        "test": {"skill": 0},
        "failure_damage": 3,
        "target": {"life_line": LINE},
    }
    outcome = resolve("hazard", request)
    assert (outcome.damage, outcome.target.state.position) == (3, 3)
    assert resolve("hazard", {"kind": "asphyxia", "air_used": 4}).rounds_left.active == 2


def test_hours_come_to_a_number_of_checks() -> None:
    request = {"myth": 4, "hours_present": "12.5", "frequency_hours": 6}
    outcome = resolve("myth", request, 4, 3)
    assert (outcome.checks, outcome.extracts) == (2, 1)
    none = resolve("myth", {"myth": 4, "hours_present": 1, "frequency_hours": "1.01"})
    assert (none.checks, none.results, none.appears) == (0, (), False)


def test_everybody_is_an_adversary_without_sides() -> None:
    combatants = [{"id": "a", "reflexes": 3}, {"id": "b", "reflexes": 2}]
    entries = resolve("initiative", {"combatants": combatants}).entries
    assert [entry.slowdown_allowed for entry in entries] == [True, False]
    late = resolve("initiative", {"combatants": combatants, "from_pass": 3})
    assert (late.passes, late.entries) == ((), ())


def test_a_level_of_quality_is_the_highest_reached() -> None:
    table = [{"min": 1, "label": "bien"}, {"min": 3, "label": "mieux"}, {"min": 0, "label": "?"}]
    assert resolve("roll", {"skill": 2, "quality_table": table}, 6, 1).quality_label == "bien"
    assert resolve("roll", {"skill": 2, "quality_table": table}, 6, 5).quality_label == "mieux"
    assert resolve("roll", {"skill": 1, "quality_table": table}, 1).quality_label is None


def test_counters_stop_at_twenty() -> None:
    request = {
        "skill": 0,
        "free_primes": ["caution"] * 3,
        "combat_state": {"caution": 18, "acceleration": 20},
    }
    state = resolve("roll", request).combat_state
    assert (state.caution, state.acceleration) == (20, 20)


def test_an_action_without_test_takes_no_boon() -> None:
    request = {"needs_test": False, "free_primes": ["caution"], "penalty": "abandon_position"}
    assert resolve("maneuver", request).reasons == (
        "no_test",
        "penalty_without_prime",
        "no_position",
    )


def test_a_precise_attack_takes_protection_off() -> None:
    request = {
        "is_attack": True,
        "prime": "deadly_attack",
        "penalty": "risk",
        "free_primes": ["precise_attack"],
    }
    outcome = resolve("maneuver", request)
    assert (outcome.damage, outcome.protection_reduction) == (1, 2)
    assert outcome.mishap_on_failure


def test_a_champion_who_is_finished_off_has_no_destiny() -> None:
    request = {
        "attacker": {
            "skill": 0,
            "prime": "caution",
            "penalty": "abandon_position",
            "in_advantageous_position": True,
        },
        "target": {"actor_type": "champion", "condition": "trauma"},
    }
    outcome = resolve("final-blow", request)
    assert (outcome.dead, outcome.destiny_roll_due, outcome.position_lost) == (True, False, True)
    assert outcome.attacker_state.caution == 1


def test_a_group_may_be_larger_than_those_who_test() -> None:
    request = {"kind": "check", "members": [{"skill": 1}], "group_size": 3}
    outcome = resolve("incident", request, 6)
    assert (outcome.threshold, outcome.missing) == (3, 1)


@pytest.mark.parametrize(
    ("condition", "faces", "rounds", "days"),
    [("trauma", [1], 0, 5), ("coma", [1, 2], 3, 2), ("dead", [1], 3, None)],
)
def test_a_condition_resets_its_own_count_only(
    condition: str, faces: list[int], rounds: int, days: int | None
) -> None:
    row = {"from": 1, "to": 6, "label": "x", "condition": condition}
    request = {
        "life_line": LINE,
        "state": {"condition": "unconscious", "trauma_rounds": 3, "days_to_live": 5},
        "peril_table": [row],
        "hits": [1],
    }
    state = resolve("damage", request, *faces).state
    assert (state.condition, state.trauma_rounds, state.days_to_live) == (condition, rounds, days)


def test_a_fainting_spell_starts_no_count() -> None:
    request = {
        "life_line": LINE,
        "state": {"position": 6, "trauma_rounds": 3},
        "peril_table": [{"from": 1, "to": 6, "label": "x", "condition": "unconscious"}],
        "hits": [1],
    }
    state = resolve("damage", request, 4).state
    assert (state.condition, state.trauma_rounds, state.days_to_live) == ("unconscious", 3, None)
