"""One round of a pursuit: rules CY-25 to CY-27, CY-71, CY-72 and CY-97, ruling CY-R37."""

from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field, WithJsonSchema

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE, Hundredths, Name
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.damage import MountRunning
from arbitre.systems.cydonia.refusals import Faults, not_for, refuse, required, twice
from arbitre.systems.cydonia.ride import (
    RIDE_RULES,
    RIDING,
    Course,
    gait_difficulty,
    gait_faults,
    gallop,
)
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
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
from arbitre.systems.cydonia.tables import CydoniaGait
from arbitre.systems.cydonia.travel import HALF, CydoniaTravelMode, Meters, meters, tidy, traveling
from arbitre.systems.cydonia.versus import judging

FARTHEST = 100_000
MOST_ROUNDS = 100_000


def _halves(value: Decimal) -> Decimal:
    if value % HALF:
        msg = "a multiple of 0.5"
        raise ValueError(msg)
    return value


Position = Annotated[
    Decimal,
    Hundredths(ge=0, le=FARTHEST),
    AfterValidator(_halves),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": FARTHEST, "multipleOf": 2**-1},
                {
                    "type": "string",
                    "pattern": r"^(?:(?:0|[1-9][0-9]{0,4})(?:\.[05]0?)?|100000(?:\.00?)?)$",
                },
            ]
        }
    ),
]  # CY-R34: halves of a meter
Gap = Annotated[Decimal, Hundredths(ge=-1_000_000, le=1_000_000)]


class CydoniaChaseRole(StrEnum):
    QUARRY = "quarry"
    PURSUER = "pursuer"


class CydoniaMoveMode(StrEnum):
    RUN = "run"
    SWIM = "swim"
    FLY = "fly"
    MOUNT = "mount"
    NONE = "none"


class CydoniaRunner(Frozen):
    id: Name
    """Name of the participant, each once."""
    role: CydoniaChaseRole
    """The quarry, or one of the pursuers."""
    position_m: Position
    """Meters from an origin."""


class CydoniaRunnerAfter(Frozen):
    id: Name
    """Name of the participant."""
    role: CydoniaChaseRole
    """The quarry, or one of the pursuers."""
    position_m: Meters
    """Meters from the origin, after the round."""


class CydoniaChaseState(Frozen):
    round: Annotated[int, Field(ge=0, le=MOST_ROUNDS), WHOLE] = 0
    """Rounds so far."""
    participants: Annotated[tuple[CydoniaRunner, ...], Field(min_length=2, max_length=21)]
    """One quarry and its pursuers."""


class CydoniaChaseAfter(Frozen):
    round: int
    """Rounds so far."""
    participants: tuple[CydoniaRunnerAfter, ...]
    """One quarry and its pursuers."""


class CydoniaMove(Frozen):
    id: Name
    """Whose move it is."""
    mode: CydoniaMoveMode
    """How the participant moves (CY-97)."""
    actor: CydoniaActor | None = None
    """Who runs, swims, flies or rides."""
    gait: CydoniaGait | None = None
    """Gait of a mount (CY-71)."""
    difficulty: Difficulty | None = None
    """Difficulty of a custom gait."""
    mount_running: MountRunning | None = None
    """Running of the mount (CY-72)."""


class CydoniaChaseRequest(CydoniaThreshold, Request):
    state: CydoniaChaseState
    """The pursuit before the round."""
    moves: Annotated[tuple[CydoniaMove, ...], Field(max_length=21)]
    """What each participant does."""
    escape_distance: Annotated[Decimal, Hundredths(ge=0, le=FARTHEST)] | None = None
    """Lead with which the quarry escapes; none when it is not given (CY-R37)."""


class CydoniaMoved(Frozen):
    id: Name
    """Whose move it was."""
    distance_m: Meters
    """Meters covered."""
    test: CydoniaTest | None
    """The test; null for someone who stays."""
    success: bool | None
    """Whether the gait is reached; null on foot, in water and in the air."""


class CydoniaGap(Frozen):
    id: Name
    """Which pursuer."""
    gap_m: Gap
    """Meters from there to the quarry; negative when the quarry is overtaken."""


class CydoniaChaseOutcome(Outcome):
    state: CydoniaChaseAfter
    """The pursuit after the round."""
    moves: tuple[CydoniaMoved, ...]
    """What each participant covered."""
    gaps: tuple[CydoniaGap, ...]
    """How far each pursuer is (CY-97)."""
    caught_by: tuple[Name, ...]
    """The pursuers that catch the quarry (CY-R37)."""
    caught: bool
    """Whether any does."""
    escaped: bool
    """Whether the quarry escapes (CY-R37)."""
    over: bool
    """Whether the pursuit is over."""


