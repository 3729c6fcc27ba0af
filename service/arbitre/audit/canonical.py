"""One value, one byte string: RFC 8785, for the data that entries are made of.

Numbers are integers of at most 53 bits; anything with a fraction travels as text. For such
data orjson's sorted output *is* the canonical form, as long as every key is ASCII: RFC 8785
sorts by UTF-16 units, orjson by code points. Values with other keys take the slow way.
"""

from typing import Any

import orjson
import rfc8785

LARGEST = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly."""

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER | orjson.OPT_PASSTHROUGH_SUBCLASS
_PLAIN = frozenset((str, int, bool, type(None)))


class NotCanonicalError(ValueError):
    """A value has no canonical form here: a float, a large integer, a stray type."""


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 bytes of ``value``."""
    return written(value, value)


def written(value: Any, *doubtful: Any) -> bytes:
    """Return the RFC 8785 bytes of ``value``, of which only ``doubtful`` parts need a look.

    The rest must be dictionaries with ASCII keys, lists, texts and integers.
    """
    try:
        if all(map(_ascii_keys, doubtful)):
            return orjson.dumps(value, option=_OPTIONS)
        return rfc8785.dumps(value)
    except (TypeError, ValueError, RecursionError) as wrong:  # each library has its own
        raise NotCanonicalError(str(wrong)) from None


def _ascii_keys(value: Any) -> bool:
    """Refuse what entries never hold; say whether all keys are ASCII."""
    keys: list[str] = []
    pending = [(value,)]
    while pending:
        for item in pending.pop():
            kind = type(item)
            if kind in _PLAIN:
                continue
            if kind is dict:
                keys += item
                pending.append(item.values())
            elif kind is list or kind is tuple:
                pending.append(item)
            else:
                msg = f"no {kind.__name__} in an entry"
                raise NotCanonicalError(msg)
    try:
        return "".join(keys).isascii()
    except TypeError:
        msg = "a key is no text"
        raise NotCanonicalError(msg) from None
