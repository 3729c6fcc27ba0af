"""Steps 4 to 7 of an exchange: thresholds, qualities, who wins, what the winner obtains."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from arbitre.systems.night_prowler.combatant import (
    NightProwlerAdvantage,
    NightProwlerCleaveTarget,
    NightProwlerCombatant,
    NightProwlerFighterSide,
    NightProwlerOnCounter,
    NightProwlerVariant,
)
from arbitre.systems.night_prowler.stance import (
    ATTACK,
    DEFENSE,
    MOVEMENT,
    OPTION,
    A,
    B,
    Fight,
    Fighter,
    Stance,
    fighters,
    opposing,
    other,
    payments,
    reserved,
)
from arbitre.systems.night_prowler.tables import (
    BASE_ATTITUDES,
    TECHNIQUES,
    TRACKS,
    NightProwlerFamily,
    NightProwlerOption,
    NightProwlerRow,
    NightProwlerTrack,
)
from arbitre.systems.night_prowler.test import (
    NightProwlerSource,
    NightProwlerTestKind,
    NightProwlerTestResult,
    Prepared,
    Term,
    adjustment_of,
    skill_base,
    terms_of,
    wounds_of,
)
from arbitre.systems.night_prowler.training import weapon_level
from arbitre.systems.night_prowler.wounds import Aim, row_of

KO_ROW = 4  # NP-54
LOCKED = -5  # NP-56
ENCUMBERED = -2  # NP-66, NP-67
PRESSED = 2  # NP-63
HINDERED_ROUNDS = 3  # NP-60


class NightProwlerEffect(StrEnum):
    BLEEDING = "bleeding"
    KNOCKOUT = "knockout"
    KNOCKOUT_COUNTERED = "knockout_countered"
    BOTH_TRACKS = "both_tracks"
    WEAPON_BROKEN = "weapon_broken"
    SHAFT_SPLIT = "shaft_split"
    SHIELD_SPLIT = "shield_split"
    ENTANGLED = "entangled"
    IMMOBILIZED = "immobilized"
    SWEPT = "swept"
    REVERSED = "reversed"
    HINDERED = "hindered"


class Roll(NamedTuple):
    """What of a test an exchange looks at."""

    success: bool
    converted: bool
    quality: int


class Score(NamedTuple):
    """One side of a pair once its qualities are adjusted."""

    success: bool
    comparison: int
    damage: int


class Decision(NamedTuple):
    """Who wins a pair, by how much, and whether both had the same quality."""

    winner: NightProwlerFighterSide | None
    margin: int
    tie: bool


class Pair(NamedTuple):
    """What an exchange gives between a and one opponent."""

    number: int
    a: Score
    b: Score
    decision: Decision
    distance: int
    hit: bool = False
    """The winner delivered a blow, wound or not."""
    damage: int | None = None
    aims: tuple[Aim, ...] = ()
    """Boxes to mark on the loser."""
    effects: tuple[NightProwlerEffect, ...] = ()
    paid: int = 0
    """Heroism the loser pays against a KO."""
    counter: NightProwlerOnCounter | None = None
    """What a strong enough defense is turned into."""
    counter_quality: int | None = None
    advantage: NightProwlerAdvantage | None = None

    @property
    def loser(self) -> NightProwlerFighterSide:
        return other(self.decision.winner or B)

    @property
    def row(self) -> NightProwlerRow | None:
        """NP-77: the row of the wound."""
        first = self.aims[0] if self.aims else None
        return None if first is None else TRACKS[first.track][first.row].row

    def struck(self, side: NightProwlerFighterSide) -> bool:
        """Say whether this side took a blow or a counter-blow."""
        blow = self.hit or self.counter is NightProwlerOnCounter.COUNTER
        return blow and self.decision.winner is other(side)


def roll_of(result: NightProwlerTestResult) -> Roll:
    return Roll(result.success, result.converted, result.quality)


# Step 4: thresholds


def prepared(fight: Fight, one: Fighter) -> Prepared:
    """Step 4: a fighter's test, ready for its die."""
    who = one.who
    armed = who.weapon_skill or one.stance.kind is not MOVEMENT  # NP-38, NP-R79
    base = (
        weapon_level(who.training, who.skill, who.attribute)
        if armed
        else skill_base(None, who.skill, who.attribute)
    )
    return ready(who, one.side.value, base, situation(fight, one), payments(fight, one))


