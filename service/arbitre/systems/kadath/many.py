"""One roll against several, each compared with it: ruling KA-R12."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from math import prod
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.resolver import Enumerate
from arbitre.systems.kadath.block import (
    NO_TERMS,
    KadathBlock,
    KadathRole,
    KadathTest,
    attempt,
    by_successes,
)
from arbitre.systems.kadath.versus import KadathInitiator, KadathWinner, Verdict, compare, judge


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

    def beats(self, successes: int, skill: int, other: int, other_skill: int) -> bool:
        """Say whether the one beats another."""
        one, another = (successes, skill), (other, other_skill)
        a, b = (one, another) if self.side is KadathWinner.A else (another, one)
        return judge(*a, *b, self.initiator)[1].winner is self.side


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


class Chances(NamedTuple):
    """For each of the others the chance to lose to the one; the chance that all do."""

    each: tuple[Fraction, ...]
    all: Fraction


def losing_chances(
    one: KadathBlock,
    others: tuple[KadathBlock, ...],
    against: Against,
    enumerate_: Enumerate,
) -> Chances:
    """Work out the exact chances: given the one's successes, the others are independent."""

    def successes(block: KadathBlock, role: KadathRole) -> dict[int, Fraction]:
        def tested(dice: Dice) -> int:
            return dice.sub(attempt, block, NO_TERMS, role, merge=by_successes).successes

        return dict(enumerate_(tested).items())

    known = {block: successes(block, against.others) for block in dict.fromkeys(others)}
    each = [Fraction(0)] * len(others)
    everybody = Fraction(0)
    for count, p in successes(one, against.one).items():
        given = {
            block: sum(
                (
                    q
                    for value, q in chances.items()
                    if against.beats(count, one.skill, value, block.skill)
                ),
                Fraction(0),
            )
            for block, chances in known.items()
        }
        lost = [given[block] for block in others]
        each = [total + p * q for total, q in zip(each, lost, strict=True)]
        everybody += p * prod(lost)
    return Chances(tuple(each), everybody)
