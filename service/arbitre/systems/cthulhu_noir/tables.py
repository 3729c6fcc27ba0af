"""The tables of the game: dice, quality, damage, healing, cues, and the chances behind them."""

from enum import StrEnum

from arbitre.rules.tables import Table


class CthulhuNoirSource(StrEnum):
    HUMAN = "human"
    PROFESSIONAL = "professional"
    INSANITY = "insanity"
    WOUND = "wound"


class CthulhuNoirDie(StrEnum):
    HUMAN = "human"
    PROFESSIONAL = "professional"
    INSANITY = "insanity"
    WOUND = "wound"
    FAILURE = "failure"
    INSANITY_ROLL = "insanity_roll"
    WOUND_ROLL = "wound_roll"


class CthulhuNoirColor(StrEnum):
    WHITE = "white"
    GREEN = "green"
    RED = "red"


class CthulhuNoirQuality(StrEnum):
    BARELY = "barely"
    BRILLIANTLY = "brilliantly"


class CthulhuNoirAttack(StrEnum):
    UNARMED = "unarmed"
    KNIFE = "knife"
    SMALL_PISTOL = "small_pistol"
    HEAVY = "heavy"
    ACCIDENT = "accident"
    ILLNESS = "illness"
    OTHER = "other"


class CthulhuNoirMethod(StrEnum):
    FIRST_AID = "first_aid"
    NIGHT = "night"
    FULL_DAY = "full_day"
    RETURN = "return"


class CthulhuNoirCue(StrEnum):
    PLAY_TERROR = "play_terror"
    SUPPRESSION_AVAILABLE = "suppression_available"
    INCURABLY_MAD = "incurably_mad"
    PLAY_INJURY = "play_injury"
    DEAD_OR_PRESUMED = "dead_or_presumed"


COLORS = {  # CN-02
    CthulhuNoirDie.HUMAN: CthulhuNoirColor.WHITE,
    CthulhuNoirDie.PROFESSIONAL: CthulhuNoirColor.WHITE,
    CthulhuNoirDie.INSANITY: CthulhuNoirColor.GREEN,
    CthulhuNoirDie.WOUND: CthulhuNoirColor.RED,
    CthulhuNoirDie.FAILURE: CthulhuNoirColor.WHITE,
    CthulhuNoirDie.INSANITY_ROLL: CthulhuNoirColor.GREEN,
    CthulhuNoirDie.WOUND_ROLL: CthulhuNoirColor.RED,
}

QUALITIES = {  # CN-16, CN-R6
    1: CthulhuNoirQuality.BARELY,
    2: None,
    3: None,
    4: None,
    5: None,
    6: CthulhuNoirQuality.BRILLIANTLY,
}

DAMAGE = {  # CN-10, CN-R21: the least and the most an attack adds
    CthulhuNoirAttack.UNARMED: (1, 1),
    CthulhuNoirAttack.KNIFE: (2, 2),
    CthulhuNoirAttack.SMALL_PISTOL: (2, 2),
    CthulhuNoirAttack.HEAVY: (3, 5),
    CthulhuNoirAttack.ACCIDENT: (1, 5),
    CthulhuNoirAttack.ILLNESS: (1, 5),
    CthulhuNoirAttack.OTHER: (1, 5),
}

HEALED = {  # CN-11, CN-R25
    CthulhuNoirMethod.FIRST_AID: 1,
    CthulhuNoirMethod.NIGHT: 1,
    CthulhuNoirMethod.FULL_DAY: 2,
}

_BEST = tuple(
    (dice, *(best**dice - (best - 1) ** dice for best in range(1, 7)), 6**dice)
    for dice in range(1, 5)
)
_FAILURE = tuple(
    (dice, sum(face**dice for face in range(6)), 6 ** (dice + 1)) for dice in range(1, 5)
)
_RISK = (
    (0, 1, 6, None, None, 0, 6),
    (1, 1, 15, None, None, 21, 36),
    (2, 1, 55, None, None, 161, 216),
    (0, 2, 21, 21, 6, 0, 36),
    (1, 2, 70, 70, 15, 91, 216),
    (2, 2, 280, 280, 55, 791, 1296),
)
_COMPETITION = (
    (1, 1, 15, 15, 6, 36),
    (2, 1, 161, 55, 0, 216),
    (2, 2, 615, 615, 66, 1296),
    (3, 1, 1071, 225, 0, 1296),
    (3, 2, 5128, 2648, 0, 7776),
    (3, 3, 22830, 22830, 996, 46656),
)

TABLES = (
    Table("dice", ("CN-02",), ("die", "color"), tuple(COLORS.items())),
    Table("quality", ("CN-16", "CN-R6"), ("quality", "quality_label"), tuple(QUALITIES.items())),
    Table("damage", ("CN-10", "CN-R21"), ("attack", "damage"), tuple(DAMAGE.items())),
    Table(
        "healing",
        ("CN-11", "CN-13"),
        ("method", "amount"),
        (*HEALED.items(), (CthulhuNoirMethod.RETURN, None)),
    ),
    Table(
        "gauges",
        ("CN-04", "CN-05", "CN-09"),
        ("gauge", "rises", "unchanged", "lowers"),
        tuple((gauge, 6 - gauge, gauge, gauge - 1) for gauge in range(1, 6)),
    ),
    Table(
        "best-die",
        ("CN-16",),
        ("dice", *(f"best_{best}" for best in range(1, 7)), "cases"),
        _BEST,
    ),
    Table("failure-die", ("CN-18",), ("dice", "fails", "cases"), _FAILURE),
    Table(
        "risk-dice",
        ("CN-17",),
        ("ordinary", "risk", "insanity_roll", "wound_roll", "both", "neither", "cases"),
        _RISK,
    ),
    Table(
        "competition",
        ("CN-21", "CN-22"),
        ("dice_a", "dice_b", "a_wins", "b_wins", "full_tie", "cases"),
        _COMPETITION,
    ),
    Table(
        "cues",
        ("CN-04", "CN-07", "CN-09", "CN-12"),
        ("order", "cue"),
        tuple(enumerate(CthulhuNoirCue, 1)),
    ),
)
