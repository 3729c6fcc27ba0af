"""What birth, background, break and traits add up to: rules NP-21 and NP-89 to NP-95."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.health import (
    NightProwlerExtraBoxes,
    NightProwlerExtraVitality,
)
from arbitre.systems.night_prowler.tables import NightProwlerAttribute, NightProwlerSkill
from arbitre.systems.night_prowler.test import NightProwlerNullSuccess
from arbitre.systems.night_prowler.tokens import STARTING_CRASSE
from arbitre.systems.night_prowler.traits import (
    BACKGROUNDS,
    BIRTHS,
    BREAKS,
    BRINGS,
    EXCLUSIVE,
    PRIMARY,
    QUIET_BREAKS,
    SPECIALITIES,
    TRAITS,
    Effects,
    NightProwlerBackground,
    NightProwlerBranch,
    NightProwlerBreak,
    NightProwlerCulture,
    NightProwlerSpeciality,
    NightProwlerStyle,
    NightProwlerTrait,
)

CITY_LIFE_COST = -5  # NP-94
SKILL_CAP = 6  # NP-27
HALF = Decimal("0.5")  # NP-92

_T = NightProwlerTrait
_C = NightProwlerCulture


class NightProwlerReputation(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    MENTOR = "mentor"
    CREVARD = "crevard"


class NightProwlerCapScope(StrEnum):
    WHOLE = "whole"
    ARISTOCRACY = "aristocracy"
    EXCEPT_NATURE = "except_nature"
    EXCEPT_MELORIEN = "except_melorien"
    SURGERY = "surgery"


class NightProwlerChangeSource(StrEnum):
    RETRAINING = "retraining"
    IMPRACTICAL = "elf.impractical"
    LATE_AWAKENING = "dwarf.late_awakening"


class NightProwlerPresetSource(StrEnum):
    ATHLETE = "felis.athlete"
    LAZINESS = "felis.laziness"
    CHARMER = "elf.charmer"
    DECEIVER = "social.deceiver"
    CITY_LIFE = "social.city_life"
    CHARACTER = "social.character"
    AMORAL = "amoral"
    FLIGHT = "flight"


class NightProwlerCreationRequest(Request):
    style: NightProwlerStyle | None = None
    """Style, which gives the primary attribute (NP-89)."""
    branch: NightProwlerBranch | None = None
    """Branch of the style (NP-89)."""
    speciality: NightProwlerSpeciality | None = None
    """Speciality, which gives the secondary attribute (NP-89)."""
    secondary_attribute: NightProwlerAttribute | None = None
    """Secondary attribute of a corrupted one, by profession."""
    culture: NightProwlerCulture | None = None
    """Birth (NP-90)."""
    raised_by: NightProwlerCulture | None = None
    """People who raised one of mixed blood, or birth of an immigrant (NP-90)."""
    mother: NightProwlerCulture | None = None
    """Mother's culture, for one of mixed blood (NP-90)."""
    social_background: NightProwlerBackground | None = None
    """Social background (NP-91)."""
    break_: NightProwlerBreak | None = Field(default=None, alias="break")
    """What broke the former life (NP-92)."""
    traits: Annotated[tuple[NightProwlerTrait, ...], Field(max_length=50)] = ()
    """Traits chosen (NP-93)."""
    memory_budget: Annotated[int, Field(ge=-1000, le=1000), WHOLE] | None = None
    """Memory points to spend (NP-94)."""


class NightProwlerAttributeDelta(Frozen):
    attribute: NightProwlerAttribute
    """The attribute."""
    delta: int
    """What it gains or loses."""


class NightProwlerAttributeCap(Frozen):
    attribute: NightProwlerAttribute
    """The attribute."""
    cap: int
    """The most it may be at creation."""


class NightProwlerSkillChange(Frozen):
    source: NightProwlerChangeSource
    """Where it comes from."""
    count: int
    """How many skills, of the player's choice."""
    delta: int
    """What each gains or loses."""
    cap: int | None
    """The most it may reach."""


