"""Dangers of the city: the group's check and the six kinds of incident, rules KA-72 to KA-84."""

from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import CLEAN, WHOLE, Hundredths
from arbitre.rules.model import Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.kadath.block import (
    NO_TERMS,
    TEST_RULES,
    KadathBlock,
    KadathRole,
    KadathTest,
    attempt,
    by_successes,
)
from arbitre.systems.kadath.kinds import given, refuse_others
from arbitre.systems.kadath.many import (
    Against,
    Facing,
    any_loses,
    any_wins,
    face_all,
    face_one,
)
from arbitre.systems.kadath.parts import part
from arbitre.systems.kadath.screen import KadathRow, refuse_holes, row_at
from arbitre.systems.kadath.tables import SIDES, KadathIncident
from arbitre.systems.kadath.versus import (
    VERSUS_RULES,
    KadathDecidedBy,
    KadathInitiator,
    KadathWinner,
    compare,
)

Hours = Annotated[Decimal, Hundredths(Decimal("0.01"), 100000)]
Blocks = Annotated[tuple[KadathBlock, ...], Field(min_length=1, max_length=20)]

GOODS_SNATCHED = 1  # KA-77

SURPRISED = {"surprised": True}
CHASING = {"surprised": True, "can_chase": False}
IMPASSIVE = {"impassive": False}

SNATCH = Against(KadathRole.THIEF, KadathRole.CHARACTER)
HARASSMENT = Against(KadathRole.HARASSERS, KadathRole.CHARACTER)  # KA-R50
CRUSADE = Against(KadathRole.AMBUSHERS, KadathRole.CHARACTER)


class KadathIncidentKind(StrEnum):
    CHECK = "check"
    PICKPOCKET = "pickpocket"
    SNATCH = "snatch"
    SHAKEDOWN = "shakedown"
    HARASSMENT = "harassment"
    PUNISHMENT = "punishment"
    CRUSADE = "crusade"


FACING = {
    KadathIncidentKind.SNATCH: (SNATCH, "thief", CHASING),
    KadathIncidentKind.HARASSMENT: (HARASSMENT, "harassers", IMPASSIVE),
    KadathIncidentKind.CRUSADE: (CRUSADE, "ambushers", SURPRISED),
}
"""Who faces the characters, and what each flag is for one who loses."""


class KadathIncidentRow(KadathRow):
    kind: KadathIncident
    """Kind of incident."""


class KadathIncidentRequest(Request):
    kind: KadathIncidentKind
    """The group's check, or one kind of incident."""
    members: Blocks | None = None
    """Test of each character, of one of the approach's skills: check (KA-73)."""
    approach: Annotated[str, Field(max_length=60), CLEAN] | None = None
    """Name of the approach; decides nothing: check (KA-73)."""
    group_size: Annotated[int, Field(ge=1, le=50), WHOLE] | None = None
    """Everybody travelling together; default: the members: check (KA-74)."""
    danger: Annotated[int, Field(ge=0, le=20), WHOLE] | None = None
    """Danger of the place; default 0 (KA-74, KA-83)."""
    incident_table: (
        Annotated[tuple[KadathIncidentRow, ...], Field(min_length=1, max_length=6)] | None
    ) = None
    """The caller's incidents of the place, on one die: check (KA-R47)."""
    hours_present: Hours | None = None
    """Hours spent in the place: check (KA-72)."""
    frequency_hours: Hours | None = None
    """Hours between two checks: check (KA-72)."""
    thief: KadathBlock | None = None
    """Escamotage of a pickpocket, Réflexes of a snatch thief (KA-76, KA-77)."""
    victim: KadathBlock | None = None
    """Perception of the victim: pickpocket (KA-76)."""
    characters: Blocks | None = None
    """Test of each character: snatch, harassment, crusade."""
    pc_count: Annotated[int, Field(ge=1, le=20), WHOLE] | None = None
    """Player characters; default: the characters who test (KA-83)."""
    comply: bool | None = None
    """Whether the characters let themselves be robbed: shakedown (KA-79)."""
    harassers: KadathBlock | None = None
    """Psychologie of the xenophobes: harassment (KA-80)."""
    wounded: Annotated[int, Field(ge=0, le=100), WHOLE] | None = None
    """Fanatics hit at least once; default 0: punishment (KA-81)."""
    ambushers: KadathBlock | None = None
    """Discrétion of the zealots: crusade (KA-82)."""
    down: Annotated[int, Field(ge=0, le=100), WHOLE] | None = None
    """Zealots out of action; default 0: crusade (KA-82)."""


class KadathIncidentCharacter(KadathTest):
    decided_by: KadathDecidedBy
    """What decides (KA-09 to KA-12)."""
    margin: int
    """Difference of successes (KA-09)."""
    surprised: bool | None = None
    """Whether the character is surprised: snatch, crusade."""
    can_chase: bool | None = None
    """Whether the character may chase the thief: snatch (KA-77)."""
    impassive: bool | None = None
    """Whether the character stays impassive: harassment (KA-80)."""


