"""Knocked out, and waking up: rules CY-66 and CY-67, ruling CY-R25."""

from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice, Distribution
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cydonia.refusals import Faults, not_for, refuse, required
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    CydoniaCritical,
    CydoniaCriticalPolicy,
    CydoniaCriticals,
    CydoniaOpponent,
    CydoniaTest,
    Prepared,
    Rolled,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import STUN_DECAY
from arbitre.systems.cydonia.target import RESISTING
from arbitre.systems.cydonia.versus import decides

MOST_STUN = 1000
StunNumber = Annotated[int, Field(ge=0, le=MOST_STUN), WHOLE]

STUN_RULES = ("CY-66", "CY-67", "CY-R04", "CY-R25")


class CydoniaStunPhase(StrEnum):
    BLOW = "blow"
    RECOVER = "recover"


class CydoniaStunState(Frozen):
    stunned: bool
    """Whether the character is out."""
    difficulty: StunNumber
    """The number used on the turn before (CY-67)."""
    turns: StunNumber
    """Turns lost so far."""


class CydoniaStunAfter(Frozen):
    stunned: bool
    """Whether the character is out."""
    difficulty: int
    """The number used this turn (CY-66, CY-67)."""
    turns: int
    """Turns lost so far."""


class CydoniaStunRequest(CydoniaCriticals, Request):
    phase: CydoniaStunPhase
    """The blow itself, or a later turn."""
    damage: StunNumber | None = None
    """Damage of the blow (CY-66)."""
    resistance: CydoniaOpponent | None = None
    """Physical resistance of the character (CY-10)."""
    state: CydoniaStunState | None = None
    """Where the character stands, on a later turn."""
    attempt: bool = True
    """Whether the character tries to wake up (CY-67)."""


class CydoniaStunOutcome(Outcome):
    test: CydoniaTest | None
    """The test of physical resistance; null without one."""
    difficulty: int
    """Number to exceed (CY-66, CY-67)."""
    success: bool
    """Whether the character stands, or wakes up."""
    margin: int | None
    """Total less difficulty; null without a test."""
    state: CydoniaStunAfter
    """Where the character stands now."""
    next_difficulty: int | None
    """Number to exceed on the next turn (CY-67); null for someone awake."""


class CydoniaStunOptions(Frozen):
    turns: Annotated[int, Field(ge=1, le=200), WHOLE] = 20
    """Turns to look ahead, the one asked included."""


class CydoniaStunTurn(Frozen):
    turns: int
    """Turns lost in all."""
    difficulty: int
    """Number to exceed on the turn that decides it."""
    chance: Exact
    """Chance of losing exactly so many."""


class CydoniaStunLength(Frozen):
    lengths: tuple[CydoniaStunTurn, ...]
    """The chance of each length."""
    remaining: Exact
    """Chance of being still out after the last turn looked at."""
    expected: Exact
    """Expected turns lost; someone still out counts all those looked at."""


class Knock(NamedTuple):
    """How the target stood a blow to the head, or a turn of it."""

    rolled: Rolled
    stands: bool


def stands(rolled: Rolled, difficulty: int, policy: CydoniaCriticalPolicy) -> bool:
    """CY-66, CY-R25: strictly more than the number, whatever the reading of thresholds."""
    if decides(rolled, policy):
        return rolled.critical is CydoniaCritical.SUCCESS
    return rolled.total > difficulty


def endure(
    resistance: Prepared, difficulty: int, policy: CydoniaCriticalPolicy, dice: Dice
) -> Knock:
    """CY-66: physical resistance against the damage."""
    rolled: Rolled = roll(resistance, dice)
    awake = stands(rolled, difficulty, policy)
    if decides(rolled, policy):
        dice.note("CY-R04", "critical-decides", critical=rolled.critical, success=awake)
    dice.note("CY-66", "endure", total=rolled.total, difficulty=difficulty, stands=awake)
    return Knock(rolled, awake)


def by_standing(knock: Knock) -> bool:
    """Keep whether the target stands."""
    return knock.stands


def decayed(difficulty: int) -> int:
    """CY-67: one less each turn, never below 0."""
    return max(0, difficulty + STUN_DECAY)


