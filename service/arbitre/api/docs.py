"""``/docs``: Swagger UI, served from a package, so that it works without internet."""

from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Request, Response

from arbitre.api.html import page_headers
from arbitre.api.problems import Problem

_PACKAGE: Final = "fastapi_standalone_docs"
_FILES: Final = {
    "swagger-ui.css": ("static/swagger/swagger-ui.css", "text/css"),
    "swagger-ui-bundle.js": ("static/swagger/swagger-ui-bundle.js", "text/javascript"),
    "favicon.png": ("static/fastapi/favicon.png", "image/png"),
}

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Arbitre: REST</title>
<link rel="icon" href="docs/favicon.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="swagger-ui"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""

_START: Final = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""

_HEADERS: Final = page_headers(
    script="'self'", style="'self' 'unsafe-inline'", img="'self' data:", connect="'self'"
)

_CACHED: Final = {"Cache-Control": "public, max-age=86400"}

DOCS = APIRouter(include_in_schema=False)


@DOCS.get("/openapi.json")
def openapi_json(request: Request) -> Response:
    """Describe every operation."""
    # not async: the first description takes a second, which a thread has and the loop has not
    return Response(request.app.state.openapi(), media_type="application/json")


@DOCS.get("/docs")
async def docs() -> Response:
    """Show every operation, to read and to try."""
    return Response(_PAGE, media_type="text/html", headers=_HEADERS)


@DOCS.get("/docs/start.js")
async def start() -> Response:
    """Start the page."""
    return Response(_START, media_type="text/javascript")


@DOCS.get("/docs/{name}")
async def asset(name: str) -> Response:
    """Serve a file of Swagger UI."""
    if name not in _FILES:
        raise Problem(404, "not-found")
    path, kind = _FILES[name]
    return Response(files(_PACKAGE).joinpath(path).read_bytes(), media_type=kind, headers=_CACHED)
