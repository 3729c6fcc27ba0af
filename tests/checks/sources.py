"""The project's own sources, as trees."""

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import arbitre

PACKAGE = Path(arbitre.__file__).parent
SYSTEMS = PACKAGE / "systems"


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def place(path: Path, node: ast.expr | ast.stmt) -> str:
    return f"{path.relative_to(PACKAGE.parent)}:{node.lineno}"


def comments(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def documentation(module: ast.Module) -> set[int]:
    """Return the identities of the strings that only document: no code reads them."""
    return {
        id(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
