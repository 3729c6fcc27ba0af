"""One resolution that falls: a resolver, a request, and faces from a stream or a hand."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from arbitre.dice import Draw, FaceSource, HandFaces, LiveDice, Note
from arbitre.rules.model import Outcome
from arbitre.rules.resolver import Resolver

O = TypeVar("O", bound=Outcome)  # noqa: E741 - an outcome


@dataclass(frozen=True, slots=True)
class Play(Generic[O]):
    """What one resolution left: the outcome, each draw, each rule that acted."""

    outcome: O
    draws: list[Draw]
    notes: list[Note]


def play(resolver: Resolver[Any, O], request: Any, faces: FaceSource) -> Play[O]:
    """Resolve ``request``; faces given by hand must be exactly those drawn."""
    dice = LiveDice(faces)
    outcome = resolver.resolve(request, dice)
    if isinstance(faces, HandFaces):
        faces.finish()
    return Play(outcome, dice.draws, dice.notes)
