"""An ambush, a flight over the roofs, a strongbox and a night's care, over HTTP."""

from fractions import Fraction
from typing import Any

from starlette.testclient import TestClient

from story import Story


def _sword(**more: Any) -> dict[str, Any]:
    return {"weapon": {"family": "long_blades", "reach": 2}, **more}


def test_a_night_in_the_guild(client: TestClient) -> None:
    story = Story(client, "night-prowler")
    wounded = _alley(story)
    _roofs(story)
    _strongbox(story)
    _care(story, wounded)


def _alley(story: Story) -> dict[str, Any]:
    # Sorn waits in the dark of the alley; the guard hears nothing.
    hidden = story.tell(
        "opposition",
        [10, 6],
        sides=[
            {"name": "Sorn", "skill_name": "stealth", "skill": 13},
            {"name": "Garde", "skill_name": "perception", "skill": 11},
        ],
    )
    assert story.chance("winner", "a") == Fraction(176, 400)
    assert (hidden["winner"], hidden["margin"]) == ("a", 1)
    assert story.last["summary"] == "Victoire du camp a, écart 1."

    # First exchange: the guard is caught, moves, and is cut deep.
    sorn = _sword(name="Sorn", option="offensive", skill=13, heroism=6)
    guard = _sword(name="Garde", option="offensive", skill=10, armor="padded", heroism=2)
    first = story.tell("attack", [10, 9], a=sorn, b=[{**guard, "stay_conscious": True}], ambush="a")
    pair = first["pairs"][0]
    assert (pair["winner"], pair["margin"], pair["hit"], pair["damage_quality"]) == (
        "a",
        2,
        True,
        3,
    )
    assert (pair["row"], first["a"]["comparison_quality"]) == ("serious", 4)
    struck = first["b"][0]
    assert (struck["option"], struck["forced_option"]) == ("movement", "movement")
    assert (struck["comparison_quality"], struck["heroism_left"]) == (2, 2)
    assert struck["health"]["vitality"]["serious"] == 1

    # Second exchange: Sorn feints, the wounded guard defends and turns the blow.
    foil = {"weapon": {"family": "thrusting", "reach": 2}}
    assert (
        story.refused("attack", a={**sorn, "option": "feint"}, b=[guard])
        == "technique-needs-family"
    )
    second = story.tell(
        "attack",
        [6, 10],
        a={**sorn, **foil, "option": "feint", "skill": 15},
        b=[{**guard, "option": "defensive", "skill": 14, "health": struck["health"]}],
    )
    pair = second["pairs"][0]
    assert (second["a"]["test"]["threshold"], second["b"][0]["test"]["threshold"]) == (13, 11)
    assert (second["a"]["comparison_quality"], second["a"]["damage_quality"]) == (3, 2)
    assert (pair["tie"], pair["winner"], pair["hit"], pair["damage_quality"]) == (
        True,
        "a",
        True,
        1 - 1 - 3,
    )
    assert (second["a"]["heroism_left"], pair["wounds"]) == (5, [])

    # Third exchange: an all-round blow that knocks the guard down for good.
    third = story.tell(
        "attack",
        [13, 16],
        a={
            **sorn,
            "heroism": second["a"]["heroism_left"],
            "weapon": {"family": "maces", "reach": 2},
            "option": "stun",
            "skill": 14,
            "invested": 2,
        },
        b=[{**guard, "health": struck["health"], "heroism": 1, "stay_conscious": True}],
    )
    pair = third["pairs"][0]
    assert (third["b"][0]["test"]["threshold"], third["b"][0]["test"]["quality"]) == (7, -2)
    assert (pair["winner"], pair["margin"], pair["damage_quality"]) == ("a", 6, 3)
    assert (pair["effects"], pair["row"]) == (["knockout"], "ko")
    assert (third["a"]["heroism_left"], third["b"][0]["heroism_left"]) == (3, 0)
    assert third["b"][0]["states"]["unconscious"] is False
    assert third["b"][0]["health"]["endurance"]["ko"] == 1

    health: dict[str, Any] = struck["health"]
    return health


