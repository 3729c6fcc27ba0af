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


def compare(a: KadathTest, b: KadathTest, initiator: KadathInitiator, dice: Dice) -> Verdict:
    """KA-09: more successes win; ties are broken even at nought (KA-12)."""
    margin = abs(a.successes - b.successes)
    if margin:
        winner = KadathWinner.A if a.successes > b.successes else KadathWinner.B
        verdict = Verdict(winner, KadathDecidedBy.SUCCESSES, margin)
        rule = "KA-09"
    elif a.skill != b.skill:  # KA-10, KA-R10: the raw values
        winner = KadathWinner.A if a.skill > b.skill else KadathWinner.B
        verdict = Verdict(winner, KadathDecidedBy.SKILL, 0)
        rule = "KA-10"
    elif initiator is KadathInitiator.BOTH:  # KA-11
        verdict = Verdict(None, KadathDecidedBy.DRAW, 0)
        rule = "KA-11"
    else:
        verdict = Verdict(KadathWinner(initiator), KadathDecidedBy.INITIATOR, 0)
        rule = "KA-11"
    dice.note(
        rule,
        verdict.decided_by.value,
        a=a.successes,
        b=b.successes,
        skill_a=a.skill,
        skill_b=b.skill,
        initiator=initiator,
        winner=verdict.winner,
        margin=margin,
    )
    return verdict
