"""Character creation as data: styles, births, backgrounds, breaks, traits: NP-89 to NP-95."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.rules.tables import Table
from arbitre.systems.night_prowler.tables import NightProwlerAttribute


class NightProwlerStyle(StrEnum):
    NIMBLE = "nimble"
    CRAFTY = "crafty"
    BRUTE = "brute"
    SCHEMER = "schemer"


class NightProwlerBranch(StrEnum):
    CARD_SHARP = "card_sharp"
    CAT_BURGLAR = "cat_burglar"
    FORGER = "forger"
    PROSTITUTE = "prostitute"
    SMUGGLER = "smuggler"
    MESSENGER = "messenger"
    SLEUTH = "sleuth"
    BEGGAR = "beggar"
    BRAVO = "bravo"
    ROBBER = "robber"
    MASTIFF = "mastiff"
    EXTORTIONER = "extortioner"
    AGITATOR = "agitator"
    MANIPULATOR = "manipulator"
    OPERATIVE = "operative"
    TEMPTER = "tempter"


class NightProwlerSpeciality(StrEnum):
    PROFESSIONAL_CHEAT = "professional_cheat"
    GAMBLER = "gambler"
    PILFERER = "pilferer"
    SAFECRACKER = "safecracker"
    SCRIBE = "scribe"
    COUNTERFEITER = "counterfeiter"
    STREETWALKER = "streetwalker"
    COURTESAN = "courtesan"
    FERRYMAN = "ferryman"
    ALCHEMIST = "alchemist"
    DECOY = "decoy"
    COURIER = "courier"
    TRACKER = "tracker"
    SPY = "spy"
    PAUPER = "pauper"
    EAR = "ear"
    ASSASSIN = "assassin"
    MERCENARY = "mercenary"
    RUFFIAN = "ruffian"
    MUGGER = "mugger"
    WATCHMAN = "watchman"
    SHADOW = "shadow"
    BOGEYMAN = "bogeyman"
    RACKETEER = "racketeer"
    CHARLATAN = "charlatan"
    TROUBLEMAKER = "troublemaker"
    FALSE_PROPHET = "false_prophet"
    DEALMAKER = "dealmaker"
    LAUNDERER = "launderer"
    FENCE = "fence"
    CORRUPTED = "corrupted"
    PROCURER = "procurer"


class SpecialityRow(NamedTuple):
    style: NightProwlerStyle
    branch: NightProwlerBranch
    secondary: NightProwlerAttribute | None
    """Nothing where it depends on the profession."""


_A = NightProwlerAttribute
_Y = NightProwlerStyle
_N = NightProwlerBranch
_P = NightProwlerSpeciality

PRIMARY = {  # NP-89
    _Y.NIMBLE: _A.DEXTERITY,
    _Y.CRAFTY: _A.CHARACTER,
    _Y.BRUTE: _A.ROBUSTNESS,
    _Y.SCHEMER: _A.WITS,
}

SPECIALITIES = {  # NP-89, NP-R100
    _P.PROFESSIONAL_CHEAT: SpecialityRow(_Y.NIMBLE, _N.CARD_SHARP, _A.CHARACTER),
    _P.GAMBLER: SpecialityRow(_Y.NIMBLE, _N.CARD_SHARP, _A.WITS),
    _P.PILFERER: SpecialityRow(_Y.NIMBLE, _N.CAT_BURGLAR, _A.ROBUSTNESS),
    _P.SAFECRACKER: SpecialityRow(_Y.NIMBLE, _N.CAT_BURGLAR, _A.WITS),
    _P.SCRIBE: SpecialityRow(_Y.NIMBLE, _N.FORGER, _A.WITS),
    _P.COUNTERFEITER: SpecialityRow(_Y.NIMBLE, _N.FORGER, _A.WITS),
    _P.STREETWALKER: SpecialityRow(_Y.NIMBLE, _N.PROSTITUTE, _A.ROBUSTNESS),
    _P.COURTESAN: SpecialityRow(_Y.NIMBLE, _N.PROSTITUTE, _A.CHARACTER),
    _P.FERRYMAN: SpecialityRow(_Y.CRAFTY, _N.SMUGGLER, _A.ROBUSTNESS),
    _P.ALCHEMIST: SpecialityRow(_Y.CRAFTY, _N.SMUGGLER, _A.WITS),
    _P.DECOY: SpecialityRow(_Y.CRAFTY, _N.MESSENGER, _A.ROBUSTNESS),
    _P.COURIER: SpecialityRow(_Y.CRAFTY, _N.MESSENGER, _A.WITS),
    _P.TRACKER: SpecialityRow(_Y.CRAFTY, _N.SLEUTH, _A.WITS),
    _P.SPY: SpecialityRow(_Y.CRAFTY, _N.SLEUTH, _A.WITS),
    _P.PAUPER: SpecialityRow(_Y.CRAFTY, _N.BEGGAR, _A.ROBUSTNESS),
    _P.EAR: SpecialityRow(_Y.CRAFTY, _N.BEGGAR, _A.WITS),
    _P.ASSASSIN: SpecialityRow(_Y.BRUTE, _N.BRAVO, _A.WITS),
    _P.MERCENARY: SpecialityRow(_Y.BRUTE, _N.BRAVO, _A.DEXTERITY),
    _P.RUFFIAN: SpecialityRow(_Y.BRUTE, _N.ROBBER, _A.CHARACTER),
    _P.MUGGER: SpecialityRow(_Y.BRUTE, _N.ROBBER, _A.DEXTERITY),
    _P.WATCHMAN: SpecialityRow(_Y.BRUTE, _N.MASTIFF, _A.DEXTERITY),
    _P.SHADOW: SpecialityRow(_Y.BRUTE, _N.MASTIFF, _A.CHARACTER),
    _P.BOGEYMAN: SpecialityRow(_Y.BRUTE, _N.EXTORTIONER, _A.CHARACTER),
    _P.RACKETEER: SpecialityRow(_Y.BRUTE, _N.EXTORTIONER, _A.WITS),
    _P.CHARLATAN: SpecialityRow(_Y.SCHEMER, _N.AGITATOR, _A.DEXTERITY),
    _P.TROUBLEMAKER: SpecialityRow(_Y.SCHEMER, _N.AGITATOR, _A.CHARACTER),
    _P.FALSE_PROPHET: SpecialityRow(_Y.SCHEMER, _N.MANIPULATOR, _A.CHARACTER),
    _P.DEALMAKER: SpecialityRow(_Y.SCHEMER, _N.MANIPULATOR, _A.CHARACTER),
    _P.LAUNDERER: SpecialityRow(_Y.SCHEMER, _N.OPERATIVE, _A.CHARACTER),
    _P.FENCE: SpecialityRow(_Y.SCHEMER, _N.OPERATIVE, _A.DEXTERITY),
    _P.CORRUPTED: SpecialityRow(_Y.SCHEMER, _N.TEMPTER, None),
    _P.PROCURER: SpecialityRow(_Y.SCHEMER, _N.TEMPTER, _A.ROBUSTNESS),
}


class NightProwlerTrait(StrEnum):
    FELIS_ATHLETE = "felis.athlete"
    FELIS_NIGHT_SIGHT = "felis.night_sight"
    FELIS_LAZINESS = "felis.laziness"
    FELIS_WATER_AVERSION = "felis.water_aversion"
    FELIS_GOURI_HATRED = "felis.gouri_hatred"
    GOURI_ANONYMOUS = "gouri.anonymous"
    GOURI_RESISTANT = "gouri.resistant"
    GOURI_UPROOTED = "gouri.uprooted"
    GOURI_NOCTURNAL = "gouri.nocturnal"
    GOURI_RACISM = "gouri.racism"
    DWARF_REBEL = "dwarf.rebel"
    DWARF_ROBUST = "dwarf.robust"
    DWARF_LATE_AWAKENING = "dwarf.late_awakening"
    DWARF_DEVIANT = "dwarf.deviant"
    ELF_GOLD_AVERSION = "elf.gold_aversion"
    ELF_OCEAN = "elf.ocean"
    ELF_SEA_CHILD = "elf.sea_child"
    ELF_CHARMER = "elf.charmer"
    ELF_IMPRACTICAL = "elf.impractical"
    ELF_CASUAL = "elf.casual"
    HALF_REJECTION = "half.rejection"
    HALF_SKILLS = "half.skills"
    HALF_FELIS_FATHER = "half.felis_father"
    HALF_ELF_FATHER = "half.elf_father"
    HALF_OPPROBRIUM = "half.opprobrium"
    RACE_BARBARIAN = "race.barbarian"
    RACE_DEVOUT = "race.devout"
    RACE_INTEGRATION = "race.integration"
    RACE_LANGUAGE = "race.language"
    RACE_DISCRETION = "race.discretion"
    RACE_OPPROBRIUM = "race.opprobrium"
    RACE_LOST = "race.lost"
    RACE_RUPTURE = "race.rupture"
    RACE_SEGREGATION = "race.segregation"
    RACE_SOLIDARITY = "race.solidarity"
    RACE_HUNTED = "race.hunted"
    RACE_VENGEANCE = "race.vengeance"
    RACE_THIEF = "race.thief"
    SOCIAL_WEALTH = "social.wealth"
    SOCIAL_CHARACTER = "social.character"
    SOCIAL_RESOURCEFUL = "social.resourceful"
    SOCIAL_DETERMINATION = "social.determination"
    SOCIAL_DECEIVER = "social.deceiver"
    SOCIAL_MORALITY = "social.morality"
    SOCIAL_BOOKWORM = "social.bookworm"
    SOCIAL_CITY_LIFE = "social.city_life"
    EVENT_CATASTROPHE = "event.catastrophe"
    EVENT_ANTALIA = "event.antalia"
    EVENT_JUICY_JOB = "event.juicy_job"
    EVENT_DEBT = "event.debt"
    EVENT_FAVOR = "event.favor"
    EVENT_MENTOR = "event.mentor"
    EVENT_NEMESIS = "event.nemesis"
    EVENT_REORIENTATION = "event.reorientation"
    EVENT_WATCHED = "event.watched"
    EVENT_BETRAYAL = "event.betrayal"
    TRAIT_YOUNGSTER = "trait.youngster"
    TRAIT_VETERAN = "trait.veteran"
    TRAIT_MONSTROUS = "trait.monstrous"
    TRAIT_ATTRACTIVE = "trait.attractive"
    TRAIT_TROUBLE = "trait.trouble"
    TRAIT_KEEN_SENSES = "trait.keen_senses"
    TRAIT_HANDICAP = "trait.handicap"
    TRAIT_ROBUST = "trait.robust"
    TRAIT_CREVARD = "trait.crevard"
    TRAIT_ADDICTION = "trait.addiction"
    HISTORY_CONTACT = "history.contact"
    HISTORY_DEVOUT = "history.devout"
    HISTORY_FENCING_SCHOOL = "history.fencing_school"
    HISTORY_SUPERNATURAL_ENEMY = "history.supernatural_enemy"
    HISTORY_EXPLORER = "history.explorer"
    HISTORY_HEIRLOOM = "history.heirloom"
    HISTORY_DEPENDENT = "history.dependent"
    HISTORY_FORBIDDEN_LORE = "history.forbidden_lore"
    HISTORY_SECRET = "history.secret"  # noqa: S105 - a trait of the book
    HISTORY_SORCERY = "history.sorcery"


class NightProwlerTraitKind(StrEnum):
    FELIS = "felis"
    GOURI = "gouri"
    DWARF = "dwarf"
    ELF = "elf"
    HALF = "half"
    RACE = "race"
    SOCIAL = "social"
    EVENT = "event"
    TRAIT = "trait"
    HISTORY = "history"


class Effects(NamedTuple):
    """What a trait or a break changes, in numbers."""

    heroism: int = 0
    dexterity: int = 0
    character: int = 0
    robustness: int = 0
    wits: int = 0
    robustness_cap: int = 0
    """Most robustness at creation; 0: no cap."""
    kit: int = 0
    """Added to every skill of the kit."""
    kit_cap: int = 0
    """Most a skill of the kit may reach at creation; 0: no cap."""
    kit_points: int = 0
    """Points to spread in the kit."""
    opened: int = 0
    """New skills opened."""
    crowns: int = 0
    crowns_factor: int = 1
    weekly: int = 0
    debt: int = 0
    debt_monthly: int = 0
    bounty: int = 0
    positive: int = 0
    """Good reputations."""
    negative: int = 0
    """Bad reputations."""
    mentor: int = 0
    """The mentor's reputation."""
    crevard: int = 0
    """A Crevard's reputation."""
    prison: int = 0
    """A roll on the table of prison stays."""
    endurance_italic: int = 0
    schools: int = 0
    years: int = 0


