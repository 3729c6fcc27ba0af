"""Characters who help: rule LB-10, ruling LB-R7."""

from typing import Annotated

from pydantic import Field

from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import Name
from arbitre.rules.model import Frozen
from arbitre.systems.lady_blackbird.names import repeated
from arbitre.systems.lady_blackbird.pool import FULL, Pool

MANY = 20
"""Most helpers of one test: a technical limit (LB-R7)."""


class LadyBlackbirdHelper(Frozen):
    name: Name
    """Who helps."""
    pool: Pool = FULL
    """Dice the helper holds (LB-10)."""


Helpers = Annotated[tuple[LadyBlackbirdHelper, ...], Field(max_length=MANY)]


def refuse_helpers(helpers: tuple[LadyBlackbirdHelper, ...], *, giving: bool) -> None:
    """LB-10, LB-R7: one die per helper, once per test, from a pool that has one."""
    for index, helper in enumerate(helpers):
        if giving and helper.pool < 1:
            pointer = f"/helpers/{index}/pool"
            raise RuleRefused("helper-pool-empty", pointer=pointer, rule="LB-10", helper=index + 1)
    twice = repeated([helper.name for helper in helpers])
    if twice is not None:
        pointer = f"/helpers/{twice}/name"
        raise RuleRefused("helper-twice", pointer=pointer, rule="LB-R7", helper=twice + 1)
