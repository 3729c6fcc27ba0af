"""The tables of the book, as data; the rules read their numbers here."""

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from arbitre.rules.tables import Table


class NightProwlerAttribute(StrEnum):  # NP-02
    DEXTERITY = "dexterity"
    CHARACTER = "character"
    ROBUSTNESS = "robustness"
    WITS = "wits"


class NightProwlerDifficulty(StrEnum):
    SIMPLE = "simple"
    ROUTINE = "routine"
    EASY = "easy"
    CHILDISH = "childish"
    UNMISSABLE = "unmissable"
    COMPLEX = "complex"
    PROBLEMATIC = "problematic"
    ARDUOUS = "arduous"
    INEXTRICABLE = "inextricable"
    SUICIDAL = "suicidal"


class Band(NamedTuple):
    least: int
    most: int | None
    bonus: NightProwlerDifficulty
    penalty: NightProwlerDifficulty


STEP = 3  # NP-06, NP-R13: one step of difficulty

BANDS = (  # NP-06
    Band(1, STEP, NightProwlerDifficulty.SIMPLE, NightProwlerDifficulty.COMPLEX),
    Band(STEP + 1, 2 * STEP, NightProwlerDifficulty.ROUTINE, NightProwlerDifficulty.PROBLEMATIC),
    Band(2 * STEP + 1, 3 * STEP, NightProwlerDifficulty.EASY, NightProwlerDifficulty.ARDUOUS),
    Band(
        3 * STEP + 1, 4 * STEP, NightProwlerDifficulty.CHILDISH, NightProwlerDifficulty.INEXTRICABLE
    ),
    Band(4 * STEP + 1, None, NightProwlerDifficulty.UNMISSABLE, NightProwlerDifficulty.SUICIDAL),
)


class NightProwlerQualityLabel(StrEnum):
    ANECDOTAL = "anecdotal"
    CLEAR = "clear"
    EXCELLENT = "excellent"
    EXCEPTIONAL = "exceptional"
    CRITICAL = "critical"
    DISASTROUS = "disastrous"
    SEVERE = "severe"
    BENIGN = "benign"
    CRITICAL_FAILURE = "critical_failure"


class NightProwlerConsequence(StrEnum):
    NOTHING_NOTABLE = "nothing_notable"
    ANECDOTAL_BENEFIT = "anecdotal_benefit"
    INTERESTING_ADVANTAGE = "interesting_advantage"
    BEST_EXPECTED = "best_expected"
    SPECTACULAR = "spectacular"
    VERY_SERIOUS = "very_serious"
    COMPROMISED = "compromised"
    MAJOR_COMPLICATION = "major_complication"
    MINOR_COMPLICATION = "minor_complication"
    NO_NOTABLE = "no_notable"
    CATASTROPHE = "catastrophe"


class Grade(NamedTuple):
    """One half of a row: what a success, or a failure, of these faces is worth."""

    label: NightProwlerQualityLabel
    quality: int
    consequence: NightProwlerConsequence


class Reading(NamedTuple):
    least: int
    most: int
    success: Grade
    failure: Grade


_Q = NightProwlerQualityLabel
_C = NightProwlerConsequence

READINGS = (  # NP-08
    Reading(
        1, 4,
        Grade(_Q.ANECDOTAL, 1, _C.NOTHING_NOTABLE), Grade(_Q.CRITICAL, -5, _C.VERY_SERIOUS),
    ),
    Reading(
        5, 8,
        Grade(_Q.CLEAR, 2, _C.ANECDOTAL_BENEFIT), Grade(_Q.DISASTROUS, -4, _C.COMPROMISED),
    ),
    Reading(
        9, 12,
        Grade(_Q.EXCELLENT, 3, _C.INTERESTING_ADVANTAGE),
        Grade(_Q.SEVERE, -3, _C.MAJOR_COMPLICATION),
    ),
    Reading(
        13, 16,
        Grade(_Q.EXCEPTIONAL, 4, _C.BEST_EXPECTED), Grade(_Q.CLEAR, -2, _C.MINOR_COMPLICATION),
    ),
    Reading(
        17, 19,
        Grade(_Q.CRITICAL, 5, _C.SPECTACULAR), Grade(_Q.BENIGN, -1, _C.NO_NOTABLE),
    ),
    Reading(
        20, 20,
        Grade(_Q.CRITICAL, 5, _C.SPECTACULAR),  # NP-R2
        Grade(_Q.CRITICAL_FAILURE, -5, _C.CATASTROPHE),  # NP-R3
    ),
)  # fmt: skip


