"""Tables of the game screen, which the caller sends: rule KA-86."""

from typing import Annotated, TypeVar

from pydantic import Field

from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.kadath.tables import SIDES

Label = Annotated[str, Field(max_length=200), CLEAN]


class KadathRow(Frozen):
    from_: Annotated[int, Field(ge=1, le=6), WHOLE] = Field(alias="from")
    """First face of the row."""
    to: Annotated[int, Field(ge=1, le=6), WHOLE]
    """Last face of the row."""


Row = TypeVar("Row", bound=KadathRow)


def refuse_holes(rows: tuple[KadathRow, ...] | None, pointer: str) -> None:
    """KA-86: a table covers each face from 1 to 6 once."""
    if rows is None:
        return
    faces = sorted(face for row in rows for face in range(row.from_, row.to + 1))
    backwards = any(row.to < row.from_ for row in rows)
    if backwards or faces != list(range(1, SIDES + 1)):
        raise RuleRefused("table-coverage", pointer=pointer, rule="KA-86")


def row_at(rows: tuple[Row, ...] | None, face: int) -> Row | None:
    """KA-86: the row that holds the face; nothing where no table was sent."""
    return next((row for row in rows or () if row.from_ <= face <= row.to), None)
