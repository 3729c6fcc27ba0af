"""A failure die, or a competition: rules CN-18, CN-21, CN-22, rulings CN-R27 to CN-R31, CN-R33."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, NamedTuple, cast

from pydantic import Field

from arbitre.dice import Dice, Tried
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cthulhu_noir.action import (
    ACTION_RULES,
    RISKS,
    CthulhuNoirAction,
    CthulhuNoirOpponent,
    CthulhuNoirOutcome,
    CthulhuNoirResult,
    CthulhuNoirSide,
    Opposed,
    Throw,
    chosen,
    opposed,
    refuse,
    settle,
    stakes,
    throw,
)
from arbitre.systems.cthulhu_noir.gauges import (
    CthulhuNoirInsanityRoll,
    CthulhuNoirSideId,
    CthulhuNoirState,
    CthulhuNoirWoundRoll,
)
from arbitre.systems.cthulhu_noir.roll import ME, Face
from arbitre.systems.cthulhu_noir.tables import (
    CthulhuNoirCue,
    CthulhuNoirQuality,
    CthulhuNoirSource,
)

SIDES = 5  # CN-01, CN-R36
RANKS = 4  # CN-R27
TIES = 100
"""Throws after which a competition that is still tied is given up."""

IDS = tuple(CthulhuNoirSideId)

FEW = 6
"""Sides and risk dice, counted together, whose odds are worked out with all they cost."""

Thrower = Callable[[CthulhuNoirSideId, tuple[CthulhuNoirSource, ...], Dice], Throw]


class CthulhuNoirMode(StrEnum):
    FAILURE = "failure"
    COMPETITION = "competition"


class CthulhuNoirDecision(StrEnum):
    DIE = "die"
    MISSING_DIE = "missing_die"


class CthulhuNoirOppositionRequest(Request):
    mode: CthulhuNoirMode
    """A failure die against one action, or sides against each other."""
    quality: Face | None = None
    """Failure die: the best die already on the table."""
    actor: CthulhuNoirAction | None = None
    """Failure die: the action to throw."""
    opponent: CthulhuNoirOpponent = CthulhuNoirOpponent.KEEPER
    """Failure die: who throws it; for information (CN-R8)."""
    sides: Annotated[tuple[CthulhuNoirSide, ...], Field(min_length=2, max_length=SIDES)] | None = (
        None
    )
    """Competition: who competes (CN-21)."""
    reroll_ties: bool = True
    """Competition: throw again until one side is ahead (CN-R29)."""


class CthulhuNoirSideResult(CthulhuNoirResult):
    id: CthulhuNoirSideId
    """The side, by its place in the request."""
    name: str | None
    """Who competed."""


class CthulhuNoirOppositionOutcome(CthulhuNoirOutcome):
    mode: CthulhuNoirMode
    """What kind of opposition it was."""
    winner: CthulhuNoirSideId | None
    """Who is ahead; nothing on a draw. Against a failure die, a is the investigator."""
    success: bool | None = None
    """Failure die: the action does not fail (CN-18)."""
    quality: int | None = None
    """Failure die: the best die of the action (CN-16)."""
    failure_face: int | None = None
    """Failure die: its face."""
    margin: int | None = None
    """Failure die: the best die minus it; for information."""
    quality_label: CthulhuNoirQuality | None = None
    """Failure die: barely or brilliantly, when the action was thrown here."""
    highest: tuple[CthulhuNoirSource, ...] = ()
    """Failure die: the dice that show the best face."""
    insanity_roll: CthulhuNoirInsanityRoll | None = None
    """Failure die: the Insanity roll of the action (CN-17)."""
    wound_roll: CthulhuNoirWoundRoll | None = None
    """Failure die: the Wound roll of the action (CN-17)."""
    state: CthulhuNoirState | None = None
    """Failure die: the gauges after the action."""
    mad: bool | None = None
    """Failure die: Insanity is 6 (CN-07)."""
    dead: bool | None = None
    """Failure die: Wound is 6 (CN-12)."""
    cues: tuple[CthulhuNoirCue, ...] = ()
    """Failure die: what is to be acted out."""
    tied: tuple[CthulhuNoirSideId, ...] = ()
    """Competition: the sides of a draw (CN-R29)."""
    rerolls: int = 0
    """Competition: how often tied sides threw again (CN-R29)."""
    decided_at: int | None = None
    """Competition: the rank of the die that decided (CN-22)."""
    decided_by: CthulhuNoirDecision | None = None
    """Competition: a higher die, or a die the rival does not have (CN-R28)."""
    sides: tuple[CthulhuNoirSideResult, ...] = ()
    """Competition: each side's last throw and what it cost (CN-R30)."""


class Decided(NamedTuple):
    """Where two throws differ first, and what the rival shows there; 0 is no die."""

    at: int
    rival: int

    @property
    def by(self) -> CthulhuNoirDecision:
        """CN-R28: a higher die, or one that the rival does not have."""
        return CthulhuNoirDecision.DIE if self.rival else CthulhuNoirDecision.MISSING_DIE