class NightProwlerObstacle(StrEnum):
    WINDOW = "window"
    SIMPLE_LOCK = "simple_lock"
    SOPHISTICATED_LOCK = "sophisticated_lock"
    ENGINEER_LOCK = "engineer_lock"
    SIMPLE_TRAP = "simple_trap"
    COMPLICATED_TRAP = "complicated_trap"
    MAGIC_TRAP = "magic_trap"
    SAFE = "safe"


BURGLARY = {  # NP-16
    NightProwlerObstacle.WINDOW: 0,
    NightProwlerObstacle.SIMPLE_LOCK: 0,
    NightProwlerObstacle.SOPHISTICATED_LOCK: -2,
    NightProwlerObstacle.ENGINEER_LOCK: -4,
    NightProwlerObstacle.SIMPLE_TRAP: 0,
    NightProwlerObstacle.COMPLICATED_TRAP: -4,
    NightProwlerObstacle.MAGIC_TRAP: -8,
    NightProwlerObstacle.SAFE: -5,
}


class NightProwlerSkill(StrEnum):
    ACROBATICS = "acrobatics"
    ART = "art"
    CRAFT = "craft"
    ATHLETICS = "athletics"
    BREWING = "brewing"
    BURGLARY = "burglary"
    BRAWLING = "brawling"
    ARMED_COMBAT = "armed_combat"
    ACTING = "acting"
    COMMERCE = "commerce"
    KNOWLEDGE = "knowledge"
    DISGUISE = "disguise"
    STEALTH = "stealth"
    EMPATHY = "empathy"
    ANIMAL_EMPATHY = "animal_empathy"
    RIDING = "riding"
    FORGERY = "forgery"
    INTIMIDATION = "intimidation"
    LANGUAGE = "language"
    LITERACY = "literacy"
    SLEIGHT_OF_HAND = "sleight_of_hand"
    PERCEPTION = "perception"
    CARE = "care"
    STREETWISE = "streetwise"


class NightProwlerMilieu(StrEnum):
    ARTISTIC = "artistic"
    MERCHANT = "merchant"
    KNOWLEDGE = "knowledge"


class NightProwlerLimit(StrEnum):
    """What of a skill the trait Determination limits."""

    NONE = "none"
    WHOLE = "whole"
    EXCEPT_NATURE = "except_nature"
    EXCEPT_MELORIEN = "except_melorien"
    SURGERY = "surgery"


class SkillRow(NamedTuple):
    attributes: tuple[NightProwlerAttribute, ...] = ()
    specialty: bool = False
    limit: NightProwlerLimit = NightProwlerLimit.NONE
    milieu: NightProwlerMilieu | None = None


_S = NightProwlerSkill
_A = NightProwlerAttribute
_L = NightProwlerLimit

SKILLS = {  # NP-03, NP-27, NP-R101
    _S.ACROBATICS: SkillRow((_A.DEXTERITY,)),
    _S.ART: SkillRow(specialty=True, milieu=NightProwlerMilieu.ARTISTIC),
    _S.CRAFT: SkillRow(specialty=True),
    _S.ATHLETICS: SkillRow((_A.ROBUSTNESS,)),
    _S.BREWING: SkillRow(specialty=True, limit=_L.WHOLE),
    _S.BURGLARY: SkillRow((_A.DEXTERITY,)),
    _S.BRAWLING: SkillRow((_A.ROBUSTNESS,)),
    _S.ARMED_COMBAT: SkillRow((_A.DEXTERITY,), specialty=True),
    _S.ACTING: SkillRow((_A.CHARACTER,)),
    _S.COMMERCE: SkillRow((_A.WITS,), milieu=NightProwlerMilieu.MERCHANT),
    _S.KNOWLEDGE: SkillRow(
        specialty=True, limit=_L.EXCEPT_NATURE, milieu=NightProwlerMilieu.KNOWLEDGE
    ),
    _S.DISGUISE: SkillRow((_A.DEXTERITY,)),
    _S.STEALTH: SkillRow((_A.DEXTERITY,)),
    _S.EMPATHY: SkillRow((_A.CHARACTER, _A.WITS)),
    _S.ANIMAL_EMPATHY: SkillRow((_A.CHARACTER,)),
    _S.RIDING: SkillRow((_A.ROBUSTNESS,)),
    _S.FORGERY: SkillRow(specialty=True),
    _S.INTIMIDATION: SkillRow((_A.CHARACTER,)),
    _S.LANGUAGE: SkillRow(specialty=True),
    _S.LITERACY: SkillRow(specialty=True, limit=_L.EXCEPT_MELORIEN),
    _S.SLEIGHT_OF_HAND: SkillRow((_A.DEXTERITY,)),
    _S.PERCEPTION: SkillRow((_A.ROBUSTNESS,)),
    _S.CARE: SkillRow((_A.WITS,), limit=_L.SURGERY),
    _S.STREETWISE: SkillRow((_A.WITS,)),
}


