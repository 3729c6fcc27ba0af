"""``/graphql`` on bare ASGI, after the GraphQL-over-HTTP specification."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

import orjson
from graphql import GraphQLSchema
from starlette.types import Receive, Scope, Send

from arbitre.api.body import BODY_LIMIT, strict_json
from arbitre.api.desk import Desk
from arbitre.api.graphql.ide import Ide, pinned_ide
from arbitre.api.graphql.limits import LABELS
from arbitre.api.graphql.operation import Operations, refused_document
from arbitre.api.graphql.schema import Context
from arbitre.api.graphql.streams import Connection, send_events
from arbitre.api.http import best_language, header, quality, read_body, send_json, shown_by
from arbitre.api.problems import Problem
from arbitre.rules.labels import LANGUAGES

JSON: Final = "application/json"
RESPONSE: Final = "application/graphql-response+json"

EVENTS: Final = "text/event-stream"

_FRESH: Final = ((b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"))

_SHORT: Final = 1_000
"""Most characters of an Accept header that are read."""


class Asked(NamedTuple):
    """The parameters of a request."""

    query: str
    variables: dict[str, Any] | None
    operation_name: str | None


class GraphQLEndpoint:
    """The door: POST for everything, GET for queries and, in a browser, for the page."""

    def __init__(self, schema: GraphQLSchema, desk: Desk, ide: Ide | None = None) -> None:
        self._operations = Operations(schema)
        self._desk = desk
        ide = ide or pinned_ide()
        self._ide = ide.page
        self._page = [
            *((name.lower().encode(), said.encode()) for name, said in ide.headers.items()),
            (b"vary", b"Accept"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or speak on one WebSocket."""
        if scope["type"] == "websocket":
            language = best_language(header(scope, b"accept-language"))
            context = Context(self._desk, language, shown_by(scope))
            await Connection(self._operations, context, receive, send).serve(scope)
            return
        accept = header(scope, b"accept")[:_SHORT]
        query = parse_qsl(str(scope["query_string"], "latin-1"), keep_blank_values=True)
        language = _language(scope, query)
        kind = media_type(accept)
        headers = []
        try:
            if scope["method"] == "GET" and _page_wanted(accept, query):
                await send_json(send, 200, self._ide, self._page, b"text/html; charset=utf-8")
                return
            wanted, by_name = _accepted(accept, EVENTS)
            events = wanted > 0 and by_name
            if kind is None and not events:
                raise _problem(406, "not-acceptable")
            asked, reads = await _asked(scope, receive, query)
            if events and not reads:
                context = Context(self._desk, language, shown_by(scope))
                await send_events(send, self._operations.stream(*asked, context), _FRESH)
                return
            answer = await self._operations.run(
                *asked, Context(self._desk, language, shown_by(scope)), only_reads=reads
            )
        except Problem as problem:
            status, document = problem.status, refused_document(problem, language)
            headers = [(k.lower().encode(), v.encode()) for k, v in problem.headers.items()]
        else:
            status = 200 if answer.ran or kind == JSON else 400
            document = answer.document
        await send_json(
            send,
            status,
            orjson.dumps(document),
            [
                (b"vary", b"Accept, Accept-Language"),
                (b"content-language", language.encode()),
                (b"cache-control", b"no-store"),
                *headers,
            ],
            f"{kind or JSON}; charset=utf-8".encode(),
        )


def media_type(accept: str) -> str | None:
    """Return the better of our two media types for an Accept header, or None."""
    if not accept:
        return JSON
    found = []
    for kind in (JSON, RESPONSE):
        q, exact = _accepted(accept, kind)
        if q > 0:
            found.append((q, exact, (kind == RESPONSE) == exact, kind))
    return max(found)[-1] if found else None


def _accepted(accept: str, kind: str) -> tuple[float, bool]:
    """Return how much ``kind`` is wanted, by its most exact mention, and if that is its name."""
    best = (0, 0.0)
    names = ("*/*", f"{kind.partition('/')[0]}/*", kind)
    for part in accept.split(","):
        name, _, parameters = part.partition(";")
        name = name.strip().lower()
        if name in names:
            best = max(best, (names.index(name) + 1, quality(parameters)))
    return best[1], best[0] == len(names)


def _page_wanted(accept: str, query: Iterable[tuple[str, str]]) -> bool:
    return "query" not in dict(query) and _accepted(accept, "text/html") > (0, True)


def _language(scope: Scope, query: Iterable[tuple[str, str]]) -> str:
    wanted = dict(query).get("lang")
    return wanted if wanted in LANGUAGES else best_language(header(scope, b"accept-language"))


async def _asked(
    scope: Scope, receive: Receive, query: list[tuple[str, str]]
) -> tuple[Asked, bool]:
    if scope["method"] == "POST":
        _json_only(header(scope, b"content-type"))
        found = strict_json(await read_body(scope, receive, BODY_LIMIT))
        return _parameters(found), False
    if scope["method"] != "GET":
        raise Problem(405, "method", headers={"Allow": "GET, POST"})
    found = dict(query)
    for name in ("variables", "extensions"):
        if name in found:
            found[name] = strict_json(found[name].encode())
    return _parameters(found), True


def _json_only(content_type: str) -> None:
    name, _, parameters = content_type.lower().partition(";")
    charset = dict(
        parameter.strip().partition("=")[::2] for parameter in parameters.split(";")
    ).get("charset", "utf-8")
    if name.strip() != JSON or charset.strip('"') != "utf-8":
        raise _problem(415, "media-type")


def _parameters(found: Any) -> Asked:
    if not isinstance(found, dict):
        raise _problem(400, "parameters")
    query, name = found.get("query"), found.get("operationName")
    if query is None:
        raise _problem(400, "no-query")
    if (
        not isinstance(query, str)
        or not isinstance(name, str | None)
        or not isinstance(found.get("variables"), dict | None)
        or not isinstance(found.get("extensions"), dict | None)
    ):
        raise _problem(400, "parameters")
    return Asked(query, found.get("variables"), name or None)


def _problem(status: int, code: str) -> Problem:
    return Problem(status, code, labels=LABELS)
