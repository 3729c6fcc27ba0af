"""The tables of the game: difficulties, conditions, advances, rewards, the pool, chances."""

from enum import StrEnum
from math import comb

from arbitre.rules.tables import Table


class LadyBlackbirdLevel(StrEnum):
    EASY = "easy"
    NORMAL = "normal"
    AMBITIOUS = "ambitious"
    EXTREME = "extreme"


class LadyBlackbirdCondition(StrEnum):
    INJURED = "injured"
    DEAD = "dead"
    TIRED = "tired"
    ANGRY = "angry"
    LOST = "lost"
    HUNTED = "hunted"
    TRAPPED = "trapped"


class LadyBlackbirdPurchaseKind(StrEnum):
    TRAIT = "trait"
    TAG = "tag"
    KEY = "key"
    SECRET = "secret"  # noqa: S105 - a special ability


class LadyBlackbirdReward(StrEnum):
    XP = "xp"
    DICE = "dice"
    SPLIT = "split"


class LadyBlackbirdPoolEvent(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    HELPED_SUCCESS = "helped_success"
    HELPED_FAILURE = "helped_failure"
    KEY = "key"
    KEY_DANGER = "key_danger"
    REFRESH_SCENE = "refresh_scene"


LEVELS = {  # LB-04
    2: LadyBlackbirdLevel.EASY,
    3: LadyBlackbirdLevel.NORMAL,
    4: LadyBlackbirdLevel.AMBITIOUS,
    5: LadyBlackbirdLevel.EXTREME,
}

CONDITIONS = tuple(LadyBlackbirdCondition)  # LB-08, in the order of the sheet

PRICES = dict.fromkeys(LadyBlackbirdPurchaseKind, 1)  # LB-15

REWARDS = {  # LB-12, LB-13: (danger, reward) -> XP and pool dice
    (False, LadyBlackbirdReward.XP): (1, 0),
    (False, LadyBlackbirdReward.DICE): (0, 1),
    (True, LadyBlackbirdReward.XP): (2, 0),
    (True, LadyBlackbirdReward.DICE): (0, 2),
    (True, LadyBlackbirdReward.SPLIT): (1, 1),
}

_MOVEMENTS = (
    (LadyBlackbirdPoolEvent.SUCCESS, "pool - pool_dice"),
    (LadyBlackbirdPoolEvent.FAILURE, "min(10, pool + 1)"),
    (LadyBlackbirdPoolEvent.HELPED_SUCCESS, "pool - 1"),
    (LadyBlackbirdPoolEvent.HELPED_FAILURE, "pool"),
    (LadyBlackbirdPoolEvent.KEY, "min(10, pool + 1)"),
    (LadyBlackbirdPoolEvent.KEY_DANGER, "min(10, pool + 2)"),
    (LadyBlackbirdPoolEvent.REFRESH_SCENE, "max(pool, 7)"),
)

DICE_SHOWN = 20
"""Longest row of the chances of success."""


def ways(dice: int, difficulty: int) -> int:
    """LB-03, LB-04: how many of the 2**dice equal cases succeed."""
    return sum(comb(dice, successes) for successes in range(difficulty, dice + 1))


TABLES = (
    Table(
        "difficulties",
        ("LB-04",),
        ("difficulty", "level"),
        tuple(LEVELS.items()),
    ),
    Table(
        "conditions",
        ("LB-08", "LB-09"),
        ("order", "condition"),
        tuple(enumerate(CONDITIONS, 1)),
    ),
    Table("advances", ("LB-15",), ("kind", "price"), tuple(PRICES.items())),
    Table(
        "rewards",
        ("LB-12", "LB-13"),
        ("danger", "reward", "xp", "dice"),
        tuple((*choice, *gains) for choice, gains in REWARDS.items()),
    ),
    Table("pool", ("LB-21",), ("event", "pool_after"), _MOVEMENTS),
    Table(
        "chances",
        ("LB-03", "LB-04"),
        ("dice_rolled", "cases", *(f"difficulty_{difficulty}" for difficulty in LEVELS)),
        tuple(
            (dice, 2**dice, *(ways(dice, difficulty) for difficulty in LEVELS))
            for dice in range(1, DICE_SHOWN + 1)
        ),
    ),
)
