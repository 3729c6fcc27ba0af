"""What a scenario brings: rules CY-91, CY-95 and CY-96, ruling CY-R55."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse, twice
from arbitre.systems.cydonia.tables import (
    COMMON_AWARDS,
    INDIVIDUAL_AWARDS,
    SHAMAN_RESPECT,
    CydoniaAward,
    CydoniaChoice,
    CydoniaIndividualAward,
    Worth,
)


class CydoniaVote(Frozen):
    key: CydoniaIndividualAward
    """What the table voted (CY-96)."""
    choice: CydoniaChoice | None = None
    """Experience or learning points, where it is one or the other (CY-R55)."""


class CydoniaAwardRequest(Request):
    full_scenario: bool = False
    """Whether the whole scenario was played (CY-95)."""
    scenario_success: bool = False
    """Whether it succeeded (CY-95)."""
    shira_improvement: bool = False
    """Whether the Shira improved (CY-95)."""
    kei_respect: bool = False
    """Whether the Kei was respected (CY-95)."""
    hasaki: bool = False
    """Whether the character is a Hasaki."""
    shaman: bool = False
    """Whether the character is a Shaman, and so a Hasaki (CY-R55)."""
    reputation_points: Annotated[int, Field(ge=-100, le=100), WHOLE] = 0
    """Points of reputation the game master gives (CY-91)."""
    individual: Annotated[
        tuple[CydoniaVote, ...], Field(max_length=len(CydoniaIndividualAward))
    ] = ()
    """Awards that the table voted (CY-96)."""


class CydoniaAwardLine(Frozen):
    key: CydoniaAward
    """The award."""
    xp: int
    """Experience."""
    learning_points: int
    """Learning points."""
    shira_xp: int
    """Shira experience."""


class CydoniaAwardOutcome(Outcome):
    xp: int
    """Experience in all."""
    learning_points: int
    """Learning points in all."""
    shira_xp: int
    """Shira experience in all."""
    reputation_points: int
    """Points of reputation (CY-91)."""
    lines: tuple[CydoniaAwardLine, ...]
    """Each award."""


_HASAKI = (CydoniaAward.SHIRA_IMPROVEMENT, CydoniaAward.KEI_RESPECT)


def _faults(request: CydoniaAwardRequest) -> Faults:
    for number, vote in enumerate(request.individual):
        given = vote.choice is not None and not INDIVIDUAL_AWARDS[vote.key].choice
        yield from excluded(given, f"/individual/{number}/choice", "key")
    for number, vote in enumerate(request.individual):
        if INDIVIDUAL_AWARDS[vote.key].choice and vote.choice is None:
            yield RuleRefused(
                "choice-required",
                pointer=f"/individual/{number}/choice",
                rule="CY-R55",
                key=vote.key,
            )
    for award in _HASAKI:
        if getattr(request, award.value) and not (request.hasaki or request.shaman):
            yield RuleRefused("hasaki-only", pointer=f"/{award.value}", rule="CY-R55")
    yield from twice([vote.key for vote in request.individual], "/individual", "duplicate-key")


def _worths(request: CydoniaAwardRequest) -> list[tuple[str, CydoniaAward, Worth]]:
    found = []
    for award, worth in COMMON_AWARDS.items():
        shaman = award is CydoniaAward.KEI_RESPECT and request.shaman  # CY-R55
        if getattr(request, award.value):
            found.append(("CY-95", award, SHAMAN_RESPECT if shaman else worth))
    for vote in request.individual:
        worth = INDIVIDUAL_AWARDS[vote.key]
        if vote.choice is CydoniaChoice.XP:
            worth = worth._replace(learning_points=0)
        elif vote.choice is CydoniaChoice.LEARNING_POINTS:
            worth = worth._replace(xp=0)
        found.append(("CY-96", CydoniaAward(vote.key.value), worth))
    return found


def summary(_outcome: CydoniaAwardOutcome) -> str:
    return "awarded"


@resolver("award", rules=("CY-91", "CY-95", "CY-96", "CY-R55"), summary=summary)
def award(request: CydoniaAwardRequest, dice: Dice) -> CydoniaAwardOutcome:
    """Add up what the end of a scenario brings."""
    refuse(_faults(request))
    lines = []
    for rule, key, worth in _worths(request):
        line = CydoniaAwardLine(
            key=key,
            xp=worth.xp,
            learning_points=worth.learning_points,
            shira_xp=worth.shira_xp,
        )
        dice.note(
            rule,
            "award",
            award=key,
            xp=line.xp,
            learning_points=line.learning_points,
            shira_xp=line.shira_xp,
        )
        lines.append(line)
    if request.reputation_points:
        dice.note("CY-91", "reputation-points", points=request.reputation_points)
    return CydoniaAwardOutcome(
        xp=sum(line.xp for line in lines),
        learning_points=sum(line.learning_points for line in lines),
        shira_xp=sum(line.shira_xp for line in lines),
        reputation_points=request.reputation_points,
        lines=tuple(lines),
    )
