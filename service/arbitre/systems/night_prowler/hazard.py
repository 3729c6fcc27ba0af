"""Falls, fire, asphyxia: rules NP-86 to NP-88."""

from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.health import (
    ENDURANCE,
    VITALITY,
    NightProwlerHealth,
    capacity,
    checked,
    mark,
    wound_penalty,
)
from arbitre.systems.night_prowler.kinds import refuse_fields
from arbitre.systems.night_prowler.tables import FALLS, TRACKS, Fall, NightProwlerTrack
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    Adjustments,
    Level,
    NightProwlerOwnTest,
    NightProwlerTestKind,
    NightProwlerTestResult,
    NightProwlerVerdict,
    Points,
    Prepared,
    cost,
    prepare_own,
    refuse_attributes,
    refuse_cost,
    refuse_healths,
    roll_test,
)
from arbitre.systems.night_prowler.wounds import (
    WOUND_RULES,
    Aim,
    HarmOutcome,
    Injury,
    harm,
    inflict,
)

CRITICAL, LAST = 3, 4
"""The critical row of Vitality and the last row of either track, counted from 0."""


class NightProwlerHazardKind(StrEnum):
    FALL = "fall"
    FIRE = "fire"
    ASPHYXIA = "asphyxia"


_K = NightProwlerHazardKind


class NightProwlerFallTest(NightProwlerOwnTest):
    physical: bool = True
    """A physical action: exhaustion applies (NP-14)."""


class NightProwlerResistance(Adjustments):
    pass


class NightProwlerHazardRequest(Request):
    kind: NightProwlerHazardKind
    """What the victim undergoes."""
    health: NightProwlerHealth = NightProwlerHealth()
    """The victim's health."""
    heroism: Points | None = None
    """The victim's heroism pool; nothing: not tracked."""
    stay_conscious: bool = False
    """Pay a heroism point if it is needed (NP-74)."""
    height: Annotated[Decimal, Hundredths(0, 1000)] | None = None
    """Height in meters (NP-86); fall."""
    acrobatics: NightProwlerFallTest | None = None
    """The victim's Acrobatics test (NP-86); fall up to ten meters."""
    attempt: bool | None = None
    """The victim tries the test, and pays for it (NP-R95); yes unless said; fall."""
    pay_heroism: bool | None = None
    """Pay heroism rather than take the lines of a success (NP-86); fall of 7 to 10 meters."""
    ground: Annotated[int, Field(ge=-1, le=1), WHOLE] | None = None
    """Softer or harder ground: a line less or more (NP-R95); fall."""
    lethal: bool | None = None
    """The GM lets a fall over ten meters kill (NP-86); fall."""
    intensity: Annotated[int, Field(ge=1, le=5), WHOLE] | None = None
    """From a torch to a furnace (NP-87); fire."""
    robustness: Level | None = None
    """Breath reserve (NP-88); asphyxia."""
    character: Level | None = None
    """Will to resist breathing (NP-88); asphyxia."""
    agitated: bool | None = None
    """Moving or panicked (NP-88); asphyxia."""
    rounds_held: Annotated[int, Field(ge=0, le=10_000), WHOLE] | None = None
    """Rounds already spent without air (NP-88); asphyxia."""
    resist: NightProwlerResistance | None = None
    """What bears on the test of Character (NP-88); asphyxia."""


class NightProwlerHazardOutcome(HarmOutcome):
    test: NightProwlerTestResult | None
    """The victim's test, if there was one."""
    required_quality: int | None
    """Quality the fall requires (NP-86)."""
    met: bool | None
    """The test reached it."""
    failure_quality: int | None
    """What the lines are counted by (NP-R94)."""
    lines: int | None
    """Lines of wounds on each track (NP-86)."""
    limit: int | None
    """Rounds the breath lasts (NP-88)."""
    rounds_held: int | None
    """Rounds spent without air, this one included (NP-88)."""
    new_row: bool | None
    """The box is the first of its row (NP-88)."""
    inhaled: bool | None
    """Gas or water was inhaled (NP-88)."""
    mortal_wounds: int | None
    """Mortal wounds from it (NP-88)."""


class Facts(NamedTuple):
    """What a hazard says beside the wounds."""

    test: NightProwlerTestResult | None = None
    required_quality: int | None = None
    met: bool | None = None
    failure_quality: int | None = None
    lines: int | None = None
    limit: int | None = None
    rounds_held: int | None = None
    new_row: bool | None = None
    inhaled: bool | None = None
    mortal_wounds: int | None = None