class NightProwlerTrack(StrEnum):
    VITALITY = "vitality"
    ENDURANCE = "endurance"


class NightProwlerRow(StrEnum):
    """A row of either track; both begin with scratches."""

    SCRATCH = "scratch"
    LIGHT = "light"
    SERIOUS = "serious"
    CRITICAL = "critical"
    MORTAL = "mortal"
    BRUISE = "bruise"
    BLOW = "blow"
    WOUND = "wound"
    KO = "ko"


class RowBoxes(NamedTuple):
    row: NightProwlerRow
    boxes: int
    italic: int
    dotted: int
    penalty: int


_V = NightProwlerTrack.VITALITY
_E = NightProwlerTrack.ENDURANCE
_R = NightProwlerRow

TRACKS = {  # NP-71, NP-72, NP-R80
    _V: (
        RowBoxes(_R.SCRATCH, 3, 0, 0, 0),
        RowBoxes(_R.LIGHT, 2, 1, 0, -2),
        RowBoxes(_R.SERIOUS, 1, 1, 1, -3),
        RowBoxes(_R.CRITICAL, 1, 1, 1, -4),
        RowBoxes(_R.MORTAL, 1, 1, 0, -8),
    ),
    _E: (
        RowBoxes(_R.SCRATCH, 3, 0, 0, 0),
        RowBoxes(_R.BRUISE, 2, 1, 0, -2),
        RowBoxes(_R.BLOW, 1, 1, 0, -3),
        RowBoxes(_R.WOUND, 1, 1, 0, -4),
        RowBoxes(_R.KO, 1, 1, 0, -8),
    ),
}


class NightProwlerTier(StrEnum):
    TIER1 = "tier1"
    TIER2 = "tier2"
    TIER3 = "tier3"
    TIER4 = "tier4"
    TIER5 = "tier5"


class NightProwlerJob(StrEnum):
    COOK_FOR_FOUR = "cook_for_four"
    PEARL_NECKLACE = "pearl_necklace"
    DRAFT_HORSE = "draft_horse"
    SHOPLIFT = "shoplift"
    DISHES = "dishes"
    FIVE_STALLS = "five_stalls"
    ROPE_CROSSING = "rope_crossing"
    INN_KITCHEN = "inn_kitchen"
    TEN_HORSES = "ten_horses"
    CHEST_LOCK = "chest_lock"
    FORGED_DOCUMENT = "forged_document"
    COMBINATION_LOCK = "combination_lock"
    SILVER_JEWEL = "silver_jewel"
    TWENTY_HORSES = "twenty_horses"
    PURSE_SWAP = "purse_swap"
    ESCAPE_MILITIA = "escape_militia"
    PALACE_STABLES = "palace_stables"
    PRINCE_HAND = "prince_hand"
    TRAPPED_LOCK = "trapped_lock"


class ContractRow(NamedTuple):
    max_rolls: int
    threshold: int
    jobs: tuple[NightProwlerJob, ...]


_J = NightProwlerJob

CONTRACTS = {  # NP-19, NP-R25
    NightProwlerTier.TIER1: ContractRow(
        2, 4, (_J.COOK_FOR_FOUR, _J.PEARL_NECKLACE, _J.DRAFT_HORSE, _J.SHOPLIFT)
    ),
    NightProwlerTier.TIER2: ContractRow(4, 8, (_J.DISHES, _J.FIVE_STALLS, _J.ROPE_CROSSING)),
    NightProwlerTier.TIER3: ContractRow(
        6,
        12,
        (_J.INN_KITCHEN, _J.TEN_HORSES, _J.CHEST_LOCK, _J.FORGED_DOCUMENT, _J.COMBINATION_LOCK),
    ),
    NightProwlerTier.TIER4: ContractRow(
        8, 16, (_J.SILVER_JEWEL, _J.TWENTY_HORSES, _J.PURSE_SWAP, _J.ESCAPE_MILITIA)
    ),
    NightProwlerTier.TIER5: ContractRow(
        12, 20, (_J.PALACE_STABLES, _J.PRINCE_HAND, _J.TRAPPED_LOCK)
    ),
}


