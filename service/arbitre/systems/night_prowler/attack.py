"""One exchange of blows, or one shot: rules NP-28, NP-37 to NP-78.

The steps of an exchange, and where each stands:

1  what each fighter really does     ``stance.effective_options``
2  what is allowed                   ``stance.refuse_options``
3  what is paid beforehand           ``stance.payments``
4  thresholds                        ``exchange.prepared``, ``shot.aim``
5  qualities                         ``exchange.scores``, ``shot.quality_of``
6  winner and margin                 ``exchange.decide``
7  blow, technique, counter, effect  ``exchange.strike``, ``exchange.finish``, ``shot.shoot``
8  acting tests, second attacks      ``follow_up.follow_up``
9  wounds and states                 ``aftermath.hurt``, ``aftermath.states_of``
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.rules.model import Frozen
from arbitre.rules.resolver import resolver
from arbitre.systems.night_prowler.aftermath import (
    Fought,
    NightProwlerAttackOutcome,
    outcome_of,
)
from arbitre.systems.night_prowler.combatant import (
    NightProwlerAdvantage,
    NightProwlerAttackRequest,
    NightProwlerFighterSide,
    NightProwlerMode,
    NightProwlerOnCounter,
)
from arbitre.systems.night_prowler.exchange import (
    Exchange,
    NightProwlerEffect,
    Pair,
    Roll,
    exchange_of,
    finish,
    first_blows,
    may_counter,
    roll_of,
    settle,
)
from arbitre.systems.night_prowler.follow_up import FollowUp, follow_up
from arbitre.systems.night_prowler.shot import (
    Aiming,
    aim,
    refuse_penetration,
    refuse_shot,
    refuse_unloaded,
    shoot,
)
from arbitre.systems.night_prowler.stance import (
    DEFENSE,
    MOVEMENT,
    A,
    B,
    effective_options,
    has_second,
    refuse_options,
    refuse_shots,
)
from arbitre.systems.night_prowler.tables import NightProwlerRow
from arbitre.systems.night_prowler.test import (
    TEST_RULES,
    Prepared,
    roll_test,
)
from arbitre.systems.night_prowler.wounds import WOUND_RULES


def read_melee(request: NightProwlerAttackRequest) -> Exchange:
    """Go through steps 1 to 4 of an exchange."""
    fight = effective_options(request)
    refuse_shots(fight)
    refuse_options(fight)
    return exchange_of(fight)


def read_shot(request: NightProwlerAttackRequest) -> Aiming:
    """Go through steps 1 to 4 of a shot."""
    fight = effective_options(request)
    refuse_shot(fight)
    refuse_options(fight, (refuse_unloaded, refuse_penetration))
    return aim(fight)


def fight_on(exchange: Exchange, dice: Dice) -> Fought:
    """Go through steps 5 to 8 of an exchange."""
    fight = exchange.fight
    a = dice.sub(roll_test, exchange.a)
    b = tuple(dice.sub(roll_test, prepared) for prepared in exchange.b)
    pairs = settle(exchange, roll_of(a), [roll_of(result) for result in b])
    aimed = pairs[fight.request.target]
    struck = any(pair.struck(A) for pair in pairs)
    own = follow_up(exchange, aimed, A, dice, struck=struck)
    theirs = tuple(
        follow_up(exchange, pair, B, dice, struck=pair.struck(B) or (pair is aimed and own.hits))
        for pair in pairs
    )
    return Fought(fight, a, b, pairs, own, theirs)


def fire(aiming: Aiming, dice: Dice) -> Fought:
    """Go through steps 5 to 7 of a shot."""
    a = dice.sub(roll_test, aiming.shooter)
    b = None if aiming.target is None else dice.sub(roll_test, aiming.target)
    pair = shoot(aiming, roll_of(a), None if b is None else roll_of(b))
    return Fought(aiming.fight, a, (b,), (pair,), FollowUp(), (FollowUp(),))


class Others(NamedTuple):
    """What the other pairs change in one of them."""

    needed: int = 0
    """Least margin that takes the lone fighter's counter from the others (NP-63)."""
    won: bool = True
    """The lone fighter has won every other pair (NP-42)."""
    struck: bool = False
    """It has been hit (NP-55)."""
    spent: int = 0
    """What it has paid against KOs before (NP-54)."""


class Part(NamedTuple):
    number: int
    roll: Roll


def read_roll(prepared: Prepared, dice: Dice) -> Roll:
    return roll_of(roll_test(prepared, dice))


def read_part(number: int, prepared: Prepared, dice: Dice) -> Part:
    return Part(number, read_roll(prepared, dice))


def join(exchange: Exchange, focus: int, a: Roll, others: Others, part: Part) -> Others:
    """Add another pair to what one of them must know, and nothing more."""
    fight, number = exchange.fight, part.number
    pair = first_blows(exchange, number, a, part.roll, others.spent)
    needed, won, struck, spent = others
    if fight.a.kind is DEFENSE and pair.decision.winner is A and may_counter(fight, pair):
        needed = max(needed, pair.decision.margin + (number < focus))
    if fight.a.kind is MOVEMENT:
        won = won and pair.decision.winner is A
    if has_second(fight.request.a, fight.a):
        struck = struck or finish(fight, pair, chosen=False, everywhere=False).struck(A)
    if number < focus and pair.loser is A:
        spent += pair.paid
    return Others(needed, won, struck, spent)


class SecondFacts(Frozen):
    """What they ask about a second attack."""

    hit: bool
    damage_quality: int | None


