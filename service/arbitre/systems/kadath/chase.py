"""Running after a snatch thief: rules KA-77 and KA-78."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import TEST_RULES, KadathBlock, KadathRole, KadathTest
from arbitre.systems.kadath.many import Against, any_wins, face_all
from arbitre.systems.kadath.versus import (
    VERSUS_RULES,
    KadathDecidedBy,
    KadathInitiator,
    KadathWinner,
)

CHASE = Against(  # KA-R53: the pursuer, first side, initiates
    KadathRole.THIEF, KadathRole.PURSUER, KadathWinner.B, KadathInitiator.A
)


class KadathChaseStatus(StrEnum):
    RUNNING = "running"
    CAUGHT = "caught"
    ESCAPED = "escaped"


class KadathChaseState(Frozen):
    status: KadathChaseStatus = KadathChaseStatus.RUNNING
    """Where the chase stands (KA-R53)."""


class KadathPursuer(KadathBlock):
    id: Annotated[str, Field(min_length=1, max_length=40), CLEAN] | None = None
    """Name of the pursuer; default: its place in the list, from 0."""
    eligible: bool = True
    """Whether the pursuer was not surprised (KA-77)."""


class KadathChaseRequest(Request):
    state: KadathChaseState = KadathChaseState()
    """The chase so far."""
    thief: KadathBlock
    """Athlétisme of the thief (KA-78)."""
    pursuers: Annotated[tuple[KadathPursuer, ...], Field(min_length=1, max_length=20)]
    """Athlétisme of each pursuer (KA-78)."""


class KadathPursuit(KadathTest):
    id: str
    """Name of the pursuer, or its place in the list."""
    winner: KadathWinner
    """First side for the pursuer, second for the thief."""
    decided_by: KadathDecidedBy
    """What decides (KA-09 to KA-12)."""
    margin: int
    """Difference of successes (KA-09)."""


class KadathChaseOutcome(Outcome):
    caught: bool
    """Whether the thief is caught: one win is enough (KA-78)."""
    caught_by: tuple[str, ...]
    """Who caught the thief."""
    loot_recovered: bool
    """Whether the thief drops the loot (KA-78)."""
    thief: KadathTest
    """Test of the thief."""
    pursuers: tuple[KadathPursuit, ...]
    """Each pursuer in order."""
    state: KadathChaseState
    """The chase after."""
    over: bool
    """Always: one opposition settles it (KA-R53)."""


def summary(outcome: KadathChaseOutcome) -> str:
    return "caught" if outcome.caught else "escaped"


@resolver(
    "chase",
    rules=("KA-77", "KA-78", *VERSUS_RULES, *TEST_RULES, "KA-R12", "KA-R52", "KA-R53"),
    odds=("caught",),
    summary=summary,
)
def chase(request: KadathChaseRequest, dice: Dice) -> KadathChaseOutcome:
    """Oppose the Athlétisme of each pursuer to the thief's single roll."""
    names = _names(request)
    many = face_all(request.thief, request.pursuers, CHASE, any_wins, dice)
    caught = any_wins(many.others)
    pursuits = tuple(
        KadathPursuit(
            **dict(facing.test),
            id=name,
            winner=KadathWinner.B if facing.lost else KadathWinner.A,
            decided_by=facing.verdict.decided_by,
            margin=facing.verdict.margin,
        )
        for name, facing in zip(names, many.others, strict=True)
    )
    dice.note("KA-78", "chase", caught=caught, pursuers=sum(not f.lost for f in many.others))
    status = KadathChaseStatus.CAUGHT if caught else KadathChaseStatus.ESCAPED
    return KadathChaseOutcome(
        caught=caught,
        caught_by=tuple(p.id for p in pursuits if p.winner is KadathWinner.A),
        loot_recovered=caught,
        pursuers=pursuits,
        thief=many.one,
        state=KadathChaseState(status=status),
        over=True,
    )


def _names(request: KadathChaseRequest) -> list[str]:
    """Refuse a chase that cannot be; name the pursuers."""
    if request.state.status is not KadathChaseStatus.RUNNING:
        raise RuleRefused("chase-over", pointer="/state/status", rule="KA-R53")
    names: list[str] = []
    for index, pursuer in enumerate(request.pursuers):
        if not pursuer.eligible:
            raise RuleRefused(
                "surprised-pursuer", pointer=f"/pursuers/{index}/eligible", rule="KA-R52"
            )
    for index, pursuer in enumerate(request.pursuers):
        name = str(index) if pursuer.id is None else pursuer.id
        if name in names:
            raise RuleRefused("duplicate-id", pointer=f"/pursuers/{index}/id")
        names.append(name)
    return names
