"""Two nights in Kadath: a search, an ambush, a fight, a coma, a theft; every number, over HTTP."""

from fractions import Fraction
from typing import Any

from starlette.testclient import TestClient

from story import Story

LINE = {"light_gray": 3, "dark_gray": 2}

PERIL = [
    {"from": 1, "to": 2, "label": "sonné"},
    {"from": 3, "to": 4, "label": "assommé", "condition": "unconscious"},
    {"from": 5, "to": 6, "label": "hémorragie", "condition": "coma"},
]

ZEALOT = {"skill": 3, "total_damage": 4}


def test_two_nights_in_kadath(client: TestClient) -> None:
    story = Story(client, "kadath")
    search(story)
    ambush(story)
    coma = fight(story)
    revived = first_aid(story, coma)
    theft(story)
    walk(story, revived)
    spend(story)


def search(story: Story) -> None:
    """Nym searches a house by night; Oro helps."""
    found = story.tell(
        "roll",
        [4, 3, 5, 6],
        skill=2,
        skill_name="perception",
        unfavorable=1,
        helpers=[{"skill": 2}],
    )
    assert story.chance("success", True) == Fraction(347, 648)
    assert (found["help_points"], found["help_spent"]) == (3, 2)
    assert found["adjusted_faces"] == [6, 3]
    assert (found["dice_successes"], found["modifier"], found["successes"]) == (2, -1, 1)
    assert (found["success"], found["quality"]) == (True, 1)
    assert story.last["summary"] == "Réussite, qualité 1."
    assert [
        (step["values"]["die"], step["values"]["before"], step["values"]["after"])
        for step in story.last["steps"]
        if step["key"] == "point"
    ] == [(1, 4, 5), (1, 5, 6)]

    # Alone, by day, another night: the circumstance is gone, so it may be tried again.
    again = story.tell(
        "retry", before={"skill": 2, "unfavorable": 1}, now={"skill": 2, "unfavorable": 0}
    )
    assert (again["allowed"], again["reasons"]) == (True, ["circumstances"])
    assert (again["modifier_before"], again["modifier_now"]) == (-1, 0)


def ambush(story: Story) -> None:
    """A zealot waits in the next street."""
    seen = story.tell(
        "surprise",
        [6, 1, 1, 5, 5, 5, 5, 5, 1],
        mode="ambush",
        ambusher={"skill": 3},
        targets=[{"skill": 2}, {"skill": 4}],
    )
    assert story.chance("targets.0.surprised", True) == Fraction(635, 864)
    assert story.chance("targets.1.surprised", True) == Fraction(1189, 3888)
    assert story.chance("surprised_count", 2) == Fraction(4897, 17496)
    assert story.chance("surprised_count", 1) == Fraction(33661, 69984)
    assert seen["ambusher"]["successes"] == 2
    nym, oro = seen["targets"]
    assert (nym["surprised"], nym["decided_by"], nym["margin"]) == (True, "skill", 0)
    assert (oro["surprised"], oro["decided_by"], oro["margin"]) == (False, "successes", 1)
    assert seen["surprised_count"] == 1


def order(story: Story, *rows: tuple[str, str, int, int]) -> list[list[list[str]]]:
    names = ("id", "side", "declared_actions", "reflexes")
    combatants = [dict(zip(names, row, strict=True)) for row in rows]
    return [row["slots"] for row in story.tell("initiative", combatants=combatants)["passes"]]


