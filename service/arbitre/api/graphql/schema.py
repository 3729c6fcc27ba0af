"""The GraphQL schema of a registry: a field for each rule, a namespace for each game."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import orjson
import strawberry
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema
from strawberry.schema.config import StrawberryConfig
from strawberry.types.field import StrawberryField

from arbitre.api.desk import Desk
from arbitre.api.documents import (
    AnyAnswer,
    AnyOddsAnswer,
    Document,
    NewTable,
    TableEntries,
    TableEntry,
    TableText,
    VerdictText,
    answer_model,
    odds_answer_model,
)
from arbitre.api.graphql.derive import SCALARS, Types, field, fields_of
from arbitre.api.http import NOTHING_SHOWN, Shown, checked_key
from arbitre.api.problems import Problem
from arbitre.api.table_pages import DEEDS, Deed, new_table
from arbitre.api.tables import PAGE
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
    shown: Shown = NOTHING_SHOWN

    def shows(self, token: str | None, match: str | None = None) -> Shown:
        """Return what the caller shows: in the arguments, else in the headers."""
        return Shown(token or self.shown.token, match or self.shown.match)


class ChatLine(Document):
    """What a line of notation asked for: a resolution, or odds."""

    roll: AnyAnswer | None
    """The resolution."""
    odds: AnyOddsAnswer | None
    """The odds."""


_SAID: Final[dict[str, Any]] = {
    "seed": str | None,
    "actor": str | None,
    "table": str | None,
    "client": str | None,
    "secret": bool | None,
    "token": str | None,
    "idempotency_key": str | None,
}
"""What every roll can be told beside its request."""


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
        queries, mutations = [*self._general(), *self._table_pages()], self._tables()
        for system in self._registry.values():
            asked = [self._odds(system, rule) for rule in system.resolvers if rule.odds]
            if asked:
                queries.append(_namespace(system, f"{system.models}Queries", asked))
            rolled = [self._resolution(system, rule) for rule in system.resolvers]
            if system.chat is not None:
                rolled.append(self._chat(system))
            mutations.append(_namespace(system, f"{system.models}Mutations", rolled))
        return strawberry.Schema(
            query=fields_of("Query", queries),
            mutation=fields_of("Mutation", mutations),
            subscription=fields_of("Subscription", [self._table_log()]),
            config=StrawberryConfig(scalar_map=SCALARS),
        )

    def _resolution(self, system: System, rule: Resolver[Any, Any]) -> StrawberryField:
        ids = system.id, rule.id

        async def resolve(
            context: Context,
            language: str,
            *,
            idempotency_key: str | None = None,
            token: str | None = None,
            if_match: str | None = None,
            **body: Any,
        ) -> Any:
            shown = context.shows(token, if_match)
            return await context.desk.resolve(
                context.desk.rule(*ids), _body(body), language, _key(idempotency_key), shown
            )

        return self._call(
            rule.id,
            self.types.output(answer_model(rule)),
            resolve,
            {
                **self._request(rule),
                "dice": list[int] | None,
                "note": str | None,
                **_SAID,
                "if_match": str | None,
            },
            rule.doc,
        )

    def _chat(self, system: System) -> StrawberryField:
        async def chat(
            context: Context,
            language: str,
            *,
            idempotency_key: str | None = None,
            token: str | None = None,
            **body: Any,
        ) -> Any:
            found = await context.desk.chat(
                system, orjson.dumps(body), language, _key(idempotency_key), context.shows(token)
            )
            asked = "odds" in found
            return {"roll": None if asked else found, "odds": found if asked else None}

        return self._call(
            "chat",
            self.types.output(ChatLine),
            chat,
            {"line": str, **_SAID},
            "Read one line of the game's notation, as players type it.",
        )

    def _tables(self) -> list[StrawberryField]:
        """Return the fields that change tables: one opens one, the others are its deeds."""

        async def create(context: Context, _language: str, *, name: str) -> Any:
            return await context.desk.tables.create(new_table(orjson.dumps({"name": name})))

        def doing(deed: Deed) -> StrawberryField:
            async def act(
                context: Context,
                _language: str,
                *,
                table: str,
                token: str | None = None,
                idempotency_key: str | None = None,
                **body: Any,
            ) -> Any:
                tables = context.desk.tables
                seat = tables.seat(table, context.shows(token).token)
                call = deed.read(orjson.dumps(body))
                return await deed.act(tables, seat, call, _key(idempotency_key))

            return self._call(
                f"table-{deed.name}",
                self.types.output(deed.answer),
                act,
                {
                    "table": str,
                    **self.types.arguments(deed.call),
                    "token": str | None,
                    "idempotency_key": str | None,
                },
                deed.about,
            )

        answer = self.types.output(NewTable)
        new = self._call("new-table", answer, create, {"name": str}, "Open a table.")
        return [new, *map(doing, DEEDS)]

    def _table_pages(self) -> list[StrawberryField]:
        async def card(
            context: Context,
            _language: str,
            *,
            id: str,  # noqa: A002 - it is the id
            token: str | None = None,
        ) -> Any:
            tables = context.desk.tables
            return await tables.card(tables.seat(id, context.shows(token).token))

        async def page(
            context: Context,
            _language: str,
            *,
            table: str,
            start: int | None = None,
            limit: int | None = None,
            token: str | None = None,
        ) -> Any:
            tables = context.desk.tables
            seat = tables.seat(table, context.shows(token).token)
            most = PAGE if limit is None else min(max(limit, 1), PAGE)
            return await tables.page(seat, max(start or 0, 0), most)

        token = {"token": str | None}
        return [
            self._call(
                "table", self.types.output(TableText), card, {"id": str, **token}, "A table."
            ),
            self._call(
                "table-rolls",
                self.types.output(TableEntries),
                page,
                {"table": str, "start": int | None, "limit": int | None, **token},
                "A page of a table's log.",
            ),
        ]

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

        async def roll(
            context: Context,
            language: str,
            *,
            id: str,  # noqa: A002 - it is the id
            token: str | None = None,
        ) -> Any:
            return await context.desk.roll(id, language, context.shows(token).token)

        async def verify(context: Context, language: str, **body: Any) -> Any:
            return await context.desk.verify(orjson.dumps(body), language)

        entry = {"entry": str, "sig": str | None}
        return [
            self._call("systems", list[known], systems, {}, "The games."),  # type: ignore[valid-type]
            self._call("system", known, system, {"id": str}, "One game."),
            self._call(
                "roll",
                self.types.output(AnyAnswer),
                roll,
                {"id": str, "token": str | None},
                "A logged roll.",
            ),
            self._call(
                "verify",
                self.types.output(VerdictText),
                verify,
                entry,
                "Replay an entry: equal, or where it differs and why.",
            ),
        ]

    def _table_log(self) -> StrawberryField:
        async def follow(
            _source: Any,
            info: Info,
            *,
            table: str,
            start: int | None = None,
            token: str | None = None,
            language: Any = None,
        ) -> AsyncIterator[dict[str, Any]]:
            context = info.context
            tables = context.desk.tables
            try:
                seat = tables.seat(table, context.shows(token).token)
                await tables.card(seat)
            except Problem as problem:
                chosen = context.language if language is None else language.value
                raise refusal(problem, chosen) from None
            lines = tables.follow(seat, max(start or 0, 0))
            return (tables.shown(seat, line) async for line in lines if line is not None)

        return field(
            "table-log",
            self.types.output(TableEntry),
            follow,
            arguments={
                "table": str,
                "start": int | None,
                "token": str | None,
                "language": self._language,
            },
            description="A table's log as it grows: every entry once, in order.",
        )

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


def _key(given: str | None) -> str | None:
    return None if given is None else checked_key(given)


def _body(given: dict[str, Any]) -> bytes:
    return orjson.dumps({"request": {}, **given})
