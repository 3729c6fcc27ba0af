"""Gross damage, protection, life points: rules CY-15, CY-56 to CY-63 and CY-76."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.formula import (
    ZONE_TAG,
    CydoniaFormula,
    Group,
    groups_of,
    roll_groups,
)
from arbitre.systems.cydonia.items import Boosted, CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse, required
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Attribute,
    CydoniaCriticals,
    CydoniaThreshold,
    CydoniaValue,
    Prepared,
    Rolled,
    Term,
    Turns,
    critical_faults,
    note_items,
    prepare,
    roll,
)
from arbitre.systems.cydonia.tables import (
    CONCENTRATION,
    EXTRA_DICE,
    PARALYSIS_DIFFICULTY,
    PARALYSIS_TURNS,
    PARALYZING,
    PRESETS,
    CydoniaModifierCode,
    CydoniaPreset,
    CydoniaTable,
    CydoniaZone,
)
from arbitre.systems.cydonia.target import (
    PROTECTION_RULES,
    RESISTING,
    WOUND_RULES,
    CydoniaTarget,
    Wounded,
    is_vital,
    protection_of,
    target_faults,
    wound,
)
from arbitre.systems.cydonia.versus import DIFFICULTY_RULES, Judging, judging, meets

WEAPON_TAG = "weapon"
Bonus = Annotated[int, Field(ge=-100, le=1000), WHOLE]
MountRunning = Annotated[int, Field(ge=0, le=100), WHOLE]

DAMAGE_RULES = (
    "CY-14", "CY-15", "CY-56", "CY-57", "CY-58", "CY-60", "CY-61", "CY-69", "CY-76",
    "CY-R09", "CY-R12", "CY-R17", "CY-R18", "CY-R19", "CY-R20",
    *PROTECTION_RULES, *WOUND_RULES, *DIFFICULTY_RULES, *TEST_RULES,
)  # fmt: skip


class CydoniaWeaponHit(StrEnum):
    WOUND = "wound"
    STOPPED = "stopped"


class CydoniaParalysis(Frozen):
    kind: Literal["paralysis"]
    """The target loses turns (CY-57)."""
    turns: int
    """How many."""
    difficulty: int
    """Difficulty of the resistance (CY-57)."""
    total: int | None
    """Total of the resistance; null where the target's is not known."""
    resisted: bool | None
    """Whether the target avoids it (CY-R20)."""


class CydoniaDamageRequest(CydoniaThreshold, Request):
    physique: Attribute | None = None
    """Physique of who strikes (CY-58)."""
    physique_items: Items = ()
    """Items that raise it (CY-14)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""
    add_physique: bool = True
    """Whether Physique is added; some weapons have no such term (CY-R24)."""
    weapon: CydoniaFormula | None = None
    """What the weapon adds (CY-58)."""
    preset: CydoniaPreset | None = None
    """A natural attack (CY-60, CY-61, CY-69)."""
    fixed_damage: Annotated[int, Field(ge=0, le=10_000), WHOLE] | None = None
    """Gross damage already known."""
    bonus: Bonus = 0
    """The game master's bonus or penalty."""
    concentration_turns: Turns = 0
    """Turns of concentration spent on the damage (CY-15)."""
    mount_running: MountRunning = 0
    """Running of the mount, in a charge (CY-76)."""
    table: CydoniaTable | None = None
    """Table whose zone dice apply; the natural attack's own when it is not given (CY-56)."""
    zone: CydoniaZone | None = None
    """Zone struck; none for falls, traps and the like."""
    zone_dice: bool = True
    """Whether the zone's extra dice are rolled (CY-56)."""
    vital: bool | None = None
    """Whether 0 life points mean death; null follows the zone (CY-63, CY-R22)."""
    weapon_hit: CydoniaWeaponHit = CydoniaWeaponHit.WOUND
    """Whether a blow on the weapon wounds (CY-R12)."""
    target: CydoniaTarget | None = None
    """Who is struck."""


class CydoniaDamageOutcome(Outcome):
    gross: int
    """Damage before protection (CY-58)."""
    protection: int
    """Protection that counts for the zone (CY-59)."""
    damage: int
    """Damage taken (CY-58)."""
    zone: CydoniaZone | None
    """Zone struck."""
    vital: bool
    """Whether 0 life points mean death (CY-63)."""
    weapon_hit: bool
    """Whether the blow strikes the weapon (CY-R12)."""
    hp_before: int | None
    """Life points before the blow."""
    target: CydoniaTarget | None
    """The target after it; null where its life points are not tracked."""
    excess: int
    """Damage beyond 0 life points (CY-R22)."""
    killed: bool
    """Whether this blow kills (CY-62)."""
    downed: bool
    """Whether this blow leaves the target dying (CY-62)."""
    effects: tuple[CydoniaParalysis, ...]
    """What the zone does besides (CY-57)."""
    paralyzed: bool | None
    """Whether the target is paralyzed; null where its resistance is not known."""


