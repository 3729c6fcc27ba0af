"""Which refusal comes first when several hold: the order of the common list, then the game's."""

from collections.abc import Iterable, Iterator

from arbitre.rules.errors import RuleRefused

ORDER = (
    "required",
    "incompatible-fields",
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


def excluded(given: bool, pointer: str, other: str) -> Faults:
    """Refuse a field that its neighbor excludes."""
    if given:
        yield RuleRefused(
            "incompatible-fields", pointer=pointer, a=pointer.rpartition("/")[2], b=other
        )
