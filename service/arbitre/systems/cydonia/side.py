"""One test of one side: rules CY-01 to CY-12, CY-14, CY-15 and CY-17."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field, WithJsonSchema

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.cydonia.items import Boosted, CydoniaItemPolicy, Items, boost
from arbitre.systems.cydonia.refusals import Faults, excluded, required
from arbitre.systems.cydonia.tables import (
    CONCENTRATION,
    LADDER,
    MAX_ATTRIBUTE,
    MAX_SKILL,
    SIDES,
    SKILLS,
    CydoniaAttribute,
    CydoniaLadder,
    CydoniaModifierCode,
    CydoniaPeople,
    CydoniaSkill,
)

MOST_TURNS = 3  # CY-15
MOST_DIFFICULTY = 100  # CY-R07

_RUNGS: dict[object, int] = {rung.value: number for rung, number in LADDER.items()}


def _rung(value: object) -> object:
    """Turn a rung of the ladder into its number (CY-R07)."""
    return _RUNGS.get(value, value) if isinstance(value, str) else value


Attribute = Annotated[int, Field(ge=0, le=MAX_ATTRIBUTE), WHOLE]  # CY-R08
Skill = Annotated[int, Field(ge=0, le=MAX_SKILL), WHOLE]  # CY-R08
Modifier = Annotated[int, Field(ge=-100, le=100), WHOLE]
Turns = Annotated[int, Field(ge=0, le=MOST_TURNS), WHOLE]
Reputation = Annotated[int, Field(ge=-10, le=10), WHOLE]
PlainDifficulty = Annotated[int, Field(ge=0, le=MOST_DIFFICULTY), WHOLE]
Difficulty = Annotated[
    int,
    Field(ge=0, le=MOST_DIFFICULTY),
    WHOLE,
    BeforeValidator(_rung),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MOST_DIFFICULTY},
                {"type": "string", "enum": [rung.value for rung in CydoniaLadder]},
            ]
        }
    ),
]
Label = Annotated[str, Field(max_length=80), CLEAN]
Word = Annotated[str, Field(min_length=1, max_length=60), CLEAN]
FixedTotal = Annotated[int, Field(ge=-100, le=200), WHOLE]
CriticalFaces = Annotated[
    tuple[Annotated[int, Field(ge=1, le=SIDES), WHOLE], ...], Field(max_length=SIDES)
]


class CydoniaSideKind(StrEnum):
    SKILL = "skill"
    ATTRIBUTE = "attribute"
    PHYSICAL_RESISTANCE = "physical_resistance"
    MENTAL_RESISTANCE = "mental_resistance"
    DOUBLE_ATTRIBUTE = "double_attribute"
    FIXED = "fixed"


class CydoniaRollKind(StrEnum):
    SKILL = "skill"
    ATTRIBUTE = "attribute"
    PHYSICAL_RESISTANCE = "physical_resistance"
    MENTAL_RESISTANCE = "mental_resistance"
    DOUBLE_ATTRIBUTE = "double_attribute"


class CydoniaActorKind(StrEnum):
    SKILL = "skill"
    FIXED = "fixed"


class CydoniaTrainedKind(StrEnum):
    SKILL = "skill"


class CydoniaKeep(StrEnum):
    HIGHEST = "highest"
    LOWEST = "lowest"
    FIRST = "first"
    SECOND = "second"


class CydoniaCritical(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


class CydoniaCriticalPolicy(StrEnum):
    FLAG = "flag"
    AUTOMATIC = "automatic"


class CydoniaThresholdRule(StrEnum):
    AT_LEAST = "at_least"
    ABOVE = "above"


class CydoniaRole(StrEnum):
    """Whose test it is; also the tag of its dice."""

    ACTOR = "actor"
    A = "a"
    B = "b"
    ATTACKER = "attacker"
    DEFENDER = "defender"
    TARGET = "target"
    BYSTANDER = "bystander"
    HEALER = "healer"
    RIDER = "rider"
    TRAVELER = "traveler"
    SEARCHER = "searcher"
    HIDER = "hider"
    BUYER = "buyer"
    MERCHANT = "merchant"
    TORTURER = "torturer"
    VICTIM = "victim"
    TRAPPER = "trapper"
    HANDLER = "handler"


class CydoniaValue(StrEnum):
    """A value that items may raise."""

    ATTRIBUTE = "attribute"
    SKILL = "skill"
    COURAGE = "courage"


class CydoniaTester(Frozen):
    attribute_name: CydoniaAttribute | None = None
    """Which attribute; the skill's own when it is not given (CY-01, CY-05)."""
    attribute: Attribute | None = None
    """Value of the attribute before items (CY-04)."""
    skill_name: Word | None = None
    """A skill of the table, or a new one with its attribute (CY-05)."""
    skill: Skill = 0
    """Value of the skill before items (CY-05)."""
    courage: Attribute | None = None
    """Courage, for resistances only (CY-10, CY-11)."""
    expert: bool | None = None
    """Whether two dice are rolled and one is kept (CY-08); null follows the people (CY-R69)."""
    keep: CydoniaKeep = CydoniaKeep.HIGHEST
    """Which of the two dice is kept (CY-R06)."""
    attribute_items: Items = ()
    """Items that raise the attribute (CY-14)."""
    skill_items: Items = ()
    """Items that raise the skill (CY-14)."""
    courage_items: Items = ()
    """Items that raise Courage (CY-14)."""
    item_policy: CydoniaItemPolicy = CydoniaItemPolicy.IN_ORDER
    """Which items count when not all may (CY-R09)."""
    concentration_turns: Turns = 0
    """Turns of concentration spent on this roll (CY-15)."""
    reputation: Reputation | None = None
    """Level of reputation, where renown is used (CY-17)."""
    modifier: Modifier = 0
    """The game master's bonus or penalty."""
    people: Word | None = None
    """People of the character; decides only who may do what (CY-R69)."""
    label: Label | None = None
    """The caller's name for the side; decides nothing."""


