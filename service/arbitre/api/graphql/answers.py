"""The parts of an answer that every game shares, as GraphQL shows them."""

from typing import Annotated, Any

import orjson

from arbitre.api.graphql.derive import Shown
from arbitre.rules.model import Exact, Frozen


def _pairs(values: dict[str, Any]) -> list[dict[str, str]]:
    return [{"name": name, "value": _encoded(value)} for name, value in values.items()]


def _encoded(value: Any) -> str:
    return orjson.dumps(value).decode()


Encoded = Annotated[str, Shown(_encoded)]
"""A number, a text, a boolean, null or a list: as JSON text."""


class Draw(Frozen):
    """One draw of one or more equal dice."""

    tag: str
    """What is rolled for."""
    sides: int
    """Sides of each die."""
    faces: tuple[int, ...]
    """The faces, in draw order."""
    source: str
    """Where they come from: "seed" or "hand"."""


class StepValue(Frozen):
    """A number or a choice in the sentence of a step."""

    name: str
    """What it is."""
    value: str
    """It, as JSON."""


class Step(Frozen):
    """One rule at work."""

    rule: str
    """The id of the rule."""
    key: str
    """The name of the sentence, the same in each language."""
    text: str
    """The sentence."""
    section: str
    """Where the book states the rule."""
    page: int | None
    """The page, where it is known."""
    values: Annotated[tuple[StepValue, ...], Shown(_pairs)]
    """What the sentence holds."""


class Log(Frozen):
    """What the log keeps of a roll."""

    entry: str
    """The signed entry, byte for byte."""
    sig: str
    """Its signature, in hexadecimal."""
    hash: str
    """Its hash, in hexadecimal."""
    key: str
    """The key that signed it."""
    entropy: str
    """Whose chance it is: "server-only", "caller" or "hand"."""
    seed: str | None
    """The seed of the faces; nothing where they were rolled by hand."""


class Resolution(Frozen):
    """A resolution, whatever the game."""

    id: str
    """The name of the roll in the log."""
    system: str
    """The game."""
    resolver: str
    """The rule that was called."""
    rules_version: str
    """The version of the game's rules."""
    actor: str | None
    """Who attempted it, in the caller's words."""
    note: str | None
    """A remark, in the caller's words."""
    draws: tuple[Draw, ...]
    """The dice, in draw order."""
    summary: str
    """The outcome in a sentence or two."""
    steps: tuple[Step, ...]
    """Each rule that acted, in order."""
    log: Log
    """The signed entry: anybody can replay it."""


class ValueOdds(Frozen):
    """One value of a field and its chance."""

    value: Encoded
    """The value, as JSON; a list where several fields are asked together."""
    p: str
    """The exact chance, as "143/2000"."""
    decimal: float
    """The same, rounded."""


class FieldOdds(Frozen):
    """The distribution of one field of the outcome."""

    field: str
    """The path of the field; several joined by "+" are asked together."""
    values: tuple[ValueOdds, ...]
    """Each value it can take."""
    mean: Exact | None
    """The mean, where every value is a number."""


class Probabilities(Frozen):
    """Exact odds, whatever the game."""

    system: str
    """The game."""
    resolver: str
    """The rule that was asked."""
    rules_version: str
    """The version of the game's rules."""
    odds: tuple[FieldOdds, ...]
    """The distribution of each field worth asking."""
    work: int
    """Runs of the rule that it took."""


class KnownResolver(Frozen):
    """A rule that can be called."""

    id: str
    """Its name."""
    title: str
    """What it resolves."""
    rules: tuple[str, ...]
    """The ids of the rules and rulings that it applies."""


class KnownSystem(Frozen):
    """A game."""

    id: str
    """Its name in addresses."""
    name: str
    """Its title."""
    version: str
    """The version of its rules: it changes when any request and faces give another outcome."""
    languages: tuple[str, ...]
    """The languages of its sentences."""
    resolvers: tuple[KnownResolver, ...]
    """The rules that can be called."""
