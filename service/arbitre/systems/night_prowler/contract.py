"""One step of a contract: rules NP-19 and NP-20, rulings NP-R21 to NP-R25."""

from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Budget, Dice, Distribution, unfold
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.night_prowler.tables import CONTRACTS, NightProwlerTier
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    NightProwlerTest,
    NightProwlerTestResult,
    NightProwlerVerdict,
    Prepared,
    Text,
    cost,
    prepare,
    refuse_tests,
    roll_test,
)

Count = Annotated[int, Field(ge=0, le=100_000), WHOLE]
Goal = Annotated[int, Field(ge=1, le=500), WHOLE]


class NightProwlerContractStatus(StrEnum):
    ONGOING = "ongoing"
    FULFILLED = "fulfilled"
    FAILED = "failed"
    BROKEN = "broken"


class NightProwlerRollCounting(StrEnum):
    EACH_ROLL = "each_roll"
    EACH_STEP = "each_step"


class NightProwlerContractState(Frozen):
    threshold: Goal | None = None
    """Total to reach (NP-19); the preset's when it is not given."""
    max_rolls: Goal | None = None
    """Rolls allowed (NP-19); unlimited when neither it nor a preset is given."""
    period: Text | None = None
    """Time between two steps of a long action (NP-20)."""
    accumulated: Annotated[int, Field(ge=-100_000, le=100_000), WHOLE] = 0
    """Sum of the signed qualities so far (NP-R22)."""
    rolls_made: Count = 0
    """Rolls that count against the maximum (NP-R23)."""
    failures: Count = 0
    """Failed rolls (NP-R24)."""
    critical_failures: Count = 0
    """Critical failures among them."""
    elapsed_periods: Count = 0
    """Periods gone by, for a long action (NP-20)."""
    status: NightProwlerContractStatus = NightProwlerContractStatus.ONGOING
    """Where the contract stands (NP-19)."""


class NightProwlerContractRequest(Request):
    state: NightProwlerContractState = NightProwlerContractState()
    """The contract before the step."""
    preset: NightProwlerTier | None = None
    """An example of the book that gives the threshold and the maximum of rolls (NP-R25)."""
    participants: Annotated[tuple[NightProwlerTest, ...], Field(min_length=1, max_length=12)]
    """The characters of this step, one roll each (NP-20)."""
    roll_counting: NightProwlerRollCounting = NightProwlerRollCounting.EACH_ROLL
    """Whether every die or every step counts against the maximum (NP-R23)."""
    failure_limit: Goal | None = None
    """Failures at which the contract is broken, agreed beforehand (NP-R24)."""
    break_contract: bool = False
    """The GM breaks the contract after this step (NP-R24)."""


class NightProwlerContractOutcome(Outcome):
    rolls: tuple[NightProwlerTestResult, ...]
    """The test of each participant."""
    gained: int
    """Signed sum of their qualities (NP-R22)."""
    state: NightProwlerContractState
    """The contract after the step."""
    status: NightProwlerContractStatus
    """Where it stands (NP-19)."""
    remaining: int
    """What is missing to the threshold."""
    rolls_left: int | None
    """Rolls left; nothing when they are unlimited."""


class NightProwlerContractOptions(Frozen):
    rounds: Annotated[int, Field(ge=1, le=100), WHOLE] = 30
    """Steps to look ahead, the one asked included, by the same participants."""


class NightProwlerContractRound(Frozen):
    round: int
    """Number of the step."""
    fulfilled: Exact
    """Chance that the contract is fulfilled by this very step."""
    failed: Exact
    """Chance that it fails by this step."""
    broken: Exact
    """Chance that it is broken by this step."""


class NightProwlerContractCourse(Frozen):
    rounds: tuple[NightProwlerContractRound, ...]
    """Each step."""
    fulfilled: Exact
    """Chance that the contract is fulfilled in the end."""
    failed: Exact
    """Chance that it fails."""
    broken: Exact
    """Chance that it is broken."""
    remaining: Exact
    """Chance that it is still going on after the last step."""
    expected_rounds: Exact
    """Expected number of steps; a contract still going on counts all of them."""


