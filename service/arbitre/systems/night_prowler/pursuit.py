"""What happens to the runners of a chase in one round: rules NP-29 to NP-36."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.night_prowler.tables import (
    CHASE,
    CHASE_GOAL,
    HEAD_STARTS,
    NightProwlerChaseOption,
    NightProwlerHeadStart,
    NightProwlerRole,
)
from arbitre.systems.night_prowler.test import (
    EXHAUSTION,
    Adjustment,
    Level,
    Modifier,
    NightProwlerNullSuccess,
    NightProwlerOwnTest,
    NightProwlerSource,
    NightProwlerTestKind,
    NightProwlerTestResult,
    Points,
    Prepared,
    Term,
    Wounded,
    cost,
    prepare_own,
    roll_test,
    wounds_of,
)

WEAVE = -3  # NP-31
DISGUISED_FROM = 8  # NP-35

RunnerId = Annotated[str, Field(min_length=1, max_length=80), CLEAN]

FUGITIVE, PURSUER = NightProwlerRole
TAIL, MASQUERADE = NightProwlerChaseOption.TAIL, NightProwlerChaseOption.MASQUERADE


class NightProwlerRunnerStatus(StrEnum):
    RUNNING = "running"
    ESCAPED = "escaped"
    FOLLOWED = "followed"
    CAUGHT = "caught"
    CONTACT = "contact"
    LOST = "lost"
    TRAILING = "trailing"
    OVER = "over"


class NightProwlerRunner(Frozen):
    id: RunnerId
    """Names the participant in the choices."""
    role: NightProwlerRole
    """Fugitive or pursuer."""
    target: RunnerId | None = None
    """Whom a pursuer chases; the first fugitive unless said (NP-R30)."""
    accumulated: Annotated[int, Field(ge=-100_000, le=100_000), WHOLE] = 0
    """Qualities gathered so far (NP-29)."""
    head_start: NightProwlerHeadStart = NightProwlerHeadStart.NONE
    """Lowers the participant's own goal (NP-30)."""
    heroism: Points | None = None
    """Heroism pool; nothing: not tracked."""
    status: NightProwlerRunnerStatus = NightProwlerRunnerStatus.RUNNING
    """Where the participant stands (NP-36)."""


class NightProwlerChaseChoice(NightProwlerOwnTest, Wounded):
    id: RunnerId
    """Whose choice it is."""
    option: NightProwlerChaseOption
    """What the participant does this round (NP-31, NP-33, NP-35)."""
    physical: bool = True
    """A physical action: exhaustion applies (NP-14, NP-R11)."""
    stop_thief: Annotated[int, Field(ge=0, le=20), WHOLE] = 0
    """Heroism points a pursuer spends to call as many citizens (NP-34)."""
    citizen_modifier: Modifier = 0
    """Bears on the tests to avoid those citizens, as a militia uniform may (NP-34)."""
    avoid_skill: Level = 0
    """Level with which a fugitive avoids citizens (NP-34)."""
    avoid_modifier: Modifier = 0
    """Bears on the fugitive's tests to avoid citizens (NP-34)."""


Choices = tuple[NightProwlerChaseChoice | None, ...]


class Runner(NamedTuple):
    """What of a participant the rules look at."""

    role: NightProwlerRole
    target: int
    """Number of the fugitive chased; a fugitive's own number."""
    accumulated: int
    head_start: NightProwlerHeadStart
    heroism: int | None
    status: NightProwlerRunnerStatus
    restarted: bool = False
    """The race restarted this round: no gain, no goal (NP-35)."""

    @property
    def running(self) -> bool:
        return self.status is NightProwlerRunnerStatus.RUNNING

    @property
    def goal(self) -> int:
        """NP-30, NP-R28: the own goal, to be exceeded."""
        return CHASE_GOAL - HEAD_STARTS[self.head_start]

    @property
    def overrun(self) -> int:
        """NP-29, NP-R26: by how much the goal is exceeded."""
        return self.accumulated - self.goal


Runners = tuple[Runner, ...]


class Chase(NamedTuple):
    """A round to play: the runners, and what each of them does."""

    runners: Runners
    choices: Choices
    subtract: bool


class Part(NamedTuple):
    """One test of a round: a participant's, or a fugitive's to avoid a citizen."""

    number: int
    option: NightProwlerChaseOption | None
    """Nothing for a citizen to avoid."""
    prepared: Prepared
    subtract: bool


