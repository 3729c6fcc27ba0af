"""One test, its helpers and its hinderers: rules KA-01 to KA-07 and KA-13 to KA-16."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice, Faces, in_order
from arbitre.rules.fields import CLEAN, WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.kadath.boons import Effects, KadathCombatState
from arbitre.systems.kadath.tables import (
    BOXES,
    HIGHEST_FACE,
    MAX_SKILL,
    SIDES,
    SUCCESS,
    KadathBox,
    KadathPenalty,
    KadathPrime,
    worth,
)

Skill = Annotated[int, Field(ge=0, le=MAX_SKILL), WHOLE]
Circumstances = Annotated[int, Field(ge=0, le=20), WHOLE]

TEST_RULES = (
    "KA-01",
    "KA-02",
    "KA-03",
    "KA-04",
    "KA-05",
    "KA-06",
    "KA-07",
    "KA-13",
    "KA-14",
    "KA-15",
    "KA-16",
    "KA-25",
    "KA-53",
    "KA-R1",
    "KA-R2",
    "KA-R3",
    "KA-R4",
    "KA-R5",
    "KA-R6",
    "KA-R7",
    "KA-R8",
    "KA-R9",
    "KA-R15",
    "KA-R31",
)
"""What every test applies."""


class KadathRole(StrEnum):
    """Whose test it is."""

    ACTOR = "actor"
    A = "a"
    B = "b"
    ATTACKER = "attacker"
    DEFENDER = "defender"
    AMBUSHER = "ambusher"
    TARGET = "target"
    WOUNDED = "wounded"
    HEALER = "healer"
    FALLING = "falling"
    BREATHLESS = "breathless"
    MEMBER = "member"
    THIEF = "thief"
    VICTIM = "victim"
    CHARACTER = "character"
    HARASSERS = "harassers"
    AMBUSHERS = "ambushers"
    PURSUER = "pursuer"


TOGETHER = {KadathRole.HARASSERS, KadathRole.AMBUSHERS}
"""Those who are several and roll once (KA-R12)."""


class KadathSource(StrEnum):
    REQUEST = "request"
    DECLARED_ACTIONS = "declared_actions"
    BOX = "box"
    WEAPON = "weapon"
    ARMOR = "armor"
    EFFICIENCY = "efficiency"
    DIFFICULTY = "difficulty"
    ADVERSARIES = "adversaries"
    UNDEFENDED = "undefended"
    CAUTION = "caution"
    DANGER = "danger"
    FINAL_BLOW = "final_blow"
    TRAUMA = "trauma"
    COMA = "coma"
    PATIENTS = "patients"
    ASPHYXIA = "asphyxia"


class KadathCritical(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


class KadathTesting(Frozen):
    skill: Skill
    """Value of the skill tested: the dice of the pool (KA-01)."""
    skill_name: Annotated[str, Field(max_length=60), CLEAN] | None = None
    """Name of the skill; decides nothing."""
    favorable: Circumstances = 0
    """Favorable circumstances the table counts (KA-04)."""
    unfavorable: Circumstances = 0
    """Unfavorable circumstances the table counts; wounds and extra actions are added (KA-07)."""
    declared_actions: Annotated[int, Field(ge=1, le=6), WHOLE] = 1
    """Actions declared for the round (KA-25)."""


class KadathHelper(KadathTesting):
    box: KadathBox = KadathBox.WHITE
    """Box the token is on (KA-53)."""


class KadathBlock(KadathHelper):
    helpers: Annotated[tuple[KadathHelper, ...], Field(max_length=10)] = ()
    """Those who help: their successes raise the actor's dice (KA-13)."""
    hinderers: Annotated[tuple[KadathHelper, ...], Field(max_length=10)] = ()
    """Those who hinder: their successes lower the actor's dice (KA-15)."""


class KadathAction(KadathBlock):
    prime: KadathPrime | None = None
    """Boon taken, against a penalty (KA-46)."""
    penalty: KadathPenalty | None = None
    """Price of the boon (KA-46)."""
    free_primes: Annotated[tuple[KadathPrime, ...], Field(max_length=10)] = ()
    """Boons that need no penalty (KA-47)."""
    in_advantageous_position: bool = False
    """Whether the character holds a position to give up (KA-49)."""
    opponent_acts_after: bool = False
    """Whether an adversary plays later in the pass (KA-R27)."""
    combat_state: KadathCombatState = KadathCombatState()
    """Pending effects before the action."""


class KadathAssist(Frozen):
    dice_successes: int
    """Successes on the dice (KA-03)."""
    modifier: int
    """Net circumstances (KA-04)."""
    successes: int
    """Points given (KA-13, KA-15)."""


