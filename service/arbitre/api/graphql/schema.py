"""The GraphQL schema of a registry: a field for each rule, a namespace for each game."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeVar, cast

import orjson
import strawberry
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema
from pydantic import Field, create_model
from strawberry.scalars import JSON
from strawberry.types.field import StrawberryField

from arbitre.api.graphql.answers import KnownSystem, Probabilities, Resolution
from arbitre.api.graphql.derive import Types, camel, fields_of
from arbitre.api.graphql.derive import field as typed
from arbitre.api.problems import Problem
from arbitre.registry import Registry
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System

ODDS = "Odds"
"""Ends the name of a field that asks for odds."""

T = TypeVar("T")

Language = StrEnum("Language", [(language.upper(), language) for language in LANGUAGES])


class Desk(Protocol):
    """Where calls are resolved: bodies in, plain data out, ``Problem`` raised."""

    def rule(self, system: str, resolver: str) -> Any:
        """Return a rule by its ids."""

    async def resolve(
        self, rule: Any, body: bytes, language: str, key: str | None = None
    ) -> dict[str, Any]:
        """Roll, log and answer."""

    async def odds(self, rule: Any, body: bytes, language: str) -> dict[str, Any]:
        """Work out exact odds."""

    async def roll(self, id: str, language: str) -> dict[str, Any]:  # noqa: A002 - it is the id
        """Return a logged roll."""

    async def verify(self, body: bytes, language: str) -> dict[str, Any]:
        """Replay an entry."""


@dataclass(slots=True)
class Context:
    """What the fields of one operation share."""

    desk: Desk
    language: str
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


def build_schema(registry: Registry) -> GraphQLSchema:
    """Return the schema of ``registry``, ready to execute."""
    types = Types()
    strawberries = _strawberry_schema(registry, types)
    core = strawberries._schema  # noqa: SLF001 - executed directly, without strawberry's hooks
    types.settle(core)
    return core


def sdl(registry: Registry) -> str:
    """Return the schema of ``registry`` in GraphQL's own language."""
    return _strawberry_schema(registry, Types()).as_str() + "\n"


def refusal(problem: Problem, language: str) -> GraphQLError:
    """Return ``problem`` as a GraphQL error: its detail, and the rest in the extensions."""
    document = problem.document(language)
    message = document.pop("detail")
    return GraphQLError(message, original_error=problem, extensions=document)


def _strawberry_schema(registry: Registry, types: Types) -> strawberry.Schema:
    queries = _general(registry, types)
    mutations = []
    for system in registry.values():
        asked = [_odds(types, system, rule) for rule in system.resolvers if rule.odds or rule.aid]
        if asked:
            queries.append(_namespace(system, f"{system.models}Queries", asked))
        rolled = [_resolution(types, system, rule) for rule in system.resolvers]
        mutations.append(_namespace(system, f"{system.models}Mutations", rolled))
    return strawberry.Schema(
        query=fields_of("Query", queries),
        mutation=fields_of("Mutation", mutations) if mutations else None,
    )


def _namespace(system: System, name: str, fields: list[StrawberryField]) -> StrawberryField:
    title = system.labels["en"].raw("system", "name")
    return typed(system.id.replace("-", "_"), fields_of(name, fields, title), _nothing)


def _nothing(_source: Any, _info: GraphQLResolveInfo) -> dict[str, Any]:
    return {}


def _resolution(types: Types, system: System, rule: Resolver[Any, Any]) -> StrawberryField:
    async def resolve(
        _source: Any,
        info: GraphQLResolveInfo,
        *,
        language: str | None = None,
        idempotency_key: str | None = None,
        **body: Any,
    ) -> dict[str, Any]:
        context: Context = info.context
        chosen = _chosen(context, language)
        async with context.turn:  # rolls of one operation are logged in its order
            return await _told(
                chosen,
                lambda: context.desk.resolve(
                    context.desk.rule(system.id, rule.id), _body(body), chosen, idempotency_key
                ),
            )

    answer = create_model(
        f"{_stem(rule)}Resolution",
        __base__=Resolution,
        __doc__=rule.doc,
        request=(rule.request, Field(description="The request, with its defaults.")),
        outcome=(rule.outcome, Field(description="What the rules make of it.")),
    )
    return _call(
        types,
        rule,
        rule.id.replace("-", "_"),
        answer,
        resolve,
        {
            "dice": list[int] | None,
            "seed": str | None,
            "actor": str | None,
            "note": str | None,
            "idempotency_key": str | None,
        },
    )


