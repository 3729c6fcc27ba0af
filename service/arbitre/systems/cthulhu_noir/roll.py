"""One action: rules CN-15 to CN-18, rulings CN-R1 to CN-R8."""

from typing import Annotated, Any

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cthulhu_noir.action import (
    ACTION_RULES,
    INSANITY,
    WOUND,
    CthulhuNoirAction,
    CthulhuNoirOpponent,
    CthulhuNoirOutcome,
    CthulhuNoirResult,
    chosen,
    opposed,
    refuse,
    settle,
    stakes,
    throw,
)
from arbitre.systems.cthulhu_noir.gauges import CthulhuNoirActor
from arbitre.systems.cthulhu_noir.stakes import CthulhuNoirStakes, compare_stakes
from arbitre.systems.cthulhu_noir.tables import CthulhuNoirSource

ME = CthulhuNoirActor.ACTOR

Face = Annotated[int, Field(ge=1, le=6), WHOLE]

ODDS = (
    *("quality", "success", "insanity_roll.increased", "wound_roll.increased"),
    *("state.insanity", "state.wound", "mad", "dead"),
    ("quality", "success"),
    ("state.insanity", "state.wound"),
)


class CthulhuNoirRollRequest(CthulhuNoirAction):
    failure_die: bool = False
    """Somebody opposes the action with a failure die (CN-18)."""
    failure_face: Face | None = None
    """A failure die that stands: refused here, a first roll has none (CN-R9)."""
    opponent: CthulhuNoirOpponent = CthulhuNoirOpponent.KEEPER
    """Who throws the failure die; for information (CN-R8)."""


class CthulhuNoirRollOutcome(CthulhuNoirResult, CthulhuNoirOutcome):
    success: bool
    """The action does not fail (CN-18)."""
    failure_face: int | None
    """The failure die."""
    margin: int | None
    """The best die minus the failure die; for information."""
    attempt: int
    """Which attempt this was (CN-19)."""
    can_reroll: bool
    """Another attempt is possible (CN-19)."""
    reroll_with: tuple[CthulhuNoirSource, ...]
    """The risk dice another attempt may stake (CN-19)."""


def attempted(
    action: CthulhuNoirAction, dice: Dice, *, standing: int | None, failure_die: bool
) -> dict[str, Any]:
    """CN-15 to CN-18: throw, be opposed, pay for the risk; the fields of the outcome."""
    thrown = dice.sub(throw, ME, chosen(action), merge=stakes)
    against = opposed(thrown.quality, standing, failure_die, dice)
    result = settle(action, ME, thrown, dice)
    risks = [] if result.mad else [INSANITY]  # CN-R12, CN-R13
    return {
        **vars(result),
        "success": against.success,
        "failure_face": against.face,
        "margin": against.margin(thrown.quality),
        "can_reroll": not result.dead,
        "reroll_with": () if result.dead else (*risks, WOUND),
    }


def summary(outcome: CthulhuNoirRollOutcome) -> tuple[str, ...]:
    return ("success" if outcome.success else "failure", *ends(outcome))


def ends(outcome: CthulhuNoirResult) -> tuple[str, ...]:
    """CN-07, CN-12: say when a gauge is full."""
    return (("mad",) if outcome.mad else ()) + (("dead",) if outcome.dead else ())


def stake(request: Any, _options: None, enumerate_: Enumerate) -> CthulhuNoirStakes:
    return compare_stakes(roll, request, enumerate_)


@resolver(
    "roll",
    rules=(*ACTION_RULES, "CN-19", "CN-R8", "CN-R9", "CN-R12"),
    odds=ODDS,
    summary=summary,
    aid=Aid(stake, CthulhuNoirStakes),
)
def roll(request: CthulhuNoirRollRequest, dice: Dice) -> CthulhuNoirRollOutcome:
    """Resolve one action of one investigator."""
    refuse([("", request)])
    if request.failure_face is not None:  # CN-R9
        raise RuleRefused("failure-face-only-on-reroll", pointer="/failure_face", rule="CN-R9")
    return CthulhuNoirRollOutcome(
        **attempted(request, dice, standing=None, failure_die=request.failure_die), attempt=1
    )