class Lead(NamedTuple):
    """A throw of several sides: who is ahead, and at which rank of the best rival."""

    throws: tuple[Throw, ...] = ()
    leaders: tuple[int, ...] = ()
    decided: Decided | None = None

    @property
    def tied(self) -> bool:
        return len(self.leaders) > 1


def moved(lead: Lead) -> bool:
    """CN-R29: somebody is behind; where all are tied, the throw is void."""
    return len(lead.leaders) < len(lead.throws)


def ranks(thrown: Throw) -> tuple[int, ...]:
    """CN-22, CN-R28: best first, a missing die is below one."""
    return thrown.strength + (0,) * (RANKS - len(thrown.strength))


def first_difference(best: tuple[int, ...], rival: tuple[int, ...]) -> Decided:
    """CN-22, CN-R27: rank by rank, the first difference decides."""
    at = next(rank for rank in range(RANKS) if best[rank] != rival[rank])
    return Decided(at + 1, rival[at])


def meet(lead: Lead, thrown: Throw) -> Lead:
    """CN-21: one more side beside those already thrown."""
    throws = (*lead.throws, thrown)
    newcomer = len(lead.throws)
    if not lead.throws:
        return Lead(throws, (newcomer,))
    best, mine = ranks(lead.throws[lead.leaders[0]]), ranks(thrown)
    if mine == best:
        return Lead(throws, (*lead.leaders, newcomer))
    if mine > best:
        return Lead(throws, (newcomer,), first_difference(mine, best))
    behind = first_difference(best, mine)
    return Lead(throws, lead.leaders, max(lead.decided or behind, behind))


def strength(thrown: Throw) -> tuple[tuple[int, ...], tuple[CthulhuNoirSource, ...]]:
    """Say all that a competition looks at."""
    return thrown.strength, thrown.due


def so_far(lead: Lead) -> tuple[object, ...]:
    """Say all that the sides still to come, and the end, look at."""
    best = lead.throws[lead.leaders[0]].strength
    return best, *standing(lead)


def standing(lead: Lead) -> tuple[object, ...]:
    """Say all that the end looks at."""
    rank = lead.decided.at if lead.decided else None
    return lead.leaders, rank, tuple(thrown.due for thrown in lead.throws)


def strength_alone(
    who: CthulhuNoirSideId, sources: tuple[CthulhuNoirSource, ...], dice: Dice
) -> Throw:
    """Throw, and forget what the risk dice cost."""
    return throw(who, sources, dice)._replace(due=())


def throw_all(
    one: Thrower,
    parts: tuple[tuple[CthulhuNoirSideId, tuple[CthulhuNoirSource, ...]], ...],
    dice: Dice,
) -> Lead:
    """CN-21: each side throws its own dice."""
    return dice.gather(one, parts, state=Lead(), combine=meet, merge=strength, merge_state=so_far)


class Contest(NamedTuple):
    """A competition that has ended: the last throw of each side, and how the lead stands."""

    throws: tuple[Throw, ...]
    leaders: tuple[int, ...]
    rerolls: int
    decided: Decided | None


def compete(
    sides: tuple[CthulhuNoirSide, ...], again: bool, dice: Dice, one: Thrower = throw
) -> Contest:
    """CN-22, CN-R29: those tied for the lead throw again, the others keep their last throw."""
    last: dict[int, Throw] = {}
    contenders = tuple(range(len(sides)))
    count = 0
    while True:
        parts = tuple((IDS[index], chosen(sides[index])) for index in contenders)
        lead, tries = (
            dice.until(throw_all, one, parts, accept=moved, limit=TIES - count, merge=standing)
            if again
            else Tried(dice.sub(throw_all, one, parts, merge=standing), 1)
        )
        count += tries
        last.update(zip(contenders, lead.throws, strict=True))
        contenders = tuple(contenders[position] for position in lead.leaders)
        if not (again and lead.tied):
            break
        if count >= TIES:
            raise RuleRefused("ties-limit", rule="CN-R29", throws=TIES)
    if count > 1:
        dice.note("CN-R29", "thrown_again", rerolls=count - 1)
    throws = tuple(last[index] for index in range(len(sides)))
    return Contest(throws, contenders, count - 1, None if lead.tied else lead.decided)


def competition(
    sides: tuple[CthulhuNoirSide, ...], again: bool, dice: Dice
) -> CthulhuNoirOppositionOutcome:
    """CN-21, CN-22, CN-R30: the winner, and what each side pays for its risks."""
    contest = compete(sides, again, dice)
    tied = tuple(IDS[index] for index in contest.leaders) if len(contest.leaders) > 1 else ()
    winner = None if tied else IDS[contest.leaders[0]]
    by = at = None
    if contest.decided:
        at, by = contest.decided.at, contest.decided.by
        face = ranks(contest.throws[contest.leaders[0]])[at - 1]
        key = "ahead" if contest.decided.rival else "ahead_alone"
        dice.note("CN-22", key, who=winner, at=at, face=face, rival=contest.decided.rival)
    else:
        dice.note("CN-22", "draw", sides=len(tied))
    results = tuple(
        CthulhuNoirSideResult(
            **vars(settle(side, id_, contest.throws[index], dice, void=id_ in tied)),
            id=id_,
            name=side.name,
        )
        for index, (id_, side) in enumerate(zip(IDS, sides, strict=False))
    )
    return CthulhuNoirOppositionOutcome(
        mode=CthulhuNoirMode.COMPETITION,
        winner=winner,
        tied=tied,
        rerolls=contest.rerolls,
        decided_at=at,
        decided_by=by,
        sides=results,
    )