class KadathIncidentOutcome(Outcome):
    kind: KadathIncidentKind
    """As asked."""
    incident: bool | None = None
    """Whether an incident occurs (KA-74)."""
    approach: str | None = None
    """As sent."""
    successes: int | None = None
    """Successes of the group (KA-R46)."""
    threshold: int | None = None
    """Successes the group needs (KA-74)."""
    missing: int | None = None
    """Successes the group lacks (KA-74)."""
    members: tuple[KadathTest, ...] | None = None
    """Each member's test."""
    incident_face: int | None = None
    """Face read on the caller's incidents (KA-75)."""
    incident_kind: KadathIncident | None = None
    """Kind of incident, where the caller sent a table (KA-75)."""
    checks_due: int | None = None
    """Checks due for the hours spent (KA-72)."""
    stolen: bool | None = None
    """Whether the victim loses a good (KA-76)."""
    thief_flees: bool | None = None
    """Whether the thief flees empty-handed (KA-76)."""
    winner: KadathWinner | None = None
    """The thief is the first side (KA-76)."""
    decided_by: KadathDecidedBy | None = None
    """What decides (KA-09 to KA-12)."""
    margin: int | None = None
    """Difference of successes (KA-09)."""
    thief: KadathTest | None = None
    """Test of the thief."""
    victim: KadathTest | None = None
    """Test of the victim."""
    goods_lost: int | None = None
    """Goods lost (KA-77, KA-79)."""
    harassers: KadathTest | None = None
    """Test of the xenophobes."""
    ambushers: KadathTest | None = None
    """Test of the zealots."""
    characters: tuple[KadathIncidentCharacter, ...] | None = None
    """Each character's test."""
    pursuers: tuple[int, ...] | None = None
    """Places, from 0, of those who may chase (KA-77)."""
    nobody_can_chase: bool | None = None
    """Whether nobody may chase (KA-77)."""
    opponents: int | None = None
    """How many foes (KA-83)."""
    fight: bool | None = None
    """Whether it comes to an assault (KA-84)."""
    impassive: bool | None = None
    """Whether every character stays impassive (KA-R50)."""
    rout_at: int | None = None
    """Wounded at which all the fanatics leave (KA-81)."""
    all_flee: bool | None = None
    """Whether they all leave (KA-81)."""
    flees_when_hit: bool | None = None
    """Whether a fanatic who is hit runs away (KA-81)."""
    remaining_before_rout: int | None = None
    """Wounded still missing for that (KA-81)."""
    retreat_at: int | None = None
    """Zealots down at which the others give up (KA-82)."""
    give_up: bool | None = None
    """Whether they give up (KA-82)."""


TOLD = {
    KadathIncidentKind.CHECK: ("incident", "incident_occurs", "no_incident"),
    KadathIncidentKind.PICKPOCKET: ("stolen", "stolen", "thief_flees"),
    KadathIncidentKind.SNATCH: ("pursuers", "can_chase", "nobody_can_chase"),
    KadathIncidentKind.SHAKEDOWN: ("fight", "assault", "robbed"),
    KadathIncidentKind.HARASSMENT: ("fight", "assault", "impassive"),
    KadathIncidentKind.PUNISHMENT: ("all_flee", "all_flee", "stand_until_rout"),
    KadathIncidentKind.CRUSADE: ("give_up", "give_up", "fight_until_half"),
}


def summary(outcome: KadathIncidentOutcome) -> str:
    field, yes, no = TOLD[outcome.kind]
    return yes if getattr(outcome, field) else no


def views(request: KadathIncidentRequest) -> tuple[Callable[[Dice], Any], ...]:
    """Look at the group as a whole, then at each character by itself."""
    characters = request.characters or ()

    def whole(dice: Dice) -> KadathIncidentOutcome:
        return incident.resolve(request, dice).model_copy(update={"characters": ()})

    def one(index: int, dice: Dice) -> Any:
        against, foe, flags = FACING[request.kind]
        block = given(getattr(request, foe))
        facing = face_one(block, characters[index], index + 1, against, dice)
        return part("characters", index, _character(facing, flags))

    return whole, *(partial(one, index) for index in range(len(characters)))


