"""One test: rules LB-01 to LB-07, LB-10, LB-11, LB-21, rulings LB-R1 to LB-R8 and others."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import Annotated

from pydantic import Field

from arbitre.dice import Count, Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Name
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.lady_blackbird.helpers import Helpers, refuse_helpers
from arbitre.systems.lady_blackbird.names import find
from arbitre.systems.lady_blackbird.pool import FULL, MOST, Pool, gain
from arbitre.systems.lady_blackbird.tables import LEVELS, LadyBlackbirdLevel

BASE = 1  # LB-01
SUCCESS = 4  # LB-03
USUAL = 3  # LB-04
MANY = 20
"""Most tags or bonus dice of one test: a technical limit."""


class LadyBlackbirdCritical(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


class LadyBlackbirdPoolState(Frozen):
    pool: Pool = FULL
    """Dice the character holds (LB-21)."""


class LadyBlackbirdRollRequest(Request):
    name: Name | None = None
    """Who is tested."""
    difficulty: Annotated[int, Field(ge=2, le=5), WHOLE] = USUAL  # LB-R19
    """Successes needed: 2 easy, 3 normal, 4 ambitious, 5 extreme (LB-04)."""
    trait: bool = False
    """A trait of the character helps (LB-01)."""
    tags: Annotated[int, Field(ge=0, le=MANY), WHOLE] = 0
    """Tags of that trait which apply (LB-01)."""
    bonus_dice: Annotated[int, Field(ge=0, le=MANY), WHOLE] = 0
    """Dice granted by something else, such as a secret (LB-R15)."""
    pool_dice: Annotated[int, Field(ge=0, le=MOST), WHOLE] = 0
    """Dice committed from the pool, before the throw (LB-02)."""
    helpers: Helpers = ()
    """Characters who each give one die (LB-10)."""
    state: LadyBlackbirdPoolState = LadyBlackbirdPoolState()
    """The character before the test."""


class LadyBlackbirdHelperAfter(Frozen):
    name: str
    """Who helped."""
    pool: int
    """Dice the helper holds after the test (LB-11)."""
    die_returned: bool
    """The helper took the die back (LB-11)."""


class LadyBlackbirdRollOutcome(Outcome):
    dice_rolled: int
    """Dice thrown (LB-01)."""
    successes: int
    """Dice at 4 or more (LB-03)."""
    difficulty: int
    """Successes that were needed (LB-04)."""
    level: LadyBlackbirdLevel
    """The name of the difficulty (LB-04)."""
    margin: int
    """Successes beyond the difficulty; for information."""
    success: bool
    """The test succeeds (LB-04)."""
    critical: LadyBlackbirdCritical | None = None
    """Always nothing: this game has no critical result."""
    possible: bool
    """Enough dice were thrown to succeed at all (LB-R20)."""
    state: LadyBlackbirdPoolState
    """The character after the test."""
    pool_spent: int
    """Pool dice given up by a success (LB-05)."""
    pool_gained: int
    """The die a failure adds (LB-06)."""
    dice_lost: int
    """The die a failure adds where it does not fit (LB-R6)."""
    helpers: tuple[LadyBlackbirdHelperAfter, ...]
    """The helpers after the test (LB-11)."""
    retry: bool
    """The GM may allow another attempt (LB-07)."""
    condition_possible: bool
    """The GM may give a condition (LB-08)."""


class LadyBlackbirdPoolChoice(Frozen):
    pool_dice: int
    """Dice committed from the pool."""
    dice_rolled: int
    """Dice thrown in all."""
    success: Exact
    """Chance of success."""
    pool: Exact
    """Mean of the pool after the test."""


class LadyBlackbirdRollAid(Frozen):
    by_pool_dice: tuple[LadyBlackbirdPoolChoice, ...]
    """The same test with each number of dice the pool allows."""


def refuse(request: LadyBlackbirdRollRequest) -> None:
    """LB-R2, LB-R3, LB-10: what cannot be thrown."""
    if request.tags and not request.trait:  # LB-R2
        raise RuleRefused("tags-without-trait", pointer="/tags", rule="LB-R2")
    if request.pool_dice > request.state.pool:  # LB-02, LB-R3
        raise RuleRefused(
            "pool-dice-exceed-pool", pointer="/pool_dice", rule="LB-R3", pool=request.state.pool
        )
    refuse_helpers(request.helpers, giving=True)
    names = [helper.name for helper in request.helpers]
    myself = None if request.name is None else find(request.name, names)
    if myself is not None:  # LB-10
        raise RuleRefused("helper-is-actor", pointer=f"/helpers/{myself}/name", rule="LB-10")


def gathered(request: LadyBlackbirdRollRequest) -> tuple[tuple[str, int], ...]:
    """LB-01, LB-02, LB-10, LB-R1, LB-R15: the dice by where they come from."""
    return (
        ("base", BASE),
        ("trait", int(request.trait)),
        ("tag", request.tags),
        ("bonus", request.bonus_dice),
        ("pool", request.pool_dice),
        *(("helper", 1) for _ in request.helpers),
    )


def throw(source: str, count: int, dice: Dice) -> int:
    """LB-03: each die of 4 or more is a success."""
    return dice.pool(source, count=count, sides=6, read=Count(SUCCESS))


def add(successes: int, more: int) -> int:
    return successes + more


def helped(
    request: LadyBlackbirdRollRequest, dice: Dice, *, success: bool
) -> Iterator[LadyBlackbirdHelperAfter]:
    """LB-11, LB-R8, LB-R27: a success costs each helper the die, a failure gives it back."""
    for index, helper in enumerate(request.helpers, 1):
        pool = helper.pool - success
        key = "helper_lost" if success else "helper_back"
        dice.note("LB-11", key, helper=index, before=helper.pool, after=pool)
        yield LadyBlackbirdHelperAfter(name=helper.name, pool=pool, die_returned=not success)


def by_pool_dice(
    request: LadyBlackbirdRollRequest, _options: None, enumerate_: Enumerate
) -> LadyBlackbirdRollAid:
    """LB-02: what each number of pool dice is worth."""
    choices = []
    for pool_dice in range(request.state.pool + 1):
        asked = request.model_copy(update={"pool_dice": pool_dice})
        found = enumerate_(partial(roll.resolve, asked))
        choices.append(
            LadyBlackbirdPoolChoice(
                pool_dice=pool_dice,
                dice_rolled=sum(count for _source, count in gathered(asked)),
                success=Exact.of(found.chance(lambda outcome: outcome.success)),
                pool=Exact.of(found.map(lambda outcome: outcome.state.pool).mean()),
            )
        )
    return LadyBlackbirdRollAid(by_pool_dice=tuple(choices))


def summary(outcome: LadyBlackbirdRollOutcome) -> str:
    return "success" if outcome.success else "failure"


@resolver(
    "roll",
    rules=(
        *("LB-01", "LB-02", "LB-03", "LB-04", "LB-05", "LB-06", "LB-07", "LB-08"),
        *("LB-10", "LB-11", "LB-21"),
        *("LB-R1", "LB-R2", "LB-R3", "LB-R4", "LB-R5", "LB-R6", "LB-R7", "LB-R8"),
        *("LB-R15", "LB-R16", "LB-R19", "LB-R20", "LB-R21", "LB-R27"),
    ),
    odds=(
        *("success", "successes", "margin", "state.pool", "helpers[].pool"),
        ("success", "state.pool"),
    ),
    summary=summary,
    aid=Aid(by_pool_dice, LadyBlackbirdRollAid),
)
def roll(request: LadyBlackbirdRollRequest, dice: Dice) -> LadyBlackbirdRollOutcome:
    """Resolve one character's test, helpers included."""
    refuse(request)
    sources = gathered(request)
    rolled = sum(count for _source, count in sources)
    dice.note(
        "LB-01",
        "gathered",
        rolled=rolled,
        trait=int(request.trait),
        tags=request.tags,
        bonus=request.bonus_dice,
        pool=request.pool_dice,
        helpers=len(request.helpers),
    )
    successes = dice.gather(throw, sources, state=0, combine=add)
    success = successes >= request.difficulty  # LB-04
    level = LEVELS[request.difficulty]
    dice.note("LB-03", "successes", successes=successes)
    possible = rolled >= request.difficulty
    if not possible:  # LB-R20
        dice.note("LB-R20", "hopeless", rolled=rolled, difficulty=request.difficulty)
    dice.note(
        "LB-04",
        "compared",
        successes=successes,
        difficulty=request.difficulty,
        level=level,
        success=success,
    )
    before = request.state.pool
    if success:  # LB-05, LB-R4
        spent, pool, gained, lost = request.pool_dice, before - request.pool_dice, 0, 0
        dice.note("LB-05", "spent", before=before, spent=spent, after=pool)
    else:  # LB-06, LB-R5
        spent, (pool, gained, lost) = 0, gain(before, 1)
        dice.note("LB-06", "kept", before=before, gained=gained, after=pool)
        if lost:
            dice.note("LB-R6", "full", lost=lost)
        dice.note("LB-07", "retry")  # LB-R21
    helpers = tuple(helped(request, dice, success=success))
    return LadyBlackbirdRollOutcome(
        dice_rolled=rolled,
        successes=successes,
        difficulty=request.difficulty,
        level=level,
        margin=successes - request.difficulty,
        success=success,
        possible=possible,
        state=LadyBlackbirdPoolState(pool=pool),
        pool_spent=spent,
        pool_gained=gained,
        dice_lost=lost,
        helpers=helpers,
        retry=not success,
        condition_possible=not success,  # LB-08, LB-R16
    )
