"""The GraphQL schema of a registry: a field for each rule, a namespace for each game."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson
import strawberry
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema
from strawberry.schema.config import StrawberryConfig
from strawberry.types.field import StrawberryField

from arbitre.api.desk import Desk
from arbitre.api.documents import (
    AnyAnswer,
    Document,
    VerdictText,
    answer_model,
    odds_answer_model,
)
from arbitre.api.graphql.derive import SCALARS, Types, field, fields_of
from arbitre.api.http import checked_key
from arbitre.api.problems import Problem
from arbitre.registry import Registry
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System

Language = StrEnum("Language", [(language.upper(), language) for language in LANGUAGES])  # type: ignore[misc]

Info = GraphQLResolveInfo["Context"]


@dataclass(frozen=True, slots=True)
class Context:
    """What the fields of one operation share."""

    desk: Desk
    language: str


class KnownResolver(Document):
    """A rule that can be called."""

    id: str
    """Its id."""
    title: str
    """What it resolves."""
    rules: list[str]
    """The ids of the rules and rulings it applies."""


class KnownSystem(Document):
    """A game."""

    id: str
    """Its id, in addresses."""
    name: str
    """Its name."""
    version: str
    """The version of its rules; it changes when any outcome does."""
    languages: list[str]
    """The languages its sentences exist in."""
    resolvers: list[KnownResolver]
    """Its rules."""


def build_schema(registry: Registry) -> GraphQLSchema:
    """Return the schema of ``registry``, ready to execute."""
    build = _Build(registry)
    core = build.schema()._schema  # noqa: SLF001 - executed without strawberry's hooks
    build.types.settle(core)
    return core


def sdl(registry: Registry) -> str:
    """Return the schema of ``registry`` in GraphQL's own language."""
    return f"{_Build(registry).schema().as_str()}\n"


def refusal(problem: Problem, language: str) -> GraphQLError:
    """Return ``problem`` as a GraphQL error: its detail, and the rest in the extensions."""
    document = problem.document(language)
    return GraphQLError(document.pop("detail"), original_error=problem, extensions=document)


class _Build:
    def __init__(self, registry: Registry) -> None:
        self.types = Types()
        self._registry = registry
        self._language = self.types.choice(Language) | None

    def schema(self) -> strawberry.Schema:
        queries, mutations = self._general(), []
        for system in self._registry.values():
            asked = [self._odds(system, rule) for rule in system.resolvers if rule.odds]
            if asked:
                queries.append(_namespace(system, f"{system.models}Queries", asked))
            rolled = [self._resolution(system, rule) for rule in system.resolvers]
            mutations.append(_namespace(system, f"{system.models}Mutations", rolled))
        return strawberry.Schema(
            query=fields_of("Query", queries),
            mutation=fields_of("Mutation", mutations) if mutations else None,
            config=StrawberryConfig(scalar_map=SCALARS),
        )

    def _resolution(self, system: System, rule: Resolver[Any, Any]) -> StrawberryField:
        ids = system.id, rule.id

        async def resolve(
            context: Context, language: str, *, idempotency_key: str | None = None, **body: Any
        ) -> Any:
            key = None if idempotency_key is None else checked_key(idempotency_key)
            return await context.desk.resolve(context.desk.rule(*ids), _body(body), language, key)

        return self._call(
            rule.id,
            self.types.output(answer_model(rule)),
            resolve,
            {
                **self._request(rule),
                "dice": list[int] | None,
                "seed": str | None,
                "actor": str | None,
                "note": str | None,
                "idempotency_key": str | None,
            },
            rule.doc,
        )

    def _odds(self, system: System, rule: Resolver[Any, Any]) -> StrawberryField:
        ids = system.id, rule.id

        async def ask(context: Context, language: str, **body: Any) -> Any:
            return await context.desk.odds(context.desk.rule(*ids), _body(body), language)

        options = rule.aid and rule.aid.options
        return self._call(
            f"{rule.id}-odds",
            self.types.output(odds_answer_model(rule)),
            ask,
            {
                **self._request(rule),
                **({"options": self.types.input(options) | None} if options else {}),
            },
            rule.doc,
        )

    def _request(self, rule: Resolver[Any, Any]) -> dict[str, Any]:
        request = self.types.input(rule.request)
        return {} if request is None else {"request": request}

    def _general(self) -> list[StrawberryField]:
        registry = self._registry
        known = self.types.output(KnownSystem)

        async def systems(_context: Context, language: str) -> Any:
            return [_known(system, language) for system in registry.values()]

        async def system(context: Context, language: str, *, id: str) -> Any:  # noqa: A002 - it is the id
            return _known(context.desk.system(id), language)

        async def roll(context: Context, language: str, *, id: str) -> Any:  # noqa: A002 - it is the id
            return await context.desk.roll(id, language)

        async def verify(context: Context, language: str, **body: Any) -> Any:
            return await context.desk.verify(orjson.dumps(body), language)

        entry = {"entry": str, "sig": str | None}
        return [
            self._call("systems", list[known], systems, {}, "The games."),  # type: ignore[valid-type]
            self._call("system", known, system, {"id": str}, "One game."),
            self._call("roll", self.types.output(AnyAnswer), roll, {"id": str}, "A logged roll."),
            self._call(
                "verify",
                self.types.output(VerdictText),
                verify,
                entry,
                "Replay an entry: equal, or where it differs and why.",
            ),
        ]

    def _call(
        self,
        name: str,
        kind: Any,
        answer: Callable[..., Awaitable[Any]],
        arguments: Mapping[str, Any],
        description: str,
    ) -> StrawberryField:
        """Return a nullable field: where it is refused, the others are still answered."""

        async def read(_source: Any, info: Info, *, language: Any = None, **given: Any) -> Any:
            context = info.context
            chosen = context.language if language is None else language.value
            try:
                return await answer(context, chosen, **given)
            except Problem as problem:
                raise refusal(problem, chosen) from None

        return field(
            name,
            kind | None,
            read,
            arguments={**arguments, "language": self._language},
            description=description,
        )


def _namespace(system: System, name: str, fields: list[StrawberryField]) -> StrawberryField:
    title = str(system.labels["en"].raw("system", "name"))
    return field(system.id, fields_of(name, fields, title), lambda _source, _info: {})


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


def _body(given: dict[str, Any]) -> bytes:
    return orjson.dumps({"request": {}, **given})