class NightProwlerSkillCap(Frozen):
    skill: NightProwlerSkill
    """The skill."""
    scope: NightProwlerCapScope
    """Which part of it."""
    cap: int
    """The most it may be at creation."""


class NightProwlerTestPreset(Frozen):
    source: NightProwlerPresetSource
    """Where it comes from."""
    against: bool = False
    """It bears on the tests of others against the character."""
    modifier: int = 0
    """Modifier of the test."""
    success_quality_modifier: int = 0
    """Qualities more or less on a success."""
    failure_quality_modifier: int = 0
    """Qualities more or less on a failure."""
    null_success: NightProwlerNullSuccess = NightProwlerNullSuccess.NONE
    """Which failures become a success of quality 0."""


class NightProwlerCreationOutcome(Outcome):
    primary_attribute: NightProwlerAttribute | None
    """Of the style (NP-89)."""
    secondary_attribute: NightProwlerAttribute | None
    """Of the speciality (NP-89)."""
    traits: tuple[NightProwlerTrait, ...]
    """Every trait, those brought by birth, background and father included."""
    memory_balance: int
    """Sum of the memory points (NP-94)."""
    memory_left: int | None
    """What the budget leaves."""
    heroism_delta: int
    """Heroism points more or less (NP-95)."""
    attribute_deltas: tuple[NightProwlerAttributeDelta, ...]
    """Attributes changed."""
    attribute_caps: tuple[NightProwlerAttributeCap, ...]
    """Attributes capped."""
    kit_delta: int
    """Change of every skill of the kit."""
    kit_cap: int | None
    """The most a skill of the kit may be."""
    kit_points: int
    """Points to spread in the kit."""
    skills_to_open: int
    """New skills, opened at 6."""
    skill_changes: tuple[NightProwlerSkillChange, ...]
    """Skills of the player's choice that change."""
    skill_caps: tuple[NightProwlerSkillCap, ...]
    """Skills capped at creation (NP-27)."""
    crowns_delta: int
    """Crowns more."""
    crowns_factor: int
    """What the starting money is multiplied by."""
    gains_factor: Annotated[Decimal, Hundredths(0, 1)]
    """Share of the gains that is kept."""
    weekly_cost: int
    """Crowns to spend each week."""
    debt: int
    """Crowns owed."""
    debt_monthly: int
    """Crowns it grows by each month."""
    bounty: int
    """Price on the head, in crowns (NP-21)."""
    reputations: tuple[NightProwlerReputation, ...]
    """Reputations (NP-21)."""
    prison_roll: bool
    """A roll on the table of prison stays."""
    skip_first_prison_roll: bool
    """The first of those rolls is skipped."""
    crasse_tokens: int
    """Crasse tokens at the start (NP-23)."""
    endurance_italic: bool
    """The italic boxes of Endurance are open."""
    extra_boxes: NightProwlerExtraBoxes
    """Further boxes (NP-R102)."""
    schools: int
    """Fencing schools."""
    test_presets: tuple[NightProwlerTestPreset, ...]
    """What some tests of the character take into account (NP-10)."""
    notes: tuple[NightProwlerTrait, ...]
    """Traits without numbers."""


def refuse(request: NightProwlerCreationRequest) -> None:
    held = [trait for trait in EXCLUSIVE if trait in request.traits]
    if len(held) > 1:
        raise RuleRefused("exclusive-traits", pointer="/traits", rule="NP-93", traits=tuple(held))
    for number, trait in enumerate(request.traits):
        if trait in request.traits[:number]:
            raise RuleRefused("repeated-id", pointer=f"/traits/{number}")
    refuse_calling(request)
    refuse_birth(request)


def refuse_calling(request: NightProwlerCreationRequest) -> None:
    """NP-89: a branch belongs to a style, a speciality to a branch."""
    style, branch, speciality = request.style, request.branch, request.speciality
    home = next((row.style for row in SPECIALITIES.values() if row.branch is branch), None)
    if branch is not None and style not in {None, home}:
        raise RuleRefused("branch-not-of-style", pointer="/branch", rule="NP-89", branch=branch)
    row = None if speciality is None else SPECIALITIES[speciality]
    if row is not None and (branch not in {None, row.branch} or style not in {None, row.style}):
        raise RuleRefused(
            "speciality-not-of-branch", pointer="/speciality", rule="NP-89", speciality=speciality
        )
    free = speciality is NightProwlerSpeciality.CORRUPTED
    if request.secondary_attribute is not None and not free:
        raise RuleRefused(
            "field-not-for-kind", pointer="/secondary_attribute", rule="NP-89", kind=speciality
        )


