"""A whole blow: rules CY-03, CY-07, CY-16, CY-20, CY-48 to CY-63, CY-65, CY-66 and CY-98."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.damage import (
    DAMAGE_RULES,
    Blow,
    Bonus,
    CydoniaParalysis,
    CydoniaWeaponHit,
    Hurt,
    hurt,
    is_paralyzed,
    paralyze,
    resistance_of,
    told,
    weapon_blow,
    weapon_terms,
)
from arbitre.systems.cydonia.damage_location import (
    LOCATION_RULES,
    Aim,
    CydoniaLocation,
    Landed,
    by_zone,
    land,
    location_of,
    note_zone,
)
from arbitre.systems.cydonia.formula import CydoniaFormula
from arbitre.systems.cydonia.items import Items, boost
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse, required
from arbitre.systems.cydonia.side import (
    MOST_TURNS,
    TEST_RULES,
    Asked,
    Attribute,
    CydoniaActor,
    CydoniaActorKind,
    CydoniaOpponent,
    CydoniaRole,
    CydoniaSideKind,
    CydoniaTest,
    CydoniaThreshold,
    Difficulty,
    Prepared,
    Rolled,
    Skill,
    Term,
    Turns,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.stun import STUN_RULES, Knock, by_standing, decayed, endure
from arbitre.systems.cydonia.tables import (
    BARE,
    CONCENTRATING_DEFENSE,
    MEANS_SKILLS,
    METHOD_SKILLS,
    MOST_LOCATION_MARGIN,
    PRESETS,
    VITAL,
    CydoniaMeans,
    CydoniaMethod,
    CydoniaModifierCode,
    CydoniaNature,
    CydoniaTable,
    CydoniaWeaponTable,
    CydoniaZone,
    allowed_means,
    called_modifier,
)
from arbitre.systems.cydonia.target import (
    CydoniaTarget,
    Wounded,
    is_vital,
    target_faults,
    wound,
)
from arbitre.systems.cydonia.versus import (
    VERSUS_RULES,
    CydoniaWinner,
    Judging,
    Verdict,
    compare,
    judging,
    meets,
)

ATTACK_RULES = (
    *TEST_RULES, *VERSUS_RULES, *LOCATION_RULES, *DAMAGE_RULES, *STUN_RULES,
    "CY-16", "CY-48", "CY-49", "CY-50", "CY-51", "CY-52", "CY-65", "CY-80", "CY-98",
    "CY-R39", "CY-R41", "CY-R61", "CY-R62", "CY-R63", "CY-R64",
)  # fmt: skip


class CydoniaStunning(Frozen):
    kind: Literal["stun"]
    """The target may be knocked out (CY-66)."""
    total: int
    """Total of its physical resistance."""
    difficulty: int
    """Number to exceed: the damage taken (CY-R25)."""
    stunned: bool
    """Whether it is out."""
    next_difficulty: int | None
    """Number to exceed on the next turn (CY-67); null for someone who stands."""


class CydoniaAttackRequest(CydoniaThreshold, Request):
    attacker: CydoniaActor
    """Who strikes (CY-49)."""
    method: CydoniaMethod = CydoniaMethod.WEAPON
    """With what."""
    nature: CydoniaNature = CydoniaNature.PHYSICAL
    """What kind of attack it is (CY-49 to CY-52)."""
    attacker_mounted: bool = False
    """Whether the attacker rides (CY-73)."""
    attacker_riding: Skill = 0
    """Riding of a mounted attacker, added to the attack (CY-73)."""
    attacker_riding_items: Items = ()
    """Items that raise it (CY-14)."""
    called_zone: CydoniaZone | None = None
    """Zone the attacker names (CY-55)."""
    defender: CydoniaOpponent | None = None
    """Who defends; nobody with means none (CY-98)."""
    means: CydoniaMeans | None = None
    """How; the usual defense against such an attack when it is not given (CY-49)."""
    difficulty: Difficulty | None = None
    """Number to reach where nobody defends (CY-98)."""
    defender_mounted: bool = False
    """Whether the defender rides (CY-74)."""
    concentrating: bool = False
    """Whether the defender is concentrating (CY-16)."""
    locate: bool | None = None
    """Whether a zone is rolled; null: yes, except for spells, immaterial and mental ones."""
    table: CydoniaTable | None = None
    """Location table; the method's own when it is not given (CY-53)."""
    weapon_table: CydoniaWeaponTable = CydoniaWeaponTable.PRINTED
    """Which of throat and head is row 18 of the weapon table (CY-R13)."""
    weapon_hit: CydoniaWeaponHit = CydoniaWeaponHit.WOUND
    """Whether a blow on the weapon wounds (CY-R12)."""
    physique: Attribute | None = None
    """Physique added to the damage; with bare hands, the attacker's own (CY-58, CY-60)."""
    physique_items: Items = ()
    """Items that raise it (CY-14)."""
    add_physique: bool = True
    """Whether Physique is added to the damage (CY-R24)."""
    weapon: CydoniaFormula | None = None
    """What the weapon adds; no damage is worked out without it, except with bare hands."""
    bonus: Bonus = 0
    """The game master's bonus or penalty to the damage."""
    damage_concentration_turns: Turns = 0
    """Turns of concentration spent on the damage (CY-15)."""
    vital: bool | None = None
    """Whether 0 life points mean death; null follows the zone (CY-63)."""
    stun: bool = False
    """Whether a blow to the head is meant to stun (CY-66)."""
    target: CydoniaTarget | None = None
    """Who is struck."""


