"""``labels/*.toml``: the words of a game in French and English, and how numbers go in them.

A sentence holds ``{name}`` or ``{name:format}``; a dotted name looks inside. By type:

=========  =======================================================================
whole      ``{n}`` → 2 · ``{n:+}`` → +2 · ``{n:die|dice}`` → 2 dice · ``{n:=die|dice}`` → dice
boolean    ``{ok:Success|Failure}`` → one or the other
choice     ``{box}`` → its label
nothing    ``{x}`` → a dash
list       its items, joined by commas
=========  =======================================================================

French counts 0 and 1 as singular, English only 1. Minus is the minus sign.
"""

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

MINUS: Final = "\N{MINUS SIGN}"

LANGUAGES: Final = ("fr", "en")
"""French first: it is the default."""

Piece = tuple[str, tuple[str, ...], str]


def _template(text: str) -> tuple[Piece, ...]:
    return tuple(
        (literal, tuple(name.split(".")) if name else (), spec or "")
        for literal, name, spec, _conversion in Formatter().parse(text)
    )


@cache
def _forms(spec: str) -> list[str]:
    return spec.removeprefix("=").split("|")


def _lookup(values: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if values is None:
            return None
        if isinstance(values, dict):
            values = values[key]
        elif isinstance(values, tuple):
            values = values[int(key)]
        else:
            values = getattr(values, key)
    return values


class Labels:
    """The words of one game in one language."""

    def __init__(self, language: str, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.language = language
        self._tables = tables
        self._templates: dict[tuple[str, str], tuple[Piece, ...]] = {}

    def has(self, table: str, key: str) -> bool:
        """Say whether a label exists."""
        return key in self._tables.get(table, {})

    def table(self, table: str) -> Mapping[str, Any]:
        """Return a whole table of labels."""
        return self._tables.get(table, {})

    def raw(self, table: str, key: str) -> Any:
        """Return a label as written; ``KeyError`` names a missing one."""
        try:
            return self._tables[table][key]
        except KeyError:
            msg = f"labels/{self.language}.toml: [{table}] {key}"
            raise KeyError(msg) from None

    def field(self, model: str, name: str) -> str:
        """Return the label of a model's field: its own, or the one in ``[fields]``."""
        own = self._tables.get(model, {})
        return str(own[name] if name in own else self.raw("fields", name))

    def choice(self, value: StrEnum) -> str:
        """Return the label of an enumerated value."""
        return str(self.raw(type(value).__name__, str(value)))

    def say(self, table: str, key: str, values: Any) -> str:
        """Write the sentence ``key`` of ``table`` with ``values``."""
        pieces = self._templates.get((table, key))
        if pieces is None:
            pieces = self._templates[table, key] = _template(str(self.raw(table, key)))
        return self._fill(pieces, values)

    def fill(self, text: str, values: Any) -> str:
        """Write a sentence that is not in the tables."""
        return self._fill(_template(text), values)

    def _fill(self, pieces: tuple[Piece, ...], values: Any) -> str:
        said = ""
        for literal, path, spec in pieces:
            said += literal
            if path:
                said += self._show(_lookup(values, path), spec)
        return said

    def _show(self, value: Any, spec: str) -> str:  # noqa: PLR0911 - one for each type
        if type(value) is int:
            return self._number(value, spec)
        if value is True or value is False:
            yes, no = (spec or ("oui|non" if self.language == "fr" else "yes|no")).split("|")
            return yes if value else no
        if isinstance(value, StrEnum):
            return self.choice(value)
        if value is None:
            return "—"
        if isinstance(value, tuple | list):
            return ", ".join(self._show(item, spec) for item in value)
        if isinstance(value, Decimal | Fraction):
            return self._decimal(str(value))
        return str(value)

    def _number(self, value: int, spec: str) -> str:
        number = f"{MINUS}{-value}" if value < 0 else str(value)
        if not spec:
            return number
        if spec == "+":
            return f"+{value}" if value > 0 else number
        one, many = _forms(spec)
        singular = abs(value) < 2 if self.language == "fr" else abs(value) == 1  # noqa: PLR2004
        word = one if singular else many
        return word if spec.startswith("=") else f"{number} {word}"

    def _decimal(self, text: str) -> str:
        return text.replace("-", MINUS).replace(".", "," if self.language == "fr" else ".")


def load_labels(package: str) -> dict[str, Labels]:
    """Read ``labels/fr.toml`` and ``labels/en.toml`` of ``package``; the keys must be the same."""
    tables = {}
    for language in LANGUAGES:
        path = files(package).joinpath("labels", f"{language}.toml")
        tables[language] = tomllib.loads(path.read_text(encoding="utf-8"))
    french, english = (set(_keys(tables[language])) for language in LANGUAGES)
    if french != english:
        alone = ", ".join(sorted(french ^ english))
        msg = f"{package} labels: only in one language: {alone}"
        raise ValueError(msg)
    return {language: Labels(language, tables[language]) for language in LANGUAGES}


def _keys(tables: Mapping[str, Any], above: str = "") -> list[str]:
    found = []
    for key, value in tables.items():
        name = f"{above}{key}"
        found += _keys(value, f"{name}.") if isinstance(value, dict) else [name]
    return found
