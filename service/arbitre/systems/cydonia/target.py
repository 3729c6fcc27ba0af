"""Someone who may be wounded: rules CY-59, CY-62, CY-63 and CY-85, rulings CY-R21 to CY-R23."""

from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.cydonia.refusals import Faults, twice
from arbitre.systems.cydonia.side import (
    Asked,
    CydoniaOpponent,
    CydoniaRole,
    CydoniaSideKind,
    side_faults,
)
from arbitre.systems.cydonia.tables import VITAL, ZONES, CydoniaZone, CydoniaZoneGroup

Protection = Annotated[int, Field(ge=0, le=1000), WHOLE]
VitalZones = Annotated[tuple[CydoniaZoneGroup, ...], Field(max_length=len(CydoniaZoneGroup))]
RESISTING = Asked(CydoniaRole.TARGET, kind=CydoniaSideKind.PHYSICAL_RESISTANCE)

WOUND_RULES = ("CY-62", "CY-63", "CY-R21", "CY-R22")
PROTECTION_RULES = ("CY-59", "CY-R23", "CY-R24")


class CydoniaStatus(StrEnum):
    ALIVE = "alive"
    DYING = "dying"
    DEAD = "dead"


class CydoniaZoneProtection(Frozen):
    group: CydoniaZoneGroup
    """Group of zones that the piece covers."""
    protection: Protection
    """What it adds to the protection there (CY-R23)."""


class CydoniaTarget(Frozen):
    hp: Annotated[int, Field(ge=0, le=9999), WHOLE] | None = None
    """Life points; null where they are not tracked."""
    hp_max: Annotated[int, Field(ge=1, le=9999), WHOLE] | None = None
    """Most life points."""
    status: CydoniaStatus | None = None
    """Alive, dying or dead; null follows the life points (CY-62)."""
    penalty: Annotated[int, Field(ge=0, le=100), WHOLE] = 0
    """Penalty of wounds, which medicine removes (CY-45)."""
    protection: Protection = 0
    """Armor, taken off every blow (CY-59)."""
    protection_by_zone: Annotated[
        tuple[CydoniaZoneProtection, ...], Field(max_length=len(CydoniaZoneGroup))
    ] = ()
    """Armor pieces that count on some zones only (CY-R23)."""
    vital_zones: VitalZones = VITAL
    """Zones where reaching 0 life points means death (CY-63, CY-R21)."""
    resistance: CydoniaOpponent | None = None
    """Physical resistance, for the groin and for stunning (CY-57, CY-66)."""


class Wounded(NamedTuple):
    """Someone after some damage."""

    target: CydoniaTarget | None
    excess: int = 0
    killed: bool = False
    downed: bool = False


def status_of(target: CydoniaTarget) -> CydoniaStatus | None:
    """CY-62: as said, or as the life points say."""
    if target.status is not None or target.hp is None:
        return target.status
    return CydoniaStatus.ALIVE if target.hp else CydoniaStatus.DYING


def target_faults(target: CydoniaTarget | None, pointer: str = "/target") -> Faults:
    """Say all that the rules refuse in a target."""
    if target is None:
        return
    hp, status = target.hp, target.status
    if hp is not None and status is not None and (status is CydoniaStatus.ALIVE) is (hp == 0):
        yield RuleRefused(
            "status-mismatch", pointer=f"{pointer}/status", rule="CY-62", status=status, hp=hp
        )
    if status is CydoniaStatus.DEAD:
        yield RuleRefused("target-dead", pointer=f"{pointer}/status", rule="CY-62")
    if hp is not None and target.hp_max is not None and hp > target.hp_max:
        yield RuleRefused("hp-above-max", pointer=f"{pointer}/hp", rule="CY-62")
    groups = [piece.group for piece in target.protection_by_zone]
    yield from twice(groups, f"{pointer}/protection_by_zone", "duplicate-key")
    if target.resistance is not None:
        yield from side_faults(target.resistance, RESISTING, f"{pointer}/resistance")


def protection_of(target: CydoniaTarget | None, zone: CydoniaZone | None) -> int:
    """CY-59, CY-R23: the armor, and the piece worn on the zone."""
    if target is None:
        return 0
    group = ZONES[zone][0] if zone else None
    pieces = sum(piece.protection for piece in target.protection_by_zone if piece.group is group)
    return target.protection + pieces


def is_vital(target: CydoniaTarget | None, zone: CydoniaZone | None, said: bool | None) -> bool:
    """CY-63, CY-R22: as said; otherwise the zone decides, and no zone is not vital."""
    if said is not None or zone is None:
        return bool(said)
    return ZONES[zone][0] in (target.vital_zones if target else VITAL)


def wound(target: CydoniaTarget | None, damage: int, dice: Dice, *, vital: bool) -> Wounded:
    """CY-62: life points stop at 0; a vital blow that brings there kills, another fells."""
    if target is None or target.hp is None:
        return Wounded(target)
    before, status = target.hp, status_of(target)
    hp = max(0, before - damage)
    after = status
    if damage and hp == 0:  # CY-R22: no net damage changes nothing
        after = CydoniaStatus.DEAD if vital else CydoniaStatus.DYING
    excess = max(0, damage - before)
    dice.note("CY-62", "life", before=before, damage=damage, after=hp, excess=excess)
    if after is not status:
        dice.note("CY-62", "status", before=status, after=after, vital=vital)
    return Wounded(
        target.model_copy(update={"hp": hp, "status": after}),
        excess,
        killed=after is CydoniaStatus.DEAD,
        downed=after is CydoniaStatus.DYING and status is not CydoniaStatus.DYING,
    )