class Mover(NamedTuple):
    """A participant ready to move."""

    position: Decimal
    mode: CydoniaMoveMode
    side: Prepared | None
    course: Course | None


class Moved(NamedTuple):
    """What a participant covered."""

    position: Decimal
    distance: Decimal
    rolled: Rolled | None = None
    success: bool | None = None


class Standing(NamedTuple):
    """What the pursuers have done so far, for the odds."""

    caught: bool = False
    far: bool = True


class EndView(NamedTuple):
    """How a round ends, for the odds."""

    caught: bool
    escaped: bool


class Lag(NamedTuple):
    """How far a pursuer is, for the odds."""

    gap_m: Decimal


class GapView(NamedTuple):
    """The gap of one pursuer among the others, for the odds."""

    gaps: tuple[Lag | None, ...]


def go(mover: Mover, dice: Dice) -> Moved:
    """CY-97: a move by the rules of distance, or a mount's."""
    if mover.course is not None:
        ridden = gallop(mover.course, dice)
        distance = Decimal(ridden.speed or 0)
        return Moved(tidy(mover.position + distance), distance, ridden.rolled, ridden.success)
    if mover.side is None:
        return Moved(mover.position, Decimal(0))
    rolled: Rolled = roll(mover.side, dice)
    distance = meters(CydoniaTravelMode(mover.mode.value), rolled.total, dice)
    return Moved(tidy(mover.position + distance), distance, rolled)


def by_position(moved: Moved) -> Decimal:
    """Keep where the participant is."""
    return moved.position


def _append(moves: tuple[Moved, ...], moved: Moved) -> tuple[Moved, ...]:
    return (*moves, moved)


def is_caught(quarry: Decimal, pursuer: Decimal) -> bool:
    """CY-R37: level with the quarry, or past it."""
    return pursuer >= quarry


def is_far(quarry: Decimal, pursuer: Decimal, distance: Decimal | None) -> bool:
    """CY-R37: far enough behind, where the table has a distance."""
    return distance is not None and quarry - pursuer >= distance


def _asked(move: CydoniaMove) -> Asked:
    if move.mode is CydoniaMoveMode.MOUNT:
        return RIDING
    return traveling(CydoniaTravelMode(move.mode.value))


def _mover(request: CydoniaChaseRequest, runner: CydoniaRunner) -> Mover:
    move = next(move for move in request.moves if move.id == runner.id)
    if move.actor is None:
        return Mover(runner.position_m, move.mode, None, None)
    side = prepare(move.actor, _asked(move), request)
    course = None
    if move.gait is not None:
        difficulty = gait_difficulty(move.gait, move.difficulty)
        course = Course(side, difficulty, move.mount_running, judging(request))
    return Mover(runner.position_m, move.mode, side, course)


def _move_faults(move: CydoniaMove, pointer: str) -> Faults:
    mode = move.mode
    rides = mode is CydoniaMoveMode.MOUNT
    stays = mode is CydoniaMoveMode.NONE
    yield from required(move.actor, f"{pointer}/actor", when=not stays)
    yield from required(move.gait, f"{pointer}/gait", when=rides)
    yield from required(move.mount_running, f"{pointer}/mount_running", when=rides)
    if rides:
        yield from gait_faults(move.gait, move.difficulty, pointer)
    else:
        yield from not_for(
            mode,
            pointer,
            gait=move.gait is not None,
            difficulty=move.difficulty is not None,
            mount_running=move.mount_running is not None,
        )
    if stays:
        yield from not_for(mode, pointer, actor=move.actor is not None)
    elif move.actor is not None:
        yield from side_faults(move.actor, _asked(move), f"{pointer}/actor")


def _faults(request: CydoniaChaseRequest) -> Faults:
    participants = request.state.participants
    for number, move in enumerate(request.moves):
        yield from _move_faults(move, f"/moves/{number}")
    yield from critical_faults(request)
    yield from twice([runner.id for runner in participants], "/state/participants")
    yield from twice([move.id for move in request.moves], "/moves")
    quarries = [r for r in participants if r.role is CydoniaChaseRole.QUARRY]
    if len(quarries) != 1:
        yield RuleRefused("one-quarry", pointer="/state/participants", rule="CY-R37")
        return
    movers = {move.id for move in request.moves}
    known = {runner.id for runner in participants}
    for number, runner in enumerate(participants, 1):
        if runner.id not in movers:
            yield RuleRefused("missing-move", pointer="/moves", rule="CY-97", number=number)
    for number, move in enumerate(request.moves):
        if move.id not in known:
            yield RuleRefused(
                "unknown-id", pointer=f"/moves/{number}/id", rule="CY-97", number=number + 1
            )
    for number, runner in enumerate(participants):
        pursues = runner.role is CydoniaChaseRole.PURSUER
        if pursues and is_caught(quarries[0].position_m, runner.position_m):
            where = f"/state/participants/{number}/position_m"
            yield RuleRefused("already-caught", pointer=where, rule="CY-R37")