class NightProwlerRole(StrEnum):
    FUGITIVE = "fugitive"
    PURSUER = "pursuer"


class NightProwlerHeadStart(StrEnum):
    NONE = "none"
    SMALL = "small"
    LARGE = "large"
    HUGE = "huge"


CHASE_GOAL = 16  # NP-29
HEAD_STARTS = {  # NP-30
    NightProwlerHeadStart.NONE: 0,
    NightProwlerHeadStart.SMALL: 4,
    NightProwlerHeadStart.LARGE: 8,
    NightProwlerHeadStart.HUGE: 12,
}


class NightProwlerChaseOption(StrEnum):
    DASH = "dash"
    WEAVE = "weave"
    HIDE = "hide"
    SPOT = "spot"
    SPRINT = "sprint"
    MARATHON = "marathon"
    LEAP = "leap"
    TUMBLE = "tumble"
    CITY_LORE = "city_lore"
    TAIL = "tail"
    MASQUERADE = "masquerade"


class ChaseRow(NamedTuple):
    number: int | None
    role: NightProwlerRole | None
    skill: NightProwlerSkill
    cost: int = 0
    modifier: int = 0
    bonus: int = 0


_O = NightProwlerChaseOption
_FUGITIVE = NightProwlerRole.FUGITIVE
_PURSUER = NightProwlerRole.PURSUER

CHASE = {  # NP-31, NP-32, NP-R34
    _O.DASH: ChaseRow(1, None, _S.ATHLETICS),
    _O.WEAVE: ChaseRow(2, _FUGITIVE, _S.ATHLETICS),
    _O.HIDE: ChaseRow(2, _FUGITIVE, _S.STEALTH),
    _O.SPOT: ChaseRow(2, _PURSUER, _S.PERCEPTION),
    _O.SPRINT: ChaseRow(3, None, _S.ATHLETICS, cost=2, bonus=1),
    _O.MARATHON: ChaseRow(4, None, _S.ATHLETICS, cost=2),
    _O.LEAP: ChaseRow(3, None, _S.ACROBATICS, cost=1, modifier=-3, bonus=3),
    _O.TUMBLE: ChaseRow(4, None, _S.ACROBATICS, cost=1, bonus=1),
    _O.CITY_LORE: ChaseRow(5, None, _S.STREETWISE, cost=1),
    _O.TAIL: ChaseRow(None, _PURSUER, _S.STEALTH, cost=2),  # NP-33
    _O.MASQUERADE: ChaseRow(None, _FUGITIVE, _S.DISGUISE, cost=2),  # NP-35
}


class NightProwlerArmor(StrEnum):
    HIDE = "hide"
    PADDED = "padded"
    BOILED_LEATHER = "boiled_leather"
    MAIL_SHIRT = "mail_shirt"
    PADDED_MAIL = "padded_mail"


class ArmorRow(NamedTuple):
    protection: int
    against_blunt: int
    repair_percent: int
    suspect: bool = False


ARMORS = {  # NP-68, NP-70
    NightProwlerArmor.HIDE: ArmorRow(1, 0, 20),
    NightProwlerArmor.PADDED: ArmorRow(1, 1, 20),
    NightProwlerArmor.BOILED_LEATHER: ArmorRow(2, 2, 15),
    NightProwlerArmor.MAIL_SHIRT: ArmorRow(2, 2, 15),
    NightProwlerArmor.PADDED_MAIL: ArmorRow(3, 3, 1, suspect=True),  # NP-R78
}


class NightProwlerFamily(StrEnum):
    THRUSTING = "thrusting"
    SHORT_BLADES = "short_blades"
    LONG_BLADES = "long_blades"
    POLEARMS = "polearms"
    MACES = "maces"
    AXES = "axes"
    FLAILS = "flails"
    FIREARMS = "firearms"
    THROWN = "thrown"
    MISSILE = "missile"
    UNARMED = "unarmed"


_F = NightProwlerFamily

