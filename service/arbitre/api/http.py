"""What both doors need of HTTP, on bare ASGI: bodies in, JSON out, languages."""

from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

import orjson
from starlette.types import Receive, Scope, Send

from arbitre.api.problems import Fault, Problem
from arbitre.rules.labels import LANGUAGES

JSON: Final = b"application/json"
PROBLEM: Final = b"application/problem+json"

CORS: Final = (
    (b"access-control-allow-origin", b"*"),
    (
        b"access-control-expose-headers",
        b"Location, Link, ETag, Retry-After, X-Request-Id, Idempotency-Replayed, Content-Language",
    ),
)
"""Open to every page: there are no cookies to abuse."""

REPLAYED: Final = (b"idempotency-replayed", b"true")
"""Says that an earlier request with the same key made this answer."""

_NAMED: Final = "arbitre.headers"

_JSON_TYPES: Final = ("application/json", "text/plain")

Headers = Iterable[tuple[bytes, bytes]]


def header(scope: Scope, name: bytes) -> str:
    """Return a request header, or nothing; of several alike, the first."""
    named = scope.get(_NAMED)
    if named is None:
        named = scope[_NAMED] = dict(reversed(scope["headers"]))
    value = named.get(name)
    return "" if value is None else str(value, "latin-1")


def bearer(value: bytes) -> str:
    """Return the token of an Authorization header; what is none opens nothing."""
    kind, _, token = str(value, "latin-1").partition(" ")
    return token.strip() or "?" if kind.lower() == "bearer" else "?"


class Shown(NamedTuple):
    """What a caller shows beside a body."""

    token: str = ""
    match: str | None = None


NOTHING_SHOWN: Final = Shown()


def shown_by(scope: Scope) -> Shown:
    """Return the table's token and the head that the caller shows."""
    authorization = header(scope, b"authorization")
    token = bearer(authorization.encode("latin-1")) if authorization else ""
    match = header(scope, b"if-match").strip('" ')
    return Shown(token, match or None) if token or match else NOTHING_SHOWN


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """Return the whole body of a JSON request; 413 past ``limit``, 415 for other types."""
    kind = header(scope, b"content-type").partition(";")[0].strip().lower()
    if kind and kind not in _JSON_TYPES and not kind.endswith("+json"):
        raise Problem(415, "media-type")
    length = header(scope, b"content-length")
    if length.isdecimal() and int(length[:12]) > limit:
        raise Problem(413, "too-big", values={"limit": limit})
    message = await receive()
    body: bytes = message.get("body", b"")
    if not message.get("more_body"):
        if len(body) > limit:
            raise Problem(413, "too-big", values={"limit": limit})
        return body
    parts = [body]
    size = len(body)
    while message.get("more_body"):
        message = await receive()
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            raise Problem(413, "too-big", values={"limit": limit})
        parts.append(part)
    return b"".join(parts)


def language_of(scope: Scope) -> str:
    """Return the language asked for: ``?lang=`` first, else Accept-Language, else French.

    The query may hold nothing else.
    """
    query = scope["query_string"]
    if query:
        chosen = ""
        for name, value in parse_qsl(str(query, "latin-1"), keep_blank_values=True):
            if name != "lang":
                raise Problem(
                    422,
                    "invalid",
                    faults=(Fault("?", "unknown-field"),),
                    values={"faults": 1},
                )
            if value not in LANGUAGES:
                raise Problem(
                    422,
                    "invalid",
                    faults=(Fault("?lang", "unknown-language"),),
                    values={"faults": 1},
                )
            chosen = value
        if chosen:
            return chosen
    wanted = header(scope, b"accept-language")
    return best_language(wanted) if wanted else LANGUAGES[0]


def best_language(accept: str) -> str:
    """Return the best of our languages for an Accept-Language header; it never fails."""
    best, best_q = LANGUAGES[0], 0.0
    for part in accept.split(",")[:20]:
        name, _, parameters = part.partition(";")
        tag = name.strip().lower().partition("-")[0]
        q = quality(parameters)
        if tag in LANGUAGES and q > best_q:
            best, best_q = tag, q
    return best


def quality(parameters: str) -> float:
    """Return the ``q`` of an Accept part: 1 when absent, 0 when unreadable."""
    for parameter in parameters.split(";"):
        name, _, text = parameter.strip().partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(text), 0.0), 1.0) if len(text) < 8 else 0.0  # noqa: PLR2004
            except ValueError:
                return 0.0
    return 1.0


async def send_json(
    send: Send, status: int, body: bytes, headers: Headers = (), kind: bytes = JSON
) -> None:
    """Send a whole answer."""
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", kind),
                (b"content-length", str(len(body)).encode()),
                *headers,
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})


async def send_problem(send: Send, problem: Problem, language: str, headers: Headers = ()) -> None:
    """Send a problem document."""
    extra = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    body = orjson.dumps(problem.document(language))
    await send_json(
        send,
        problem.status,
        body,
        [*headers, *extra],
        PROBLEM,
    )


def idempotency_key(scope: Scope) -> str | None:
    """Return the Idempotency-Key, quoted or bare."""
    for name, value in scope["headers"]:
        if name == b"idempotency-key":
            return checked_key(str(value, "latin-1").strip())
    return None


def checked_key(key: str) -> str:
    """Return a key without its quotes, or refuse one that is no key."""
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not 1 <= len(key) <= 200 or not key.isascii() or not key.isprintable():  # noqa: PLR2004
        raise Problem(400, "key-invalid")
    return key
