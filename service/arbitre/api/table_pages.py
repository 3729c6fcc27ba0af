"""The addresses of tables: open, read, follow, seed, rotate, reveal, unveil, close."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from arbitre.api.body import BODY_LIMIT
from arbitre.api.desk import validated
from arbitre.api.documents import Document, TableEntries, TableReceipt, TableText
from arbitre.api.envelope import Replayed
from arbitre.api.http import REPLAYED, idempotency_key, read_body, shown_by
from arbitre.api.pages import Language, TheDesk
from arbitre.api.tables import (
    PAGE,
    CloseCall,
    NothingCall,
    RevealCall,
    Seat,
    SeedCall,
    TableCall,
    TableDesk,
    UnveilCall,
    entry_number,
)
from arbitre.audit.tables import Line

TABLES = APIRouter(tags=["tables"])

NDJSON: Final = "application/jsonl"
_EXPORT: Final = 1_000

_EVENT: Final = {
    "type": "object",
    "description": "An event; its data is the line of an export.",
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
    "required": ["id", "event", "data"],
}

TableId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="The table's id.")]


class LogQuery(BaseModel):
    """Which entries to read."""

    model_config = ConfigDict(extra="forbid")

    start: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    limit: Annotated[int, Field(ge=1, le=PAGE)] = PAGE
    format: Literal["json", "jsonl"] = "json"
    lang: Literal["fr", "en"] | None = None


def seat_of(request: Request, table: TableId, desk: TheDesk) -> Seat:
    """Return who asks, by the token shown."""
    return desk.tables.seat(table, shown_by(request.scope).token)


TheSeat = Annotated[Seat, Depends(seat_of)]


@TABLES.get("/v1/tables/{table}", operation_id="table", response_model=TableText)
async def table_page(seat: TheSeat, desk: TheDesk, _language: Language) -> dict[str, Any]:
    """Show a table: its key, its epoch's commitments, where its log stands."""
    return await desk.tables.card(seat)


@TABLES.get(
    "/v1/tables/{table}/rolls",
    operation_id="table_rolls",
    response_model=TableEntries,
    responses={200: {"content": {NDJSON: {}}}},
)
async def log_page(seat: TheSeat, desk: TheDesk, query: Annotated[LogQuery, Query()]) -> Any:
    """Read a table's log; ``format=jsonl`` exports the exact bytes of all of it from ``start``."""
    if query.format == "json":
        return await desk.tables.page(seat, query.start, query.limit)
    await desk.tables.card(seat)
    return StreamingResponse(_exported(desk.tables, seat, query.start), media_type=NDJSON)


async def _exported(tables: TableDesk, seat: Seat, start: int) -> AsyncIterator[bytes]:
    while lines := await tables.lines(seat, start, _EXPORT):
        yield b"".join(exported(line) for line in lines)
        start = lines[-1].seq + 1
        if len(lines) < _EXPORT:
            return


def exported(line: Line) -> bytes:
    """Return the line of an export: the entry as text, and its signature."""
    return orjson.dumps({"entry": line.entry.decode(), "sig": line.sig}) + b"\n"


@TABLES.get(
    "/v1/tables/{table}/events",
    operation_id="table_events",
    response_class=Response,
    responses={
        200: {
            "description": "Every entry once, in order, as it is written.",
            "content": {"text/event-stream": {"schema": _EVENT}},
        },
        204: {"description": "The table is closed, and the caller has its last entry."},
    },
)
async def events(
    seat: TheSeat,
    desk: TheDesk,
    _language: Language,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> Response:
    """Follow a table's log; resumes after ``Last-Event-ID``, the number of an entry."""
    known = entry_number(last_event_id or "")
    start = 0 if known is None else known + 1
    card = await desk.tables.card(seat)
    if card["closed"] and start >= card["length"]:
        return Response(status_code=204)  # tells the browser not to ask again
    return StreamingResponse(
        _events(desk.tables, seat, start),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(tables: TableDesk, seat: Seat, start: int) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    quiet = 0
    async for line in tables.follow(seat, start):
        if line is None:
            quiet += 1
            if quiet % 30 == 0:  # keeps proxies from hanging up
                yield b": still here\n\n"
            continue
        quiet = 0
        data = exported(line).rstrip(b"\n")
        yield b"id: %d\nevent: entry\ndata: %b\n\n" % (line.seq, data)


class Deed(BaseModel):
    """One thing to do at a table: its body, its answer, what does it."""

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    name: str
    call: type[BaseModel]
    answer: type[Document]
    about: str
    act: Callable[[TableDesk, Any, Any, str | None], Awaitable[dict[str, Any]]]

    def read(self, body: bytes) -> Any:
        """Read a body, or refuse it."""
        return validated(_VALIDATORS[self.name], body)


DEEDS: Final = (
    Deed(
        name="seed",
        call=SeedCall,
        answer=TableReceipt,
        about="Contribute to the faces of the rolls to come. Players only.",
        act=lambda tables, seat, call, key: tables.seed(seat, call, key),
    ),
    Deed(
        name="rotate",
        call=NothingCall,
        answer=TableReceipt,
        about="Close the epoch and commit to the seeds of the next one.",
        act=lambda tables, seat, _call, key: tables.rotate(seat, key),
    ),
    Deed(
        name="reveal",
        call=RevealCall,
        answer=TableReceipt,
        about="Reveal a seed of a closed epoch, so that everybody can derive its faces.",
        act=lambda tables, seat, call, key: tables.reveal(seat, call, key),
    ),
    Deed(
        name="unveil",
        call=UnveilCall,
        answer=TableReceipt,
        about="Open one secret roll.",
        act=lambda tables, seat, call, key: tables.unveil(seat, call, key),
    ),
    Deed(
        name="close",
        call=CloseCall,
        answer=TableReceipt,
        about="End the table: rotate, reveal what is left, write the last entry.",
        act=lambda tables, seat, call, key: tables.close(seat, call, key),
    ),
)
"""All that can be done at a table beside rolling."""

_VALIDATORS: Final = {deed.name: TypeAdapter[Any](deed.call).validator for deed in DEEDS}


def new_table(body: bytes) -> Any:
    """Read what a new table is, or refuse it."""
    return validated(_CREATE, body)


@TABLES.post("/v1/tables", include_in_schema=False)
async def create(request: Request, desk: TheDesk, _language: Language) -> Response:
    """Open a table."""
    body = await read_body(request.scope, request.receive, BODY_LIMIT)
    return _json(await desk.tables.create(new_table(body)), 201)


def _add(deed: Deed) -> None:
    async def act(request: Request, seat: TheSeat, desk: TheDesk, _language: Language) -> Response:
        body = await read_body(request.scope, request.receive, BODY_LIMIT)
        call = deed.read(body)
        return _json(await deed.act(desk.tables, seat, call, idempotency_key(request.scope)))

    TABLES.add_api_route(
        f"/v1/tables/{{table}}/{deed.name}", act, methods=["POST"], include_in_schema=False
    )


for _deed in DEEDS:
    _add(_deed)

_CREATE: Final = TypeAdapter(TableCall).validator


def _json(document: dict[str, Any], status: int = 200) -> Response:
    answer = Response(orjson.dumps(document), status, media_type="application/json")
    if isinstance(document, Replayed):
        answer.raw_headers.append(REPLAYED)
    return answer
