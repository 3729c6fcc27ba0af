"""The OpenAPI document: pages as FastAPI describes them, calls as the registry does."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from arbitre import __version__
from arbitre.api.calls import BatchCall, ChatCall, VerifyCall, call_model, odds_model, stem
from arbitre.api.documents import (
    BatchAnswers,
    ChatAnswer,
    NewTable,
    ProblemText,
    VerdictText,
    answer_model,
    odds_answer_model,
)
from arbitre.api.pages import PAGES
from arbitre.api.table_pages import DEEDS, TABLES, Deed
from arbitre.api.tables import TableCall
from arbitre.registry import Registry
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System

_REF: Final = "#/components/schemas/{model}"
_SHOWN: Final = 3
_ABOUT: Final = """Arbitre resolves the rules of tabletop games: send what a character attempts, \
get the dice, the verdict, an explanation that cites the rule, and a signed entry that anybody \
can replay. Every rule also answers its exact odds."""

_PROBLEMS: Final = {
    "400": "The body is not JSON.",
    "401": "The table's token is missing, or is not the right one.",
    "403": "The token does not give that right.",
    "404": "There is no such thing.",
    "409": "The rules, or the dice, refuse.",
    "412": "The table's log has moved on: nothing was rolled.",
    "413": "The body is too large.",
    "415": "The body is of another type.",
    "422": "The schema forbids it.",
    "503": "The log cannot be written: nothing was rolled.",
}

_LANGUAGE: Final = [
    {
        "name": "lang",
        "in": "query",
        "required": False,
        "description": "Language of the sentences; wins over Accept-Language.",
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    },
    {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "Languages the caller reads; French when none of ours is among them.",
        "schema": {"type": "string"},
    },
]

_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Any text of the caller's: a retry with the same key and body rolls only once.",
    "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,198}[!-~])?$"},
}


_REPLAYED: Final = {
    "Idempotency-Replayed": {
        "description": "true: an earlier request with the same key made this answer.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}


_TABLE: Final = {
    "name": "table",
    "in": "path",
    "required": True,
    "description": "The table's id.",
    "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
}


class _Schemas:
    """Collects the models that operations mention."""

    def __init__(self) -> None:
        self.wanted: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {}

    def body(self, model: type[BaseModel]) -> tuple[type[BaseModel], JsonSchemaMode]:
        return self._want(model, "validation")

    def answer(self, model: type[BaseModel]) -> tuple[type[BaseModel], JsonSchemaMode]:
        return self._want(model, "serialization")

    def _want(
        self, model: type[BaseModel], mode: JsonSchemaMode
    ) -> tuple[type[BaseModel], JsonSchemaMode]:
        self.wanted[model, mode] = None
        return model, mode


def document(registry: Registry) -> dict[str, Any]:
    """Return the whole document for the games of ``registry``."""
    app = FastAPI()
    app.include_router(PAGES)
    app.include_router(TABLES)
    found = get_openapi(
        title="Arbitre",
        version=__version__,
        openapi_version="3.1.0",
        summary="A rules referee as a service",
        description=_ABOUT,
        routes=app.routes,
        servers=[{"url": "/"}],
        contact={"name": "Arbitre", "url": "https://github.com/arbitre/arbitre"},
        license_info={"name": "MIT", "identifier": "MIT"},
        tags=[
            {"name": "games", "description": "The games, their rules and tables."},
            {"name": "log", "description": "Logged rolls, their proof, the signing key."},
            {"name": "tables", "description": "Tables: dice committed to beforehand."},
            {"name": "service", "description": "The service itself."},
            *(
                {"name": game.id, "description": game.labels["en"].raw("system", "name")}
                for game in registry.values()
            ),
        ],
    )
    schemas = _Schemas()
    operations: dict[str, dict[str, Any]] = {}
    for game in registry.values():
        examples = [row for row in load_examples(game) if row.refused is None]
        for rule in game.resolvers:
            path = f"/v1/{game.id}/{rule.id}"
            mine = [row for row in examples if row.resolver == rule.id][:_SHOWN]
            operations[path] = _resolving(game, rule, mine, schemas)
            if rule.odds:
                operations[f"{path}/odds"] = _asking(game, rule, mine, schemas)
        if game.chat is not None:
            operations[f"/v1/{game.id}/chat"] = _chatting(game, game.chat.example, schemas)
    operations["/v1/batch"] = _operation(
        "batch",
        "log",
        "Resolve many calls at once",
        "Up to a thousand resolutions; each gets its own answer or problem, in order.",
        schemas.body(BatchCall),
        schemas.answer(BatchAnswers),
        ("400", "413", "415", "422"),
        keyed=True,
    )
    operations["/v1/verify"] = _operation(
        "verify",
        "log",
        "Replay an entry",
        "Derive the faces again, run the rule again, and say whether all is equal.",
        schemas.body(VerifyCall),
        schemas.answer(VerdictText),
        ("400", "413", "415", "422"),
    )
    operations["/v1/tables"] = _operation(
        "new_table",
        "tables",
        "Open a table",
        "The seeds of its rolls are committed to in the answer; both tokens are shown only here.",
        schemas.body(TableCall),
        schemas.answer(NewTable),
        ("400", "413", "415", "422", "503"),
        status="201",
        follow="table.table",
    )
    for deed in DEEDS:
        operations[f"/v1/tables/{{table}}/{deed.name}"] = _table_operation(deed, schemas)
    schemas.answer(ProblemText)
    refs, definitions = models_json_schema(list(schemas.wanted), ref_template=_REF)
    components = found.setdefault("components", {}).setdefault("schemas", {})
    components.update(definitions.get("$defs", {}))
    components.pop("HTTPValidationError", None)
    components.pop("ValidationError", None)
    for item in operations.values():
        _settle(item["post"], refs)
    found["paths"].update(operations)
    found["components"]["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A table's token: the game master's or the players'.",
        }
    }
    for path, item in found["paths"].items():
        for operation in item.values():
            operation.setdefault("security", [])
            if path not in operations:
                _page(path, operation)
    found["paths"] = dict(sorted(found["paths"].items()))
    found["components"]["schemas"] = dict(sorted(components.items()))
    return found


def _resolving(
    game: System, rule: Resolver[Any, Any], examples: list[Example], schemas: _Schemas
) -> dict[str, Any]:
    name = game.labels["en"].raw("resolvers", rule.id)
    item = _operation(
        stem(rule),
        game.id,
        f"{name[:1].upper()}{name[1:]}",
        _described(rule),
        schemas.body(call_model(rule)),
        schemas.answer(answer_model(rule)),
        ("400", "401", "403", "404", "409", "412", "413", "415", "422", "503"),
        keyed=True,
        follow="logged_roll.id",
    )
    shown = {
        example.id: {
            "summary": f"{example.id}, {example.source}",
            "value": {"request": example.request, "dice": list(example.faces)},
        }
        for example in examples
    }
    item["post"]["requestBody"]["content"]["application/json"]["examples"] = shown
    return item


def _asking(
    game: System, rule: Resolver[Any, Any], examples: list[Example], schemas: _Schemas
) -> dict[str, Any]:
    name = game.labels["en"].raw("resolvers", rule.id)
    fields = ", ".join(field if isinstance(field, str) else "+".join(field) for field in rule.odds)
    item = _operation(
        f"{stem(rule)}Odds",
        game.id,
        f"{name[:1].upper()}{name[1:]}: exact odds",
        f"The exact distribution of {fields}.",
        schemas.body(odds_model(rule)),
        schemas.answer(odds_answer_model(rule)),
        ("400", "409", "413", "415", "422", "503"),
    )
    shown = {
        example.id: {"summary": example.id, "value": {"request": example.request}}
        for example in examples
    }
    item["post"]["requestBody"]["content"]["application/json"]["examples"] = shown
    return item


def _chatting(game: System, line: str, schemas: _Schemas) -> dict[str, Any]:
    item = _operation(
        f"{game.models}Chat",
        game.id,
        "One line of notation",
        "Reads a line as players type it, and answers as the rule it names does.",
        schemas.body(ChatCall),
        schemas.answer(ChatAnswer),
        ("400", "401", "403", "404", "409", "412", "413", "415", "422", "503"),
        keyed=True,
    )
    media = item["post"]["requestBody"]["content"]["application/json"]
    media["examples"] = {"line": {"value": {"line": line}}}
    return item


def _described(rule: Resolver[Any, Any]) -> str:
    rules = ", ".join(rule.rules)
    return f"{rule.doc}\n\nRules: {rules}."


def _operation(
    operation_id: str,
    tag: str,
    summary: str,
    description: str,
    body: tuple[type[BaseModel], JsonSchemaMode],
    answer: tuple[type[BaseModel], JsonSchemaMode],
    problems: tuple[str, ...],
    *,
    keyed: bool = False,
    status: str = "200",
    follow: str | None = None,
) -> dict[str, Any]:
    """Describe a POST; ``follow`` is the operation that shows what it made, by its id."""
    answered: dict[str, Any] = {
        "description": "The answer.",
        "content": {"application/json": {"schema": answer}},
    }
    if keyed:
        answered["headers"] = _REPLAYED
    if follow:
        name, parameter = follow.split(".")
        linked = {"operationId": name, "parameters": {parameter: "$response.body#/id"}}
        answered["links"] = {name: linked}
    return {
        "post": {
            "operationId": operation_id,
            "tags": [tag],
            "summary": summary,
            "description": description,
            "parameters": [*_LANGUAGE, _KEY] if keyed else list(_LANGUAGE),
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                status: answered,
                **{problem: _problem(problem) for problem in problems},
            },
        }
    }


def _table_operation(deed: Deed, schemas: _Schemas) -> dict[str, Any]:
    item = _operation(
        f"table_{deed.name}",
        "tables",
        deed.name.capitalize(),
        deed.about,
        schemas.body(deed.call),
        schemas.answer(deed.answer),
        ("400", "401", "403", "404", "409", "413", "415", "422", "503"),
        keyed=True,
    )
    item["post"]["parameters"].insert(0, _TABLE)
    item["post"]["security"] = [{"token": []}]
    return item


def _settle(operation: dict[str, Any], refs: Any) -> None:
    """Put references where ``_operation`` left models."""
    answered = next(iter(operation["responses"].values()))
    for holder in (operation["requestBody"], answered):
        media = holder["content"]["application/json"]
        media["schema"] = refs[media["schema"]]


def _page(path: str, operation: dict[str, Any]) -> None:
    """Say of a page which problems it can answer."""
    operation.pop("title", None)
    statuses = ["422"]
    if "{" in path:
        statuses.append("404")
    if path.startswith(("/v1/rolls", "/v1/tables")):
        statuses += ["401", "403", "503"]
    if path == "/readyz":
        statuses.append("503")
    operation["responses"].update({status: _problem(status) for status in statuses})


def _problem(status: str) -> dict[str, Any]:
    schema = {"$ref": _REF.format(model=ProblemText.__name__)}
    return {
        "description": _PROBLEMS[status],
        "content": {"application/problem+json": {"schema": schema}},
    }
