"""Crasse and guild tokens: rules NP-23 to NP-25, rulings NP-R14, NP-R16 and NP-R105."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver

STARTING_CRASSE = 2  # NP-23

Tokens = Annotated[int, Field(ge=0, le=1_000_000), WHOLE]


class NightProwlerTokenPool(StrEnum):
    CRASSE = "crasse"
    GUILD = "guild"


class NightProwlerTokenAction(StrEnum):
    SPEND = "spend"
    GM_SPEND = "gm_spend"
    STEAL = "steal"
    GAIN = "gain"
    LOSE = "lose"


class NightProwlerTokenPurpose(StrEnum):
    DESCRIPTION = "description"
    CONTACT = "contact"
    QUALITY = "quality"
    LOOT = "loot"
    NPC_SUCCESS = "npc_success"
    COMPLICATION = "complication"
    RELATIONSHIP = "relationship"
    OTHER = "other"


_P = NightProwlerTokenPurpose
_A = NightProwlerTokenAction

PURPOSES = {
    _A.SPEND: (_P.DESCRIPTION, _P.CONTACT, _P.QUALITY),  # NP-23
    _A.GM_SPEND: (_P.LOOT, _P.NPC_SUCCESS, _P.COMPLICATION, _P.RELATIONSHIP, _P.OTHER),  # NP-24
}


class NightProwlerTokensRequest(Request):
    pool: NightProwlerTokenPool
    """Crasse, or the guild's experience."""
    action: NightProwlerTokenAction
    """What is done with tokens."""
    purpose: NightProwlerTokenPurpose | None = None
    """What a Crasse token is spent on (NP-23, NP-24)."""
    count: Annotated[int, Field(ge=1, le=100), WHOLE] = 1
    """How many."""
    player: Tokens | None = None
    """The player's tokens; two of Crasse at the start (NP-23), none of the guild."""
    other: Tokens | None = None
    """Tokens of the one who is stolen from."""
    gm: Tokens = 0
    """The GM's Crasse tokens (NP-24)."""
    spent_this_action: bool = False
    """A Crasse token was already spent in this action (NP-R105)."""


class NightProwlerTokensOutcome(Outcome):
    player: int
    """The player's tokens afterwards."""
    other: int | None
    """Those of the one who was stolen from."""
    gm: int
    """The GM's."""
    removed: int
    """Tokens that left the game (NP-24)."""


def refuse(request: NightProwlerTokensRequest, player: int) -> None:
    spends = request.action is _A.SPEND
    if spends and (request.spent_this_action or request.count > 1):
        pointer = "/spent_this_action" if request.spent_this_action else "/count"
        raise RuleRefused("one-crasse-per-action", pointer=pointer, rule="NP-23")
    held = {
        _A.SPEND: player,
        _A.LOSE: player,
        _A.GM_SPEND: request.gm,
        _A.STEAL: request.other,
    }.get(request.action)
    if held is not None and held < request.count:
        raise RuleRefused("tokens-insufficient", pointer="/count", rule="NP-23")
    if request.pool is NightProwlerTokenPool.GUILD and request.action in PURPOSES:
        raise RuleRefused(
            "action-not-for-pool", pointer="/action", rule="NP-25", action=request.action
        )
    if request.purpose is not None and request.purpose not in PURPOSES.get(request.action, ()):
        raise RuleRefused(
            "purpose-not-for-action", pointer="/purpose", rule="NP-24", purpose=request.purpose
        )
    if request.action is _A.STEAL and request.other is None:
        raise RuleRefused("required", pointer="/other", rule="NP-25")


RULES = {
    NightProwlerTokenPool.GUILD: "NP-25",
    NightProwlerTokenPool.CRASSE: "NP-23",
}


def summary(_outcome: NightProwlerTokensOutcome) -> str:
    return "tokens"


@resolver(
    "tokens",
    rules=("NP-23", "NP-24", "NP-25", "NP-R14", "NP-R16", "NP-R105"),
    summary=summary,
)
def tokens(request: NightProwlerTokensRequest, dice: Dice) -> NightProwlerTokensOutcome:
    """Move tokens: spent by a player or the GM, stolen, gained, lost."""
    crasse = request.pool is NightProwlerTokenPool.CRASSE
    player = request.player
    if player is None:
        player = STARTING_CRASSE if crasse else 0
    refuse(request, player)
    action, count = request.action, request.count
    taken = action is _A.SPEND or action is _A.LOSE
    given = action is _A.GAIN or action is _A.STEAL
    after = player + count * given - count * taken
    gm = request.gm + count * (action is _A.SPEND) - count * (action is _A.GM_SPEND)
    rule = "NP-24" if action is _A.GM_SPEND else RULES[request.pool]
    dice.note(rule, "tokens", action=action, count=count, before=player, after=after, gm=gm)
    stolen = count * (action is _A.STEAL)
    return NightProwlerTokensOutcome(
        player=after,
        other=None if request.other is None else request.other - stolen,
        gm=gm,
        removed=count * (action is _A.GM_SPEND),
    )
