"""The numbers in the steps recompute the outcome: who reads them needs nothing else."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arbitre.dice import Draw, HandFaces, Note, SeededFaces, caller_seed
from arbitre.rules.model import Frozen
from arbitre.rules.play import Play, play
from arbitre.systems.kadath import SYSTEM
from arbitre.systems.kadath.block import KadathTest
from arbitre.systems.kadath.tables import worth
from arbitre.systems.kadath.versus import judge
from arbitre.testing import load_examples

EXAMPLES = [example for example in load_examples(SYSTEM) if example.refused is None]

TEST_KEYS = {"helper", "hinderer", "help", "hindrance", "point", "count", "circumstance", "net"}

MORE: list[tuple[str, dict[str, Any], list[int]]] = [
    (
        "roll",
        {"skill": 2, "prime": "caution", "penalty": "risk", "free_primes": ["efficiency"]},
        [1, 5],
    ),
    (
        "roll",
        {"skill": 1, "prime": "acceleration", "penalty": "slowdown", "opponent_acts_after": True},
        [5],
    ),
    (
        "opposition",
        {
            "a": {"skill": 1, "prime": "efficiency", "penalty": "risk"},
            "b": {"skill": 1, "prime": "caution", "penalty": "risk"},
            "initiator": "both",
        },
        [1, 6],
    ),
    (
        "final-blow",
        {
            "attacker": {"skill": 1, "unfavorable": 1, "prime": "caution", "penalty": "risk"},
            "target": {"actor_type": "extra", "condition": "coma"},
        },
        [2],
    ),
    (
        "damage",
        {
            "life_line": {"light_gray": 0, "dark_gray": 0},
            "state": {"position": 1, "prone": True},
            "hits": [1, 1, 1, 1, 1],
            "peril_table": [
                {"from": 1, "to": 1, "label": "a", "prone": True},
                {"from": 2, "to": 2, "label": "b", "condition": "unconscious"},
                {"from": 3, "to": 3, "label": "c", "condition": "trauma"},
                {"from": 4, "to": 4, "label": "d", "condition": "coma"},
                {"from": 5, "to": 6, "label": "e", "condition": "dead"},
            ],
        },
        [1, 3, 2, 4, 6, 5],
    ),
    (
        "healing",
        {
            "method": "first_aid",
            "healer": {"skill": 1},
            "patient": {
                "life_line": {"light_gray": 1, "dark_gray": 0},
                "state": {"condition": "unconscious", "peril_effects": ["x"]},
            },
        },
        [6],
    ),
    (
        "healing",
        {
            "method": "wake",
            "patient": {
                "life_line": {"light_gray": 1, "dark_gray": 0},
                "state": {"condition": "unconscious"},
            },
        },
        [],
    ),
    (
        "hazard",
        {
            "kind": "fire",
            "size": "blaze",
            "rounds": 2,
            "target": {
                "actor_type": "champion",
                "life_line": {"light_gray": 1, "dark_gray": 1},
            },
        },
        [4],
    ),
    ("incident", {"kind": "crusade", "ambushers": {"skill": 1}, "characters": [{"skill": 0}]}, [6]),
    (
        "incident",
        {"kind": "crusade", "ambushers": {"skill": 0}, "characters": [{"skill": 1}], "down": 1},
        [6],
    ),
    ("incident", {"kind": "snatch", "thief": {"skill": 1}, "characters": [{"skill": 0}]}, [6]),
    (
        "incident",
        {"kind": "harassment", "harassers": {"skill": 0}, "characters": [{"skill": 1}]},
        [1],
    ),
    ("incident", {"kind": "pickpocket", "thief": {"skill": 0}, "victim": {"skill": 1}}, [1]),
    (
        "opposition",
        {
            "a": {"skill": 1},
            "b": {"skill": 1, "prime": "caution", "penalty": "risk"},
            "initiator": "b",
        },
        [6, 1],
    ),
    *(
        (
            "damage",
            {
                "life_line": {"light_gray": 0, "dark_gray": 0},
                "state": {"position": 1},
                "hits": [1],
                "peril_table": [
                    {"from": 1, "to": 3, "label": "a", "condition": "trauma"},
                    {"from": 4, "to": 6, "label": "b", "condition": "coma"},
                ],
            },
            faces,
        )
        for faces in ([1], [6, 3])
    ),
    (
        "damage",
        {
            "life_line": {"light_gray": 0, "dark_gray": 0},
            "state": {"condition": "coma", "treated": True},
            "hits": [0, 1],
        },
        [2],
    ),
    ("myth", {"myth": 4, "hours_present": 13, "frequency_hours": 6.5}, [4, 3]),
]


def played(resolver: str, request: dict[str, Any], faces: list[int]) -> Play[Any]:
    found = SYSTEM.by_id[resolver]
    return play(found, found.request.model_validate_json(json.dumps(request)), HandFaces(faces))


def all_plays() -> Iterator[tuple[str, dict[str, Any], Play[Any]]]:
    for example in EXAMPLES:
        yield (
            example.resolver,
            example.request,
            played(example.resolver, example.request, list(example.faces)),
        )
        found = SYSTEM.by_id[example.resolver]
        request = found.request.model_validate_json(json.dumps(example.request))
        for seed in "ab":
            stream = SeededFaces(caller_seed(seed))
            yield example.resolver, example.request, play(found, request, stream)
    for resolver, request, faces in MORE:
        yield resolver, request, played(resolver, request, faces)


PLAYS = list(all_plays())
NAMES = [f"{resolver} {number}" for number, (resolver, _, _) in enumerate(PLAYS)]


def blocks_in(value: Any) -> Iterator[KadathTest]:
    """Return the tests of an outcome, in the order they were rolled."""
    if isinstance(value, KadathTest):
        yield value
    elif isinstance(value, Frozen):
        for _, inner in value:
            yield from blocks_in(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from blocks_in(inner)


class Retold:
    """One test, told again from its steps and its draws."""

    def __init__(self, skill: int, draws: list[Draw]) -> None:
        faces = list(draws.pop(0).faces) if skill else []
        self.skill, self.faces = skill, faces
        self.assists: dict[str, list[tuple[int, int, int]]] = {"helper": [], "hinderer": []}
        self.on_dice = sum(map(worth, faces))
        self.terms: list[tuple[str, int, int]] = []
        self.points = {"help": (0, 0), "hindrance": (0, 0)}
        self.assisting = ""
        self.assist_dice = 0
        self.successes = -1

    def hear(self, note: Note, draws: list[Draw]) -> None:
        values: dict[str, Any] = note.values
        match note.key:
            case "helper" | "hinderer":
                self.assisting, self.terms = note.key, []
                rolled = draws.pop(0).faces if values["skill"] else ()
                self.assist_dice = sum(map(worth, rolled))
            case "help" | "hindrance":
                self.points[note.key] = (values["points"], values["spent"])
            case "point":
                assert self.faces[values["die"] - 1] == values["before"]
                assert abs(values["after"] - values["before"]) == 1
                self.faces[values["die"] - 1] = values["after"]
            case "count":
                assert values["fives"] == self.faces.count(5)
                assert values["sixes"] == self.faces.count(6)
                assert values["dice"] == values["fives"] + 2 * values["sixes"]
                self.on_dice = values["dice"]
            case "circumstance":
                self.terms.append((values["source"], values["favorable"], values["unfavorable"]))
            case _:
                self.net(values)

    def net(self, values: dict[str, Any]) -> None:
        modifier = sum(favorable - unfavorable for _, favorable, unfavorable in self.terms)
        on_dice = self.assist_dice if self.assisting else self.on_dice
        assert values == {
            "dice": on_dice,
            "modifier": modifier,
            "successes": max(0, on_dice + modifier),
        }
        if self.assisting:
            told = (on_dice, modifier, values["successes"])
            self.assists[self.assisting].append(told)
            self.assisting, self.terms = "", []
        else:
            self.successes = values["successes"]

    def matches(self, test: KadathTest) -> None:
        assert self.skill == test.skill
        assert tuple(self.faces) == test.adjusted_faces
        assert self.on_dice == test.dice_successes
        assert self.successes == test.successes
        assert self.points["help"] == (test.help_points, test.help_spent)
        assert self.points["hindrance"] == (test.hindrance_points, test.hindrance_spent)
        assert self.terms == [(c.source, c.favorable, c.unfavorable) for c in test.circumstances]
        for told, shown in (
            (self.assists["helper"], test.helpers),
            (self.assists["hinderer"], test.hinderers),
        ):
            assert told == [(a.dice_successes, a.modifier, a.successes) for a in shown]
        for given, assists in (
            (test.help_points, test.helpers),
            (test.hindrance_points, test.hinderers),
        ):
            assert given == sum(assist.successes for assist in assists)


@pytest.mark.parametrize(("resolver", "request_", "game"), PLAYS, ids=NAMES)
def test_the_steps_of_a_test_recompute_it(
    resolver: str, request_: dict[str, Any], game: Play[Any]
) -> None:
    del resolver, request_
    retold: list[Retold] = []
    draws = [draw for draw in game.draws if draw.tag not in {"peril", "days", "incident"}]
    for note in game.notes:
        if note.key == "pool":
            retold.append(Retold(note.values["skill"], draws))  # type: ignore[arg-type]
        elif note.key in TEST_KEYS:
            retold[-1].hear(note, draws)
    tests = list(blocks_in(game.outcome))
    assert len(tests) == len(retold)
    for told, test in zip(retold, tests, strict=True):
        told.matches(test)


@pytest.mark.parametrize(("resolver", "request_", "game"), PLAYS, ids=NAMES)
def test_the_steps_of_an_opposition_name_its_winner(
    resolver: str, request_: dict[str, Any], game: Play[Any]
) -> None:
    del resolver, request_
    for note in game.notes:
        if note.key in {"successes", "skill", "initiator", "draw"}:
            v: dict[str, Any] = note.values
            rule, verdict = judge(v["a"], v["skill_a"], v["b"], v["skill_b"], v["initiator"])
            assert (note.rule, note.key) == (rule, verdict.decided_by)
            assert (v["winner"], v["margin"]) == (verdict.winner, verdict.margin)


Check = Callable[[dict[str, Any]], bool]

SUMS: dict[str, Check] = {
    "counter": lambda v: v["after"] > v["before"],
    "surprise": lambda v: 0 <= v["count"] <= v["targets"],
    "shortfall": lambda v: v["short"] == v["required"] - v["muscles"] > 0,
    "throw": lambda v: v["range"] == 5 + v["muscles"],
    "raw_damage": lambda v: v["raw"] == v["base"] + v["weapon"] + v["boons"],
    "raw_total": lambda v: v["raw"] == v["base"] + v["boons"],
    "pierced": lambda v: v["after"] == max(0, v["before"] + v["pierced"]),
    "extract_checks": lambda v: v["due"] == v["hours"] // v["frequency"],
    "damage": lambda v: v["damage"] == (max(0, v["raw"] - v["protection"]) if v["hit"] else 0),
    "undefended": lambda v: v["hit"] == (v["successes"] >= 1),
    "defense_counters": lambda v: (
        v["caution_after"] == max(0, v["caution"] - 1)
        and v["danger_after"] == max(0, v["danger"] - 1)
    ),
    "blow": lambda v: v["damage"] == max(0, v["hit"] - v["protection"]),
    "box_left": lambda v: v["after"] == v["before"] + 1,
    "box_right": lambda v: v["after"] == v["before"] - 1,
    "final_blow": lambda v: v["dead"] == (v["successes"] >= 1),
    "sequela": lambda v: v["after"] == v["before"] - 1 and v["before"] >= 2,
    "rest": lambda v: v["after"] == v["before"] - 1 and v["hours"] in {1, 24},
    "care": lambda v: v["boxes"] == (2 if v["success"] else 1),
    "fall": lambda v: v["damage"] == v["height"] // 3,
    "fire": lambda v: v["total"] == v["rounds"] * v["damage"],
    "breath": lambda v: v["out"] <= (v["air"] == v["breath"]),
    "check": lambda v: (
        v["threshold"] == v["size"] + v["danger"]
        and v["incident"] == (v["successes"] < v["threshold"])
    ),
    "checks_due": lambda v: v["due"] == v["hours"] // v["frequency"],
    "opponents": lambda v: v["opponents"] == v["pcs"] + v["danger"],
    "punishment": lambda v: v["flee"] == (v["wounded"] >= v["rout"]),
    "crusade": lambda v: v["gone"] == (v["down"] >= v["retreat"]),
    "chase": lambda v: v["caught"] == (v["pursuers"] > 0),
    "extract": lambda v: v["appears"] == (v["face"] >= v["myth"]),
    "award": lambda v: v["after"] == v["before"] + v["award"],
    "raise": lambda v: v["cost"] == sum(range(v["before"] + 1, v["after"] + 1)),
    "spend": lambda v: v["after"] == v["before"] - (v["cost"] if v["affordable"] else 0),
    "spent": lambda v: (
        v["acceleration_after"] == max(0, v["acceleration"] - v["actions"])
        and v["slowdown_after"] == max(0, v["slowdown"] - v["actions"])
    ),
}

SHOWN: dict[str, dict[str, str]] = {
    "quality": {"success": "success", "quality": "quality"},
    "raw_damage": {"raw": "raw_damage"},
    "raw_total": {"raw": "raw_damage"},
    "damage": {"protection": "protection", "damage": "damage", "hit": "hit"},
    "undefended": {"hit": "hit"},
    "defense_counters": {
        "caution_after": "defender_state.caution",
        "danger_after": "defender_state.danger",
    },
    "surprise": {"count": "surprised_count"},
    "throw": {"range": "throw_range"},
    "final_blow": {"dead": "dead"},
    "trauma_round": {"holds": "success", "rounds": "trauma_rounds"},
    "first_aid": {"success": "success", "boxes": "boxes"},
    "rest": {"after": "state.position", "left": "hours_left"},
    "fall": {"damage": "base_damage"},
    "cancelled": {"cancelled": "cancelled", "damage": "damage"},
    "fire": {"damage": "damage_per_round", "total": "damage"},
    "breath": {"air": "air_used", "out": "out_of_air"},
    "asphyxia": {"success": "success", "damage": "damage"},
    "check": {"threshold": "threshold", "successes": "successes", "incident": "incident"},
    "incident_kind": {"face": "incident_face", "kind": "incident_kind"},
    "checks_due": {"due": "checks_due"},
    "pickpocket": {"stolen": "stolen"},
    "snatch": {"goods": "goods_lost"},
    "opponents": {"opponents": "opponents"},
    "shakedown": {"goods": "goods_lost"},
    "harassment": {"impassive": "impassive"},
    "punishment": {"rout": "rout_at", "flee": "all_flee"},
    "crusade": {"retreat": "retreat_at", "gone": "give_up"},
    "chase": {"caught": "caught"},
    "pierced": {"after": "protection"},
    "extract_checks": {"due": "checks"},
    "award": {"after": "experience_left"},
    "spend": {"cost": "cost", "affordable": "affordable", "after": "experience_left"},
    "screen": {"face": "face"},
    "retry_circumstances": {"before": "modifier_before", "now": "modifier_now"},
}


@pytest.mark.parametrize(("resolver", "request_", "game"), PLAYS, ids=NAMES)
def test_the_numbers_of_a_step_add_up_and_are_those_of_the_outcome(
    resolver: str, request_: dict[str, Any], game: Play[Any]
) -> None:
    del resolver, request_
    last = {note.key: note for note in game.notes}
    for note in game.notes:
        if note.key in SUMS:
            assert SUMS[note.key](note.values), note
    for key, paths in SHOWN.items():
        for name, path in paths.items() if key in last else ():
            value: Any = game.outcome
            for step in path.split("."):
                value = getattr(value, step)
            assert last[key].values[name] == value, (key, name)


@pytest.mark.parametrize(("resolver", "request_", "game"), PLAYS, ids=NAMES)
def test_the_boxes_crossed_lead_from_the_state_sent_to_the_state_returned(
    resolver: str, request_: dict[str, Any], game: Play[Any]
) -> None:
    sent, outcome = request_, game.outcome
    if resolver in {"attack", "hazard"}:
        sent, outcome = request_.get("target", {}), outcome.target
    if resolver not in {"attack", "hazard", "damage"} or not sent:
        return
    state = sent.get("state", {})
    gone = state.get("condition", "none") != "none"
    position: int | None = None if gone else state.get("position", 0)
    condition = state.get("condition", "none")
    treated, prone = state.get("treated", False), state.get("prone", False)
    lost, rolled, entered = 0, [], 0
    for note in game.notes:
        v: dict[str, Any] = note.values
        if note.key == "box_left":
            assert position == v["before"]
            position = v["after"]
        elif note.key == "condition":
            assert condition == v["before"]
            condition, position = v["after"], None
        elif note.key == "peril_roll":
            rolled.append(v["face"])
        elif note.key == "treatable":
            treated = False
        if note.key == "peril_row":
            assert v["low"] <= rolled[-1] <= v["high"]
            prone = prone or v["prone"]
        lost += v["lost"] if note.key == "lost" else 0
        entered += note.key == "enters_peril"
    assert (position, condition) == (outcome.state.position, outcome.state.condition)
    assert (treated, prone) == (outcome.state.treated, outcome.state.prone)
    assert lost == sum(event.lost for event in outcome.events)
    assert rolled == [roll.face for roll in outcome.peril_rolls]
    assert entered == sum(event.entered_peril for event in outcome.events)
    days = [note.values["days"] for note in game.notes if note.key == "days"]
    if days and condition == "coma":
        assert days[-1] == outcome.state.days_to_live


def test_the_boxes_recovered_lead_from_one_state_to_the_other() -> None:
    for resolver, request, game in PLAYS:
        if resolver != "healing" or request["method"] not in {"first_aid", "care"}:
            continue
        patients = request.get("patients") or [request["patient"]]
        after = game.outcome.patients or [game.outcome]
        moves = [n.values for n in game.notes if n.key == "box_right"]
        boxes = sum(patient.boxes for patient in after)
        assert boxes == len(moves)
        starts = {patient["state"].get("position") for patient in patients}
        ends = {patient.state.position for patient in after}
        for move in moves:
            assert move["before"] in starts | {other["after"] for other in moves} | {2, 1}
            assert move["after"] in ends | {other["before"] for other in moves}


def test_the_order_of_a_round_is_that_of_its_steps() -> None:
    for resolver, request, game in PLAYS:
        if resolver != "initiative":
            continue
        names = [combatant["id"] for combatant in request["combatants"]]
        told: dict[tuple[int, int], list[str]] = {}
        for note in game.notes:
            if note.key in {"acts", "waits"}:
                v: dict[str, Any] = note.values
                slot = told.setdefault((v["pass_number"], v["slot"]), [])
                slot.append(names[v["number"] - 1])
        if game.outcome.slots is not None:
            shown = {(1, n): list(s) for n, s in enumerate(game.outcome.slots, 1)}
        else:
            shown = {
                (row.pass_, n): list(slot)
                for row in game.outcome.passes
                for n, slot in enumerate(row.slots, 1)
            }
        assert told == shown


def test_the_counters_told_are_those_left() -> None:
    for resolver, _, game in PLAYS:
        if resolver not in {"roll", "attack", "final-blow", "maneuver"}:
            continue
        outcome = game.outcome
        left = (
            outcome.attacker_state if hasattr(outcome, "attacker_state") else outcome.combat_state
        )
        for note in game.notes:
            if note.key == "counter":
                assert getattr(left, str(note.values["counter"])) == note.values["after"]


def texts(language: str, *asked: Any) -> list[str]:
    labels = SYSTEM.labels[language]
    return [labels.say("steps", note.key, note.values) for note in played(*asked).notes]


def test_several_who_roll_once_are_spoken_of_in_the_plural() -> None:
    asked = {"kind": "crusade", "ambushers": {"skill": 1}, "characters": [{"skill": 1}]}
    said = texts("fr", "incident", asked, [6, 1])
    assert "Les Sicaires testent une compétence de 1." in said
    assert "Le personnage teste une compétence de 1." in said
    assert "The zealots test a skill of 1." in texts("en", "incident", asked, [6, 1])


def test_the_risk_of_each_side_is_told_apart() -> None:
    risky = {"skill": 1, "prime": "caution", "penalty": "risk"}
    said = texts("en", "opposition", {"a": risky, "b": risky, "initiator": "both"}, [1, 6])
    assert said[-2:] == [
        "Risk (first side): a mishap occurs, for the game master to choose.",
        "Risk (second side): nothing comes of it.",
    ]


def test_a_coma_whose_days_nobody_knows_tells_none() -> None:
    game = played("damage", *MORE[-2][1:])
    assert SYSTEM.by_id["damage"].summary(game.outcome) == ("in_coma",)
    assert SYSTEM.labels["fr"].say("summaries", "in_coma", game.outcome) == "Coma."


def test_every_step_of_the_labels_is_taken_by_an_example() -> None:
    taken = {note.key for _, _, game in PLAYS for note in game.notes}
    assert set(SYSTEM.labels["fr"].table("steps")) == taken


def test_a_summary_tells_what_becomes_of_the_target() -> None:
    line = {"light_gray": 0, "dark_gray": 0}
    rows = [
        {"from": 1, "to": 3, "label": "a", "condition": "coma"},
        {"from": 4, "to": 6, "label": "b", "condition": "dead"},
    ]
    target = {"life_line": line, "state": {"position": 1}, "peril_table": rows}
    attack = {"attacker": {"skill": 1, "total_damage": 1}, "defender": {"skill": 0}}
    fire = {"kind": "fire", "size": "torch"}
    for resolver, request, faces, told in (
        ("attack", attack | {"target": target}, [6, 4], ("hit", "is_dead", "destiny")),
        ("attack", attack | {"target": target}, [6, 1, 2], ("hit", "in_coma")),
        ("attack", attack | {"target": {"life_line": line}}, [6], ("hit", "black")),
        ("attack", attack, [6], ("hit",)),
        ("hazard", fire | {"target": target}, [5], ("hazard_damage", "is_dead", "destiny")),
        ("hazard", fire | {"target": {"life_line": {**line, "white": 9}}}, [], ("hazard_damage",)),
    ):
        game = played(resolver, request, faces)
        assert SYSTEM.by_id[resolver].summary(game.outcome) == told


def test_every_summary_is_told() -> None:
    told: set[str] = set()
    for resolver, _, game in PLAYS:
        key = SYSTEM.by_id[resolver].summary(game.outcome)
        told |= {key} if isinstance(key, str) else set(key)
        for labels in SYSTEM.labels.values():
            for name in (key,) if isinstance(key, str) else key:
                assert "{" not in labels.say("summaries", name, game.outcome)
    assert told == set(SYSTEM.labels["fr"].table("summaries"))
