"""A shot: rules NP-57, NP-58, NP-61, NP-62 and NP-69, in the steps of a ranged attack."""

from typing import NamedTuple

from arbitre.rules.errors import RuleRefused
from arbitre.systems.night_prowler.armor import pierced
from arbitre.systems.night_prowler.combatant import (
    NightProwlerAttackRequest,
    NightProwlerFighterSide,
)
from arbitre.systems.night_prowler.exchange import (
    Decision,
    NightProwlerCause,
    NightProwlerEffect,
    Pair,
    Roll,
    Score,
    aims,
    decide,
    encumbrance,
    prepared,
    ready,
)
from arbitre.systems.night_prowler.stance import (
    DEFENSE,
    MOVEMENT,
    OPTION,
    SHOT,
    A,
    B,
    Fight,
    fighters,
    payments,
)
from arbitre.systems.night_prowler.tables import (
    RANGES,
    RELOADS,
    NightProwlerTrack,
    NightProwlerWeaponKind,
)
from arbitre.systems.night_prowler.test import NightProwlerSource, Prepared, Term
from arbitre.systems.night_prowler.training import weapon_level

QUICK_LEVEL = 13  # NP-62
BLEEDING_SHOTS = (OPTION.AIMED_SHOT, OPTION.PRECISE_THROW)


class Aiming(NamedTuple):
    """A shot ready for its dice."""

    fight: Fight
    shooter: Prepared
    target: Prepared | None
    """The dodge of a target that moves; nothing: the shot is a simple test."""


def refuse_shot(fight: Fight) -> None:
    """NP-61, NP-62, NP-69: a shot has one target, a loaded weapon, a known penetration."""
    request = fight.request
    if fight.a.kind is not SHOT:
        raise RuleRefused(
            "option-not-for-mode", pointer="/a/option", rule="NP-61", option=fight.a.option
        )
    if len(request.b) > 1:
        raise RuleRefused("one-target", pointer="/b", rule="NP-61")
    if request.a.weapon.kind is None:
        raise RuleRefused("required", pointer="/a/weapon/kind", rule="NP-62")
    if request.target_moving and fight.b[0].kind is MOVEMENT:
        raise RuleRefused("moving-and-dodging", pointer="/target_moving", rule="NP-61")


def refuse_unloaded(fight: Fight) -> None:
    """NP-62, NP-R70: full rounds of reloading since the last shot."""
    request = fight.request
    needed = reload_rounds(fight.request)
    if request.rounds_reloaded is not None and request.rounds_reloaded < needed:
        raise RuleRefused(
            "not-reloaded",
            pointer="/rounds_reloaded",
            rule="NP-62",
            n=needed - request.rounds_reloaded,
        )


def refuse_penetration(fight: Fight) -> None:
    """NP-69: against armor, the penetration decides."""
    if worn(fight.request) and fight.request.penetration is None:
        raise RuleRefused("penetration-required", pointer="/penetration", rule="NP-69")


def worn(request: NightProwlerAttackRequest) -> int:
    """NP-69: the target's protection against a missile."""
    return request.b[0].protection_against(request.a.weapon)


def reload_rounds(request: NightProwlerAttackRequest) -> int:
    """NP-62, NP-R70: rounds of reloading between two shots; none for a practiced archer."""
    kind = request.a.weapon.kind
    practiced = kind is NightProwlerWeaponKind.BOW and level(request) >= QUICK_LEVEL
    if practiced and request.static and request.arrows_prepared:
        return 0
    return RELOADS[kind].rounds if kind else 0


def level(request: NightProwlerAttackRequest) -> int:
    """NP-38: the shooter's level."""
    return weapon_level(request.a.training, request.a.skill, request.a.attribute)


def aim(fight: Fight) -> Aiming:
    """Step 4 of a shot: thresholds."""
    request = fight.request
    shooter, target = fighters(fight)
    terms = (
        Term(NightProwlerSource.RANGE, RANGES[request.range]),
        Term(NightProwlerSource.TARGET_MOVING, request.target_moving),
        Term(NightProwlerSource.UNSTEADY, request.unsteady),
        Term(NightProwlerSource.VISIBILITY, request.visibility),
        *encumbrance(request.a, attacks=True)[:2],  # two weapons do not hamper a shot
    )
    return Aiming(
        fight,
        ready(request.a, "a", level(request), terms, payments(fight, shooter)),
        prepared(fight, target) if target.stance.kind is MOVEMENT else None,
    )


def shoot(aiming: Aiming, a: Roll, b: Roll | None) -> Pair:
    """Go through steps 5 to 7 of a shot: quality, hit, what armor leaves, bleeding."""
    fight = aiming.fight
    request = fight.request
    own = quality_of(fight, A, a)
    foe = None if b is None else quality_of(fight, B, b)
    decision = _judge(aiming, own, foe)
    pair = Pair(0, own, foe or Score(False, 0, 0), decision, fight.distance(0))
    if decision.winner is not A:
        return _dodged(fight, pair)
    quality = 1 if decision.tie else own.damage
    damage = pierced(quality, request.penetration, worn(request))
    wound = aims(damage, request.a.weapon.track or NightProwlerTrack.VITALITY)  # NP-61
    hit = pair._replace(hit=True, damage=damage, aims=wound)
    bleeds = fight.a.option in BLEEDING_SHOTS and decision.margin >= 1 and damage > 0  # NP-57
    return hit._replace(effects=(NightProwlerEffect.BLEEDING,)) if bleeds else hit


def quality_of(fight: Fight, side: NightProwlerFighterSide, roll: Roll) -> Score:
    """Step 5 of a shot: the quality of a success once adjusted."""
    if not roll.success or roll.converted:  # NP-10
        return Score(roll.success, roll.quality, roll.quality)
    quality = max(0, roll.quality + sum(shot_changes(fight, side).values()))
    return Score(True, quality, quality)


def shot_changes(fight: Fight, side: NightProwlerFighterSide) -> dict[NightProwlerCause, int]:
    """NP-58, NP-65, NP-66, NP-R69: what bears on the quality of a shot, or of a dodge."""
    target = fight.b[0]
    if side is B:
        return {NightProwlerCause.SURPRISE: -1} if target.caught else {}
    shielded = fight.request.b[0].has_shield and target.kind is DEFENSE
    found = {
        NightProwlerCause.POWERFUL_THROW: int(fight.a.option is OPTION.POWERFUL_THROW),
        NightProwlerCause.AMBUSH: int(target.caught),
        NightProwlerCause.SHIELD: -int(shielded),
    }
    return {cause: value for cause, value in found.items() if value}


def _judge(aiming: Aiming, own: Score, foe: Score | None) -> Decision:
    """NP-61, NP-R63, NP-R69: a simple test, unless the target dodges."""
    if foe is None:
        return Decision(A if own.success else None, own.comparison * own.success, False)
    target = aiming.target and aiming.target.heroism_left
    return decide(own, foe, (aiming.shooter.heroism_left, target))


def _dodged(fight: Fight, pair: Pair) -> Pair:
    """NP-42: a target whose movement wins may obtain what it announced."""
    won = pair.decision.winner is not None
    return pair._replace(advantage=fight.request.b[0].advantage if won else None)


def target_penalty(fight: Fight, pair: Pair) -> int | None:
    """NP-57, NP-R64: a reflex shot that hits hampers the target's action."""
    reflex = fight.a.option is OPTION.REFLEX_SHOT and pair.hit
    return -pair.a.comparison if reflex else None
