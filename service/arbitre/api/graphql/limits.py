"""What a GraphQL document may ask of the service, measured before anything runs.

Fragments are counted as often as they are spread. Introspection may be deep, but once per
operation, alone, and without aliases: tools do not need them, floods do.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from arbitre.api.problems import Problem
from arbitre.rules.labels import load_labels

LABELS: Final = load_labels("arbitre.api.graphql")
"""The words of this door."""

TOKENS: Final = 2_000
"""Most words and signs of a document."""

DEPTH: Final = 12
"""Most fields inside one another."""

ALIASES: Final = 30
"""Most fields given another name."""

FIELDS: Final = 1_000
"""Most fields of a document."""

REPEATS: Final = 50
"""Most fields asked for again under the same name, which GraphQL merges at a price."""

CALLS: Final = 20
"""Most calls of rules in an operation; odds count for ``ODDS`` of them."""

ODDS: Final = 4

VALUES: Final = 20_000
"""Most values in the variables."""

_NESTED: Final = 60
"""Most selections inside one another, fragments included."""

_LISTS: Final = frozenset({"fields", "inputFields", "interfaces", "possibleTypes", "enumValues"})
_INTROSPECTION: Final = {"__schema": 1, "__type": 2}
_PLAIN: Final = frozenset({"systems", "system", *_INTROSPECTION})
_CALLS: Final = frozenset({"roll", "verify"})


class Size(NamedTuple):
    """What a selection amounts to, fragments spread out."""

    depth: int = 0
    fields: int = 0
    aliases: int = 0
    lists: int = 0
    """Lists of the introspection inside one another."""

    def beside(self, other: "Size") -> "Size":
        """Return the size of both, one after the other."""
        return Size(
            max(self.depth, other.depth),
            self.fields + other.fields,
            self.aliases + other.aliases,
            max(self.lists, other.lists),
        )


def too_much(code: str, limit: int = 0) -> Problem:
    """Return the refusal of a document."""
    return Problem(400, code, values={"limit": limit}, labels=LABELS)


def check(document: DocumentNode) -> frozenset[str | None]:
    """Refuse a document beyond the limits; name its operations that introspect."""
    measure = _Measure(document)
    operations = [
        definition
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode)
    ]
    sizes = [measure.size(operation.selection_set) for operation in operations]
    _within("query-fields", sum(size.fields for size in sizes), FIELDS)
    for operation, size in zip(operations, sizes, strict=True):
        _within("query-aliases", size.aliases, ALIASES)
        _within("query-repeats", measure.repeats([operation.selection_set]), REPEATS)
    return frozenset(
        operation.name.value if operation.name else None
        for operation in operations
        if measure.introspects(operation)
    )


def check_variables(variables: dict[str, Any] | None) -> None:
    """Refuse variables that hold more values than any call can use."""
    pending: list[Any] = [variables or {}]
    for count, value in enumerate(pending):
        _within("query-values", count, VALUES)
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value


def _within(code: str, size: int, limit: int) -> None:
    if size > limit:
        raise too_much(code, limit)


class _Measure:
    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            definition.name.value: definition
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        self._sizes: dict[str, Size | None] = {}

    def introspects(self, operation: OperationDefinitionNode) -> bool:
        """Say whether ``operation``, which is within the limits, asks for the schema."""
        calls = 0
        roots = []
        for root in self._spread(operation.selection_set, set[str]()):
            name = root.name.value
            size = self._field(root, 0)
            if name in _INTROSPECTION:
                if size.aliases or size.lists > _INTROSPECTION[name]:
                    raise too_much("query-introspection")
            else:
                _within("query-deep", size.depth, DEPTH)
            if name in _CALLS:
                calls += 1
            elif name not in _PLAIN and root.selection_set:
                calls += sum(
                    ODDS if field.name.value.endswith("Odds") else 1
                    for field in self._spread(root.selection_set, set[str]())
                )
            if name != "__typename":
                roots.append(name)
        _within("query-calls", calls, CALLS)
        found = not _INTROSPECTION.keys().isdisjoint(roots)
        if found and len(roots) > 1:
            raise too_much("query-introspection")
        return found

    def size(self, selections: SelectionSetNode) -> Size:
        """Return the size of the selections of an operation."""
        return self._set(selections, 0)

    def repeats(self, merged: list[SelectionSetNode]) -> int:
        """Count the fields that come again under the same name, at every level."""
        seen: set[str] = set()
        found: dict[str, list[FieldNode]] = {}
        for selections in merged:
            for field in self._spread(selections, seen):
                found.setdefault((field.alias or field.name).value, []).append(field)
        return sum(
            len(fields) - 1 + self.repeats([f.selection_set for f in fields if f.selection_set])
            for fields in found.values()
        )

    def _spread(self, selections: SelectionSetNode, seen: set[str]) -> Iterator[FieldNode]:
        """Yield the fields directly in ``selections``, each fragment opened once."""
        for selection in selections.selections:
            if isinstance(selection, FieldNode):
                yield selection
            elif isinstance(selection, InlineFragmentNode):
                yield from self._spread(selection.selection_set, seen)
            elif isinstance(selection, FragmentSpreadNode):
                fragment = self._fragments.get(selection.name.value)
                if fragment and fragment.name.value not in seen:
                    seen.add(fragment.name.value)
                    yield from self._spread(fragment.selection_set, seen)

    def _set(self, selections: SelectionSetNode | None, nested: int) -> Size:
        if nested > _NESTED:
            raise too_much("query-deep", DEPTH)
        size = Size()
        for selection in selections.selections if selections else ():
            if isinstance(selection, FieldNode):
                size = size.beside(self._field(selection, nested))
            elif isinstance(selection, InlineFragmentNode):
                size = size.beside(self._set(selection.selection_set, nested + 1))
            elif isinstance(selection, FragmentSpreadNode):
                size = size.beside(self._fragment(selection.name.value, nested))
        return size

    def _field(self, field: FieldNode, nested: int) -> Size:
        inner = self._set(field.selection_set, nested + 1)
        return Size(
            inner.depth + 1,
            inner.fields + 1,
            inner.aliases + (field.alias is not None),
            inner.lists + (field.name.value in _LISTS),
        )

    def _fragment(self, name: str, nested: int) -> Size:
        if name not in self._sizes:
            self._sizes[name] = None
            fragment = self._fragments.get(name)
            self._sizes[name] = (
                self._set(fragment.selection_set, nested + 1) if fragment else Size()
            )
        size = self._sizes[name]
        if size is None:
            raise too_much("query-cycle")
        return size
