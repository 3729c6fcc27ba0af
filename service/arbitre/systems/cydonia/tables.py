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
_LUCK, _COURAGE = (CydoniaAttribute.LUCK,), (CydoniaAttribute.COURAGE,)

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


class CydoniaModifierCode(StrEnum):
    CONCENTRATION = "concentration"
    CONCENTRATION_DAMAGE = "concentration_damage"
    CONCENTRATING_DEFENSE = "concentrating_defense"
    REPUTATION = "reputation"
    ITEMS = "items"
    CALLED_SHOT = "called_shot"
    TEETH = "teeth"
    CHAIN = "chain"
    RIDING = "riding"
    LOCATION_MARGIN = "location_margin"
    LOCATION_ATTACKER_MOUNTED = "location_attacker_mounted"
    LOCATION_DEFENDER_MOUNTED = "location_defender_mounted"
    MOUNT_CHARGE = "mount_charge"
    WILD_ANIMAL = "wild_animal"
    STUN_DECAY = "stun_decay"
    MODIFIER = "modifier"


class CydoniaApplies(StrEnum):
    """What a modifier is added to."""

    ROLL = "roll"
    DAMAGE = "damage"
    DEFENSE = "defense"
    CHARISMA = "charisma"
    VALUE = "value"
    ATTACK = "attack"
    LOCATION = "location"
    TAMING = "taming"
    STUN = "stun"
    ANYTHING = "anything"


CONCENTRATION = 2  # CY-15: what one turn is worth
CHAIN = -3  # CY-68: what each further action costs
WILD = 10  # CY-42
STUN_DECAY = -1  # CY-67


class CydoniaTable(StrEnum):
    WEAPON = "weapon"
    UNARMED = "unarmed"


class CydoniaWeaponTable(StrEnum):
    PRINTED = "printed"
    EXAMPLE = "example"


class CydoniaZone(StrEnum):
    RIGHT_FOOT = "right_foot"
    LEFT_FOOT = "left_foot"
    RIGHT_LEG = "right_leg"
    LEFT_LEG = "left_leg"
    RIGHT_SHOULDER = "right_shoulder"
    LEFT_SHOULDER = "left_shoulder"
    RIGHT_ARM = "right_arm"
    LEFT_ARM = "left_arm"
    RIGHT_HAND = "right_hand"
    LEFT_HAND = "left_hand"
    RIGHT_RIBS = "right_ribs"
    LEFT_RIBS = "left_ribs"
    ABDOMEN = "abdomen"
    TORSO = "torso"
    WEAPON = "weapon"
    GROIN = "groin"
    THROAT = "throat"
    HEAD = "head"


class CydoniaZoneGroup(StrEnum):
    FOOT = "foot"
    LEG = "leg"
    SHOULDER = "shoulder"
    ARM = "arm"
    HAND = "hand"
    RIBS = "ribs"
    ABDOMEN = "abdomen"
    TORSO = "torso"
    WEAPON = "weapon"
    GROIN = "groin"
    THROAT = "throat"
    HEAD = "head"


class CydoniaBodySide(StrEnum):
    RIGHT = "right"
    LEFT = "left"


class CydoniaEffectKind(StrEnum):
    PARALYSIS = "paralysis"
    STUN = "stun"


class Handful(NamedTuple):
    """Some equal dice."""

    number: int
    sides: int


_Z, _G = CydoniaZone, CydoniaZoneGroup
_LIMBS = (_G.FOOT, _G.LEG, _G.SHOULDER, _G.ARM, _G.HAND, _G.RIBS)

ZONES: dict[CydoniaZone, tuple[CydoniaZoneGroup, CydoniaBodySide | None]] = {
    **{
        CydoniaZone(f"{side}_{group}"): (group, side)
        for group in _LIMBS
        for side in CydoniaBodySide
    },
    **{
        CydoniaZone(group.value): (group, None) for group in CydoniaZoneGroup if group not in _LIMBS
    },
}
"""Group and side of each zone; the arms are in neither location table (CY-R17)."""

