"""Exact odds against brute force: every roll there is, one after another."""

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitre.dice import (
    Budget,
    BudgetExceededError,
    Count,
    Dice,
    DiceLimitError,
    DiceMissingError,
    Distribution,
    Faces,
    HandFaces,
    Highest,
    LiveDice,
    Total,
    enumerate_outcomes,
    in_order,
)
from arbitre.dice.enumerator import WORK


def brute_force(resolve: Callable[[Dice], Any]) -> dict[Any, Fraction]:
    """Throw every hand there is, one die longer where one is missing."""
    chances: Counter[Any] = Counter()
    pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while pending:
        hand, p = pending.pop()
        try:
            chances[resolve(LiveDice(HandFaces(hand)))] += p
        except DiceMissingError as missing:
            pending += [((*hand, face), p / missing.sides) for face in range(1, missing.sides + 1)]
    return dict(chances)


def best_three(faces: Faces) -> int:
    return sum(sorted(faces)[-3:])


def ability(dice: Dice) -> int:
    return dice.pool("ability", count=4, sides=6, read=best_three)


def exploding(dice: Dice) -> int:
    total = face = dice.die("d", sides=6)
    while face == 6 and total < 24:
        face = dice.die("again", sides=6)
        total += face
    return total


def branching(dice: Dice) -> tuple[int, int]:
    first = dice.die("first", sides=4)
    return first, dice.pool("then", count=first, sides=first + 1, read=Highest())


def side(skill: int, threshold: int, dice: Dice) -> int:
    return dice.pool("side", count=skill, sides=6, read=Count(threshold))


def opposed(dice: Dice) -> int:
    return dice.sub(side, 3, 5) - dice.sub(side, 2, 4)


def hurt(state: tuple[int, bool], item: int, dice: Dice) -> tuple[int, bool]:
    health, down = state
    if down:
        return state
    left = health - (item if dice.die("hit", sides=4) > 2 else 0)
    return left, left <= 0


def fight(dice: Dice) -> tuple[int, bool]:
    return dice.fold(hurt, (3, False), (1, 2, 1, 2))


def none_at_all(dice: Dice) -> int:
    return dice.pool("none", count=0, sides=6, read=Total())


def no_items(dice: Dice) -> int:
    return dice.fold(step, 7, ())


def step(state: int, item: int, dice: Dice) -> int:
    return state + item * dice.die("d", sides=3)


def noted(dice: Dice) -> int:
    dice.note("XX-01", "key", value=1)
    return dice.die("d", sides=3)


def nested(dice: Dice) -> int:
    return dice.sub(twice, 3) + dice.sub(twice, 3)


def twice(sides: int, dice: Dice) -> int:
    return dice.sub(roll, sides) * dice.sub(roll, sides)


def roll(sides: int, dice: Dice) -> int:
    return dice.die("d", sides=sides)


def unordered(faces: Faces) -> Faces:
    return tuple(sorted(faces))


def sorted_pool(dice: Dice) -> Faces:
    return dice.pool("d", count=4, sides=4, read=unordered)


@pytest.mark.parametrize(
    "resolve",
    [
        *(ability, exploding, branching, opposed, fight, none_at_all, no_items),
        *(noted, nested, sorted_pool),
    ],
)
def test_every_roll_counted_one_by_one_gives_the_same(resolve: Callable[[Dice], Any]) -> None:
    found = enumerate_outcomes(resolve)
    assert dict(found) == brute_force(resolve)
    assert sum(found.values()) == 1
    assert sum(found.ways.values()) == found.total


@given(
    st.integers(0, 5),
    st.integers(2, 6),
    st.sampled_from([Count(2), Count(5), Total(), Highest(), best_three]),
)
def test_every_pool_is_read_as_often_as_it_falls(
    count: int, sides: int, read: Callable[[Faces], Hashable]
) -> None:
    found = enumerate_outcomes(lambda dice: dice.pool("p", count=count, sides=sides, read=read))
    ways = Counter(read(faces) for faces in product(range(1, sides + 1), repeat=count))
    assert dict(found) == {value: Fraction(n, sides**count) for value, n in ways.items()}


