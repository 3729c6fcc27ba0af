"""Worked examples to send through the doors, and what of an answer is the same at each."""

from functools import cache
from typing import Any

from arbitre.registry import built_in_systems
from arbitre.rules.system import System
from arbitre.testing import Example, load_examples

GAMES = built_in_systems()


@cache
def examples() -> list[tuple[System, Example]]:
    """Every worked example of every game."""
    return [(system, example) for system in GAMES for example in load_examples(system)]


def thrown(system: System) -> Example:
    """The first example of a game's roll that throws dice."""
    return next(
        example
        for example in load_examples(system)
        if example.resolver == "roll" and example.draws and example.refused is None
    )


def address(system: System, example: Example) -> str:
    return f"/v1/{system.id}/{example.resolver}"


def body(example: Example, **more: Any) -> dict[str, Any]:
    """The example, with the faces of its dice."""
    return {"request": example.request, "dice": list(example.faces), **more}


def told(answer: dict[str, Any]) -> dict[str, Any]:
    """All of an answer that does not tell one roll from another of the same faces."""
    return {key: value for key, value in answer.items() if key not in {"id", "log"}}


def name(value: object) -> str:
    return value.id if isinstance(value, System) else str(value)
