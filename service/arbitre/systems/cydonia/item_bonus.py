"""The cap on item bonuses: rule CY-14, rulings CY-R09 and CY-R10."""

from arbitre.dice import Dice
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.items import CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.side import Attribute


class CydoniaItem(Frozen):
    position: int
    """Place of the item in the request, from 1."""
    value: int
    """What it would add."""


class CydoniaItemBonusRequest(Request):
    value: Attribute
    """The attribute or the skill before items (CY-14)."""
    items: Items = ()
    """What each item would add (CY-R10)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""


class CydoniaItemBonusOutcome(Outcome):
    bonus: int
    """What the items add (CY-14)."""
    effective: int
    """The value with its items."""
    accepted: tuple[CydoniaItem, ...]
    """Items that count."""
    rejected: tuple[CydoniaItem, ...]
    """Items that give nothing (CY-R09)."""


def summary(_outcome: CydoniaItemBonusOutcome) -> str:
    return "item-bonus"


@resolver("item-bonus", rules=("CY-14", "CY-R09", "CY-R10"), summary=summary)
def item_bonus(request: CydoniaItemBonusRequest, dice: Dice) -> CydoniaItemBonusOutcome:
    """Say which items count for a value."""
    boosted = boost(request.value, request.items, request.item_policy)
    dice.note("CY-R09", "item-policy", item_policy=request.item_policy)
    for place, item in enumerate(request.items):
        dice.note("CY-14", "item", number=place + 1, item=item, counts=place in boosted.taken)
    dice.note(
        "CY-14",
        "item-total",
        value=boosted.value,
        bonus=boosted.bonus,
        effective=boosted.effective,
    )

    def listed(places: tuple[int, ...]) -> tuple[CydoniaItem, ...]:
        return tuple(
            CydoniaItem(position=place + 1, value=request.items[place]) for place in places
        )

    return CydoniaItemBonusOutcome(
        bonus=boosted.bonus,
        effective=boosted.effective,
        accepted=listed(boosted.taken),
        rejected=listed(boosted.left),
    )
