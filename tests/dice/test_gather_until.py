"""Parts combined and throws repeated, against every way the dice can fall."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from arbitre.dice import Count, Dice, HandFaces, LiveDice, Tried, enumerate_outcomes


def four_or_more(tag: str, count: int, dice: Dice) -> int:
    return dice.pool(tag, count=count, sides=6, read=Count(4))


def total(sum_: int, hits: int) -> int:
    return sum_ + hits


PARTS = (("a", 2), ("b", 0), ("c", 3))


def all_hits(dice: Dice) -> int:
    return dice.gather(four_or_more, PARTS, state=0, combine=total)


def two_dice(dice: Dice) -> tuple[int, int]:
    return dice.die("one", sides=6), dice.die("two", sides=6)


def differ(faces: tuple[int, int]) -> bool:
    return faces[0] != faces[1]


def never(_faces: tuple[int, int]) -> bool:
    return False


def until_they_differ(dice: Dice) -> Tried[tuple[int, int]]:
    return dice.until(two_dice, accept=differ, limit=3)


def test_gathered_parts_have_the_odds_of_all_their_dice() -> None:
    counted = Counter(sum(face >= 4 for face in faces) for faces in product(range(1, 7), repeat=5))
    odds = enumerate_outcomes(all_hits)
    assert dict(odds) == {hits: Fraction(n, 6**5) for hits, n in counted.items()}


def test_gathering_draws_the_parts_in_order() -> None:
    dice = LiveDice(HandFaces([4, 1, 6, 5, 3]))
    assert all_hits(dice) == 3
    assert [(draw.tag, draw.faces) for draw in dice.draws] == [("a", (4, 1)), ("c", (6, 5, 3))]


def test_merged_states_keep_their_chances() -> None:
    def parity(dice: Dice) -> int:
        return dice.gather(
            four_or_more, PARTS, state=0, combine=total, merge_state=lambda hits: hits % 2
        )

    assert enumerate_outcomes(parity, merge=lambda hits: hits % 2).total == 2


def test_throwing_until_the_dice_differ_has_the_conditional_odds() -> None:
    odds = enumerate_outcomes(until_they_differ)
    assert len(odds) == 30
    assert set(odds.values()) == {Fraction(1, 30)}


def test_live_dice_are_thrown_until_accepted() -> None:
    dice = LiveDice(HandFaces([2, 2, 5, 5, 1, 6]))
    assert until_they_differ(dice) == Tried((1, 6), 3)


def test_live_dice_give_up_at_the_limit() -> None:
    dice = LiveDice(HandFaces([2, 2, 5, 5, 1, 1]))
    assert until_they_differ(dice) == Tried((1, 1), 3)


def test_what_is_never_accepted_has_no_odds() -> None:
    with pytest.raises(ValueError, match="nothing is ever accepted"):
        enumerate_outcomes(lambda dice: dice.until(two_dice, accept=never, limit=3))
