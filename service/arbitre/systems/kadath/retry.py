"""May an action that failed be tried again? Rules KA-08 and KA-38."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import Circumstances, Skill


class KadathRetryReason(StrEnum):
    COMBAT = "combat"
    SKILL = "skill"
    CIRCUMSTANCES = "circumstances"
    ADVENTURE = "adventure"


class KadathSituation(Frozen):
    skill: Skill
    """Value of the skill concerned."""
    favorable: Circumstances = 0
    """Favorable circumstances."""
    unfavorable: Circumstances = 0
    """Unfavorable circumstances."""
    adventure: Annotated[int, Field(ge=1, le=100000), WHOLE] = 1
    """Number of the adventure, in the order they are played (KA-R13)."""

    @property
    def modifier(self) -> int:
        """Net circumstances (KA-04)."""
        return self.favorable - self.unfavorable


class KadathRetryRequest(Request):
    before: KadathSituation
    """When the action failed."""
    now: KadathSituation
    """When it would be tried again."""
    in_combat: bool = False
    """Whether it happens in a fight (KA-38)."""


class KadathRetryOutcome(Outcome):
    allowed: bool
    """Whether the action may be tried again (KA-08)."""
    reasons: tuple[KadathRetryReason, ...]
    """Every reason that holds."""
    modifier_before: int
    """Net circumstances when it failed (KA-04)."""
    modifier_now: int
    """Net circumstances now (KA-04)."""


def summary(outcome: KadathRetryOutcome) -> str:
    return "retry_allowed" if outcome.allowed else "retry_refused"


@resolver("retry", rules=("KA-04", "KA-08", "KA-38", "KA-R13"), summary=summary)
def retry(request: KadathRetryRequest, dice: Dice) -> KadathRetryOutcome:
    """Say whether an action that failed may be tried again, and why."""
    before, now = request.before, request.now
    if now.adventure < before.adventure:
        raise RuleRefused("adventure-order", pointer="/now/adventure", rule="KA-08")
    holds = {
        KadathRetryReason.COMBAT: request.in_combat,  # KA-38
        KadathRetryReason.SKILL: now.skill > before.skill,  # KA-08
        KadathRetryReason.CIRCUMSTANCES: now.modifier > before.modifier,  # KA-R13
        KadathRetryReason.ADVENTURE: now.adventure > before.adventure,
    }
    dice.note("KA-08", "retry_skill", before=before.skill, now=now.skill)
    dice.note("KA-R13", "retry_circumstances", before=before.modifier, now=now.modifier)
    dice.note("KA-R13", "retry_adventure", before=before.adventure, now=now.adventure)
    if request.in_combat:
        dice.note("KA-38", "retry_combat")
    reasons = tuple(reason for reason, true in holds.items() if true)
    return KadathRetryOutcome(
        allowed=bool(reasons),
        reasons=reasons,
        modifier_before=before.modifier,
        modifier_now=now.modifier,
    )
