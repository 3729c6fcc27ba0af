"""Extracts of the Guide: rule KA-85."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.tables import SIDES

MOST_CHECKS = 24

Hours = Annotated[Decimal, Hundredths(Decimal("0.01"), 100000)]


class KadathMythRequest(Request):
    myth: Annotated[int, Field(ge=0, le=20), WHOLE]
    """Myth of the place (KA-85)."""
    checks: Annotated[int, Field(ge=1, le=24), WHOLE] | None = None
    """Checks to make; default 1, or what the hours come to."""
    hours_present: Hours | None = None
    """Hours spent in the place, with the hours between two checks."""
    frequency_hours: Hours | None = None
    """Hours between two checks (KA-R54)."""


class KadathMythCheck(Frozen):
    face: int
    """Face compared with the Myth (KA-85)."""
    appears: bool
    """Whether an extract appears (KA-85)."""


class KadathMythOutcome(Outcome):
    results: tuple[KadathMythCheck, ...]
    """Each check in order."""
    appears: bool
    """Whether any extract appears."""
    extracts: int
    """How many appear."""
    checks: int
    """Checks made."""


def summary(outcome: KadathMythOutcome) -> str:
    return "extracts" if outcome.appears else "no_extract"


@resolver("myth", rules=("KA-85", "KA-R54"), odds=("extracts", "appears"), summary=summary)
def myth(request: KadathMythRequest, dice: Dice) -> KadathMythOutcome:
    """Roll one die for each check; at the Myth or above, an extract appears."""
    checks = _checks(request, dice)
    results = dice.gather(
        _check,
        ((request.myth,) for _ in range(checks)),
        state=NOTHING,
        combine=_joined,
        merge=_appears,
        merge_state=_extracts,
    )
    return KadathMythOutcome(
        results=results,
        appears=any(result.appears for result in results),
        extracts=_extracts(results),
        checks=checks,
    )


NOTHING: tuple[KadathMythCheck, ...] = ()


def _check(value: int, dice: Dice) -> KadathMythCheck:
    """KA-85: greater than or equal, as printed (KA-R54)."""
    face = dice.die("extract", sides=SIDES)
    dice.note("KA-85", "extract", face=face, myth=value, appears=face >= value)
    return KadathMythCheck(face=face, appears=face >= value)


def _joined(
    results: tuple[KadathMythCheck, ...], more: KadathMythCheck
) -> tuple[KadathMythCheck, ...]:
    return (*results, more)


def _appears(result: KadathMythCheck) -> bool:
    return result.appears


def _extracts(results: tuple[KadathMythCheck, ...]) -> int:
    return sum(result.appears for result in results)


def _checks(request: KadathMythRequest, dice: Dice) -> int:
    """KA-R54: the checks asked, or one for each whole span of hours."""
    present, frequency = request.hours_present, request.frequency_hours
    if request.checks is not None and (present or frequency):
        raise RuleRefused("checks-conflict", pointer="/checks", rule="KA-R54")
    if present is None and frequency is None:
        return request.checks or 1
    for name, value in (("hours_present", present), ("frequency_hours", frequency)):
        if value is None:
            raise RuleRefused("required", pointer=f"/{name}", rule="KA-R54")
    checks = int((present or 0) // (frequency or 1))
    if checks > MOST_CHECKS:
        raise RuleRefused("too-many-checks", pointer="/hours_present", rule="KA-R54", checks=checks)
    dice.note("KA-R54", "extract_checks", hours=present, frequency=frequency, due=checks)
    return checks
