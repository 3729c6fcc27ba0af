"""Spending experience: rules CY-92 to CY-94, rulings CY-R08 and CY-R54."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse, required
from arbitre.systems.cydonia.side import Label
from arbitre.systems.cydonia.tables import NOMINAL, PRICES, CydoniaCurrency, CydoniaPurchase

Points = Annotated[int, Field(ge=0, le=100_000), WHOLE]


class CydoniaBuy(Frozen):
    kind: CydoniaPurchase
    """What is bought (CY-92 to CY-94)."""
    name: Label | None = None
    """The caller's name for it; decides nothing."""
    from_: Annotated[int, Field(ge=0, le=10_000), WHOLE] | None = Field(default=None, alias="from")
    """Value before; not for spells and Shira."""
    count: Annotated[int, Field(ge=1, le=50), WHOLE] = 1
    """How many times it is bought."""
    cost: Points | None = None
    """Price of one, where the book has none (CY-93, CY-94)."""


class CydoniaFunds(Frozen):
    xp: int
    """Experience."""
    learning_points: int
    """Learning points (CY-93)."""
    shira_xp: int
    """Shira experience (CY-94)."""


class CydoniaBought(Frozen):
    kind: CydoniaPurchase
    """What was bought."""
    name: Label | None
    """The caller's name for it."""
    from_: int | None = Field(alias="from")
    """Value before."""
    to: int | None
    """Value now; life points and mana come by three (CY-R54)."""
    cost: int
    """What it cost."""
    above_nominal: bool
    """Whether an attribute or a skill ends above 10 (CY-R08)."""


class CydoniaAdvancementRequest(Request):
    xp: Points = 0
    """Experience available (CY-92)."""
    learning_points: Points = 0
    """Learning points available (CY-93)."""
    shira_xp: Points = 0
    """Shira experience available (CY-94)."""
    purchases: Annotated[tuple[CydoniaBuy, ...], Field(min_length=1, max_length=50)]
    """What is bought, all or nothing."""


class CydoniaAdvancementOutcome(Outcome):
    spent: CydoniaFunds
    """What is spent."""
    remaining: CydoniaFunds
    """What is left."""
    results: tuple[CydoniaBought, ...]
    """Each purchase."""


def cost_of(buy: CydoniaBuy) -> int:
    """CY-92 to CY-94: the book's price, or the caller's, for each."""
    price = PRICES[buy.kind].cost
    return buy.count * ((buy.cost or 0) if price is None else price)


def spent_on(purchases: tuple[CydoniaBuy, ...]) -> CydoniaFunds:
    """Add the costs up in each currency."""
    sums = dict.fromkeys(CydoniaCurrency, 0)
    for buy in purchases:
        sums[PRICES[buy.kind].currency] += cost_of(buy)
    return CydoniaFunds(**{currency.value: sums[currency] for currency in CydoniaCurrency})


def _faults(request: CydoniaAdvancementRequest) -> Faults:
    for number, buy in enumerate(request.purchases):
        where = f"/purchases/{number}"
        priced = PRICES[buy.kind].cost is not None
        yield from required(buy.from_, f"{where}/from", when=priced)
        yield from excluded(not priced and buy.from_ is not None, f"{where}/from", "kind")
        yield from excluded(priced and buy.cost is not None, f"{where}/cost", "kind")
    spent = spent_on(request.purchases)
    for currency in CydoniaCurrency:
        cost, available = getattr(spent, currency.value), getattr(request, currency.value)
        if cost > available:
            yield RuleRefused(
                "not-affordable",
                pointer=f"/{currency.value}",
                rule="CY-92",
                cost=cost,
                currency=currency,
                available=available,
            )
    for number, buy in enumerate(request.purchases):
        if PRICES[buy.kind].cost is None and buy.cost is None:
            yield RuleRefused(
                "cost-required",
                pointer=f"/purchases/{number}/cost",
                rule=PRICES[buy.kind].rule,
                kind=buy.kind,
            )


def _bought(buy: CydoniaBuy, dice: Dice) -> CydoniaBought:
    price, cost = PRICES[buy.kind], cost_of(buy)
    to = None if buy.from_ is None else buy.from_ + price.gain * buy.count
    capped = buy.kind in (CydoniaPurchase.ATTRIBUTE, CydoniaPurchase.SKILL)
    above = capped and to is not None and to > NOMINAL
    dice.note(
        price.rule,
        "bought" if to is not None else "bought-new",
        kind=buy.kind,
        count=buy.count,
        before=buy.from_,
        after=to,
        cost=cost,
        currency=price.currency,
    )
    if above:
        dice.note("CY-R08", "above-nominal", kind=buy.kind, value=to)
    return CydoniaBought.model_validate(
        {
            "kind": buy.kind,
            "name": buy.name,
            "from": buy.from_,
            "to": to,
            "cost": cost,
            "above_nominal": above,
        }
    )


def summary(_outcome: CydoniaAdvancementOutcome) -> str:
    return "advanced"


@resolver("advancement", rules=("CY-92", "CY-93", "CY-94", "CY-R08", "CY-R54"), summary=summary)
def advancement(request: CydoniaAdvancementRequest, dice: Dice) -> CydoniaAdvancementOutcome:
    """Spend experience, learning points and Shira experience."""
    refuse(_faults(request))
    spent = spent_on(request.purchases)
    results = tuple(_bought(buy, dice) for buy in request.purchases)
    return CydoniaAdvancementOutcome(
        spent=spent,
        remaining=CydoniaFunds(
            xp=request.xp - spent.xp,
            learning_points=request.learning_points - spent.learning_points,
            shira_xp=request.shira_xp - spent.shira_xp,
        ),
        results=results,
    )