class CydoniaAttackOutcome(Outcome):
    a: CydoniaTest
    """The attack."""
    b: CydoniaTest | None
    """The defense; null where nobody defends."""
    hit: bool
    """Whether the blow lands."""
    winner: CydoniaWinner
    """Who wins (CY-03)."""
    success: bool
    """The same as hit."""
    margin: int
    """Attack less defense, or less the difficulty."""
    location: CydoniaLocation | None
    """Where the blow lands; null on a miss or where no zone is looked for."""
    gross: int | None
    """Damage before protection (CY-58); null where none is worked out."""
    protection: int | None
    """Protection that counts (CY-59)."""
    damage: int | None
    """Damage taken; 0 on a miss, null where none is worked out."""
    target: CydoniaTarget | None
    """The target afterwards; null where its life points are not tracked."""
    killed: bool
    """Whether the blow kills (CY-62)."""
    downed: bool
    """Whether the blow leaves the target dying (CY-62)."""
    excess: int
    """Damage beyond 0 life points (CY-R22)."""
    effects: tuple[Annotated[CydoniaParalysis | CydoniaStunning, Field(discriminator="kind")], ...]
    """Paralysis and stun (CY-57, CY-66)."""
    paralyzed: bool | None
    """Whether the target is paralyzed; null where its resistance is not known."""
    stunned: bool
    """Whether the target is knocked out (CY-66)."""
    concentration_lost: bool
    """Whether the defender's concentration is broken (CY-16)."""


class Exchange(NamedTuple):
    """An attack and the defense against it, before anything is rolled."""

    attack: Prepared
    defense: Prepared | None
    difficulty: int
    judging: Judging


class Exchanged(NamedTuple):
    """What became of it."""

    a: Rolled
    b: Rolled
    """The defense, or the number that stands for it."""
    verdict: Verdict


class Plan(NamedTuple):
    """A whole blow, before anything is rolled."""

    exchange: Exchange
    aim: Aim | None
    """How the zone is found; none where no zone is looked for."""
    blow: Blow | None
    """What the damage is made of; none where none is worked out."""
    target: CydoniaTarget | None
    vital: bool | None
    stun: bool
    resistance: Prepared | None


class Struck(NamedTuple):
    """All a blow leaves: the exchange, the zone, the damage and what it does."""

    exchanged: Exchanged
    landed: Landed | None
    hurt: Hurt | None
    wounded: Wounded
    paralysis: tuple[CydoniaParalysis, ...]
    knock: Knock | None


def means_of(request: CydoniaAttackRequest) -> CydoniaMeans:
    """CY-49: the defense named, or the usual one."""
    usual = allowed_means(request.method, request.nature, mounted=request.defender_mounted)
    return request.means or usual[0]


def table_of(request: CydoniaAttackRequest) -> CydoniaTable:
    """CY-53: bare hands, claws and teeth have a table of their own."""
    own = CydoniaTable.UNARMED if request.method in BARE else CydoniaTable.WEAPON
    return request.table or own


