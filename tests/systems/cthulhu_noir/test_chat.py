"""Letters for dice: every one is read, or the line is refused."""

from typing import Any

import pytest

from arbitre.rules.notation import NotationError, parse, render
from arbitre.systems.cthulhu_noir import SYSTEM


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("/cn", "bare-prefix", ""),
        ("/cn hh", "given-twice", "h"),
        ("/cn fi", "given-twice", "i"),
        ("/cn f 3", "ambiguous", "3"),
        ("/cn b2:", "missing", ""),
        ("/cn h3", "unknown-word", "3"),
        ("/cn h ! 5", "ambiguous", "5"),
        ("/cn bonjour", "unknown-word", "bonjour"),
        ("/cn relance hf3", "unknown-word", "hf"),
        ("/cn relance 2", "missing", ""),
        ("/cn contre hp / ", "unknown-word", "/"),
        ("/cn folie", "missing", ""),
        ("/cn dégâts 3 couto", "missing", "couto"),
        ("/cn soin 4 5", "missing", "5"),
        ("/cn soin 4 nuit 2 3", "unknown-word", "3"),
    ],
)
def test_what_is_no_throw_is_refused(line: str, code: str, word: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(SYSTEM, line)
    assert (error.value.code, error.value.word) == (code, word)


@pytest.mark.parametrize(
    ("resolver", "request_", "line"),
    [
        ("roll", {}, "/cn h"),
        ("roll", {"human_die": False, "insanity_die": True}, "/cn f1"),
        ("roll", {"wound_die": True, "wound_damage": 3, "failure_die": True}, "/cn hb1:3 !"),
        ("opposition", {"mode": "failure", "quality": 4}, "/cn échec 4"),
        ("opposition", {"mode": "competition", "sides": [{}, {}]}, "/cn contre h / h"),
        ("cooperation", {"participants": [{}, {}], "failure_face": 2}, "/cn avec h / h !2"),
        ("insanity", {}, "/cn folie 1"),
        (
            "damage",
            {"attack": "knife", "target": "entity", "state": {"immune": True}},
            "/cn dégâts 1 couteau immunisé",
        ),
        ("healing", {"method": "full_day"}, "/cn soin 1 jour"),
        (
            "healing",
            {
                "method": "return",
                "presumed_dead": True,
                "wound_on_return": 2,
                "state": {"wound": 6},
            },
            "/cn retour 2",
        ),
    ],
)
def test_a_request_is_written_in_letters(
    resolver: str, request_: dict[str, Any], line: str
) -> None:
    assert render(SYSTEM, resolver, request_) == line


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"human_die": False}),
        ("roll", {"name": "Ada"}),
        ("roll", {"state": {"insanity": 3}}),
        ("roll", {"failure_die": True, "failure_face": 3}),
        ("reroll", {"wound_die": True, "previous": {"quality": 2, "attempt": 3}}),
        ("opposition", {"mode": "failure", "actor": {}}),
        ("damage", {"attack": "knife", "target": "entity"}),
        ("suppress", {"means": "burn_books"}),
    ],
)
def test_what_letters_cannot_say_is_not_written(resolver: str, request_: dict[str, Any]) -> None:
    with pytest.raises(NotationError, match="no-notation"):
        render(SYSTEM, resolver, request_)