def ready(
    who: NightProwlerCombatant, tag: str, base: int, others: tuple[Term, ...], paid: int
) -> Prepared:
    """Return a physical test of a fighter with what the situation adds to its threshold."""
    first, *rest = terms_of(who, wounds_of(who), who.heroism, physical=True)
    return Prepared(
        tag=tag,
        name=who.name,
        skill_name=None,
        test=NightProwlerTestKind.SKILL,
        opened=who.skill is not None,
        base=base,
        terms=tuple(term for term in (first, *others, *rest) if term.value),
        adjustment=adjustment_of(who),
        heroism=who.heroism,
        paid=paid,
    )


def situation(fight: Fight, one: Fighter) -> tuple[Term, ...]:
    """Step 4: techniques, encumbrance and numbers."""
    return (
        *own_technique(one.who, one.stance),
        *opposing_techniques(fight, one),
        *encumbrance(one.who, attacks=one.stance.kind is ATTACK),
        Term(NightProwlerSource.OUTNUMBERING, outnumbering(fight, one)),
    )


def feints(who: NightProwlerCombatant, option: NightProwlerOption) -> bool:
    """NP-50, NP-60: a feint, or the street's."""
    street = option is OPTION.STREET_TRICK and who.variant is NightProwlerVariant.FEINT
    return street or option is OPTION.FEINT


def own_technique(who: NightProwlerCombatant, stance: Stance) -> tuple[Term, ...]:
    """NP-50 to NP-59: what the own technique costs in threshold."""
    option = OPTION.FEINT if feints(who, stance.option) else stance.option
    own = TECHNIQUES[option].own
    return (Term(NightProwlerSource(option.value), own),) if own else ()


def opposing_techniques(fight: Fight, one: Fighter) -> list[Term]:
    """NP-51 to NP-53, NP-R56, NP-R57, NP-R59: what the opponents' techniques change."""
    found = []
    for option in opposing(fight, one.side, one.number):
        row = TECHNIQUES[option]
        value = row.resisted if one.who.resist else row.opponent
        if row.price and value:
            found.append(Term(NightProwlerSource(option.value), value))
    brutal = Term(NightProwlerSource.BRUTAL_ATTACK, TECHNIQUES[OPTION.BRUTAL_ATTACK].opponent)
    return found + [brutal] * _brutal_against(fight, one)


def _brutal_against(fight: Fight, one: Fighter) -> int:
    """NP-52: count the brutal attacks that make an attacker's own blow easier."""
    if one.stance.kind is not ATTACK:
        return 0
    foes = fight.b if one.side is A else (fight.a,)
    return sum(stance.option is OPTION.BRUTAL_ATTACK for stance in foes)


def encumbrance(who: NightProwlerCombatant, *, attacks: bool) -> tuple[Term, ...]:
    """NP-56, NP-66, NP-67: a locked weapon, a shield, two weapons."""
    return (
        Term(NightProwlerSource.ENTANGLED, LOCKED * who.entangled),
        Term(NightProwlerSource.SHIELD, ENCUMBERED * (attacks and who.has_shield)),
        Term(NightProwlerSource.TWO_WEAPONS, ENCUMBERED * (attacks and who.two_weapons)),
    )


def outnumbering(fight: Fight, one: Fighter) -> int:
    """NP-63: what an opponent gains while the lone fighter dares, and while it attacks."""
    if one.side is A:
        return 0
    daring = fight.a.option not in BASE_ATTITUDES or fight.a.option is OPTION.OFFENSIVE
    attacks = one.stance.kind is ATTACK
    return outnumbered_by(fight, one.number, daring=daring, attacks=attacks)


def outnumbered_by(fight: Fight, number: int, *, daring: bool, attacks: bool) -> int:
    """NP-63, NP-R71: two for the lone fighter's daring, one for each fighter at one's side."""
    if not fight.outnumbered or fight.request.b[number].flanking:  # NP-R72
        return 0
    return PRESSED * daring + (len(fight.b) - 1) * attacks


# Step 5: qualities