class TraitRow(NamedTuple):
    kind: NightProwlerTraitKind
    memory: int
    """Memory points: negative is paid, positive received (NP-R104)."""
    effects: Effects = Effects()


_T = NightProwlerTrait
_K = NightProwlerTraitKind

TRAITS = {  # NP-93 to NP-95
    _T.FELIS_ATHLETE: TraitRow(_K.FELIS, 0),
    _T.FELIS_NIGHT_SIGHT: TraitRow(_K.FELIS, 0),
    _T.FELIS_LAZINESS: TraitRow(_K.FELIS, 0),
    _T.FELIS_WATER_AVERSION: TraitRow(_K.FELIS, 0),
    _T.FELIS_GOURI_HATRED: TraitRow(_K.FELIS, 0),
    _T.GOURI_ANONYMOUS: TraitRow(_K.GOURI, 0),
    _T.GOURI_RESISTANT: TraitRow(_K.GOURI, 0),
    _T.GOURI_UPROOTED: TraitRow(_K.GOURI, 0),
    _T.GOURI_NOCTURNAL: TraitRow(_K.GOURI, 0),
    _T.GOURI_RACISM: TraitRow(_K.GOURI, 0),
    _T.DWARF_REBEL: TraitRow(_K.DWARF, 0),
    _T.DWARF_ROBUST: TraitRow(_K.DWARF, 0, Effects(heroism=2, endurance_italic=1)),
    _T.DWARF_LATE_AWAKENING: TraitRow(_K.DWARF, 0),
    _T.DWARF_DEVIANT: TraitRow(_K.DWARF, 0),
    _T.ELF_GOLD_AVERSION: TraitRow(_K.ELF, 0),
    _T.ELF_OCEAN: TraitRow(_K.ELF, 0),
    _T.ELF_SEA_CHILD: TraitRow(_K.ELF, 0),
    _T.ELF_CHARMER: TraitRow(_K.ELF, 0),
    _T.ELF_IMPRACTICAL: TraitRow(_K.ELF, 0),
    _T.ELF_CASUAL: TraitRow(_K.ELF, 0),
    _T.HALF_REJECTION: TraitRow(_K.HALF, 0),
    _T.HALF_SKILLS: TraitRow(_K.HALF, 0),
    _T.HALF_FELIS_FATHER: TraitRow(_K.HALF, 0),
    _T.HALF_ELF_FATHER: TraitRow(_K.HALF, 0),
    _T.HALF_OPPROBRIUM: TraitRow(_K.HALF, 0),
    _T.RACE_BARBARIAN: TraitRow(_K.RACE, 0),
    _T.RACE_DEVOUT: TraitRow(_K.RACE, 0),
    _T.RACE_INTEGRATION: TraitRow(_K.RACE, 0),
    _T.RACE_LANGUAGE: TraitRow(_K.RACE, 0),
    _T.RACE_DISCRETION: TraitRow(_K.RACE, 0),
    _T.RACE_OPPROBRIUM: TraitRow(_K.RACE, 0),
    _T.RACE_LOST: TraitRow(_K.RACE, 0),
    _T.RACE_RUPTURE: TraitRow(_K.RACE, 0),
    _T.RACE_SEGREGATION: TraitRow(_K.RACE, 0),
    _T.RACE_SOLIDARITY: TraitRow(_K.RACE, 0),
    _T.RACE_HUNTED: TraitRow(_K.RACE, 0),
    _T.RACE_VENGEANCE: TraitRow(_K.RACE, 0),
    _T.RACE_THIEF: TraitRow(_K.RACE, 0),
    _T.SOCIAL_WEALTH: TraitRow(_K.SOCIAL, 0, Effects(crowns_factor=2)),
    _T.SOCIAL_CHARACTER: TraitRow(_K.SOCIAL, 0, Effects(heroism=2)),
    _T.SOCIAL_RESOURCEFUL: TraitRow(_K.SOCIAL, 0),
    _T.SOCIAL_DETERMINATION: TraitRow(
        _K.SOCIAL, 0, Effects(dexterity=2, character=2, robustness=2, wits=2)
    ),
    _T.SOCIAL_DECEIVER: TraitRow(_K.SOCIAL, 0),
    _T.SOCIAL_MORALITY: TraitRow(_K.SOCIAL, 0, Effects(heroism=1)),
    _T.SOCIAL_BOOKWORM: TraitRow(_K.SOCIAL, 0),
    _T.SOCIAL_CITY_LIFE: TraitRow(_K.SOCIAL, 0),
    _T.EVENT_CATASTROPHE: TraitRow(_K.EVENT, 2, Effects(negative=1)),
    _T.EVENT_ANTALIA: TraitRow(_K.EVENT, -5, Effects(crowns=100)),
    _T.EVENT_JUICY_JOB: TraitRow(_K.EVENT, -2, Effects(crowns=50, positive=1)),
    _T.EVENT_DEBT: TraitRow(_K.EVENT, 1, Effects(debt=100, debt_monthly=20)),
    _T.EVENT_FAVOR: TraitRow(_K.EVENT, -1),
    _T.EVENT_MENTOR: TraitRow(_K.EVENT, -4, Effects(kit=2, mentor=1)),
    _T.EVENT_NEMESIS: TraitRow(_K.EVENT, 4),
    _T.EVENT_REORIENTATION: TraitRow(_K.EVENT, -3, Effects(kit=-2)),
    _T.EVENT_WATCHED: TraitRow(_K.EVENT, 3),
    _T.EVENT_BETRAYAL: TraitRow(_K.EVENT, 5),
    _T.TRAIT_YOUNGSTER: TraitRow(_K.TRAIT, 1, Effects(heroism=-2, wits=-1, kit=-2, kit_cap=13)),
    _T.TRAIT_VETERAN: TraitRow(
        _K.TRAIT,
        -1,
        Effects(heroism=-2, robustness=-2, robustness_cap=12, kit=2, opened=3, bounty=50, prison=1),
    ),
    _T.TRAIT_MONSTROUS: TraitRow(_K.TRAIT, 2),
    _T.TRAIT_ATTRACTIVE: TraitRow(_K.TRAIT, -2),
    _T.TRAIT_TROUBLE: TraitRow(_K.TRAIT, 3),
    _T.TRAIT_KEEN_SENSES: TraitRow(_K.TRAIT, -3),
    _T.TRAIT_HANDICAP: TraitRow(_K.TRAIT, 4),
    _T.TRAIT_ROBUST: TraitRow(_K.TRAIT, -4, Effects(endurance_italic=1)),
    _T.TRAIT_CREVARD: TraitRow(_K.TRAIT, -5, Effects(crevard=1)),
    _T.TRAIT_ADDICTION: TraitRow(_K.TRAIT, 5, Effects(weekly=10)),
    _T.HISTORY_CONTACT: TraitRow(_K.HISTORY, -1),
    _T.HISTORY_DEVOUT: TraitRow(_K.HISTORY, 1),
    _T.HISTORY_FENCING_SCHOOL: TraitRow(_K.HISTORY, -3, Effects(schools=1)),
    _T.HISTORY_SUPERNATURAL_ENEMY: TraitRow(_K.HISTORY, 5),
    _T.HISTORY_EXPLORER: TraitRow(_K.HISTORY, -4, Effects(opened=3, years=2)),
    _T.HISTORY_HEIRLOOM: TraitRow(_K.HISTORY, -2),
    _T.HISTORY_DEPENDENT: TraitRow(_K.HISTORY, 3),
    _T.HISTORY_FORBIDDEN_LORE: TraitRow(_K.HISTORY, 4),
    _T.HISTORY_SECRET: TraitRow(_K.HISTORY, 2),
    _T.HISTORY_SORCERY: TraitRow(_K.HISTORY, -5),
}

