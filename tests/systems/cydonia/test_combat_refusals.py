"""In a fight, what the rules refuse, where, and which of several refusals comes first."""

from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import SeededFaces, caller_seed
from arbitre.rules.errors import RuleRefused
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.play import play
from arbitre.systems.cydonia import SYSTEM
from arbitre.systems.cydonia.refusals import ORDER

SIDE = {"attribute": 5, "skill": 4}
FIXED = {"kind": "fixed", "fixed_total": 15}
BLOW = {"attacker": SIDE, "defender": SIDE}
RESISTANCE = {"courage": 3, "attribute": 4}
BOTH = {"critical_success_faces": [1], "critical_failure_faces": [1]}


def attack(**fields: Any) -> dict[str, Any]:
    return {**BLOW, **fields}


def chain(*kinds: str, **fields: Any) -> dict[str, Any]:
    return {**BLOW, "actions": [{"type": kind} for kind in kinds], **fields}


@pytest.mark.parametrize(
    ("resolver", "request_", "code", "pointer"),
    [
        ("roll", {}, "required", "/attribute"),
        (
            "roll",
            {"attribute": 4, "skill_name": "cuisine"},
            "attribute-name-required",
            "/attribute_name",
        ),
        ("roll", {"attribute": 4, "courage": 3}, "incompatible-fields", "/courage"),
        ("roll", {"attribute": 4, "courage_items": [3]}, "incompatible-fields", "/courage"),
        ("roll", {"kind": "mental_resistance", "attribute": 4}, "required", "/courage"),
        (
            "roll",
            {"kind": "attribute", "attribute": 4, "skill_items": [2]},
            "skill-not-allowed",
            "/skill",
        ),
        (
            "roll",
            {
                "attribute": 4,
                "skill_name": "dodge",
                "attribute_name": "mind",
                "reputation": 2,
                **BOTH,
            },
            "attribute-mismatch",
            "/attribute_name",
        ),
        (
            "roll",
            {"attribute": 4, "skill_name": "lockpicking", "has_tools": False, **BOTH},
            "criticals-overlap",
            "/critical_failure_faces",
        ),
        ("opposition", {"a": SIDE, "b": {**FIXED, "skill": 2}}, "skill-not-allowed", "/b/skill"),
        (
            "opposition",
            {
                "a": {**SIDE, "reputation": 3},
                "b": {"kind": "attribute", "attribute": 3, "expert": True},
            },
            "expert-needs-skill",
            "/b/expert",
        ),
        ("damage", {"physique": 3}, "one-damage-source", "/weapon"),
        (
            "damage",
            {"physique": 3, "weapon": {}, "preset": "claws"},
            "one-damage-source",
            "/weapon",
        ),
        (
            "damage",
            {"fixed_damage": 3, "mount_running": 8},
            "incompatible-fields",
            "/mount_running",
        ),
        ("damage", {"weapon": {}, "target": {"hp": 4, "status": "dying"}}, "required", "/physique"),
        (
            "damage",
            {"fixed_damage": 3, "target": {"hp": 4, "hp_max": 3, "status": "dead"}},
            "status-mismatch",
            "/target/status",
        ),
        (
            "damage",
            {"fixed_damage": 3, "target": {"resistance": {"courage": 3}}},
            "required",
            "/target/resistance/attribute",
        ),
        ("attack", {"attacker": SIDE}, "required", "/defender"),
        ("attack", attack(weapon={}), "required", "/physique"),
        ("attack", attack(method="unarmed", weapon={}), "incompatible-fields", "/weapon"),
        (
            "attack",
            attack(method="thrown", attacker={**SIDE, "skill_name": "bow"}),
            "wrong-skill",
            "/attacker/skill_name",
        ),
        ("attack", attack(means="riding"), "defense-not-allowed", "/means"),
        ("attack", attack(means="unarmed", stun=True), "defense-not-allowed", "/means"),
        ("attack", attack(stun=True, target={"hp": 3}), "resistance-required", "/target"),
        ("attack", attack(attacker_riding_items=[2]), "riding-needs-mount", "/attacker_riding"),
        (
            "attack",
            attack(defender=RESISTANCE, nature="immaterial", called_zone="head"),
            "called-zone-needs-location",
            "/called_zone",
        ),
        ("attack", attack(defender=RESISTANCE), "incompatible-fields", "/defender/courage"),
        ("attack", attack(**BOTH), "criticals-overlap", "/critical_failure_faces"),
        ("kravkar", chain("slam"), "slam-needs-grab", "/actions/0"),
        ("kravkar", chain("grab", "throw", "slam"), "slam-needs-grab", "/actions/2"),
        (
            "kravkar",
            chain("slam", attacker={**SIDE, "people": "dwarf"}),
            "people-required",
            "/attacker/people",
        ),
        ("kravkar", chain("strike", target={"status": "dead"}), "target-dead", "/target/status"),
        ("stun", {"phase": "blow", "damage": 3}, "required", "/resistance"),
        ("stun", {"phase": "recover", "attempt": False}, "required", "/state"),
        (
            "healing",
            {"method": "rest", "physique": 3, "die": 4, "target": {"hp": 3}},
            "required",
            "/target/hp_max",
        ),
        (
            "healing",
            {
                "method": "medicine",
                "healer": SIDE,
                "difficulty": 9,
                "used_today": True,
                "target": {"hp": 0, "hp_max": 9, "status": "dead"},
            },
            "target-dead",
            "/target/status",
        ),
    ],
)
def test_a_refusal_names_its_field(
    resolver: str, request_: dict[str, Any], code: str, pointer: str
) -> None:
    rule = SYSTEM.by_id[resolver]
    request = rule.request.model_validate_json(to_json(request_))
    with pytest.raises(RuleRefused) as error:
        play(rule, request, SeededFaces(caller_seed("refusals")))
    assert (error.value.code, error.value.pointer) == (code, pointer)
    for language in LANGUAGES:
        labels = SYSTEM.labels[language]
        assert labels.say("refusals", code, error.value.values)
        assert labels.say("fixes", code, error.value.values)


def test_every_common_refusal_has_its_sentence() -> None:
    for language in LANGUAGES:
        refusals, fixes = (SYSTEM.labels[language].table(name) for name in ("refusals", "fixes"))
        assert set(ORDER) <= refusals.keys() == fixes.keys()


def test_odds_are_refused_as_the_rule_is() -> None:
    for resolver, request_ in (
        ("attack", attack(means="unarmed")),
        ("kravkar", chain("slam")),
        ("charge", {"event": "attack"}),
    ):
        rule = SYSTEM.by_id[resolver]
        request = rule.request.model_validate_json(to_json(request_))
        assert rule.views
        with pytest.raises(RuleRefused):
            rule.views(request)
