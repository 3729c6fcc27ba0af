"""A simple test, an attribute test or a test of fear: rules NP-01 to NP-17 and NP-85."""

from arbitre.dice import Dice
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    NightProwlerTest,
    NightProwlerTestResult,
    NightProwlerVerdict,
    prepare,
    refuse_tests,
    roll_test,
)


class NightProwlerRollRequest(NightProwlerTest):
    pass


class NightProwlerRollOutcome(NightProwlerTestResult):
    pass


def summary(outcome: NightProwlerRollOutcome) -> str:
    if outcome.converted:
        return "converted"
    if outcome.critical is not None:
        return f"critical-{outcome.critical}"
    return NightProwlerVerdict.SUCCESS if outcome.success else NightProwlerVerdict.FAILURE


@resolver(
    "roll",
    rules=(*TEST_RULES, "NP-17", "NP-85"),
    odds=("success", "critical", "quality", ("success", "quality")),
    summary=summary,
)
def roll(request: NightProwlerRollRequest, dice: Dice) -> NightProwlerRollOutcome:
    """Resolve one simple test."""
    refuse_tests([("", request)])
    result = dice.sub(roll_test, prepare(request, "test"))
    return NightProwlerRollOutcome.model_construct(**dict(result))
