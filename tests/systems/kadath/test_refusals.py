"""Everything the rules refuse, each with its code and where it is."""

import json
from typing import Any

import pytest

from arbitre.dice import HandFaces
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import play
from arbitre.systems.kadath import SYSTEM

LINE = {"light_gray": 3, "dark_gray": 2}
WAR = {"class": "war"}
ONE = {"skill": 1}


def at(position: int | None = None, **state: Any) -> dict[str, Any]:
    return {"life_line": LINE, "state": {"position": position, **state}}


def gone(condition: str, **state: Any) -> dict[str, Any]:
    return {"life_line": LINE, "state": {"condition": condition, **state}}


def attack(attacker: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"attacker": {"skill": 2, **attacker}, "defender": {"skill": 2}, **more}


def rows(*spans: tuple[int, int], **more: Any) -> list[dict[str, Any]]:
    return [{"from": low, "to": high, "label": "x", **more} for low, high in spans]


def care(*patients: dict[str, Any], period: str = "day") -> dict[str, Any]:
    return {"method": "care", "healer": ONE, "period": period, "patients": list(patients)}


def first_aid(patient: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"method": "first_aid", "healer": ONE, "patient": patient, **more}


TWICE = [{"skill_name": "a", "skill": 2}, {"skill_name": "a", "skill": 3}]
SPEND = {"experience": 9}

CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("roll", {"skill": 1, "prime": "deadly_attack"}, "attack-only", "/prime"),
    (
        "roll",
        {"skill": 1, "prime": "caution", "penalty": "light_wound"},
        "attack-only",
        "/penalty",
    ),
    (
        "roll",
        {"skill": 1, "free_primes": ["caution", "precise_attack"]},
        "attack-only",
        "/free_primes/1",
    ),
    ("roll", {"skill": 1, "prime": "caution"}, "prime-without-penalty", "/prime"),
    ("roll", {"skill": 1, "penalty": "risk"}, "penalty-without-prime", "/penalty"),
    (
        "roll",
        {"skill": 1, "prime": "caution", "penalty": "abandon_position"},
        "no-position",
        "/penalty",
    ),
    (
        "roll",
        {"skill": 1, "prime": "caution", "penalty": "slowdown"},
        "nobody-acts-after",
        "/penalty",
    ),
    (
        "opposition",
        {"a": ONE, "b": {"skill": 1, "prime": "caution", "penalty": "risk"}},
        "prime-on-reaction",
        "/b/prime",
    ),
    (
        "opposition",
        {"a": {"skill": 1, "free_primes": ["caution"]}, "b": ONE, "initiator": "b"},
        "prime-on-reaction",
        "/a/free_primes",
    ),
    (
        "opposition",
        {"a": ONE, "b": {"skill": 1, "penalty": "risk"}},
        "prime-on-reaction",
        "/b/penalty",
    ),
    (
        "opposition",
        {"a": {"skill": 1, "prime": "caution"}, "b": ONE},
        "prime-without-penalty",
        "/a/prime",
    ),
    (
        "opposition",
        {
            "a": ONE,
            "b": {"skill": 1, "prime": "deadly_attack", "penalty": "risk"},
            "initiator": "both",
        },
        "attack-only",
        "/b/prime",
    ),
    (
        "retry",
        {"before": {"skill": 1, "adventure": 2}, "now": {"skill": 1, "adventure": 1}},
        "adventure-order",
        "/now/adventure",
    ),
    (
        "initiative",
        {"combatants": [{"id": "a", "reflexes": 1}, {"id": "a", "reflexes": 2}]},
        "duplicate-id",
        "/combatants/1/id",
    ),
    (
        "initiative",
        {"kind": "waiting", "combatants": [{"id": "a", "reflexes": 1}], "from_pass": 1},
        "field-not-for-kind",
        "/from_pass",
    ),
    ("equipment", {"muscles": 1, "weapon": {"class": "custom"}}, "required", "/weapon/damage"),
    (
        "equipment",
        {"muscles": 1, "weapon": {"class": "war", "damage": 3}},
        "field-not-for-kind",
        "/weapon/damage",
    ),
    (
        "equipment",
        {"muscles": 1, "weapon": {"class": "heavy", "muscles_required": 1}},
        "field-not-for-kind",
        "/weapon/muscles_required",
    ),
    ("equipment", {"muscles": 1, "armor": {"class": "custom"}}, "required", "/armor/protection"),
    (
        "equipment",
        {"muscles": 1, "armor": {"protection": 1}},
        "field-not-for-kind",
        "/armor/protection",
    ),
    (
        "equipment",
        {"muscles": 1, "armor": {"class": "light", "muscles_required": 1}},
        "field-not-for-kind",
        "/armor/muscles_required",
    ),
    (
        "equipment",
        {"muscles": 1, "weapon": {"class": "war", "distance": 3}},
        "distance-without-throw",
        "/weapon/distance",
    ),
    ("attack", attack({"character_damage": 2}), "weapon-missing", "/attacker/weapon"),
    (
        "attack",
        attack({"character_damage_table": [{"combat": 2, "damage": 1}]}),
        "weapon-missing",
        "/attacker/weapon",
    ),
    ("attack", attack({}), "damage-source-missing", "/attacker/character_damage"),
    ("attack", attack({"weapon": WAR}), "damage-source-missing", "/attacker/character_damage"),
    (
        "attack",
        attack({"weapon": WAR, "character_damage": 1, "total_damage": 2}),
        "damage-source-conflict",
        "/attacker/character_damage",
    ),
    (
        "attack",
        attack(
            {"weapon": WAR, "muscles": 2, "character_damage_table": [{"combat": 3, "damage": 1}]}
        ),
        "required",
        "/attacker/character_damage_table",
    ),
    (
        "attack",
        attack(
            {
                "weapon": WAR,
                "character_damage_table": [{"combat": 2, "damage": 1}, {"combat": 2, "damage": 2}],
            }
        ),
        "duplicate-entry",
        "/attacker/character_damage_table/1/combat",
    ),
    (
        "attack",
        attack({"weapon": WAR, "character_damage": 1}),
        "muscles-missing",
        "/attacker/muscles",
    ),
    (
        "attack",
        {
            "attacker": {"skill": 2, "total_damage": 1},
            "defender": {"skill": 2, "armor": {"class": "light"}},
        },
        "muscles-missing",
        "/defender/muscles",
    ),
    (
        "attack",
        attack({"weapon": {"class": "custom", "damage": 1, "thrown": True}, "character_damage": 1}),
        "muscles-missing",
        "/attacker/muscles",
    ),
    (
        "attack",
        attack(
            {
                "muscles": 0,
                "weapon": {"class": "custom", "damage": 1, "thrown": True, "distance": "5.01"},
                "character_damage": 1,
            }
        ),
        "out-of-range",
        "/attacker/weapon/distance",
    ),
    (
        "attack",
        attack({"weapon": {"class": "custom", "damage": 1, "distance": 1}, "character_damage": 1}),
        "distance-without-throw",
        "/attacker/weapon/distance",
    ),
    (
        "attack",
        attack({"total_damage": 1, "prime": "caution"}),
        "prime-without-penalty",
        "/attacker/prime",
    ),
    (
        "attack",
        attack({"total_damage": 1}, target=at(7)),
        "position-out-of-range",
        "/target/state/position",
    ),
    (
        "attack",
        attack({"total_damage": 1}, target=at(None)),
        "position-with-condition",
        "/target/state/position",
    ),
    (
        "attack",
        attack({"total_damage": 1}, target={**at(0), "peril_table": rows((1, 5))}),
        "table-coverage",
        "/target/peril_table",
    ),
    (
        "attack",
        {
            "attacker": {"skill": 2, "total_damage": 1},
            "defender": {"skill": 2, "box": "black"},
            "target": at(0),
        },
        "box-mismatch",
        "/defender/box",
    ),
    (
        "attack",
        attack({"total_damage": 1}, target=gone("dead")),
        "dead-target",
        "/target/state/condition",
    ),
    ("damage", {**gone("dead"), "hits": [1]}, "dead-target", "/state/condition"),
    ("damage", {**at(50), "hits": [1]}, "position-out-of-range", "/state/position"),
    (
        "damage",
        {**gone("coma", position=1), "hits": [1]},
        "position-with-condition",
        "/state/position",
    ),
    (
        "damage",
        {**at(1), "hits": [1], "peril_table": rows((1, 3), (3, 6))},
        "table-coverage",
        "/peril_table",
    ),
    (
        "damage",
        {**at(1), "hits": [1], "peril_table": rows((1, 6), (5, 4))},
        "table-coverage",
        "/peril_table",
    ),
    (
        "final-blow",
        {"attacker": ONE, "target": {"condition": "none"}},
        "victim-conscious",
        "/target/condition",
    ),
    (
        "final-blow",
        {"attacker": ONE, "target": {"condition": "dead"}},
        "dead-target",
        "/target/condition",
    ),
    (
        "final-blow",
        {"attacker": {"skill": 1, "weapon": WAR}, "target": {"condition": "coma"}},
        "muscles-missing",
        "/attacker/muscles",
    ),
    ("trauma", {"test": {"skill": 1, "box": "black"}}, "box-without-token", "/test/box"),
    ("healing", {"method": "first_aid", "healer": ONE}, "required", "/patient"),
    ("healing", first_aid(at(1), hours=1), "field-not-for-kind", "/hours"),
    ("healing", first_aid(at(9)), "position-out-of-range", "/patient/state/position"),
    ("healing", first_aid(at(0)), "not-wounded", "/patient/state/position"),
    ("healing", first_aid(at(1, treated=True)), "already-treated", "/patient/state/treated"),
    ("healing", first_aid(gone("dead")), "dead-target", "/patient/state/condition"),
    ("healing", first_aid(at(1), skills=TWICE), "duplicate-skill", "/skills/1/skill_name"),
    ("healing", first_aid(at(1), sequela_skill="a"), "sequela-not-due", "/sequela_skill"),
    (
        "healing",
        first_aid(gone("coma"), sequela_skill="a"),
        "sequela-skill-unknown",
        "/sequela_skill",
    ),
    (
        "healing",
        first_aid(gone("coma"), sequela_skill="b", skills=[{"skill_name": "a", "skill": 2}]),
        "sequela-skill-unknown",
        "/sequela_skill",
    ),
    ("healing", {"method": "natural", "patient": at(1)}, "required", "/hours"),
    (
        "healing",
        {"method": "natural", "patient": gone("trauma"), "hours": 1},
        "no-token",
        "/patient/state/condition",
    ),
    (
        "healing",
        {"method": "natural", "patient": gone("dead"), "hours": 1},
        "dead-target",
        "/patient/state/condition",
    ),
    ("healing", care(at(4), at(0)), "not-wounded", "/patients/1/state/position"),
    ("healing", care(at(4), gone("dead")), "dead-target", "/patients/1/state/condition"),
    ("healing", care(at(6)), "on-black-no-recovery", "/patients/0/state/position"),
    ("healing", care(gone("unconscious")), "no-token", "/patients/0/state/condition"),
    ("healing", care(at(2)), "period-mismatch", "/patients/0/state/position"),
    ("healing", care(at(4), {**at(4), "id": "0"}), "duplicate-id", "/patients/1/id"),
    (
        "healing",
        {"method": "wake", "patient": at(1)},
        "not-unconscious",
        "/patient/state/condition",
    ),
    (
        "healing",
        {"method": "wake", "patient": gone("dead")},
        "dead-target",
        "/patient/state/condition",
    ),
    ("hazard", {"kind": "fall"}, "required", "/height"),
    ("hazard", {"kind": "fall", "height": 3, "size": "torch"}, "field-not-for-kind", "/size"),
    ("hazard", {"kind": "fire"}, "required", "/size"),
    ("hazard", {"kind": "asphyxia", "air_used": 10}, "test-missing", "/test"),
    (
        "hazard",
        {"kind": "fire", "size": "torch", "target": gone("dead")},
        "dead-target",
        "/target/state/condition",
    ),
    ("incident", {"kind": "check"}, "required", "/members"),
    (
        "incident",
        {"kind": "check", "members": [ONE, ONE], "group_size": 1},
        "group-too-small",
        "/group_size",
    ),
    (
        "incident",
        {
            "kind": "check",
            "members": [ONE],
            "incident_table": [{"from": 1, "to": 5, "kind": "snatch"}],
        },
        "table-coverage",
        "/incident_table",
    ),
    ("incident", {"kind": "pickpocket", "thief": ONE}, "required", "/victim"),
    (
        "incident",
        {"kind": "snatch", "thief": ONE, "characters": [ONE], "danger": 1},
        "field-not-for-kind",
        "/danger",
    ),
    ("incident", {"kind": "shakedown", "pc_count": 1}, "required", "/comply"),
    (
        "incident",
        {"kind": "punishment", "pc_count": 2, "wounded": 3},
        "wounded-exceeds",
        "/wounded",
    ),
    (
        "incident",
        {"kind": "crusade", "ambushers": ONE, "characters": [ONE], "down": 2},
        "down-exceeds",
        "/down",
    ),
    (
        "chase",
        {"state": {"status": "escaped"}, "thief": ONE, "pursuers": [ONE]},
        "chase-over",
        "/state/status",
    ),
    (
        "chase",
        {"thief": ONE, "pursuers": [ONE, {"skill": 1, "eligible": False}]},
        "surprised-pursuer",
        "/pursuers/1/eligible",
    ),
    (
        "chase",
        {"thief": ONE, "pursuers": [ONE, {"skill": 1, "id": "0"}]},
        "duplicate-id",
        "/pursuers/1/id",
    ),
    (
        "myth",
        {"myth": 1, "checks": 1, "hours_present": 1, "frequency_hours": 1},
        "checks-conflict",
        "/checks",
    ),
    ("myth", {"myth": 1, "hours_present": 1}, "required", "/frequency_hours"),
    ("myth", {"myth": 1, "frequency_hours": 1}, "required", "/hours_present"),
    (
        "myth",
        {"myth": 1, "hours_present": 25, "frequency_hours": 1},
        "too-many-checks",
        "/hours_present",
    ),
    ("advancement", SPEND, "required", "/raises"),
    ("advancement", {**SPEND, "kind": "award"}, "required", "/award"),
    (
        "advancement",
        {**SPEND, "raises": [{"skill_name": "a", "from": 2, "to": 2}]},
        "raise-not-up",
        "/raises/0/to",
    ),
    (
        "advancement",
        {
            **SPEND,
            "raises": [
                {"skill_name": "a", "from": 0, "to": 1},
                {"skill_name": "a", "from": 1, "to": 2},
            ],
        },
        "duplicate-skill",
        "/raises/1/skill_name",
    ),
    ("screen-table", {"table": "peril", "rows": rows((2, 6))}, "table-coverage", "/rows"),
]