class CydoniaSide(CydoniaTester):
    kind: CydoniaSideKind = CydoniaSideKind.SKILL
    """What is rolled."""
    fixed_total: FixedTotal | None = None
    """A total rolled earlier, for kind fixed: no die, nothing is added to it."""


class CydoniaOpponent(CydoniaTester):
    kind: CydoniaSideKind | None = None
    """What is rolled; what the rest of the request asks for when it is not given."""
    fixed_total: FixedTotal | None = None
    """A total rolled earlier, for kind fixed: no die, nothing is added to it."""


class CydoniaActor(CydoniaTester):
    kind: CydoniaActorKind = CydoniaActorKind.SKILL
    """What is rolled."""
    fixed_total: FixedTotal | None = None
    """A total rolled earlier, for kind fixed: no die, nothing is added to it."""


class CydoniaTrained(CydoniaTester):
    kind: CydoniaTrainedKind = CydoniaTrainedKind.SKILL
    """What is rolled: the value of the skill itself counts here."""


class CydoniaCriticals(Frozen):
    critical_success_faces: CriticalFaces = (SIDES,)
    """Kept faces that are critical successes (CY-R03)."""
    critical_failure_faces: CriticalFaces = (1,)
    """Kept faces that are critical failures (CY-R03)."""
    critical_policy: CydoniaCriticalPolicy = CydoniaCriticalPolicy.FLAG
    """Whether criticals decide ordinary tests (CY-R04)."""


class CydoniaThreshold(CydoniaCriticals):
    threshold_rule: CydoniaThresholdRule = CydoniaThresholdRule.AT_LEAST
    """Whether a total equal to the difficulty succeeds (CY-R01)."""


class CydoniaItems(Frozen):
    accepted: tuple[int, ...]
    """Items that count (CY-14)."""
    rejected: tuple[int, ...]
    """Items that give nothing (CY-14)."""


