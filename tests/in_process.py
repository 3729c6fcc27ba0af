"""An HTTP adapter for requests that calls an ASGI application in the caller's own thread."""

import asyncio
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
from requests.adapters import BaseAdapter
from starlette.types import ASGIApp, Message
from urllib3 import HTTPHeaderDict, HTTPResponse

ADDRESS = "http://arbitre"
STREAM = 2
"""Parts after which the reader of an event stream leaves."""


class InProcess(BaseAdapter):
    """Sends each request to ``app``, which lives in ``loop``."""

    def __init__(self, app: ASGIApp, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._app, self._loop = app, loop

    def send(
        self, request: requests.PreparedRequest, *_args: Any, **_kwargs: Any
    ) -> requests.Response:
        """Return the answer, whole; of an event stream only its beginning."""
        return self._loop.run_until_complete(self._answer(request))

    def close(self) -> None:
        """Hold nothing."""

    async def _answer(self, request: requests.PreparedRequest) -> requests.Response:
        body = request.body or b""
        asked = [_request(body.encode() if isinstance(body, str) else body)]
        left = asyncio.Event()
        answer = requests.Response()
        answer.request, answer.url = request, request.url or ""
        parts: list[bytes] = []

        async def receive() -> Message:
            if asked:
                return asked.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name.decode(), value.decode()) for name, value in message["headers"]]
                answer.status_code = message["status"]
                answer.headers.update(headers)
                answer.raw = HTTPResponse(headers=HTTPHeaderDict(headers), version=11)
                return
            parts.append(message.get("body", b""))
            if not message.get("more_body") or len(parts) == STREAM:
                left.set()

        await self._app(_scope(request), receive, send)
        answer._content = b"".join(parts)  # noqa: SLF001 - requests has no other way
        return answer


def _request(body: bytes) -> Message:
    return {"type": "http.request", "body": body, "more_body": False}


def _scope(request: requests.PreparedRequest) -> dict[str, Any]:
    url = urlsplit(request.url or "")
    headers = [
        (
            (name if isinstance(name, bytes) else name.encode()).lower(),
            value if isinstance(value, bytes) else value.encode("latin-1"),
        )
        for name, value in request.headers.items()
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": unquote(url.path),
        "raw_path": url.path.encode(),
        "query_string": url.query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("arbitre", 80),
    }
