"""The odds are those of the rulebook's own arithmetic, and of every throw tried one by one."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from arbitre.dice import HandFaces, LiveDice
from arbitre.odds import Odds, odds_of
from arbitre.odds.paths import plain, readings
from arbitre.systems.kadath import SYSTEM

WAYS = {
    0: [1],
    1: [4, 1, 1],
    2: [16, 8, 9, 2, 1],
    3: [64, 48, 60, 25, 15, 3, 1],
    4: [256, 256, 352, 208, 145, 52, 22, 4, 1],
    5: [1024, 1280, 1920, 1440, 1140, 561, 285, 90, 30, 5, 1],
    6: [4096, 6144, 9984, 8960, 7920, 4824, 2841, 1206, 495, 140, 39, 6, 1],
}

SUCCESS = {
    0: ["1", "0", "0", "0", "0"],
    1: ["1", "1/3", "1/6", "0", "0"],
    2: ["1", "5/9", "1/3", "1/12", "1/36"],
    3: ["1", "19/27", "13/27", "11/54", "19/216"],
    4: ["1", "65/81", "49/81", "1/3", "14/81"],
    5: ["1", "211/243", "19/27", "37/81", "22/81"],
    6: ["1", "665/729", "569/729", "413/729", "91/243"],
}

LINE = {"light_gray": 0, "dark_gray": 1}
TABLE = [
    {"from": 1, "to": 2, "label": "a"},
    {"from": 3, "to": 4, "label": "b", "condition": "unconscious"},
    {"from": 5, "to": 5, "label": "c", "condition": "coma"},
    {"from": 6, "to": 6, "label": "d", "condition": "dead"},
]


def odds(resolver: str, request: dict[str, Any]) -> Odds:
    found = SYSTEM.by_id[resolver]
    return odds_of(found, found.request.model_validate_json(json.dumps(request)))


def chances(resolver: str, request: dict[str, Any], field: str) -> dict[Any, Fraction]:
    for row in odds(resolver, request).fields:
        if row.field == field:
            return {value.value: value.p for value in row.values}
    raise KeyError(field)


@pytest.mark.parametrize("skill", WAYS)
def test_each_total_of_successes_has_the_ways_of_the_polynomial(skill: int) -> None:
    expected = {n: Fraction(ways, 6**skill) for n, ways in enumerate(WAYS[skill])}
    assert chances("roll", {"skill": skill}, "successes") == expected


@pytest.mark.parametrize("skill", SUCCESS)
@pytest.mark.parametrize("modifier", [1, 0, -1, -2, -3])
def test_success_by_skill_and_circumstances(skill: int, modifier: int) -> None:
    request = {"skill": skill, "favorable": max(0, modifier), "unfavorable": max(0, -modifier)}
    found = chances("roll", request, "success").get(True, Fraction(0))
    assert found == Fraction(SUCCESS[skill][1 - modifier])


@pytest.mark.parametrize(
    ("resolver", "request_", "field", "expected"),
    [
        (
            "opposition",
            {"a": {"skill": 3}, "b": {"skill": 2}},
            "winner",
            {"a": "635/864", "b": "229/864"},
        ),
        (
            "opposition",
            {"a": {"skill": 2}, "b": {"skill": 2}},
            "winner",
            {"a": "851/1296", "b": "445/1296"},
        ),
        (
            "opposition",
            {"a": {"skill": 2}, "b": {"skill": 2}, "initiator": "both"},
            "winner",
            {"a": "445/1296", None: "203/648", "b": "445/1296"},
        ),
        (
            "opposition",
            {"a": {"skill": 3, "unfavorable": 1}, "b": {"skill": 3}},
            "winner",
            {"a": "10997/23328", "b": "12331/23328"},
        ),
        ("opposition", {"a": {"skill": 0}, "b": {"skill": 0}}, "winner", {"a": "1"}),
        ("opposition", {"a": {"skill": 0}, "b": {"skill": 1}}, "winner", {"b": "1"}),
        (
            "attack",
            {
                "attacker": {"skill": 4, "unfavorable": 1, "total_damage": 1},
                "defender": {"skill": 3, "unfavorable": 1},
            },
            "hit",
            {True: "8609/11664", False: "3055/11664"},
        ),
        (
            "roll",
            {"skill": 1, "helpers": [{"skill": 1}]},
            "successes",
            {0: "21/36", 1: "6/36", 2: "9/36"},
        ),
        (
            "roll",
            {"skill": 2, "hinderers": [{"skill": 1}]},
            "success",
            {True: "95/216", False: "121/216"},
        ),
        (
            "incident",
            {"kind": "check", "members": [{"skill": n} for n in (3, 3, 2, 2)], "danger": 1},
            "incident",
            {True: "8728/19683", False: "10955/19683"},
        ),
        (
            "incident",
            {"kind": "check", "members": [{"skill": 3}]},
            "incident",
            {True: "8/27", False: "19/27"},
        ),
        (
            "chase",
            {"thief": {"skill": 3}, "pursuers": [{"skill": 3}, {"skill": 2}]},
            "caught",
            {True: "274153/419904", False: "145751/419904"},
        ),
        (
            "hazard",
            {"kind": "fall", "height": 10, "acrobatics": {"skill": 3}},
            "damage",
            {2: "19/27", 3: "8/27"},
        ),
    ],
)
def test_the_reference_odds(
    resolver: str, request_: dict[str, Any], field: str, expected: dict[Any, str]
) -> None:
    assert chances(resolver, request_, field) == {
        value: Fraction(p) for value, p in expected.items()
    }


@pytest.mark.parametrize("myth", range(9))
def test_an_extract_appears_less_often_where_the_myth_is_higher(myth: int) -> None:
    expected = Fraction(min(6, max(0, 7 - myth)), 6)
    assert chances("myth", {"myth": myth}, "extracts").get(1, 0) == expected


def every_throw(resolver: str, request: dict[str, Any], dice: int) -> dict[str, Counter[Any]]:
    """Play every throw of ``dice`` dice; those that are not drawn are tried and left aside."""
    found = SYSTEM.by_id[resolver]
    asked = found.request.model_validate_json(json.dumps(request))
    ways: dict[str, Counter[Any]] = {}
    for faces in product(range(1, 7), repeat=dice):
        outcome = found.resolve(asked, LiveDice(HandFaces(faces)))
        for field in found.odds:
            for name, value in readings(outcome, field):
                ways.setdefault(name, Counter())[plain(value)] += 1
    return ways


@pytest.mark.parametrize(
    ("resolver", "request_", "dice"),
    [
        ("roll", {"skill": 2, "helpers": [{"skill": 2}], "hinderers": [{"skill": 1}]}, 5),
        (
            "roll",
            {
                "skill": 3,
                "unfavorable": 1,
                "helpers": [{"skill": 1, "favorable": 2}],
                "hinderers": [{"skill": 0, "favorable": 1}],
                "prime": "efficiency",
                "penalty": "risk",
            },
            4,
        ),
        (
            "attack",
            {
                "attacker": {"skill": 2, "total_damage": 2, "prime": "caution", "penalty": "risk"},
                "defender": {"skill": 1},
                "target": {"life_line": LINE, "state": {"position": 2}, "peril_table": TABLE},
            },
            5,
        ),
        (
            "damage",
            {"life_line": LINE, "state": {"position": 1}, "hits": [1, 2, 3], "peril_table": TABLE},
            4,
        ),
        (
            "chase",
            {
                "thief": {"skill": 1, "helpers": [{"skill": 1}]},
                "pursuers": [{"skill": 2}, {"skill": 1}],
            },
            5,
        ),
        (
            "surprise",
            {"mode": "ambush", "ambusher": {"skill": 2}, "targets": [{"skill": 1}, {"skill": 2}]},
            5,
        ),
        ("myth", {"myth": 5, "checks": 4}, 4),
        ("trauma", {"test": {"skill": 3}, "trauma_rounds": 1}, 4),
    ],
)
def test_the_odds_are_those_of_every_throw(
    resolver: str, request_: dict[str, Any], dice: int
) -> None:
    tried = every_throw(resolver, request_, dice)
    for row in odds(resolver, request_).fields:
        total = 6**dice
        expected = {value: Fraction(n, total) for value, n in tried[row.field].items()}
        assert {value.value: value.p for value in row.values} == expected


def aid(resolver: str, request: dict[str, Any]) -> Any:
    return odds(resolver, request).aid


def each(resolver: str, request: dict[str, Any], field: str, value: Any) -> list[Fraction]:
    """Return for each item of a list the chance that its field is ``value``."""
    before, after = field.split("[]")
    return [
        next((row.p for row in known.values if row.value == value), Fraction(0))
        for known in odds(resolver, request).fields
        if known.field.startswith(f"{before}.") and known.field.endswith(after)
    ]


def test_each_target_has_its_own_chance_to_be_surprised() -> None:
    ambusher, targets = {"skill": 2}, [{"skill": 1}, {"skill": 2}, {"skill": 1, "favorable": 1}]
    request = {"mode": "ambush", "ambusher": ambusher, "targets": targets}
    assert each("surprise", request, "targets[].surprised", value=True) == [
        chances("opposition", {"a": ambusher, "b": target}, "winner")["a"] for target in targets
    ]


def test_nobody_may_chase_where_everybody_is_surprised() -> None:
    request = {"kind": "snatch", "thief": {"skill": 2}, "characters": [{"skill": 1}, {"skill": 2}]}
    count = chances(
        "surprise",
        {"mode": "draw", "ambusher": request["thief"], "targets": request["characters"]},
        "surprised_count",
    )
    assert chances("incident", request, "nobody_can_chase")[True] == count[2]
    surprised = each("incident", request, "characters[].surprised", value=True)
    may_chase = each("incident", request, "characters[].can_chase", value=True)
    assert [a + b for a, b in zip(surprised, may_chase, strict=True)] == [1, 1]
    assert each("incident", request, "characters[].impassive", value=True) == []


def test_it_comes_to_a_fight_where_one_character_is_not_impassive() -> None:
    foes, characters = {"skill": 2}, [{"skill": 3}, {"skill": 1}]
    request = {"kind": "harassment", "harassers": foes, "characters": characters}
    surprise = {"mode": "draw", "ambusher": foes, "targets": characters}
    none = chances("surprise", surprise, "surprised_count")[0]
    assert chances("incident", request, "fight")[False] == none
    assert each("incident", request, "characters[].impassive", value=True) == [
        chances("opposition", {"a": foes, "b": character}, "winner")["b"]
        for character in characters
    ]


def test_a_crusade_has_a_chance_for_each_character() -> None:
    request = {"kind": "crusade", "ambushers": {"skill": 3}, "characters": [{"skill": 2}]}
    found = each("incident", request, "characters[].surprised", value=True)
    assert found == [Fraction(635, 864)]


def test_a_question_that_was_not_asked_has_no_odds() -> None:
    asked = odds("incident", {"kind": "pickpocket", "thief": {"skill": 1}, "victim": {"skill": 1}})
    assert [row.field for row in asked.fields] == ["stolen"]
    asked = odds("opposition", {"a": {"skill": 0}, "b": {"skill": 0}, "initiator": "both"})
    assert [(row.value, row.p) for row in asked.fields[0].values] == [(None, Fraction(1))]


def test_holding_on_multiplies_the_chance_of_each_round() -> None:
    request = {"test": {"skill": 4, "favorable": 1, "helpers": [{"skill": 1}]}, "trauma_rounds": 1}
    holding = Fraction(1)
    for row in aid("trauma", request).rounds:
        now = {**request, "trauma_rounds": row.rounds}
        holding *= chances("trauma", now, "success").get(True, Fraction(0))
        assert Fraction(row.holding.p) == holding


def test_a_row_of_the_peril_table_has_the_chance_to_come_up() -> None:
    request = {"life_line": LINE, "state": {"position": 2}, "hits": [1, 1]}
    plain = [{"from": 1, "to": 2, "label": "a"}, {"from": 3, "to": 6, "label": "b"}]
    given = aid("damage", {**request, "peril_table": plain}).rows
    assert [Fraction(row.rolled.p) for row in given] == [Fraction(5, 9), Fraction(8, 9)]
    deadly = [{**plain[0], "condition": "dead"}, plain[1]]
    given = aid("damage", {**request, "peril_table": deadly}).rows
    assert [Fraction(row.rolled.p) for row in given] == [Fraction(5, 9), Fraction(2, 3)]


def test_each_patient_recovers_one_or_two_boxes() -> None:
    line = {"light_gray": 3, "dark_gray": 2}
    request = {
        "method": "care",
        "healer": {"skill": 3},
        "period": "hour",
        "patients": [{"life_line": line, "state": {"position": n}} for n in (3, 1)],
    }
    assert chances("healing", request, "patients.0.boxes") == {
        1: Fraction(14, 27),
        2: Fraction(13, 27),
    }
    assert chances("healing", request, "patients.1.boxes") == {1: 1}
