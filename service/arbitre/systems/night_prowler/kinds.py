"""Requests of several kinds: each kind takes its own fields, and needs some of them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import TypeVar

from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Request

K = TypeVar("K", bound=StrEnum)


def refuse_fields(
    request: Request,
    kind: K,
    takes: Mapping[str, AbstractSet[K]],
    needs: Mapping[K, tuple[str, ...]],
) -> None:
    """Refuse a field that another kind takes, then a field that this one lacks."""
    for name, kinds in takes.items():
        if kind not in kinds and getattr(request, name) is not None:
            raise RuleRefused("field-not-for-kind", pointer=f"/{name}", kind=kind)
    for name in needs.get(kind, ()):
        if getattr(request, name) is None:
            raise RuleRefused("required", pointer=f"/{name}")
