"""Step 9 of an exchange: wounds marked, states returned, and everything noted."""

from typing import NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.model import Frozen, Outcome
from arbitre.systems.night_prowler.combatant import (
    NightProwlerAdvantage,
    NightProwlerFighterSide,
    NightProwlerMode,
    NightProwlerOnCounter,
)
from arbitre.systems.night_prowler.exchange import (
    HINDERED_ROUNDS,
    NightProwlerEffect,
    Pair,
)
from arbitre.systems.night_prowler.follow_up import FollowUp, Second
from arbitre.systems.night_prowler.health import NightProwlerHealth
from arbitre.systems.night_prowler.shot import reload_rounds, target_penalty
from arbitre.systems.night_prowler.stance import OPTION, A, B, Fight, fighters, payments
from arbitre.systems.night_prowler.tables import (
    NightProwlerClass,
    NightProwlerOption,
    NightProwlerRow,
    NightProwlerTrack,
)
from arbitre.systems.night_prowler.telling import tell_fight, tell_pair
from arbitre.systems.night_prowler.test import NightProwlerTestResult
from arbitre.systems.night_prowler.wounds import Aim, Injury, NightProwlerMark, inflict

MOST_BLEEDING = 10


class NightProwlerStates(Frozen):
    bleeding: int
    """Boxes of Vitality lost each round (NP-78)."""
    prone: bool
    """Thrown down in this exchange (NP-59)."""
    immobilized: bool
    """Held in this exchange (NP-59)."""
    entangled: bool
    """The weapon is locked (NP-56)."""
    weapon_broken: bool
    """The weapon was broken in this exchange (NP-52, NP-55)."""
    shield_broken: bool
    """The shield was split in this exchange (NP-55)."""
    hindered_rounds: int
    """Rounds of hindrance to come (NP-60)."""
    ram_horn_primed: bool
    """The ram's horn is prepared (NP-60)."""
    disengaged: bool
    """Left the fight (NP-41, NP-42)."""
    unconscious: bool
    """Out of action (NP-74)."""
    dying: bool
    """No mortal box is free (NP-75)."""
    dead: bool
    """Dead (NP-75)."""


class NightProwlerFighterOutcome(Frozen):
    test: NightProwlerTestResult | None
    """The fighter's test; nothing for a target that does not dodge."""
    option: NightProwlerOption
    """The option really taken."""
    forced_option: NightProwlerOption | None
    """The attitude forced by an ambush or by initiative (NP-43, NP-65)."""
    class_: NightProwlerClass = Field(alias="class")
    """Class of the option (NP-37)."""
    comparison_quality: int | None
    """Quality that compares; a's is that of the pair with its target (NP-37)."""
    damage_quality: int | None
    """Quality that wounds, before what stops it (NP-37)."""
    acting: NightProwlerTestResult | None
    """The acting test of a school (NP-60)."""
    heroism_left: int | None
    """Heroism pool afterwards."""
    health: NightProwlerHealth
    """The health afterwards."""
    states: NightProwlerStates
    """What else the fighter is in."""


class NightProwlerWound(Frozen):
    track: NightProwlerTrack
    """The track wounded."""
    row: NightProwlerRow
    """The row of the wound (NP-77)."""
    marked: NightProwlerRow | None
    """The row whose box was checked; nothing when none was free (NP-73)."""


class NightProwlerSecond(Frozen):
    test: NightProwlerTestResult
    """The second test of the attacker."""
    opponent_test: NightProwlerTestResult
    """The second test of the opponent."""
    margin: int
    """Margin of the attacker; negative when the opponent has the better."""
    hit: bool
    """The second attack hits (NP-51)."""
    damage_quality: int | None
    """Damage after armor and guard."""


class NightProwlerPair(Frozen):
    b: int
    """Number of the opponent."""
    winner: NightProwlerFighterSide | None
    """Who wins between a and this opponent (NP-37)."""
    margin: int
    """Difference of their qualities."""
    tie: bool
    """Both succeeded with the same quality (NP-46)."""
    hit: bool
    """The winner delivered a blow, wound or not."""
    damage_quality: int | None
    """Damage of the blow or counter after armor and guard (NP-39)."""
    row: NightProwlerRow | None
    """Row of the wound (NP-77)."""
    wounds: tuple[NightProwlerWound, ...]
    """Every box marked on the loser."""
    effects: tuple[NightProwlerEffect, ...]
    """What techniques did."""
    counter: NightProwlerOnCounter | None
    """What a strong enough defense was turned into (NP-41)."""
    counter_quality: int | None
    """Quality of the counter-blow (NP-41)."""
    second: NightProwlerSecond | None
    """The second attack of a (NP-51)."""
    second_b: NightProwlerSecond | None
    """The second attack of this opponent (NP-51)."""
    advantage: NightProwlerAdvantage | None
    """What a movement obtained (NP-42)."""
    distance: int
    """Reach at which the pair fights afterwards (NP-48)."""


