"""What a fighter may do with the weapon in hand: rule NP-38, ruling NP-R79."""

from enum import StrEnum

from arbitre.systems.night_prowler.tables import COMPATIBLE, NightProwlerFamily
from arbitre.systems.night_prowler.test import skill_base

INCOMPATIBLE_LEVEL = 6  # NP-38


class NightProwlerTraining(StrEnum):
    TRAINED = "trained"
    COMPATIBLE = "compatible"
    INCOMPATIBLE = "incompatible"
    UNTRAINED = "untrained"


FREE = (NightProwlerTraining.TRAINED, NightProwlerTraining.COMPATIBLE)
"""With these, heroism is free and the own level serves."""


def training(
    trained: tuple[NightProwlerFamily, ...], weapon: NightProwlerFamily
) -> NightProwlerTraining:
    """NP-38: the best case of the families trained; bare hands need none."""
    if weapon is NightProwlerFamily.UNARMED or weapon in trained:
        return NightProwlerTraining.TRAINED
    armed = [family for family in trained if family is not NightProwlerFamily.UNARMED]
    if not armed:
        return NightProwlerTraining.UNTRAINED
    if any(family in COMPATIBLE[weapon] for family in armed):
        return NightProwlerTraining.COMPATIBLE
    return NightProwlerTraining.INCOMPATIBLE


def weapon_level(case: NightProwlerTraining, skill: int | None, attribute: int | None) -> int:
    """NP-38, NP-R79: the level with which a weapon is wielded."""
    if case is NightProwlerTraining.INCOMPATIBLE:
        return INCOMPATIBLE_LEVEL
    untrained = case is NightProwlerTraining.UNTRAINED
    return skill_base(None, None if untrained else skill, attribute)
