"""Where a blow lands: rules CY-53 to CY-57, CY-63, CY-73 and CY-74."""

from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.side import CydoniaModifier, Modifier, Term
from arbitre.systems.cydonia.tables import (
    EXTRA_DICE,
    LOCATION_SIDES,
    LOCATIONS,
    MOST_LOCATION_MARGIN,
    MOUNTED_LOCATION,
    PARALYSIS_DIFFICULTY,
    PARALYSIS_TURNS,
    PARALYZING,
    SWAPPED,
    VITAL,
    ZONES,
    CydoniaAttribute,
    CydoniaBodySide,
    CydoniaEffectKind,
    CydoniaModifierCode,
    CydoniaTable,
    CydoniaWeaponTable,
    CydoniaZone,
    CydoniaZoneGroup,
    called_modifier,
)
from arbitre.systems.cydonia.target import VitalZones

LOCATION_RULES = (
    "CY-53", "CY-54", "CY-55", "CY-56", "CY-57", "CY-63", "CY-73", "CY-74",
    "CY-R11", "CY-R12", "CY-R13", "CY-R14", "CY-R15", "CY-R16", "CY-R17", "CY-R18", "CY-R21",
)  # fmt: skip


class CydoniaExtraDice(Frozen):
    count: int
    """How many dice."""
    sides: int
    """How many sides each has."""


class CydoniaZoneEffect(Frozen):
    kind: CydoniaEffectKind
    """What the zone does."""
    turns: int
    """For how many turns."""
    resistance: CydoniaAttribute
    """Attribute of the resistance that avoids it."""
    difficulty: int
    """Difficulty of that resistance (CY-57)."""


class CydoniaLocation(Frozen):
    bonus: int
    """All that is added to the die."""
    bonuses: tuple[CydoniaModifier, ...]
    """Each part of it (CY-54, CY-73, CY-74)."""
    total: int | None
    """Die and bonus, before they are kept between 1 and 20; null for a called shot."""
    row: int | None
    """Row of the table (CY-53, CY-R14); null for a called shot."""
    zone: CydoniaZone
    """Where the blow lands."""
    zone_group: CydoniaZoneGroup
    """What part of the body that is."""
    body_side: CydoniaBodySide | None
    """On which side; null in the middle."""
    vital: bool
    """Whether reaching 0 life points there means death (CY-63)."""
    extra_dice: CydoniaExtraDice | None
    """Dice added to the damage (CY-56)."""
    effect: CydoniaZoneEffect | None
    """What else the zone does (CY-57)."""
    attack_modifier: int
    """What calling the zone costs the attack roll (CY-55)."""


class CydoniaDamageLocationRequest(Request):
    table: CydoniaTable
    """Table of weapons, or of bare hands, claws and teeth (CY-53)."""
    margin: Annotated[int, Field(ge=0, le=100), WHOLE] = 0
    """Margin of the attack (CY-54)."""
    attacker_mounted: bool = False
    """Whether the attacker rides (CY-73)."""
    defender_mounted: bool = False
    """Whether the defender rides (CY-74)."""
    modifier: Annotated[int, Field(ge=-20, le=20), WHOLE] = 0
    """The game master's bonus or penalty to the die."""
    called_zone: CydoniaZone | None = None
    """Zone named beforehand: no die, and no bonus to it (CY-55)."""
    weapon_table: CydoniaWeaponTable = CydoniaWeaponTable.PRINTED
    """Which of throat and head is row 18 of the weapon table (CY-R13)."""
    vital_zones: VitalZones = VITAL
    """Zones that are vital (CY-63, CY-R21)."""


class CydoniaDamageLocationOutcome(CydoniaLocation, Outcome):
    pass


class Aim(NamedTuple):
    """All that decides where a blow lands, except the margin and the die."""

    table: CydoniaTable
    attacker_mounted: bool
    defender_mounted: bool
    called_zone: CydoniaZone | None
    weapon_table: CydoniaWeaponTable
    modifier: Modifier = 0


class Landed(NamedTuple):
    """Where a blow landed."""

    zone: CydoniaZone
    total: int | None = None
    row: int | None = None
    bonuses: tuple[Term, ...] = ()


def bonuses_of(aim: Aim, margin: int) -> tuple[Term, ...]:
    """CY-54, CY-73, CY-74: the margin up to 5, and the mounts beyond that cap (CY-R15)."""
    code = CydoniaModifierCode
    terms = (
        Term("CY-54", code.LOCATION_MARGIN, min(MOST_LOCATION_MARGIN, margin)),
        Term("CY-73", code.LOCATION_ATTACKER_MOUNTED, MOUNTED_LOCATION * aim.attacker_mounted),
        Term("CY-74", code.LOCATION_DEFENDER_MOUNTED, -MOUNTED_LOCATION * aim.defender_mounted),
        Term("CY-53", code.MODIFIER, aim.modifier),
    )
    return tuple(term for term in terms if term.value)


