"""A trap met by a victim: rules CY-23, CY-24 and CY-59, ruling CY-R45."""

from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.formula import CydoniaFormula, Group, groups_of, roll_groups
from arbitre.systems.cydonia.opposition import CydoniaVersusOutcome
from arbitre.systems.cydonia.refusals import Faults, refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
    CydoniaCriticalPolicy,
    CydoniaCriticals,
    CydoniaRole,
    Prepared,
    Rolled,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaSkill, CydoniaZone
from arbitre.systems.cydonia.target import (
    PROTECTION_RULES,
    WOUND_RULES,
    CydoniaTarget,
    Wounded,
    is_vital,
    protection_of,
    target_faults,
    wound,
)
from arbitre.systems.cydonia.versus import VERSUS_RULES, Verdict, compare

TRAPPING = Asked(CydoniaRole.TRAPPER, CydoniaSkill.TRAPPING)
WATCHING = Asked(CydoniaRole.VICTIM, CydoniaSkill.OBSERVATION)


class CydoniaTrapRequest(CydoniaCriticals, Request):
    trapper: CydoniaActor
    """Who laid the trap; a total rolled earlier will do (CY-23, CY-R45)."""
    victim: CydoniaActor
    """Who walks into it (CY-23)."""
    damage: CydoniaFormula | None = None
    """Damage of the trap (CY-24)."""
    zone: CydoniaZone | None = None
    """Zone struck, where the trap has one (CY-R45)."""
    vital: bool | None = None
    """Whether 0 life points mean death; null follows the zone (CY-63)."""
    target: CydoniaTarget | None = None
    """The victim's life points and armor."""


class CydoniaTrapOutcome(CydoniaVersusOutcome):
    sprung: bool
    """Whether the trap works (CY-23)."""
    detected: bool
    """Whether the victim sees it in time (CY-23)."""
    gross: int
    """Damage before protection."""
    protection: int
    """Protection that counts (CY-59)."""
    damage: int
    """Damage taken."""
    target: CydoniaTarget | None
    """The victim afterwards; null where life points are not tracked."""
    killed: bool
    """Whether the trap kills (CY-62)."""
    downed: bool
    """Whether the trap leaves the victim dying (CY-62)."""


class Trap(NamedTuple):
    """A trap ready to be met."""

    trapper: Prepared
    victim: Prepared
    policy: CydoniaCriticalPolicy
    flat: int
    groups: tuple[Group, ...]


class Met(NamedTuple):
    """Both totals, and the trap's gross damage."""

    a: Rolled
    b: Rolled
    verdict: Verdict
    gross: int = 0


def meet(trap: Trap, dice: Dice) -> Met:
    """CY-23: strictly more and the trap works; otherwise it is seen (CY-R45)."""
    a: Rolled = roll(trap.trapper, dice)
    b: Rolled = roll(trap.victim, dice)
    verdict = compare(a, b, trap.policy, dice)
    if not verdict.success:
        dice.note("CY-23", "trap-seen")
        return Met(a, b, verdict)
    sums = roll_groups(trap.groups, dice)
    gross = trap.flat + sums.own + sums.zone
    dice.note("CY-24", "trap-damage", flat=trap.flat, dice=sums.own, gross=gross)
    return Met(a, b, verdict, gross)


def by_gross(met: Met) -> tuple[bool, int]:
    """Keep whether the trap works, and its damage."""
    return met.verdict.success, met.gross


def _faults(request: CydoniaTrapRequest) -> Faults:
    yield from side_faults(request.trapper, TRAPPING, "/trapper")
    yield from side_faults(request.victim, WATCHING, "/victim")
    yield from critical_faults(request)
    yield from target_faults(request.target)


def summary(outcome: CydoniaTrapOutcome) -> tuple[str, ...]:
    if outcome.detected:
        return ("trap-detected",)
    return ("trap-sprung", *(key for key in ("killed", "downed") if getattr(outcome, key)))


@resolver(
    "trap",
    rules=(
        *TEST_RULES, *VERSUS_RULES, *WOUND_RULES, *PROTECTION_RULES,
        "CY-23", "CY-24", "CY-R45",
    ),
    odds=("sprung", "damage", "target.hp"),
    summary=summary,
)  # fmt: skip
def trap(request: CydoniaTrapRequest, dice: Dice) -> CydoniaTrapOutcome:
    """Walk into a trap, or see it in time."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    trapper = prepare(request.trapper, TRAPPING, request)
    victim = prepare(request.victim, WATCHING, request)
    formula = request.damage or CydoniaFormula()
    task = Trap(
        trapper, victim, request.critical_policy, formula.flat, groups_of(formula, "damage")
    )
    met = dice.sub(meet, task, merge=by_gross)
    target, zone = request.target, request.zone
    protection, damage, wounded = 0, 0, Wounded(target)
    if met.verdict.success:
        protection = protection_of(target, zone)
        damage = max(0, met.gross - protection)  # CY-R24
        dice.note(
            "CY-59", "net", gross=met.gross, protection=protection, damage=damage, stopped=False
        )
        wounded = wound(target, damage, dice, vital=is_vital(target, zone, request.vital))
    tracked = target is not None and target.hp is not None
    return CydoniaTrapOutcome(
        a=shown(trapper, met.a),
        b=shown(victim, met.b),
        winner=met.verdict.winner,
        success=met.verdict.success,
        margin=met.verdict.margin,
        sprung=met.verdict.success,
        detected=not met.verdict.success,
        gross=met.gross,
        protection=protection,
        damage=damage,
        target=wounded.target if tracked else None,
        killed=wounded.killed,
        downed=wounded.downed,
    )
