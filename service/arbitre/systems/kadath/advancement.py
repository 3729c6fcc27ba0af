"""Experience earned and spent: rules KA-22 to KA-24."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.kinds import given, refuse_others
from arbitre.systems.kadath.tables import raise_cost


class KadathAdvancementKind(StrEnum):
    RAISE = "raise"
    AWARD = "award"


class KadathRaise(Frozen):
    skill_name: Annotated[str, Field(min_length=1, max_length=60), CLEAN]
    """Name of the skill."""
    from_: Annotated[int, Field(ge=0, le=5), WHOLE] = Field(alias="from")
    """Value now."""
    to: Annotated[int, Field(ge=1, le=6), WHOLE]
    """Value wanted, above the present one (KA-23)."""


class KadathAdvancementRequest(Request):
    kind: KadathAdvancementKind = KadathAdvancementKind.RAISE
    """Spend experience, or earn some."""
    experience: Annotated[int, Field(ge=0, le=10000), WHOLE]
    """Points in hand; 4 before the first game (KA-24)."""
    raises: Annotated[tuple[KadathRaise, ...], Field(min_length=1, max_length=30)] | None = None
    """Skills to raise, each once: raise (KA-23)."""
    award: Annotated[int, Field(ge=0, le=5), WHOLE] | None = None
    """Points the adventure gives: award (KA-22)."""


class KadathSkillAfter(Frozen):
    skill_name: str
    """Name of the skill."""
    skill: int
    """Its value after."""


class KadathAdvancementOutcome(Outcome):
    kind: KadathAdvancementKind
    """As asked."""
    experience_left: int
    """Points in hand after."""
    cost: int | None = None
    """Cost of all the raises (KA-23)."""
    costs: tuple[int, ...] | None = None
    """Cost of each raise, in order (KA-23)."""
    affordable: bool | None = None
    """Whether the points suffice; if not, nothing is raised (KA-R55)."""
    skills: tuple[KadathSkillAfter, ...] | None = None
    """Skills raised; null if the points do not suffice."""


def summary(outcome: KadathAdvancementOutcome) -> str:
    if outcome.kind is KadathAdvancementKind.AWARD:
        return "awarded"
    return "raised" if outcome.affordable else "too_dear"


@resolver("advancement", rules=("KA-22", "KA-23", "KA-24", "KA-R55"), summary=summary)
def advancement(request: KadathAdvancementRequest, dice: Dice) -> KadathAdvancementOutcome:
    """Spend experience on skills, or earn it."""
    if request.kind is KadathAdvancementKind.AWARD:
        return _award(request, dice)
    return _raise(request, dice)


def _award(request: KadathAdvancementRequest, dice: Dice) -> KadathAdvancementOutcome:
    """KA-22: none to five points at the end of an adventure."""
    refuse_others(request, request.kind, ("experience",), needs=("award",))
    award = given(request.award)
    left = request.experience + award
    dice.note("KA-22", "award", award=award, before=request.experience, after=left)
    return KadathAdvancementOutcome(kind=request.kind, experience_left=left)


def _raise(request: KadathAdvancementRequest, dice: Dice) -> KadathAdvancementOutcome:
    """KA-23: each point costs the value reached; all the raises, or none (KA-R55)."""
    refuse_others(request, request.kind, ("experience",), needs=("raises",))
    raises = given(request.raises)
    for index, wanted in enumerate(raises):
        if wanted.to <= wanted.from_:
            raise RuleRefused("raise-not-up", pointer=f"/raises/{index}/to", rule="KA-23")
    names = [wanted.skill_name for wanted in raises]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise RuleRefused("duplicate-skill", pointer=f"/raises/{index}/skill_name")
    costs = tuple(raise_cost(wanted.from_, wanted.to) for wanted in raises)
    for wanted, cost in zip(raises, costs, strict=True):
        dice.note("KA-23", "raise", before=wanted.from_, after=wanted.to, cost=cost)
    cost, had = sum(costs), request.experience
    affordable = cost <= had
    left = had - cost if affordable else had
    dice.note("KA-R55", "spend", cost=cost, before=had, after=left, affordable=affordable)
    return KadathAdvancementOutcome(
        kind=request.kind,
        experience_left=left,
        cost=cost,
        costs=costs,
        affordable=affordable,
        skills=tuple(
            KadathSkillAfter(skill_name=wanted.skill_name, skill=wanted.to) for wanted in raises
        )
        if affordable
        else None,
    )
