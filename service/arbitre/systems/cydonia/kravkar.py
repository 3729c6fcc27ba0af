"""The Orks' chained bare-hand actions: rules CY-54, CY-55, CY-60, CY-68 and CY-69."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice, Distribution
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cydonia.attack import (
    Exchange,
    Exchanged,
    asked_defense,
    by_location_margin,
    exchange_blows,
    location_margin,
)
from arbitre.systems.cydonia.damage import (
    DAMAGE_RULES,
    CydoniaParalysis,
    CydoniaWeaponHit,
    Hurt,
    hurt,
    paralyze,
    resistance_of,
    told,
    weapon_blow,
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
from arbitre.systems.cydonia.items import Boosted, boost
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse, required
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    Attribute,
    CydoniaActor,
    CydoniaActorKind,
    CydoniaOpponent,
    CydoniaRole,
    CydoniaTest,
    CydoniaThreshold,
    Prepared,
    Term,
    critical_faults,
    echo_criticals,
    people_faults,
    prepare,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import (
    CHAIN,
    VITAL,
    CydoniaMeans,
    CydoniaModifierCode,
    CydoniaPeople,
    CydoniaPreset,
    CydoniaSkill,
    CydoniaTable,
    CydoniaWeaponTable,
    CydoniaZone,
    called_modifier,
)
from arbitre.systems.cydonia.target import CydoniaTarget, Wounded, is_vital, target_faults, wound
from arbitre.systems.cydonia.versus import VERSUS_RULES, judging

SKILL = CydoniaSkill.UNARMED


class CydoniaKravkarAction(StrEnum):
    STRIKE = "strike"
    GRAB = "grab"
    THROW = "throw"
    SLAM = "slam"


class CydoniaParry(StrEnum):
    """How bare hands are answered (CY-51)."""

    DODGE = "dodge"
    SHIELD = "shield"
    UNARMED = "unarmed"


class CydoniaChainEnd(StrEnum):
    FAILURE = "failure"
    LIST_END = "list_end"
    TARGET_DEAD = "target_dead"


class CydoniaChainAction(Frozen):
    type: CydoniaKravkarAction
    """What the fighter does (CY-69)."""
    called_zone: CydoniaZone | None = None
    """Zone a strike names (CY-55)."""
    zone: CydoniaZone | None = None
    """Part of the body that a slam hits, freely chosen (CY-R48)."""


class CydoniaKravkarRequest(CydoniaThreshold, Request):
    attacker: CydoniaActor
    """The fighter (CY-68)."""
    defender: CydoniaOpponent
    """The opponent."""
    means: CydoniaParry = CydoniaParry.DODGE
    """How the opponent defends (CY-R48)."""
    actions: Annotated[tuple[CydoniaChainAction, ...], Field(min_length=1, max_length=20)]
    """What the fighter means to do, in order."""
    held: bool = False
    """Whether the opponent is already held."""
    physique: Attribute | None = None
    """Physique of the fighter; the attribute of the attack when it is not given (CY-60)."""
    locate: bool = True
    """Whether the zone of a strike is rolled."""
    concentrating: bool = False
    """Whether the opponent is concentrating (CY-16)."""
    target: CydoniaTarget | None = None
    """The opponent's life points and armor."""


class CydoniaKravkarStep(Frozen):
    index: int
    """Number of the action."""
    type: CydoniaKravkarAction
    """What it was."""
    penalty: int
    """What the chain costs its roll (CY-68)."""
    a: CydoniaTest
    """The attack."""
    b: CydoniaTest
    """The defense."""
    margin: int
    """Attack less defense."""
    success: bool
    """Whether it succeeds."""
    location: CydoniaLocation | None
    """Where a strike lands."""
    damage: int
    """Damage taken (CY-69)."""
    effects: tuple[CydoniaParalysis, ...]
    """What the zone does besides (CY-57)."""
    target: CydoniaTarget | None
    """The opponent afterwards; null where life points are not tracked."""


