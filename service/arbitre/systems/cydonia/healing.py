"""Rest, medicine, potions and spells: rules CY-45, CY-82 to CY-85, rulings CY-R30 to CY-R33."""

from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field, WithJsonSchema

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.formula import CydoniaFormula, groups_of, roll_groups
from arbitre.systems.cydonia.items import CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.refusals import Faults, not_for, refuse, required
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    Attribute,
    CydoniaCritical,
    CydoniaRole,
    CydoniaTest,
    CydoniaThreshold,
    CydoniaTrained,
    CydoniaValue,
    Difficulty,
    Label,
    Prepared,
    Rolled,
    critical_faults,
    echo_criticals,
    note_items,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import (
    REST_DICE,
    CydoniaMedicineTable,
    CydoniaSkill,
    penalty_removed,
)
from arbitre.systems.cydonia.target import CydoniaStatus, CydoniaTarget, status_of, target_faults
from arbitre.systems.cydonia.versus import DIFFICULTY_RULES, Judging, judging, meets

HEALER = Asked(CydoniaRole.HEALER, CydoniaSkill.MEDICINE)


def _allowed(sides: int) -> int:
    if sides not in REST_DICE:
        msg = f"one of {REST_DICE}"
        raise ValueError(msg)
    return sides


RestDie = Annotated[
    int,
    Field(ge=min(REST_DICE), le=max(REST_DICE)),
    WHOLE,
    AfterValidator(_allowed),
    WithJsonSchema({"type": "integer", "enum": list(REST_DICE)}),
]


class CydoniaHealingMethod(StrEnum):
    REST = "rest"
    MEDICINE = "medicine"
    POTION = "potion"
    SPELL = "spell"


class CydoniaHealingRequest(CydoniaThreshold, Request):
    method: CydoniaHealingMethod
    """How the patient is healed."""
    target: CydoniaTarget
    """The patient, with its life points."""
    physique: Attribute | None = None
    """Physique of someone who rests (CY-82)."""
    physique_items: Items = ()
    """Items that raise it (CY-14)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""
    die: RestDie | None = None
    """Sides of the rest die, which the game master chooses (CY-82, CY-R30)."""
    comfort: Label | None = None
    """Where one rests; decides nothing (CY-R30)."""
    healer: CydoniaTrained | None = None
    """Who practices medicine (CY-45)."""
    difficulty: Difficulty | None = None
    """Difficulty of the care (CY-45)."""
    used_today: bool = False
    """Whether this patient has already had medicine today (CY-84)."""
    medicine_table: CydoniaMedicineTable = CydoniaMedicineTable.PRINTED
    """Which reading of the brackets of medicine (CY-R31)."""
    amount: CydoniaFormula | None = None
    """What the potion or the spell gives (CY-83)."""


class CydoniaHealingOutcome(Outcome):
    test: CydoniaTest | None
    """The test of medicine; null without one."""
    success: bool
    """Whether the care succeeds; rest, potions and spells always do."""
    margin: int | None
    """Total less difficulty; null without a test."""
    critical: CydoniaCritical | None
    """Critical of the test."""
    rolled: int
    """Life points before the cap (CY-R33)."""
    healed: int
    """Life points really gained."""
    penalty_removed: int
    """Penalty really removed (CY-45)."""
    target: CydoniaTarget
    """The patient afterwards."""
    used_today: bool
    """Whether medicine is used up for today (CY-84, CY-R32)."""


class Care(NamedTuple):
    """What a care gives before the caps."""

    rolled: int
    removed: int = 0
    success: bool = True


class Treated(NamedTuple):
    """The healer's test and what it gives."""

    rolled: Rolled
    care: Care


def _faults(request: CydoniaHealingRequest) -> Faults:
    method, target = request.method, request.target
    rests = method is CydoniaHealingMethod.REST
    treats = method is CydoniaHealingMethod.MEDICINE
    yield from required(target.hp, "/target/hp")
    yield from required(target.hp_max, "/target/hp_max")
    yield from required(request.physique, "/physique", when=rests)
    yield from required(request.die, "/die", when=rests)
    yield from required(request.healer, "/healer", when=treats)
    yield from required(request.difficulty, "/difficulty", when=treats)
    yield from required(request.amount, "/amount", when=not (rests or treats))
    if not rests:
        yield from not_for(
            method,
            physique=request.physique is not None,
            physique_items=bool(request.physique_items),
            die=request.die is not None,
            comfort=request.comfort is not None,
        )
    if not treats:
        yield from not_for(
            method,
            healer=request.healer is not None,
            difficulty=request.difficulty is not None,
        )
    if rests or treats:
        yield from not_for(method, amount=request.amount is not None)
    if request.healer is not None:
        yield from side_faults(request.healer, HEALER, "/healer")
    yield from critical_faults(request)
    yield from target_faults(target)
    if treats and request.used_today:
        yield RuleRefused("already-treated", pointer="/used_today", rule="CY-84")
    if rests and status_of(target) is CydoniaStatus.DYING:
        yield RuleRefused("dying-needs-care", pointer="/method", rule="CY-85")