def _faults(request: CydoniaStunRequest) -> Faults:
    phase, state = request.phase, request.state
    blow = phase is CydoniaStunPhase.BLOW
    tests = blow or request.attempt
    yield from required(request.damage, "/damage", when=blow)
    yield from required(request.resistance, "/resistance", when=tests)
    yield from required(state, "/state", when=not blow)
    if blow:
        yield from not_for(phase, state=state is not None, attempt=not request.attempt)
    else:
        yield from not_for(phase, damage=request.damage is not None)
    if request.resistance is not None:
        yield from side_faults(request.resistance, RESISTING, "/resistance")
    yield from critical_faults(request)
    if not blow and state is not None and not state.stunned:
        yield RuleRefused("not-stunned", pointer="/state/stunned", rule="CY-67")


def _before(request: CydoniaStunRequest) -> CydoniaStunState:
    """Return the state that the turn starts from; the blow's number is used as it is."""
    damage = request.damage or 0
    return request.state or CydoniaStunState(stunned=False, difficulty=damage, turns=0)


def _difficulty(request: CydoniaStunRequest) -> int:
    before = _before(request)
    return decayed(before.difficulty) if before.stunned else before.difficulty


def length(
    request: CydoniaStunRequest,
    options: CydoniaStunOptions | None,
    enumerate_test: Enumerate,
) -> CydoniaStunLength | None:
    """CY-67: the chance of each number of turns lost, trying every turn from this one."""
    if request.resistance is None:
        return None
    resistance = prepare(request.resistance, RESISTING, request)
    rolls: Distribution[Rolled] = enumerate_test(partial(roll, resistance))
    most = (options or CydoniaStunOptions()).turns
    turns, difficulty = _before(request).turns, _difficulty(request)
    lengths, out, expected = [], Fraction(1), Fraction(0)
    for lost in range(turns, turns + most):
        awake = out * rolls.chance(
            partial(_stands, difficulty=difficulty, policy=request.critical_policy)
        )
        lengths.append(CydoniaStunTurn(turns=lost, difficulty=difficulty, chance=Exact.of(awake)))
        expected += lost * awake
        out -= awake
        difficulty = decayed(difficulty)
    return CydoniaStunLength(
        lengths=tuple(lengths),
        remaining=Exact.of(out),
        expected=Exact.of(expected + (turns + most) * out),
    )


def _stands(rolled: Rolled, difficulty: int, policy: CydoniaCriticalPolicy) -> bool:
    return stands(rolled, difficulty, policy)


def summary(outcome: CydoniaStunOutcome) -> str:
    if outcome.state.stunned:
        return "stunned"
    return "woken" if outcome.state.turns else "unstunned"


@resolver(
    "stun",
    rules=(*TEST_RULES, *STUN_RULES),
    odds=("state.stunned", "state.turns"),
    summary=summary,
    aid=Aid(length, CydoniaStunLength, CydoniaStunOptions),
)
def stun(request: CydoniaStunRequest, dice: Dice) -> CydoniaStunOutcome:
    """Stand a blow to the head, or try to wake up on a later turn."""
    refuse(_faults(request))
    before, difficulty = _before(request), _difficulty(request)
    if before.stunned:
        dice.note("CY-67", "stun-decay", before=before.difficulty, after=difficulty)
    test, margin, success = None, None, False
    if request.resistance is not None and request.attempt:
        echo_criticals(request, dice)
        resistance = prepare(request.resistance, RESISTING, request)
        knock = dice.sub(endure, resistance, difficulty, request.critical_policy, merge=by_standing)
        test, success = shown(resistance, knock.rolled), knock.stands
        margin = knock.rolled.total - difficulty
    turns = before.turns + (not success)
    dice.note("CY-67", "turns-lost", before=before.turns, after=turns, stunned=not success)
    return CydoniaStunOutcome(
        test=test,
        difficulty=difficulty,
        success=success,
        margin=margin,
        state=CydoniaStunAfter(stunned=not success, difficulty=difficulty, turns=turns),
        next_difficulty=None if success else decayed(difficulty),
    )