class CydoniaKravkarOutcome(Outcome):
    steps: tuple[CydoniaKravkarStep, ...]
    """The actions that were tried."""
    chain_length: int
    """How many succeeded (CY-68)."""
    total_damage: int
    """Damage of all of them."""
    killed: bool
    """Whether the opponent dies (CY-62)."""
    downed: bool
    """Whether the opponent is left dying (CY-62)."""
    held: bool
    """Whether the opponent is held at the end (CY-69)."""
    target: CydoniaTarget | None
    """The opponent afterwards; null where life points are not tracked."""
    ended_by: CydoniaChainEnd
    """Why the chain ends (CY-68)."""
    concentration_lost: bool
    """Whether the opponent's concentration is broken (CY-16)."""


class CydoniaChainChance(Frozen):
    index: int
    """Number of the action."""
    alone: Exact
    """Chance that it succeeds, once it is reached."""
    reached: Exact
    """Chance that the chain is at least that long, death set aside."""


class CydoniaChainChances(Frozen):
    actions: tuple[CydoniaChainChance, ...]
    """Each action of the list."""


class Task(NamedTuple):
    """One action, ready to be rolled."""

    number: int
    type: CydoniaKravkarAction
    exchange: Exchange
    defense: Prepared
    aim: Aim | None
    physique: Boosted
    zone: CydoniaZone | None
    target: CydoniaTarget | None
    resistance: Prepared | None


class Acted(NamedTuple):
    """What one action did, whatever came before it."""

    exchanged: Exchanged
    landed: Landed | None = None
    hurt: Hurt | None = None
    vital: bool = False
    effects: tuple[CydoniaParalysis, ...] = ()


class Done(NamedTuple):
    """An action and the opponent after it."""

    acted: Acted
    target: CydoniaTarget | None


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain so far; two are equal that the rest of it and the odds cannot tell apart."""

    target: CydoniaTarget | None = field(compare=False)
    held: bool = field(compare=False)
    done: tuple[Done, ...] = field(default=(), compare=False)
    hp: int | None = None
    length: int = 0
    damage: int = 0
    killed: bool = False
    downed: bool = False
    ended: CydoniaChainEnd = CydoniaChainEnd.LIST_END


def felt(acted: Acted) -> tuple[object, ...]:
    """Keep what the chain and the opponent feel of an action."""
    damage = acted.hurt.damage if acted.hurt else 0
    return acted.exchanged.verdict.success, damage, acted.vital


def standing(chain: Chain) -> tuple[object, ...]:
    """Keep what the rest of the chain and the odds depend on."""
    return chain.ended, chain.length, chain.damage, chain.hp, chain.killed, chain.downed


def penalty_of(index: int) -> int:
    """CY-68: 3 less for each action before this one."""
    return CHAIN * (index - 1)


def perform(task: Task, dice: Dice) -> Acted:
    """CY-68, CY-69: the exchange of one action, then its zone and its damage."""
    if task.number > 1:
        dice.note("CY-68", "chain-penalty", number=task.number, penalty=penalty_of(task.number))
    exchanged = dice.sub(exchange_blows, task.exchange, merge=by_location_margin)
    if not exchanged.verdict.success or task.type is CydoniaKravkarAction.GRAB:
        return Acted(exchanged)
    landed, zone = None, task.zone
    if task.aim:
        landed = dice.sub(land, task.aim, location_margin(exchanged), merge=by_zone)
        zone = landed.zone
        note_zone(task.aim, zone, dice, vital=is_vital(task.target, zone, None))
    preset = _PRESETS[task.type]
    table, wounds = CydoniaTable.UNARMED, CydoniaWeaponHit.WOUND
    blow = weapon_blow(None, preset, task.physique, (), table, wounds)
    found = hurt(blow, zone, task.target, dice)
    effects: tuple[CydoniaParalysis, ...] = ()
    if task.type is CydoniaKravkarAction.STRIKE:  # CY-R48: a slam does no more than its damage
        effects = paralyze(zone, task.resistance, task.exchange.judging, dice)
    return Acted(exchanged, landed, found, is_vital(task.target, zone, None), effects)


_PRESETS = {
    CydoniaKravkarAction.STRIKE: CydoniaPreset.UNARMED,
    CydoniaKravkarAction.THROW: CydoniaPreset.THROW,
    CydoniaKravkarAction.SLAM: CydoniaPreset.SLAM,
}


def advance(chain: Chain, task: Task, dice: Dice) -> Chain:
    """CY-68, CY-R48: a failure, or the opponent's death, ends the chain."""
    if chain.ended is not CydoniaChainEnd.LIST_END:
        return chain
    acted = dice.sub(perform, task, merge=felt)
    success = acted.exchanged.verdict.success
    dice.note("CY-69", "action", number=task.number, type=task.type, success=success)
    if not success:
        done = (*chain.done, Done(acted, chain.target))
        return replace(chain, done=done, ended=CydoniaChainEnd.FAILURE)
    wounded = Wounded(chain.target)
    if acted.hurt:
        wounded = wound(chain.target, acted.hurt.damage, dice, vital=acted.vital)
    held = chain.held
    if task.type in (CydoniaKravkarAction.GRAB, CydoniaKravkarAction.THROW):
        held = task.type is CydoniaKravkarAction.GRAB
    return Chain(
        target=wounded.target,
        held=held,
        done=(*chain.done, Done(acted, wounded.target)),
        hp=wounded.target.hp if wounded.target else None,
        length=chain.length + 1,
        damage=chain.damage + (acted.hurt.damage if acted.hurt else 0),
        killed=wounded.killed,
        downed=(chain.downed or wounded.downed) and not wounded.killed,
        ended=CydoniaChainEnd.TARGET_DEAD if wounded.killed else CydoniaChainEnd.LIST_END,
    )