VITAL = (_G.ABDOMEN, _G.TORSO, _G.HEAD)  # CY-63, CY-R21

LOCATION_SIDES = 20  # CY-53
LOCATIONS = {  # CY-53; row 8 of both has lost its number (CY-R11)
    CydoniaTable.WEAPON: (
        _Z.RIGHT_FOOT, _Z.LEFT_FOOT, _Z.RIGHT_LEG, _Z.LEFT_LEG, _Z.RIGHT_SHOULDER,
        _Z.LEFT_SHOULDER, _Z.RIGHT_HAND, _Z.LEFT_HAND, _Z.ABDOMEN, _Z.ABDOMEN,
        _Z.ABDOMEN, _Z.ABDOMEN, _Z.WEAPON, _Z.TORSO, _Z.TORSO,
        _Z.TORSO, _Z.TORSO, _Z.THROAT, _Z.HEAD, _Z.TORSO,
    ),
    CydoniaTable.UNARMED: (
        _Z.RIGHT_LEG, _Z.LEFT_LEG, _Z.RIGHT_SHOULDER, _Z.LEFT_SHOULDER, _Z.RIGHT_RIBS,
        _Z.LEFT_RIBS, _Z.RIGHT_RIBS, _Z.LEFT_RIBS, _Z.ABDOMEN, _Z.ABDOMEN,
        _Z.ABDOMEN, _Z.ABDOMEN, _Z.GROIN, _Z.HEAD, _Z.HEAD,
        _Z.HEAD, _Z.HEAD, _Z.HEAD, _Z.THROAT, _Z.HEAD,
    ),
}  # fmt: skip
SWAPPED = {_Z.THROAT: _Z.HEAD, _Z.HEAD: _Z.THROAT}  # CY-R13: rows 18 and 19 the other way round

MOST_LOCATION_MARGIN = 5  # CY-54
MOUNTED_LOCATION = 5  # CY-73, CY-74

PRECISE = -6  # CY-55
VERY_PRECISE = -8  # CY-55
_SPECIAL = (_Z.GROIN, _Z.THROAT, _Z.HEAD)

EXTRA_DICE = {  # CY-56, CY-R18
    (_Z.THROAT, CydoniaTable.WEAPON): Handful(2, 10),
    (_Z.THROAT, CydoniaTable.UNARMED): Handful(2, 10),
    (_Z.HEAD, CydoniaTable.WEAPON): Handful(1, 20),
}
PARALYZING = _Z.GROIN  # CY-57, CY-R17
PARALYSIS_DIFFICULTY = 25  # CY-57
PARALYSIS_TURNS = 1  # CY-57


def called_modifier(zone: CydoniaZone, table: CydoniaTable) -> int:
    """CY-55, CY-R17: a very precise zone costs more, except the head with bare hands."""
    if zone is _Z.HEAD and table is CydoniaTable.UNARMED:
        return PRECISE
    return VERY_PRECISE if zone in _SPECIAL else PRECISE


class CydoniaMethod(StrEnum):
    WEAPON = "weapon"
    THROWN = "thrown"
    UNARMED = "unarmed"
    CLAWS = "claws"
    TEETH = "teeth"
    SHIELD_BASH = "shield_bash"
    SPELL = "spell"


class CydoniaNature(StrEnum):
    PHYSICAL = "physical"
    AREA = "area"
    IMMATERIAL = "immaterial"
    MENTAL = "mental"


class CydoniaMeans(StrEnum):
    DODGE = "dodge"
    SHIELD = "shield"
    UNARMED = "unarmed"
    RIDING = "riding"
    PHYSICAL_RESISTANCE = "physical_resistance"
    MENTAL_RESISTANCE = "mental_resistance"
    NONE = "none"


class CydoniaPreset(StrEnum):
    UNARMED = "unarmed"
    CLAWS = "claws"
    TEETH = "teeth"
    THROW = "throw"
    SLAM = "slam"


