"""``/``: what the service is, and one request of each game to send from the page."""

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Response

from arbitre.api.html import page_headers
from arbitre.api.pages import Language, TheDesk
from arbitre.api.problems import LABELS, Problem
from arbitre.registry import Registry
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.system import System

_FILES: Final = {
    "page.mjs": "text/javascript; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
}

_HEADERS: Final = {
    "Cache-Control": "no-cache",
    **page_headers(script="'self'", style="'self'", img="data:", connect="'self'"),
}

_LINKS: Final = {
    "docs": "docs",
    "graphql": "graphql",
    "verify": "verify",
    "openapi": "openapi.json",
}

_PAGE: Final = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{intro}">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="landing/style.css">
<script type="module" src="landing/page.mjs"></script>
</head>
<body>
<main data-waiting="{waiting}" data-failed="{failed}" data-whole="{whole}">
<a id="language" href="?lang={other}" lang="{other}" hreflang="{other}">{to_other}</a>
<h1>{title}</h1>
<p>{intro}</p>
<noscript><p>{scripts}</p></noscript>
{games}
<h2>{more}</h2>
<ul>
{links}
</ul>
</main>
</body>
</html>
"""

_GAME: Final = """<form data-path="{path}">
<h2>{game}</h2>
<p><label for="{id}">{rule}</label> <code>POST /{path}</code></p>
<textarea id="{id}" rows="{rows}" spellcheck="false" autocomplete="off">{body}</textarea>
<p><button type="submit" disabled>{roll}</button></p>
<section aria-live="polite"></section>
</form>"""

LANDING = APIRouter(include_in_schema=False)


@LANDING.get("/")
def home(desk: TheDesk, language: Language) -> Response:
    """Show the page."""
    # not async: examples are read from their files, off the event loop
    text = _page(desk.registry, language)
    return Response(text, media_type="text/html; charset=utf-8", headers=_HEADERS)


@LANDING.get("/landing/{name}")
async def asset(name: str) -> Response:
    """Serve a file of the page."""
    if name not in _FILES:
        raise Problem(404, "not-found")
    content = files(__package__).joinpath(name).read_bytes()
    return Response(content, media_type=_FILES[name], headers=_HEADERS)


def shown_examples(registry: Registry) -> list[tuple[System, Example]]:
    """Return the request that the page offers of each game: the first example of its first rule."""
    found = []
    for system in registry.values():
        order = list(system.by_id)
        rows = [row for row in load_examples(system) if row.refused is None]
        rows.sort(key=lambda row: order.index(row.resolver))
        if rows:
            found.append((system, rows[0]))
    return found


def _page(registry: Registry, language: str) -> str:
    words = {key: escape(text) for key, text in LABELS[language].table("landing").items()}
    (other,) = (one for one in LANGUAGES if one != language)
    return _PAGE.format(
        **{key: words[key] for key in ("title", "intro", "waiting", "failed", "whole")},
        scripts=words["scripts"],
        more=words["more"],
        language=language,
        other=other,
        to_other=words["language"],
        games="\n".join(_games(registry, language, words["roll"])),
        links="\n".join(
            f'<li><a href="{address}">{words[key]}</a> <code>/{address}</code></li>'
            for key, address in _LINKS.items()
        ),
    )


def _games(registry: Registry, language: str, roll: str) -> Iterator[str]:
    for system, example in shown_examples(registry):
        labels = system.labels[language]
        rule = labels.raw("resolvers", example.resolver)
        body = json.dumps({"request": example.request}, ensure_ascii=False, indent=2)
        yield _GAME.format(
            id=f"{system.id}-request",
            path=f"v1/{system.id}/{example.resolver}",
            game=escape(labels.raw("system", "name")),
            rule=escape(rule[:1].upper() + rule[1:]),
            rows=min(body.count("\n") + 1, 12),
            body=escape(body),
            roll=roll,
        )
