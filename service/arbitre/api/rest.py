"""REST: the hot calls go straight to the desk, all the rest through FastAPI."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arbitre.api.body import BATCH_LIMIT, BODY_LIMIT
from arbitre.api.desk import Desk, Rule
from arbitre.api.envelope import Replayed
from arbitre.api.http import (
    CORS,
    REPLAYED,
    best_language,
    header,
    idempotency_key,
    language_of,
    read_body,
    send_json,
    send_problem,
    shown_by,
)
from arbitre.api.problems import Problem
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.system import System

LOG: Final = logging.getLogger("arbitre")

Handler = Callable[[Scope, Receive, str], Awaitable[dict[str, Any]]]

_LANGUAGE_HEADERS: Final = {
    language: (
        *CORS,
        (b"content-language", language.encode()),
        (b"vary", b"Accept-Language"),
        (b"x-content-type-options", b"nosniff"),
    )
    for language in LANGUAGES
}

_ALLOWED: Final = (
    b"Content-Type, Authorization, Idempotency-Key, Accept-Language, Accept, X-Request-Id, "
    b"If-Match, Last-Event-ID"
)

_PREFLIGHT: Final = (
    *CORS,
    (b"access-control-allow-headers", _ALLOWED),
    (b"access-control-max-age", b"86400"),
)


_CALL: Final = "OPTIONS, POST"
_GRAPHQL: Final = "GET, HEAD, OPTIONS, POST"


def hot_calls(desk: Desk) -> dict[str, Handler]:
    """Return what each POST path does: one rule, its odds, a batch, a verification."""
    calls: dict[str, Handler] = {}
    for rule in desk.rules:
        path = f"/v1/{rule.system.id}/{rule.resolver.id}"
        calls[path] = _resolving(desk, rule)
        if rule.resolver.odds:
            calls[f"{path}/odds"] = _asking(desk, rule)

    for system in desk.registry.values():
        if system.chat is not None:
            calls[f"/v1/{system.id}/chat"] = _chatting(desk, system)

    async def batch(scope: Scope, receive: Receive, language: str) -> dict[str, Any]:
        key = idempotency_key(scope)
        body = await read_body(scope, receive, BATCH_LIMIT)
        return await desk.batch(body, language, key, shown_by(scope))

    async def verify(scope: Scope, receive: Receive, language: str) -> dict[str, Any]:
        return await desk.verify(await read_body(scope, receive, BODY_LIMIT), language)

    return {**calls, "/v1/batch": batch, "/v1/verify": verify}


def _resolving(desk: Desk, rule: Rule) -> Handler:
    async def resolve(scope: Scope, receive: Receive, language: str) -> dict[str, Any]:
        body = await read_body(scope, receive, BODY_LIMIT)
        return await desk.resolve(rule, body, language, idempotency_key(scope), shown_by(scope))

    return resolve


def _chatting(desk: Desk, system: System) -> Handler:
    async def chat(scope: Scope, receive: Receive, language: str) -> dict[str, Any]:
        body = await read_body(scope, receive, BODY_LIMIT)
        return await desk.chat(system, body, language, idempotency_key(scope), shown_by(scope))

    return chat


def _asking(desk: Desk, rule: Rule) -> Handler:
    async def ask(scope: Scope, receive: Receive, language: str) -> dict[str, Any]:
        return await desk.odds(rule, await read_body(scope, receive, BODY_LIMIT), language)

    return ask


class Front:
    """The outermost door: hot calls, preflights, CORS and request ids on every answer."""

    def __init__(
        self,
        calls: dict[str, Handler],
        rest: ASGIApp,
        graphql: ASGIApp,
        methods: Callable[[str], str],
    ) -> None:
        self._calls, self._rest, self._graphql, self._methods = calls, rest, graphql, methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if len(path) > 1 and path.endswith("/"):
            path = path.rstrip("/") or "/"
            scope = {**scope, "path": scope["path"].rstrip("/") or "/"}
        if scope["type"] != "http":
            door = self._graphql if path == "/graphql" else self._rest
            await door(scope, receive, send)
            return
        if scope["method"] == "POST" and path in self._calls:
            await self._call(self._calls[path], scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await self._preflight(path, scope, send)
        elif path in self._calls:
            problem = Problem(405, "method", headers={"Allow": _CALL})
            language = best_language(header(scope, b"accept-language"))
            await send_problem(send, problem, language, _answer_headers(scope, language))
        else:
            door = self._graphql if path == "/graphql" else self._rest
            await self._through(door, scope, receive, send)

    async def _call(self, handler: Handler, scope: Scope, receive: Receive, send: Send) -> None:
        language = LANGUAGES[0]
        try:
            language = language_of(scope)
            found = await handler(scope, receive, language)
            answer = orjson.dumps(found)
        except Problem as problem:
            await send_problem(send, problem, language, _answer_headers(scope, language))
        except Exception:
            LOG.exception("a call failed")
            internal = Problem(500, "internal")
            await send_problem(send, internal, language, _answer_headers(scope, language))
        else:
            headers = _answer_headers(scope, language)
            if isinstance(found, Replayed):
                headers.append(REPLAYED)
            await send_json(send, 200, answer, headers)

    async def _through(self, door: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        started = finished = False

        async def dressed(message: Message) -> None:
            nonlocal started, finished
            finished = not message.get("more_body", False)
            if message["type"] == "http.response.start":
                started, finished = True, False
                message["headers"] = [*message["headers"], *_common_headers(scope)]
            await send(message)

        scope.setdefault("state", {})
        bodiless = scope["method"] == "HEAD"
        if bodiless:
            scope = {**scope, "method": "GET"}
        try:
            await door(scope, receive, _headers_only(dressed) if bodiless else dressed)
        except Exception:
            LOG.exception("a request failed")
            if finished:
                return
            if started:
                raise
            await send_problem(send, Problem(500, "internal"), LANGUAGES[0], _common_headers(scope))

    async def _preflight(self, path: str, scope: Scope, send: Send) -> None:
        allowed = _CALL if path in self._calls else self._methods(path) or _GRAPHQL
        headers = [
            *_PREFLIGHT,
            *_request_id(scope),
            (b"allow", allowed.encode()),
            (b"access-control-allow-methods", allowed.encode()),
        ]
        if header(scope, b"access-control-request-private-network") == "true":
            headers.append((b"access-control-allow-private-network", b"true"))
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _headers_only(send: Send) -> Send:
    """Answer HEAD: the answer ends with its headers, even where a body would never end."""
    ended = False

    async def without_body(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.start":
            await send(message)
        elif not ended:
            ended = True
            await send({"type": "http.response.body", "body": b""})

    return without_body


def _request_id(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Give the caller's request id back, if it is one."""
    given = header(scope, b"x-request-id")
    if given and len(given) <= 128 and given.isascii() and given.isprintable():  # noqa: PLR2004
        return [(b"x-request-id", given.encode())]
    return []


def _answer_headers(scope: Scope, language: str) -> list[tuple[bytes, bytes]]:
    return [*_LANGUAGE_HEADERS[language], *_request_id(scope)]


def _common_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    headers = [*CORS, (b"x-content-type-options", b"nosniff"), *_request_id(scope)]
    language = scope["state"].get("language")
    if language:
        headers += (b"content-language", language.encode()), (b"vary", b"Accept-Language")
    return headers
