"""Dotted paths into an outcome: "a.successes", "targets[].surprised"."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from pydantic import BaseModel

from arbitre.rules.resolver import OddsField

Reading = tuple[str, Any]
"""The name of a field with its index filled in ("targets.0.surprised"), and its value."""


class _Absent(Enum):
    ABSENT = None


ABSENT: Final = _Absent.ABSENT
"""What a field reads where the outcome has no such part; a null it states is None."""


def plain(value: Any) -> Any:
    """Return a reading as data."""
    return None if value is ABSENT else value


def readings(outcome: Any, field: OddsField) -> tuple[Reading, ...]:
    """Return each value that ``field`` names in ``outcome``."""
    if isinstance(field, str):
        return tuple(_walk(outcome, field.split("."), ""))
    parts = [readings(outcome, name) for name in field]
    return tuple(
        ("+".join(name for name, _ in row), _together([value for _, value in row]))
        for row in zip(*parts, strict=True)
    )


def _together(values: list[Any]) -> Any:
    """Join readings; where none of them is there, nothing is."""
    return ABSENT if set(values) == {ABSENT} else tuple(map(plain, values))


def _walk(value: Any, path: list[str], name: str) -> Iterator[Reading]:
    if not path:
        yield name[1:], value
        return
    step, rest = path[0], path[1:]
    inner = _part(value, step.removesuffix("[]"))
    if not step.endswith("[]"):
        yield from _walk(inner, rest, f"{name}.{step}")
        return
    for index, item in enumerate(plain(inner) or ()):
        if item is not None:  # a view leaves out what other views show
            yield from _walk(item, rest, f"{name}.{step.removesuffix('[]')}.{index}")


def _part(value: Any, name: str) -> Any:
    """Return a field; one left at null, or out of a view, or inside nothing, is absent."""
    if value is None or value is ABSENT:
        return ABSENT
    if not isinstance(value, BaseModel):
        return getattr(value, name, ABSENT)
    inner = getattr(value, name)
    return ABSENT if inner is None and name not in value.model_fields_set else inner
