"""A refresh scene: rules LB-18 to LB-20, LB-09, rulings LB-R12, LB-R14, LB-R18, LB-R25."""

from enum import StrEnum

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import Name
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.lady_blackbird.names import find
from arbitre.systems.lady_blackbird.pool import FULL, Pool
from arbitre.systems.lady_blackbird.sheet import (
    Conditions,
    Secrets,
    refuse_twice,
    refuse_unreal_death,
)
from arbitre.systems.lady_blackbird.tables import LadyBlackbirdCondition


class LadyBlackbirdMethod(StrEnum):
    REFRESH_SCENE = "refresh_scene"


class LadyBlackbirdBenefit(StrEnum):
    NONE = "none"
    REMOVE_CONDITION = "remove_condition"
    RECOVER_SECRET = "recover_secret"  # noqa: S105 - a special ability


class LadyBlackbirdHealingState(Frozen):
    pool: Pool = FULL
    """Dice the character holds (LB-21)."""
    conditions: Conditions = ()
    """Boxes ticked (LB-08)."""
    death_is_final: bool = False
    """The player decided that the death is real (LB-09)."""
    secrets: Secrets = ()
    """The character's secrets (LB-19)."""


class LadyBlackbirdHealingRequest(Request):
    method: LadyBlackbirdMethod = LadyBlackbirdMethod.REFRESH_SCENE
    """A scene played with another character (LB-18)."""
    partner: Name | None = None
    """With whom; for information."""
    flashback: bool = False
    """The scene takes place in the past; for information (LB-20)."""
    benefit: LadyBlackbirdBenefit = LadyBlackbirdBenefit.NONE
    """What the scene also gives (LB-19)."""
    condition: LadyBlackbirdCondition | None = None
    """The condition to remove."""
    secret: Name | None = None
    """The secret to recover."""
    state: LadyBlackbirdHealingState = LadyBlackbirdHealingState()
    """The character before."""


class LadyBlackbirdHealingOutcome(Outcome):
    state: LadyBlackbirdHealingState
    """The character after."""
    dice_gained: int
    """Pool dice won back (LB-18)."""
    removed_condition: LadyBlackbirdCondition | None
    """The condition removed (LB-19)."""
    recovered_secret: str | None
    """The secret that can be used again (LB-19)."""
    partner: str | None
    """With whom the scene was played."""
    flashback: bool
    """The scene took place in the past (LB-20)."""


def refuse(request: LadyBlackbirdHealingRequest) -> None:
    """LB-19, LB-R18, LB-R25: one benefit, of something that is there."""
    state = request.state
    removing = request.benefit is LadyBlackbirdBenefit.REMOVE_CONDITION
    recovering = request.benefit is LadyBlackbirdBenefit.RECOVER_SECRET
    if removing:
        refuse_removal(request.condition, state)
    if recovering:
        refuse_recovery(request.secret, state)
    if not removing and request.condition is not None:  # LB-R25
        raise RuleRefused("benefit-mismatch", pointer="/condition", rule="LB-R25")
    if not recovering and request.secret is not None:  # LB-R25
        raise RuleRefused("benefit-mismatch", pointer="/secret", rule="LB-R25")
    refuse_unreal_death(state.conditions, state.death_is_final)
    names = tuple(secret.name for secret in state.secrets)
    refuse_twice("secret-twice", names, "/state/secrets", "/name")


def refuse_removal(
    condition: LadyBlackbirdCondition | None, state: LadyBlackbirdHealingState
) -> None:
    """LB-19, LB-R18: a condition on the sheet, and no real death."""
    if condition is None:
        raise RuleRefused("condition-required", pointer="/condition", rule="LB-19")
    if condition not in state.conditions:
        pointer = "/condition"
        raise RuleRefused("condition-absent", pointer=pointer, rule="LB-19", condition=condition)
    if condition is LadyBlackbirdCondition.DEAD and state.death_is_final:
        raise RuleRefused("death-is-final", pointer="/condition", rule="LB-R18")


def refuse_recovery(secret: str | None, state: LadyBlackbirdHealingState) -> None:
    """LB-19: a secret of the character that is used up."""
    if secret is None:
        raise RuleRefused("secret-required", pointer="/secret", rule="LB-19")
    index = find(secret, (known.name for known in state.secrets))
    if index is None:
        raise RuleRefused("secret-unknown", pointer="/secret", rule="LB-19")
    if state.secrets[index].available:
        raise RuleRefused("secret-available", pointer="/secret", rule="LB-19")


def summary(outcome: LadyBlackbirdHealingOutcome) -> tuple[str, ...]:
    removed = ("removed",) if outcome.removed_condition else ()
    recovered = ("recovered",) if outcome.recovered_secret else ()
    return ("refreshed", *removed, *recovered)


@resolver(
    "healing",
    rules=(
        *("LB-09", "LB-18", "LB-19", "LB-20", "LB-21"),
        *("LB-R12", "LB-R14", "LB-R18", "LB-R25"),
    ),
    summary=summary,
)
def healing(request: LadyBlackbirdHealingRequest, dice: Dice) -> LadyBlackbirdHealingOutcome:
    """Refresh one character by a scene with another."""
    refuse(request)
    state = request.state
    pool = max(state.pool, FULL)  # LB-18, LB-R12, LB-R14
    dice.note("LB-18", "refreshed", before=state.pool, after=pool)
    secrets, recovered = state.secrets, None
    if request.condition is not None:  # LB-19, LB-09
        dice.note("LB-19", "removed", condition=request.condition)
    if request.secret is not None:  # LB-19
        index = find(request.secret, (known.name for known in secrets))
        recovered = next(known.name for place, known in enumerate(secrets) if place == index)
        secrets = tuple(
            known.model_copy(update={"available": known.available or place == index})
            for place, known in enumerate(secrets)
        )
        dice.note("LB-19", "recovered")
    return LadyBlackbirdHealingOutcome(
        state=LadyBlackbirdHealingState(
            pool=pool,
            conditions=tuple(box for box in state.conditions if box is not request.condition),
            death_is_final=state.death_is_final,
            secrets=secrets,
        ),
        dice_gained=pool - state.pool,
        removed_condition=request.condition,
        recovered_secret=recovered,
        partner=request.partner,
        flashback=request.flashback,  # LB-20
    )
