"""The dice a character holds: rule LB-21, rulings LB-R6 and LB-R9."""

from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.rules.fields import WHOLE

FULL = 7  # LB-21, LB-18
MOST = 10  # LB-R6

Pool = Annotated[int, Field(ge=0, le=MOST), WHOLE]


class Gain(NamedTuple):
    pool: int
    gained: int
    lost: int


def gain(pool: int, dice: int) -> Gain:
    """LB-R6, LB-R9: the pool holds ten dice, what does not fit is lost."""
    after = min(MOST, pool + dice)
    return Gain(after, after - pool, pool + dice - after)
