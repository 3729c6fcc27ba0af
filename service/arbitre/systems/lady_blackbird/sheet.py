"""What a sheet holds beside its dice: XP, keys, secrets, conditions; rules LB-09, LB-14."""

from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Name
from arbitre.rules.model import Frozen
from arbitre.systems.lady_blackbird.names import repeated
from arbitre.systems.lady_blackbird.tables import CONDITIONS, LadyBlackbirdCondition

XP_PER_ADVANCE = 5  # LB-14
MOST = 1000
"""Most XP or advances a sheet holds: a technical limit (LB-16)."""

LINES = 50
"""Most names in one list of a sheet: a technical limit."""

Points = Annotated[int, Field(ge=0, le=MOST), WHOLE]
Names = Annotated[tuple[Name, ...], Field(max_length=LINES)]


def _once(conditions: tuple[LadyBlackbirdCondition, ...]) -> tuple[LadyBlackbirdCondition, ...]:
    if len(set(conditions)) < len(conditions):
        msg = "each condition once"
        raise ValueError(msg)
    return conditions


Conditions = Annotated[
    tuple[LadyBlackbirdCondition, ...],
    Field(max_length=len(CONDITIONS), json_schema_extra={"uniqueItems": True}),
    AfterValidator(_once),
]


class LadyBlackbirdSecret(Frozen):
    name: Name
    """The secret."""
    available: bool
    """It can still be used."""


Secrets = Annotated[tuple[LadyBlackbirdSecret, ...], Field(max_length=LINES)]


class Converted(NamedTuple):
    xp: int
    advances: int
    gained: int


def convert(xp: int, advances: int, dice: Dice) -> Converted:
    """LB-14, LB-R11: five XP are one advance, the rest is kept."""
    gained, rest = divmod(xp, XP_PER_ADVANCE)
    if gained:
        dice.note("LB-14", "converted", xp=xp, gained=gained, rest=rest)
    return Converted(rest, advances + gained, gained)


def refuse_twice(code: str, names: tuple[str, ...], pointer: str, leaf: str = "") -> None:
    """Refuse a list that holds a name twice, and point at the second."""
    twice = repeated(names)
    if twice is not None:
        raise RuleRefused(code, pointer=f"{pointer}/{twice}{leaf}", bought=False, purchase="")


def refuse_unreal_death(conditions: Conditions, death_is_final: bool) -> None:
    """LB-09: only a death that is ticked can be real."""
    if death_is_final and LadyBlackbirdCondition.DEAD not in conditions:
        raise RuleRefused("not-dead", pointer="/state/death_is_final", rule="LB-09")
