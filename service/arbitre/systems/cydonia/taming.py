"""Ordering or taming an animal: rules CY-41 to CY-43, rulings CY-R46 and CY-R47."""

from enum import StrEnum

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.creatures import Owned
from arbitre.systems.cydonia.items import boost
from arbitre.systems.cydonia.refusals import Faults, refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaCritical,
    CydoniaRole,
    CydoniaTest,
    CydoniaThreshold,
    CydoniaTrained,
    PlainDifficulty,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import (
    WILD,
    CydoniaModifierCode,
    CydoniaSkill,
    brackets,
)
from arbitre.systems.cydonia.versus import DIFFICULTY_RULES, judging, meets

HANDLING = Asked(CydoniaRole.HANDLER, CydoniaSkill.ANIMAL_HANDLING)


class CydoniaTask(StrEnum):
    COMMAND = "command"
    TAME = "tame"


class CydoniaTamingRequest(CydoniaThreshold, Request):
    task: CydoniaTask
    """A precise order to an animal, or the taming of a wild one (CY-41, CY-42)."""
    handler: CydoniaTrained
    """Who handles the animal."""
    animal_difficulty: PlainDifficulty
    """Taming difficulty of the animal (CY-41)."""
    owned: Owned = 0
    """Animals already owned (CY-43)."""


class CydoniaTamingOutcome(Outcome):
    test: CydoniaTest
    """The test."""
    difficulty: int
    """Number to reach (CY-41, CY-42)."""
    success: bool
    """Whether the animal obeys, or is tamed."""
    margin: int
    """Total less difficulty."""
    critical: CydoniaCritical | None
    """Critical of the test."""
    maximum: int
    """Animals that may be owned (CY-43)."""
    owned_after: int
    """Animals owned now."""


def _skill(handler: CydoniaTrained) -> int:
    """CY-14: the skill with its items."""
    return boost(handler.skill, handler.skill_items, handler.item_policy).effective


def _faults(request: CydoniaTamingRequest) -> Faults:
    yield from side_faults(request.handler, HANDLING, "/handler")
    yield from critical_faults(request)
    skill = _skill(request.handler)
    maximum = brackets(skill)
    if request.task is CydoniaTask.TAME and request.owned >= maximum:
        yield RuleRefused(
            "no-free-place",
            pointer="/owned",
            rule="CY-R46",
            skill=skill,
            maximum=maximum,
        )


def summary(outcome: CydoniaTamingOutcome) -> str:
    return "obeyed" if outcome.success else "not-obeyed"


@resolver(
    "taming",
    rules=(*TEST_RULES, *DIFFICULTY_RULES, "CY-41", "CY-42", "CY-43", "CY-R46", "CY-R47"),
    odds=("success",),
    summary=summary,
)
def taming(request: CydoniaTamingRequest, dice: Dice) -> CydoniaTamingOutcome:
    """Give an animal an order, or tame a wild one."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    tames = request.task is CydoniaTask.TAME
    wild = WILD if tames else 0  # CY-42
    difficulty = request.animal_difficulty + wild
    if wild:
        code = CydoniaModifierCode.WILD_ANIMAL
        dice.note("CY-42", "wild", code=code, value=wild, difficulty=difficulty)
    handler = prepare(request.handler, HANDLING, request)
    rolled = roll(handler, dice)
    success = meets(rolled, difficulty, judging(request), dice)
    maximum = brackets(_skill(request.handler))  # CY-43
    owned = request.owned + (tames and success)
    dice.note("CY-43", "owned", before=request.owned, after=owned, maximum=maximum)
    return CydoniaTamingOutcome(
        test=shown(handler, rolled),
        difficulty=difficulty,
        success=success,
        margin=rolled.total - difficulty,
        critical=rolled.critical,
        maximum=maximum,
        owned_after=owned,
    )
