"""Two tests compared: rules KA-09 to KA-12."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.systems.kadath.block import KadathTest

VERSUS_RULES = ("KA-09", "KA-10", "KA-11", "KA-12", "KA-R10")


class KadathWinner(StrEnum):
    A = "a"
    B = "b"


class KadathInitiator(StrEnum):
    A = "a"
    B = "b"
    BOTH = "both"


class KadathDecidedBy(StrEnum):
    SUCCESSES = "successes"
    SKILL = "skill"
    INITIATOR = "initiator"
    DRAW = "draw"
    TEST = "test"


class Verdict(NamedTuple):
    """Who wins, by what, by how much."""

    winner: KadathWinner | None
    decided_by: KadathDecidedBy
    margin: int


def judge(
    a: int, skill_a: int, b: int, skill_b: int, initiator: KadathInitiator
) -> tuple[str, Verdict]:
    """KA-09: more successes win; KA-12: ties are broken even at nought. Name the rule too."""
    if a != b:
        winner = KadathWinner.A if a > b else KadathWinner.B
        return "KA-09", Verdict(winner, KadathDecidedBy.SUCCESSES, abs(a - b))
    if skill_a != skill_b:  # KA-10, KA-R10: the raw values
        winner = KadathWinner.A if skill_a > skill_b else KadathWinner.B
        return "KA-10", Verdict(winner, KadathDecidedBy.SKILL, 0)
    if initiator is KadathInitiator.BOTH:
        return "KA-11", Verdict(None, KadathDecidedBy.DRAW, 0)
    return "KA-11", Verdict(KadathWinner(initiator), KadathDecidedBy.INITIATOR, 0)


def compare(a: KadathTest, b: KadathTest, initiator: KadathInitiator, dice: Dice) -> Verdict:
    """Judge two tests and say why."""
    rule, verdict = judge(a.successes, a.skill, b.successes, b.skill, initiator)
    dice.note(
        rule,
        verdict.decided_by.value,
        a=a.successes,
        b=b.successes,
        skill_a=a.skill,
        skill_b=b.skill,
        initiator=initiator,
        winner=verdict.winner,
        margin=verdict.margin,
    )
    return verdict