def _end_view(
    quarry: Mover, pursuers: tuple[Mover, ...], distance: Decimal | None, dice: Dice
) -> EndView:
    lead: Moved = dice.sub(go, quarry, merge=by_position)

    def judge(standing: Standing, moved: Moved) -> Standing:
        return Standing(
            standing.caught or is_caught(lead.position, moved.position),
            standing.far and is_far(lead.position, moved.position, distance),
        )

    end = dice.gather(
        go,
        [(mover,) for mover in pursuers],
        state=Standing(),
        combine=judge,
        merge=by_position,
    )
    return EndView(end.caught, end.far and not end.caught)


def _gap_view(quarry: Mover, pursuer: Mover, place: int, dice: Dice) -> GapView:
    lead: Moved = dice.sub(go, quarry, merge=by_position)
    behind: Moved = dice.sub(go, pursuer, merge=by_position)
    return GapView((*[None] * place, Lag(tidy(lead.position - behind.position))))


def views(request: CydoniaChaseRequest) -> tuple[Callable[[Dice], object], ...]:
    """Look at the end of the round, and at each pursuer by itself."""
    refuse(_faults(request))
    runners = request.state.participants
    quarry = next(_mover(request, r) for r in runners if r.role is CydoniaChaseRole.QUARRY)
    pursuers = tuple(_mover(request, r) for r in runners if r.role is CydoniaChaseRole.PURSUER)
    return (
        partial(_end_view, quarry, pursuers, request.escape_distance),
        *(partial(_gap_view, quarry, mover, place) for place, mover in enumerate(pursuers)),
    )


def summary(outcome: CydoniaChaseOutcome) -> str:
    if outcome.caught:
        return "caught"
    return "escaped" if outcome.escaped else "pursued"


@resolver(
    "chase",
    rules=(*TEST_RULES, *RIDE_RULES, "CY-25", "CY-26", "CY-27", "CY-97", "CY-R34", "CY-R37"),
    odds=("caught", "escaped", "gaps[].gap_m"),
    summary=summary,
    views=views,
)
def chase(request: CydoniaChaseRequest, dice: Dice) -> CydoniaChaseOutcome:
    """Move everyone for a round, and see whether the quarry is caught or escapes."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    participants = request.state.participants
    movers = [_mover(request, runner) for runner in participants]
    moved = dice.gather(go, [(mover,) for mover in movers], state=_NOBODY, combine=_append)
    after = {
        runner.id: (runner, each.position) for runner, each in zip(participants, moved, strict=True)
    }
    lead = next(p for r, p in after.values() if r.role is CydoniaChaseRole.QUARRY)
    behind = {r.id: p for r, p in after.values() if r.role is CydoniaChaseRole.PURSUER}
    caught = tuple(name for name, position in behind.items() if is_caught(lead, position))
    far = all(is_far(lead, position, request.escape_distance) for position in behind.values())
    escaped = far and not caught
    for number, position in enumerate(behind.values(), 1):
        dice.note(
            "CY-97", "gap", number=number, quarry=lead, pursuer=position, gap=tidy(lead - position)
        )
    dice.note("CY-R37", "chase-end", caught=len(caught), escaped=escaped)
    return CydoniaChaseOutcome(
        state=CydoniaChaseAfter(
            round=request.state.round + 1,
            participants=tuple(
                CydoniaRunnerAfter(id=runner.id, role=runner.role, position_m=position)
                for runner, position in after.values()
            ),
        ),
        moves=tuple(
            CydoniaMoved(
                id=runner.id,
                distance_m=each.distance,
                test=shown(mover.side, each.rolled) if mover.side and each.rolled else None,
                success=each.success,
            )
            for runner, mover, each in zip(participants, movers, moved, strict=True)
        ),
        gaps=tuple(
            CydoniaGap(id=name, gap_m=tidy(lead - position)) for name, position in behind.items()
        ),
        caught_by=caught,
        caught=bool(caught),
        escaped=escaped,
        over=bool(caught) or escaped,
    )


_NOBODY: tuple[Moved, ...] = ()