def scores(fight: Fight, number: int, a: Roll, b: Roll) -> tuple[Score, Score]:
    """Step 5: the qualities of both sides of a pair, and what one gives the other."""
    own, foe = score(fight, A, number, a), score(fight, B, number, b)
    return _exposed(fight, A, number, own, foe), _exposed(fight, B, number, foe, own)


class NightProwlerCause(StrEnum):
    AMBUSH = "ambush"
    SURPRISE = "surprise"
    FLANKING = "flanking"
    SHIELD = "shield"
    FEINT = "feint"
    ALL_OUT_ATTACK = "all_out_attack"
    POWERFUL_THROW = "powerful_throw"


def score(fight: Fight, side: NightProwlerFighterSide, number: int, roll: Roll) -> Score:
    """Step 5: the quality that compares, and the quality that wounds."""
    if not roll.success or roll.converted:  # NP-10
        return Score(roll.success, roll.quality, roll.quality)
    changes = contextual(fight, side, number)
    quality = roll.quality + sum(changes.values())
    feint = changes.get(NightProwlerCause.FEINT, 0)  # NP-R53
    return Score(True, max(0, quality), max(0, quality - feint))


def contextual(
    fight: Fight, side: NightProwlerFighterSide, number: int
) -> dict[NightProwlerCause, int]:
    """NP-50, NP-64 to NP-66: what ambush, flanking, shield and feint do to a success."""
    own, foe = fight.stance(side, number), fight.stance(other(side), number)
    attacks = own.kind is ATTACK
    behind = side is B and fight.request.b[number].flanking and not fight.request.a.vista
    shielded = fight.fighter(other(side), number).has_shield and foe.kind is DEFENSE
    found = {
        NightProwlerCause.AMBUSH: int(foe.caught),  # NP-65, NP-R47
        NightProwlerCause.SURPRISE: -int(own.caught),  # NP-65, NP-R73
        NightProwlerCause.FLANKING: int(attacks and behind),  # NP-64
        NightProwlerCause.SHIELD: -int(attacks and shielded),  # NP-66, NP-R74
        NightProwlerCause.FEINT: int(feints(fight.fighter(side, number), own.option)),  # NP-50
    }
    return {cause: value for cause, value in found.items() if value}


def _exposed(
    fight: Fight, side: NightProwlerFighterSide, number: int, own: Score, foe: Score
) -> Score:
    """NP-67: an all-out attack that fails helps a successful attack."""
    reckless = fight.stance(other(side), number).option is OPTION.ALL_OUT_ATTACK
    attacks = fight.stance(side, number).kind is ATTACK
    if reckless and attacks and own.success and not foe.success:
        return Score(True, own.comparison + 1, own.damage + 1)
    return own


# Step 6: winner and margin


def decide(a: Score, b: Score, pools: tuple[int | None, int | None]) -> Decision:
    """NP-37, NP-R38: the better success wins; NP-46 breaks a tie of successes."""
    margin = a.comparison - b.comparison
    if a.success and (not b.success or margin > 0):
        return Decision(A, margin, False)
    if b.success and (not a.success or margin < 0):
        return Decision(B, -margin, False)
    if not a.success:
        return Decision(None, 0, False)
    own, foe = pools
    if own is None or foe is None or own == foe:  # NP-R43
        return Decision(None, 0, True)
    return Decision(A if own > foe else B, 0, True)


# Step 7: effects


def guard(fight: Fight, side: NightProwlerFighterSide, number: int, own: Score) -> int:
    """NP-39, NP-41, NP-R40: what a successful defense takes off a blow."""
    defends = fight.stance(side, number).kind is DEFENSE
    return max(0, own.comparison) if defends and own.success else 0


def damage_bonus(who: NightProwlerCombatant, option: NightProwlerOption) -> int:
    """NP-39: what a technique adds to the damage of a blow that hits."""
    powered = {
        OPTION.CHARGE: who.charge_power,  # NP-53
        OPTION.RAM_HORN: who.ram_horn_primed,  # NP-60, NP-R67
    }
    return TECHNIQUES[option].bonus * powered.get(option, True)