class CydoniaTestItems(Frozen):
    attribute: CydoniaItems
    """Items of the attribute."""
    skill: CydoniaItems
    """Items of the skill."""
    courage: CydoniaItems
    """Items of Courage."""


class CydoniaModifier(Frozen):
    code: CydoniaModifierCode
    """Where it comes from."""
    value: int
    """What it adds."""


class CydoniaTest(Frozen):
    kept: int | None
    """The die that counts (CY-08); null for a fixed total."""
    attribute: int | None
    """Attribute with its items."""
    skill: int | None
    """Skill with its items; null when none is used."""
    courage: int | None
    """Courage with its items; null when it is not used."""
    items: CydoniaTestItems
    """Items that count, and items that do not (CY-14)."""
    modifiers: tuple[CydoniaModifier, ...]
    """All that is added to attribute, skill and die."""
    total: int
    """Result of the test (CY-01)."""
    critical: CydoniaCritical | None
    """Critical success or failure of the kept die (CY-09)."""


class Term(NamedTuple):
    """One modifier, and the rule that gives it."""

    rule: str
    code: CydoniaModifierCode
    value: int


class Prepared(NamedTuple):
    """A side ready to roll: all that its total depends on, except the die."""

    role: CydoniaRole
    kind: CydoniaSideKind
    skill_name: CydoniaSkill | None
    attribute_name: CydoniaAttribute | None
    attribute: Boosted | None
    skill: Boosted | None
    courage: Boosted | None
    terms: tuple[Term, ...]
    keep: CydoniaKeep | None
    """Which of two dice counts; none where one die is rolled."""
    fixed: int | None
    successes: tuple[int, ...]
    failures: tuple[int, ...]

    @property
    def base(self) -> int:
        """The total without its die."""
        times = 2 if self.kind is CydoniaSideKind.DOUBLE_ATTRIBUTE else 1  # CY-70
        values = sum(value.effective for value in (self.skill, self.courage) if value)
        attribute = self.attribute.effective if self.attribute else 0
        return times * attribute + values + sum(term.value for term in self.terms)


class Rolled(NamedTuple):
    """What one side rolled."""

    total: int
    kept: int | None
    critical: CydoniaCritical | None


class Asked(NamedTuple):
    """What a resolver makes of a side: its skill, its kind, what it adds."""

    role: CydoniaRole
    skill: CydoniaSkill | None = None
    """The skill that this test is always made with."""
    kind: CydoniaSideKind | None = None
    """The kind that follows from the rest of the request."""
    terms: tuple[Term, ...] = ()


_RESISTED_WITH = {
    CydoniaSideKind.PHYSICAL_RESISTANCE: CydoniaAttribute.PHYSIQUE,  # CY-10
    CydoniaSideKind.MENTAL_RESISTANCE: CydoniaAttribute.MIND,  # CY-11
    CydoniaSideKind.DOUBLE_ATTRIBUTE: CydoniaAttribute.PHYSIQUE,  # CY-70
}
_RESISTANCES = (CydoniaSideKind.PHYSICAL_RESISTANCE, CydoniaSideKind.MENTAL_RESISTANCE)
_KNOWN = {skill.value: skill for skill in CydoniaSkill}

SKILL_RULES = tuple(dict.fromkeys(row.rule for row in SKILLS.values()))
"""The rule of each skill: CY-18 to CY-46 and those of weapons, defenses and riding."""

TEST_RULES = (
    "CY-01", "CY-04", "CY-05", "CY-08", "CY-09", "CY-10", "CY-11", "CY-12", "CY-14", "CY-15",
    "CY-17", "CY-70", "CY-R03", "CY-R04", "CY-R05", "CY-R06", "CY-R08", "CY-R09", "CY-R10",
    "CY-R26", "CY-R52", "CY-R57", "CY-R60", "CY-R66", "CY-R68", "CY-R69", *SKILL_RULES,
)  # fmt: skip
"""What every test applies."""


