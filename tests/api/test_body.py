"""A body on its way in, part by part."""

from collections.abc import Iterable
from typing import Any

import pytest

from arbitre.api.http import language_of, read_body
from arbitre.api.problems import Problem

HEADERS = [(b"content-type", b"application/json")]


async def read(parts: Iterable[bytes], limit: int, headers: Any = HEADERS) -> bytes:
    """Read a body that arrives in ``parts``, without saying how long it is."""
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages[-1]["more_body"] = False

    async def receive() -> Any:
        return messages.pop(0)

    return await read_body({"type": "http", "headers": headers}, receive, limit)


@pytest.mark.parametrize("parts", [[b"abcd"], [b"ab", b"cd"], [b"", b"a", b"", b"bcd", b""]])
async def test_a_body_within_the_limit_is_whole(parts: list[bytes]) -> None:
    assert await read(parts, 4) == b"abcd"


@pytest.mark.parametrize("parts", [[b"abcde"], [b"ab", b"cde"], [b"abcd", b"e"]])
async def test_a_body_beyond_the_limit_is_not_read_to_its_end(parts: list[bytes]) -> None:
    with pytest.raises(Problem, match="too-big"):
        await read([*parts, b"x" * 1_000_000][: len(parts)], 4)


@pytest.mark.parametrize("length", [b"5", b"99999999999999999999999"])
async def test_a_length_beyond_the_limit_is_enough(length: bytes) -> None:
    with pytest.raises(Problem, match="too-big"):
        await read([b"ab"], 4, [*HEADERS, (b"content-length", length)])


@pytest.mark.parametrize("length", [b"", b"-1", b"x", b"\xb3"])
async def test_a_length_that_is_none_changes_nothing(length: bytes) -> None:
    assert await read([b"ab"], 4, [*HEADERS, (b"content-length", length)]) == b"ab"


@pytest.mark.parametrize("query", [b"", b"&", b"&&"])
def test_an_empty_query_asks_for_no_language(query: bytes) -> None:
    scope = {"query_string": query, "headers": [(b"accept-language", b"en")]}
    assert language_of(scope) == "en"
