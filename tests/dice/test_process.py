"""Processes round by round, against closed forms and brute force."""

from fractions import Fraction
from itertools import product

import pytest

from arbitre.dice import Budget, BudgetExceededError, Distribution, unfold


def _climb(state: int) -> Distribution[int]:
    """A d6 is added until the sum is ten or more."""
    return Distribution({state + face: 1 for face in range(1, 7)}, 6)


def _flip(state: str) -> Distribution[str]:
    return (
        Distribution({"heads": 1, "tails": 1}, 2)
        if state == "tails"
        else Distribution({state: 1}, 1)
    )


def _over(state: int) -> str | None:
    if state < 10:
        return None
    return "exact" if state == 10 else "past"


def test_a_coin_thrown_until_heads_lasts_a_geometric_number_of_rounds() -> None:
    course = unfold(
        "tails", 5, lambda _: [_flip], lambda s: "heads" if s == "heads" else None, Budget()
    )
    assert [row["heads"] for row in course.rounds] == [Fraction(1, 2**n) for n in range(1, 6)]
    assert course.remaining == Fraction(1, 32)
    assert course.length == sum(Fraction(n, 2**n) for n in range(1, 6)) + Fraction(5, 32)
    assert course.endings == {"heads": Fraction(31, 32)}


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_equal_states_merged_give_what_every_sequence_gives(rounds: int) -> None:
    course = unfold(0, rounds, lambda _: [_climb], _over, Budget())
    seen: dict[tuple[int, str], Fraction] = {}
    for faces in product(range(1, 7), repeat=rounds):
        total = 0
        for number, face in enumerate(faces, 1):
            total += face
            end = _over(total)
            if end is not None:
                key = (number, end)
                seen[key] = seen.get(key, Fraction(0)) + Fraction(1, 6**rounds)
                break
    found = {
        (number, end): p for number, row in enumerate(course.rounds, 1) for end, p in row.items()
    }
    assert found == seen
    assert sum(seen.values(), Fraction(0)) + course.remaining == 1


def test_phases_of_a_round_follow_one_another_and_may_differ_by_round() -> None:
    course = unfold(0, 2, lambda number: [_climb] * number, lambda s: s, Budget())
    assert course.rounds[0] == {face: Fraction(1, 6) for face in range(1, 7)}
    assert course.remaining == 0
    later = unfold(0, 2, lambda number: [_climb] * number, lambda s: s if s > 6 else None, Budget())
    assert later.rounds[0] == {}
    assert sum(later.rounds[1].values()) + later.remaining == 1


def test_too_much_work_is_refused() -> None:
    with pytest.raises(BudgetExceededError):
        unfold(0, 50, lambda _: [_climb], lambda _: None, Budget(100))


def test_too_many_states_at_once_are_refused() -> None:
    wide = Distribution(dict.fromkeys(range(25_001), 1), 25_001)
    with pytest.raises(BudgetExceededError):
        unfold(0, 1, lambda _: [lambda _: wide], lambda _: None, Budget(10**9))
