"""Help and hindrance are placed as well as they can be."""

from functools import cache
from itertools import combinations_with_replacement, permutations

import pytest

from arbitre.systems.kadath.block import place_help, place_hindrance
from arbitre.systems.kadath.tables import worth

POOLS = [faces for count in range(5) for faces in combinations_with_replacement(range(1, 7), count)]


def successes(faces: tuple[int, ...]) -> int:
    return sum(map(worth, faces))


@cache
def best(faces: tuple[int, ...], points: int) -> int:
    """Try every way to place up to ``points`` points, die by die."""
    if not faces:
        return 0
    first, rest = faces[0], faces[1:]
    return max(
        worth(first + spent) + best(rest, points - spent)
        for spent in range(min(points, 6 - first) + 1)
    )


@cache
def worst(faces: tuple[int, ...], points: int) -> int:
    if not faces:
        return 0
    first, rest = faces[0], faces[1:]
    return min(
        worth(first - spent) + worst(rest, points - spent)
        for spent in range(min(points, first - 1) + 1)
    )


@pytest.mark.parametrize("points", range(9))
def test_no_placement_of_help_gives_more_successes(points: int) -> None:
    for faces in POOLS:
        raised, placed = place_help(faces, points)
        assert successes(raised) == best(faces, points), (faces, points)
        assert len(placed) <= points


@pytest.mark.parametrize("points", range(9))
def test_no_placement_of_hindrance_leaves_fewer_successes(points: int) -> None:
    for faces in POOLS:
        lowered, placed = place_hindrance(faces, points)
        assert successes(lowered) == worst(faces, points), (faces, points)
        assert successes(lowered) == max(0, successes(faces) - points)
        assert len(placed) <= points


@pytest.mark.parametrize("points", range(9))
def test_the_order_of_the_dice_changes_no_success(points: int) -> None:
    for faces in combinations_with_replacement(range(1, 7), 3):
        raised = {successes(place_help(order, points)[0]) for order in permutations(faces)}
        assert len(raised) == 1


@pytest.mark.parametrize("points", range(9))
def test_the_points_placed_lead_from_the_faces_rolled_to_the_faces_shown(points: int) -> None:
    for faces in POOLS:
        for place, step in ((place_help, 1), (place_hindrance, -1)):
            after, placed = place(faces, points)
            shown = list(faces)
            for point in placed:
                assert shown[point.die] == point.before
                assert point.after == point.before + step
                shown[point.die] = point.after
            assert tuple(shown) == after


def test_a_point_that_brings_nothing_is_kept() -> None:
    for points in range(9):
        for faces in POOLS:
            gained = successes(place_help(faces, points)[0])
            spent = len(place_help(faces, points)[1])
            assert best(faces, spent) == gained
            if spent:
                assert best(faces, spent - 1) < gained


def test_help_then_hindrance_beats_no_other_guess() -> None:
    """Whatever the hindrance, the best help is the one placed without looking at it."""
    for faces in combinations_with_replacement(range(1, 7), 3):
        for points in range(5):
            for against in range(4):
                helped, _ = place_help(faces, points)
                reached = max(
                    worst(tuple(raised), against) for raised in _all_raised(faces, points)
                )
                assert successes(place_hindrance(helped, against)[0]) == reached


def _all_raised(faces: tuple[int, ...], points: int) -> list[tuple[int, ...]]:
    if not faces:
        return [()]
    return [
        (faces[0] + spent, *rest)
        for spent in range(min(points, 6 - faces[0]) + 1)
        for rest in _all_raised(faces[1:], points - spent)
    ]
