"""One die read on a table of the caller's screen: rule KA-86."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.screen import KadathRow, Label, refuse_holes, row_at
from arbitre.systems.kadath.tables import SIDES


class KadathScreenTable(StrEnum):
    PERIL = "peril"
    SHOW_MUST_GO_ON = "show_must_go_on"
    INCIDENT = "incident"


class KadathScreenRow(KadathRow):
    label: Label
    """The caller's words for the row."""


class KadathScreenTableRequest(Request):
    table: KadathScreenTable
    """Which table of the screen (KA-54, KA-68, KA-75)."""
    rows: Annotated[tuple[KadathScreenRow, ...], Field(min_length=1, max_length=6)] | None = None
    """The caller's rows; without them, look the face up on the screen (KA-86)."""


class KadathScreenTableOutcome(Outcome):
    table: KadathScreenTable
    """As asked."""
    face: int
    """Face to look up."""
    row: KadathScreenRow | None
    """Row of that face; null where no rows were sent."""


def summary(outcome: KadathScreenTableOutcome) -> str:
    return "look_up" if outcome.row is None else "row_read"


@resolver(
    "screen-table",
    rules=("KA-54", "KA-68", "KA-75", "KA-86", "KA-R47", "KA-R56"),
    odds=("face", "row.label"),
    summary=summary,
)
def screen_table(request: KadathScreenTableRequest, dice: Dice) -> KadathScreenTableOutcome:
    """Roll one die and read it on the caller's rows."""
    refuse_holes(request.rows, "/rows")
    face = dice.die("screen", sides=SIDES)
    dice.note("KA-86", "screen", table=request.table, face=face, known=request.rows is not None)
    return KadathScreenTableOutcome(table=request.table, face=face, row=row_at(request.rows, face))
