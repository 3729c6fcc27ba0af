"""What the rules refuse, one by one."""

from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core import to_json

from arbitre.dice import SeededFaces, caller_seed
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import play
from arbitre.systems.cthulhu_noir import SYSTEM

NONE = {"human_die": False}
DEAD = {"state": {"wound": 6}}
MAD = {"insanity_die": True, "state": {"insanity": 6}}
GHOUL = {"entity": True}
BEFORE = {"quality": 3}


def run(resolver: str, **request: Any) -> Any:
    rule = SYSTEM.by_id[resolver]
    asked = rule.request.model_validate_json(to_json(request))
    return play(rule, asked, SeededFaces(caller_seed("refusals"))).outcome


def contest(*sides: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"mode": "competition", "sides": sides, **more}


@pytest.mark.parametrize(
    ("resolver", "request_", "code", "pointer"),
    [
        ("roll", NONE, "no-dice", ""),
        ("roll", DEAD, "dead", "/state/wound"),
        ("roll", MAD, "insanity-die-forbidden", "/insanity_die"),
        ("roll", {"failure_face": 4}, "failure-face-only-on-reroll", "/failure_face"),
        ("roll", {**NONE, "failure_face": 4}, "no-dice", ""),
        ("reroll", {"previous": BEFORE}, "reroll-without-risk", ""),
        ("reroll", {**DEAD, "wound_die": True, "previous": BEFORE}, "dead", "/state/wound"),
        (
            "reroll",
            {"wound_die": True, "failure_die": True, "previous": {**BEFORE, "failure_face": 2}},
            "failure-twice",
            "/failure_die",
        ),
        ("opposition", contest({}, NONE), "no-dice", "/sides/1"),
        ("opposition", contest(DEAD, NONE), "no-dice", "/sides/1"),
        ("opposition", contest({}, DEAD), "dead", "/sides/1/state/wound"),
        ("opposition", contest(MAD, {}), "insanity-die-forbidden", "/sides/0/insanity_die"),
        (
            "opposition",
            contest({}, {**GHOUL, "insanity_die": True}),
            "entity-risk-die",
            "/sides/1/insanity_die",
        ),
        (
            "opposition",
            contest({}, {**GHOUL, "wound_die": True}),
            "entity-risk-die",
            "/sides/1/wound_die",
        ),
        ("opposition", {"mode": "competition"}, "mode-fields", "/sides"),
        ("opposition", contest({}, {}, quality=3), "mode-fields", "/quality"),
        ("opposition", contest({}, {}, actor={}), "mode-fields", "/actor"),
        ("opposition", contest({}, {}, opponent="player"), "mode-fields", "/opponent"),
        ("opposition", {"mode": "failure"}, "mode-fields", "/quality"),
        ("opposition", {"mode": "failure", "quality": 3, "actor": {}}, "mode-fields", "/quality"),
        (
            "opposition",
            {"mode": "failure", "quality": 3, "sides": [{}, {}]},
            "mode-fields",
            "/sides",
        ),
        (
            "opposition",
            {"mode": "failure", "quality": 3, "reroll_ties": False},
            "mode-fields",
            "/reroll_ties",
        ),
        ("opposition", {"mode": "failure", "actor": NONE}, "no-dice", "/actor"),
        ("cooperation", {"participants": [{}]}, "participants-count", "/participants"),
        ("cooperation", {"participants": [{}, NONE]}, "no-dice", "/participants/1"),
        (
            "cooperation",
            {"participants": [{}, {}], "failure_die": True, "failure_face": 3},
            "failure-twice",
            "/failure_die",
        ),
        ("insanity", {"state": {"insanity": 6}}, "already-mad", "/state/insanity"),
        ("suppress", {"state": {"insanity": 6}}, "already-mad", "/state/insanity"),
        ("suppress", {}, "suppression-locked", "/state/insanity"),
        ("damage", {"attack": "illness"}, "damage-required", "/damage"),
        ("damage", {"attack": "knife", "damage": 3}, "damage-mismatch", "/damage"),
        ("damage", {"attack": "knife", "state": {"wound": 6}}, "dead", "/state/wound"),
        (
            "damage",
            {
                "attack": "knife",
                "target": "entity",
                "state": {"wound": 4, "death_threshold": 3, "immune": True},
            },
            "dead",
            "/state/wound",
        ),
        (
            "damage",
            {"attack": "knife", "state": {"death_threshold": 5}},
            "investigator-threshold",
            "/state/death_threshold",
        ),
        (
            "damage",
            {"attack": "knife", "state": {"immune": True}},
            "investigator-threshold",
            "/state/immune",
        ),
        ("healing", {"method": "night", "state": {"wound": 6}}, "dead", "/state/wound"),
        (
            "healing",
            {"method": "night", "presumed_dead": True},
            "method-fields",
            "/presumed_dead",
        ),
        (
            "healing",
            {"method": "night", "wound_on_return": 3},
            "method-fields",
            "/wound_on_return",
        ),
        ("healing", {"method": "return", "wound_on_return": 3}, "not-dead", "/state/wound"),
        ("healing", {"method": "return", **DEAD}, "not-presumed", "/presumed_dead"),
        (
            "healing",
            {"method": "return", "presumed_dead": True, "keeper_approved": False, **DEAD},
            "keeper-refuses",
            "/keeper_approved",
        ),
        (
            "healing",
            {"method": "return", "presumed_dead": True, **DEAD},
            "return-wound-required",
            "/wound_on_return",
        ),
        (
            "healing",
            {
                "method": "return",
                "presumed_dead": True,
                "wound_on_return": 3,
                "amount": 1,
                **DEAD,
            },
            "method-fields",
            "/amount",
        ),
    ],
)
def test_a_refusal_names_its_reason_and_its_place(
    resolver: str, request_: dict[str, Any], code: str, pointer: str
) -> None:
    with pytest.raises(RuleRefused) as refused:
        run(resolver, **request_)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)
    for language in ("fr", "en"):
        assert SYSTEM.labels[language].say("refusals", code, refused.value.values)
        assert SYSTEM.labels[language].say("fixes", code, refused.value.values)


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"state": {"insanity": 7}}),
        ("roll", {"entity": True}),
        ("roll", {"wound_damage": 6}),
        ("opposition", contest({})),
        ("opposition", contest(*[{}] * 6)),
        ("cooperation", {"participants": [{}] * 6}),
        ("damage", {"attack": "other", "damage": 6}),
        ("damage", {"attack": "knife", "state": {"death_threshold": 1}}),
        ("healing", {"method": "night", "amount": 6}),
        ("healing", {"method": "return", "wound_on_return": 6}),
    ],
)
def test_the_schema_forbids_what_is_out_of_range(resolver: str, request_: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        run(resolver, **request_)


def test_an_entity_has_no_state_and_takes_no_harm() -> None:
    ghoul = {**GHOUL, "state": {"insanity": 6, "wound": 6}}
    outcome = run("opposition", **contest({}, ghoul))
    entity = outcome.sides[1]
    assert (entity.state, entity.mad, entity.dead, entity.cues) == (None, False, False, ())


def test_care_the_keeper_does_not_approve_heals_nothing() -> None:
    outcome = run("healing", method="full_day", keeper_approved=False, state={"wound": 5})
    assert outcome.healed == 0
