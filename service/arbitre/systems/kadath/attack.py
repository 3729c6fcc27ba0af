"""A whole blow, from Combat against Défense to the life line: rules KA-32 to KA-45."""

from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import (
    TEST_RULES,
    KadathAction,
    KadathBlock,
    KadathCritical,
    KadathHelper,
    KadathRole,
    KadathSource,
    KadathTest,
    KadathTesting,
    Skill,
    Term,
    attempt,
    boon_terms,
    by_successes,
)
from arbitre.systems.kadath.boons import (
    BOON_RULES,
    Effects,
    KadathCombatState,
    KadathWarning,
    effects,
    refuse_faults,
)
from arbitre.systems.kadath.gear import (
    GEAR_RULES,
    KadathArmor,
    KadathWeapon,
    gear_terms,
    protection_of,
    refuse_custom,
    refuse_handling,
    weapon_damage,
)
from arbitre.systems.kadath.life import (
    LIFE_RULES,
    KadathCondition,
    KadathLifeResult,
    KadathTarget,
    box_of,
    endure,
    refuse_dead,
    refuse_target,
    target_summary,
)
from arbitre.systems.kadath.tables import KadathBox
from arbitre.systems.kadath.versus import (
    VERSUS_RULES,
    KadathDecidedBy,
    KadathInitiator,
    KadathWinner,
    compare,
)


class KadathDamageEntry(Frozen):
    combat: Skill
    """Value of Combat (KA-R21)."""
    damage: Annotated[int, Field(ge=0, le=20), WHOLE]
    """Character damage at that value."""


class KadathFighter(KadathAction):
    muscles: Skill | None = None
    """Value of Muscles, where gear requires any (KA-41)."""
    weapon: KadathWeapon | None = None
    """Weapon in hand (KA-40)."""
    armor: KadathArmor = KadathArmor()
    """Armor worn (KA-44)."""


class KadathAttacker(KadathFighter):
    character_damage: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Character damage, from the caller's screen (KA-39)."""
    character_damage_table: (
        Annotated[tuple[KadathDamageEntry, ...], Field(min_length=1, max_length=7)] | None
    ) = None
    """The caller's table of character damage by Combat value (KA-R21)."""
    total_damage: Annotated[int, Field(ge=0, le=40), WHOLE] | None = None
    """Single number of a game master's character, weapon included (KA-19)."""


class KadathDefender(KadathTesting):
    box: KadathBox | None = None
    """Box the token is on; default: the target's, or white (KA-53)."""
    helpers: Annotated[tuple[KadathHelper, ...], Field(max_length=10)] = ()
    """Those who help: their successes raise the defender's dice (KA-13)."""
    hinderers: Annotated[tuple[KadathHelper, ...], Field(max_length=10)] = ()
    """Those who hinder: their successes lower the defender's dice (KA-15)."""
    muscles: Skill | None = None
    """Value of Muscles, where armor requires any (KA-44)."""
    armor: KadathArmor = KadathArmor()
    """Armor worn (KA-43)."""
    combat_state: KadathCombatState = KadathCombatState()
    """Pending effects before the defense."""


class KadathAttackRequest(Request):
    attacker: KadathAttacker
    """Combat of the attacker (KA-32)."""
    defender: KadathDefender
    """Défense of the defender (KA-32)."""
    adversaries: Annotated[int, Field(ge=1, le=50), WHOLE] = 1
    """How many fighters attack this defender (KA-34)."""
    perceived: bool = True
    """Whether the defender notices the attack (KA-35)."""
    surprised: bool = False
    """Whether the defender is surprised (KA-37)."""
    target: KadathTarget | None = None
    """Life line of the defender, if the blow is to be applied."""


class KadathAttackOutcome(Outcome):
    hit: bool
    """Whether the blow lands (KA-32)."""
    winner: KadathWinner
    """First side for a hit, second for a miss (KA-R62)."""
    decided_by: KadathDecidedBy
    """What decides (KA-09 to KA-12, KA-R17)."""
    margin: int
    """Difference of successes; the attacker's where no defense is possible."""
    defended: bool
    """Whether the defender can defend (KA-35, KA-37)."""
    attacker: KadathTest
    """Test of the attacker."""
    defender: KadathTest | None
    """Test of the defender; null without defense."""
    raw_damage: int
    """Damage before protection, had it hit (KA-39)."""
    protection: int
    """Protection left (KA-45)."""
    damage: int
    """Damage of the blow; 0 on a miss (KA-45)."""
    target: KadathLifeResult | None
    """Life line after the blow."""
    attacker_state: KadathCombatState
    """Pending effects of the attacker after the blow."""
    defender_state: KadathCombatState
    """Pending effects of the defender after the blow."""
    mishap: bool
    """Whether a Risk taken turns bad (KA-49)."""
    position_lost: bool
    """Whether the attacker gives up the advantageous position (KA-49)."""
    warnings: tuple[KadathWarning, ...]
    """What deserves a second thought (KA-R24)."""
    critical: KadathCritical | None = None
    """Always null: the game has no critical (KA-87)."""


