"""Every error as a problem document (RFC 9457), in French or English, with the way out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from arbitre.dice import (
    BudgetExceededError,
    DiceFaceError,
    DiceLeftError,
    DiceLimitError,
    DiceMissingError,
)
from arbitre.rules.errors import RuleRefused
from arbitre.rules.labels import Labels, load_labels
from arbitre.rules.notation import NotationError
from arbitre.rules.system import System

LABELS: Final = load_labels("arbitre.api")
"""The words of the service itself."""

MOST_FAULTS: Final = 50

_KINDS: Final = {
    "missing": "required",
    "extra_forbidden": "unknown-field",
    "greater_than_equal": "too-small",
    "less_than_equal": "too-large",
    "int_type": "not-whole",
    "int_from_float": "not-whole",
    "int_parsing_size": "not-whole",
    "finite_number": "not-whole",
    "bool_type": "not-boolean",
    "string_type": "not-text",
    "string_too_short": "text-too-short",
    "string_too_long": "text-too-long",
    "tuple_type": "not-list",
    "list_type": "not-list",
    "too_short": "list-too-short",
    "too_long": "list-too-long",
    "enum": "unknown-value",
    "literal_error": "unknown-value",
    "union_tag_invalid": "unknown-value",
    "union_tag_not_found": "tag-required",
    "model_type": "not-object",
    "model_attributes_type": "not-object",
    "dict_type": "not-object",
}
"""What pydantic calls a fault, and what we call it; anything else is an invalid value."""

_SHOWN: Final = ("ge", "le", "min_length", "max_length", "expected", "expected_tags")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where (a JSON pointer into the body), what, and the numbers to say it."""

    pointer: str
    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Problem(Exception):  # noqa: N818 - RFC 9457's word
    """An error on its way to the caller.

    ``status`` is the HTTP status, ``code`` the stable name, ``labels`` the words of the game
    that refuses (by language), ``rule`` the rule that does; never the caller's own text.
    """

    def __init__(
        self,
        status: int,
        code: str,
        *,
        faults: tuple[Fault, ...] = (),
        values: Mapping[str, Any] | None = None,
        labels: Mapping[str, Labels] | None = None,
        rule: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code)
        self.status, self.code, self.faults, self.rule = status, code, faults, rule
        self.values = dict(values or {})
        self.headers = dict(headers or {})
        self._labels = labels or LABELS
        self._extra = extra or {}

    def document(self, language: str) -> dict[str, Any]:
        """Return the problem document in ``language``."""
        words = self._labels[language]
        own = LABELS[language]
        title = "refused" if self._labels is not LABELS else self.code
        answer: dict[str, Any] = {
            "type": f"/v1/problems#{self.code}",
            "title": own.say("titles", title, self.values),
            "status": self.status,
            "code": self.code,
            "detail": words.say("refusals", self.code, self.values),
            "fix": words.say("fixes", self.code, self.values),
            "faults": [
                {
                    "pointer": fault.pointer,
                    "code": fault.code,
                    "detail": self._said(fault, words, own),
                }
                for fault in self.faults
            ],
        }
        answer |= self._extra
        if self.rule:
            answer["rule"] = self.rule
        return answer

    def _said(self, fault: Fault, words: Labels, own: Labels) -> str:
        if own.has("faults", fault.code):
            return own.say("faults", fault.code, fault.values)
        return words.say("refusals", fault.code, {**self.values, **fault.values})


def invalid(error: ValidationError, body: Any) -> Problem:
    """Turn what pydantic found in ``body`` into one problem with all its faults."""
    found = error.errors(include_url=False, include_input=False)
    if any(fault["type"] == "json_invalid" for fault in found):
        return Problem(400, "not-json", faults=(Fault("", "not-json"),))
    faults = dict.fromkeys(
        (_pointer(fault, body), _KINDS.get(fault["type"], "invalid-value"), index)
        for index, fault in enumerate(found[:MOST_FAULTS])
    )
    return Problem(
        422,
        "invalid",
        faults=tuple(
            Fault(pointer, code, _context(found[index].get("ctx", {})))
            for pointer, code, index in faults
        ),
        values={"faults": len(found)},
    )


def store_down() -> Problem:
    """Say that the log cannot be written, and when to come back."""
    return Problem(503, "store-down", headers={"Retry-After": "2"})


def misread(error: NotationError) -> Problem:
    """Turn a line that cannot be read into a problem that shows the word and the nearest form."""
    code = f"chat-{error.code}"
    return Problem(
        409,
        code,
        faults=(Fault("/line", code),),
        extra={"word": error.word, "position": error.position, "nearest": error.nearest or None},
    )


def refused(error: Exception, system: System, *, at: str = "/request") -> Problem:
    """Turn a refusal by the rules or the dice into a problem."""
    if isinstance(error, RuleRefused):
        return Problem(
            409,
            error.code,
            faults=(Fault(at + error.pointer, error.code),),
            values=error.values,
            labels=system.labels,
            rule=error.rule,
        )
    if isinstance(error, DiceMissingError):
        values = {"sides": error.sides, "needed": error.needed, "given": error.given}
        return Problem(409, "dice-missing", faults=(Fault("/dice", "dice-missing"),), values=values)
    if isinstance(error, DiceLeftError):
        values = {"needed": error.needed, "given": error.given}
        return Problem(409, "dice-left", faults=(Fault("/dice", "dice-left"),), values=values)
    if isinstance(error, DiceFaceError):
        values = {"sides": error.sides, "number": error.index + 1}
        pointer = f"/dice/{error.index}"
        return Problem(409, "dice-face", faults=(Fault(pointer, "dice-face"),), values=values)
    if isinstance(error, BudgetExceededError | DiceLimitError):
        code = "odds-budget" if isinstance(error, BudgetExceededError) else "dice-limit"
        return Problem(409, code, faults=(Fault(at, code),), values={"limit": error.limit})
    raise error


REFUSALS: Final = (
    RuleRefused,
    DiceMissingError,
    DiceLeftError,
    DiceFaceError,
    BudgetExceededError,
    DiceLimitError,
)
"""All that ``refused`` can put into words."""


def _pointer(fault: Any, body: Any) -> str:
    """Return the JSON pointer of a fault; pydantic's names of union members are left out."""
    parts = []
    here: Any = body
    for step in fault["loc"]:
        if _holds(here, step):
            here = here[step]
            parts.append(step)
    if fault["type"] == "missing":
        parts.append(fault["loc"][-1])
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return "".join(f"/{part[:80]}" for part in escaped)


def _holds(value: Any, step: int | str) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _context(context: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the bounds and choices of our own schema, never what the caller sent."""
    found = {key: context[key] for key in _SHOWN if key in context}
    choices = found.pop("expected", None) or found.pop("expected_tags", None)
    if choices:
        found["expected"] = str(choices).replace("'", "").replace(" or ", ", ")
    bound = next((found[key] for key in _SHOWN[:4] if key in found), None)
    return {"bound": bound, "expected": found.get("expected")}
