"""A table of the rulebook, as data."""

from dataclasses import dataclass
from decimal import Decimal

Cell = int | str | bool | Decimal | None | tuple[int | str, ...]
"""A number, a choice (a ``StrEnum`` is labelled), a French word of the book, a range, nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table: title and columns are keys of the labels' ``[tables.<id>]``."""

    id: str
    rules: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
