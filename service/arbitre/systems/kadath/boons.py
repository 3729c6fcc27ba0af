"""Boons, their price and what is left of them: rules KA-46 to KA-50."""

from enum import StrEnum
from typing import Annotated, NamedTuple, Protocol

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.kadath.tables import (
    CANCELLING,
    PENALTIES,
    PRIMES,
    KadathCounter,
    KadathPenalty,
    KadathPrime,
)

COUNTER_MAX = 20
"""A counter returned goes no higher."""

Counter = Annotated[int, Field(ge=0, le=COUNTER_MAX), WHOLE]

BOON_RULES = (
    "KA-46",
    "KA-47",
    "KA-48",
    "KA-49",
    "KA-50",
    "KA-R23",
    "KA-R24",
    "KA-R25",
    "KA-R26",
    "KA-R27",
    "KA-R28",
)


class KadathFault(StrEnum):
    NO_TEST = "no_test"
    PRIME_WITHOUT_PENALTY = "prime_without_penalty"
    PENALTY_WITHOUT_PRIME = "penalty_without_prime"
    ATTACK_ONLY = "attack_only"
    NO_POSITION = "no_position"
    NOBODY_ACTS_AFTER = "nobody_acts_after"

    @property
    def code(self) -> str:
        """The code of the refusal for this fault."""
        return self.value.replace("_", "-")


class KadathWarning(StrEnum):
    CANCELLING_PAIR = "cancelling_pair"


class KadathCombatState(Frozen):
    acceleration: Counter = 0
    """Next actions played first (KA-48)."""
    slowdown: Counter = 0
    """Next actions played last (KA-49)."""
    caution: Counter = 0
    """Next defenses with one favorable circumstance (KA-48)."""
    danger: Counter = 0
    """Next defenses with one unfavorable circumstance (KA-49)."""


class Declared(Protocol):
    """An action declared with its boons and its penalty."""

    @property
    def prime(self) -> KadathPrime | None: ...
    @property
    def penalty(self) -> KadathPenalty | None: ...
    @property
    def free_primes(self) -> tuple[KadathPrime, ...]: ...
    @property
    def in_advantageous_position(self) -> bool: ...
    @property
    def opponent_acts_after(self) -> bool: ...
    @property
    def combat_state(self) -> KadathCombatState: ...


class Effects(NamedTuple):
    """What the boons and the penalty of one action change."""

    favorable: int
    unfavorable: int
    damage: int
    protection: int
    mishap_on_failure: bool
    position_lost: bool
    combat_state: KadathCombatState
    warnings: tuple[KadathWarning, ...]


def primes_of(action: Declared) -> tuple[KadathPrime, ...]:
    """KA-46, KA-47: the boon paid for, then the free ones."""
    return ((action.prime,) if action.prime else ()) + action.free_primes


def faults(action: Declared, *, attack: bool, tested: bool = True) -> tuple[KadathFault, ...]:
    """KA-50: everything wrong with a declaration, in the order of the refusals."""
    primes, penalty = primes_of(action), action.penalty
    wrong = {
        KadathFault.NO_TEST: bool(primes) and not tested,  # KA-46
        KadathFault.PRIME_WITHOUT_PENALTY: action.prime is not None and penalty is None,
        KadathFault.PENALTY_WITHOUT_PRIME: action.prime is None and penalty is not None,  # KA-R25
        KadathFault.ATTACK_ONLY: not attack and _attack_row(action) is not None,
        KadathFault.NO_POSITION: penalty is KadathPenalty.ABANDON_POSITION
        and not action.in_advantageous_position,
        KadathFault.NOBODY_ACTS_AFTER: penalty is KadathPenalty.SLOWDOWN
        and not action.opponent_acts_after,  # KA-R27
    }
    return tuple(fault for fault, holds in wrong.items() if holds)


def _attack_row(action: Declared) -> tuple[str, KadathPrime | KadathPenalty] | None:
    """Return the first row kept for attacks, and its field."""
    if action.prime and PRIMES[action.prime].attack_only:
        return "prime", action.prime
    if action.penalty and PENALTIES[action.penalty].attack_only:
        return "penalty", action.penalty
    for index, prime in enumerate(action.free_primes):
        if PRIMES[prime].attack_only:
            return f"free_primes/{index}", prime
    return None


def refuse_faults(action: Declared, *, attack: bool, pointer: str = "") -> None:
    """KA-50: refuse an illegal declaration; a row kept for attacks is said first."""
    row = None if attack else _attack_row(action)
    if row:
        field, value = row
        raise RuleRefused(
            KadathFault.ATTACK_ONLY.code, pointer=f"{pointer}/{field}", rule="KA-50", value=value
        )
    for fault in faults(action, attack=attack):
        field = "prime" if fault is KadathFault.PRIME_WITHOUT_PENALTY else "penalty"
        raise RuleRefused(fault.code, pointer=f"{pointer}/{field}", rule="KA-50")


def effects(action: Declared, dice: Dice) -> Effects:
    """KA-48, KA-49: what a legal declaration changes; counters stop at 20."""
    primes, penalty = primes_of(action), action.penalty
    rows = [PRIMES[prime] for prime in primes] + ([PENALTIES[penalty]] if penalty else [])
    if not rows:
        return Effects(0, 0, 0, 0, False, False, action.combat_state, ())
    for number, prime in enumerate(primes, 1):
        free = number > 1 or action.prime is None
        dice.note("KA-47" if free else "KA-48", "prime", prime=prime, free=free)
    if penalty:
        dice.note("KA-49", "penalty", penalty=penalty)
    before = action.combat_state
    after = {}
    for counter in KadathCounter:
        old: int = getattr(before, counter)
        new = min(COUNTER_MAX, old + sum(row.counter is counter for row in rows))
        if new != old:
            rule = "KA-48" if counter in PRIMES_COUNTED else "KA-49"
            dice.note(rule, "counter", counter=counter, before=old, after=new)
        after[counter.value] = new
    pair = action.prime is not None and penalty is CANCELLING.get(action.prime)
    return Effects(
        favorable=sum(row.favorable for row in rows),
        unfavorable=sum(row.unfavorable for row in rows),
        damage=sum(row.damage for row in rows),
        protection=sum(row.protection for row in rows),
        mishap_on_failure=penalty is KadathPenalty.RISK,
        position_lost=penalty is KadathPenalty.ABANDON_POSITION,  # KA-R26
        combat_state=KadathCombatState(**after),
        warnings=(KadathWarning.CANCELLING_PAIR,) if pair and penalty else (),  # KA-R24
    )


PRIMES_COUNTED = {row.counter for row in PRIMES.values()}
