"""A process round by round: equal states merged, every ending with its exact chance."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Generic, TypeVar

from arbitre.dice.enumerator import PRODUCTS, Budget, Distribution

S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Course(Generic[E]):
    """How a process goes on: the chance that it ends so in each round, and not at all."""

    rounds: tuple[dict[E, Fraction], ...]
    """For each round, the chance of each ending in that very round."""
    remaining: Fraction
    """The chance that it has not ended after the last round."""

    @property
    def endings(self) -> dict[E, Fraction]:
        """The chance of each ending, whatever the round."""
        found: dict[E, Fraction] = {}
        for row in self.rounds:
            for ending, p in row.items():
                found[ending] = found.get(ending, Fraction(0)) + p
        return found

    @property
    def length(self) -> Fraction:
        """The expected number of rounds; what has not ended counts all the rounds looked at."""
        return self.remaining * len(self.rounds) + sum(
            (number * sum(row.values()) for number, row in enumerate(self.rounds, 1)), Fraction(0)
        )


def unfold(
    state: S,
    rounds: int,
    phases: Callable[[int], Iterable[Callable[[S], Distribution[S]]]],
    ending: Callable[[S], E | None],
    budget: Budget,
) -> Course[E]:
    """Play ``rounds`` rounds from ``state`` in every way at once.

    ``phases(number)`` are what happens in a round, one after another: each says where a state
    leads. Equal states are merged after each. After the last, ``ending(state)`` says whether
    the process is over; what is over takes no part in the next round.
    """
    states, total = {state: 1}, 1
    course = []
    for number in range(1, rounds + 1):
        for phase in phases(number):
            states, more = _advance(states, phase, budget)
            total *= more
        ended: dict[E, int] = {}
        going: dict[S, int] = {}
        for after, ways in states.items():
            end = ending(after)
            if end is None:
                going[after] = ways
            else:
                ended[end] = ended.get(end, 0) + ways
        course.append({end: Fraction(ways, total) for end, ways in ended.items()})
        common = gcd(total, *going.values())
        states = {after: ways // common for after, ways in going.items()}
        total //= common
    return Course(tuple(course), Fraction(sum(states.values()), total))


def _advance(
    states: dict[S, int], phase: Callable[[S], Distribution[S]], budget: Budget
) -> tuple[dict[S, int], int]:
    """Return the states one phase later, and by what their weights have grown."""
    steps = {before: phase(before) for before in states}
    whole = lcm(*(step.total for step in steps.values()))
    after: dict[S, int] = {}
    transitions = 0
    for before, ways in states.items():
        step = steps[before]
        scaled = ways * (whole // step.total)
        transitions += len(step)
        for value, n in step.ways.items():
            after[value] = after.get(value, 0) + scaled * n
    budget.spend(1 + transitions // PRODUCTS)
    return after, whole