def _odds(types: Types, system: System, rule: Resolver[Any, Any]) -> StrawberryField:
    async def resolve(
        _source: Any, info: GraphQLResolveInfo, *, language: str | None = None, **body: Any
    ) -> dict[str, Any]:
        context: Context = info.context
        chosen = _chosen(context, language)
        return await _told(
            chosen,
            lambda: context.desk.odds(context.desk.rule(system.id, rule.id), _body(body), chosen),
        )

    fields: dict[str, Any] = {
        "request": (rule.request, Field(description="The request, with its defaults."))
    }
    options: dict[str, Any] = {}
    if rule.aid:
        fields["aid"] = (rule.aid.answer | None, Field(description="What the rule's aid answers."))
        if rule.aid.options:
            options["options"] = types.input(rule.aid.options) | None
    answer = create_model(
        f"{_stem(rule)}Probabilities", __base__=Probabilities, __doc__=rule.doc, **fields
    )
    return _call(types, rule, f"{rule.id.replace('-', '_')}_odds", answer, resolve, options)


def _call(
    types: Types,
    rule: Resolver[Any, Any],
    name: str,
    answer: type[Any],
    resolve: Callable[..., Any],
    others: Mapping[str, Any],
) -> StrawberryField:
    request = types.input(rule.request)
    asked = {} if request is None else {"request": request}
    return typed(
        name,
        types.output(answer) | None,
        resolve,
        arguments={**asked, **others, "language": types.choice(Language) | None},
        description=rule.doc,
    )


def _general(registry: Registry, types: Types) -> list[StrawberryField]:
    system = types.output(KnownSystem)
    language = types.choice(Language) | None

    def every(_source: Any, info: GraphQLResolveInfo, language: str | None = None) -> Any:
        return [_known(each, _chosen(info.context, language)) for each in registry.values()]

    def one(_source: Any, info: GraphQLResolveInfo, id: str, language: str | None = None) -> Any:  # noqa: A002 - it is the id
        found = registry.get(id)
        return found and _known(found, _chosen(info.context, language))

    async def roll(
        _source: Any,
        info: GraphQLResolveInfo,
        id: str,
        language: str | None = None,  # noqa: A002 - it is the id
    ) -> Any:
        context: Context = info.context
        chosen = _chosen(context, language)
        return await _told(chosen, lambda: context.desk.roll(id, chosen))

    async def verify(
        _source: Any, info: GraphQLResolveInfo, *, language: str | None = None, **body: Any
    ) -> Any:
        context: Context = info.context
        chosen = _chosen(context, language)
        return await _told(chosen, lambda: context.desk.verify(orjson.dumps(body), chosen))

    return [
        typed(
            "systems",
            list[system],
            every,
            arguments={"language": language},
            description="The games.",
        ),
        typed(
            "system",
            system | None,
            one,
            arguments={"id": str, "language": language},
            description="One game.",
        ),
        typed(
            "roll",
            JSON | None,
            roll,
            arguments={"id": str, "language": language},
            description="A logged roll.",
        ),
        typed(
            "verify",
            JSON | None,
            verify,
            arguments={"entry": str, "sig": str | None, "language": language},
            description="Replay an entry: equal, or where it differs and why.",
        ),
    ]


def _known(system: System, language: str) -> dict[str, Any]:
    labels = system.labels[language]
    return {
        "id": system.id,
        "name": labels.raw("system", "name"),
        "version": system.version,
        "languages": LANGUAGES,
        "resolvers": [
            {"id": rule.id, "title": labels.raw("resolvers", rule.id), "rules": rule.rules}
            for rule in system.resolvers
        ],
    }


def _stem(rule: Resolver[Any, Any]) -> str:
    return rule.request.__name__.removesuffix("Request")


def _chosen(context: Context, language: str | None) -> str:
    return str(language.value) if isinstance(language, StrEnum) else context.language


def _body(given: dict[str, Any]) -> bytes:
    return orjson.dumps({"request": {}, **given})


async def _told(language: str, ask: Callable[[], Awaitable[T]]) -> T:
    try:
        return await ask()
    except Problem as problem:
        raise refusal(problem, language) from None