class NightProwlerAttackOutcome(Outcome):
    a: NightProwlerFighterOutcome
    """The lone fighter, or the shooter."""
    b: tuple[NightProwlerFighterOutcome, ...]
    """The opponents."""
    pairs: tuple[NightProwlerPair, ...]
    """What happened between a and each opponent."""
    blows_given: int
    """Blows, counters and second attacks that a delivered."""
    blows_taken: int
    """Those that a took."""
    target_penalty: int | None
    """What a reflex shot puts on the target's action (NP-57)."""
    next_shot_in: int | None
    """Rounds until the next shot (NP-62)."""


class Fought(NamedTuple):
    """An exchange once the dice have fallen."""

    fight: Fight
    a: NightProwlerTestResult
    b: tuple[NightProwlerTestResult | None, ...]
    pairs: tuple[Pair, ...]
    own: FollowUp
    """What follows a's option."""
    theirs: tuple[FollowUp, ...]

    @property
    def target(self) -> int:
        return self.fight.request.target

    def suffered(self, side: NightProwlerFighterSide, number: int) -> list[tuple[int, Aim]]:
        """Return the boxes to mark on a fighter, each with the pair it comes from."""
        found = []
        for pair in self.pairs:
            if side is B and pair.number != number:
                continue
            if pair.loser is side:
                found += [(pair.number, aim) for aim in pair.aims]
            second = self.second_against(side, pair.number)
            if second is not None:
                found += [(pair.number, aim) for aim in second.aims]
        return found

    def second_against(self, side: NightProwlerFighterSide, number: int) -> Second | None:
        """Return the second attack that a fighter faces in a pair."""
        if side is A:
            return self.theirs[number].second
        return self.own.second if number == self.target else None

    def seconds(self, side: NightProwlerFighterSide, number: int) -> int:
        """Count the second attacks a fighter takes part in."""
        if side is A:
            return sum(one.second is not None for one in (self.own, *self.theirs))
        both = (self.second_against(A, number), self.second_against(B, number))
        return sum(second is not None for second in both)

    def effects(self, side: NightProwlerFighterSide, number: int) -> tuple[NightProwlerEffect, ...]:
        """Return the effects that a fighter suffers, those on both sides included."""
        return tuple(
            effect
            for pair in self.pairs
            if side is A or pair.number == number
            for effect in pair.effects
            if pair.loser is side or effect is NightProwlerEffect.ENTANGLED
        )

    def left(self, side: NightProwlerFighterSide, number: int) -> bool:
        """NP-41, NP-42: whether a fighter left the fight."""
        return any(
            pair.decision.winner is side
            and (
                pair.counter is NightProwlerOnCounter.DISENGAGE
                or pair.advantage is NightProwlerAdvantage.DISENGAGE
            )
            for pair in self.pairs
            if side is A or pair.number == number
        )


def second_of(second: Second | None) -> NightProwlerSecond | None:
    if second is None:
        return None
    return NightProwlerSecond(
        test=second.attacker,
        opponent_test=second.target,
        margin=second.margin,
        hit=second.hit,
        damage_quality=second.damage,
    )


def pair_of(
    pair: Pair,
    wounds: tuple[NightProwlerMark, ...],
    own: FollowUp,
    theirs: FollowUp,
) -> NightProwlerPair:
    """Show a pair, with the second attacks that followed."""
    return NightProwlerPair(
        b=pair.number,
        winner=pair.decision.winner,
        margin=pair.decision.margin,
        tie=pair.decision.tie,
        hit=pair.hit,
        damage_quality=pair.damage,
        row=pair.row,
        wounds=tuple(
            NightProwlerWound(track=one.track, row=one.row_aimed, marked=one.row_marked)
            for one in wounds
        ),
        effects=pair.effects,
        counter=pair.counter,
        counter_quality=pair.counter_quality,
        second=second_of(own.second),
        second_b=second_of(theirs.second),
        advantage=pair.advantage,
        distance=pair.distance,
    )


class Hurt(NamedTuple):
    """A fighter after step 9."""

    injury: Injury
    wounds: tuple[tuple[int, NightProwlerMark], ...]
    """Each box, with the pair it comes from."""


