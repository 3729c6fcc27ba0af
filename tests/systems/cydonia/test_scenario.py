"""A road, a wolf and a dead bandit: every number of it, over HTTP."""

from fractions import Fraction
from typing import Any

from starlette.testclient import TestClient

from story import Story


def side(attribute: int, skill: int, **more: Any) -> dict[str, Any]:
    return {"attribute": attribute, "skill": skill, **more}


def test_a_day_on_the_road(client: TestClient) -> None:
    story = Story(client, "cydonia")
    the_charge(story)
    the_throat(story)
    the_stun(story)
    the_care(story)
    the_body(story)
    the_bargain(story)
    the_wolf(story)
    the_lessons(story)


def the_charge(story: Story) -> None:
    # Two turns of momentum, then the lance; a second bandit stands in the way.
    assert story.refused("charge", event="attack", state={}, **charge()) == "not-enough-momentum"
    first = story.tell("charge", event="gather")
    second = story.tell("charge", event="gather", state=first["state"])
    assert second["state"] == {"momentum_turns": 2}
    assert story.texts == [
        "Tours d\N{RIGHT SINGLE QUOTATION MARK}élan\N{NO-BREAK SPACE}: 1 puis 2."
    ]
    hit = story.tell("charge", [6, 4, 3, 5, 9], event="attack", state=second["state"], **charge())
    assert story.chance("blow.hit", True) == Fraction(97, 100)
    assert story.chance("bystanders.0.hit", True) == Fraction(90, 100)
    assert hit["state"] == {"momentum_turns": 0}
    blow = hit["blow"]
    assert blow["a"]["modifiers"] == [{"code": "riding", "value": 4}]
    assert (blow["a"]["total"], blow["b"]["total"], blow["margin"]) == (21, 11, 10)
    assert blow["location"]["bonuses"] == [
        {"code": "location_margin", "value": 5},
        {"code": "location_attacker_mounted", "value": 5},
    ]
    assert (blow["location"]["total"], blow["location"]["row"]) == (13, 13)
    assert (blow["location"]["zone"], blow["location"]["vital"]) == ("weapon", False)
    assert (blow["gross"], blow["protection"], blow["damage"]) == (7 + 4 + 5 + 8, 3, 21)
    assert (blow["killed"], blow["downed"], blow["excess"]) == (False, True, 1)
    assert blow["target"]["status"] == "dying"
    (other,) = hit["bystanders"]
    assert (other["id"], other["b"]["total"], other["hit"]) == ("second", 18, True)
    assert (other["damage"], other["target"]["hp"], other["downed"]) == (7, 8, False)


def charge() -> dict[str, Any]:
    return {
        "mount_running": 8,
        "blow": {
            "attacker": side(6, 5, skill_name="polearm"),
            "attacker_riding": 4,
            "defender": side(4, 3, skill_name="dodge"),
            "physique": 7,
            "weapon": {"flat": 4, "dice": [{"count": 1, "sides": 10}]},
            "target": {"hp": 20, "hp_max": 20, "protection": 3},
        },
        "bystanders": [
            {
                "id": "second",
                "defender": side(5, 4),
                "target": {"hp": 15, "hp_max": 15, "protection": 1},
            }
        ],
    }


def the_throat(story: Story) -> None:
    # The second bandit, eight life points left, is struck at the throat on purpose.
    blow: dict[str, Any] = {
        "attacker": side(6, 7, skill_name="blade", concentration_turns=2),
        "damage_concentration_turns": 1,
        "called_zone": "throat",
        "defender": side(5, 4),
        "physique": 7,
        "weapon": {"flat": 2},
        "target": {"hp": 8, "hp_max": 15, "protection": 1},
    }
    struck = story.tell("attack", [7, 6, 1, 2], **blow)
    assert story.chance("hit", True) == Fraction(45, 100)
    assert story.chance("location.zone", "throat") == Fraction(45, 100)
    assert story.chance("downed", True) == Fraction(45, 100)
    assert story.chance("killed", True) == 0
    assert struck["a"]["modifiers"] == [
        {"code": "concentration", "value": 4},
        {"code": "called_shot", "value": -8},
    ]
    assert (struck["a"]["total"], struck["b"]["total"], struck["margin"]) == (16, 15, 1)
    where = struck["location"]
    assert (where["zone"], where["attack_modifier"], where["row"]) == ("throat", -8, None)
    assert where["extra_dice"] == {"count": 2, "sides": 10}
    assert (struck["gross"], struck["damage"], struck["excess"]) == (7 + 2 + 2 + 3, 13, 5)
    assert (struck["killed"], struck["target"]["status"]) == (False, "dying")
    spent = {**blow, "damage_concentration_turns": 2}
    assert story.refused("attack", **spent) == "concentration-exceeded"