def _asked(request: CydoniaKravkarRequest, index: int) -> Asked:
    """CY-55, CY-68: what an action costs its roll."""
    zone = request.actions[index - 1].called_zone
    called = called_modifier(zone, CydoniaTable.UNARMED) if zone else 0
    code = CydoniaModifierCode
    terms = (
        Term("CY-68", code.CHAIN, penalty_of(index)),
        Term("CY-55", code.CALLED_SHOT, called),
    )
    return Asked(CydoniaRole.ATTACKER, SKILL, terms=terms)


def _defense(request: CydoniaKravkarRequest, index: int) -> Asked:
    """CY-16: concentration is broken by the first success, so it only matters at first."""
    concentrating = request.concentrating and index == 1
    return asked_defense(CydoniaMeans(request.means.value), concentrating=concentrating)


def _exchange(request: CydoniaKravkarRequest, index: int) -> tuple[Exchange, Prepared]:
    attacker = request.attacker
    if index > 1:  # CY-15: spent on one action
        attacker = attacker.model_copy(update={"concentration_turns": 0})
    attack = prepare(attacker, _asked(request, index), request)
    defense = prepare(request.defender, _defense(request, index), request)
    return Exchange(attack, defense, 0, judging(request)), defense


def tasks_of(request: CydoniaKravkarRequest) -> tuple[Task, ...]:
    """Make each action ready."""
    attacker = request.attacker
    physique = boost(request.physique or 0, (), attacker.item_policy)
    if request.physique is None:
        physique = boost(attacker.attribute or 0, attacker.attribute_items, attacker.item_policy)
    resistance = resistance_of(request.target, request)
    tasks = []
    for index, action in enumerate(request.actions, 1):
        strikes = action.type is CydoniaKravkarAction.STRIKE
        aim = None
        if strikes and (request.locate or action.called_zone):
            aim = Aim(
                CydoniaTable.UNARMED, False, False, action.called_zone, CydoniaWeaponTable.PRINTED
            )
        tasks.append(
            Task(
                index,
                action.type,
                *_exchange(request, index),
                aim,
                physique,
                action.zone,
                request.target,
                resistance,
            )
        )
    return tuple(tasks)


def _faults(request: CydoniaKravkarRequest) -> Faults:
    fixed = request.attacker.kind is CydoniaActorKind.FIXED
    yield from required(request.physique, "/physique", when=fixed)
    for number, action in enumerate(request.actions):
        where = f"/actions/{number}"
        called = action.called_zone is not None
        strikes = action.type is CydoniaKravkarAction.STRIKE
        slams = action.type is CydoniaKravkarAction.SLAM
        yield from excluded(called and not strikes, f"{where}/called_zone", "type")
        yield from excluded(action.zone is not None and not slams, f"{where}/zone", "type")
    yield from side_faults(request.attacker, _asked(request, 1), "/attacker")
    yield from side_faults(request.defender, _defense(request, 1), "/defender")
    yield from people_faults(request.attacker.people, CydoniaPeople.ORK, "/attacker")
    yield from critical_faults(request)
    yield from target_faults(request.target)
    held = request.held
    for number, action in enumerate(request.actions):
        if action.type is CydoniaKravkarAction.SLAM and not held:
            yield RuleRefused("slam-needs-grab", pointer=f"/actions/{number}", rule="CY-R48")
        if action.type in (CydoniaKravkarAction.GRAB, CydoniaKravkarAction.THROW):
            held = action.type is CydoniaKravkarAction.GRAB


