"""Steps 1 to 3 of an exchange: what each fighter really does, may do, and pays."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from arbitre.rules.errors import RuleRefused
from arbitre.systems.night_prowler.combatant import (
    NightProwlerAdvantage,
    NightProwlerAttackRequest,
    NightProwlerAxeBack,
    NightProwlerCleaveTarget,
    NightProwlerCombatant,
    NightProwlerFighterSide,
    NightProwlerMode,
    NightProwlerShield,
    NightProwlerVariant,
)
from arbitre.systems.night_prowler.tables import (
    BASE_ATTITUDES,
    TECHNIQUES,
    TWO_WEAPONS,
    NightProwlerClass,
    NightProwlerFamily,
    NightProwlerOption,
    Technique,
)
from arbitre.systems.night_prowler.test import cost, refuse_cost, refuse_healths, refuse_twice
from arbitre.systems.night_prowler.training import FREE, NightProwlerTraining

A, B = NightProwlerFighterSide
ATTACK, DEFENSE, MOVEMENT, SHOT = NightProwlerClass
OPTION = NightProwlerOption


class NightProwlerCondition(StrEnum):
    NOT_ENGAGED = "not_engaged"
    LONGER_REACH = "longer_reach"
    MOVEMENT_WON = "movement_won"
    TWO_SHORT_WEAPONS = "two_short_weapons"
    AXE_BACK = "axe_back"
    CLEAVE_TARGET = "cleave_target"
    NO_CLOSE_FIGHT = "no_close_fight"
    NOT_SMALL_ARTICULATED = "not_small_articulated"
    ONE_WEAPON = "one_weapon"
    NO_SHIELD = "no_shield"
    SEVERAL_OPPONENTS = "several_opponents"


class NightProwlerAdvantageFault(StrEnum):
    NOTHING_TO_CLOSE = "nothing_to_close"
    NOTHING_TO_RESTORE = "nothing_to_restore"
    NOT_FLANKED = "not_flanked"


class Stance(NamedTuple):
    """What a fighter really does, and how it came to that."""

    option: NightProwlerOption
    forced: NightProwlerOption | None = None
    """The attitude forced by an ambush or by initiative."""
    caught: bool = False
    """Surprised, without a reflex (NP-65)."""
    reflex: bool = False
    """Surprised, but defending without an answer (NP-45)."""
    reacted: bool = False
    """Changed its option (NP-44)."""

    @property
    def technique(self) -> Technique:
        return TECHNIQUES[self.option]

    @property
    def kind(self) -> NightProwlerClass:
        """NP-37: the class of the option."""
        return self.technique.kind


class Fight(NamedTuple):
    """An exchange as it is really fought."""

    request: NightProwlerAttackRequest
    a: Stance
    b: tuple[Stance, ...]

    def fighter(self, side: NightProwlerFighterSide, number: int) -> NightProwlerCombatant:
        return self.request.a if side is A else self.request.b[number]

    def stance(self, side: NightProwlerFighterSide, number: int) -> Stance:
        return self.a if side is A else self.b[number]

    def distance(self, number: int) -> int:
        """NP-48: the reach at which a pair fights."""
        return distance(self.request, number)

    @property
    def outnumbered(self) -> bool:
        """NP-63, NP-47, NP-R48: the lone fighter suffers from its opponents' number."""
        return len(self.b) > 1 and not self.request.a.vista


class Fighter(NamedTuple):
    """One fighter with its opponents' numbers, for what concerns each in turn."""

    side: NightProwlerFighterSide
    number: int
    pointer: str
    who: NightProwlerCombatant
    stance: Stance


def other(side: NightProwlerFighterSide) -> NightProwlerFighterSide:
    return B if side is A else A


def distance(request: NightProwlerAttackRequest, number: int) -> int:
    """NP-48: the larger reach of the pair, unless the fight has closed in or the ambusher chose."""
    opponent = request.b[number]
    if opponent.distance is not None:
        return opponent.distance
    return max(request.a.weapon.reach, opponent.weapon.reach)


def fighters(fight: Fight) -> Iterator[Fighter]:
    """Go through a, then each b."""
    yield Fighter(A, fight.request.target, "/a", fight.request.a, fight.a)
    for number, (who, stance) in enumerate(zip(fight.request.b, fight.b, strict=True)):
        yield Fighter(B, number, f"/b/{number}", who, stance)


# Step 1: effective options


def effective_options(request: NightProwlerAttackRequest) -> Fight:
    """Step 1: an ambush, else the first round's initiative, then reactions."""
    melee = request.mode is NightProwlerMode.MELEE
    led = melee and request.first_round and request.ambush is None  # NP-R45
    leaders = [initiative(request, number) if led else None for number in range(len(request.b))]
    return Fight(
        request,
        stance_of(request.a, surprised=request.ambush is B, led=B in leaders),
        tuple(
            stance_of(one, surprised=request.ambush is A, led=leader is A)
            for one, leader in zip(request.b, leaders, strict=True)
        ),
    )


