"""Who acts first: rule CY-47, rulings CY-R27 and CY-R28."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import Name
from arbitre.rules.model import Exact, Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.cydonia.items import Boosted, CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.refusals import refuse, twice
from arbitre.systems.cydonia.side import Attribute, CydoniaValue, Modifier, note_items
from arbitre.systems.cydonia.tables import SIDES


class CydoniaCombatant(Frozen):
    id: Name
    """Name of the combatant, each once."""
    agility: Attribute
    """Agility (CY-47)."""
    senses: Attribute
    """Senses (CY-47)."""
    agility_items: Items = ()
    """Items that raise Agility (CY-14)."""
    senses_items: Items = ()
    """Items that raise Senses (CY-14)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""
    luck: Attribute | None = None
    """Luck, which separates equals (CY-R28)."""
    modifier: Modifier = 0
    """The game master's bonus or penalty."""


class CydoniaInitiativeRequest(Request):
    combatants: Annotated[tuple[CydoniaCombatant, ...], Field(min_length=1, max_length=100)]
    """All who fight."""
    roll_die: bool = False
    """Whether each adds a die, which the formula does not have (CY-R27)."""


class CydoniaTurn(Frozen):
    id: Name
    """Name of the combatant."""
    initiative: int
    """Agility and Senses, with the die if there is one (CY-47)."""
    rank: int
    """Place in the order; equals share it (CY-R28)."""
    tied: bool
    """Whether another has the same rank."""


class CydoniaInitiativeOutcome(Outcome):
    order: tuple[CydoniaTurn, ...]
    """The combatants, first to last."""
    shared: bool
    """Whether several share the first rank."""


class CydoniaFirst(Frozen):
    id: Name
    """Name of the combatant."""
    chance: Exact
    """Chance of holding the first rank, alone or shared."""


class CydoniaFirsts(Frozen):
    combatants: tuple[CydoniaFirst, ...]
    """Each combatant's chance."""


class Readied(NamedTuple):
    """A combatant without a die."""

    agility: Boosted
    senses: Boosted
    modifier: int
    luck: int | None
    rolls: bool

    @property
    def base(self) -> int:
        """CY-47: Agility and Senses."""
        return self.agility.effective + self.senses.effective + self.modifier


class Best(NamedTuple):
    """What is known of the highest so far: their number, and their luck."""

    initiative: int = -1_000
    equals: int = 0
    luck: int = -1
    luckiest: int = 0
    lucky: bool = True
    """Whether every one of them gave their luck."""

    @property
    def shared(self) -> bool:
        """CY-R28: several are first, once luck has spoken where it may."""
        return (self.luckiest if self.lucky else self.equals) > 1


@dataclass(frozen=True, slots=True)
class Line:
    """Everybody's initiative so far; the odds tell lines apart by their best."""

    initiatives: tuple[int, ...] = field(compare=False)
    best: Best


def readied(combatant: CydoniaCombatant, *, rolls: bool) -> Readied:
    policy = combatant.item_policy
    return Readied(
        boost(combatant.agility, combatant.agility_items, policy),
        boost(combatant.senses, combatant.senses_items, policy),
        combatant.modifier,
        combatant.luck,
        rolls,
    )


def act(combatant: Readied, dice: Dice) -> tuple[int, int | None]:
    """CY-47: Agility and Senses; CY-R27: a die only where the table adds one."""
    for value in (combatant.agility, combatant.senses):
        if value.items:
            note_items(CydoniaValue.ATTRIBUTE, value, dice)
    face = dice.die("initiative", sides=SIDES) if combatant.rolls else 0
    initiative = combatant.base + face
    dice.note(
        "CY-47",
        "initiative",
        agility=combatant.agility.effective,
        senses=combatant.senses.effective,
        modifier=combatant.modifier,
        die=face,
        initiative=initiative,
    )
    return initiative, combatant.luck


