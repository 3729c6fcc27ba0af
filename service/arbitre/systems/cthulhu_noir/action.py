"""The dice of one action and what they cost: CN-02, CN-15 to CN-18, CN-R1 to CN-R5."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import Name
from arbitre.rules.model import Outcome, Request
from arbitre.systems.cthulhu_noir.gauges import (
    TOP,
    CthulhuNoirInsanityRoll,
    CthulhuNoirState,
    CthulhuNoirWoundRoll,
    Points,
    Who,
    insanity_cues,
    insanity_roll,
    rose,
    tag,
    unlocked,
    wound_cues,
    wound_roll,
)
from arbitre.systems.cthulhu_noir.tables import (
    QUALITIES,
    CthulhuNoirCue,
    CthulhuNoirQuality,
    CthulhuNoirSource,
)

ACTION_RULES = (
    *("CN-02", "CN-03", "CN-04", "CN-07", "CN-08", "CN-09", "CN-12"),
    *("CN-15", "CN-16", "CN-17", "CN-18"),
    *("CN-R1", "CN-R2", "CN-R3", "CN-R4", "CN-R5", "CN-R6", "CN-R7", "CN-R10"),
    *("CN-R13", "CN-R14", "CN-R15", "CN-R19", "CN-R20", "CN-R22", "CN-R35"),
)
"""What every action applies, alone or with others."""

HUMAN = CthulhuNoirSource.HUMAN
PROFESSIONAL = CthulhuNoirSource.PROFESSIONAL
INSANITY = CthulhuNoirSource.INSANITY
WOUND = CthulhuNoirSource.WOUND

RISKS = (INSANITY, WOUND)  # CN-R4: in this order


class CthulhuNoirCritical(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


class CthulhuNoirOpponent(StrEnum):
    KEEPER = "keeper"
    PLAYER = "player"


class CthulhuNoirAction(Request):
    name: Name | None = None
    """Who acts."""
    human_die: bool = True
    """The task is within human competence (CN-15)."""
    professional_die: bool = False
    """The task is within the professional competence (CN-15)."""
    insanity_die: bool = False
    """Sanity is staked (CN-15)."""
    wound_die: bool = False
    """The skin is risked (CN-15)."""
    wound_damage: Points = 1
    """What a Wound roll of this action would add (CN-R5)."""
    state: CthulhuNoirState = CthulhuNoirState()
    """The gauges before the action."""


class CthulhuNoirSide(CthulhuNoirAction):
    entity: bool = False
    """A creature or a person played by the Keeper (CN-R31)."""


class CthulhuNoirOutcome(Outcome):
    critical: CthulhuNoirCritical | None = None
    """Always nothing: the best die tells how well an action succeeds."""


class CthulhuNoirResult(Outcome):
    quality: int
    """The best die (CN-16)."""
    quality_label: CthulhuNoirQuality | None
    """Barely or brilliantly, at the two ends (CN-16)."""
    highest: tuple[CthulhuNoirSource, ...]
    """The dice that show the best face."""
    insanity_roll: CthulhuNoirInsanityRoll | None
    """The Insanity roll, where the Insanity die was the highest (CN-17)."""
    wound_roll: CthulhuNoirWoundRoll | None
    """The Wound roll, where the Wound die was the highest (CN-17)."""
    state: CthulhuNoirState | None
    """The gauges after the action; nothing for an entity."""
    mad: bool
    """Insanity is 6 (CN-07)."""
    dead: bool
    """Wound is 6: dead or presumed so (CN-12)."""
    cues: tuple[CthulhuNoirCue, ...]
    """What is to be acted out."""


Rolled = tuple[tuple[CthulhuNoirSource, int], ...]

NOTHING: Rolled = ()


class Throw(NamedTuple):
    """One throw of an action's dice: faces by source, best first, the risks that come due."""

    faces: Rolled
    strength: tuple[int, ...]
    due: tuple[CthulhuNoirSource, ...]

    @property
    def quality(self) -> int:
        """CN-16: the best die."""
        return self.strength[0]


def chosen(action: CthulhuNoirAction) -> tuple[CthulhuNoirSource, ...]:
    """CN-15, CN-R35: four dice, each independent of the others."""
    wanted = {
        HUMAN: action.human_die,
        PROFESSIONAL: action.professional_die,
        INSANITY: action.insanity_die,
        WOUND: action.wound_die,
    }
    return tuple(source for source, taken in wanted.items() if taken)


def is_entity(action: CthulhuNoirAction) -> bool:
    return isinstance(action, CthulhuNoirSide) and action.entity


