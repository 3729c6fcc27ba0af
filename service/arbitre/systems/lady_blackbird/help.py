"""The pools of helpers when the test is resolved in two steps: rules LB-10, LB-11."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.lady_blackbird.helpers import MANY, LadyBlackbirdHelper, refuse_helpers
from arbitre.systems.lady_blackbird.pool import gain


class LadyBlackbirdStage(StrEnum):
    OFFER = "offer"
    SETTLE = "settle"


class LadyBlackbirdHelpRequest(Request):
    stage: LadyBlackbirdStage
    """Before the throw, or after it."""
    success: bool | None = None
    """After the throw: the test succeeded (LB-11)."""
    helpers: Annotated[tuple[LadyBlackbirdHelper, ...], Field(min_length=1, max_length=MANY)]
    """Who helps; their pools before giving at an offer, after giving at a settlement."""


class LadyBlackbirdHelperSettled(Frozen):
    name: str
    """Who helps."""
    pool: int
    """Dice the helper holds now."""
    dice_lost: int
    """A returning die that no longer fits (LB-R27)."""


class LadyBlackbirdHelpOutcome(Outcome):
    stage: LadyBlackbirdStage
    """Before the throw, or after it."""
    helper_dice: int
    """Dice the helpers add to the test (LB-10)."""
    helpers: tuple[LadyBlackbirdHelperSettled, ...]
    """The helpers now."""


def settled(
    request: LadyBlackbirdHelpRequest, index: int, dice: Dice
) -> LadyBlackbirdHelperSettled:
    """LB-10, LB-11, LB-R8: the die leaves the pool, comes back on a failure, or is gone."""
    helper = request.helpers[index]
    before = helper.pool
    pool, lost = before, 0
    if request.stage is LadyBlackbirdStage.OFFER:
        pool = before - 1
        dice.note("LB-10", "die_given", helper=index + 1, before=before, after=pool)
    elif request.success:
        dice.note("LB-11", "helper_lost", helper=index + 1, before=before, after=pool)
    else:
        pool, _gained, lost = gain(before, 1)  # LB-R27
        dice.note("LB-11", "helper_back", helper=index + 1, before=before, after=pool)
        if lost:
            dice.note("LB-R27", "full", lost=lost)
    return LadyBlackbirdHelperSettled(name=helper.name, pool=pool, dice_lost=lost)


def summary(outcome: LadyBlackbirdHelpOutcome) -> str:
    return outcome.stage.value


@resolver("help", rules=("LB-10", "LB-11", "LB-R6", "LB-R7", "LB-R8", "LB-R27"), summary=summary)
def help_(request: LadyBlackbirdHelpRequest, dice: Dice) -> LadyBlackbirdHelpOutcome:
    """Take each helper's die before a test, or settle it afterwards."""
    offer = request.stage is LadyBlackbirdStage.OFFER
    refuse_helpers(request.helpers, giving=offer)
    if not offer and request.success is None:
        raise RuleRefused("success-required", pointer="/success", rule="LB-11")
    if offer and request.success is not None:
        raise RuleRefused("success-forbidden", pointer="/success", rule="LB-10")
    return LadyBlackbirdHelpOutcome(
        stage=request.stage,
        helper_dice=len(request.helpers),
        helpers=tuple(settled(request, index, dice) for index in range(len(request.helpers))),
    )
