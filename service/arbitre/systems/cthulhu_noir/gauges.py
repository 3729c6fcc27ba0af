"""Insanity and Wound, and the roll that makes each rise: rules CN-03 to CN-09, CN-12."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.cthulhu_noir.tables import CthulhuNoirCue

START = 1  # CN-03, CN-08
TOP = 6  # CN-07, CN-12
OPENING = 5  # CN-05

Gauge = Annotated[int, Field(ge=START, le=TOP), WHOLE]
Points = Annotated[int, Field(ge=1, le=5), WHOLE]  # CN-10


class CthulhuNoirActor(StrEnum):
    ACTOR = "actor"
    ENTITY = "entity"


class CthulhuNoirSideId(StrEnum):
    A = "a"
    B = "b"
    C = "c"
    D = "d"
    E = "e"


class CthulhuNoirPlace(StrEnum):
    FIRST = "1"
    SECOND = "2"
    THIRD = "3"
    FOURTH = "4"
    FIFTH = "5"


Who = CthulhuNoirActor | CthulhuNoirSideId | CthulhuNoirPlace
"""Whose dice: someone alone, a side of a competition, a place among those who cooperate."""


class CthulhuNoirState(Frozen):
    insanity: Gauge = START
    """The Insanity gauge (CN-03)."""
    wound: Gauge = START
    """The Wound gauge (CN-08)."""
    suppression_unlocked: bool = False
    """Insanity has been 5 at least once (CN-R15)."""


class CthulhuNoirInsanityRoll(Frozen):
    face: int
    """What the die shows."""
    before: int
    """The gauge before."""
    after: int
    """The gauge after."""
    increased: bool
    """The gauge rose."""


class CthulhuNoirWoundRoll(Frozen):
    face: int
    """What the die shows."""
    before: int
    """The gauge before."""
    damage: int
    """What the injury would add."""
    after: int
    """The gauge after."""
    increased: bool
    """The gauge rose."""


def tag(who: Who, die: str) -> str:
    """Name a die, and whose it is where there are several."""
    return str(die) if isinstance(who, CthulhuNoirActor) else f"{who}.{die}"


def unlocked(insanity: int, already: bool) -> bool:
    """CN-R15: suppression opens when Insanity reaches 5, and stays open."""
    return already or insanity >= OPENING


def insanity_roll(who: Who, before: int, dice: Dice) -> CthulhuNoirInsanityRoll:
    """CN-04, CN-R19: a face above the gauge adds one."""
    face = dice.die(tag(who, "insanity_roll"), sides=6)
    after = before + (face > before)
    dice.note("CN-04", "insanity_roll", who=who, face=face, before=before, after=after)
    if before < TOP == after:
        dice.note("CN-07", "mad", who=who)
    return CthulhuNoirInsanityRoll(face=face, before=before, after=after, increased=after > before)


def wound_roll(
    who: Who, before: int, damage: int, threshold: int, dice: Dice
) -> CthulhuNoirWoundRoll:
    """CN-09, CN-R20, CN-R22: a face above the gauge adds the damage, up to the threshold."""
    face = dice.die(tag(who, "wound_roll"), sides=6)
    after = min(threshold, before + damage) if face > before else before
    dice.note("CN-09", "wound_roll", who=who, face=face, before=before, damage=damage, after=after)
    if after == threshold:
        dice.note("CN-12", "dead", who=who, threshold=threshold)
    return CthulhuNoirWoundRoll(
        face=face, before=before, damage=damage, after=after, increased=after > before
    )


def rose(rolled: CthulhuNoirInsanityRoll | CthulhuNoirWoundRoll) -> bool:
    """Say all that the odds look at."""
    return rolled.increased


def insanity_cues(rolled: CthulhuNoirInsanityRoll | None) -> tuple[CthulhuNoirCue, ...]:
    """CN-04, CN-07: what a risen Insanity asks to act out."""
    if rolled is None or not rolled.increased:
        return ()
    arrival = {
        OPENING: (CthulhuNoirCue.SUPPRESSION_AVAILABLE,),
        TOP: (CthulhuNoirCue.INCURABLY_MAD,),
    }
    return (CthulhuNoirCue.PLAY_TERROR, *arrival.get(rolled.after, ()))


def wound_cues(rolled: CthulhuNoirWoundRoll | None, threshold: int) -> tuple[CthulhuNoirCue, ...]:
    """CN-09, CN-12: what an injury asks to act out."""
    if rolled is None or not rolled.increased:
        return ()
    dead = (CthulhuNoirCue.DEAD_OR_PRESUMED,) if rolled.after == threshold else ()
    return (CthulhuNoirCue.PLAY_INJURY, *dead)
