"""Boxes marked one by one, and what they do to consciousness: rules NP-72 to NP-77."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from arbitre.dice import Dice
from arbitre.rules.model import Frozen, Outcome
from arbitre.systems.night_prowler.health import (
    ENDURANCE,
    VITALITY,
    NightProwlerHealth,
    checked,
    current,
    mark,
    out_of_breath,
    track_penalty,
    wound_penalty,
)
from arbitre.systems.night_prowler.tables import TRACKS, NightProwlerRow, NightProwlerTrack

WOUND_RULES = (
    "NP-71",
    "NP-72",
    "NP-73",
    "NP-74",
    "NP-75",
    "NP-R12",
    "NP-R80",
    "NP-R81",
    "NP-R82",
    "NP-R83",
)


class NightProwlerMark(Frozen):
    track: NightProwlerTrack
    """The track marked."""
    row_aimed: NightProwlerRow
    """The row of the wound."""
    row_marked: NightProwlerRow | None
    """The row whose box was checked; nothing when no box was free (NP-73)."""


class Aim(NamedTuple):
    """One box to mark."""

    track: NightProwlerTrack
    row: int


class Injury(NamedTuple):
    """A body after a wound event."""

    health: NightProwlerHealth
    heroism: int | None
    marks: tuple[NightProwlerMark, ...]
    consciousness_required: bool
    paid: bool

    @property
    def overflow(self) -> bool:
        return any(one.row_marked is None for one in self.marks)


class HarmOutcome(Outcome):
    """What every resolver that wounds says of the body."""

    marked: tuple[NightProwlerMark, ...]
    """Each box, in order (NP-73)."""
    overflow: bool
    """A wound found no free box (NP-73)."""
    health: NightProwlerHealth
    """The health afterwards."""
    wound_penalty: int
    """The single worst penalty (NP-72)."""
    vitality_penalty: int
    """The worst penalty of Vitality."""
    endurance_penalty: int
    """The worst penalty of Endurance."""
    consciousness_required: bool
    """A heroism point was needed to stay conscious (NP-74)."""
    unconscious: bool
    """Out of action (NP-74)."""
    dying: bool
    """No mortal box is free (NP-75)."""
    dead: bool
    """Dead (NP-75)."""
    heroism_left: int | None
    """Heroism pool afterwards."""


def row_of(quality: int) -> int:
    """NP-77, NP-R91: the row of a wound of this quality, five and more being the last."""
    return min(quality, len(TRACKS[VITALITY])) - 1


def inflict(
    health: NightProwlerHealth,
    aims: Iterable[Aim],
    heroism: int | None,
    dice: Dice,
    *,
    stay_conscious: bool,
) -> Injury:
    """NP-73, NP-74: mark each box in turn; one event, one breath to catch."""
    health = before = current(health)
    marks = []
    for aim in aims:
        if health.dead:
            break
        health, one = _mark(health, aim, dice)
        marks.append(one)
    if not marks:
        return Injury(health, heroism, (), False, False)
    if wound_penalty(health) != wound_penalty(before):
        dice.note("NP-72", "penalty", before=wound_penalty(before), after=wound_penalty(health))
    if health.dying and not before.dying:
        dice.note("NP-75", "dying")
    if health.dead:
        dice.note("NP-75", "dead")
    return _breathe(health, heroism, tuple(marks), dice, stay_conscious=stay_conscious)


def _mark(
    health: NightProwlerHealth, aim: Aim, dice: Dice
) -> tuple[NightProwlerHealth, NightProwlerMark]:
    """NP-73: one box."""
    rows = TRACKS[aim.track]
    after, row = mark(health, aim.track, aim.row)
    if row is None:
        dice.note("NP-73", "overflow", track=aim.track, row=rows[aim.row].row)
    else:
        dice.note(
            "NP-73",
            "box",
            track=aim.track,
            row=rows[row].row,
            before=checked(health, aim.track)[row],
            after=checked(after, aim.track)[row],
        )
    return after, NightProwlerMark(
        track=aim.track,
        row_aimed=rows[aim.row].row,
        row_marked=None if row is None else rows[row].row,
    )


def _breathe(
    health: NightProwlerHealth,
    heroism: int | None,
    marks: tuple[NightProwlerMark, ...],
    dice: Dice,
    *,
    stay_conscious: bool,
) -> Injury:
    """NP-74, NP-R82: after a wound, pay one point or fall unconscious."""
    required = out_of_breath(health) and not health.dead
    awake = required and not health.unconscious
    pays = awake and stay_conscious and (heroism is None or heroism > 0)
    if awake:
        dice.note("NP-74", "last-breath", paid=pays)
    if awake and not pays:
        health = health.model_copy(update={"unconscious": True})
    left = heroism - 1 if pays and heroism is not None else heroism
    return Injury(health, left, marks, required, pays)


def harm(injury: Injury) -> dict[str, Any]:
    """Return the fields of ``HarmOutcome``."""
    health = injury.health
    return {
        "marked": injury.marks,
        "overflow": injury.overflow,
        "health": health,
        "wound_penalty": wound_penalty(health),
        "vitality_penalty": track_penalty(health, VITALITY),
        "endurance_penalty": track_penalty(health, ENDURANCE),
        "consciousness_required": injury.consciousness_required,
        "unconscious": health.unconscious,
        "dying": health.dying,
        "dead": health.dead,
        "heroism_left": injury.heroism,
    }