_FALL = {_K.FALL}
_ASPHYXIA = {_K.ASPHYXIA}
_BY_KIND = {
    "height": _FALL,
    "acrobatics": _FALL,
    "attempt": _FALL,
    "pay_heroism": _FALL,
    "ground": _FALL,
    "lethal": _FALL,
    "intensity": {_K.FIRE},
    "robustness": _ASPHYXIA,
    "character": _ASPHYXIA,
    "agitated": _ASPHYXIA,
    "rounds_held": _ASPHYXIA,
    "resist": _ASPHYXIA,
}
_NEEDED = {
    _K.FALL: ("height",),
    _K.FIRE: ("intensity",),
    _K.ASPHYXIA: ("robustness", "character"),
}


def fall_row(height: Decimal) -> Fall | None:
    """NP-86, NP-R95: the row of the table; nothing under three meters."""
    return next((row for row in reversed(FALLS) if row.covers(height)), None)


class Jump(NamedTuple):
    """A fall with everything declared."""

    row: Fall
    attempted: bool
    prepared: Prepared
    price: int
    """Heroism for the table's lines on a success, if the victim pays."""


def jump_of(request: NightProwlerHazardRequest, row: Fall) -> Jump:
    """NP-86, NP-R95: a test that is not paid is an automatic failure."""
    test = request.acrobatics or NightProwlerFallTest()
    pool = request.heroism
    affordable = pool is None or pool >= row.cost
    attempted = request.attempt is not False and affordable
    ready = prepare_own(test, wound_penalty(request.health), pool, "acrobatics")
    if not attempted:
        failing = ready.adjustment._replace(decree=NightProwlerVerdict.FAILURE)
        ready = ready._replace(adjustment=failing)
    paid = cost(test) + row.cost * attempted
    price = row.price if request.pay_heroism else 0
    return Jump(row, attempted, ready._replace(paid=paid), price)


def refuse(request: NightProwlerHazardRequest) -> None:
    refuse_fields(request, request.kind, _BY_KIND, _NEEDED)
    if request.acrobatics is not None:
        refuse_attributes([("/acrobatics", request.acrobatics)])
    row = fall_row(request.height) if request.height is not None else None
    if row is not None and row.tested:
        jump = jump_of(request, row)
        refuse_cost(jump.prepared.paid + jump.price * jump.attempted, request.heroism, "/heroism")
    if request.resist is not None:
        refuse_cost(cost(request.resist), request.heroism, "/heroism")
    refuse_healths([("/health", request.health)])


def fall(request: NightProwlerHazardRequest, dice: Dice) -> tuple[Injury, Facts]:
    """NP-86: the height decides the test, its price, and the lines of wounds."""
    row = fall_row(request.height or Decimal(0))
    if row is None:
        return _hurt(request, [], request.heroism, dice), Facts(lines=0)
    if not row.tested:
        return _hurt(request, shattered(request), request.heroism, dice), Facts()
    jump = jump_of(request, row)
    test = dice.sub(roll_test, jump.prepared)
    met = test.success and test.quality >= row.required
    shortfall = 1 if test.success else abs(test.quality)  # NP-R94
    pays = met and jump.price > 0
    lines = _lines(row, met=met, pays=pays, shortfall=shortfall)
    ground = request.ground or 0
    after = max(0, lines + ground)
    dice.note("NP-86", "lines", met=met, lines=lines, ground=ground, after=after)
    pool = test.heroism_left
    if pool is not None and pays:
        dice.note("NP-86", "fall-paid", before=pool, after=pool - jump.price)
        pool -= jump.price
    injury = _hurt(request, lines_of(request.health, after), pool, dice)
    facts = Facts(
        test=test,
        required_quality=row.required,
        met=met,
        failure_quality=None if met else shortfall,
        lines=after,
    )
    return injury, facts


def _lines(row: Fall, *, met: bool, pays: bool, shortfall: int) -> int:
    """NP-86, NP-R92: the lines of the table."""
    if met:
        return 0 if pays else row.lines
    return row.plus + row.times * shortfall


def shattered(request: NightProwlerHazardRequest) -> list[Aim]:
    """NP-86, NP-R95: over ten meters, death or a critical state."""
    if request.lethal:
        return [Aim(VITALITY, LAST)] * (capacity(request.health, VITALITY)[LAST] + 1)
    return [Aim(VITALITY, CRITICAL), Aim(ENDURANCE, LAST)]


