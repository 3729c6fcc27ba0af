"""Bargaining: rule CY-36, ruling CY-R43."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.opposition import CydoniaVersusOutcome
from arbitre.systems.cydonia.refusals import Faults, refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
    CydoniaCritical,
    CydoniaCriticals,
    CydoniaRole,
    Rolled,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaSkill
from arbitre.systems.cydonia.versus import VERSUS_RULES, compare

STEP = 5  # CY-36: percent for each step
POINTS = 2  # CY-36, CY-R43: points of margin in a step
MOST_DISCOUNT = 50  # CY-36
BUYING = Asked(CydoniaRole.BUYER, CydoniaSkill.NEGOTIATION)
SELLING = Asked(CydoniaRole.MERCHANT, CydoniaSkill.NEGOTIATION)


class CydoniaNegotiationRequest(CydoniaCriticals, Request):
    buyer: CydoniaActor
    """Who buys (CY-36)."""
    merchant: CydoniaActor
    """Who sells."""
    price: Annotated[int, Field(ge=0, le=10_000_000), WHOLE] | None = None
    """Price asked, in silver coins."""


class CydoniaNegotiationOutcome(CydoniaVersusOutcome):
    critical_effect: bool
    """Whether a critical gives the largest discount at once (CY-R43)."""
    discount_percent: int
    """Discount (CY-36)."""
    reduction: int | None
    """Silver coins taken off; null without a price."""
    final_price: int | None
    """Price paid; null without a price."""


def is_favorable(buyer: Rolled, merchant: Rolled) -> bool:
    """CY-36, CY-R43: a critical for the buyer, and none against."""
    favorable = (
        buyer.critical is CydoniaCritical.SUCCESS or merchant.critical is CydoniaCritical.FAILURE
    )
    unfavorable = (
        buyer.critical is CydoniaCritical.FAILURE or merchant.critical is CydoniaCritical.SUCCESS
    )
    return favorable and not unfavorable


def discount_of(margin: int) -> int:
    """CY-36: 5 % for each full two points, 50 % at most, no surcharge ever."""
    return min(MOST_DISCOUNT, STEP * (max(0, margin) // POINTS))


def _faults(request: CydoniaNegotiationRequest) -> Faults:
    yield from side_faults(request.buyer, BUYING, "/buyer")
    yield from side_faults(request.merchant, SELLING, "/merchant")
    yield from critical_faults(request)


def summary(outcome: CydoniaNegotiationOutcome) -> str:
    if not outcome.success:
        return "no-discount"
    return "discount" if outcome.final_price is None else "discounted"


@resolver(
    "negotiation",
    rules=(*TEST_RULES, *VERSUS_RULES, "CY-36", "CY-R43"),
    odds=("discount_percent", "final_price"),
    summary=summary,
)
def negotiation(request: CydoniaNegotiationRequest, dice: Dice) -> CydoniaNegotiationOutcome:
    """Bargain for a discount."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    buyer = prepare(request.buyer, BUYING, request)
    merchant = prepare(request.merchant, SELLING, request)
    a, b = roll(buyer, dice), roll(merchant, dice)
    verdict = compare(a, b, request.critical_policy, dice)
    critical = is_favorable(a, b)
    percent = MOST_DISCOUNT if critical else discount_of(verdict.margin)
    if critical:
        dice.note("CY-R43", "critical-discount", percent=percent)
    dice.note("CY-36", "discount", margin=verdict.margin, percent=percent)
    reduction = final = None
    if request.price is not None:
        reduction = request.price * percent // 100  # CY-R43: rounded down
        final = request.price - reduction
        dice.note("CY-R43", "price", price=request.price, reduction=reduction, final=final)
    return CydoniaNegotiationOutcome(
        a=shown(buyer, a),
        b=shown(merchant, b),
        winner=verdict.winner,
        success=percent > 0,
        margin=verdict.margin,
        critical_effect=critical,
        discount_percent=percent,
        reduction=reduction,
        final_price=final,
    )
