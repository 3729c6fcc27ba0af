"""What an exchange notes: stances, quality changes, blows, effects, each with its rule."""

from arbitre.dice import Dice
from arbitre.systems.night_prowler.combatant import NightProwlerFighterSide, NightProwlerMode
from arbitre.systems.night_prowler.exchange import (
    NightProwlerCause,
    NightProwlerEffect,
    Pair,
    contextual,
    damage_bonus,
    guard,
)
from arbitre.systems.night_prowler.shot import shot_changes, worn
from arbitre.systems.night_prowler.stance import A, B, Fight, fighters, other, payments
from arbitre.systems.night_prowler.test import NightProwlerTestResult

_CAUSE_RULES = {
    NightProwlerCause.AMBUSH: "NP-65",
    NightProwlerCause.SURPRISE: "NP-65",
    NightProwlerCause.FLANKING: "NP-64",
    NightProwlerCause.SHIELD: "NP-66",
    NightProwlerCause.FEINT: "NP-50",
    NightProwlerCause.ALL_OUT_ATTACK: "NP-67",
    NightProwlerCause.POWERFUL_THROW: "NP-58",
}

_EFFECT_RULES = {
    NightProwlerEffect.BLEEDING: "NP-78",
    NightProwlerEffect.KNOCKOUT: "NP-54",
    NightProwlerEffect.KNOCKOUT_COUNTERED: "NP-54",
    NightProwlerEffect.BOTH_TRACKS: "NP-54",
    NightProwlerEffect.WEAPON_BROKEN: "NP-52",
    NightProwlerEffect.SHAFT_SPLIT: "NP-55",
    NightProwlerEffect.SHIELD_SPLIT: "NP-55",
    NightProwlerEffect.ENTANGLED: "NP-56",
    NightProwlerEffect.IMMOBILIZED: "NP-59",
    NightProwlerEffect.SWEPT: "NP-59",
    NightProwlerEffect.REVERSED: "NP-59",
    NightProwlerEffect.HINDERED: "NP-60",
}


def tell_fight(fight: Fight, dice: Dice) -> None:
    """Note each option that was forced or changed, and what each fighter pays."""
    for one in fighters(fight):
        number = 0 if one.side is A else one.number + 1
        stance = one.stance
        if stance.forced is not None:
            rule = "NP-45" if stance.reflex else "NP-65" if stance.caught else "NP-43"
            dice.note(rule, f"forced-{one.side}", number=number, option=stance.option)
        if stance.reacted:
            dice.note("NP-44", f"reaction-{one.side}", number=number, option=stance.option)
        paid = payments(fight, one)
        if one.who.heroism is not None and paid:
            left = one.who.heroism - paid
            key = f"paid-{one.side}"
            dice.note("NP-13", key, number=number, before=one.who.heroism, after=left)


def tell_pair(
    fight: Fight,
    pair: Pair,
    a: NightProwlerTestResult,
    b: NightProwlerTestResult | None,
    dice: Dice,
) -> None:
    """Note a pair: qualities, decision, blow, effects, counter, advantage."""
    _tell_qualities(fight, pair, A, a, dice)
    if b is not None:
        _tell_qualities(fight, pair, B, b, dice)
    winner, margin, tie = pair.decision
    dice.note(
        "NP-46" if tie and winner else "NP-37",
        "pair" if winner else "nobody",
        number=pair.number + 1,
        a=pair.a.comparison,
        b=pair.b.comparison,
        winner=winner,
        margin=margin,
    )
    if winner is not None:
        _tell_blow(fight, pair, winner, dice)
    for effect in pair.effects:
        dice.note(_EFFECT_RULES[effect], "effect", effect=effect)
    if pair.counter is not None:
        dice.note("NP-41", "counter", choice=pair.counter, quality=pair.counter_quality)
    if pair.advantage is not None:
        dice.note("NP-42", "advantage", advantage=pair.advantage)
    if pair.distance != fight.distance(pair.number):
        before = fight.distance(pair.number)
        dice.note("NP-48", "distance", before=before, after=pair.distance)


def _tell_qualities(
    fight: Fight,
    pair: Pair,
    side: NightProwlerFighterSide,
    result: NightProwlerTestResult,
    dice: Dice,
) -> None:
    """Note each change between the quality of the test and the one that compares."""
    if not result.success or result.converted:
        return
    ranged = fight.request.mode is NightProwlerMode.RANGED
    changes = dict(shot_changes(fight, side) if ranged else contextual(fight, side, pair.number))
    score = pair.a if side is A else pair.b
    floor = max(0, result.quality + sum(changes.values()))
    reckless = score.comparison - floor
    last = next(reversed(changes), None)
    if reckless:
        changes[NightProwlerCause.ALL_OUT_ATTACK] = reckless
    before = result.quality
    for cause, value in changes.items():
        after = floor if cause is last else before + value
        dice.note(
            _CAUSE_RULES[cause],
            f"change-{side}",
            number=pair.number + 1,
            cause=cause,
            before=before,
            after=after,
        )
        before = after


def _tell_blow(fight: Fight, pair: Pair, winner: NightProwlerFighterSide, dice: Dice) -> None:
    """Note what armor and guard leave of a blow or a counter."""
    if pair.damage is None:
        return
    own = pair.a if winner is A else pair.b
    foe = pair.b if winner is A else pair.a
    who = fight.fighter(winner, pair.number)
    if fight.request.mode is NightProwlerMode.RANGED:
        quality = 1 if pair.decision.tie else own.damage
        dice.note(
            "NP-69",
            "missile",
            attack=quality,
            protection=worn(fight.request),
            damage=pair.damage,
        )
        return
    option = fight.stance(winner, pair.number).option
    bonus = damage_bonus(who, option)
    quality = 1 if pair.decision.tie else own.damage
    if NightProwlerEffect.KNOCKOUT_COUNTERED in pair.effects:
        quality, bonus = who.invested, 0
    elif pair.counter_quality is not None:
        quality = pair.counter_quality
    loser = fight.fighter(other(winner), pair.number)
    dice.note(
        "NP-39",
        "blow",
        attack=quality + bonus,
        protection=loser.protection_against(who.weapon),
        guard=guard(fight, other(winner), pair.number, foe),
        damage=pair.damage,
    )
