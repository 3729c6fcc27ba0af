"""One test against a d20, whoever makes it: rules NP-01 to NP-16, NP-23, NP-24."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.systems.night_prowler.health import (
    NightProwlerHealth,
    refuse_boxes,
    refuse_dead,
    wound_penalty,
)
from arbitre.systems.night_prowler.tables import (
    BANDS,
    BURGLARY,
    READINGS,
    SKILLS,
    TRACKS,
    Grade,
    NightProwlerConsequence,
    NightProwlerDifficulty,
    NightProwlerObstacle,
    NightProwlerQualityLabel,
    NightProwlerSkill,
)

DIE = 20  # NP-01
DEFAULT_CAP = 5  # NP-03, NP-11
EXHAUSTION = -2  # NP-14
WORST, BEST = -5, 5  # NP-08

TEST_RULES = (
    "NP-01", "NP-02", "NP-03", "NP-05", "NP-06", "NP-07", "NP-08", "NP-09", "NP-10", "NP-11",
    "NP-12", "NP-13", "NP-14", "NP-15", "NP-16", "NP-23", "NP-24", "NP-71", "NP-72", "NP-75",
    "NP-R1", "NP-R2", "NP-R3", "NP-R4", "NP-R5", "NP-R6", "NP-R7", "NP-R8", "NP-R9", "NP-R10",
    "NP-R11", "NP-R12", "NP-R13", "NP-R14", "NP-R15", "NP-R16", "NP-R80", "NP-R101",
)  # fmt: skip
"""What every resolver that makes such a test applies."""

Level = Annotated[int, Field(ge=0, le=60), WHOLE]
Points = Annotated[int, Field(ge=0, le=60), WHOLE]
Modifier = Annotated[int, Field(ge=-60, le=60), WHOLE]
QualityModifier = Annotated[int, Field(ge=-5, le=5), WHOLE]
Text = Annotated[str, Field(max_length=80), CLEAN]

PENALTIES = tuple(sorted({row.penalty for rows in TRACKS.values() for row in rows}))  # NP-72


def _penalty(value: int) -> int:
    if value not in PENALTIES:
        msg = f"one of {', '.join(map(str, PENALTIES))}"
        raise ValueError(msg)
    return value


WoundPenalty = Annotated[
    int,
    Field(ge=-8, le=0, json_schema_extra={"enum": list(PENALTIES)}),
    WHOLE,
    AfterValidator(_penalty),
]


class NightProwlerTestKind(StrEnum):
    SKILL = "skill"
    ATTRIBUTE = "attribute"
    FEAR = "fear"


class NightProwlerNullSuccess(StrEnum):
    NONE = "none"
    NON_CRITICAL = "non_critical"
    ANY = "any"


class NightProwlerVerdict(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


class NightProwlerSource(StrEnum):
    MODIFIER = "modifier"
    BURGLARY = "burglary"
    WOUNDS = "wounds"
    EXHAUSTION = "exhaustion"
    HEROISM = "heroism"
    WEAVE = "weave"
    LEAP = "leap"
    CITIZENS = "citizens"
    FEINT = "feint"
    SURPRISE_ATTACK = "surprise_attack"
    BRUTAL_ATTACK = "brutal_attack"
    CHARGE = "charge"
    WALL = "wall"
    VIOLENT_BLOW = "violent_blow"
    PICK = "pick"
    HOLD = "hold"
    ENTANGLED = "entangled"
    SHIELD = "shield"
    TWO_WEAPONS = "two_weapons"
    OUTNUMBERING = "outnumbering"
    SECOND_ATTACK = "second_attack"
    ATTACK_QUALITY = "attack_quality"
    RANGE = "range"
    TARGET_MOVING = "target_moving"
    UNSTEADY = "unsteady"
    VISIBILITY = "visibility"
    EQUIPMENT = "equipment"
    WOUND_ROW = "wound_row"


class Adjustments(Request):
    """What a test takes into account besides its level, in every resolver."""

    modifier: Modifier = 0
    """Sum of every bonus and penalty the caller decides (NP-06)."""
    ignore_wounds: bool = False
    """Pay one heroism point: no wound penalty (NP-15)."""
    heroism_spent: Points = 0
    """Heroism points that each add one to the threshold (NP-13)."""
    crasse: bool = False
    """A Crasse token improves the quality by one (NP-23)."""
    success_quality_modifier: QualityModifier = 0
    """Qualities more or less on a success (NP-10)."""
    failure_quality_modifier: QualityModifier = 0
    """Qualities more or less on a failure (NP-10)."""
    null_success: NightProwlerNullSuccess = NightProwlerNullSuccess.NONE
    """Which failures become a success of quality 0 (NP-10)."""
    automatic: NightProwlerVerdict | None = None
    """Success or failure decreed by the GM (NP-07, NP-24)."""


class NightProwlerOwnTest(Adjustments):
    """A test of somebody whose health and heroism are known elsewhere."""

    name: Text | None = None
    """The caller's word for the one who acts."""
    test: NightProwlerTestKind = NightProwlerTestKind.SKILL
    """A skill, an attribute where no skill covers the action, or fear (NP-05, NP-11, NP-12)."""
    skill_name: Text | None = None
    """The skill; an id of the skill table says whether it has a default value (NP-03)."""
    skill: Level | None = None
    """Level of the skill; nothing when it is not opened (NP-03)."""
    attribute: Level | None = None
    """Attribute tested, or giving the default value of an unopened skill (NP-03, NP-11)."""
    burglary: NightProwlerObstacle | None = None
    """What is burgled (NP-16)."""
    physical: bool = False
    """A physical action: exhaustion applies (NP-14, NP-R11)."""


