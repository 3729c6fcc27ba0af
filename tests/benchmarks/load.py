"""A light load generator: keep-alive connections that send one request again and again."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from tests.benchmarks.servers import Server


@dataclass
class Measured:
    """What a stretch of load showed; latencies are in milliseconds, sorted."""

    seconds: float
    cpu: float
    latencies: list[float]

    @property
    def cost(self) -> float:
        """Microseconds of the server's processor for one request."""
        return self.cpu * 1e6 / len(self.latencies)

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, percent: int) -> float:
        return self.latencies[min(len(self.latencies) * percent // 100, len(self.latencies) - 1)]


def post(path: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class _Caller(asyncio.Protocol):
    """One connection with one request in flight."""

    def __init__(self, request: bytes, until: float, latencies: list[float]) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.answer = b""
        self._request, self._until, self._latencies = request, until, latencies
        self._transport: asyncio.Transport | None = None
        self._sent = 0.0
        self._received = b""
        self._length = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by name
        self._send()

    def _send(self) -> None:
        assert self._transport
        self._received, self._length = b"", 0
        self._sent = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._received = self._received + data if self._received else data
        if not self._length:
            head = self._received.find(b"\r\n\r\n")
            if head < 0:
                return
            mark = self._received.find(b"content-length: ") + 16
            self._length = head + 4 + int(self._received[mark : self._received.find(b"\r", mark)])
        if len(self._received) < self._length:
            return
        now = time.perf_counter()
        self._latencies.append((now - self._sent) * 1000)
        if self._received[9:12] != b"200":
            self.done.set_exception(RuntimeError(self._received[:500].decode()))
        elif now < self._until:
            self._send()
        else:
            self.answer = self._received
            self.done.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server hung up"))

    def close(self) -> None:
        assert self._transport
        self._transport.close()


async def load(server: Server, request: bytes, connections: int, seconds: float) -> Measured:
    """Keep ``connections`` requests in flight for a while."""
    latencies: list[float] = []
    used, began = server.cpu, time.perf_counter()
    callers = [
        await _connected(server, lambda: _Caller(request, began + seconds, latencies))
        for _ in range(connections)
    ]
    await asyncio.gather(*(caller.done for caller in callers))
    took, used = time.perf_counter() - began, server.cpu - used
    for caller in callers:
        caller.close()
    return Measured(took, used, sorted(latencies))


async def once(server: Server, request: bytes) -> bytes:
    """Send one request; return the body of the answer."""
    caller = await _connected(server, lambda: _Caller(request, 0, []))
    await caller.done
    caller.close()
    return caller.answer.partition(b"\r\n\r\n")[2]


async def _connected(server: Server, caller: Callable[[], _Caller]) -> _Caller:
    loop = asyncio.get_running_loop()
    return (await loop.create_connection(caller, "127.0.0.1", server.port))[1]
