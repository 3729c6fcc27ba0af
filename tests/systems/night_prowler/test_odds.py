"""The odds against the book's own numbers, and against every throw counted one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product
from time import process_time
from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import DiceMissingError, HandFaces
from arbitre.odds import odds_of
from arbitre.rules.play import play
from arbitre.systems.night_prowler import SYSTEM
from arbitre.systems.night_prowler.distribution import DISTRIBUTION

FACES = range(1, 21)


def _asked(resolver: str, request: dict[str, Any]) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(to_json(request))


def _odds(resolver: str, request: dict[str, Any]) -> dict[str, dict[Any, Fraction]]:
    found = odds_of(SYSTEM.by_id[resolver], _asked(resolver, request))
    return {field.field: {row.value: row.p for row in field.values} for field in found.fields}


def _read(outcome: Any, path: str) -> Any:
    for key in path.split("."):
        outcome = outcome[int(key)] if isinstance(outcome, tuple) else getattr(outcome, key)
    return outcome


def _counted(
    resolver: str, request: dict[str, Any], dice: int, fields: list[str]
) -> dict[str, dict[Any, Fraction]]:
    """Throw every combination of faces."""
    asked, found = _asked(resolver, request), {field: Counter[Any]() for field in fields}
    for faces in product(FACES, repeat=dice):
        outcome = play(SYSTEM.by_id[resolver], asked, HandFaces(faces)).outcome
        for field in fields:
            found[field][_read(outcome, field)] += 1
    whole = 20**dice
    return {
        field: {value: Fraction(n, whole) for value, n in ways.items()}
        for field, ways in found.items()
    }


@pytest.mark.parametrize("row", DISTRIBUTION.rows, ids=lambda row: f"threshold {row[0]}")
def test_a_test_falls_as_the_table_of_the_book_says(row: tuple[int, ...]) -> None:
    threshold, *counts, botched, critical, successes = row
    odds = _odds("roll", {"skill": threshold})
    assert sum(counts) + botched == 20
    expected = dict(zip((1, 2, 3, 4, 5, -5, -4, -3, -2, -1), counts, strict=True))
    expected[-5] += botched
    for quality, count in expected.items():
        assert odds["quality"].get(quality, Fraction(0)) == Fraction(count, 20)
    assert odds["success"].get(True, Fraction(0)) == Fraction(successes, 20)
    assert odds["critical"].get("success", Fraction(0)) == Fraction(critical, 20)
    assert odds["critical"].get("failure", Fraction(0)) == Fraction(botched, 20)


def test_the_table_is_that_of_the_book_where_it_is_printed() -> None:
    rows = {row[0]: row[1:] for row in DISTRIBUTION.rows}
    assert rows[0] == (0, 0, 0, 0, 0, 4, 4, 4, 4, 3, 1, 0, 0)
    assert rows[1] == (1, 0, 0, 0, 0, 3, 4, 4, 4, 3, 1, 1, 1)
    assert rows[12] == (4, 4, 4, 0, 0, 0, 0, 0, 4, 3, 1, 1, 12)
    assert rows[19] == (4, 4, 4, 4, 3, 0, 0, 0, 0, 0, 1, 1, 19)
    assert rows[20] == (4, 4, 4, 4, 3, 0, 0, 0, 0, 0, 1, 0, 19)
    assert rows[21] == (4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 20)


def _fighter(option: str, skill: int, family: str = "long_blades", **more: Any) -> dict[str, Any]:
    return {"option": option, "skill": skill, "weapon": {"family": family, "reach": 2}, **more}


PAIRS = [
    ("feint", {"a": _fighter("feint", 15, "thrusting"), "b": [_fighter("defensive", 12)]}),
    ("ambush", {"a": _fighter("offensive", 12), "b": [_fighter("offensive", 13)], "ambush": "b"}),
    (
        "precision",
        {
            "a": _fighter("offensive", 12, heroism=3),
            "b": [_fighter("offensive", 13, protection=1, heroism=1)],
        },
    ),
    (
        "stun",
        {
            "a": _fighter("stun", 15, "maces", heroism=4, invested=2),
            "b": [_fighter("offensive", 12, heroism=2, stun_counter=True, protection=1)],
        },
    ),
    ("sweep", {"a": _fighter("sweep", 13, "unarmed"), "b": [_fighter("offensive", 12)]}),
]
OF_A_PAIR = ["winner", "hit", "damage_quality", "row", "counter", "counter_quality", "effects"]


@pytest.mark.parametrize(("_name", "request_"), PAIRS, ids=[name for name, _ in PAIRS])
def test_an_exchange_falls_as_every_pair_of_faces_says(
    _name: str, request_: dict[str, Any]
) -> None:
    fields = [f"pairs.0.{field}" for field in OF_A_PAIR]
    odds = _odds("attack", request_)
    for field, expected in _counted("attack", request_, 2, fields).items():
        assert odds[field] == expected, field


SEVERAL = [
    (
        "one counter among two",
        {"a": _fighter("defensive", 15), "b": [_fighter("offensive", n) for n in (10, 12)]},
    ),
    (
        "a named counter",
        {
            "a": _fighter("defensive", 15, on_counter="disengage"),
            "b": [_fighter("offensive", n) for n in (10, 12)],
            "counter_target": 1,
        },
    ),
    (
        "a movement against all",
        {
            "a": _fighter("movement", 16, advantage="disengage"),
            "b": [_fighter("offensive", 10), _fighter("defensive", 9)],
        },
    ),
    (
        "two stuns and few points",
        {
            "a": _fighter("defensive", 8, heroism=3, stun_counter=True),
            "b": [
                _fighter("stun", 14, "maces", invested=2),
                _fighter("stun", 13, "maces", invested=2),
            ],
        },
    ),
]


@pytest.mark.parametrize(("_name", "request_"), SEVERAL, ids=[name for name, _ in SEVERAL])
def test_against_several_each_pair_falls_as_every_throw_says(
    _name: str, request_: dict[str, Any]
) -> None:
    fields = [f"pairs.{number}.{field}" for number in (0, 1) for field in (*OF_A_PAIR, "advantage")]
    odds = _odds("attack", request_)
    for field, expected in _counted("attack", request_, 3, fields).items():
        assert odds[field] == expected, field


def test_three_sides_fall_as_every_throw_says() -> None:
    request = {
        "sides": [
            {"skill": 14, "heroism": 2},
            {"skill": 12, "heroism": 4},
            {"skill": 9, "heroism": 4},
        ],
        "tie_break": "heroism",
        "required_margin": 2,
    }
    odds = _odds("opposition", request)
    for field, expected in _counted("opposition", request, 3, ["winner", "margin"]).items():
        assert odds[field] == expected, field


def test_a_round_of_a_chase_falls_as_every_throw_says() -> None:
    request = {
        "state": {
            "participants": [
                {"id": "F", "role": "fugitive", "accumulated": 14},
                {"id": "P", "role": "pursuer", "accumulated": 13, "heroism": 3},
                {"id": "Q", "role": "pursuer", "accumulated": 9, "head_start": "small"},
            ]
        },
        "choices": [
            {"id": "F", "option": "weave", "skill": 13},
            {"id": "P", "option": "tail", "skill": 11},
            {"id": "Q", "option": "dash", "skill": 16},
        ],
    }
    fields = [f"results.{n}.{field}" for n in range(3) for field in ("gain", "reached", "status")]
    odds = _odds("chase", request)
    for field, expected in _counted("chase", request, 3, fields).items():
        assert odds[field] == expected, field


def test_the_most_citizens_do_not_slow_the_odds_of_a_chase() -> None:
    hunters = [f"p{number}" for number in range(11)]
    fugitive = {"id": "f", "role": "fugitive", "accumulated": 5, "heroism": 60}
    pursuers = [
        {"id": one, "role": "pursuer", "accumulated": number, "heroism": 60}
        for number, one in enumerate(hunters)
    ]
    choices = [
        {"id": one, "option": "sprint", "skill": 8 + number, "stop_thief": 20}
        for number, one in enumerate(hunters)
    ]
    flight = {"id": "f", "option": "leap", "skill": 12, "avoid_skill": 10}
    asked = {"state": {"participants": [fugitive, *pursuers]}, "choices": [flight, *choices]}
    before = process_time()
    odds = _odds("chase", asked)
    assert process_time() - before < 2
    free = Fraction(1, 2) ** 220
    assert odds["results.0.gain"][0] == 1 - Fraction(9, 20) * free


def test_a_breakthrough_falls_as_its_second_attack_says() -> None:
    request = {"a": _fighter("breakthrough", 14, "short_blades"), "b": [_fighter("defensive", 13)]}
    attack, asked = SYSTEM.by_id["attack"], _asked("attack", request)
    struck = 0
    for faces in product(FACES, repeat=2):
        try:
            assert play(attack, asked, HandFaces(faces)).outcome.pairs[0].second is None
        except DiceMissingError:
            continue
        struck += 1
    assert struck == 20 * 20 - sum(_open(own, foe) for own, foe in product(FACES, repeat=2))
    hits = sum(
        play(attack, asked, HandFaces((9, 9, *faces))).outcome.pairs[0].second.hit
        for faces in product(FACES, repeat=2)
    )
    chance = Fraction(400 - struck, 400)
    assert _odds("attack", request)["pairs.0.second.hit"] == {
        True: chance * Fraction(hits, 400),
        False: chance * Fraction(400 - hits, 400),
        None: 1 - chance,
    }


def _open(own: int, foe: int) -> bool:
    """Say from the book whether the second attack takes place: no counter of two or more."""
    attack = (own + 3) // 4 if own <= 14 else (own + 3) // 4 - 6
    defense = (foe + 3) // 4 if foe <= 13 else (foe + 3) // 4 - 6
    botched = own == 20
    return foe > 13 or defense - (-5 if botched else attack) < 2
