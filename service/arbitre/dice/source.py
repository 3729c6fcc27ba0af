"""What a rule sees of the dice, and what a resolution leaves behind: draws and notes."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, NamedTuple, Protocol, TypeVar

Faces = tuple[int, ...]

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Item = TypeVar("Item")


class Draw(NamedTuple):
    """One draw of one or more equal dice, in draw order."""

    tag: str
    sides: int
    faces: Faces


class Note(NamedTuple):
    """One rule at work: its id, the key of its sentence, and the numbers in it."""

    rule: str
    key: str
    values: dict[str, object]


class Tried(NamedTuple, Generic[T]):
    """What was accepted in the end, and the tries it took."""

    value: T
    tries: int


class Dice(Protocol):
    """The dice of one resolution.

    A rule asks for dice and gets a reading. It never learns whether a stream, a hand
    or the enumerator answers, and must not: the same code is rolled, judged and counted.
    """

    def die(self, tag: str, *, sides: int) -> int:
        """Roll one die whose place in the order matters; return its face."""

    def pool(self, tag: str, *, count: int, sides: int, read: Callable[[Faces], T]) -> T:
        """Roll ``count`` interchangeable dice; return what ``read`` makes of them.

        ``read`` is a named pure function or a frozen reader. The enumerator shows it each
        multiset once, highest face first; it must not depend on the order of the faces
        in anything the odds are asked about.
        """

    def sub(
        self,
        resolve: Callable[..., T],
        *args: Hashable,
        merge: Callable[[T], Hashable] | None = None,
    ) -> T:
        """Return ``resolve(*args, dice)``: a sub-resolution that depends on ``args`` alone.

        The enumerator works each one out once and branches over its distinct results.
        Results with the same ``merge(result)`` are one: say there all that later rules
        and the odds look at.
        """

    def fold(
        self,
        step: Callable[[T, Item, "Dice"], T],
        state: T,
        items: Iterable[Item],
        merge: Callable[[T], Hashable] | None = None,
    ) -> T:
        """Return ``state`` after ``state = step(state, item, dice)`` for each item.

        The enumerator merges equal states after each item, so long chains stay small.
        """

    def gather(
        self,
        resolve: Callable[..., T],
        parts: Iterable[tuple[Hashable, ...]],
        *,
        state: U,
        combine: Callable[[U, T], U],
        merge: Callable[[T], Hashable] | None = None,
        merge_state: Callable[[U], Hashable] | None = None,
    ) -> U:
        """Return ``state`` after ``state = combine(state, resolve(*part, dice))`` for each part.

        No part looks at the state, and ``combine`` draws nothing: so the enumerator works each
        part out once and only multiplies. Use it to add dice up and to compare many throws.
        """

    def until(
        self,
        resolve: Callable[..., T],
        *args: Hashable,
        accept: Callable[[T], bool],
        limit: int,
        merge: Callable[[T], Hashable] | None = None,
    ) -> Tried[T]:
        """Return the first ``resolve(*args, dice)`` that ``accept`` takes, throwing again.

        After ``limit`` tries the last value is returned although it was not accepted. The
        enumerator has no such limit: it gives the exact chances of what is accepted in the
        end, but knows no number of tries (it says 1), so the odds cannot ask about it.
        ``accept`` may look at nothing that ``merge`` leaves out.
        """

    def note(self, rule: str, key: str, **values: object) -> None:
        """Write down that ``rule`` acted. Values are numbers, booleans or choices, never text.

        The enumerator does not listen: nothing a rule decides may depend on a note.
        """


class FaceSource(Protocol):
    """Where live faces come from."""

    def draw(self, tag: str, count: int, sides: int) -> Faces:
        """Return ``count`` faces of dice with ``sides`` sides."""


class DiceMissingError(Exception):
    """Fewer faces were rolled by hand than the rule draws."""

    def __init__(self, tag: str, sides: int, needed: int, given: int) -> None:
        super().__init__(f"{tag}: d{sides} number {needed} is missing, {given} given")
        self.tag, self.sides, self.needed, self.given = tag, sides, needed, given


class DiceLeftError(Exception):
    """More faces were rolled by hand than the rule draws."""

    def __init__(self, needed: int, given: int) -> None:
        super().__init__(f"{needed} dice are drawn, {given} given")
        self.needed, self.given = needed, given


class DiceFaceError(Exception):
    """A face rolled by hand is not on the die."""

    def __init__(self, index: int, tag: str, sides: int) -> None:
        super().__init__(f"die {index} ({tag}) is a d{sides}")
        self.index, self.tag, self.sides = index, tag, sides


class DiceLimitError(Exception):
    """One resolution asked for more dice than any may draw."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} dice in one resolution")
        self.limit = limit
