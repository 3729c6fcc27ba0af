"""Meters run, swum or flown: rules CY-25 to CY-27, ruling CY-R34."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from arbitre.dice import Dice
from arbitre.rules.fields import Hundredths
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
    CydoniaCritical,
    CydoniaCriticals,
    CydoniaRole,
    CydoniaTest,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import SKILLS, CydoniaSkill

HALF = Decimal("0.5")  # CY-26
Meters = Annotated[Decimal, Hundredths(ge=0, le=1_000_000)]


class CydoniaTravelMode(StrEnum):
    RUN = "run"
    SWIM = "swim"
    FLY = "fly"


MODES = {
    CydoniaTravelMode.RUN: CydoniaSkill.RUNNING,
    CydoniaTravelMode.SWIM: CydoniaSkill.SWIMMING,
    CydoniaTravelMode.FLY: CydoniaSkill.FLIGHT,
}


class CydoniaTravelRequest(CydoniaCriticals, Request):
    mode: CydoniaTravelMode
    """How the character moves (CY-25 to CY-27)."""
    actor: CydoniaActor
    """Who moves."""


class CydoniaTravelOutcome(Outcome):
    test: CydoniaTest
    """The test."""
    total: int
    """Its total."""
    distance_m: Meters
    """Meters in the turn; halves count (CY-R34)."""
    critical: CydoniaCritical | None
    """Critical of the test."""


def traveling(mode: CydoniaTravelMode) -> Asked:
    """Say what a way of moving is rolled with."""
    return Asked(CydoniaRole.TRAVELER, MODES[mode])


def tidy(value: Decimal) -> Decimal:
    """Write a whole number of meters without decimals."""
    whole = Decimal(int(value))
    return whole if whole == value else value


def meters(mode: CydoniaTravelMode, total: int, dice: Dice) -> Decimal:
    """CY-25 to CY-27: the total in meters, halved in water; never negative (CY-R34)."""
    distance = Decimal(max(0, total))
    if mode is CydoniaTravelMode.SWIM:
        distance = tidy(distance * HALF)
    dice.note(SKILLS[MODES[mode]].rule, "meters", total=total, mode=mode, distance=distance)
    return distance


def summary(_outcome: CydoniaTravelOutcome) -> str:
    return "traveled"


@resolver(
    "travel",
    rules=(*TEST_RULES, "CY-25", "CY-26", "CY-27", "CY-R34"),
    odds=("distance_m",),
    summary=summary,
)
def travel(request: CydoniaTravelRequest, dice: Dice) -> CydoniaTravelOutcome:
    """Run, swim or fly for a turn."""
    asked = traveling(request.mode)
    refuse(side_faults(request.actor, asked, "/actor"), critical_faults(request))
    echo_criticals(request, dice)
    actor = prepare(request.actor, asked, request)
    rolled = roll(actor, dice)
    return CydoniaTravelOutcome(
        test=shown(actor, rolled),
        total=rolled.total,
        distance_m=meters(request.mode, rolled.total, dice),
        critical=rolled.critical,
    )
