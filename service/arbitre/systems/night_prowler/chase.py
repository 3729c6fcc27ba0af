"""One round of a chase: rules NP-28 to NP-36, rulings NP-R26 to NP-R37."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import Aid, Enumerate, resolver
from arbitre.systems.night_prowler.chase_course import (
    NightProwlerChaseCourse,
    NightProwlerChaseOptions,
    unfold_chase,
)
from arbitre.systems.night_prowler.pursuit import (
    DISGUISED_FROM,
    FUGITIVE,
    MASQUERADE,
    PURSUER,
    TAIL,
    Chase,
    NightProwlerChaseChoice,
    NightProwlerRunner,
    NightProwlerRunnerStatus,
    Runner,
    Runners,
    Thrown,
    conclude,
    is_over,
    meaning,
    parts_of,
    price,
    throw,
)
from arbitre.systems.night_prowler.tables import CHASE, NightProwlerRole
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    NightProwlerTestResult,
    refuse_attributes,
    refuse_cost,
    refuse_healths,
    refuse_twice,
)

RUNNING = NightProwlerRunnerStatus.RUNNING
NOTHING_YET: tuple[Thrown, ...] = ()


MOST_ROUNDS = 100_000
"""Where the count of rounds ends: no chase lasts as long."""


class NightProwlerChaseState(Frozen):
    round: Annotated[int, Field(ge=0, le=MOST_ROUNDS), WHOLE] = 0
    """Rounds already played."""
    participants: Annotated[tuple[NightProwlerRunner, ...], Field(min_length=2, max_length=12)]
    """Who takes part, in draw order."""


class NightProwlerChaseRequest(Request):
    state: NightProwlerChaseState
    """The chase before the round."""
    choices: Annotated[tuple[NightProwlerChaseChoice, ...], Field(max_length=12)]
    """What each running participant does this round (NP-28)."""
    subtract_failures: bool = False
    """Failures lower the total, as in a contract (NP-R27)."""


class NightProwlerChaseResult(Frozen):
    id: str
    """The participant."""
    test: NightProwlerTestResult | None
    """Its test; nothing for one who runs no more."""
    gain: int
    """What the round adds to its total (NP-29)."""
    accumulated: int
    """Its total after the round."""
    goal: int
    """Its own goal, to be exceeded (NP-30)."""
    overrun: int
    """Total less goal: over 0, the aim is reached (NP-R26)."""
    reached: bool
    """Its total exceeds its goal (NP-29)."""
    interceptions: int
    """Citizens who got in a fugitive's way (NP-34)."""
    heroism_left: int | None
    """Its heroism pool after the round."""
    status: NightProwlerRunnerStatus
    """Where it stands after the round (NP-36)."""


class NightProwlerChaseOutcome(Outcome):
    results: tuple[NightProwlerChaseResult, ...]
    """Each participant, in the order of the state."""
    reset: bool
    """A masquerade failed: its race starts again (NP-35)."""
    state: NightProwlerChaseState
    """The chase after the round."""
    over: bool
    """No fugitive runs any more (NP-36)."""
    winner_role: NightProwlerRole | None
    """Who won once it is over; nothing when fugitives ended differently."""


class _View(NamedTuple):
    """What the odds look at, for one participant."""

    results: tuple[NightProwlerChaseResult | None, ...]


class Made(NamedTuple):
    """A choice, where it stands in the request, and whose it is."""

    pointer: str
    choice: NightProwlerChaseChoice
    runner: NightProwlerRunner


def made_choices(request: NightProwlerChaseRequest) -> list[Made]:
    """Return the choices of the running participants: one for each, and no other."""
    participants = request.state.participants
    running = {one.id: one for one in participants if one.status is RUNNING}
    if not any(one.role is FUGITIVE and one.status is RUNNING for one in participants):
        raise RuleRefused("chase-over", pointer="/state/participants", rule="NP-36")
    _refuse_repeated("/state/participants", [one.id for one in participants])
    _refuse_repeated("/choices", [choice.id for choice in request.choices])
    chosen = {choice.id for choice in request.choices}
    for number, one in enumerate(participants, 1):
        if one.id in running and one.id not in chosen:
            raise RuleRefused("missing-choice", pointer="/choices", rule="NP-29", number=number)
    for number, choice in enumerate(request.choices):
        if choice.id not in running:
            raise RuleRefused("choice-unneeded", pointer=f"/choices/{number}/id", rule="NP-29")
    return [
        Made(f"/choices/{number}", choice, running[choice.id])
        for number, choice in enumerate(request.choices)
    ]


def _refuse_repeated(pointer: str, ids: list[str]) -> None:
    for number, one in enumerate(ids):
        if one in ids[:number]:
            raise RuleRefused("repeated-id", pointer=f"{pointer}/{number}/id")


def refuse_options(made: Iterable[Made]) -> None:
    """NP-31, NP-34: each option is open to its role; only running pursuers call citizens."""
    for pointer, choice, one in made:
        allowed = CHASE[choice.option].role in {None, one.role}
        calls = choice.stop_thief > 0 and (one.role is FUGITIVE or choice.option is TAIL)
        if calls or not allowed:
            raise RuleRefused(
                "option-not-for-role",
                pointer=f"{pointer}/option" if not allowed else f"{pointer}/stop_thief",
                rule="NP-31" if not allowed else "NP-34",
                option=choice.option,
            )


