"""First aid, rest, recovery and potions: rules NP-76, NP-79 to NP-84."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.health import (
    ENDURANCE,
    VITALITY,
    NightProwlerHealth,
    checked,
    current,
    out_of_breath,
    with_boxes,
)
from arbitre.systems.night_prowler.kinds import refuse_fields
from arbitre.systems.night_prowler.tables import (
    RECOVERY,
    TRACKS,
    NightProwlerRow,
    NightProwlerTrack,
)
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    NightProwlerSource,
    NightProwlerTest,
    NightProwlerTestResult,
    Points,
    Term,
    prepare,
    refuse_cost,
    refuse_healths,
    refuse_tests,
    roll_test,
)

NO_EQUIPMENT = -5  # NP-79
MOST_POINTS = 3  # NP-82
SAVED_HOURS = 24  # NP-81
SEQUELAE = 3  # NP-76
ROW_MINUTES = 60  # NP-80
MINUTE = 100
"""Times are counted in hundredths of a minute, so that nothing is rounded."""

SomePoints = Annotated[int, Field(ge=0, le=3), WHOLE]


class NightProwlerHealingMethod(StrEnum):
    FIRST_AID = "first_aid"
    ENDURANCE_REST = "endurance_rest"
    VITALITY_RECOVERY = "vitality_recovery"
    POTION = "potion"


_M = NightProwlerHealingMethod


class NightProwlerHealingRequest(Request):
    method: NightProwlerHealingMethod
    """How the wounded is cared for."""
    health: NightProwlerHealth
    """The wounded's health."""
    care: NightProwlerTest | None = None
    """The healer's care test (NP-79, NP-81); first aid, recovery of Vitality."""
    equipment: bool | None = None
    """Some equipment, even improvised (NP-79); yes unless said; first aid."""
    hours: Annotated[Decimal, Hundredths(0, 1000)] | None = None
    """Hours of rest (NP-80); rest."""
    row: NightProwlerRow | None = None
    """Row treated (NP-81, NP-84); recovery of Vitality, potion."""
    heroism_points: SomePoints | None = None
    """Heroism points that shorten the time (NP-82); rest, recovery."""
    plant_points: Annotated[int, Field(ge=0, le=2), WHOLE] | None = None
    """What plants count for (NP-83); rest, recovery."""
    potion_points: SomePoints | None = None
    """What potions count for (NP-84); recovery."""
    hygiene_acceptable: bool | None = None
    """Hygiene is acceptable (NP-81); yes unless said; recovery of scratches."""
    heroism: Points | None = None
    """The wounded's heroism pool; nothing: not tracked."""
    heroism_max: Points | None = None
    """The pool at its full value (NP-76)."""
    asphyxia_mortal_wounds: Annotated[int, Field(ge=0, le=5), WHOLE] | None = None
    """Mortal wounds of the row that came from asphyxia (NP-88); recovery, potion."""


class NightProwlerSequelae(Frozen):
    count: int
    """Mortal wounds survived (NP-76)."""
    heroism_loss: int
    """Taken off the maximum of heroism for good."""
    wits_loss: int
    """Taken off the wits for good, after asphyxia."""


class NightProwlerHealingOutcome(Outcome):
    test: NightProwlerTestResult | None
    """The care test, if there was one."""
    stabilized: bool
    """First aid succeeded (NP-79)."""
    row_cleared: tuple[NightProwlerRow, ...]
    """Rows whose boxes are all free again."""
    stationary: bool
    """The row stays as it is, the time is spent (NP-81)."""
    hours: int
    """Whole hours spent."""
    minutes: int
    """Minutes spent beside the hours."""
    unused_hours: Annotated[Decimal, Hundredths(0, 1000)]
    """Hours of rest that healed nothing (NP-80), rounded down to hundredths."""
    infection_risk: bool
    """Scratches may get infected (NP-81)."""
    sequelae: NightProwlerSequelae
    """What mortal wounds leave (NP-76)."""
    health: NightProwlerHealth
    """The health afterwards."""
    heroism_left: int | None
    """The pool afterwards."""
    heroism_max: int | None
    """Its maximum afterwards."""


class Care(NamedTuple):
    """What a method did."""

    health: NightProwlerHealth
    cleared: tuple[NightProwlerRow, ...] = ()
    test: NightProwlerTestResult | None = None
    stationary: bool = False
    spent: int = 0
    """Hundredths of minutes."""
    unused: int = 0
    infection_risk: bool = False


