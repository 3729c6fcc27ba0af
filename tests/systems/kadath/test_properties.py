"""What holds whatever is asked and whatever falls."""

import json
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arbitre.dice import SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.rules.play import play
from arbitre.systems.kadath import SYSTEM
from arbitre.systems.kadath.hazard import fall_damage
from arbitre.systems.kadath.tables import BOXES, KadathBox, raise_cost

SKILL = st.integers(0, 6)
COUNT = st.integers(0, 4)
SEED = st.text("abcdefgh", min_size=1, max_size=8)
HELPER = st.fixed_dictionaries(
    {
        "skill": SKILL,
        "favorable": COUNT,
        "unfavorable": COUNT,
        "declared_actions": st.integers(1, 6),
    }
)
HELPERS = st.lists(HELPER, max_size=2)
BLOCK = st.fixed_dictionaries(
    {
        "skill": SKILL,
        "favorable": COUNT,
        "unfavorable": COUNT,
        "declared_actions": st.integers(1, 6),
        "box": st.sampled_from(["white", "light_gray", "dark_gray", "black"]),
        "helpers": HELPERS,
        "hinderers": HELPERS,
    }
)
LINE = st.fixed_dictionaries(
    {"white": st.integers(1, 3), "light_gray": st.integers(0, 3), "dark_gray": st.integers(0, 3)}
)
PERIL = [
    {"from": 1, "to": 2, "label": "a"},
    {"from": 3, "to": 3, "label": "b", "condition": "unconscious"},
    {"from": 4, "to": 4, "label": "c", "condition": "trauma"},
    {"from": 5, "to": 5, "label": "d", "condition": "coma"},
    {"from": 6, "to": 6, "label": "e", "condition": "dead"},
]


def resolve(resolver: str, request: dict[str, Any], seed: str) -> Any:
    found = SYSTEM.by_id[resolver]
    asked = found.request.model_validate_json(json.dumps(request))
    return play(found, asked, SeededFaces(caller_seed(seed))).outcome


@given(BLOCK, SEED)
def test_a_favorable_circumstance_never_lowers_the_successes(
    block: dict[str, Any], seed: str
) -> None:
    before = resolve("roll", block, seed)
    after = resolve("roll", {**block, "favorable": block["favorable"] + 1}, seed)
    assert before.successes <= after.successes <= before.successes + 1


@given(BLOCK, SEED)
def test_an_unfavorable_circumstance_never_raises_the_successes(
    block: dict[str, Any], seed: str
) -> None:
    before = resolve("roll", block, seed)
    after = resolve("roll", {**block, "unfavorable": block["unfavorable"] + 1}, seed)
    assert before.successes - 1 <= after.successes <= before.successes


@given(BLOCK, SEED)
def test_help_raises_and_hindrance_lowers(block: dict[str, Any], seed: str) -> None:
    test = resolve("roll", block, seed)
    assert test.help_spent <= test.help_points
    assert test.hindrance_spent <= test.hindrance_points
    alone = resolve("roll", {**block, "hinderers": []}, seed)
    assert test.dice_successes == max(0, alone.dice_successes - test.hindrance_points)
    assert all(1 <= face <= 6 for face in test.adjusted_faces)


@given(SKILL, st.integers(-3, 3))
def test_more_skill_never_lowers_the_chance_of_success(skill: int, modifier: int) -> None:
    def chance(value: int) -> Any:
        found = SYSTEM.by_id["roll"]
        request = found.request(
            skill=value, favorable=max(0, modifier), unfavorable=max(0, -modifier)
        )
        rows = odds_of(found, request).fields[1].values
        return next((row.p for row in rows if row.value is True), 0)

    assert chance(skill) <= chance(min(6, skill + 1))


SWAPPED = {"a": "b", "b": "a", "both": "both", None: None}


