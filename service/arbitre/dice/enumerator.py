"""Exact odds: run a resolver once for each distinguishable reading of its dice.

A run follows a script of readings. Where the script ends, the next draw raises all the
readings it could have had, each with its number of ways, and the run starts again once for
each. Weights are whole numbers over a power of the sides, so nothing is ever rounded.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, gcd, lcm, prod
from typing import Any, Generic, TypeVar, cast

from arbitre.dice.source import Dice, DiceLimitError, Faces, Tried

WORK = 60_000
"""Most work one enumeration may do: one resolver run, or eight multisets of a pool, is one."""

PRODUCTS = 8
"""Combinations of two distributions that are worth one resolver run."""

DEPTH = 500
"""Most draws in a row that one run may branch on."""

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Item = TypeVar("Item")


class BudgetExceededError(Exception):
    """The odds asked for take more work than one request may."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} units of work")
        self.limit = limit


class Budget:
    """How much work is left."""

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int = WORK) -> None:
        self.limit = limit
        self.spent = 0

    def spend(self, work: int) -> None:
        """Take ``work`` off, or refuse."""
        self.spent += work
        if self.spent > self.limit:
            raise BudgetExceededError(self.limit)


class Distribution(Mapping[T, Fraction], Generic[T]):
    """Every value with its number of ways out of ``total``; the chances add up to one."""

    __slots__ = ("total", "ways")

    def __init__(self, ways: Mapping[T, int], total: int) -> None:
        self.ways = dict(ways)
        self.total = total

    def __getitem__(self, value: T) -> Fraction:
        """Return the chance of ``value``."""
        return Fraction(self.ways[value], self.total)

    def __iter__(self) -> Iterator[T]:
        """Go through the values."""
        return iter(self.ways)

    def __len__(self) -> int:
        """Count the values."""
        return len(self.ways)

    def chance(self, event: Callable[[T], bool]) -> Fraction:
        """Return the chance that ``event`` holds."""
        return Fraction(sum(n for value, n in self.ways.items() if event(value)), self.total)

    def map(self, function: Callable[[T], U]) -> "Distribution[U]":
        """Return the distribution of ``function(value)``."""
        ways: Counter[U] = Counter()
        for value, n in self.ways.items():
            ways[function(value)] += n
        return Distribution(ways, self.total)

    def mean(self: "Distribution[int] | Distribution[Fraction]") -> Fraction:
        """Return the expected value."""
        return Fraction(sum(value * n for value, n in self.ways.items()), self.total)


def enumerate_outcomes(
    resolve: Callable[[Dice], T],
    *,
    budget: Budget | None = None,
    merge: Callable[[T], Hashable] | None = None,
    known: dict[Hashable, Distribution[Any]] | None = None,
) -> Distribution[T]:
    """Return every outcome ``resolve`` can give, with its exact chance.

    ``known`` keeps the sub-resolutions worked out, for other enumerations to use.
    """
    return _Exploration(budget or Budget(), known).explore(resolve, merge)


class _Branch(BaseException):  # control flow that no rule may catch
    def __init__(self, readings: Distribution[Any]) -> None:
        super().__init__()
        self.readings = readings


