"""A mounted charge: rules CY-73 to CY-77, ruling CY-R38."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Name
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.attack import (
    ATTACK_ODDS,
    ATTACK_RULES,
    AttackView,
    CydoniaAttackOutcome,
    CydoniaAttackRequest,
    Plan,
    attack_faults,
    attack_view,
    outcome_of,
    plan_of,
    strike,
)
from arbitre.systems.cydonia.damage import MountRunning, told
from arbitre.systems.cydonia.formula import CydoniaFormula, Group, groups_of, roll_groups
from arbitre.systems.cydonia.refusals import Faults, not_for, refuse, required, twice
from arbitre.systems.cydonia.side import (
    Asked,
    CydoniaCriticalPolicy,
    CydoniaOpponent,
    CydoniaRole,
    CydoniaSideKind,
    CydoniaTest,
    Prepared,
    Rolled,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaNature, CydoniaSkill
from arbitre.systems.cydonia.target import (
    CydoniaTarget,
    Wounded,
    protection_of,
    target_faults,
    wound,
)
from arbitre.systems.cydonia.versus import compare

MOMENTUM = 2  # CY-75
DODGING = Asked(CydoniaRole.BYSTANDER, CydoniaSkill.DODGE, CydoniaSideKind.SKILL)


class CydoniaChargeEvent(StrEnum):
    GATHER = "gather"
    ATTACK = "attack"
    ABORT = "abort"


class CydoniaMomentum(Frozen):
    momentum_turns: Annotated[int, Field(ge=0, le=MOMENTUM), WHOLE] = 0
    """Turns of momentum (CY-75)."""


class CydoniaBystander(Frozen):
    id: Name
    """Name of the bystander, each once."""
    defender: CydoniaOpponent
    """The bystander's dodge (CY-77)."""
    target: CydoniaTarget | None = None
    """The bystander's life points and armor."""


class CydoniaChargeRequest(Request):
    event: CydoniaChargeEvent
    """A turn of momentum, the attack, or the end of the run."""
    state: CydoniaMomentum = CydoniaMomentum()
    """The momentum so far."""
    blow: CydoniaAttackRequest | None = None
    """The attack on the main target, from the saddle (CY-76)."""
    mount_running: MountRunning | None = None
    """Running of the mount (CY-76)."""
    mount_damage: CydoniaFormula | None = None
    """Damage of the mount on bystanders; its running when it is not given (CY-R38)."""
    bystanders: Annotated[tuple[CydoniaBystander, ...], Field(max_length=20)] = ()
    """Opponents grouped with the target (CY-77)."""


class CydoniaBystanderOutcome(Frozen):
    id: Name
    """Name of the bystander."""
    b: CydoniaTest
    """The dodge."""
    hit: bool
    """Whether the mount runs the bystander down."""
    damage: int
    """Damage taken."""
    target: CydoniaTarget | None
    """The bystander afterwards; null where life points are not tracked."""
    downed: bool
    """Whether the bystander is left dying (CY-62)."""


class CydoniaChargeOutcome(Outcome):
    state: CydoniaMomentum
    """The momentum now."""
    blow: CydoniaAttackOutcome | None
    """What the main target suffers; null before the attack."""
    bystanders: tuple[CydoniaBystanderOutcome, ...]
    """What each bystander suffers."""


class Dodged(NamedTuple):
    """A dodge against the rider's total."""

    b: Rolled
    hit: bool


class Trampling(NamedTuple):
    """A bystander's dodge, and what the mount does."""

    dodge: Prepared
    policy: CydoniaCriticalPolicy
    flat: int
    groups: tuple[Group, ...]


def _faults(request: CydoniaChargeRequest) -> Faults:
    event, blow = request.event, request.blow
    attacks = event is CydoniaChargeEvent.ATTACK
    yield from required(blow, "/blow", when=attacks)
    yield from required(request.mount_running, "/mount_running", when=attacks)
    if not attacks:
        yield from not_for(
            event,
            blow=blow is not None,
            mount_running=request.mount_running is not None,
            mount_damage=request.mount_damage is not None,
            bystanders=bool(request.bystanders),
        )
        return
    if blow is not None:
        yield from attack_faults(_mounted(blow), "/blow")
    for number, bystander in enumerate(request.bystanders):
        yield from side_faults(bystander.defender, DODGING, f"/bystanders/{number}/defender")
        yield from target_faults(bystander.target, f"/bystanders/{number}/target")
    yield from twice([bystander.id for bystander in request.bystanders], "/bystanders")
    yield from _own_faults(request, blow)


def _own_faults(request: CydoniaChargeRequest, blow: CydoniaAttackRequest | None) -> Faults:
    turns = request.state.momentum_turns
    if turns < MOMENTUM:
        yield RuleRefused(
            "not-enough-momentum", pointer="/state/momentum_turns", rule="CY-75", turns=turns
        )
    if blow is None:
        return
    if blow.defender_mounted:
        yield RuleRefused("charge-target-mounted", pointer="/blow/defender_mounted", rule="CY-75")
    if not blow.attacker_riding:
        yield RuleRefused("riding-skill-required", pointer="/blow/attacker_riding", rule="CY-R38")
    if blow.nature is not CydoniaNature.PHYSICAL:
        yield RuleRefused("charge-nature", pointer="/blow/nature", rule="CY-75")


def _mounted(blow: CydoniaAttackRequest) -> CydoniaAttackRequest:
    """CY-73: a charge is made from the saddle."""
    return blow.model_copy(update={"attacker_mounted": True})


def dodge_mount(
    rider: Rolled, dodge: Prepared, policy: CydoniaCriticalPolicy, dice: Dice
) -> Dodged:
    """CY-77, CY-R38: the rider's total against a dodge."""
    b: Rolled = roll(dodge, dice)
    return Dodged(b, compare(rider, b, policy, dice).success)