class Blow(NamedTuple):
    """A blow that hits, and what its technique looks at."""

    fight: Fight
    pair: Pair
    winner: NightProwlerFighterSide
    pool: int | None
    """The loser's heroism left."""

    @property
    def who(self) -> NightProwlerCombatant:
        return self.fight.fighter(self.winner, self.pair.number)

    @property
    def foe(self) -> NightProwlerCombatant:
        return self.fight.fighter(other(self.winner), self.pair.number)

    @property
    def ahead(self) -> bool:
        """NP-49, NP-R51: at least one quality of margin, which no broken tie gives."""
        return self.pair.decision.margin >= 1

    @property
    def wounds(self) -> bool:
        """NP-R54: armor and guard leave something of the blow."""
        return (self.pair.damage or 0) > 0

    def left(self, quality: int) -> int:
        """NP-39, NP-68: what armor and guard leave of a quality."""
        return left_of(self.fight, self.pair, self.winner, quality)


class Exchange(NamedTuple):
    """A fight ready for its dice."""

    fight: Fight
    a: Prepared
    b: tuple[Prepared, ...]

    def pools(self, number: int) -> tuple[int | None, int | None]:
        """NP-R43: the pools of a pair once this round's declared payments are made."""
        return self.a.heroism_left, self.b[number].heroism_left


def exchange_of(fight: Fight) -> Exchange:
    """Step 4 for everybody."""
    a, *b = (prepared(fight, one) for one in fighters(fight))
    return Exchange(fight, a, tuple(b))


def settle(exchange: Exchange, a: Roll, b: Sequence[Roll]) -> tuple[Pair, ...]:
    """Go through steps 5 to 7 for every pair, then give the one counter and the advantage."""
    pairs: list[Pair] = []
    for number, roll in enumerate(b):
        spent = sum(pair.paid for pair in pairs if pair.loser is A)
        pairs.append(first_blows(exchange, number, a, roll, spent))
    chosen = lone_counter(exchange.fight, pairs)
    everywhere = all(pair.decision.winner is A for pair in pairs)
    return tuple(
        finish(exchange.fight, pair, chosen=pair.number == chosen, everywhere=everywhere)
        for pair in pairs
    )


def first_blows(exchange: Exchange, number: int, a: Roll, b: Roll, spent: int) -> Pair:
    """Go through steps 5 to 7 for one pair, a having spent so much against other KOs."""
    fight = exchange.fight
    mine, theirs = scores(fight, number, a, b)
    own, foe = exchange.pools(number)
    decision = decide(mine, theirs, (own, foe))
    pair = Pair(number, mine, theirs, decision, fight.distance(number))
    return strike(fight, pair, own and own - spent if pair.loser is A else foe)


def finish(fight: Fight, pair: Pair, *, chosen: bool, everywhere: bool) -> Pair:
    """NP-41, NP-42: the counter and the advantage, which may depend on the other pairs."""
    if may_counter(fight, pair) and (pair.decision.winner is B or chosen):
        pair = counter(fight, pair)
    return advantage(fight, pair, everywhere=everywhere)


def strike(fight: Fight, pair: Pair, pool: int | None) -> Pair:
    """Step 7: the winner's blow and technique, if its option attacks the loser."""
    winner = pair.decision.winner
    if winner is None:
        return pair
    stance = fight.stance(winner, pair.number)
    aimed = winner is B or pair.number == fight.request.target  # NP-R71
    if stance.kind is ATTACK and aimed:
        pair = blow(Blow(fight, pair, winner, pool))
    return reverse(fight, pair, winner)


def left_of(fight: Fight, pair: Pair, winner: NightProwlerFighterSide, quality: int) -> int:
    """NP-39, NP-68: what armor and guard leave of a blow."""
    who, foe = fight.fighter(winner, pair.number), fight.fighter(pair.loser, pair.number)
    own = pair.b if pair.loser is B else pair.a
    worn = foe.protection_against(who.weapon)
    return quality - worn - guard(fight, pair.loser, pair.number, own)


def blow(one: Blow) -> Pair:
    """NP-39, NP-40, NP-R39: the attack's own quality, less armor and guard."""
    option = one.fight.stance(one.winner, one.pair.number).option
    own = one.pair.a if one.winner is A else one.pair.b
    quality = 1 if one.pair.decision.tie else own.damage  # NP-46
    damage = one.left(quality + damage_bonus(one.who, option))
    struck = one.pair._replace(hit=True, damage=damage, aims=aims(damage, one.who.weapon.wounds))
    technique = AFTER_BLOW.get(option)
    return technique(one._replace(pair=struck)) if technique else struck