class _Exploration:
    """One enumeration: its budget and the sub-resolutions it has already worked out."""

    def __init__(
        self, budget: Budget, known: dict[Hashable, Distribution[Any]] | None = None
    ) -> None:
        self.budget = budget
        self._known = {} if known is None else known

    def explore(
        self, resolve: Callable[[Dice], T], merge: Callable[[T], Hashable] | None
    ) -> Distribution[T]:
        by_total: dict[int, dict[Hashable, int]] = {}
        kept: dict[Hashable, T] = {}
        pending: list[tuple[tuple[Hashable, ...], int, int]] = [((), 1, 1)]
        while pending:
            script, ways, total = pending.pop()
            if len(script) > DEPTH:
                raise DiceLimitError(DEPTH)
            self.budget.spend(1)
            try:
                outcome = resolve(_Scripted(script, self))
            except _Branch as branch:
                total *= branch.readings.total
                pending += [
                    ((*script, reading), ways * n, total)
                    for reading, n in branch.readings.ways.items()
                ]
            else:
                key = merge(outcome) if merge else outcome
                kept.setdefault(key, outcome)
                same = by_total.setdefault(total, {})
                same[key] = same.get(key, 0) + ways
        return _reduced({kept[key]: n for key, n in _joined(by_total).items()})

    def sub(
        self,
        resolve: Callable[..., T],
        args: tuple[Hashable, ...],
        merge: Callable[[T], Hashable] | None,
    ) -> Distribution[T]:
        return self._once(
            (resolve, args, merge), lambda: self.explore(lambda dice: resolve(*args, dice), merge)
        )

    def fold(
        self,
        step: Callable[[T, Item, Dice], T],
        state: T,
        items: tuple[Item, ...],
        merge: Callable[[T], Hashable] | None,
    ) -> Distribution[T]:
        states: Distribution[T] = Distribution({state: 1}, 1)
        for item in items:
            by_total: dict[int, dict[Hashable, int]] = {}
            kept: dict[Hashable, T] = {}
            for before, ways in states.ways.items():
                after = self.sub(_flipped(step), (before, cast("Hashable", item)), merge)
                total = states.total * after.total
                same = by_total.setdefault(total, {})
                for value, n in after.ways.items():
                    key = merge(value) if merge else value
                    kept.setdefault(key, value)
                    same[key] = same.get(key, 0) + ways * n
            states = _reduced({kept[key]: n for key, n in _joined(by_total).items()})
        return states

    def gather(
        self,
        resolve: Callable[..., T],
        parts: tuple[tuple[Hashable, ...], ...],
        *,
        state: U,
        combine: Callable[[U, T], U],
        merge: Callable[[T], Hashable] | None,
        merge_state: Callable[[U], Hashable] | None,
    ) -> Distribution[U]:
        states: Distribution[U] = Distribution({state: 1}, 1)
        for part in parts:
            results = self.sub(resolve, part, merge)
            self.budget.spend(1 + len(states) * len(results) // PRODUCTS)
            ways: dict[Hashable, int] = {}
            kept: dict[Hashable, U] = {}
            for before, n in states.ways.items():
                for result, m in results.ways.items():
                    after = combine(before, result)
                    key = merge_state(after) if merge_state else after
                    kept.setdefault(key, after)
                    ways[key] = ways.get(key, 0) + n * m
            states = _reduced({kept[key]: n for key, n in ways.items()})
        return states

    def until(
        self,
        resolve: Callable[..., T],
        args: tuple[Hashable, ...],
        accept: Callable[[T], bool],
        merge: Callable[[T], Hashable] | None,
    ) -> Distribution[Tried[T]]:
        results = self.sub(resolve, args, merge)
        accepted = {Tried(value, 1): n for value, n in results.ways.items() if accept(value)}
        if not accepted:
            msg = "until: nothing is ever accepted"
            raise ValueError(msg)
        return _reduced(accepted)

    def _once(self, key: Hashable, work: Callable[[], Distribution[T]]) -> Distribution[T]:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = work()
        return found


class _Scripted:
    """The dice of one run: the script's readings, then a branch."""

    __slots__ = ("_exploration", "_script")

    def __init__(self, script: tuple[Hashable, ...], exploration: _Exploration) -> None:
        self._script = iter(script)
        self._exploration = exploration

    def die(self, tag: str, *, sides: int) -> int:  # noqa: ARG002 - the tag is for the record
        return self._read(lambda: _faces(sides))

    def pool(self, tag: str, *, count: int, sides: int, read: Callable[[Faces], T]) -> T:  # noqa: ARG002
        if count == 0:
            return read(())
        budget = self._exploration.budget
        return self._read(lambda: _readings_within(budget, count, sides, read))

    def sub(
        self,
        resolve: Callable[..., T],
        *args: Hashable,
        merge: Callable[[T], Hashable] | None = None,
    ) -> T:
        return self._read(lambda: self._exploration.sub(resolve, args, merge))

    def fold(
        self,
        step: Callable[[T, Item, Dice], T],
        state: T,
        items: Iterable[Item],
        merge: Callable[[T], Hashable] | None = None,
    ) -> T:
        chain = tuple(items)
        return self._read(lambda: self._exploration.fold(step, state, chain, merge))

    def gather(
        self,
        resolve: Callable[..., T],
        parts: Iterable[tuple[Hashable, ...]],
        *,
        state: U,
        combine: Callable[[U, T], U],
        merge: Callable[[T], Hashable] | None = None,
        merge_state: Callable[[U], Hashable] | None = None,
    ) -> U:
        chain = tuple(parts)
        return self._read(
            lambda: self._exploration.gather(
                resolve, chain, state=state, combine=combine, merge=merge, merge_state=merge_state
            )
        )

    def until(
        self,
        resolve: Callable[..., T],
        *args: Hashable,
        accept: Callable[[T], bool],
        limit: int,  # noqa: ARG002 - only dice that fall need one
        merge: Callable[[T], Hashable] | None = None,
    ) -> Tried[T]:
        return self._read(lambda: self._exploration.until(resolve, args, accept, merge))

    def note(self, rule: str, key: str, **values: object) -> None:
        """Hear nothing: notes are for rolls that fall."""

    def _read(self, readings: Callable[[], Distribution[T]]) -> T:
        for reading in self._script:
            return cast("T", reading)
        raise _Branch(readings())


@lru_cache(maxsize=256)
def _flipped(step: Callable[..., T]) -> Callable[..., T]:
    """Give a step of a fold the signature of a sub-resolution, one object for each step."""

    def resolve(state: Hashable, item: Hashable, dice: Dice) -> T:
        return step(state, item, dice)

    return resolve


def _joined(by_total: dict[int, dict[Hashable, int]]) -> dict[Hashable, int]:
    """Bring ways out of several totals to one total."""
    whole = lcm(*by_total)
    ways: dict[Hashable, int] = {}
    for total, same in by_total.items():
        scale = whole // total
        for key, n in same.items():
            ways[key] = ways.get(key, 0) + n * scale
    return ways


def _reduced(ways: dict[T, int]) -> Distribution[T]:
    """Divide by the common factor; the ways are all there are, so they add up to the total."""
    common = gcd(*ways.values())
    reduced = {value: n // common for value, n in ways.items()}
    return Distribution(reduced, sum(reduced.values()))


@lru_cache(maxsize=64)
def _faces(sides: int) -> Distribution[int]:
    return Distribution(dict.fromkeys(range(1, sides + 1), 1), sides)


def _readings_within(
    budget: Budget, count: int, sides: int, read: Callable[[Faces], T]
) -> Distribution[T]:
    each = getattr(read, "each", None)
    multisets = count * sides if each else comb(count + sides - 1, count)
    budget.spend(1 + multisets // 8)
    return _sums(count, sides, read) if each else _readings(count, sides, read)


@lru_cache(maxsize=256)
def _readings(count: int, sides: int, read: Callable[[Faces], T]) -> Distribution[T]:
    """Return each reading of a pool, one multiset at a time."""
    ways: Counter[T] = Counter()
    all_orders = factorial(count)
    for faces in combinations_with_replacement(range(sides, 0, -1), count):
        repeats = prod(map(factorial, Counter(faces).values()))
        ways[read(faces)] += all_orders // repeats
    return Distribution(ways, sides**count)


@lru_cache(maxsize=256)
def _sums(count: int, sides: int, read: Any) -> Distribution[Any]:
    """Return the readings of a pool whose dice simply add up."""
    one = Counter(read.each(face) for face in range(1, sides + 1))
    ways: Counter[int] = Counter({0: 1})
    for _ in range(count):
        more: Counter[int] = Counter()
        for value, n in ways.items():
            for add, m in one.items():
                more[value + add] += n * m
        ways = more
    return Distribution(ways, sides**count)
