"""A disturbing event: rules CN-03, CN-04, CN-07, rulings CN-R13, CN-R19."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN
from arbitre.rules.model import Frozen, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cthulhu_noir.action import CthulhuNoirOutcome
from arbitre.systems.cthulhu_noir.gauges import (
    START,
    TOP,
    CthulhuNoirActor,
    Gauge,
    insanity_cues,
    insanity_roll,
    rose,
    unlocked,
)
from arbitre.systems.cthulhu_noir.tables import CthulhuNoirCue

Story = Annotated[str, Field(max_length=500), CLEAN]


class CthulhuNoirCause(StrEnum):
    EVENT = "event"
    DIE = "die"


class CthulhuNoirSanity(Frozen):
    insanity: Gauge = START
    """The Insanity gauge (CN-03)."""
    suppression_unlocked: bool = False
    """Insanity has been 5 at least once (CN-R15)."""


class CthulhuNoirInsanityRequest(Request):
    cause: CthulhuNoirCause = CthulhuNoirCause.EVENT
    """What calls for the roll; for information."""
    description: Story = ""
    """What happened; for information."""
    state: CthulhuNoirSanity = CthulhuNoirSanity()
    """Insanity before."""


class CthulhuNoirInsanityOutcome(CthulhuNoirOutcome):
    face: int
    """What the die shows."""
    increased: bool
    """Insanity rose (CN-04)."""
    before: int
    """Insanity before."""
    state: CthulhuNoirSanity
    """Insanity after."""
    mad: bool
    """Insanity is 6 (CN-07)."""
    cues: tuple[CthulhuNoirCue, ...]
    """What is to be acted out."""


def refuse_mad(state: CthulhuNoirSanity) -> None:
    """CN-07, CN-R13: at 6 nothing rises and nothing helps."""
    if state.insanity == TOP:
        raise RuleRefused("already-mad", pointer="/state/insanity", rule="CN-07")


def summary(outcome: CthulhuNoirInsanityOutcome) -> tuple[str, ...]:
    risen = "insanity_rose" if outcome.increased else "insanity_held"
    return (risen, "mad") if outcome.mad else (risen,)


@resolver(
    "insanity",
    rules=("CN-03", "CN-04", "CN-07", "CN-R13", "CN-R15", "CN-R19"),
    odds=("increased", "mad", "state.insanity"),
    summary=summary,
)
def insanity(request: CthulhuNoirInsanityRequest, dice: Dice) -> CthulhuNoirInsanityOutcome:
    """Roll Insanity for one disturbing event."""
    refuse_mad(request.state)
    before = request.state.insanity
    rolled = dice.sub(insanity_roll, CthulhuNoirActor.ACTOR, before, merge=rose)
    return CthulhuNoirInsanityOutcome(
        face=rolled.face,
        increased=rolled.increased,
        before=before,
        state=CthulhuNoirSanity(
            insanity=rolled.after,
            suppression_unlocked=unlocked(rolled.after, request.state.suppression_unlocked),
        ),
        mad=rolled.after == TOP,
        cues=insanity_cues(rolled),
    )