def lines_of(health: NightProwlerHealth, lines: int) -> list[Aim]:
    """NP-86, NP-R93: the boxes of so many lines, on each track in turn."""
    aims: list[Aim] = []
    for _ in range(lines):
        for track in TRACKS:
            for aim in line_of(health, track):
                aims.append(aim)
                health, _row = mark(health, track, aim.row)
    return aims


def line_of(health: NightProwlerHealth, track: NightProwlerTrack) -> Iterator[Aim]:
    """NP-86, NP-R93: the first row entirely free, else the first with a free box, is filled."""
    boxes, most = checked(health, track), capacity(health, track)
    rows = range(len(boxes))
    free = [row for row in rows if boxes[row] == 0] or [r for r in rows if boxes[r] < most[r]]
    if free:
        yield from [Aim(track, free[0])] * (most[free[0]] - boxes[free[0]])
    elif track is VITALITY:
        yield Aim(track, LAST)


def fire(request: NightProwlerHazardRequest, dice: Dice) -> tuple[Injury, Facts]:
    """NP-87, NP-R96: so many boxes on each track, from the scratches up."""
    intensity = request.intensity or 0
    dice.note("NP-87", "fire", intensity=intensity)
    aims = [Aim(track, 0) for track in TRACKS for _ in range(intensity)]
    return _hurt(request, aims, request.heroism, dice), Facts()


def asphyxia(request: NightProwlerHazardRequest, dice: Dice) -> tuple[Injury, Facts]:
    """NP-88, NP-R97: beyond the breath, a box each round, and perhaps a mortal gulp."""
    held = (request.rounds_held or 0) + 1
    limit = (request.robustness or 0) * (1 if request.agitated else 2)
    dice.note("NP-88", "breath", held=held, limit=limit)
    facts = Facts(limit=limit, rounds_held=held, new_row=False, inhaled=False, mortal_wounds=0)
    if held <= limit:
        return _hurt(request, [], request.heroism, dice), facts
    after, row = mark(request.health, VITALITY, 0)
    new = row is not None and checked(after, VITALITY)[row] == 1
    aims = [Aim(VITALITY, 0)]
    if not new or request.health.unconscious:
        return _hurt(request, aims, request.heroism, dice), facts._replace(new_row=new)
    test = dice.sub(roll_test, resistance(request, after))
    if not test.success:
        aims.append(Aim(VITALITY, LAST))
    injury = _hurt(request, aims, test.heroism_left, dice)
    mortal = checked(injury.health, VITALITY)[LAST] - checked(after, VITALITY)[LAST]
    return injury, facts._replace(
        test=test, new_row=True, inhaled=not test.success, mortal_wounds=mortal
    )


def resistance(request: NightProwlerHazardRequest, after: NightProwlerHealth) -> Prepared:
    """NP-88, NP-R7: a test of Character, with the penalty of the new box."""
    resist = request.resist or NightProwlerResistance()
    test = NightProwlerOwnTest(
        test=NightProwlerTestKind.ATTRIBUTE, attribute=request.character, **dict(resist)
    )
    return prepare_own(test, wound_penalty(after), request.heroism, "character")


def _hurt(
    request: NightProwlerHazardRequest, aims: list[Aim], heroism: int | None, dice: Dice
) -> Injury:
    return inflict(request.health, aims, heroism, dice, stay_conscious=request.stay_conscious)


KINDS = {_K.FALL: fall, _K.FIRE: fire, _K.ASPHYXIA: asphyxia}


def summary(outcome: NightProwlerHazardOutcome) -> str:
    if outcome.dead:
        return "dead"
    return "wounded" if outcome.marked else "no-wound"


@resolver(
    "hazard",
    rules=(
        *TEST_RULES,
        *WOUND_RULES,
        "NP-86", "NP-87", "NP-88",
        "NP-R92", "NP-R93", "NP-R94", "NP-R95", "NP-R96", "NP-R97",
    ),
    odds=(
        "test.success", "met", "lines", "wound_penalty", "dying", "dead", "inhaled",
    ),
    summary=summary,
)  # fmt: skip
def hazard(request: NightProwlerHazardRequest, dice: Dice) -> NightProwlerHazardOutcome:
    """Undergo a fall, a round of fire, or a round without air."""
    refuse(request)
    injury, facts = KINDS[request.kind](request, dice)
    return NightProwlerHazardOutcome(**facts._asdict(), **harm(injury))
