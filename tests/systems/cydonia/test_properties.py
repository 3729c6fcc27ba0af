"""What always holds, whatever is asked and however the dice fall."""

from fractions import Fraction
from itertools import combinations
from time import process_time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from arbitre.dice import HandFaces, SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.rules.play import Play, play
from arbitre.systems.cydonia import SYSTEM
from arbitre.systems.cydonia.tables import (
    RENOWN,
    ZONES,
    CydoniaTable,
    CydoniaZone,
    called_modifier,
    level_cost,
)

UNHURRIED = settings(deadline=None, max_examples=50)
SEEDS = st.text(max_size=8)
VALUES = st.integers(0, 40)
SKILL_VALUES = st.integers(0, 30)
TABLES = st.sampled_from(list(CydoniaTable))
ITEMS = st.lists(st.integers(1, 20), max_size=10)


def asked(resolver: str, **fields: Any) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(to_json(fields))


def thrown(resolver: str, seed: str, **fields: Any) -> Play[Any]:
    return play(SYSTEM.by_id[resolver], asked(resolver, **fields), SeededFaces(caller_seed(seed)))


def by_hand(resolver: str, faces: list[int], **fields: Any) -> Any:
    return play(SYSTEM.by_id[resolver], asked(resolver, **fields), HandFaces(faces)).outcome


def chance(resolver: str, name: str, value: Any, **fields: Any) -> Fraction:
    found = odds_of(SYSTEM.by_id[resolver], asked(resolver, **fields))
    (row,) = [row for row in found.fields if row.field == name]
    return next((one.p for one in row.values if one.value == value), Fraction(0))


@st.composite
def formulas(draw: st.DrawFn) -> dict[str, Any]:
    groups = st.fixed_dictionaries({"count": st.integers(1, 4), "sides": st.integers(2, 20)})
    return {"flat": draw(st.integers(-100, 40)), "dice": draw(st.lists(groups, max_size=3))}


@st.composite
def targets(draw: st.DrawFn) -> dict[str, Any]:
    most = draw(st.integers(1, 60))
    return {
        "hp": draw(st.integers(0, most)),
        "hp_max": most,
        "protection": draw(st.integers(0, 30)),
        "resistance": {"courage": draw(VALUES), "attribute": draw(VALUES)},
    }


@UNHURRIED
@given(SEEDS, TABLES, st.integers(0, 100), st.booleans(), st.booleans(), st.integers(-20, 20))
def test_a_location_never_leaves_its_table(
    seed: str, table: CydoniaTable, margin: int, rider: bool, ridden: bool, modifier: int
) -> None:
    outcome = thrown(
        "damage-location",
        seed,
        table=table,
        margin=margin,
        attacker_mounted=rider,
        defender_mounted=ridden,
        modifier=modifier,
    ).outcome
    assert 1 <= outcome.row <= 20
    assert outcome.bonus == min(5, margin) + 5 * rider - 5 * ridden + modifier
    assert (outcome.zone_group, outcome.body_side) == ZONES[outcome.zone]


@UNHURRIED
@given(
    SEEDS,
    VALUES,
    formulas(),
    st.sampled_from([None, *CydoniaZone]),
    TABLES,
    targets(),
    st.booleans(),
)
def test_damage_taken_is_never_negative_and_life_stops_at_nought(
    seed: str,
    physique: int,
    weapon: dict[str, Any],
    zone: CydoniaZone | None,
    table: CydoniaTable,
    target: dict[str, Any],
    vital: bool,
) -> None:
    outcome = thrown(
        "damage",
        seed,
        physique=physique,
        weapon=weapon,
        zone=zone,
        table=table,
        target=target,
        vital=vital,
    ).outcome
    assert outcome.damage == max(0, outcome.gross - outcome.protection) >= 0
    hp = outcome.target.hp
    assert hp == max(0, target["hp"] - outcome.damage)
    assert outcome.excess == max(0, outcome.damage - target["hp"])
    dead = hp == 0 and outcome.damage > 0 and vital
    dying = hp == 0 and not dead
    assert outcome.killed is dead
    assert outcome.target.status == ("dead" if dead else "dying" if dying else "alive")
    assert outcome.downed is (dying and target["hp"] > 0)