MELEE = (  # NP-38: these seven are compatible with one another
    _F.THRUSTING, _F.SHORT_BLADES, _F.LONG_BLADES, _F.POLEARMS, _F.MACES, _F.AXES, _F.FLAILS,
)  # fmt: skip
COMPATIBLE = {  # NP-38
    family: MELEE if family in MELEE else (family,)
    for family in NightProwlerFamily
    if family is not _F.UNARMED
}
BLUNT = (_F.MACES, _F.FLAILS)  # NP-39, NP-R77
STUNNING = (*BLUNT, _F.UNARMED)  # NP-39: these wound Endurance


class NightProwlerOption(StrEnum):
    OFFENSIVE = "offensive"
    DEFENSIVE = "defensive"
    MOVEMENT = "movement"
    FEINT = "feint"
    PERFORATION = "perforation"
    BREAKTHROUGH = "breakthrough"
    SURPRISE_ATTACK = "surprise_attack"
    BRUTAL_ATTACK = "brutal_attack"
    DESTRUCTION = "destruction"
    CHARGE = "charge"
    WALL = "wall"
    STUN = "stun"
    VIOLENT_BLOW = "violent_blow"
    CRUSH = "crush"
    PICK = "pick"
    CLEAVE = "cleave"
    ENTANGLE = "entangle"
    PERFECT_ATTACK = "perfect_attack"
    HOLD = "hold"
    SWEEP = "sweep"
    RAM_HORN = "ram_horn"
    STREET_TRICK = "street_trick"
    BLOODY_DEFENSE = "bloody_defense"
    ALL_OUT_ATTACK = "all_out_attack"
    SHOT = "shot"
    AIMED_SHOT = "aimed_shot"
    REFLEX_SHOT = "reflex_shot"
    PRECISE_THROW = "precise_throw"
    POWERFUL_THROW = "powerful_throw"


class NightProwlerClass(StrEnum):
    ATTACK = "attack"
    DEFENSE = "defense"
    MOVEMENT = "movement"
    SHOT = "shot"


class NightProwlerSchool(StrEnum):
    UMELORIAN = "umelorian"
    STREET = "street"


_M = NightProwlerOption
_K = NightProwlerClass


class Technique(NamedTuple):
    """An option of a fight: the book's number, class, and what it changes."""

    number: int | None
    kind: NightProwlerClass
    families: tuple[NightProwlerFamily, ...] = ()
    school: NightProwlerSchool | None = None
    cost: int = 0
    own: int = 0
    """Modifier to the own threshold."""
    opponent: int = 0
    """Modifier to the opponent's threshold."""
    resisted: int = 0
    """The same once the opponent has paid."""
    price: int = 0
    """What the opponent pays for it."""
    margin: int = 0
    """Margin the effect needs."""
    bonus: int = 0
    """Damage added when it hits."""


