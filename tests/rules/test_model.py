"""Frozen models and what is inside them."""

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Exact, Frozen, choices_of, models_of


class Color(StrEnum):
    RED = "red"


class Size(StrEnum):
    BIG = "big"


class Leaf(Frozen):
    kind: Literal["leaf"]
    color: Color


class Stone(Frozen):
    kind: Literal["stone"]
    size: Size | None = None


class Heap(Frozen):
    things: tuple[Annotated[Leaf | Stone, Field(discriminator="kind")], ...] = ()
    """What lies there."""
    first: Leaf | None = None
    number: int = 0
    again: tuple[Stone, ...] = ()


def test_models_and_choices_are_found_once_each() -> None:
    assert models_of(Heap) == [Heap, Leaf, Stone]
    assert choices_of(Heap) == [Color, Size]
    assert models_of(Leaf) == [Leaf]


def test_models_are_strict_frozen_and_described() -> None:
    heap = Heap(number=1)
    with pytest.raises(ValidationError):
        heap.number = 2  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Heap.model_validate({"number": "1"})
    with pytest.raises(ValidationError):
        Heap.model_validate({"luck": 1})
    assert hash(heap) == hash(Heap(number=1))
    assert Heap.model_fields["things"].description == "What lies there."


def test_an_exact_value_shows_its_fraction() -> None:
    assert Exact.of(Fraction(143, 2000)) == Exact(p="143/2000", decimal=0.0715)


def test_a_refusal_is_a_code_and_values() -> None:
    refused = RuleRefused("too-many", pointer="/a", rule="XX-01", most=3)
    assert (refused.code, refused.pointer, refused.rule) == ("too-many", "/a", "XX-01")
    assert refused.values == {"most": 3}
    assert RuleRefused("no").pointer == ""