@UNHURRIED
@given(VALUES, ITEMS)
def test_items_never_add_more_than_the_value(value: int, items: list[int]) -> None:
    found = {
        policy: by_hand("item-bonus", [], value=value, items=items, item_policy=policy)
        for policy in ("in_order", "best")
    }
    for outcome in found.values():
        assert 0 <= outcome.bonus <= value
        assert outcome.effective == value + outcome.bonus <= 2 * value
        assert outcome.bonus == sum(item.value for item in outcome.accepted)
        places = [item.position for item in (*outcome.accepted, *outcome.rejected)]
        assert sorted(places) == list(range(1, len(items) + 1))
    assert found["best"].bonus >= found["in_order"].bonus


@UNHURRIED
@given(SEEDS, VALUES, SKILL_VALUES, ITEMS, ITEMS)
def test_a_test_counts_its_items_as_the_rule_of_items_does(
    seed: str, attribute: int, skill: int, some: list[int], others: list[int]
) -> None:
    outcome = thrown(
        "roll", seed, attribute=attribute, attribute_items=some, skill=skill, skill_items=others
    ).outcome
    assert outcome.attribute == by_hand("item-bonus", [], value=attribute, items=some).effective
    assert outcome.skill == by_hand("item-bonus", [], value=skill, items=others).effective
    assert outcome.total == outcome.attribute + outcome.skill + outcome.kept


@UNHURRIED
@given(SEEDS, VALUES, SKILL_VALUES, VALUES, SKILL_VALUES, st.integers(0, 10_000_000))
def test_a_discount_never_exceeds_half(
    seed: str, a: int, b: int, c: int, d: int, price: int
) -> None:
    outcome = thrown(
        "negotiation",
        seed,
        buyer={"attribute": a, "skill": b},
        merchant={"attribute": c, "skill": d},
        price=price,
    ).outcome
    assert outcome.discount_percent in range(0, 51, 5)
    assert outcome.reduction == price * outcome.discount_percent // 100
    assert outcome.final_price + outcome.reduction == price
    assert 2 * outcome.final_price >= price
    assert outcome.success is (outcome.discount_percent > 0)


@UNHURRIED
@given(st.integers(-10, 10), st.sampled_from([1, -1]))
def test_a_level_costs_its_own_price_both_ways(level: int, way: int) -> None:
    cost = level_cost(level, way)
    if cost is None:
        assert by_hand("reputation", [], level=level, award=7 * way).level == level
        return
    short = by_hand("reputation", [], level=level, award=way * (cost - 1))
    assert (short.level, short.points) == (level, way * (cost - 1))
    assert (short.next_up if way > 0 else short.next_down) == 1
    paid = by_hand("reputation", [], level=level, award=way * cost)
    assert (paid.level, paid.points, paid.levels_changed) == (level + way, 0, way)
    assert paid.title is RENOWN[level + way].title


@UNHURRIED
@given(st.integers(-10, 10), st.integers(0, 50), st.integers(0, 50), st.sampled_from([1, -1]))
def test_two_awards_of_one_sign_are_worth_their_sum(
    level: int, some: int, others: int, way: int
) -> None:
    first = by_hand("reputation", [], level=level, award=way * some)
    second = by_hand("reputation", [], level=first.level, points=first.points, award=way * others)
    at_once = by_hand("reputation", [], level=level, award=way * (some + others))
    assert (second.level, second.points) == (at_once.level, at_once.points)


