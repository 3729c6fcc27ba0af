"""What every game must show, one case for each thing that can fail."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import to_json

from arbitre.dice import (
    Budget,
    BudgetExceededError,
    DiceFaceError,
    DiceLeftError,
    DiceMissingError,
    HandFaces,
    SeededFaces,
    caller_seed,
)
from arbitre.odds import odds_of
from arbitre.odds.paths import ABSENT, readings
from arbitre.rules.errors import RuleRefused
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.model import choices_of, models_of
from arbitre.rules.notation import one_word, parse, render
from arbitre.rules.play import Play, play
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System

SEEDS = 5
"""Seeded rolls that each example's request makes."""

_DICE_CODES = {
    DiceMissingError: "dice-missing",
    DiceLeftError: "dice-left",
    DiceFaceError: "dice-face",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to hold, by name."""

    name: str
    run: Callable[[], None]

    def __str__(self) -> str:
        """Name it."""
        return self.name


def cases(system: System) -> list[Case]:
    """Return the whole contract of ``system``."""
    examples = load_examples(system)
    found = [
        Case("rules claimed, cited and shown", partial(_rules, system, examples)),
        Case("examples have ids of their own", partial(_unique, system, examples)),
    ]
    for resolver in system.resolvers:
        name = resolver.id
        found += [
            Case(f"{name}: models", partial(_models, system, resolver)),
            Case(f"{name}: labels", partial(_labels, system, resolver)),
            Case(f"{name}: an example", partial(_shown, resolver, examples)),
        ]
    for example in examples:
        found.append(Case(f"{example}: by hand", partial(_by_hand, system, example)))
        if example.chat:
            found.append(Case(f"{example}: chat", partial(_chat, system, example)))
        if example.refused is None:
            found += [
                Case(f"{example}: odds", partial(_odds, system, example)),
                Case(f"{example}: seeded", partial(_seeded, system, example)),
                Case(f"{example}: sentences", partial(_sentences, system, example)),
            ]
    return found


def resolved(system: System, example: Example) -> Play[Any]:
    """Play an example with its own faces."""
    resolver = system.by_id[example.resolver]
    request = resolver.request.model_validate_json(to_json(example.request))
    return play(resolver, request, HandFaces(example.faces))


def refusal(system: System, example: Example) -> str | None:
    """Return the code with which an example is refused, or None."""
    try:
        resolved(system, example)
    except ValidationError:
        return "invalid"
    except RuleRefused as refused:
        return refused.code
    except (DiceMissingError, DiceLeftError, DiceFaceError) as wrong:
        return _DICE_CODES[type(wrong)]
    return None


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[str]:
    """Say where ``actual`` is not what ``expected`` states; fields not stated are free."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            if key not in actual:
                yield f"{path}.{key}: no such field"
            else:
                yield from differences(value, actual[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{path}: {len(expected)} items expected, not {len(actual)}: {actual}"
        for index, pair in enumerate(zip(expected, actual, strict=False)):
            yield from differences(*pair, f"{path}[{index}]")
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{path}: expected {expected!r}, not {actual!r}"


def _fail(problems: list[str]) -> None:
    if problems:
        raise AssertionError("\n".join(problems))


def _rules(system: System, examples: list[Example]) -> None:
    claimed = {rule for resolver in system.resolvers for rule in resolver.rules}
    shown = {rule for example in examples for rule in example.rules}
    problems = [f"{rule} is claimed but not in rules.toml" for rule in claimed - set(system.rules)]
    for rule in system.rules.values():
        if (rule.id in claimed) == bool(rule.unclaimed):
            problems.append(f"{rule.id}: claim it in a resolver, or say why not (one of the two)")
        if rule.id in claimed and not rule.ruling and rule.id not in shown:
            problems.append(f"{rule.id}: no example shows it")
    problems += [f"examples show unknown {rule}" for rule in shown - set(system.rules)]
    _fail(problems)


def _unique(system: System, examples: list[Example]) -> None:
    seen = [example.id for example in examples]
    problems = [f"{id_} twice" for id_ in sorted({id_ for id_ in seen if seen.count(id_) > 1})]
    problems += [
        f"{example}: no such resolver"
        for example in examples
        if example.resolver not in system.by_id
    ]
    _fail(problems)


def _shown(resolver: Resolver[Any, Any], examples: list[Example]) -> None:
    mine = [e for e in examples if e.resolver == resolver.id and e.refused is None]
    _fail([] if mine else [f"{resolver.id}: no worked example"])


def _models(system: System, resolver: Resolver[Any, Any]) -> None:
    problems = []
    for root, is_request in ((resolver.request, True), (resolver.outcome, False)):
        for model in models_of(root):
            if not model.__name__.startswith(system.models):
                problems.append(f"{model.__name__} must begin with {system.models}")
            for name, info in model.model_fields.items():
                where = f"{model.__name__}.{name}"
                problems += [f"{where}: {said}" for said in _field_faults(info.annotation)]
                if not info.description:
                    problems.append(f"{where}: no description under it")
        for choice in choices_of(root):
            if not choice.__name__.startswith(system.models):
                problems.append(f"{choice.__name__} must begin with {system.models}")
        if is_request:
            problems += _unbounded(root.model_json_schema(), root.__name__)
    if not resolver.doc:
        problems.append(f"{resolver.id}: no docstring")
    _fail(problems)


def _field_faults(annotation: Any) -> Iterator[str]:
    found = set(_flat(annotation))
    if found & {float, dict, list, set, Any}:
        yield "no float, dict, list or Any"


def _flat(annotation: Any) -> Iterator[Any]:
    yield annotation
    origin = getattr(annotation, "__origin__", None)
    if origin is not None:
        yield origin
    for inner in get_args(annotation):
        yield from _flat(inner)


_BOUND = 2**31


def _unbounded(schema: Any, path: str) -> list[str]:
    """Find integers, texts and lists without bounds in a JSON schema."""
    if isinstance(schema, list):
        return [said for item in schema for said in _unbounded(item, path)]
    if not isinstance(schema, dict):
        return []
    problems = []
    kind = schema.get("type")
    if "enum" not in schema and "const" not in schema:
        if kind == "integer":
            low, high = schema.get("minimum"), schema.get("maximum")
            if low is None or high is None or not -_BOUND <= low <= high < _BOUND:
                problems.append(f"{path}: an integer needs both bounds, in 32 bits")
        if kind == "string" and "maxLength" not in schema and "pattern" not in schema:
            problems.append(f"{path}: a text needs max_length")
    if kind == "array" and "maxItems" not in schema:
        problems.append(f"{path}: a list needs max_length")
    for key, value in schema.items():
        if key not in {"default", "enum", "const", "examples"}:
            problems += _unbounded(value, f"{path}.{key}" if key != "properties" else path)
    return problems


def _labels(system: System, resolver: Resolver[Any, Any]) -> None:
    problems = []
    for language in LANGUAGES:
        labels = system.labels[language]
        wanted: list[tuple[str, str]] = [("resolvers", resolver.id), ("system", "name")]
        for root in (resolver.request, resolver.outcome):
            for model in models_of(root):
                problems += [
                    f"{language}: no label for {model.__name__}.{name}"
                    for name in model.model_fields
                    if not (labels.has(model.__name__, name) or labels.has("fields", name))
                ]
            wanted += [
                (choice.__name__, member.value) for choice in choices_of(root) for member in choice
            ]
        problems += [
            f"{language}: no label [{table}] {key}"
            for table, key in wanted
            if not labels.has(table, key)
        ]
    _fail(problems)


def _by_hand(system: System, example: Example) -> None:
    code = refusal(system, example)
    if code != example.refused:
        _fail([f"{example}: refused with {code!r}, not {example.refused!r}"])
    if code is not None:
        for language in LANGUAGES if code not in {"invalid", *_DICE_CODES.values()} else ():
            labels = system.labels[language]
            labels.raw("refusals", code)
            labels.raw("fixes", code)
        return
    played = resolved(system, example)
    draws = [
        {"tag": draw.tag, "sides": draw.sides, "faces": list(draw.faces)} for draw in played.draws
    ]
    problems = list(differences(list(example.draws), draws, "draws"))
    outcome = played.outcome.model_dump(mode="json")
    problems += differences(example.outcome, outcome, "outcome")
    for path in example.absent:
        value: Any = outcome
        for key in path.split("."):
            value = value[int(key)] if isinstance(value, list) else value[key]
        if value is not None:
            problems.append(f"outcome.{path}: expected nothing, not {value!r}")
    _fail(problems)


def _odds(system: System, example: Example) -> None:
    resolver = system.by_id[example.resolver]
    if not resolver.odds:
        _fail([f"{example} states odds of no field"] if example.odds else [])
        return
    request = resolver.request.model_validate_json(to_json(example.request))
    options = None
    if example.options is not None and resolver.aid and resolver.aid.options:
        options = resolver.aid.options.model_validate_json(to_json(example.options))
    try:
        odds = odds_of(resolver, request, options, Budget())
    except BudgetExceededError:
        _fail([f"{example}: the odds exceed the budget"])
        return
    by_field = {
        field.field: {_word(row.value): row.p for row in field.values} for field in odds.fields
    }
    problems = [
        f"{name}: chances add up to {sum(chances.values())}"
        for name, chances in by_field.items()
        if sum(chances.values()) != 1
    ]
    outcome = resolved(system, example).outcome if example.draws or not example.odds else None
    if outcome is not None:
        problems += [
            f"{name} = {value!r} happened, but has no odds"
            for field in resolver.odds
            for name, value in readings(outcome, field)
            if value is not ABSENT and _word(value) not in by_field.get(name, {})
        ]
    for name, chances in example.odds.items():
        for value, p in chances.items():
            actual = by_field.get(name, {}).get(value, 0)
            if str(actual) != p:
                problems.append(f"odds of {name} = {value}: expected {p}, not {actual}")
    if example.aid:
        aid = odds.aid.model_dump(mode="json") if odds.aid else {}
        problems += differences(example.aid, aid, "aid")
    _fail(problems)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "+".join(_word(item) for item in value)
    return "null" if value is None else str(value)


def _chat(system: System, example: Example) -> None:
    """Each line says the example's request, with blanks or without, and is written back."""
    model = system.by_id[example.resolver].request
    wanted = model.model_validate_json(to_json(example.request))
    problems = []
    for line in example.chat:
        written = render(system, example.resolver, parse(system, line).request)
        for said in (line, one_word(line), written, one_word(written)):
            resolver, request, *_ = parse(system, said)
            if resolver != example.resolver:
                problems.append(f"{said}: {resolver}, not {example.resolver}")
            elif model.model_validate_json(to_json(request)) != wanted:
                problems.append(f"{said}: {request}, not {example.request}")
        if render(system, example.resolver, parse(system, written).request) != written:
            problems.append(f"{written}: written differently the second time")
    _fail(problems)


def _seeded(system: System, example: Example) -> None:
    resolver = system.by_id[example.resolver]
    request = resolver.request.model_validate_json(to_json(example.request))
    for number in range(SEEDS):
        seeded = play(resolver, request, SeededFaces(caller_seed(f"{example.id} {number}")))
        faces = [face for draw in seeded.draws for face in draw.faces]
        again = play(resolver, request, HandFaces(faces))
        if (again.outcome, again.draws, again.notes) != (
            seeded.outcome,
            seeded.draws,
            seeded.notes,
        ):
            _fail([f"{example}: hand faces {faces} do not give the seeded outcome again"])


def _sentences(system: System, example: Example) -> None:
    """Every step cites a rule the resolver claims, and reads in both languages."""
    resolver = system.by_id[example.resolver]
    played = resolved(system, example)
    problems = [
        f"step {note.key}: {note.rule} is not claimed by {resolver.id}"
        for note in played.notes
        if note.rule not in resolver.rules
    ]
    problems += [
        f"step {note.key}: {name} is text; only numbers and choices belong in a sentence"
        for note in played.notes
        for name, value in note.values.items()
        if isinstance(value, str) and not isinstance(value, StrEnum)
    ]
    chosen = resolver.summary(played.outcome)
    for language in LANGUAGES:
        labels = system.labels[language]
        for key in (chosen,) if isinstance(chosen, str) else chosen:
            labels.say("summaries", key, played.outcome)
        for note in played.notes:
            labels.say("steps", note.key, note.values)
    _fail(problems)
