"""A whole chase, round after round, with the chance of each ending: rules NP-29 to NP-36."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple, Protocol

from pydantic import Field

from arbitre.dice import Budget, Dice, Distribution, unfold
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Exact, Frozen
from arbitre.rules.resolver import Enumerate
from arbitre.systems.night_prowler.pursuit import (
    DISGUISED_FROM,
    FUGITIVE,
    MASQUERADE,
    TAIL,
    Chase,
    NightProwlerChaseChoice,
    NightProwlerRunnerStatus,
    Part,
    Runner,
    Runners,
    Thrown,
    advance,
    chasers,
    citizen_parts,
    is_over,
    masquerade,
    meaning,
    own_part,
    pay,
    price,
    settle,
    tail,
    throw,
)
from arbitre.systems.night_prowler.tables import NightProwlerChaseOption

WORK = 2_000_000
"""Most work for one course: a new way from one state to the next is one."""

Plan = tuple[NightProwlerChaseChoice, ...]


class NightProwlerChaseOptions(Frozen):
    rounds: Annotated[int, Field(ge=1, le=60), WHOLE] = 30
    """Rounds to look ahead, the one asked included."""
    choices: Annotated[tuple[NightProwlerChaseChoice, ...], Field(max_length=36)] = ()
    """From the second round on, in order of preference: each participant makes the first of
    its choices that the rules allow, then the one asked, else it dashes without heroism."""


class NightProwlerChaseEnding(Frozen):
    fugitives: tuple[NightProwlerRunnerStatus, ...]
    """How each fugitive ends, in the order of the state."""
    p: Exact
    """The chance of it."""


class NightProwlerChaseRound(Frozen):
    round: int
    """Number of the round, from 1."""
    endings: tuple[NightProwlerChaseEnding, ...]
    """The chance that the chase ends so in this very round."""


class NightProwlerChaseCourse(Frozen):
    rounds: tuple[NightProwlerChaseRound, ...]
    """Each round."""
    endings: tuple[NightProwlerChaseEnding, ...]
    """The chance of each ending, whatever the round."""
    remaining: Exact
    """Chance that the chase still goes on after the last round."""
    expected_rounds: Exact
    """Expected number of rounds; a chase still going on counts all of them."""


class Lap(NamedTuple):
    """A round under way: the runners, and which of its choices each of them makes."""

    runners: Runners
    picks: tuple[int | None, ...] = ()


Phase = Callable[[Lap], Distribution[Lap]]


class Effect(Protocol):
    """What the success or failure of one runner's test does to the race."""

    def __call__(self, runners: Runners, number: int, /, *, success: bool) -> Runners:
        """Return the runners after it."""


def allowed(choice: NightProwlerChaseChoice, runner: Runner) -> bool:
    """NP-13, NP-35: whether a runner may make a choice now."""
    if choice.option is MASQUERADE and runner.accumulated < DISGUISED_FROM:
        return False
    return runner.heroism is None or price(choice) <= runner.heroism


def without_heroism(choice: NightProwlerChaseChoice) -> NightProwlerChaseChoice:
    """Return the dash of one who can pay nothing else."""
    return choice.model_copy(
        update={
            "option": NightProwlerChaseOption.DASH,
            "heroism_spent": 0,
            "ignore_wounds": False,
            "stop_thief": 0,
        }
    )


def net_gain(own: Part, citizens: tuple[Part, ...], dice: Dice) -> int:
    """NP-29, NP-34: what a test adds, unless a citizen gets in the way."""
    gain = throw(own, dice).gain
    parts = [(part,) for part in citizens]
    free = dice.gather(throw, parts, state=True, combine=avoided, merge=meaning)
    return gain if free else 0


def avoided(before: bool, one: Thrown) -> bool:
    return before and one.success


def succeeds(part: Part, dice: Dice) -> bool:
    return throw(part, dice).success


def level(runners: Runners) -> Runners:
    """Bring the totals of a race back that went on past its goals with equal overruns.

    Only the differences matter from there, as long as no total ever falls: NP-36, NP-R29. The
    fugitive stays past its goal, and past the eight qualities of a masquerade.
    """
    for fugitive, runner in enumerate(runners):
        least = max(runner.goal + 1, DISGUISED_FROM)
        if runner.running and runner.role is FUGITIVE and runner.accumulated > least:
            for number in (fugitive, *chasers(runners, fugitive)):
                runners = advance(runners, number, least - runner.accumulated)
    return runners