def aims(damage: int, *tracks: NightProwlerTrack) -> tuple[Aim, ...]:
    """NP-77: one wound of this quality on each track, if it wounds at all."""
    return tuple(Aim(track, row_of(damage)) for track in tracks) if damage > 0 else ()


def _with(pair: Pair, *effects: NightProwlerEffect) -> Pair:
    return pair._replace(effects=(*pair.effects, *effects))


def _bloodless(pair: Pair, *effects: NightProwlerEffect) -> Pair:
    """Return the pair with an effect in place of a wound."""
    return _with(pair._replace(damage=None, aims=()), *effects)


def _thrown_down(pair: Pair, effect: NightProwlerEffect) -> Pair:
    """NP-59, NP-R65: one more box of Endurance, whatever the armor."""
    more = (*pair.aims, Aim(NightProwlerTrack.ENDURANCE, 0))
    return _with(pair._replace(aims=more), effect)


def bleed(one: Blow) -> Pair:
    """NP-50, NP-55, NP-R54, NP-R61: a wound with margin bleeds."""
    bleeds = one.ahead and one.wounds
    return _with(one.pair, NightProwlerEffect.BLEEDING) if bleeds else one.pair


def knock_out(one: Blow) -> Pair:
    """NP-54, NP-R60: a KO, unless the victim pays as much as was invested."""
    if not (one.ahead and one.wounds):
        return one.pair
    invested = one.who.invested
    kept = reserved(one.fight, one.pair.loser, one.pair.number)
    if one.foe.stun_counter and (one.pool is None or one.pool >= invested + kept):
        damage = one.left(invested)
        wound = aims(damage, NightProwlerTrack.ENDURANCE)
        countered = one.pair._replace(damage=damage, aims=wound, paid=invested)
        return _with(countered, NightProwlerEffect.KNOCKOUT_COUNTERED)
    ko = (Aim(NightProwlerTrack.ENDURANCE, KO_ROW),)
    return _with(one.pair._replace(aims=ko), NightProwlerEffect.KNOCKOUT)


def bruise(one: Blow) -> Pair:
    """NP-54: a violent blow wounds on both tracks."""
    if not one.wounds:
        return one.pair
    both = aims(one.pair.damage or 0, *NightProwlerTrack)
    return _with(one.pair._replace(aims=both), NightProwlerEffect.BOTH_TRACKS)


def shatter(one: Blow) -> Pair:
    """NP-52, NP-R52: a shorter weapon breaks with a margin of 1, an equal one with 2."""
    own, foe = one.who.weapon.reach, one.foe.weapon.reach
    armed = one.foe.weapon.family is not NightProwlerFamily.UNARMED
    breaks = armed and foe <= own and one.pair.decision.margin >= 1 + (foe == own)
    if one.who.break_weapon and breaks:
        return _bloodless(one.pair, NightProwlerEffect.WEAPON_BROKEN)
    return one.pair


def split(one: Blow) -> Pair:
    """NP-55, NP-R52: a shaft or a shield is split; never a wound."""
    shaft = one.who.cleave_target is NightProwlerCleaveTarget.SHAFT
    effect = NightProwlerEffect.SHAFT_SPLIT if shaft else NightProwlerEffect.SHIELD_SPLIT
    return _bloodless(one.pair, *[effect] * one.ahead)


def lock(one: Blow) -> Pair:
    """NP-56, NP-R52: both weapons are caught, in place of a wound."""
    return _bloodless(one.pair, NightProwlerEffect.ENTANGLED) if one.ahead else one.pair


def seize(one: Blow) -> Pair:
    """NP-59, NP-R66: the target is held."""
    return _with(one.pair, NightProwlerEffect.IMMOBILIZED)


def sweep(one: Blow) -> Pair:
    """NP-59, NP-R65: the target is thrown down."""
    return _thrown_down(one.pair, NightProwlerEffect.SWEPT) if one.ahead else one.pair