def initiative(request: NightProwlerAttackRequest, number: int) -> NightProwlerFighterSide | None:
    """NP-43, NP-R44, NP-R58: who takes the advantage in a pair."""
    a, b = request.a, request.b[number]
    charged = a.option is OPTION.CHARGE and request.target == number
    charges = b.option is OPTION.CHARGE
    if charged or charges:
        return None if charged and charges else A if charged else B
    if a.initiative is None or b.initiative is None or a.initiative == b.initiative:
        return None
    return A if a.initiative > b.initiative else B


def stance_of(who: NightProwlerCombatant, *, surprised: bool, led: bool) -> Stance:
    """NP-43 to NP-45, NP-65: what one fighter really does."""
    if surprised and who.defensive_reflex:  # NP-R47
        return Stance(OPTION.DEFENSIVE, OPTION.DEFENSIVE, reflex=True)
    if surprised:  # NP-R73
        return Stance(OPTION.MOVEMENT, OPTION.MOVEMENT, caught=True)
    if led:
        return Stance(OPTION.DEFENSIVE, OPTION.DEFENSIVE)
    if who.reaction is not None:  # NP-R46
        return Stance(OPTION(who.reaction.value), reacted=True)
    return Stance(who.option)


# Step 2: legality


def refuse_options(fight: Fight, between: Iterable[Callable[[Fight], None]] = ()) -> None:
    """Step 2: refuse what a fighter may not do, in the order of the refusals."""
    request = fight.request
    if request.target >= len(request.b):
        raise RuleRefused("no-such-opponent", pointer="/target", rule="NP-37")
    if request.counter_target is not None and request.counter_target >= len(request.b):
        raise RuleRefused("no-such-opponent", pointer="/counter_target", rule="NP-41")
    everybody = list(fighters(fight))
    for check in FIRST_CHECKS:
        for one in everybody:
            check(fight, one)
    for refuse in between:
        refuse(fight)
    for check in LAST_CHECKS:
        for one in everybody:
            check(fight, one)


def refuse_shots(fight: Fight) -> None:
    """NP-37: shots belong to ranged combat."""
    for one in fighters(fight):
        if one.stance.kind is SHOT:
            raise RuleRefused(
                "option-not-for-mode",
                pointer=f"{one.pointer}/option",
                rule="NP-37",
                option=one.stance.option,
            )


def refuse_reach(fight: Fight, one: Fighter) -> None:
    """NP-48, NP-R49: kept at bay, a fighter only defends or moves."""
    free = one.stance.option in {OPTION.DEFENSIVE, OPTION.MOVEMENT}
    melee = fight.request.mode is NightProwlerMode.MELEE
    if melee and not free and one.who.weapon.reach < fight.distance(one.number):
        raise RuleRefused("reach-too-short", pointer=f"{one.pointer}/option", rule="NP-48")


def refuse_family(_fight: Fight, one: Fighter) -> None:
    """NP-49: a technique needs its family of weapons."""
    technique, weapon = one.stance.technique, one.who.weapon
    flail = one.stance.option is OPTION.STUN and weapon.family is NightProwlerFamily.FLAILS
    unfit = bool(technique.families) and weapon.bearing not in technique.families
    if unfit or (flail and not weapon.small_articulated):  # NP-R62
        raise RuleRefused(
            "technique-needs-family",
            pointer=f"{one.pointer}/weapon/family",
            rule="NP-49",
            technique=one.stance.option,
            family=technique.families[0],
        )


def refuse_training(_fight: Fight, one: Fighter) -> None:
    """NP-38: without training in the family, the base attitudes alone."""
    trained = one.who.training is NightProwlerTraining.TRAINED
    if not trained and one.stance.option not in BASE_ATTITUDES:
        raise RuleRefused("technique-needs-training", pointer=f"{one.pointer}/option", rule="NP-38")


def refuse_condition(fight: Fight, one: Fighter) -> None:
    """NP-49 to NP-67: the conditions of techniques, shields and second weapons."""
    condition = unmet(fight, one)
    if condition is not None:
        raise RuleRefused(
            "technique-condition",
            pointer=f"{one.pointer}/option",
            rule="NP-49",
            technique=one.stance.option,
            condition=condition,
        )


def unmet(fight: Fight, one: Fighter) -> NightProwlerCondition | None:
    """Return the first condition a fighter does not meet."""
    return next((needed for needed, met in conditions(fight, one) if not met), None)


