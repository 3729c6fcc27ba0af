"""A key is triggered or given up: rules LB-12 to LB-14, LB-17, rulings LB-R9 to LB-R11, LB-R22."""

from enum import StrEnum

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import Name
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.lady_blackbird.names import find
from arbitre.systems.lady_blackbird.pool import FULL, Pool, gain
from arbitre.systems.lady_blackbird.sheet import LINES, MOST, Names, Points, convert, refuse_twice
from arbitre.systems.lady_blackbird.tables import REWARDS, LadyBlackbirdReward

BUYBACK = 2  # LB-17


class LadyBlackbirdKeyAction(StrEnum):
    TRIGGER = "trigger"
    BUYBACK = "buyback"


class LadyBlackbirdKeyState(Frozen):
    pool: Pool = FULL
    """Dice the character holds (LB-21)."""
    xp: Points = 0
    """Points not yet turned into an advance (LB-14)."""
    advances: Points = 0
    """Unspent advances (LB-16)."""
    keys: Names | None = None
    """The keys on the sheet; needed for a buyback (LB-17)."""
    former_keys: Names = ()
    """Keys given up (LB-R26)."""


class LadyBlackbirdKeyRequest(Request):
    action: LadyBlackbirdKeyAction = LadyBlackbirdKeyAction.TRIGGER
    """Trigger the key, or give it up."""
    key: Name
    """The key."""
    danger: bool = False
    """The key put the character in danger (LB-13)."""
    reward: LadyBlackbirdReward | None = None
    """What the player takes for a trigger (LB-12)."""
    state: LadyBlackbirdKeyState = LadyBlackbirdKeyState()
    """The character before."""


class LadyBlackbirdKeyOutcome(Outcome):
    action: LadyBlackbirdKeyAction
    """Triggered, or given up."""
    state: LadyBlackbirdKeyState
    """The character after; less than five XP remain (LB-14)."""
    xp_gained: int
    """XP of the reward."""
    dice_gained: int
    """Pool dice of the reward that fit."""
    dice_lost: int
    """Pool dice of the reward that do not fit (LB-R9)."""
    advances_gained: int
    """Advances by conversion and by buyback together."""


def refuse(request: LadyBlackbirdKeyRequest) -> None:
    """LB-12, LB-13, LB-17, LB-R10, LB-R22: what no key gives."""
    state = request.state
    buyback = request.action is LadyBlackbirdKeyAction.BUYBACK
    if state.keys is not None and find(request.key, state.keys) is None:
        raise RuleRefused("key-not-owned", pointer="/key", rule="LB-12")
    if buyback and state.keys is None:
        raise RuleRefused("keys-required", pointer="/state/keys", rule="LB-17")
    refuse_twice("key-twice", state.keys or (), "/state/keys")
    refuse_twice("key-twice", state.former_keys, "/state/former_keys")
    if not buyback and request.reward is LadyBlackbirdReward.SPLIT and not request.danger:
        raise RuleRefused("split-needs-danger", pointer="/reward", rule="LB-13")
    if not buyback and request.reward is None:
        raise RuleRefused("reward-required", pointer="/reward", rule="LB-12")
    if buyback and (request.danger or request.reward is not None):  # LB-R22
        raise RuleRefused("reward-forbidden", pointer="/reward", rule="LB-R22")
    if buyback and len(state.former_keys) == LINES:
        raise RuleRefused("sheet-full", pointer="/state/former_keys", most=LINES)


def given_up(state: LadyBlackbirdKeyState, key: str) -> tuple[Names, Names]:
    """LB-17, LB-R26: the key leaves the sheet for the keys that may not come back."""
    keys = state.keys or ()
    index = find(key, keys)
    left = tuple(name for place, name in enumerate(keys) if place != index)
    gone = tuple(name for place, name in enumerate(keys) if place == index)
    known = find(key, state.former_keys) is not None
    return left, state.former_keys if known else state.former_keys + gone


def summary(outcome: LadyBlackbirdKeyOutcome) -> str:
    return "rewarded" if outcome.action is LadyBlackbirdKeyAction.TRIGGER else "given_up"


@resolver(
    "key",
    rules=(
        *("LB-12", "LB-13", "LB-14", "LB-16", "LB-17", "LB-21"),
        *("LB-R6", "LB-R9", "LB-R10", "LB-R11", "LB-R22", "LB-R23", "LB-R26"),
    ),
    summary=summary,
)
def key(request: LadyBlackbirdKeyRequest, dice: Dice) -> LadyBlackbirdKeyOutcome:
    """Reward one trigger of a key, or give the key up for two advances."""
    refuse(request)
    state = request.state
    keys, former_keys = state.keys, state.former_keys
    xp = more = bought = 0
    if request.reward is not None:  # LB-12, LB-13, LB-R10, LB-R23
        xp, more = REWARDS[request.danger, request.reward]
        rule = "LB-13" if request.danger else "LB-12"
        dice.note(rule, "rewarded", xp=xp, dice=more, danger=request.danger)
    else:  # LB-17, LB-R22
        bought = BUYBACK
        keys, former_keys = given_up(state, request.key)
        dice.note("LB-17", "given_up", advances=BUYBACK)
    pool, gained, lost = gain(state.pool, more)
    if more:
        dice.note("LB-21", "pool_rises", before=state.pool, gained=gained, after=pool)
    if lost:
        dice.note("LB-R9", "full", lost=lost)
    converted = convert(state.xp + xp, state.advances + bought, dice)
    if converted.advances > MOST:
        raise RuleRefused("advances-range", pointer="/state/advances", rule="LB-16", most=MOST)
    return LadyBlackbirdKeyOutcome(
        action=request.action,
        state=LadyBlackbirdKeyState(
            pool=pool,
            xp=converted.xp,
            advances=converted.advances,
            keys=keys,
            former_keys=former_keys,
        ),
        xp_gained=xp,
        dice_gained=gained,
        dice_lost=lost,
        advances_gained=converted.gained + bought,
    )
