"""The werewolf's other shape: rules CY-78, CY-79 and CY-81, ruling CY-R40."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import Faults, excluded, not_for, refuse, required
from arbitre.systems.cydonia.side import Skill, Word, people_faults
from arbitre.systems.cydonia.tables import MAX_ATTRIBUTE, MAX_SKILL, CydoniaPeople
from arbitre.systems.cydonia.target import CydoniaStatus

MAX_TRANSFORMED = MAX_ATTRIBUTE + MAX_SKILL  # CY-78
MOST_HP = 9999 + 100 * MAX_SKILL

Transformed = Annotated[int, Field(ge=0, le=MAX_TRANSFORMED), WHOLE]
HitPoints = Annotated[int, Field(ge=0, le=MOST_HP), WHOLE]
HpBonus = Annotated[int, Field(ge=0, le=3000), WHOLE]


class CydoniaTransformationEvent(StrEnum):
    START = "start"
    TICK = "tick"
    END = "end"


class CydoniaShape(Frozen):
    active: bool = False
    """Whether the character is transformed."""
    turns_left: Skill = 0
    """Turns of transformation left (CY-79)."""
    bonus: Skill = 0
    """What Physique and Agility have gained (CY-78)."""
    hp_bonus: HpBonus = 0
    """What the life points have gained (CY-81)."""


class CydoniaTransformationRequest(Request):
    event: CydoniaTransformationEvent
    """The change, a turn of it, or the way back."""
    transformation: Skill | None = None
    """Skill of Transformation (CY-78)."""
    physique: Transformed
    """Physique as it is now."""
    agility: Transformed
    """Agility as it is now."""
    hp: HitPoints | None = None
    """Life points as they are now."""
    hp_max: HitPoints | None = None
    """Most life points as they are now."""
    hp_bonus: Annotated[int, Field(ge=0, le=1000), WHOLE] | None = None
    """Life points gained (CY-81, CY-R40)."""
    hp_per_physique: Annotated[int, Field(ge=0, le=100), WHOLE] | None = None
    """Life points gained for each point of Physique (CY-81, CY-R40)."""
    ready: bool = True
    """Whether the waiting time is over (CY-79)."""
    state: CydoniaShape | None = None
    """The transformation so far."""
    people: Word | None = None
    """People of the character (CY-R69)."""


class CydoniaTransformationOutcome(Outcome):
    state: CydoniaShape
    """The transformation now."""
    physique: int
    """Physique now (CY-78)."""
    agility: int
    """Agility now (CY-78)."""
    hp: int | None
    """Life points now (CY-81)."""
    hp_max: int | None
    """Most life points now (CY-81)."""
    status: CydoniaStatus | None
    """Alive or dead (CY-R40); null where life points are not tracked."""
    ended: bool
    """Whether the character is back in its own shape."""
    killed: bool
    """Whether coming back kills (CY-81)."""


def _faults(request: CydoniaTransformationRequest) -> Faults:
    event, state = request.event, request.state
    starts = event is CydoniaTransformationEvent.START
    yield from required(request.transformation, "/transformation", when=starts)
    yield from required(state, "/state", when=not starts)
    yield from required(request.hp_max, "/hp_max", when=request.hp is not None)
    yield from required(request.hp, "/hp", when=request.hp_max is not None)
    per_point, bonus = request.hp_per_physique is not None, request.hp_bonus is not None
    yield from excluded(per_point and bonus, "/hp_per_physique", "hp_bonus")
    if not starts:
        yield from not_for(
            event,
            transformation=request.transformation is not None,
            hp_bonus=bonus,
            hp_per_physique=per_point,
            ready=not request.ready,
        )
    yield from people_faults(request.people, CydoniaPeople.WEREWOLF)
    hp, most = request.hp, request.hp_max
    if hp is not None and most is not None and hp > most:
        yield RuleRefused("hp-above-max", pointer="/hp", rule="CY-62")
    if not starts and state is not None:
        yield from _return_faults(request, state)
    if starts:
        yield from _start_faults(request)


def _start_faults(request: CydoniaTransformationRequest) -> Faults:
    if request.physique > MAX_ATTRIBUTE or request.agility > MAX_ATTRIBUTE:
        yield RuleRefused("too-high", pointer="/physique", rule="CY-78", most=MAX_ATTRIBUTE)
    if request.transformation == 0:
        yield RuleRefused("no-transformation", pointer="/transformation", rule="CY-R40")
    if request.state is not None and request.state.active:
        yield RuleRefused("already-transformed", pointer="/state/active", rule="CY-78")
    if not request.ready:
        yield RuleRefused("not-ready", pointer="/ready", rule="CY-79")
    unknown = request.hp_bonus is None and request.hp_per_physique is None
    if request.hp is not None and unknown:
        yield RuleRefused("hp-bonus-required", pointer="/hp_bonus", rule="CY-R40")


def _return_faults(request: CydoniaTransformationRequest, state: CydoniaShape) -> Faults:
    if not state.active:
        yield RuleRefused("not-transformed", pointer="/state/active", rule="CY-79")
        return
    low = min(request.physique, request.agility) < state.bonus
    if low or (request.hp_max is not None and request.hp_max < state.hp_bonus):
        yield RuleRefused("bonus-too-high", pointer="/state", rule="CY-78", bonus=state.bonus)


def start(request: CydoniaTransformationRequest, dice: Dice) -> CydoniaTransformationOutcome:
    """CY-78, CY-81: Physique, Agility and life points rise."""
    bonus = request.transformation or 0
    gained = 0
    if request.hp is not None:
        gained = request.hp_bonus or (request.hp_per_physique or 0) * bonus  # CY-R40
    _note_values(request, bonus, dice)
    dice.note("CY-79", "turns-left", turns=bonus)
    hp, hp_max = _life(request, gained, dice)
    return CydoniaTransformationOutcome(
        state=CydoniaShape(active=True, turns_left=bonus, bonus=bonus, hp_bonus=gained),
        physique=request.physique + bonus,
        agility=request.agility + bonus,
        hp=hp,
        hp_max=hp_max,
        status=_status(hp),
        ended=False,
        killed=False,
    )


def end(request: CydoniaTransformationRequest, dice: Dice) -> CydoniaTransformationOutcome:
    """CY-81: everything comes back, which may kill whatever the zones struck."""
    state = request.state or CydoniaShape()
    _note_values(request, -state.bonus, dice)
    hp, hp_max = _life(request, -state.hp_bonus, dice)
    killed = hp == 0  # CY-R40
    if killed:
        dice.note("CY-81", "return-kills")
    return CydoniaTransformationOutcome(
        state=CydoniaShape(),
        physique=request.physique - state.bonus,
        agility=request.agility - state.bonus,
        hp=hp,
        hp_max=hp_max,
        status=CydoniaStatus.DEAD if killed else _status(hp),
        ended=True,
        killed=killed,
    )


def tick(request: CydoniaTransformationRequest, dice: Dice) -> CydoniaTransformationOutcome:
    """CY-79: one turn less; at 0 the transformation ends at once."""
    state = request.state or CydoniaShape()
    left = max(0, state.turns_left - 1)
    dice.note("CY-79", "turns-left", turns=left)
    if left == 0:
        return end(request, dice)
    return CydoniaTransformationOutcome(
        state=state.model_copy(update={"turns_left": left}),
        physique=request.physique,
        agility=request.agility,
        hp=request.hp,
        hp_max=request.hp_max,
        status=_status(request.hp),
        ended=False,
        killed=False,
    )


def _note_values(request: CydoniaTransformationRequest, bonus: int, dice: Dice) -> None:
    dice.note(
        "CY-78",
        "shape",
        bonus=bonus,
        physique=request.physique + bonus,
        agility=request.agility + bonus,
    )


def _life(
    request: CydoniaTransformationRequest, bonus: int, dice: Dice
) -> tuple[int | None, int | None]:
    if request.hp is None or request.hp_max is None:
        return None, None
    hp, hp_max = max(0, request.hp + bonus), request.hp_max + bonus
    dice.note("CY-81", "shape-life", bonus=bonus, before=request.hp, after=hp, most=hp_max)
    return hp, hp_max


def _status(hp: int | None) -> CydoniaStatus | None:
    if hp is None:
        return None
    return CydoniaStatus.ALIVE if hp else CydoniaStatus.DYING


_EVENTS = {
    CydoniaTransformationEvent.START: start,
    CydoniaTransformationEvent.TICK: tick,
    CydoniaTransformationEvent.END: end,
}


def summary(outcome: CydoniaTransformationOutcome) -> str:
    if outcome.killed:
        return "return-killed"
    return "returned" if outcome.ended else "transformed"


@resolver(
    "transformation",
    rules=("CY-78", "CY-79", "CY-81", "CY-R40", "CY-R69", "CY-62"),
    summary=summary,
)
def transformation(
    request: CydoniaTransformationRequest, dice: Dice
) -> CydoniaTransformationOutcome:
    """Change shape, count a turn of it, or come back."""
    refuse(_faults(request))
    return _EVENTS[request.event](request, dice)
