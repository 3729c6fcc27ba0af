"""Step 8 of an exchange: acting tests and second attacks, rules NP-51 and NP-60."""

from typing import NamedTuple

from arbitre.dice import Dice
from arbitre.systems.night_prowler.combatant import NightProwlerCombatant, NightProwlerFighterSide
from arbitre.systems.night_prowler.exchange import (
    Decision,
    Exchange,
    Pair,
    Roll,
    Score,
    aims,
    decide,
    encumbrance,
    outnumbered_by,
    roll_of,
)
from arbitre.systems.night_prowler.stance import OPTION, A, B, Fight, has_second, other
from arbitre.systems.night_prowler.tables import NightProwlerTrack
from arbitre.systems.night_prowler.test import (
    Adjustment,
    NightProwlerNullSuccess,
    NightProwlerSource,
    NightProwlerTestKind,
    NightProwlerTestResult,
    Prepared,
    Term,
    adjustment_of,
    roll_test,
    terms_of,
    wounds_of,
)
from arbitre.systems.night_prowler.wounds import Aim

SECOND_ATTACK = -2  # NP-51


class Clash(NamedTuple):
    """A second attack, and all that decides it."""

    attacker: Prepared
    target: Prepared
    bonus: int
    """Flanking, less the target's shield."""
    protection: int
    guards: bool
    """The target paid to defend (NP-51)."""
    track: NightProwlerTrack


class Second(NamedTuple):
    """What a second attack gave."""

    attacker: NightProwlerTestResult
    target: NightProwlerTestResult
    margin: int
    hit: bool
    damage: int | None
    aims: tuple[Aim, ...]


class FollowUp(NamedTuple):
    """What follows the option of one fighter."""

    acting: NightProwlerTestResult | None = None
    primed: bool = False
    second: Second | None = None

    @property
    def hits(self) -> bool:
        return self.second is not None and self.second.hit


def meaning(second: Second) -> tuple[object, ...]:
    """Say all that the exchange looks at."""
    return second[2:]


def verdict(result: NightProwlerTestResult) -> tuple[object, ...]:
    """Say all that an acting test decides."""
    return (result.success,)


def follow_up(
    exchange: Exchange,
    pair: Pair,
    side: NightProwlerFighterSide,
    dice: Dice,
    *,
    struck: bool,
) -> FollowUp:
    """Step 8: what one fighter's option still does; ``struck``: an opponent hit it first."""
    fight = exchange.fight
    who, stance = fight.fighter(side, pair.number), fight.stance(side, pair.number)
    won = pair.hit and pair.decision.winner is side
    if stance.option is OPTION.RAM_HORN and not who.ram_horn_primed:
        if not won:
            return FollowUp()
        quality = (pair.a if side is A else pair.b).comparison  # NP-R67
        acted = dice.sub(roll_test, acting(who, quality), merge=verdict)
        return FollowUp(acting=acted, primed=acted.success)
    if not has_second(who, stance):
        return FollowUp()
    played = None
    if stance.option is OPTION.STREET_TRICK:  # NP-R68
        played = dice.sub(roll_test, acting(who, 0), merge=verdict)
    if struck or (played is not None and not played.success):  # NP-R55
        return FollowUp(acting=played)
    second = dice.sub(clash, clash_of(exchange, pair.number, side), merge=meaning)
    return FollowUp(acting=played, second=second)


def acting(who: NightProwlerCombatant, quality: int) -> Prepared:
    """NP-60: a simple acting test, helped by the quality of the attack."""
    terms = (
        Term(NightProwlerSource.MODIFIER, who.acting_modifier),
        Term(NightProwlerSource.ATTACK_QUALITY, quality),
        Term(NightProwlerSource.WOUNDS, 0 if who.ignore_wounds else wounds_of(who)),
    )
    return Prepared(
        tag="acting",
        name=who.name,
        skill_name=None,
        test=NightProwlerTestKind.SKILL,
        opened=True,
        base=who.acting_skill,
        terms=tuple(term for term in terms if term.value),
        adjustment=Adjustment(None, NightProwlerNullSuccess.NONE, False, 0, 0),
        heroism=None,
        paid=0,
    )


def clash_of(exchange: Exchange, number: int, side: NightProwlerFighterSide) -> Clash:
    """NP-51, NP-R55: both roll again, the opponent as if on the offensive, or defending."""
    fight = exchange.fight
    who, foe = fight.fighter(side, number), fight.fighter(other(side), number)
    behind = side is B and fight.request.b[number].flanking and not fight.request.a.vista
    return Clash(
        attacker=again(exchange, number, side, attacks=True, penalty=SECOND_ATTACK),
        target=again(exchange, number, other(side), attacks=not foe.defend_second, penalty=0),
        bonus=behind - (foe.defend_second and foe.has_shield),
        protection=foe.protection_against(who.weapon),
        guards=foe.defend_second,
        track=who.weapon.wounds,
    )


def again(
    exchange: Exchange,
    number: int,
    side: NightProwlerFighterSide,
    *,
    attacks: bool,
    penalty: int,
) -> Prepared:
    """NP-51: a fighter's second test; heroism, Crasse and decrees do not carry over."""
    fight = exchange.fight
    who = fight.fighter(side, number)
    first = exchange.a if side is A else exchange.b[number]
    modifier, wounds, exhaustion, _ = terms_of(who, wounds_of(who), who.heroism, physical=True)
    terms = (
        modifier,
        Term(NightProwlerSource.SECOND_ATTACK, penalty),
        *encumbrance(who, attacks=attacks),
        Term(NightProwlerSource.OUTNUMBERING, pressure(fight, number, side, attacks=attacks)),
        wounds,
        exhaustion,
        Term(NightProwlerSource.HEROISM, who.second_heroism_spent),
    )
    return first._replace(
        tag=f"second-{side.value}",
        terms=tuple(term for term in terms if term.value),
        adjustment=adjustment_of(who)._replace(decree=None, crasse=False),
        heroism=first.heroism_left,
        paid=who.second_heroism_spent,
    )


def pressure(fight: Fight, number: int, side: NightProwlerFighterSide, *, attacks: bool) -> int:
    """NP-63: the lone fighter attacks in a second exchange, unless it paid to defend."""
    if side is A:
        return 0
    lone = fight.request.a
    daring = has_second(lone, fight.a) or not lone.defend_second
    return outnumbered_by(fight, number, daring=daring, attacks=attacks)


def clash(one: Clash, dice: Dice) -> Second:
    """NP-51, NP-R51: the second attack needs a margin, and no broken tie gives one."""
    attacker = dice.sub(roll_test, one.attacker)
    target = dice.sub(roll_test, one.target)
    own, foe = _score(roll_of(attacker), one.bonus), _score(roll_of(target), 0)
    decision: Decision = decide(own, foe, (None, None))
    if decision.winner is not A:
        return Second(attacker, target, -decision.margin, False, None, ())
    guard = foe.comparison if one.guards and foe.success else 0
    damage = own.damage - one.protection - guard
    dice.note("NP-51", "second-attack", margin=decision.margin, damage=damage)
    return Second(attacker, target, decision.margin, True, damage, aims(damage, one.track))


def _score(roll: Roll, bonus: int) -> Score:
    if not roll.success or roll.converted:
        return Score(roll.success, roll.quality, roll.quality)
    quality = max(0, roll.quality + bonus)
    return Score(True, quality, quality)
