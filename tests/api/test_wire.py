"""Answers arrive whole and in order, however many leave together."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn

from redis_server import free_port

PROTOCOL = "arbitre.api.wire:Protocol"
LONG = b"x" * 200_000


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the path, after giving others a turn; /long and /parts are what they say."""
    assert scope["type"] == "http"
    await receive()
    await asyncio.sleep(0.01)
    path = scope["path"].encode()
    parts = {b"/long": [LONG], b"/parts": [b"one ", b"two ", b"three"]}.get(path, [path])
    length = str(sum(map(len, parts))).encode()
    headers = [(b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for part in parts[:-1]:
        await send({"type": "http.response.body", "body": part, "more_body": True})
        await asyncio.sleep(0.01)
    await send({"type": "http.response.body", "body": parts[-1]})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    port = free_port()
    config = uvicorn.Config(
        app, port=port, http=PROTOCOL, lifespan="off", ws="none", log_level="error"
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield port
    server.should_exit = True
    await running


def _request(path: str, *more: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "host: localhost", *more, "", ""]).encode()


async def _answer(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return await reader.readexactly(length)


async def _ask(port: int, path: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request(path))
    answer = await _answer(reader)
    writer.close()
    return answer


async def test_a_lone_answer_arrives(port: int) -> None:
    assert await _ask(port, "/alone") == b"/alone"


async def test_many_answers_arrive_whole(port: int) -> None:
    paths = [f"/{number}" for number in range(50)] + ["/long"] * 5 + ["/parts"] * 5
    answers = await asyncio.gather(*(_ask(port, path) for path in paths))
    assert answers[:50] == [path.encode() for path in paths[:50]]
    assert answers[50:] == [LONG] * 5 + [b"one two three"] * 5


async def test_answers_on_one_connection_keep_their_order(port: int) -> None:
    others = [asyncio.create_task(_ask(port, "/parts")) for _ in range(5)]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"".join(_request(f"/{number}") for number in range(20)))
    assert [await _answer(reader) for _ in range(20)] == [f"/{n}".encode() for n in range(20)]
    writer.close()
    await asyncio.gather(*others)


async def test_a_head_without_a_body_arrives(port: int) -> None:
    others = [asyncio.create_task(_ask(port, "/parts")) for _ in range(5)]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request("/head", method="HEAD"))
    assert b"content-length: 5" in await reader.readuntil(b"\r\n\r\n")
    writer.close()
    await asyncio.gather(*others)


async def test_what_is_written_last_arrives_before_the_end(port: int) -> None:
    others = [asyncio.create_task(_ask(port, "/parts")) for _ in range(5)]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request("/last", "connection: close"))
    assert (await reader.read()).endswith(b"/last")
    writer.close()
    await asyncio.gather(*others)


async def test_a_caller_that_leaves_early_harms_nobody(port: int) -> None:
    others = [asyncio.create_task(_ask(port, "/parts")) for _ in range(5)]
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_request("/long"))
    await writer.drain()
    writer.transport.abort()
    assert await asyncio.gather(*others) == [b"one two three"] * 5
