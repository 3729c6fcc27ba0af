"""Who acts when in a round: rules KA-25 to KA-30."""

from enum import StrEnum
from itertools import groupby
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import Skill
from arbitre.systems.kadath.boons import Counter
from arbitre.systems.kadath.kinds import refuse_others


class KadathOrder(StrEnum):
    ROUND = "round"
    WAITING = "waiting"


class KadathCombatant(Frozen):
    id: Annotated[str, Field(min_length=1, max_length=40), CLEAN]
    """Name of the combatant, unlike any other here."""
    side: Annotated[str, Field(max_length=40), CLEAN] | None = None
    """Side of the combatant; default: a side of its own (KA-R27)."""
    declared_actions: Annotated[int, Field(ge=1, le=6), WHOLE] = 1
    """Actions declared for the round (KA-25)."""
    reflexes: Skill
    """Value of Réflexes (KA-26)."""
    acceleration: Counter = 0
    """Next actions played first (KA-30)."""
    slowdown: Counter = 0
    """Next actions played last (KA-30)."""


class KadathInitiativeRequest(Request):
    kind: KadathOrder = KadathOrder.ROUND
    """A whole round, or characters who waited and step in together (KA-29)."""
    combatants: Annotated[tuple[KadathCombatant, ...], Field(min_length=1, max_length=50)]
    """Everybody concerned."""
    from_pass: Annotated[int, Field(ge=1, le=6), WHOLE] | None = None
    """First pass still to play, in a round; default 1 (KA-27)."""


class KadathPass(Frozen):
    model_config = ConfigDict(validate_by_name=True)

    pass_: int = Field(alias="pass")
    """Number of the pass (KA-27)."""
    slots: tuple[tuple[str, ...], ...]
    """Who acts, in order; those in one slot act together (KA-28)."""


class KadathEntry(Frozen):
    model_config = ConfigDict(validate_by_name=True)

    pass_: int = Field(alias="pass")
    """Number of the pass (KA-27)."""
    slot: int
    """Number of the slot in the pass (KA-28)."""
    id: str
    """Who acts."""
    accelerated: bool
    """Whether the action is played first (KA-30)."""
    slowed: bool
    """Whether the action is played last (KA-30)."""
    slowdown_allowed: bool
    """Whether an adversary acts later in the pass (KA-R27)."""


class KadathCountersAfter(Frozen):
    id: str
    """Who acts."""
    acceleration: int
    """Accelerations left after the round (KA-30)."""
    slowdown: int
    """Slowdowns left after the round (KA-30)."""


class KadathExtraActions(Frozen):
    id: str
    """Who acts."""
    unfavorable: int
    """Unfavorable circumstances on every test of the round (KA-25)."""


class KadathInitiativeOutcome(Outcome):
    kind: KadathOrder
    """As asked."""
    passes: tuple[KadathPass, ...] | None = None
    """Each pass of the round (KA-27)."""
    entries: tuple[KadathEntry, ...] | None = None
    """Each action of the round, in order."""
    states_after: tuple[KadathCountersAfter, ...] | None = None
    """Counters after the round (KA-30)."""
    unfavorable: tuple[KadathExtraActions, ...] | None = None
    """What extra actions weigh (KA-25)."""
    slots: tuple[tuple[str, ...], ...] | None = None
    """Who steps in, in order, among those who waited (KA-29)."""


class Turn(NamedTuple):
    """One action in a pass."""

    rank: int
    combatant: KadathCombatant
    number: int
    accelerated: bool
    slowed: bool

    @property
    def order(self) -> tuple[int, int, int]:
        """KA-26, KA-30: the sort key; equal keys act together (KA-28)."""
        return self.rank, -self.combatant.declared_actions, -self.combatant.reflexes


def summary(outcome: KadathInitiativeOutcome) -> str:
    return f"order_{outcome.kind}"


@resolver(
    "initiative",
    rules=("KA-25", "KA-26", "KA-27", "KA-28", "KA-29", "KA-30", "KA-R14", "KA-R27"),
    summary=summary,
)
def initiative(request: KadathInitiativeRequest, dice: Dice) -> KadathInitiativeOutcome:
    """Order the actions of a round, or those who waited."""
    combatants = request.combatants
    seen: set[str] = set()
    for index, combatant in enumerate(combatants):
        if combatant.id in seen:
            raise RuleRefused("duplicate-id", pointer=f"/combatants/{index}/id")
        seen.add(combatant.id)
    if request.kind is KadathOrder.WAITING:
        refuse_others(request, request.kind, ("combatants",))
        return _waiting(combatants, dice)
    return _round(combatants, request.from_pass or 1, dice)


