"""A level, its modifiers, its flags: every word is read, or the line is refused."""

from typing import Any

import pytest

from arbitre.rules.notation import NotationError, parse, render
from arbitre.systems.night_prowler import SYSTEM


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("/np", "bare-prefix", ""),
        ("/np 14 z", "unknown-word", "z"),
        ("/np 14 b7", "missing", "b"),
        ("/np 14 b", "missing", "b"),
        ("/np 14 h 2", "ambiguous", "2"),
        ("/np 14 h2 h3", "given-twice", "3"),
        ("/np opp 13 /", "unknown-word", "/"),
        ("/np cambriole 11 portail", "missing", "portail"),
        ("/np course F 8 voler 13", "missing", "voler"),
        ("/np course", "missing", ""),
        ("/np duel off 14", "missing", ""),
        ("/np soins 16 bras", "missing", "bras"),
        ("/np tir longue", "unknown-word", "longue"),
        ("/np feu", "missing", ""),
        ("/np duel 14 / off 12", "unknown-word", "14"),
        ("/np chute 7", "missing", ""),
    ],
)
def test_what_is_not_understood_is_refused(line: str, code: str, word: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(SYSTEM, line)
    assert (error.value.code, error.value.word) == (code, word)


@pytest.mark.parametrize(
    ("resolver", "request_", "line"),
    [
        ("roll", {"skill": 14, "modifier": -3}, "/np 14 -3"),
        ("roll", {"attribute": 14}, "/np ?14"),
        ("roll", {"test": "attribute", "attribute": 12, "crasse": True}, "/np c12 !"),
        ("roll", {"test": "fear", "attribute": 13}, "/np effroi 13"),
        ("hazard", {"kind": "fire", "intensity": 2}, "/np feu 2"),
        ("damage", {"quality": 3, "track": "endurance"}, "/np dégâts 3 e"),
        (
            "attack",
            {
                "a": {"option": "feint", "skill": 9, "weapon": {"family": "thrusting"}},
                "b": [
                    {"option": "offensive", "skill": 8, "weapon": {"family": "long_blades"}},
                    {"option": "defensive", "skill": 7, "weapon": {"family": "axes"}},
                ],
            },
            "/np duel feinte 9 estoc / off 8 / def 7 hache",
        ),
    ],
)
def test_a_request_is_written_in_the_shortest_way(
    resolver: str, request_: dict[str, Any], line: str
) -> None:
    assert render(SYSTEM, resolver, request_) == line


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"skill": 14, "name": "Sorn"}),
        ("roll", {"skill": 14, "health": {}}),
        ("tokens", {"pool": "guild", "action": "gain"}),
        ("hazard", {"kind": "fire", "intensity": 2, "heroism": 3}),
        (
            "healing",
            {"method": "first_aid", "care": {"skill": 9}, "health": {"bleeding": 1}},
        ),
        (
            "attack",
            {
                "mode": "ranged",
                "a": {
                    "option": "shot",
                    "skill": 9,
                    "weapon": {"family": "missile", "kind": "bow", "reach": 2},
                },
                "b": [{"option": "offensive"}],
            },
        ),
        (
            "chase",
            {
                "state": {
                    "participants": [
                        {"id": "Sorn", "role": "fugitive"},
                        {"id": "P1", "role": "pursuer"},
                    ]
                },
                "choices": [
                    {"id": "Sorn", "option": "dash", "skill": 9},
                    {"id": "P1", "option": "dash", "skill": 9},
                ],
            },
        ),
    ],
)
def test_what_one_line_cannot_say_is_not_written(resolver: str, request_: dict[str, Any]) -> None:
    with pytest.raises(NotationError) as error:
        render(SYSTEM, resolver, request_)
    assert error.value.code == "no-notation"


def test_a_line_may_ask_for_odds_and_give_faces() -> None:
    said = parse(SYSTEM, "/np? opp 12 / 12")
    assert (said.odds, said.resolver) == (True, "opposition")
    thrown = parse(SYSTEM, "/np 14 -3 = 11 # dans la ruelle")
    assert (thrown.faces, thrown.comment) == ((11,), "dans la ruelle")
    assert parse(SYSTEM, "/np ?14").odds is False
