"""Subscriptions: graphql-transport-ws over WebSocket, and server-sent events over POST."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import orjson
from starlette.types import Receive, Scope, Send

from arbitre.api.body import BODY_LIMIT, strict_json
from arbitre.api.graphql.operation import Operations, refused_document
from arbitre.api.graphql.schema import Context
from arbitre.api.http import Headers
from arbitre.api.problems import Problem

PROTOCOL: Final = "graphql-transport-ws"

MOST: Final = 50
"""Most operations that run at once on one connection."""

PATIENCE: Final = 10.0
"""Seconds that a new connection has to introduce itself."""

QUIET: Final = 15.0
"""Seconds of silence after which an event stream shows that it lives."""


async def send_events(send: Send, answers: AsyncIterator[dict[str, Any]], headers: Headers) -> None:
    """Answer an operation as server-sent events: ``next`` for each answer, then ``complete``."""
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", b"text/event-stream; charset=utf-8"), *headers],
        }
    )

    async def write(text: bytes) -> None:
        await send({"type": "http.response.body", "body": text, "more_body": True})

    await write(b":\n\n")
    pending = asyncio.ensure_future(anext(answers, None))
    try:
        while True:
            done, _ = await asyncio.wait([pending], timeout=QUIET)
            if not done:
                await write(b":\n\n")
                continue
            answer = pending.result()
            if answer is None:
                break
            await write(b"event: next\ndata: %b\n\n" % orjson.dumps(answer))
            pending = asyncio.ensure_future(anext(answers, None))
        await write(b"event: complete\ndata:\n\n")
        await send({"type": "http.response.body", "body": b""})
    finally:
        pending.cancel()


class _CloseError(Exception):
    """The other side broke the protocol: close with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Connection:
    """One WebSocket that speaks graphql-transport-ws."""

    def __init__(
        self, operations: Operations, context: Context, receive: Receive, send: Send
    ) -> None:
        self._operations, self._context = operations, context
        self._receive, self._send = receive, send
        self._known = False
        self._running: dict[str, asyncio.Task[None]] = {}

    async def serve(self, scope: Scope) -> None:
        """Speak until either side hangs up."""
        await self._receive()
        if PROTOCOL not in scope.get("subprotocols", ()):
            await self._send(
                {"type": "websocket.close", "code": 4406, "reason": "Subprotocol not acceptable"}
            )
            return
        await self._send({"type": "websocket.accept", "subprotocol": PROTOCOL})
        try:
            async with asyncio.timeout(PATIENCE) as introduction:
                while True:
                    message = await self._receive()
                    if message["type"] == "websocket.disconnect":
                        return
                    await self._heard(message)
                    if self._known:
                        introduction.reschedule(None)
        except TimeoutError:
            await self._close(4408, "Connection initialisation timeout")
        except _CloseError as wrong:
            await self._close(wrong.code, wrong.reason)
        finally:
            for task in self._running.values():
                task.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _heard(self, message: Any) -> None:
        text = message.get("text")
        if text is None or len(text) > BODY_LIMIT:
            raise _CloseError(4400, "Invalid message")
        try:
            said = strict_json(text.encode())
        except (Problem, UnicodeEncodeError):
            raise _CloseError(4400, "Invalid message") from None
        match said:
            case {"type": "connection_init"}:
                if self._known:
                    raise _CloseError(4429, "Too many initialisation requests")
                self._known = True
                await self._say({"type": "connection_ack"})
            case {"type": "ping"}:
                await self._say({"type": "pong"})
            case {"type": "pong"}:
                pass
            case {"type": "complete", "id": str(id_)}:
                task = self._running.pop(id_, None)
                if task is not None:
                    task.cancel()
            case {"type": "subscribe", "id": str(id_), "payload": dict(payload)}:
                await self._subscribe(id_, payload)
            case _:
                raise _CloseError(4400, "Invalid message")

    async def _subscribe(self, id_: str, payload: dict[str, Any]) -> None:
        if not self._known:
            raise _CloseError(4401, "Unauthorized")
        if id_ in self._running:
            raise _CloseError(4409, "Subscriber already exists")
        if len(self._running) >= MOST:
            raise _CloseError(4429, "Too many operations")
        match payload:
            case {"query": str(query)} if isinstance(payload.get("variables"), dict | None):
                name = payload.get("operationName")
                task = asyncio.create_task(
                    self._run(
                        id_,
                        query,
                        payload.get("variables"),
                        name if isinstance(name, str) else None,
                    )
                )
                self._running[id_] = task
            case _:
                raise _CloseError(4400, "Invalid message")

    async def _run(
        self, id_: str, query: str, variables: dict[str, Any] | None, name: str | None
    ) -> None:
        answers = self._operations.stream(query, variables, name, self._context)
        try:
            async for answer in answers:
                refused = "data" not in answer
                payload: Any = answer["errors"] if refused else answer
                kind = "error" if refused else "next"
                await self._say({"id": id_, "type": kind, "payload": payload})
                if refused:
                    return
            await self._say({"id": id_, "type": "complete"})
        except Problem as problem:
            errors = refused_document(problem, self._context.language)["errors"]
            await self._say({"id": id_, "type": "error", "payload": errors})
        finally:
            if self._running.get(id_) is asyncio.current_task():
                del self._running[id_]

    async def _say(self, message: dict[str, Any]) -> None:
        await self._send({"type": "websocket.send", "text": orjson.dumps(message).decode()})

    async def _close(self, code: int, reason: str) -> None:
        await self._send({"type": "websocket.close", "code": code, "reason": reason})
