"""Changing weapon: rule CY-64, ruling CY-R65."""

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.tables import CydoniaHeld, turns_lost


class CydoniaWeaponChangeRequest(Request):
    from_: CydoniaHeld = Field(alias="from")
    """What is in hand."""
    to: CydoniaHeld
    """What comes in hand (CY-64)."""


class CydoniaWeaponChangeOutcome(Outcome):
    turns_lost: int
    """Turns that the change takes (CY-64)."""
    can_attack: bool
    """Whether one may still attack this turn."""


def summary(outcome: CydoniaWeaponChangeOutcome) -> str:
    return "weapon-ready" if outcome.can_attack else "weapon-drawn"


@resolver("weapon-change", rules=("CY-64", "CY-R65"), summary=summary)
def weapon_change(request: CydoniaWeaponChangeRequest, dice: Dice) -> CydoniaWeaponChangeOutcome:
    """Take another weapon in hand."""
    if request.from_ is request.to and request.to is not CydoniaHeld.STOWED:
        raise RuleRefused("same-weapon", pointer="/to", rule="CY-64")
    lost = turns_lost(request.to)
    dice.note("CY-64", "weapon-change", before=request.from_, after=request.to, turns=lost)
    return CydoniaWeaponChangeOutcome(turns_lost=lost, can_attack=lost == 0)
