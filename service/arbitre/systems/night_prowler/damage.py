"""A blow, a missile, a wound or a bleeding marked: rules NP-39, NP-68, NP-69, NP-71 to NP-78."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.armor import pierced, protection
from arbitre.systems.night_prowler.health import (
    ENDURANCE,
    VITALITY,
    NightProwlerHealth,
    refuse_boxes,
    refuse_dead,
)
from arbitre.systems.night_prowler.kinds import refuse_fields
from arbitre.systems.night_prowler.tables import (
    TRACKS,
    NightProwlerArmor,
    NightProwlerRow,
    NightProwlerTrack,
)
from arbitre.systems.night_prowler.test import Points
from arbitre.systems.night_prowler.wounds import (
    WOUND_RULES,
    Aim,
    HarmOutcome,
    harm,
    inflict,
    row_of,
)

Quality = Annotated[int, Field(ge=-5, le=30), WHOLE]


class NightProwlerDamageKind(StrEnum):
    BLOW = "blow"
    WOUND = "wound"
    BLEEDING = "bleeding"
    MISSILE = "missile"


class NightProwlerTracks(StrEnum):
    VITALITY = "vitality"
    ENDURANCE = "endurance"
    BOTH = "both"


class NightProwlerDamageRequest(Request):
    kind: NightProwlerDamageKind = NightProwlerDamageKind.BLOW
    """A blow, a missile, a wound marked as it is, or a round of bleeding."""
    quality: Quality | None = None
    """Quality of the attack (NP-39); blow and missile."""
    quality_bonus: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None
    """Qualities added to it (NP-39); blow and missile."""
    protection: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None
    """Protection worn (NP-68); blow and missile."""
    armor: NightProwlerArmor | None = None
    """Armor of the table, instead of its protection (NP-68); blow and missile."""
    blunt: bool | None = None
    """A blunt weapon, against which hide is nothing (NP-R77); blow."""
    defense_quality: Quality | None = None
    """Quality of the defense; a negative one counts 0 (NP-39); blow."""
    penetration: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Penetration at this range (NP-69); missile."""
    track: NightProwlerTracks | None = None
    """Track marked; that of the row, else Vitality, when not given; all but bleeding."""
    row: NightProwlerRow | None = None
    """Row to mark (NP-73); wound."""
    boxes: Annotated[int, Field(ge=1, le=10), WHOLE] | None = None
    """Boxes to mark, one after another; wound."""
    health: NightProwlerHealth = NightProwlerHealth()
    """The health before."""
    heroism: Points | None = None
    """Heroism pool; nothing: paying is possible."""
    stay_conscious: bool = False
    """Pay a heroism point if it is needed (NP-74)."""


class NightProwlerDamageOutcome(HarmOutcome):
    damage_quality: int | None
    """Quality of the wound after all that stops it (NP-39); nothing but for blow and missile."""


_BY_KIND = {
    "quality": {NightProwlerDamageKind.BLOW, NightProwlerDamageKind.MISSILE},
    "quality_bonus": {NightProwlerDamageKind.BLOW, NightProwlerDamageKind.MISSILE},
    "protection": {NightProwlerDamageKind.BLOW, NightProwlerDamageKind.MISSILE},
    "armor": {NightProwlerDamageKind.BLOW, NightProwlerDamageKind.MISSILE},
    "blunt": {NightProwlerDamageKind.BLOW},
    "defense_quality": {NightProwlerDamageKind.BLOW},
    "penetration": {NightProwlerDamageKind.MISSILE},
    "track": set(NightProwlerDamageKind) - {NightProwlerDamageKind.BLEEDING},
    "row": {NightProwlerDamageKind.WOUND},
    "boxes": {NightProwlerDamageKind.WOUND},
}
_NEEDED = {
    NightProwlerDamageKind.BLOW: ("quality",),
    NightProwlerDamageKind.MISSILE: ("quality",),
    NightProwlerDamageKind.WOUND: ("row",),
}


