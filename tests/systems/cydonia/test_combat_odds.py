"""In a fight, exact odds against every way the dice can fall, and against the book's numbers."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from arbitre.odds import odds_of
from arbitre.odds.paths import plain, readings
from arbitre.systems.cydonia import SYSTEM
from cydonia_throws import asked, ends, field, odds

RESISTANCE = {"courage": 3, "attribute": 6}
FIXED = {"kind": "fixed", "fixed_total": 20}


@pytest.mark.parametrize(
    ("resolver", "fields"),
    [
        ("roll", {"attribute": 4, "skill": 3, "expert": True, "keep": "lowest", "difficulty": 12}),
        ("roll", {"attribute": 4, "expert": True, "keep": "first", "critical_policy": "automatic"}),
        (
            "opposition",
            {
                "a": {"attribute": 4, "skill": 2},
                "b": {"attribute": 5, "skill": 0},
                "tie": "draw",
                "critical_policy": "automatic",
            },
        ),
        ("damage-location", {"table": "weapon", "margin": 7, "attacker_mounted": True}),
        ("damage-location", {"table": "unarmed", "defender_mounted": True, "modifier": -2}),
        (
            "damage",
            {
                "physique": 4,
                "weapon": {"flat": 1, "dice": [{"count": 1, "sides": 6}]},
                "zone": "throat",
                "target": {"hp": 18, "protection": 3},
            },
        ),
        ("damage", {"preset": "claws", "physique": 4, "zone": "groin", "target": {"hp": 9}}),
        (
            "attack",
            {
                "attacker": FIXED,
                "defender": {"attribute": 6, "skill": 6},
                "method": "unarmed",
                "physique": 9,
                "target": {"hp": 12, "protection": 1, "resistance": RESISTANCE},
                "stun": True,
            },
        ),
        (
            "attack",
            {
                "attacker": {"attribute": 6, "skill": 4},
                "defender": {"attribute": 4, "skill": 4},
                "weapon": {"flat": 5},
                "physique": 3,
                "called_zone": "head",
                "target": {"hp": 20, "resistance": RESISTANCE},
                "stun": True,
                "concentrating": True,
            },
        ),
        (
            "attack",
            {
                "attacker": {"attribute": 2, "skill": 2},
                "means": "none",
                "difficulty": 9,
                "weapon": {"flat": 2},
                "physique": 3,
                "critical_policy": "automatic",
                "weapon_table": "example",
                "weapon_hit": "stopped",
                "target": {"hp": 6, "vital_zones": ["throat"]},
            },
        ),
        (
            "healing",
            {
                "method": "medicine",
                "healer": {"attribute": 6, "skill": 4, "expert": True},
                "difficulty": 14,
                "target": {"hp": 3, "hp_max": 6, "penalty": 4},
            },
        ),
        (
            "healing",
            {
                "method": "potion",
                "amount": {"flat": -2, "dice": [{"count": 2, "sides": 4}]},
                "target": {"hp": 0, "hp_max": 5},
            },
        ),
        ("stun", {"phase": "blow", "damage": 12, "resistance": RESISTANCE}),
        (
            "kravkar",
            {
                "attacker": {"attribute": 8, "skill": 6},
                "defender": FIXED,
                "actions": [{"type": "strike"}, {"type": "grab"}, {"type": "slam"}],
                "target": {"hp": 16, "protection": 1, "resistance": RESISTANCE},
            },
        ),
        (
            "initiative",
            {
                "combatants": [
                    {"id": "a", "agility": 4, "senses": 3, "luck": 2},
                    {"id": "b", "agility": 3, "senses": 5, "luck": 5},
                    {"id": "c", "agility": 5, "senses": 1},
                ],
                "roll_die": True,
            },
        ),
    ],
)
def test_odds_are_those_of_every_throw(resolver: str, fields: dict[str, Any]) -> None:
    request = asked(resolver, **fields)
    counted: dict[str, Counter[Any]] = {}
    for outcome, chance in ends(resolver, request):
        for name in SYSTEM.by_id[resolver].odds:
            for reading, value in readings(outcome, name):
                counted.setdefault(reading, Counter())[plain(value)] += chance  # type: ignore[assignment]
    found = odds_of(SYSTEM.by_id[resolver], request)
    for row in found.fields:
        assert {value.value: value.p for value in row.values} == counted[row.field]
    assert {row.field for row in found.fields} >= {
        name for name, ways in counted.items() if set(ways) != {None}
    }


def test_who_is_first_is_that_of_every_throw() -> None:
    lucks: list[int | None] = [2, 5, None, 2]
    combatants = [
        {"id": str(number), "agility": 3 + number % 2, "senses": 4, "luck": luck}
        for number, luck in enumerate(lucks)
    ]
    request = {"combatants": combatants, "roll_die": True}
    chances: Counter[str] = Counter()
    for outcome, chance in ends("initiative", asked("initiative", **request)):
        for turn in outcome.order:
            if turn.rank == 1:
                chances[turn.id] += chance  # type: ignore[assignment]
    aid: Any = odds("initiative", **request).aid
    assert {row.id: Fraction(row.chance.p) for row in aid.combatants} == chances


def test_a_blow_of_the_book_has_its_expected_damage() -> None:
    found = odds(
        "attack",
        attacker={"attribute": 4, "skill": 6},
        defender={"attribute": 4, "skill": 5},
        physique=7,
        weapon={"flat": 3, "dice": [{"count": 1, "sides": 10}]},
        target={"protection": 3, "hp": 25, "hp_max": 25},
    )
    (damage,) = [row for row in found.fields if row.field == "damage"]
    assert damage.mean == Fraction(5973, 800)
    assert field(found, "killed")[True] == field(found, "downed")[True] == Fraction(187, 16_000)
    zones = field(found, "location.zone")
    assert sum(zones.values()) == 1
    assert zones[None] == Fraction(9, 20)


def test_a_chain_of_the_book_has_its_odds() -> None:
    found = odds(
        "kravkar",
        attacker={"attribute": 8, "skill": 6},
        defender={"attribute": 5, "skill": 4},
        actions=[{"type": "strike"}] * 6,
        locate=False,
    )
    alone = [Fraction(n, 100) for n in (85, 64, 36, 15, 3, 0)]
    aid: Any = found.aid
    assert [Fraction(row.alone.p) for row in aid.actions] == alone
    reached = [Fraction(row.reached.p) for row in aid.actions]
    lengths = field(found, "chain_length")
    for length, chance in enumerate(reached, 1):
        assert chance == sum(p for value, p in lengths.items() if value >= length)
    assert reached[4] == Fraction(88_128, 100_000_000)


def test_the_length_of_a_stun_follows_from_its_turns() -> None:
    request = {"phase": "blow", "damage": 13, "resistance": {"courage": 2, "attribute": 3}}
    aid: Any = odds("stun", **request).aid
    out = Fraction(1)
    for lost, row in enumerate(aid.lengths):
        difficulty = max(0, 13 - lost)
        awake = Fraction(min(10, max(0, 15 - difficulty)), 10)
        assert (row.turns, row.difficulty) == (lost, difficulty)
        assert Fraction(row.chance.p) == out * awake
        out -= out * awake
    assert Fraction(aid.remaining.p) == out == 0
    assert Fraction(aid.expected.p) == sum(
        row.turns * Fraction(row.chance.p) for row in aid.lengths
    )


def test_nobody_sleeps_without_a_resistance_to_test() -> None:
    state = {"stunned": True, "difficulty": 9, "turns": 2}
    found = odds("stun", phase="recover", attempt=False, state=state)
    assert found.aid is None
    assert field(found, "state.turns") == {3: 1}


def test_the_widest_requests_have_odds() -> None:
    side = {"attribute": 10, "skill": 5, "expert": True}
    target = {"hp": 90, "hp_max": 90, "protection": 3, "resistance": RESISTANCE}
    weapon = {"flat": 5, "dice": [{"count": 4, "sides": 6}, {"count": 2, "sides": 10}]}
    blow = odds(
        "attack",
        attacker=side,
        defender=side,
        physique=7,
        weapon=weapon,
        target=target,
        stun=True,
    )
    assert len(field(blow, "damage")) > 40
    crowd = [
        {"id": f"c{n}", "agility": n % 20, "senses": 5, "luck": n % 7 or None} for n in range(100)
    ]
    order = odds("initiative", combatants=crowd, roll_die=True)
    aid: Any = order.aid
    assert sum(Fraction(row.chance.p) for row in aid.combatants) >= 1
