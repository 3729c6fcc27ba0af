"""``@resolver``: the one registration from which every surface derives."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_type_hints

from arbitre.dice import Dice, Distribution
from arbitre.rules.model import Frozen, Outcome, Request

Q = TypeVar("Q", bound=Request)
O = TypeVar("O", bound=Outcome)  # noqa: E741 - an outcome
T = TypeVar("T")

OddsField = str | tuple[str, ...]
"""A dotted path into the outcome, ``[]`` for each item of a list; a tuple asks jointly."""

Enumerate = Callable[[Callable[[Dice], Any]], Distribution[Any]]
"""Works out the distribution of a function of the dice, within the request's budget."""

Views = Callable[[Any], tuple[Callable[[Dice], Any], ...]]
"""From a request, the parts of its outcome that are worked out one by one for the odds."""

_ID = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Aid:
    """Exact answers beyond one call: a decision aid, or a whole process.

    ``work(request, options, enumerate)`` returns a frozen model; ``options`` is None where
    the aid has no options model, or the caller sent none.
    """

    work: Callable[[Any, Any, Enumerate], Frozen | None]
    answer: type[Frozen]
    options: type[Frozen] | None = None


@dataclass(frozen=True, slots=True)
class Resolver(Generic[Q, O]):
    """One rule of a game: its models, the rules it applies, the odds worth asking."""

    id: str
    resolve: Callable[[Q, Dice], O]
    request: type[Q]
    outcome: type[O]
    rules: tuple[str, ...]
    odds: tuple[OddsField, ...]
    summary: Callable[[O], str | tuple[str, ...]]
    aid: Aid | None
    views: Views | None
    doc: str

    def __call__(self, request: Q, dice: Dice) -> O:
        """Resolve ``request`` with ``dice``."""
        return self.resolve(request, dice)


def resolver(
    id: str,  # noqa: A002 - it is the id
    *,
    rules: tuple[str, ...],
    odds: tuple[OddsField, ...] = (),
    summary: Callable[[O], str | tuple[str, ...]] | None = None,
    aid: Aid | None = None,
    views: Views | None = None,
) -> Callable[[Callable[[Q, Dice], O]], Resolver[Q, O]]:
    """Register a pure function ``(request, dice) -> outcome`` under ``id``.

    ``rules`` are the ids of the rules and rulings it applies. ``odds`` are the outcome fields
    whose distribution can be asked; none where no die is drawn. ``summary`` names the
    sentence, or sentences, of the labels' ``[summaries]`` that tell the outcome. ``views`` serve
    an outcome whose parts are too many to enumerate together: each is a function of the dice
    that gives what the odds read of one part, with None for the other items of a list.
    """
    if not _ID.fullmatch(id):
        msg = f"resolver id {id!r}: lower-case words joined by hyphens"
        raise ValueError(msg)

    def register(function: Callable[[Q, Dice], O]) -> Resolver[Q, O]:
        hints = get_type_hints(function)
        returned = hints.pop("return")
        asked, _dice = hints.values()

        def plainly(_outcome: O) -> str:
            return id

        return Resolver(
            id=id,
            resolve=function,
            request=asked,
            outcome=returned,
            rules=rules,
            odds=odds,
            summary=summary or plainly,
            aid=aid,
            views=views,
            doc=inspect.getdoc(function) or "",
        )

    return register