def refuse_birth(request: NightProwlerCreationRequest) -> None:
    """NP-90: who was raised by whom."""
    raised, culture = request.raised_by, request.culture
    if raised is not None and culture not in {_C.METIS, _C.IMMIGRANT}:
        raise RuleRefused("field-not-for-kind", pointer="/raised_by", rule="NP-90", kind=culture)
    if request.mother is not None and culture is not _C.METIS:
        raise RuleRefused("field-not-for-kind", pointer="/mother", rule="NP-90", kind=culture)
    foreign = culture is _C.IMMIGRANT and raised is _C.UMELORIAN
    if raised in {_C.METIS, _C.IMMIGRANT, _C.KESHITE_IMMIGRANT} or foreign:
        raise RuleRefused("birth-not-allowed", pointer="/raised_by", rule="NP-90", culture=raised)
    shunned = request.mother in {_C.UMELORIAN, _C.SOLOMAN}
    unknown = culture is _C.IMMIGRANT or (culture is _C.METIS and not shunned)
    if unknown and raised is None:
        raise RuleRefused("required", pointer="/raised_by", rule="NP-90")


def birth_traits(request: NightProwlerCreationRequest) -> tuple[NightProwlerTrait, ...]:
    """NP-90: what a birth brings; an anonymous gouri keeps its skills alone."""
    if request.culture is None or _T.GOURI_ANONYMOUS in request.traits:
        return ()
    if request.mother in {_C.UMELORIAN, _C.SOLOMAN}:
        return (_T.RACE_OPPROBRIUM,)
    raised = () if request.raised_by is None else BIRTHS[request.raised_by]
    return raised + BIRTHS[request.culture]


def every_trait(request: NightProwlerCreationRequest) -> tuple[NightProwlerTrait, ...]:
    """NP-90, NP-91, NP-93: the traits chosen, and all that others bring."""
    background = request.social_background
    social = () if background is None else (BACKGROUNDS[background],)
    found = [*birth_traits(request), *social]
    for trait in request.traits:
        found += [trait, *BRINGS.get(trait, ())]
    return tuple(dict.fromkeys(found))


def memory_of(request: NightProwlerCreationRequest, traits: tuple[NightProwlerTrait, ...]) -> int:
    """NP-94, NP-R104: what traits cost and grant; a noisy break costs the city's life."""
    noisy = request.break_ is not None and request.break_ not in QUIET_BREAKS
    city = _T.SOCIAL_CITY_LIFE in traits and noisy
    return sum(TRAITS[trait].memory for trait in traits) + CITY_LIFE_COST * city


def skill_changes(
    request: NightProwlerCreationRequest, traits: tuple[NightProwlerTrait, ...]
) -> tuple[NightProwlerSkillChange, ...]:
    """NP-95: skills that change by the player's choice."""
    source = NightProwlerChangeSource
    rows: list[tuple[NightProwlerChangeSource, int, int, int | None]] = []
    if request.break_ is NightProwlerBreak.RETRAINING:
        rows.append((source.RETRAINING, 1, 4, 16))
    if _T.ELF_IMPRACTICAL in traits:
        rows.append((source.IMPRACTICAL, 2, -2, None))
    if _T.DWARF_LATE_AWAKENING in traits:
        rows += [(source.LATE_AWAKENING, 1, -4, None), (source.LATE_AWAKENING, 1, 4, None)]
    return tuple(
        NightProwlerSkillChange(source=of, count=count, delta=delta, cap=cap)
        for of, count, delta, cap in rows
    )


