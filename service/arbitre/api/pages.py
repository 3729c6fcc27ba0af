"""The pages about games, rules, tables, problems and the service itself."""

from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict

from arbitre.api.desk import Desk
from arbitre.api.documents import (
    AnyAnswer,
    Health,
    KeyPage,
    ProblemsPage,
    RulesPage,
    SystemPage,
    Systems,
    TablesPage,
)
from arbitre.api.envelope import plain
from arbitre.api.http import best_language, shown_by
from arbitre.api.problems import LABELS, store_down
from arbitre.rules.examples import load_examples
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System
from arbitre.store import StoreDownError


class PageQuery(BaseModel):
    """What a page can be asked."""

    model_config = ConfigDict(extra="forbid")

    lang: Literal["fr", "en"] | None = None


def chosen_language(
    request: Request,
    query: Annotated[PageQuery, Query()],
    accept_language: Annotated[str | None, Header()] = None,
) -> str:
    """Return the language of an answer."""
    language: str = query.lang or best_language(accept_language or "")
    request.state.language = language
    return language


Language = Annotated[str, Depends(chosen_language)]
SystemId = Annotated[str, Path(max_length=60, description="The game's id.")]


def desk_of(request: Request) -> Desk:
    """Return the desk of this app."""
    desk: Desk = request.app.state.desk
    return desk


TheDesk = Annotated[Desk, Depends(desk_of)]

PAGES = APIRouter()


@PAGES.get("/v1/systems", tags=["games"], operation_id="systems", response_model=Systems)
async def systems(desk: TheDesk, language: Language) -> dict[str, Any]:
    """List the games."""
    return {
        "systems": [
            {**_card(system, language), "resolvers": [rule.id for rule in system.resolvers]}
            for system in desk.registry.values()
        ]
    }


@PAGES.get("/v1/systems/{system}", tags=["games"], operation_id="system", response_model=SystemPage)
def system_page(system: SystemId, desk: TheDesk, language: Language) -> dict[str, Any]:
    """Show one game: its rules, and the schema and an example of each."""
    # not async: schemas take a while, and a thread leaves the event loop to the rolls
    game = desk.system(system)
    examples = {
        example.resolver: example.request
        for example in reversed(load_examples(game))
        if example.refused is None
    }
    return {
        **_card(game, language),
        "resolvers": [
            _resolver(game, rule, examples.get(rule.id, {}), language) for rule in game.resolvers
        ],
    }


@PAGES.get(
    "/v1/systems/{system}/rules", tags=["games"], operation_id="rules", response_model=RulesPage
)
async def rules_page(system: SystemId, desk: TheDesk, language: Language) -> dict[str, Any]:
    """List every rule and ruling of a game, and what applies it."""
    game = desk.system(system)
    return {
        "rules": [
            {
                "id": rule.id,
                "title": rule.title[language],
                "section": rule.section,
                "page": rule.page,
                "ruling": rule.ruling,
                "resolvers": [one.id for one in game.resolvers if rule.id in one.rules],
                "unclaimed": rule.unclaimed,
            }
            for rule in game.rules.values()
        ]
    }


@PAGES.get(
    "/v1/systems/{system}/tables", tags=["games"], operation_id="tables", response_model=TablesPage
)
async def tables_page(system: SystemId, desk: TheDesk, language: Language) -> dict[str, Any]:
    """Show the tables of a rulebook, as data."""
    game = desk.system(system)
    words = game.labels[language]
    return {
        "tables": [
            {
                "id": table.id,
                "title": words.raw("tables", table.id)["title"],
                "rules": table.rules,
                "columns": [
                    {"id": column, "label": words.raw("tables", table.id)[column]}
                    for column in table.columns
                ],
                "rows": [[plain(cell) for cell in row] for row in table.rows],
            }
            for table in game.tables
        ]
    }


@PAGES.get("/v1/problems", tags=["service"], operation_id="problems", response_model=ProblemsPage)
async def problems_page(desk: TheDesk, language: Language) -> dict[str, Any]:
    """List every problem an answer can be, and what to do about it."""
    sources: list[tuple[str | None, Any]] = [(None, LABELS[language])]
    sources += [(game.id, game.labels[language]) for game in desk.registry.values()]
    return {
        "problems": [
            {"code": code, "system": of, "detail": said, "fix": words.raw("fixes", code)}
            for of, words in sources
            for code, said in words.table("refusals").items()
        ]
    }


@PAGES.get("/v1/key", tags=["log"], operation_id="key", response_model=KeyPage)
async def key_page(desk: TheDesk, _language: Language) -> dict[str, Any]:
    """Show the public key that signs entries, to pin it."""
    signer = desk.signer
    return {"algorithm": "Ed25519", "key": signer.public_key, "key_id": signer.key_id}


@PAGES.get("/v1/rolls/{id}", tags=["log"], operation_id="logged_roll", response_model=AnyAnswer)
async def roll_page(
    id: Annotated[str, Path(max_length=60, description="The roll's id.")],  # noqa: A002
    request: Request,
    desk: TheDesk,
    language: Language,
) -> Any:
    """Show a logged roll, exactly as it was answered; a secret one needs the GM's token."""
    answer = await desk.roll(id, language, shown_by(request.scope).token)
    return Response(orjson.dumps(answer), media_type="application/json")


@PAGES.get("/healthz", tags=["service"], operation_id="health", response_model=Health)
async def health(_language: Language) -> dict[str, str]:
    """Say that the process lives."""
    return {"status": "ok"}


@PAGES.get("/readyz", tags=["service"], operation_id="ready", response_model=Health)
async def ready(desk: TheDesk, _language: Language) -> dict[str, str]:
    """Say that rolls can be logged; 503 when they cannot."""
    try:
        await desk.store.ping()
    except StoreDownError:
        raise store_down() from None
    return {"status": "ok"}


def _card(system: System, language: str) -> dict[str, Any]:
    return {
        "id": system.id,
        "name": system.labels[language].raw("system", "name"),
        "version": system.version,
        "languages": list(LANGUAGES),
    }


def _resolver(
    system: System, rule: Resolver[Any, Any], example: dict[str, Any], language: str
) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": system.labels[language].raw("resolvers", rule.id),
        "description": rule.doc,
        "rules": rule.rules,
        "odds": [field if isinstance(field, str) else "+".join(field) for field in rule.odds],
        "example": example,
        "request": rule.request.model_json_schema(),
        "outcome": rule.outcome.model_json_schema(mode="serialization"),
    }