class Tally(NamedTuple):
    """What the rolls of a step add up to."""

    results: tuple[NightProwlerTestResult, ...] = ()
    gained: int = 0
    failures: int = 0
    critical_failures: int = 0


class Progress(NamedTuple):
    """What of a contract changes from step to step and decides its status."""

    accumulated: int
    failures: int
    rolls_made: int


def add(tally: Tally, result: NightProwlerTestResult) -> Tally:
    """NP-19, NP-R22: successes add, failures subtract."""
    return Tally(
        (*tally.results, result),
        tally.gained + result.quality,
        tally.failures + (not result.success),
        tally.critical_failures + (result.critical is NightProwlerVerdict.FAILURE),
    )


def sums(tally: Tally) -> tuple[object, ...]:
    """Say all that the state and the status depend on."""
    return tally[1:]


def status_of(
    request: NightProwlerContractRequest, goal: int, most: int | None, progress: Progress
) -> NightProwlerContractStatus:
    """NP-19, NP-R21: judged once, after all the rolls of the step."""
    if progress.accumulated >= goal:
        return NightProwlerContractStatus.FULFILLED
    limit = request.failure_limit
    if request.break_contract or (limit is not None and progress.failures >= limit):  # NP-R24
        return NightProwlerContractStatus.BROKEN
    if most is not None and progress.rolls_made >= most:
        return NightProwlerContractStatus.FAILED
    return NightProwlerContractStatus.ONGOING


def rolls_of(request: NightProwlerContractRequest) -> int:
    """NP-20, NP-R23: what a step counts against the maximum."""
    each_step = request.roll_counting is NightProwlerRollCounting.EACH_STEP
    return 1 if each_step else len(request.participants)


def terms(request: NightProwlerContractRequest) -> tuple[int | None, int | None]:
    """NP-R25: the threshold and the most rolls, the preset filling what the state lacks."""
    goal, most = request.state.threshold, request.state.max_rolls
    if request.preset is None:
        return goal, most
    row = CONTRACTS[request.preset]
    return goal or row.threshold, most or row.max_rolls


def refuse(request: NightProwlerContractRequest) -> tuple[int, int | None]:
    """Return the threshold and the most rolls of a contract that may go on."""
    refuse_tests([(f"/participants/{n}", test) for n, test in enumerate(request.participants)])
    state = request.state
    if state.status is not NightProwlerContractStatus.ONGOING:
        raise RuleRefused(
            "contract-closed", pointer="/state/status", rule="NP-19", status=state.status
        )
    goal, most = terms(request)
    if most is not None and state.rolls_made + rolls_of(request) > most:
        raise RuleRefused(
            "too-many-rolls",
            pointer="/participants",
            rule="NP-20",
            n=max(0, most - state.rolls_made),
        )
    if goal is None:
        raise RuleRefused("required", pointer="/state/threshold", rule="NP-19")
    return goal, most