def conditions(fight: Fight, one: Fighter) -> Iterator[tuple[NightProwlerCondition, bool]]:
    """Go through the conditions of an option, in the book's order."""
    who, option, technique = one.who, one.stance.option, one.stance.technique
    foes = fight.request.b if one.side is A else (fight.request.a,)
    if option is OPTION.CHARGE:  # NP-53
        yield NightProwlerCondition.NOT_ENGAGED, not who.engaged
    if option is OPTION.PERFECT_ATTACK:  # NP-56, NP-R62
        longer = all(who.weapon.reach > foe.weapon.reach for foe in foes)
        yield NightProwlerCondition.LONGER_REACH, longer
    if option is OPTION.HOLD:  # NP-59
        yield NightProwlerCondition.MOVEMENT_WON, who.previous_movement_won
    if option in TWO_WEAPONS:  # NP-67
        yield NightProwlerCondition.TWO_SHORT_WEAPONS, who.two_weapons
    if option in _AXE_BACKS:  # NP-55
        yield NightProwlerCondition.AXE_BACK, who.weapon.axe_back in _AXE_BACKS[option]
    if option is OPTION.CLEAVE:  # NP-55
        foe = fight.fighter(other(one.side), one.number)
        yield NightProwlerCondition.CLEAVE_TARGET, _can_be_cleft(foe, who.cleave_target)
    if option is OPTION.REFLEX_SHOT:  # NP-57
        yield NightProwlerCondition.NO_CLOSE_FIGHT, not fight.request.in_close_fight
    if option is OPTION.PERFECT_ATTACK:  # NP-56
        yield NightProwlerCondition.NOT_SMALL_ARTICULATED, not who.weapon.small_articulated
    if technique.families and technique.kind is not SHOT:  # NP-67
        yield NightProwlerCondition.ONE_WEAPON, not who.two_weapons
    alone = who.second_weapon_reach is None  # NP-R75
    yield NightProwlerCondition.NO_SHIELD, alone or not who.has_shield
    behind = one.side is B and fight.request.b[one.number].flanking  # NP-64
    yield NightProwlerCondition.SEVERAL_OPPONENTS, not behind or len(fight.b) > 1


_AXE_BACKS = {
    OPTION.CRUSH: (NightProwlerAxeBack.HAMMER, NightProwlerAxeBack.BOTH),
    OPTION.PICK: (NightProwlerAxeBack.SPIKE, NightProwlerAxeBack.BOTH),
}


def _can_be_cleft(foe: NightProwlerCombatant, what: NightProwlerCleaveTarget | None) -> bool:
    """NP-55: a polearm's shaft or a wooden shield."""
    if what is NightProwlerCleaveTarget.SHAFT:
        return foe.weapon.family is NightProwlerFamily.POLEARMS
    return what is not None and foe.shield is NightProwlerShield.WOODEN


def refuse_school(_fight: Fight, one: Fighter) -> None:
    """NP-60: a school technique is taught by its school."""
    school = one.stance.technique.school
    if school is not None and school not in one.who.schools:
        raise RuleRefused("school-unknown", pointer=f"{one.pointer}/schools", rule="NP-60")


def refuse_incompatible(_fight: Fight, one: Fighter) -> None:
    """NP-38: with an incompatible weapon, heroism serves for wounds alone."""
    who = one.who
    spent = {
        "heroism_spent": who.heroism_spent,
        "reaction": who.reaction is not None,
        "defensive_reflex": who.defensive_reflex,
        "vista": who.vista,
        "resist": who.resist,
        "defend_second": who.defend_second,
        "second_heroism_spent": who.second_heroism_spent,
    }
    field = next((field for field, value in spent.items() if value), None)
    if field is not None and who.training not in FREE:
        raise RuleRefused("weapon-incompatible", pointer=f"{one.pointer}/{field}", rule="NP-38")


def refuse_missing_advantage(fight: Fight, one: Fighter) -> None:
    """NP-42: a movement announces what it is for, unless it was forced, or dodges a shot."""
    melee = fight.request.mode is NightProwlerMode.MELEE
    chosen = one.stance.kind is MOVEMENT and not one.stance.caught
    if melee and chosen and one.who.advantage is None:
        raise RuleRefused("advantage-required", pointer=f"{one.pointer}/advantage", rule="NP-42")


def refuse_advantage(fight: Fight, one: Fighter) -> None:
    """NP-48, NP-64: an advantage must be possible."""
    fault = advantage_fault(fight, one)
    if fault is not None and one.stance.kind is MOVEMENT:
        raise RuleRefused(
            "advantage-impossible", pointer=f"{one.pointer}/advantage", rule="NP-42", detail=fault
        )