TECHNIQUES = {  # NP-37, NP-49 to NP-60, NP-67
    _M.OFFENSIVE: Technique(1, _K.ATTACK),
    _M.DEFENSIVE: Technique(2, _K.DEFENSE, margin=2),  # NP-41
    _M.MOVEMENT: Technique(3, _K.MOVEMENT),
    _M.FEINT: Technique(4, _K.ATTACK, (_F.THRUSTING,), cost=1, own=-2),
    _M.PERFORATION: Technique(5, _K.ATTACK, (_F.THRUSTING,), cost=2, margin=1),
    _M.BREAKTHROUGH: Technique(4, _K.ATTACK, (_F.SHORT_BLADES,), cost=1, price=1, margin=1),
    _M.SURPRISE_ATTACK: Technique(
        5, _K.ATTACK, (_F.SHORT_BLADES,), cost=1, own=-2, opponent=-5, price=2
    ),
    _M.BRUTAL_ATTACK: Technique(4, _K.ATTACK, (_F.LONG_BLADES,), cost=1, opponent=2, bonus=1),
    _M.DESTRUCTION: Technique(5, _K.ATTACK, (_F.LONG_BLADES,), margin=1),
    _M.CHARGE: Technique(4, _K.ATTACK, (_F.POLEARMS,), opponent=-2, price=1, bonus=1),
    _M.WALL: Technique(5, _K.MOVEMENT, (_F.POLEARMS,), cost=1, opponent=-5, resisted=-3, price=1),
    _M.STUN: Technique(4, _K.ATTACK, (_F.MACES, _F.FLAILS), margin=1),
    _M.VIOLENT_BLOW: Technique(5, _K.ATTACK, (_F.MACES,), own=-5),
    _M.CRUSH: Technique(4, _K.ATTACK, (_F.AXES,), margin=1),
    _M.PICK: Technique(4, _K.ATTACK, (_F.AXES,), cost=2, own=-2, margin=1),
    _M.CLEAVE: Technique(5, _K.ATTACK, (_F.AXES,), margin=1),
    _M.ENTANGLE: Technique(4, _K.ATTACK, (_F.FLAILS,), cost=2, margin=1),
    _M.PERFECT_ATTACK: Technique(5, _K.DEFENSE, (_F.FLAILS,), cost=2, margin=2, bonus=1),
    _M.HOLD: Technique(4, _K.ATTACK, (_F.UNARMED,), cost=2, own=-3),
    _M.SWEEP: Technique(5, _K.ATTACK, (_F.UNARMED,), cost=1, margin=1),
    _M.RAM_HORN: Technique(6, _K.ATTACK, school=NightProwlerSchool.UMELORIAN, bonus=2),
    _M.STREET_TRICK: Technique(6, _K.ATTACK, school=NightProwlerSchool.STREET, cost=2, price=1),
    _M.BLOODY_DEFENSE: Technique(4, _K.DEFENSE, cost=1, margin=2, bonus=1),
    _M.ALL_OUT_ATTACK: Technique(5, _K.ATTACK, cost=2, bonus=1),
    _M.SHOT: Technique(1, _K.SHOT),
    _M.AIMED_SHOT: Technique(4, _K.SHOT, (_F.MISSILE, _F.FIREARMS), cost=2, margin=1),
    _M.REFLEX_SHOT: Technique(5, _K.SHOT, (_F.MISSILE, _F.FIREARMS), cost=2),
    _M.PRECISE_THROW: Technique(4, _K.SHOT, (_F.THROWN,), cost=2, margin=1),
    _M.POWERFUL_THROW: Technique(5, _K.SHOT, (_F.THROWN,), cost=2),
}
BASE_ATTITUDES = (_M.OFFENSIVE, _M.DEFENSIVE, _M.MOVEMENT, _M.SHOT)
TWO_WEAPONS = (_M.BLOODY_DEFENSE, _M.ALL_OUT_ATTACK)  # NP-67


class NightProwlerRange(StrEnum):
    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"


RANGES = {  # NP-61, NP-R69
    NightProwlerRange.SHORT: 2,
    NightProwlerRange.MEDIUM: 0,
    NightProwlerRange.LONG: -2,
}


class NightProwlerAim(StrEnum):
    TARGET_MOVING = "target_moving"
    UNSTEADY = "unsteady"
    VISIBILITY = "visibility"


class NightProwlerWeaponKind(StrEnum):
    BOW = "bow"
    CROSSBOW = "crossbow"
    FIREARM = "firearm"
    THROWN = "thrown"


class Reload(NamedTuple):
    family: NightProwlerFamily
    rounds: int


RELOADS = {  # NP-62, NP-R70
    NightProwlerWeaponKind.BOW: Reload(_F.MISSILE, 1),
    NightProwlerWeaponKind.CROSSBOW: Reload(_F.MISSILE, 1),
    NightProwlerWeaponKind.FIREARM: Reload(_F.FIREARMS, 2),
    NightProwlerWeaponKind.THROWN: Reload(_F.THROWN, 0),
}


class RecoveryRow(NamedTuple):
    row: NightProwlerRow
    hours: int
    modifier: int
    level: int
    """Level of care needed; 0 where no test is."""
    saves: bool
    """A successful test saves a day."""


RECOVERY = (  # NP-81
    RecoveryRow(_R.SCRATCH, 24, 0, 0, False),
    RecoveryRow(_R.LIGHT, 48, -2, 0, True),
    RecoveryRow(_R.SERIOUS, 48, -3, 0, True),
    RecoveryRow(_R.CRITICAL, 72, -4, 13, False),
    RecoveryRow(_R.MORTAL, 72, -8, 13, False),
)


class NightProwlerFallHeight(StrEnum):
    H3 = "h3"
    H4 = "h4"
    H5_6 = "h5_6"
    H7 = "h7"
    H8 = "h8"
    H9_10 = "h9_10"
    OVER10 = "over10"


