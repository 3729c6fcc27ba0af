"""XP become advances, advances buy more: rules LB-14 to LB-16, rulings LB-R11, LB-R13, LB-R26."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from arbitre.dice import Dice
from arbitre.rules.errors import RuleRefused
from arbitre.rules.fields import Name
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.resolver import resolver
from arbitre.systems.lady_blackbird.names import find, repeated
from arbitre.systems.lady_blackbird.sheet import (
    LINES,
    MOST,
    LadyBlackbirdSecret,
    Names,
    Points,
    Secrets,
    convert,
)
from arbitre.systems.lady_blackbird.tables import PRICES, LadyBlackbirdPurchaseKind

TRAIT = LadyBlackbirdPurchaseKind.TRAIT
TAG = LadyBlackbirdPurchaseKind.TAG
KEY = LadyBlackbirdPurchaseKind.KEY
SECRET = LadyBlackbirdPurchaseKind.SECRET

REFUSALS = (
    "not-enough-advances",
    "advances-range",
    "trait-twice",
    "trait-unknown",
    "tag-twice",
    "key-twice",
    "key-former",
    "secret-twice",
    "secret-means",
    "purchase-fields",
    "sheet-full",
)
"""Of several refusals, the first of these is given."""


class LadyBlackbirdBasis(StrEnum):
    LEARNED = "learned"
    PAST_EXPERIENCE = "past_experience"


class LadyBlackbirdTrait(Frozen):
    name: Name
    """The trait."""
    tags: Names = ()
    """Its tags."""


class LadyBlackbirdSheet(Frozen):
    xp: Points = 0
    """Points not yet turned into an advance (LB-14)."""
    advances: Points = 0
    """Unspent advances (LB-16)."""
    traits: Annotated[tuple[LadyBlackbirdTrait, ...], Field(max_length=LINES)] = ()
    """Traits and their tags."""
    keys: Names = ()
    """Keys."""
    former_keys: Names = ()
    """Keys given up (LB-R26)."""
    secrets: Secrets = ()
    """Secrets."""


class LadyBlackbirdPurchase(Frozen):
    kind: LadyBlackbirdPurchaseKind
    """What is bought (LB-15)."""
    name: Name
    """Its name."""
    trait: Name | None = None
    """The trait that receives a tag."""
    basis: LadyBlackbirdBasis | None = None
    """Where a trait comes from; for information."""
    means: bool = True
    """The character has the means to learn a secret (LB-R15)."""


class LadyBlackbirdAdvancementRequest(Request):
    purchases: Annotated[tuple[LadyBlackbirdPurchase, ...], Field(max_length=20)] = ()
    """What is bought, in this order, one advance each."""
    state: LadyBlackbirdSheet = LadyBlackbirdSheet()
    """The sheet before."""


class LadyBlackbirdAdvancementOutcome(Outcome):
    state: LadyBlackbirdSheet
    """The sheet after; less than five XP remain (LB-14)."""
    advances_gained: int
    """Advances by conversion (LB-14)."""
    advances_spent: int
    """Advances spent (LB-15)."""


class Fault(NamedTuple):
    code: str
    pointer: str
    number: int


def purchase_faults(sheet: LadyBlackbirdSheet, bought: LadyBlackbirdPurchase) -> Iterator[str]:
    """LB-15, LB-R13, LB-R15, LB-R26: why this purchase is none."""
    if bought.kind is TRAIT and find(bought.name, _names(sheet.traits)) is not None:
        yield "trait-twice"
    if bought.kind is TAG and bought.trait is not None:
        place = find(bought.trait, _names(sheet.traits))
        if place is None:
            yield "trait-unknown"
        elif find(bought.name, sheet.traits[place].tags) is not None:
            yield "tag-twice"
    if bought.kind is KEY and find(bought.name, sheet.keys) is not None:
        yield "key-twice"
    if bought.kind is KEY and find(bought.name, sheet.former_keys) is not None:
        yield "key-former"
    if bought.kind is SECRET and find(bought.name, _names(sheet.secrets)) is not None:
        yield "secret-twice"
    if bought.kind is SECRET and not bought.means:
        yield "secret-means"
    foreign = (
        (bought.trait is None) if bought.kind is TAG else (bought.trait is not None),
        bought.kind is not TRAIT and bought.basis is not None,
        bought.kind is not SECRET and not bought.means,
    )
    if any(foreign):
        yield "purchase-fields"


def buy(sheet: LadyBlackbirdSheet, bought: LadyBlackbirdPurchase) -> LadyBlackbirdSheet:
    """LB-15: one more on the sheet; a new trait has no tag (LB-R13), a new secret is usable."""
    if bought.kind is TRAIT:
        more: dict[str, object] = {"traits": (*sheet.traits, LadyBlackbirdTrait(name=bought.name))}
    elif bought.kind is TAG:
        place = find(bought.trait or "", _names(sheet.traits))
        more = {
            "traits": tuple(
                trait.model_copy(update={"tags": (*trait.tags, bought.name)})
                if index == place
                else trait
                for index, trait in enumerate(sheet.traits)
            )
        }
    elif bought.kind is KEY:
        more = {"keys": (*sheet.keys, bought.name)}
    else:
        secret = LadyBlackbirdSecret(name=bought.name, available=True)
        more = {"secrets": (*sheet.secrets, secret)}
    return sheet.model_copy(update=more)


def sheet_faults(sheet: LadyBlackbirdSheet) -> Iterator[Fault]:
    """LB-R13: no list of the sheet holds a name twice."""
    lists = [
        ("trait-twice", "/state/traits", _names(sheet.traits), "/name"),
        *(
            ("tag-twice", f"/state/traits/{index}/tags", trait.tags, "")
            for index, trait in enumerate(sheet.traits)
        ),
        ("key-twice", "/state/keys", sheet.keys, ""),
        ("key-twice", "/state/former_keys", sheet.former_keys, ""),
        ("secret-twice", "/state/secrets", _names(sheet.secrets), "/name"),
    ]
    for code, pointer, names, leaf in lists:
        twice = repeated(names)
        if twice is not None:
            yield Fault(code, f"{pointer}/{twice}{leaf}", 0)


def full(sheet: LadyBlackbirdSheet) -> bool:
    """Say whether a list has become longer than a sheet is."""
    tags = (trait.tags for trait in sheet.traits)
    return any(len(owned) > LINES for owned in (sheet.traits, sheet.keys, sheet.secrets, *tags))


def _names(
    owned: tuple[LadyBlackbirdTrait, ...] | tuple[LadyBlackbirdSecret, ...],
) -> tuple[str, ...]:
    return tuple(one.name for one in owned)


def summary(outcome: LadyBlackbirdAdvancementOutcome) -> str:
    return "spent" if outcome.advances_spent else "kept"


@resolver(
    "advancement",
    rules=("LB-14", "LB-15", "LB-16", "LB-R11", "LB-R13", "LB-R15", "LB-R26"),
    summary=summary,
)
def advancement(
    request: LadyBlackbirdAdvancementRequest, dice: Dice
) -> LadyBlackbirdAdvancementOutcome:
    """Turn XP into advances and spend advances, at any moment."""
    before = request.state
    converted = convert(before.xp, before.advances, dice)
    price = sum(PRICES[bought.kind] for bought in request.purchases)
    left = converted.advances - price
    faults = list(sheet_faults(before))
    if left < 0:
        faults.append(Fault("not-enough-advances", "/purchases", 0))
    if left > MOST:  # LB-16
        faults.append(Fault("advances-range", "/state/advances", 0))
    sheet = before
    for index, bought in enumerate(request.purchases):
        found = list(purchase_faults(sheet, bought))
        faults += [Fault(code, f"/purchases/{index}", index + 1) for code in found]
        if not found:
            sheet = buy(sheet, bought)
            if full(sheet):
                faults.append(Fault("sheet-full", f"/purchases/{index}", index + 1))
            dice.note("LB-15", "bought", number=index + 1, kind=bought.kind)
    if faults:
        first = min(faults, key=lambda fault: REFUSALS.index(fault.code))
        raise RuleRefused(
            first.code,
            pointer=first.pointer,
            rule="LB-15",
            bought=first.number > 0,
            purchase=first.number or "",
            advances=converted.advances,
            most=MOST if first.code == "advances-range" else LINES,
        )
    dice.note("LB-16", "advances_left", before=converted.advances, spent=price, after=left)
    return LadyBlackbirdAdvancementOutcome(
        state=sheet.model_copy(update={"xp": converted.xp, "advances": left}),
        advances_gained=converted.gained,
        advances_spent=price,
    )