class Blow(NamedTuple):
    """All that gross damage is made of, except the zone."""

    physique: Boosted | None
    flat: int
    groups: tuple[Group, ...]
    terms: tuple[Term, ...]
    fixed: int | None
    table: CydoniaTable | None
    """Table whose zone dice apply; none where they never do."""
    weapon_hit: CydoniaWeaponHit
    preset: CydoniaPreset | None = None


class Hurt(NamedTuple):
    """What a blow does."""

    gross: int
    protection: int
    damage: int


class Resisted(NamedTuple):
    """How the target stood a blow to the groin."""

    total: int | None
    resisted: bool | None


def weapon_terms(bonus: int, concentration_turns: int, mount_running: int = 0) -> tuple[Term, ...]:
    """CY-58: what is added to a weapon's damage."""
    code = CydoniaModifierCode
    terms = (
        Term("CY-58", code.MODIFIER, bonus),
        Term("CY-15", code.CONCENTRATION_DAMAGE, CONCENTRATION * concentration_turns),
        Term("CY-76", code.MOUNT_CHARGE, mount_running),  # CY-R38: before protection
    )
    return tuple(term for term in terms if term.value)


def weapon_blow(
    formula: CydoniaFormula | None,
    preset: CydoniaPreset | None,
    physique: Boosted | None,
    terms: tuple[Term, ...],
    table: CydoniaTable,
    weapon_hit: CydoniaWeaponHit,
) -> Blow:
    """CY-58, CY-60: a weapon's formula, or the dice of a natural attack."""
    flat = 0
    groups: tuple[Group, ...] = ()
    zone_table: CydoniaTable | None = table
    if formula is not None:
        flat, groups = formula.flat, groups_of(formula, WEAPON_TAG)
    elif preset is not None:
        groups = tuple(Group(WEAPON_TAG, dice) for dice in PRESETS[preset].dice)
        zone_table = table if PRESETS[preset].table else None  # CY-69
    return Blow(physique, flat, groups, terms, None, zone_table, weapon_hit, preset)


def zone_groups(blow: Blow, zone: CydoniaZone | None) -> tuple[Group, ...]:
    """CY-56: the extra dice of a zone, in the attack's own table."""
    extra = EXTRA_DICE.get((zone, blow.table)) if zone and blow.table else None
    return (Group(ZONE_TAG, extra),) if extra else ()


def is_stopped(blow: Blow, zone: CydoniaZone | None) -> bool:
    """CY-R12: the weapon takes the blow, where the table reads it so."""
    return zone is CydoniaZone.WEAPON and blow.weapon_hit is CydoniaWeaponHit.STOPPED


def hurt(blow: Blow, zone: CydoniaZone | None, target: CydoniaTarget | None, dice: Dice) -> Hurt:
    """CY-58, CY-59: Physique, weapon, bonuses and zone dice, less the protection."""
    extra = zone_groups(blow, zone)
    sums = roll_groups((*blow.groups, *extra), dice)  # CY-R19: zone dice are gross damage
    physique = blow.physique.effective if blow.physique else 0
    bonuses = sum(term.value for term in blow.terms)
    own = physique + blow.flat if blow.fixed is None else blow.fixed
    gross = own + bonuses + sums.own + sums.zone
    _note_gross(blow, sums.own, sums.zone, gross, dice)
    if extra:
        dice.note("CY-56", "zone-dice-rolled", zone=zone, dice=sums.zone)
    if zone is CydoniaZone.WEAPON:
        dice.note("CY-R12", "weapon-hit", weapon_hit=blow.weapon_hit)
    protection = protection_of(target, zone)
    stopped = is_stopped(blow, zone)
    damage = 0 if stopped else max(0, gross - protection)  # CY-R24
    dice.note("CY-59", "net", gross=gross, protection=protection, damage=damage, stopped=stopped)
    return Hurt(gross, protection, damage)


def _note_gross(blow: Blow, weapon: int, zone: int, gross: int, dice: Dice) -> None:
    if blow.physique and blow.physique.items:
        note_items(CydoniaValue.ATTRIBUTE, blow.physique, dice)
    for term in blow.terms:
        dice.note(term.rule, "damage-modifier", code=term.code, value=term.value)
    if blow.fixed is not None:
        dice.note("CY-58", "fixed-damage", known=blow.fixed, zone=zone, gross=gross)
        return
    dice.note(
        PRESETS[blow.preset].rule if blow.preset else "CY-58",
        "gross",
        physique=blow.physique.effective if blow.physique else 0,
        flat=blow.flat,
        dice=weapon,
        zone=zone,
        bonuses=sum(term.value for term in blow.terms),
        gross=gross,
    )


