"""Answers that leave together.

Uvicorn writes the head and the body of each answer as soon as it has them: two system calls,
two packets, a caller that wakes twice, and caches that forget the work in between. While other
requests are being answered too, it pays to write once the event loop has gone round; a lone
answer still leaves at once.
"""

import asyncio
from collections.abc import Sized
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Gathered:
    """A transport that holds what is written for a turn of the loop, if ``busy`` says so."""

    __slots__ = ("_busy", "_held", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, busy: Sized) -> None:
        self._transport, self._busy = transport, busy
        self._loop = asyncio.get_running_loop()
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Write ``data`` now or in a moment."""
        if self._held:
            self._held.append(data)
        elif len(self._busy) > 1:
            self._held.append(data)
            self._loop.call_soon(self._send)
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Write what is held, then close."""
        self._send()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def _send(self) -> None:
        held, self._held = self._held, []
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))


class Protocol(HttpToolsProtocol):
    """Uvicorn's HTTP, on gathered writes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a new connection."""
        super().connection_made(Gathered(transport, self.tasks))  # type: ignore[arg-type]
