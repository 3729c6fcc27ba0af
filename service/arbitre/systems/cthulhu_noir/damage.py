"""An injury or an illness: rules CN-08 to CN-10, CN-12, CN-14, rulings CN-R20 to CN-R24, CN-R34."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cthulhu_noir.action import CthulhuNoirOutcome
from arbitre.systems.cthulhu_noir.gauges import (
    START,
    TOP,
    CthulhuNoirActor,
    Gauge,
    Points,
    rose,
    wound_cues,
    wound_roll,
)
from arbitre.systems.cthulhu_noir.insanity import Story
from arbitre.systems.cthulhu_noir.tables import DAMAGE, CthulhuNoirAttack, CthulhuNoirCue

LEAST_THRESHOLD = 2  # CN-14, CN-R24


class CthulhuNoirTarget(StrEnum):
    INVESTIGATOR = "investigator"
    ENTITY = "entity"


class CthulhuNoirBody(Frozen):
    wound: Gauge = START
    """The Wound gauge (CN-08)."""
    death_threshold: Annotated[int, Field(ge=LEAST_THRESHOLD, le=TOP), WHOLE] = TOP
    """The Wound level at which the target dies (CN-14)."""
    immune: bool = False
    """A creature that cannot be wounded (CN-14)."""


class CthulhuNoirDamageRequest(Request):
    attack: CthulhuNoirAttack
    """Where the injury comes from (CN-10)."""
    damage: Points | None = None
    """What it adds; needed where the attack does not say (CN-R21)."""
    target: CthulhuNoirTarget = CthulhuNoirTarget.INVESTIGATOR
    """Who is hurt (CN-14)."""
    description: Story = ""
    """What happened; for information."""
    state: CthulhuNoirBody = CthulhuNoirBody()
    """The target before."""


class CthulhuNoirDamageOutcome(CthulhuNoirOutcome):
    face: int | None
    """What the die shows; nothing for an immune creature."""
    wounded: bool
    """Wound rose (CN-09)."""
    damage: int
    """What the injury would add (CN-10)."""
    damage_applied: int
    """What it added (CN-R22)."""
    before: int
    """Wound before."""
    state: CthulhuNoirBody
    """The target after."""
    dead: bool
    """Dead or presumed so (CN-12, CN-14)."""
    immune: bool
    """The creature cannot be wounded (CN-14)."""
    cues: tuple[CthulhuNoirCue, ...]
    """What is to be acted out."""


def damage_of(request: CthulhuNoirDamageRequest) -> int:
    """CN-10, CN-R20, CN-R21: the table's damage, or the Keeper's within it."""
    least, most = DAMAGE[request.attack]
    given = request.damage
    if given is None and least < most:
        pointer = "/damage"
        raise RuleRefused("damage-required", pointer=pointer, rule="CN-10", least=least, most=most)
    damage = least if given is None else given
    if not least <= damage <= most:
        pointer = "/damage"
        raise RuleRefused("damage-mismatch", pointer=pointer, rule="CN-10", least=least, most=most)
    return damage


def refuse(request: CthulhuNoirDamageRequest) -> None:
    """CN-12, CN-14, CN-R24: the dead are not hurt, investigators die at 6."""
    state = request.state
    if state.wound >= state.death_threshold:
        raise RuleRefused("dead", pointer="/state/wound", rule="CN-12")
    investigator = request.target is CthulhuNoirTarget.INVESTIGATOR
    if investigator and (state.death_threshold != TOP or state.immune):
        leaf = "immune" if state.immune else "death_threshold"
        raise RuleRefused("investigator-threshold", pointer=f"/state/{leaf}", rule="CN-14")


def summary(outcome: CthulhuNoirDamageOutcome) -> tuple[str, ...]:
    if outcome.immune:
        return ("immune",)
    hurt = "wounded" if outcome.wounded else "unhurt"
    return (hurt, "dead") if outcome.dead else (hurt,)


@resolver(
    "damage",
    rules=(
        *("CN-08", "CN-09", "CN-10", "CN-12", "CN-14"),
        *("CN-R20", "CN-R21", "CN-R22", "CN-R23", "CN-R24", "CN-R34"),
    ),
    odds=("wounded", "dead", "state.wound"),
    summary=summary,
)
def damage(request: CthulhuNoirDamageRequest, dice: Dice) -> CthulhuNoirDamageOutcome:
    """Roll Wound for one injury of an investigator or an entity."""
    points = damage_of(request)
    refuse(request)
    state = request.state
    threshold = state.death_threshold
    if state.immune:  # CN-14
        dice.note("CN-14", "immune")
    entity = request.target is CthulhuNoirTarget.ENTITY
    who = CthulhuNoirActor.ENTITY if entity else CthulhuNoirActor.ACTOR
    rolled = (
        None
        if state.immune
        else dice.sub(wound_roll, who, state.wound, points, threshold, merge=rose)
    )
    after = rolled.after if rolled else state.wound
    cues = wound_cues(rolled, threshold)
    if entity:  # CN-14: the Keeper acts no injury out
        cues = tuple(cue for cue in cues if cue is CthulhuNoirCue.DEAD_OR_PRESUMED)
    return CthulhuNoirDamageOutcome(
        face=rolled.face if rolled else None,
        wounded=after > state.wound,
        damage=points,
        damage_applied=after - state.wound,
        before=state.wound,
        state=state.model_copy(update={"wound": after}),
        dead=after == threshold,  # CN-R23
        immune=state.immune,
        cues=cues,
    )