RESISTANCE = {"courage": 3, "attribute": 4}


def the_stun(story: Story) -> None:
    # The last one keeps the horses: a club on the head, then the turns on the ground.
    blow = story.tell(
        "attack",
        [10, 3, 12, 9],
        attacker=side(5, 5, skill_name="mace"),
        called_zone="head",
        defender=side(3, 2),
        physique=5,
        weapon={},
        stun=True,
        target={"hp": 40, "hp_max": 40, "resistance": RESISTANCE},
    )
    assert (blow["margin"], blow["gross"], blow["damage"]) == (4, 17, 17)
    assert (blow["stunned"], blow["target"]["hp"]) == (True, 23)
    assert blow["effects"] == [
        {"kind": "stun", "total": 16, "difficulty": 17, "stunned": True, "next_difficulty": 16}
    ]
    state = {"stunned": True, "difficulty": 17, "turns": 1}
    still = story.tell("stun", [9], phase="recover", state=state, resistance=RESISTANCE)
    assert story.chance("state.stunned", False) == Fraction(1, 10)
    assert (still["difficulty"], still["margin"], still["next_difficulty"]) == (16, 0, 15)
    assert still["state"] == {"stunned": True, "difficulty": 16, "turns": 2}
    asleep = story.tell("stun", phase="recover", state=still["state"], attempt=False)
    assert asleep["state"] == {"stunned": True, "difficulty": 15, "turns": 3}
    awake = story.tell("stun", [8], phase="recover", state=asleep["state"], resistance=RESISTANCE)
    assert story.chance("state.stunned", False) == Fraction(3, 10)
    assert (awake["difficulty"], awake["test"]["total"], awake["success"]) == (14, 15, True)
    assert awake["state"] == {"stunned": False, "difficulty": 14, "turns": 3}
    again = {"phase": "recover", "state": awake["state"], "resistance": RESISTANCE}
    assert story.refused("stun", **again) == "not-stunned"


def the_care(story: Story) -> None:
    # The rider was hurt too: medicine on the road, a straw bed at the inn.
    hurt = {"hp": 6, "hp_max": 24, "penalty": 5}
    healer = side(6, 5, skill_name="medicine", expert=True)
    care: dict[str, Any] = {"method": "medicine", "healer": healer, "difficulty": "average"}
    cared = story.tell("healing", [4, 9], target=hurt, **care)
    assert story.chance("success", True) == Fraction(91, 100)
    assert (cared["test"]["kept"], cared["test"]["total"], cared["margin"]) == (9, 20, 5)
    assert (cared["healed"], cared["penalty_removed"], cared["used_today"]) == (5, 4, True)
    assert (cared["target"]["hp"], cared["target"]["penalty"]) == (11, 1)
    assert (
        story.refused("healing", target=cared["target"], used_today=True, **care)
        == "already-treated"
    )
    night = story.tell(
        "healing",
        [9],
        method="rest",
        physique=7,
        die=10,
        comfort="lit de paille",
        target=cared["target"],
        used_today=cared["used_today"],
    )
    assert story.chance("target.hp", 24) == Fraction(5, 10)
    assert (night["rolled"], night["healed"]) == (16, 13)
    assert (night["target"]["hp"], night["target"]["penalty"]) == (24, 1)


def the_body(story: Story) -> None:
    # One of the dead has a purse, and something sewn in the lining: a natural 10.
    found = story.tell(
        "search",
        [10],
        searcher=side(3, 2, skill_name="search"),
        place="corpse",
        hidden_difficulty="heroic",
    )
    assert story.chance("magic_item", True) == Fraction(1, 10)
    assert (found["total"], found["critical"], found["found"]) == (15, "success", "all")
    assert (found["magic_item"], found["hidden_found"], found["margin"]) == (True, True, -15)
    assert found["coins"] == {"silver_total": 15, "gold": 1, "silver": 5}