def refusal(resolver: str, request: dict[str, Any]) -> RuleRefused:
    found = SYSTEM.by_id[resolver]
    with pytest.raises(RuleRefused) as refused:
        play(found, found.request.model_validate_json(json.dumps(request)), HandFaces([6] * 60))
    return refused.value


@pytest.mark.parametrize(
    ("resolver", "request_", "code", "pointer"),
    CASES,
    ids=[f"{case[0]} {case[2]} {case[3]}" for case in CASES],
)
def test_the_rules_refuse(resolver: str, request_: dict[str, Any], code: str, pointer: str) -> None:
    refused = refusal(resolver, request_)
    assert (refused.code, refused.pointer) == (code, pointer)
    for labels in SYSTEM.labels.values():
        assert "{" not in labels.say("refusals", code, refused.values)
        assert "{" not in labels.say("fixes", code, refused.values)


def test_every_refusal_with_a_sentence_happens() -> None:
    said = set(SYSTEM.labels["fr"].table("refusals"))
    assert said == {case[2] for case in CASES} | {"out-of-range", "sequela-skill-too-low"}


def test_a_conscious_character_without_position_starts_on_the_rightmost_box() -> None:
    request = SYSTEM.by_id["damage"].request.model_validate(
        {"life_line": LINE, "hits": (1,), "state": {}}
    )
    assert request.state.position == 0
    again = type(request).model_validate_json(request.model_dump_json())
    assert again == request


def test_a_character_in_a_coma_has_no_position() -> None:
    request = SYSTEM.by_id["damage"].request.model_validate_json(
        json.dumps({"life_line": LINE, "hits": [1], "state": {"condition": "coma"}})
    )
    assert request.state.position is None
    assert type(request).model_validate_json(request.model_dump_json()) == request
