"""Exact odds against every way the dice can fall, and against the tables."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import BudgetExceededError, Faces, enumerate_outcomes
from arbitre.odds import Odds, odds_of
from arbitre.odds.paths import plain, readings
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import play
from arbitre.systems.cthulhu_noir import SYSTEM
from arbitre.systems.cthulhu_noir.opposition import winner_alone

TABLES = {table.id: table.rows for table in SYSTEM.tables}

KINDS = ("human_die", "professional_die", "insanity_die", "wound_die")


class Ahead:
    """The faces of one way the dice can fall; those not drawn stay on the table."""

    def __init__(self, faces: Faces) -> None:
        self._faces = iter(faces)

    def draw(self, _tag: str, count: int, _sides: int) -> Faces:
        return tuple(next(self._faces) for _ in range(count))


def request(resolver: str, **fields: Any) -> Any:
    return SYSTEM.by_id[resolver].request.model_validate_json(to_json(fields))


def odds(resolver: str, **fields: Any) -> Odds:
    return odds_of(SYSTEM.by_id[resolver], request(resolver, **fields))


def field(found: Odds, name: str) -> dict[Any, Fraction]:
    return {
        value.value: value.p for row in found.fields if row.field == name for value in row.values
    }


def dice(count: int, *risks: str) -> dict[str, bool]:
    """An action with so many ordinary dice and these risk dice."""
    return {"human_die": count > 0, "professional_die": count > 1, **dict.fromkeys(risks, True)}


BOTH = dice(1, "insanity_die", "wound_die")
ONCE = {"mode": "competition", "reroll_ties": False}


def throws(count: int) -> Counter[tuple[int, ...]]:
    """Every throw of so many dice, best first, with its number of ways."""
    ways = product(range(1, 7), repeat=count)
    return Counter(tuple(sorted(faces, reverse=True)) for faces in ways)


@pytest.mark.parametrize(
    ("resolver", "most", "fields"),
    [
        ("roll", 4, {"insanity_die": True, "failure_die": True, "state": {"insanity": 3}}),
        (
            "roll",
            5,
            {**dice(1, "insanity_die", "wound_die"), "wound_damage": 3, "state": {"wound": 4}},
        ),
        ("reroll", 4, {**dice(2, "wound_die"), "previous": {"quality": 4, "failure_face": 5}}),
        ("opposition", 4, {"mode": "failure", "actor": dice(1, "insanity_die")}),
        (
            "opposition",
            5,
            {
                "mode": "competition",
                "reroll_ties": False,
                "sides": [dice(1, "insanity_die"), dice(2)],
            },
        ),
        ("cooperation", 5, {"participants": [dice(1, "wound_die"), dice(1)], "failure_die": True}),
        ("damage", 1, {"attack": "knife", "state": {"wound": 4}}),
        ("insanity", 1, {"state": {"insanity": 5}}),
        ("suppress", 1, {"state": {"insanity": 5}}),
    ],
)
def test_odds_are_those_of_every_throw(resolver: str, most: int, fields: dict[str, Any]) -> None:
    rule, asked = SYSTEM.by_id[resolver], request(resolver, **fields)
    counted: dict[str, Counter[Any]] = {}
    for faces in product(range(1, 7), repeat=most):
        outcome = play(rule, asked, Ahead(faces)).outcome
        for name in rule.odds:
            for path, value in readings(outcome, name):
                counted.setdefault(path, Counter())[plain(value)] += 1
    found = {
        row.field: {value.value: value.p for value in row.values}
        for row in odds_of(rule, asked).fields
    }
    for path, ways in found.items():
        assert ways == {value: Fraction(n, 6**most) for value, n in counted[path].items()}, path


@pytest.mark.parametrize("row", TABLES["best-die"], ids=str)
def test_the_best_die_has_the_odds_of_the_table(row: tuple[int, ...]) -> None:
    count, *ways, cases = row
    chosen = dict.fromkeys(KINDS, False) | dict.fromkeys(KINDS[:count], True)
    found = field(odds("roll", **chosen), "quality")
    assert found == {quality: Fraction(n, cases) for quality, n in enumerate(ways, 1)}


@pytest.mark.parametrize("row", TABLES["failure-die"], ids=str)
def test_a_failure_die_has_the_odds_of_the_table(row: tuple[int, ...]) -> None:
    count, fails, cases = row
    chosen = dict.fromkeys(KINDS, False) | dict.fromkeys(KINDS[:count], True)
    found = field(odds("roll", **chosen, failure_die=True), "success")
    assert found[False] == Fraction(fails, cases)


@pytest.mark.parametrize("row", TABLES["risk-dice"], ids=str)
def test_risk_dice_come_due_as_in_the_table(row: tuple[Any, ...]) -> None:
    ordinary, risks, first, second, both, neither, cases = row
    chosen = dice(ordinary, "insanity_die", *(["wound_die"] if risks == 2 else []))
    rule, asked = SYSTEM.by_id["roll"], request("roll", **chosen)
    counted: Counter[tuple[bool, bool]] = Counter()
    for faces in product(range(1, 7), repeat=ordinary + risks):
        outcome = play(rule, asked, Ahead((*faces, 1, 1))).outcome
        counted[outcome.insanity_roll is not None, outcome.wound_roll is not None] += 1
    assert counted.total() == cases
    assert counted[True, False] + counted[True, True] == first
    assert counted[False, False] == neither
    if risks == 2:
        assert counted[False, True] + counted[True, True] == second
        assert counted[True, True] == both
    found = field(odds("roll", **chosen), "insanity_roll.increased")
    assert 1 - found.get(None, Fraction(0)) == Fraction(first, cases)


@pytest.mark.parametrize("row", TABLES["competition"], ids=str)
def test_a_competition_has_the_odds_of_the_table(row: tuple[int, ...]) -> None:
    dice_a, dice_b, wins_a, wins_b, ties, cases = row
    sides = [
        dict.fromkeys(KINDS, False) | dict.fromkeys(KINDS[:count], True)
        for count in (dice_a, dice_b)
    ]
    once = field(odds("opposition", mode="competition", sides=sides, reroll_ties=False), "winner")
    assert once.get(None, Fraction(0)) == Fraction(ties, cases)
    assert (once["a"], once["b"]) == (Fraction(wins_a, cases), Fraction(wins_b, cases))
    ended = field(odds("opposition", mode="competition", sides=sides), "winner")
    assert ended == {"a": Fraction(wins_a, wins_a + wins_b), "b": Fraction(wins_b, wins_a + wins_b)}


@pytest.mark.parametrize("row", TABLES["gauges"], ids=str)
def test_gauges_move_as_in_the_table(row: tuple[int, ...]) -> None:
    gauge, rises, unchanged, lowers = row
    rose = field(odds("insanity", state={"insanity": gauge}), "increased")
    assert rose == {True: Fraction(rises, 6), False: Fraction(unchanged, 6)}
    hurt = field(odds("damage", attack="unarmed", state={"wound": gauge}), "wounded")
    assert hurt[True] == Fraction(rises, 6)
    state = {"insanity": gauge, "suppression_unlocked": True}
    fell = field(odds("suppress", state=state), "reduced")
    assert fell.get(True, Fraction(0)) == Fraction(lowers, 6)


def test_three_sides_are_worked_out_tie_by_tie() -> None:
    """Three sides with one, one and two dice, by the chances of each tied set."""
    sides = [dice(1), dice(1), dice(2)]
    strengths = [
        Counter(tuple(sorted(f, reverse=True)) for f in product(range(1, 7), repeat=n))
        for n in (1, 1, 2)
    ]
    leads: Counter[tuple[int, ...]] = Counter()
    for rows in product(*(s.items() for s in strengths)):
        ranks = [row[0] for row in rows]
        best = max(ranks)
        ways = rows[0][1] * rows[1][1] * rows[2][1]
        leads[tuple(i for i, rank in enumerate(ranks) if rank == best)] += ways
    total = sum(leads.values())
    tie = Fraction(leads[0, 1], total)
    wanted = {
        "a": Fraction(leads[0,], total) + tie / 2,
        "b": Fraction(leads[1,], total) + tie / 2,
        "c": Fraction(leads[2,], total),
    }
    assert field(odds("opposition", mode="competition", sides=sides), "winner") == wanted


def test_the_largest_competition_of_two_has_odds() -> None:
    full = dict.fromkeys(KINDS, True)
    found = odds("opposition", mode="competition", sides=[full, full])
    assert field(found, "winner") == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert field(found, "sides.0.state.insanity") == field(found, "sides.1.state.insanity")


@pytest.mark.parametrize("again", [True, False])
def test_who_wins_alone_has_the_odds_of_the_whole(again: bool) -> None:
    sides = [dice(1, "insanity_die"), dice(2), dice(2, "wound_die")]
    asked = request("opposition", mode="competition", sides=sides, reroll_ties=again)
    alone = enumerate_outcomes(partial(winner_alone, asked))
    whole = odds_of(SYSTEM.by_id["opposition"], asked)
    assert alone.map(lambda outcome: outcome.winner) == field(whole, "winner")
    assert alone.map(lambda outcome: outcome.decided_at) == field(whole, "decided_at")


def test_many_dice_of_many_sides_tell_who_wins_and_no_more() -> None:
    full = dict.fromkeys(KINDS, True)
    found = odds("opposition", mode="competition", sides=[full] * 3)
    assert {row.field for row in found.fields} == {"winner", "decided_at", "winner+decided_at"}
    assert set(field(found, "winner").values()) == {Fraction(1, 3)}
    with pytest.raises(RuleRefused, match="dead"):
        odds("opposition", mode="competition", sides=[full, full, {**full, "state": {"wound": 6}}])


def test_five_together_who_risk_everything_have_odds() -> None:
    full = dict.fromkeys(KINDS, True)
    found = odds("cooperation", participants=[full] * 5, failure_die=True)
    alone = odds("roll", **full)
    assert field(found, "participants.4.state.wound") == field(alone, "state.wound")
    assert field(found, "quality")[6] == 1 - Fraction(5, 6) ** 20


def test_what_is_too_much_work_is_refused_and_never_guessed() -> None:
    full = dict.fromkeys(KINDS, True)
    with pytest.raises(BudgetExceededError):
        odds("opposition", mode="competition", sides=[full] * 5)


def test_the_stakes_leave_out_what_the_rules_refuse() -> None:
    def stakes(resolver: str, **fields: Any) -> list[tuple[bool, bool]]:
        aid = odds(resolver, **fields).aid
        assert aid is not None
        return [(row["insanity_die"], row["wound_die"]) for row in aid.model_dump()["stakes"]]

    every = [(False, False), (False, True), (True, False), (True, True)]
    assert stakes("roll") == every
    assert stakes("roll", human_die=False, wound_die=True) == every[1:]
    assert stakes("roll", state={"insanity": 6}) == every[:2]
    assert stakes("reroll", wound_die=True, previous={"quality": 1}) == every[1:]


def test_suppression_needs_its_expected_acts() -> None:
    rule = SYSTEM.by_id["suppress"]
    assert rule.aid is not None
    assert rule.aid.options is not None
    for target in range(1, 5):
        options = rule.aid.options.model_validate({"target": target, "acts": 100})
        found = odds_of(rule, request("suppress", state={"insanity": 5}), options).aid
        assert found is not None
        answer = found.model_dump()
        expected = sum(Fraction(6, gauge - 1) for gauge in range(target + 1, 6))
        assert Fraction(answer["expected_acts"]["p"]) == expected
        chances = [Fraction(row["reached"]["p"]) for row in answer["course"]]
        assert chances == sorted(chances)
        assert Fraction(999, 1000) < chances[-1] < 1


def test_suppression_below_its_target_is_done() -> None:
    rule = SYSTEM.by_id["suppress"]
    assert rule.aid is not None
    assert rule.aid.options is not None
    options = rule.aid.options.model_validate({"target": 4, "acts": 1})
    asked = request("suppress", state={"insanity": 2, "suppression_unlocked": True})
    found = odds_of(rule, asked, options).aid
    assert found is not None
    assert found.model_dump()["expected_acts"]["p"] == "0"
    assert found.model_dump()["course"][0]["reached"]["p"] == "1"


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize(
    ("risks", "count"),
    [(("insanity_die", "wound_die"), 3), (("insanity_die",), 4), (("wound_die",), 5)],
)
def test_who_wins_is_told_however_much_many_sides_risk(
    risks: tuple[str, ...], count: int, again: bool
) -> None:
    sides = [{**dice(1, *risks), "state": {"insanity": 3, "wound": 3}}] * count
    won = field(odds("opposition", mode="competition", reroll_ties=again, sides=sides), "winner")
    draw = won.pop(None, Fraction(0))
    assert set(won) == set("abcde"[:count])
    assert set(won.values()) == {(1 - draw) / count}
    assert (draw == 0) is again