_BY_METHOD = {
    "care": {_M.FIRST_AID, _M.VITALITY_RECOVERY},
    "equipment": {_M.FIRST_AID},
    "hours": {_M.ENDURANCE_REST},
    "row": {_M.VITALITY_RECOVERY, _M.POTION},
    "heroism_points": {_M.ENDURANCE_REST, _M.VITALITY_RECOVERY},
    "plant_points": {_M.ENDURANCE_REST, _M.VITALITY_RECOVERY},
    "potion_points": {_M.VITALITY_RECOVERY},
    "hygiene_acceptable": {_M.VITALITY_RECOVERY},
    "asphyxia_mortal_wounds": {_M.VITALITY_RECOVERY, _M.POTION},
}
_NEEDED = {
    _M.ENDURANCE_REST: ("hours",),
    _M.VITALITY_RECOVERY: ("row",),
    _M.POTION: ("row",),
}


def refuse(request: NightProwlerHealingRequest) -> None:
    refuse_fields(request, request.method, _BY_METHOD, _NEEDED)
    if request.care is not None:
        refuse_tests([("/care", request.care)])
    row = None if request.row is None else row_number(request.row)
    refuse_healer(request, row)
    if row is not None and not checked(request.health, VITALITY)[row]:
        raise RuleRefused("row-not-wounded", pointer="/row", rule="NP-81")
    if points(request) > MOST_POINTS:  # NP-82, NP-R89
        raise RuleRefused("too-many-points", pointer="/heroism_points", rule="NP-82")
    refuse_cost(request.heroism_points or 0, request.heroism, "/heroism")
    refuse_healths([("/health", request.health)])


def row_number(row: NightProwlerRow) -> int:
    """Return the place of a row on the Vitality track."""
    rows = [boxes.row for boxes in TRACKS[VITALITY]]
    if row not in rows:
        raise RuleRefused("row-not-on-track", pointer="/row", rule="NP-81", row=row, track=VITALITY)
    return rows.index(row)


def refuse_healer(request: NightProwlerHealingRequest, row: int | None) -> None:
    """NP-79, NP-81: the two worst rows need a healer of level 13, first aid any."""
    recovers = request.method is _M.VITALITY_RECOVERY and row is not None
    level = RECOVERY[row].level if recovers and row is not None else 0
    needed = request.method is _M.FIRST_AID or level > 0
    if needed and request.care is None:
        raise RuleRefused("care-required", pointer="/care", rule="NP-81")
    if request.care is not None and prepare(request.care, "care").base < level:
        raise RuleRefused("care-level-too-low", pointer="/care/skill", rule="NP-81")


def points(request: NightProwlerHealingRequest) -> int:
    """NP-82 to NP-84, NP-R89: heroism, plants and potions together."""
    return (
        (request.heroism_points or 0) + (request.plant_points or 0) + (request.potion_points or 0)
    )


def care_test(care: NightProwlerTest, term: Term, dice: Dice) -> NightProwlerTestResult:
    """NP-79, NP-81: the healer's test, with the modifier of the wound or of the equipment."""
    ready = prepare(care, "care")
    terms = (*ready.terms, term) if term.value else ready.terms
    return dice.sub(roll_test, ready._replace(terms=terms))


def clear(
    health: NightProwlerHealth, track: NightProwlerTrack, row: int, dice: Dice
) -> NightProwlerHealth:
    """NP-80, NP-81: free every box of a row; NP-R82: whoever has no worse wound wakes up."""
    boxes = checked(health, track)
    row_name = TRACKS[track][row].row
    rule = "NP-81" if track is VITALITY else "NP-80"
    dice.note(rule, "cleared", track=track, row=row_name, before=boxes[row], after=0)
    healed = with_boxes(health, track, tuple(n * (i != row) for i, n in enumerate(boxes)))
    asleep = healed.unconscious and out_of_breath(healed)
    return healed.model_copy(update={"unconscious": asleep})


def first_aid(request: NightProwlerHealingRequest, dice: Dice) -> Care:
    """NP-79, NP-R85: stop the bleeding, save the dying; heal nothing."""
    care = request.care or NightProwlerTest()
    bare = Term(NightProwlerSource.EQUIPMENT, NO_EQUIPMENT * (request.equipment is False))
    test = care_test(care, bare, dice)
    health = current(request.health)
    if test.success:
        dice.note("NP-79", "stabilized", before=health.bleeding, after=0)
        health = health.model_copy(update={"bleeding": 0})
    return Care(health, test=test)