class Wounded(Request):
    """Whoever makes a test with wounds, told in one of two ways."""

    health: NightProwlerHealth | None = None
    """Wounds, from which the penalty follows (NP-15)."""
    wound_penalty: WoundPenalty | None = None
    """The wound penalty itself, instead of the health (NP-72)."""


class NightProwlerTest(NightProwlerOwnTest, Wounded):
    heroism: Points | None = None
    """Heroism pool before the test; nothing: not tracked (NP-13)."""


class NightProwlerModifier(Frozen):
    source: NightProwlerSource
    """Where it comes from."""
    value: int
    """What it adds to the threshold."""


class NightProwlerTestResult(Outcome):
    name: str | None
    """Copied from the request."""
    skill_name: str | None
    """Copied from the request."""
    base: int
    """Level before modifiers (NP-03, NP-11)."""
    modifiers: tuple[NightProwlerModifier, ...]
    """Everything that moved the threshold (NP-05)."""
    threshold: int
    """Level and modifiers: the most the die may show (NP-05)."""
    difficulty: NightProwlerDifficulty | None
    """Name of the modifiers without heroism (NP-06)."""
    success: bool
    """The test succeeds (NP-05)."""
    automatic: NightProwlerVerdict | None
    """It succeeds or fails whatever the die (NP-07)."""
    critical: NightProwlerVerdict | None
    """Critical success or failure (NP-09)."""
    quality: int
    """Signed quality after adjustments (NP-10)."""
    natural_quality: int
    """Signed quality read from the die (NP-08)."""
    quality_label: NightProwlerQualityLabel | None
    """Name of the quality; nothing at 0 (NP-08)."""
    consequence: NightProwlerConsequence
    """What such a quality brings (NP-08)."""
    converted: bool
    """A failure became a success of quality 0 (NP-10)."""
    heroism_left: int | None
    """Heroism pool after the test (NP-13)."""


class Term(NamedTuple):
    source: NightProwlerSource
    value: int


class Adjustment(NamedTuple):
    """What bears on the quality once the die has fallen."""

    decree: NightProwlerVerdict | None
    null_success: NightProwlerNullSuccess
    crasse: bool
    success: int
    failure: int


class Prepared(NamedTuple):
    """A test ready for its die."""

    tag: str
    name: str | None
    skill_name: str | None
    test: NightProwlerTestKind
    opened: bool
    base: int
    terms: tuple[Term, ...]
    adjustment: Adjustment
    heroism: int | None
    paid: int

    @property
    def threshold(self) -> int:
        """NP-05: the level and everything that moves it."""
        return self.base + sum(term.value for term in self.terms)

    @property
    def heroism_left(self) -> int | None:
        """NP-13: the pool once the points are paid."""
        return None if self.heroism is None else self.heroism - self.paid


class Verdict(NamedTuple):
    """What the die said."""

    success: bool
    automatic: NightProwlerVerdict | None
    critical: NightProwlerVerdict | None
    natural: int
    quality: int
    converted: bool


