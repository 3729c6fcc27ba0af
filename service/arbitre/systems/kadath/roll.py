"""One character's test: rules KA-01 to KA-07, with help, hindrance and boons."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import (
    TEST_RULES,
    KadathAction,
    KadathCritical,
    KadathRole,
    KadathTest,
    attempt,
    boon_terms,
    by_successes,
)
from arbitre.systems.kadath.boons import BOON_RULES, KadathCombatState, effects, refuse_faults


class KadathQualityRow(Frozen):
    min: Annotated[int, Field(ge=0, le=20), WHOLE]
    """Least quality of the level."""
    label: Annotated[str, Field(max_length=200), CLEAN]
    """The caller's words for it."""


class KadathRollRequest(KadathAction, Request):
    quality_table: Annotated[tuple[KadathQualityRow, ...], Field(max_length=50)] | None = None
    """The caller's levels of quality (KA-R7)."""


class KadathRollOutcome(KadathTest, Outcome):
    success: bool
    """Whether a success is left (KA-02)."""
    quality: int
    """Successes of a successful action (KA-06)."""
    quality_label: str | None
    """The caller's word for that quality (KA-R7)."""
    critical: KadathCritical | None = None
    """Always null: the game has no critical (KA-87)."""
    mishap: bool
    """Whether a Risk taken turns bad (KA-49)."""
    position_lost: bool
    """Whether the advantageous position is given up after the action (KA-49)."""
    combat_state: KadathCombatState
    """Pending effects once the action is declared."""


def summary(outcome: KadathRollOutcome) -> tuple[str, ...]:
    told = "success" if outcome.success else "failure"
    return (told, "mishap") if outcome.mishap else (told,)


@resolver(
    "roll",
    rules=(*TEST_RULES, *BOON_RULES, "KA-87"),
    odds=("successes", "success", "mishap"),
    summary=summary,
)
def roll(request: KadathRollRequest, dice: Dice) -> KadathRollOutcome:
    """Test a skill, with circumstances, help, hindrance, boons and their price."""
    refuse_faults(request, attack=False)
    gained = effects(request, dice)
    test = dice.sub(attempt, request, boon_terms(gained), KadathRole.ACTOR, merge=by_successes)
    success = test.successes >= 1  # KA-02
    mishap = gained.mishap_on_failure and not success  # KA-49
    if gained.mishap_on_failure:
        dice.note("KA-49", "risk", mishap=mishap)
    dice.note("KA-06", "quality", success=success, quality=test.successes)
    return KadathRollOutcome(
        **vars(test),
        success=success,
        quality=test.successes,
        quality_label=_level(request.quality_table or (), test.successes),
        mishap=mishap,
        position_lost=gained.position_lost,
        combat_state=gained.combat_state,
    )


def _level(rows: tuple[KadathQualityRow, ...], quality: int) -> str | None:
    """KA-06, KA-R7: the highest level reached, on a success only."""
    reached = [row for row in rows if row.min <= quality] if quality else []
    return max(reached, key=lambda row: row.min).label if reached else None
