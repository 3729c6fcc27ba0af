"""Dice that fall once: each draw and note is recorded in order."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from arbitre.dice.source import Dice, DiceLimitError, Draw, Faces, FaceSource, Note, Tried

LIMIT = 5_000
"""Most dice one resolution may draw, whatever the game."""

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Item = TypeVar("Item")


class LiveDice:
    """Dice for one resolution, with faces from a stream or from a hand."""

    __slots__ = ("_left", "_source", "draws", "notes")

    def __init__(self, source: FaceSource) -> None:
        self._source = source
        self._left = LIMIT
        self.draws: list[Draw] = []
        self.notes: list[Note] = []

    def die(self, tag: str, *, sides: int) -> int:
        """Roll one die."""
        return self._draw(tag, 1, sides)[0]

    def pool(self, tag: str, *, count: int, sides: int, read: Callable[[Faces], T]) -> T:
        """Roll ``count`` dice and read them; no dice, no draw."""
        return read(self._draw(tag, count, sides) if count else ())

    def sub(
        self,
        resolve: Callable[..., T],
        *args: Hashable,
        merge: Callable[[T], Hashable] | None = None,  # noqa: ARG002 - only the enumerator merges
    ) -> T:
        """Resolve a part with these same dice."""
        return resolve(*args, self)

    def fold(
        self,
        step: Callable[[T, Item, Dice], T],
        state: T,
        items: Iterable[Item],
        merge: Callable[[T], Hashable] | None = None,  # noqa: ARG002 - only the enumerator merges
    ) -> T:
        """Carry ``state`` through ``items`` with these same dice."""
        for item in items:
            state = step(state, item, self)
        return state

    def gather(
        self,
        resolve: Callable[..., T],
        parts: Iterable[tuple[Hashable, ...]],
        *,
        state: U,
        combine: Callable[[U, T], U],
        merge: Callable[[T], Hashable] | None = None,  # noqa: ARG002 - only the enumerator merges
        merge_state: Callable[[U], Hashable] | None = None,  # noqa: ARG002 - likewise
    ) -> U:
        """Resolve each part with these same dice and combine it into ``state``."""
        for part in parts:
            state = combine(state, resolve(*part, self))
        return state

    def until(
        self,
        resolve: Callable[..., T],
        *args: Hashable,
        accept: Callable[[T], bool],
        limit: int,
        merge: Callable[[T], Hashable] | None = None,  # noqa: ARG002 - only the enumerator merges
    ) -> Tried[T]:
        """Throw again until ``accept`` is content, ``limit`` times at most."""
        value = resolve(*args, self)
        tries = 1
        while tries < limit and not accept(value):
            value = resolve(*args, self)
            tries += 1
        return Tried(value, tries)

    def note(self, rule: str, key: str, **values: object) -> None:
        """Record that ``rule`` acted."""
        self.notes.append(Note(rule, key, values))

    def _draw(self, tag: str, count: int, sides: int) -> Faces:
        self._left -= count
        if self._left < 0:
            raise DiceLimitError(LIMIT)
        faces = self._source.draw(tag, count, sides)
        self.draws.append(Draw(tag, sides, faces))
        return faces
