"""The frozen models that requests and outcomes are made of."""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict

from arbitre.rules.fields import Chance


class Frozen(BaseModel):
    """A strict, immutable, hashable model; the string under a field is its description.

    A field whose name is a word of Python has that word as its alias: the alias is its name
    on every door.
    """

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        serialize_by_alias=True,
        use_attribute_docstrings=True,
    )


class Request(Frozen):
    """What a resolver is asked."""


class Outcome(Frozen):
    """What a resolver answers: meaning only, never faces."""


class Exact(Frozen):
    """A probability or a mean: the exact fraction, and a decimal for reading."""

    p: str
    """The exact value, as "143/2000"."""
    decimal: Chance
    """The same, rounded."""

    @classmethod
    def of(cls, value: Fraction) -> "Exact":
        """Show ``value``."""
        return cls(p=str(value), decimal=float(value))


def models_of(root: type[BaseModel]) -> list[type[BaseModel]]:
    """Return ``root`` and every model inside it, each once, outermost first."""
    found: dict[type[BaseModel], None] = {}
    pending = [root]
    while pending:
        model = pending.pop(0)
        if model not in found:
            found[model] = None
            pending += [
                kind
                for info in model.model_fields.values()
                for kind in _kinds(info.annotation)
                if issubclass(kind, BaseModel)
            ]
    return list(found)


def choices_of(root: type[BaseModel]) -> list[type[StrEnum]]:
    """Return every enumeration inside ``root``, each once."""
    return list(
        dict.fromkeys(
            kind
            for model in models_of(root)
            for info in model.model_fields.values()
            for kind in _kinds(info.annotation)
            if issubclass(kind, StrEnum)
        )
    )


def _kinds(annotation: Any) -> Iterator[type[Any]]:
    if isinstance(annotation, type) and not get_args(annotation):
        yield annotation
    for inner in get_args(annotation):
        yield from _kinds(inner)
