"""A resolver and a request become the exact distribution of each field worth asking."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from arbitre.dice import Budget, Dice, Distribution, enumerate_outcomes
from arbitre.odds.paths import ABSENT, Reading, plain, readings
from arbitre.rules.model import Frozen
from arbitre.rules.resolver import Resolver


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a field and its chance."""

    value: Any
    p: Fraction


@dataclass(frozen=True, slots=True)
class FieldOdds:
    """The distribution of one field; ``mean`` where every value is a number."""

    field: str
    values: tuple[Value, ...]
    mean: Fraction | None


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact odds of one request: each field, the aid's answer, the work it took."""

    fields: tuple[FieldOdds, ...]
    aid: Frozen | None
    work: int


def odds_of(
    resolver: Resolver[Any, Any],
    request: Any,
    options: Frozen | None = None,
    budget: Budget | None = None,
) -> Odds:
    """Work out the odds of ``request``; ``BudgetExceededError`` if that is too much work.

    A field that the request gives no value to has no odds.
    """
    budget = budget or Budget()
    known: dict[Hashable, Distribution[Any]] = {}

    def counted(
        resolve: Callable[[Dice], Any], merge: Callable[[Any], Hashable] | None = None
    ) -> Distribution[Any]:
        return enumerate_outcomes(resolve, budget=budget, merge=merge, known=known)

    def asked(view: Callable[[Dice], Any], dice: Dice) -> tuple[tuple[Reading, ...], ...]:
        outcome = view(dice)
        return tuple(readings(outcome, field) for field in resolver.odds)

    views = resolver.views(request) if resolver.views else (partial(resolver.resolve, request),)
    joints = [counted(partial(asked, view)) for view in views]
    fields = tuple(
        field
        for index in range(len(resolver.odds))
        for joint in joints
        for field in _marginals(joint, index)
    )
    aid = resolver.aid.work(request, options, counted) if resolver.aid else None
    return Odds(fields, aid, budget.spent)


def _marginals(joint: Distribution[Any], index: int) -> list[FieldOdds]:
    ways: dict[str, dict[Any, int]] = {}
    for outcome, n in joint.ways.items():
        for name, value in outcome[index]:
            of_field = ways.setdefault(name, {})
            of_field[value] = of_field.get(value, 0) + n
    return [
        _field(name, Distribution(found, joint.total).map(plain))
        for name, found in ways.items()
        if set(found) != {ABSENT}
    ]


def _field(name: str, found: Distribution[Any]) -> FieldOdds:
    whole = all(type(value) is int for value in found)
    numbers = all(type(value) in (int, Decimal) for value in found)
    values = sorted(found.items(), key=lambda row: _rank(row[0]))
    return FieldOdds(
        field=name,
        values=tuple(Value(value, p) for value, p in values),
        mean=(found if whole else found.map(Fraction)).mean() if numbers else None,
    )


def _rank(value: Any) -> tuple[Any, ...]:
    """Order numbers by size, true before false, and nothing last."""
    if isinstance(value, tuple):
        return (0, tuple(_rank(item) for item in value))
    if isinstance(value, bool):
        return (0, not value)
    if isinstance(value, int | Decimal):
        return (0, value)
    return (2, "") if value is None else (1, str(value))
