"""``rules.toml`` cites every rule, or is refused."""

from collections.abc import Callable

import pytest

from arbitre.rules.citations import Rule, load_rules

GOOD = """
[XX-01]
fr = "Dés"
en = "Dice"
section = "Jouer"
page = 12

[XX-R1]
fr = "Égalité"
en = "Tie"
section = "Jouer"

[XX-02]
fr = "Décor"
en = "Scenery"
section = "Décor"
unclaimed = "no dice"
"""


def test_rules_and_rulings_are_read(package: Callable[..., str]) -> None:
    rules = load_rules(package({"rules.toml": GOOD}), "XX")
    assert rules["XX-01"] == Rule(
        "XX-01", {"fr": "Dés", "en": "Dice"}, "Jouer", 12, None, ruling=False
    )
    assert rules["XX-R1"].ruling
    assert rules["XX-R1"].page is None
    assert rules["XX-02"].unclaimed == "no dice"
    assert list(rules) == ["XX-01", "XX-R1", "XX-02"]


@pytest.mark.parametrize(
    "spoilt",
    [
        GOOD.replace("XX-R1", "YY-R1"),
        GOOD.replace('en = "Tie"', ""),
        GOOD.replace('section = "Décor"', ""),
        GOOD.replace("page = 12", "pages = 12"),
    ],
    ids=["prefix", "title", "section", "unknown"],
)
def test_a_rule_that_is_not_cited_is_refused(spoilt: str, package: Callable[..., str]) -> None:
    with pytest.raises(ValueError, match=r"rules\.toml, (XX|YY)-"):
        load_rules(package({"rules.toml": spoilt}), "XX")
