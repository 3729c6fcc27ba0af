"""A test on one line: every word is read, or the line is refused."""

from typing import Any

import pytest

from arbitre.rules.notation import NotationError, parse, render
from arbitre.systems.lady_blackbird import SYSTEM


@pytest.mark.parametrize(
    ("line", "code", "word", "nearest"),
    [
        ("/lb", "bare-prefix", "", "/lb 3 t2 +3/7"),
        ("/lb t 2", "ambiguous", "2", "/lb 3 t2 +3/7"),
        ("/lb t1 5", "ambiguous", "5", "/lb 3 t2 +3/7"),
        ("/lb 3 t2 t1", "given-twice", "t", "/lb 3 t2 +3/7"),
        ("/lb 3 b", "missing", "", "/lb 3 t2 +3/7"),
        ("/lb 3 @", "missing", "", "/lb 3 t2 +3/7"),
        ("/lb 3 +x", "missing", "x", "/lb 3 t2 +3/7"),
        ("/lb 3 Naomi", "unknown-word", "Naomi", "/lb 3 t2 +3/7"),
        ("/lb clé xp dangr", "quote-name", "dangr", '"dangr"'),
        ("/lb clé xp dangerNaomi", "quote-name", "dangerNaomi", '"dangerNaomi"'),
        ("/lb clé danger", "unknown-word", "danger", "/lb clé xp"),
        ("/lb rachat", "missing", "", '/lb rachat "Clé du secret" aug=1'),
        ("/lb scène 3 -fatige", "missing", "fatige", "fatigué"),
        ("/lb scène -fatigué", "unknown-word", "-", "/lb scène 3 -fatigué"),
        ("/lb aide Naomi", "missing", "", "/lb aide Naomi:5 Kale:1"),
        ("/lb aug 2 tag Voltige", "missing", "", "/lb aug 2 trait Pilote; tag Pilote/Voltige"),
    ],
)
def test_what_is_not_understood_is_named(line: str, code: str, word: str, nearest: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(SYSTEM, line)
    found = error.value
    assert (found.code, found.word, found.nearest) == (code, word, nearest)


@pytest.mark.parametrize(
    ("resolver", "request_", "line"),
    [
        ("roll", {}, "/lb 3"),
        ("roll", {"trait": True, "state": {"pool": 0}}, "/lb 3 t /0"),
        ("roll", {"helpers": [{"name": "Kale"}, {"name": "Clé"}]}, '/lb 3 @Kale @"Clé"'),
        ("key", {"key": "Clé", "reward": "dice"}, "/lb clé dés"),
        ("key", {"key": "Honneur", "reward": "xp", "danger": True}, "/lb clé xp danger Honneur"),
        ("healing", {}, "/lb scène 7"),
        ("condition", {"condition": "tired"}, "/lb condition fatigué"),
        ("help", {"stage": "offer", "helpers": [{"name": "Naomi"}]}, "/lb aide Naomi:7"),
        ("advancement", {"state": {"xp": 7}}, "/lb aug 0 xp=7"),
        (
            "advancement",
            {
                "purchases": [
                    {"kind": "key", "name": "Vengeance"},
                    {"kind": "secret", "name": "Secret de la foudre"},
                ]
            },
            '/lb aug 0 clé Vengeance; secret "Secret de la foudre"',
        ),
    ],
)
def test_a_request_is_written_on_one_line(
    resolver: str, request_: dict[str, Any], line: str
) -> None:
    assert render(SYSTEM, resolver, request_) == line


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"name": "Kale"}),
        ("healing", {"partner": "Naomi"}),
        ("healing", {"benefit": "remove_condition", "condition": "lost"}),
        ("condition", {"action": "declare_death_final"}),
        ("advancement", {"purchases": [{"kind": "trait", "name": "A", "basis": "learned"}]}),
    ],
)
def test_what_one_line_cannot_say_is_not_written(resolver: str, request_: dict[str, Any]) -> None:
    with pytest.raises(NotationError, match="no-notation"):
        render(SYSTEM, resolver, request_)