def _roofs(story: Story) -> None:
    # The watch arrives: a chase over the roofs.
    state: dict[str, Any] = {
        "participants": [
            {"id": "Sorn", "role": "fugitive", "head_start": "small", "heroism": 3},
            {"id": "Milice", "role": "pursuer", "heroism": 3},
        ]
    }
    leap = story.tell(
        "chase",
        [9, 6],
        state=state,
        choices=[
            {"id": "Sorn", "option": "leap", "skill": 12},
            {"id": "Milice", "option": "dash", "skill": 12},
        ],
    )
    assert [one["gain"] for one in leap["results"]] == [6, 2]
    assert [one["accumulated"] for one in leap["results"]] == [6, 2]
    assert (leap["results"][0]["goal"], leap["results"][0]["overrun"]) == (12, -6)
    assert (leap["results"][0]["heroism_left"], leap["over"]) == (2, False)
    early = [
        {"id": "Sorn", "option": "masquerade", "skill": 10},
        {"id": "Milice", "option": "dash", "skill": 12},
    ]
    assert story.refused("chase", state=leap["state"], choices=early) == "masquerade-needs-8"
    run = story.tell(
        "chase",
        [7, 11, 4, 15],
        state=leap["state"],
        choices=[
            {"id": "Sorn", "option": "weave", "skill": 12, "avoid_skill": 13},
            {"id": "Milice", "option": "dash", "skill": 12, "stop_thief": 2},
        ],
    )
    assert [one["gain"] for one in run["results"]] == [0, 0]
    assert run["results"][0]["interceptions"] == 1
    assert run["results"][1]["test"]["threshold"] == 9
    assert run["results"][1]["heroism_left"] == 1
    again = story.tell(
        "chase",
        [8, 18],
        state=run["state"],
        choices=[
            {"id": "Sorn", "option": "hide", "skill": 13},
            {"id": "Milice", "option": "spot", "skill": 12},
        ],
    )
    assert [one["accumulated"] for one in again["results"]] == [8, 2]
    assert (again["state"]["round"], again["state"]["participants"][0]["accumulated"]) == (3, 8)

    # Among the washing on the lines Sorn takes a sheet for a disguise; it holds.
    away = story.tell("chase", [9, 5], state=again["state"], choices=early)
    assert story.chance("results.0.status", "escaped") == Fraction(10, 20)
    assert (away["over"], away["winner_role"], away["reset"]) == (True, "fugitive", False)
    assert [one["status"] for one in away["results"]] == ["escaped", "lost"]
    assert away["results"][0]["heroism_left"] == 0
    assert story.last["summary"] == "Course terminée\u00a0: la fuite réussit."
    assert story.refused("chase", state=away["state"], choices=early) == "chase-over"


def _strongbox(story: Story) -> None:
    # The strongbox at dawn: six rolls to gather twelve qualities.
    box = {"preset": "tier3", "participants": [{"skill": 14, "burglary": "safe", "modifier": 4}]}
    contract = story.tell("contract", [13], **box)
    assert (contract["gained"], contract["remaining"], contract["rolls_left"]) == (4, 8, 5)
    assert contract["rolls"][0]["threshold"] == 13
    assert contract["rolls"][0]["critical"] == "success"
    for faces, accumulated, status in (
        ([10], 7, "ongoing"),
        ([18], 6, "ongoing"),
        ([12], 9, "ongoing"),
        ([11], 12, "fulfilled"),
    ):
        contract = story.tell("contract", faces, **{**box, "state": contract["state"]})
        assert (contract["state"]["accumulated"], contract["status"]) == (accumulated, status)
    assert (contract["state"]["rolls_made"], contract["state"]["failures"]) == (5, 1)
    assert story.refused("contract", **{**box, "state": contract["state"]}) == "contract-closed"


def _care(story: Story, wounded: dict[str, Any]) -> None:
    # A night's care for the guard, first the bleeding, then the wound.
    wounded = {**wounded, "bleeding": 1}
    aid = story.tell("healing", [4], method="first_aid", care={"skill": 9}, health=wounded)
    assert (aid["stabilized"], aid["health"]["bleeding"]) == (True, 0)
    assert (
        story.refused(
            "healing", method="vitality_recovery", row="mortal", care={"skill": 16}, health=wounded
        )
        == "row-not-wounded"
    )
    healed = story.tell(
        "healing",
        [7],
        method="vitality_recovery",
        row="serious",
        care={"skill": 10},
        heroism_points=1,
        heroism=1,
        health=aid["health"],
    )
    assert story.chance("hours", 12) == Fraction(7, 20)
    assert (healed["hours"], healed["row_cleared"], healed["heroism_left"]) == (12, ["serious"], 0)
    assert healed["health"]["vitality"]["serious"] == 0

    # Sorn sleeps, and the pool comes back by a quarter.
    rest = story.tell("heroism", event="rest", heroism=0, heroism_max=9, hours=8)
    assert (rest["heroism"], rest["delta"], rest["capped"]) == (2, 2, False)


def test_how_the_chase_may_end_is_told_beforehand(client: TestClient) -> None:
    request = {
        "state": {
            "participants": [
                {"id": "Sorn", "role": "fugitive"},
                {"id": "Milice", "role": "pursuer", "head_start": "small"},
            ]
        },
        "choices": [
            {"id": "Sorn", "option": "dash", "skill": 14},
            {"id": "Milice", "option": "dash", "skill": 11},
        ],
    }
    answer = client.post(
        "/v1/night-prowler/chase/odds", json={"request": request, "options": {"rounds": 30}}
    )
    assert answer.status_code == 200, answer.text
    course = answer.json()["aid"]
    chances = {row["fugitives"][0]: Fraction(row["p"]["p"]) for row in course["endings"]}
    assert sum(chances.values()) + Fraction(course["remaining"]["p"]) == 1
    by_round = sum(
        (Fraction(row["p"]["p"]) for one in course["rounds"] for row in one["endings"]),
        Fraction(0),
    )
    assert by_round == sum(chances.values())
    assert len(course["rounds"]) == 30


def test_a_line_of_chat_is_the_same_roll(client: TestClient) -> None:
    said = client.post(
        "/v1/night-prowler/chat", json={"line": "/np opp 13 / 11 -2 # la ruelle", "seed": "alley"}
    )
    assert said.status_code == 200, said.text
    asked = said.json()["request"]
    same = client.post("/v1/night-prowler/opposition", json={"request": asked, "seed": "alley"})
    assert same.json()["outcome"] == said.json()["outcome"]
