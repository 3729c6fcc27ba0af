"""A boon and its penalty, checked before the roll: rules KA-46 to KA-50."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.boons import (
    BOON_RULES,
    KadathCombatState,
    KadathFault,
    KadathWarning,
    effects,
    faults,
)
from arbitre.systems.kadath.tables import KadathPenalty, KadathPrime


class KadathManeuverRequest(Request):
    is_attack: bool = False
    """Whether the action is an attack (KA-50)."""
    needs_test: bool = True
    """Whether the action needs a test (KA-46)."""
    prime: KadathPrime | None = None
    """Boon taken, against a penalty (KA-46)."""
    penalty: KadathPenalty | None = None
    """Price of the boon (KA-46)."""
    free_primes: Annotated[tuple[KadathPrime, ...], Field(max_length=10)] = ()
    """Boons that need no penalty (KA-47)."""
    in_advantageous_position: bool = False
    """Whether the character holds a position to give up (KA-49)."""
    opponent_acts_after: bool = False
    """Whether an adversary plays later in the pass (KA-R27)."""
    combat_state: KadathCombatState = KadathCombatState()
    """Pending effects before the action."""


class KadathManeuverOutcome(Outcome):
    legal: bool
    """Whether the declaration stands (KA-50)."""
    reasons: tuple[KadathFault, ...]
    """Everything wrong with it."""
    warnings: tuple[KadathWarning, ...]
    """What deserves a second thought (KA-R24)."""
    favorable: int
    """Favorable circumstances on the action (KA-48)."""
    unfavorable: int
    """Unfavorable circumstances on the action (KA-49)."""
    damage: int
    """Damage added to a blow that hits."""
    protection_reduction: int
    """Protection taken off the target (KA-48)."""
    mishap_on_failure: bool
    """Whether a failure brings a mishap (KA-49)."""
    position_lost: bool
    """Whether the advantageous position is given up after the action (KA-R26)."""
    combat_state: KadathCombatState
    """Pending effects once the action is declared."""


def summary(outcome: KadathManeuverOutcome) -> tuple[str, ...]:
    told = "legal" if outcome.legal else "illegal"
    return (told, "cancelling_pair") if outcome.warnings else (told,)


@resolver("maneuver", rules=BOON_RULES, summary=summary)
def maneuver(request: KadathManeuverRequest, dice: Dice) -> KadathManeuverOutcome:
    """Say whether a boon and a penalty go with an action, and what they change."""
    reasons = faults(request, attack=request.is_attack, tested=request.needs_test)
    for fault in reasons:
        dice.note("KA-50", "fault", fault=fault)
    if reasons:
        return KadathManeuverOutcome(
            legal=False,
            reasons=reasons,
            warnings=(),
            favorable=0,
            unfavorable=0,
            damage=0,
            protection_reduction=0,
            mishap_on_failure=False,
            position_lost=False,
            combat_state=request.combat_state,
        )
    gained = effects(request, dice)
    return KadathManeuverOutcome(
        legal=True,
        reasons=(),
        warnings=gained.warnings,
        favorable=gained.favorable,
        unfavorable=gained.unfavorable,
        damage=gained.damage,
        protection_reduction=-gained.protection,
        mishap_on_failure=gained.mishap_on_failure,
        position_lost=gained.position_lost,
        combat_state=gained.combat_state,
    )
