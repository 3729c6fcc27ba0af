"""The life line, its token, and what blows do to it: rules KA-51 to KA-56."""

from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import WHOLE
from arbitre.rules.model import Frozen
from arbitre.systems.kadath.screen import KadathRow, Label, refuse_holes, row_at
from arbitre.systems.kadath.tables import BOXES, SIDES, KadathActorType, KadathBox

LIFE_RULES = (
    "KA-18",
    "KA-45",
    "KA-51",
    "KA-52",
    "KA-54",
    "KA-56",
    "KA-59",
    "KA-60",
    "KA-68",
    "KA-86",
    "KA-R29",
    "KA-R30",
    "KA-R32",
    "KA-R33",
    "KA-R34",
    "KA-R36",
)
"""What the life application applies."""

EFFECTS_MAX = 20
"""Effects a state keeps; later ones are no longer written down."""


class KadathCondition(StrEnum):
    """From the lightest to the worst (KA-R32)."""

    NONE = "none"
    UNCONSCIOUS = "unconscious"
    TRAUMA = "trauma"
    COMA = "coma"
    DEAD = "dead"


SEVERITY = list(KadathCondition)
HELPLESS = (KadathCondition.UNCONSCIOUS, KadathCondition.TRAUMA, KadathCondition.COMA)

CONDITION_RULES = {
    KadathCondition.UNCONSCIOUS: "KA-56",
    KadathCondition.TRAUMA: "KA-59",
    KadathCondition.COMA: "KA-60",
    KadathCondition.DEAD: "KA-68",
}


class KadathLifeLine(Frozen):
    white: Annotated[int, Field(ge=1, le=10), WHOLE] = 1
    """White boxes, at the right end (KA-51)."""
    light_gray: Annotated[int, Field(ge=0, le=20), WHOLE]
    """Light gray boxes (KA-51)."""
    dark_gray: Annotated[int, Field(ge=0, le=20), WHOLE]
    """Dark gray boxes (KA-51)."""
    black: Annotated[int, Field(ge=1, le=1), WHOLE] = 1
    """The black box, at the left end: always one (KA-R29)."""


def _start(data: dict[str, Any]) -> int | None:
    """KA-51: a conscious character's token starts on the rightmost box."""
    return 0 if data.get("condition") is KadathCondition.NONE else None


class KadathLifeState(Frozen):
    condition: KadathCondition = KadathCondition.NONE
    """Unconscious, in trauma, in a coma, dead, or none of these."""
    position: Annotated[int, Field(ge=0, le=50), WHOLE] | None = Field(default_factory=_start)
    """Box of the token, 0 at the right end; null without token. Default: 0, or null."""
    treated: bool = False
    """Whether first aid succeeded since the last damage (KA-62)."""
    prone: bool = False
    """Whether the next action goes to standing up (KA-57)."""
    peril_effects: Annotated[tuple[Label, ...], Field(max_length=EFFECTS_MAX)] = ()
    """Consequences suffered in peril (KA-54)."""
    trauma_rounds: Annotated[int, Field(ge=0, le=1000), WHOLE] = 0
    """Rounds of trauma imminent passed (KA-59)."""
    days_to_live: Annotated[int, Field(ge=1, le=6), WHOLE] | None = None
    """Days before a coma kills (KA-60)."""


class KadathPerilRow(KadathRow):
    label: Label
    """The caller's words for the row."""
    condition: KadathCondition = KadathCondition.NONE
    """Condition the row brings."""
    prone: bool = False
    """Whether the row throws the character down."""


PerilTable = Annotated[tuple[KadathPerilRow, ...], Field(min_length=1, max_length=6)]


class KadathTarget(Frozen):
    actor_type: KadathActorType = KadathActorType.PC
    """Player character, champion or extra (KA-18)."""
    life_line: KadathLifeLine
    """Boxes of the life line (KA-51)."""
    state: KadathLifeState = KadathLifeState()
    """Token and condition before."""
    peril_table: PerilTable | None = None
    """The caller's rows of the table of perils (KA-86)."""


class KadathPerilRoll(Frozen):
    face: int
    """Face read on the table of perils (KA-54)."""
    row: KadathPerilRow | None
    """Row of that face; null where no table was sent (KA-86)."""


class KadathBlow(Frozen):
    model_config = ConfigDict(validate_by_name=True)

    hit: int
    """Damage before protection."""
    protection: int
    """Protection taken off (KA-45)."""
    damage: int
    """Damage left (KA-45)."""
    from_: int | None = Field(alias="from")
    """Box of the token before; null without token."""
    to: int | None
    """Box of the token after; null without token."""
    lost: int
    """Damage beyond the black box (KA-R29)."""
    entered_peril: bool
    """Whether the token reached the black box (KA-54)."""
    peril: KadathPerilRoll | None
    """Roll on the table of perils, if one was due (KA-54)."""


