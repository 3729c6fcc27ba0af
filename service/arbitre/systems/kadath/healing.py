"""First aid, natural recovery, care, coming round: rules KA-55 to KA-57 and KA-61 to KA-68."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import (
    TEST_RULES,
    KadathBlock,
    KadathRole,
    KadathSource,
    KadathTest,
    Skill,
    Term,
    attempt,
    by_successes,
)
from arbitre.systems.kadath.kinds import given, refuse_others
from arbitre.systems.kadath.life import (
    KadathCondition,
    KadathLifeLine,
    KadathLifeState,
    box_at,
    box_of,
    in_peril,
    last_box,
    refuse_dead,
    refuse_life,
)
from arbitre.systems.kadath.parts import part
from arbitre.systems.kadath.tables import BOXES, CARE_BOXES, NATURAL_BOXES, KadathBox

SEQUELA = 2  # KA-64

SkillName = Annotated[str, Field(min_length=1, max_length=60), CLEAN]


class KadathMethod(StrEnum):
    FIRST_AID = "first_aid"
    NATURAL = "natural"
    CARE = "care"
    WAKE = "wake"


class KadathPeriod(StrEnum):
    HOUR = "hour"
    DAY = "day"


PERIODS = {KadathPeriod.HOUR: KadathBox.LIGHT_GRAY, KadathPeriod.DAY: KadathBox.DARK_GRAY}  # KA-67


class KadathPatient(Frozen):
    life_line: KadathLifeLine
    """Boxes of the life line (KA-51)."""
    state: KadathLifeState = KadathLifeState()
    """Token and condition before."""


class KadathCarePatient(KadathPatient):
    id: Annotated[str, Field(min_length=1, max_length=40), CLEAN] | None = None
    """Name of the patient; default: its place in the list, from 0."""


class KadathSkillValue(Frozen):
    skill_name: SkillName
    """Name of the skill."""
    skill: Skill
    """Its value."""


class KadathHealingRequest(Request):
    method: KadathMethod
    """How the character recovers."""
    healer: KadathBlock | None = None
    """Soins of the healer: first aid and care (KA-61, KA-67)."""
    patient: KadathPatient | None = None
    """Who recovers: first aid, natural recovery, coming round."""
    skills: Annotated[tuple[KadathSkillValue, ...], Field(max_length=50)] | None = None
    """Skills of the patient, each once: first aid (KA-64)."""
    sequela_skill: SkillName | None = None
    """Skill that a coma lowers, by the player's choice: first aid (KA-64)."""
    hours: Annotated[int, Field(ge=1, le=100000), WHOLE] | None = None
    """Hours of rest: natural recovery (KA-66)."""
    period: KadathPeriod | None = None
    """An hour or a day: care (KA-67)."""
    patients: (
        Annotated[tuple[KadathCarePatient, ...], Field(min_length=1, max_length=20)] | None
    ) = None
    """Patients on boxes of that period: care (KA-67)."""
    other_patients: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Patients on boxes of the other color, looked after meanwhile; default 0: care (KA-R41)."""


class KadathRecovery(Frozen):
    model_config = ConfigDict(validate_by_name=True)

    from_: int = Field(alias="from")
    """Box before."""
    to: int
    """Box after."""
    hours: int
    """Hours it took (KA-66)."""


class KadathCared(Frozen):
    id: str
    """Name of the patient, or its place in the list."""
    test: KadathTest
    """Test of the healer for this patient (KA-67)."""
    success: bool
    """Whether the care helps (KA-67)."""
    boxes: int
    """Boxes recovered (KA-67)."""
    state: KadathLifeState
    """Token and condition after."""
    box: KadathBox
    """Color of the token's box after."""


