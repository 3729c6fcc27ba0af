"""Outside combat: what holds for every character of Cydonia."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from arbitre.dice import HandFaces, SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import play
from arbitre.systems.cydonia import SYSTEM
from arbitre.systems.cydonia.tables import RENOWN, level_cost

seeds = st.integers(0, 9999)
attributes = st.integers(0, 40)
skills = st.integers(0, 30)
faces = st.integers(1, 10)
levels = st.integers(-10, 10)
items = st.lists(st.integers(1, 20), max_size=8)
policies = st.sampled_from(["in_order", "best"])
sides = st.fixed_dictionaries(
    {"attribute": attributes, "skill": skills, "modifier": st.integers(-20, 20)}
)


def asked(resolver: str, **request: Any) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(to_json(request))


def run(resolver: str, seed: int = 0, **request: Any) -> Any:
    source = SeededFaces(caller_seed(str(seed)))
    return play(SYSTEM.by_id[resolver], asked(resolver, **request), source).outcome


def thrown(resolver: str, dice: list[int], **request: Any) -> Any:
    return play(SYSTEM.by_id[resolver], asked(resolver, **request), HandFaces(dice)).outcome


def refused(resolver: str, **request: Any) -> RuleRefused:
    with pytest.raises(RuleRefused) as found:
        run(resolver, **request)
    return found.value


def chances(resolver: str, name: str, **request: Any) -> dict[Any, Fraction]:
    found = odds_of(SYSTEM.by_id[resolver], asked(resolver, **request))
    return {
        row.value: row.p for field in found.fields if field.field == name for row in field.values
    }


@given(attributes, items, policies)
def test_an_object_bonus_never_exceeds_the_base_value(
    value: int, worn: list[int], policy: str
) -> None:
    outcome = run("item-bonus", value=value, items=worn, item_policy=policy)
    assert 0 <= outcome.bonus <= value
    assert outcome.effective == value + outcome.bonus
    accepted = [item.value for item in outcome.accepted]
    assert sum(accepted) == outcome.bonus
    assert sorted(accepted + [item.value for item in outcome.rejected]) == sorted(worn)
    for item in (*outcome.accepted, *outcome.rejected):
        assert worn[item.position - 1] == item.value


@given(attributes, items)
def test_the_best_choice_of_items_is_never_worse(value: int, worn: list[int]) -> None:
    ordered = run("item-bonus", value=value, items=worn)
    best = run("item-bonus", value=value, items=worn, item_policy="best")
    assert best.bonus >= ordered.bonus


@given(attributes, items)
def test_an_item_left_out_in_order_would_pass_the_cap(value: int, worn: list[int]) -> None:
    outcome = run("item-bonus", value=value, items=worn)
    for left in outcome.rejected:
        before = sum(item.value for item in outcome.accepted if item.position < left.position)
        assert before + left.value > value


@settings(max_examples=60)
@given(sides, sides, st.integers(0, 10_000_000), st.booleans(), seeds)
def test_a_discount_never_exceeds_half(
    buyer: dict[str, Any], merchant: dict[str, Any], price: int, expert: bool, seed: int
) -> None:
    buyer = {**buyer, "expert": expert}
    outcome = run("negotiation", seed, buyer=buyer, merchant=merchant, price=price)
    assert outcome.discount_percent in range(0, 51, 5)
    assert outcome.final_price + outcome.reduction == price
    assert 0 <= outcome.reduction * 100 <= price * outcome.discount_percent
    assert outcome.reduction * 2 <= price
    assert outcome.success == (outcome.discount_percent > 0)
    if not outcome.critical_effect:
        assert outcome.discount_percent <= max(0, outcome.margin) * 5 // 2


@settings(max_examples=20)
@given(st.integers(0, 20), st.integers(0, 20))
def test_a_better_buyer_never_pays_more(skill: int, other: int) -> None:
    def mean(buyer: int) -> Fraction:
        merchant = {"attribute": 5, "skill": other}
        found = chances(
            "negotiation",
            "discount_percent",
            buyer={"attribute": 5, "skill": buyer},
            merchant=merchant,
        )
        return sum((percent * chance for percent, chance in found.items()), Fraction(0))

    assert mean(skill) <= mean(skill + 1)


@st.composite
def counters(draw: st.DrawFn) -> tuple[int, int]:
    """A level, and a counter that has not paid for another."""
    level = draw(levels)
    up, down = level_cost(level, 1) or 1, level_cost(level, -1) or 1
    return level, draw(st.integers(1 - down, up - 1))


@given(counters(), st.integers(-100, 100))
def test_reputation_moves_by_its_own_costs(counter: tuple[int, int], award: int) -> None:
    level, points = counter
    outcome = run("reputation", level=level, points=points, award=award)
    way = 1 if award > 0 else -1
    crossed = range(level, outcome.level, way)
    spent = way * (award + points)
    paid = sum(level_cost(step, way) or 0 for step in crossed)
    if level_cost(outcome.level, way) is not None:  # nothing is lost below the cap
        assert way * outcome.points == spent - paid
    else:
        assert spent - paid >= 0 or not crossed
    assert way * outcome.levels_changed == len(crossed)
    assert outcome.bounty_gold == RENOWN[outcome.level].bounty
    assert outcome.bonus == abs(outcome.level)


@given(counters(), st.lists(st.integers(-30, 30), max_size=4))
def test_awards_one_by_one_or_together_make_the_same_reputation(
    counter: tuple[int, int], awards: list[int]
) -> None:
    level, points = counter
    awards = [abs(award) for award in awards] if sum(awards) > 0 else [-abs(a) for a in awards]
    together = run("reputation", level=level, points=points, award=max(-100, min(100, sum(awards))))
    for award in awards:
        step = run("reputation", level=level, points=points, award=award)
        level, points = step.level, step.points
    if abs(sum(awards)) <= 100:
        assert (together.level, together.points) == (level, points)


@given(counters(), st.integers(-100, 100))
def test_what_an_award_leaves_starts_the_next_one(counter: tuple[int, int], award: int) -> None:
    first = run("reputation", level=counter[0], points=counter[1], award=award)
    again = run("reputation", level=first.level, points=first.points)
    assert (again.level, again.points, again.levels_changed) == (first.level, first.points, 0)
    for left in (first.next_up, first.next_down):
        assert left is None or left > 0


@given(st.integers(1, 10))
def test_a_level_away_from_zero_costs_its_own_value(value: int) -> None:
    for way in (1, -1):
        short = run("reputation", level=way * (value - 1), award=way * (value - 1))
        assert short.level == way * (value - 1)
        outcome = run("reputation", level=way * (value - 1), award=way * value)
        assert (outcome.level, outcome.points) == (way * value, 0)


@given(
    st.lists(
        st.sampled_from(["attribute", "skill", "hp", "mana", "companion_stat"]),
        min_size=1,
        max_size=8,
    ),
    st.integers(1, 5),
    st.integers(0, 200),
)
def test_experience_is_spent_exactly_or_not_at_all(kinds: list[str], count: int, xp: int) -> None:
    prices = {"attribute": 4, "skill": 2, "hp": 1, "mana": 1, "companion_stat": 2}
    purchases = [{"kind": kind, "from": 8, "count": count} for kind in kinds]
    cost = sum(prices[kind] * count for kind in kinds)
    if cost > xp:
        fault = refused("advancement", xp=xp, purchases=purchases)
        assert fault.code == "not-affordable"
        return
    outcome = run("advancement", xp=xp, purchases=purchases)
    assert outcome.spent.xp == cost
    assert outcome.spent.xp + outcome.remaining.xp == xp
    for result in outcome.results:
        gain = 3 if result.kind in ("hp", "mana") else 1
        assert result.to == result.from_ + gain * count
        assert result.above_nominal == (result.kind in ("attribute", "skill") and result.to > 10)


@given(st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_a_shaman_respects_the_kei_for_learning_points(
    full: bool, won: bool, improved: bool, shaman: bool
) -> None:
    flags = {"full_scenario": full, "scenario_success": won, "shira_improvement": improved}
    outcome = run("award", hasaki=True, shaman=shaman, kei_respect=True, **flags)
    assert outcome.xp == 2 * full + 2 * won
    assert outcome.learning_points == full + won + shaman
    assert outcome.shira_xp == 2 * improved + 2 * (not shaman)


@given(skills, st.integers(0, 100))
def test_more_skill_never_allows_fewer_creatures(skill: int, owned: int) -> None:
    outcome = run("creatures", skill=skill, owned=owned)
    assert outcome.maximum == (skill + 4) // 5
    assert outcome.may_add == (owned < outcome.maximum)
    if skill:
        assert run("creatures", skill=skill - 1).maximum <= outcome.maximum


@given(sides, st.integers(0, 100), st.integers(0, 8), seeds)
def test_taming_never_passes_the_maximum(
    handler: dict[str, Any], difficulty: int, owned: int, seed: int
) -> None:
    request = {"task": "tame", "handler": handler, "animal_difficulty": difficulty, "owned": owned}
    if owned >= -(-handler["skill"] // 5):
        assert refused("taming", **request).code == "no-free-place"
        return
    outcome = run("taming", seed, **request)
    assert outcome.difficulty == difficulty + 10
    assert outcome.owned_after == owned + outcome.success <= outcome.maximum


@given(attributes, st.integers(0, 200), st.integers(0, 40))
def test_overload_is_what_passes_the_capacity(physique: int, small: int, large: int) -> None:
    outcome = run("carrying", physique=physique, small=small, large=large)
    assert outcome.small_overload == max(0, small - 5 * physique)
    assert outcome.large_overload == max(0, large - physique)
    shared = run("carrying", physique=physique, small=small, large=large, load_mode="shared")
    assert shared.units == small + 5 * large
    assert shared.overloaded == (shared.units > 5 * physique)
    if outcome.overloaded:
        assert shared.overloaded


@given(st.lists(attributes, min_size=1, max_size=6), st.booleans(), seeds)
def test_fate_strikes_someone_with_the_extreme_luck(
    lucks: list[int], unlucky: bool, seed: int
) -> None:
    characters = [{"id": str(number), "luck": luck} for number, luck in enumerate(lucks)]
    want = "unluckiest" if unlucky else "luckiest"
    value = min(lucks) if unlucky else max(lucks)
    extreme = {str(number) for number, luck in enumerate(lucks) if luck == value}
    everyone = run("luck", characters=characters, want=want)
    assert set(everyone.selected) == extreme
    rolled = run("luck", seed, characters=characters, want=want, tie_break="roll")
    assert rolled.selected
    assert set(rolled.selected) <= extreme
    assert rolled.tied == (len(rolled.selected) > 1)


@given(sides, st.sampled_from(["run", "swim"]), seeds)
def test_a_journey_never_goes_backwards(side: dict[str, Any], mode: str, seed: int) -> None:
    outcome = run("travel", seed, mode=mode, actor=side)
    share = Decimal("0.5") if mode == "swim" else Decimal(1)
    assert outcome.distance_m == max(0, outcome.total) * share


@given(sides, st.integers(0, 100), faces, faces)
def test_a_failed_gait_leaves_the_mount_where_it_is(
    rider: dict[str, Any], running: int, face: int, mount: int
) -> None:
    total = rider["attribute"] + rider["skill"] + rider["modifier"] + face
    request = {"rider": rider, "gait": "gallop", "race": True, "mount_running": running}
    dice = [face, mount] if total >= 20 else [face]
    outcome = thrown("ride", dice, **request)
    assert outcome.speed_m == (running + mount if total >= 20 else 0)


@settings(max_examples=60)
@given(
    st.integers(1, 400),
    st.lists(st.tuples(st.integers(0, 399), sides), min_size=1, max_size=4),
    sides,
    st.integers(0, 60),
    seeds,
)
def test_a_pursuit_goes_on_from_what_the_round_leaves(
    lead: int,
    pursuers: list[tuple[int, dict[str, Any]]],
    quarry: dict[str, Any],
    distance: int,
    seed: int,
) -> None:
    placed = [(Decimal(min(back, lead - 1)) / 2, side) for back, side in pursuers]
    participants = [{"id": "q", "role": "quarry", "position_m": Decimal(lead) / 2}]
    moves = [{"id": "q", "mode": "run", "actor": quarry}]
    for number, (position, side) in enumerate(placed):
        participants.append({"id": str(number), "role": "pursuer", "position_m": position})
        moves.append({"id": str(number), "mode": "run", "actor": side})
    request = {"moves": moves, "escape_distance": distance}
    outcome = run("chase", seed, state={"participants": participants}, **request)
    after = {runner.id: runner.position_m for runner in outcome.state.participants}
    covered = {move.id: move.distance_m for move in outcome.moves}
    assert after["q"] == Decimal(lead) / 2 + covered["q"]
    gaps = {gap.id: gap.gap_m for gap in outcome.gaps}
    assert all(gap == after["q"] - after[name] for name, gap in gaps.items())
    assert set(outcome.caught_by) == {name for name, gap in gaps.items() if gap <= 0}
    assert not (outcome.caught and outcome.escaped)
    assert outcome.escaped == (not outcome.caught and min(gaps.values()) >= distance)
    assert outcome.over == (outcome.caught or outcome.escaped)
    left = outcome.state.model_dump(mode="json")
    if outcome.caught:
        assert refused("chase", state=left, **request).code == "already-caught"
    else:
        assert run("chase", seed, state=left, **request).state.round == 2


@given(sides, st.integers(0, 30), faces)
def test_a_body_holds_as_many_coins_as_the_total(
    searcher: dict[str, Any], hidden: int, face: int
) -> None:
    request = {"searcher": searcher, "hidden_difficulty": hidden}
    body = thrown("search", [face], place="corpse", **request)
    place = thrown("search", [face], place="area", **request)
    assert body.coins.gold * 10 + body.coins.silver == body.coins.silver_total
    assert body.coins.silver_total == (0 if face == 1 else max(0, body.total))
    assert place.coins.silver_total == 0
    assert body.magic_item == (face == 10) == (body.found == "all")
    expected = {1: False, 10: True}.get(face, body.total >= hidden)
    assert body.hidden_found is place.hidden_found is expected


@given(sides, st.integers(0, 20), st.integers(0, 20), st.integers(1, 30), seeds)
def test_torture_hurts_only_those_who_stay_silent(
    torturer: dict[str, Any], courage: int, mind: int, hp: int, seed: int
) -> None:
    victim = {"courage": courage, "attribute": mind}
    target = {"hp": hp, "protection": 99}
    outcome = run("torture", seed, torturer=torturer, victim=victim, target=target)
    assert outcome.talks == (outcome.margin > 0)
    assert (outcome.damage > 0) != outcome.talks
    assert outcome.target.hp == max(0, hp - outcome.damage)
    assert outcome.target.status != "dead"
    assert outcome.downed == (outcome.target.hp == 0)


@given(sides, sides, st.integers(0, 20), st.integers(0, 9), st.integers(1, 20), seeds)
def test_a_trap_that_is_seen_does_nothing(
    trapper: dict[str, Any],
    victim: dict[str, Any],
    flat: int,
    armor: int,
    hp: int,
    seed: int,
) -> None:
    damage = {"flat": flat, "dice": [{"count": 1, "sides": 6}]}
    target = {"hp": hp, "protection": armor}
    outcome = run("trap", seed, trapper=trapper, victim=victim, damage=damage, target=target)
    assert outcome.sprung == (outcome.margin > 0) == (not outcome.detected)
    if outcome.detected:
        assert (outcome.gross, outcome.damage, outcome.target.hp) == (0, 0, hp)
    else:
        assert outcome.damage == max(0, outcome.gross - armor)
        assert outcome.target.hp == max(0, hp - outcome.damage)
    assert not outcome.killed


@given(st.lists(st.sampled_from(["hold", "hit", "missed"]), max_size=8), st.integers(0, 3))
def test_a_concentration_stores_three_turns_at_most_and_a_blow_breaks_it(
    events: list[str], to_roll: int
) -> None:
    state, stored = {"active": False, "turns": 0}, 0
    for event in events:
        if event == "hold":
            outcome = run("concentration", event="hold", state=state)
            stored = min(3, stored + 1)
        else:
            hit = event == "hit"
            outcome = run("concentration", event="attacked", state=state, hit=hit)
            assert outcome.defense_modifier == (-6 if state["active"] else 0)
            stored = 0 if hit else stored
        state = outcome.state.model_dump()
        assert state == {"active": stored > 0, "turns": stored}
    spend = {"to_roll": min(to_roll, stored), "to_damage": stored - min(to_roll, stored)}
    outcome = run("concentration", event="release", state=state, **spend)
    assert outcome.roll_bonus + outcome.damage_bonus == 2 * stored
    assert not outcome.state.active


@given(
    st.integers(1, 30),
    attributes,
    attributes,
    st.integers(1, 500),
    st.integers(0, 20),
    st.integers(0, 800),
)
def test_a_transformation_comes_back_to_where_it_started(
    skill: int, physique: int, agility: int, hp: int, each: int, lost: int
) -> None:
    outcome = run(
        "transformation",
        event="start",
        transformation=skill,
        physique=physique,
        agility=agility,
        hp=hp,
        hp_max=hp,
        hp_per_physique=each,
    )
    assert (outcome.physique, outcome.agility) == (physique + skill, agility + skill)
    assert outcome.hp == outcome.hp_max == hp + each * skill
    wounded = max(0, outcome.hp - lost)
    turns = 0
    while not outcome.ended:
        outcome = run(
            "transformation",
            event="tick",
            state=outcome.state.model_dump(),
            physique=outcome.physique,
            agility=outcome.agility,
            hp=wounded,
            hp_max=outcome.hp_max,
        )
        turns += 1
    assert turns == skill
    assert (outcome.physique, outcome.agility, outcome.hp_max) == (physique, agility, hp)
    assert outcome.hp == max(0, wounded - each * skill)
    assert outcome.killed == (outcome.hp == 0) == (outcome.status == "dead")


@given(st.lists(st.sampled_from(["gather", "abort"]), max_size=6))
def test_a_charge_needs_two_turns_of_momentum(events: list[str]) -> None:
    turns = 0
    for event in events:
        outcome = run("charge", event=event, state={"momentum_turns": turns})
        turns = min(2, turns + 1) if event == "gather" else 0
        assert outcome.state.momentum_turns == turns
    blow = {
        "attacker": {"attribute": 5, "skill": 5},
        "attacker_riding": 1,
        "defender": {"attribute": 5},
    }
    request: dict[str, Any] = {"event": "attack", "blow": blow, "mount_running": 3}
    request["state"] = {"momentum_turns": turns}
    if turns < 2:
        assert refused("charge", **request).code == "not-enough-momentum"
    else:
        assert run("charge", **request).state.momentum_turns == 0


@given(st.sampled_from(["main", "secondary", "stowed", "none"]))
def test_only_a_stowed_weapon_takes_the_turn(held: str) -> None:
    for wanted in ("main", "secondary", "stowed", "none"):
        request: dict[str, Any] = {"from": held, "to": wanted}
        if held == wanted != "stowed":
            assert refused("weapon-change", **request).code == "same-weapon"
        else:
            outcome = run("weapon-change", **request)
            assert outcome.turns_lost == (wanted == "stowed")
            assert outcome.can_attack == (wanted != "stowed")


@pytest.mark.parametrize(
    ("resolver", "request_", "code", "pointer"),
    [
        (
            "taming",
            {"task": "tame", "handler": {"skill": 5}, "animal_difficulty": 1, "owned": 1},
            "required",
            "/handler/attribute",
        ),
        (
            "negotiation",
            {
                "buyer": {"attribute": 1},
                "merchant": {"attribute": 1, "reputation": 1, "courage": 2},
            },
            "incompatible-fields",
            "/merchant/courage",
        ),
        (
            "search",
            {"searcher": {"attribute": 1, "reputation": 2}, "place": "area"},
            "reputation-needs-charisma",
            "/searcher/reputation",
        ),
        (
            "search",
            {
                "searcher": {"attribute": 1},
                "place": "area",
                "critical_success_faces": [1],
            },
            "criticals-overlap",
            "/critical_failure_faces",
        ),
        (
            "travel",
            {"mode": "run", "actor": {"attribute": 1, "skill_name": "swimming"}},
            "wrong-skill",
            "/actor/skill_name",
        ),
        (
            "torture",
            {
                "torturer": {"attribute": 1},
                "victim": {"attribute": 1, "courage": 1},
                "target": {"hp": 3, "status": "dying"},
            },
            "status-mismatch",
            "/target/status",
        ),
        (
            "trap",
            {
                "trapper": {"attribute": 1},
                "victim": {"attribute": 1},
                "target": {"hp": 30, "hp_max": 20},
            },
            "hp-above-max",
            "/target/hp",
        ),
        (
            "ride",
            {"rider": {"attribute": 1, "kind": "fixed"}, "gait": "walk"},
            "required",
            "/rider/fixed_total",
        ),
    ],
)
def test_the_first_refusal_is_the_one_of_the_list(
    resolver: str, request_: dict[str, Any], code: str, pointer: str
) -> None:
    fault = refused(resolver, **request_)
    assert (fault.code, fault.pointer) == (code, pointer)
