"""How the heroism pool comes back and goes: rules NP-13, NP-22 and NP-76, ruling NP-R90."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.kinds import refuse_fields
from arbitre.systems.night_prowler.test import Points, refuse_cost

REST_HOURS = 5  # NP-22
HALF_HOUR = 30  # NP-22
LOSS = 3  # NP-76


class NightProwlerHeroismEvent(StrEnum):
    SCENE_END = "scene_end"
    REST = "rest"
    AWARD = "award"
    AUTHORITY_DEFIANCE = "authority_defiance"
    COMMUNITY_KEPT = "community_kept"
    COMMUNITY_MISSED = "community_missed"
    RAIN = "rain"
    CANCEL_INTIMIDATION = "cancel_intimidation"
    ENGAGE_CREVARD = "engage_crevard"
    SEQUELAE = "sequelae"


_E = NightProwlerHeroismEvent


class NightProwlerHeroismRequest(Request):
    event: NightProwlerHeroismEvent
    """What happens to the pool (NP-22)."""
    heroism: Points
    """The pool before."""
    heroism_max: Points | None = None
    """The pool at its full value; for the gains it caps, and sequelae."""
    hours: Annotated[Decimal, Hundredths(0, 1000)] | None = None
    """Hours of rest; rest."""
    amount: Annotated[int, Field(ge=1, le=20), WHOLE] | None = None
    """Points the GM awards; award."""
    minutes: Annotated[int, Field(ge=0, le=100_000), WHOLE] | None = None
    """Minutes out in the rain; rain."""
    count: Annotated[int, Field(ge=1, le=20), WHOLE] | None = None
    """Mortal wounds survived; sequelae."""


class NightProwlerHeroismOutcome(Outcome):
    heroism: int
    """The pool afterwards."""
    heroism_max: int | None
    """Its full value afterwards."""
    delta: int
    """What the pool gained or lost."""
    capped: bool
    """The maximum cut the gain short."""


class Change(NamedTuple):
    """What an event does to the pool."""

    gain: int = 0
    capped: bool = False
    forced: bool = False
    """The loss is suffered, down to nothing; otherwise it must be paid in full."""


_BY_EVENT = {
    "hours": {_E.REST},
    "amount": {_E.AWARD},
    "minutes": {_E.RAIN},
    "count": {_E.SEQUELAE},
}
_NEEDED = {
    _E.SCENE_END: ("heroism_max",),
    _E.REST: ("heroism_max", "hours"),
    _E.AWARD: ("heroism_max", "amount"),
    _E.RAIN: ("minutes",),
    _E.SEQUELAE: ("heroism_max", "count"),
}
_FIXED = {  # NP-22
    _E.SCENE_END: Change(1, capped=True),
    _E.AUTHORITY_DEFIANCE: Change(2),
    _E.COMMUNITY_KEPT: Change(1),
    _E.COMMUNITY_MISSED: Change(-1, forced=True),
    _E.CANCEL_INTIMIDATION: Change(-1),
    _E.ENGAGE_CREVARD: Change(-1),
    _E.SEQUELAE: Change(),
}


def change_of(request: NightProwlerHeroismRequest) -> Change:
    """NP-22, NP-R90: what the event gives or takes."""
    if request.event is _E.REST:
        return Change((request.heroism_max or 0) // 4, capped=True)
    if request.event is _E.AWARD:
        return Change(request.amount or 0, capped=True)
    if request.event is _E.RAIN:
        return Change(-(request.minutes or 0) // HALF_HOUR)
    return _FIXED[request.event]


def refuse(request: NightProwlerHeroismRequest) -> None:
    if request.event is _E.REST and request.hours is not None and request.hours < REST_HOURS:
        raise RuleRefused("rest-too-short", pointer="/hours", rule="NP-22")
    refuse_fields(request, request.event, _BY_EVENT, _NEEDED)
    change = change_of(request)
    if not change.forced:
        refuse_cost(-change.gain, request.heroism, "/heroism")


def summary(outcome: NightProwlerHeroismOutcome) -> str:
    return "heroism-capped" if outcome.capped else "heroism-changed"


@resolver("heroism", rules=("NP-13", "NP-22", "NP-76", "NP-R90"), summary=summary)
def heroism(request: NightProwlerHeroismRequest, dice: Dice) -> NightProwlerHeroismOutcome:
    """Recover or lose heroism: the end of a scene, a rest, an award, a trait, sequelae."""
    refuse(request)
    change = change_of(request)
    most = request.heroism_max
    pool = max(0, request.heroism + change.gain)
    if change.capped and most is not None:
        pool = max(request.heroism, min(pool, most))  # NP-22: never lowered by a capped gain
    if request.event is _E.SEQUELAE and most is not None:
        before, most = most, max(0, most - LOSS * (request.count or 0))
        dice.note("NP-76", "sequelae", count=request.count, before=before, after=most)
        pool = min(pool, most)
    dice.note("NP-22", "heroism", event=request.event, before=request.heroism, after=pool)
    return NightProwlerHeroismOutcome(
        heroism=pool,
        heroism_max=most,
        delta=pool - request.heroism,
        capped=change.capped and pool < request.heroism + change.gain,
    )