def chances(
    request: CydoniaKravkarRequest, _options: None, enumerate_exchange: Enumerate
) -> CydoniaChainChances:
    """CY-68: how far the chain goes, death set aside."""
    reached = Fraction(1)
    rows = []
    for index in range(1, len(request.actions) + 1):
        found: Distribution[Exchanged] = enumerate_exchange(
            partial(exchange_blows, _exchange(request, index)[0])
        )
        alone = found.chance(_succeeds)
        reached *= alone
        rows.append(
            CydoniaChainChance(index=index, alone=Exact.of(alone), reached=Exact.of(reached))
        )
    return CydoniaChainChances(actions=tuple(rows))


def _succeeds(exchanged: Exchanged) -> bool:
    return exchanged.verdict.success


def _step(task: Task, done: Done, *, tracked: bool) -> CydoniaKravkarStep:
    exchanged, landed = done.acted.exchanged, done.acted.landed
    location = None
    if task.aim and landed:
        vital_zones = task.target.vital_zones if task.target else VITAL
        location = location_of(task.aim, landed, vital_zones)
    return CydoniaKravkarStep(
        index=task.number,
        type=task.type,
        penalty=penalty_of(task.number),
        a=shown(task.exchange.attack, exchanged.a),
        b=shown(task.defense, exchanged.b),
        margin=exchanged.verdict.margin,
        success=exchanged.verdict.success,
        location=location,
        damage=done.acted.hurt.damage if done.acted.hurt else 0,
        effects=done.acted.effects,
        target=done.target if tracked else None,
    )


class ChainView(NamedTuple):
    """What the odds tell of a chain."""

    chain_length: int
    total_damage: int
    killed: bool
    downed: bool


def start_of(request: CydoniaKravkarRequest) -> Chain:
    """Return the chain before its first action."""
    target = request.target
    return Chain(target, request.held, hp=target.hp if target else None)


def _chain_view(start: Chain, tasks: tuple[Task, ...], dice: Dice) -> ChainView:
    chain = dice.fold(advance, start, tasks, merge=standing)
    return ChainView(chain.length, chain.damage, chain.killed, chain.downed)


def views(request: CydoniaKravkarRequest) -> tuple[Callable[[Dice], object], ...]:
    """Look at the chain itself, prepared once: must agree with the outcome."""
    refuse(_faults(request))
    return (partial(_chain_view, start_of(request), tasks_of(request)),)


def summary(outcome: CydoniaKravkarOutcome) -> tuple[str, ...]:
    return ("chain", *told(outcome.killed, outcome.downed))


@resolver(
    "kravkar",
    rules=(
        *TEST_RULES, *VERSUS_RULES, *LOCATION_RULES, *DAMAGE_RULES,
        "CY-16", "CY-49", "CY-51", "CY-68", "CY-R48",
    ),
    odds=("chain_length", "total_damage", "killed", "downed"),
    summary=summary,
    aid=Aid(chances, CydoniaChainChances),
    views=views,
)  # fmt: skip
def kravkar(request: CydoniaKravkarRequest, dice: Dice) -> CydoniaKravkarOutcome:
    """Chain bare-hand actions until one fails."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    tasks = tasks_of(request)
    chain = dice.fold(advance, start_of(request), tasks, merge=standing)
    lost = request.concentrating and chain.length > 0  # CY-16
    if lost:
        dice.note("CY-16", "concentration-lost")
    dice.note("CY-68", "chain", length=chain.length, damage=chain.damage, ended=chain.ended)
    tracked = request.target is not None and request.target.hp is not None
    return CydoniaKravkarOutcome(
        steps=tuple(
            _step(task, done, tracked=tracked)
            for task, done in zip(tasks, chain.done, strict=False)
        ),
        chain_length=chain.length,
        total_damage=chain.damage,
        killed=chain.killed,
        downed=chain.downed,
        held=chain.held,
        target=chain.target if tracked else None,
        ended_by=chain.ended,
        concentration_lost=lost,
    )
