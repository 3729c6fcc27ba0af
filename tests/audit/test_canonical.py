"""One value, one byte string, whoever writes it."""

from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from arbitre.audit import NotCanonicalError, canonical

WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ASCII = st.text(st.characters(max_codepoint=127))


def values(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | st.booleans() | WHOLE | TEXT,
        lambda inner: st.lists(inner) | st.dictionaries(keys, inner) | st.tuples(inner, inner),
        max_leaves=20,
    )


@given(values(ASCII))
def test_our_data_is_written_as_rfc_8785_says(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(values(TEXT))
def test_keys_of_any_alphabet_are_sorted_as_rfc_8785_says(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_keys_beyond_the_basic_plane_come_before_the_private_ones() -> None:
    assert canonical({"\ue000": 1, "\U0001f3b2": 2}) == '{"\U0001f3b2":2,"\ue000":1}'.encode()


def test_control_characters_are_escaped_and_nothing_else() -> None:
    written = b'"\\u0000\\b\\t\\n\\f\\r\\"\\\\/\\u001f\x7f\xc3\xa9"'
    assert canonical('\0\b\t\n\f\r"\\/\x1f\x7fé') == written


class Choice(StrEnum):
    A = "a"


def deep(depth: int, key: str) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = {key: value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        -0.0,
        [1, 2.5],
        {"a": {"b": [None, 1e16]}},
        2**53,
        -(2**53),
        2**70,
        {"é": 2**53},
        "\ud800",
        {"\ud800": 1},
        {1: "a"},
        {None: "a"},
        {"a": b"bytes"},
        Decimal(1),
        Choice.A,
        {"a": {1, 2}},
        deep(300, "a"),
        deep(3000, "é"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_entries_never_hold_is_refused(value: Any) -> None:
    with pytest.raises(NotCanonicalError):
        canonical(value)
