"""Finishing off somebody who lies unconscious: rule KA-58."""

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.attack import KadathFighter
from arbitre.systems.kadath.block import (
    TEST_RULES,
    KadathRole,
    KadathSource,
    KadathTest,
    Term,
    attempt,
    boon_terms,
    by_successes,
)
from arbitre.systems.kadath.boons import BOON_RULES, KadathCombatState, effects, refuse_faults
from arbitre.systems.kadath.gear import GEAR_RULES, gear_terms, refuse_custom, refuse_handling
from arbitre.systems.kadath.life import KadathCondition
from arbitre.systems.kadath.tables import KadathActorType


class KadathVictim(Frozen):
    actor_type: KadathActorType = KadathActorType.PC
    """Player character, champion or extra (KA-18)."""
    condition: KadathCondition
    """Unconscious, in trauma or in a coma (KA-R60)."""


class KadathFinalBlowRequest(Request):
    attacker: KadathFighter
    """Combat of the one who finishes off (KA-58)."""
    target: KadathVictim
    """Who is to die."""


class KadathFinalBlowOutcome(Outcome):
    success: bool
    """Whether the victim is touched (KA-58)."""
    dead: bool
    """Whether the victim dies, at once (KA-58)."""
    attacker: KadathTest
    """Test of the attacker."""
    destiny_roll_due: bool
    """Whether a player character died: roll on The show must go on (KA-68)."""
    mishap: bool
    """Whether a Risk taken turns bad (KA-49)."""
    position_lost: bool
    """Whether the attacker gives up the advantageous position (KA-49)."""
    attacker_state: KadathCombatState
    """Pending effects of the attacker after the blow."""


def summary(outcome: KadathFinalBlowOutcome) -> tuple[str, ...]:
    told = ["finished_off" if outcome.dead else "final_blow_missed"]
    if outcome.destiny_roll_due:
        told.append("destiny")
    if outcome.mishap:
        told.append("mishap")
    return tuple(told)


@resolver(
    "final-blow",
    rules=(
        *("KA-58", "KA-68", "KA-R17", "KA-R32", "KA-R56", "KA-R60"),
        *TEST_RULES,
        *BOON_RULES,
        *GEAR_RULES,
    ),
    odds=("dead", "mishap"),
    summary=summary,
)
def final_blow(request: KadathFinalBlowRequest, dice: Dice) -> KadathFinalBlowOutcome:
    """Test Combat with one favorable circumstance; touched, the victim dies."""
    attacker, victim = request.attacker, request.target
    refuse_custom(attacker.weapon, attacker.armor, "/attacker")
    _refuse_victim(victim)
    refuse_handling(attacker.weapon, attacker.armor, attacker.muscles, "/attacker")
    refuse_faults(attacker, attack=True, pointer="/attacker")
    gained = effects(attacker, dice)
    terms = (
        *gear_terms(attacker.weapon, attacker.armor, attacker.muscles, dice),
        *boon_terms(gained),
        Term("KA-58", KadathSource.FINAL_BLOW, favorable=1),
    )
    test = dice.sub(attempt, attacker, terms, KadathRole.ATTACKER, merge=by_successes)
    dead = test.successes >= 1  # KA-R17, KA-R60
    dice.note("KA-58", "final_blow", successes=test.successes, dead=dead)
    mishap = gained.mishap_on_failure and not dead  # KA-49
    if gained.mishap_on_failure:
        dice.note("KA-49", "risk", mishap=mishap)
    return KadathFinalBlowOutcome(
        success=dead,
        dead=dead,
        attacker=test,
        destiny_roll_due=dead and victim.actor_type is KadathActorType.PC,  # KA-68, KA-R56
        mishap=mishap,
        position_lost=gained.position_lost,
        attacker_state=gained.combat_state,
    )


def _refuse_victim(victim: KadathVictim) -> None:
    if victim.condition is KadathCondition.NONE:
        raise RuleRefused("victim-conscious", pointer="/target/condition", rule="KA-58")
    if victim.condition is KadathCondition.DEAD:
        raise RuleRefused("dead-target", pointer="/target/condition", rule="KA-R32")
