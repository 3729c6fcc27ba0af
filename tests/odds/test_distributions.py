"""Odds of a resolver, against an independent oracle (icepool) and by hand."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import icepool
import pytest
from icepool import d

import tiny_duel
from arbitre.dice import (
    Budget,
    BudgetExceededError,
    Count,
    Dice,
    Distribution,
    Faces,
    Highest,
    Total,
    enumerate_outcomes,
)
from arbitre.odds import Odds, odds_of
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, resolver
from tiny_duel.duel import TinyDuelDuelRequest, TinyDuelFighter, TinyDuelWeapon


def same(found: Distribution[Any], oracle: icepool.Die[Any]) -> bool:
    return dict(found) == {
        value: Fraction(ways, oracle.denominator()) for value, ways in oracle.items()
    }


def top_three(faces: Faces) -> int:
    return sum(sorted(faces)[-3:])


def lowest(faces: Faces) -> int:
    return min(faces)


def pool(count: int, sides: int, read: Callable[[Faces], Any]) -> Distribution[Any]:
    return enumerate_outcomes(lambda dice: dice.pool("p", count=count, sides=sides, read=read))


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (4, 6), (12, 6), (3, 20), (2, 100), (6, 10)])
def test_pools_have_the_odds_of_the_oracle(count: int, sides: int) -> None:
    assert same(pool(count, sides, Total()), count @ d(sides))
    assert same(pool(count, sides, Count(5)), count @ d(sides).map(lambda face: int(face >= 5)))
    assert same(pool(count, sides, Highest()), d(sides).highest(count))
    assert same(pool(count, sides, lowest), d(sides).lowest(count))
    if count >= 3:
        assert same(pool(count, sides, top_three), d(sides).highest(count, 3))


def face(sides: int, dice: Dice) -> int:
    return dice.die("d", sides=sides)


def test_sums_and_products_of_parts_have_the_odds_of_the_oracle() -> None:
    found = enumerate_outcomes(lambda dice: dice.sub(face, 6) * dice.sub(face, 8) - face(4, dice))
    assert same(found, d(6) * d(8) - d(4))


def reroll(dice: Dice) -> int:
    first = dice.die("d", sides=6)
    return dice.die("again", sides=6) if first == 1 else first


def test_a_second_throw_has_the_odds_of_the_oracle() -> None:
    assert same(enumerate_outcomes(reroll), d(6).reroll([1], depth=1))


def explode(dice: Dice) -> int:
    total = 0
    for _ in range(4):
        thrown = dice.die("d", sides=6)
        total += thrown
        if thrown < 6:
            break
    return total


def test_exploding_dice_have_the_odds_of_the_oracle() -> None:
    assert same(enumerate_outcomes(explode), d(6).explode(depth=3))


def duel(a: int, b: int, *, blade: bool = False) -> Odds:
    weapon = TinyDuelWeapon.BLADE if blade else TinyDuelWeapon.FIST
    return odds_of(
        tiny_duel.duel,
        TinyDuelDuelRequest(a=TinyDuelFighter(skill=a, weapon=weapon), b=TinyDuelFighter(skill=b)),
    )


def field(odds: Odds, name: str) -> dict[Any, Fraction]:
    (found,) = [field for field in odds.fields if field.field == name]
    return {row.value: row.p for row in found.values}


@pytest.mark.parametrize(
    ("a", "b", "blade"), [(1, 1, False), (3, 2, True), (12, 12, False), (12, 0, True), (5, 7, True)]
)
def test_opposed_pools_have_the_odds_of_the_oracle(a: int, b: int, blade: bool) -> None:
    hit = d(6).map(lambda face: int(face >= 5))
    margin = a @ hit + int(blade) - b @ hit
    odds = duel(a, b, blade=blade)

    def chance(event: icepool.Die[bool]) -> Fraction:
        return Fraction(event.quantity(True), event.denominator())

    winner = field(odds, "winner")
    assert winner.get("a", 0) == chance(margin > 0)
    assert winner.get("b", 0) == chance(margin < 0)
    assert winner.get(None, 0) == chance(margin == 0)
    distance = abs(margin)
    assert field(odds, "margin") == {
        value: Fraction(ways, distance.denominator()) for value, ways in distance.items()
    }


def test_every_field_adds_up_to_one_and_numbers_have_a_mean() -> None:
    odds = duel(3, 2, blade=True)
    by_name = {row.field: row for row in odds.fields}
    assert list(by_name) == ["winner", "margin", "winner+margin"]
    assert all(sum(value.p for value in row.values) == 1 for row in odds.fields)
    margin = by_name["margin"]
    assert margin.mean == sum(value.value * value.p for value in margin.values)
    assert by_name["winner"].mean is None
    assert by_name["winner+margin"].mean is None


def test_values_come_in_order() -> None:
    odds = {row.field: [value.value for value in row.values] for row in duel(3, 2).fields}
    assert odds["winner"] == ["a", "b", None]
    assert odds["margin"] == [0, 1, 2, 3]
    assert odds["winner+margin"][0] == ("a", 1)
    assert odds["winner+margin"][-1] == (None, 0)


class CoinRequest(Request):
    coins: int = 2


class Coin(Frozen):
    heads: bool | None


class CoinOutcome(Outcome):
    heads: bool
    never: int | None = None
    coins: tuple[Coin | None, ...]


class CoinAnswer(Frozen):
    best: str


def tossed(coins: int, index: int, dice: Dice) -> CoinOutcome:
    """Only one coin, as the odds see it."""
    found: list[Coin | None] = [None] * coins
    heads = dice.die("coin", sides=2) == 2
    found[index] = Coin(heads=heads)
    return CoinOutcome(heads=heads, coins=tuple(found))


def one_by_one(request: CoinRequest) -> tuple[Callable[[Dice], Any], ...]:
    return tuple(partial(tossed, request.coins, index) for index in range(request.coins))


def advise(request: CoinRequest, options: Frozen | None, enumerate_: Any) -> CoinAnswer:
    chance = enumerate_(lambda dice: dice.die("coin", sides=request.coins)).mean()
    return CoinAnswer(best=f"{chance} {options}")


@resolver(
    "coins",
    rules=(),
    odds=("heads", "never", "coins[].heads"),
    aid=Aid(work=advise, answer=CoinAnswer),
)
def coins(request: CoinRequest, dice: Dice) -> CoinOutcome:
    """Toss coins."""
    faces = [dice.die("coin", sides=2) == 2 for _ in range(request.coins)]
    return CoinOutcome(heads=all(faces), coins=tuple(Coin(heads=heads) for heads in faces))


@resolver("coins", rules=(), odds=("coins[].heads",), views=one_by_one)
def many_coins(request: CoinRequest, dice: Dice) -> CoinOutcome:
    """Toss coins, too many to enumerate together."""
    return coins(request, dice)


def test_a_field_that_is_never_there_has_no_odds() -> None:
    names = [row.field for row in odds_of(coins, CoinRequest()).fields]
    assert names == ["heads", "coins.0.heads", "coins.1.heads"]


def test_true_comes_before_false() -> None:
    heads = odds_of(coins, CoinRequest()).fields[0]
    assert [(row.value, row.p) for row in heads.values] == [
        (True, Fraction(1, 4)),
        (False, Fraction(3, 4)),
    ]


def test_the_aid_answers_within_the_same_budget() -> None:
    odds = odds_of(coins, CoinRequest())
    assert odds.aid == CoinAnswer(best="3/2 None")
    exact = Budget(odds.work)
    assert odds_of(coins, CoinRequest(), None, exact) == odds
    with pytest.raises(BudgetExceededError):
        odds_of(coins, CoinRequest(), None, Budget(odds.work - 1))


def test_views_give_the_same_odds_with_less_work() -> None:
    whole = odds_of(coins, CoinRequest(coins=6))
    viewed = odds_of(many_coins, CoinRequest(coins=6))
    assert viewed.fields == whole.fields[1:]
    assert viewed.work < whole.work / 5
    assert len(odds_of(many_coins, CoinRequest(coins=40)).fields) == 40