def test_a_reader_sees_the_highest_face_first() -> None:
    pools = enumerate_outcomes(lambda dice: dice.pool("p", count=3, sides=3, read=in_order))
    assert all(list(faces) == sorted(faces, reverse=True) for faces in pools)


def spread(state: tuple[int, int], item: int, dice: Dice) -> tuple[int, int]:
    """The second number is for the story only."""
    face = dice.die("d", sides=6)
    return state[0] + (face > item), state[1] * 10 + face


def counted(state: tuple[int, int]) -> int:
    return state[0]


def test_merging_keeps_the_odds_of_what_is_looked_at() -> None:
    def merged(dice: Dice) -> int:
        return dice.fold(spread, (0, 0), (3, 3, 4, 5), merge=counted)[0]

    def whole(dice: Dice) -> int:
        return dice.fold(spread, (0, 0), (3, 3, 4, 5))[0]

    cheap, dear = Budget(), Budget()
    one = enumerate_outcomes(merged, budget=cheap)
    other = enumerate_outcomes(whole, budget=dear)
    assert dict(one) == dict(other)
    assert cheap.spent < dear.spent / 10


def told(number: int, dice: Dice) -> tuple[int, int]:
    face = dice.die("d", sides=6)
    return int(face > number), face


def test_a_part_is_merged_too() -> None:
    found = enumerate_outcomes(lambda dice: dice.sub(told, 2, merge=counted)[0])
    assert dict(found) == {0: Fraction(1, 3), 1: Fraction(2, 3)}


def test_outcomes_are_merged_at_the_end() -> None:
    found = enumerate_outcomes(lambda dice: told(2, dice), merge=counted)
    assert sorted(found.values()) == [Fraction(1, 3), Fraction(2, 3)]


def test_a_part_is_worked_out_once() -> None:
    budget = Budget()
    enumerate_outcomes(nested, budget=budget)
    alone = Budget()
    enumerate_outcomes(lambda dice: dice.sub(twice, 3), budget=alone)
    again = 1 + 6 + 36 - (1 + 6)  # the second part is only multiplied
    assert budget.spent == alone.spent + again


def test_too_much_work_is_refused_not_guessed() -> None:
    with pytest.raises(BudgetExceededError) as refused:
        enumerate_outcomes(lambda dice: tuple(dice.die("d", sides=100) for _ in range(3)))
    assert refused.value.limit == WORK
    assert str(WORK) in str(refused.value)
    with pytest.raises(BudgetExceededError):
        enumerate_outcomes(
            lambda dice: dice.pool("p", count=60, sides=20, read=best_three), budget=Budget(1000)
        )


def test_a_large_pool_that_only_adds_up_is_cheap() -> None:
    budget = Budget()
    found = enumerate_outcomes(
        lambda dice: dice.pool("p", count=100, sides=20, read=Total()), budget=budget
    )
    assert found.mean() == 1050
    assert budget.spent < 3000  # a run for each of the 1901 totals, and the sum


def endless(dice: Dice) -> int:
    while dice.die("d", sides=2) == 1:
        pass
    return 1


def test_a_rule_that_may_roll_for_ever_is_stopped() -> None:
    with pytest.raises(DiceLimitError):
        enumerate_outcomes(endless)


def test_a_distribution_can_be_asked() -> None:
    die = Distribution(dict.fromkeys(range(1, 7), 1), 6)
    assert len(die) == 6
    assert list(die) == [1, 2, 3, 4, 5, 6]
    assert die[3] == Fraction(1, 6)
    assert die.chance(lambda face: face > 4) == Fraction(1, 3)
    assert die.mean() == Fraction(7, 2)
    assert dict(die.map(lambda face: face % 2 == 0)) == {
        True: Fraction(1, 2),
        False: Fraction(1, 2),
    }