BRINGS = {  # NP-93
    _T.HALF_FELIS_FATHER: (_T.FELIS_NIGHT_SIGHT, _T.FELIS_WATER_AVERSION),
    _T.HALF_ELF_FATHER: (_T.ELF_SEA_CHILD, _T.ELF_IMPRACTICAL),
    _T.HALF_OPPROBRIUM: (_T.RACE_OPPROBRIUM,),
}

EXCLUSIVE = (_T.TRAIT_YOUNGSTER, _T.TRAIT_VETERAN, _T.EVENT_MENTOR)  # NP-93


class NightProwlerCulture(StrEnum):
    UMELORIAN = "umelorian"
    CASSAR = "cassar"
    KHALER = "khaler"
    EFFARAT = "effarat"
    DJAZAR = "djazar"
    SOLOMAN = "soloman"
    IZGANE = "izgane"
    STOVENGER = "stovenger"
    METIS = "metis"
    IMMIGRANT = "immigrant"
    KESHITE_IMMIGRANT = "keshite_immigrant"


_C = NightProwlerCulture

BIRTHS = {  # NP-90, NP-R99
    _C.UMELORIAN: (_T.RACE_SOLIDARITY,),
    _C.CASSAR: (_T.RACE_RUPTURE,),
    _C.KHALER: (_T.RACE_SEGREGATION,),
    _C.EFFARAT: (_T.RACE_DEVOUT,),
    _C.DJAZAR: (_T.RACE_LOST,),
    _C.SOLOMAN: (_T.RACE_DISCRETION,),
    _C.IZGANE: (_T.RACE_THIEF,),
    _C.STOVENGER: (_T.RACE_BARBARIAN,),
    _C.METIS: (),
    _C.IMMIGRANT: (_T.RACE_LANGUAGE, _T.RACE_INTEGRATION),
    _C.KESHITE_IMMIGRANT: (_T.RACE_VENGEANCE, _T.RACE_HUNTED),
}


