"""JSON as it must be: UTF-8, one value, each key once, numbers that are numbers."""

import json
from math import isinf
from typing import Any, NoReturn

from arbitre.api.problems import Fault, Problem

BODY_LIMIT = 256 * 1024
"""Most bytes of a body, batches excepted."""

BATCH_LIMIT = 1024 * 1024
"""Most bytes of a batch."""

_FAR_TOO_DEEP = 64


class _NotJson(Exception):  # noqa: N818 - it is turned into a problem at once
    pass


def _refuse_constant(_name: str) -> NoReturn:
    raise _NotJson


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise _NotJson
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwiceError
    return found


class _TwiceError(Exception):
    pass


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_constant=_refuse_constant, parse_float=_finite
)


def strict_json(body: bytes) -> Any:
    """Return the JSON value of ``body``; anything doubtful is a 400 without an echo.

    Duplicate keys, NaN and infinities, a byte order mark, UTF-16, lone surrogates, numbers
    of thousands of digits and nesting beyond reason are refused.
    """
    try:
        text = body.decode()
        value = _DECODER.decode(text)
        if "\\u" in text:  # an escape may hide half a character
            json.dumps(value, ensure_ascii=False).encode()
    except _TwiceError:
        raise Problem(400, "key-twice", faults=(Fault("", "key-twice"),)) from None
    except (ValueError, RecursionError, _NotJson):
        raise Problem(400, "not-json", faults=(Fault("", "not-json"),)) from None
    _no_deeper(value)
    return value


def _no_deeper(value: Any) -> None:
    level = [value]
    for _ in range(_FAR_TOO_DEEP):
        level = [
            item
            for inner in level
            if isinstance(inner, dict | list)
            for item in (inner.values() if isinstance(inner, dict) else inner)
        ]
        if not level:
            return
    raise Problem(400, "too-deep", faults=(Fault("", "too-deep"),))
