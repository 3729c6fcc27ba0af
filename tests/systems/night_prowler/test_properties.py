"""What must hold of every request, whatever the dice."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from arbitre.dice import SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import play
from arbitre.systems.night_prowler import SYSTEM
from arbitre.systems.night_prowler.health import NightProwlerHealth, capacity, checked
from arbitre.systems.night_prowler.tables import (
    CHASE,
    RELOADS,
    TECHNIQUES,
    TRACKS,
    NightProwlerChaseOption,
    NightProwlerClass,
    NightProwlerFamily,
    NightProwlerOption,
    NightProwlerRole,
    NightProwlerWeaponKind,
)

seeds = st.integers(0, 10**6)
levels = st.integers(0, 24)
pools = st.none() | st.integers(0, 8)
flags = st.booleans()


def _play(resolver: str, request: dict[str, Any], seed: int) -> Any:
    found = SYSTEM.by_id[resolver]
    asked = found.request.model_validate_json(to_json(request))
    try:
        return play(found, asked, SeededFaces(caller_seed(f"{resolver} {seed}"))).outcome
    except RuleRefused:
        assume(False)
        raise


@st.composite
def healths(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {
        "vitality_italic": draw(flags),
        "vitality_dotted": draw(flags),
        "endurance_italic": draw(flags),
        "bleeding": draw(st.integers(0, 4)),
    }
    empty = NightProwlerHealth.model_validate_json(to_json(found))
    for track, rows in TRACKS.items():
        found[track.value] = {
            row.row.value: draw(st.integers(0, most))
            for row, most in zip(rows, capacity(empty, track), strict=True)
        }
    return found


def _boxes(health: NightProwlerHealth) -> list[int]:
    return [boxes for track in TRACKS for boxes in checked(health, track)]


def _model(health: dict[str, Any]) -> NightProwlerHealth:
    return NightProwlerHealth.model_validate_json(to_json(health))


def _marked_only(before: dict[str, Any], after: NightProwlerHealth) -> None:
    was, now = _boxes(_model(before)), _boxes(after)
    assert all(old <= new for old, new in zip(was, now, strict=True))
    limits = [most for track in TRACKS for most in capacity(after, track)]
    assert all(new <= most for new, most in zip(now, limits, strict=True))


@given(skill=st.integers(0, 23), modifier=st.integers(-9, 9), crasse=flags)
@settings(deadline=None, max_examples=40)
def test_more_skill_never_lowers_the_odds_of_success(
    skill: int, modifier: int, crasse: bool
) -> None:
    resolver = SYSTEM.by_id["roll"]

    def chance(level: int) -> Fraction:
        request = {"skill": level, "modifier": modifier, "crasse": crasse}
        asked = resolver.request.model_validate_json(to_json(request))
        fields = {field.field: field for field in odds_of(resolver, asked).fields}
        return sum((row.p for row in fields["success"].values if row.value), Fraction(0))

    assert chance(skill) <= chance(skill + 1)


@given(skill=st.integers(0, 22), other=levels)
@settings(deadline=None, max_examples=25)
def test_more_skill_never_lowers_the_odds_of_winning(skill: int, other: int) -> None:
    resolver = SYSTEM.by_id["opposition"]

    def chance(level: int) -> Fraction:
        sides = {"sides": [{"skill": level}, {"skill": other}]}
        asked = resolver.request.model_validate_json(to_json(sides))
        fields = {field.field: field for field in odds_of(resolver, asked).fields}
        return sum((row.p for row in fields["winner"].values if row.value == "a"), Fraction(0))

    assert chance(skill) <= chance(skill + 1)


@given(
    health=healths(),
    kind=st.sampled_from(["blow", "bleeding", "missile"]),
    quality=st.integers(-5, 12),
    track=st.sampled_from(["vitality", "endurance", "both"]),
    heroism=pools,
    stay=flags,
)
@settings(deadline=None)
def test_damage_never_unmarks_a_box(
    health: dict[str, Any], kind: str, quality: int, track: str, heroism: int | None, stay: bool
) -> None:
    request = {"kind": kind, "health": health, "heroism": heroism, "stay_conscious": stay}
    if kind != "bleeding":
        request |= {"quality": quality, "track": track}
    outcome = _play("damage", request, 0)
    _marked_only(health, outcome.health)
    assert outcome.heroism_left is None or outcome.heroism_left >= 0
    assert outcome.dead or len(outcome.marked) == sum(_boxes(outcome.health)) - sum(
        _boxes(_model(health))
    ) + sum(one.row_marked is None for one in outcome.marked)


@given(health=healths(), seed=seeds, height=st.integers(0, 14), heroism=pools, skill=levels)
@settings(deadline=None)
def test_a_fall_never_unmarks_a_box(
    health: dict[str, Any], seed: int, height: int, heroism: int | None, skill: int
) -> None:
    outcome = _play(
        "hazard",
        {
            "kind": "fall",
            "height": height,
            "health": health,
            "heroism": heroism,
            "acrobatics": {"skill": skill},
        },
        seed,
    )
    _marked_only(health, outcome.health)
    assert outcome.heroism_left is None or outcome.heroism_left >= 0


@given(health=healths(), seed=seeds, held=st.integers(0, 30), character=levels)
@settings(deadline=None)
def test_without_air_no_box_is_unmarked(
    health: dict[str, Any], seed: int, held: int, character: int
) -> None:
    request = {
        "kind": "asphyxia",
        "health": health,
        "robustness": 9,
        "character": character,
        "rounds_held": held,
    }
    outcome = _play("hazard", request, seed)
    _marked_only(health, outcome.health)
    assert outcome.rounds_held == held + 1


@given(
    health=healths(),
    seed=seeds,
    method=st.sampled_from(["first_aid", "endurance_rest", "vitality_recovery", "potion"]),
    row=st.sampled_from([row.row.value for row in TRACKS[next(iter(TRACKS))]]),
    points=st.integers(0, 3),
    heroism=pools,
    hours=st.integers(0, 9),
)
@settings(deadline=None)
def test_healing_never_marks_a_box(
    health: dict[str, Any],
    seed: int,
    method: str,
    row: str,
    points: int,
    heroism: int | None,
    hours: int,
) -> None:
    request: dict[str, Any] = {"method": method, "health": health, "heroism": heroism}
    if method in {"first_aid", "vitality_recovery"}:
        request["care"] = {"skill": 15}
    if method in {"vitality_recovery", "potion"}:
        request["row"] = row
    if method in {"endurance_rest", "vitality_recovery"}:
        request["heroism_points"] = points
    if method == "endurance_rest":
        request["hours"] = hours
    outcome = _play("healing", request, seed)
    was, now = _boxes(_model(health)), _boxes(outcome.health)
    assert all(new <= old for old, new in zip(was, now, strict=True))
    assert outcome.heroism_left is None or outcome.heroism_left >= 0


@st.composite
def fighters(draw: st.DrawFn) -> dict[str, Any]:
    option = draw(
        st.sampled_from(
            [o for o, row in TECHNIQUES.items() if row.kind is not NightProwlerClass.SHOT]
        )
    )
    families = TECHNIQUES[option].families or tuple(NightProwlerFamily)
    small = option is NightProwlerOption.STUN
    fighter: dict[str, Any] = {
        "option": option,
        "skill": draw(levels),
        "heroism": draw(pools),
        "weapon": {
            "family": draw(st.sampled_from(families)),
            "reach": draw(st.integers(1, 3)),
            "axe_back": "both",
            "small_articulated": small,
        },
        "cleave_target": "shield",
        "shield": draw(st.sampled_from(["none", "wooden"])),
        "advantage": draw(st.sampled_from(["disengage", "simple_action", "get_behind"])),
        "on_counter": draw(st.sampled_from(["counter", "disengage", "none"])),
        "schools": ["umelorian", "street"],
        "acting_skill": draw(levels),
        "invested": draw(st.integers(1, 3)),
        "second_heroism_spent": draw(st.integers(0, 2)),
        "previous_movement_won": True,
        "variant": draw(st.sampled_from(["comedy", "feint"])),
        "protection": draw(st.integers(0, 3)),
    }
    for name in (
        "stay_conscious", "stun_counter", "accept_reversal", "resist", "vista", "hinder",
        "charge_power", "ram_horn_primed", "defend_second", "crasse", "ignore_wounds",
    ):  # fmt: skip
        fighter[name] = draw(flags)
    if option in {NightProwlerOption.BLOODY_DEFENSE, NightProwlerOption.ALL_OUT_ATTACK}:
        fighter |= {"second_weapon_reach": 1, "shield": "none"}
        fighter["weapon"]["reach"] = 1
    return fighter


@given(
    a=fighters(),
    b=st.lists(fighters(), min_size=1, max_size=3),
    seed=seeds,
    ambush=st.sampled_from([None, None, "a", "b"]),
)
@settings(deadline=None, max_examples=300)
def test_two_opponents_never_hit_each_other_in_one_exchange(
    a: dict[str, Any], b: list[dict[str, Any]], seed: int, ambush: str | None
) -> None:
    opponents = [{**one, "distance": 1} for one in b]
    outcome = _play("attack", {"a": a, "b": opponents, "ambush": ambush}, seed)
    for pair in outcome.pairs:
        counter = pair.counter == "counter"
        given_ = (pair.winner == "a" and (pair.hit or counter)) or bool(
            pair.second and pair.second.hit
        )
        taken = (pair.winner == "b" and (pair.hit or counter)) or bool(
            pair.second_b and pair.second_b.hit
        )
        assert not (given_ and taken)
    for fighter, asked in zip((outcome.a, *outcome.b), (a, *b), strict=True):
        assert fighter.heroism_left is None or 0 <= fighter.heroism_left <= asked["heroism"]
        assert fighter.health.bleeding <= 10


@st.composite
def chases(draw: st.DrawFn) -> dict[str, Any]:
    roles = draw(st.lists(st.sampled_from(list(NightProwlerRole)), min_size=2, max_size=5))
    assume(NightProwlerRole.FUGITIVE in roles)
    participants, choices = [], []
    fugitives = [n for n, role in enumerate(roles) if role is NightProwlerRole.FUGITIVE]
    for number, role in enumerate(roles):
        option = draw(st.sampled_from([o for o, row in CHASE.items() if row.role in {None, role}]))
        runner: dict[str, Any] = {
            "id": str(number),
            "role": role,
            "accumulated": draw(st.integers(8, 18)),
            "head_start": draw(st.sampled_from(["none", "small", "large", "huge"])),
            "heroism": draw(pools),
        }
        if role is NightProwlerRole.PURSUER:
            runner["target"] = str(draw(st.sampled_from(fugitives)))
        calls = role is NightProwlerRole.PURSUER and option is not NightProwlerChaseOption.TAIL
        participants.append(runner)
        choices.append(
            {
                "id": str(number),
                "option": option,
                "skill": draw(levels),
                "avoid_skill": draw(levels),
                "stop_thief": draw(st.integers(0, 2)) if calls else 0,
            }
        )
    return {
        "state": {"round": draw(st.integers(0, 50)), "participants": participants},
        "choices": choices,
        "subtract_failures": draw(flags),
    }


@given(chase=chases(), seed=seeds)
@settings(deadline=None, max_examples=200)
def test_a_chase_ends_or_goes_on_in_a_later_round(chase: dict[str, Any], seed: int) -> None:
    outcome = _play("chase", chase, seed)
    assert outcome.state.round == chase["state"]["round"] + 1
    running = [
        one
        for one in outcome.results
        if one.status == "running"
        and chase["state"]["participants"][int(one.id)]["role"] == "fugitive"
    ]
    assert outcome.over == (not running)
    for one, before in zip(outcome.results, chase["state"]["participants"], strict=True):
        assert one.heroism_left is None or 0 <= one.heroism_left <= before["heroism"]


@given(
    event=st.sampled_from(
        ["scene_end", "authority_defiance", "community_kept", "community_missed",
         "cancel_intimidation", "engage_crevard"]
    ),
    heroism=st.integers(0, 12),
    most=st.integers(0, 12),
)  # fmt: skip
@settings(deadline=None)
def test_heroism_never_goes_negative(event: str, heroism: int, most: int) -> None:
    outcome = _play("heroism", {"event": event, "heroism": heroism, "heroism_max": most}, 0)
    assert outcome.heroism >= 0
    assert outcome.heroism == heroism + outcome.delta


@pytest.mark.parametrize("kind", list(RELOADS))
def test_every_missile_weapon_shoots(kind: NightProwlerWeaponKind) -> None:
    weapon = {"family": RELOADS[kind].family, "kind": kind}
    outcome = _play(
        "attack",
        {
            "mode": "ranged",
            "a": {"option": "shot", "skill": 21, "weapon": weapon},
            "b": [{"option": "offensive"}],
        },
        1,
    )
    assert outcome.pairs[0].hit
