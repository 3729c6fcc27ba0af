"""Two sides compared: rules KA-09 to KA-12."""

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import (
    TEST_RULES,
    KadathAction,
    KadathCritical,
    KadathRole,
    KadathTest,
    attempt,
    boon_terms,
    by_successes,
)
from arbitre.systems.kadath.boons import (
    BOON_RULES,
    Effects,
    KadathCombatState,
    effects,
    primes_of,
    refuse_faults,
)
from arbitre.systems.kadath.versus import (
    VERSUS_RULES,
    KadathDecidedBy,
    KadathInitiator,
    KadathWinner,
    compare,
)


class KadathOppositionRequest(Request):
    a: KadathAction
    """First side."""
    b: KadathAction
    """Second side."""
    initiator: KadathInitiator = KadathInitiator.A
    """Who started the action (KA-11)."""


class KadathSideTest(KadathTest):
    mishap: bool
    """Whether a Risk taken turns bad: the side did not win (KA-R23)."""
    position_lost: bool
    """Whether the advantageous position is given up after the action (KA-49)."""
    combat_state: KadathCombatState
    """Pending effects once the action is declared."""


class KadathOppositionOutcome(Outcome):
    winner: KadathWinner | None
    """Who wins; null on a draw (KA-11)."""
    decided_by: KadathDecidedBy
    """What decides (KA-09 to KA-12)."""
    margin: int
    """Difference of successes (KA-09)."""
    a: KadathSideTest
    """Test of the first side."""
    b: KadathSideTest
    """Test of the second side."""
    critical: KadathCritical | None = None
    """Always null: the game has no critical (KA-87)."""


def summary(outcome: KadathOppositionOutcome) -> tuple[str, ...]:
    told = [f"won_by_{outcome.decided_by}"]
    told += [f"mishap_{name}" for name in ("a", "b") if getattr(outcome, name).mishap]
    return tuple(told)


@resolver(
    "opposition",
    rules=(*VERSUS_RULES, *TEST_RULES, *BOON_RULES, "KA-R12", "KA-87"),
    odds=("winner", "margin", ("winner", "margin")),
    summary=summary,
)
def opposition(request: KadathOppositionRequest, dice: Dice) -> KadathOppositionOutcome:
    """Compare two tests; ties go to the higher skill, then to the initiator."""
    _refuse_reaction(request)
    sides = (request.a, request.b)
    for side, pointer in zip(sides, ("/a", "/b"), strict=True):
        refuse_faults(side, attack=False, pointer=pointer)
    gains, tests = [], []
    for side, role in zip(sides, (KadathRole.A, KadathRole.B), strict=True):
        gained = effects(side, dice)
        gains.append(gained)
        tests.append(dice.sub(attempt, side, boon_terms(gained), role, merge=by_successes))
    verdict = compare(tests[0], tests[1], request.initiator, dice)
    return KadathOppositionOutcome(
        winner=verdict.winner,
        decided_by=verdict.decided_by,
        margin=verdict.margin,
        a=_side(KadathWinner.A, tests[0], gains[0], verdict.winner, dice),
        b=_side(KadathWinner.B, tests[1], gains[1], verdict.winner, dice),
    )


def _refuse_reaction(request: KadathOppositionRequest) -> None:
    """KA-R23: only a side that initiates takes a boon."""
    sides = ((request.a, KadathInitiator.A), (request.b, KadathInitiator.B))
    for side, name in sides:
        initiates = request.initiator in {name, KadathInitiator.BOTH}
        if not initiates and (primes_of(side) or side.penalty):
            field = "prime" if side.prime else "free_primes" if side.free_primes else "penalty"
            raise RuleRefused("prime-on-reaction", pointer=f"/{name}/{field}", rule="KA-R23")


def _side(
    side: KadathWinner, test: KadathTest, gained: Effects, winner: KadathWinner | None, dice: Dice
) -> KadathSideTest:
    mishap = gained.mishap_on_failure and winner is not side  # KA-49, KA-R23
    if gained.mishap_on_failure:
        dice.note("KA-49", "side_risk", side=side, mishap=mishap)
    return KadathSideTest(
        **dict(test),
        mishap=mishap,
        position_lost=gained.position_lost,
        combat_state=gained.combat_state,
    )