def meet_mount(
    attack: Prepared, dodge: Prepared, policy: CydoniaCriticalPolicy, dice: Dice
) -> Dodged:
    """Roll the rider's total too, for the odds of one bystander."""
    rider: Rolled = roll(attack, dice)
    return dodge_mount(rider, dodge, policy, dice)


def by_hit(dodged: Dodged) -> bool:
    """Keep whether the mount runs the bystander down."""
    return dodged.hit


def _task(
    request: CydoniaChargeRequest, blow: CydoniaAttackRequest, bystander: CydoniaBystander
) -> Trampling:
    formula = request.mount_damage
    flat = formula.flat if formula else request.mount_running or 0  # CY-R38
    groups = groups_of(formula, "mount") if formula else ()
    dodge = prepare(bystander.defender, DODGING, blow)
    return Trampling(dodge, blow.critical_policy, flat, groups)


def trample(task: Trampling, target: CydoniaTarget | None, dice: Dice) -> int:
    """CY-77, CY-59: the mount's damage, less the armor."""
    sums = roll_groups(task.groups, dice)
    gross = task.flat + sums.own + sums.zone
    dice.note("CY-77", "trample", flat=task.flat, dice=sums.own, gross=gross)
    protection = protection_of(target, None)
    damage = max(0, gross - protection)  # CY-R24
    dice.note("CY-59", "net", gross=gross, protection=protection, damage=damage, stopped=False)
    return damage


def _fate(
    rider: Rolled, task: Trampling, bystander: CydoniaBystander, dice: Dice
) -> CydoniaBystanderOutcome:
    dodged = dodge_mount(rider, task.dodge, task.policy, dice)
    target, damage, wounded = bystander.target, 0, Wounded(bystander.target)
    if dodged.hit:
        damage = trample(task, target, dice)
        wounded = wound(target, damage, dice, vital=False)  # CY-R38: no zone
    tracked = target is not None and target.hp is not None
    return CydoniaBystanderOutcome(
        id=bystander.id,
        b=shown(task.dodge, dodged.b),
        hit=dodged.hit,
        damage=damage,
        target=wounded.target if tracked else None,
        downed=wounded.downed,
    )


class BlowView(NamedTuple):
    """What the main target suffers, for the odds."""

    blow: AttackView


class FateView(NamedTuple):
    """What the odds tell of a bystander."""

    hit: bool
    damage: int


class BystanderView(NamedTuple):
    """What one bystander suffers, for the odds."""

    bystanders: tuple[FateView | None, ...]


def _blow_view(plan: Plan, dice: Dice) -> BlowView:
    return BlowView(attack_view(plan, dice))


def _bystander_view(
    attack: Prepared, task: Trampling, target: CydoniaTarget | None, place: int, dice: Dice
) -> BystanderView:
    dodged = dice.sub(meet_mount, attack, task.dodge, task.policy, merge=by_hit)
    damage = trample(task, target, dice) if dodged.hit else 0
    return BystanderView((*[None] * place, FateView(dodged.hit, damage)))


def views(request: CydoniaChargeRequest) -> tuple[Callable[[Dice], object], ...]:
    """Look at the blow and at each bystander by itself: must agree with the charge."""
    refuse(_faults(request))
    if request.blow is None:
        return (partial(charge.resolve, request),)
    blow = _mounted(request.blow)
    plan = plan_of(blow, request.mount_running or 0)
    return (
        partial(_blow_view, plan),
        *(
            partial(
                _bystander_view,
                plan.exchange.attack,
                _task(request, blow, bystander),
                bystander.target,
                place,
            )
            for place, bystander in enumerate(request.bystanders)
        ),
    )


def summary(outcome: CydoniaChargeOutcome) -> tuple[str, ...]:
    blow = outcome.blow
    if blow is None:
        return ("momentum" if outcome.state.momentum_turns else "momentum-lost",)
    if not blow.hit:
        return ("charge-missed",)
    key = "charge-hit" if blow.damage is None else "charge-hurt"
    return (key, *told(blow.killed, blow.downed))


@resolver(
    "charge",
    rules=(*ATTACK_RULES, "CY-75", "CY-76", "CY-77", "CY-R38"),
    odds=(
        *(f"blow.{field}" for field in ATTACK_ODDS),
        "bystanders[].hit",
        "bystanders[].damage",
    ),
    summary=summary,
    views=views,
)
def charge(request: CydoniaChargeRequest, dice: Dice) -> CydoniaChargeOutcome:
    """Gather momentum, charge on the third turn, or give up."""
    refuse(_faults(request))
    before = request.state.momentum_turns
    if request.blow is None or request.mount_running is None:
        gathers = request.event is CydoniaChargeEvent.GATHER
        after = min(MOMENTUM, before + 1) if gathers else 0
        dice.note("CY-75", "momentum", before=before, after=after)
        state = CydoniaMomentum(momentum_turns=after)
        return CydoniaChargeOutcome(state=state, blow=None, bystanders=())
    blow = _mounted(request.blow)
    echo_criticals(blow, dice)
    plan = plan_of(blow, request.mount_running)
    struck = strike(plan, dice)
    outcome = outcome_of(blow, plan, struck, dice)
    rider = struck.exchanged.a
    fates = tuple(  # CY-R38: even when the main target is missed
        _fate(rider, _task(request, blow, bystander), bystander, dice)
        for bystander in request.bystanders
    )
    dice.note("CY-75", "momentum", before=before, after=0)
    return CydoniaChargeOutcome(state=CydoniaMomentum(), blow=outcome, bystanders=fates)