@UNHURRIED
@given(
    SEEDS,
    st.tuples(st.integers(5, 12), st.integers(4, 10)),
    st.tuples(st.integers(0, 8), st.integers(0, 6)),
    st.integers(0, 10),
    formulas(),
    st.sampled_from([None, *CydoniaZone]),
    TABLES,
    targets(),
)
def test_a_blow_is_its_parts_one_after_the_other(
    seed: str,
    attacker: tuple[int, int],
    defender: tuple[int, int],
    physique: int,
    weapon: dict[str, Any],
    called: CydoniaZone | None,
    table: CydoniaTable,
    target: dict[str, Any],
) -> None:
    a = {"attribute": attacker[0], "skill": attacker[1]}
    b = {"attribute": defender[0], "skill": defender[1]}
    played = thrown(
        "attack",
        seed,
        attacker=a,
        defender=b,
        physique=physique,
        weapon=weapon,
        called_zone=called,
        table=table,
        target=target,
    )
    blow, draws = played.outcome, {draw.tag: list(draw.faces) for draw in played.draws}
    price = called_modifier(called, table) if called else 0
    exchange = by_hand(
        "opposition", [*draws["attacker"], *draws["defender"]], a={**a, "modifier": price}, b=b
    )
    assert (blow.a.total, blow.b.total) == (exchange.a.total, exchange.b.total)
    assert (blow.winner, blow.hit, blow.margin) == (
        exchange.winner,
        exchange.success,
        exchange.margin,
    )
    if not blow.hit:
        assert (blow.location, blow.damage, blow.killed) == (None, 0, False)
        return
    where = by_hand(
        "damage-location",
        draws.get("location", []),
        table=table,
        margin=blow.margin,
        called_zone=called,
    )
    assert blow.location.model_dump() == where.model_dump()
    faces = [face for draw in played.draws[2:] if draw.tag != "location" for face in draw.faces]
    wound = by_hand(
        "damage",
        faces,
        physique=physique,
        weapon=weapon,
        zone=where.zone,
        table=table,
        target=target,
    )
    for name in ("gross", "protection", "damage", "killed", "downed", "excess", "paralyzed"):
        assert getattr(blow, name) == getattr(wound, name), name
    assert blow.target == wound.target
    assert blow.effects == wound.effects


@UNHURRIED
@given(SEEDS, st.integers(0, 30), VALUES, VALUES)
def test_a_stun_never_outlasts_its_number(
    seed: str, damage: int, courage: int, attribute: int
) -> None:
    resistance = {"courage": courage, "attribute": attribute}
    outcome = thrown("stun", f"{seed}0", phase="blow", damage=damage, resistance=resistance).outcome
    turns = 0
    while outcome.state.stunned:
        turns += 1
        assert outcome.state.turns == turns
        assert outcome.next_difficulty == max(0, damage - turns)
        outcome = thrown(
            "stun",
            f"{seed}{turns}",
            phase="recover",
            state=outcome.state.model_dump(),
            resistance=resistance,
        ).outcome
    assert turns <= damage
    assert outcome.state.turns == turns


@UNHURRIED
@given(SEEDS, st.integers(1, 12), st.integers(0, 12), st.booleans())
def test_a_chain_ends_at_its_first_failure(
    seed: str, attribute: int, skill: int, held: bool
) -> None:
    outcome = thrown(
        "kravkar",
        seed,
        attacker={"attribute": attribute, "skill": skill},
        defender={"attribute": 4, "skill": 4},
        held=held,
        actions=[{"type": kind} for kind in ("strike", "grab", "slam", "throw", "strike")],
    ).outcome
    successes = [step.success for step in outcome.steps]
    assert outcome.chain_length == successes.count(True)
    assert False not in successes[:-1]
    assert [step.penalty for step in outcome.steps] == [-3 * n for n in range(len(successes))]
    length = outcome.chain_length
    assert outcome.held is (length in (2, 3) or (length < 2 and held))


@UNHURRIED
@given(st.integers(0, 29), VALUES, st.integers(0, 60))
def test_more_skill_never_lowers_the_odds(skill: int, attribute: int, difficulty: int) -> None:
    less, more = (
        chance("roll", "success", True, attribute=attribute, skill=s, difficulty=difficulty)
        for s in (skill, skill + 1)
    )
    assert less <= more


