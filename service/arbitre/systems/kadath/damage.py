"""Blows on a life line: rules KA-45 and KA-51 to KA-56."""

from collections.abc import Hashable
from fractions import Fraction
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.kadath.life import (
    LIFE_RULES,
    Course,
    Hit,
    KadathLifeResult,
    KadathTarget,
    by_state,
    endure,
    life_summary,
    refuse_dead,
    refuse_target,
    take,
)


class KadathDamageRequest(KadathTarget, Request):
    hits: Annotated[
        tuple[Annotated[int, Field(ge=0, le=60), WHOLE], ...], Field(min_length=1, max_length=50)
    ]
    """Damage of each blow, in order (KA-52)."""
    protection: Annotated[int, Field(ge=0, le=20), WHOLE] = 0
    """Protection taken off each blow (KA-45)."""


class KadathDamageOutcome(KadathLifeResult, Outcome):
    pass


class KadathRowChance(Frozen):
    from_: int = Field(alias="from")
    """First face of the row."""
    to: int
    """Last face of the row."""
    rolled: Exact
    """Chance that the row comes up at least once."""


class KadathDamageOdds(Frozen):
    rows: tuple[KadathRowChance, ...]
    """Each row of the table of perils."""


class Watch(NamedTuple):
    """Where the blows have brought somebody, and whether a row has come up."""

    course: Course
    seen: bool


def _watched(watch: Watch, item: tuple[Hit, int, int], dice: Dice) -> Watch:
    hit, low, high = item
    course = take(watch.course, hit, dice)
    roll = course.events[-1].peril if course.events else None
    came = roll is not None and low <= roll.face <= high
    return Watch(course._replace(events=()), watch.seen or came)


def _watch_state(watch: Watch) -> Hashable:
    return by_state(watch.course), watch.seen


def work(request: KadathDamageRequest, _options: None, enumerate_: Enumerate) -> KadathDamageOdds:
    """Give each row's chance to come up at least once."""

    def chance(low: int, high: int) -> Fraction:
        def struck(dice: Dice) -> bool:
            items = (
                (Hit(number, hit, request.protection, request), low, high)
                for number, hit in enumerate(request.hits, 1)
            )
            start = Watch(Course(request.state), seen=False)
            return dice.fold(_watched, start, items, merge=_watch_state).seen

        return enumerate_(struck).chance(bool)

    return KadathDamageOdds(
        rows=tuple(
            KadathRowChance(
                **{"from": row.from_}, to=row.to, rolled=Exact.of(chance(row.from_, row.to))
            )
            for row in request.peril_table or ()
        )
    )


def summary(outcome: KadathDamageOutcome) -> tuple[str, ...]:
    return life_summary(outcome)


@resolver(
    "damage",
    rules=(*LIFE_RULES, "KA-53", "KA-62", "KA-R31", "KA-R45"),
    odds=("state.condition", "box", "in_peril"),
    summary=summary,
    aid=Aid(work, KadathDamageOdds),
)
def damage(request: KadathDamageRequest, dice: Dice) -> KadathDamageOutcome:
    """Move the token for each blow; in peril, read the caller's table instead."""
    refuse_dead(request.state, "/state")
    refuse_target(request, "")
    result = endure(request, request.hits, request.protection, dice)
    return KadathDamageOutcome(**dict(result))
