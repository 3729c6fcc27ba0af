"""GraphiQL: the files that ``deploy/playground/build`` made, else a page of pinned addresses."""

import re
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response

from arbitre.api.html import page_headers
from arbitre.api.problems import Problem

BUILT: Final = Path(__file__).parent / "playground"
"""Where a build leaves its files; a checkout has none."""

ORIGIN: Final = "https://unpkg.com"
"""Where the page without a build loads its pinned scripts from."""

ASSETS: Final = Path("graphql", "assets")

_PINNED: Final = Path(__file__).parent / "graphiql.html"

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
}

_FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


@dataclass(frozen=True, slots=True)
class Ide:
    """The page where a person writes queries, its headers, and its files by name."""

    page: bytes
    headers: dict[str, str]
    files: dict[str, Path] = field(default_factory=dict)


def load_ide(built: Path = BUILT) -> Ide:
    """Return the page that was built, or the one that loads its scripts from ``ORIGIN``."""
    page = built / "index.html"
    if not page.is_file():
        return pinned_ide()
    own = "'self'"
    headers = page_headers(
        script=own,
        # the editor writes style elements of its own
        style=f"{own} 'unsafe-inline'",
        img=f"{own} data:",
        font=f"{own} data:",
        worker=own,
        connect=own,
    )
    return Ide(page.read_bytes(), headers, {path.name: path for path in (built / ASSETS).iterdir()})


def pinned_ide() -> Ide:
    """Return the page that loads its scripts from ``ORIGIN``: its own inline ones run beside."""
    page = _PINNED.read_bytes()
    scripts = [
        f"'sha256-{b64encode(sha256(script).digest()).decode()}'"
        for script in re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)
    ]
    headers = page_headers(
        script=" ".join((ORIGIN, *scripts)),
        style=f"{ORIGIN} 'unsafe-inline'",
        font=f"{ORIGIN} data:",
        img="'self' data:",
        connect="'self'",
    )
    return Ide(page, headers)


PLAYGROUND = APIRouter(include_in_schema=False)


@PLAYGROUND.get("/graphql/assets/{name}")
def asset(name: str, request: Request) -> Response:
    """Serve a file of the page; its names change with their content."""
    ide: Ide = request.app.state.ide
    if name not in ide.files:
        raise Problem(404, "not-found")
    path = ide.files[name]
    kind = _TYPES.get(path.suffix, "application/octet-stream")
    return Response(path.read_bytes(), media_type=kind, headers={**ide.headers, **_FOR_EVER})
