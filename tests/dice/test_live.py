"""Dice that fall once, and are written down."""

import pytest

from arbitre.dice import (
    Count,
    Dice,
    DiceLimitError,
    Draw,
    HandFaces,
    Highest,
    LiveDice,
    Note,
    SeededFaces,
    Total,
    in_order,
)
from arbitre.dice.live import LIMIT


def test_each_draw_and_note_is_recorded_in_order() -> None:
    dice = LiveDice(HandFaces([4, 2, 6]))
    assert dice.die("first", sides=6) == 4
    dice.note("XX-01", "first", face=4)
    assert dice.pool("rest", count=2, sides=6, read=Total()) == 8
    dice.note("XX-02", "rest", total=8)
    assert dice.draws == [Draw("first", 6, (4,)), Draw("rest", 6, (2, 6))]
    assert dice.notes == [Note("XX-01", "first", {"face": 4}), Note("XX-02", "rest", {"total": 8})]


def add(bonus: int, dice: Dice) -> int:
    return bonus + dice.die("d", sides=6)


def step(state: int, item: int, dice: Dice) -> int:
    return state + item * dice.die("d", sides=6)


def test_parts_fall_with_the_same_dice() -> None:
    dice = LiveDice(HandFaces([4, 2, 6]))
    assert dice.sub(add, 10, merge=str) == 14
    assert dice.fold(step, 0, [1, 10], merge=str) == 62
    assert len(dice.draws) == 3


def test_no_resolution_draws_without_end() -> None:
    dice = LiveDice(SeededFaces(bytes(32)))
    dice.pool("a", count=LIMIT - 1, sides=6, read=Total())
    dice.die("b", sides=6)
    with pytest.raises(DiceLimitError) as refused:
        dice.die("c", sides=6)
    assert refused.value.limit == LIMIT
    assert str(LIMIT) in str(refused.value)


def test_a_pool_beyond_the_limit_rolls_nothing() -> None:
    dice = LiveDice(SeededFaces(bytes(32)))
    with pytest.raises(DiceLimitError):
        dice.pool("a", count=10**12, sides=6, read=Total())
    assert dice.draws == []


FACES = (6, 5, 5, 1)


@pytest.mark.parametrize(
    ("reader", "reading", "of_none"),
    [
        (Count(5), 3, 0),
        (Count(7), 0, 0),
        (Total(), 17, 0),
        (Highest(), 6, 0),
        (in_order, FACES, ()),
    ],
)
def test_readers_read(reader: object, reading: object, of_none: object) -> None:
    assert reader(FACES) == reading  # type: ignore[operator]
    assert reader(()) == of_none  # type: ignore[operator]


@pytest.mark.parametrize("reader", [Count(5), Total()])
def test_readers_that_add_up_say_what_each_die_adds(reader: Count | Total) -> None:
    assert sum(map(reader.each, FACES)) == reader(FACES)


def test_equal_readers_are_one() -> None:
    assert len({Count(5), Count(5), Count(4), Total(), Total(), Highest(), Highest()}) == 4
