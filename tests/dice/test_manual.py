"""Faces rolled on a real table: exactly those the rule draws."""

import pytest

from arbitre.dice import (
    DiceFaceError,
    DiceLeftError,
    DiceMissingError,
    HandFaces,
    LiveDice,
    Total,
)


def test_faces_are_taken_in_order() -> None:
    hand = HandFaces([3, 1, 6, 20])
    assert hand.draw("a", 2, 6) == (3, 1)
    assert hand.draw("b", 1, 6) == (6,)
    assert hand.draw("c", 1, 20) == (20,)
    hand.finish()


def test_the_first_missing_die_is_named() -> None:
    hand = HandFaces([3, 1])
    hand.draw("a", 1, 6)
    with pytest.raises(DiceMissingError) as missing:
        hand.draw("b", 3, 8)
    wrong = missing.value
    assert (wrong.tag, wrong.sides, wrong.needed, wrong.given) == ("b", 8, 3, 2)
    assert str(wrong) == "b: d8 number 3 is missing, 2 given"


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_is_not_on_the_die_is_refused(face: int) -> None:
    with pytest.raises(DiceFaceError) as wrong:
        HandFaces([1, face]).draw("a", 2, 6)
    assert (wrong.value.index, wrong.value.tag, wrong.value.sides) == (1, "a", 6)
    assert str(wrong.value) == "die 1 (a) is a d6"


def test_a_bad_face_is_told_before_a_missing_one() -> None:
    with pytest.raises(DiceFaceError):
        HandFaces([9]).draw("a", 2, 6)


def test_faces_left_over_are_refused() -> None:
    hand = HandFaces([1, 2, 3])
    hand.draw("a", 1, 6)
    with pytest.raises(DiceLeftError) as left:
        hand.finish()
    assert (left.value.needed, left.value.given) == (1, 3)
    assert str(left.value) == "1 dice are drawn, 3 given"


def test_no_dice_no_draw() -> None:
    dice = LiveDice(HandFaces([]))
    assert dice.pool("a", count=0, sides=6, read=Total()) == 0
    assert dice.draws == []