def refuse_masquerades(made: Iterable[Made]) -> None:
    """NP-35: eight qualities in the race itself, head start not counted."""
    for pointer, choice, one in made:
        if choice.option is MASQUERADE and one.accumulated < DISGUISED_FROM:
            raise RuleRefused("masquerade-needs-8", pointer=f"{pointer}/option", rule="NP-35")


def runners_of(participants: tuple[NightProwlerRunner, ...]) -> Runners:
    """NP-R30: each pursuer chases one fugitive, the first unless it says which."""
    fugitives = {one.id: n for n, one in enumerate(participants) if one.role is FUGITIVE}
    first = next(iter(fugitives))
    found = []
    for number, one in enumerate(participants):
        target = one.target or first
        if one.role is PURSUER and target not in fugitives:
            raise RuleRefused(
                "unknown-target",
                pointer=f"/state/participants/{number}/target",
                rule="NP-36",
                number=number + 1,
            )
        found.append(
            Runner(
                role=one.role,
                target=fugitives[target] if one.role is PURSUER else number,
                accumulated=one.accumulated,
                head_start=one.head_start,
                heroism=one.heroism,
                status=one.status,
            )
        )
    return tuple(found)


def read(request: NightProwlerChaseRequest) -> Chase:
    """Return the chase as the rules see it, if the round may be played."""
    made = made_choices(request)
    refuse_options(made)
    refuse_masquerades(made)
    runners = runners_of(request.state.participants)
    for pointer, choice, one in made:
        refuse_cost(price(choice), one.heroism, f"{pointer}/option")
    tests = [(pointer, choice) for pointer, choice, _ in made]
    refuse_attributes(tests)
    refuse_twice(tests)
    refuse_healths([(f"{pointer}/health", choice.health) for pointer, choice in tests])
    by_id = {choice.id: choice for choice in request.choices}
    choices = tuple(by_id.get(one.id) for one in request.state.participants)
    return Chase(runners, choices, request.subtract_failures)


def together(thrown: tuple[Thrown, ...], one: Thrown) -> tuple[Thrown, ...]:
    return (*thrown, one)


def telling(thrown: tuple[Thrown, ...], one: Thrown) -> tuple[Thrown, ...]:
    """NP-34: add a test, unless it is that of a citizen who changes nothing more."""
    idle = one.option is None and (one.success or interceptions(thrown, one.number) > 0)
    return thrown if idle else (*thrown, one)


def result_of(
    request: NightProwlerChaseRequest,
    chase: Chase,
    after: Runners,
    thrown: tuple[Thrown, ...],
    number: int,
) -> NightProwlerChaseResult:
    """Say what the round gave one participant."""
    before, now = chase.runners[number], after[number]
    own = next((one for one in thrown if one.number == number and one.option is not None), None)
    return NightProwlerChaseResult(
        id=request.state.participants[number].id,
        test=None if own is None else own.result,
        gain=0 if before.target in restarts(thrown) else now.accumulated - before.accumulated,
        accumulated=now.accumulated,
        goal=now.goal,
        overrun=now.overrun,
        reached=now.overrun > 0,
        interceptions=interceptions(thrown, number),
        heroism_left=now.heroism,
        status=now.status,
    )


def restarts(thrown: Iterable[Thrown]) -> set[int]:
    """NP-35: the fugitives whose race starts again."""
    return {one.number for one in thrown if one.option is MASQUERADE and not one.success}


def interceptions(thrown: Iterable[Thrown], number: int) -> int:
    """NP-34: the citizens whom a fugitive did not avoid."""
    return sum(one.number == number and one.option is None and not one.success for one in thrown)


def winner_of(after: Runners) -> NightProwlerRole | None:
    """NP-36: the role whose aim every fugitive's ending serves, once the chase is over."""
    endings = {runner.status for runner in after if runner.role is FUGITIVE}
    if endings == {NightProwlerRunnerStatus.ESCAPED}:
        return FUGITIVE
    won = {NightProwlerRunnerStatus.CAUGHT, NightProwlerRunnerStatus.FOLLOWED}
    return PURSUER if endings <= won else None


def bearing(chase: Chase, focus: int, thrown: tuple[Thrown, ...]) -> tuple[object, ...]:
    """Say all of a race so far that bears on the result of one of its participants."""
    fugitive = chase.runners[focus].target
    own = tuple(
        meaning(one) for one in thrown if one.number in {focus, fugitive} and one.option is not None
    )
    others = [one for one in thrown if one.number not in {focus, fugitive}]
    ahead = max((chase.runners[one.number].overrun + one.gain for one in others), default=0)
    trailed = any(one.option is TAIL and one.success for one in others)
    return len(thrown), own, interceptions(thrown, fugitive) > 0, max(0, ahead), trailed


