"""Which refusal comes first when several hold: the order of the common list, then the game's."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from arbitre.rules.errors import RuleRefused

ORDER = (
    "required",
    "incompatible-fields",
    "field-not-for-kind",
    "wrong-kind",
    "wrong-skill",
    "attribute-mismatch",
    "attribute-name-required",
    "skill-not-allowed",
    "courage-skill",
    "expert-needs-skill",
    "reputation-needs-charisma",
    "never-rolled",
    "people-required",
    "criticals-overlap",
    "status-mismatch",
    "target-dead",
    "hp-above-max",
)
"""What any rule may refuse; a resolver's own refusals come after."""

Faults = Iterator[RuleRefused]


def refuse(*faults: Iterable[RuleRefused]) -> None:
    """Refuse with the first of ``faults`` in the order of the list."""
    found = [fault for group in faults for fault in group]
    if found:
        raise min(found, key=_rank)


def _rank(fault: RuleRefused) -> int:
    return ORDER.index(fault.code) if fault.code in ORDER else len(ORDER)


def required(value: object, pointer: str, *, when: bool = True) -> Faults:
    """Refuse a field that is missing although its neighbors ask for it."""
    if when and value is None:
        yield RuleRefused("required", pointer=pointer, field=pointer.rpartition("/")[2])


def not_for(kind: StrEnum, pointer: str = "", **given: bool) -> Faults:
    """Refuse each field given that this kind of request does not take."""
    for field, is_given in given.items():
        if is_given:
            yield RuleRefused("field-not-for-kind", pointer=f"{pointer}/{field}", kind=kind)


def twice(keys: Iterable[str], pointer: str, code: str = "duplicate-id") -> Faults:
    """Refuse a key that comes again."""
    seen: set[str] = set()
    for number, key in enumerate(keys):
        if key in seen:
            yield RuleRefused(code, pointer=f"{pointer}/{number}", number=number + 1)
        seen.add(key)


def excluded(given: bool, pointer: str, other: str) -> Faults:
    """Refuse a field that its neighbor excludes."""
    if given:
        yield RuleRefused(
            "incompatible-fields", pointer=pointer, a=pointer.rpartition("/")[2], b=other
        )