def the_bargain(story: Story) -> None:
    # The ring is for sale; so is a better saddle.
    sold = story.tell(
        "negotiation",
        [6, 3],
        buyer=side(5, 4, reputation=-3),
        merchant=side(6, 3),
        price=345,
    )
    assert story.chance("discount_percent", 50) == Fraction(17, 100)
    assert sold["a"]["modifiers"] == [{"code": "reputation", "value": 3}]
    assert (sold["a"]["total"], sold["b"]["total"], sold["margin"]) == (18, 12, 6)
    assert (sold["discount_percent"], sold["critical_effect"]) == (15, False)
    assert (sold["reduction"], sold["final_price"]) == (51, 294)


def the_wolf(story: Story) -> None:
    # Night falls, and one of the company is no man: two turns of claws, then the way back.
    wolf = story.tell(
        "transformation",
        event="start",
        transformation=2,
        physique=6,
        agility=5,
        hp=20,
        hp_max=20,
        hp_per_physique=3,
        people="werewolf",
    )
    assert (wolf["physique"], wolf["agility"], wolf["hp"], wolf["hp_max"]) == (8, 7, 26, 26)
    assert wolf["state"] == {"active": True, "turns_left": 2, "bonus": 2, "hp_bonus": 6}
    bite = story.tell(
        "attack",
        [8, 2, 1, 10, 4],
        attacker=side(wolf["physique"], 4),
        method="teeth",
        defender=side(4, 3),
        target={"hp": 30, "hp_max": 30, "protection": 4},
    )
    assert (bite["a"]["total"], bite["b"]["total"], bite["margin"]) == (14, 9, 5)
    assert (bite["location"]["row"], bite["location"]["zone"]) == (6, "left_ribs")
    assert (bite["gross"], bite["damage"], bite["target"]["hp"]) == (8 + 14, 18, 12)
    now = {name: wolf[name] for name in ("physique", "agility", "hp_max")}
    tick = story.tell("transformation", event="tick", hp=6, state=wolf["state"], **now)
    assert (tick["state"]["turns_left"], tick["ended"], tick["hp"]) == (1, False, 6)
    back = story.tell("transformation", event="tick", hp=6, state=tick["state"], **now)
    assert (back["physique"], back["agility"], back["hp_max"]) == (6, 5, 20)
    assert (back["ended"], back["hp"], back["status"], back["killed"]) == (True, 0, "dead", True)
    over = {"event": "end", "hp": 0, "hp_max": 20, "physique": 6, "agility": 5}
    assert story.refused("transformation", state=back["state"], **over) == "not-transformed"


def the_lessons(story: Story) -> None:
    # The scenario is over: awards, a level of renown, and experience well spent.
    earned = story.tell(
        "award",
        full_scenario=True,
        scenario_success=True,
        reputation_points=5,
        individual=[{"key": "best_fighter", "choice": "xp"}, {"key": "unluckiest"}],
    )
    assert (earned["xp"], earned["learning_points"], earned["shira_xp"]) == (7, 2, 0)
    known = story.tell("reputation", level=1, points=1, award=earned["reputation_points"])
    assert (known["level"], known["points"], known["levels_changed"]) == (3, 1, 2)
    assert (known["title"], known["bounty_gold"], known["bards"]) == (
        "well_seen_in_district",
        0,
        None,
    )
    assert (known["next_up"], known["next_down"], known["bonus"]) == (3, 3, 3)
    purchases: list[dict[str, Any]] = [
        {"kind": "attribute", "name": "Dextérité", "from": 6},
        {"kind": "hp", "from": 24, "count": 3},
        {"kind": "spell", "name": "Lumière", "cost": 2},
    ]
    funds = {"xp": earned["xp"], "learning_points": earned["learning_points"]}
    learned = story.tell("advancement", purchases=purchases, **funds)
    assert learned["spent"] == {"xp": 7, "learning_points": 2, "shira_xp": 0}
    assert learned["remaining"] == {"xp": 0, "learning_points": 0, "shira_xp": 0}
    assert [(row["to"], row["cost"]) for row in learned["results"]] == [(7, 4), (33, 3), (None, 2)]
    purchases[1]["count"] = 4
    assert story.refused("advancement", purchases=purchases, **funds) == "not-affordable"
