"""Destroying Mythos knowledge: rules CN-05, CN-06, rulings CN-R15 to CN-R18."""

from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Exact, Frozen, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cthulhu_noir.action import CthulhuNoirOutcome
from arbitre.systems.cthulhu_noir.gauges import START, unlocked
from arbitre.systems.cthulhu_noir.insanity import CthulhuNoirSanity, Story, refuse_mad
from arbitre.systems.cthulhu_noir.tables import CthulhuNoirCue


class CthulhuNoirMeans(StrEnum):
    BURN_BOOKS = "burn_books"
    STOP_RITUAL = "stop_ritual"
    SELF_DESTRUCTION = "self_destruction"
    OTHER = "other"


class CthulhuNoirSuppressRequest(Request):
    means: CthulhuNoirMeans = CthulhuNoirMeans.OTHER
    """How the knowledge is destroyed; for information (CN-R18)."""
    description: Story = ""
    """What happened; for information."""
    state: CthulhuNoirSanity = CthulhuNoirSanity()
    """Insanity before."""


class CthulhuNoirSuppressOutcome(CthulhuNoirOutcome):
    face: int
    """What the die shows."""
    reduced: bool
    """Insanity fell by one (CN-05)."""
    before: int
    """Insanity before."""
    state: CthulhuNoirSanity
    """Insanity after."""
    cues: tuple[CthulhuNoirCue, ...]
    """Always empty: nothing is to be acted out."""


class CthulhuNoirSuppressOptions(Frozen):
    target: Annotated[int, Field(ge=START, le=4), WHOLE] = START
    """The Insanity to come down to."""
    acts: Annotated[int, Field(ge=1, le=100), WHOLE] = 10
    """How many acts to follow."""


class CthulhuNoirSuppressAct(Frozen):
    acts: int
    """Acts made."""
    reached: Exact
    """Chance to have come down to the target by then."""


class CthulhuNoirSuppressAid(Frozen):
    target: int
    """The Insanity to come down to."""
    expected_acts: Exact
    """Mean number of acts it takes."""
    course: tuple[CthulhuNoirSuppressAct, ...]
    """The chance after each act."""


def act(before: int, dice: Dice) -> tuple[int, int]:
    """CN-05, CN-R16: a face below the gauge takes one off, no face adds any."""
    face = dice.die("insanity_roll", sides=6)
    after = before - (face < before)
    dice.note("CN-05", "suppression_roll", face=face, before=before, after=after)
    return face, after


def left(rolled: tuple[int, int]) -> int:
    """Say all that the odds look at."""
    return rolled[1]


def falls_from(before: int, dice: Dice) -> bool:
    return act(before, dice)[1] < before


def acts_needed(
    request: CthulhuNoirSuppressRequest,
    options: CthulhuNoirSuppressOptions | None,
    enumerate_: Enumerate,
) -> CthulhuNoirSuppressAid:
    """CN-05, CN-06: act after act, the gauge falls or stays; never below the target."""
    options = options or CthulhuNoirSuppressOptions()
    start = max(request.state.insanity, options.target)
    falls = {
        gauge: enumerate_(partial(falls_from, gauge)).chance(bool)
        for gauge in range(options.target + 1, start + 1)
    }
    now = dict.fromkeys(range(options.target, start), Fraction(0)) | {start: Fraction(1)}
    course = []
    for number in range(1, options.acts + 1):
        for gauge in range(options.target + 1, start + 1):
            moved = now[gauge] * falls[gauge]
            now[gauge] -= moved
            now[gauge - 1] += moved
        reached = Exact.of(now[options.target])
        course.append(CthulhuNoirSuppressAct(acts=number, reached=reached))
    return CthulhuNoirSuppressAid(
        target=options.target,
        expected_acts=Exact.of(sum((fall**-1 for fall in falls.values()), Fraction(0))),
        course=tuple(course),
    )


def summary(outcome: CthulhuNoirSuppressOutcome) -> str:
    return "insanity_fell" if outcome.reduced else "insanity_held"


@resolver(
    "suppress",
    rules=("CN-05", "CN-06", "CN-07", "CN-R15", "CN-R16", "CN-R17", "CN-R18"),
    odds=("reduced", "state.insanity"),
    summary=summary,
    aid=Aid(acts_needed, CthulhuNoirSuppressAid, CthulhuNoirSuppressOptions),
)
def suppress(request: CthulhuNoirSuppressRequest, dice: Dice) -> CthulhuNoirSuppressOutcome:
    """Resolve one act that destroys Mythos knowledge."""
    state = request.state
    if not unlocked(state.insanity, state.suppression_unlocked):  # CN-06, CN-R15
        raise RuleRefused("suppression-locked", pointer="/state/insanity", rule="CN-R15")
    refuse_mad(state)  # CN-R17
    face, after = dice.sub(act, state.insanity, merge=left)
    return CthulhuNoirSuppressOutcome(
        face=face,
        reduced=after < state.insanity,
        before=state.insanity,
        state=CthulhuNoirSanity(insanity=after, suppression_unlocked=True),
        cues=(),
    )
