"""What a resolution answers: outcome, draws, sentences, log."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, NamedTuple

import orjson

from arbitre.api.problems import LABELS
from arbitre.audit import Signed, entry_hash
from arbitre.audit.replay import Reason, Verdict
from arbitre.dice import Note
from arbitre.odds import Odds
from arbitre.rules.labels import Labels
from arbitre.rules.play import Play
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System


class Place(NamedTuple):
    """Where at a table a roll stands."""

    table: str
    seq: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the caller can keep of a logged roll, to prove it later."""

    signed: Signed
    key: str
    entropy: str
    seed: bytes | None
    place: Place | None = None

    def document(self) -> dict[str, Any]:
        """Return the answer's ``log``."""
        return {
            "entry": self.signed.entry.decode(),
            "sig": self.signed.sig,
            "hash": entry_hash(self.signed.entry).hex(),
            "key": self.key,
            "entropy": self.entropy,
            "seed": self.seed.hex() if self.seed is not None else None,
            "table": self.place.table if self.place else None,
            "seq": self.place.seq if self.place else None,
        }


class Replayed(dict[str, Any]):
    """An answer that an earlier request with the same key was given."""


def answer(
    system: System,
    resolver: Resolver[Any, Any],
    play: Play[Any],
    request: dict[str, Any],
    outcome: dict[str, Any],
    receipt: Receipt,
    words: dict[str, str | None],
    language: str,
) -> dict[str, Any]:
    """Return the document of a resolution, as plain data."""
    source = "hand" if receipt.entropy == "hand" else "seed"
    return {
        "id": receipt.signed.id,
        "system": system.id,
        "resolver": resolver.id,
        "rules_version": system.version,
        **words,
        "secret": False,
        "request": request,
        "draws": [
            {"tag": draw.tag, "sides": draw.sides, "faces": draw.faces, "source": source}
            for draw in play.draws
        ],
        "outcome": outcome,
        "summary": summary(system, resolver, play.outcome, language),
        "steps": steps(system, play.notes, language),
        "log": receipt.document(),
    }


def old_answer(
    entry: dict[str, Any],
    receipt: Receipt,
    words: dict[str, str | None],
    language: str,
) -> dict[str, Any]:
    """Return the document of a roll whose rules are not here any more: no sentences."""
    source = "hand" if receipt.entropy == "hand" else "seed"
    system, _, version = entry["ruleset"].partition("@")
    return {
        "id": receipt.signed.id,
        "system": system,
        "resolver": entry["resolver"],
        "rules_version": version,
        **words,
        "secret": False,
        "request": entry["req"],
        "draws": [
            {"tag": "", "sides": sides, "faces": [face], "source": source}
            for sides, face in entry["draws"]
        ],
        "outcome": entry["outcome"],
        "summary": LABELS[language].say("notices", "other-version", {}),
        "steps": [],
        "log": receipt.document(),
    }


def logged_answer(
    again: Verdict,
    entry: dict[str, Any],
    receipt: Receipt,
    words: dict[str, str | None],
    language: str,
) -> dict[str, Any]:
    """Return the document of a logged roll, run again: must agree with the one given then."""
    if again.system is None or again.resolver is None or again.play is None or not again.valid:
        return old_answer(entry, receipt, words, language)
    return answer(
        again.system,
        again.resolver,
        again.play,
        again.request.model_dump(mode="json"),
        again.play.outcome.model_dump(mode="json"),
        receipt,
        words,
        language,
    )


def summary(system: System, resolver: Resolver[Any, Any], outcome: Any, language: str) -> str:
    """Tell the outcome in a sentence or two."""
    labels = system.labels[language]
    chosen = resolver.summary(outcome)
    if isinstance(chosen, str):
        return labels.say("summaries", chosen, outcome)
    return " ".join(labels.say("summaries", key, outcome) for key in chosen)


def steps(system: System, notes: Sequence[Note], language: str) -> list[dict[str, Any]]:
    """Tell each rule that acted, in order, with its numbers and its place in the book."""
    labels, rules = system.labels[language], system.rules
    return [
        {
            "rule": rule,
            "key": key,
            "values": plain(values),
            "text": labels.say("steps", key, values),
            "section": rules[rule].section,
            "page": rules[rule].page,
        }
        for rule, key, values in notes
    ]


def odds_answer(
    system: System, resolver: Resolver[Any, Any], request: dict[str, Any], odds: Odds
) -> dict[str, Any]:
    """Return the document of exact odds, as plain data."""
    return {
        "system": system.id,
        "resolver": resolver.id,
        "rules_version": system.version,
        "request": request,
        "odds": [
            {
                "field": field.field,
                "values": [{"value": plain(row.value), **exact(row.p)} for row in field.values],
                "mean": None if field.mean is None else exact(field.mean),
            }
            for field in odds.fields
        ],
        "aid": odds.aid.model_dump(mode="json") if odds.aid else None,
        "work": odds.work,
    }


def verdict_answer(verdict: Verdict, language: str) -> dict[str, Any]:
    """Return the document of a verdict: what was looked at, and what does not hold."""
    words = LABELS[language]
    data = verdict.data or {}
    return {
        "valid": verdict.valid,
        "status": verdict.status.value,
        "id": data.get("id") if isinstance(data.get("id"), str) else None,
        "summary": words.raw("verdicts", verdict.status.value),
        "checks": [
            {
                "name": check.name.value,
                "ok": check.ok,
                "reason": check.reason.value if check.reason else None,
                "detail": words.raw("checks", check.name.value) + _reason(words, check.reason),
                "values": [
                    {"name": name, "value": orjson.dumps(value).decode()}
                    for name, value in check.values.items()
                ],
            }
            for check in verdict.checks
        ],
    }


def _reason(words: Labels, reason: Reason | None) -> str:
    if reason is None:
        return ""
    return words.say("notices", "because", {"why": words.raw("reasons", reason.value)})


_PLAIN: Final = frozenset((int, str, bool, type(None)))


def exact(value: Fraction) -> dict[str, Any]:
    """Show a fraction and its decimal."""
    return {"p": str(value), "decimal": float(value)}


def plain(value: Any) -> Any:
    """Turn values of a step or of odds into JSON data."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, dict):
        return {k: v if type(v) in _PLAIN else plain(v) for k, v in value.items()}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)  # a decimal or a fraction
