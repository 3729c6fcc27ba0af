"""A line says a whole request, and is written back."""

import json
from typing import Any

import pytest

from arbitre.rules.line import one_word
from arbitre.rules.notation import NotationError, parse, render
from arbitre.systems.kadath import SYSTEM

LINES: list[tuple[str, str, dict[str, Any]]] = [
    (
        "/kadath 3 aide 2,1/1- gene 1",
        "roll",
        {
            "skill": 3,
            "helpers": [{"skill": 2}, {"skill": 1, "unfavorable": 1}],
            "hinderers": [{"skill": 1}],
        },
    ),
    (
        "/kadath Volonté 2 -1 prime prudence penalite risque gratuite efficacite, acceleration",
        "roll",
        {
            "skill": 2,
            "skill_name": "willpower",
            "unfavorable": 1,
            "prime": "caution",
            "penalty": "risk",
            "free_primes": ["efficiency", "acceleration"],
        },
    ),
    (
        "/kadath Muscles 2 prime efficiency penalty abandon",
        "roll",
        {
            "skill": 2,
            "skill_name": "muscles",
            "prime": "efficiency",
            "penalty": "abandon_position",
            "in_advantageous_position": True,
        },
    ),
    (
        "/kadath 2 prime prudence penalite ralentissement",
        "roll",
        {"skill": 2, "prime": "caution", "penalty": "slowdown", "opponent_acts_after": True},
    ),
    (
        '/kadath "Connaissance (Kadath)" 3 case noire',
        "roll",
        {"skill": 3, "skill_name": "knowledge_kadath", "box": "black"},
    ),
    (
        '/kadath "Sleight of hand" 1/2+ actions 3',
        "roll",
        {"skill": 1, "skill_name": "sleight_of_hand", "favorable": 2, "declared_actions": 3},
    ),
    ("/kadath Chant 1", "roll", {"skill": 1, "skill_name": "Chant"}),
    ('/kadath "Sculpture" 1', "roll", {"skill": 1, "skill_name": "Sculpture"}),
    ("/kadath stealth 2", "roll", {"skill": 2, "skill_name": "stealth"}),
    (
        "/kadath opp 3/1- vs 3 initie a",
        "opposition",
        {"a": {"skill": 3, "unfavorable": 1}, "b": {"skill": 3}},
    ),
    (
        "/kadath surprise degaine 3 contre 3",
        "surprise",
        {"mode": "draw", "ambusher": {"skill": 3}, "targets": [{"skill": 3}]},
    ),
    (
        "/kadath init Aya:2:3, Bor:1:4:a1:r2, Cid:2:3:r1 passe 2",
        "initiative",
        {
            "combatants": [
                {"id": "Aya", "declared_actions": 2, "reflexes": 3},
                {
                    "id": "Bor",
                    "declared_actions": 1,
                    "reflexes": 4,
                    "acceleration": 1,
                    "slowdown": 2,
                },
                {"id": "Cid", "declared_actions": 2, "reflexes": 3, "slowdown": 1},
            ],
            "from_pass": 2,
        },
    ),
    (
        "/kadath attaque 4 contre 3 degats 2 arme 1 protection 2 adversaires 3",
        "attack",
        {
            "attacker": {
                "skill": 4,
                "character_damage": 2,
                "weapon": {"class": "custom", "damage": 1},
            },
            "defender": {"skill": 3, "armor": {"class": "custom", "protection": 2}},
            "adversaries": 3,
        },
    ),
    (
        "/kadath attaque 4 contre 3 total 2 armure lourde surpris cache",
        "attack",
        {
            "attacker": {"skill": 4, "total_damage": 2},
            "defender": {"skill": 3, "muscles": 4, "armor": {"class": "heavy"}},
            "surprised": True,
            "perceived": False,
        },
    ),
    (
        "/kadath degats 3 ligne 2/3/2 case 4 protection 1",
        "damage",
        {
            "life_line": {"white": 2, "light_gray": 3, "dark_gray": 2},
            "state": {"position": 4},
            "hits": [3],
            "protection": 1,
        },
    ),
    (
        "/kadath soins 3 ligne 1/3/2 coma",
        "healing",
        {
            "method": "first_aid",
            "healer": {"skill": 3},
            "patient": {
                "life_line": {"light_gray": 3, "dark_gray": 2},
                "state": {"condition": "coma"},
            },
        },
    ),
    (
        "/kadath soins 3/1+ ligne 1/3/2 inconscient",
        "healing",
        {
            "method": "first_aid",
            "healer": {"skill": 3, "favorable": 1},
            "patient": {
                "life_line": {"light_gray": 3, "dark_gray": 2},
                "state": {"condition": "unconscious"},
            },
        },
    ),
    (
        "/kadath veille heure Soins 2 patients 1/3/2:1",
        "healing",
        {
            "method": "care",
            "period": "hour",
            "healer": {"skill": 2, "skill_name": "medicine"},
            "patients": [
                {"life_line": {"light_gray": 3, "dark_gray": 2}, "state": {"position": 1}}
            ],
        },
    ),
    ("/kadath chute 2,9", "hazard", {"kind": "fall", "height": "2.9"}),
    ("/kadath feu incendie", "hazard", {"kind": "fire", "size": "blaze"}),
    (
        "/kadath asphyxie immobile air 10 tests 2 Volonte 3/1-",
        "hazard",
        {
            "kind": "asphyxia",
            "active": False,
            "air_used": 10,
            "tests_made": 2,
            "test": {"skill": 3, "skill_name": "willpower", "unfavorable": 1},
        },
    ),
    (
        "/kadath incident 3,2 groupe 4",
        "incident",
        {"kind": "check", "members": [{"skill": 3}, {"skill": 2}], "group_size": 4},
    ),
    (
        "/kadath chatiment pj 4 danger 1",
        "incident",
        {"kind": "punishment", "pc_count": 4, "danger": 1},
    ),
    (
        "/kadath vindicte 2 contre 3,1 pj 2 danger 1",
        "incident",
        {
            "kind": "harassment",
            "harassers": {"skill": 2},
            "characters": [{"skill": 3}, {"skill": 1}],
            "pc_count": 2,
            "danger": 1,
        },
    ),
    ("/kadath mythe 4", "myth", {"myth": 4}),
    (
        "/kadath xp Chant 0>2 reserve 9",
        "advancement",
        {"experience": 9, "raises": [{"skill_name": "Chant", "from": 0, "to": 2}]},
    ),
    ("/kadath table peril", "screen-table", {"table": "peril"}),
]