class KadathHealingOutcome(Outcome):
    method: KadathMethod
    """As asked."""
    success: bool | None = None
    """Whether first aid succeeds (KA-61)."""
    healer: KadathTest | None = None
    """Test of first aid."""
    state: KadathLifeState | None = None
    """Token and condition after."""
    box: KadathBox | None = None
    """Color of the token's box after; null without token."""
    in_peril: bool | None = None
    """Whether the patient is in peril after (KA-55)."""
    boxes: int | None = None
    """Boxes recovered."""
    sequela_skill: str | None = None
    """Skill lowered by one (KA-64)."""
    skills: tuple[KadathSkillValue, ...] | None = None
    """Skills after."""
    eligible_skills: tuple[str, ...] | None = None
    """Skills that may be lowered (KA-R39)."""
    sequela_pending: bool | None = None
    """Whether an aftereffect is still to be chosen (KA-R39)."""
    cardiac_arrest: bool | None = None
    """Whether the heart fails within the hour (KA-65)."""
    destiny_roll_due: bool | None = None
    """Whether to roll on The show must go on (KA-68)."""
    hours_used: int | None = None
    """Hours that brought a box back (KA-66)."""
    hours_left: int | None = None
    """Hours that did not (KA-R40)."""
    steps: tuple[KadathRecovery, ...] | None = None
    """Each box recovered by rest (KA-66)."""
    patients: tuple[KadathCared, ...] | None = None
    """Each patient cared for (KA-67)."""


def summary(outcome: KadathHealingOutcome) -> tuple[str, ...]:
    if outcome.method is KadathMethod.FIRST_AID:
        told = ["first_aid_success" if outcome.success else "first_aid_failure"]
        told += ["sequela_pending"] if outcome.sequela_pending else []
        told += ["cardiac_arrest"] if outcome.cardiac_arrest else []
        return tuple(told)
    return (f"recovers_{outcome.method}",)


def views(request: KadathHealingRequest) -> tuple[Callable[[Dice], Any], ...]:
    """Look at the whole, then at each patient by itself."""

    def whole(dice: Dice) -> KadathHealingOutcome:
        return healing.resolve(request, dice).model_copy(update={"patients": ()})

    def one(index: int, dice: Dice) -> Any:
        return part("patients", index, _cared(_care_of(request), index, dice))

    return whole, *(partial(one, index) for index in range(len(request.patients or ())))


@resolver(
    "healing",
    rules=(
        *(
            "KA-51",
            "KA-52",
            "KA-55",
            "KA-57",
            "KA-61",
            "KA-62",
            "KA-63",
            "KA-64",
            "KA-65",
            "KA-66",
            "KA-67",
            "KA-68",
        ),
        *("KA-R32", "KA-R34", "KA-R37", "KA-R38", "KA-R39", "KA-R40", "KA-R41", "KA-R56"),
        *TEST_RULES,
    ),
    odds=("success", "patients[].boxes"),
    summary=summary,
    views=views,
)
def healing(request: KadathHealingRequest, dice: Dice) -> KadathHealingOutcome:
    """Recover by first aid, rest, care, or by coming round."""
    return METHODS[request.method](request, dice)


def _first_aid(request: KadathHealingRequest, dice: Dice) -> KadathHealingOutcome:
    """KA-61 to KA-65."""
    refuse_others(request, request.method, ("skills", "sequela_skill"), needs=("healer", "patient"))
    healer, patient = given(request.healer), given(request.patient)
    _refuse_first_aid(request, patient)
    condition = patient.state.condition
    terms = tuple(
        Term("KA-63", source, unfavorable=1)
        for source in (KadathSource.TRAUMA, KadathSource.COMA)
        if source.value == condition.value
    )
    test = dice.sub(attempt, healer, terms, KadathRole.HEALER, merge=by_successes)
    success = test.successes >= 1
    state = _aided(patient, dice) if success else patient.state
    old, new = patient.state.position, state.position
    coma = success and condition is KadathCondition.COMA
    after = _sequela(request, dice) if coma else Sequela(request.skills)
    moved = old is not None and new is not None and new < old
    boxes = int(moved or (success and condition is KadathCondition.UNCONSCIOUS))
    dice.note("KA-61", "first_aid", success=success, boxes=boxes)
    return KadathHealingOutcome(
        method=request.method,
        success=success,
        healer=test,
        state=state,
        box=box_of(patient.life_line, state),
        in_peril=in_peril(patient.life_line, state),
        boxes=boxes,
        sequela_skill=after.lowered,
        skills=after.skills,
        eligible_skills=after.eligible,
        sequela_pending=after.pending,
        cardiac_arrest=after.cardiac_arrest,
        destiny_roll_due=after.cardiac_arrest,  # KA-65, KA-68
    )


