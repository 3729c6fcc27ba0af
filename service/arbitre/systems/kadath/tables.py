"""The rulebook's tables as data: what a face, a weapon, a boon, a box or an incident is worth."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.rules.tables import Table


class KadathPrime(StrEnum):
    ACCELERATION = "acceleration"
    DEADLY_ATTACK = "deadly_attack"
    PRECISE_ATTACK = "precise_attack"
    EFFICIENCY = "efficiency"
    CAUTION = "caution"


class KadathPenalty(StrEnum):
    ABANDON_POSITION = "abandon_position"
    LIGHT_WOUND = "light_wound"
    DANGER = "danger"
    DIFFICULTY = "difficulty"
    SLOWDOWN = "slowdown"
    RISK = "risk"


class KadathBox(StrEnum):
    WHITE = "white"
    LIGHT_GRAY = "light_gray"
    DARK_GRAY = "dark_gray"
    BLACK = "black"


class KadathCounter(StrEnum):
    ACCELERATION = "acceleration"
    SLOWDOWN = "slowdown"
    CAUTION = "caution"
    DANGER = "danger"


SIDES = 6  # KA-01
MAX_SKILL = 6  # KA-R6
HIGHEST_FACE = 6  # KA-R8
SUCCESS = 5  # KA-02


def worth(face: int) -> int:
    """KA-03: a 5 is one success, a 6 is two, anything lower none."""
    return max(0, face - SUCCESS + 1)


class Bargain(NamedTuple):
    """What a boon or a penalty changes (KA-48, KA-49)."""

    attack_only: bool = False
    favorable: int = 0
    unfavorable: int = 0
    damage: int = 0
    protection: int = 0
    counter: KadathCounter | None = None


PRIMES = {  # KA-48
    KadathPrime.ACCELERATION: Bargain(counter=KadathCounter.ACCELERATION),
    KadathPrime.DEADLY_ATTACK: Bargain(attack_only=True, damage=1),
    KadathPrime.PRECISE_ATTACK: Bargain(attack_only=True, protection=-2),
    KadathPrime.EFFICIENCY: Bargain(favorable=1),
    KadathPrime.CAUTION: Bargain(counter=KadathCounter.CAUTION),
}

PENALTIES = {  # KA-49
    KadathPenalty.ABANDON_POSITION: Bargain(),
    KadathPenalty.LIGHT_WOUND: Bargain(attack_only=True, damage=-1),
    KadathPenalty.DANGER: Bargain(counter=KadathCounter.DANGER),
    KadathPenalty.DIFFICULTY: Bargain(unfavorable=1),
    KadathPenalty.SLOWDOWN: Bargain(counter=KadathCounter.SLOWDOWN),
    KadathPenalty.RISK: Bargain(),
}

CANCELLING = {  # KA-R24
    KadathPrime.ACCELERATION: KadathPenalty.SLOWDOWN,
    KadathPrime.DEADLY_ATTACK: KadathPenalty.LIGHT_WOUND,
    KadathPrime.EFFICIENCY: KadathPenalty.DIFFICULTY,
    KadathPrime.CAUTION: KadathPenalty.DANGER,
}

BOX_UNFAVORABLE = {  # KA-53
    KadathBox.WHITE: 0,
    KadathBox.LIGHT_GRAY: 0,
    KadathBox.DARK_GRAY: 1,
    KadathBox.BLACK: 1,
}

TABLES = (
    Table(
        "faces",
        ("KA-03", "KA-R1"),
        ("face", "successes"),
        tuple((face, worth(face)) for face in range(1, SIDES + 1)),
    ),
    Table(
        "primes",
        ("KA-48",),
        ("prime", "attack_only", "favorable", "damage", "protection", "counter"),
        tuple(
            (prime, row.attack_only, row.favorable, row.damage, row.protection, row.counter)
            for prime, row in PRIMES.items()
        ),
    ),
)