def asked_attack(request: CydoniaAttackRequest) -> Asked:
    """CY-55, CY-61, CY-73: what the attack roll is made with, and what it costs."""
    code = CydoniaModifierCode
    zone, preset = request.called_zone, BARE.get(request.method)
    riding = boost(
        request.attacker_riding, request.attacker_riding_items, request.attacker.item_policy
    )
    called = called_modifier(zone, table_of(request)) if zone else 0
    terms = (
        Term("CY-55", code.CALLED_SHOT, called),
        Term("CY-61", code.TEETH, PRESETS[preset].modifier if preset else 0),  # CY-R41
        Term("CY-73", code.RIDING, riding.effective if request.attacker_mounted else 0),  # CY-R39
    )
    return Asked(CydoniaRole.ATTACKER, METHOD_SKILLS.get(request.method), terms=terms)


def asked_defense(means: CydoniaMeans, *, concentrating: bool) -> Asked:
    """CY-16, CY-49, CY-52: what the defense is rolled with."""
    skill = MEANS_SKILLS.get(means)
    kind = CydoniaSideKind.SKILL if skill else CydoniaSideKind(means.value)
    active = concentrating and skill is not None  # CY-R26: not to resistances
    term = Term(
        "CY-16",
        CydoniaModifierCode.CONCENTRATING_DEFENSE,
        CONCENTRATING_DEFENSE if active else 0,
    )
    return Asked(CydoniaRole.DEFENDER, skill, kind, (term,))


def locates(request: CydoniaAttackRequest) -> bool:
    """CY-52, CY-R64: whether a zone is looked for."""
    if request.locate is not None:
        return request.locate
    bodily = request.nature in (CydoniaNature.PHYSICAL, CydoniaNature.AREA)
    return bodily and request.method is not CydoniaMethod.SPELL


def hurts(request: CydoniaAttackRequest) -> bool:
    """CY-60, CY-R63: damage is worked out with a weapon's formula or with bare hands."""
    return request.weapon is not None or request.method in BARE


def attack_faults(request: CydoniaAttackRequest, pointer: str = "") -> Faults:
    """Say all that the rules refuse in a blow."""
    means = means_of(request)
    undefended = means is CydoniaMeans.NONE
    attacker, defender = request.attacker, request.defender
    fixed = attacker.kind is CydoniaActorKind.FIXED
    yield from required(defender, f"{pointer}/defender", when=not undefended)
    yield from required(request.difficulty, f"{pointer}/difficulty", when=undefended)
    own_physique = request.method in BARE and not fixed
    needs = hurts(request) and request.add_physique and not own_physique
    yield from required(request.physique, f"{pointer}/physique", when=needs)
    yield from excluded(undefended and defender is not None, f"{pointer}/defender", "means")
    given = request.difficulty is not None
    yield from excluded(not undefended and given, f"{pointer}/difficulty", "means")
    armed = request.method in BARE and request.weapon is not None
    yield from excluded(armed, f"{pointer}/weapon", "method")
    unlocated = request.locate is False and request.called_zone is not None
    yield from excluded(unlocated, f"{pointer}/called_zone", "locate")
    yield from side_faults(attacker, asked_attack(request), f"{pointer}/attacker")
    if defender is not None and not undefended:
        asked = asked_defense(means, concentrating=request.concentrating)
        yield from side_faults(defender, asked, f"{pointer}/defender")
    yield from critical_faults(request, pointer)
    yield from target_faults(request.target, f"{pointer}/target")
    yield from _own_faults(request, means, pointer)


def _own_faults(request: CydoniaAttackRequest, means: CydoniaMeans, pointer: str) -> Faults:
    allowed = allowed_means(request.method, request.nature, mounted=request.defender_mounted)
    if means not in allowed:
        yield RuleRefused(
            "defense-not-allowed",
            pointer=f"{pointer}/means",
            rule="CY-49",
            means=means,
            allowed=allowed,
        )
    turns = request.attacker.concentration_turns + request.damage_concentration_turns
    if turns > MOST_TURNS:
        yield RuleRefused(
            "concentration-exceeded",
            pointer=f"{pointer}/damage_concentration_turns",
            rule="CY-15",
            stored=False,
            turns=MOST_TURNS,
        )
    if request.stun and (request.target is None or request.target.resistance is None):
        yield RuleRefused("resistance-required", pointer=f"{pointer}/target", rule="CY-66")
    rides = request.attacker_riding or request.attacker_riding_items
    if rides and not request.attacker_mounted:
        yield RuleRefused("riding-needs-mount", pointer=f"{pointer}/attacker_riding", rule="CY-73")
    bodiless = request.nature in (CydoniaNature.IMMATERIAL, CydoniaNature.MENTAL)
    if request.called_zone and bodiless:
        yield RuleRefused(
            "called-zone-needs-location", pointer=f"{pointer}/called_zone", rule="CY-52"
        )


