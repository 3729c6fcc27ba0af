"""The rulebook's tables as data: attributes, skills, zones, costs, awards."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.rules.tables import Table

SIDES = 10  # CY-01: the die of every test
MAX_ATTRIBUTE = 40  # CY-R08
MAX_SKILL = 30  # CY-R08
NOMINAL = 10  # CY-04, CY-05: where a value normally ends


class CydoniaAttribute(StrEnum):
    PHYSIQUE = "physique"
    AGILITY = "agility"
    DEXTERITY = "dexterity"
    SENSES = "senses"
    COURAGE = "courage"
    CHARISMA = "charisma"
    MIND = "mind"
    LUCK = "luck"


class CydoniaUse(StrEnum):
    """What an attribute is used for."""

    PHYSIQUE = "physique"
    AGILITY = "agility"
    DEXTERITY = "dexterity"
    SENSES = "senses"
    COURAGE = "courage"
    CHARISMA = "charisma"
    MIND = "mind"
    LUCK = "luck"


class CydoniaLadder(StrEnum):
    VERY_EASY = "very_easy"
    EASY = "easy"
    AVERAGE = "average"
    HARD = "hard"
    VERY_HARD = "very_hard"
    HEROIC = "heroic"


LADDER = {  # CY-02
    CydoniaLadder.VERY_EASY: 5,
    CydoniaLadder.EASY: 10,
    CydoniaLadder.AVERAGE: 15,
    CydoniaLadder.HARD: 20,
    CydoniaLadder.VERY_HARD: 25,
    CydoniaLadder.HEROIC: 30,
}


class CydoniaPeople(StrEnum):
    DWARF = "dwarf"
    ELF = "elf"
    ORK = "ork"
    LUTIN = "lutin"
    WEREWOLF = "werewolf"
    HASAKI = "hasaki"


class CydoniaSkill(StrEnum):
    STAFF = "staff"
    SMALL_BLADE = "small_blade"
    BLADE = "blade"
    AXE = "axe"
    MACE = "mace"
    HAMMER = "hammer"
    BOW = "bow"
    CROSSBOW = "crossbow"
    POLEARM = "polearm"
    FIREARM = "firearm"
    SCYTHE = "scythe"
    SHIELD = "shield"
    THEFT = "theft"
    LOCKPICKING = "lockpicking"
    THROWING = "throwing"
    TRADE = "trade"
    TORTURE = "torture"
    TRAPPING = "trapping"
    RUNNING = "running"
    SWIMMING = "swimming"
    UNARMED = "unarmed"
    DODGE = "dodge"
    ACROBATICS = "acrobatics"
    RIDING = "riding"
    STEALTH = "stealth"
    FLIGHT = "flight"
    OBSERVATION = "observation"
    PERSUASION = "persuasion"
    BLUFF = "bluff"
    INTIMIDATION = "intimidation"
    PSYCHOLOGY = "psychology"
    SEDUCTION = "seduction"
    NEGOTIATION = "negotiation"
    SEARCH = "search"
    MAGIC = "magic"
    GENERAL_KNOWLEDGE = "general_knowledge"
    ANIMAL_HANDLING = "animal_handling"
    LINGUISTICS = "linguistics"
    MEDICINE = "medicine"
    NAVIGATION = "navigation"
    TRANSFORMATION = "transformation"


class CydoniaAnswer(StrEnum):
    """What the other side rolls against a skill (CY-06)."""

    DIFFICULTY = "difficulty"
    ANY = "any"
    COURAGE = "attribute:courage"
    PHYSICAL_RESISTANCE = "physical_resistance"
    MENTAL_RESISTANCE = "mental_resistance"
    STAFF = "skill:staff"
    SMALL_BLADE = "skill:small_blade"
    BLADE = "skill:blade"
    AXE = "skill:axe"
    MACE = "skill:mace"
    HAMMER = "skill:hammer"
    BOW = "skill:bow"
    CROSSBOW = "skill:crossbow"
    POLEARM = "skill:polearm"
    FIREARM = "skill:firearm"
    SCYTHE = "skill:scythe"
    THROWING = "skill:throwing"
    MAGIC = "skill:magic"
    SHIELD = "skill:shield"
    DODGE = "skill:dodge"
    UNARMED = "skill:unarmed"
    RIDING = "skill:riding"
    OBSERVATION = "skill:observation"
    THEFT = "skill:theft"
    STEALTH = "skill:stealth"
    TRAPPING = "skill:trapping"
    PSYCHOLOGY = "skill:psychology"
    PERSUASION = "skill:persuasion"
    BLUFF = "skill:bluff"
    SEDUCTION = "skill:seduction"
    NEGOTIATION = "skill:negotiation"


class CydoniaRestriction(StrEnum):
    """What a skill asks for, or gives, beside its test."""

    WEAPON = "weapon"
    NECROMANCERS = "necromancers"
    REPLACES_DODGE = "replaces_dodge"
    NEEDS_TOOLS = "needs_tools"
    ALSO_THROWN_WEAPONS = "also_thrown_weapons"
    ONE_PER_TRADE = "one_per_trade"
    FAILURE_HURTS = "failure_hurts"
    DAMAGE_IS_PHYSIQUE = "damage_is_physique"
    DEFENSE = "defense"
    CLIMB_TWO_METERS = "climb_two_meters"
    ALLOWS_CHARGE = "allows_charge"
    LUTINS_ONLY = "lutins_only"
    REPUTATION_HELPS = "reputation_helps"
    DWARVES_EXPERT = "dwarves_expert"
    CREATURES = "creatures"
    ILLITERATE_AT_ZERO = "illiterate_at_zero"
    ONCE_A_DAY = "once_a_day"
    WEREWOLVES_ONLY = "werewolves_only"


class SkillRow(NamedTuple):
    """One skill: its rule, its attributes, what opposes it, what it asks for."""

    rule: str
    attributes: tuple[CydoniaAttribute, ...]
    """One, or several of which the caller names one; none if the skill is never rolled."""
    opposed_by: tuple[CydoniaAnswer, ...]
    notes: tuple[CydoniaRestriction, ...] = ()
    people: CydoniaPeople | None = None
    """The only people that may use it (CY-R69)."""
    expert_people: CydoniaPeople | None = None
    """The people that starts expert in it (CY-08)."""


_A, _R, _S = CydoniaAnswer, CydoniaRestriction, CydoniaSkill
_PHYSIQUE, _AGILITY = (CydoniaAttribute.PHYSIQUE,), (CydoniaAttribute.AGILITY,)
_DEXTERITY, _SENSES = (CydoniaAttribute.DEXTERITY,), (CydoniaAttribute.SENSES,)
_CHARISMA, _MIND = (CydoniaAttribute.CHARISMA,), (CydoniaAttribute.MIND,)
_LUCK = (CydoniaAttribute.LUCK,)

_DEFENSES = (_A.DODGE, _A.SHIELD, _A.RIDING)  # CY-49, CY-74
_ATTACKS = (  # CY-49: what a defense answers
    _A.STAFF, _A.SMALL_BLADE, _A.BLADE, _A.AXE, _A.MACE, _A.HAMMER, _A.BOW, _A.CROSSBOW,
    _A.POLEARM, _A.FIREARM, _A.SCYTHE, _A.THROWING, _A.UNARMED, _A.SHIELD, _A.MAGIC,
)  # fmt: skip

_WEAPON = SkillRow("CY-07", _DEXTERITY, _DEFENSES, (_R.WEAPON,))
_SOCIAL = (_R.REPUTATION_HELPS,)

SKILLS = {
    _S.STAFF: _WEAPON,
    _S.SMALL_BLADE: _WEAPON,
    _S.BLADE: _WEAPON,
    _S.AXE: _WEAPON,
    _S.MACE: _WEAPON,
    _S.HAMMER: _WEAPON,
    _S.BOW: _WEAPON,
    _S.CROSSBOW: _WEAPON,
    _S.POLEARM: _WEAPON,
    _S.FIREARM: _WEAPON,
    _S.SCYTHE: _WEAPON._replace(notes=(_R.WEAPON, _R.NECROMANCERS)),
    _S.SHIELD: SkillRow(  # CY-50, CY-65
        "CY-50", _DEXTERITY, (*_DEFENSES, *(a for a in _ATTACKS if a is not _A.SHIELD)),
        (_R.REPLACES_DODGE,),
    ),
    _S.THEFT: SkillRow("CY-18", _DEXTERITY, (_A.OBSERVATION,)),
    _S.LOCKPICKING: SkillRow("CY-19", _DEXTERITY, (_A.DIFFICULTY,), (_R.NEEDS_TOOLS,)),
    _S.THROWING: SkillRow(  # CY-R60
        "CY-20", _DEXTERITY, (_A.DIFFICULTY, *_DEFENSES), (_R.ALSO_THROWN_WEAPONS,)
    ),
    _S.TRADE: SkillRow(
        "CY-21", (*_DEXTERITY, *_MIND), (_A.DIFFICULTY,), (_R.ONE_PER_TRADE,)
    ),
    _S.TORTURE: SkillRow("CY-22", _DEXTERITY, (_A.MENTAL_RESISTANCE,), (_R.FAILURE_HURTS,)),
    _S.TRAPPING: SkillRow(  # CY-24: a trap that is built meets a difficulty
        "CY-23", _DEXTERITY, (_A.OBSERVATION, _A.DIFFICULTY)
    ),
    _S.RUNNING: SkillRow("CY-25", _PHYSIQUE, (_A.DIFFICULTY,)),
    _S.SWIMMING: SkillRow("CY-26", _PHYSIQUE, (_A.DIFFICULTY,)),
    _S.UNARMED: SkillRow(
        "CY-51", _PHYSIQUE, (_A.DODGE, _A.SHIELD, _A.UNARMED, _A.RIDING), (_R.DAMAGE_IS_PHYSIQUE,)
    ),
    _S.DODGE: SkillRow("CY-49", _AGILITY, _ATTACKS, (_R.DEFENSE,)),
    _S.ACROBATICS: SkillRow("CY-28", _AGILITY, (_A.DIFFICULTY,), (_R.CLIMB_TWO_METERS,)),
    _S.RIDING: SkillRow("CY-71", _AGILITY, (_A.DIFFICULTY, *_ATTACKS), (_R.ALLOWS_CHARGE,)),
    _S.STEALTH: SkillRow("CY-29", _AGILITY, (_A.OBSERVATION,)),
    _S.FLIGHT: SkillRow("CY-27", _AGILITY, (), (_R.LUTINS_ONLY,), people=CydoniaPeople.LUTIN),
    _S.OBSERVATION: SkillRow(
        "CY-30", _SENSES, (_A.DIFFICULTY, _A.THEFT, _A.STEALTH, _A.TRAPPING)
    ),
    _S.PERSUASION: SkillRow("CY-31", _CHARISMA, (_A.PSYCHOLOGY,), _SOCIAL),  # CY-R57
    _S.BLUFF: SkillRow("CY-32", _CHARISMA, (_A.PSYCHOLOGY,), _SOCIAL),
    _S.INTIMIDATION: SkillRow("CY-33", _CHARISMA, (_A.COURAGE,), _SOCIAL),
    _S.PSYCHOLOGY: SkillRow(  # CY-R56
        "CY-34", _CHARISMA, (_A.PSYCHOLOGY, _A.PERSUASION, _A.BLUFF, _A.SEDUCTION)
    ),
    _S.SEDUCTION: SkillRow("CY-35", _CHARISMA, (_A.PSYCHOLOGY,), _SOCIAL),
    _S.NEGOTIATION: SkillRow(
        "CY-36", _CHARISMA, (_A.NEGOTIATION,), (_R.DWARVES_EXPERT, _R.REPUTATION_HELPS),
        expert_people=CydoniaPeople.DWARF,
    ),
    _S.SEARCH: SkillRow("CY-37", _LUCK, (_A.DIFFICULTY, _A.ANY)),
    _S.MAGIC: SkillRow(  # CY-R66
        "CY-39", _MIND,
        (_A.DIFFICULTY, *_DEFENSES, _A.PHYSICAL_RESISTANCE, _A.MENTAL_RESISTANCE),
        (_R.CREATURES,),
    ),
    _S.GENERAL_KNOWLEDGE: SkillRow("CY-40", _MIND, (_A.DIFFICULTY,), (_R.ILLITERATE_AT_ZERO,)),
    _S.ANIMAL_HANDLING: SkillRow("CY-41", _MIND, (_A.DIFFICULTY,), (_R.CREATURES,)),
    _S.LINGUISTICS: SkillRow("CY-44", _MIND, (_A.DIFFICULTY,)),
    _S.MEDICINE: SkillRow("CY-45", _MIND, (_A.DIFFICULTY,), (_R.ONCE_A_DAY,)),  # CY-R57
    _S.NAVIGATION: SkillRow("CY-46", _MIND, (_A.DIFFICULTY,)),  # CY-R57
    _S.TRANSFORMATION: SkillRow(
        "CY-78", (), (), (_R.WEREWOLVES_ONLY,), people=CydoniaPeople.WEREWOLF
    ),
}  # fmt: skip

TABLES: tuple[Table, ...] = (
    Table(
        "attributes",
        ("CY-04", "CY-R08"),
        ("attribute", "nominal_min", "nominal_max", "used_for"),
        tuple((attribute, 1, NOMINAL, CydoniaUse(attribute)) for attribute in CydoniaAttribute),
    ),
    Table("ladder", ("CY-02", "CY-R07"), ("level", "difficulty"), tuple(LADDER.items())),
    Table(
        "skills",
        ("CY-05", "CY-06"),
        ("skill", "attributes", "opposed_by", "notes"),
        tuple((skill, row.attributes, row.opposed_by, row.notes) for skill, row in SKILLS.items()),
    ),
)
