"""A duel: rules TD-01 to TD-03, ruling TD-R1."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Count, Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver

SUCCESS = 5  # TD-01


class TinyDuelWeapon(StrEnum):
    FIST = "fist"
    BLADE = "blade"


EDGE = {TinyDuelWeapon.FIST: 0, TinyDuelWeapon.BLADE: 1}  # TD-02


class TinyDuelWinner(StrEnum):
    A = "a"
    B = "b"


class TinyDuelFighter(Frozen):
    skill: Annotated[int, Field(ge=0, le=12), WHOLE]
    """Dice of the fighter (TD-01)."""
    weapon: TinyDuelWeapon = TinyDuelWeapon.FIST
    """What the fighter holds (TD-02)."""


class TinyDuelDuelRequest(Request):
    a: TinyDuelFighter
    """The challenger."""
    b: TinyDuelFighter
    """The challenged."""


class TinyDuelDuelOutcome(Outcome):
    winner: TinyDuelWinner | None
    """Who wins; nothing on a tie (TD-03)."""
    margin: int
    """Difference of successes."""


def fight(fighter: TinyDuelFighter, dice: Dice) -> int:
    """TD-01: each five or six is a success; TD-02: the edge is added."""
    hits = dice.pool("fighter", count=fighter.skill, sides=6, read=Count(SUCCESS))
    dice.note("TD-01", "hits", hits=hits, edge=EDGE[fighter.weapon])
    return hits + EDGE[fighter.weapon]


def summary(outcome: TinyDuelDuelOutcome) -> str:
    return "tie" if outcome.winner is None else "won"


@resolver(
    "duel",
    rules=("TD-01", "TD-02", "TD-03", "TD-R1"),
    odds=("winner", "margin", ("winner", "margin")),
    summary=summary,
)
def duel(request: TinyDuelDuelRequest, dice: Dice) -> TinyDuelDuelOutcome:
    """Two fighters roll; more successes win."""
    if request.a.skill == request.b.skill == 0:  # TD-R1
        raise RuleRefused("nobody-fights", pointer="/a/skill", rule="TD-R1")
    a = dice.sub(fight, request.a)
    b = dice.sub(fight, request.b)
    winner = None if a == b else TinyDuelWinner.A if a > b else TinyDuelWinner.B  # TD-03
    return TinyDuelDuelOutcome(winner=winner, margin=abs(a - b))
