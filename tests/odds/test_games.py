"""The tests of the built-in games, against an independent oracle (icepool)."""

from fractions import Fraction
from typing import Any

import icepool
import pytest
from icepool import d

from arbitre.odds import odds_of
from arbitre.rules.system import System
from arbitre.systems import cthulhu_noir, kadath, lady_blackbird, night_prowler


def odds(system: System, name: str, **request: Any) -> dict[Any, Fraction]:
    """Return the odds of one field of the game's test."""
    roll = system.by_id["roll"]
    found = odds_of(roll, roll.request.model_validate(request))
    (field,) = [field for field in found.fields if field.field == name]
    return {row.value: row.p for row in field.values}


def of(oracle: icepool.Die[Any]) -> dict[Any, Fraction]:
    return {value: Fraction(ways, oracle.denominator()) for value, ways in oracle.items()}


def chance(event: icepool.Die[bool]) -> Fraction:
    return Fraction(event.quantity(True), event.denominator())


@pytest.mark.parametrize(
    ("skill", "favorable", "unfavorable"), [(1, 0, 0), (3, 0, 1), (6, 2, 0), (4, 1, 3), (6, 0, 20)]
)
def test_kadath(skill: int, favorable: int, unfavorable: int) -> None:
    one = icepool.Die([0, 0, 0, 0, 1, 2])  # a 5 counts once, a 6 twice
    total = (skill @ one + favorable - unfavorable).map(lambda found: max(found, 0))
    request = {"skill": skill, "favorable": favorable, "unfavorable": unfavorable}
    assert odds(kadath.SYSTEM, "successes", **request) == of(total)
    assert odds(kadath.SYSTEM, "success", **request).get(True, 0) == chance(total >= 1)


@pytest.mark.parametrize(("dice", "difficulty"), [(0, 2), (3, 3), (7, 4), (19, 5)])
def test_lady_blackbird(dice: int, difficulty: int) -> None:
    hits = (1 + dice) @ icepool.Die([0, 0, 0, 1, 1, 1])
    request = {"bonus_dice": dice, "difficulty": difficulty}
    assert odds(lady_blackbird.SYSTEM, "successes", **request) == of(hits)
    success = odds(lady_blackbird.SYSTEM, "success", **request)
    assert success.get(True, 0) == chance(hits >= difficulty)


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_cthulhu_noir(dice: int) -> None:
    names = ("human_die", "professional_die", "insanity_die", "wound_die")
    request = {name: number < dice for number, name in enumerate(names)}
    best = d(6).highest(dice)
    assert odds(cthulhu_noir.SYSTEM, "quality", **request) == of(best)
    success = odds(cthulhu_noir.SYSTEM, "success", failure_die=True, **request)
    assert success[True] == chance(best >= d(6))
    assert odds(cthulhu_noir.SYSTEM, "success", **request) == {True: Fraction(1)}


@pytest.mark.parametrize("skill", [5, 12, 19, 20])
def test_night_prowler(skill: int) -> None:
    success = odds(night_prowler.SYSTEM, "success", skill=skill)
    assert success[True] == chance(d(20) <= min(skill, 19))  # a 20 always fails
