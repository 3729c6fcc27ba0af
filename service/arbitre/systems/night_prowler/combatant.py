"""Who fights, with what, and what they choose: the fields of an exchange."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Request
from arbitre.systems.night_prowler.armor import protection
from arbitre.systems.night_prowler.tables import (
    BLUNT,
    RELOADS,
    STUNNING,
    NightProwlerArmor,
    NightProwlerFamily,
    NightProwlerOption,
    NightProwlerRange,
    NightProwlerSchool,
    NightProwlerTrack,
    NightProwlerWeaponKind,
)
from arbitre.systems.night_prowler.test import (
    Adjustments,
    Level,
    Modifier,
    Points,
    Text,
    Wounded,
)
from arbitre.systems.night_prowler.training import NightProwlerTraining, training

Reach = Annotated[int, Field(ge=0, le=10), WHOLE]


class NightProwlerMode(StrEnum):
    MELEE = "melee"
    RANGED = "ranged"


class NightProwlerFighterSide(StrEnum):
    A = "a"
    B = "b"


class NightProwlerAxeBack(StrEnum):
    NONE = "none"
    HAMMER = "hammer"
    SPIKE = "spike"
    BOTH = "both"


class NightProwlerShield(StrEnum):
    NONE = "none"
    WOODEN = "wooden"
    OTHER = "other"


class NightProwlerReaction(StrEnum):
    OFFENSIVE = "offensive"
    DEFENSIVE = "defensive"
    MOVEMENT = "movement"


class NightProwlerAdvantage(StrEnum):
    DISENGAGE = "disengage"
    CLOSE_REACH = "close_reach"
    RESTORE_REACH = "restore_reach"
    DRAW_WEAPON = "draw_weapon"
    SIMPLE_ACTION = "simple_action"
    SHIFT_FIGHT = "shift_fight"
    GET_BEHIND = "get_behind"
    BREAK_FLANKING = "break_flanking"


class NightProwlerOnCounter(StrEnum):
    COUNTER = "counter"
    DISENGAGE = "disengage"
    NONE = "none"


class NightProwlerCleaveTarget(StrEnum):
    SHAFT = "shaft"
    SHIELD = "shield"


class NightProwlerVariant(StrEnum):
    COMEDY = "comedy"
    FEINT = "feint"


class NightProwlerWeapon(Frozen):
    family: NightProwlerFamily
    """Family of the weapon (NP-38)."""
    kind: NightProwlerWeaponKind | None = None
    """Kind of missile weapon, for a shot (NP-62)."""
    reach: Reach = 1
    """Length class (NP-48)."""
    track: NightProwlerTrack | None = None
    """Track wounded; that of the family unless said (NP-39)."""
    blunt: bool | None = None
    """A blunt weapon; by its family unless said (NP-R77)."""
    axe_back: NightProwlerAxeBack = NightProwlerAxeBack.NONE
    """What stands at the back of an axe (NP-55)."""
    small_articulated: bool = False
    """A small articulated flail (NP-56)."""

    @property
    def bearing(self) -> NightProwlerFamily:
        """NP-62: the family whose training counts, that of the kind where one is given."""
        return self.family if self.kind is None else RELOADS[self.kind].family

    @property
    def is_blunt(self) -> bool:
        """NP-R77: maces and flails, unless said otherwise."""
        return self.family in BLUNT if self.blunt is None else self.blunt

    @property
    def wounds(self) -> NightProwlerTrack:
        """NP-39: the track of the family, unless said otherwise."""
        if self.track is not None:
            return self.track
        stuns = self.family in STUNNING
        return NightProwlerTrack.ENDURANCE if stuns else NightProwlerTrack.VITALITY


class NightProwlerCombatant(Adjustments, Wounded):
    name: Text | None = None
    """The caller's word for the fighter."""
    option: NightProwlerOption
    """What the fighter chooses this round (NP-28, NP-37)."""
    skill: Level | None = None
    """Level used with this option (NP-38, NP-42)."""
    attribute: Level | None = None
    """Attribute of the default value (NP-03)."""
    heroism: Points | None = None
    """Heroism pool; nothing: not tracked."""
    weapon: NightProwlerWeapon = NightProwlerWeapon(family=NightProwlerFamily.UNARMED)
    """What the fighter fights with; bare hands unless said."""
    trained_families: Annotated[tuple[NightProwlerFamily, ...], Field(max_length=11)] | None = None
    """Families trained; that of the weapon unless said (NP-38)."""
    weapon_skill: bool = True
    """The level is one of a combat skill, not that of a movement by another skill (NP-38)."""
    second_weapon_reach: Reach | None = None
    """Reach of a second weapon (NP-67)."""
    shield: NightProwlerShield = NightProwlerShield.NONE
    """Shield carried (NP-66)."""
    armor: NightProwlerArmor | None = None
    """Armor worn (NP-68)."""
    protection: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None
    """Current protection, instead of the armor's (NP-68)."""
    initiative: Annotated[int, Field(ge=-1000, le=1000), WHOLE] | None = None
    """Initiative; nothing: unknown (NP-43)."""
    engaged: bool = False
    """Already engaged, which forbids a charge (NP-53)."""
    reaction: NightProwlerReaction | None = None
    """Base attitude taken instead, for one heroism point (NP-44)."""
    defensive_reflex: bool = False
    """Defends against an ambush, for one point per opponent (NP-45)."""
    vista: bool = False
    """Cancels outnumbering and flanking, for one point (NP-47)."""
    resist: bool = False
    """Pays against surprise attacks, charges and walls (NP-51, NP-53)."""
    stay_conscious: bool = False
    """Pays a point if it is needed to stay conscious (NP-74)."""
    stun_counter: bool = False
    """Pays what the stunner invested, if it comes to a KO (NP-54)."""
    accept_reversal: bool = False
    """Turns a failed sweep against the sweeper (NP-59)."""
    invested: Annotated[int, Field(ge=1, le=3), WHOLE] = 1
    """Heroism points of a stun or a crush (NP-54)."""
    charge_power: bool = False
    """One point more for damage +1 in a charge (NP-53)."""
    hinder: bool = False
    """The damage of a street feint becomes a hindrance (NP-60)."""
    ram_horn_primed: bool = False
    """The ram's horn has been prepared in this fight (NP-60)."""
    previous_movement_won: bool = False
    """Won a movement in the previous round, which a hold needs (NP-59)."""
    entangled: bool = False
    """Weapon locked by a flail: -5 (NP-56)."""
    break_weapon: bool = True
    """Destruction breaks the weapon instead of wounding (NP-52)."""
    cleave_target: NightProwlerCleaveTarget | None = None
    """What is cleft (NP-55)."""
    advantage: NightProwlerAdvantage | None = None
    """Advantage sought by a movement (NP-42)."""
    on_counter: NightProwlerOnCounter = NightProwlerOnCounter.COUNTER
    """What a strong defense is turned into (NP-41)."""
    defend_second: bool = False
    """Defends in a second attack, for one point (NP-51)."""
    second_heroism_spent: Points = 0
    """Heroism points on the threshold of a second attack (NP-51)."""
    schools: Annotated[tuple[NightProwlerSchool, ...], Field(max_length=2)] = ()
    """Schools that taught the fighter (NP-60)."""
    variant: NightProwlerVariant = NightProwlerVariant.FEINT
    """Which street trick (NP-60)."""
    acting_skill: Level = 0
    """Level of acting (NP-60)."""
    acting_modifier: Modifier = 0
    """Modifier of the acting test (NP-60)."""

    @property
    def training(self) -> NightProwlerTraining:
        """NP-38: how well the weapon in hand is known."""
        bearing = self.weapon.bearing
        trained = (bearing,) if self.trained_families is None else self.trained_families
        return training(trained, bearing)

    @property
    def has_shield(self) -> bool:
        return self.shield is not NightProwlerShield.NONE

    @property
    def two_weapons(self) -> bool:
        """NP-67, NP-R75: two weapons of reach 1 each."""
        return self.weapon.reach == 1 and self.second_weapon_reach == 1

    def protection_against(self, weapon: NightProwlerWeapon) -> int:
        """NP-68: what the armor takes off a blow of this weapon."""
        return protection(self.armor, self.protection, blunt=weapon.is_blunt)