def endurance_rest(request: NightProwlerHealingRequest, dice: Dice) -> Care:
    """NP-80, NP-R86: a row for each hour, the worst first; points shorten the first."""
    health = current(request.health)
    left = int((request.hours or 0) * ROW_MINUTES * MINUTE)
    total = left
    cleared: list[NightProwlerRow] = []
    divisor = 1 + points(request)  # NP-82, NP-83
    for row in reversed(range(len(TRACKS[ENDURANCE]))):
        price = ROW_MINUTES * MINUTE // (1 if cleared else divisor)
        if not checked(health, ENDURANCE)[row]:
            continue
        if price > left:
            break
        health = clear(health, ENDURANCE, row, dice)
        left -= price
        cleared.append(TRACKS[ENDURANCE][row].row)
    return Care(health, tuple(cleared), spent=total - left, unused=left)


def vitality_recovery(request: NightProwlerHealingRequest, dice: Dice) -> Care:
    """NP-81, NP-R87, NP-R88: one row for its whole time; twenty-four hours off, then divided."""
    number = row_number(request.row or NightProwlerRow.SCRATCH)
    row = RECOVERY[number]
    term = Term(NightProwlerSource.WOUND_ROW, row.modifier)
    test = None if request.care is None else care_test(request.care, term, dice)
    success = test is not None and test.success
    saved = SAVED_HOURS * (success and row.saves)
    divisor = 1 + points(request)
    spent = (row.hours - saved) * ROW_MINUTES * MINUTE // divisor
    dice.note("NP-82", "recovery", hours=row.hours, saved=saved, divisor=divisor)
    scratch = number == 0
    risk = scratch and not (success and request.hygiene_acceptable is not False)
    health = current(request.health)
    if row.level and not success:
        dice.note("NP-81", "stationary", row=row.row)
        return Care(health, test=test, stationary=True, spent=spent)
    return Care(
        clear(health, VITALITY, number, dice),
        (row.row,),
        test=test,
        spent=spent,
        infection_risk=risk,
    )


def potion(request: NightProwlerHealingRequest, dice: Dice) -> Care:
    """NP-84: a potion removes a whole row at once."""
    number = row_number(request.row or NightProwlerRow.SCRATCH)
    health = clear(current(request.health), VITALITY, number, dice)
    return Care(health, (RECOVERY[number].row,))


METHODS = {
    _M.FIRST_AID: first_aid,
    _M.ENDURANCE_REST: endurance_rest,
    _M.VITALITY_RECOVERY: vitality_recovery,
    _M.POTION: potion,
}


def sequelae_of(request: NightProwlerHealingRequest, care: Care) -> NightProwlerSequelae:
    """NP-76, NP-R84: what the mortal wounds of a row now cleared leave."""
    mortal = NightProwlerRow.MORTAL in care.cleared
    count = checked(request.health, VITALITY)[-1] * mortal
    return NightProwlerSequelae(
        count=count,
        heroism_loss=SEQUELAE * count,
        wits_loss=min(count, request.asphyxia_mortal_wounds or 0),  # NP-88
    )


def summary(outcome: NightProwlerHealingOutcome) -> str:
    if outcome.stabilized:
        return "stabilized"
    if outcome.stationary:
        return "stationary"
    return "healed" if outcome.row_cleared else "not-healed"


@resolver(
    "healing",
    rules=(
        *TEST_RULES,
        "NP-17", "NP-76", "NP-79", "NP-80", "NP-81", "NP-82", "NP-83", "NP-84", "NP-88",
        "NP-R82", "NP-R84", "NP-R85", "NP-R86", "NP-R87", "NP-R88", "NP-R89",
    ),
    odds=("test.success", "hours", "stationary", "stabilized", "infection_risk"),
    summary=summary,
)  # fmt: skip
def healing(request: NightProwlerHealingRequest, dice: Dice) -> NightProwlerHealingOutcome:
    """Care for somebody: first aid, rest, recovery of a row, a potion."""
    refuse(request)
    care = METHODS[request.method](request, dice)
    sequelae = sequelae_of(request, care)
    most = request.heroism_max
    if most is not None and sequelae.count:
        after = max(0, most - sequelae.heroism_loss)
        dice.note("NP-76", "sequelae", count=sequelae.count, before=most, after=after)
        most = after
    pool = request.heroism
    if pool is not None:
        pool -= request.heroism_points or 0
        pool = min(pool, most) if most is not None and sequelae.count else pool
    return NightProwlerHealingOutcome(
        test=care.test,
        stabilized=request.method is _M.FIRST_AID and care.test is not None and care.test.success,
        row_cleared=care.cleared,
        stationary=care.stationary,
        hours=care.spent // (ROW_MINUTES * MINUTE),
        minutes=care.spent // MINUTE % ROW_MINUTES,
        unused_hours=Decimal(care.unused // ROW_MINUTES).scaleb(-2),
        infection_risk=care.infection_risk,
        sequelae=sequelae,
        health=care.health,
        heroism_left=pool,
        heroism_max=most,
    )