@UNHURRIED
@given(st.integers(0, 12), st.integers(0, 12))
def test_an_expert_is_never_worse_off(a: int, b: int) -> None:
    against = {"attribute": b, "skill": 4}
    chances = [
        chance(
            "opposition",
            "winner",
            "a",
            a={"attribute": a, "skill": 4, "expert": expert},
            b=against,
        )
        for expert in (False, True)
    ]
    assert chances[0] <= chances[1]


@UNHURRIED
@given(SKILL_VALUES, st.integers(0, 10))
def test_creatures_come_by_started_fives(value: int, owned: int) -> None:
    outcome = by_hand("creatures", [], skill=value, owned=owned)
    assert 5 * outcome.maximum - 5 < value <= 5 * outcome.maximum or value == outcome.maximum == 0
    assert outcome.may_add is (owned < outcome.maximum)


@UNHURRIED
@given(st.integers(1, 30), VALUES, VALUES, st.integers(1, 200), st.integers(0, 100))
def test_a_transformation_gives_back_what_it_took(
    level: int, physique: int, agility: int, hp: int, per_point: int
) -> None:
    before = {"physique": physique, "agility": agility, "hp": hp, "hp_max": hp}
    beast = by_hand(
        "transformation",
        [],
        event="start",
        transformation=level,
        hp_per_physique=per_point,
        **before,
    )
    turns = 0
    while beast.state.active:
        assert beast.physique == physique + level
        now = {name: getattr(beast, name) for name in before}
        beast = by_hand("transformation", [], event="tick", state=beast.state.model_dump(), **now)
        turns += 1
    assert turns == level
    assert {name: getattr(beast, name) for name in before} == before
    assert not beast.killed


@UNHURRIED
@given(SEEDS, st.integers(0, 60), st.integers(1, 60), st.integers(0, 40), VALUES)
def test_care_never_heals_above_the_maximum(
    seed: str, hp: int, most: int, penalty: int, physique: int
) -> None:
    hp = min(hp, most)
    target = {"hp": hp, "hp_max": most, "penalty": penalty}
    cares: list[dict[str, Any]] = [
        {"method": "potion", "amount": {"flat": 3, "dice": [{"count": 2, "sides": 6}]}},
        {"method": "medicine", "healer": {"attribute": 9, "skill": 6}, "difficulty": 12},
        *([{"method": "rest", "physique": physique, "die": 20}] if hp else []),
    ]
    for care in cares:
        outcome = thrown("healing", seed, target=target, **care).outcome
        assert hp <= outcome.target.hp <= most
        assert outcome.target.hp - hp == outcome.healed == min(outcome.rolled, most - hp)
        assert outcome.target.penalty + outcome.penalty_removed == penalty
        assert outcome.target.status == ("alive" if outcome.target.hp else "dying")


@given(VALUES, st.lists(st.integers(1, 20), max_size=7))
@UNHURRIED
def test_the_best_items_are_those_of_every_choice_compared(value: int, items: list[int]) -> None:
    choices = [
        places
        for count in range(len(items) + 1)
        for places in combinations(range(len(items)), count)
        if sum(items[place] for place in places) <= value
    ]
    best = min(choices, key=lambda places: (-sum(items[p] for p in places), len(places), places))
    found = by_hand("item-bonus", [], value=value, items=items, item_policy="best")
    assert tuple(item.position - 1 for item in found.accepted) == best


def test_a_crowd_with_many_items_is_not_long_to_judge() -> None:
    items = [20, 20, 19, 19, 18, 18, 17, 17, 16, 16]
    crowd = [
        {"id": f"n{number}", "luck": 40, "luck_items": items, "item_policy": "best"}
        for number in range(100)
    ]
    request = asked("luck", characters=crowd, want="luckiest")
    spent = []
    for _ in range(3):
        before = process_time()
        play(SYSTEM.by_id["luck"], request, HandFaces([]))
        spent.append(process_time() - before)
    assert min(spent) < 0.1
