"""How many creatures someone may have: rule CY-43, ruling CY-R47."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.items import CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.side import CydoniaValue, Skill, note_items
from arbitre.systems.cydonia.tables import brackets

Owned = Annotated[int, Field(ge=0, le=100), WHOLE]


class CydoniaCreatureKind(StrEnum):
    SUMMON = "summon"
    ANIMAL = "animal"


class CydoniaCreaturesRequest(Request):
    kind: CydoniaCreatureKind = CydoniaCreatureKind.SUMMON
    """Creatures summoned by Magic, or animals owned by Animal handling: the count is the same."""
    skill: Skill
    """Value of that skill (CY-43)."""
    skill_items: Items = ()
    """Items that raise it (CY-14)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""
    owned: Owned = 0
    """Creatures one already has."""


class CydoniaCreaturesOutcome(Outcome):
    maximum: int
    """How many at a time (CY-43)."""
    remaining: int
    """How many more."""
    may_add: bool
    """Whether one more is possible."""


def summary(_outcome: CydoniaCreaturesOutcome) -> str:
    return "creatures"


@resolver("creatures", rules=("CY-14", "CY-43", "CY-R09", "CY-R47"), summary=summary)
def creatures(request: CydoniaCreaturesRequest, dice: Dice) -> CydoniaCreaturesOutcome:
    """Count the creatures that a skill allows."""
    skill = boost(request.skill, request.skill_items, request.item_policy)
    if skill.items:
        note_items(CydoniaValue.SKILL, skill, dice)
    maximum = brackets(skill.effective)
    dice.note("CY-43", "creatures", skill=skill.effective, maximum=maximum, kind=request.kind)
    remaining = max(0, maximum - request.owned)
    return CydoniaCreaturesOutcome(maximum=maximum, remaining=remaining, may_add=remaining > 0)
