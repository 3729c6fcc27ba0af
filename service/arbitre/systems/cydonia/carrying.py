"""Load and equipment slots: rules CY-86 and CY-87, rulings CY-R49 and CY-R50."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.side import Attribute
from arbitre.systems.cydonia.tables import (
    LARGE_PER_PHYSIQUE,
    LARGE_UNITS,
    SLOTS,
    SMALL_PER_PHYSIQUE,
    CydoniaSlot,
)

Objects = Annotated[int, Field(ge=0, le=10_000), WHOLE]
Worn = Annotated[int, Field(ge=0, le=100), WHOLE]


class CydoniaLoadMode(StrEnum):
    SEPARATE = "separate"
    SHARED = "shared"


class CydoniaEquipped(Frozen):
    jewels: Worn = 0
    """Jewels worn (CY-87)."""
    main_weapon: Worn = 0
    """Main weapons (CY-87)."""
    secondary_weapon: Worn = 0
    """Secondary weapons (CY-87)."""
    head: Worn = 0
    """Pieces on the head (CY-87)."""
    torso: Worn = 0
    """Pieces on the torso (CY-87)."""
    arms: Worn = 0
    """Pieces on the arms (CY-87)."""
    hands: Worn = 0
    """Pieces on the hands (CY-87)."""
    legs: Worn = 0
    """Pieces on the legs (CY-87)."""
    feet: Worn = 0
    """Pieces on the feet (CY-87)."""


class CydoniaCarryingRequest(Request):
    physique: Attribute
    """Physique (CY-86)."""
    small: Objects = 0
    """Objects no bigger than a dagger (CY-R50)."""
    large: Objects = 0
    """Bigger objects (CY-R50)."""
    load_mode: CydoniaLoadMode = CydoniaLoadMode.SEPARATE
    """Two limits, or one stock for both (CY-R49)."""
    equipped: CydoniaEquipped = CydoniaEquipped()
    """What is worn and wielded, which does not count as load (CY-87)."""


class CydoniaViolation(Frozen):
    slot: CydoniaSlot
    """Where there is too much."""
    worn: int
    """What is worn there."""
    maximum: int
    """What may be (CY-87)."""


class CydoniaCarryingOutcome(Outcome):
    small_capacity: int | None
    """Small objects that may be carried; null with a shared stock."""
    large_capacity: int | None
    """Large objects that may be carried; null with a shared stock."""
    small_overload: int | None
    """Small objects too many."""
    large_overload: int | None
    """Large objects too many."""
    units: int | None
    """Units carried, with a shared stock (CY-R49)."""
    units_capacity: int | None
    """Units that may be carried."""
    units_overload: int | None
    """Units too many."""
    overloaded: bool
    """Whether anything is too many; the book gives it no effect (CY-R50)."""
    violations: tuple[CydoniaViolation, ...]
    """Slots with too much (CY-87)."""


def _violations(equipped: CydoniaEquipped, dice: Dice) -> tuple[CydoniaViolation, ...]:
    found = []
    for slot, maximum in SLOTS.items():
        worn: int = getattr(equipped, slot.value)
        if worn > maximum:
            dice.note("CY-87", "slot", slot=slot, worn=worn, maximum=maximum)
            found.append(CydoniaViolation(slot=slot, worn=worn, maximum=maximum))
    return tuple(found)


def summary(outcome: CydoniaCarryingOutcome) -> tuple[str, ...]:
    key = "overloaded" if outcome.overloaded else "carried"
    return (key, "slots-exceeded") if outcome.violations else (key,)


@resolver("carrying", rules=("CY-86", "CY-87", "CY-R49", "CY-R50"), summary=summary)
def carrying(request: CydoniaCarryingRequest, dice: Dice) -> CydoniaCarryingOutcome:
    """Compare what is carried and worn with what may be."""
    small = SMALL_PER_PHYSIQUE * request.physique  # CY-86
    large = LARGE_PER_PHYSIQUE * request.physique
    units = request.small + LARGE_UNITS * request.large  # CY-R49
    separate = request.load_mode is CydoniaLoadMode.SEPARATE
    over_small, over_large = max(0, request.small - small), max(0, request.large - large)
    over_units = max(0, units - small)
    dice.note("CY-R49", "load-mode", load_mode=request.load_mode)
    if separate:
        dice.note(
            "CY-86",
            "load",
            small=request.small,
            small_most=small,
            large=request.large,
            large_most=large,
        )
    else:
        dice.note("CY-86", "load-units", units=units, most=small)
    return CydoniaCarryingOutcome(
        small_capacity=small if separate else None,
        large_capacity=large if separate else None,
        small_overload=over_small if separate else None,
        large_overload=over_large if separate else None,
        units=None if separate else units,
        units_capacity=None if separate else small,
        units_overload=None if separate else over_units,
        overloaded=bool(over_small or over_large) if separate else over_units > 0,
        violations=_violations(request.equipped, dice),
    )