def refuse(actions: Sequence[tuple[str, CthulhuNoirAction]]) -> None:
    """CN-15, CN-R10, CN-R13, CN-R31: what cannot be thrown, by pointer and action."""
    for pointer, action in actions:
        if not chosen(action):
            raise RuleRefused("no-dice", pointer=pointer, rule="CN-R10")
    living = [(pointer, action) for pointer, action in actions if not is_entity(action)]
    for pointer, action in living:
        if action.state.wound == TOP:
            raise RuleRefused("dead", pointer=f"{pointer}/state/wound", rule="CN-15")
    for pointer, action in living:
        if action.insanity_die and action.state.insanity == TOP:
            where = f"{pointer}/insanity_die"
            raise RuleRefused("insanity-die-forbidden", pointer=where, rule="CN-R13")
    for pointer, action in actions:
        if is_entity(action) and (action.insanity_die or action.wound_die):
            where = f"{pointer}/{'insanity_die' if action.insanity_die else 'wound_die'}"
            raise RuleRefused("entity-risk-die", pointer=where, rule="CN-R31")


def one_die(who: Who, source: CthulhuNoirSource, dice: Dice) -> Rolled:
    return ((source, dice.die(tag(who, source), sides=6)),)


def beside(faces: Rolled, die: Rolled) -> Rolled:
    return faces + die


def by_kind(faces: Rolled) -> tuple[tuple[int, ...], Rolled]:
    """Ordinary dice are interchangeable, risk dice are not."""
    ordinary = sorted(face for source, face in faces if source not in RISKS)
    return tuple(ordinary), tuple(die for die in faces if die[0] in RISKS)


def throw(who: Who, sources: tuple[CthulhuNoirSource, ...], dice: Dice) -> Throw:
    """CN-15 to CN-17: the dice, the best of them, and the risk dice above every ordinary one."""
    faces = dice.gather(
        one_die,
        tuple((who, source) for source in sources),
        state=NOTHING,
        combine=beside,
        merge_state=by_kind,
    )
    strength = tuple(sorted((face for _source, face in faces), reverse=True))
    quality = strength[0]
    ordinary = max((face for source, face in faces if source not in RISKS), default=0)  # CN-R3
    due = tuple(  # CN-R1, CN-R2
        source for source, face in faces if source in RISKS and face == quality > ordinary
    )
    dice.note("CN-16", "quality", who=who, quality=quality)
    for source in due:
        key = "due" if ordinary else "due_alone"
        dice.note("CN-17", key, who=who, source=source, face=quality, ordinary=ordinary)
    return Throw(faces, strength, due)


def stakes(thrown: Throw) -> tuple[int, tuple[CthulhuNoirSource, ...]]:
    """Say all that an action alone looks at."""
    return thrown.quality, thrown.due


def settle(
    action: CthulhuNoirAction, who: Who, thrown: Throw, dice: Dice, *, void: bool = False
) -> CthulhuNoirResult:
    """CN-17, CN-R4: the rolls that come due, unless the throw is void (CN-R29)."""
    due = () if void else thrown.due
    before = action.state
    insane = dice.sub(insanity_roll, who, before.insanity, merge=rose) if INSANITY in due else None
    hurt = (
        dice.sub(wound_roll, who, before.wound, action.wound_damage, TOP, merge=rose)
        if WOUND in due
        else None
    )
    insanity = insane.after if insane else before.insanity
    wound = hurt.after if hurt else before.wound
    entity = is_entity(action)
    return CthulhuNoirResult(
        quality=thrown.quality,
        quality_label=QUALITIES[thrown.quality],
        highest=tuple(source for source, face in thrown.faces if face == thrown.quality),
        insanity_roll=insane,
        wound_roll=hurt,
        state=None
        if entity
        else CthulhuNoirState(
            insanity=insanity,
            wound=wound,
            suppression_unlocked=unlocked(insanity, before.suppression_unlocked),
        ),
        mad=not entity and insanity == TOP,  # CN-07, CN-R14
        dead=not entity and wound == TOP,  # CN-12, CN-R14
        cues=insanity_cues(insane) + wound_cues(hurt, TOP),
    )


class Opposed(NamedTuple):
    """What the failure die did to an action."""

    face: int | None
    success: bool

    def margin(self, quality: int) -> int | None:
        return None if self.face is None else quality - self.face


def opposed(quality: int, standing: int | None, failure_die: bool, dice: Dice) -> Opposed:
    """CN-18, CN-R7, CN-R8: a failure die above the best die fails the action."""
    if failure_die:
        return dice.sub(failure, quality, merge=fails)
    return compare(quality, standing, dice)


def failure(quality: int, dice: Dice) -> Opposed:
    return compare(quality, dice.die("failure", sides=6), dice)


def fails(found: Opposed) -> bool:
    """Say all that the odds look at."""
    return not found.success


def compare(quality: int, face: int | None, dice: Dice) -> Opposed:
    if face is None:
        return Opposed(None, success=True)  # CN-R7
    success = face <= quality
    dice.note("CN-18", "failure", quality=quality, failure=face, success=success)
    return Opposed(face, success)