@resolver(
    "incident",
    rules=(
        *(
            "KA-37",
            "KA-72",
            "KA-73",
            "KA-74",
            "KA-75",
            "KA-76",
            "KA-77",
            "KA-79",
            "KA-80",
            "KA-81",
            "KA-82",
            "KA-83",
            "KA-84",
            "KA-86",
        ),
        *("KA-R12", "KA-R46", "KA-R47", "KA-R48", "KA-R49", "KA-R50", "KA-R51", "KA-R57"),
        *TEST_RULES,
        *VERSUS_RULES,
    ),
    odds=(
        "incident",
        "successes",
        "incident_kind",
        "stolen",
        "nobody_can_chase",
        "fight",
        "characters[].surprised",
        "characters[].can_chase",
        "characters[].impassive",
    ),
    summary=summary,
    views=views,
)
def incident(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """Check whether the city strikes, or play one of its six ways to."""
    return PLAYS[request.kind](request, dice)


def _check(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-74: the group's successes, added up, against its size and the Danger (KA-R46)."""
    takes = (
        "approach",
        "group_size",
        "danger",
        "incident_table",
        "hours_present",
        "frequency_hours",
    )
    refuse_others(request, request.kind, takes, needs=("members",))
    members = given(request.members)
    size = len(members) if request.group_size is None else request.group_size
    if size < len(members):
        raise RuleRefused("group-too-small", pointer="/group_size", rule="KA-74")
    refuse_holes(request.incident_table, "/incident_table")
    threshold = size + (request.danger or 0)
    tests = dice.gather(
        _member,
        ((member, number) for number, member in enumerate(members, 1)),
        state=NO_TESTS,
        combine=_joined,
        merge=by_successes,
        merge_state=_sum,
    )
    successes = _sum(tests)
    occurs = successes < threshold
    dice.note(
        "KA-74",
        "check",
        size=size,
        danger=request.danger or 0,
        threshold=threshold,
        successes=successes,
        incident=occurs,
    )
    face = dice.die("incident", sides=SIDES) if occurs and request.incident_table else None
    row = row_at(request.incident_table, face) if face else None
    if row:
        dice.note("KA-75", "incident_kind", face=face, kind=row.kind)
    return KadathIncidentOutcome(
        kind=request.kind,
        incident=occurs,
        approach=request.approach,
        successes=successes,
        threshold=threshold,
        missing=max(0, threshold - successes),
        members=tests,
        incident_face=face,
        incident_kind=row.kind if row else None,
        checks_due=_checks_due(request, dice),
    )


NO_TESTS: tuple[KadathTest, ...] = ()


def _member(member: KadathBlock, number: int, dice: Dice) -> KadathTest:
    dice.note("KA-74", "facing", number=number, role=KadathRole.MEMBER)
    return dice.sub(attempt, member, NO_TERMS, KadathRole.MEMBER, merge=by_successes)


def _joined(tests: tuple[KadathTest, ...], more: KadathTest) -> tuple[KadathTest, ...]:
    return (*tests, more)


def _sum(tests: tuple[KadathTest, ...]) -> int:
    return sum(test.successes for test in tests)


def _checks_due(request: KadathIncidentRequest, dice: Dice) -> int | None:
    """KA-72: one check for each whole span of hours; unknown without both numbers."""
    if request.hours_present is None or request.frequency_hours is None:
        return None
    due = int(request.hours_present // request.frequency_hours)
    dice.note(
        "KA-72",
        "checks_due",
        hours=request.hours_present,
        frequency=request.frequency_hours,
        due=due,
    )
    return due


def _pickpocket(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-76: Escamotage against Perception; the thief initiates."""
    refuse_others(request, request.kind, (), needs=("thief", "victim"))
    thief = dice.sub(attempt, given(request.thief), NO_TERMS, KadathRole.THIEF, merge=by_successes)
    victim = dice.sub(
        attempt, given(request.victim), NO_TERMS, KadathRole.VICTIM, merge=by_successes
    )
    verdict = compare(thief, victim, KadathInitiator.A, dice)
    stolen = verdict.winner is KadathWinner.A
    dice.note("KA-76", "pickpocket", stolen=stolen)
    return KadathIncidentOutcome(
        kind=request.kind,
        stolen=stolen,
        thief_flees=not stolen,
        winner=verdict.winner,
        decided_by=verdict.decided_by,
        margin=verdict.margin,
        thief=thief,
        victim=victim,
    )


def _snatch(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-77: the good is gone; those who are not surprised may chase."""
    refuse_others(request, request.kind, (), needs=("thief", "characters"))
    many = face_all(given(request.thief), given(request.characters), SNATCH, any_wins, dice)
    pursuers = tuple(index for index, facing in enumerate(many.others) if not facing.lost)
    dice.note("KA-77", "snatch", goods=GOODS_SNATCHED, pursuers=len(pursuers))
    return KadathIncidentOutcome(
        kind=request.kind,
        goods_lost=GOODS_SNATCHED,
        thief=many.one,
        characters=tuple(_character(facing, CHASING) for facing in many.others),
        pursuers=pursuers,
        nobody_can_chase=not pursuers,
    )


def _nothing(_faced: object) -> None:
    """Merge everything: a view of its own tells the odds of each character."""


def _shakedown(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-79: one good each, or an assault."""
    refuse_others(request, request.kind, ("danger",), needs=("pc_count", "comply"))
    pcs, comply = given(request.pc_count), given(request.comply)
    foes = _opponents(pcs, request.danger, dice)
    goods = pcs if comply else 0
    dice.note("KA-79", "shakedown", comply=comply, goods=goods)
    return KadathIncidentOutcome(
        kind=request.kind, opponents=foes, goods_lost=goods, fight=_fight(not comply, dice)
    )


def _harassment(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-80, KA-R50: all the characters must win to stay out of a fight."""
    refuse_others(request, request.kind, ("pc_count", "danger"), needs=("harassers", "characters"))
    characters = given(request.characters)
    foes = _opponents(request.pc_count or len(characters), request.danger, dice)
    many = face_all(given(request.harassers), characters, HARASSMENT, any_loses, dice)
    impassive = not any_loses(many.others)
    dice.note("KA-80", "harassment", impassive=impassive)
    return KadathIncidentOutcome(
        kind=request.kind,
        opponents=foes,
        harassers=many.one,
        characters=tuple(_character(facing, IMPASSIVE) for facing in many.others),
        impassive=impassive,
        fight=_fight(not impassive, dice),
    )


def _punishment(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-81: whoever is hit runs; half of them wounded, all leave."""
    refuse_others(request, request.kind, ("danger", "wounded"), needs=("pc_count",))
    foes = _opponents(given(request.pc_count), request.danger, dice)
    wounded = request.wounded or 0
    if wounded > foes:
        raise RuleRefused("wounded-exceeds", pointer="/wounded", rule="KA-81")
    rout = half(foes)
    dice.note("KA-81", "punishment", wounded=wounded, rout=rout, flee=wounded >= rout)
    return KadathIncidentOutcome(
        kind=request.kind,
        opponents=foes,
        rout_at=rout,
        all_flee=wounded >= rout,
        flees_when_hit=True,
        remaining_before_rout=max(0, rout - wounded),
    )


def _crusade(request: KadathIncidentRequest, dice: Dice) -> KadathIncidentOutcome:
    """KA-82: an ambush; they give up once half of them are down (KA-R57)."""
    refuse_others(
        request,
        request.kind,
        ("pc_count", "danger", "down"),
        needs=("ambushers", "characters"),
    )
    characters = given(request.characters)
    foes = _opponents(request.pc_count or len(characters), request.danger, dice)
    down = request.down or 0
    if down > foes:
        raise RuleRefused("down-exceeds", pointer="/down", rule="KA-82")
    many = face_all(given(request.ambushers), characters, CRUSADE, _nothing, dice)
    retreat = half(foes)
    surprised = sum(facing.lost for facing in many.others)
    if surprised:
        dice.note("KA-37", "surprise_effect")
    dice.note(
        "KA-82", "crusade", surprised=surprised, down=down, retreat=retreat, gone=down >= retreat
    )
    return KadathIncidentOutcome(
        kind=request.kind,
        opponents=foes,
        ambushers=many.one,
        characters=tuple(_character(facing, SURPRISED) for facing in many.others),
        retreat_at=retreat,
        give_up=down >= retreat,
    )


def _opponents(pcs: int, danger: int | None, dice: Dice) -> int:
    """KA-83: as many as the player characters, and the Danger (KA-R48)."""
    foes = pcs + (danger or 0)
    dice.note("KA-83", "opponents", pcs=pcs, danger=danger or 0, opponents=foes)
    return foes


def half(count: int) -> int:
    """KA-R51: half of a group, an odd one rounded up."""
    return (count + 1) // 2


def _fight(fight: bool, dice: Dice) -> bool:
    """KA-84: an assault is an ordinary fight (KA-R49)."""
    if fight:
        dice.note("KA-84", "assault")
    return fight


def _character(facing: Facing, flags: dict[str, bool]) -> KadathIncidentCharacter:
    """Show a character; each flag says what it is for one who loses."""
    shown: dict[str, Any] = dict(facing.test)
    shown |= {name: flag is facing.lost for name, flag in flags.items()}
    return KadathIncidentCharacter(
        **shown, decided_by=facing.verdict.decided_by, margin=facing.verdict.margin
    )


PLAYS = {
    KadathIncidentKind.CHECK: _check,
    KadathIncidentKind.PICKPOCKET: _pickpocket,
    KadathIncidentKind.SNATCH: _snatch,
    KadathIncidentKind.SHAKEDOWN: _shakedown,
    KadathIncidentKind.HARASSMENT: _harassment,
    KadathIncidentKind.PUNISHMENT: _punishment,
    KadathIncidentKind.CRUSADE: _crusade,
}