def rest(request: CydoniaHealingRequest, dice: Dice) -> Care:
    """CY-82: Physique and the die of the comfort."""
    physique = boost(request.physique or 0, request.physique_items, request.item_policy)
    if physique.items:
        note_items(CydoniaValue.ATTRIBUTE, physique, dice)
    sides = request.die or REST_DICE[0]
    face = dice.die("rest", sides=sides)
    rolled = physique.effective + face
    dice.note("CY-R30", "rest-die", sides=sides)
    dice.note("CY-82", "rest", physique=physique.effective, die=face, rolled=rolled)
    return Care(rolled)


def dose(request: CydoniaHealingRequest, dice: Dice) -> Care:
    """CY-83: what the potion or the spell says."""
    formula = request.amount or CydoniaFormula()
    sums = roll_groups(groups_of(formula, "amount"), dice)
    rolled = max(0, formula.flat + sums.own + sums.zone)
    dice.note("CY-83", "dose", flat=formula.flat, dice=sums.own, rolled=rolled)
    return Care(rolled)


def treat(
    healer: Prepared,
    difficulty: int,
    table: CydoniaMedicineTable,
    options: Judging,
    dice: Dice,
) -> Treated:
    """CY-45, CY-R32: life points equal to the skill, and penalty points by the total."""
    rolled: Rolled = roll(healer, dice)
    if not meets(rolled, difficulty, options, dice):
        return Treated(rolled, Care(0, 0, success=False))
    skill = healer.skill.effective if healer.skill else 0
    removed = penalty_removed(rolled.total, table)
    dice.note("CY-R31", "medicine-table", medicine_table=table)
    dice.note("CY-45", "medicine", skill=skill, total=rolled.total, removed=removed)
    return Treated(rolled, Care(skill, removed))


def by_care(treated: Treated) -> Care:
    """Keep what the patient feels."""
    return treated.care


def heal(target: CydoniaTarget, rolled: int, dice: Dice) -> CydoniaTarget:
    """CY-R33: never above the maximum; CY-85: above 0 the dying live."""
    before, most = target.hp or 0, target.hp_max or 0
    hp = min(most, before + rolled)
    status = status_of(target)
    dice.note("CY-R33", "healed", rolled=rolled, before=before, after=hp, most=most)
    if hp and status is CydoniaStatus.DYING:
        dice.note("CY-85", "saved")
        status = CydoniaStatus.ALIVE
    return target.model_copy(update={"hp": hp, "status": status})


def summary(outcome: CydoniaHealingOutcome) -> str:
    if not outcome.success:
        return "care-failed"
    return "healed-and-relieved" if outcome.penalty_removed else "healed"


@resolver(
    "healing",
    rules=(
        *TEST_RULES, *DIFFICULTY_RULES, "CY-82", "CY-83", "CY-84", "CY-85",
        "CY-R30", "CY-R31", "CY-R32", "CY-R33",
    ),
    odds=("healed", "target.hp", "penalty_removed", "success"),
    summary=summary,
)  # fmt: skip
def healing(request: CydoniaHealingRequest, dice: Dice) -> CydoniaHealingOutcome:
    """Heal someone: a rest, medicine, a potion or a spell."""
    refuse(_faults(request))
    test, margin, critical = None, None, None
    treats = request.method is CydoniaHealingMethod.MEDICINE
    if request.healer is not None and request.difficulty is not None:
        echo_criticals(request, dice)
        healer = prepare(request.healer, HEALER, request)
        treated = dice.sub(
            treat,
            healer,
            request.difficulty,
            request.medicine_table,
            judging(request),
            merge=by_care,
        )
        care, test = treated.care, shown(healer, treated.rolled)
        margin = treated.rolled.total - request.difficulty
        critical = treated.rolled.critical
        dice.note("CY-84", "used-today")
    elif request.method is CydoniaHealingMethod.REST:
        care = rest(request, dice)
    else:
        care = dose(request, dice)
    before = request.target
    after = heal(before, care.rolled, dice)
    penalty = max(0, before.penalty - care.removed)
    if penalty != before.penalty:
        dice.note("CY-45", "penalty-removed", before=before.penalty, after=penalty)
    return CydoniaHealingOutcome(
        test=test,
        success=care.success,
        margin=margin,
        critical=critical,
        rolled=care.rolled,
        healed=(after.hp or 0) - (before.hp or 0),
        penalty_removed=before.penalty - penalty,
        target=after.model_copy(update={"penalty": penalty}),
        used_today=request.used_today or treats,
    )
