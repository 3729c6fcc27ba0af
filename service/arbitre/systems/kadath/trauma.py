"""One round of trauma imminent: rules KA-59 and KA-60."""

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.kadath.block import (
    TEST_RULES,
    KadathBlock,
    KadathRole,
    KadathSource,
    KadathTest,
    Term,
    attempt,
)
from arbitre.systems.kadath.life import KadathCondition, coma_days
from arbitre.systems.kadath.tables import KadathBox

AHEAD = 10
"""Rounds the aid looks ahead."""


class KadathTraumaRequest(Request):
    test: KadathBlock
    """Test of the wounded character; its token is off the line (KA-R35)."""
    trauma_rounds: Annotated[int, Field(ge=0, le=1000), WHOLE] = 0
    """Rounds passed: each is one unfavorable circumstance (KA-59)."""


class KadathTraumaOutcome(KadathTest, Outcome):
    success: bool
    """Whether the character holds on (KA-59)."""
    condition: KadathCondition
    """Trauma imminent still, or a coma (KA-59)."""
    trauma_rounds: int
    """Rounds passed, this one included."""
    days_to_live: int | None
    """Days a coma leaves (KA-60)."""


class KadathHoldingChance(Frozen):
    rounds: int
    """Rounds ahead, this one included."""
    holding: Exact
    """Chance to hold on through all of them."""


class KadathTraumaOdds(Frozen):
    rounds: tuple[KadathHoldingChance, ...]
    """The next rounds."""


def summary(outcome: KadathTraumaOutcome) -> str:
    return "holds_on" if outcome.success else "falls_into_coma"


def by_dice(test: KadathTest) -> tuple[int, int]:
    """Keep what other circumstances would be counted against."""
    return test.dice_successes, test.successes


def work(request: KadathTraumaRequest, _options: None, enumerate_: Enumerate) -> KadathTraumaOdds:
    """Give the chance to hold on through the next rounds, each harder by one."""

    def margin(dice: Dice) -> int:
        terms = _terms(request)
        test = dice.sub(attempt, request.test, terms, KadathRole.WOUNDED, merge=by_dice)
        return test.dice_successes + test.modifier

    margins = enumerate_(margin)
    holding, found = Fraction(1), []
    for rounds in range(1, AHEAD + 1):
        holding *= sum(p for value, p in margins.items() if value >= rounds)
        found.append(KadathHoldingChance(rounds=rounds, holding=Exact.of(holding)))
    return KadathTraumaOdds(rounds=tuple(found))


@resolver(
    "trauma",
    rules=("KA-59", "KA-60", *TEST_RULES, "KA-R35", "KA-R36"),
    odds=("condition", "success"),
    summary=summary,
    aid=Aid(work, KadathTraumaOdds),
)
def trauma(request: KadathTraumaRequest, dice: Dice) -> KadathTraumaOutcome:
    """Test to hold on one more round; the first failure is a coma."""
    if request.test.box is not KadathBox.WHITE:
        raise RuleRefused("box-without-token", pointer="/test/box", rule="KA-R35")
    terms = _terms(request)
    test = dice.sub(attempt, request.test, terms, KadathRole.WOUNDED, merge=by_dice)
    holds = test.successes >= 1
    passed = request.trauma_rounds + 1
    dice.note("KA-59", "trauma_round", holds=holds, rounds=passed)
    return KadathTraumaOutcome(
        **dict(test),
        success=holds,
        condition=KadathCondition.TRAUMA if holds else KadathCondition.COMA,
        trauma_rounds=passed,
        days_to_live=None if holds else coma_days(dice),  # KA-60
    )


def _terms(request: KadathTraumaRequest) -> tuple[Term, ...]:
    """KA-59: each round passed weighs; the first test is free of it (KA-R35)."""
    return (Term("KA-59", KadathSource.TRAUMA, unfavorable=request.trauma_rounds),)