def skill_base(skill_name: str | None, skill: int | None, attribute: int | None) -> int:
    """NP-03: the level of a skill, or the default value of an unopened one."""
    if skill is not None:
        return skill  # NP-R8
    if attribute is None:
        return 0
    known = next((known for known in NightProwlerSkill if known == skill_name), None)
    if known is not None and not SKILLS[known].attributes:  # NP-R101
        return 0
    return min(DEFAULT_CAP, attribute // 3)  # NP-R8


def attribute_base(attribute: int) -> int:
    """NP-11, NP-12, NP-R7: half the attribute, five at most."""
    return min(DEFAULT_CAP, attribute // 2)


def terms_of(
    request: Adjustments, wounds: int, heroism: int | None, *, physical: bool
) -> tuple[Term, ...]:
    """NP-05: what moves the threshold of any test, heroism last."""
    exhausted = physical and heroism == 0  # NP-14, NP-R11
    return (
        Term(NightProwlerSource.MODIFIER, request.modifier),  # NP-06
        Term(NightProwlerSource.WOUNDS, 0 if request.ignore_wounds else wounds),  # NP-15
        Term(NightProwlerSource.EXHAUSTION, EXHAUSTION if exhausted else 0),  # NP-14
        Term(NightProwlerSource.HEROISM, request.heroism_spent),  # NP-13
    )


def adjustment_of(request: Adjustments) -> Adjustment:
    """NP-10: what the request says of the quality."""
    return Adjustment(
        decree=request.automatic,  # NP-24, NP-R16
        null_success=request.null_success,
        crasse=request.crasse,  # NP-23
        success=request.success_quality_modifier,
        failure=request.failure_quality_modifier,  # NP-R15
    )


def cost(request: Adjustments) -> int:
    """NP-13, NP-15: the heroism that a test costs, declared before the die."""
    return request.heroism_spent + request.ignore_wounds  # NP-R6


def prepare_own(
    request: NightProwlerOwnTest,
    wounds: int,
    heroism: int | None,
    tag: str,
    others: tuple[Term, ...] = (),
) -> Prepared:
    """Work out all that stands before the die falls."""
    skilled = request.test is NightProwlerTestKind.SKILL
    terms = terms_of(request, wounds, heroism, physical=request.physical)
    obstacle = BURGLARY[request.burglary] if request.burglary else 0  # NP-16
    return Prepared(
        tag=tag,
        name=request.name,
        skill_name=request.skill_name,
        test=request.test,
        opened=request.skill is not None,
        base=skill_base(request.skill_name, request.skill, request.attribute)
        if skilled
        else attribute_base(request.attribute or 0),
        terms=tuple(
            term
            for term in (
                *terms[:1],
                Term(NightProwlerSource.BURGLARY, obstacle),
                *others,
                *terms[1:],
            )
            if term.value
        ),
        adjustment=adjustment_of(request),
        heroism=heroism,
        paid=cost(request),
    )


def prepare(request: NightProwlerTest, tag: str) -> Prepared:
    """Work out all that stands before the die falls, health and heroism included."""
    return prepare_own(request, wounds_of(request), request.heroism, tag)


def wounds_of(request: Wounded) -> int:
    """NP-15: the penalty given, or the one of the health given."""
    return wound_penalty(request.health) if request.health else request.wound_penalty or 0


def natural(face: int) -> tuple[Grade, Grade]:
    """NP-08: what the face is worth on a success and on a failure."""
    return next((row.success, row.failure) for row in READINGS if face <= row.most)


def judge(face: int, threshold: int, adjustment: Adjustment) -> Verdict:
    """NP-05, NP-07 to NP-10: read one face against a threshold."""
    automatic = adjustment.decree or (
        NightProwlerVerdict.SUCCESS
        if threshold > DIE  # NP-07, NP-R2
        else NightProwlerVerdict.FAILURE
        if threshold < 1  # NP-07, NP-R4
        else None
    )
    sure = automatic is NightProwlerVerdict.SUCCESS
    success = sure or (automatic is None and face <= threshold and face != DIE)  # NP-R1
    grade = natural(face)[not success]
    critical = None
    if face == DIE and not sure:
        critical = NightProwlerVerdict.FAILURE  # NP-09, NP-R3
    elif success and automatic is None and face == threshold:
        critical = NightProwlerVerdict.SUCCESS  # NP-09, NP-R5
    if not success and _converts(adjustment.null_success, critical):
        return Verdict(True, automatic, None, grade.quality, 0, True)
    return Verdict(
        success, automatic, critical, grade.quality, adjusted(grade.quality, adjustment), False
    )


def _converts(null_success: NightProwlerNullSuccess, critical: NightProwlerVerdict | None) -> bool:
    """NP-10, NP-R10: whether a failure becomes a success of quality 0."""
    if null_success is NightProwlerNullSuccess.NON_CRITICAL:
        return critical is None
    return null_success is NightProwlerNullSuccess.ANY


def adjusted(quality: int, adjustment: Adjustment) -> int:
    """NP-10, NP-R9, NP-R14: a success has no ceiling, a failure stays one."""
    if quality > 0:
        return max(0, quality + adjustment.success + adjustment.crasse)
    return min(max(quality + adjustment.failure + adjustment.crasse, WORST), -1)


def grade_of(
    quality: int, *, botched: bool
) -> tuple[NightProwlerQualityLabel | None, NightProwlerConsequence]:
    """NP-08: the name and the consequence of a quality after adjustments."""
    if botched:
        return READINGS[-1].failure.label, READINGS[-1].failure.consequence
    if quality == 0:
        return None, READINGS[0].success.consequence  # NP-R10
    halves = [row.success if quality > 0 else row.failure for row in READINGS]
    grade = next(grade for grade in halves if grade.quality == min(quality, BEST))
    return grade.label, grade.consequence


def difficulty_of(modifiers: int) -> NightProwlerDifficulty | None:
    """NP-06: the name of the modifiers, each step three points wide."""
    band = next((band for band in reversed(BANDS) if abs(modifiers) >= band.least), None)
    if band is None:
        return None
    return band.bonus if modifiers > 0 else band.penalty


def roll_test(prepared: Prepared, dice: Dice) -> NightProwlerTestResult:
    """NP-05: one character, one die."""
    verdict = judge(
        dice.die(prepared.tag, sides=DIE),  # NP-01
        prepared.threshold,
        prepared.adjustment,
    )
    _tell_threshold(prepared, dice)
    tell_verdict(verdict, prepared.adjustment, dice)
    return result(prepared, verdict)


def result(prepared: Prepared, verdict: Verdict) -> NightProwlerTestResult:
    """Put a test and its verdict together."""
    label, consequence = grade_of(
        verdict.quality, botched=verdict.critical is NightProwlerVerdict.FAILURE
    )
    return NightProwlerTestResult(
        name=prepared.name,
        skill_name=prepared.skill_name,
        base=prepared.base,
        modifiers=tuple(
            NightProwlerModifier(source=term.source, value=term.value) for term in prepared.terms
        ),
        threshold=prepared.threshold,
        difficulty=difficulty_of(
            sum(
                term.value
                for term in prepared.terms
                if term.source is not NightProwlerSource.HEROISM
            )
        ),
        success=verdict.success,
        automatic=verdict.automatic,
        critical=verdict.critical,
        quality=verdict.quality,
        natural_quality=verdict.natural,
        quality_label=label,
        consequence=consequence,
        converted=verdict.converted,
        heroism_left=prepared.heroism_left,
    )


_BASE_NOTES = {
    NightProwlerTestKind.ATTRIBUTE: ("NP-11", "base-attribute"),
    NightProwlerTestKind.FEAR: ("NP-12", "base-fear"),
}

_TERM_RULES = {
    NightProwlerSource.MODIFIER: "NP-06",
    NightProwlerSource.BURGLARY: "NP-16",
    NightProwlerSource.WOUNDS: "NP-15",
    NightProwlerSource.EXHAUSTION: "NP-14",
    NightProwlerSource.HEROISM: "NP-13",
    NightProwlerSource.WEAVE: "NP-31",
    NightProwlerSource.LEAP: "NP-31",
    NightProwlerSource.CITIZENS: "NP-34",
    NightProwlerSource.FEINT: "NP-50",
    NightProwlerSource.SURPRISE_ATTACK: "NP-51",
    NightProwlerSource.BRUTAL_ATTACK: "NP-52",
    NightProwlerSource.CHARGE: "NP-53",
    NightProwlerSource.WALL: "NP-53",
    NightProwlerSource.VIOLENT_BLOW: "NP-54",
    NightProwlerSource.PICK: "NP-55",
    NightProwlerSource.HOLD: "NP-59",
    NightProwlerSource.ENTANGLED: "NP-56",
    NightProwlerSource.SHIELD: "NP-66",
    NightProwlerSource.TWO_WEAPONS: "NP-67",
    NightProwlerSource.OUTNUMBERING: "NP-63",
    NightProwlerSource.SECOND_ATTACK: "NP-51",
    NightProwlerSource.ATTACK_QUALITY: "NP-60",
    NightProwlerSource.RANGE: "NP-61",
    NightProwlerSource.TARGET_MOVING: "NP-61",
    NightProwlerSource.UNSTEADY: "NP-61",
    NightProwlerSource.VISIBILITY: "NP-61",
    NightProwlerSource.EQUIPMENT: "NP-79",
    NightProwlerSource.WOUND_ROW: "NP-81",
}


def _tell_threshold(prepared: Prepared, dice: Dice) -> None:
    skilled = ("NP-03", "base-skill" if prepared.opened else "base-default")
    rule, key = _BASE_NOTES.get(prepared.test, skilled)
    dice.note(rule, key, base=prepared.base)
    for term in prepared.terms:
        dice.note(_TERM_RULES[term.source], "term", source=term.source, value=term.value)
    dice.note("NP-05", "threshold", threshold=prepared.threshold)


def tell_verdict(verdict: Verdict, adjustment: Adjustment, dice: Dice) -> None:
    """Note what decided success, and each change of the quality."""
    if verdict.automatic is not None:
        rule = "NP-24" if adjustment.decree else "NP-07"
        dice.note(rule, f"automatic-{verdict.automatic}", decreed=adjustment.decree is not None)
    if verdict.critical is not None:
        dice.note("NP-09", f"critical-{verdict.critical}", quality=verdict.natural)
    dice.note("NP-08", "natural", quality=verdict.natural)
    if verdict.converted:
        dice.note("NP-10", "converted", before=verdict.natural, after=0)
        return
    own = adjustment.success if verdict.natural > 0 else adjustment.failure
    before = verdict.natural
    if own:
        after = adjusted(verdict.natural, adjustment._replace(crasse=False))
        dice.note("NP-10", "adjusted", before=before, after=after)
        before = after
    if adjustment.crasse:
        dice.note("NP-23", "crasse", before=before, after=verdict.quality)


def refuse_tests(tests: list[tuple[str, NightProwlerTest]]) -> None:
    """Refuse what no test allows, in the order of the refusals, not of the tests."""
    refuse_attributes(tests)
    refuse_twice(tests)
    for pointer, test in tests:
        refuse_cost(cost(test), test.heroism, f"{pointer}/heroism")
    refuse_healths([(f"{pointer}/health", test.health) for pointer, test in tests])


def refuse_attributes(tests: Sequence[tuple[str, NightProwlerOwnTest]]) -> None:
    """NP-11, NP-12: these tests need their attribute."""
    for pointer, test in tests:
        if test.test is not NightProwlerTestKind.SKILL and test.attribute is None:
            raise RuleRefused("attribute-required", pointer=f"{pointer}/attribute", rule="NP-11")


def refuse_twice(wounded: Sequence[tuple[str, Wounded]]) -> None:
    """NP-15: the wounds are given in one way."""
    for pointer, one in wounded:
        if one.health is not None and one.wound_penalty is not None:
            raise RuleRefused(
                "wounds-given-twice", pointer=f"{pointer}/wound_penalty", rule="NP-15"
            )


def refuse_cost(needed: int, heroism: int | None, pointer: str) -> None:
    """NP-13: nobody pays more than the pool, when it is known."""
    if heroism is not None and needed > heroism:
        raise RuleRefused(
            "heroism-insufficient", pointer=pointer, rule="NP-13", needed=needed, available=heroism
        )


def refuse_healths(healths: list[tuple[str, NightProwlerHealth | None]]) -> None:
    """NP-71, NP-75: no more boxes than there are, and nobody dead."""
    for refuse in (refuse_boxes, refuse_dead):
        for pointer, health in healths:
            if health is not None:
                refuse(health, pointer)
