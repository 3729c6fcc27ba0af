"""What the service is measured against: a bare application, and the service without a log."""

import os
from pathlib import Path
from typing import Any

import orjson

from arbitre.api.rest import Front
from arbitre.app import create_app
from arbitre.audit import Signed
from arbitre.settings import Settings
from arbitre.store import Known, Put, Stored

SAMPLE = "ARBITRE_BENCHMARK_SAMPLE"
"""The variable that names a file with an answer of the service."""


class NoLog:
    """A store that keeps nothing: what is left is the price of everything else."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def put(self, item: Put) -> Stored:
        return Stored(Signed(item.id, item.entry, item.sig), replayed=False)

    async def get(self, id: str) -> Signed | None:  # noqa: A002, ARG002 - as in Store
        return None

    async def by_idem(self, idem: bytes) -> Known | None:  # noqa: ARG002 - as in Store
        return None

    async def ping(self) -> None: ...


def no_log() -> Front:
    """Return the service as it is, but for the log."""
    return create_app(Settings(data=Path(os.environ["ARBITRE_DATA"])), store=NoLog())


def bare() -> Any:
    """Return an application that parses a body and answers JSON as long as the service's."""
    answer = orjson.loads(Path(os.environ[SAMPLE]).read_bytes())

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        orjson.loads((await receive())["body"])
        body = orjson.dumps(answer)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app