class PresetRow(NamedTuple):
    """A natural attack: dice beside Physique, what it costs the roll, its location table."""

    rule: str
    dice: tuple[Handful, ...]
    modifier: int
    table: CydoniaTable | None
    """None where no location is rolled: no zone dice either."""


PRESETS = {
    CydoniaPreset.UNARMED: PresetRow("CY-60", (), 0, CydoniaTable.UNARMED),
    CydoniaPreset.CLAWS: PresetRow("CY-60", (Handful(1, 10),), 0, CydoniaTable.UNARMED),
    CydoniaPreset.TEETH: PresetRow("CY-61", (Handful(2, 10),), -6, CydoniaTable.UNARMED),
    CydoniaPreset.THROW: PresetRow("CY-69", (Handful(1, 10),), 0, None),
    CydoniaPreset.SLAM: PresetRow("CY-69", (Handful(1, 10),), 0, None),
}

BARE = {  # CY-49, CY-80, CY-R41
    CydoniaMethod.UNARMED: CydoniaPreset.UNARMED,
    CydoniaMethod.CLAWS: CydoniaPreset.CLAWS,
    CydoniaMethod.TEETH: CydoniaPreset.TEETH,
}
METHOD_SKILLS = {  # CY-49
    CydoniaMethod.THROWN: _S.THROWING,  # CY-R60
    CydoniaMethod.SHIELD_BASH: _S.SHIELD,  # CY-65
    CydoniaMethod.SPELL: _S.MAGIC,
    **dict.fromkeys(BARE, _S.UNARMED),
}
MEANS_SKILLS = {  # CY-49
    CydoniaMeans.DODGE: _S.DODGE,
    CydoniaMeans.SHIELD: _S.SHIELD,
    CydoniaMeans.UNARMED: _S.UNARMED,
    CydoniaMeans.RIDING: _S.RIDING,
}
CONCENTRATING_DEFENSE = -6  # CY-16


def allowed_means(
    method: CydoniaMethod, nature: CydoniaNature, *, mounted: bool
) -> tuple[CydoniaMeans, ...]:
    """CY-49 to CY-52, CY-74: the defenses that answer an attack, the usual one first."""
    if nature is CydoniaNature.IMMATERIAL:  # CY-52
        return (CydoniaMeans.PHYSICAL_RESISTANCE, CydoniaMeans.NONE)
    if nature is CydoniaNature.MENTAL:
        return (CydoniaMeans.MENTAL_RESISTANCE, CydoniaMeans.NONE)
    usual = CydoniaMeans.RIDING if mounted else CydoniaMeans.DODGE  # CY-R39
    if nature is CydoniaNature.AREA:  # CY-50
        return (usual, CydoniaMeans.NONE)
    hands = (CydoniaMeans.UNARMED,) if method in BARE and not mounted else ()  # CY-51, CY-R61
    return (usual, CydoniaMeans.SHIELD, *hands, CydoniaMeans.NONE)


class CydoniaGait(StrEnum):
    MOUNT_UP = "mount_up"
    WALK = "walk"
    TROT = "trot"
    GALLOP = "gallop"
    TRIPLE_GALLOP = "triple_gallop"
    CUSTOM = "custom"


GAITS = {  # CY-71, CY-R36
    CydoniaGait.MOUNT_UP: 10,
    CydoniaGait.WALK: 10,
    CydoniaGait.TROT: 15,
    CydoniaGait.GALLOP: 20,
    CydoniaGait.TRIPLE_GALLOP: 25,
}


class CydoniaMedicineTable(StrEnum):
    PRINTED = "printed"
    REGULAR = "regular"


BRACKET = 5  # CY-43, CY-45: brackets of five
MISPRINT = 21  # CY-R31: from here the printed brackets are one behind


