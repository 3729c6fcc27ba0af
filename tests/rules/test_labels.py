"""The words of a game, and how numbers go in them."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

import pytest

from arbitre.rules.labels import Labels, load_labels

FR = """
[system]
name = "Jeu"
[fields]
skill = "compétence"
[Model]
skill = "métier"
[Box]
white = "blanche"
[steps]
hits = "{n:réussite|réussites} !"
[tables.arms]
title = "Armes"
"""
EN = (
    FR.replace("Jeu", "Game")
    .replace("compétence", "skill")
    .replace("métier", "trade")
    .replace("blanche", "white")
    .replace("réussite|réussites} !", "success|successes}!")
    .replace("Armes", "Arms")
)


class Box(StrEnum):
    WHITE = "white"


@dataclass
class Person:
    name: str
    boxes: tuple[Box, ...]


@pytest.fixture
def both(package: Callable[..., str]) -> dict[str, Labels]:
    return load_labels(package({"labels/fr.toml": FR, "labels/en.toml": EN}))


def test_both_languages_are_read(both: dict[str, Labels]) -> None:
    assert [*both] == ["fr", "en"]
    assert both["fr"].raw("system", "name") == "Jeu"
    assert both["en"].raw("system", "name") == "Game"
    assert both["en"].table("fields") == {"skill": "skill"}
    assert both["en"].table("nothing") == {}


def test_a_key_in_one_language_alone_is_refused(package: Callable[..., str]) -> None:
    alone = EN.replace('title = "Arms"', 'title = "Arms"\nedge = "edge"')
    name = package({"labels/fr.toml": FR, "labels/en.toml": alone})
    with pytest.raises(ValueError, match=r"only in one language: tables\.arms\.edge"):
        load_labels(name)


def test_a_missing_label_is_named(both: dict[str, Labels]) -> None:
    with pytest.raises(KeyError, match=r"labels/fr\.toml: \[steps\] misses"):
        both["fr"].raw("steps", "misses")
    assert both["fr"].has("steps", "hits")
    assert not both["fr"].has("steps", "misses")
    assert not both["fr"].has("nothing", "hits")


def test_a_field_has_the_label_of_its_model_or_the_common_one(both: dict[str, Labels]) -> None:
    assert both["fr"].field("Model", "skill") == "métier"
    assert both["fr"].field("Other", "skill") == "compétence"
    with pytest.raises(KeyError):
        both["fr"].field("Other", "luck")


def test_sentences_count(both: dict[str, Labels]) -> None:
    for _ in range(2):  # the second time from memory
        assert both["fr"].say("steps", "hits", {"n": 0}) == "0 réussite !"
        assert both["fr"].say("steps", "hits", {"n": 2}) == "2 réussites !"
        assert both["en"].say("steps", "hits", {"n": 0}) == "0 successes!"
        assert both["en"].say("steps", "hits", {"n": 1}) == "1 success!"


MINUS = "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("template", "value", "french", "english"),
    [
        ("{x}", 2, "2", "2"),
        ("{x}", -2, f"{MINUS}2", f"{MINUS}2"),
        ("{x:+}", 2, "+2", "+2"),
        ("{x:+}", 0, "0", "0"),
        ("{x:+}", -2, f"{MINUS}2", f"{MINUS}2"),
        ("{x:die|dice}", -1, f"{MINUS}1 die", f"{MINUS}1 die"),
        ("{x:die|dice}", -2, f"{MINUS}2 dice", f"{MINUS}2 dice"),
        ("{x:=die|dice}", 0, "die", "dice"),
        ("{x:=die|dice}", 3, "dice", "dice"),
        ("{x}", True, "oui", "yes"),
        ("{x}", False, "non", "no"),
        ("{x:A|B}", True, "A", "A"),
        ("{x:A|B}", False, "B", "B"),
        ("{x}", Box.WHITE, "blanche", "white"),
        ("{x}", None, "—", "—"),
        ("{x.name.first}", None, "—", "—"),
        ("{x}", (1, Box.WHITE), "1, blanche", "1, white"),
        ("{x:+}", [1, 2], "+1, +2", "+1, +2"),
        ("{x}", Decimal("-1.5"), f"{MINUS}1,5", f"{MINUS}1.5"),
        ("{x}", Fraction(1, 2), "1/2", "1/2"),
        ("{x}", "Ana", "Ana", "Ana"),
        ("{x.name}", Person("Ana", ()), "Ana", "Ana"),
        ("{x.boxes.0}", Person("Ana", (Box.WHITE,)), "blanche", "white"),
        ("{{x}} {x.a}", {"a": 1}, "{x} 1", "{x} 1"),
    ],
)
def test_values_are_shown_in_the_language(
    template: str, value: object, french: str, english: str, both: dict[str, Labels]
) -> None:
    assert both["fr"].fill(template, {"x": value}) == french
    assert both["en"].fill(template, {"x": value}) == english