def fight(story: Story) -> dict[str, Any]:
    """Three rounds: a blow by surprise, a boon that is paid for, and the black box."""
    light: dict[str, Any] = {"muscles": 2, "armor": {"class": "light"}}
    assert order(story, ("Nym", "pc", 1, 3), ("A", "zealots", 1, 2), ("B", "zealots", 1, 2)) == [
        [["Nym"], ["A", "B"]]
    ]

    # First round: nothing can parry the first blow, which gains one circumstance.
    blow = story.tell(
        "attack",
        [5, 1, 2],
        attacker=ZEALOT,
        defender={"skill": 3, **light},
        surprised=True,
        target={"life_line": LINE, "peril_table": PERIL},
    )
    assert story.chance("hit", True) == 1
    assert (blow["hit"], blow["defended"], blow["decided_by"]) == (True, False, "test")
    assert (blow["margin"], blow["attacker"]["favorable"]) == (2, 1)
    assert (blow["raw_damage"], blow["protection"], blow["damage"]) == (4, 1, 3)
    state = blow["target"]["state"]
    assert (state["position"], blow["target"]["box"]) == (3, "light_gray")
    assert blow["target"]["boxes_before_peril"] == 3
    assert [
        step["values"]["after"] for step in story.last["steps"] if step["key"] == "box_left"
    ] == [
        1,
        2,
        3,
    ]

    # Second round, two actions: Efficacité against Danger fells a zealot.
    assert order(story, ("Nym", "pc", 2, 3), ("A", "zealots", 1, 2), ("B", "zealots", 1, 2)) == [
        [["Nym"], ["A", "B"]],
        [["Nym"]],
    ]
    legal = story.tell("maneuver", is_attack=True, prime="efficiency", penalty="danger")
    assert (legal["legal"], legal["favorable"], legal["combat_state"]["danger"]) == (True, 1, 1)
    felled = story.tell(
        "attack",
        [5, 6, 1, 2, 5, 1],
        attacker={
            "skill": 4,
            "declared_actions": 2,
            "muscles": 2,
            "weapon": {"class": "war"},
            "character_damage": 2,
            "prime": "efficiency",
            "penalty": "danger",
        },
        defender={"skill": 2},
        target={"actor_type": "extra", "life_line": {"light_gray": 1, "dark_gray": 1}},
    )
    assert story.chance("hit", True) == Fraction(775, 972)
    assert story.chance("damage", 5) == Fraction(775, 972)
    assert (felled["attacker"]["favorable"], felled["attacker"]["unfavorable"]) == (1, 1)
    assert (felled["attacker"]["successes"], felled["defender"]["successes"]) == (3, 1)
    assert (felled["margin"], felled["raw_damage"], felled["damage"]) == (2, 5, 5)
    assert felled["target"]["events"][0]["lost"] == 2
    assert (felled["target"]["out_of_action"], felled["target"]["peril_rolls"]) == (True, [])
    assert felled["attacker_state"] == {
        "acceleration": 0,
        "slowdown": 0,
        "caution": 0,
        "danger": 1,
    }

    # The other zealot answers; the Danger taken and the second action weigh on the parry.
    defender = {"skill": 3, "declared_actions": 2, **light}
    answer = story.tell(
        "attack",
        [6, 1, 1, 5, 5, 6],
        attacker=ZEALOT,
        defender={**defender, "combat_state": felled["attacker_state"]},
        adversaries=2,
        target={"life_line": LINE, "state": state, "peril_table": PERIL},
    )
    assert story.chance("hit", True) == Fraction(11297, 11664)
    assert story.chance("target.in_peril", True) == Fraction(11297, 11664)
    assert (answer["attacker"]["successes"], answer["defender"]["successes"]) == (3, 2)
    assert [(row["source"], row["unfavorable"]) for row in answer["defender"]["circumstances"]] == [
        ("declared_actions", 1),
        ("danger", 1),
    ]
    assert (answer["margin"], answer["damage"]) == (1, 3)
    state = answer["target"]["state"]
    assert (state["position"], answer["target"]["in_peril"]) == (6, True)
    assert (answer["target"]["events"][0]["entered_peril"], answer["target"]["peril_rolls"]) == (
        True,
        [],
    )
    assert answer["defender_state"]["danger"] == 0

    # Third round: in peril, the caller's table says what the blow does.
    last = story.tell(
        "attack",
        [5, 5, 1, 5, 1, 1, 6, 3],
        attacker=ZEALOT,
        defender={"skill": 3, **light},
        target={"life_line": LINE, "state": state, "peril_table": PERIL},
    )
    assert story.chance("hit", True) == Fraction(12211, 15552)
    assert story.chance("target.state.condition", "coma") == Fraction(12211, 46656)
    assert story.chance("target.state.condition", "unconscious") == Fraction(12211, 46656)
    assert (last["attacker"]["successes"], last["defender"]["successes"]) == (2, 0)
    assert last["defender"]["circumstances"] == [
        {"source": "box", "favorable": 0, "unfavorable": 1}
    ]
    assert last["target"]["peril_rolls"][0]["face"] == 6
    assert last["target"]["peril_rolls"][0]["row"]["label"] == "hémorragie"
    state = last["target"]["state"]
    assert (state["condition"], state["position"], state["prone"]) == ("coma", None, True)
    assert (state["days_to_live"], last["target"]["boxes_before_peril"]) == (3, None)
    return dict(state)


def first_aid(story: Story, state: dict[str, Any]) -> dict[str, Any]:
    """Oro brings Nym back, who will never see quite as well."""
    request: dict[str, Any] = {
        "method": "first_aid",
        "healer": {"skill": 3, "skill_name": "medicine"},
        "patient": {"life_line": LINE, "state": state},
        "skills": [
            {"skill_name": "perception", "skill": 2},
            {"skill_name": "combat", "skill": 4},
            {"skill_name": "stealth", "skill": 1},
        ],
    }
    assert story.refused("healing", **request, sequela_skill="stealth") == "sequela-skill-too-low"
    aided = story.tell("healing", [6, 1, 1], **request, sequela_skill="perception")
    assert story.chance("success", True) == Fraction(13, 27)
    assert (aided["healer"]["unfavorable"], aided["healer"]["successes"]) == (1, 1)
    assert (aided["success"], aided["boxes"], aided["box"]) == (True, 0, "black")
    assert (aided["sequela_skill"], aided["eligible_skills"]) == (
        "perception",
        ["perception", "combat"],
    )
    assert [row["skill"] for row in aided["skills"]] == [1, 4, 1]
    assert (aided["sequela_pending"], aided["cardiac_arrest"]) == (False, False)
    after = aided["state"]
    assert (after["position"], after["condition"], after["prone"]) == (6, "none", True)
    assert (after["treated"], after["days_to_live"], aided["in_peril"]) == (True, None, True)

    # Rest does nothing on the black box, and first aid is for new wounds only.
    patient = {"life_line": LINE, "state": after}
    rested = story.tell("healing", method="natural", patient=patient, hours=24)
    assert (rested["boxes"], rested["hours_left"]) == (0, 24)
    again: dict[str, Any] = {"method": "first_aid", "healer": {"skill": 3}, "patient": patient}
    assert story.refused("healing", **again) == "already-treated"
    return dict(after)