class Clash(NamedTuple):
    """Whether the blow lands, by what, by how much."""

    hit: bool
    decided_by: KadathDecidedBy
    margin: int


def summary(outcome: KadathAttackOutcome) -> tuple[str, ...]:
    told = ["hit" if outcome.hit else "missed", *target_summary(outcome.target)]
    if outcome.mishap:
        told.append("mishap")
    return tuple(told)


@resolver(
    "attack",
    rules=(
        *("KA-19", "KA-32", "KA-34", "KA-35", "KA-37", "KA-39", "KA-62", "KA-87"),
        *("KA-R11", "KA-R16", "KA-R17", "KA-R20", "KA-R21", "KA-R22", "KA-R62"),
        *LIFE_RULES,
        *TEST_RULES,
        *VERSUS_RULES,
        *BOON_RULES,
        *GEAR_RULES,
    ),
    odds=("hit", "damage", "target.box", "target.state.condition", "target.in_peril", "mishap"),
    summary=summary,
)
def attack(request: KadathAttackRequest, dice: Dice) -> KadathAttackOutcome:
    """Oppose Combat to Défense; a hit deals damage, taken off the target's life line."""
    own, weapon = _refused(request)
    gained = effects(request.attacker, dice)
    defended = _defended(request)
    attacker = _attacker_test(request, gained, defended=defended, dice=dice)
    defender = _defender_test(request, dice) if defended else None
    clash = _clash(attacker, defender, dice)
    raw = own + weapon + gained.damage  # KA-39
    worn = protection_of(request.defender.armor)
    protection = max(0, worn + gained.protection)  # KA-45
    damage = max(0, raw - protection) if clash.hit else 0  # KA-R20
    if request.attacker.total_damage is None:
        dice.note("KA-39", "raw_damage", base=own, weapon=weapon, boons=gained.damage, raw=raw)
    else:
        dice.note("KA-19", "raw_total", base=own, boons=gained.damage, raw=raw)
    if gained.protection:
        dice.note("KA-48", "pierced", before=worn, pierced=gained.protection, after=protection)
    dice.note("KA-45", "damage", raw=raw, protection=protection, hit=clash.hit, damage=damage)
    mishap = gained.mishap_on_failure and not clash.hit  # KA-49
    if gained.mishap_on_failure:
        dice.note("KA-49", "risk", mishap=mishap)
    target = request.target
    hits = (raw,) if damage else ()
    return KadathAttackOutcome(
        hit=clash.hit,
        winner=KadathWinner.A if clash.hit else KadathWinner.B,
        decided_by=clash.decided_by,
        margin=clash.margin,
        defended=defended,
        attacker=attacker,
        defender=defender,
        raw_damage=raw,
        protection=protection,
        damage=damage,
        target=endure(target, hits, protection, dice) if target else None,
        attacker_state=gained.combat_state,
        defender_state=_used_up(request.defender.combat_state, defended=defended, dice=dice),
        mishap=mishap,
        position_lost=gained.position_lost,
        warnings=gained.warnings,
    )


def _refused(request: KadathAttackRequest) -> tuple[int, int]:
    """Refuse what cannot be; return the damage of character and of weapon (KA-39)."""
    attacker, defender, target = request.attacker, request.defender, request.target
    refuse_custom(attacker.weapon, attacker.armor, "/attacker")
    refuse_custom(None, defender.armor, "/defender")
    base = _base_damage(attacker)
    refuse_handling(attacker.weapon, attacker.armor, attacker.muscles, "/attacker")
    refuse_handling(None, defender.armor, defender.muscles, "/defender")
    refuse_faults(attacker, attack=True, pointer="/attacker")
    if target:
        refuse_target(target, "/target")
        box = box_of(target.life_line, target.state)
        if box and defender.box and defender.box is not box:
            raise RuleRefused("box-mismatch", pointer="/defender/box", rule="KA-53")
        refuse_dead(target.state, "/target/state")
    return base


