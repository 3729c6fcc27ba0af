"""Damage and care written as a number and dice: rules CY-58 and CY-83."""

from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice, Total
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.cydonia.tables import Handful

TOTAL = Total()


class CydoniaDice(Frozen):
    count: Annotated[int, Field(ge=1, le=20), WHOLE]
    """How many dice."""
    sides: Annotated[int, Field(ge=2, le=100), WHOLE]
    """How many sides each has."""


class CydoniaFormula(Frozen):
    flat: Annotated[int, Field(ge=-100, le=1000), WHOLE] = 0
    """The number."""
    dice: Annotated[tuple[CydoniaDice, ...], Field(max_length=6)] = ()
    """The dice, group by group, in the order they are rolled."""


class Group(NamedTuple):
    """A handful of dice and the tag of its draw."""

    tag: str
    dice: Handful


class Sums(NamedTuple):
    """What the groups add up to: those of the formula, and those of the zone."""

    own: int = 0
    zone: int = 0


ZONE_TAG = "zone"


def groups_of(formula: CydoniaFormula, tag: str) -> tuple[Group, ...]:
    """Return the dice of a formula, group by group."""
    return tuple(Group(tag, Handful(group.count, group.sides)) for group in formula.dice)


def roll_group(group: Group, dice: Dice) -> Sums:
    number, sides = group.dice
    total = dice.pool(group.tag, count=number, sides=sides, read=TOTAL)
    return Sums(zone=total) if group.tag == ZONE_TAG else Sums(own=total)


def add(sums: Sums, more: Sums) -> Sums:
    return Sums(sums.own + more.own, sums.zone + more.zone)


def whole(sums: Sums) -> int:
    """Keep what matters in the odds: the sum of both."""
    return sums.own + sums.zone


def roll_groups(groups: tuple[Group, ...], dice: Dice) -> Sums:
    """Roll each group in turn and add them up."""
    return dice.gather(
        roll_group,
        [(group,) for group in groups],
        state=Sums(),
        combine=add,
        merge=whole,
        merge_state=whole,
    )
