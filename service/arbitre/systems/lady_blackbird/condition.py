"""A condition is ticked, or a death made real: rules LB-08, LB-09, rulings LB-R16 to LB-R18."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.lady_blackbird.sheet import Conditions, refuse_unreal_death
from arbitre.systems.lady_blackbird.tables import CONDITIONS, LadyBlackbirdCondition

DEAD = LadyBlackbirdCondition.DEAD


class LadyBlackbirdConditionAction(StrEnum):
    INFLICT = "inflict"
    DECLARE_DEATH_FINAL = "declare_death_final"


class LadyBlackbirdCause(StrEnum):
    FAILED_TEST = "failed_test"
    EVENT = "event"


class LadyBlackbirdConditionState(Frozen):
    conditions: Conditions = ()
    """Boxes ticked (LB-08)."""
    death_is_final: bool = False
    """The player decided that the death is real (LB-09)."""


class LadyBlackbirdConditionRequest(Request):
    action: LadyBlackbirdConditionAction = LadyBlackbirdConditionAction.INFLICT
    """Tick a condition, or make a death real."""
    condition: LadyBlackbirdCondition | None = None
    """The condition to tick (LB-08)."""
    death_is_final: bool = False
    """The death that is ticked is real (LB-09)."""
    cause: LadyBlackbirdCause = LadyBlackbirdCause.EVENT
    """What called for it; for information (LB-08)."""
    description: Annotated[str, Field(max_length=500), CLEAN] = ""
    """How it happened; for information (LB-08)."""
    state: LadyBlackbirdConditionState = LadyBlackbirdConditionState()
    """The character before."""


class LadyBlackbirdConditionOutcome(Outcome):
    action: LadyBlackbirdConditionAction
    """A condition ticked, or a death made real."""
    condition: LadyBlackbirdCondition
    """The condition it was about."""
    state: LadyBlackbirdConditionState
    """The character after, conditions in the order of the sheet."""
    already_present: bool
    """The box was ticked, or the death real, before (LB-R17)."""
    presumed_dead: bool
    """Dead is ticked and not real (LB-09)."""
    cause: LadyBlackbirdCause
    """What called for it."""
    description: str
    """How it happened."""


def refuse(request: LadyBlackbirdConditionRequest) -> None:
    """LB-08, LB-09: a condition to tick, and only a death to make real."""
    declaring = request.action is LadyBlackbirdConditionAction.DECLARE_DEATH_FINAL
    if not declaring and request.condition is None:
        raise RuleRefused("condition-required", pointer="/condition", rule="LB-08")
    real = declaring or request.death_is_final
    if real and request.condition not in (None, DEAD):
        raise RuleRefused("death-flag", pointer="/condition", rule="LB-09")
    if declaring and DEAD not in request.state.conditions:
        raise RuleRefused("not-dead", pointer="/state/conditions", rule="LB-09")
    refuse_unreal_death(request.state.conditions, request.state.death_is_final)


def summary(outcome: LadyBlackbirdConditionOutcome) -> str:
    if outcome.action is LadyBlackbirdConditionAction.DECLARE_DEATH_FINAL:
        return "death_real"
    return "already_ticked" if outcome.already_present else "ticked"


@resolver(
    "condition",
    rules=("LB-08", "LB-09", "LB-R16", "LB-R17", "LB-R18"),
    summary=summary,
)
def condition(request: LadyBlackbirdConditionRequest, dice: Dice) -> LadyBlackbirdConditionOutcome:
    """Tick one condition, or make a death real."""
    refuse(request)
    before = request.state
    box = request.condition or DEAD
    declaring = request.action is LadyBlackbirdConditionAction.DECLARE_DEATH_FINAL
    conditions = tuple(  # LB-08, LB-R16
        known for known in CONDITIONS if known is box or known in before.conditions
    )
    death_is_final = before.death_is_final or declaring or request.death_is_final  # LB-R18
    already = before.death_is_final if declaring else box in before.conditions  # LB-R17
    if not declaring:
        dice.note("LB-08", "ticked", condition=box, already=already)
    if death_is_final and not before.death_is_final:
        dice.note("LB-09", "death_real")
    presumed = DEAD in conditions and not death_is_final
    if presumed and not already:
        dice.note("LB-09", "presumed_dead")
    return LadyBlackbirdConditionOutcome(
        action=request.action,
        condition=box,
        state=LadyBlackbirdConditionState(conditions=conditions, death_is_final=death_is_final),
        already_present=already,
        presumed_dead=presumed,
        cause=request.cause,
        description=request.description,
    )
