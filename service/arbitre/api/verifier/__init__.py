"""``/verify``: a page that checks a table's log in the browser, without the service."""

from importlib.resources import files
from typing import Final

import orjson
from fastapi import APIRouter, Response

from arbitre.api.html import page_headers
from arbitre.api.problems import LABELS, Problem

TABLES: Final = ("verifier", "log-faults", "log-counts", "log-verdicts", "reasons")
"""The labels that the page says."""

_FILES: Final = {
    "page.mjs": "text/javascript; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "verify.mjs": "text/javascript; charset=utf-8",
}

_HEADERS: Final = {
    "Cache-Control": "no-cache",
    **page_headers(script="'self'", style="'self'", img="data:", connect="'none'"),
}

VERIFIER = APIRouter(include_in_schema=False)


@VERIFIER.get("/verify")
async def page() -> Response:
    """Show the page."""
    return _answer("index.html", "text/html; charset=utf-8")


@VERIFIER.get("/verify/words.mjs")
async def words() -> Response:
    """Give the page its words, in both languages."""
    found = {
        language: {table: labels.table(table) for table in TABLES}
        for language, labels in LABELS.items()
    }
    text = b"export default " + orjson.dumps(found) + b"\n"
    return Response(text, media_type=_FILES["page.mjs"], headers=_HEADERS)


@VERIFIER.get("/verify/{name}")
async def asset(name: str) -> Response:
    """Serve a file of the page."""
    if name not in _FILES:
        raise Problem(404, "not-found")
    return _answer(name, _FILES[name])


def _answer(name: str, kind: str) -> Response:
    content = files(__package__).joinpath(name).read_bytes()
    return Response(content, media_type=kind, headers=_HEADERS)
