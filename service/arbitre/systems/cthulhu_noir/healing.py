"""Care, rest, and the return of the presumed dead: rules CN-11, CN-13, rulings CN-R23, CN-R25."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cthulhu_noir.action import CthulhuNoirOutcome
from arbitre.systems.cthulhu_noir.gauges import START, TOP, Gauge
from arbitre.systems.cthulhu_noir.tables import HEALED, CthulhuNoirCue, CthulhuNoirMethod


class CthulhuNoirWound(Frozen):
    wound: Gauge = START
    """The Wound gauge (CN-08)."""


class CthulhuNoirHealingRequest(Request):
    method: CthulhuNoirMethod
    """Care, rest, or a return."""
    amount: Annotated[int, Field(ge=0, le=5), WHOLE] | None = None
    """Points given back; the usual amount where nothing is said (CN-R25)."""
    keeper_approved: bool = True
    """The Keeper judges that it is enough (CN-11)."""
    presumed_dead: bool = False
    """Return: the table holds that the body may come back (CN-R23)."""
    wound_on_return: Annotated[int, Field(ge=1, le=5), WHOLE] | None = None
    """Return: the Wound level of the one who comes back (CN-13)."""
    state: CthulhuNoirWound = CthulhuNoirWound()
    """The investigator before."""


class CthulhuNoirHealingOutcome(CthulhuNoirOutcome):
    healed: int
    """Points given back."""
    before: int
    """Wound before."""
    state: CthulhuNoirWound
    """The investigator after."""
    dead: bool
    """Always false: the dead are not healed."""
    cues: tuple[CthulhuNoirCue, ...]
    """Always empty: nothing is to be acted out."""


def refuse_care(request: CthulhuNoirHealingRequest) -> None:
    """CN-11, CN-12: no care for the dead."""
    if request.state.wound == TOP:
        raise RuleRefused("dead", pointer="/state/wound", rule="CN-11")
    foreign = {
        "presumed_dead": request.presumed_dead,
        "wound_on_return": request.wound_on_return is not None,
    }
    for field, wrong in foreign.items():
        if wrong:
            pointer = f"/{field}"
            raise RuleRefused("method-fields", pointer=pointer, method=request.method)


def returned(request: CthulhuNoirHealingRequest) -> int:
    """CN-13, CN-R23: only the presumed dead, as the Keeper allows, at the level the Keeper sets."""
    if request.state.wound < TOP:
        raise RuleRefused("not-dead", pointer="/state/wound", rule="CN-13")
    if not request.presumed_dead:
        raise RuleRefused("not-presumed", pointer="/presumed_dead", rule="CN-R23")
    if not request.keeper_approved:
        raise RuleRefused("keeper-refuses", pointer="/keeper_approved", rule="CN-13")
    if request.wound_on_return is None:
        pointer = "/wound_on_return"
        raise RuleRefused("return-wound-required", pointer=pointer, rule="CN-R23")
    if request.amount is not None:
        raise RuleRefused("method-fields", pointer="/amount", method=request.method)
    return request.wound_on_return


def offered(request: CthulhuNoirHealingRequest) -> int:
    """CN-11, CN-R25: the usual amount or the Keeper's; nothing where the Keeper disagrees."""
    if not request.keeper_approved:
        return 0
    return HEALED[request.method] if request.amount is None else request.amount


def summary(outcome: CthulhuNoirHealingOutcome) -> str:
    if outcome.before == TOP:
        return "returned"
    return "healed" if outcome.healed else "not_healed"


@resolver(
    "healing",
    rules=("CN-08", "CN-11", "CN-12", "CN-13", "CN-R23", "CN-R25"),
    summary=summary,
)
def healing(request: CthulhuNoirHealingRequest, dice: Dice) -> CthulhuNoirHealingOutcome:
    """Heal an investigator, or let one come back from presumed death."""
    before = request.state.wound
    if request.method is CthulhuNoirMethod.RETURN:
        after = returned(request)
        dice.note("CN-13", "returned", before=before, after=after)
    else:
        refuse_care(request)
        amount = offered(request)
        after = max(START, before - amount)
        key = "healed" if request.keeper_approved else "not_approved"
        dice.note("CN-11", key, amount=amount, before=before, least=START, after=after)
    return CthulhuNoirHealingOutcome(
        healed=before - after,
        before=before,
        state=CthulhuNoirWound(wound=after),
        dead=False,
        cues=(),
    )
