"""``/guarantees``: what a table guarantees, against whom, and what it does not."""

import tomllib
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter, Response

from arbitre.api.html import page_headers
from arbitre.api.pages import Language
from arbitre.api.tables import RIGHTS
from arbitre.audit.tables import Role
from arbitre.rules.labels import LANGUAGES

_HEADERS: Final = {"Cache-Control": "no-cache", **page_headers(style="'self'", img="data:")}

_SEATS: Final = {"none": None, "player": Role.PLAYER, "gm": Role.GM}

_PAGE: Final = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="guarantees/style.css">
</head>
<body>
<main>
<a id="language" href="?lang={other}" lang="{other}" hreflang="{other}">{to_other}</a>
<h1>{title}</h1>
<p>{intro}</p>
{parts}
<p><a href="verify">{verify}</a></p>
</main>
</body>
</html>
"""

GUARANTEES = APIRouter(include_in_schema=False)


@GUARANTEES.get("/guarantees")
async def page(language: Language) -> Response:
    """Show the page."""
    return Response(_page(language), media_type="text/html; charset=utf-8", headers=_HEADERS)


@GUARANTEES.get("/guarantees/style.css")
async def style() -> Response:
    """Serve how the page looks."""
    content = files(__package__).joinpath("style.css").read_bytes()
    return Response(content, media_type="text/css; charset=utf-8", headers=_HEADERS)


def words(language: str) -> dict[str, Any]:
    """Return all that the page says."""
    return tomllib.loads(files(__package__).joinpath(f"{language}.toml").read_text("utf-8"))


@cache
def _page(language: str) -> str:
    said = words(language)
    (other,) = (one for one in LANGUAGES if one != language)
    sections = [
        "\n".join([_heading(section), *(f"<p>{escape(text)}</p>" for text in section["text"])])
        for section in said["sections"]
    ]
    return _PAGE.format(
        language=language,
        other=other,
        to_other=escape(said["other"]),
        title=escape(said["title"]),
        intro=escape(said["intro"]),
        verify=escape(said["verify"]),
        parts="\n".join([*sections, _threats(said), _rights(said["rights"])]),
    )


def _threats(said: dict[str, Any]) -> str:
    threats, verdicts = said["threats"], said["verdicts"]
    rows = [
        [threats["attempt"].format_map(row), verdicts[row["verdict"]], row["why"]]
        for row in threats["rows"]
    ]
    return _section(threats, threats["columns"], rows)


def _rights(said: dict[str, Any]) -> str:
    """Show the table of rights that the service itself follows."""
    rows = [
        [
            said["deeds"][deed.value],
            *(said["yes" if role in roles else "no"] for role in _SEATS.values()),
        ]
        for deed, roles in RIGHTS.items()
    ]
    return _section(said, ["", *(said[seat] for seat in _SEATS)], rows)


def _section(said: dict[str, Any], columns: list[str], rows: list[list[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "\n".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    intro = f"<p>{escape(said['intro'])}</p>"
    return "\n".join([_heading(said), intro, f'<div class="wide">\n{table}\n</div>'])


def _heading(said: dict[str, Any]) -> str:
    return f"<h2>{escape(said['title'])}</h2>"