class Fall(NamedTuple):
    height: NightProwlerFallHeight
    least: int
    """Meters from which the row holds."""
    tested: bool
    cost: int
    """Heroism for the test."""
    required: int
    lines: int
    """Lines on a success."""
    price: int
    """Heroism instead of those lines."""
    times: int
    """Lines for each quality of a failure."""
    plus: int
    """Lines beside those."""

    def covers(self, height: Decimal) -> bool:
        """NP-R95: from its height up; only over ten meters for the last."""
        return height > self.least if not self.tested else height >= self.least


_H = NightProwlerFallHeight

FALLS = (  # NP-86, NP-R92
    Fall(_H.H3, 3, True, 0, 0, 0, 0, 0, 1),
    Fall(_H.H4, 4, True, 1, 1, 0, 0, 1, 0),
    Fall(_H.H5_6, 5, True, 1, 2, 0, 0, 1, 0),
    Fall(_H.H7, 7, True, 1, 3, 1, 1, 2, 0),
    Fall(_H.H8, 8, True, 1, 4, 1, 2, 1, 2),
    Fall(_H.H9_10, 9, True, 1, 5, 2, 3, 1, 2),
    Fall(_H.OVER10, 10, False, 0, 0, 0, 0, 0, 0),
)


class NightProwlerBlaze(StrEnum):
    TORCH = "torch"
    HEARTH = "hearth"
    PYRE = "pyre"
    INFERNO = "inferno"
    FURNACE = "furnace"


class NightProwlerLevelLabel(StrEnum):
    NOVICE = "novice"
    APPRENTICE = "apprentice"
    CONFIRMED = "confirmed"
    PROFESSIONAL = "professional"
    EXPERT = "expert"
    MASTER = "master"


class LevelRow(NamedTuple):
    label: NightProwlerLevelLabel
    least: int
    most: int
    number: int


LEVELS = (  # NP-04
    LevelRow(NightProwlerLevelLabel.NOVICE, 1, 6, 1),
    LevelRow(NightProwlerLevelLabel.APPRENTICE, 7, 8, 2),
    LevelRow(NightProwlerLevelLabel.CONFIRMED, 9, 12, 3),
    LevelRow(NightProwlerLevelLabel.PROFESSIONAL, 13, 16, 4),
    LevelRow(NightProwlerLevelLabel.EXPERT, 17, 20, 5),
    LevelRow(NightProwlerLevelLabel.MASTER, 21, 24, 6),
)


class NightProwlerContactRank(StrEnum):
    NONE = "none"
    MINOR = "minor"
    INFLUENTIAL = "influential"
    MAJOR = "major"


class ContactRow(NamedTuple):
    rank: NightProwlerContactRank
    least: int


CONTACTS = (  # NP-26
    ContactRow(NightProwlerContactRank.NONE, 0),
    ContactRow(NightProwlerContactRank.MINOR, 9),
    ContactRow(NightProwlerContactRank.INFLUENTIAL, 13),
    ContactRow(NightProwlerContactRank.MAJOR, 17),
)


class NightProwlerHeroismSpending(StrEnum):
    HEROISM_SPENT = "heroism_spent"
    REACTION = "reaction"
    DEFENSIVE_REFLEX = "defensive_reflex"
    IGNORE_WOUNDS = "ignore_wounds"
    STAY_CONSCIOUS = "stay_conscious"
    VISTA = "vista"
    TAKE_ADVANTAGE = "take_advantage"
    PRECISION = "precision"


_U = NightProwlerHeroismSpending

FREE_USES = (_U.TAKE_ADVANTAGE, _U.PRECISION)  # NP-43, NP-46