def kind_of(side: CydoniaTester, asked: Asked) -> CydoniaSideKind:
    """Return what is rolled: the side's own kind, or the one the resolver asks for."""
    own = getattr(side, "kind", None)
    return CydoniaSideKind(own) if own else asked.kind or CydoniaSideKind.SKILL


def known_skill(side: CydoniaTester, asked: Asked) -> CydoniaSkill | None:
    """CY-05: the skill of the table; none where the players' own is used."""
    if side.skill_name is None:
        return asked.skill if kind_of(side, asked) is CydoniaSideKind.SKILL else None
    return _KNOWN.get(side.skill_name)


def attribute_of(side: CydoniaTester, asked: Asked) -> CydoniaAttribute | None:
    """CY-01: the attribute of the skill, of the resistance, or the one named."""
    kind = kind_of(side, asked)
    skill = known_skill(side, asked)
    if kind in _RESISTED_WITH:
        return _RESISTED_WITH[kind]
    if skill and len(SKILLS[skill].attributes) == 1:
        return SKILLS[skill].attributes[0]
    return side.attribute_name


def is_expert(side: CydoniaTester, skill: CydoniaSkill | None) -> bool:
    """CY-08, CY-R69: as said; otherwise a people that starts expert in the skill is."""
    if side.expert is not None or skill is None:
        return bool(side.expert)
    people = SKILLS[skill].expert_people
    return people is not None and side.people == people.value


def side_faults(side: CydoniaTester, asked: Asked, pointer: str = "") -> Faults:
    """Say all that the rules refuse in a side."""
    kind = kind_of(side, asked)
    fixed = kind is CydoniaSideKind.FIXED
    resists = kind in _RESISTANCES
    total = getattr(side, "fixed_total", None)
    yield from required(total, f"{pointer}/fixed_total", when=fixed)
    yield from required(side.attribute, f"{pointer}/attribute", when=not fixed)
    yield from required(side.courage, f"{pointer}/courage", when=resists)
    yield from excluded(not fixed and total is not None, f"{pointer}/fixed_total", "kind")
    courage = side.courage is not None or bool(side.courage_items)
    yield from excluded(not resists and courage, f"{pointer}/courage", "kind")
    if asked.kind and not fixed and kind is not asked.kind:
        yield RuleRefused("wrong-kind", pointer=f"{pointer}/kind", kind=asked.kind)
    wanted = _RESISTED_WITH.get(kind)
    other = side.attribute_name not in (None, wanted)
    yield from excluded(wanted is not None and other, f"{pointer}/attribute_name", "kind")
    if kind is CydoniaSideKind.SKILL:
        yield from _skill_faults(side, asked, pointer)
    else:
        if side.skill or side.skill_items or side.skill_name is not None:
            yield RuleRefused(
                "skill-not-allowed", pointer=f"{pointer}/skill", rule="CY-12", kind=kind
            )
        if side.expert:
            yield RuleRefused("expert-needs-skill", pointer=f"{pointer}/expert", rule="CY-08")
    charisma = attribute_of(side, asked) is CydoniaAttribute.CHARISMA
    if side.reputation is not None and not fixed and not charisma:
        yield RuleRefused(
            "reputation-needs-charisma", pointer=f"{pointer}/reputation", rule="CY-R52"
        )


def _skill_faults(side: CydoniaTester, asked: Asked, pointer: str) -> Faults:
    skill = known_skill(side, asked)
    where = f"{pointer}/skill_name"
    if asked.skill and skill is not asked.skill:
        yield RuleRefused("wrong-skill", pointer=where, rule="CY-05", skill=asked.skill)
    row = SKILLS[skill] if skill else None
    name = side.attribute_name
    if row and row.attributes and name and name not in row.attributes:
        yield RuleRefused(
            "attribute-mismatch",
            pointer=f"{pointer}/attribute_name",
            rule="CY-05",
            skill=skill,
            attribute=row.attributes,
        )
    chosen = row is None or len(row.attributes) > 1
    if name is None and chosen and side.skill_name is not None:
        yield RuleRefused(
            "attribute-name-required", pointer=f"{pointer}/attribute_name", rule="CY-05"
        )
    if name is CydoniaAttribute.COURAGE:
        yield RuleRefused("courage-skill", pointer=f"{pointer}/attribute_name", rule="CY-12")
    if row and not row.attributes:
        yield RuleRefused("never-rolled", pointer=where, rule="CY-78")
    if row and row.people:
        yield from people_faults(side.people, row.people, pointer)


