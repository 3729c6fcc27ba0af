"""Several investigators, one action: rules CN-20, CN-17, CN-18, rulings CN-R30, CN-R32."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cthulhu_noir.action import (
    ACTION_RULES,
    CthulhuNoirAction,
    CthulhuNoirOpponent,
    CthulhuNoirOutcome,
    CthulhuNoirResult,
    Throw,
    chosen,
    opposed,
    refuse,
    settle,
    stakes,
    throw,
)
from arbitre.systems.cthulhu_noir.gauges import CthulhuNoirPlace
from arbitre.systems.cthulhu_noir.roll import Face
from arbitre.systems.cthulhu_noir.tables import QUALITIES, CthulhuNoirQuality

MOST = 5  # CN-01, CN-R36
LEAST = 2  # CN-20

PLACES = tuple(CthulhuNoirPlace)


class CthulhuNoirCooperationRequest(Request):
    participants: Annotated[tuple[CthulhuNoirAction, ...], Field(min_length=1, max_length=MOST)]
    """Those who throw now (CN-20)."""
    standing_quality: Face | None = None
    """The best die of those who keep their throw (CN-R32)."""
    failure_die: bool = False
    """Somebody opposes the action with a failure die (CN-18)."""
    failure_face: Face | None = None
    """The failure die that stands (CN-R9)."""
    opponent: CthulhuNoirOpponent = CthulhuNoirOpponent.KEEPER
    """Who throws the failure die; for information (CN-R8)."""


class CthulhuNoirParticipant(CthulhuNoirResult):
    name: str | None
    """Who took part."""


class CthulhuNoirCooperationOutcome(CthulhuNoirOutcome):
    quality: int
    """The best die of everybody (CN-20)."""
    quality_label: CthulhuNoirQuality | None
    """Barely or brilliantly, at the two ends (CN-16)."""
    success: bool
    """The action does not fail (CN-18)."""
    failure_face: int | None
    """The failure die."""
    margin: int | None
    """The best die minus the failure die; for information."""
    best: tuple[int, ...]
    """Places, from 1, of the participants whose best die is the best of all."""
    participants: tuple[CthulhuNoirParticipant, ...]
    """Each participant's own throw and what it cost (CN-R30)."""


def together(thrown: tuple[Throw, ...], more: Throw) -> tuple[Throw, ...]:
    return (*thrown, more)


def risks(thrown: tuple[Throw, ...]) -> tuple[object, ...]:
    """Say all that the action of everybody looks at."""
    return max(one.quality for one in thrown), tuple(one.due for one in thrown)


def summary(outcome: CthulhuNoirCooperationOutcome) -> str:
    return "success" if outcome.success else "failure"


@resolver(
    "cooperation",
    rules=(
        *ACTION_RULES,
        *("CN-01", "CN-20", "CN-R8", "CN-R9", "CN-R30", "CN-R32", "CN-R36"),
    ),
    odds=(
        *("quality", "success", ("quality", "success")),
        *("participants[].insanity_roll.increased", "participants[].wound_roll.increased"),
        *("participants[].state.insanity", "participants[].state.wound"),
        *("participants[].mad", "participants[].dead"),
    ),
    summary=summary,
)
def cooperation(
    request: CthulhuNoirCooperationRequest, dice: Dice
) -> CthulhuNoirCooperationOutcome:
    """Resolve one action of several investigators."""
    actions = request.participants
    refuse([(f"/participants/{index}", action) for index, action in enumerate(actions)])
    throws = len(actions) + (request.standing_quality is not None)
    if throws < LEAST:
        raise RuleRefused("participants-count", pointer="/participants", rule="CN-20", least=LEAST)
    if request.failure_die and request.failure_face is not None:
        raise RuleRefused("failure-twice", pointer="/failure_die", rule="CN-R9")
    nobody: tuple[Throw, ...] = ()
    thrown = dice.gather(
        throw,
        tuple((place, chosen(action)) for place, action in zip(PLACES, actions, strict=False)),
        state=nobody,
        combine=together,
        merge=stakes,
        merge_state=risks,
    )
    quality = max(request.standing_quality or 0, *(one.quality for one in thrown))  # CN-R32
    dice.note("CN-20", "common", quality=quality)
    against = opposed(quality, request.failure_face, request.failure_die, dice)
    return CthulhuNoirCooperationOutcome(
        quality=quality,
        quality_label=QUALITIES[quality],
        success=against.success,
        failure_face=against.face,
        margin=against.margin(quality),
        best=tuple(place for place, one in enumerate(thrown, 1) if one.quality == quality),
        participants=tuple(
            CthulhuNoirParticipant(**vars(settle(action, place, one, dice)), name=action.name)
            for place, action, one in zip(PLACES, actions, thrown, strict=False)
        ),
    )