TABLES = (
    Table(
        "heroism-uses",
        ("NP-13", "NP-15", "NP-43", "NP-44", "NP-45", "NP-46", "NP-47", "NP-74"),
        ("use", "cost", "per_opponent"),
        tuple((use, int(use not in FREE_USES), use is _U.DEFENSIVE_REFLEX) for use in _U),
    ),
    Table(
        "duel-options",
        ("NP-28",),
        ("number", "fight", "chase"),
        tuple(
            (
                number,
                tuple(option for option, row in TECHNIQUES.items() if row.number == number),
                tuple(option for option, runs in CHASE.items() if runs.number == number),
            )
            for number in range(1, 7)
        ),
    ),
    Table(
        "levels",
        ("NP-04",),
        ("label", "least", "most", "number"),
        LEVELS,
    ),
    Table("contacts", ("NP-26", "NP-R103"), ("rank", "least"), CONTACTS),
    Table(
        "skills",
        ("NP-03", "NP-26", "NP-27", "NP-R101"),
        ("skill", "attributes", "specialty", "limit", "milieu"),
        tuple((skill, *row) for skill, row in SKILLS.items()),
    ),
    Table(
        "ranges",
        ("NP-61", "NP-R69"),
        ("circumstance", "least", "most"),
        (
            *((range_, value, value) for range_, value in RANGES.items()),
            (NightProwlerAim.TARGET_MOVING, -5, -1),
            (NightProwlerAim.UNSTEADY, -5, -1),
            (NightProwlerAim.VISIBILITY, -10, 0),
        ),
    ),
    Table(
        "recovery",
        ("NP-81", "NP-R88"),
        ("row", "hours", "modifier", "level", "saves"),
        RECOVERY[::-1],
    ),
    Table(
        "falls",
        ("NP-86", "NP-R92", "NP-R95"),
        (
            "height",
            "least",
            "tested",
            "cost",
            "required",
            "lines",
            "price",
            "times",
            "plus",
        ),
        FALLS,
    ),
    Table(
        "fires",
        ("NP-87", "NP-R96"),
        ("intensity", "blaze", "wounds"),
        tuple((n, blaze, n) for n, blaze in enumerate(NightProwlerBlaze, 1)),
    ),
    Table(
        "compatibility",
        ("NP-38",),
        ("family", *(family.value for family in COMPATIBLE)),
        tuple(
            (family, *(other in known for other in COMPATIBLE))
            for family, known in COMPATIBLE.items()
        ),
    ),
    Table(
        "techniques",
        ("NP-49", "NP-67"),
        (
            "option",
            "number",
            "class",
            "families",
            "school",
            "cost",
            "own",
            "opponent",
            "resisted",
            "price",
            "margin",
            "bonus",
        ),
        tuple((option, *row) for option, row in TECHNIQUES.items()),
    ),
    Table(
        "reloads",
        ("NP-62", "NP-R70"),
        ("kind", "family", "rounds"),
        tuple((kind, *row) for kind, row in RELOADS.items()),
    ),
    Table(
        "armors",
        ("NP-68", "NP-70", "NP-R77", "NP-R78"),
        ("armor", "protection", "against_blunt", "repair_percent", "suspect"),
        tuple((armor, *row) for armor, row in ARMORS.items()),
    ),
    Table(
        "head-starts",
        ("NP-30", "NP-R28"),
        ("head_start", "bonus", "goal"),
        tuple((start, bonus, CHASE_GOAL - bonus) for start, bonus in HEAD_STARTS.items()),
    ),
    Table(
        "chase-options",
        ("NP-31", "NP-32", "NP-33", "NP-35"),
        ("option", "number", "role", "skill", "cost", "modifier", "bonus"),
        tuple((option, *row) for option, row in CHASE.items()),
    ),
    Table(
        "contracts",
        ("NP-19", "NP-R25"),
        ("tier", "max_rolls", "threshold", "job"),
        tuple((tier, *row[:2], job) for tier, row in CONTRACTS.items() for job in row.jobs),
    ),
    Table(
        "attributes",
        ("NP-02",),
        ("attribute",),
        tuple((attribute,) for attribute in NightProwlerAttribute),
    ),
    Table(
        "difficulties",
        ("NP-06", "NP-R13"),
        ("value", "bonus", "penalty"),
        tuple(
            ((band.least,) if band.most is None else (band.least, band.most), *band[2:])
            for band in BANDS
        ),
    ),
    Table(
        "results",
        ("NP-08", "NP-R2", "NP-R3"),
        (
            "faces",
            "success_label",
            "success_quality",
            "success_consequence",
            "failure_label",
            "failure_quality",
            "failure_consequence",
        ),
        tuple(((row.least, row.most), *row.success, *row.failure) for row in READINGS),
    ),
    Table("burglary", ("NP-16",), ("obstacle", "modifier"), tuple(BURGLARY.items())),
    Table(
        "wounds",
        ("NP-71", "NP-72", "NP-R80"),
        ("track", "row", "boxes", "italic", "dotted", "penalty"),
        tuple((track, *row) for track, rows in TRACKS.items() for row in rows),
    ),
)
