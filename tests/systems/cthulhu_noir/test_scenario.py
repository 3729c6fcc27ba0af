"""An inquiry that costs sanity and blood: every number of it, over HTTP."""

from fractions import Fraction

from starlette.testclient import TestClient

from story import Story


def gauges(insanity: int, wound: int, *, unlocked: bool = False) -> dict[str, object]:
    return {"insanity": insanity, "wound": wound, "suppression_unlocked": unlocked}


def test_an_inquiry(client: TestClient) -> None:
    story = Story(client, "cthulhu-noir")
    the_library(story)
    the_race(story)
    the_knife(story)


def the_library(story: Story) -> None:
    # A library: the librarian opposes, Ada stakes her sanity and fails, but not unharmed.
    stack = {"name": "Ada", "insanity_die": True, "failure_die": True, "state": gauges(3, 1)}
    first = story.tell("roll", [2, 4, 5, 6], **stack)
    assert story.chance("insanity_roll.increased", None) == Fraction(21, 36)
    assert story.chance("success", True) == Fraction(161, 216)
    assert (first["quality"], first["failure_face"], first["margin"]) == (4, 5, -1)
    assert (first["success"], first["attempt"], first["can_reroll"]) == (False, 1, True)
    assert first["highest"] == ["insanity"]
    assert first["insanity_roll"] == {"face": 6, "before": 3, "after": 4, "increased": True}
    assert first["state"] == gauges(4, 1)
    assert first["cues"] == ["play_terror"]

    # She insists: a reroll needs a risk, the failure die stands.
    previous = {"quality": first["quality"], "failure_face": first["failure_face"]}
    assert story.refused("reroll", previous=previous) == "reroll-without-risk"
    second = story.tell(
        "reroll", [1, 3, 5], insanity_die=True, state=first["state"], previous=previous
    )
    assert story.chance("success", True) == Fraction(5, 9)
    assert (second["quality"], second["success"], second["margin"]) == (3, False, -2)
    assert (second["improved"], second["not_worse"], second["attempt"]) == (False, False, 2)
    assert second["state"] == gauges(5, 1, unlocked=True)
    assert second["cues"] == ["play_terror", "suppression_available"]
    third = story.tell(
        "reroll",
        [5, 5, 2],
        insanity_die=True,
        wound_die=True,
        state=second["state"],
        previous={"quality": 3, "attempt": 2, "failure_face": 5},
    )
    assert (third["quality"], third["success"], third["margin"]) == (5, True, 0)
    assert (third["insanity_roll"], third["wound_roll"]) == (None, None)
    assert (third["improved"], third["attempt"]) == (True, 3)
    assert third["reroll_with"] == ["insanity", "wound"]

    # The book must burn: one act fails, one brings Insanity down.
    kept = {"insanity": 5, "suppression_unlocked": True}
    same = story.tell("suppress", [5], means="burn_books", state=kept)
    assert (same["reduced"], same["state"]["insanity"]) == (False, 5)
    calmer = story.tell("suppress", [4], means="burn_books", state=same["state"])
    assert story.chance("reduced", True) == Fraction(4, 6)
    assert (calmer["reduced"], calmer["state"]) == (True, {**kept, "insanity": 4})


def the_race(story: Story) -> None:
    # To the door against a cultist, tied twice.
    race = {
        "mode": "competition",
        "sides": [
            {"name": "Ada", "wound_die": True, "wound_damage": 2, "state": gauges(4, 1)},
            {"name": "Cultist", "professional_die": True, "entity": True},
        ],
    }
    won = story.tell("opposition", [5, 6, 6, 5, 4, 4, 4, 4, 2, 6, 6, 1, 5], **race)
    assert story.chance("winner", "a") == Fraction(1, 2)
    assert (won["winner"], won["rerolls"], won["tied"]) == ("a", 2, [])
    assert (won["decided_at"], won["decided_by"]) == (2, "die")
    ada, cultist = won["sides"]
    assert ada["wound_roll"] == {
        "face": 5,
        "before": 1,
        "damage": 2,
        "after": 3,
        "increased": True,
    }
    assert (ada["state"], ada["cues"]) == (gauges(4, 3), ["play_injury"])
    assert (cultist["quality"], cultist["state"], cultist["cues"]) == (6, None, [])
    assert [draw["tag"] for draw in story.last["draws"]][:4] == [
        "a.human",
        "a.wound",
        "b.human",
        "b.professional",
    ]


def the_knife(story: Story) -> None:
    # The cultist has one.
    knife = story.tell("damage", [4], attack="knife", state={"wound": 3})
    assert story.chance("dead", True) == 0
    assert (knife["wounded"], knife["damage"], knife["damage_applied"]) == (True, 2, 2)
    assert (knife["state"]["wound"], knife["dead"]) == (5, False)

    # First aid, together; then the knife again, and Ada is taken for dead.
    help_ = story.tell("cooperation", [2, 6], participants=[{"name": "Bo"}, {"name": "Cy"}])
    assert (help_["quality"], help_["best"], help_["success"]) == (6, [2], True)
    aid = story.tell("healing", method="first_aid", state={"wound": 5})
    assert (aid["healed"], aid["state"]["wound"]) == (1, 4)
    last = story.tell("damage", [6], attack="heavy", damage=3, state={"wound": 4})
    assert (last["damage_applied"], last["dead"]) == (2, True)
    assert last["cues"] == ["play_injury", "dead_or_presumed"]
    assert story.refused("healing", method="night", state={"wound": 6}) == "dead"
    assert story.refused("roll", state=gauges(4, 6, unlocked=True)) == "dead"

    # Weeks later somebody knocks at the door.
    back = {"method": "return", "wound_on_return": 4, "state": {"wound": 6}}
    assert story.refused("healing", **back) == "not-presumed"
    returned = story.tell("healing", presumed_dead=True, **back)
    assert (returned["healed"], returned["state"]["wound"]) == (2, 4)
    assert story.last["summary"] == "Retour, avec une Blessure de 4."


def test_hand_dice_that_do_not_fit_name_what_is_missing(client: TestClient) -> None:
    story = Story(client, "cthulhu-noir")
    assert story.refused("roll", [2, 5], insanity_die=True) == "dice-missing"
    assert story.refused("roll", [5, 2, 4], insanity_die=True) == "dice-left"
    assert story.refused("roll", [5, 7], insanity_die=True) == "dice-face"


def test_a_race_in_chat(client: TestClient) -> None:
    said = client.post("/v1/cthulhu-noir/chat", json={"line": "CNcontre,hp/hf2", "seed": "race"})
    assert said.status_code == 200, said.text
    asked = said.json()["request"]
    same = client.post("/v1/cthulhu-noir/opposition", json={"request": asked, "seed": "race"})
    assert same.json()["outcome"] == said.json()["outcome"]
    assert len(asked["sides"]) == 2
