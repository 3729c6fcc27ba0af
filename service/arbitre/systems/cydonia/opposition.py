"""Two totals compared: rules CY-03, CY-06, CY-18, CY-29 to CY-35 and CY-70."""

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import Faults, refuse
from arbitre.systems.cydonia.roll import Penalty
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaCriticals,
    CydoniaRole,
    CydoniaSide,
    CydoniaTest,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaAnswer, CydoniaSkill
from arbitre.systems.cydonia.versus import (
    VERSUS_RULES,
    CydoniaTie,
    CydoniaWinner,
    compare,
    expected,
    is_unusual,
)

ASKED_A = Asked(CydoniaRole.A)
ASKED_B = Asked(CydoniaRole.B)


class CydoniaOppositionRequest(CydoniaCriticals, Request):
    a: CydoniaSide
    """The side that acts (CY-03)."""
    b: CydoniaSide
    """The side that opposes."""
    tie: CydoniaTie = CydoniaTie.B
    """Who has equal totals: the opposing side, or nobody (CY-R02)."""
    fear_penalty: Penalty = 0
    """Penalty that a successful intimidation puts on its target (CY-33, CY-R59)."""


class CydoniaVersusOutcome(Outcome):
    a: CydoniaTest
    """Test of the acting side."""
    b: CydoniaTest
    """Test of the opposing side."""
    winner: CydoniaWinner | None
    """Who wins; null on a draw (CY-R02)."""
    success: bool
    """Whether the acting side wins (CY-03)."""
    margin: int
    """Total of a less total of b."""


class CydoniaOppositionOutcome(CydoniaVersusOutcome):
    expected_opposition: tuple[CydoniaAnswer, ...]
    """What the skill table sets against the skill of a (CY-06)."""
    unusual: bool
    """Whether b rolls something else of that table (CY-06)."""
    penalty: int
    """Penalty of fear on b (CY-33, CY-R59)."""


def summary(outcome: CydoniaOppositionOutcome) -> tuple[str, ...]:
    told = "draw" if outcome.winner is None else "won"
    return (told, "unusual") if outcome.unusual else (told,)


def _faults(request: CydoniaOppositionRequest) -> Faults:
    yield from side_faults(request.a, ASKED_A, "/a")
    yield from side_faults(request.b, ASKED_B, "/b")
    yield from critical_faults(request)


@resolver(
    "opposition",
    rules=(*TEST_RULES, *VERSUS_RULES, "CY-06", "CY-R56", "CY-R59"),
    odds=("winner", "margin", "a.critical", "b.critical"),
    summary=summary,
)
def opposition(request: CydoniaOppositionRequest, dice: Dice) -> CydoniaOppositionOutcome:
    """Compare two tests; the acting side needs strictly more."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    a = prepare(request.a, ASKED_A, request)
    b = prepare(request.b, ASKED_B, request)
    rolled_a, rolled_b = roll(a, dice), roll(b, dice)
    verdict = compare(rolled_a, rolled_b, request.critical_policy, dice, request.tie)
    frightens = a.skill_name is CydoniaSkill.INTIMIDATION and verdict.success  # CY-33
    penalty = request.fear_penalty if frightens else 0
    if penalty:
        dice.note("CY-R59", "penalty", penalty=penalty)
    unusual = is_unusual(a, b)
    if unusual:
        dice.note("CY-06", "unusual")
    return CydoniaOppositionOutcome(
        a=shown(a, rolled_a),
        b=shown(b, rolled_b),
        winner=verdict.winner,
        success=verdict.success,
        margin=verdict.margin,
        expected_opposition=expected(a),
        unusual=unusual,
        penalty=penalty,
    )
