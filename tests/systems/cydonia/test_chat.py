"""The addition of the rules in one line: all of it is read, or it is refused."""

from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import HandFaces
from arbitre.rules.notation import NotationError, parse, render
from arbitre.rules.play import play
from arbitre.systems.cydonia import SYSTEM
from arbitre.systems.cydonia.chat import ATTRIBUTES, BODY_SIDES, SKILLS, ZONES, spelled
from arbitre.systems.cydonia.tables import SKILLS as SKILL_TABLE
from arbitre.systems.cydonia.tables import ZONES as ZONE_TABLE
from arbitre.systems.cydonia.tables import CydoniaAttribute, CydoniaZone


def resolved(line: str) -> Any:
    said = parse(SYSTEM, line)
    resolver = SYSTEM.by_id[said.resolver]
    request = resolver.request.model_validate_json(to_json(said.request))
    return play(resolver, request, HandFaces(said.faces or ())).outcome


def test_the_lines_of_the_book_give_its_numbers() -> None:
    ork = resolved("/cydonia 1 (Mental) + 0 (Culture générale) diff 5 [3]")
    assert (ork.total, ork.success, ork.illiterate) == (4, False, True)
    duel = resolved("/cydonia 4 + 6 contre 4 + 5 [8,6]")
    assert (duel.a.total, duel.b.total, duel.margin) == (18, 15, 3)
    assert resolved("/cydonia loc arme marge 3 [16]").zone == "head"
    axe = resolved("/cydonia degats 7+3+1d10 prot 3 [6]")
    assert (axe.gross, axe.damage) == (16, 13)
    waking = resolved("/cydonia reveil 13 resphy 2+3 [2]")
    assert (waking.difficulty, waking.state.stunned) == (12, True)
    hold = resolved("/cydonia liberer 6 contre 8 [5,1]")
    assert (hold.a.total, hold.b.total, hold.winner) == (17, 17, "b")


