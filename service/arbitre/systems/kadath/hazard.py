"""Falls, fire and lack of air: rules KA-69 to KA-71."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import (
    NO_TERMS,
    TEST_RULES,
    KadathBlock,
    KadathRole,
    KadathSource,
    KadathTest,
    Term,
    attempt,
    by_successes,
)
from arbitre.systems.kadath.kinds import given, refuse_others
from arbitre.systems.kadath.life import (
    LIFE_RULES,
    KadathLifeResult,
    KadathTarget,
    endure,
    refuse_dead,
    refuse_target,
    target_summary,
)
from arbitre.systems.kadath.tables import (
    ACTIVE_BREATH,
    ASPHYXIA_DAMAGE,
    BREATH,
    FIRES,
    METERS_PER_POINT,
    MOTIONLESS_BREATH,
    KadathFire,
    KadathHazard,
)

CENTIMETERS = 100


class KadathHazardRequest(Request):
    kind: KadathHazard
    """Fall, fire or asphyxia."""
    target: KadathTarget | None = None
    """Life line of the character, if the damage is to be applied."""
    height: Annotated[Decimal, Hundredths(0, 10000)] | None = None
    """Meters fallen: fall (KA-69)."""
    acrobatics: KadathBlock | None = None
    """Acrobatie, where it is tested: fall (KA-69)."""
    size: KadathFire | None = None
    """Size of the fire: fire (KA-70)."""
    rounds: Annotated[int, Field(ge=1, le=50), WHOLE] | None = None
    """Rounds in the fire; default 1: fire (KA-R45)."""
    active: bool | None = None
    """Whether the character acts this round; default no: asphyxia (KA-71)."""
    air_used: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None
    """Air spent before this round, out of 10; default 0: asphyxia (KA-R44)."""
    tests_made: Annotated[int, Field(ge=0, le=1000), WHOLE] | None = None
    """Tests made before; default 0: asphyxia (KA-R44)."""
    test: KadathBlock | None = None
    """Test, due once out of breath: asphyxia (KA-R44)."""
    failure_damage: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Damage of a failed test; default 1: asphyxia (KA-R44)."""


class KadathRoundsLeft(Frozen):
    motionless: int
    """Rounds without a test if motionless."""
    active: int
    """Rounds without a test if active."""


class KadathHazardOutcome(Outcome):
    kind: KadathHazard
    """As asked."""
    damage: int
    """Damage in all."""
    target: KadathLifeResult | None
    """Life line afterwards."""
    base_damage: int | None = None
    """Damage of the height alone (KA-69)."""
    cancelled: int | None = None
    """Points that Acrobatie cancels (KA-R42)."""
    acrobatics: KadathTest | None = None
    """Test of Acrobatie."""
    damage_per_round: int | None = None
    """Damage of each round of fire (KA-70)."""
    hits: tuple[int, ...] | None = None
    """Damage of each round, each a blow of its own (KA-R45)."""
    out_of_air: bool | None = None
    """Whether the breath is spent (KA-71)."""
    air_used: int | None = None
    """Air spent after this round (KA-R44)."""
    tests_made: int | None = None
    """Tests made after this round (KA-R44)."""
    test: KadathTest | None = None
    """Test of this round."""
    success: bool | None = None
    """Whether the character bears it; null without a test."""
    rounds_left: KadathRoundsLeft | None = None
    """Rounds left before the first test."""


def summary(outcome: KadathHazardOutcome) -> tuple[str, ...]:
    told = "hazard_damage" if outcome.damage else "hazard_safe"
    return (told, *target_summary(outcome.target))


@resolver(
    "hazard",
    rules=(
        *("KA-62", "KA-69", "KA-70", "KA-71", "KA-R42", "KA-R43", "KA-R44", "KA-R45"),
        *LIFE_RULES,
        *TEST_RULES,
    ),
    odds=("damage", "target.box"),
    summary=summary,
)
def hazard(request: KadathHazardRequest, dice: Dice) -> KadathHazardOutcome:
    """Fall, burn or suffocate; armor is no help (KA-R43)."""
    return HAZARDS[request.kind](request, dice)