def _base_damage(attacker: KadathAttacker) -> tuple[int, int]:
    """KA-39, KA-R21, KA-R22: one source of damage, and the weapon unless it is included."""
    by_value = attacker.character_damage_table
    plain = attacker.character_damage is not None or by_value is not None
    sources = (attacker.character_damage, by_value, attacker.total_damage)
    if plain and attacker.weapon is None:
        raise RuleRefused("weapon-missing", pointer="/attacker/weapon", rule="KA-R19")
    given = sum(source is not None for source in sources)
    if given != 1:
        code = "damage-source-conflict" if given else "damage-source-missing"
        raise RuleRefused(code, pointer="/attacker/character_damage", rule="KA-39")
    if attacker.total_damage is not None:
        return attacker.total_damage, 0  # KA-19
    own = attacker.character_damage if by_value is None else _read(by_value, attacker.skill)
    return own or 0, weapon_damage(attacker.weapon) if attacker.weapon else 0


def _read(entries: tuple[KadathDamageEntry, ...], combat: int) -> int:
    """KA-R21: the caller's table at the attacker's Combat."""
    pointer = "/attacker/character_damage_table"
    known: dict[int, int] = {}
    for index, entry in enumerate(entries):
        if entry.combat in known:
            raise RuleRefused(
                "duplicate-entry", pointer=f"{pointer}/{index}/combat", value=entry.combat
            )
        known[entry.combat] = entry.damage
    if combat not in known:
        raise RuleRefused("required", pointer=pointer, rule="KA-R21")
    return known[combat]


def _defended(request: KadathAttackRequest) -> bool:
    """KA-35, KA-37, KA-56: seen, not surprised, and conscious."""
    target = request.target
    awake = target is None or target.state.condition is KadathCondition.NONE
    return request.perceived and not request.surprised and awake


def _attacker_test(
    request: KadathAttackRequest, gained: Effects, *, defended: bool, dice: Dice
) -> KadathTest:
    attacker = request.attacker
    undefended = "KA-37" if request.surprised and request.perceived else "KA-35"
    terms = (
        *gear_terms(attacker.weapon, attacker.armor, attacker.muscles, dice),
        *boon_terms(gained),
        Term("KA-34", KadathSource.ADVERSARIES, favorable=int(request.adversaries > 1)),
        Term(undefended, KadathSource.UNDEFENDED, favorable=int(not defended)),  # KA-R16
    )
    return dice.sub(attempt, attacker, terms, KadathRole.ATTACKER, merge=by_successes)


def _defender_test(request: KadathAttackRequest, dice: Dice) -> KadathTest:
    defender, target = request.defender, request.target
    box = box_of(target.life_line, target.state) if target else defender.box
    block = KadathBlock(
        skill=defender.skill,
        skill_name=defender.skill_name,
        favorable=defender.favorable,
        unfavorable=defender.unfavorable,
        declared_actions=defender.declared_actions,
        box=box or KadathBox.WHITE,
        helpers=defender.helpers,
        hinderers=defender.hinderers,
    )
    pending = defender.combat_state
    terms = (
        *gear_terms(None, defender.armor, defender.muscles, dice),
        Term("KA-48", KadathSource.CAUTION, favorable=min(1, pending.caution)),
        Term("KA-49", KadathSource.DANGER, unfavorable=min(1, pending.danger)),
    )
    return dice.sub(attempt, block, terms, KadathRole.DEFENDER, merge=by_successes)


def _clash(attacker: KadathTest, defender: KadathTest | None, dice: Dice) -> Clash:
    """KA-32: the attacker initiates; KA-R17: without defense, one success is enough."""
    if defender is None:
        hit = attacker.successes >= 1
        dice.note("KA-R17", "undefended", successes=attacker.successes, hit=hit)
        return Clash(hit, KadathDecidedBy.TEST, attacker.successes)
    verdict = compare(attacker, defender, KadathInitiator.A, dice)  # KA-R11, KA-R62
    return Clash(verdict.winner is KadathWinner.A, verdict.decided_by, verdict.margin)


def _used_up(state: KadathCombatState, *, defended: bool, dice: Dice) -> KadathCombatState:
    """KA-48, KA-49: a defense uses one Prudence and one Danger; no defense, none."""
    if not defended or not (state.caution or state.danger):
        return state
    after = state.model_copy(
        update={"caution": max(0, state.caution - 1), "danger": max(0, state.danger - 1)}
    )
    dice.note(
        "KA-48",
        "defense_counters",
        caution=state.caution,
        caution_after=after.caution,
        danger=state.danger,
        danger_after=after.danger,
    )
    return after
