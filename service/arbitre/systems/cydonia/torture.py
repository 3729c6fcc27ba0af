"""Making someone talk: rule CY-22, ruling CY-R44."""

from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.opposition import CydoniaVersusOutcome
from arbitre.systems.cydonia.refusals import Faults, refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
    CydoniaCriticalPolicy,
    CydoniaCriticals,
    CydoniaOpponent,
    CydoniaRole,
    CydoniaSideKind,
    Prepared,
    Rolled,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaSkill
from arbitre.systems.cydonia.target import (
    WOUND_RULES,
    CydoniaTarget,
    target_faults,
    wound,
)
from arbitre.systems.cydonia.versus import VERSUS_RULES, Verdict, compare

PAIN_SIDES = 20  # CY-22
TORTURING = Asked(CydoniaRole.TORTURER, CydoniaSkill.TORTURE)
ENDURING = Asked(CydoniaRole.VICTIM, kind=CydoniaSideKind.MENTAL_RESISTANCE)


class CydoniaTortureRequest(CydoniaCriticals, Request):
    torturer: CydoniaActor
    """Who tortures (CY-22)."""
    victim: CydoniaOpponent
    """The victim's mental resistance (CY-11)."""
    target: CydoniaTarget | None = None
    """The victim's life points."""


class CydoniaTortureOutcome(CydoniaVersusOutcome):
    talks: bool
    """Whether the victim talks (CY-22)."""
    damage: int
    """Damage of a failure (CY-22)."""
    target: CydoniaTarget | None
    """The victim afterwards; null where life points are not tracked."""
    downed: bool
    """Whether the victim is left dying (CY-62, CY-R44)."""


class Pain(NamedTuple):
    """Both tests, and the damage of a failure."""

    a: Rolled
    b: Rolled
    verdict: Verdict
    damage: int = 0


def question(
    torturer: Prepared, victim: Prepared, policy: CydoniaCriticalPolicy, dice: Dice
) -> Pain:
    """CY-22: strictly more and the victim talks; otherwise it is hurt."""
    a: Rolled = roll(torturer, dice)
    b: Rolled = roll(victim, dice)
    verdict = compare(a, b, policy, dice)
    if verdict.success:
        return Pain(a, b, verdict)
    damage = dice.die("damage", sides=PAIN_SIDES)  # CY-R44: no armor, no zone
    dice.note("CY-22", "pain", damage=damage)
    return Pain(a, b, verdict, damage)


def by_pain(pain: Pain) -> tuple[bool, int]:
    """Keep what the victim feels."""
    return pain.verdict.success, pain.damage


def _faults(request: CydoniaTortureRequest) -> Faults:
    yield from side_faults(request.torturer, TORTURING, "/torturer")
    yield from side_faults(request.victim, ENDURING, "/victim")
    yield from critical_faults(request)
    yield from target_faults(request.target)


def summary(outcome: CydoniaTortureOutcome) -> tuple[str, ...]:
    if outcome.talks:
        return ("talks",)
    return ("silent", "downed") if outcome.downed else ("silent",)


@resolver(
    "torture",
    rules=(*TEST_RULES, *VERSUS_RULES, *WOUND_RULES, "CY-22", "CY-R44"),
    odds=("talks", "damage", "target.hp"),
    summary=summary,
)
def torture(request: CydoniaTortureRequest, dice: Dice) -> CydoniaTortureOutcome:
    """Question someone who would rather not answer."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    torturer = prepare(request.torturer, TORTURING, request)
    victim = prepare(request.victim, ENDURING, request)
    pain = dice.sub(question, torturer, victim, request.critical_policy, merge=by_pain)
    wounded = wound(request.target, pain.damage, dice, vital=False)  # CY-R44
    tracked = request.target is not None and request.target.hp is not None
    return CydoniaTortureOutcome(
        a=shown(torturer, pain.a),
        b=shown(victim, pain.b),
        winner=pain.verdict.winner,
        success=pain.verdict.success,
        margin=pain.verdict.margin,
        talks=pain.verdict.success,
        damage=pain.damage,
        target=wounded.target if tracked else None,
        downed=wounded.downed,
    )