def people_faults(people: str | None, wanted: CydoniaPeople, pointer: str = "") -> Faults:
    """CY-R69: checked only where the people is given."""
    if people is not None and people != wanted.value:
        yield RuleRefused(
            "people-required", pointer=f"{pointer}/people", rule="CY-R69", people=wanted
        )


def critical_faults(options: CydoniaCriticals, pointer: str = "") -> Faults:
    """CY-R03: no face is both."""
    if set(options.critical_success_faces) & set(options.critical_failure_faces):
        yield RuleRefused(
            "criticals-overlap", pointer=f"{pointer}/critical_failure_faces", rule="CY-R03"
        )


def prepare(side: CydoniaTester, asked: Asked, options: CydoniaCriticals) -> Prepared:
    """Make a side that is not refused ready to roll."""
    kind = kind_of(side, asked)
    fixed = kind is CydoniaSideKind.FIXED
    skill = known_skill(side, asked)
    policy = side.item_policy
    uses_skill = kind is CydoniaSideKind.SKILL
    return Prepared(
        role=asked.role,
        kind=kind,
        skill_name=skill,
        attribute_name=attribute_of(side, asked),
        attribute=None if fixed else boost(side.attribute or 0, side.attribute_items, policy),
        skill=boost(side.skill, side.skill_items, policy) if uses_skill else None,
        courage=(
            boost(side.courage or 0, side.courage_items, policy) if kind in _RESISTANCES else None
        ),
        terms=() if fixed else tuple(term for term in _terms(side, asked) if term.value),
        keep=side.keep if is_expert(side, skill) else None,
        fixed=getattr(side, "fixed_total", None),
        successes=options.critical_success_faces,
        failures=options.critical_failure_faces,
    )


def _terms(side: CydoniaTester, asked: Asked) -> Iterator[Term]:
    turns = CONCENTRATION * side.concentration_turns
    yield Term("CY-15", CydoniaModifierCode.CONCENTRATION, turns)
    renown = abs(side.reputation or 0)  # CY-17: bad renown helps as much
    yield Term("CY-17", CydoniaModifierCode.REPUTATION, renown)
    yield from asked.terms
    yield Term("CY-R68", CydoniaModifierCode.MODIFIER, side.modifier)


def roll_side(side: Prepared, dice: Dice) -> Rolled:
    """CY-01: attribute, skill, one die and modifiers."""
    _note_values(side, dice)
    if side.fixed is not None:
        dice.note("CY-01", "fixed-total", role=side.role, total=side.fixed)
        return Rolled(side.fixed, None, None)
    kept = _die(side, dice)
    critical = None
    if kept in side.successes:  # CY-R03, CY-R05: the kept die alone decides
        critical = CydoniaCritical.SUCCESS
    elif kept in side.failures:
        critical = CydoniaCritical.FAILURE
    total = side.base + kept  # CY-R68: neither floor nor ceiling
    rule, key = _TOLD[side.kind]
    dice.note(
        "CY-12" if side.attribute_name is CydoniaAttribute.COURAGE else rule,
        key,
        role=side.role,
        attribute=side.attribute.effective if side.attribute else None,
        skill=side.skill.effective if side.skill else None,
        courage=side.courage.effective if side.courage else None,
        die=kept,
        modifiers=sum(term.value for term in side.terms),
        total=total,
    )
    if critical:
        dice.note("CY-09", "critical", role=side.role, critical=critical, face=kept)
    return Rolled(total, kept, critical)


