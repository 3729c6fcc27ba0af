"""One roll against several, each compared with it: ruling KA-R12."""

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.systems.kadath.block import (
    NO_TERMS,
    KadathBlock,
    KadathRole,
    KadathTest,
    attempt,
    by_successes,
)
from arbitre.systems.kadath.versus import KadathInitiator, KadathWinner, Verdict, compare


class Against(NamedTuple):
    """Who stands alone against whom, on which side, and which side began."""

    one: KadathRole
    others: KadathRole
    side: KadathWinner = KadathWinner.A
    initiator: KadathInitiator = KadathInitiator.A

    def compare(self, one: KadathTest, other: KadathTest, dice: Dice) -> Verdict:
        """Compare two tests, each on its side."""
        a, b = (one, other) if self.side is KadathWinner.A else (other, one)
        return compare(a, b, self.initiator, dice)


class Facing(NamedTuple):
    """One of several: the test, how it fares against the single roll, whether it loses."""

    test: KadathTest
    verdict: Verdict
    lost: bool


class Many(NamedTuple):
    """The one who stands alone, and the others."""

    one: KadathTest
    others: tuple[Facing, ...]


NOBODY: tuple[Facing, ...] = ()


def face_all(
    one: KadathBlock,
    others: Iterable[KadathBlock],
    against: Against,
    merge: Callable[[tuple[Facing, ...]], Hashable],
    dice: Dice,
) -> Many:
    """KA-R12: the one rolls once; each of the others rolls against it."""
    rolled = dice.sub(attempt, one, NO_TERMS, against.one, merge=by_successes)
    faced = dice.gather(
        _face,
        ((other, number, rolled, against) for number, other in enumerate(others, 1)),
        state=NOBODY,
        combine=_joined,
        merge=_lost,
        merge_state=merge,
    )
    return Many(rolled, faced)


def _face(block: KadathBlock, number: int, one: KadathTest, against: Against, dice: Dice) -> Facing:
    dice.note("KA-R12", "facing", number=number, role=against.others)
    test = dice.sub(attempt, block, NO_TERMS, against.others, merge=by_successes)
    verdict = against.compare(one, test, dice)
    return Facing(test, verdict, verdict.winner is against.side)


def _joined(faced: tuple[Facing, ...], more: Facing) -> tuple[Facing, ...]:
    return (*faced, more)


def _lost(facing: Facing) -> bool:
    return facing.lost


def losers(faced: tuple[Facing, ...]) -> int:
    """Count those the one beats."""
    return sum(facing.lost for facing in faced)


def any_wins(faced: tuple[Facing, ...]) -> bool:
    """Say whether one of the others wins, at least."""
    return losers(faced) < len(faced)


def any_loses(faced: tuple[Facing, ...]) -> bool:
    """Say whether the one beats one of the others, at least."""
    return losers(faced) > 0


def face_one(
    one: KadathBlock, other: KadathBlock, number: int, against: Against, dice: Dice
) -> Facing:
    """KA-R12: how one of the others fares, whatever befalls the rest."""
    rolled = dice.sub(attempt, one, NO_TERMS, against.one, merge=by_successes)
    return dice.sub(_face, other, number, rolled, against, merge=_lost)