def refuse(request: NightProwlerDamageRequest) -> None:
    refuse_dead(request.health, "/health")
    refuse_boxes(request.health, "/health")
    worn = protection(request.armor, request.protection, blunt=False)
    missile = request.kind is NightProwlerDamageKind.MISSILE
    if missile and worn and request.penetration is None:
        raise RuleRefused("penetration-required", pointer="/penetration", rule="NP-69")
    refuse_fields(request, request.kind, _BY_KIND, _NEEDED)
    if request.row is not None:
        for track in tracks_of(request):
            if request.row not in {row.row for row in TRACKS[track]}:
                raise RuleRefused(
                    "row-not-on-track", pointer="/row", rule="NP-71", row=request.row, track=track
                )


def tracks_of(request: NightProwlerDamageRequest) -> tuple[NightProwlerTrack, ...]:
    """Return the tracks marked."""
    if request.track is NightProwlerTracks.BOTH:
        return tuple(NightProwlerTrack)
    if request.track is not None:
        return (NightProwlerTrack(request.track.value),)
    lethal = request.row is None or request.row in {row.row for row in TRACKS[VITALITY]}
    return (VITALITY if lethal else ENDURANCE,)


def blow(request: NightProwlerDamageRequest, quality: int, dice: Dice) -> int:
    """NP-39, NP-68: what armor and the defense leave of a blow."""
    attack = quality + (request.quality_bonus or 0)
    worn = protection(request.armor, request.protection, blunt=bool(request.blunt))
    guard = max(0, request.defense_quality or 0)  # NP-R40
    dice.note(
        "NP-39", "blow", attack=attack, protection=worn, guard=guard, damage=attack - worn - guard
    )
    return attack - worn - guard


def missile(request: NightProwlerDamageRequest, quality: int, dice: Dice) -> int:
    """NP-69: what armor leaves of a missile."""
    attack = quality + (request.quality_bonus or 0)
    worn = protection(request.armor, request.protection, blunt=False)
    left = pierced(attack, request.penetration, worn)
    dice.note("NP-69", "missile", attack=attack, protection=worn, damage=left)
    return left


def aims_of(request: NightProwlerDamageRequest, quality: int | None) -> list[Aim]:
    """NP-73, NP-77, NP-78: the boxes to mark."""
    tracks = tracks_of(request)
    if request.kind is NightProwlerDamageKind.BLEEDING:
        return [Aim(VITALITY, 0)] * request.health.bleeding
    if request.row is not None:
        return [
            Aim(track, [row.row for row in TRACKS[track]].index(request.row))
            for track in tracks
            for _ in range(request.boxes or 1)
        ]
    if quality is None or quality <= 0:
        return []
    return [Aim(track, row_of(quality)) for track in tracks]


def summary(outcome: NightProwlerDamageOutcome) -> str:
    if outcome.dead:
        return "dead"
    return "wounded" if outcome.marked else "no-wound"


@resolver(
    "damage",
    rules=(
        *WOUND_RULES,
        "NP-39",
        "NP-68",
        "NP-69",
        "NP-77",
        "NP-78",
        "NP-R39",
        "NP-R40",
        "NP-R76",
        "NP-R77",
        "NP-R91",
    ),
    summary=summary,
)
def damage(request: NightProwlerDamageRequest, dice: Dice) -> NightProwlerDamageOutcome:
    """Mark a wound: a blow through armor and guard, a missile, a row, or a round of bleeding."""
    refuse(request)
    quality = None
    if request.quality is not None:
        read = missile if request.kind is NightProwlerDamageKind.MISSILE else blow
        quality = read(request, request.quality, dice)
    injury = inflict(
        request.health,
        aims_of(request, quality),
        request.heroism,
        dice,
        stay_conscious=request.stay_conscious,
    )
    return NightProwlerDamageOutcome(damage_quality=quality, **harm(injury))
