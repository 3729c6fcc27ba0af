"""What each risk die buys and costs: CN-15, CN-17, as a decision aid."""

from itertools import product
from typing import Any

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.model import Exact, Frozen
from arbitre.rules.resolver import Enumerate, Resolver


class CthulhuNoirQualityChance(Frozen):
    quality: int
    """A best die."""
    at_least: Exact
    """Chance of that or better."""


class CthulhuNoirStake(Frozen):
    insanity_die: bool
    """The Insanity die is thrown."""
    wound_die: bool
    """The Wound die is thrown."""
    success: Exact
    """Chance that the action does not fail."""
    quality: Exact
    """Mean of the best die."""
    qualities: tuple[CthulhuNoirQualityChance, ...]
    """Chance of each quality or better."""
    insanity_roll: Exact
    """Chance that an Insanity roll comes due."""
    insanity_rises: Exact
    """Chance that Insanity rises."""
    mad: Exact
    """Chance to end incurably mad."""
    wound_roll: Exact
    """Chance that a Wound roll comes due."""
    wound_rises: Exact
    """Chance that Wound rises."""
    dead: Exact
    """Chance to end dead or presumed so."""


class CthulhuNoirStakes(Frozen):
    stakes: tuple[CthulhuNoirStake, ...]
    """The same action with each choice of risk dice the rules allow."""


def compare_stakes(
    resolver: Resolver[Any, Any], request: Any, enumerate_: Enumerate
) -> CthulhuNoirStakes:
    """Work the same request out with and without each risk die."""
    found = []
    for insanity_die, wound_die in product((False, True), repeat=2):
        asked = request.model_copy(update={"insanity_die": insanity_die, "wound_die": wound_die})
        try:
            found.append(_stake(resolver, asked, enumerate_))
        except RuleRefused:  # no die at all, or a risk the investigator cannot take
            continue
    return CthulhuNoirStakes(stakes=tuple(found))


def _stake(resolver: Resolver[Any, Any], asked: Any, enumerate_: Enumerate) -> CthulhuNoirStake:
    def read(dice: Dice) -> tuple[Any, ...]:
        outcome = resolver.resolve(asked, dice)
        insane, hurt = outcome.insanity_roll, outcome.wound_roll
        return (
            outcome.success,
            outcome.quality,
            insane is not None,
            insane is not None and insane.increased,
            outcome.mad,
            hurt is not None,
            hurt is not None and hurt.increased,
            outcome.dead,
        )

    odds = enumerate_(read)

    def chance(index: int) -> Exact:
        return Exact.of(odds.chance(lambda row: row[index]))

    def at_least(quality: int) -> Exact:
        return Exact.of(odds.chance(lambda row: row[1] >= quality))

    return CthulhuNoirStake(
        insanity_die=asked.insanity_die,
        wound_die=asked.wound_die,
        success=chance(0),
        quality=Exact.of(odds.map(lambda row: row[1]).mean()),
        qualities=tuple(
            CthulhuNoirQualityChance(quality=quality, at_least=at_least(quality))
            for quality in range(1, 7)
        ),
        insanity_roll=chance(2),
        insanity_rises=chance(3),
        mad=chance(4),
        wound_roll=chance(5),
        wound_rises=chance(6),
        dead=chance(7),
    )