def advantage_fault(fight: Fight, one: Fighter) -> NightProwlerAdvantageFault | None:
    """NP-48, NP-R50, NP-64: why an advantage cannot be had."""
    reach, gap = one.who.weapon.reach, fight.distance(one.number)
    if one.who.advantage is NightProwlerAdvantage.CLOSE_REACH and reach >= gap:
        return NightProwlerAdvantageFault.NOTHING_TO_CLOSE
    if one.who.advantage is NightProwlerAdvantage.RESTORE_REACH and reach <= gap:
        return NightProwlerAdvantageFault.NOTHING_TO_RESTORE
    flanked = one.side is A and any(opponent.flanking for opponent in fight.request.b)
    if one.who.advantage is NightProwlerAdvantage.BREAK_FLANKING and not flanked:
        return NightProwlerAdvantageFault.NOT_FLANKED
    return None


# Step 3: payments


def opposing(fight: Fight, side: NightProwlerFighterSide, number: int) -> list[NightProwlerOption]:
    """Return the opponents' options that bear on a fighter's threshold."""
    if side is B:
        mine = fight.request.target == number
        return [fight.a.option] if mine and not _mutual_charge(fight, number) else []
    return [
        stance.option for index, stance in enumerate(fight.b) if not _mutual_charge(fight, index)
    ]


def _mutual_charge(fight: Fight, number: int) -> bool:
    """NP-53: two opponents charging each other fight a normal exchange."""
    charged = fight.a.option is OPTION.CHARGE and fight.request.target == number
    return charged and fight.b[number].option is OPTION.CHARGE


def has_second(who: NightProwlerCombatant, stance: Stance) -> bool:
    """NP-51, NP-60: whether an option may chain a second attack."""
    comedy = who.variant is NightProwlerVariant.COMEDY
    return stance.option is OPTION.BREAKTHROUGH or (stance.option is OPTION.STREET_TRICK and comedy)


def seconds_against(fight: Fight, side: NightProwlerFighterSide, number: int) -> int:
    """Count the second attacks that may strike a fighter."""
    if side is B:
        return int(fight.request.target == number and has_second(fight.request.a, fight.a))
    return sum(map(has_second, fight.request.b, fight.b))


def technique_cost(who: NightProwlerCombatant, option: NightProwlerOption) -> int:
    """NP-49: the heroism that an option costs."""
    if option in {OPTION.STUN, OPTION.CRUSH}:  # NP-54
        return who.invested
    if option is OPTION.CHARGE:  # NP-53
        return int(who.charge_power)
    if option is OPTION.RAM_HORN:  # NP-60
        return int(who.ram_horn_primed)
    return TECHNIQUES[option].cost


def payments(fight: Fight, one: Fighter) -> int:
    """Step 3: everything declared before the dice."""
    who, stance = one.who, one.stance
    against = [TECHNIQUES[option] for option in opposing(fight, one.side, one.number)]
    resisted = sum(row.price for row in against if row.opponent)
    seconds = seconds_against(fight, one.side, one.number)
    return (
        technique_cost(who, stance.option)
        + cost(who)  # NP-13, NP-15
        + stance.reacted  # NP-44
        + who.vista  # NP-47
        + (stance.reflex and (len(fight.b) if one.side is A else 1))  # NP-45
        + who.resist * resisted  # NP-51, NP-53
        + who.defend_second * seconds  # NP-51
    )


def reserved(fight: Fight, side: NightProwlerFighterSide, number: int) -> int:
    """NP-51: what a fighter keeps for the thresholds of second attacks."""
    who = fight.fighter(side, number)
    own = has_second(who, fight.stance(side, number))
    return who.second_heroism_spent * (own + seconds_against(fight, side, number))


def refuse_heroism(fight: Fight, one: Fighter) -> None:
    """NP-13: the pool must hold all that is declared, second attacks included."""
    needed = payments(fight, one) + reserved(fight, one.side, one.number)
    refuse_cost(needed, one.who.heroism, f"{one.pointer}/heroism")


def refuse_health(_fight: Fight, one: Fighter) -> None:
    """NP-71, NP-75: no more boxes than there are, nobody dead, wounds told once."""
    refuse_healths([(f"{one.pointer}/health", one.who.health)])
    refuse_twice([(one.pointer, one.who)])


Check = Callable[[Fight, Fighter], None]

FIRST_CHECKS: tuple[Check, ...] = (
    refuse_reach,
    refuse_family,
    refuse_training,
    refuse_condition,
    refuse_school,
    refuse_incompatible,
    refuse_missing_advantage,
    refuse_advantage,
)
LAST_CHECKS: tuple[Check, ...] = (refuse_heroism, refuse_health)
"""In the order of the refusals; those of a shot come between."""