class Thrown(NamedTuple):
    """What a test gave."""

    number: int
    option: NightProwlerChaseOption | None
    success: bool
    gain: int
    result: NightProwlerTestResult


def meaning(thrown: Thrown) -> tuple[object, ...]:
    """Say all that the round looks at."""
    return thrown[:-1]


def price(choice: NightProwlerChaseChoice) -> int:
    """NP-31, NP-33 to NP-35: what a choice costs in heroism."""
    return CHASE[choice.option].cost + choice.stop_thief + cost(choice)


def own_part(chase: Chase, number: int) -> Part | None:
    """Return the test of one participant, if it still runs; NP-R32: no option opposes another."""
    runner, choice = chase.runners[number], chase.choices[number]
    if choice is None:
        return None
    row = CHASE[choice.option]
    chased = chase.choices[runner.target]
    woven = (
        runner.role is PURSUER
        and choice.option is not TAIL  # NP-R31
        and chased is not None
        and chased.option is NightProwlerChaseOption.WEAVE
    )
    prepared = prepare_own(
        choice,
        wounds_of(choice),
        runner.heroism,
        runner.role.value,
        (
            Term(NightProwlerSource.LEAP, row.modifier),
            Term(NightProwlerSource.WEAVE, WEAVE if woven else 0),
        ),
    )
    return Part(number, choice.option, prepared._replace(paid=price(choice)), chase.subtract)


def citizen_parts(chase: Chase, pursuer: int) -> list[Part]:
    """NP-34, NP-R36: the tests with which a fugitive avoids the citizens one pursuer calls."""
    choice = chase.choices[pursuer]
    target = chase.runners[pursuer].target
    fugitive = chase.choices[target]
    if choice is None or fugitive is None or fugitive.option is MASQUERADE:
        return []
    exhausted = fugitive.physical and chase.runners[target].heroism == 0
    terms = (
        Term(NightProwlerSource.MODIFIER, fugitive.avoid_modifier),
        Term(NightProwlerSource.CITIZENS, choice.citizen_modifier),
        Term(NightProwlerSource.WOUNDS, 0 if fugitive.ignore_wounds else wounds_of(fugitive)),
        Term(NightProwlerSource.EXHAUSTION, EXHAUSTION if exhausted else 0),
    )
    prepared = Prepared(
        tag="citizen",
        name=None,
        skill_name=None,
        test=NightProwlerTestKind.SKILL,
        opened=True,
        base=fugitive.avoid_skill,
        terms=tuple(term for term in terms if term.value),
        adjustment=Adjustment(None, NightProwlerNullSuccess.NONE, False, 0, 0),
        heroism=None,
        paid=0,
    )
    return [Part(target, None, prepared, False)] * choice.stop_thief


def parts_of(chase: Chase, numbers: Sequence[int]) -> list[Part]:
    """Return the tests of these participants, then those to avoid citizens."""
    own = [own_part(chase, number) for number in numbers]
    citizens = [part for number in numbers for part in citizen_parts(chase, number)]
    return [part for part in own if part is not None] + citizens


def throw(part: Part, dice: Dice) -> Thrown:
    """NP-28, NP-29, NP-32: make one test and count what it gains."""
    if part.option is None:
        result = roll_test(part.prepared, dice)
        dice.note("NP-34", "citizen", number=part.number + 1, avoided=result.success)
        return Thrown(part.number, None, result.success, 0, result)
    dice.note("NP-31", "option", number=part.number + 1, option=part.option)
    result = roll_test(part.prepared, dice)
    gain = 0 if not result.success and not part.subtract else result.quality  # NP-R27
    bonus = CHASE[part.option].bonus if result.success and not result.converted else 0
    if bonus:
        dice.note("NP-32", "chase-bonus", before=gain, after=gain + bonus)  # NP-R33
    runs = part.option not in {TAIL, MASQUERADE}
    return Thrown(part.number, part.option, result.success, (gain + bonus) * runs, result)


def chasers(runners: Runners, fugitive: int) -> list[int]:
    """NP-R30: the pursuers still running after one fugitive."""
    return [
        number
        for number, runner in enumerate(runners)
        if runner.running and runner.role is PURSUER and runner.target == fugitive
    ]


def _with(runners: Runners, changes: dict[int, Runner]) -> Runners:
    return tuple(changes.get(number, runner) for number, runner in enumerate(runners))