class KadathCircumstance(Frozen):
    source: KadathSource
    """Where the circumstances come from (KA-07)."""
    favorable: int
    """How many are favorable."""
    unfavorable: int
    """How many are unfavorable."""


class KadathTest(Frozen):
    skill: int
    """Value of the skill, as sent."""
    helpers: tuple[KadathAssist, ...]
    """What each helper rolled (KA-13)."""
    hinderers: tuple[KadathAssist, ...]
    """What each hinderer rolled (KA-15)."""
    help_points: int
    """Points earned by the helpers (KA-13)."""
    help_spent: int
    """Points really placed (KA-14)."""
    hindrance_points: int
    """Points earned by the hinderers (KA-15)."""
    hindrance_spent: int
    """Points really placed (KA-15)."""
    adjusted_faces: tuple[int, ...]
    """Faces after help, then hindrance, in the order rolled (KA-16)."""
    dice_successes: int
    """Successes on the adjusted faces (KA-03)."""
    favorable: int
    """All favorable circumstances (KA-07)."""
    unfavorable: int
    """All unfavorable circumstances (KA-07)."""
    modifier: int
    """Favorable less unfavorable (KA-04)."""
    circumstances: tuple[KadathCircumstance, ...]
    """Where each circumstance comes from (KA-07)."""
    successes: int
    """Successes once circumstances are counted (KA-04)."""


class Term(NamedTuple):
    """Circumstances of one origin, and the rule that gives them."""

    rule: str
    source: KadathSource
    favorable: int = 0
    unfavorable: int = 0


NO_TERMS: tuple[Term, ...] = ()


class Point(NamedTuple):
    """One point placed: the die by its place, its face before and after."""

    die: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Worth:
    """The successes on a pool (KA-03)."""

    def __call__(self, faces: Faces) -> int:
        return sum(map(worth, faces))

    def each(self, face: int) -> int:
        return worth(face)


WORTH = Worth()
NOBODY: tuple[KadathAssist, ...] = ()


@dataclass(frozen=True, slots=True)
class Assisting:
    """Helping or hindering: the tag of its dice, its rule, the points that can ever matter."""

    tag: str
    rule: str
    enough: int

    def points(self, given: tuple[KadathAssist, ...]) -> int:
        """Add up the points; more than enough are enough."""
        return min(self.enough, sum(assist.successes for assist in given))


HELPING = Assisting("helper", "KA-13", (HIGHEST_FACE - 1) * MAX_SKILL)
HINDERING = Assisting("hinderer", "KA-15", worth(HIGHEST_FACE) * MAX_SKILL)


class Helped(NamedTuple):
    """The actor's dice once the help is placed."""

    faces: Faces
    helpers: tuple[KadathAssist, ...]
    points: int
    spent: int


def terms_of(block: KadathHelper) -> Iterator[Term]:
    """KA-07: the circumstances a block carries by itself."""
    yield Term("KA-04", KadathSource.REQUEST, block.favorable, block.unfavorable)
    yield Term(  # KA-R15: on defenses too
        "KA-25", KadathSource.DECLARED_ACTIONS, unfavorable=block.declared_actions - 1
    )
    yield Term("KA-53", KadathSource.BOX, unfavorable=BOXES[block.box].unfavorable)  # KA-R31


def boon_terms(gained: Effects) -> tuple[Term, ...]:
    """KA-48, KA-49: the circumstances that boons and penalty put on the action itself."""
    return (
        Term("KA-48", KadathSource.EFFICIENCY, favorable=gained.favorable),
        Term("KA-49", KadathSource.DIFFICULTY, unfavorable=gained.unfavorable),
    )


def place_help(faces: Faces, points: int) -> tuple[Faces, tuple[Point, ...]]:
    """KA-14: raise the highest dice first, never one that cannot reach a success."""
    raised = list(faces)
    placed: list[Point] = []
    for die in sorted(range(len(faces)), key=lambda die: -faces[die]):
        face = raised[die]
        top = min(HIGHEST_FACE, face + points - len(placed))
        if face < HIGHEST_FACE and top < SUCCESS:  # KA-R9: nothing later can reach one either
            break
        placed += [Point(die, step, step + 1) for step in range(face, top)]
        raised[die] = top
    return tuple(raised), tuple(placed)


def place_hindrance(faces: Faces, points: int) -> tuple[Faces, tuple[Point, ...]]:
    """KA-15: each point lowers the highest die by one while one shows a success."""
    lowered = list(faces)
    placed: list[Point] = []
    for _ in range(points):
        die = max(range(len(lowered)), key=lambda die: lowered[die], default=None)
        if die is None or lowered[die] < SUCCESS:
            break
        placed.append(Point(die, lowered[die], lowered[die] - 1))
        lowered[die] -= 1
    return tuple(lowered), tuple(placed)


