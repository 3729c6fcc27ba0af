"""What holds for every character, whatever happens to them."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from arbitre.dice import SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.rules.play import play
from arbitre.systems.lady_blackbird import SYSTEM

pools = st.integers(0, 10)
names = st.text("abcde é", min_size=1, max_size=6)
conditions = st.sets(
    st.sampled_from(["injured", "dead", "tired", "angry", "lost", "hunted", "trapped"])
)


def run(resolver: str, seed: int = 0, **request: Any) -> Any:
    rule = SYSTEM.by_id[resolver]
    asked = rule.request.model_validate_json(to_json(request))
    return play(rule, asked, SeededFaces(caller_seed(str(seed)))).outcome


@st.composite
def attempts(draw: st.DrawFn) -> dict[str, Any]:
    pool = draw(pools)
    trait = draw(st.booleans())
    helpers = draw(st.lists(st.integers(1, 10), max_size=4))
    return {
        "difficulty": draw(st.integers(2, 5)),
        "trait": trait,
        "tags": draw(st.integers(0, 4)) if trait else 0,
        "bonus_dice": draw(st.integers(0, 3)),
        "pool_dice": draw(st.integers(0, pool)),
        "helpers": [{"name": f"h{n}", "pool": held} for n, held in enumerate(helpers)],
        "state": {"pool": pool},
    }


@given(attempts(), st.integers(0, 9999))
def test_a_success_spends_what_was_committed_and_a_failure_adds_one(
    request: dict[str, Any], seed: int
) -> None:
    outcome = run("roll", seed, **request)
    before = request["state"]["pool"]
    if outcome.success:
        assert outcome.state.pool == before - request["pool_dice"]
    else:
        assert outcome.state.pool == min(10, before + 1)
    assert before - outcome.pool_spent + outcome.pool_gained == outcome.state.pool
    assert outcome.success == (outcome.margin >= 0)
    for given_, after in zip(request["helpers"], outcome.helpers, strict=True):
        assert after.pool == given_["pool"] - outcome.success
        assert after.die_returned != outcome.success


@given(attempts(), st.integers(0, 9999))
def test_the_state_of_a_test_starts_the_next(request: dict[str, Any], seed: int) -> None:
    state = run("roll", seed, **request).state.model_dump()
    assert 0 <= run("roll", seed + 1, state=state).state.pool <= 10


@given(attempts())
def test_more_pool_dice_never_lower_the_odds(request: dict[str, Any]) -> None:
    rule = SYSTEM.by_id["roll"]
    odds = odds_of(rule, rule.request.model_validate_json(to_json(request)))
    assert odds.aid is not None
    chances = [Fraction(row["success"]["p"]) for row in odds.aid.model_dump()["by_pool_dice"]]
    assert chances == sorted(chances)
    assert len(chances) == request["state"]["pool"] + 1


@given(attempts(), st.integers(0, 9999))
def test_help_in_two_steps_ends_like_help_in_one(request: dict[str, Any], seed: int) -> None:
    outcome = run("roll", seed, **request)
    if not request["helpers"]:
        return
    offered = run("help", stage="offer", helpers=request["helpers"])
    given_ = [{"name": one.name, "pool": one.pool} for one in offered.helpers]
    settled = run("help", stage="settle", success=outcome.success, helpers=given_)
    assert [one.pool for one in settled.helpers] == [one.pool for one in outcome.helpers]
    assert offered.helper_dice == len(request["helpers"])


@given(
    st.booleans(),
    st.sampled_from(["xp", "dice", "split"]),
    pools,
    st.integers(0, 900),
    st.integers(0, 700),
)
def test_a_key_creates_no_points_but_its_reward(
    danger: bool, reward: str, pool: int, xp: int, advances: int
) -> None:
    danger = danger or reward == "split"
    state = {"pool": pool, "xp": xp, "advances": advances}
    outcome = run("key", key="A", danger=danger, reward=reward, state=state)
    points = 2 if danger else 1
    assert outcome.xp_gained + outcome.dice_gained + outcome.dice_lost == points
    worth = 5 * outcome.state.advances + outcome.state.xp
    assert worth == 5 * advances + xp + outcome.xp_gained
    assert outcome.state.xp < 5
    assert outcome.state.pool == min(10, pool + outcome.dice_gained + outcome.dice_lost)
    again = run("advancement", state={"xp": outcome.state.xp, "advances": outcome.state.advances})
    assert again.advances_gained == 0


@given(st.lists(names, min_size=1, max_size=5, unique_by=lambda n: " ".join(n.split()).casefold()))
def test_a_buyback_moves_one_key_and_pays_two(keys: list[str]) -> None:
    outcome = run("key", action="buyback", key=keys[0].upper(), state={"keys": keys})
    assert outcome.state.keys == tuple(keys[1:])
    assert outcome.state.former_keys == (keys[0],)
    assert outcome.state.advances == 2
    assert outcome.state.pool == 7


@given(pools, conditions)
def test_a_scene_never_empties_a_pool_and_removes_one_condition_at_most(
    pool: int, ticked: set[str]
) -> None:
    boxes = sorted(ticked)
    outcome = run("healing", state={"pool": pool, "conditions": boxes})
    assert outcome.state.pool == max(pool, 7)
    assert outcome.state.conditions == tuple(boxes)
    for box in boxes:
        removed = run(
            "healing",
            benefit="remove_condition",
            condition=box,
            state={"pool": pool, "conditions": boxes},
        )
        assert set(removed.state.conditions) == ticked - {box}


@given(st.sampled_from(["injured", "dead", "tired", "lost"]), conditions)
def test_ticking_a_condition_twice_changes_nothing_more(box: str, ticked: set[str]) -> None:
    once = run("condition", condition=box, state={"conditions": sorted(ticked)})
    assert set(once.state.conditions) == ticked | {box}
    again = run("condition", condition=box, state=once.state.model_dump(mode="json"))
    assert again.state == once.state
    assert again.already_present


@given(st.lists(names, max_size=6, unique_by=lambda n: " ".join(n.split()).casefold()))
def test_traits_are_bought_in_order_one_advance_each(bought: list[str]) -> None:
    outcome = run(
        "advancement",
        purchases=[{"kind": "trait", "name": name} for name in bought],
        state={"xp": 32, "advances": 0},
    )
    assert [trait.name for trait in outcome.state.traits] == bought
    assert (outcome.state.advances, outcome.state.xp) == (6 - len(bought), 2)
