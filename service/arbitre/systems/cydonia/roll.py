"""One character's test: rules CY-01, CY-02, CY-04 to CY-12, CY-19 and CY-40."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia import side as sides
from arbitre.systems.cydonia.refusals import Faults, refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaRole,
    CydoniaRollKind,
    CydoniaTest,
    CydoniaTester,
    CydoniaThreshold,
    Difficulty,
    Prepared,
    critical_faults,
    echo_criticals,
    prepare,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaSkill
from arbitre.systems.cydonia.versus import DIFFICULTY_RULES, judging, meets

Penalty = Annotated[int, Field(ge=0, le=20), WHOLE]


class CydoniaRollRequest(CydoniaTester, CydoniaThreshold, Request):
    kind: CydoniaRollKind = CydoniaRollKind.SKILL
    """What is rolled."""
    difficulty: Difficulty | None = None
    """Number to reach, or a rung of the ladder (CY-02, CY-R07)."""
    has_tools: bool = True
    """Whether lockpicking tools are at hand (CY-19)."""
    failure_penalty: Penalty = 0
    """Penalty on the next tests if this one fails (CY-12, CY-R59)."""


class CydoniaRollOutcome(CydoniaTest, Outcome):
    difficulty: int | None
    """Number to reach; null without one."""
    margin: int | None
    """Total less difficulty (CY-02)."""
    success: bool | None
    """Whether the difficulty is met (CY-02)."""
    penalty: int
    """Penalty on the next tests (CY-R59)."""
    illiterate: bool
    """Whether the character can neither read, write nor count (CY-40, CY-R58)."""


ASKED = Asked(CydoniaRole.ACTOR)


def summary(outcome: CydoniaRollOutcome) -> str:
    if outcome.success is None:
        return "total"
    return "success" if outcome.success else "failure"


def _faults(request: CydoniaRollRequest) -> Faults:
    yield from side_faults(request, ASKED)
    yield from critical_faults(request)
    if request.skill_name == CydoniaSkill.LOCKPICKING.value and not request.has_tools:
        yield RuleRefused("tools-required", pointer="/has_tools", rule="CY-19")  # CY-R67


@resolver(
    "roll",
    rules=(
        *TEST_RULES, *DIFFICULTY_RULES, "CY-24", "CY-R58", "CY-R59", "CY-R67",
    ),
    odds=("success", "total", "margin", "critical"),
    summary=summary,
)  # fmt: skip
def roll(request: CydoniaRollRequest, dice: Dice) -> CydoniaRollOutcome:
    """Test a skill, an attribute or a resistance, with or without a difficulty."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    side = prepare(request, ASKED, request)
    rolled = sides.roll(side, dice)
    margin = success = None
    penalty = 0
    if request.difficulty is not None:
        margin = rolled.total - request.difficulty
        success = meets(rolled, request.difficulty, judging(request), dice)
        penalty = 0 if success else request.failure_penalty  # CY-12
        if penalty:
            dice.note("CY-R59", "penalty", penalty=penalty)
    illiterate = _is_illiterate(side)
    if illiterate:
        dice.note("CY-R58", "illiterate")
    return CydoniaRollOutcome(
        **dict(shown(side, rolled)),
        difficulty=request.difficulty,
        margin=margin,
        success=success,
        penalty=penalty,
        illiterate=illiterate,
    )


def _is_illiterate(side: Prepared) -> bool:
    """CY-40: general knowledge of nothing at all."""
    knows = side.skill_name is CydoniaSkill.GENERAL_KNOWLEDGE
    return knows and side.skill is not None and side.skill.effective == 0