class KadathLifeResult(Frozen):
    state: KadathLifeState
    """Token and condition after."""
    box: KadathBox | None
    """Color of the token's box; null without token."""
    in_peril: bool
    """On the black box, or without token and alive (KA-54)."""
    unfavorable: int
    """Unfavorable circumstances from the box (KA-53)."""
    out_of_action: bool
    """Whether an extra is out of action (KA-R33)."""
    events: tuple[KadathBlow, ...]
    """Each blow in order."""
    peril_rolls: tuple[KadathPerilRoll, ...]
    """Rolls on the table of perils, in order (KA-54)."""
    boxes_before_peril: int | None
    """Boxes left before the black one; null without token."""
    destiny_roll_due: bool
    """Whether a player character died: roll on The show must go on (KA-68)."""


class Hit(NamedTuple):
    """One blow about to land."""

    number: int
    damage: int
    protection: int
    target: KadathTarget


class Course(NamedTuple):
    """Where the blows have brought somebody."""

    state: KadathLifeState
    out_of_action: bool = False
    events: tuple[KadathBlow, ...] = ()


def last_box(line: KadathLifeLine) -> int:
    """KA-51: the index of the black box."""
    return line.white + line.light_gray + line.dark_gray


def box_at(line: KadathLifeLine, position: int) -> KadathBox:
    """KA-51: the color of a box, from the right."""
    if position < line.white:
        return KadathBox.WHITE
    if position < line.white + line.light_gray:
        return KadathBox.LIGHT_GRAY
    return KadathBox.DARK_GRAY if position < last_box(line) else KadathBox.BLACK


def box_of(line: KadathLifeLine, state: KadathLifeState) -> KadathBox | None:
    return None if state.position is None else box_at(line, state.position)


def in_peril(line: KadathLifeLine, state: KadathLifeState) -> bool:
    """KA-54: on the black box, or lying without a token."""
    return state.condition in HELPLESS or box_of(line, state) is KadathBox.BLACK


def refuse_dead(state: KadathLifeState, pointer: str) -> None:
    """KA-R32: nothing more happens to the dead."""
    if state.condition is KadathCondition.DEAD:
        raise RuleRefused("dead-target", pointer=f"{pointer}/condition", rule="KA-R32")


def refuse_life(line: KadathLifeLine, state: KadathLifeState, pointer: str) -> None:
    """KA-51, KA-56: the token stands on the line, and only the conscious have one."""
    boxes = last_box(line) + 1
    if state.position is not None and state.position >= boxes:
        raise RuleRefused(
            "position-out-of-range",
            pointer=f"{pointer}/position",
            rule="KA-51",
            position=state.position,
            boxes=boxes,
        )
    if (state.position is None) is (state.condition is KadathCondition.NONE):
        raise RuleRefused("position-with-condition", pointer=f"{pointer}/position", rule="KA-56")


def refuse_target(target: KadathTarget, pointer: str) -> None:
    """Refuse a token off its line, then a table with holes."""
    refuse_life(target.life_line, target.state, f"{pointer}/state")
    refuse_holes(target.peril_table, f"{pointer}/peril_table")


def endure(
    target: KadathTarget, hits: tuple[int, ...], protection: int, dice: Dice
) -> KadathLifeResult:
    """Take each blow in order."""
    blows = (Hit(number, hit, protection, target) for number, hit in enumerate(hits, 1))
    return shown(target, dice.fold(take, Course(target.state), blows, merge=by_state))


def by_state(course: Course) -> tuple[int | None, KadathCondition, bool]:
    """Two courses are the same where token, condition and fitness are."""
    return course.state.position, course.state.condition, course.out_of_action


def shown(target: KadathTarget, course: Course) -> KadathLifeResult:
    """Show where the blows have brought the target."""
    line, state = target.life_line, course.state
    box = box_of(line, state)
    dead = state.condition is KadathCondition.DEAD
    return KadathLifeResult(
        state=state,
        box=box,
        in_peril=in_peril(line, state),
        unfavorable=BOXES[box].unfavorable if box else 0,  # KA-53
        out_of_action=course.out_of_action,
        events=course.events,
        peril_rolls=tuple(event.peril for event in course.events if event.peril),
        boxes_before_peril=None if state.position is None else last_box(line) - state.position,
        destiny_roll_due=dead and target.actor_type is KadathActorType.PC,  # KA-68
    )