class NightProwlerBackground(StrEnum):
    ARISTOCRACY = "aristocracy"
    BOURGEOIS = "bourgeois"
    IDLE = "idle"
    SLAVE = "slave"
    SCHOLAR = "scholar"
    MILITARY = "military"
    ORPHAN = "orphan"
    WORKER = "worker"


_B = NightProwlerBackground

BACKGROUNDS = {  # NP-91
    _B.ARISTOCRACY: _T.SOCIAL_CITY_LIFE,
    _B.BOURGEOIS: _T.SOCIAL_WEALTH,
    _B.IDLE: _T.SOCIAL_RESOURCEFUL,
    _B.SLAVE: _T.SOCIAL_DETERMINATION,
    _B.SCHOLAR: _T.SOCIAL_BOOKWORM,
    _B.MILITARY: _T.SOCIAL_CHARACTER,
    _B.ORPHAN: _T.SOCIAL_DECEIVER,
    _B.WORKER: _T.SOCIAL_MORALITY,
}


class NightProwlerBreak(StrEnum):
    ACCIDENT = "accident"
    AMORAL = "amoral"
    COMPROMISE = "compromise"
    MISCARRIAGE = "miscarriage"
    FILIATION = "filiation"
    FLIGHT = "flight"
    BAD_INFLUENCE = "bad_influence"
    RETRAINING = "retraining"
    RUIN = "ruin"
    FAMILY_RIFT = "family_rift"
    TEMPTATION = "temptation"