def views(request: NightProwlerChaseRequest) -> tuple[Callable[[Dice], _View], ...]:
    """Return one view for each participant: only its race matters to it."""
    chase = read(request)
    everybody = range(len(chase.runners))

    def view(focus: int, dice: Dice) -> _View:
        fugitive = chase.runners[focus].target
        race = [
            number
            for number in everybody
            if chase.choices[focus] and chase.runners[number].target == fugitive
        ]
        thrown = dice.gather(
            throw,
            [(part,) for part in reversed(parts_of(chase, race))],  # citizens first: few states
            state=NOTHING_YET,
            combine=telling,
            merge=meaning,
            merge_state=partial(bearing, chase, focus),
        )
        after = conclude(chase, thrown)
        return _View(
            tuple(
                result_of(request, chase, after, thrown, number) if number == focus else None
                for number in everybody
            )
        )

    return tuple(partial(view, number) for number in everybody)


def course(
    request: NightProwlerChaseRequest,
    options: NightProwlerChaseOptions | None,
    enumerate_test: Enumerate,
) -> NightProwlerChaseCourse | None:
    """NP-36: the chase goes on, everybody making the same choices while they can."""
    if options is None:
        return None
    chase = read(request)
    running = {one.id: one for one in request.state.participants if one.status is RUNNING}
    wishes = []
    for number, choice in enumerate(options.choices):
        pointer = f"/options/choices/{number}"
        if choice.id not in running:
            raise RuleRefused("choice-unneeded", pointer=f"{pointer}/id", rule="NP-29")
        wishes.append(Made(pointer, choice, running[choice.id]))
    refuse_options(wishes)
    tests = [(pointer, choice) for pointer, choice, _ in wishes]
    refuse_attributes(tests)
    refuse_twice(tests)
    plans = tuple(
        tuple(choice for _, choice, one in wishes if one.id == runner.id)
        for runner in request.state.participants
    )
    return unfold_chase(chase, plans, options.rounds, enumerate_test)


def summary(outcome: NightProwlerChaseOutcome) -> str:
    if not outcome.over:
        return "chase-reset" if outcome.reset else "chase-on"
    return f"chase-{outcome.winner_role}" if outcome.winner_role else "chase-over"


@resolver(
    "chase",
    rules=(
        *TEST_RULES,
        "NP-28", "NP-29", "NP-30", "NP-31", "NP-32", "NP-33", "NP-34", "NP-35", "NP-36",
        "NP-R26", "NP-R27", "NP-R28", "NP-R29", "NP-R30", "NP-R31", "NP-R32", "NP-R33",
        "NP-R34", "NP-R35", "NP-R36", "NP-R37",
    ),
    odds=("results[].gain", "results[].reached", "results[].status"),
    summary=summary,
    aid=Aid(course, NightProwlerChaseCourse, NightProwlerChaseOptions),
    views=views,
)  # fmt: skip
def chase(request: NightProwlerChaseRequest, dice: Dice) -> NightProwlerChaseOutcome:
    """Play one round of a chase: everybody tests the option chosen, totals race to their goals."""
    played = read(request)
    everybody = range(len(played.runners))
    thrown = dice.gather(
        throw,
        [(part,) for part in parts_of(played, everybody)],
        state=NOTHING_YET,
        combine=together,
    )
    after = conclude(played, thrown)
    results = tuple(result_of(request, played, after, thrown, n) for n in everybody)
    reset = bool(restarts(thrown))
    _tell(played, after, thrown, dice)
    over = is_over(after)
    return NightProwlerChaseOutcome.model_construct(
        results=results,
        reset=reset,
        state=NightProwlerChaseState.model_construct(
            round=min(request.state.round + 1, MOST_ROUNDS),
            participants=tuple(
                one.model_copy(
                    update={
                        "accumulated": runner.accumulated,
                        "head_start": runner.head_start,
                        "heroism": runner.heroism,
                        "status": runner.status,
                    }
                )
                for one, runner in zip(request.state.participants, after, strict=True)
            ),
        ),
        over=over,
        winner_role=winner_of(after) if over else None,
    )


def _tell(chase: Chase, after: Runners, thrown: tuple[Thrown, ...], dice: Dice) -> None:
    """Note each total, each race that restarts, each change of standing."""
    for number in sorted(restarts(thrown)):
        dice.note("NP-35", "race-restarts", number=number + 1)
    for number, (before, now) in enumerate(zip(chase.runners, after, strict=True)):
        if chase.choices[number] is None:
            continue
        stopped = interceptions(thrown, number)
        if stopped:
            dice.note("NP-34", "intercepted", number=number + 1, interceptions=stopped)
        if before.heroism is not None and before.heroism != now.heroism:
            dice.note(
                "NP-13", "heroism-paid", number=number + 1, before=before.heroism, after=now.heroism
            )
        dice.note(
            "NP-29",
            "chase-total",
            number=number + 1,
            before=before.accumulated,
            after=now.accumulated,
            goal=now.goal,
        )
        if now.status is not before.status:
            dice.note(
                "NP-36", "chase-standing", number=number + 1, before=before.status, after=now.status
            )