def by_successes(test: KadathTest) -> int:
    """Two tests of one block are the same where their successes are."""
    return test.successes


def attempt(block: KadathBlock, more: tuple[Term, ...], role: KadathRole, dice: Dice) -> KadathTest:
    """KA-16: roll the actor, the helpers, the hinderers; place the points; count."""
    dice.note("KA-01", "pool", role=role, together=role in TOGETHER, skill=block.skill)
    helped = dice.sub(_helped, block.skill, block.helpers, role, merge=_helped_worth)
    hinderers = dice.sub(_assisted, block.hinderers, HINDERING, merge=HINDERING.points)
    points = sum(hinderer.successes for hinderer in hinderers)
    faces, placed = place_hindrance(helped.faces, points)
    if block.hinderers:
        dice.note("KA-15", "hindrance", points=points, spent=len(placed))
    for point in placed:
        dice.note("KA-15", "point", die=point.die + 1, before=point.before, after=point.after)
    on_dice = WORTH(faces)
    dice.note(
        "KA-03", "count", fives=faces.count(SUCCESS), sixes=faces.count(HIGHEST_FACE), dice=on_dice
    )
    terms = [term for term in (*terms_of(block), *more) if term.favorable or term.unfavorable]
    favorable, unfavorable, successes = _net(on_dice, terms, dice)
    return KadathTest(
        skill=block.skill,
        helpers=helped.helpers,
        hinderers=hinderers,
        help_points=helped.points,
        help_spent=helped.spent,
        hindrance_points=points,
        hindrance_spent=len(placed),
        adjusted_faces=faces,
        dice_successes=on_dice,
        favorable=favorable,
        unfavorable=unfavorable,
        modifier=favorable - unfavorable,
        circumstances=tuple(
            KadathCircumstance(
                source=term.source, favorable=term.favorable, unfavorable=term.unfavorable
            )
            for term in terms
        ),
        successes=successes,
    )


def _helped(skill: int, helpers: tuple[KadathHelper, ...], role: KadathRole, dice: Dice) -> Helped:
    rolled = dice.pool(role.value, count=skill, sides=SIDES, read=in_order)  # KA-01, KA-R5
    given = dice.sub(_assisted, helpers, HELPING, merge=HELPING.points)
    points = sum(helper.successes for helper in given)
    faces, placed = place_help(rolled, points)
    if helpers:
        dice.note("KA-13", "help", points=points, spent=len(placed))
    for point in placed:
        dice.note("KA-14", "point", die=point.die + 1, before=point.before, after=point.after)
    return Helped(faces, given, points, len(placed))


def _helped_worth(helped: Helped) -> int:
    """Return all that later rules see of the helped dice: hindrance counts successes (KA-15)."""
    return WORTH(helped.faces)


def _assisted(
    helpers: tuple[KadathHelper, ...], way: Assisting, dice: Dice
) -> tuple[KadathAssist, ...]:
    """Roll the pools of all who help, or of all who hinder, in the order given (KA-16)."""
    return dice.gather(
        _assist,
        ((helper, way) for helper in helpers),
        state=NOBODY,
        combine=_joined,
        merge=_given,
        merge_state=way.points,
    )


def _joined(given: tuple[KadathAssist, ...], more: KadathAssist) -> tuple[KadathAssist, ...]:
    return (*given, more)


def _given(assist: KadathAssist) -> int:
    return assist.successes


def _assist(helper: KadathHelper, way: Assisting, dice: Dice) -> KadathAssist:
    """KA-13, KA-15: a helper's own test, under its own circumstances (KA-R8)."""
    dice.note(way.rule, way.tag, skill=helper.skill)
    on_dice = dice.pool(way.tag, count=helper.skill, sides=SIDES, read=WORTH)
    terms = [term for term in terms_of(helper) if term.favorable or term.unfavorable]
    favorable, unfavorable, successes = _net(on_dice, terms, dice)
    return KadathAssist(
        dice_successes=on_dice, modifier=favorable - unfavorable, successes=successes
    )


def _net(on_dice: int, terms: list[Term], dice: Dice) -> tuple[int, int, int]:
    """KA-04: favorable and unfavorable first offset each other, then the floor (KA-R4)."""
    for term in terms:
        dice.note(
            term.rule,
            "circumstance",
            source=term.source,
            favorable=term.favorable,
            unfavorable=term.unfavorable,
        )
    favorable = sum(term.favorable for term in terms)
    unfavorable = sum(term.unfavorable for term in terms)
    successes = max(0, on_dice + favorable - unfavorable)  # KA-R3
    dice.note("KA-04", "net", dice=on_dice, modifier=favorable - unfavorable, successes=successes)
    return favorable, unfavorable, successes
