"""Weapons and armor, what they give and the Muscles they require: rules KA-40 to KA-44."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen
from arbitre.systems.kadath.block import KadathSource, Skill, Term
from arbitre.systems.kadath.tables import ARMORS, WEAPONS, KadathArmorClass, KadathWeaponClass

GEAR_RULES = ("KA-40", "KA-41", "KA-42", "KA-43", "KA-44", "KA-R18", "KA-R19")

THROW = 5  # KA-42


class KadathWeapon(Frozen):
    class_: KadathWeaponClass = Field(alias="class")
    """Class of the weapon (KA-40)."""
    damage: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Damage of a weapon of another class, and of no other (KA-R19)."""
    muscles_required: Skill | None = None
    """Muscles a weapon of another class requires; default 0 (KA-41)."""
    thrown: bool = False
    """Whether it is thrown (KA-42)."""
    distance: Annotated[Decimal, Hundredths(0, 10000)] | None = None
    """Meters to the target of a throw (KA-42)."""


class KadathArmor(Frozen):
    class_: KadathArmorClass = Field(default=KadathArmorClass.NONE, alias="class")
    """Class of the armor (KA-43)."""
    protection: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Protection of an armor of another class, and of no other."""
    muscles_required: Skill | None = None
    """Muscles an armor of another class requires; default 0 (KA-44)."""


def weapon_damage(weapon: KadathWeapon) -> int:
    """KA-40: the weapon's damage; the caller's where its class is lost (KA-R19)."""
    row = WEAPONS.get(weapon.class_)
    return row.value if row else weapon.damage or 0


def protection_of(armor: KadathArmor) -> int:
    """KA-43: the points an armor takes off."""
    row = ARMORS.get(armor.class_)
    return row.value if row else armor.protection or 0


def weapon_muscles(weapon: KadathWeapon | None) -> int:
    """KA-41: the Muscles a weapon requires."""
    if weapon is None:
        return 0
    row = WEAPONS.get(weapon.class_)
    return row.muscles if row else weapon.muscles_required or 0


def armor_muscles(armor: KadathArmor) -> int:
    """KA-44: the Muscles an armor requires."""
    row = ARMORS.get(armor.class_)
    return row.muscles if row else armor.muscles_required or 0


def shortfall(required: int, muscles: int) -> int:
    """KA-41, KA-44: each missing point of Muscles is one unfavorable circumstance."""
    return max(0, required - muscles)


def throw_range(muscles: int) -> int:
    """KA-42: the meters a weapon is thrown."""
    return THROW + muscles


def in_range(weapon: KadathWeapon | None, muscles: int) -> bool | None:
    """KA-42: whether a throw reaches its target; nothing where nothing was measured."""
    if weapon is None or weapon.distance is None:
        return None
    return weapon.distance <= throw_range(muscles)


def refuse_custom(weapon: KadathWeapon | None, armor: KadathArmor, pointer: str = "") -> None:
    """Refuse numbers the book gives, and the lack of those it does not (KA-R19)."""
    if weapon:
        where = f"{pointer}/weapon"
        _own("damage", weapon.damage, weapon.class_, where, needed=True)
        _own("muscles_required", weapon.muscles_required, weapon.class_, where, needed=False)
    where = f"{pointer}/armor"
    _own("protection", armor.protection, armor.class_, where, needed=True)
    _own("muscles_required", armor.muscles_required, armor.class_, where, needed=False)


def _own(
    name: str,
    value: int | None,
    kind: KadathWeaponClass | KadathArmorClass,
    pointer: str,
    *,
    needed: bool,
) -> None:
    custom = kind.value == "custom"
    if custom and needed and value is None:
        raise RuleRefused("required", pointer=f"{pointer}/{name}")
    if not custom and value is not None:
        raise RuleRefused("field-not-for-kind", pointer=f"{pointer}/{name}", kind=kind)


def refuse_handling(
    weapon: KadathWeapon | None, armor: KadathArmor, muscles: int | None, pointer: str
) -> None:
    """KA-41, KA-42, KA-44: Muscles where they count, and a throw that can reach."""
    thrown = weapon is not None and weapon.thrown
    if muscles is None and (weapon_muscles(weapon) or armor_muscles(armor) or thrown):
        raise RuleRefused("muscles-missing", pointer=f"{pointer}/muscles", rule="KA-41")
    if weapon and thrown and in_range(weapon, muscles or 0) is False:
        raise RuleRefused(
            "out-of-range",
            pointer=f"{pointer}/weapon/distance",
            rule="KA-42",
            distance=weapon.distance,
            range=throw_range(muscles or 0),
        )
    refuse_distance(weapon, pointer)


def refuse_distance(weapon: KadathWeapon | None, pointer: str = "") -> None:
    """KA-42: a distance is that of a throw."""
    if weapon and weapon.distance is not None and not weapon.thrown:
        raise RuleRefused(
            "distance-without-throw", pointer=f"{pointer}/weapon/distance", rule="KA-42"
        )


def gear_terms(
    weapon: KadathWeapon | None, armor: KadathArmor, muscles: int | None, dice: Dice
) -> tuple[Term, ...]:
    """KA-R18: what the lack of Muscles weighs on a test, the weapon's then the armor's."""
    terms = []
    for rule, source, required in (
        ("KA-41", KadathSource.WEAPON, weapon_muscles(weapon)),
        ("KA-44", KadathSource.ARMOR, armor_muscles(armor)),
    ):
        short = shortfall(required, muscles or 0)
        if short:
            dice.note(rule, "shortfall", required=required, muscles=muscles or 0, short=short)
        terms.append(Term(rule, source, unfavorable=short))
    return tuple(terms)