def _stand(runners: Runners, statuses: dict[int, NightProwlerRunnerStatus]) -> Runners:
    return _with(
        runners, {number: runners[number]._replace(status=to) for number, to in statuses.items()}
    )


def masquerade(runners: Runners, fugitive: int, *, success: bool) -> Runners:
    """NP-35, NP-R37: melt into the crowd, or start the race again."""
    hunters = chasers(runners, fugitive)
    if success:
        lost = dict.fromkeys(hunters, NightProwlerRunnerStatus.LOST)
        return _stand(runners, {**lost, fugitive: NightProwlerRunnerStatus.ESCAPED})
    return _with(
        runners,
        {
            number: runners[number]._replace(
                accumulated=0, head_start=NightProwlerHeadStart.NONE, restarted=True
            )
            for number in (fugitive, *hunters)
        },
    )


def tail(runners: Runners, pursuer: int, *, success: bool) -> Runners:
    """NP-33, NP-R35: follow unseen, or lose the fugitive for good."""
    if not runners[pursuer].running:
        return runners
    to = NightProwlerRunnerStatus.TRAILING if success else NightProwlerRunnerStatus.LOST
    return _stand(runners, {pursuer: to})


def advance(runners: Runners, number: int, gain: int) -> Runners:
    """NP-29: add a gain, unless the race has ended or started again."""
    runner = runners[number]
    if not runner.running or runner.restarted:
        return runners
    return _with(runners, {number: runner._replace(accumulated=runner.accumulated + gain)})


def settle(runners: Runners) -> Runners:
    """NP-36: who reaches an aim, race by race; then who has nobody behind."""
    for fugitive, runner in enumerate(runners):
        if runner.running and runner.role is FUGITIVE:
            if not runner.restarted:
                runners = _judge(runners, fugitive)
            runners = _left_alone(runners, fugitive)
    return tuple(runner._replace(restarted=False) for runner in runners)


def _judge(runners: Runners, fugitive: int) -> Runners:
    """NP-36, NP-R29: the larger overrun wins; equal overruns change nothing."""
    hunters = chasers(runners, fugitive)
    own = runners[fugitive].overrun
    best = max((runners[number].overrun for number in hunters), default=0)
    if own > max(0, best):
        lost = dict.fromkeys(hunters, NightProwlerRunnerStatus.LOST)
        return _stand(runners, {**lost, fugitive: NightProwlerRunnerStatus.ESCAPED})
    if best > max(0, own):
        return _stand(
            runners,
            {
                fugitive: NightProwlerRunnerStatus.CAUGHT,
                **{
                    number: NightProwlerRunnerStatus.CONTACT
                    if runners[number].overrun > 0
                    else NightProwlerRunnerStatus.OVER
                    for number in hunters
                },
            },
        )
    return runners


def _left_alone(runners: Runners, fugitive: int) -> Runners:
    """NP-36: a fugitive nobody runs after has escaped, or is followed unawares."""
    if not runners[fugitive].running or chasers(runners, fugitive):
        return runners
    followed = any(
        runner.status is NightProwlerRunnerStatus.TRAILING and runner.target == fugitive
        for runner in runners
    )
    to = NightProwlerRunnerStatus.FOLLOWED if followed else NightProwlerRunnerStatus.ESCAPED
    return _stand(runners, {fugitive: to})


def is_over(runners: Runners) -> bool:
    """NP-36: no fugitive runs any more."""
    return not any(runner.running and runner.role is FUGITIVE for runner in runners)


def pay(runners: Runners, choices: Choices) -> Runners:
    """NP-13: take the price of each choice from the pools that are tracked."""
    return _with(
        runners,
        {
            number: runner._replace(heroism=runner.heroism - price(choice))
            for number, (runner, choice) in enumerate(zip(runners, choices, strict=True))
            if choice is not None and runner.heroism is not None
        },
    )


def conclude(chase: Chase, thrown: Sequence[Thrown]) -> Runners:
    """NP-36: masquerades, then tails, interceptions, gains and goals."""
    runners = pay(chase.runners, chase.choices)
    stopped = {one.number for one in thrown if one.option is None and not one.success}  # NP-34
    for one in thrown:
        if one.option is MASQUERADE:
            runners = masquerade(runners, one.number, success=one.success)
    for one in thrown:
        if one.option is TAIL:
            runners = tail(runners, one.number, success=one.success)
    for one in thrown:
        if one.option is not None:
            runners = advance(runners, one.number, 0 if one.number in stopped else one.gain)
    return settle(runners)