class NightProwlerOpponent(NightProwlerCombatant):
    flanking: bool = False
    """Stands behind the lone fighter's back (NP-64)."""
    distance: Reach | None = None
    """Reach at which the pair fights; the larger of both unless said (NP-48)."""


class NightProwlerAttackRequest(Request):
    mode: NightProwlerMode = NightProwlerMode.MELEE
    """One exchange, or one shot."""
    a: NightProwlerCombatant
    """The lone fighter, or the shooter."""
    b: Annotated[tuple[NightProwlerOpponent, ...], Field(min_length=1, max_length=10)]
    """The opponents; the target of a shot."""
    first_round: bool = False
    """First round of the fight: the greater initiative forces a defense (NP-43)."""
    ambush: NightProwlerFighterSide | None = None
    """The side that surprises the other (NP-65)."""
    target: Annotated[int, Field(ge=0, le=9), WHOLE] = 0
    """Number of the opponent whom a attacks, from 0."""
    counter_target: Annotated[int, Field(ge=0, le=9), WHOLE] | None = None
    """Number of the opponent whom a's counter strikes; the largest margin unless said."""
    range: NightProwlerRange = NightProwlerRange.MEDIUM
    """Range of the shot (NP-61)."""
    target_moving: Annotated[int, Field(ge=-5, le=0), WHOLE] = 0
    """Penalty of a target that moves without dodging (NP-61)."""
    unsteady: Annotated[int, Field(ge=-5, le=0), WHOLE] = 0
    """Penalty of an unsteady shooter (NP-61)."""
    visibility: Annotated[int, Field(ge=-10, le=0), WHOLE] = 0
    """Penalty of a target hard to see (NP-61)."""
    penetration: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Penetration of the missile at this range (NP-69)."""
    rounds_reloaded: Annotated[int, Field(ge=0, le=1000), WHOLE] | None = None
    """Full rounds spent reloading; nothing: loaded (NP-62)."""
    static: bool = False
    """The archer stands still (NP-62)."""
    arrows_prepared: bool = False
    """The archer's arrows are at hand (NP-62)."""
    in_close_fight: bool = False
    """The shooter is in a close fight (NP-57)."""