@given(SKILL, SKILL, COUNT, COUNT, st.sampled_from(["a", "b", "both"]))
def test_an_opposition_mirrors_when_the_sides_change_places(
    one: int, other: int, favorable: int, unfavorable: int, initiator: str
) -> None:
    a = {"skill": one, "favorable": favorable}
    b = {"skill": other, "unfavorable": unfavorable}
    there = chances({"a": a, "b": b, "initiator": initiator})
    back = chances({"a": b, "b": a, "initiator": SWAPPED[initiator]})
    assert {SWAPPED[winner]: p for winner, p in there.items()} == back


def chances(request: dict[str, Any]) -> dict[Any, Any]:
    found = SYSTEM.by_id["opposition"]
    asked = found.request.model_validate_json(json.dumps(request))
    return {row.value: row.p for row in odds_of(found, asked).fields[0].values}


@given(SKILL, SKILL, st.data())
def test_only_the_tie_break_depends_on_who_initiated(one: int, other: int, data: Any) -> None:
    request = {"a": {"skill": one}, "b": {"skill": other}}
    seed = data.draw(SEED)
    by_a = resolve("opposition", {**request, "initiator": "a"}, seed)
    by_b = resolve("opposition", {**request, "initiator": "b"}, seed)
    if by_a.decided_by == "initiator":
        assert (by_a.winner, by_b.winner) == ("a", "b")
        assert by_a.a.successes == by_a.b.successes
        assert one == other
    else:
        assert by_a.model_dump() == by_b.model_dump()


@given(BLOCK, BLOCK, SEED)
def test_the_margin_is_the_difference_of_successes(
    a: dict[str, Any], b: dict[str, Any], seed: str
) -> None:
    outcome = resolve("opposition", {"a": a, "b": b}, seed)
    assert outcome.margin == abs(outcome.a.successes - outcome.b.successes)
    assert (outcome.margin > 0) == (outcome.decided_by == "successes")


@given(LINE, st.data(), st.lists(st.integers(0, 6), min_size=1, max_size=8), COUNT, SEED)
def test_damage_moves_left_and_never_past_the_black_box(
    line: dict[str, int], data: Any, hits: list[int], protection: int, seed: str
) -> None:
    black = sum(line.values())
    position = data.draw(st.integers(0, black))
    actor = data.draw(st.sampled_from(["pc", "champion", "extra"]))
    outcome = resolve(
        "damage",
        {
            "actor_type": actor,
            "life_line": line,
            "state": {"position": position},
            "hits": hits,
            "protection": protection,
            "peril_table": PERIL,
        },
        seed,
    )
    for event in outcome.events:
        assert event.damage == max(0, event.hit - protection)
        if event.from_ is not None and event.to is not None:
            assert event.from_ <= event.to <= black
            if event.from_ < black:
                assert event.to - event.from_ + event.lost == event.damage
                assert event.peril is None
        assert event.peril is None or event.damage > 0
    assert (outcome.state.position is None) == (outcome.state.condition != "none")
    if actor == "extra":
        assert not outcome.peril_rolls
    if outcome.state.position is not None:
        assert position <= outcome.state.position <= black
        assert outcome.boxes_before_peril == black - outcome.state.position


@given(LINE, st.data(), st.integers(1, 200))
def test_rest_moves_right_and_never_past_the_white_box(
    line: dict[str, int], data: Any, hours: int
) -> None:
    black = sum(line.values())
    position = data.draw(st.integers(0, black))
    patient = {"life_line": line, "state": {"position": position}}
    outcome = resolve("healing", {"method": "natural", "patient": patient, "hours": hours}, "x")
    assert outcome.hours_used + outcome.hours_left == hours
    assert outcome.state.position == position - outcome.boxes
    assert 0 <= outcome.state.position <= position
    if position < line["white"] or position == black:
        assert outcome.boxes == 0
    else:
        assert outcome.state.position >= line["white"] - 1