class Course:
    """The phases of every round, and what they have already worked out."""

    def __init__(self, chase: Chase, plans: tuple[Plan, ...], enumerate_test: Enumerate) -> None:
        self._subtract = chase.subtract
        self._enumerate = enumerate_test
        self._known: dict[tuple[Part, ...], Distribution[int]] = {}
        self._gains: dict[tuple[object, ...], Distribution[int]] = {}
        self._menus = tuple(
            () if asked is None else (asked, *plan, without_heroism(asked))
            for asked, plan in zip(chase.choices, plans, strict=True)
        )
        rest: list[Phase] = [
            *(partial(self._disguise, number) for number in self._who(MASQUERADE)),
            *(partial(self._tail, number) for number in self._who(TAIL)),
            *(partial(self._run, number) for number in self._who(NightProwlerChaseOption.DASH)),
        ]
        self.first: list[Phase] = [self._as_asked, *rest, self._close]
        self.later: list[Phase] = [self._as_wished, *rest, self._close]

    def _who(self, option: NightProwlerChaseOption) -> list[int]:
        """Return those who may ever make a choice."""
        return [
            number
            for number, menu in enumerate(self._menus)
            if any(choice.option is option for choice in menu)
        ]

    def phases(self, number: int) -> list[Phase]:
        return self.first if number == 1 else self.later

    def _as_asked(self, lap: Lap) -> Distribution[Lap]:
        picks = tuple(0 if runner.running else None for runner in lap.runners)
        return Distribution({Lap(lap.runners, picks): 1}, 1)

    def _as_wished(self, lap: Lap) -> Distribution[Lap]:
        picks = tuple(
            self._wish(number, runner) if runner.running else None
            for number, runner in enumerate(lap.runners)
        )
        return Distribution({Lap(lap.runners, picks): 1}, 1)

    def _wish(self, number: int, runner: Runner) -> int:
        menu = self._menus[number]
        order = (*range(1, len(menu) - 1), 0)
        return next((pick for pick in order if allowed(menu[pick], runner)), len(menu) - 1)

    def _chase(self, lap: Lap) -> Chase:
        choices = tuple(
            None if pick is None else menu[pick]
            for menu, pick in zip(self._menus, lap.picks, strict=True)
        )
        return Chase(lap.runners, choices, self._subtract)

    def _disguise(self, number: int, lap: Lap) -> Distribution[Lap]:
        return self._settled_by(MASQUERADE, masquerade, number, lap)

    def _tail(self, number: int, lap: Lap) -> Distribution[Lap]:
        return self._settled_by(TAIL, tail, number, lap)

    def _settled_by(
        self, option: NightProwlerChaseOption, effect: Effect, number: int, lap: Lap
    ) -> Distribution[Lap]:
        """NP-33, NP-35: one test decides; everybody else is left as they are."""
        part = own_part(self._chase(lap), number)
        if part is None or part.option is not option:
            return Distribution({lap: 1}, 1)
        tests = self._of((part,), partial(succeeds, part))
        return tests.map(
            lambda success: lap._replace(runners=effect(lap.runners, number, success=bool(success)))
        )

    def _run(self, number: int, lap: Lap) -> Distribution[Lap]:
        runner = lap.runners[number]
        if not runner.running or runner.restarted:
            return Distribution({lap: 1}, 1)
        gains = self._gain(number, lap)
        return gains.map(lambda gain: lap._replace(runners=advance(lap.runners, number, gain)))

    def _gain(self, number: int, lap: Lap) -> Distribution[int]:
        """NP-29, NP-34: what a runner gains depends on the choices and the pools alone."""
        key = (number, lap.picks, *(runner.heroism for runner in lap.runners))
        if key not in self._gains:
            chase = self._chase(lap)
            part = own_part(chase, number)
            citizens = tuple(
                citizen
                for pursuer in range(len(lap.runners))
                for citizen in citizen_parts(chase, pursuer)
                if citizen.number == number
            )
            self._gains[key] = (
                Distribution({0: 1}, 1)
                if part is None
                else self._of((part, *citizens), partial(net_gain, part, citizens))
            )
        return self._gains[key]

    def _close(self, lap: Lap) -> Distribution[Lap]:
        runners = settle(pay(lap.runners, self._chase(lap).choices))
        return Distribution({Lap(runners if self._subtract else level(runners)): 1}, 1)

    def _of(self, key: tuple[Part, ...], test: Callable[[Dice], int]) -> Distribution[int]:
        if key not in self._known:
            self._known[key] = self._enumerate(test)
        return self._known[key]


def ending_of(lap: Lap) -> tuple[NightProwlerRunnerStatus, ...] | None:
    """NP-36: how each fugitive ends, once none runs any more."""
    if not is_over(lap.runners):
        return None
    return tuple(runner.status for runner in lap.runners if runner.role is FUGITIVE)


def unfold_chase(
    chase: Chase, plans: tuple[Plan, ...], rounds: int, enumerate_test: Enumerate
) -> NightProwlerChaseCourse:
    """Return the chance of each ending, round by round."""
    course = Course(chase, plans, enumerate_test)
    found = unfold(Lap(chase.runners), rounds, course.phases, ending_of, Budget(WORK))
    return NightProwlerChaseCourse(
        rounds=tuple(
            NightProwlerChaseRound(round=number, endings=_endings(row))
            for number, row in enumerate(found.rounds, 1)
        ),
        endings=_endings(found.endings),
        remaining=Exact.of(found.remaining),
        expected_rounds=Exact.of(found.length),
    )


def _endings(
    row: dict[tuple[NightProwlerRunnerStatus, ...], Fraction],
) -> tuple[NightProwlerChaseEnding, ...]:
    return tuple(
        NightProwlerChaseEnding(fugitives=fugitives, p=Exact.of(p))
        for fugitives, p in sorted(row.items())
    )
