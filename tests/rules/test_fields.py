"""Whole numbers, hundredths and clean texts."""

import json
import re
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import Field, ValidationError

from arbitre.rules.fields import CLEAN, WHOLE, Hundredths, Name
from arbitre.rules.model import Frozen


class Sheet(Frozen):
    level: Annotated[int, Field(ge=0, le=9), WHOLE] = 0
    height: Annotated[Decimal, Hundredths(0, 100)] = Decimal(1)
    hours: Annotated[Decimal, Hundredths(Decimal("0.01"), 24)] = Decimal(1)
    below: Annotated[Decimal, Hundredths(-5, 5)] = Decimal(1)
    word: Annotated[str, Field(max_length=9), CLEAN] = ""
    name: Name = "x"


def read(field: str, text: str) -> Any:
    return getattr(Sheet.model_validate_json(f'{{"{field}":{text}}}'), field)


def refused(field: str, text: str) -> bool:
    try:
        read(field, text)
    except ValidationError:
        return True
    return False


@pytest.mark.parametrize(("text", "value"), [("2", 2), ("2.0", 2), ("9e0", 9)])
def test_whole_numbers_may_be_written_as_json_allows(text: str, value: int) -> None:
    assert read("level", text) == value
    assert type(read("level", text)) is int


@pytest.mark.parametrize("text", ["true", '"2"', "2.5", "10", "-1", "null", "[2]"])
def test_what_is_no_whole_number_in_bounds_is_refused(text: str) -> None:
    assert refused("level", text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4.5", "4.5"),
        ('"4.50"', "4.5"),
        ("4", "4"),
        ("4.0", "4"),
        ('"0"', "0"),
        ('"100.00"', "100"),
        ("10", "10"),
        ("0.01", "0.01"),
    ],
)
def test_hundredths_come_in_as_numbers_or_texts_and_go_out_as_texts(
    text: str, written: str
) -> None:
    sheet = Sheet.model_validate_json(f'{{"height":{text}}}')
    assert sheet.model_dump(mode="json")["height"] == written


@pytest.mark.parametrize(
    "text",
    ["4.555", '"4.5.5"', "101", "-1", '"1e1"', '"04"', "true", "null", '""', '"NaN"', '" 1"', "[]"],
)
def test_what_has_no_hundredths_is_refused(text: str) -> None:
    assert refused("height", text)


def test_bounds_of_hundredths_may_have_decimals_and_signs() -> None:
    assert refused("hours", "0")
    assert read("hours", "0.01") == Decimal("0.01")
    assert read("below", "-4.25") == Decimal("-4.25")
    assert Sheet(height=Decimal("2.50")).model_dump(mode="json")["height"] == "2.5"


def test_the_schema_says_what_is_allowed() -> None:
    found = Sheet.model_json_schema()["properties"]
    number, text = found["hours"]["anyOf"]
    assert (number["minimum"], number["maximum"], number["multipleOf"]) == (0.01, 24, 0.01)
    assert text["type"] == "string"
    assert found["height"]["anyOf"][0]["minimum"] == 0
    assert (found["level"]["minimum"], found["level"]["maximum"]) == (0, 9)


def test_texts_hold_no_nul() -> None:
    assert refused("word", '"a\\u0000"')
    assert read("word", '"été"') == "été"
    assert refused("name", '""')


@pytest.mark.parametrize("field", ["height", "hours", "below"])
def test_the_schema_knows_which_texts_are_hundredths(field: str) -> None:
    schema = Sheet.model_json_schema()["properties"][field]
    pattern = next(kind["pattern"] for kind in schema["anyOf"] if kind["type"] == "string")
    whole = [*range(-110, 111), 999, 1000, 1001, "-0", "00", "", "+1", "."]
    texts = [f"{number}{part}" for number in whole for part in ("", ".0", ".00", ".05", ".9", ".")]
    for text in [*texts, "1.000", "0.001", "1e1", " 1"]:
        assert bool(re.search(pattern, text)) is not refused(field, json.dumps(text)), text
