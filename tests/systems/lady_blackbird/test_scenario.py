"""A heist, from the plan to the evening after: every number of it, over HTTP."""

from fractions import Fraction

from starlette.testclient import TestClient

from story import Story


def test_a_heist(client: TestClient) -> None:
    story = Story(client, "lady-blackbird")

    # Kale picks the lock of the cargo hold, helped by Naomi and Snargle.
    lock = {
        "name": "Kale",
        "difficulty": 4,
        "trait": True,
        "tags": 1,
        "pool_dice": 2,
        "helpers": [{"name": "Naomi", "pool": 7}, {"name": "Snargle", "pool": 1}],
        "state": {"pool": 5},
    }
    failed = story.tell("roll", [4, 1, 2, 6, 3, 1, 5], **lock)
    assert story.chance("success", True) == Fraction(64, 128)
    assert (failed["dice_rolled"], failed["successes"], failed["margin"]) == (7, 3, -1)
    assert (failed["success"], failed["retry"], failed["condition_possible"]) == (False, True, True)
    assert (failed["pool_spent"], failed["pool_gained"], failed["dice_lost"]) == (0, 1, 0)
    assert failed["state"] == {"pool": 6}
    assert failed["helpers"] == [
        {"name": "Naomi", "pool": 7, "die_returned": True},
        {"name": "Snargle", "pool": 1, "die_returned": True},
    ]
    assert story.last["summary"] == "Échec\u00a0: 3 succès pour 4\u00a0; réserve\u00a0: 6 dés."

    # The GM makes Kale hunted, and the guards come closer.
    hunted = story.tell("condition", condition="hunted", cause="failed_test")
    assert hunted["state"] == {"conditions": ["hunted"], "death_is_final": False}

    # A second attempt, with the die just won; one cannot help oneself.
    assert story.refused("roll", **{**lock, "helpers": [{"name": "KALE"}]}) == "helper-is-actor"
    opened = story.tell(
        "roll",
        [4, 4, 1, 2, 5, 3, 6, 1, 4, 2, 3],
        **{**lock, "pool_dice": 6, "state": failed["state"]},
    )
    assert story.chance("success", True) == Fraction(1816, 2048)
    assert (opened["dice_rolled"], opened["successes"], opened["margin"]) == (11, 5, 1)
    assert (opened["pool_spent"], opened["state"]) == (6, {"pool": 0})
    assert [helper["pool"] for helper in opened["helpers"]] == [6, 0]
    assert story.refused("help", stage="offer", helpers=[{"name": "Snargle", "pool": 0}]) == (
        "helper-pool-empty"
    )

    # The key of greed drags Kale into the vault while the alarm rings: both dice, then XP.
    greed = {"key": "Clé de l'avidité", "danger": True}
    sheet = {"pool": opened["state"]["pool"], "xp": 3, "keys": [greed["key"]]}
    dice = story.tell("key", **greed, reward="dice", state=sheet)
    assert (dice["dice_gained"], dice["dice_lost"], dice["xp_gained"]) == (2, 0, 0)
    assert dice["state"]["pool"] == 2
    xp = story.tell("key", **greed, reward="xp", state=dice["state"])
    assert (xp["xp_gained"], xp["advances_gained"]) == (2, 1)
    assert (xp["state"]["xp"], xp["state"]["advances"]) == (0, 1)
    assert story.texts[-1] == "5 XP\u00a0: 1 augmentation, reste 0."

    # The five XP are spent in the middle of the escape: a trait at once.
    assert story.refused(
        "advancement",
        purchases=[{"kind": "tag", "trait": "Cambrioleur", "name": "Serrures"}],
        state={"advances": 1},
    ) == ("trait-unknown")
    learned = story.tell(
        "advancement",
        purchases=[{"kind": "trait", "name": "Cambrioleur", "basis": "learned"}],
        state={"xp": xp["state"]["xp"], "advances": xp["state"]["advances"]},
    )
    assert (learned["advances_spent"], learned["state"]["advances"]) == (1, 0)
    assert learned["state"]["traits"] == [{"name": "Cambrioleur", "tags": []}]

    # In the evening, with Naomi: the pool is full again and nobody hunts Kale any more.
    evening = story.tell(
        "healing",
        partner="Naomi",
        benefit="remove_condition",
        condition="hunted",
        state={"pool": xp["state"]["pool"], "conditions": hunted["state"]["conditions"]},
    )
    assert (evening["dice_gained"], evening["removed_condition"]) == (5, "hunted")
    assert evening["state"]["pool"] == 7
    assert evening["state"]["conditions"] == []

    # Kale gives the key up: two advances, and it never comes back.
    given_up = story.tell("key", action="buyback", key=greed["key"], state=xp["state"])
    assert (given_up["advances_gained"], given_up["state"]["advances"]) == (2, 3)
    assert given_up["state"]["keys"] == []
    assert story.refused(
        "advancement",
        purchases=[{"kind": "key", "name": "clé de l'avidité"}],
        state={"advances": 3, "former_keys": given_up["state"]["former_keys"]},
    ) == ("key-former")


def test_the_same_heist_in_chat(client: TestClient) -> None:
    said = client.post(
        "/v1/lady-blackbird/chat",
        json={"line": "LB4,t1,+2/5,@Naomi:7,@Snargle:1 # la serrure", "seed": "heist"},
    )
    assert said.status_code == 200, said.text
    asked = said.json()["request"]
    same = client.post("/v1/lady-blackbird/roll", json={"request": asked, "seed": "heist"})
    assert same.json()["outcome"] == said.json()["outcome"]
    assert asked["difficulty"] == 4
    assert [helper["pool"] for helper in asked["helpers"]] == [7, 1]
