"""Outside combat: exact odds against every way the dice can fall."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from arbitre.odds import odds_of
from arbitre.odds.paths import plain, readings
from arbitre.systems.cydonia import SYSTEM
from cydonia_throws import asked, ends, field, odds

RUNNER = {"attribute": 4, "skill": 3}
BLOW = {
    "attacker": {"kind": "fixed", "fixed_total": 18},
    "attacker_riding": 2,
    "defender": {"attribute": 4, "skill": 5},
    "physique": 3,
    "weapon": {"flat": 4},
    "target": {"hp": 12, "protection": 2},
}


@pytest.mark.parametrize(
    ("resolver", "fields"),
    [
        (
            "taming",
            {
                "task": "tame",
                "handler": {"attribute": 5, "skill": 6, "expert": True},
                "animal_difficulty": 9,
                "critical_policy": "automatic",
            },
        ),
        (
            "trap",
            {
                "trapper": {"attribute": 4, "skill": 4},
                "victim": {"attribute": 4, "skill": 2},
                "damage": {"flat": 1, "dice": [{"count": 2, "sides": 4}]},
                "target": {"hp": 5, "protection": 2},
            },
        ),
        (
            "torture",
            {
                "torturer": {"attribute": 5, "skill": 3},
                "victim": {"courage": 4, "attribute": 5},
                "target": {"hp": 9},
                "critical_policy": "automatic",
            },
        ),
        (
            "negotiation",
            {
                "buyer": {"attribute": 5, "skill": 3, "expert": True},
                "merchant": {"attribute": 4, "skill": 3},
                "price": 99,
            },
        ),
        (
            "search",
            {
                "searcher": {"attribute": 5, "skill": 3},
                "place": "corpse",
                "hidden_opposed": {"attribute": 5, "skill": 2},
                "critical_policy": "automatic",
            },
        ),
        (
            "search",
            {
                "searcher": {"attribute": 5, "skill": 3, "expert": True, "keep": "lowest"},
                "place": "area",
                "hidden_difficulty": 14,
            },
        ),
        ("travel", {"mode": "swim", "actor": {**RUNNER, "expert": True, "keep": "second"}}),
        (
            "ride",
            {
                "rider": {"attribute": 6, "skill": 5},
                "gait": "trot",
                "race": True,
                "mount_running": 7,
            },
        ),
        (
            "chase",
            {
                "state": {
                    "participants": [
                        {"id": "p", "role": "pursuer", "position_m": 2},
                        {"id": "q", "role": "quarry", "position_m": 5.5},
                        {"id": "r", "role": "pursuer", "position_m": 0},
                    ]
                },
                "moves": [
                    {
                        "id": "p",
                        "mode": "mount",
                        "gait": "walk",
                        "mount_running": 6,
                        "actor": {"attribute": 3, "skill": 2},
                    },
                    {"id": "q", "mode": "swim", "actor": RUNNER},
                    {"id": "r", "mode": "none"},
                ],
                "escape_distance": 4,
            },
        ),
        (
            "charge",
            {
                "event": "attack",
                "state": {"momentum_turns": 2},
                "blow": BLOW,
                "mount_running": 4,
                "bystanders": [
                    {"id": "x", "defender": {"attribute": 5, "skill": 5}, "target": {"hp": 4}}
                ],
            },
        ),
        (
            "luck",
            {
                "characters": [{"id": name, "luck": 3} for name in "abc"],
                "want": "unluckiest",
                "tie_break": "roll",
            },
        ),
    ],
)
def test_odds_are_those_of_every_throw(resolver: str, fields: dict[str, Any]) -> None:
    rule, request = SYSTEM.by_id[resolver], asked(resolver, **fields)
    counted: dict[str, dict[Any, Fraction]] = {}
    for outcome, chance in ends(resolver, request):
        for name in rule.odds:
            for path, value in readings(outcome, name):
                ways = counted.setdefault(path, {})
                ways[plain(value)] = ways.get(plain(value), Fraction(0)) + chance
    found = {
        row.field: {value.value: value.p for value in row.values}
        for row in odds_of(rule, request).fields
    }
    assert found == {path: counted[path] for path in found}
    assert found


def test_the_aid_says_whom_fate_strikes() -> None:
    fields = {
        "characters": [*({"id": name, "luck": 3} for name in "abc"), {"id": "d", "luck": 4}],
        "want": "unluckiest",
        "tie_break": "roll",
    }
    struck: Counter[str] = Counter()
    request = asked("luck", **fields)
    for outcome, chance in ends("luck", request):
        struck.update(dict.fromkeys(outcome.selected, chance))
    aid = odds_of(SYSTEM.by_id["luck"], request).aid
    assert aid is not None
    said = {row["id"]: Fraction(row["chance"]["p"]) for row in aid.model_dump()["characters"]}
    assert said == {name: struck.get(name, Fraction(0)) for name in "abcd"}


def test_a_wide_pursuit_has_exact_odds() -> None:
    """A quarry and twenty riders: the quarry escapes only from all of them."""
    names = [f"p{number}" for number in range(20)]
    fields = {
        "state": {
            "participants": [
                {"id": "q", "role": "quarry", "position_m": 30},
                *({"id": name, "role": "pursuer", "position_m": 0} for name in names),
            ]
        },
        "moves": [
            {"id": "q", "mode": "run", "actor": RUNNER},
            *(
                {
                    "id": name,
                    "mode": "mount",
                    "gait": "gallop",
                    "mount_running": 30,
                    "actor": {"attribute": 6, "skill": 5},
                }
                for name in names
            ),
        ],
    }
    caught = field(odds("chase", **fields), "caught")
    one = {
        m: Fraction(1, 5) * Fraction(sum(f >= m + 7 for f in range(1, 11)), 10) for m in range(11)
    }
    free = sum(((1 - one[m]) ** 20 for m in range(1, 11)), Fraction(0)) / 10
    assert caught[False] == free


def test_the_widest_charge_has_exact_odds_of_each_bystander() -> None:
    fields = {
        "event": "attack",
        "state": {"momentum_turns": 2},
        "blow": {
            "attacker": {"attribute": 6, "skill": 5, "expert": True},
            "attacker_riding": 4,
            "defender": {"attribute": 4, "skill": 4, "expert": True},
            "physique": 7,
            "weapon": {"dice": [{"count": 2, "sides": 10}]},
            "target": {"hp": 20, "resistance": {"courage": 3, "attribute": 4}},
        },
        "mount_running": 8,
        "mount_damage": {"dice": [{"count": 3, "sides": 10}]},
        "bystanders": [
            {"id": f"b{number}", "defender": {"attribute": 9, "skill": number}}
            for number in range(20)
        ],
    }
    found = odds("charge", **fields)
    chances = [field(found, f"bystanders.{number}.hit").get(True, 0) for number in range(20)]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 16  # at most 25 against 24, and nothing from there on
