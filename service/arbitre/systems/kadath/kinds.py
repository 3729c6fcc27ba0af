"""Requests of several kinds: each kind reads its own fields and refuses the others'."""

from collections.abc import Collection
from enum import StrEnum
from typing import TypeVar, cast

from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Request

T = TypeVar("T")


def refuse_others(
    request: Request, kind: StrEnum, takes: Collection[str], needs: Collection[str] = ()
) -> None:
    """Refuse a field that ``kind`` does not take, then the lack of one that it needs."""
    for name in type(request).model_fields:
        given = getattr(request, name) is not None
        if given and name not in {"kind", "method", *takes, *needs}:
            raise RuleRefused("field-not-for-kind", pointer=f"/{name}", kind=kind)
    for name in needs:
        if getattr(request, name) is None:
            raise RuleRefused("required", pointer=f"/{name}")


def given(value: T | None) -> T:
    """Return a field that ``refuse_others`` has made sure of."""
    return cast("T", value)
