"""The two wound tracks of a character: NP-15, NP-71 to NP-76."""

from typing import Annotated

from pydantic import Field

from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.night_prowler.tables import TRACKS, NightProwlerTrack

Boxes = Annotated[int, Field(ge=0, le=20), WHOLE]
ExtraBoxes = Annotated[int, Field(ge=0, le=5), WHOLE]

VITALITY = NightProwlerTrack.VITALITY
ENDURANCE = NightProwlerTrack.ENDURANCE


class NightProwlerVitality(Frozen):
    scratch: Boxes = 0
    """Scratches checked."""
    light: Boxes = 0
    """Light wounds checked."""
    serious: Boxes = 0
    """Serious wounds checked."""
    critical: Boxes = 0
    """Critical wounds checked."""
    mortal: Boxes = 0
    """Mortal wounds checked."""


class NightProwlerEndurance(Frozen):
    scratch: Boxes = 0
    """Scratches checked."""
    bruise: Boxes = 0
    """Bruises checked."""
    blow: Boxes = 0
    """Blows checked."""
    wound: Boxes = 0
    """Wounds checked."""
    ko: Boxes = 0
    """KOs checked."""


class NightProwlerExtraVitality(Frozen):
    scratch: ExtraBoxes = 0
    """Further boxes for scratches."""
    light: ExtraBoxes = 0
    """Further boxes for light wounds."""
    serious: ExtraBoxes = 0
    """Further boxes for serious wounds."""
    critical: ExtraBoxes = 0
    """Further boxes for critical wounds."""
    mortal: ExtraBoxes = 0
    """Further boxes for mortal wounds."""


class NightProwlerExtraEndurance(Frozen):
    scratch: ExtraBoxes = 0
    """Further boxes for scratches."""
    bruise: ExtraBoxes = 0
    """Further boxes for bruises."""
    blow: ExtraBoxes = 0
    """Further boxes for blows."""
    wound: ExtraBoxes = 0
    """Further boxes for wounds."""
    ko: ExtraBoxes = 0
    """Further boxes for KOs."""


class NightProwlerExtraBoxes(Frozen):
    vitality: NightProwlerExtraVitality = NightProwlerExtraVitality()
    """Further boxes of Vitality (NP-R102)."""
    endurance: NightProwlerExtraEndurance = NightProwlerExtraEndurance()
    """Further boxes of Endurance (NP-R102)."""


class NightProwlerHealth(Frozen):
    vitality: NightProwlerVitality = NightProwlerVitality()
    """Boxes checked on the lethal track (NP-71)."""
    endurance: NightProwlerEndurance = NightProwlerEndurance()
    """Boxes checked on the other track (NP-71)."""
    vitality_italic: bool = False
    """The italic boxes of Vitality are open."""
    vitality_dotted: bool = False
    """The dotted italic boxes of Vitality are open."""
    endurance_italic: bool = False
    """The italic boxes of Endurance are open."""
    extra_boxes: NightProwlerExtraBoxes = NightProwlerExtraBoxes()
    """Further boxes (NP-R102)."""
    bleeding: Annotated[int, Field(ge=0, le=10), WHOLE] = 0
    """Boxes of Vitality lost each round (NP-78)."""
    unconscious: bool = False
    """Out of action (NP-74)."""
    dying: bool = False
    """No mortal box is free (NP-75); worked out anew from the boxes."""
    dead: bool = False
    """Dead (NP-75)."""


def checked(health: NightProwlerHealth, track: NightProwlerTrack) -> tuple[int, ...]:
    """Return the boxes checked on each row of ``track``, from the scratches up."""
    if track is VITALITY:
        v = health.vitality
        return v.scratch, v.light, v.serious, v.critical, v.mortal
    e = health.endurance
    return e.scratch, e.bruise, e.blow, e.wound, e.ko


def capacity(health: NightProwlerHealth, track: NightProwlerTrack) -> tuple[int, ...]:
    """NP-71: the boxes of each row, those of exceptional characters included."""
    lethal = track is VITALITY
    italic = health.vitality_italic if lethal else health.endurance_italic
    dotted = lethal and health.vitality_dotted
    more = health.extra_boxes.vitality if lethal else health.extra_boxes.endurance
    extra = more.model_dump().values()
    return tuple(
        row.boxes + italic * row.italic + dotted * row.dotted + added  # NP-R102
        for row, added in zip(TRACKS[track], extra, strict=True)
    )


def track_penalty(health: NightProwlerHealth, track: NightProwlerTrack) -> int:
    """NP-72: the penalty of the worst row with a checked box."""
    rows = zip(TRACKS[track], checked(health, track), strict=True)
    return min((row.penalty for row, boxes in rows if boxes), default=0)


def wound_penalty(health: NightProwlerHealth) -> int:
    """NP-15, NP-R12: the single worst penalty of both tracks."""
    return min(track_penalty(health, track) for track in TRACKS)


def refuse_boxes(health: NightProwlerHealth, pointer: str) -> None:
    """NP-71: no row holds more than its boxes."""
    for track, rows in TRACKS.items():
        for row, boxes, most in zip(
            rows, checked(health, track), capacity(health, track), strict=True
        ):
            if boxes > most:
                raise RuleRefused(
                    "boxes-exceed-capacity",
                    pointer=f"{pointer}/{track}/{row.row}",
                    rule="NP-71",
                    row=row.row,
                    capacity=most,
                )


def refuse_dead(health: NightProwlerHealth, pointer: str) -> None:
    """NP-75: the dead attempt nothing."""
    if health.dead:
        raise RuleRefused("already-dead", pointer=f"{pointer}/dead", rule="NP-75")


def is_dying(health: NightProwlerHealth) -> bool:
    """NP-75, NP-R83: no mortal box is free."""
    return checked(health, VITALITY)[-1] >= capacity(health, VITALITY)[-1]


def current(health: NightProwlerHealth) -> NightProwlerHealth:
    """Return the health with what follows from its boxes worked out anew."""
    return health.model_copy(update={"dying": is_dying(health)})


def with_boxes(
    health: NightProwlerHealth, track: NightProwlerTrack, boxes: tuple[int, ...]
) -> NightProwlerHealth:
    """Return the health with these boxes checked on ``track``."""
    model = NightProwlerVitality if track is VITALITY else NightProwlerEndurance
    rows = {row.row.value: n for row, n in zip(TRACKS[track], boxes, strict=True)}
    return current(health.model_copy(update={track.value: model(**rows)}))


def mark(
    health: NightProwlerHealth, track: NightProwlerTrack, row: int
) -> tuple[NightProwlerHealth, int | None]:
    """NP-73, NP-R81: check a box of the row, or of the first row above with one free.

    Nothing is returned for the row when no box was free: then a lethal wound kills.
    """
    boxes, most = checked(health, track), capacity(health, track)
    free = next((n for n in range(row, len(boxes)) if boxes[n] < most[n]), None)
    if free is None:
        return health.model_copy(update={"dead": health.dead or track is VITALITY}), None
    after = tuple(n + (index == free) for index, n in enumerate(boxes))
    return with_boxes(health, track, after), free


def out_of_breath(health: NightProwlerHealth) -> bool:
    """NP-74, NP-R82: a critical or mortal wound, or a KO."""
    vitality = checked(health, VITALITY)
    return vitality[3] + vitality[4] + checked(health, ENDURANCE)[4] > 0
