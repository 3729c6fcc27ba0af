"""Opening, raising and losing a skill, and what its level gives: NP-03, NP-04, NP-26, NP-27."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.tables import (
    CONTACTS,
    LEVELS,
    SKILLS,
    NightProwlerContactRank,
    NightProwlerLevelLabel,
    NightProwlerLimit,
    NightProwlerSkill,
)
from arbitre.systems.night_prowler.test import Level, Text

OPENED = 6  # NP-27
LIMITED_CAP = 6  # NP-27
SURGERY = 13  # NP-17
MASTER, MEASURE = 21, 4  # NP-04


class NightProwlerConversion(Frozen):
    rank: NightProwlerContactRank
    """Rank of the contacts had instead."""
    count: int
    """How many."""


class NightProwlerAdvancementRequest(Request):
    skill_name: NightProwlerSkill
    """The skill."""
    specialty: Text | None = None
    """Its specialty; nature, melorien and surgery bear on the limitation (NP-27)."""
    skill: Level | None = None
    """Level before; nothing: not opened (NP-03)."""
    change: Annotated[int, Field(ge=-60, le=60), WHOLE] | None = None
    """Levels gained or lost."""
    open: bool = False
    """Open the skill (NP-27)."""
    cost_per_point: Annotated[Decimal, Hundredths(0, 100_000)] | None = None
    """Price of one level."""
    determination: bool = False
    """The character has the trait Determination (NP-27)."""
    creation: bool = False
    """Apply the caps of creation (NP-27)."""
    cap: Level | None = None
    """Another cap of creation."""


class NightProwlerAdvancementOutcome(Outcome):
    skill: int | None
    """Level afterwards; nothing: not opened."""
    lost: bool
    """Fallen under 6, the skill is lost (NP-27)."""
    capped: bool
    """A cap of creation lowered it (NP-27)."""
    level_label: NightProwlerLevelLabel | None
    """Measure of the level (NP-04)."""
    level_index: int
    """Number of the measure; over 6 beyond master (NP-04)."""
    cost: Annotated[Decimal, Hundredths(0, 100_000_000)] | None
    """What the levels gained cost (NP-27)."""
    contact: NightProwlerContactRank
    """Contact the skill gives (NP-26)."""
    conversions: tuple[NightProwlerConversion, ...]
    """Contacts to have in its place (NP-26)."""
    surgery: bool
    """Enough care for surgery (NP-17)."""


def is_limited(skill: NightProwlerSkill, specialty: str | None) -> bool:
    """NP-27: whether Determination limits the skill."""
    limit = SKILLS[skill].limit
    said = (specialty or "").casefold()
    if limit is NightProwlerLimit.EXCEPT_NATURE:
        return said != "nature"
    if limit is NightProwlerLimit.EXCEPT_MELORIEN:
        return said not in {"melorien", "mélorien"}
    if limit is NightProwlerLimit.SURGERY:
        return said in {"surgery", "chirurgie"}
    return limit is NightProwlerLimit.WHOLE


def level_of(level: int | None) -> tuple[NightProwlerLevelLabel | None, int]:
    """NP-04: the measure of a level, and its number; every four levels from 21 on."""
    if not level:
        return None, 0
    if level >= MASTER:
        return NightProwlerLevelLabel.MASTER, LEVELS[-1].number + (level - MASTER) // MEASURE
    row = next(row for row in LEVELS if level <= row.most)
    return row.label, row.number


def contact_of(skill: NightProwlerSkill, level: int | None) -> NightProwlerContactRank:
    """NP-26, NP-R103: the one contact of an artistic, merchant or learned skill."""
    if SKILLS[skill].milieu is None:
        return NightProwlerContactRank.NONE
    return next(row.rank for row in reversed(CONTACTS) if (level or 0) >= row.least)


def conversions_of(rank: NightProwlerContactRank) -> tuple[NightProwlerConversion, ...]:
    """NP-26: two contacts of the rank below, and so on."""
    ranks = list(NightProwlerContactRank)
    below = ranks[1 : ranks.index(rank)] if rank in ranks[1:] else []
    return tuple(
        NightProwlerConversion(rank=lower, count=2**step)
        for step, lower in enumerate(reversed(below), 1)
    )


def refuse(request: NightProwlerAdvancementRequest) -> None:
    raised = (request.change or 0) > 0
    if raised and request.skill is None and not request.open:
        raise RuleRefused("skill-not-opened", pointer="/change", rule="NP-27")


def summary(outcome: NightProwlerAdvancementOutcome) -> str:
    return "skill-lost" if outcome.lost else "skill-level" if outcome.skill else "skill-unopened"


@resolver(
    "advancement",
    rules=("NP-03", "NP-04", "NP-17", "NP-26", "NP-27", "NP-R8", "NP-R103"),
    summary=summary,
)
def advancement(
    request: NightProwlerAdvancementRequest, dice: Dice
) -> NightProwlerAdvancementOutcome:
    """Open, raise or lower a skill; say its measure, its cost and its contact."""
    refuse(request)
    limited = request.determination and is_limited(request.skill_name, request.specialty)
    before = OPENED if request.open and request.skill is None else request.skill
    reached = None if before is None else before + (request.change or 0)
    caps = [LIMITED_CAP] * limited + ([] if request.cap is None else [request.cap])
    capped = request.creation and reached is not None and reached > min(caps, default=reached)
    if capped:
        reached = min(caps)
        dice.note("NP-27", "capped", after=reached)
    lost = reached is not None and reached < OPENED
    after = None if lost else reached
    gained = max(0, (after or 0) - (before or 0))
    factor = 2 if limited and not request.creation else 1
    cost = None if request.cost_per_point is None else request.cost_per_point * gained * factor
    label, index = level_of(after)
    contact = contact_of(request.skill_name, after)
    dice.note("NP-27", "level", before=request.skill, after=after, factor=factor)
    return NightProwlerAdvancementOutcome(
        skill=after,
        lost=lost,
        capped=capped,
        level_label=label,
        level_index=index,
        cost=cost,
        contact=contact,
        conversions=conversions_of(contact),
        surgery=request.skill_name is NightProwlerSkill.CARE and (after or 0) >= SURGERY,
    )