def against_failure(
    best: int, result: CthulhuNoirResult | None, against: Opposed
) -> CthulhuNoirOppositionOutcome:
    """CN-18: the investigator is side a, who opposes is side b."""
    return CthulhuNoirOppositionOutcome(
        **{
            **(vars(result) if result else {}),
            "mode": CthulhuNoirMode.FAILURE,
            "winner": IDS[0] if against.success else IDS[1],
            "success": against.success,
            "quality": best,
            "failure_face": against.face,
            "margin": against.margin(best),
        }
    )


def failure(
    quality: int | None, actor: CthulhuNoirAction | None, dice: Dice
) -> CthulhuNoirOppositionOutcome:
    """CN-18, CN-R9: a failure die against a best die on the table, or one thrown now."""
    if actor is None:
        best = cast("int", quality)
        return against_failure(best, None, opposed(best, None, failure_die=True, dice=dice))
    thrown = dice.sub(throw, ME, chosen(actor), merge=stakes)
    against = opposed(thrown.quality, None, failure_die=True, dice=dice)
    return against_failure(thrown.quality, settle(actor, ME, thrown, dice), against)


def winner_alone(request: CthulhuNoirOppositionRequest, dice: Dice) -> CthulhuNoirOppositionOutcome:
    """Resolve who wins a competition, without what it costs."""
    refuse(actions_of(request))
    refuse_fields(request)
    contest = compete(request.sides or (), request.reroll_ties, dice, strength_alone)
    tied = len(contest.leaders) > 1
    return CthulhuNoirOppositionOutcome(
        mode=request.mode,
        winner=None if tied else IDS[contest.leaders[0]],
        decided_at=contest.decided.at if contest.decided else None,
    )


def views(request: CthulhuNoirOppositionRequest) -> tuple[Callable[[Dice], Any], ...]:
    """Where many sides risk much, the odds tell who wins and no more."""
    sides = request.sides or ()
    risks = sum(source in RISKS for side in sides for source in chosen(side))
    if len(sides) > 2 and len(sides) + risks > FEW:
        return (partial(winner_alone, request),)
    return (partial(opposition.resolve, request),)


def actions_of(request: CthulhuNoirOppositionRequest) -> list[tuple[str, CthulhuNoirAction]]:
    """Return every action of a request, with its pointer."""
    actions: list[tuple[str, CthulhuNoirAction]] = [
        (f"/sides/{index}", side) for index, side in enumerate(request.sides or ())
    ]
    return [*actions, ("/actor", request.actor)] if request.actor else actions


def refuse_fields(request: CthulhuNoirOppositionRequest) -> None:
    """Each mode takes its own fields."""
    failure = request.mode is CthulhuNoirMode.FAILURE
    foreign = {
        "quality": not failure and request.quality is not None,
        "actor": not failure and request.actor is not None,
        "opponent": not failure and request.opponent is not CthulhuNoirOpponent.KEEPER,
        "sides": failure == (request.sides is not None),
        "reroll_ties": failure and not request.reroll_ties,
    }
    for field, wrong in foreign.items():
        if wrong:
            raise RuleRefused("mode-fields", pointer=f"/{field}", mode=request.mode)
    if failure and (request.quality is None) == (request.actor is None):
        raise RuleRefused("mode-fields", pointer="/quality", mode=request.mode)


def summary(outcome: CthulhuNoirOppositionOutcome) -> str:
    if outcome.mode is CthulhuNoirMode.FAILURE:
        return "success" if outcome.success else "failure"
    return "won" if outcome.winner else "draw"


@resolver(
    "opposition",
    rules=(
        *ACTION_RULES,
        *("CN-01", "CN-21", "CN-22", "CN-R8", "CN-R9"),
        *("CN-R27", "CN-R28", "CN-R29", "CN-R30", "CN-R31", "CN-R33", "CN-R36"),
    ),
    odds=(
        *("success", "winner", "decided_at", ("winner", "decided_at")),
        *("insanity_roll.increased", "wound_roll.increased"),
        *("state.insanity", "state.wound", "mad", "dead"),
        *("sides[].state.insanity", "sides[].state.wound", "sides[].mad", "sides[].dead"),
    ),
    summary=summary,
    views=views,
)
def opposition(request: CthulhuNoirOppositionRequest, dice: Dice) -> CthulhuNoirOppositionOutcome:
    """Oppose an action with a failure die, or let two to five sides compete."""
    refuse(actions_of(request))
    refuse_fields(request)
    if request.sides is None:
        return failure(request.quality, request.actor, dice)
    return competition(request.sides, request.reroll_ties, dice)  # CN-R33