class Facts(Frozen):
    """What the odds ask about a pair."""

    winner: NightProwlerFighterSide | None
    hit: bool
    damage_quality: int | None
    row: NightProwlerRow | None
    counter: NightProwlerOnCounter | None
    counter_quality: int | None
    effects: tuple[NightProwlerEffect, ...]
    advantage: NightProwlerAdvantage | None
    second: SecondFacts | None
    second_b: SecondFacts | None


class View(NamedTuple):
    """One pair; nothing stands for the others."""

    pairs: tuple[Facts | None, ...]


def melee_view(exchange: Exchange, focus: int, dice: Dice) -> View:
    """Resolve one pair: the others matter through a few facts, once a's die is known."""
    fight = exchange.fight
    a = dice.sub(read_roll, exchange.a)
    others = dice.gather(
        read_part,
        [(number, prepared) for number, prepared in enumerate(exchange.b) if number != focus],
        state=Others(),
        combine=partial(join, exchange, focus, a),
    )
    b = dice.sub(read_roll, exchange.b[focus])
    pair = first_blows(exchange, focus, a, b, others.spent)
    named = fight.request.counter_target
    chosen = pair.decision.margin >= others.needed if named is None else named == focus
    pair = finish(fight, pair, chosen=chosen, everywhere=others.won and pair.decision.winner is A)
    aimed = focus == fight.request.target
    struck = others.struck or pair.struck(A)
    own = follow_up(exchange, pair, A, dice, struck=struck) if aimed else FollowUp()
    theirs = follow_up(exchange, pair, B, dice, struck=pair.struck(B) or own.hits)
    return _shown(len(exchange.b), focus, pair, own, theirs)


def shot_view(aiming: Aiming, dice: Dice) -> View:
    a = dice.sub(read_roll, aiming.shooter)
    b = None if aiming.target is None else dice.sub(read_roll, aiming.target)
    return _shown(1, 0, shoot(aiming, a, b), FollowUp(), FollowUp())


def _shown(count: int, focus: int, pair: Pair, own: FollowUp, theirs: FollowUp) -> View:
    facts = Facts(
        winner=pair.decision.winner,
        hit=pair.hit,
        damage_quality=pair.damage,
        row=pair.row,
        counter=pair.counter,
        counter_quality=pair.counter_quality,
        effects=pair.effects,
        advantage=pair.advantage,
        second=_second(own),
        second_b=_second(theirs),
    )
    return View(tuple(facts if number == focus else None for number in range(count)))


def _second(follow: FollowUp) -> SecondFacts | None:
    second = follow.second
    return None if second is None else SecondFacts(hit=second.hit, damage_quality=second.damage)


def views(request: NightProwlerAttackRequest) -> tuple[Callable[[Dice], View], ...]:
    """Return one view for each pair."""
    if request.mode is NightProwlerMode.RANGED:
        return (partial(shot_view, read_shot(request)),)
    exchange = read_melee(request)
    return tuple(partial(melee_view, exchange, number) for number in range(len(exchange.b)))


def summary(outcome: NightProwlerAttackOutcome) -> tuple[str, ...]:
    alone = len(outcome.pairs) == 1 and outcome.pairs[0].row is not None
    return ("exchange", "exchange-wound") if alone else ("exchange",)


@resolver(
    "attack",
    rules=(
        *TEST_RULES,
        *WOUND_RULES,
        "NP-28", "NP-37", "NP-38", "NP-39", "NP-40", "NP-41", "NP-42", "NP-43", "NP-44",
        "NP-45", "NP-46", "NP-47", "NP-48", "NP-49", "NP-50", "NP-51", "NP-52", "NP-53",
        "NP-54", "NP-55", "NP-56", "NP-57", "NP-58", "NP-59", "NP-60", "NP-61", "NP-62",
        "NP-63", "NP-64", "NP-65", "NP-66", "NP-67", "NP-68", "NP-69", "NP-77", "NP-78",
        "NP-R38", "NP-R39", "NP-R40", "NP-R41", "NP-R42", "NP-R43", "NP-R44", "NP-R45",
        "NP-R46", "NP-R47", "NP-R48", "NP-R49", "NP-R50", "NP-R51", "NP-R52", "NP-R53",
        "NP-R54", "NP-R55", "NP-R56", "NP-R57", "NP-R58", "NP-R59", "NP-R60", "NP-R61",
        "NP-R62", "NP-R63", "NP-R64", "NP-R65", "NP-R66", "NP-R67", "NP-R68", "NP-R69",
        "NP-R70", "NP-R71", "NP-R72", "NP-R73", "NP-R74", "NP-R75", "NP-R76", "NP-R77",
        "NP-R79", "NP-R91",
    ),
    odds=(
        "pairs[].winner",
        "pairs[].hit",
        "pairs[].damage_quality",
        "pairs[].row",
        ("pairs[].winner", "pairs[].row"),
        "pairs[].counter",
        "pairs[].counter_quality",
        "pairs[].effects",
        "pairs[].advantage",
        "pairs[].second.hit",
        "pairs[].second.damage_quality",
        "pairs[].second_b.hit",
        "pairs[].second_b.damage_quality",
    ),
    summary=summary,
    views=views,
)  # fmt: skip
def attack(request: NightProwlerAttackRequest, dice: Dice) -> NightProwlerAttackOutcome:
    """Resolve one exchange between a fighter and its opponents, or one shot at a target."""
    if request.mode is NightProwlerMode.RANGED:
        return outcome_of(fire(read_shot(request), dice), dice)
    return outcome_of(fight_on(read_melee(request), dice), dice)