def skill_caps(traits: tuple[NightProwlerTrait, ...]) -> tuple[NightProwlerSkillCap, ...]:
    """NP-27: what integration and determination hold back."""
    scope, skill = NightProwlerCapScope, NightProwlerSkill
    rows = []
    if _T.RACE_INTEGRATION in traits:
        rows += [(skill.KNOWLEDGE, scope.ARISTOCRACY), (skill.STREETWISE, scope.WHOLE)]
    if _T.SOCIAL_DETERMINATION in traits:
        rows += [
            (skill.BREWING, scope.WHOLE),
            (skill.KNOWLEDGE, scope.EXCEPT_NATURE),
            (skill.LITERACY, scope.EXCEPT_MELORIEN),
            (skill.CARE, scope.SURGERY),
        ]
    return tuple(NightProwlerSkillCap(skill=of, scope=part, cap=SKILL_CAP) for of, part in rows)


PRESETS = {  # NP-10, NP-92, NP-R13, NP-R15
    _T.FELIS_ATHLETE: NightProwlerTestPreset(
        source=NightProwlerPresetSource.ATHLETE, null_success=NightProwlerNullSuccess.ANY
    ),
    _T.FELIS_LAZINESS: NightProwlerTestPreset(
        source=NightProwlerPresetSource.LAZINESS,
        modifier=-3,
        success_quality_modifier=-1,
        failure_quality_modifier=-1,
    ),
    _T.ELF_CHARMER: NightProwlerTestPreset(
        source=NightProwlerPresetSource.CHARMER, success_quality_modifier=1
    ),
    _T.SOCIAL_DECEIVER: NightProwlerTestPreset(
        source=NightProwlerPresetSource.DECEIVER, success_quality_modifier=1
    ),
    _T.SOCIAL_CITY_LIFE: NightProwlerTestPreset(
        source=NightProwlerPresetSource.CITY_LIFE,
        null_success=NightProwlerNullSuccess.NON_CRITICAL,
    ),
    _T.SOCIAL_CHARACTER: NightProwlerTestPreset(
        source=NightProwlerPresetSource.CHARACTER, against=True, modifier=-3
    ),
    NightProwlerBreak.AMORAL: NightProwlerTestPreset(
        source=NightProwlerPresetSource.AMORAL,
        success_quality_modifier=1,
        failure_quality_modifier=1,
    ),
    NightProwlerBreak.FLIGHT: NightProwlerTestPreset(
        source=NightProwlerPresetSource.FLIGHT, against=True, modifier=-3
    ),
}

NUMBERED = {  # NP-22, NP-27, NP-93, NP-94
    *PRESETS,
    *BRINGS,
    _T.GOURI_ANONYMOUS,
    _T.RACE_INTEGRATION,
    _T.ELF_IMPRACTICAL,
    _T.DWARF_LATE_AWAKENING,
    _T.DWARF_REBEL,
    _T.ELF_CASUAL,
    _T.FELIS_WATER_AVERSION,
}
"""Traits whose numbers stand elsewhere than in the table of effects."""


def total(effects: list[Effects], field: str) -> int:
    return sum(getattr(one, field) for one in effects)


def caps_of(effects: list[Effects], field: str) -> int | None:
    """Return the lowest cap, where there is one."""
    return min((cap for one in effects if (cap := getattr(one, field))), default=None)


def reputations_of(effects: list[Effects], *, young: bool) -> tuple[NightProwlerReputation, ...]:
    """NP-21: reputations; a youngster has no bad one yet."""
    return tuple(
        reputation
        for reputation in NightProwlerReputation
        for _ in range(total(effects, reputation.value))
        if not (young and reputation is NightProwlerReputation.NEGATIVE)
    )


def more_boxes(traits: tuple[NightProwlerTrait, ...]) -> NightProwlerExtraBoxes:
    """NP-R102: robust twice, further boxes for light and serious wounds."""
    twice = _T.TRAIT_ROBUST in traits and _T.DWARF_ROBUST in traits
    more = NightProwlerExtraVitality(light=int(twice), serious=int(twice))
    return NightProwlerExtraBoxes(vitality=more)


def summary(_outcome: NightProwlerCreationOutcome) -> str:
    return "creation"