def hurt(fought: Fought, side: NightProwlerFighterSide, number: int, dice: Dice) -> Hurt:
    """NP-73, NP-74: mark a fighter's wounds, one breath for all of them."""
    who = fought.fight.fighter(side, number)
    suffered = fought.suffered(side, number)
    injury = inflict(
        who.health or NightProwlerHealth(),
        [aim for _, aim in suffered],
        purse(fought, side, number),
        dice,
        stay_conscious=who.stay_conscious,
    )
    bleeding = fought.effects(side, number).count(NightProwlerEffect.BLEEDING)
    if bleeding:
        before = injury.health.bleeding
        after = min(before + bleeding, MOST_BLEEDING)
        dice.note("NP-78", "bleeding", before=before, after=after)
        injury = injury._replace(health=injury.health.model_copy(update={"bleeding": after}))
    numbers = [pair for pair, _ in suffered]
    return Hurt(injury, tuple(zip(numbers, injury.marks, strict=False)))


def purse(fought: Fought, side: NightProwlerFighterSide, number: int) -> int | None:
    """NP-13: the pool once everything but the last breath is paid."""
    who = fought.fight.fighter(side, number)
    if who.heroism is None:
        return None
    countered = sum(
        pair.paid
        for pair in fought.pairs
        if pair.loser is side and (side is A or pair.number == number)
    )
    declared = next(
        payments(fought.fight, one)
        for one in fighters(fought.fight)
        if one.side is side and one.number == number
    )
    seconds = who.second_heroism_spent * fought.seconds(side, number)
    return who.heroism - declared - countered - seconds


def states_of(
    fought: Fought, side: NightProwlerFighterSide, number: int, injury: Injury, follow: FollowUp
) -> NightProwlerStates:
    """Return all that a fighter is in after the exchange."""
    who, stance = fought.fight.fighter(side, number), fought.fight.stance(side, number)
    effects = fought.effects(side, number)
    used = stance.option is OPTION.RAM_HORN  # NP-R67
    health = injury.health
    return NightProwlerStates(
        bleeding=health.bleeding,
        prone=NightProwlerEffect.SWEPT in effects or NightProwlerEffect.REVERSED in effects,
        immobilized=NightProwlerEffect.IMMOBILIZED in effects,
        entangled=who.entangled or NightProwlerEffect.ENTANGLED in effects,
        weapon_broken=NightProwlerEffect.WEAPON_BROKEN in effects
        or NightProwlerEffect.SHAFT_SPLIT in effects,
        shield_broken=NightProwlerEffect.SHIELD_SPLIT in effects,
        hindered_rounds=HINDERED_ROUNDS * (NightProwlerEffect.HINDERED in effects),
        ram_horn_primed=follow.primed if used else who.ram_horn_primed,
        disengaged=fought.left(side, number),
        unconscious=health.unconscious,
        dying=health.dying,
        dead=health.dead,
    )


def fighter_of(
    fought: Fought, side: NightProwlerFighterSide, number: int, injury: Injury
) -> NightProwlerFighterOutcome:
    """Return everything about one fighter after the exchange."""
    stance = fought.fight.stance(side, number)
    test = fought.a if side is A else fought.b[number]
    follow = fought.own if side is A else fought.theirs[number]
    pair = fought.pairs[number]
    score = pair.a if side is A else pair.b
    return NightProwlerFighterOutcome(
        test=test,
        option=stance.option,
        forced_option=stance.forced,
        **{"class": stance.kind},
        comparison_quality=None if test is None else score.comparison,
        damage_quality=None if test is None else score.damage,
        acting=follow.acting,
        heroism_left=injury.heroism,
        health=injury.health,
        states=states_of(fought, side, number, injury, follow),
    )


def outcome_of(fought: Fought, dice: Dice) -> NightProwlerAttackOutcome:
    """Step 9: mark, note and show everything."""
    request, fight = fought.fight.request, fought.fight
    tell_fight(fight, dice)
    for pair in fought.pairs:
        tell_pair(fight, pair, fought.a, fought.b[pair.number], dice)
    own = hurt(fought, A, fought.target, dice)
    theirs = [hurt(fought, B, number, dice) for number in range(len(fought.b))]
    ranged = request.mode is NightProwlerMode.RANGED
    given = [*(pair.struck(B) for pair in fought.pairs), fought.own.hits]
    taken = [*(pair.struck(A) for pair in fought.pairs), *(one.hits for one in fought.theirs)]
    return NightProwlerAttackOutcome(
        a=fighter_of(fought, A, fought.target, own.injury),
        b=tuple(fighter_of(fought, B, number, one.injury) for number, one in enumerate(theirs)),
        pairs=tuple(
            pair_of(
                pair,
                tuple(
                    mark
                    for number, mark in (*own.wounds, *theirs[pair.number].wounds)
                    if number == pair.number
                ),
                fought.own if pair.number == fought.target else FollowUp(),
                fought.theirs[pair.number],
            )
            for pair in fought.pairs
        ),
        blows_given=sum(given),
        blows_taken=sum(taken),
        target_penalty=target_penalty(fight, fought.pairs[0]) if ranged else None,
        next_shot_in=1 + reload_rounds(request) if ranged else None,
    )
