"""What weapon and armor give and cost: rules KA-40 to KA-44."""

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import Skill
from arbitre.systems.kadath.gear import (
    GEAR_RULES,
    KadathArmor,
    KadathWeapon,
    gear_terms,
    in_range,
    protection_of,
    refuse_custom,
    refuse_distance,
    throw_range,
    weapon_damage,
)


class KadathEquipmentRequest(Request):
    muscles: Skill
    """Value of Muscles."""
    weapon: KadathWeapon | None = None
    """Weapon in hand."""
    armor: KadathArmor = KadathArmor()
    """Armor worn."""


class KadathEquipmentOutcome(Outcome):
    weapon_shortfall: int
    """Muscles missing for the weapon (KA-41)."""
    armor_shortfall: int
    """Muscles missing for the armor (KA-44)."""
    weapon_damage: int | None
    """Damage of the weapon (KA-40)."""
    protection: int
    """Protection of the armor (KA-43)."""
    throw_range: int
    """Meters a weapon is thrown (KA-42)."""
    in_range: bool | None
    """Whether a throw reaches its target (KA-42)."""


def summary(outcome: KadathEquipmentOutcome) -> str:
    return "unarmed" if outcome.weapon_damage is None else "armed"


@resolver("equipment", rules=GEAR_RULES, summary=summary)
def equipment(request: KadathEquipmentRequest, dice: Dice) -> KadathEquipmentOutcome:
    """Say what a weapon and an armor give and what they weigh."""
    weapon, armor = request.weapon, request.armor
    refuse_custom(weapon, armor)
    refuse_distance(weapon)
    on_weapon, on_armor = gear_terms(weapon, armor, request.muscles, dice)
    reach = throw_range(request.muscles)
    dice.note("KA-42", "throw", muscles=request.muscles, range=reach)
    return KadathEquipmentOutcome(
        weapon_shortfall=on_weapon.unfavorable,
        armor_shortfall=on_armor.unfavorable,
        weapon_damage=weapon_damage(weapon) if weapon else None,
        protection=protection_of(armor),
        throw_range=reach,
        in_range=in_range(weapon, request.muscles),
    )
