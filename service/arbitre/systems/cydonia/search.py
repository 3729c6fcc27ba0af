"""Searching bodies and places: rules CY-37 and CY-38, ruling CY-R42."""

from enum import StrEnum
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
    CydoniaCritical,
    CydoniaCriticalPolicy,
    CydoniaRole,
    CydoniaSide,
    CydoniaTest,
    CydoniaThreshold,
    Difficulty,
    Prepared,
    Rolled,
    critical_faults,
    echo_criticals,
    prepare,
    roll,
    shown,
    side_faults,
)
from arbitre.systems.cydonia.tables import CydoniaSkill
from arbitre.systems.cydonia.versus import (
    DIFFICULTY_RULES,
    VERSUS_RULES,
    Judging,
    compare,
    judging,
    meets,
)

SILVER_PER_GOLD = 10  # CY-38
SEARCHING = Asked(CydoniaRole.SEARCHER, CydoniaSkill.SEARCH)
HIDING = Asked(CydoniaRole.HIDER)


class CydoniaPlace(StrEnum):
    CORPSE = "corpse"
    AREA = "area"


class CydoniaFound(StrEnum):
    NOTHING = "nothing"
    SIMPLE = "simple"
    ALL = "all"


class CydoniaCoins(Frozen):
    silver_total: int
    """Coins in silver (CY-38)."""
    gold: int
    """Gold coins of that sum."""
    silver: int
    """Silver coins left over."""


class CydoniaSearchRequest(CydoniaThreshold, Request):
    searcher: CydoniaActor
    """Who searches (CY-37)."""
    place: CydoniaPlace
    """A body, or a place (CY-38)."""
    hidden_difficulty: Difficulty | None = None
    """Difficulty of a hidden object (CY-37)."""
    hidden_opposed: CydoniaSide | None = None
    """Who hid it, for an opposed test (CY-37)."""


class CydoniaSearchOutcome(Outcome):
    test: CydoniaTest
    """The test."""
    total: int
    """Its total."""
    critical: CydoniaCritical | None
    """Critical of the test, which matters here (CY-37)."""
    found: CydoniaFound
    """Nothing, simple objects, or every object (CY-37)."""
    magic_item: bool
    """Whether a magic item is found too (CY-37)."""
    coins: CydoniaCoins
    """Coins of a body (CY-38)."""
    hidden_found: bool | None
    """Whether the hidden object is found; null without one."""
    margin: int | None
    """Total less that of the hidden object; null without one."""


class Search(NamedTuple):
    """A search ready to be rolled."""

    searcher: Prepared
    hider: Prepared | None
    difficulty: int | None
    judging: Judging


class Searched(NamedTuple):
    """What was rolled for a search."""

    rolled: Rolled
    other: int | None
    """Total or difficulty of the hidden object."""
    beaten: bool | None


def look(search: Search, dice: Dice) -> Searched:
    """CY-37: the searcher's test, then the one of who hid the object."""
    rolled: Rolled = roll(search.searcher, dice)
    if search.hider is not None:
        hidden: Rolled = roll(search.hider, dice)
        verdict = compare(rolled, hidden, search.judging.critical_policy, dice)
        return Searched(rolled, hidden.total, verdict.success)
    if search.difficulty is not None:
        beaten = meets(rolled, search.difficulty, search.judging, dice)
        return Searched(rolled, search.difficulty, beaten)
    return Searched(rolled, None, None)


def by_find(searched: Searched) -> tuple[int, bool | None]:
    """Keep the searcher's total, and whether the hidden object is beaten."""
    return searched.rolled.total, searched.beaten


def coins_of(total: int) -> CydoniaCoins:
    """CY-38: as many silver coins as the total, ten to a gold coin."""
    silver = max(0, total)
    return CydoniaCoins(
        silver_total=silver, gold=silver // SILVER_PER_GOLD, silver=silver % SILVER_PER_GOLD
    )


_FOUND = {  # CY-37, CY-R42
    CydoniaCritical.FAILURE: CydoniaFound.NOTHING,
    CydoniaCritical.SUCCESS: CydoniaFound.ALL,
    None: CydoniaFound.SIMPLE,
}


def _hidden(searched: Searched, found: CydoniaFound) -> bool | None:
    """CY-R42: a critical decides for the hidden object too."""
    if searched.beaten is None or found is CydoniaFound.SIMPLE:
        return searched.beaten
    return found is CydoniaFound.ALL


def _faults(request: CydoniaSearchRequest) -> Faults:
    both = request.hidden_difficulty is not None and request.hidden_opposed is not None
    yield from excluded(both, "/hidden_opposed", "hidden_difficulty")
    yield from side_faults(request.searcher, SEARCHING, "/searcher")
    if request.hidden_opposed is not None:
        yield from side_faults(request.hidden_opposed, HIDING, "/hidden_opposed")
    yield from critical_faults(request)


def summary(outcome: CydoniaSearchOutcome) -> tuple[str, ...]:
    keys = [f"found-{outcome.found}"]
    if outcome.coins.silver_total:
        keys.append("coins")
    if outcome.hidden_found is not None:
        keys.append("hidden")
    return tuple(keys)


@resolver(
    "search",
    rules=(
        *TEST_RULES, *DIFFICULTY_RULES, *VERSUS_RULES, "CY-37", "CY-38", "CY-R42",
    ),
    odds=("found", "coins.silver_total", "magic_item", "hidden_found"),
    summary=summary,
)  # fmt: skip
def search(request: CydoniaSearchRequest, dice: Dice) -> CydoniaSearchOutcome:
    """Search a body or a place."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    searcher = prepare(request.searcher, SEARCHING, request)
    hider = None
    if request.hidden_opposed is not None:
        hider = prepare(request.hidden_opposed, HIDING, request)
    policy = CydoniaCriticalPolicy.FLAG  # CY-R42: criticals have their own meaning here
    reading = judging(request)._replace(critical_policy=policy)
    task = Search(searcher, hider, request.hidden_difficulty, reading)
    searched = dice.sub(look, task, merge=by_find)
    total, critical = searched.rolled.total, searched.rolled.critical
    found = _FOUND[critical]
    magic = found is CydoniaFound.ALL
    dice.note("CY-37", "found", found=found, magic_item=magic)
    purse = request.place is CydoniaPlace.CORPSE and found is not CydoniaFound.NOTHING
    coins = coins_of(total if purse else 0)
    dice.note("CY-38", "coins", place=request.place, gold=coins.gold, silver=coins.silver)
    hidden = _hidden(searched, found)
    if hidden is not None:
        dice.note("CY-R42", "hidden", found=hidden)
    return CydoniaSearchOutcome(
        test=shown(searcher, searched.rolled),
        total=total,
        critical=critical,
        found=found,
        magic_item=magic,
        coins=coins,
        hidden_found=hidden,
        margin=None if searched.other is None else total - searched.other,
    )
