"""Whom fate strikes: rule CY-13, ruling CY-R29."""

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import Name
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cydonia.items import Boosted, CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.refusals import refuse, twice
from arbitre.systems.cydonia.side import Attribute, CydoniaValue, note_items
from arbitre.systems.cydonia.tables import SIDES


class CydoniaWant(StrEnum):
    LUCKIEST = "luckiest"
    UNLUCKIEST = "unluckiest"


class CydoniaTieBreak(StrEnum):
    NONE = "none"
    ROLL = "roll"


class CydoniaFated(Frozen):
    id: Name
    """Name of the character, each once."""
    luck: Attribute
    """Luck (CY-13)."""
    luck_items: Items = ()
    """Items that raise it (CY-14)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""


class CydoniaLuckRequest(Request):
    characters: Annotated[tuple[CydoniaFated, ...], Field(min_length=1, max_length=100)]
    """Those whom fate may strike."""
    want: CydoniaWant
    """The luckiest, or the unluckiest (CY-13)."""
    tie_break: CydoniaTieBreak = CydoniaTieBreak.NONE
    """What happens between equals (CY-R29)."""


class CydoniaLuckOutcome(Outcome):
    selected: tuple[Name, ...]
    """Whom fate strikes."""
    value: int
    """Their Luck (CY-13)."""
    tied: bool
    """Whether several are left (CY-R29)."""


class CydoniaFate(Frozen):
    id: Name
    """Name of the character."""
    chance: Exact
    """Chance of being struck, alone or with others."""


class CydoniaFates(Frozen):
    characters: tuple[CydoniaFate, ...]
    """Each character's chance."""


class Throw(NamedTuple):
    """The faces of those tied so far, and what decides between them."""

    faces: tuple[int, ...] = ()
    best: int = 0
    equals: int = 0


def lucks(request: CydoniaLuckRequest) -> tuple[Boosted, ...]:
    """CY-14: everybody's Luck with its items."""
    return tuple(
        boost(fated.luck, fated.luck_items, fated.item_policy) for fated in request.characters
    )


def tied_places(request: CydoniaLuckRequest) -> tuple[int, tuple[int, ...]]:
    """CY-13: the highest or the lowest Luck, and who has it."""
    values = [luck.effective for luck in lucks(request)]
    value = max(values) if request.want is CydoniaWant.LUCKIEST else min(values)
    return value, tuple(place for place, luck in enumerate(values) if luck == value)


def fling(number: int, want: CydoniaWant, dice: Dice) -> int:
    """CY-R29: one die for each of those tied; counted so that more is closer to fate."""
    face = dice.die("luck", sides=SIDES)
    dice.note("CY-R29", "tie-die", number=number, die=face)
    return face if want is CydoniaWant.LUCKIEST else -face


def weigh(thrown: Throw, closeness: int) -> Throw:
    """Compare one more die with those before it."""
    faces = (*thrown.faces, closeness)
    if not thrown.faces or closeness > thrown.best:
        return Throw(faces, closeness, 1)
    return Throw(faces, thrown.best, min(2, thrown.equals + (closeness == thrown.best)))


def by_best(thrown: Throw) -> tuple[bool, int, int]:
    """Keep the best die, and whether it is alone."""
    return bool(thrown.faces), thrown.best, thrown.equals


def fates(request: CydoniaLuckRequest, _options: None, _enumerate: Enumerate) -> CydoniaFates:
    """CY-R29: each of those tied has the same chance of being among the best dice."""
    _, places = tied_places(request)
    chance = Fraction(1)
    if request.tie_break is CydoniaTieBreak.ROLL and len(places) > 1:
        others = len(places) - 1
        chance = sum(
            (Fraction(face, SIDES) ** others for face in range(1, SIDES + 1)), Fraction(0)
        ) * Fraction(1, SIDES)
    return CydoniaFates(
        characters=tuple(
            CydoniaFate(id=fated.id, chance=Exact.of(chance if place in places else Fraction(0)))
            for place, fated in enumerate(request.characters)
        )
    )


def summary(outcome: CydoniaLuckOutcome) -> str:
    return "several-fated" if outcome.tied else "fated"


@resolver(
    "luck",
    rules=("CY-13", "CY-14", "CY-R09", "CY-R29"),
    odds=("tied",),
    summary=summary,
    aid=Aid(fates, CydoniaFates),
)
def luck(request: CydoniaLuckRequest, dice: Dice) -> CydoniaLuckOutcome:
    """Find the luckiest or the unluckiest of several characters."""
    refuse(twice([fated.id for fated in request.characters], "/characters"))
    for boosted in lucks(request):
        if boosted.items:
            note_items(CydoniaValue.ATTRIBUTE, boosted, dice)
    value, places = tied_places(request)
    dice.note("CY-13", "fate", want=request.want, value=value, count=len(places))
    tied = len(places) > 1
    dice.note("CY-R29", "tie-break", tie_break=request.tie_break)
    if tied and request.tie_break is CydoniaTieBreak.ROLL:
        thrown = dice.gather(
            fling,
            [(place + 1, request.want) for place in places],
            state=Throw(),
            combine=weigh,
            merge_state=by_best,
        )
        tied = thrown.equals > 1
        places = tuple(
            place
            for place, closeness in zip(places, thrown.faces, strict=False)
            if closeness == thrown.best
        )
    return CydoniaLuckOutcome(
        selected=tuple(request.characters[place].id for place in places), value=value, tied=tied
    )