def course(
    request: NightProwlerContractRequest,
    options: NightProwlerContractOptions | None,
    enumerate_step: Enumerate,
) -> NightProwlerContractCourse | None:
    """NP-20: the same participants go on until the contract ends.

    Heroism is paid at each step while the pool lasts. A last step for which too few rolls are
    left is made by the first participants alone.
    """
    if options is None:
        return None
    goal, most = refuse(request)
    tallies: dict[tuple[Prepared, ...], Distribution[Tally]] = {}

    def step(number: int, progress: Progress) -> Distribution[Progress]:
        tests = _tests_of_step(request, number)
        counted = rolls_of(request)
        if most is not None and counted > most - progress.rolls_made:
            counted = most - progress.rolls_made
            tests = tests[:counted]
        if tests not in tallies:
            tallies[tests] = enumerate_step(partial(_sum_up, tests))
        return tallies[tests].map(
            lambda tally: Progress(
                progress.accumulated + tally.gained,
                progress.failures + tally.failures if request.failure_limit else 0,
                progress.rolls_made + counted,
            )
        )

    def ending(progress: Progress) -> NightProwlerContractStatus | None:
        status = status_of(request, goal, most, progress)
        return None if status is NightProwlerContractStatus.ONGOING else status

    state = request.state
    found = unfold(
        Progress(state.accumulated, state.failures, state.rolls_made),
        options.rounds,
        lambda number: [partial(step, number)],
        ending,
        Budget(),
    )

    def row(chances: dict[NightProwlerContractStatus, Fraction]) -> dict[str, Exact]:
        return {
            status.value: Exact.of(chances.get(status, Fraction(0)))
            for status in NightProwlerContractStatus
            if status is not NightProwlerContractStatus.ONGOING
        }

    return NightProwlerContractCourse(
        rounds=tuple(
            NightProwlerContractRound(round=number, **row(chances))
            for number, chances in enumerate(found.rounds, 1)
        ),
        **row(found.endings),
        remaining=Exact.of(found.remaining),
        expected_rounds=Exact.of(found.length),
    )


def _tests_of_step(request: NightProwlerContractRequest, number: int) -> tuple[Prepared, ...]:
    """Return the tests of a later step: those who cannot pay any more pay nothing."""
    tests = []
    for test in request.participants:
        price = cost(test)
        again = test
        if test.heroism is not None and price:
            pool = test.heroism - price * min(number - 1, test.heroism // price)
            again = test.model_copy(update={"heroism": pool})
            if pool < price:
                again = again.model_copy(update={"heroism_spent": 0, "ignore_wounds": False})
        tests.append(prepare(again, "roll"))
    return tuple(tests)


def _sum_up(tests: tuple[Prepared, ...], dice: Dice) -> Tally:
    return dice.gather(
        roll_test,
        [(test,) for test in tests],
        state=Tally(),
        combine=add,
        merge_state=sums,
    )


def summary(outcome: NightProwlerContractOutcome) -> str:
    return f"contract-{outcome.status}"


@resolver(
    "contract",
    rules=(*TEST_RULES, "NP-19", "NP-20", "NP-R21", "NP-R22", "NP-R23", "NP-R24", "NP-R25"),
    odds=("status", "gained", ("status", "gained")),
    summary=summary,
    aid=Aid(course, NightProwlerContractCourse, NightProwlerContractOptions),
)
def contract(request: NightProwlerContractRequest, dice: Dice) -> NightProwlerContractOutcome:
    """Resolve one step of a contract: the qualities of all its rolls are added up."""
    goal, most = refuse(request)
    state = request.state
    tally = _sum_up(tuple(prepare(test, "roll") for test in request.participants), dice)
    progress = Progress(
        state.accumulated + tally.gained,
        state.failures + tally.failures,
        state.rolls_made + rolls_of(request),
    )
    status = status_of(request, goal, most, progress)
    dice.note("NP-19", "gained", before=state.accumulated, gained=tally.gained, after=progress[0])
    dice.note("NP-R23", "rolls-made", before=state.rolls_made, after=progress.rolls_made)
    if tally.failures:
        dice.note("NP-R24", "failures", before=state.failures, after=progress.failures)
    dice.note("NP-R21", "contract-status", status=status, accumulated=progress[0], goal=goal)
    return NightProwlerContractOutcome.model_construct(
        rolls=tally.results,
        gained=tally.gained,
        state=state.model_copy(
            update={
                "threshold": goal,
                "max_rolls": most,
                "accumulated": progress.accumulated,
                "rolls_made": progress.rolls_made,
                "failures": progress.failures,
                "critical_failures": state.critical_failures + tally.critical_failures,
                "elapsed_periods": state.elapsed_periods + (state.period is not None),  # NP-20
                "status": status,
            }
        ),
        status=status,
        remaining=max(0, goal - progress.accumulated),
        rolls_left=None if most is None else most - progress.rolls_made,
    )