def land(aim: Aim, margin: int, dice: Dice) -> Landed:
    """CY-53, CY-55: the zone named, or the row of the die and its bonus."""
    if aim.called_zone:
        dice.note("CY-55", "called-zone", zone=aim.called_zone)
        return Landed(aim.called_zone)
    bonuses = bonuses_of(aim, margin)
    face = dice.die("location", sides=LOCATION_SIDES)
    total = face + sum(term.value for term in bonuses)
    row = min(max(total, 1), LOCATION_SIDES)  # CY-R14
    zone = LOCATIONS[aim.table][row - 1]
    if aim.table is CydoniaTable.WEAPON and aim.weapon_table is CydoniaWeaponTable.EXAMPLE:
        zone = SWAPPED.get(zone, zone)  # CY-R13
    for term in bonuses:
        dice.note(term.rule, "location-bonus", code=term.code, value=term.value)
    if aim.table is CydoniaTable.WEAPON:
        dice.note("CY-R13", "weapon-table", weapon_table=aim.weapon_table)
    dice.note(
        "CY-53",
        "location",
        die=face,
        bonus=sum(term.value for term in bonuses),
        total=total,
        row=row,
        zone=zone,
    )
    return Landed(zone, total, row, bonuses)


def by_zone(landed: Landed) -> CydoniaZone:
    """Keep the zone: nothing that follows looks at the row."""
    return landed.zone


def effect_of(zone: CydoniaZone) -> CydoniaZoneEffect | None:
    """CY-57, CY-R17: the groin paralyzes, whatever strikes it."""
    if zone is not PARALYZING:
        return None
    return CydoniaZoneEffect(
        kind=CydoniaEffectKind.PARALYSIS,
        turns=PARALYSIS_TURNS,
        resistance=CydoniaAttribute.PHYSIQUE,
        difficulty=PARALYSIS_DIFFICULTY,
    )


def location_of(
    aim: Aim, landed: Landed, vital_zones: tuple[CydoniaZoneGroup, ...]
) -> CydoniaLocation:
    """Show where a blow landed and what the zone does."""
    zone = landed.zone
    group, side = ZONES[zone]
    extra = EXTRA_DICE.get((zone, aim.table))
    return CydoniaLocation(
        bonus=sum(term.value for term in landed.bonuses),
        bonuses=tuple(CydoniaModifier(code=term.code, value=term.value) for term in landed.bonuses),
        total=landed.total,
        row=landed.row,
        zone=zone,
        zone_group=group,
        body_side=side,
        vital=group in vital_zones,
        extra_dice=CydoniaExtraDice(count=extra.number, sides=extra.sides) if extra else None,
        effect=effect_of(zone),
        attack_modifier=called_modifier(zone, aim.table) if aim.called_zone else 0,
    )


def note_zone(aim: Aim, zone: CydoniaZone, dice: Dice, *, vital: bool) -> None:
    """Tell what a zone costs and does."""
    if aim.called_zone:
        price = called_modifier(zone, aim.table)
        dice.note("CY-55", "called-price", zone=zone, modifier=price)
    extra = EXTRA_DICE.get((zone, aim.table))
    if extra:
        dice.note("CY-56", "zone-dice", zone=zone, count=extra.number, sides=extra.sides)
    if zone is PARALYZING:
        dice.note("CY-57", "zone-effect", zone=zone, difficulty=PARALYSIS_DIFFICULTY)
    dice.note("CY-63", "vital", zone=zone, vital=vital)


def summary(outcome: CydoniaDamageLocationOutcome) -> str:
    return "called" if outcome.row is None else "located"


@resolver(
    "damage-location",
    rules=LOCATION_RULES,
    odds=("zone", "zone_group", "vital"),
    summary=summary,
)
def damage_location(
    request: CydoniaDamageLocationRequest, dice: Dice
) -> CydoniaDamageLocationOutcome:
    """Find the zone a blow strikes, by the die or by the attacker's choice."""
    aim = Aim(
        request.table,
        request.attacker_mounted,
        request.defender_mounted,
        request.called_zone,
        request.weapon_table,
        request.modifier,
    )
    landed = dice.sub(land, aim, request.margin, merge=by_zone)
    location = location_of(aim, landed, request.vital_zones)
    note_zone(aim, landed.zone, dice, vital=location.vital)
    return CydoniaDamageLocationOutcome(**dict(location))
