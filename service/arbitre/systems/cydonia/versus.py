"""A total against a difficulty or against another total: rules CY-02, CY-03 and CY-06."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.systems.cydonia.side import (
    CydoniaCritical,
    CydoniaCriticalPolicy,
    CydoniaSideKind,
    CydoniaThreshold,
    CydoniaThresholdRule,
    Prepared,
    Rolled,
)
from arbitre.systems.cydonia.tables import SKILLS, CydoniaAnswer, CydoniaAttribute

DIFFICULTY_RULES = ("CY-02", "CY-R01", "CY-R04", "CY-R07")
VERSUS_RULES = ("CY-03", "CY-R02", "CY-R04")


class CydoniaWinner(StrEnum):
    A = "a"
    B = "b"


class CydoniaTie(StrEnum):
    B = "b"
    DRAW = "draw"


class Verdict(NamedTuple):
    """Who wins, and by how much."""

    winner: CydoniaWinner | None
    margin: int

    @property
    def success(self) -> bool:
        """Whether the acting side wins."""
        return self.winner is CydoniaWinner.A


class Judging(NamedTuple):
    """How a test against a fixed number is read."""

    threshold_rule: CydoniaThresholdRule
    critical_policy: CydoniaCriticalPolicy


def judging(options: CydoniaThreshold) -> Judging:
    return Judging(options.threshold_rule, options.critical_policy)


def meets(rolled: Rolled, difficulty: int, options: Judging, dice: Dice) -> bool:
    """CY-02: the total is compared with a fixed number."""
    margin = rolled.total - difficulty
    above = options.threshold_rule is CydoniaThresholdRule.ABOVE
    success = margin > 0 if above else margin >= 0  # CY-R01
    if decides(rolled, options.critical_policy):
        success = rolled.critical is CydoniaCritical.SUCCESS
        dice.note("CY-R04", "critical-decides", critical=rolled.critical, success=success)
    dice.note("CY-R01", "threshold", threshold_rule=options.threshold_rule)
    dice.note(
        "CY-02",
        "difficulty",
        total=rolled.total,
        difficulty=difficulty,
        margin=margin,
        success=success,
    )
    return success


def decides(rolled: Rolled, policy: CydoniaCriticalPolicy) -> bool:
    """CY-R04: a critical decides by itself only where the table wants it."""
    return policy is CydoniaCriticalPolicy.AUTOMATIC and rolled.critical is not None


_FAVOR = {CydoniaCritical.SUCCESS: 1, CydoniaCritical.FAILURE: -1, None: 0}


def favor(a: Rolled, b: Rolled) -> int:
    """CY-R04: criticals for the first side, less those against it."""
    return _FAVOR[a.critical] - _FAVOR[b.critical]


def compare(
    a: Rolled,
    b: Rolled,
    policy: CydoniaCriticalPolicy,
    dice: Dice,
    tie: CydoniaTie = CydoniaTie.B,
) -> Verdict:
    """CY-03: the acting side must have strictly more."""
    margin = a.total - b.total
    weight = margin
    if policy is CydoniaCriticalPolicy.AUTOMATIC and favor(a, b):
        weight = favor(a, b)
        dice.note("CY-R04", "criticals-decide", favor=weight)
    winner: CydoniaWinner | None = CydoniaWinner.A if weight > 0 else CydoniaWinner.B
    if weight == 0:  # CY-R02
        winner = None if tie is CydoniaTie.DRAW else CydoniaWinner.B
        dice.note("CY-R02", "tie", tie=tie)
    dice.note("CY-03", "versus", a=a.total, b=b.total, margin=margin, winner=winner)
    return Verdict(winner, margin)


def expected(a: Prepared) -> tuple[CydoniaAnswer, ...]:
    """CY-06: what the table sets against a skill; nothing for what is not in it."""
    return SKILLS[a.skill_name].opposed_by if a.skill_name else ()


def is_unusual(a: Prepared, b: Prepared) -> bool:
    """CY-06: the other side rolls something of the table that does not answer the skill."""
    answer = _answer(b)
    if a.skill_name is None or answer is None or CydoniaAnswer.ANY in expected(a):
        return False
    return answer not in expected(a)


def _answer(side: Prepared) -> str | None:
    """Name what a side rolls as the table does; none if it is not in it."""
    if side.kind is CydoniaSideKind.SKILL:
        return f"skill:{side.skill_name}" if side.skill_name else None
    if side.kind is CydoniaSideKind.ATTRIBUTE:
        return "attribute:courage" if side.attribute_name is CydoniaAttribute.COURAGE else None
    return None if side.kind is CydoniaSideKind.FIXED else side.kind.value
