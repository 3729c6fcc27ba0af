"""Whole chases and contracts: against every sequence of faces, and against a million rounds."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import BudgetExceededError
from arbitre.odds import odds_of
from arbitre.rules.errors import RuleRefused
from arbitre.systems.night_prowler import SYSTEM
from arbitre.systems.night_prowler.distribution import PLAIN
from arbitre.systems.night_prowler.pursuit import NightProwlerRunnerStatus as Status
from arbitre.systems.night_prowler.pursuit import Runner, Runners, advance, settle
from arbitre.systems.night_prowler.tables import NightProwlerHeadStart as Start
from arbitre.systems.night_prowler.tables import NightProwlerRole as Role
from arbitre.systems.night_prowler.test import judge

ROUNDS = 1_000_000
SIGMAS = 5
FACES = range(1, 21)

Ending = tuple[int, str]


def _course(resolver: str, request: dict[str, Any], options: dict[str, Any]) -> Any:
    found = SYSTEM.by_id[resolver]
    assert found.aid is not None
    assert found.aid.options is not None
    return odds_of(
        found,
        found.request.model_validate_json(to_json(request)),
        found.aid.options.model_validate_json(to_json(options)),
    ).aid


def _chase(
    levels: tuple[int, ...], starts: tuple[str, ...], option: str = "dash", **runner: Any
) -> dict[str, Any]:
    ids = ["F", *(f"P{number}" for number in range(1, len(levels)))]
    return {
        "state": {
            "participants": [
                {
                    "id": name,
                    "role": "fugitive" if name == "F" else "pursuer",
                    "head_start": start,
                    **runner,
                }
                for name, start in zip(ids, starts, strict=True)
            ]
        },
        "choices": [
            {"id": name, "option": option if name == "F" else "dash", "skill": level}
            for name, level in zip(ids, levels, strict=True)
        ],
    }


def _by_round(course: Any) -> dict[Ending, Fraction]:
    return {
        (row.round, ending.fugitives[0].value): Fraction(ending.p.p)
        for row in course.rounds
        for ending in row.endings
    }


def _gain(face: int, threshold: int) -> int:
    """What a dash gains, told anew from the book: by fours, nothing beyond the threshold."""
    return (face + 3) // 4 if face <= threshold and face < 20 else 0


def _every_way(
    levels: tuple[int, int], goals: tuple[int, int], rounds: int
) -> dict[Ending, Fraction]:
    """Play every sequence of gains, without merging anything."""
    gains = [Counter(_gain(face, level) for face in FACES) for level in levels]
    seen: dict[Ending, Fraction] = {}

    def go_on(number: int, totals: tuple[int, int], chance: Fraction) -> None:
        for own, foe in product(*gains):
            after = (totals[0] + own, totals[1] + foe)
            p = chance * gains[0][own] * gains[1][foe] / 400
            over = (after[0] - goals[0], after[1] - goals[1])
            if max(over) > 0 and over[0] != over[1]:
                key = (number, "escaped" if over[0] > over[1] else "caught")
                seen[key] = seen.get(key, Fraction(0)) + p
            elif number < rounds:
                go_on(number + 1, after, p)

    go_on(1, (0, 0), Fraction(1))
    return seen


@pytest.mark.parametrize(
    ("levels", "starts", "goals"),
    [
        ((12, 11), ("huge", "large"), (4, 8)),
        ((14, 9), ("large", "huge"), (8, 4)),
        ((10, 10), ("huge", "huge"), (4, 4)),
        ((20, 20), ("huge", "huge"), (4, 4)),
    ],
)
def test_a_chase_ends_as_every_sequence_of_dice_says(
    levels: tuple[int, int], starts: tuple[str, str], goals: tuple[int, int]
) -> None:
    course = _course("chase", _chase(levels, starts), {"rounds": 3})
    expected = _every_way(levels, goals, 3)
    assert _by_round(course) == expected
    assert Fraction(course.remaining.p) == 1 - sum(expected.values())
    assert Fraction(course.expected_rounds.p) == sum(
        number * p for (number, _), p in expected.items()
    ) + 3 * Fraction(course.remaining.p)


def _close(seen: Counter[Ending], games: int, expected: dict[Ending, Fraction]) -> None:
    """Compare frequencies with chances, within five standard deviations."""
    assert seen.keys() <= expected.keys()
    for key, p in expected.items():
        chance = float(p)
        slack = SIGMAS * sqrt(chance * (1 - chance) / games) + SIGMAS / games
        assert abs(seen[key] / games - chance) <= slack, key


def test_a_million_rounds_of_a_chase_fall_as_the_course_says() -> None:
    levels, dice = (13, 12), random.Random(20)  # noqa: S311 - a fixed seed
    gains = [[max(0, judge(face, level, PLAIN).quality) for face in FACES] for level in levels]
    start: Runners = (
        Runner(Role.FUGITIVE, 0, 0, Start.NONE, None, Status.RUNNING),
        Runner(Role.PURSUER, 0, 0, Start.SMALL, None, Status.RUNNING),
    )
    seen: Counter[Ending] = Counter()
    played = games = 0
    while played < ROUNDS:
        games += 1
        runners = start
        number = 0
        while runners[0].status is Status.RUNNING and number < 40:
            number += 1
            for one, table in enumerate(gains):
                gain = table[dice.randrange(20)]
                runners = advance(runners, one, gain) if gain else runners
            overruns = [runner.overrun for runner in runners]
            runners = settle(runners) if max(overruns) > 0 else runners
        played += number
        if runners[0].status is not Status.RUNNING:
            seen[number, runners[0].status.value] += 1
    expected = _by_round(_course("chase", _chase(levels, ("none", "small")), {"rounds": 40}))
    _close(seen, games, expected)


def test_a_million_rolls_of_a_contract_fall_as_the_course_says() -> None:
    threshold, most, dice = 12, 6, random.Random(21)  # noqa: S311 - a fixed seed
    qualities = [judge(face, 13, PLAIN).quality for face in FACES]
    seen: Counter[Ending] = Counter()
    games = ROUNDS // most
    for _ in range(games):
        total = failures = 0
        for number in range(1, most + 1):
            quality = qualities[dice.randrange(20)]
            total += quality
            failures += quality < 0
            if total >= threshold:
                seen[number, "fulfilled"] += 1
                break
            if failures >= 3:
                seen[number, "broken"] += 1
                break
        else:
            seen[most, "failed"] += 1
    course = _course(
        "contract",
        {"preset": "tier3", "failure_limit": 3, "participants": [{"skill": 13}]},
        {"rounds": 6},
    )
    expected = {
        (row.round, ending): Fraction(getattr(row, ending).p)
        for row in course.rounds
        for ending in ("fulfilled", "failed", "broken")
    }
    assert Fraction(course.remaining.p) == 0
    assert sum(expected.values()) == 1
    _close(seen, games, expected)


def test_a_contract_ends_as_every_pair_of_faces_says() -> None:
    qualities = [judge(face, 12, PLAIN).quality for face in FACES]
    course = _course("contract", {"preset": "tier1", "participants": [{"skill": 12}]}, {})
    first = sum(quality >= 4 for quality in qualities)
    both = sum(one < 4 and one + two >= 4 for one, two in product(qualities, repeat=2))
    assert Fraction(course.rounds[0].fulfilled.p) == Fraction(first, 20)
    assert Fraction(course.fulfilled.p) == Fraction(first, 20) + Fraction(both, 400)


def test_heroism_that_runs_out_leaves_a_plain_dash() -> None:
    paid = _chase((12, 12), ("none", "none"), option="sprint", heroism=2)
    course = _course("chase", paid, {"rounds": 6})
    sprints = _course("chase", _chase((12, 12), ("none", "none"), heroism=60), {"rounds": 6})
    assert _by_round(course) != _by_round(sprints)
    assert sum(_by_round(course).values()) + Fraction(course.remaining.p) == 1


def test_two_pursuers_catch_more_often_than_one() -> None:
    one = _course("chase", _chase((13, 11), ("none",) * 2), {"rounds": 30})
    two = _course("chase", _chase((13, 11, 11), ("none",) * 3), {"rounds": 30})

    def caught(course: Any) -> Fraction:
        return sum(
            (Fraction(row.p.p) for row in course.endings if row.fugitives[0] is Status.CAUGHT),
            Fraction(0),
        )

    assert caught(one) < caught(two) < 1


def test_a_crowd_of_runners_is_too_much_to_unfold() -> None:
    crowd = _chase((12,) * 5, ("none",) * 5)
    with pytest.raises(BudgetExceededError):
        _course("chase", crowd, {"rounds": 30})


def test_a_choice_for_a_later_round_belongs_to_somebody_who_runs() -> None:
    later = [{"id": "X", "option": "dash", "skill": 12}]
    with pytest.raises(RuleRefused) as refused:
        _course("chase", _chase((12, 12), ("none", "none")), {"choices": later})
    assert (refused.value.code, refused.value.pointer) == (
        "choice-unneeded",
        "/options/choices/0/id",
    )


def test_a_masquerade_is_tried_as_soon_as_the_rules_allow_it() -> None:
    plan = [{"id": "F", "option": "masquerade", "skill": 20, "modifier": 5}]
    request = _chase((20, 3), ("none", "none"), heroism=4)
    plain = _course("chase", request, {"rounds": 6})
    planned = _course("chase", request, {"rounds": 6, "choices": plan})
    assert Fraction(planned.expected_rounds.p) < Fraction(plain.expected_rounds.p)