def _refuse_first_aid(request: KadathHealingRequest, patient: KadathPatient) -> None:
    state, skills = patient.state, request.skills
    refuse_life(patient.life_line, state, "/patient/state")
    if state.position is not None and _color(patient) is KadathBox.WHITE:
        raise RuleRefused("not-wounded", pointer="/patient/state/position", rule="KA-R37")
    if state.treated:
        raise RuleRefused("already-treated", pointer="/patient/state/treated", rule="KA-62")
    refuse_dead(state, "/patient/state")
    names = [skill.skill_name for skill in skills or ()]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise RuleRefused("duplicate-skill", pointer=f"/skills/{index}/skill_name")
    if request.sequela_skill is not None:
        _refuse_sequela(request.sequela_skill, state, skills or ())


def _refuse_sequela(
    chosen: str, state: KadathLifeState, skills: tuple[KadathSkillValue, ...]
) -> None:
    """KA-64: a coma lowers one of the skills sent, worth 2 or more."""
    value = next((skill.skill for skill in skills if skill.skill_name == chosen), None)
    coma = state.condition is KadathCondition.COMA
    if coma and value is not None and value < SEQUELA:
        raise RuleRefused("sequela-skill-too-low", pointer="/sequela_skill", rule="KA-64")
    if coma and value is None:
        raise RuleRefused("sequela-skill-unknown", pointer="/sequela_skill", rule="KA-64")
    if not coma:
        raise RuleRefused("sequela-not-due", pointer="/sequela_skill", rule="KA-64")


def _aided(patient: KadathPatient, dice: Dice) -> KadathLifeState:
    """KA-61, KA-63, KA-R38: where the token goes after a first aid that succeeds."""
    line, state = patient.life_line, patient.state
    black = last_box(line)
    changed: dict[str, Any] = {"treated": True}  # KA-62
    if state.condition is KadathCondition.NONE:
        changed |= _moved(patient, NATURAL_BOXES, dice)
    elif state.condition is KadathCondition.UNCONSCIOUS:
        dice.note("KA-R38", "box_right", before=black, after=black - 1, box=box_at(line, black - 1))
        dice.note("KA-55", "leaves_peril")
        dice.note("KA-57", "comes_round")
        changed |= _conscious(black - 1) | {"peril_effects": ()}
    else:
        dice.note("KA-63", "back_on_black", box=KadathBox.BLACK)
        changed |= _conscious(black) | {"trauma_rounds": 0, "days_to_live": None}
    return state.model_copy(update=changed)


def _conscious(position: int) -> dict[str, Any]:
    """KA-57: conscious again, and on the ground."""
    return {"position": position, "condition": KadathCondition.NONE, "prone": True}


def _moved(patient: KadathPatient, boxes: int, dice: Dice) -> dict[str, Any]:
    """KA-52: boxes to the right, never past the white one; KA-55: off the black, peril ends."""
    line, old = patient.life_line, patient.state.position or 0
    new = max(0, old - boxes)
    for box in range(old, new, -1):
        dice.note("KA-52", "box_right", before=box, after=box - 1, box=box_at(line, box - 1))
    leaves = old == last_box(line) and new < old
    if leaves:
        dice.note("KA-55", "leaves_peril")
    return {"position": new} | ({"peril_effects": ()} if leaves else {})


