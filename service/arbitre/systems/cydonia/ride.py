"""Riding, and the race: rules CY-71 and CY-72, rulings CY-R35 and CY-R36."""

from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.damage import MountRunning
from arbitre.systems.cydonia.refusals import Faults, excluded, refuse, required
from arbitre.systems.cydonia.side import (
    TEST_RULES,
    Asked,
    CydoniaActor,
    CydoniaCritical,
    CydoniaRole,
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
from arbitre.systems.cydonia.tables import GAITS, SIDES, CydoniaGait, CydoniaSkill
from arbitre.systems.cydonia.versus import DIFFICULTY_RULES, Judging, judging, meets

RIDING = Asked(CydoniaRole.RIDER, CydoniaSkill.RIDING)
RIDE_RULES = ("CY-71", "CY-72", "CY-R35", "CY-R36", *DIFFICULTY_RULES)


class CydoniaRideRequest(CydoniaThreshold, Request):
    rider: CydoniaActor
    """Who rides (CY-71)."""
    gait: CydoniaGait
    """What the mount is asked (CY-71)."""
    difficulty: Difficulty | None = None
    """Difficulty of a custom gait."""
    race: bool = False
    """Whether the speed is wanted (CY-72)."""
    mount_running: MountRunning | None = None
    """Running of the mount (CY-72)."""


class CydoniaRideOutcome(Outcome):
    test: CydoniaTest
    """The test of riding."""
    difficulty: int
    """Number to reach (CY-71)."""
    success: bool
    """Whether the gait is reached."""
    margin: int
    """Total less difficulty."""
    critical: CydoniaCritical | None
    """Critical of the test."""
    speed_m: int | None
    """Meters in the turn (CY-72); 0 when the gait is not reached, null without a race."""


class Course(NamedTuple):
    """A rider ready to start."""

    rider: Prepared
    difficulty: int
    running: int | None
    """Running of the mount; none where no speed is wanted."""
    judging: Judging


class Ridden(NamedTuple):
    """A riding test, and the meters that come of it."""

    rolled: Rolled
    success: bool
    speed: int | None


def gait_difficulty(gait: CydoniaGait, difficulty: int | None) -> int:
    """CY-71, CY-R36: the gait's own, or the game master's."""
    return GAITS.get(gait, difficulty or 0)


def gait_faults(gait: CydoniaGait | None, difficulty: int | None, pointer: str = "") -> Faults:
    """Say where a difficulty is missing or unasked."""
    custom = gait is CydoniaGait.CUSTOM
    yield from required(difficulty, f"{pointer}/difficulty", when=custom)
    known = gait is not None and not custom
    yield from excluded(known and difficulty is not None, f"{pointer}/difficulty", "gait")


def gallop(course: Course, dice: Dice) -> Ridden:
    """CY-71, CY-72: the test, then the mount's own die if it succeeds."""
    rolled: Rolled = roll(course.rider, dice)
    success = meets(rolled, course.difficulty, course.judging, dice)
    if course.running is None:
        return Ridden(rolled, success, None)
    if not success:
        dice.note("CY-R35", "gait-failed")
        return Ridden(rolled, success, 0)
    face = dice.die("mount", sides=SIDES)
    speed = course.running + face
    dice.note("CY-72", "speed", running=course.running, die=face, speed=speed)
    return Ridden(rolled, success, speed)


def by_speed(ridden: Ridden) -> tuple[bool, int | None]:
    """Keep the success and the speed."""
    return ridden.success, ridden.speed


def _faults(request: CydoniaRideRequest) -> Faults:
    yield from gait_faults(request.gait, request.difficulty)
    yield from required(request.mount_running, "/mount_running", when=request.race)
    idle = request.mount_running is not None and not request.race
    yield from excluded(idle, "/mount_running", "race")
    yield from side_faults(request.rider, RIDING, "/rider")
    yield from critical_faults(request)


def summary(outcome: CydoniaRideOutcome) -> str:
    if not outcome.success:
        return "ride-failed"
    return "ridden" if outcome.speed_m is None else "raced"


@resolver(
    "ride",
    rules=(*TEST_RULES, *RIDE_RULES),
    odds=("success", "speed_m"),
    summary=summary,
)
def ride(request: CydoniaRideRequest, dice: Dice) -> CydoniaRideOutcome:
    """Master a mount at a gait, and see how fast it goes."""
    refuse(_faults(request))
    echo_criticals(request, dice)
    difficulty = gait_difficulty(request.gait, request.difficulty)
    dice.note("CY-R36", "gait", gait=request.gait, difficulty=difficulty)
    rider = prepare(request.rider, RIDING, request)
    course = Course(rider, difficulty, request.mount_running, judging(request))
    ridden = dice.sub(gallop, course, merge=by_speed)
    return CydoniaRideOutcome(
        test=shown(rider, ridden.rolled),
        difficulty=difficulty,
        success=ridden.success,
        margin=ridden.rolled.total - difficulty,
        critical=ridden.rolled.critical,
        speed_m=ridden.speed,
    )