@pytest.mark.parametrize(
    ("line", "resolver", "request_"),
    [
        ("/cydonia 5", "roll", {"kind": "attribute", "attribute": 5}),
        (
            "/cydonia 5 (Courage) diff très difficile",
            "roll",
            {
                "kind": "attribute",
                "attribute": 5,
                "attribute_name": "courage",
                "difficulty": "very_hard",
            },
        ),
        (
            "/cydonia 6 (axe) + 4 +2 CE conc 2 items 1,2 rep -3",
            "roll",
            {
                "attribute": 4,
                "skill": 6,
                "skill_name": "axe",
                "modifier": 2,
                "expert": True,
                "concentration_turns": 2,
                "attribute_items": [1, 2],
                "reputation": -3,
            },
        ),
        (
            "/cydonia 6 (qui vise bien) + 4",
            "roll",
            {"attribute": 6, "skill": 4},
        ),
        (
            "/cydonia resmen 4+5 -1 diff 12",
            "roll",
            {
                "kind": "mental_resistance",
                "courage": 4,
                "attribute": 5,
                "modifier": -1,
                "difficulty": 12,
            },
        ),
        (
            "/cydonia proba 4+6 vs 4+5",
            "opposition",
            {"a": {"attribute": 4, "skill": 6}, "b": {"attribute": 4, "skill": 5}},
        ),
        (
            "/cydonia damage 3-1+2d6+1d4 zone bras gauche hp 9/12",
            "damage",
            {
                "physique": 3,
                "weapon": {
                    "flat": -1,
                    "dice": [{"count": 2, "sides": 6}, {"count": 1, "sides": 4}],
                },
                "zone": "left_arm",
                "target": {"hp": 9, "hp_max": 12},
            },
        ),
        ("/cydonia degats 7", "damage", {"physique": 7, "weapon": {}}),
        (
            "/cydonia attaque dents 10+5 contre 6+5",
            "attack",
            {
                "method": "teeth",
                "attacker": {"attribute": 10, "skill": 5},
                "defender": {"attribute": 6, "skill": 5},
            },
        ),
        (
            "/cydonia attaque 4+6 contre 4 degats 7+3 vise main droite",
            "attack",
            {
                "attacker": {"attribute": 4, "skill": 6},
                "defender": {"attribute": 4},
                "physique": 7,
                "weapon": {"flat": 3},
                "called_zone": "right_hand",
            },
        ),
        (
            "/cydonia init Nain=4+3 Elfe=6+5",
            "initiative",
            {
                "combatants": [
                    {"id": "Nain", "agility": 4, "senses": 3},
                    {"id": "Elfe", "agility": 6, "senses": 5},
                ]
            },
        ),
        (
            "/cydonia kravkar 8+6 contre 5+4 : frapper saisir choc projeter",
            "kravkar",
            {
                "attacker": {"attribute": 8, "skill": 6},
                "defender": {"attribute": 5, "skill": 4},
                "actions": [{"type": kind} for kind in ("strike", "grab", "slam", "throw")],
            },
        ),
        (
            "/cydonia charge 6+5 equ 4 course 8 contre 4+4 degats 7+4+1d10 prot 3",
            "charge",
            {
                "event": "attack",
                "state": {"momentum_turns": 2},
                "mount_running": 8,
                "blow": {
                    "attacker": {"attribute": 6, "skill": 5},
                    "attacker_riding": 4,
                    "defender": {"attribute": 4, "skill": 4},
                    "physique": 7,
                    "weapon": {"flat": 4, "dice": [{"count": 1, "sides": 10}]},
                    "target": {"protection": 3},
                },
            },
        ),
        (
            "/cydonia fouille 5+4 cache 15",
            "search",
            {
                "searcher": {"attribute": 5, "skill": 4},
                "place": "area",
                "hidden_difficulty": 15,
            },
        ),
        (
            "/cydonia piege 6+4 contre 5+6 degats 3",
            "trap",
            {
                "trapper": {"attribute": 6, "skill": 4},
                "victim": {"attribute": 5, "skill": 6},
                "damage": {"flat": 3},
            },
        ),
        (
            "/cydonia piege 6+4 contre 5+6 degats 2d6-1",
            "trap",
            {
                "trapper": {"attribute": 6, "skill": 4},
                "victim": {"attribute": 5, "skill": 6},
                "damage": {"flat": -1, "dice": [{"count": 2, "sides": 6}]},
            },
        ),
        ("/cydonia reput 3 2 -1", "reputation", {"level": 3, "points": 2, "award": -1}),
        ("/cydonia réput -3 -2 1", "reputation", {"level": -3, "points": -2, "award": 1}),
        (
            '/cydonia chance malchanceux A=4 "Jean 3"=7 Bo =2',
            "luck",
            {
                "characters": [
                    {"id": "A", "luck": 4},
                    {"id": "Jean 3", "luck": 7},
                    {"id": "Bo", "luck": 2},
                ],
                "want": "unluckiest",
            },
        ),
    ],
)
def test_a_line_says_a_request_and_is_written_back(
    line: str, resolver: str, request_: dict[str, Any]
) -> None:
    model = SYSTEM.by_id[resolver].request
    wanted = model.model_validate_json(to_json(request_))
    said = parse(SYSTEM, line)
    assert said.resolver == resolver
    assert model.model_validate_json(to_json(said.request)) == wanted
    written = parse(SYSTEM, render(SYSTEM, resolver, wanted))
    assert model.model_validate_json(to_json(written.request)) == wanted


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("/cydonia 4 +", "missing", ""),
        ("/cydonia 4 (Hache", "missing", "hache"),
        ("/cydonia 6 (Hache) + 4 (Dextérité) +2 -5", "given-twice", "-"),
        ("/cydonia 4 + 6 CE CE", "given-twice", "CE"),
        ("/cydonia 4 + 6 conc", "missing", ""),
        ("/cydonia 4 + 6 diff", "missing", ""),
        ("/cydonia 4 + 6 diff bof", "missing", "bof"),
        ("/cydonia resphy 4", "missing", ""),
        ("/cydonia resphy", "missing", ""),
        ("/cydonia degats", "missing", ""),
        ("/cydonia degats 7+1d prot 3", "missing", "prot"),
        ("/cydonia degats 7+1d 10", "ambiguous", "10"),
        ("/cydonia degats 7+1+2", "given-twice", "+"),
        ("/cydonia degats 7-1d10", "unknown-word", "d"),
        ("/cydonia loc arme vise bras", "missing", ""),
        ("/cydonia loc arme vise queue", "missing", "queue"),
        ("/cydonia attaque 4+6", "missing", ""),
        ("/cydonia attaque 4+6 contre griffes", "missing", "griffes"),
        ("/cydonia kravkar 8+6 contre 5+4", "missing", ""),
        ("/cydonia piege 6+4 contre 5+6 degats", "missing", ""),
        ("/cydonia reput 3 2", "missing", ""),
        ("/cydonia chance chanceux a 4", "missing", "a"),
        ("/cydonia init =4+3", "unknown-word", "="),
    ],
)
def test_what_is_no_test_is_refused(line: str, code: str, word: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(SYSTEM, line)
    assert (error.value.code, error.value.word.lower()) == (code, word.lower())


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"attribute": 4, "skill": 6, "people": "elf"}),
        ("roll", {"kind": "double_attribute", "attribute": 4}),
        ("roll", {"kind": "attribute", "attribute": 4, "modifier": 2}),
        ("opposition", {"a": {"kind": "fixed", "fixed_total": 12}, "b": {"attribute": 4}}),
        ("damage", {"fixed_damage": 12}),
        ("damage", {"add_physique": False, "weapon": {"flat": 3}}),
        (
            "attack",
            {"attacker": {"attribute": 4}, "means": "none", "difficulty": 12},
        ),
        ("stun", {"phase": "blow", "damage": 9, "resistance": {"kind": "fixed", "fixed_total": 9}}),
        (
            "torture",
            {
                "torturer": {"attribute": 4},
                "victim": {"kind": "attribute", "courage": 3, "attribute": 4},
            },
        ),
        ("advancement", {"purchases": [{"kind": "skill", "from": 2}]}),
        ("luck", {"characters": [{"id": "A", "luck": 4}], "want": "luckiest", "tie_break": "roll"}),
    ],
)
def test_a_request_that_no_line_can_say_is_not_written(
    resolver: str, request_: dict[str, Any]
) -> None:
    with pytest.raises(NotationError, match="no-notation"):
        render(SYSTEM, resolver, request_)


def test_every_skill_attribute_and_zone_has_a_word() -> None:
    assert set(SKILLS.values()) == set(SKILL_TABLE)
    assert set(ATTRIBUTES.values()) == set(CydoniaAttribute)
    for zone, (group, side) in ZONE_TABLE.items():
        words = f"{spelled(ZONES, group)} {spelled(BODY_SIDES, side) if side else ''}".strip()
        said = parse(SYSTEM, f"/cydonia loc cac vise {words}")
        assert CydoniaZone(said.request["called_zone"]) is zone
    for skill in SKILLS.values():
        said = parse(SYSTEM, f"/cydonia 4 + 6 ({spelled(SKILLS, skill)})")
        assert said.request["skill_name"] == skill