_TOLD = {
    CydoniaSideKind.SKILL: ("CY-01", "test-skill"),
    CydoniaSideKind.ATTRIBUTE: ("CY-01", "test-attribute"),
    CydoniaSideKind.PHYSICAL_RESISTANCE: ("CY-10", "test-resistance"),
    CydoniaSideKind.MENTAL_RESISTANCE: ("CY-11", "test-resistance"),
    CydoniaSideKind.DOUBLE_ATTRIBUTE: ("CY-70", "test-double"),
}


def _note_values(side: Prepared, dice: Dice) -> None:
    if side.skill_name:
        dice.note(
            SKILLS[side.skill_name].rule,
            "skill",
            role=side.role,
            skill=side.skill_name,
            attribute=side.attribute_name,
        )
    values = {
        CydoniaValue.ATTRIBUTE: side.attribute,
        CydoniaValue.SKILL: side.skill,
        CydoniaValue.COURAGE: side.courage,
    }
    for what, value in values.items():
        if value and value.items:
            note_items(what, value, dice)
    for term in side.terms:
        dice.note(term.rule, "modifier", role=side.role, code=term.code, value=term.value)


def note_items(what: StrEnum, value: Boosted, dice: Dice) -> None:
    """Tell what items add to a value (CY-14)."""
    dice.note(
        "CY-14",
        "items",
        what=what,
        item_policy=value.policy,
        value=value.value,
        bonus=value.bonus,
        effective=value.effective,
        rejected=len(value.left),
    )


def _die(side: Prepared, dice: Dice) -> int:
    tag = side.role.value
    first = dice.die(tag, sides=SIDES)
    if side.keep is None:
        return first
    second = dice.die(tag, sides=SIDES)  # CY-08: two dice, one counts
    kept = {
        CydoniaKeep.HIGHEST: max(first, second),
        CydoniaKeep.LOWEST: min(first, second),
        CydoniaKeep.FIRST: first,
        CydoniaKeep.SECOND: second,
    }[side.keep]
    dice.note(
        "CY-08", "kept", role=side.role, first=first, second=second, keep=side.keep, kept=kept
    )
    return kept


def by_total(rolled: Rolled) -> int:
    """Keep the total: it says which die was kept."""
    return rolled.total


def roll(side: Prepared, dice: Dice) -> Rolled:
    """Roll a side, once in the odds."""
    return dice.sub(roll_side, side, merge=by_total)


def shown(side: Prepared, rolled: Rolled) -> CydoniaTest:
    """Show a test."""
    return CydoniaTest(
        kept=rolled.kept,
        attribute=side.attribute.effective if side.attribute else None,
        skill=side.skill.effective if side.skill else None,
        courage=side.courage.effective if side.courage else None,
        items=CydoniaTestItems(
            attribute=_items(side.attribute),
            skill=_items(side.skill),
            courage=_items(side.courage),
        ),
        modifiers=tuple(CydoniaModifier(code=term.code, value=term.value) for term in side.terms),
        total=rolled.total,
        critical=rolled.critical,
    )


def _items(value: Boosted | None) -> CydoniaItems:
    accepted, rejected = (value.accepted, value.rejected) if value else ((), ())
    return CydoniaItems(accepted=accepted, rejected=rejected)


_CRITICAL_FACES = {
    (True, True): "critical-faces",
    (True, False): "critical-success-faces",
    (False, True): "critical-failure-faces",
    (False, False): "no-critical-faces",
}


def echo_criticals(options: CydoniaCriticals, dice: Dice) -> None:
    """Say which readings of the unwritten criticals are in force (CY-R03, CY-R04)."""
    successes, failures = options.critical_success_faces, options.critical_failure_faces
    key = _CRITICAL_FACES[bool(successes), bool(failures)]
    dice.note("CY-R03", key, successes=successes, failures=failures)
    dice.note("CY-R04", "critical-policy", policy=options.critical_policy)
