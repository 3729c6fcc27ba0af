"""Frozen ways to read a pool, which the enumerator also knows how to count."""

from dataclasses import dataclass

from arbitre.dice.source import Faces


@dataclass(frozen=True, slots=True)
class Count:
    """How many dice show ``at_least`` or more."""

    at_least: int

    def __call__(self, faces: Faces) -> int:
        """Count the dice."""
        return sum(face >= self.at_least for face in faces)

    def each(self, face: int) -> int:
        """Return what one die adds."""
        return int(face >= self.at_least)


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of all faces."""

    def __call__(self, faces: Faces) -> int:
        """Add the faces up."""
        return sum(faces)

    def each(self, face: int) -> int:
        """Return what one die adds."""
        return face


@dataclass(frozen=True, slots=True)
class Highest:
    """The highest face; 0 without dice."""

    def __call__(self, faces: Faces) -> int:
        """Pick the highest face."""
        return max(faces, default=0)


def in_order(faces: Faces) -> Faces:
    """Return the faces themselves, as drawn."""
    return faces