_R = NightProwlerBreak

BREAKS = {  # NP-92, NP-R98
    _R.ACCIDENT: Effects(prison=1, kit_points=2),
    _R.AMORAL: Effects(),
    _R.COMPROMISE: Effects(),
    _R.MISCARRIAGE: Effects(prison=1, character=1, heroism=1),
    _R.FILIATION: Effects(),
    _R.FLIGHT: Effects(bounty=100),
    _R.BAD_INFLUENCE: Effects(character=-2, heroism=-1),
    _R.RETRAINING: Effects(),
    _R.RUIN: Effects(),
    _R.FAMILY_RIFT: Effects(),
    _R.TEMPTATION: Effects(),
}
QUIET_BREAKS = (_R.RUIN, _R.FAMILY_RIFT, _R.TEMPTATION)  # NP-94

CREATION_TABLES = (
    Table(
        "specialities",
        ("NP-89", "NP-R100"),
        ("speciality", "style", "branch", "secondary", "primary"),
        tuple((speciality, *row, PRIMARY[row.style]) for speciality, row in SPECIALITIES.items()),
    ),
    Table(
        "births",
        ("NP-90", "NP-R99"),
        ("culture", "traits"),
        tuple(BIRTHS.items()),
    ),
    Table("backgrounds", ("NP-91",), ("background", "trait"), tuple(BACKGROUNDS.items())),
    Table(
        "breaks",
        ("NP-92", "NP-R98"),
        ("break", *Effects._fields),
        tuple((name, *effects) for name, effects in BREAKS.items()),
    ),
    Table(
        "traits",
        ("NP-93", "NP-94", "NP-95", "NP-R104"),
        ("trait", "kind", "memory", *Effects._fields),
        tuple((name, row.kind, row.memory, *row.effects) for name, row in TRAITS.items()),
    ),
)
