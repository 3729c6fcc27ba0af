"""Dotted paths into an outcome."""

from types import SimpleNamespace

from arbitre.odds.paths import ABSENT, plain, readings
from arbitre.rules.model import Frozen


class Side(Frozen):
    successes: int


class Fight(Frozen):
    a: Side | None = None
    sides: tuple[Side | None, ...] | None = ()
    winner: str | None = None


FIGHT = Fight(a=Side(successes=2), sides=(Side(successes=1), None, Side(successes=3)))


def test_a_field_is_read() -> None:
    assert readings(Fight(winner="a"), "winner") == (("winner", "a"),)
    assert readings(FIGHT, "a.successes") == (("a.successes", 2),)


def test_a_null_that_is_stated_is_not_a_field_left_out() -> None:
    assert readings(Fight(winner=None), "winner") == (("winner", None),)
    assert readings(FIGHT, "winner") == (("winner", ABSENT),)
    assert plain(ABSENT) is None


def test_a_view_leaves_out_what_it_does_not_tell() -> None:
    assert readings(SimpleNamespace(winner=None), "winner") == (("winner", None),)
    assert readings(SimpleNamespace(), "winner") == (("winner", ABSENT),)
    assert readings(SimpleNamespace(), "sides[].successes") == ()


def test_what_is_inside_nothing_is_nothing() -> None:
    assert readings(Fight(), "a.successes") == (("a.successes", ABSENT),)
    assert readings(Fight(a=None), "a.successes") == (("a.successes", ABSENT),)
    assert readings(Fight(), "sides[].successes") == ()
    assert readings(Fight(sides=None), "sides[].successes") == ()


def test_each_item_of_a_list_is_named_and_those_left_out_are_skipped() -> None:
    assert readings(FIGHT, "sides[].successes") == (
        ("sides.0.successes", 1),
        ("sides.2.successes", 3),
    )


def test_fields_asked_together_are_one() -> None:
    assert readings(FIGHT, ("a.successes", "winner")) == (("a.successes+winner", (2, None)),)
    assert readings(FIGHT, ("sides[].successes", "sides[].successes"))[1] == (
        "sides.2.successes+sides.2.successes",
        (3, 3),
    )


def test_fields_asked_together_that_are_all_left_out_are_nothing() -> None:
    assert readings(SimpleNamespace(), ("a", "winner")) == (("a+winner", ABSENT),)
