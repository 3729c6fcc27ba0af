"""Who sees an ambush coming: rules KA-36 and KA-37."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import TEST_RULES, KadathBlock, KadathRole, KadathTest
from arbitre.systems.kadath.many import Against, Facing, face_all, face_one, losers
from arbitre.systems.kadath.parts import part
from arbitre.systems.kadath.versus import VERSUS_RULES, KadathDecidedBy

AMBUSH = Against(KadathRole.AMBUSHER, KadathRole.TARGET)  # KA-R16: the ambusher initiates


class KadathSurpriseMode(StrEnum):
    AMBUSH = "ambush"
    DRAW = "draw"


class KadathSurpriseRequest(Request):
    mode: KadathSurpriseMode
    """Ambush (Discrétion) or weapon suddenly drawn (Réflexes) (KA-36)."""
    ambusher: KadathBlock
    """Test of the one who surprises."""
    targets: Annotated[tuple[KadathBlock, ...], Field(min_length=1, max_length=20)]
    """Perception of each target (KA-36)."""


class KadathSurpriseTarget(KadathTest):
    surprised: bool
    """Whether the target loses (KA-36)."""
    decided_by: KadathDecidedBy
    """What decides (KA-09 to KA-12)."""
    margin: int
    """Difference of successes (KA-09)."""


class KadathSurpriseOutcome(Outcome):
    mode: KadathSurpriseMode
    """As asked."""
    ambusher: KadathTest
    """Test of the one who surprises."""
    targets: tuple[KadathSurpriseTarget, ...]
    """Each target in order."""
    surprised_count: int
    """Targets surprised."""


def summary(outcome: KadathSurpriseOutcome) -> str:
    return "surprised" if outcome.surprised_count else "nobody_surprised"


def views(request: KadathSurpriseRequest) -> tuple[Callable[[Dice], Any], ...]:
    """Count the surprised, then look at each target by itself."""

    def count(dice: Dice) -> KadathSurpriseOutcome:
        return surprise.resolve(request, dice).model_copy(update={"targets": ()})

    def one(index: int, dice: Dice) -> Any:
        target = request.targets[index]
        facing = face_one(request.ambusher, target, index + 1, AMBUSH, dice)
        return part("targets", index, _target(facing))

    return count, *(partial(one, index) for index in range(len(request.targets)))


@resolver(
    "surprise",
    rules=("KA-36", "KA-37", *VERSUS_RULES, *TEST_RULES, "KA-R12", "KA-R16"),
    odds=("targets[].surprised", "surprised_count"),
    summary=summary,
    views=views,
)
def surprise(request: KadathSurpriseRequest, dice: Dice) -> KadathSurpriseOutcome:
    """Oppose one who surprises to the Perception of each target."""
    many = face_all(request.ambusher, request.targets, AMBUSH, losers, dice)
    count = losers(many.others)
    dice.note("KA-36", "surprise", mode=request.mode, count=count, targets=len(many.others))
    if count:
        dice.note("KA-37", "surprise_effect")
    return KadathSurpriseOutcome(
        mode=request.mode,
        ambusher=many.one,
        targets=tuple(map(_target, many.others)),
        surprised_count=count,
    )


def _target(facing: Facing) -> KadathSurpriseTarget:
    return KadathSurpriseTarget(
        **dict(facing.test),
        surprised=facing.lost,
        decided_by=facing.verdict.decided_by,
        margin=facing.verdict.margin,
    )
