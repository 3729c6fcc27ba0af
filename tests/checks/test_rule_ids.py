"""A rule's id leads from the book to the code that applies it, and back."""

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from arbitre.registry import built_in_systems
from arbitre.rules.system import System
from checks.sources import comments, modules, tree
from tiny_duel import SYSTEM as TINY_DUEL

GAMES = pytest.mark.parametrize("system", [*built_in_systems(), TINY_DUEL], ids=lambda s: s.id)


def _ids(system: System, text: str) -> set[str]:
    return set(re.findall(rf"\b{system.prefix}-R?\d+\b", text))


def _said(module: ast.Module) -> Iterator[str]:
    """Yield every text but the members of tuples, which only list what is claimed."""
    listed = {
        id(item) for node in ast.walk(module) if isinstance(node, ast.Tuple) for item in node.elts
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and id(node) not in listed:
            yield str(node.value)


def _applied(system: System) -> set[str]:
    """Return the ids in comments, docstrings, notes and refusals of the game's code."""
    found: set[str] = set()
    for path in modules(Path(str(files(system.package)))):
        for text in (*comments(path), *_said(tree(path))):
            found |= _ids(system, text)
    return found


def _claimed(system: System) -> set[str]:
    return {rule for resolver in system.resolvers for rule in resolver.rules}


@GAMES
def test_every_id_in_the_code_is_in_the_book(system: System) -> None:
    assert _applied(system) <= system.rules.keys()


@GAMES
def test_every_claimed_rule_stands_where_it_is_applied(system: System) -> None:
    assert _claimed(system) <= _applied(system)


@GAMES
def test_every_rule_in_the_code_is_claimed_or_says_why_not(system: System) -> None:
    unclaimed = {rule.id for rule in system.rules.values() if rule.unclaimed}
    assert _applied(system) <= _claimed(system) | unclaimed
