"""The cap on what magic items add: rule CY-14, rulings CY-R09 and CY-R10."""

from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.rules.fields import WHOLE

Items = Annotated[
    tuple[Annotated[int, Field(ge=1, le=20), WHOLE], ...], Field(max_length=10)
]  # CY-R10: an item adds at least one


class CydoniaItemPolicy(StrEnum):
    IN_ORDER = "in_order"
    BEST = "best"


class Boosted(NamedTuple):
    """A value, and the places of the items that count for it."""

    value: int
    items: tuple[int, ...]
    taken: tuple[int, ...]
    policy: CydoniaItemPolicy

    @property
    def bonus(self) -> int:
        """What the items add."""
        return sum(self.accepted)

    @property
    def effective(self) -> int:
        """The value with its items."""
        return self.value + self.bonus

    @property
    def accepted(self) -> tuple[int, ...]:
        """The items that count."""
        return tuple(self.items[place] for place in self.taken)

    @property
    def rejected(self) -> tuple[int, ...]:
        """The items that give nothing."""
        return tuple(self.items[place] for place in self.left)

    @property
    def left(self) -> tuple[int, ...]:
        """The places of the items that give nothing."""
        return tuple(place for place in range(len(self.items)) if place not in self.taken)


def boost(value: int, items: tuple[int, ...], policy: CydoniaItemPolicy) -> Boosted:
    """CY-14: an item that would bring the sum above the value gives nothing."""
    choose = _best if policy is CydoniaItemPolicy.BEST else _in_order
    return Boosted(value, items, choose(value, items), policy)


def _in_order(value: int, items: tuple[int, ...]) -> tuple[int, ...]:
    taken: tuple[int, ...] = ()
    total = 0
    for place, item in enumerate(items):
        if total + item <= value:  # CY-R09
            taken += (place,)
            total += item
    return taken


def _best(value: int, items: tuple[int, ...]) -> tuple[int, ...]:
    """CY-R09: the largest sum, then the fewest items, then the earliest places."""
    ways: dict[int, tuple[int, ...]] = {0: ()}
    for place, item in enumerate(items):
        for total, places in tuple(ways.items()):
            more, longer = total + item, (*places, place)
            known = ways.get(more, longer)
            if more <= value and (len(longer), longer) <= (len(known), known):
                ways[more] = longer
    return ways[max(ways)]
