"""How long odds take: printed, never asserted."""

import time

import pytest

import tiny_duel
from arbitre.dice import Dice, Faces, enumerate_outcomes
from arbitre.odds import odds_of
from tiny_duel.duel import TinyDuelDuelRequest, TinyDuelFighter


def tally(faces: Faces) -> tuple[int, int]:
    """Return a reading that the enumerator must look at multiset by multiset."""
    return sum(face >= 5 for face in faces), faces.count(1)


def side(count: int, dice: Dice) -> tuple[int, int]:
    return dice.pool("side", count=count, sides=6, read=tally)


def opposed(dice: Dice) -> int:
    (a, ones), (b, _) = dice.sub(side, 12), dice.sub(side, 12)
    return a - b - (a == 0 and ones > 6)


@pytest.mark.benchmark
def test_two_opposed_pools_of_twelve_dice() -> None:
    full = TinyDuelFighter(skill=12)
    for name, work in (
        ("multiset by multiset", lambda: enumerate_outcomes(opposed)),
        ("counted", lambda: odds_of(tiny_duel.duel, TinyDuelDuelRequest(a=full, b=full))),
    ):
        began = time.perf_counter()
        work()
        print(f"12d6 against 12d6, {name}: {1000 * (time.perf_counter() - began):.0f} ms")
