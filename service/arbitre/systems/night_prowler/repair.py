"""The price of repairing armor: rule NP-70, ruling NP-R78."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.tables import ARMORS, NightProwlerArmor


class NightProwlerRepairRequest(Request):
    armor: NightProwlerArmor | None = None
    """The armor of the table."""
    repair_percent: Annotated[int, Field(ge=0, le=100), WHOLE] | None = None
    """Percent of the new price for each point, instead of the table's (NP-R78)."""
    price: Annotated[Decimal, Hundredths(0, 10_000_000)]
    """Price of the armor when new, in crowns."""
    points: Annotated[int, Field(ge=1, le=10), WHOLE]
    """Points of protection regained."""
    protection: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None
    """Current protection; nothing: not told."""


class NightProwlerRepairOutcome(Outcome):
    cost: Annotated[Decimal, Hundredths(0, 100_000_000)]
    """Price of the repair, in crowns, rounded to hundredths."""
    protection: int | None
    """Protection afterwards."""
    suspect: bool
    """The percent is printed so, but is likely a misprint (NP-R78)."""


def summary(_outcome: NightProwlerRepairOutcome) -> str:
    return "repair"


@resolver("repair", rules=("NP-70", "NP-R78"), summary=summary)
def repair(request: NightProwlerRepairRequest, dice: Dice) -> NightProwlerRepairOutcome:
    """Say what regaining points of protection costs."""
    row = None if request.armor is None else ARMORS[request.armor]
    percent = request.repair_percent
    if percent is None and row is not None:
        percent = row.repair_percent
    if percent is None:
        raise RuleRefused("required", pointer="/armor", rule="NP-70")
    current = request.protection or 0
    if row is not None and current + request.points > row.protection:
        most = max(0, row.protection - current)
        raise RuleRefused("points-over-armor", pointer="/points", rule="NP-70", n=most)
    exact = (request.price * percent * request.points).scaleb(-2)
    cost = exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    dice.note(
        "NP-70", "repair", price=request.price, percent=percent, points=request.points, cost=cost
    )
    return NightProwlerRepairOutcome(
        cost=cost,
        protection=None if request.protection is None else current + request.points,
        suspect=row is not None and row.suspect and request.repair_percent is None,
    )
