"""Dotted paths into an outcome: "a.successes", "targets[].surprised"."""

from collections.abc import Iterator
from typing import Any

from arbitre.rules.resolver import OddsField

Reading = tuple[str, Any]
"""The name of a field with its index filled in ("targets.0.surprised"), and its value."""


def readings(outcome: Any, field: OddsField) -> tuple[Reading, ...]:
    """Return each value that ``field`` names in ``outcome``."""
    if isinstance(field, str):
        return tuple(_walk(outcome, field.split("."), ""))
    parts = [readings(outcome, name) for name in field]
    return tuple(
        ("+".join(name for name, _ in row), tuple(value for _, value in row))
        for row in zip(*parts, strict=True)
    )


def _walk(value: Any, path: list[str], name: str) -> Iterator[Reading]:
    if not path:
        yield name[1:], value
        return
    step, rest = path[0], path[1:]
    inner = None if value is None else getattr(value, step.removesuffix("[]"))
    if not step.endswith("[]"):
        yield from _walk(inner, rest, f"{name}.{step}")
        return
    for index, item in enumerate(inner or ()):
        if item is not None:  # a view leaves out what other views show
            yield from _walk(item, rest, f"{name}.{step.removesuffix('[]')}.{index}")
