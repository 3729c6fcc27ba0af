"""Tests compared: rules NP-18, NP-46, NP-17, rulings NP-R17 to NP-R20 and NP-R43."""

from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    WORST,
    NightProwlerTest,
    NightProwlerTestResult,
    Prepared,
    prepare,
    refuse_tests,
    roll_test,
)


class NightProwlerSide(StrEnum):
    A = "a"
    B = "b"
    C = "c"
    D = "d"
    E = "e"
    F = "f"
    G = "g"
    H = "h"


SIDES = tuple(NightProwlerSide)


class NightProwlerTieBreak(StrEnum):
    NONE = "none"
    HEROISM = "heroism"


class NightProwlerOppositionRequest(Request):
    sides: Annotated[tuple[NightProwlerTest, ...], Field(max_length=8)]
    """The sides a, b, c… in order (NP-18)."""
    required_margin: Annotated[int, Field(ge=1, le=10), WHOLE] = 1
    """Margin that side a needs to win (NP-18)."""
    tie_break: NightProwlerTieBreak = NightProwlerTieBreak.NONE
    """Whether the larger heroism pool wins a tie of successes (NP-46)."""


class NightProwlerOppositionOutcome(Outcome):
    sides: tuple[NightProwlerTestResult, ...]
    """The test of each side."""
    winner: NightProwlerSide | None
    """The unique best success (NP-18); nothing on a status quo."""
    margin: int
    """Quality of the winner less the best other quality (NP-R19)."""
    status_quo: bool
    """Nobody wins."""
    tie_broken: bool
    """The larger heroism pool decided (NP-46)."""


class Contest(NamedTuple):
    """The sides so far, and all that decides the winner and the margin."""

    by_heroism: bool
    results: tuple[NightProwlerTestResult, ...] = ()
    leader: NightProwlerSide | None = None
    """The unique best success or, by heroism, the largest pool among the equal ones."""
    best: int = -1
    """Quality of the best success; nobody succeeded while it is negative."""
    tied: bool = False
    """Several sides have it."""
    pool: int | None = None
    """Largest pool of those sides; nothing once one of them is not tracked."""
    other: int = WORST
    """Best quality of the others, failures included."""


def standing(contest: Contest) -> tuple[object, ...]:
    """Say all that the winner and the margin still depend on."""
    return (len(contest.results), *contest[2:])


def side_test(side: NightProwlerSide, prepared: Prepared, dice: Dice) -> NightProwlerTestResult:
    """NP-18: each side makes its own test."""
    result = roll_test(prepared, dice)
    dice.note("NP-18", "side", side=side, success=result.success, quality=result.quality)
    return result


def enter(contest: Contest, result: NightProwlerTestResult) -> Contest:
    """NP-18, NP-R20: compare one more side with those before it."""
    side = SIDES[len(contest.results)]
    contest = contest._replace(results=(*contest.results, result))
    quality, pool = result.quality, result.heroism_left
    if not result.success or quality < contest.best:  # NP-R17
        return contest._replace(other=max(contest.other, quality))
    if quality > contest.best:
        other = max(contest.other, contest.best) if contest.best >= 0 else contest.other
        return contest._replace(
            leader=side,
            best=quality,
            tied=False,
            pool=pool if contest.by_heroism else None,
            other=other,
        )
    return _tie(contest._replace(tied=True, other=quality), side, pool)  # NP-R18


def _tie(contest: Contest, side: NightProwlerSide, pool: int | None) -> Contest:
    """NP-46, NP-R43: of equal successes the larger pool wins, if all pools are known."""
    if contest.pool is None or pool is None:
        return contest._replace(leader=None, pool=None)
    if pool > contest.pool:
        return contest._replace(leader=side, pool=pool)
    return contest._replace(leader=None) if pool == contest.pool else contest


def summary(outcome: NightProwlerOppositionOutcome) -> str:
    if outcome.winner is None:
        return "status-quo"
    return "tie-broken" if outcome.tie_broken else "opposition-won"


@resolver(
    "opposition",
    rules=(
        *TEST_RULES,
        "NP-17",
        "NP-18",
        "NP-46",
        "NP-R17",
        "NP-R18",
        "NP-R19",
        "NP-R20",
        "NP-R43",
    ),
    odds=("winner", "margin", ("winner", "margin")),
    summary=summary,
)
def opposition(request: NightProwlerOppositionRequest, dice: Dice) -> NightProwlerOppositionOutcome:
    """Compare the tests of two to eight sides: stealth against perception, knots, bargaining."""
    refuse_tests([(f"/sides/{index}", side) for index, side in enumerate(request.sides)])
    if len(request.sides) < 2:
        raise RuleRefused("too-few-sides", pointer="/sides", rule="NP-18")
    contest = dice.gather(
        side_test,
        [
            (side, prepare(test, side.value))
            for side, test in zip(SIDES, request.sides, strict=False)
        ],
        state=Contest(request.tie_break is NightProwlerTieBreak.HEROISM),
        combine=enter,
        merge_state=standing,
    )
    winner = contest.leader
    margin = 0 if winner is None or contest.tied else contest.best - contest.other  # NP-R19
    demanding = winner is NightProwlerSide.A and request.required_margin > 1
    if demanding and margin < request.required_margin:
        dice.note("NP-18", "short-margin", margin=margin, required=request.required_margin)
        winner, margin = None, 0
    elif winner is not None:
        dice.note(
            "NP-46" if contest.tied else "NP-18",
            "tie-broken" if contest.tied else "won",
            winner=winner,
            margin=margin,
        )
    return NightProwlerOppositionOutcome(
        sides=contest.results,
        winner=winner,
        margin=margin,
        status_quo=winner is None,
        tie_broken=contest.tied and winner is not None,
    )
