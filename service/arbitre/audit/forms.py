"""The form of each type of entry that a table's log may hold.

=========  =====================================================================================
all        v, type, table, seq, prev, ts, st; at times idem, fp
genesis    origin, key, commit, settings
seed       who, seed
roll       who, role, lane, client, entropy; in the open lane ruleset, resolver, req, draws,
           outcome and at times note; in the veil lane, which is the game master's, veil, sealed
rotate     commit
reveal     epoch, lane, seed
unveil     target, values, salts
close      reason
=========  =====================================================================================

No other field is allowed; texts have at most 500 characters, a player's words 16 to 64.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from arbitre.audit.entry import VERSION
from arbitre.audit.replay import is_die
from arbitre.audit.tables import Drawn, Kind, Lane, Role
from arbitre.dice.live import LIMIT

MOST_TEXT: Final = 500


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Text = Annotated[str, Field(max_length=MOST_TEXT)]
_Words = Annotated[str, Field(min_length=16, max_length=64)]
_Whole = Annotated[int, Field(ge=0, le=2**53 - 1)]


class _St(_Part):
    epoch: _Whole
    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    cs: _Hash
    n: _Whole


class _Common(_Part):
    v: Annotated[int, Field(ge=VERSION, le=VERSION)]
    table: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    seq: _Whole
    prev: _Hash
    ts: _Whole
    st: _St
    idem: _Hash | None = None
    fp: _Hash | None = None


class Commit(_Part):
    """What is published of the seeds of an epoch."""

    open: _Hash
    veil: _Hash


class Genesis(_Common):
    """The opening of a table."""

    type: Literal["genesis"]
    origin: _Text
    key: _Hash
    commit: Commit
    settings: dict[str, Any]


class Seed(_Common):
    """A player's contribution."""

    type: Literal["seed"]
    who: _Text
    seed: _Words


class _Veil(_Part):
    req: _Hash
    draws: _Hash
    outcome: _Hash


def _dice(draws: list[list[int]]) -> list[list[int]]:
    if len(draws) > LIMIT or not all(map(is_die, draws)):
        msg = "no dice fall like that"
        raise ValueError(msg)
    return draws


_Draws = Annotated[list[list[int]], AfterValidator(_dice)]


class _Roll(_Common):
    type: Literal["roll"]
    who: _Text
    client: _Words | None
    entropy: Drawn


class OpenRoll(_Roll):
    """A roll that everybody sees."""

    lane: Literal["open"]
    role: Role
    note: _Text | None = None
    ruleset: _Text
    resolver: _Text
    req: dict[str, Any]
    draws: _Draws
    outcome: dict[str, Any]


class SecretRoll(_Roll):
    """A roll of the game master, sealed."""

    lane: Literal["veil"]
    role: Literal["gm"]
    veil: _Veil
    sealed: Annotated[str, Field(pattern=r"^([0-9a-f]{2})+$")]


class Rotate(_Common):
    """The end of an epoch, and the next one."""

    type: Literal["rotate"]
    commit: Commit


class Reveal(_Common):
    """A seed of an earlier epoch."""

    type: Literal["reveal"]
    epoch: _Whole
    lane: Lane
    seed: _Hash


class _Salts(_Part):
    req: _Hash
    draws: _Hash
    outcome: _Hash


class _Asked(_Part):
    ruleset: _Text
    resolver: _Text
    note: _Text | None = None
    req: dict[str, Any]


class _Values(_Part):
    req: _Asked
    draws: _Draws
    outcome: dict[str, Any]


class Unveil(_Common):
    """A secret roll, opened."""

    type: Literal["unveil"]
    target: _Whole
    values: _Values
    salts: _Salts


class Close(_Common):
    """The end."""

    type: Literal["close"]
    reason: _Text


_EachRoll = Annotated[OpenRoll | SecretRoll, Field(discriminator="lane")]
Entry = Genesis | Seed | OpenRoll | SecretRoll | Rotate | Reveal | Unveil | Close
_ENTRY: Final = TypeAdapter[Entry](
    Annotated[
        Genesis | Seed | _EachRoll | Rotate | Reveal | Unveil | Close,
        Field(discriminator="type"),
    ]
)


class FormError(ValueError):
    """An entry that no log may hold; ``pointer`` names its first wrong field.

    Without ``pointer`` it is nested deeper than any entry.
    """

    def __init__(self, pointer: str | None) -> None:
        super().__init__(pointer)
        self.pointer = pointer


def formed(entry: bytes) -> Entry:
    """Read an entry's canonical bytes; ``FormError`` if it has not the form of its type."""
    try:
        return _ENTRY.validate_json(entry)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        raise FormError(None)
    tags = 2 if first["loc"][:1] == (Kind.ROLL,) else 1  # a roll's lane is one more
    raise FormError("".join(f"/{step}" for step in first["loc"][tags:]))