def queue(line: Line, found: tuple[int, int | None]) -> Line:
    """Compare one more combatant with the highest so far."""
    initiative, luck = found
    best = line.best
    given = -1 if luck is None else luck
    if initiative > best.initiative:
        best = Best(initiative, 1, given, 1, luck is not None)
    elif initiative == best.initiative:
        luckiest = 1 if given > best.luck else best.luckiest + (given == best.luck)
        best = Best(
            initiative,
            min(2, best.equals + 1),
            max(given, best.luck),
            min(2, luckiest),
            best.lucky and luck is not None,
        )
    return Line((*line.initiatives, initiative), best)


def by_best(line: Line) -> Best:
    """Keep the highest."""
    return line.best


def ranked(
    combatants: tuple[CydoniaCombatant, ...], initiatives: tuple[int, ...]
) -> tuple[CydoniaTurn, ...]:
    """CY-47, CY-R28: highest first; luck separates equals if all of them gave theirs."""
    keys = []
    for combatant, initiative in zip(combatants, initiatives, strict=True):
        equals = [
            other
            for other, total in zip(combatants, initiatives, strict=True)
            if total == initiative
        ]
        lucky = all(other.luck is not None for other in equals)
        keys.append((-initiative, -(combatant.luck or 0) if lucky else 0))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(
        CydoniaTurn(
            id=combatants[place].id,
            initiative=initiatives[place],
            rank=1 + sum(key < keys[place] for key in keys),
            tied=keys.count(keys[place]) > 1,
        )
        for place in order
    )


class Rival(NamedTuple):
    """What another combatant brings against the first rank."""

    base: int
    luck: int | None


def firsts(
    request: CydoniaInitiativeRequest, _options: None, _enumerate: Enumerate
) -> CydoniaFirsts:
    """CY-R27, CY-R28: the chance of each to be first, from the ways each die can fall."""
    rivals = [
        Rival(readied(each, rolls=request.roll_die).base, each.luck) for each in request.combatants
    ]
    faces = range(1, SIDES + 1) if request.roll_die else range(1)
    ways: dict[Rival, int] = {}
    for rival in rivals:
        if rival not in ways:
            others = list(rivals)
            others.remove(rival)
            ways[rival] = sum(_first(rival.luck, rival.base + f, others, faces) for f in faces)
    total = len(faces) ** len(rivals)
    return CydoniaFirsts(
        combatants=tuple(
            CydoniaFirst(id=each.id, chance=Exact.of(Fraction(ways[rival], total)))
            for each, rival in zip(request.combatants, rivals, strict=True)
        )
    )


def _first(luck: int | None, total: int, others: list[Rival], faces: range) -> int:
    """CY-R28: nobody is higher, nor equal with more luck where all the equals gave theirs."""

    def ways(base: int, most: int) -> int:
        return len(range(faces.start, min(most - base + 1, faces.stop)))

    none_higher = prod(ways(other.base, total) for other in others)
    if luck is None or none_higher == 0:
        return none_higher
    all_lucky = prod(ways(other.base, total - (other.luck is None)) for other in others)
    luckiest = prod(
        ways(other.base, total - (other.luck is None or other.luck > luck)) for other in others
    )
    return none_higher - all_lucky + luckiest


def summary(outcome: CydoniaInitiativeOutcome) -> str:
    return "shared-first" if outcome.shared else "order"


@resolver(
    "initiative",
    rules=("CY-14", "CY-47", "CY-R09", "CY-R27", "CY-R28"),
    odds=("shared",),
    summary=summary,
    aid=Aid(firsts, CydoniaFirsts),
)
def initiative(request: CydoniaInitiativeRequest, dice: Dice) -> CydoniaInitiativeOutcome:
    """Put the combatants in the order in which they act."""
    combatants = request.combatants
    refuse(twice([combatant.id for combatant in combatants], "/combatants"))
    dice.note("CY-R27", "roll-die", roll_die=request.roll_die)
    line = dice.gather(
        act,
        [(readied(combatant, rolls=request.roll_die),) for combatant in combatants],
        state=Line((), Best()),
        combine=queue,
        merge_state=by_best,
    )
    order = ranked(combatants, line.initiatives)
    if line.best.shared:
        dice.note("CY-R28", "shared-rank", initiative=line.best.initiative)
    return CydoniaInitiativeOutcome(order=order, shared=line.best.shared)