def gore(one: Blow) -> Pair:
    """NP-60, NP-R67: the first ram's horn does no damage."""
    return one.pair if one.who.ram_horn_primed else _bloodless(one.pair)


def trip(one: Blow) -> Pair:
    """NP-60, NP-R68: a street feint may hinder in place of wounding."""
    tricks = one.who.variant is NightProwlerVariant.FEINT and one.who.hinder
    return _bloodless(one.pair, NightProwlerEffect.HINDERED) if tricks and one.wounds else one.pair


AFTER_BLOW: dict[NightProwlerOption, Callable[[Blow], Pair]] = {
    OPTION.PERFORATION: bleed,
    OPTION.PICK: bleed,
    OPTION.STUN: knock_out,
    OPTION.CRUSH: knock_out,
    OPTION.VIOLENT_BLOW: bruise,
    OPTION.DESTRUCTION: shatter,
    OPTION.CLEAVE: split,
    OPTION.ENTANGLE: lock,
    OPTION.HOLD: seize,
    OPTION.SWEEP: sweep,
    OPTION.RAM_HORN: gore,
    OPTION.STREET_TRICK: trip,
}
"""What each technique makes of a blow that hits."""


def reverse(fight: Fight, pair: Pair, winner: NightProwlerFighterSide) -> Pair:
    """NP-59, NP-R65: a failed sweep turned against the sweeper."""
    swept = fight.stance(pair.loser, pair.number).option is OPTION.SWEEP
    accepts = fight.fighter(winner, pair.number).accept_reversal
    if swept and accepts and pair.decision.margin >= 1:
        return _thrown_down(pair, NightProwlerEffect.REVERSED)
    return pair


def may_counter(fight: Fight, pair: Pair) -> bool:
    """NP-41, NP-R41: a defense ahead by two over an attack, unless it came by reflex."""
    winner = pair.decision.winner
    if winner is None or pair.decision.margin < TECHNIQUES[OPTION.DEFENSIVE].margin:
        return False
    own, foe = fight.stance(winner, pair.number), fight.stance(pair.loser, pair.number)
    return own.kind is DEFENSE and foe.kind is ATTACK and not own.reflex


def lone_counter(fight: Fight, pairs: Sequence[Pair]) -> int | None:
    """NP-63: the opponent named, else the largest margin, then the first."""
    if fight.request.counter_target is not None:
        return fight.request.counter_target
    open_to = [pair for pair in pairs if pair.decision.winner is A and may_counter(fight, pair)]
    best = max(open_to, key=_margin, default=None)
    return None if best is None else best.number


def _margin(pair: Pair) -> int:
    return pair.decision.margin


def counter(fight: Fight, pair: Pair) -> Pair:
    """NP-41: a blow without a roll, of the defense's quality less one; or leaving the fight."""
    winner = other(pair.loser)
    who, option = fight.fighter(winner, pair.number), fight.stance(winner, pair.number).option
    choice = who.on_counter
    if choice is not NightProwlerOnCounter.COUNTER:
        return pair._replace(counter=choice)
    if who.weapon.reach < pair.distance:  # NP-48
        return pair._replace(counter=NightProwlerOnCounter.NONE)
    quality = (pair.a if winner is A else pair.b).comparison - 1
    damage = left_of(fight, pair, winner, quality + damage_bonus(who, option))
    return pair._replace(
        counter=choice,
        counter_quality=quality,
        damage=damage,
        aims=(*pair.aims, *aims(damage, who.weapon.wounds)),
    )


def advantage(fight: Fight, pair: Pair, *, everywhere: bool) -> Pair:
    """NP-42, NP-R42, NP-R50: the advantage of a mover; the lone one must win every pair."""
    winner = pair.decision.winner
    own = pair.number == fight.request.target and everywhere
    if winner is None or (winner is A and not own):
        return pair
    if fight.stance(winner, pair.number).kind is not MOVEMENT:
        return pair
    who = fight.fighter(winner, pair.number)
    reach = who.advantage in {
        NightProwlerAdvantage.CLOSE_REACH,
        NightProwlerAdvantage.RESTORE_REACH,
    }
    return pair._replace(
        advantage=who.advantage, distance=who.weapon.reach if reach else pair.distance
    )