def _waiting(combatants: tuple[KadathCombatant, ...], dice: Dice) -> KadathInitiativeOutcome:
    """KA-29: by declared actions, then Réflexes; counters play no part (KA-R14)."""
    turns = [Turn(1, who, number, False, False) for number, who in enumerate(combatants, 1)]
    slots = _slots(turns)
    for slot, together in enumerate(slots, 1):
        for turn in together:
            _note("KA-29", "waits", 1, slot, turn, dice)
    return KadathInitiativeOutcome(
        kind=KadathOrder.WAITING,
        slots=tuple(tuple(turn.combatant.id for turn in slot) for slot in slots),
    )


def _round(
    combatants: tuple[KadathCombatant, ...], first: int, dice: Dice
) -> KadathInitiativeOutcome:
    """KA-27: each pass holds those who declared as many actions or more."""
    passes, entries = [], []
    for number in range(first, max(who.declared_actions for who in combatants) + 1):
        slots = _slots(_turns(combatants, number, number - first + 1))
        passes.append(
            KadathPass(
                pass_=number,
                slots=tuple(tuple(turn.combatant.id for turn in slot) for slot in slots),
            )
        )
        for slot, together in enumerate(slots, 1):
            later = {_side(turn) for after in slots[slot:] for turn in after}
            for turn in together:
                _note("KA-26", "acts", number, slot, turn, dice)
                entries.append(
                    KadathEntry(
                        pass_=number,
                        slot=slot,
                        id=turn.combatant.id,
                        accelerated=turn.accelerated,
                        slowed=turn.slowed,
                        slowdown_allowed=bool(later - {_side(turn)}),  # KA-R27
                    )
                )
    return KadathInitiativeOutcome(
        kind=KadathOrder.ROUND,
        passes=tuple(passes),
        entries=tuple(entries),
        states_after=tuple(
            _spent(number, who, first, dice) for number, who in enumerate(combatants, 1)
        ),
        unfavorable=tuple(
            KadathExtraActions(id=who.id, unfavorable=who.declared_actions - 1)  # KA-25
            for who in combatants
        ),
    )


def _turns(combatants: tuple[KadathCombatant, ...], number: int, action: int) -> list[Turn]:
    """KA-30: who plays first, normally or last; both at once is normal (KA-R14)."""
    turns = []
    for place, who in enumerate(combatants, 1):
        if who.declared_actions >= number:
            fast, slow = who.acceleration >= action, who.slowdown >= action
            rank = 1 if fast is slow else 0 if fast else 2
            turns.append(Turn(rank, who, place, fast and not slow, slow and not fast))
    return turns


def _slots(turns: list[Turn]) -> list[list[Turn]]:
    """KA-26, KA-28: in order, equals together as they were sent."""
    ordered = sorted(turns, key=lambda turn: turn.order)
    return [list(together) for _, together in groupby(ordered, key=lambda turn: turn.order)]


def _side(turn: Turn) -> tuple[bool, str]:
    """KA-R27: the side sent, or one of the combatant's own."""
    who = turn.combatant
    return (False, who.id) if who.side is None else (True, who.side)


def _spent(number: int, who: KadathCombatant, first: int, dice: Dice) -> KadathCountersAfter:
    """KA-30: each action played uses up one of each counter."""
    actions = max(0, who.declared_actions - first + 1)
    after = KadathCountersAfter(
        id=who.id,
        acceleration=max(0, who.acceleration - actions),
        slowdown=max(0, who.slowdown - actions),
    )
    if who.acceleration or who.slowdown:
        dice.note(
            "KA-30",
            "spent",
            number=number,
            actions=actions,
            acceleration=who.acceleration,
            acceleration_after=after.acceleration,
            slowdown=who.slowdown,
            slowdown_after=after.slowdown,
        )
    return after


def _note(rule: str, key: str, pass_number: int, slot: int, turn: Turn, dice: Dice) -> None:
    dice.note(
        rule,
        key,
        pass_number=pass_number,
        slot=slot,
        number=turn.number,
        actions=turn.combatant.declared_actions,
        reflexes=turn.combatant.reflexes,
        accelerated=turn.accelerated,
        slowed=turn.slowed,
    )