def theft(story: Story) -> None:
    """A thief runs by: who saw it coming runs after."""
    stolen = story.tell(
        "incident",
        [5, 1, 1, 5, 5, 1, 1],
        kind="snatch",
        thief={"skill": 2},
        characters=[{"skill": 1}, {"skill": 4}],
    )
    assert story.chance("characters.0.can_chase", True) == Fraction(5, 27)
    assert story.chance("characters.1.can_chase", True) == Fraction(775, 972)
    assert story.chance("nobody_can_chase", True) == Fraction(1709, 8748)
    assert (stolen["goods_lost"], stolen["thief"]["successes"]) == (1, 1)
    assert [row["can_chase"] for row in stolen["characters"]] == [False, True]
    assert stolen["pursuers"] == [1]
    thief = {"skill": 3}
    late = [{"id": "Nym", "skill": 3, "eligible": False}]
    assert story.refused("chase", thief=thief, pursuers=late) == "surprised-pursuer"
    chased = story.tell(
        "chase", [5, 1, 2, 1, 5, 3], thief=thief, pursuers=[{"id": "Oro", "skill": 3}]
    )
    assert story.chance("caught", True) == Fraction(4793, 7776)
    assert (chased["caught"], chased["caught_by"]) == (True, ["Oro"])
    assert (chased["loot_recovered"], chased["state"]["status"]) == (True, "caught")
    assert chased["pursuers"][0]["decided_by"] == "initiator"
    over: dict[str, Any] = {"state": chased["state"], "thief": thief, "pursuers": [{"skill": 3}]}
    assert story.refused("chase", **over) == "chase-over"


def walk(story: Story, state: dict[str, Any]) -> None:
    """Home through a dangerous quarter, one of them barely standing."""
    assert state["position"] == 6
    home = story.tell(
        "incident",
        [6, 1, 5, 5, 1],
        kind="check",
        members=[{"skill": 2, "box": "black"}, {"skill": 3}],
        approach="Décourager les individus malintentionnés",
        danger=1,
        hours_present=25,
        frequency_hours=6,
    )
    assert story.chance("incident", True) == Fraction(329, 486)
    assert [row["successes"] for row in home["members"]] == [1, 2]
    assert (home["successes"], home["threshold"], home["missing"]) == (3, 3, 0)
    assert (home["incident"], home["checks_due"]) == (False, 4)
    assert home["incident_kind"] is None


def spend(story: Story) -> None:
    """The adventure is over: three points, and the one kept."""
    earned = story.tell("advancement", kind="award", experience=1, award=3)
    assert earned["experience_left"] == 4
    raises = [
        {"skill_name": "perception", "from": 1, "to": 2},
        {"skill_name": "stealth", "from": 1, "to": 2},
    ]
    spent = story.tell("advancement", experience=earned["experience_left"], raises=raises)
    assert (spent["cost"], spent["costs"], spent["affordable"]) == (4, [2, 2], True)
    assert spent["experience_left"] == 0
    assert [row["skill"] for row in spent["skills"]] == [2, 2]
    dear = story.tell("advancement", experience=0, raises=raises)
    assert (dear["affordable"], dear["experience_left"], dear["skills"]) == (False, 0, None)


def test_a_blow_without_the_screen_says_what_to_look_up(client: TestClient) -> None:
    story = Story(client, "kadath")
    hurt = story.tell("damage", [2], life_line=LINE, state={"position": 6}, hits=[1])
    assert hurt["peril_rolls"] == [{"face": 2, "row": None}]
    assert (
        story.texts[-1]
        == "En péril\u00a0: le dé donne 2, à lire sur l\N{RIGHT SINGLE QUOTATION MARK}écran."
    )
    fate = story.tell("screen-table", [5], table="show_must_go_on")
    assert (fate["face"], fate["row"]) == (5, None)
    assert (
        story.last["summary"]
        == "The show must go on\u00a0: 5, à lire sur l\N{RIGHT SINGLE QUOTATION MARK}écran."
    )
    missing: dict[str, Any] = {
        "attacker": {"skill": 1, "weapon": {"class": "war"}},
        "defender": {"skill": 1},
    }
    assert story.refused("attack", **missing) == "damage-source-missing"
    holes = [{"from": 1, "to": 5, "label": "x"}]
    assert story.refused("screen-table", table="peril", rows=holes) == "table-coverage"
    assert story.refused("damage", life_line={"light_gray": 21, "dark_gray": 0}, hits=[1]) == (
        "invalid"
    )
