"""Who takes the advantage: rules NP-43, NP-44 and NP-53, rulings NP-R44, NP-R45 and NP-R58."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.test import Text

Index = Annotated[int, Field(ge=0, le=11), WHOLE]


class NightProwlerInitiativeEntry(Frozen):
    name: Text | None = None
    """The caller's word for the fighter."""
    initiative: Annotated[int, Field(ge=-1000, le=1000), WHOLE] | None = None
    """Initiative; nothing: unknown (NP-R44)."""


class NightProwlerInitiativeRequest(Request):
    combatants: Annotated[
        tuple[NightProwlerInitiativeEntry, ...], Field(min_length=2, max_length=12)
    ]
    """The fighters, numbered from 0."""
    charging: Annotated[tuple[Index, ...], Field(max_length=12)] = ()
    """Numbers of those who charge (NP-53)."""


class NightProwlerForced(Frozen):
    by: int
    """Number of the one who has the advantage."""
    on: int
    """Number of the one who must defend in the first round."""


class NightProwlerInitiativeOutcome(Outcome):
    order: tuple[int, ...]
    """Numbers, the greatest initiative first."""
    leader: int | None
    """Who has the advantage over everybody; nothing when tied or unknown (NP-R44)."""
    forced_defensive: tuple[NightProwlerForced, ...]
    """Between opponents of a first round: who forces whom to defend (NP-43)."""
    reaction_order: tuple[int, ...]
    """Numbers in the order in which reactions are told, the lowest first (NP-44)."""


def leads(request: NightProwlerInitiativeRequest, one: int, other: int) -> bool:
    """NP-43, NP-R44, NP-R58: a charge leads, else the greater of two known initiatives."""
    if one in request.charging or other in request.charging:
        return one in request.charging and other not in request.charging
    own, foe = request.combatants[one].initiative, request.combatants[other].initiative
    return own is not None and foe is not None and own > foe


def rank(request: NightProwlerInitiativeRequest, number: int) -> tuple[bool, bool, int, int]:
    """Order by charge, then by initiative, the unknown last, then as given."""
    known = request.combatants[number].initiative
    return number not in request.charging, known is None, -(known or 0), number


def summary(outcome: NightProwlerInitiativeOutcome) -> str:
    return "no-leader" if outcome.leader is None else "leader"


@resolver(
    "initiative",
    rules=("NP-43", "NP-44", "NP-53", "NP-R44", "NP-R45", "NP-R58"),
    summary=summary,
)
def initiative(request: NightProwlerInitiativeRequest, dice: Dice) -> NightProwlerInitiativeOutcome:
    """Order fighters, say who forces whom to defend in the first round, and who reacts first."""
    numbers = range(len(request.combatants))
    for place, number in enumerate(request.charging):
        if number >= len(request.combatants):
            raise RuleRefused("no-such-opponent", pointer=f"/charging/{place}", rule="NP-53")
    order = tuple(sorted(numbers, key=lambda number: rank(request, number)))
    forced = tuple(
        NightProwlerForced(by=one, on=other)
        for one in numbers
        for other in numbers
        if leads(request, one, other)
    )
    ahead = [one for one in numbers if sum(pair.by == one for pair in forced) == len(order) - 1]
    leader = next(iter(ahead), None)
    if leader is not None:
        dice.note("NP-43", "leads", number=leader)
    return NightProwlerInitiativeOutcome(
        order=order, leader=leader, forced_defensive=forced, reaction_order=order[::-1]
    )