def _fall(request: KadathHazardRequest, dice: Dice) -> KadathHazardOutcome:
    """KA-69: a point for each three whole meters; Acrobatie cancels one (KA-R42)."""
    refuse_others(request, request.kind, ("acrobatics", "target"), needs=("height",))
    _refuse_target(request.target)
    base = fall_damage(given(request.height))
    dice.note("KA-69", "fall", height=given(request.height), damage=base)
    test = None
    if request.acrobatics and base:
        test = dice.sub(
            attempt, request.acrobatics, NO_TERMS, KadathRole.FALLING, merge=by_successes
        )
    cancelled = int(test is not None and test.successes >= 1)
    if test:
        dice.note("KA-R42", "cancelled", cancelled=cancelled, damage=base - cancelled)
    damage = base - cancelled
    return KadathHazardOutcome(
        kind=request.kind,
        damage=damage,
        target=_suffer(request.target, (damage,), dice),
        base_damage=base,
        cancelled=cancelled,
        acrobatics=test,
    )


def fall_damage(height: Decimal) -> int:
    """KA-69: a point for each three whole meters."""
    return int(height * CENTIMETERS) // (METERS_PER_POINT * CENTIMETERS)


def _fire(request: KadathHazardRequest, dice: Dice) -> KadathHazardOutcome:
    """KA-70: each round burns, and is a blow of its own (KA-R45)."""
    refuse_others(request, request.kind, ("rounds", "target"), needs=("size",))
    _refuse_target(request.target)
    size = given(request.size)
    hits = (FIRES[size],) * (request.rounds or 1)
    dice.note("KA-70", "fire", size=size, rounds=len(hits), damage=FIRES[size], total=sum(hits))
    return KadathHazardOutcome(
        kind=request.kind,
        damage=sum(hits),
        target=_suffer(request.target, hits, dice),
        damage_per_round=FIRES[size],
        hits=hits,
    )


def _asphyxia(request: KadathHazardRequest, dice: Dice) -> KadathHazardOutcome:
    """KA-71, KA-R44: the breath lasts, then each round is tested, each time harder."""
    takes = ("active", "air_used", "tests_made", "test", "failure_damage", "target")
    refuse_others(request, request.kind, takes)
    cost = ACTIVE_BREATH if request.active else MOTIONLESS_BREATH
    spent = (request.air_used or 0) + cost
    out = spent > BREATH
    if out and request.test is None:
        raise RuleRefused("test-missing", pointer="/test", rule="KA-R44")
    _refuse_target(request.target)
    air, made = min(BREATH, spent), request.tests_made or 0
    dice.note("KA-71", "breath", cost=cost, air=air, breath=BREATH, out=out)
    test = None
    if out and request.test:
        terms = (Term("KA-71", KadathSource.ASPHYXIA, unfavorable=made),)
        test = dice.sub(attempt, request.test, terms, KadathRole.BREATHLESS, merge=by_successes)
    success = None if test is None else test.successes >= 1
    each = ASPHYXIA_DAMAGE if request.failure_damage is None else request.failure_damage
    damage = each if success is False else 0
    if test:
        dice.note("KA-R44", "asphyxia", success=success, damage=damage)
    return KadathHazardOutcome(
        kind=request.kind,
        damage=damage,
        target=_suffer(request.target, (damage,), dice),
        out_of_air=out,
        air_used=air,
        tests_made=made + int(test is not None),
        test=test,
        success=success,
        rounds_left=KadathRoundsLeft(
            motionless=(BREATH - air) // MOTIONLESS_BREATH, active=(BREATH - air) // ACTIVE_BREATH
        ),
    )


def _refuse_target(target: KadathTarget | None) -> None:
    if target:
        refuse_dead(target.state, "/target/state")
        refuse_target(target, "/target")


def _suffer(
    target: KadathTarget | None, hits: tuple[int, ...], dice: Dice
) -> KadathLifeResult | None:
    """Take what hurts, without protection (KA-R43)."""
    if target is None:
        return None
    return endure(target, tuple(hit for hit in hits if hit), 0, dice)


HAZARDS = {
    KadathHazard.FALL: _fall,
    KadathHazard.FIRE: _fire,
    KadathHazard.ASPHYXIA: _asphyxia,
}
