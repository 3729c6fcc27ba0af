"""Exact odds against every way the dice can fall."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import HandFaces
from arbitre.odds import Odds, odds_of
from arbitre.rules.play import play
from arbitre.systems.lady_blackbird import SYSTEM
from arbitre.systems.lady_blackbird.pool import MOST

ROLL = SYSTEM.by_id["roll"]
CHANCES = next(table for table in SYSTEM.tables if table.id == "chances")

REFERENCE = {  # successes out of 2**n for difficulties 2 to 5
    1: (0, 0, 0, 0),
    3: (4, 1, 0, 0),
    5: (26, 16, 6, 1),
    7: (120, 99, 64, 29),
    10: (1013, 968, 848, 638),
    14: (16369, 16278, 15914, 14913),
    20: (1048555, 1048365, 1047225, 1042380),
}


def request(**fields: Any) -> Any:
    return ROLL.request.model_validate_json(to_json(fields))


def field(odds: Odds, name: str) -> dict[Any, Fraction]:
    (found,) = (row for row in odds.fields if row.field == name)
    return {value.value: value.p for value in found.values}


@pytest.mark.parametrize("dice", REFERENCE)
def test_the_table_of_chances_is_the_reference(dice: int) -> None:
    assert CHANCES.rows[dice - 1] == (dice, 2**dice, *REFERENCE[dice])


@pytest.mark.parametrize("row", CHANCES.rows, ids=str)
def test_the_odds_are_those_of_the_table(row: tuple[int, ...]) -> None:
    dice, cases, *wins = row
    for difficulty, favorable in enumerate(wins, 2):
        bonus = min(dice - 1, 19)
        asked = request(difficulty=difficulty, bonus_dice=bonus)
        chance = field(odds_of(ROLL, asked), "success").get(True, Fraction(0))
        assert chance == Fraction(favorable, cases)


def test_odds_are_those_of_every_throw() -> None:
    asked = request(
        difficulty=2,
        trait=True,
        pool_dice=1,
        helpers=[{"name": "Naomi", "pool": 5}],
        state={"pool": 10},
    )
    counted: Counter[tuple[int, bool, int, int]] = Counter()
    for faces in product(range(1, 7), repeat=4):
        outcome = play(ROLL, asked, HandFaces(faces)).outcome
        helper = outcome.helpers[0].pool
        counted[outcome.successes, outcome.success, outcome.state.pool, helper] += 1
    odds = odds_of(ROLL, asked)
    for index, name in enumerate(("successes", "success", "state.pool", "helpers.0.pool")):
        marginal: Counter[Any] = Counter()
        for row, n in counted.items():
            marginal[row[index]] += n
        assert field(odds, name) == {value: Fraction(n, 6**4) for value, n in marginal.items()}


def test_the_aid_shows_each_number_of_pool_dice() -> None:
    odds = odds_of(ROLL, request(difficulty=3, trait=True, tags=1, state={"pool": 4}))
    assert odds.aid is not None
    choices = odds.aid.model_dump()["by_pool_dice"]
    assert [choice["success"]["p"] for choice in choices] == [
        "1/8",
        "5/16",
        "1/2",
        "21/32",
        "99/128",
    ]
    for choice in choices:
        chance = Fraction(choice["success"]["p"])
        expected = chance * (4 - choice["pool_dice"]) + (1 - chance) * 5
        assert Fraction(choice["pool"]["p"]) == expected


def test_the_largest_test_has_odds_within_the_budget() -> None:
    helpers = [{"name": f"Helper {number}", "pool": 1} for number in range(20)]
    asked = request(
        difficulty=5,
        trait=True,
        tags=20,
        bonus_dice=20,
        pool_dice=MOST,
        helpers=helpers,
        state={"pool": MOST},
    )
    odds = odds_of(ROLL, asked)
    assert sum(field(odds, "success").values()) == 1
    assert odds.work < 20_000
