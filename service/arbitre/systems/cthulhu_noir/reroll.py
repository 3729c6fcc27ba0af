"""A further attempt: rule CN-19, rulings CN-R9, CN-R11, CN-R12."""

from typing import Annotated, Any

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cthulhu_noir.action import (
    ACTION_RULES,
    CthulhuNoirAction,
    CthulhuNoirOpponent,
    refuse,
)
from arbitre.systems.cthulhu_noir.roll import (
    ODDS,
    CthulhuNoirRollOutcome,
    Face,
    attempted,
    summary,
)
from arbitre.systems.cthulhu_noir.stakes import CthulhuNoirStakes, compare_stakes


class CthulhuNoirPrevious(Frozen):
    quality: Face
    """The best die of the attempt before."""
    attempt: Annotated[int, Field(ge=1, le=1000), WHOLE] = 1
    """Attempts made so far."""
    failure_face: Face | None = None
    """The failure die that stands (CN-R9)."""


class CthulhuNoirRerollRequest(CthulhuNoirAction):
    failure_die: bool = False
    """Somebody opposes the action only now (CN-R9)."""
    opponent: CthulhuNoirOpponent = CthulhuNoirOpponent.KEEPER
    """Who throws the failure die; for information (CN-R8)."""
    previous: CthulhuNoirPrevious
    """The attempt before."""


class CthulhuNoirRerollOutcome(CthulhuNoirRollOutcome):
    previous_quality: int
    """The best die of the attempt before."""
    improved: bool
    """This best die is higher."""
    not_worse: bool
    """This best die is at least as high."""


def stake(request: Any, _options: None, enumerate_: Enumerate) -> CthulhuNoirStakes:
    return compare_stakes(reroll, request, enumerate_)


@resolver(
    "reroll",
    rules=(*ACTION_RULES, "CN-19", "CN-R8", "CN-R9", "CN-R11", "CN-R12"),
    odds=(*ODDS, "improved", "not_worse"),
    summary=summary,
    aid=Aid(stake, CthulhuNoirStakes),
)
def reroll(request: CthulhuNoirRerollRequest, dice: Dice) -> CthulhuNoirRerollOutcome:
    """Throw the dice of an action again, at the price of a risk."""
    refuse([("", request)])
    if not (request.insanity_die or request.wound_die):  # CN-19
        raise RuleRefused("reroll-without-risk", rule="CN-19")
    previous = request.previous
    if request.failure_die and previous.failure_face is not None:  # CN-R8, CN-R9
        raise RuleRefused("failure-twice", pointer="/failure_die", rule="CN-R9")
    fields = attempted(
        request, dice, standing=previous.failure_face, failure_die=request.failure_die
    )
    quality = fields["quality"]
    dice.note("CN-19", "attempt", number=previous.attempt + 1, before=previous.quality, now=quality)
    return CthulhuNoirRerollOutcome(
        **fields,
        attempt=previous.attempt + 1,
        previous_quality=previous.quality,  # CN-R11
        improved=quality > previous.quality,
        not_worse=quality >= previous.quality,
    )