def take(course: Course, hit: Hit, dice: Dice) -> Course:
    """Take one blow: move the token, or read the table of perils."""
    state, target = course.state, hit.target
    if state.condition is KadathCondition.DEAD:
        return course
    damage = max(0, hit.damage - hit.protection)  # KA-45
    dice.note(
        "KA-45",
        "blow",
        number=hit.number,
        hit=hit.damage,
        protection=hit.protection,
        damage=damage,
    )
    if damage == 0:
        return _after(course, hit, damage, state)
    if state.treated:
        dice.note("KA-62", "treatable")
    black = last_box(target.life_line)
    if state.position is not None and state.position < black:
        return _pushed(course, hit, damage, dice)
    state = state.model_copy(update={"treated": False})  # KA-62
    if target.actor_type is KadathActorType.EXTRA:  # KA-R33
        dice.note("KA-R33", "out_of_action")
        return _after(course, hit, damage, state, out_of_action=True)
    face = dice.die("peril", sides=SIDES)  # KA-54, KA-R30
    row = row_at(target.peril_table, face)
    dice.note("KA-54", "peril_roll", face=face, table=row is not None)
    roll = KadathPerilRoll(face=face, row=row)
    return _after(course, hit, damage, _suffer(state, row, dice), peril=roll)


def _pushed(course: Course, hit: Hit, damage: int, dice: Dice) -> Course:
    """KA-52: one box left for each point, never past the black one."""
    line, state = hit.target.life_line, course.state
    black, old = last_box(line), state.position or 0
    new = min(black, old + damage)
    lost = damage - (new - old)  # KA-R29
    for box in range(old, new):
        dice.note("KA-52", "box_left", before=box, after=box + 1, box=box_at(line, box + 1))
    if lost:
        dice.note("KA-R29", "lost", lost=lost)
    entered = new == black
    extra = hit.target.actor_type is KadathActorType.EXTRA
    if entered:
        dice.note("KA-54", "enters_peril")
    if entered and extra:
        dice.note("KA-R33", "out_of_action")
    moved = state.model_copy(update={"treated": False, "position": new})
    return _after(
        course,
        hit,
        damage,
        moved,
        lost=lost,
        entered_peril=entered,
        out_of_action=course.out_of_action or (entered and extra),
    )


def _suffer(state: KadathLifeState, row: KadathPerilRow | None, dice: Dice) -> KadathLifeState:
    """KA-54, KA-R32: what a row of the table of perils does; the worse condition stays."""
    if row is None:
        return state
    dice.note(
        "KA-54",
        "peril_row",
        low=row.from_,
        high=row.to,
        condition=row.condition,
        prone=row.prone or row.condition is not KadathCondition.NONE,
    )
    changed: dict[str, Any] = {"prone": state.prone or row.prone}
    if row.condition is KadathCondition.NONE:
        changed["peril_effects"] = (*state.peril_effects, row.label)[:EFFECTS_MAX]
    elif SEVERITY.index(row.condition) > SEVERITY.index(state.condition):
        dice.note(
            CONDITION_RULES[row.condition],
            "condition",
            before=state.condition,
            after=row.condition,
        )
        changed |= {"condition": row.condition, "position": None, "prone": True}  # KA-56
        changed |= _begun(row.condition, dice)
    return state.model_copy(update=changed)


def _begun(condition: KadathCondition, dice: Dice) -> dict[str, Any]:
    """KA-59, KA-60: the count that a condition starts, or stops."""
    if condition is KadathCondition.TRAUMA:
        return {"trauma_rounds": 0}
    if condition is KadathCondition.COMA:
        return {"days_to_live": coma_days(dice)}
    return {"days_to_live": None} if condition is KadathCondition.DEAD else {}


def coma_days(dice: Dice) -> int:
    """KA-60: the days a coma leaves, rolled when it starts (KA-R36)."""
    days = dice.die("days", sides=SIDES)
    dice.note("KA-60", "days", days=days)
    return days


def _after(
    course: Course,
    hit: Hit,
    damage: int,
    state: KadathLifeState,
    *,
    lost: int = 0,
    entered_peril: bool = False,
    out_of_action: bool | None = None,
    peril: KadathPerilRoll | None = None,
) -> Course:
    event = KadathBlow(
        hit=hit.damage,
        protection=hit.protection,
        damage=damage,
        from_=course.state.position,
        to=state.position,
        lost=lost,
        entered_peril=entered_peril,
        peril=peril,
    )
    out = course.out_of_action if out_of_action is None else out_of_action
    return Course(state, out, (*course.events, event))


def life_summary(result: KadathLifeResult) -> tuple[str, ...]:
    """Name the sentences that tell where somebody stands."""
    condition = result.state.condition
    if condition is KadathCondition.COMA and result.state.days_to_live is None:
        told = ["in_coma"]
    elif condition is not KadathCondition.NONE:
        told = [f"is_{condition}"]
    elif result.out_of_action:
        told = ["out_of_action"]
    else:
        told = ["black" if result.in_peril else "standing"]
    if result.destiny_roll_due:
        told.append("destiny")
    return tuple(told)


ELSEWHERE = {"standing": (), "is_coma": ("in_coma",)}
"""Sentences that read the life line itself, and what stands for them beside it."""


def target_summary(result: KadathLifeResult | None) -> tuple[str, ...]:
    """Name the sentences that tell what blows have done to a target, if any have."""
    if result is None or not result.events:
        return ()
    return tuple(name for told in life_summary(result) for name in ELSEWHERE.get(told, (told,)))
