"""A process round by round: equal states merged, every ending with its exact chance."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Generic, TypeVar

from arbitre.dice.enumerator import PRODUCTS, Budget, BudgetExceededError, Distribution

STATES = 25_000
"""Most different states after one phase."""

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
    leads. Equal states are merged after each; a phase that comes again, as the same object,
    is asked once for each state. After the last, ``ending(state)`` says whether the process is
    over; what is over takes no part in the next round. ``BudgetExceededError`` if there are
    more than ``STATES`` different states at once, or the budget is spent.
    """
    book = _Book[S](budget)
    ways, total = {book.number(state): 1}, 1
    known: dict[int, E | None] = {}
    course = []
    for number in range(1, rounds + 1):
        for phase in phases(number):
            ways, more = book.advance(ways, phase)
            total *= more
        ended: dict[E, int] = {}
        going: dict[int, int] = {}
        for after, n in ways.items():
            if after not in known:
                known[after] = ending(book.states[after])
            end = known[after]
            if end is None:
                going[after] = n
            else:
                ended[end] = ended.get(end, 0) + n
        course.append({end: Fraction(n, total) for end, n in ended.items()})
        common = gcd(total, *going.values())
        ways = {after: n // common for after, n in going.items()}
        total //= common
    return Course(tuple(course), Fraction(sum(ways.values()), total))


class _Book(Generic[S]):
    """Every state seen, by number, and where each phase leads from it."""

    def __init__(self, budget: Budget) -> None:
        self.states: list[S] = []
        self._budget = budget
        self._numbers: dict[S, int] = {}
        self._links: dict[
            Callable[[S], Distribution[S]], dict[int, tuple[int, list[tuple[int, int]]]]
        ] = {}

    def number(self, state: S) -> int:
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self.states)
            self.states.append(state)
        return found

    def advance(
        self, ways: dict[int, int], phase: Callable[[S], Distribution[S]]
    ) -> tuple[dict[int, int], int]:
        """Return the states one phase later, and by what their weights have grown."""
        links = self._links.setdefault(phase, {})
        for before in ways:
            if before not in links:
                step = phase(self.states[before])
                self._budget.spend(len(step))
                links[before] = (
                    step.total,
                    [(self.number(after), n) for after, n in step.ways.items()],
                )
        whole = lcm(*(links[before][0] for before in ways))
        later: dict[int, int] = {}
        found = later.get
        transitions = 0
        for before, n in ways.items():
            total, steps = links[before]
            scaled = n * (whole // total)
            transitions += len(steps)
            for after, m in steps:
                later[after] = found(after, 0) + scaled * m
        self._budget.spend(transitions // PRODUCTS)
        if len(later) > STATES:
            raise BudgetExceededError(STATES)
        return later, whole