def brackets(value: int) -> int:
    """CY-43, CY-45: each started five counts one."""
    return max(0, -(-value // BRACKET))


def penalty_removed(total: int, table: CydoniaMedicineTable) -> int:
    """CY-45, CY-R31: penalty points that medicine removes."""
    behind = table is CydoniaMedicineTable.PRINTED and total >= MISPRINT
    return brackets(total) - behind


class CydoniaComfort(StrEnum):
    OPEN_AIR = "open_air"
    BEDROLL = "bedroll"
    TENT = "tent"
    STRAW_BED = "straw_bed"
    LUXURY_ROOM = "luxury_room"


REST_DICE = (4, 6, 10, 20)  # CY-82


class CydoniaTitle(StrEnum):
    ADORED_LEGEND = "adored_legend"
    ADORED_CELEBRITY = "adored_celebrity"
    ADORED_KNIGHT = "adored_knight"
    RESPECTED_KNIGHT = "respected_knight"
    KNIGHT = "knight"
    RECOGNIZED_WARRIOR = "recognized_warrior"
    WELL_SEEN_IN_TOWN = "well_seen_in_town"
    WELL_SEEN_IN_DISTRICT = "well_seen_in_district"
    KNOWN_AROUND = "known_around"
    ORDINARY_LIFE = "ordinary_life"
    INSIGNIFICANT_LIFE = "insignificant_life"
    ILL_SEEN_IN_DISTRICT = "ill_seen_in_district"
    ILL_SEEN_IN_TOWN = "ill_seen_in_town"
    RECOGNIZED_BANDIT = "recognized_bandit"
    FEARED_BANDIT = "feared_bandit"
    TERRIFYING_BANDIT = "terrifying_bandit"
    CURSED_BANDIT = "cursed_bandit"
    DREADED_CELEBRITY = "dreaded_celebrity"
    DREADED_LEGEND = "dreaded_legend"


class CydoniaBards(StrEnum):
    """How many bards sing of the character."""

    ALL = "all"
    MANY = "many"
    MOST = "most"
    SOME = "some"
    A_FEW = "a_few"


class Renown(NamedTuple):
    """One rung of the ladder of reputation."""

    title: CydoniaTitle
    bounty: int = 0
    bards: CydoniaBards | None = None


_T, _B = CydoniaTitle, CydoniaBards
MOST_LEVEL = 10  # CY-88
RENOWN = {  # CY-88; the bards of 8 and 9 are as printed
    10: Renown(_T.ADORED_LEGEND, bards=_B.ALL),
    9: Renown(_T.ADORED_CELEBRITY, bards=_B.MANY),
    8: Renown(_T.ADORED_KNIGHT, bards=_B.MOST),
    7: Renown(_T.RESPECTED_KNIGHT, bards=_B.SOME),
    6: Renown(_T.KNIGHT, bards=_B.A_FEW),
    5: Renown(_T.RECOGNIZED_WARRIOR),
    4: Renown(_T.WELL_SEEN_IN_TOWN),
    3: Renown(_T.WELL_SEEN_IN_DISTRICT),
    2: Renown(_T.KNOWN_AROUND),
    1: Renown(_T.ORDINARY_LIFE),
    0: Renown(_T.INSIGNIFICANT_LIFE),
    -1: Renown(_T.ORDINARY_LIFE),  # CY-R53
    -2: Renown(_T.KNOWN_AROUND),  # CY-R53
    -3: Renown(_T.ILL_SEEN_IN_DISTRICT),
    -4: Renown(_T.ILL_SEEN_IN_TOWN),
    -5: Renown(_T.RECOGNIZED_BANDIT, 10),
    -6: Renown(_T.FEARED_BANDIT, 20, _B.A_FEW),
    -7: Renown(_T.TERRIFYING_BANDIT, 50, _B.SOME),
    -8: Renown(_T.CURSED_BANDIT, 100, _B.MOST),
    -9: Renown(_T.DREADED_CELEBRITY, 200, _B.MANY),
    -10: Renown(_T.DREADED_LEGEND, 400, _B.ALL),
}


def level_cost(level: int, way: int) -> int | None:
    """CY-90, CY-R51: points to the next level up (+1) or down (-1); none at the cap."""
    reached = level + way
    return None if abs(reached) > MOST_LEVEL else max(1, abs(reached))


class CydoniaPurchase(StrEnum):
    ATTRIBUTE = "attribute"
    SKILL = "skill"
    HP = "hp"
    MANA = "mana"
    COMPANION_STAT = "companion_stat"
    SPELL = "spell"
    SHIRA = "shira"


class CydoniaCurrency(StrEnum):
    XP = "xp"
    LEARNING_POINTS = "learning_points"
    SHIRA_XP = "shira_xp"


class Price(NamedTuple):
    """What a purchase gives and costs; no price in the book where the caller's is needed."""

    rule: str
    gain: int
    cost: int | None
    currency: CydoniaCurrency


PRICES = {  # CY-92, CY-93, CY-94, CY-R54
    CydoniaPurchase.ATTRIBUTE: Price("CY-92", 1, 4, CydoniaCurrency.XP),
    CydoniaPurchase.SKILL: Price("CY-92", 1, 2, CydoniaCurrency.XP),
    CydoniaPurchase.HP: Price("CY-92", 3, 1, CydoniaCurrency.XP),
    CydoniaPurchase.MANA: Price("CY-92", 3, 1, CydoniaCurrency.XP),
    CydoniaPurchase.COMPANION_STAT: Price("CY-92", 1, 2, CydoniaCurrency.XP),
    CydoniaPurchase.SPELL: Price("CY-93", 1, None, CydoniaCurrency.LEARNING_POINTS),
    CydoniaPurchase.SHIRA: Price("CY-94", 1, None, CydoniaCurrency.SHIRA_XP),
}


class CydoniaAward(StrEnum):
    FULL_SCENARIO = "full_scenario"
    SCENARIO_SUCCESS = "scenario_success"
    SHIRA_IMPROVEMENT = "shira_improvement"
    KEI_RESPECT = "kei_respect"
    REPUTATION = "reputation"
    BEST_IDEA = "best_idea"
    BEST_ACTION = "best_action"
    BEST_FIGHTER = "best_fighter"
    BEST_ROLEPLAY = "best_roleplay"
    BEST_PUNCHLINE = "best_punchline"
    UNLUCKIEST = "unluckiest"


class CydoniaIndividualAward(StrEnum):
    BEST_IDEA = "best_idea"
    BEST_ACTION = "best_action"
    BEST_FIGHTER = "best_fighter"
    BEST_ROLEPLAY = "best_roleplay"
    BEST_PUNCHLINE = "best_punchline"
    UNLUCKIEST = "unluckiest"


class CydoniaChoice(StrEnum):
    XP = "xp"
    LEARNING_POINTS = "learning_points"


class CydoniaCondition(StrEnum):
    """Who may have an award."""

    HASAKI = "hasaki"
    HASAKI_NOT_SHAMAN = "hasaki_not_shaman"
    SHAMAN = "shaman"
    GAME_MASTER = "game_master"
    VOTE = "vote"


class Worth(NamedTuple):
    """What an award gives; of ``xp`` and ``learning_points`` one only where it is a choice."""

    xp: int = 0
    learning_points: int = 0
    shira_xp: int = 0
    choice: bool = False


COMMON_AWARDS = {  # CY-95
    CydoniaAward.FULL_SCENARIO: Worth(2, 1),
    CydoniaAward.SCENARIO_SUCCESS: Worth(2, 1),
    CydoniaAward.SHIRA_IMPROVEMENT: Worth(shira_xp=2),
    CydoniaAward.KEI_RESPECT: Worth(shira_xp=2),
}
SHAMAN_RESPECT = Worth(learning_points=1)  # CY-R55
INDIVIDUAL_AWARDS = {  # CY-96
    CydoniaIndividualAward.BEST_IDEA: Worth(2, 1, choice=True),
    CydoniaIndividualAward.BEST_ACTION: Worth(2, 1, choice=True),
    CydoniaIndividualAward.BEST_FIGHTER: Worth(2, 1, choice=True),
    CydoniaIndividualAward.BEST_ROLEPLAY: Worth(2, 1, choice=True),
    CydoniaIndividualAward.BEST_PUNCHLINE: Worth(1),
    CydoniaIndividualAward.UNLUCKIEST: Worth(1),
}


class CydoniaSlot(StrEnum):
    JEWELS = "jewels"
    MAIN_WEAPON = "main_weapon"
    SECONDARY_WEAPON = "secondary_weapon"
    HEAD = "head"
    TORSO = "torso"
    ARMS = "arms"
    HANDS = "hands"
    LEGS = "legs"
    FEET = "feet"


SLOTS = {slot: 5 if slot is CydoniaSlot.JEWELS else 1 for slot in CydoniaSlot}  # CY-87
SMALL_PER_PHYSIQUE = 5  # CY-86
LARGE_PER_PHYSIQUE = 1  # CY-86
LARGE_UNITS = 5  # CY-R49


class CydoniaHeld(StrEnum):
    MAIN = "main"
    SECONDARY = "secondary"
    STOWED = "stowed"
    NONE = "none"


def turns_lost(to: CydoniaHeld) -> int:
    """CY-64, CY-R65: only a stowed weapon takes the turn, whatever is put away."""
    return int(to is CydoniaHeld.STOWED)


_C, _P = CydoniaModifierCode, CydoniaApplies
_MODIFIERS = (  # no value where the caller's decides
    (_C.CONCENTRATION, _P.ROLL, CONCENTRATION, "CY-15"),
    (_C.CONCENTRATION_DAMAGE, _P.DAMAGE, CONCENTRATION, "CY-15"),
    (_C.CONCENTRATING_DEFENSE, _P.DEFENSE, CONCENTRATING_DEFENSE, "CY-16"),
    (_C.REPUTATION, _P.CHARISMA, None, "CY-17"),
    (_C.ITEMS, _P.VALUE, None, "CY-14"),
    (_C.CALLED_SHOT, _P.ATTACK, (VERY_PRECISE, PRECISE), "CY-55"),
    (_C.TEETH, _P.ATTACK, PRESETS[CydoniaPreset.TEETH].modifier, "CY-61"),
    (_C.CHAIN, _P.ATTACK, CHAIN, "CY-68"),
    (_C.RIDING, _P.ATTACK, None, "CY-73"),
    (_C.LOCATION_MARGIN, _P.LOCATION, (0, MOST_LOCATION_MARGIN), "CY-54"),
    (_C.LOCATION_ATTACKER_MOUNTED, _P.LOCATION, MOUNTED_LOCATION, "CY-73"),
    (_C.LOCATION_DEFENDER_MOUNTED, _P.LOCATION, -MOUNTED_LOCATION, "CY-74"),
    (_C.MOUNT_CHARGE, _P.DAMAGE, None, "CY-76"),
    (_C.WILD_ANIMAL, _P.TAMING, WILD, "CY-42"),
    (_C.STUN_DECAY, _P.STUN, STUN_DECAY, "CY-67"),
    (_C.MODIFIER, _P.ANYTHING, None, "CY-R68"),
)


class CydoniaPlainTest(StrEnum):
    """A test without a skill."""

    COURAGE = "courage"
    PHYSICAL_RESISTANCE = "physical_resistance"
    MENTAL_RESISTANCE = "mental_resistance"
    DOUBLE_ATTRIBUTE = "double_attribute"


_PLAIN_TESTS = (
    (CydoniaPlainTest.COURAGE, _COURAGE, 1, "CY-12"),
    (CydoniaPlainTest.PHYSICAL_RESISTANCE, (*_COURAGE, *_PHYSIQUE), 1, "CY-10"),
    (CydoniaPlainTest.MENTAL_RESISTANCE, (*_COURAGE, *_MIND), 1, "CY-11"),
    (CydoniaPlainTest.DOUBLE_ATTRIBUTE, _PHYSIQUE, 2, "CY-70"),
)

_FAMILIES = {  # CY-07
    _S.STAFF: "bâton, baguette, épieu",
    _S.SMALL_BLADE: "couteau, poignard",
    _S.BLADE: "dague, épée courte, glaive, sabre, épée longue, épée à deux mains",
    _S.AXE: "hachette, hache de bûcheron, hache de combat, hache à double tranchant",
    _S.MACE: "gourdin, masse, fléau, morgenstern",
    _S.HAMMER: "marteau de forgeron, marteau de guerre, grand marteau de guerre",
    _S.BOW: "arc de chasse, arc long, arc elfique",
    _S.CROSSBOW: "arbalète, grande arbalète",
    _S.THROWING: "couteau de lancer, hachette de lancer",
    _S.POLEARM: "lance, hallebarde",
    _S.FIREARM: "pistolet, fusil",
    _S.SCYTHE: "faux",
}


def _dice(dice: Handful | None) -> str | None:
    return f"{dice.number}d{dice.sides}" if dice else None


def _location_rows(table: CydoniaTable) -> tuple[tuple[int | str | None, ...], ...]:
    return tuple(
        (
            row,
            zone,
            _dice(EXTRA_DICE.get((zone, table))),
            CydoniaEffectKind.PARALYSIS if zone is PARALYZING else None,
        )
        for row, zone in enumerate(LOCATIONS[table], 1)
    )


def _from_to(value: int) -> tuple[int, int]:
    """Return the bracket of five that ``value`` ends."""
    return value - BRACKET + 1, value


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
    Table(
        "plain-tests",
        ("CY-10", "CY-11", "CY-12", "CY-70"),
        ("test", "attributes", "times", "rule"),
        _PLAIN_TESTS,
    ),
    Table("weapon-families", ("CY-07", "CY-R60"), ("skill", "weapons"), tuple(_FAMILIES.items())),
    Table(
        "weapon-locations",
        ("CY-53", "CY-56", "CY-R11", "CY-R12", "CY-R13", "CY-R14"),
        ("row", "zone", "extra_dice", "effect"),
        _location_rows(CydoniaTable.WEAPON),
    ),
    Table(
        "unarmed-locations",
        ("CY-53", "CY-56", "CY-57", "CY-R11", "CY-R14"),
        ("row", "zone", "extra_dice", "effect"),
        _location_rows(CydoniaTable.UNARMED),
    ),
    Table(
        "zones",
        ("CY-55", "CY-56", "CY-63", "CY-R17", "CY-R21"),
        (
            "zone",
            "group",
            "body_side",
            "vital",
            "called_weapon",
            "called_unarmed",
            "extra_weapon",
            "extra_unarmed",
            "effect",
        ),
        tuple(
            (
                zone,
                group,
                side,
                group in VITAL,
                *(called_modifier(zone, table) for table in CydoniaTable),
                *(_dice(EXTRA_DICE.get((zone, table))) for table in CydoniaTable),
                CydoniaEffectKind.PARALYSIS if zone is PARALYZING else None,
            )
            for zone, (group, side) in ZONES.items()
        ),
    ),
    Table(
        "defenses",
        ("CY-49", "CY-50", "CY-51", "CY-52", "CY-74", "CY-98", "CY-R39", "CY-R61"),
        ("nature", "methods", "on_foot", "mounted"),
        tuple(
            (
                nature,
                methods,
                allowed_means(methods[0], nature, mounted=False),
                allowed_means(methods[0], nature, mounted=True),
            )
            for nature, methods in (
                (
                    CydoniaNature.PHYSICAL,
                    tuple(method for method in CydoniaMethod if method not in BARE),
                ),
                (CydoniaNature.PHYSICAL, tuple(BARE)),
                *(
                    (nature, tuple(CydoniaMethod))
                    for nature in CydoniaNature
                    if nature is not CydoniaNature.PHYSICAL
                ),
            )
        ),
    ),
    Table("gaits", ("CY-71", "CY-R36"), ("gait", "difficulty"), tuple(GAITS.items())),
    Table(
        "medicine",
        ("CY-45", "CY-R31"),
        ("total_min", "total_max", "printed", "regular"),
        tuple(
            (*_from_to(last), *(penalty_removed(last, table) for table in CydoniaMedicineTable))
            for last in range(BRACKET, 36, BRACKET)
        ),
    ),
    Table("rest-dice", ("CY-82", "CY-R30"), ("sides",), tuple((sides,) for sides in REST_DICE)),
    Table("comforts", ("CY-82", "CY-R30"), ("comfort",), tuple((row,) for row in CydoniaComfort)),
    Table(
        "creatures",
        ("CY-43", "CY-R47"),
        ("skill_min", "skill_max", "creatures"),
        (
            (0, 0, brackets(0)),
            *((*_from_to(last), brackets(last)) for last in range(BRACKET, MAX_SKILL + 1, BRACKET)),
        ),
    ),
    Table(
        "reputation",
        ("CY-88", "CY-R53"),
        ("level", "renown", "bounty_gold", "bards"),
        tuple((level, *row) for level, row in RENOWN.items()),
    ),
    Table(
        "reputation-costs",
        ("CY-90", "CY-R51"),
        ("level", "up", "down"),
        tuple((level, level_cost(level, 1), level_cost(level, -1)) for level in RENOWN),
    ),
    Table(
        "experience",
        ("CY-92", "CY-93", "CY-94", "CY-R54"),
        ("purchase", "gain", "cost", "currency"),
        tuple((kind, row.gain, row.cost, row.currency) for kind, row in PRICES.items()),
    ),
    Table(
        "awards",
        ("CY-95", "CY-96", "CY-R55"),
        ("award", "xp", "learning_points", "shira_xp", "either", "condition"),
        (
            *(
                (key, *row, condition)
                for (key, row), condition in zip(
                    COMMON_AWARDS.items(),
                    (None, None, CydoniaCondition.HASAKI, CydoniaCondition.HASAKI_NOT_SHAMAN),
                    strict=True,
                )
            ),
            (CydoniaAward.KEI_RESPECT, *SHAMAN_RESPECT, CydoniaCondition.SHAMAN),
            (CydoniaAward.REPUTATION, None, None, None, False, CydoniaCondition.GAME_MASTER),
            *((key, *row, CydoniaCondition.VOTE) for key, row in INDIVIDUAL_AWARDS.items()),
        ),
    ),
    Table(
        "modifiers",
        (
            "CY-14",
            "CY-15",
            "CY-16",
            "CY-17",
            "CY-42",
            "CY-54",
            "CY-55",
            "CY-61",
            "CY-67",
            "CY-68",
            "CY-73",
            "CY-74",
            "CY-76",
            "CY-R68",
        ),
        ("code", "applies_to", "value", "rule"),
        _MODIFIERS,
    ),
    Table(
        "natural-attacks",
        ("CY-60", "CY-61", "CY-69"),
        ("attack", "dice", "modifier", "table"),
        tuple(
            (preset, ", ".join(filter(None, map(_dice, row.dice))) or None, row.modifier, row.table)
            for preset, row in PRESETS.items()
        ),
    ),
    Table("equipment-slots", ("CY-87",), ("slot", "maximum"), tuple(SLOTS.items())),
    Table(
        "weapon-changes",
        ("CY-64", "CY-R65"),
        ("from", "to", "turns_lost", "can_attack"),
        tuple(
            (before, after, turns_lost(after), not turns_lost(after))
            for before in CydoniaHeld
            for after in CydoniaHeld
            if before is not after or after is CydoniaHeld.STOWED
        ),
    ),
)
