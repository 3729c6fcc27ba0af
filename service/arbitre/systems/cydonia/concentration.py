"""The state of a concentration: rules CY-15 and CY-16, ruling CY-R26."""

from enum import StrEnum

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.cydonia.refusals import Faults, not_for, refuse, required
from arbitre.systems.cydonia.side import MOST_TURNS, Turns
from arbitre.systems.cydonia.tables import CONCENTRATING_DEFENSE, CONCENTRATION


class CydoniaConcentrationEvent(StrEnum):
    HOLD = "hold"
    ATTACKED = "attacked"
    RELEASE = "release"


class CydoniaConcentration(Frozen):
    active: bool = False
    """Whether the character is concentrating."""
    turns: Turns = 0
    """Turns stored so far (CY-15)."""


BROKEN = CydoniaConcentration()


class CydoniaConcentrationRequest(Request):
    event: CydoniaConcentrationEvent
    """A turn spent doing nothing, an attack, or the action prepared."""
    state: CydoniaConcentration = BROKEN
    """The concentration before."""
    hit: bool | None = None
    """Whether the attack lands (CY-16)."""
    to_roll: Turns = 0
    """Turns spent on the roll of the action (CY-15)."""
    to_damage: Turns = 0
    """Turns spent on its damage (CY-15)."""


class CydoniaConcentrationOutcome(Outcome):
    state: CydoniaConcentration
    """The concentration after."""
    defense_modifier: int
    """What the defense suffers (CY-16)."""
    lost: bool
    """Whether the concentration is broken (CY-16)."""
    roll_bonus: int
    """What is added to the roll (CY-15)."""
    damage_bonus: int
    """What is added to the damage (CY-15)."""


def _faults(request: CydoniaConcentrationRequest) -> Faults:
    event, state = request.event, request.state
    attacked = event is CydoniaConcentrationEvent.ATTACKED
    yield from required(request.hit, "/hit", when=attacked)
    if not attacked:
        yield from not_for(event, hit=request.hit is not None)
    if event is not CydoniaConcentrationEvent.RELEASE:
        yield from not_for(event, to_roll=request.to_roll > 0, to_damage=request.to_damage > 0)
    if request.to_roll + request.to_damage > state.turns:
        yield RuleRefused(
            "concentration-exceeded",
            pointer="/to_roll",
            rule="CY-15",
            stored=True,
            turns=state.turns,
        )
    if state.turns and not state.active:
        yield RuleRefused("incoherent-state", pointer="/state", rule="CY-16")


def summary(outcome: CydoniaConcentrationOutcome) -> str:
    if outcome.lost:
        return "concentration-broken"
    if outcome.roll_bonus or outcome.damage_bonus:
        return "concentration-spent"
    return "concentration-held" if outcome.state.active else "concentration-none"


@resolver("concentration", rules=("CY-15", "CY-16", "CY-R26"), summary=summary)
def concentration(request: CydoniaConcentrationRequest, dice: Dice) -> CydoniaConcentrationOutcome:
    """Hold a concentration, lose it to a blow, or spend it."""
    refuse(_faults(request))
    before = after = request.state
    defense, lost = 0, False
    if request.event is CydoniaConcentrationEvent.HOLD:
        turns = min(MOST_TURNS, before.turns + 1)  # CY-R26: a fourth turn adds nothing
        after = CydoniaConcentration(active=True, turns=turns)
    elif request.event is CydoniaConcentrationEvent.ATTACKED:
        defense = CONCENTRATING_DEFENSE if before.active else 0
        lost = before.active and request.hit is True
        after = BROKEN if lost else before
        dice.note("CY-16", "attacked", modifier=defense, lost=lost)
    else:
        after = BROKEN
    roll_bonus = CONCENTRATION * request.to_roll
    damage_bonus = CONCENTRATION * request.to_damage
    if request.event is CydoniaConcentrationEvent.RELEASE:
        dice.note("CY-15", "released", roll=roll_bonus, damage=damage_bonus)
    dice.note("CY-15", "stored", before=before.turns, after=after.turns, active=after.active)
    return CydoniaConcentrationOutcome(
        state=after,
        defense_modifier=defense,
        lost=lost,
        roll_bonus=roll_bonus,
        damage_bonus=damage_bonus,
    )
