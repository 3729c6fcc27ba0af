"""The rulebook's tables as data: faces, gear, boons, boxes, dangers, costs, incidents."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.rules.tables import Table

SIDES = 6  # KA-01
MAX_SKILL = 6  # KA-R6
HIGHEST_FACE = 6  # KA-R8
SUCCESS = 5  # KA-02


class KadathPrime(StrEnum):
    """The boons that survive in the book (KA-R28)."""

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


class KadathCounter(StrEnum):
    ACCELERATION = "acceleration"
    SLOWDOWN = "slowdown"
    CAUTION = "caution"
    DANGER = "danger"


class KadathWeaponClass(StrEnum):
    WAR = "war"
    HEAVY = "heavy"
    CUSTOM = "custom"


class KadathArmorClass(StrEnum):
    NONE = "none"
    LIGHT = "light"
    WAR = "war"
    HEAVY = "heavy"
    CUSTOM = "custom"


class KadathBox(StrEnum):
    WHITE = "white"
    LIGHT_GRAY = "light_gray"
    DARK_GRAY = "dark_gray"
    BLACK = "black"


class KadathActorType(StrEnum):
    PC = "pc"
    CHAMPION = "champion"
    EXTRA = "extra"


class KadathHazard(StrEnum):
    FALL = "fall"
    FIRE = "fire"
    ASPHYXIA = "asphyxia"


class KadathFire(StrEnum):
    TORCH = "torch"
    CAMPFIRE = "campfire"
    BLAZE = "blaze"


class KadathIncident(StrEnum):
    PICKPOCKET = "pickpocket"
    SNATCH = "snatch"
    SHAKEDOWN = "shakedown"
    HARASSMENT = "harassment"
    PUNISHMENT = "punishment"
    CRUSADE = "crusade"


class KadathStake(StrEnum):
    """What an incident comes to."""

    GOOD_LOST = "good_lost"
    THIEF_FLEES = "thief_flees"
    NO_CHASE = "no_chase"
    CHASE = "chase"
    GOODS_LOST = "goods_lost"
    ASSAULT = "assault"
    TIRED = "tired"
    SURPRISED = "surprised"
    NOT_SURPRISED = "not_surprised"
    FLEE_WHEN_HIT = "flee_when_hit"
    HALF_WOUNDED = "half_wounded"


class KadathAbsentTable(StrEnum):
    """What the book leaves to its screen, or has lost."""

    PERIL = "peril"
    SHOW_MUST_GO_ON = "show_must_go_on"
    CHARACTER_DAMAGE = "character_damage"
    INCIDENT_FREQUENCY = "incident_frequency"
    INCIDENT_KINDS = "incident_kinds"
    QUALITY = "quality"
    EXTRACT_HOURS = "extract_hours"


class KadathWithout(StrEnum):
    """What happens where the caller sends no such table."""

    FACE_ONLY = "face_only"
    REFUSED = "refused"
    NOTHING = "nothing"
    NO_DIE = "no_die"
    ONE_CHECK = "one_check"


def worth(face: int) -> int:
    """KA-03: a 5 is one success, a 6 is two, anything lower none (KA-R1, KA-R2)."""
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


class Gear(NamedTuple):
    """What a weapon or an armor gives, and the Muscles it requires."""

    value: int
    muscles: int
    examples: str


WEAPONS = {  # KA-40, KA-41
    KadathWeaponClass.WAR: Gear(3, 2, "hache, épée, arc"),
    KadathWeaponClass.HEAVY: Gear(4, 3, "hache démesurée, épée à deux mains, hallebarde"),
}

ARMORS = {  # KA-43, KA-44
    KadathArmorClass.NONE: Gear(0, 0, "—"),
    KadathArmorClass.LIGHT: Gear(1, 2, "épais manteau en fourrure de yack"),
    KadathArmorClass.WAR: Gear(2, 3, "armure en écailles de Shantak"),
    KadathArmorClass.HEAVY: Gear(3, 4, "carapace d’araignée pourpre"),  # noqa: RUF001 - French
}


class BoxRow(NamedTuple):
    """How many boxes of a color a line holds, and what they do (KA-51, KA-53, KA-66)."""

    least: int
    most: int
    unfavorable: int
    hours: int | None


BOXES = {
    KadathBox.WHITE: BoxRow(1, 10, 0, None),
    KadathBox.LIGHT_GRAY: BoxRow(0, 20, 0, 1),
    KadathBox.DARK_GRAY: BoxRow(0, 20, 1, 24),  # KA-R40: a day and a night
    KadathBox.BLACK: BoxRow(1, 1, 1, None),  # KA-R31
}

NATURAL_BOXES = 1  # KA-66
CARE_BOXES = 2  # KA-67

METERS_PER_POINT = 3  # KA-69
FIRES = {KadathFire.TORCH: 1, KadathFire.CAMPFIRE: 2, KadathFire.BLAZE: 3}  # KA-70
BREATH = 10  # KA-71, KA-R44
MOTIONLESS_BREATH = 1  # KA-R44
ACTIVE_BREATH = 2  # KA-R44
ASPHYXIA_DAMAGE = 1  # KA-R44


def raise_cost(low: int, high: int) -> int:
    """KA-23: each point costs the value reached."""
    return sum(range(low + 1, high + 1))


TABLES = (
    Table(
        "faces",
        ("KA-03", "KA-R1", "KA-R2"),
        ("face", "successes"),
        tuple((face, worth(face)) for face in range(1, SIDES + 1)),
    ),
    Table(
        "weapons",
        ("KA-40", "KA-41", "KA-R19"),
        ("weapon", "damage", "muscles_required", "examples"),
        (
            *((weapon, row.value, row.muscles, row.examples) for weapon, row in WEAPONS.items()),
            (KadathWeaponClass.CUSTOM, None, None, "—"),
        ),
    ),
    Table(
        "armors",
        ("KA-43", "KA-44"),
        ("armor", "protection", "muscles_required", "examples"),
        (
            *((armor, row.value, row.muscles, row.examples) for armor, row in ARMORS.items()),
            (KadathArmorClass.CUSTOM, None, None, "—"),
        ),
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
    Table(
        "penalties",
        ("KA-49",),
        ("penalty", "attack_only", "unfavorable", "damage", "counter"),
        tuple(
            (penalty, row.attack_only, row.unfavorable, row.damage, row.counter)
            for penalty, row in PENALTIES.items()
        ),
    ),
    Table(
        "boxes",
        ("KA-51", "KA-53", "KA-66", "KA-67"),
        ("box", "count", "unfavorable", "in_peril", "hours", "boxes", "care_boxes"),
        tuple(
            (
                box,
                (row.least, row.most),
                row.unfavorable,
                box is KadathBox.BLACK,
                row.hours,
                row.hours and NATURAL_BOXES,
                row.hours and CARE_BOXES,
            )
            for box, row in BOXES.items()
        ),
    ),
    Table(
        "hazards",
        ("KA-69", "KA-70", "KA-71", "KA-R44"),
        ("hazard", "fire", "meters", "breath", "damage"),
        (
            (KadathHazard.FALL, None, METERS_PER_POINT, None, 1),
            *((KadathHazard.FIRE, fire, None, None, damage) for fire, damage in FIRES.items()),
            (KadathHazard.ASPHYXIA, None, None, BREATH, 0),
            (KadathHazard.ASPHYXIA, None, None, None, ASPHYXIA_DAMAGE),
        ),
    ),
    Table(
        "costs",
        ("KA-23", "KA-R55"),
        ("low", "to_1", "to_2", "to_3", "to_4", "to_5", "to_6"),
        tuple(
            (
                low,
                *(
                    raise_cost(low, high) if high > low else None
                    for high in range(1, MAX_SKILL + 1)
                ),
            )
            for low in range(MAX_SKILL)
        ),
    ),
    Table(
        "incidents",
        ("KA-76", "KA-77", "KA-79", "KA-80", "KA-81", "KA-82", "KA-83"),
        ("kind", "one_foe", "foe_skill", "pc_skill", "foes_win", "pcs_win"),
        (
            (
                KadathIncident.PICKPOCKET,
                True,
                "Escamotage",
                "Perception",
                KadathStake.GOOD_LOST,
                KadathStake.THIEF_FLEES,
            ),
            (
                KadathIncident.SNATCH,
                True,
                "Réflexes",
                "Perception",
                KadathStake.NO_CHASE,
                KadathStake.CHASE,
            ),
            (
                KadathIncident.SHAKEDOWN,
                False,
                None,
                None,
                KadathStake.GOODS_LOST,
                KadathStake.ASSAULT,
            ),
            (
                KadathIncident.HARASSMENT,
                False,
                "Psychologie",
                "Volonté",
                KadathStake.ASSAULT,
                KadathStake.TIRED,
            ),
            (
                KadathIncident.PUNISHMENT,
                False,
                None,
                None,
                KadathStake.FLEE_WHEN_HIT,
                KadathStake.HALF_WOUNDED,
            ),
            (
                KadathIncident.CRUSADE,
                False,
                "Discrétion",
                "Perception",
                KadathStake.SURPRISED,
                KadathStake.NOT_SURPRISED,
            ),
        ),
    ),
    Table(
        "ranks",
        ("KA-18", "KA-R33"),
        ("rank", "peril_roll", "out_of_action"),
        tuple(
            (rank, rank is not KadathActorType.EXTRA, rank is KadathActorType.EXTRA)
            for rank in KadathActorType
        ),
    ),
    Table(
        "screen",
        ("KA-86", "KA-R7", "KA-R21", "KA-R47", "KA-R54"),
        ("table", "line", "without"),
        (
            (KadathAbsentTable.PERIL, 35, KadathWithout.FACE_ONLY),
            (KadathAbsentTable.SHOW_MUST_GO_ON, 37, KadathWithout.FACE_ONLY),
            (KadathAbsentTable.CHARACTER_DAMAGE, 27, KadathWithout.REFUSED),
            (KadathAbsentTable.INCIDENT_FREQUENCY, 39, KadathWithout.NOTHING),
            (KadathAbsentTable.INCIDENT_KINDS, 39, KadathWithout.NO_DIE),
            (KadathAbsentTable.QUALITY, 11, KadathWithout.NOTHING),
            (KadathAbsentTable.EXTRACT_HOURS, 45, KadathWithout.ONE_CHECK),
        ),
    ),
)