def model(resolver: str, request: dict[str, Any]) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(json.dumps(request))


@pytest.mark.parametrize(("line", "resolver", "request_"), LINES, ids=[row[0] for row in LINES])
def test_a_line_says_a_request_and_is_written_back(
    line: str, resolver: str, request_: dict[str, Any]
) -> None:
    asked = model(resolver, request_)
    written = render(SYSTEM, resolver, asked)
    for text in (line, one_word(line), written, one_word(written)):
        said = parse(SYSTEM, text)
        assert said.resolver == resolver
        assert model(resolver, said.request) == asked


def test_the_example_of_each_command_is_understood() -> None:
    assert SYSTEM.chat is not None
    for command in SYSTEM.chat.commands:
        said = parse(SYSTEM, SYSTEM.chat.line(command, command.example))
        assert said.resolver == command.resolver
        assert model(said.resolver, said.request)


@pytest.mark.parametrize(
    "line",
    [
        "/kadath",
        "/kadath Perception",
        "/kadath s 3",
        "/kadath Sculpture 3",
        "/kadath 3/1",
        "/kadath 3/1-/2-",
        "/kadath 3 +",
        "/kadath 3 prime prudence",
        "/kadath 3 prime prudence penalite",
        "/kadath opp 3",
        "/kadath opp 3 contre 3 initie c",
        "/kadath attaque 4 contre 3 armure",
        "/kadath attaque 4 contre 3 armure cuir",
        "/kadath degats 2 ligne 1/3 case 2",
        "/kadath chute dix",
        "/kadath vol 3 contre 3",
        "/kadath attaque",
        "/kadath init Aya",
        "/kadath xp Perception 0 reserve 4",
    ],
)
def test_what_is_not_understood_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        parse(SYSTEM, line)


def test_faces_and_odds_go_with_a_line() -> None:
    said = parse(SYSTEM, "/kadath Perception 3/1- = 3 3 5 # de nuit")
    assert (said.faces, said.comment) == ((3, 3, 5), "de nuit")
    assert parse(SYSTEM, "/kadath chances 3").odds


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"skill": 1, "combat_state": {"danger": 1}}),
        ("roll", {"skill": 1, "skill_name": "Perception"}),
        ("roll", {"skill": 1, "quality_table": []}),
        (
            "attack",
            {
                "attacker": {"skill": 1, "total_damage": 1},
                "defender": {"skill": 1, "muscles": 1, "armor": {"class": "light"}},
            },
        ),
        ("retry", {"before": {"skill": 1}, "now": {"skill": 1}}),
    ],
)
def test_a_request_that_a_line_cannot_say_is_not_half_written(
    resolver: str, request_: dict[str, Any]
) -> None:
    with pytest.raises(NotationError):
        render(SYSTEM, resolver, model(resolver, request_))
