"""Markers that fields share: whole numbers, hundredths, short texts."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import core_schema

Chance = float
"""The decimal beside an exact fraction: for reading, never computed with."""


def _whole(value: object) -> object:
    return int(value) if type(value) is float and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""Ends every integer field, after its ``Field``: 2.0 is two, as JSON Schema has it."""

_HUNDREDTHS = re.compile(r"-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?")


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _whole_up_to(most: int) -> str:
    """Match the whole numbers from 0 to ``most``, without idle zeros."""
    digits = str(most)
    found = [digits]
    for place, digit in enumerate(digits):
        least = 1 if place == 0 and most > 9 else 0  # noqa: PLR2004 - a digit
        if int(digit) > least:
            rest = "[0-9]" * (len(digits) - place - 1)
            found.append(f"{digits[:place]}[{least}-{int(digit) - 1}]{rest}")
    found += ["[0-9]"] if len(digits) > 1 else []
    found += [f"[1-9]{'[0-9]' * length}" for length in range(1, len(digits) - 1)]
    return "|".join(found)


def _up_to(most: int) -> str:
    """Match the hundredths from 0 to ``most``."""
    whole = rf"{most}(?:\.0{{1,2}})?"
    return rf"(?:{_whole_up_to(most - 1)})(?:\.[0-9]{{1,2}})?|{whole}" if most else whole


@dataclass(frozen=True, slots=True)
class Hundredths:
    """Marks a ``Decimal`` of at most two places from ``ge`` to ``le``.

    A JSON number or a string goes in, a string without idle zeros comes out. ``ge`` is a
    whole number, or 0.01 for more than nothing.
    """

    ge: int | Decimal
    le: int

    def _read(self, value: object) -> Decimal:
        text = str(value) if type(value) in (int, float, str, Decimal) else ""
        if type(value) is float:
            text = text.removesuffix(".0")
        if _HUNDREDTHS.fullmatch(text):
            quantity = Decimal(text) + 0  # a negative zero is zero
            if self.ge <= quantity <= self.le:
                return quantity
        msg = f"a number from {self.ge} to {self.le} with at most two decimals"
        raise ValueError(msg)

    def __get_pydantic_core_schema__(
        self, _source: Any, _handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                _plain, return_schema=core_schema.str_schema()
            ),
            metadata={
                "pydantic_js_functions": [lambda _schema, _handler: self._json_schema()],
            },
        )

    def _json_schema(self) -> dict[str, Any]:
        least = self.ge if isinstance(self.ge, int) else float(self.ge)
        return {
            "anyOf": [
                {"type": "number", "minimum": least, "maximum": self.le, "multipleOf": 0.01},
                {"type": "string", "pattern": self._pattern()},
            ]
        }

    def _pattern(self) -> str:
        if self.ge > 0:
            return rf"^(?!0(?:\.0{{1,2}})?$)(?:{_up_to(self.le)})$"
        return rf"^(?:-(?:{_up_to(-int(self.ge))})|{_up_to(self.le)})$"


CLEAN = Field(pattern=r"^[^\x00]*$")
"""Ends every text field, after its ``Field``: no NUL."""

Name = Annotated[str, Field(min_length=1, max_length=80), CLEAN]
"""A name the caller gives: echoed in its own field, decides nothing."""