@resolver(
    "creation",
    rules=(
        "NP-02", "NP-10", "NP-21", "NP-23", "NP-27", "NP-89", "NP-90", "NP-91", "NP-92",
        "NP-93", "NP-94", "NP-95", "NP-R13", "NP-R15", "NP-R98", "NP-R99", "NP-R100",
        "NP-R102", "NP-R104",
    ),
    summary=summary,
)  # fmt: skip
def creation(request: NightProwlerCreationRequest, dice: Dice) -> NightProwlerCreationOutcome:
    """Add up the numbers of a character's style, birth, background, break and traits."""
    refuse(request)
    traits = every_trait(request)
    row = None if request.speciality is None else SPECIALITIES[request.speciality]
    style = request.style or _style_of(request.branch) or (None if row is None else row.style)
    broken = Effects() if request.break_ is None else BREAKS[request.break_]
    effects = [broken, *(TRAITS[trait].effects for trait in traits)]
    _tell(request, traits, broken, dice)
    balance = memory_of(request, traits)
    young = _T.TRAIT_YOUNGSTER in traits
    cap = caps_of(effects, "robustness_cap")
    sources = (*traits, *([] if request.break_ is None else [request.break_]))
    halved = request.break_ is NightProwlerBreak.COMPROMISE
    return NightProwlerCreationOutcome(
        primary_attribute=None if style is None else PRIMARY[style],
        secondary_attribute=None if row is None else row.secondary or request.secondary_attribute,
        traits=traits,
        memory_balance=balance,
        memory_left=None if request.memory_budget is None else request.memory_budget + balance,
        heroism_delta=total(effects, "heroism"),
        attribute_deltas=tuple(
            NightProwlerAttributeDelta(attribute=attribute, delta=delta)
            for attribute in NightProwlerAttribute
            if (delta := total(effects, attribute.value))
        ),
        attribute_caps=()
        if cap is None
        else (NightProwlerAttributeCap(attribute=NightProwlerAttribute.ROBUSTNESS, cap=cap),),
        kit_delta=total(effects, "kit"),
        kit_cap=caps_of(effects, "kit_cap"),
        kit_points=total(effects, "kit_points"),
        skills_to_open=total(effects, "opened"),
        skill_changes=skill_changes(request, traits),
        skill_caps=skill_caps(traits),
        crowns_delta=total(effects, "crowns"),
        crowns_factor=max(one.crowns_factor for one in effects),
        gains_factor=HALF if halved else Decimal(1),
        weekly_cost=total(effects, "weekly"),
        debt=total(effects, "debt"),
        debt_monthly=total(effects, "debt_monthly"),
        bounty=0 if young else total(effects, "bounty"),
        reputations=reputations_of(effects, young=young),
        prison_roll=total(effects, "prison") > 0,
        skip_first_prison_roll=young,
        crasse_tokens=STARTING_CRASSE,
        endurance_italic=total(effects, "endurance_italic") > 0,
        extra_boxes=more_boxes(traits),
        schools=total(effects, "schools"),
        test_presets=tuple(PRESETS[source] for source in sources if source in PRESETS),
        notes=tuple(
            trait
            for trait in traits
            if TRAITS[trait].effects == Effects() and trait not in NUMBERED
        ),
    )


def _style_of(branch: NightProwlerBranch | None) -> NightProwlerStyle | None:
    return next((row.style for row in SPECIALITIES.values() if row.branch is branch), None)


def _tell(
    request: NightProwlerCreationRequest,
    traits: tuple[NightProwlerTrait, ...],
    broken: Effects,
    dice: Dice,
) -> None:
    for trait in traits:
        row = TRAITS[trait]
        dice.note("NP-94", "trait", trait=trait, memory=row.memory, heroism=row.effects.heroism)
    if request.break_ is not None:
        dice.note("NP-92", "break", name=request.break_, heroism=broken.heroism)
        if _T.SOCIAL_CITY_LIFE in traits and request.break_ not in QUIET_BREAKS:
            dice.note("NP-94", "noisy-break", memory=CITY_LIFE_COST)
