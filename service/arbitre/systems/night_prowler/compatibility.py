"""What training allows with a weapon: rule NP-38, ruling NP-R79."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.tables import NightProwlerFamily
from arbitre.systems.night_prowler.test import Level
from arbitre.systems.night_prowler.training import (
    FREE,
    NightProwlerTraining,
    training,
    weapon_level,
)


class NightProwlerOptionsOpen(StrEnum):
    ALL = "all"
    BASE_ATTITUDES = "base_attitudes"


class NightProwlerHeroismUse(StrEnum):
    FREE = "free"
    WOUNDS_ONLY = "wounds_only"


class NightProwlerCompatibilityRequest(Request):
    trained_families: Annotated[tuple[NightProwlerFamily, ...], Field(max_length=11)]
    """Families trained, perhaps none."""
    weapon_family: NightProwlerFamily
    """Family of the weapon in hand."""
    skill: Level | None = None
    """Level of armed combat."""
    attribute: Level | None = None
    """Dexterity, for the default value of one trained in no family (NP-R79)."""


class NightProwlerCompatibilityOutcome(Outcome):
    case: NightProwlerTraining
    """How well the weapon is known."""
    level: int
    """Level with which it is wielded."""
    options: NightProwlerOptionsOpen
    """Options open with it."""
    heroism: NightProwlerHeroismUse
    """What heroism serves for."""


def summary(_outcome: NightProwlerCompatibilityOutcome) -> str:
    return "compatibility"


@resolver("compatibility", rules=("NP-38", "NP-R79"), summary=summary)
def compatibility(
    request: NightProwlerCompatibilityRequest, dice: Dice
) -> NightProwlerCompatibilityOutcome:
    """Say the level, the options and the heroism open with a weapon."""
    case = training(request.trained_families, request.weapon_family)
    level = weapon_level(case, request.skill, request.attribute)
    dice.note("NP-38", "training", case=case, level=level)
    trained = case is NightProwlerTraining.TRAINED
    free = case in FREE
    return NightProwlerCompatibilityOutcome(
        case=case,
        level=level,
        options=NightProwlerOptionsOpen.ALL if trained else NightProwlerOptionsOpen.BASE_ATTITUDES,
        heroism=NightProwlerHeroismUse.FREE if free else NightProwlerHeroismUse.WOUNDS_ONLY,
    )
