"""Several investigators, one action: rules CN-20, CN-17, CN-18, rulings CN-R30, CN-R32."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any

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
    Opposed,
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
from arbitre.systems.cthulhu_noir.tables import (
    QUALITIES,
    CthulhuNoirQuality,
    CthulhuNoirSource,
)

MOST = 5  # CN-01, CN-R36
LEAST = 2  # CN-20

PLACES = tuple(CthulhuNoirPlace)

NOBODY: tuple[Throw, ...] = ()

Sources = tuple[CthulhuNoirSource, ...]


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


Common = tuple[int, Opposed]


def together(thrown: tuple[Throw, ...], more: Throw) -> tuple[Throw, ...]:
    return (*thrown, more)


def best_of(thrown: tuple[Throw, ...]) -> int:
    """CN-20: the best die of everybody."""
    return max(one.quality for one in thrown)


def best_alone(one: Throw) -> int:
    return one.quality


def parts(request: CthulhuNoirCooperationRequest) -> tuple[tuple[CthulhuNoirPlace, Sources], ...]:
    """Return who throws, and which dice."""
    return tuple(
        (place, chosen(action)) for place, action in zip(PLACES, request.participants, strict=False)
    )


def common(request: CthulhuNoirCooperationRequest, best: int, dice: Dice) -> Common:
    """CN-20, CN-18, CN-R32: the best die of all, those who keep theirs too, and who opposes."""
    quality = max(request.standing_quality or 0, best)
    standing = request.standing_quality
    if standing is not None:
        dice.note("CN-R32", "standing", quality=standing)
    dice.note("CN-20", "common", quality=quality)
    return quality, opposed(quality, request.failure_face, request.failure_die, dice)


def refuse_all(request: CthulhuNoirCooperationRequest) -> None:
    """CN-20, CN-R8, CN-R9: what cannot be thrown together."""
    actions = request.participants
    refuse([(f"/participants/{index}", action) for index, action in enumerate(actions)])
    throws = len(actions) + (request.standing_quality is not None)
    if throws < LEAST:
        raise RuleRefused("participants-count", pointer="/participants", rule="CN-20", least=LEAST)
    if request.failure_die and request.failure_face is not None:
        raise RuleRefused("failure-twice", pointer="/failure_die", rule="CN-R9")


def views(request: CthulhuNoirCooperationRequest) -> tuple[Callable[[Dice], Any], ...]:
    """Look at the action of everybody, then at each participant alone (CN-R30)."""

    def action(dice: Dice) -> SimpleNamespace:
        refuse_all(request)
        thrown = dice.gather(
            throw,
            parts(request),
            state=NOBODY,
            combine=together,
            merge=best_alone,
            merge_state=best_of,
        )
        quality, against = common(request, best_of(thrown), dice)
        return SimpleNamespace(quality=quality, success=against.success, participants=())

    def participant(index: int, dice: Dice) -> SimpleNamespace:
        place, sources = parts(request)[index]
        thrown = dice.sub(throw, place, sources, merge=stakes)
        result = settle(request.participants[index], place, thrown, dice)
        return SimpleNamespace(participants=(*(None,) * index, result))

    return action, *(partial(participant, index) for index in range(len(request.participants)))


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
    views=views,
)
def cooperation(
    request: CthulhuNoirCooperationRequest, dice: Dice
) -> CthulhuNoirCooperationOutcome:
    """Resolve one action of several investigators."""
    refuse_all(request)
    thrown = dice.gather(throw, parts(request), state=NOBODY, combine=together)
    quality, against = common(request, best_of(thrown), dice)
    return CthulhuNoirCooperationOutcome(
        quality=quality,
        quality_label=QUALITIES[quality],
        success=against.success,
        failure_face=against.face,
        margin=against.margin(quality),
        best=tuple(place for place, one in enumerate(thrown, 1) if one.quality == quality),
        participants=tuple(
            CthulhuNoirParticipant(**vars(settle(action, place, one, dice)), name=action.name)
            for place, action, one in zip(PLACES, request.participants, thrown, strict=False)
        ),
    )
