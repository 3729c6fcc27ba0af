"""Whatever is refused can be said: in both languages, with the numbers that the sentence needs."""

import ast
import json
from collections.abc import Iterator
from importlib.resources import files
from string import Formatter
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from arbitre.api.problems import LABELS, REFUSALS, Fault, Problem, invalid, refused
from arbitre.dice import (
    BudgetExceededError,
    DiceFaceError,
    DiceLeftError,
    DiceLimitError,
    DiceMissingError,
)
from arbitre.rules.errors import RuleRefused
from arbitre.rules.labels import LANGUAGES, Labels
from arbitre.rules.model import Frozen
from arbitre.rules.system import System
from doors import GAMES, name

DUE = {"pointer", "rule"}


class Raised(NamedTuple):
    """One place in the code where something is refused."""

    code: str
    values: set[str]
    where: str


def placeholders(text: str) -> set[str]:
    return {field.split(".")[0] for _, field, _, _ in Formatter().parse(text) if field}


def called(package: str, function: str) -> Iterator[tuple[ast.Call, str]]:
    """Find every call of ``function`` in a package's modules."""
    for path in files(package).iterdir():
        if path.name.endswith(".py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
                    yield node, f"{path.name}:{node.lineno}"


def codes(node: ast.expr) -> list[str]:
    """Return the codes that an expression can be, as far as it states them."""
    if isinstance(node, ast.IfExp):
        return codes(node.body) + codes(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) else []


def refusals(system: System) -> list[Raised]:
    """Every refusal that a game's code states."""
    return [
        Raised(code, {str(word.arg) for word in call.keywords} - DUE, where)
        for call, where in called(system.package, "RuleRefused")
        for code in codes(call.args[0])
        if all(word.arg for word in call.keywords)
    ]


def lacking(labels: Labels, raised: Raised) -> set[str]:
    texts = [labels.raw(table, raised.code) for table in ("refusals", "fixes")]
    return {field for text in texts for field in placeholders(text)} - raised.values


@pytest.mark.parametrize("system", GAMES, ids=name)
def test_every_refusal_of_a_game_has_words_and_what_fills_them(system: System) -> None:
    found = refusals(system)
    assert found
    for language in LANGUAGES:
        labels = system.labels[language]
        for raised in found:
            assert labels.has("refusals", raised.code), raised
            assert not lacking(labels, raised), (language, raised)


@pytest.mark.parametrize("system", GAMES, ids=name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_and_fixes_come_in_pairs(system: System, language: str) -> None:
    labels = system.labels[language]
    assert set(labels.table("refusals")) == set(labels.table("fixes"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_of_the_service_has_words_and_what_fills_them(language: str) -> None:
    labels = LABELS[language]
    found = [*called("arbitre.api", "Problem"), *called("arbitre", "Problem")]
    assert len(found) > 20
    for call, where in found:
        given = next((word.value for word in call.keywords if word.arg == "values"), None)
        keys = [key for key in given.keys if key] if isinstance(given, ast.Dict) else []
        values = {key.value for key in keys if isinstance(key, ast.Constant)}
        for code in codes(call.args[1]):
            for table in ("titles", "refusals", "fixes"):
                needed = placeholders(labels.raw(table, code))
                assert isinstance(given, ast.Name) or needed <= values, (where, table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_has_words(language: str) -> None:
    labels = LABELS[language]
    for call, where in called("arbitre.api", "Fault"):
        for code in codes(call.args[1]) if len(call.args) > 1 else []:
            assert labels.has("faults", code) or labels.has("refusals", code), where


def said(error: Exception) -> dict[str, dict[str, Any]]:
    problem = refused(error, GAMES[0])
    return {language: problem.document(language) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("error", "code", "pointer", "detail"),
    [
        (
            DiceMissingError("a", sides=6, needed=3, given=1),
            "dice-missing",
            "/dice",
            "At least 3 dice must be given; 1 was. The next one is a d6.",
        ),
        (
            DiceLeftError(needed=1, given=3),
            "dice-left",
            "/dice",
            "The rule draws 1 die; 3 were given.",
        ),
        (
            DiceFaceError(index=2, tag="a", sides=6),
            "dice-face",
            "/dice/2",
            "Die number 3 is a d6: its face goes from 1 to 6.",
        ),
        (
            BudgetExceededError(1000),
            "odds-budget",
            "/request",
            "The exact odds of this request take more than 1000 operations.",
        ),
        (
            DiceLimitError(500),
            "dice-limit",
            "/request",
            "One resolution cannot draw more than 500 dice.",
        ),
    ],
)
def test_what_the_dice_refuse_is_409_in_both_languages(
    error: Exception, code: str, pointer: str, detail: str
) -> None:
    assert isinstance(error, REFUSALS)
    found = said(error)
    for document in found.values():
        assert (document["status"], document["code"]) == (409, code)
        assert [fault["pointer"] for fault in document["faults"]] == [pointer]
    assert found["en"]["detail"] == detail
    assert found["fr"]["detail"] != detail
    assert found["fr"]["fix"] != found["en"]["fix"]


def test_a_rule_that_refuses_names_itself_and_the_place() -> None:
    system = GAMES[0]
    raised = next(row for row in refusals(system) if not row.values)
    error = RuleRefused(raised.code, pointer="/a", rule="X-01")
    document = refused(error, system).document("en")
    assert document["rule"] == "X-01"
    assert document["faults"][0]["pointer"] == "/request/a"
    assert document["title"] == "The rules refuse"
    assert document["detail"] == document["faults"][0]["detail"]


def test_what_is_no_refusal_stays_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        refused(ZeroDivisionError(), GAMES[0])


def test_a_body_that_pydantic_cannot_parse_is_not_json() -> None:
    with pytest.raises(ValidationError) as wrong:
        TypeAdapter(int).validate_json("{")
    assert invalid(wrong.value, None).document("en")["code"] == "not-json"


class Fall(Frozen):
    kind: Literal["fall"]
    height: int


class Fire(Frozen):
    kind: Literal["fire"]


class Scene(Frozen):
    dangers: tuple[Annotated[Fall | Fire, Field(discriminator="kind")], ...]
    odd: int | Fall = 0


def test_a_pointer_leaves_out_what_pydantic_adds() -> None:
    body = {
        "dangers": [{"kind": "fall", "height": "x"}, {"kind": "ice"}, {}, {"kind": "fire", "x": 1}],
        "odd": {"kind": "fall"},
    }
    with pytest.raises(ValidationError) as wrong:
        Scene.model_validate_json(json.dumps(body))
    document = invalid(wrong.value, body).document("en")
    assert [(fault["pointer"], fault["code"], fault["detail"]) for fault in document["faults"]] == [
        ("/dangers/0/height", "not-whole", "a whole number"),
        ("/dangers/1", "unknown-value", "one of: fall, fire"),
        ("/dangers/2", "tag-required", "the field that chooses the variant is missing"),
        ("/dangers/3/x", "unknown-field", "unknown field"),
        ("/odd", "not-whole", "a whole number"),
        ("/odd/height", "required", "required"),
    ]


def test_a_problem_without_values_says_what_it_is() -> None:
    problem = Problem(404, "no-roll", faults=(Fault("/id", "required"),))
    assert str(problem) == "no-roll"
    assert problem.document("fr")["faults"][0]["detail"] == "champ obligatoire"
