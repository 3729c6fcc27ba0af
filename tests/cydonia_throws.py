"""Cydonia's rules under every way the dice can fall: what the odds are held against."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pydantic_core import to_json

from arbitre.dice import Faces
from arbitre.odds import Odds, odds_of
from arbitre.rules.play import play
from arbitre.systems.cydonia import SYSTEM


class NeededError(Exception):
    """One more die is wanted."""

    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


class Ahead:
    """The faces of one way the dice can fall, as far as they are known."""

    def __init__(self, faces: Faces) -> None:
        self._left = list(faces)

    def draw(self, _tag: str, count: int, sides: int) -> Faces:
        if len(self._left) < count:
            raise NeededError(sides)
        drawn, self._left = self._left[:count], self._left[count:]
        return tuple(drawn)


def asked(resolver: str, **fields: Any) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(to_json(fields))


def odds(resolver: str, **fields: Any) -> Odds:
    return odds_of(SYSTEM.by_id[resolver], asked(resolver, **fields))


def field(found: Odds, name: str) -> dict[Any, Fraction]:
    return {
        value.value: value.p for row in found.fields if row.field == name for value in row.values
    }


def ends(resolver: str, request: Any) -> Iterator[tuple[Any, Fraction]]:
    """Throw the dice in every way, each only as far as the rule draws."""
    ways: list[tuple[Faces, Fraction]] = [((), Fraction(1))]
    while ways:
        faces, chance = ways.pop()
        try:
            outcome = play(SYSTEM.by_id[resolver], request, Ahead(faces)).outcome
        except NeededError as needed:
            each = chance / needed.sides
            ways += [((*faces, face), each) for face in range(1, needed.sides + 1)]
        else:
            yield outcome, chance
