"""What no linter knows: the habits that keep rules exact, enumerable and apart."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbitre.registry import built_in_systems
from checks.sources import PACKAGE, SYSTEMS, documentation, modules, place, tree

READERS = {"read", "merge", "merge_state", "accept", "combine"}
SILENT = [path for path in modules(PACKAGE) if path.name != "__main__.py"]
OUTSIDE = [path for path in modules(PACKAGE) if SYSTEMS not in path.parents]


def _named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def _lambdas(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.keyword) or node.arg not in READERS:
            continue
        if isinstance(node.value, ast.Lambda):
            yield place(path, node.value)


@pytest.mark.parametrize("path", modules(SYSTEMS), ids=_named)
def test_dice_are_read_by_named_functions(path: Path) -> None:
    """Lambdas are unequal to themselves: the enumerator could not remember what they read."""
    assert not list(_lambdas(path))


def _inexact(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        divides = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
        if divides or (isinstance(node, ast.Constant) and type(node.value) in (float, complex)):
            assert isinstance(node, ast.expr | ast.stmt)
            yield place(path, node)
        elif isinstance(node, ast.Name) and node.id == "float":
            yield place(path, node)


@pytest.mark.parametrize("path", modules(SYSTEMS), ids=_named)
def test_rules_reckon_with_whole_numbers(path: Path) -> None:
    assert not list(_inexact(path))


def _printed(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in {"print", "breakpoint", "input", "exec", "eval"}:
            yield place(path, node)


@pytest.mark.parametrize("path", SILENT, ids=_named)
def test_only_the_command_line_prints(path: Path) -> None:
    assert not list(_printed(path))


def _words() -> re.Pattern[str]:
    names = [
        name
        for system in built_in_systems()
        for name in (
            re.escape(system.id),
            re.escape(system.id.replace("-", "_")),
            rf"{system.models}\w*",
            rf"{system.prefix}-R?\d+",
        )
    ]
    return re.compile(rf"\b({'|'.join(names)})\b")


def _named_systems(path: Path) -> Iterator[str]:
    words = _words()
    module = tree(path)
    ignored = documentation(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = "" if id(node) in ignored else node.value
        elif isinstance(node, ast.Name):
            text = node.id
        elif isinstance(node, ast.Attribute):
            text = node.attr
        elif isinstance(node, ast.ImportFrom):
            text = " ".join([node.module or "", *(name.name for name in node.names)])
        elif isinstance(node, ast.Import):
            text = " ".join(name.name for name in node.names)
        else:
            continue
        if words.search(text):
            assert isinstance(node, ast.expr | ast.stmt)
            yield place(path, node)


@pytest.mark.parametrize("path", OUTSIDE, ids=_named)
def test_no_game_is_named_outside_its_folder(path: Path) -> None:
    assert not list(_named_systems(path))
