"""Faces rolled on a real table: exactly those the rule draws, or a refusal."""

from collections.abc import Sequence

from arbitre.dice.source import DiceFaceError, DiceLeftError, DiceMissingError, Faces


class HandFaces:
    """Faces given in draw order."""

    __slots__ = ("_faces", "_next")

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._next = 0

    def draw(self, tag: str, count: int, sides: int) -> Faces:
        """Take the next ``count`` faces; too few name the first die that is missing."""
        start = self._next
        taken = self._faces[start : start + count]
        for index, face in enumerate(taken, start):
            if not 1 <= face <= sides:
                raise DiceFaceError(index, tag, sides)
        if len(taken) < count:
            given = len(self._faces)
            raise DiceMissingError(tag, sides, given + 1, given)
        self._next = start + count
        return taken

    def finish(self) -> None:
        """Refuse faces that no rule drew."""
        if self._next < len(self._faces):
            raise DiceLeftError(self._next, len(self._faces))