def exchange_of(request: CydoniaAttackRequest) -> Exchange:
    """Make attack and defense ready to roll."""
    means = means_of(request)
    defense = None
    if request.defender is not None:
        asked = asked_defense(means, concentrating=request.concentrating)
        defense = prepare(request.defender, asked, request)
    attack = prepare(request.attacker, asked_attack(request), request)
    return Exchange(attack, defense, request.difficulty or 0, judging(request))


def exchange_blows(exchange: Exchange, dice: Dice) -> Exchanged:
    """CY-03, CY-49: attack against defense; CY-98: against a number where nobody defends."""
    a: Rolled = roll(exchange.attack, dice)
    if exchange.defense is None:
        success = meets(a, exchange.difficulty, exchange.judging, dice)
        winner = CydoniaWinner.A if success else CydoniaWinner.B
        number = Rolled(exchange.difficulty, None, None)  # CY-R62
        return Exchanged(a, number, Verdict(winner, a.total - number.total))
    b: Rolled = roll(exchange.defense, dice)
    return Exchanged(a, b, compare(a, b, exchange.judging.critical_policy, dice))


def location_margin(exchanged: Exchanged) -> int:
    """CY-54, CY-R04, CY-R16: what the margin can add, whatever the defense."""
    return min(MOST_LOCATION_MARGIN, max(0, exchanged.verdict.margin))


def by_location_margin(exchanged: Exchanged) -> tuple[bool, int]:
    """Keep whether the blow lands, and the margin as far as it counts."""
    return exchanged.verdict.success, location_margin(exchanged)


def blow_of(request: CydoniaAttackRequest, mount_running: int = 0) -> Blow | None:
    """CY-58, CY-60: what the damage is made of; none where none is worked out."""
    if not hurts(request):
        return None
    preset = BARE.get(request.method)
    value, items = request.physique, request.physique_items
    if preset and value is None:
        value, items = request.attacker.attribute, items or request.attacker.attribute_items
    physique = None
    if request.add_physique and value is not None:
        physique = boost(value, items, request.attacker.item_policy)
    terms = weapon_terms(request.bonus, request.damage_concentration_turns, mount_running)
    return weapon_blow(
        request.weapon, preset, physique, terms, table_of(request), request.weapon_hit
    )


def plan_of(request: CydoniaAttackRequest, mount_running: int = 0) -> Plan:
    """Make a whole blow ready."""
    located = request.called_zone is not None or locates(request)
    return Plan(
        exchange_of(request),
        aim_of(request) if located else None,
        blow_of(request, mount_running),
        request.target,
        request.vital,
        request.stun,
        resistance_of(request.target, request),
    )


def aim_of(request: CydoniaAttackRequest) -> Aim:
    """Say how the zone is found."""
    return Aim(
        table_of(request),
        request.attacker_mounted,
        request.defender_mounted,
        request.called_zone,
        request.weapon_table,
    )


def strike(plan: Plan, dice: Dice) -> Struck:
    """CY-48: exchange, zone, damage, protection, life points, death or dying."""
    target = plan.target
    exchanged = dice.sub(exchange_blows, plan.exchange, merge=by_location_margin)
    if not exchanged.verdict.success:
        nothing = Hurt(0, 0, 0) if plan.blow else None
        return Struck(exchanged, None, nothing, Wounded(target), (), None)
    landed, zone = None, None
    if plan.aim:
        landed = dice.sub(land, plan.aim, location_margin(exchanged), merge=by_zone)
        zone = landed.zone
        note_zone(plan.aim, zone, dice, vital=is_vital(target, zone, None))
    found = hurt(plan.blow, zone, target, dice) if plan.blow else None
    damage = found.damage if found else 0
    wounded = Wounded(target)
    if found:
        wounded = wound(target, damage, dice, vital=is_vital(target, zone, plan.vital))
    judging_ = plan.exchange.judging
    paralysis = paralyze(zone, plan.resistance, judging_, dice)
    knock = None
    if plan.stun and zone is CydoniaZone.HEAD and damage and plan.resistance:  # CY-66, CY-R25
        policy = judging_.critical_policy
        knock = dice.sub(endure, plan.resistance, damage, policy, merge=by_standing)
    return Struck(exchanged, landed, found, wounded, paralysis, knock)