class Sequela(NamedTuple):
    """What a coma leaves behind."""

    skills: tuple[KadathSkillValue, ...] | None
    lowered: str | None = None
    eligible: tuple[str, ...] | None = None
    pending: bool = False
    cardiac_arrest: bool = False


def _sequela(request: KadathHealingRequest, dice: Dice) -> Sequela:
    """KA-64, KA-65, KA-R39: one point less in one skill, or the heart fails."""
    skills = request.skills
    if skills is None:
        return Sequela(None, pending=True)
    eligible = tuple(skill.skill_name for skill in skills if skill.skill >= SEQUELA)
    if not eligible:
        dice.note("KA-65", "cardiac_arrest")
        return Sequela(skills, eligible=eligible, cardiac_arrest=True)
    chosen = request.sequela_skill or (eligible[0] if len(eligible) == 1 else None)
    if chosen is None:
        return Sequela(skills, eligible=eligible, pending=True)
    after = []
    for skill in skills:
        lowered = skill.skill_name == chosen
        if lowered:
            dice.note("KA-64", "sequela", before=skill.skill, after=skill.skill - 1)
        after.append(skill.model_copy(update={"skill": skill.skill - int(lowered)}))
    return Sequela(tuple(after), lowered=chosen, eligible=eligible)


def _natural(request: KadathHealingRequest, dice: Dice) -> KadathHealingOutcome:
    """KA-66: box by box, at the pace of the box the token is on (KA-R40)."""
    refuse_others(request, request.method, (), needs=("patient", "hours"))
    patient, left = given(request.patient), given(request.hours)
    line, state = patient.life_line, patient.state
    refuse_life(line, state, "/patient/state")
    refuse_dead(state, "/patient/state")
    _refuse_no_token(state, "/patient/state")
    hours, position, steps = left, state.position or 0, []
    while (pace := BOXES[box_at(line, position)].hours) and pace <= left:
        left -= pace
        dice.note("KA-66", "rest", before=position, after=position - 1, hours=pace, left=left)
        steps.append(KadathRecovery(from_=position, to=position - 1, hours=pace))
        position -= NATURAL_BOXES
    after = state.model_copy(update={"position": position})
    return KadathHealingOutcome(
        method=request.method,
        state=after,
        box=box_at(line, position),
        in_peril=in_peril(line, after),
        boxes=len(steps),
        hours_used=hours - left,
        hours_left=left,
        steps=tuple(steps),
    )


class Care(NamedTuple):
    """One period of care."""

    healer: KadathBlock
    period: KadathPeriod
    patients: tuple[KadathCarePatient, ...]
    others: int


def _care_of(request: KadathHealingRequest) -> Care:
    """Read a request for care, or refuse it."""
    refuse_others(
        request, request.method, ("other_patients",), needs=("healer", "period", "patients")
    )
    care = Care(
        given(request.healer),
        given(request.period),
        given(request.patients),
        request.other_patients or 0,
    )
    wheres = [f"/patients/{index}/state" for index in range(len(care.patients))]
    for patient, where in zip(care.patients, wheres, strict=True):
        refuse_life(patient.life_line, patient.state, where)
    for wrong in (_refuse_white, _refuse_gone, _refuse_black, _refuse_lying):
        for patient, where in zip(care.patients, wheres, strict=True):
            wrong(patient, where)
    for patient, where in zip(care.patients, wheres, strict=True):
        if _color(patient) is not PERIODS[care.period]:
            raise RuleRefused("period-mismatch", pointer=f"{where}/position", rule="KA-67")
    _refuse_same_patient(care.patients)
    return care


def _refuse_same_patient(patients: tuple[KadathCarePatient, ...]) -> None:
    seen: set[str] = set()
    for index, patient in enumerate(patients):
        name = _name(patient, index)
        if name in seen:
            raise RuleRefused("duplicate-id", pointer=f"/patients/{index}/id")
        seen.add(name)


def _refuse_white(patient: KadathPatient, where: str) -> None:
    if _color(patient) is KadathBox.WHITE:
        raise RuleRefused("not-wounded", pointer=f"{where}/position", rule="KA-67")


