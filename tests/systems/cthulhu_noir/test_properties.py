"""What holds for every investigator, whatever they see."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from arbitre.dice import HandFaces, LiveDice, SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import Play, play
from arbitre.systems.cthulhu_noir import SYSTEM

seeds = st.integers(0, 9999)
gauge = st.integers(1, 5)
faces = st.integers(1, 6)


def asked(resolver: str, **request: Any) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(to_json(request))


def run(resolver: str, seed: int = 0, **request: Any) -> Any:
    source = SeededFaces(caller_seed(str(seed)))
    return play(SYSTEM.by_id[resolver], asked(resolver, **request), source).outcome


def thrown(resolver: str, dice: list[int], **request: Any) -> Play[Any]:
    return play(SYSTEM.by_id[resolver], asked(resolver, **request), HandFaces(dice))


@st.composite
def actions(draw: st.DrawFn) -> dict[str, Any]:
    action = {
        "human_die": draw(st.booleans()),
        "professional_die": draw(st.booleans()),
        "insanity_die": draw(st.booleans()),
        "wound_die": draw(st.booleans()),
        "wound_damage": draw(gauge),
        "state": {"insanity": draw(gauge), "wound": draw(gauge)},
    }
    if not any(value is True for value in action.values()):
        action["human_die"] = True
    return action


@given(actions(), st.booleans(), seeds)
def test_gauges_rise_only_as_the_dice_say(action: dict[str, Any], failure: bool, seed: int) -> None:
    outcome = run("roll", seed, **action, failure_die=failure)
    before = action["state"]
    assert 0 <= outcome.state.insanity - before["insanity"] <= action["insanity_die"]
    assert before["wound"] <= outcome.state.wound <= 6
    if not action["wound_die"]:
        assert outcome.state.wound == before["wound"]
    assert outcome.success or failure
    assert outcome.mad == (outcome.state.insanity == 6)
    assert outcome.dead == (outcome.state.wound == 6)
    assert outcome.can_reroll == bool(outcome.reroll_with)


@given(actions(), seeds)
def test_what_an_action_leaves_starts_the_next_attempt(action: dict[str, Any], seed: int) -> None:
    outcome = run("roll", seed, **action)
    if "insanity" in outcome.reroll_with:
        again = {**action, "insanity_die": True, "state": outcome.state.model_dump()}
        second = run("reroll", seed, **again, previous={"quality": outcome.quality})
        assert second.attempt == 2
        assert second.improved == (second.quality > outcome.quality)
        assert second.not_worse == (second.quality >= outcome.quality)


@settings(max_examples=25)
@given(actions())
def test_a_risk_die_never_lowers_the_odds_of_success(action: dict[str, Any]) -> None:
    rule = SYSTEM.by_id["roll"]
    aid = odds_of(rule, asked("roll", **action, failure_die=True)).aid
    assert aid is not None
    by_risk = {(row["insanity_die"], row["wound_die"]): row for row in aid.model_dump()["stakes"]}
    for (insanity, wound), row in by_risk.items():
        for fewer in ((False, wound), (insanity, False)):
            if fewer in by_risk:
                less = by_risk[fewer]
                assert Fraction(row["success"]["p"]) >= Fraction(less["success"]["p"])
                assert Fraction(row["quality"]["p"]) >= Fraction(less["quality"]["p"])
        if not insanity:
            assert row["insanity_rises"]["p"] == "0"
        if not wound:
            assert row["wound_rises"]["p"] == "0"


@given(st.lists(actions(), min_size=2, max_size=4), seeds)
def test_the_last_throw_of_a_competition_decides_it(sides: list[dict[str, Any]], seed: int) -> None:
    outcome = run("opposition", seed, mode="competition", sides=sides)
    winner = next(side for side in outcome.sides if side.id == outcome.winner)
    assert outcome.tied == ()
    assert winner.quality == max(
        side.quality for side in outcome.sides if outcome.rerolls == 0 or side.id == winner.id
    )
    for side, asked_ in zip(outcome.sides, sides, strict=True):
        assert (side.insanity_roll is None) or asked_["insanity_die"]
        assert (side.wound_roll is None) or asked_["wound_die"]


@given(st.lists(faces, min_size=4, max_size=4))
def test_rivals_who_change_places_change_the_winner(dice: list[int]) -> None:
    sides = [{"professional_die": True}] * 2
    fields: dict[str, Any] = {"mode": "competition", "reroll_ties": False, "sides": sides}
    one = thrown("opposition", dice, **fields).outcome
    other = thrown("opposition", dice[2:] + dice[:2], **fields).outcome
    swapped = {"a": "b", "b": "a", None: None}
    assert swapped[one.winner] == other.winner
    assert (one.decided_at, one.decided_by) == (other.decided_at, other.decided_by)


@given(st.lists(actions(), min_size=1, max_size=4), faces, seeds)
def test_together_is_never_worse_than_the_best_alone(
    participants: list[dict[str, Any]], standing: int, seed: int
) -> None:
    outcome = run("cooperation", seed, participants=participants, standing_quality=standing)
    alone = [participant.quality for participant in outcome.participants]
    assert outcome.quality == max([standing, *alone])
    assert outcome.best == tuple(n for n, q in enumerate(alone, 1) if q == outcome.quality)


@given(gauge, faces)
def test_suppression_never_raises_and_never_goes_below_one(insanity: int, face: int) -> None:
    state = {"insanity": insanity, "suppression_unlocked": True}
    after = thrown("suppress", [face], state=state).outcome.state.insanity
    assert after == max(1, insanity - (face < insanity))


@given(gauge, faces, st.sampled_from(["accident", "illness", "other"]), gauge)
def test_an_injury_adds_its_points_or_nothing(
    wound: int, face: int, attack: str, damage: int
) -> None:
    outcome = thrown("damage", [face], attack=attack, damage=damage, state={"wound": wound}).outcome
    added = min(damage, 6 - wound) if face > wound else 0
    assert (outcome.damage_applied, outcome.state.wound) == (added, wound + added)
    assert outcome.damage == damage


@given(gauge, st.sampled_from(["first_aid", "night", "full_day"]), st.integers(0, 5))
def test_care_never_heals_below_one(wound: int, method: str, amount: int) -> None:
    usual = thrown("healing", [], method=method, state={"wound": wound}).outcome
    assert usual.state.wound == max(1, wound - (2 if method == "full_day" else 1))
    given_ = thrown("healing", [], method=method, amount=amount, state={"wound": wound}).outcome
    assert given_.healed == min(amount, wound - 1)


def test_a_hundred_ties_end_a_competition() -> None:
    sides = [{}, {}]
    with pytest.raises(RuleRefused, match="ties-limit"):
        thrown("opposition", [1] * 200, mode="competition", sides=sides)
    played = thrown("opposition", [1] * 198 + [2, 1], mode="competition", sides=sides)
    assert (played.outcome.winner, played.outcome.rerolls) == ("a", 99)
    assert len(played.draws) == 200


def test_players_who_stay_tied_after_others_fell_behind_stop_at_a_hundred_too() -> None:
    dice = [6, 6, 5] + [4, 4] * 99
    with pytest.raises(RuleRefused, match="ties-limit"):
        thrown("opposition", dice, mode="competition", sides=[{}, {}, {}])


def test_every_die_says_whose_it_is() -> None:
    action = {"professional_die": True, "insanity_die": True, "wound_die": True}
    single = LiveDice(HandFaces([1, 1, 6, 6, 1, 1]))
    SYSTEM.by_id["roll"].resolve(asked("roll", **action), single)
    assert [draw.tag for draw in single.draws] == [
        "human",
        "professional",
        "insanity",
        "wound",
        "insanity_roll",
        "wound_roll",
    ]
    both = LiveDice(HandFaces([1, 6, 2, 1]))
    participants = [{"insanity_die": True}, {}]
    SYSTEM.by_id["cooperation"].resolve(asked("cooperation", participants=participants), both)
    assert [draw.tag for draw in both.draws] == [
        "1.human",
        "1.insanity",
        "2.human",
        "1.insanity_roll",
    ]
