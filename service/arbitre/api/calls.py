"""The bodies of requests, the same on every door."""

from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, create_model

from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen, Request
from arbitre.rules.resolver import Resolver

MOST_DICE = 1_000
"""Most faces that one request may give."""

MOST_ITEMS = 1_000
"""Most resolutions of one batch."""

Q = TypeVar("Q", bound=Request)

Client = Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[!-~]+$")]
"""Fresh words made by the player's own program."""

Face = Annotated[int, Field(ge=1, le=1_000_000), WHOLE]


class Call(Frozen, Generic[Q]):
    """One resolution: the request, and where its faces come from."""

    request: Q
    """What is attempted, by the rule's own model."""
    dice: Annotated[tuple[Face, ...], Field(max_length=MOST_DICE)] | None = None
    """Faces rolled by hand, in draw order, exactly as many as the rule draws."""
    seed: Annotated[str, Field(max_length=200), CLEAN] | None = None
    """Any text: the same seed and request give the same faces for ever. Excludes dice."""
    actor: Annotated[str, Field(min_length=1, max_length=80), CLEAN] | None = None
    """Who attempts it, in the caller's words."""
    note: Annotated[str, Field(max_length=500), CLEAN] | None = None
    """A remark, in the caller's words."""
    table: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    """Roll at this table: its committed stream supplies the faces, unless dice are given."""
    client: Client | None = None
    """Fresh words of the player's own program, mixed into the faces of a player's roll."""
    secret: bool = False
    """Sealed for all but the game master, until it is opened (tables only)."""


class OddsCall(Frozen, Generic[Q]):
    """A question about odds: the request, and the options of the rule's aid if it has any."""

    request: Q
    """What would be attempted, by the rule's own model."""


for _open in (Call, OddsCall):
    # what is derived from them at run time has no source to search for descriptions
    _open.model_config["use_attribute_docstrings"] = False


class ChatCall(Frozen):
    """One line of a game's notation, and where its faces come from."""

    line: Annotated[str, Field(min_length=1, max_length=1_000), CLEAN]
    """The line, as a player types it; what follows # is a comment."""
    seed: Annotated[str, Field(max_length=200), CLEAN] | None = None
    """Any text: the same seed and line give the same faces for ever."""
    actor: Annotated[str, Field(min_length=1, max_length=80), CLEAN] | None = None
    """Who attempts it, in the caller's words."""
    table: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    """Roll at this table."""
    client: Client | None = None
    """Fresh words of the player's own program, for a player's roll at a table."""
    secret: bool = False
    """Sealed for all but the game master (tables only)."""


class BatchItem(Frozen):
    """One resolution of a batch: a game, a rule, and the body that the rule takes."""

    model_config = ConfigDict(extra="allow")

    system: Annotated[str, Field(max_length=60)]
    """The game's id."""
    resolver: Annotated[str, Field(max_length=60)]
    """The rule's id."""


class BatchCall(Frozen):
    """Up to a thousand resolutions."""

    items: Annotated[tuple[BatchItem, ...], Field(min_length=1, max_length=MOST_ITEMS)]
    """What to resolve, in order."""


class VerifyCall(Frozen):
    """An entry to replay, as an answer's ``log`` gives it."""

    entry: Annotated[str, Field(max_length=200_000)]
    """The entry, byte for byte."""
    sig: Annotated[str, Field(max_length=200)] | None = None
    """Its signature in hexadecimal; without it the signature is not checked."""


def stem(resolver: Resolver[Any, Any]) -> str:
    """Return what the names of a resolver's models begin with: "KadathRoll"."""
    return resolver.request.__name__.removesuffix("Request")


@cache
def call_model(resolver: Resolver[Any, Any]) -> type[BaseModel]:
    """Return the body of ``POST /v1/{system}/{resolver}``."""
    return create_model(
        f"{stem(resolver)}Call",
        __base__=Call[resolver.request],  # type: ignore[name-defined]
        __doc__=Call.__doc__,
    )


@cache
def odds_model(resolver: Resolver[Any, Any]) -> type[BaseModel]:
    """Return the body of ``POST /v1/{system}/{resolver}/odds``."""
    fields: dict[str, Any] = {}
    if resolver.aid and resolver.aid.options:
        fields["options"] = (resolver.aid.options | None, Field(None, description="How to go on."))
    return create_model(
        f"{stem(resolver)}OddsCall",
        __base__=OddsCall[resolver.request],  # type: ignore[name-defined]
        __doc__=OddsCall.__doc__,
        **fields,
    )