def _refuse_gone(patient: KadathPatient, where: str) -> None:
    refuse_dead(patient.state, where)


def _refuse_black(patient: KadathPatient, where: str) -> None:
    if _color(patient) is KadathBox.BLACK:
        raise RuleRefused("on-black-no-recovery", pointer=f"{where}/position", rule="KA-R41")


def _refuse_lying(patient: KadathPatient, where: str) -> None:
    _refuse_no_token(patient.state, where)


def _refuse_no_token(state: KadathLifeState, where: str) -> None:
    """KA-66: without a token, no natural recovery."""
    if state.position is None:
        raise RuleRefused("no-token", pointer=f"{where}/condition", rule="KA-66")


def _care(request: KadathHealingRequest, dice: Dice) -> KadathHealingOutcome:
    """KA-67: one test for each patient, two boxes on a success, one on a failure."""
    care = _care_of(request)
    cared = dice.gather(
        _cared,
        ((care, index) for index in range(len(care.patients))),
        state=NOBODY,
        combine=_joined,
        merge=_nothing,
        merge_state=_nothing,
    )
    return KadathHealingOutcome(method=KadathMethod.CARE, patients=cared)


NOBODY: tuple[KadathCared, ...] = ()


def _joined(cared: tuple[KadathCared, ...], more: KadathCared) -> tuple[KadathCared, ...]:
    return (*cared, more)


def _nothing(_result: object) -> None:
    """Merge everything: a view of its own tells the odds of each patient."""


def _cared(care: Care, index: int, dice: Dice) -> KadathCared:
    patient = care.patients[index]
    dice.note("KA-67", "patient", number=index + 1, period=care.period)
    test = _tested(care, dice)
    success = test.successes >= 1
    boxes = CARE_BOXES if success else NATURAL_BOXES
    dice.note("KA-67", "care", success=success, boxes=boxes)
    state = patient.state.model_copy(update=_moved(patient, boxes, dice))
    old, new = patient.state.position or 0, state.position or 0
    return KadathCared(
        id=_name(patient, index),
        test=test,
        success=success,
        boxes=old - new,
        state=state,
        box=box_at(patient.life_line, new),
    )


def _tested(care: Care, dice: Dice) -> KadathTest:
    """KA-R41: each other patient weighs on every test."""
    others = len(care.patients) + care.others - 1
    terms = (Term("KA-67", KadathSource.PATIENTS, unfavorable=others),)
    return dice.sub(attempt, care.healer, terms, KadathRole.HEALER, merge=by_successes)


def _wake(request: KadathHealingRequest, dice: Dice) -> KadathHealingOutcome:
    """KA-57, KA-R34: the token comes back on the black box, the character on the ground."""
    refuse_others(request, request.method, (), needs=("patient",))
    patient = given(request.patient)
    refuse_life(patient.life_line, patient.state, "/patient/state")
    refuse_dead(patient.state, "/patient/state")
    if patient.state.condition is not KadathCondition.UNCONSCIOUS:
        raise RuleRefused("not-unconscious", pointer="/patient/state/condition", rule="KA-57")
    state = patient.state.model_copy(update=_conscious(last_box(patient.life_line)))
    dice.note("KA-57", "back_on_black", box=KadathBox.BLACK)
    return KadathHealingOutcome(
        method=request.method,
        state=state,
        box=box_of(patient.life_line, state),
        in_peril=in_peril(patient.life_line, state),
    )


def _color(patient: KadathPatient) -> KadathBox | None:
    return box_of(patient.life_line, patient.state)


def _name(patient: KadathCarePatient, index: int) -> str:
    return str(index) if patient.id is None else patient.id


METHODS = {
    KadathMethod.FIRST_AID: _first_aid,
    KadathMethod.NATURAL: _natural,
    KadathMethod.CARE: _care,
    KadathMethod.WAKE: _wake,
}