class LocationView(NamedTuple):
    """The zone of a blow, for the odds."""

    zone: CydoniaZone


class TargetView(NamedTuple):
    """The life points of a target, for the odds."""

    hp: int


class AttackView(NamedTuple):
    """What the odds tell of a blow."""

    hit: bool
    location: LocationView | None
    damage: int | None
    target: TargetView | None
    killed: bool
    downed: bool
    stunned: bool
    paralyzed: bool | None


def attack_view(plan: Plan, dice: Dice) -> AttackView:
    """Strike, and keep what the odds tell: must agree with ``outcome_of``."""
    struck = strike(plan, dice)
    target = struck.wounded.target
    return AttackView(
        hit=struck.exchanged.verdict.success,
        location=LocationView(struck.landed.zone) if struck.landed else None,
        damage=struck.hurt.damage if struck.hurt else None,
        target=None if target is None or target.hp is None else TargetView(target.hp),
        killed=struck.wounded.killed,
        downed=struck.wounded.downed,
        stunned=struck.knock is not None and not struck.knock.stands,
        paralyzed=is_paralyzed(struck.paralysis),
    )


def stunning_of(knock: Knock, damage: int) -> CydoniaStunning:
    """Show a test against being knocked out."""
    return CydoniaStunning(
        kind="stun",
        total=knock.rolled.total,
        difficulty=damage,
        stunned=not knock.stands,
        next_difficulty=None if knock.stands else decayed(damage),
    )


def outcome_of(
    request: CydoniaAttackRequest, plan: Plan, struck: Struck, dice: Dice
) -> CydoniaAttackOutcome:
    """Show a whole blow."""
    exchange, exchanged, verdict = plan.exchange, struck.exchanged, struck.exchanged.verdict
    location = None
    if plan.aim and struck.landed:
        vital_zones = request.target.vital_zones if request.target else VITAL
        location = location_of(plan.aim, struck.landed, vital_zones)
    lost = request.concentrating and verdict.success  # CY-16
    if lost:
        dice.note("CY-16", "concentration-lost")
    found, knock, target = struck.hurt, struck.knock, request.target
    effects: tuple[CydoniaParalysis | CydoniaStunning, ...] = struck.paralysis
    if knock and found:
        effects = (*effects, stunning_of(knock, found.damage))
    return CydoniaAttackOutcome(
        a=shown(exchange.attack, exchanged.a),
        b=shown(exchange.defense, exchanged.b) if exchange.defense else None,
        hit=verdict.success,
        winner=CydoniaWinner.A if verdict.success else CydoniaWinner.B,
        success=verdict.success,
        margin=verdict.margin,
        location=location,
        gross=found.gross if found else None,
        protection=found.protection if found else None,
        damage=found.damage if found else None,
        target=struck.wounded.target if target is not None and target.hp is not None else None,
        killed=struck.wounded.killed,
        downed=struck.wounded.downed,
        excess=struck.wounded.excess,
        effects=effects,
        paralyzed=is_paralyzed(struck.paralysis),
        stunned=knock is not None and not knock.stands,
        concentration_lost=lost,
    )


def summary(outcome: CydoniaAttackOutcome) -> tuple[str, ...]:
    if not outcome.hit:
        return ("missed",)
    keys = ["hit"]
    if outcome.location:
        keys.append("hit-zone")
    if outcome.damage is not None:
        keys.append("hit-damage")
    keys += told(outcome.killed, outcome.downed)
    keys += [key for key in ("paralyzed", "stunned") if getattr(outcome, key)]
    return tuple(keys)


ATTACK_ODDS = (
    "hit", "location.zone", "damage", "target.hp", "killed", "downed", "stunned", "paralyzed",
)  # fmt: skip


def views(request: CydoniaAttackRequest) -> tuple[Callable[[Dice], object], ...]:
    """Look at the blow itself, prepared once."""
    refuse(attack_faults(request))
    return (partial(attack_view, plan_of(request)),)


@resolver("attack", rules=ATTACK_RULES, odds=ATTACK_ODDS, summary=summary, views=views)
def attack(request: CydoniaAttackRequest, dice: Dice) -> CydoniaAttackOutcome:
    """Resolve a blow from the attack roll to death or dying."""
    refuse(attack_faults(request))
    echo_criticals(request, dice)
    plan = plan_of(request)
    return outcome_of(request, plan, strike(plan, dice), dice)