def resistance_of(target: CydoniaTarget | None, options: CydoniaCriticals) -> Prepared | None:
    """Return the target's physical resistance ready to roll, where it is known."""
    if target is None or target.resistance is None:
        return None
    return prepare(target.resistance, RESISTING, options)


def stand(resistance: Prepared, options: Judging, dice: Dice) -> Resisted:
    """CY-57, CY-R20: physical resistance of 25 avoids paralysis."""
    rolled: Rolled = roll(resistance, dice)
    resisted = meets(rolled, PARALYSIS_DIFFICULTY, options, dice)
    dice.note("CY-57", "paralysis", resisted=resisted, turns=0 if resisted else PARALYSIS_TURNS)
    return Resisted(rolled.total, resisted)


def by_resisted(found: Resisted) -> bool | None:
    """Keep whether it was resisted."""
    return found.resisted


def paralyze(
    zone: CydoniaZone | None, resistance: Prepared | None, options: Judging, dice: Dice
) -> tuple[CydoniaParalysis, ...]:
    """CY-57: a blow to the groin, even one that the armor stops."""
    if zone is not PARALYZING:
        return ()
    found = Resisted(None, None)
    if resistance is None:
        dice.note("CY-57", "paralysis-unknown", difficulty=PARALYSIS_DIFFICULTY)
    else:
        found = dice.sub(stand, resistance, options, merge=by_resisted)
    return (
        CydoniaParalysis(
            kind="paralysis",
            turns=PARALYSIS_TURNS,
            difficulty=PARALYSIS_DIFFICULTY,
            total=found.total,
            resisted=found.resisted,
        ),
    )


def is_paralyzed(effects: tuple[CydoniaParalysis, ...]) -> bool | None:
    """Say whether one turn is lost; null where nobody knows."""
    if not effects:
        return False
    resisted = effects[0].resisted
    return None if resisted is None else not resisted


def _faults(request: CydoniaDamageRequest) -> Faults:
    fixed = request.fixed_damage is not None
    adds = request.add_physique and not fixed
    yield from required(request.physique, "/physique", when=adds)
    for field in ("physique", "physique_items", "bonus", "concentration_turns", "mount_running"):
        given = getattr(request, field) not in (None, 0, ())
        yield from excluded(fixed and given, f"/{field}", "fixed_damage")
    yield from critical_faults(request)
    yield from target_faults(request.target)
    sources = (request.weapon, request.preset, request.fixed_damage)
    if sum(source is not None for source in sources) != 1:
        yield RuleRefused("one-damage-source", pointer="/weapon", rule="CY-58")


def _blow(request: CydoniaDamageRequest) -> Blow:
    preset = request.preset
    own = PRESETS[preset].table if preset else None
    table = request.table or own or CydoniaTable.WEAPON
    physique = None
    if request.add_physique and request.physique is not None:
        physique = boost(request.physique, request.physique_items, request.item_policy)
    terms = weapon_terms(request.bonus, request.concentration_turns, request.mount_running)
    blow = weapon_blow(request.weapon, preset, physique, terms, table, request.weapon_hit)
    if request.fixed_damage is not None:
        blow = blow._replace(fixed=request.fixed_damage)
    return blow if request.zone_dice else blow._replace(table=None)


def told(killed: bool, downed: bool) -> Iterator[str]:
    """Name the sentences of a wound."""
    if killed:
        yield "killed"
    if downed:
        yield "downed"


def summary(outcome: CydoniaDamageOutcome) -> tuple[str, ...]:
    paralyzed = ("paralyzed",) if outcome.paralyzed else ()
    return ("hurt", *told(outcome.killed, outcome.downed), *paralyzed)


@resolver(
    "damage",
    rules=DAMAGE_RULES,
    odds=("damage", "gross", "target.hp", "killed", "downed", "paralyzed"),
    summary=summary,
)
def damage(request: CydoniaDamageRequest, dice: Dice) -> CydoniaDamageOutcome:
    """Work out what a blow does: gross damage, protection, life points, death or dying."""
    refuse(_faults(request))
    target, zone = request.target, request.zone
    found = hurt(_blow(request), zone, target, dice)
    vital = is_vital(target, zone, request.vital)
    wounded: Wounded = wound(target, found.damage, dice, vital=vital)
    effects = paralyze(zone, resistance_of(target, request), judging(request), dice)
    tracked = target is not None and target.hp is not None
    return CydoniaDamageOutcome(
        gross=found.gross,
        protection=found.protection,
        damage=found.damage,
        zone=zone,
        vital=vital,
        weapon_hit=zone is CydoniaZone.WEAPON,
        hp_before=target.hp if target else None,
        target=wounded.target if tracked else None,
        excess=wounded.excess,
        killed=wounded.killed,
        downed=wounded.downed,
        effects=effects,
        paralyzed=is_paralyzed(effects),
    )