@given(LINE, st.data(), BLOCK, SEED)
def test_first_aid_moves_one_box_right_at_most(
    line: dict[str, int], data: Any, healer: dict[str, Any], seed: str
) -> None:
    black = sum(line.values())
    position = data.draw(st.integers(line["white"], black))
    patient = {"life_line": line, "state": {"position": position}}
    outcome = resolve(
        "healing", {"method": "first_aid", "healer": healer, "patient": patient}, seed
    )
    assert outcome.state.position == position - outcome.boxes
    assert outcome.boxes == int(outcome.success)
    assert outcome.state.treated == outcome.success


@given(LINE, st.data(), BLOCK, SEED)
def test_care_moves_one_or_two_boxes_right_and_stops_at_white(
    line: dict[str, int], data: Any, healer: dict[str, Any], seed: str
) -> None:
    line = {**line, "light_gray": line["light_gray"] + 1}
    position = data.draw(st.integers(line["white"], line["white"] + line["light_gray"] - 1))
    patient = {"life_line": line, "state": {"position": position}}
    outcome = resolve(
        "healing",
        {"method": "care", "healer": healer, "period": "hour", "patients": [patient]},
        seed,
    )
    cared = outcome.patients[0]
    assert cared.boxes == min(position, 2 if cared.success else 1)
    assert cared.state.position == position - cared.boxes


@given(st.integers(0, 1_000_000))
def test_the_damage_of_a_fall_steps_up_at_each_three_whole_meters(centimeters: int) -> None:
    height = Decimal(centimeters) / 100
    damage = fall_damage(height)
    assert damage == centimeters // 300
    assert fall_damage(height + 3) == damage + 1
    assert damage * 3 <= height < damage * 3 + 3


def test_both_grays_recover_and_the_ends_do_not() -> None:
    resting = [box for box, row in BOXES.items() if row.hours]
    assert resting == [KadathBox.LIGHT_GRAY, KadathBox.DARK_GRAY]


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_raising_in_two_goes_costs_as_much_as_in_one(low: int, middle: int, high: int) -> None:
    low, middle, high = sorted((low, middle, high))
    assert raise_cost(low, high) == raise_cost(low, middle) + raise_cost(middle, high)
    assert raise_cost(low, high) == (high * (high + 1) - low * (low + 1)) // 2


@given(st.lists(st.tuples(st.integers(1, 6), SKILL, COUNT, COUNT), min_size=1, max_size=6))
def test_everybody_acts_as_often_as_declared(rows: list[tuple[int, int, int, int]]) -> None:
    combatants: list[dict[str, Any]] = [
        {
            "id": f"c{n}",
            "declared_actions": actions,
            "reflexes": reflexes,
            "acceleration": fast,
            "slowdown": slow,
        }
        for n, (actions, reflexes, fast, slow) in enumerate(rows)
    ]
    outcome = resolve("initiative", {"combatants": combatants}, "x")
    for combatant in combatants:
        acts = [entry for entry in outcome.entries if entry.id == combatant["id"]]
        assert [entry.pass_ for entry in acts] == list(range(1, combatant["declared_actions"] + 1))
    for row in outcome.passes:
        ranks = [
            min(
                1 if entry.accelerated is entry.slowed else 0 if entry.accelerated else 2
                for entry in outcome.entries
                if entry.pass_ == row.pass_ and entry.slot == slot
            )
            for slot in range(1, len(row.slots) + 1)
        ]
        assert ranks == sorted(ranks)


@given(SKILL, SKILL, st.integers(0, 20), SEED)
def test_protection_never_adds_damage(combat: int, defense: int, total: int, seed: str) -> None:
    def damage(armor: str) -> int:
        request = {
            "attacker": {"skill": combat, "total_damage": total},
            "defender": {"skill": defense, "muscles": 6, "armor": {"class": armor}},
        }
        return int(resolve("attack", request, seed).damage)

    found = [damage(armor) for armor in ("none", "light", "war", "heavy")]
    assert found == sorted(found, reverse=True)
