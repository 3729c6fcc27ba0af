"""Level and points of reputation: rules CY-88, CY-90 and CY-91, rulings CY-R51 and CY-R53."""

from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.side import Reputation
from arbitre.systems.cydonia.tables import RENOWN, CydoniaBards, CydoniaTitle, level_cost


class CydoniaReputationRequest(Request):
    level: Reputation
    """Level before (CY-88); the first one is the people's."""
    points: Annotated[int, Field(ge=-10, le=10), WHOLE] = 0
    """Counter before (CY-91)."""
    award: Annotated[int, Field(ge=-100, le=100), WHOLE] = 0
    """Points earned or lost (CY-91)."""


class CydoniaReputationOutcome(Outcome):
    level: int
    """Level now (CY-88)."""
    points: int
    """Counter now (CY-91)."""
    levels_changed: int
    """Levels gained, or lost when negative."""
    title: CydoniaTitle
    """Title of the level (CY-88, CY-R53)."""
    bounty_gold: int
    """Bounty in gold coins (CY-88)."""
    bards: CydoniaBards | None
    """How many bards sing of the character (CY-88)."""
    next_up: int | None
    """Points still needed to the next level up; null at the top (CY-90)."""
    next_down: int | None
    """Points still needed to the next level down; null at the bottom (CY-90)."""
    bonus: int
    """What renown adds to Charisma tests (CY-17)."""


def left(level: int, points: int, way: int) -> int | None:
    """CY-90: points still needed to the next level that way."""
    cost = level_cost(level, way)
    return None if cost is None else cost - way * points


def refuse_counter(request: CydoniaReputationRequest) -> None:
    """CY-91: a counter that has paid for a level has changed it; at the cap it stays 0."""
    level, points = request.level, request.points
    way = 1 if points > 0 else -1
    needed = left(level, points, way)
    if points and (needed is None or needed <= 0):
        raise RuleRefused(
            "points-impossible", pointer="/points", rule="CY-91", points=points, level=level
        )


def move(level: int, points: int, award: int, dice: Dice) -> tuple[int, int]:
    """CY-91, CY-R51: point by point; when a level is paid the counter returns to 0."""
    way = 1 if award > 0 else -1
    for _ in range(abs(award)):
        cost = level_cost(level, way)
        if cost is None:  # CY-R51: what comes beyond the cap is lost
            dice.note("CY-R51", "capped", level=level)
            break
        points += way
        if way * points >= cost:
            dice.note("CY-90", "level", before=level, after=level + way, cost=cost)
            level, points = level + way, 0
    return level, points


def summary(outcome: CydoniaReputationOutcome) -> tuple[str, ...]:
    keys = ["renown"]
    if outcome.bounty_gold:
        keys.append("bounty")
    return tuple(keys)


@resolver(
    "reputation",
    rules=("CY-17", "CY-88", "CY-90", "CY-91", "CY-R51", "CY-R53"),
    summary=summary,
)
def reputation(request: CydoniaReputationRequest, dice: Dice) -> CydoniaReputationOutcome:
    """Count points of reputation, and move along the ladder."""
    refuse_counter(request)
    level, points = move(request.level, request.points, request.award, dice)
    row = RENOWN[level]
    dice.note("CY-91", "counter", before=request.points, award=request.award, after=points)
    dice.note("CY-88", "title", level=level, title=row.title, bounty=row.bounty)
    return CydoniaReputationOutcome(
        level=level,
        points=points,
        levels_changed=level - request.level,
        title=row.title,
        bounty_gold=row.bounty,
        bards=row.bards,
        next_up=left(level, points, 1),
        next_down=left(level, points, -1),
        bonus=abs(level),
    )
