"""The shapes of answers, for OpenAPI and for pages; resolutions are never re-validated."""

from functools import cache
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from arbitre.api.calls import stem
from arbitre.rules.model import Exact, Outcome, Request
from arbitre.rules.resolver import Resolver

Q = TypeVar("Q", bound=Request)
O = TypeVar("O", bound=Outcome)  # noqa: E741 - an outcome


class Document(BaseModel):
    """An answer; the string under a field is its description."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class DrawnDice(Document):
    """One draw, in draw order."""

    tag: str
    """What the dice were for."""
    sides: int
    """Sides of each die."""
    faces: list[int]
    """The faces, as they fell."""
    source: Literal["seed", "hand"]
    """Derived from the seed, or rolled by hand."""


class StepText(Document):
    """One rule that acted."""

    rule: str
    """The id of the rule or ruling."""
    key: str
    """Which of our sentences this is."""
    values: dict[str, Any]
    """The numbers and choices in the sentence."""
    text: str
    """The sentence, in the language asked for."""
    section: str
    """Where the rule stands in the book."""
    page: int | None
    """Its page, where the book has pages."""


class LogReceipt(Document):
    """What to keep to prove the roll later."""

    entry: str
    """The entry, byte for byte: canonical JSON (RFC 8785)."""
    sig: str
    """Its Ed25519 signature, hexadecimal."""
    hash: str
    """The entry's hash, hexadecimal."""
    key: str
    """The public key of the signature, hexadecimal."""
    entropy: Literal["server-only", "caller", "hand", "own", "pool"]
    """Who had a say in the faces."""
    seed: str | None
    """The seed the faces derive from, hexadecimal; null for hand dice and at tables."""
    table: str | None
    """The table, or null."""
    seq: int | None
    """The number of the entry in the table's log, or null."""


class Answer(Document, Generic[Q, O]):
    """A resolution: the dice, the verdict, the explanation, the receipt."""

    id: str
    """The id of the logged roll."""
    system: str
    """The game."""
    resolver: str
    """The rule."""
    rules_version: str
    """The version of the game's rules."""
    actor: str | None
    """The caller's word for who acts."""
    note: str | None
    """The caller's remark."""
    secret: bool
    """Whether it is sealed for all but the game master."""
    request: Q
    """The request, with its defaults filled in."""
    draws: list[DrawnDice]
    """Every draw, in order."""
    outcome: O
    """What the rules make of it."""
    summary: str
    """The outcome in a sentence or two."""
    steps: list[StepText]
    """Each rule that acted, in order."""
    log: LogReceipt
    """The signed entry."""


class OddsValue(Document):
    """One value and its exact chance."""

    value: Any
    """A number, a boolean, a choice, null, or a list of them for a joint distribution."""
    p: str
    """The chance as a fraction."""
    decimal: float
    """The chance, rounded."""


class OddsField(Document):
    """The distribution of one field of the outcome; its chances add up to exactly one."""

    field: str
    """The field, as a dotted path; joined by + for a joint distribution."""
    values: list[OddsValue]
    """Every value it can take."""
    mean: Exact | None
    """The expected value, where every value is a number."""


class OddsAnswer(Document, Generic[Q]):
    """Exact odds of a request."""

    system: str
    """The game."""
    resolver: str
    """The rule."""
    rules_version: str
    """The version of the game's rules."""
    request: Q
    """The request, with its defaults filled in."""
    odds: list[OddsField]
    """Each field worth asking."""
    work: int
    """Units of work it took."""


for _open in (Answer, OddsAnswer):
    # what is derived from them at run time has no source to search for descriptions
    _open.model_config["use_attribute_docstrings"] = False


class AnyAnswer(Answer[Any, Any]):
    """A resolution of any rule."""


class AnyOddsAnswer(OddsAnswer[Any]):
    """Exact odds of any rule."""

    aid: Any = Field(description="What goes beyond one call, where the rule offers it.")


class ChatAnswer(RootModel[AnyAnswer | AnyOddsAnswer]):
    """What a line of notation asked for: a resolution, or odds."""


class FaultText(Document):
    """One thing wrong."""

    pointer: str
    """Where, as a JSON pointer into the body."""
    code: str
    """What, as a stable name."""
    detail: str
    """What, in words."""


class ProblemText(Document):
    """An error (RFC 9457), with the way out."""

    type: str
    """The address of the kind of problem."""
    title: str
    """The kind, in a few words."""
    status: int
    """The HTTP status."""
    code: str
    """The stable name of the problem."""
    detail: str
    """What happened."""
    fix: str
    """What to do next."""
    faults: list[FaultText]
    """Each thing wrong with the body."""
    rule: str | None = None
    """The rule that refuses, where one does."""
    word: str | None = None
    """In a line of notation, what could not be read."""
    position: int | None = None
    """Where it stands in the line, from 0."""
    nearest: str | None = None
    """A word or a line that would be understood."""


class BatchAnswer(Document):
    """One item of a batch: an answer, or a problem."""

    status: int
    """The HTTP status the item would have had alone."""
    answer: AnyAnswer | None = None
    """The resolution."""
    problem: ProblemText | None = None
    """Why there is none."""


class BatchAnswers(Document):
    """The answers of a batch, in the order of its items."""

    answers: list[BatchAnswer]
    """One for each item."""


class NamedValue(Document):
    """A detail of a check."""

    name: str
    """What it is."""
    value: str
    """Its value, as JSON text."""


class CheckText(Document):
    """One thing that was looked at."""

    name: str
    """What: form, fields, key, signature, seed, faces, ruleset, request, draws, outcome."""
    ok: bool | None
    """Whether it holds; null when it could not be looked at."""
    reason: str | None
    """Why not, as a stable name."""
    detail: str
    """In words."""
    values: list[NamedValue]
    """Where it differs, and how."""


class VerdictText(Document):
    """What an entry was found to be."""

    valid: bool
    """Whether everything that was looked at holds."""
    status: Literal["valid", "invalid", "version"]
    """The same, with the case that the rules of that version are not here."""
    id: str | None
    """The id of the roll, where it can be read."""
    summary: str
    """In a sentence."""
    checks: list[CheckText]
    """Everything that was looked at, in order."""


class SystemCard(Document):
    """One game."""

    id: str
    """Its id, in addresses."""
    name: str
    """Its name."""
    version: str
    """The version of its rules; it changes when any outcome does."""
    languages: list[str]
    """The languages its sentences exist in."""
    resolvers: list[str]
    """The ids of its rules."""


class Systems(Document):
    """The games."""

    systems: list[SystemCard]
    """All of them."""


class ResolverCard(Document):
    """One rule of a game that can be called."""

    id: str
    """Its id, in addresses."""
    name: str
    """Its name."""
    description: str
    """What it resolves."""
    rules: list[str]
    """The ids of the rules and rulings it applies."""
    odds: list[str]
    """The outcome fields whose odds can be asked."""
    example: dict[str, Any]
    """A request that works."""
    request: dict[str, Any]
    """The JSON Schema of a request."""
    outcome: dict[str, Any]
    """The JSON Schema of an outcome."""


class SystemPage(Document):
    """One game and the schema of each of its rules."""

    id: str
    """Its id, in addresses."""
    name: str
    """Its name."""
    version: str
    """The version of its rules."""
    languages: list[str]
    """The languages its sentences exist in."""
    resolvers: list[ResolverCard]
    """Its rules."""


class RuleCard(Document):
    """One rule or ruling of the book."""

    id: str
    """Its id, as steps cite it."""
    title: str
    """Its title."""
    section: str
    """Where it stands in the book."""
    page: int | None
    """Its page, where the book has pages."""
    ruling: bool
    """Whether we had to choose where the book is silent or contradicts itself."""
    resolvers: list[str]
    """The rules of the service that apply it."""
    unclaimed: str | None
    """Why none does."""


class RulesPage(Document):
    """Every rule and ruling of a game."""

    rules: list[RuleCard]
    """In the order of the book."""


class ColumnCard(Document):
    """One column."""

    id: str
    """Its name in data."""
    label: str
    """Its title."""


class TableCard(Document):
    """One table of the rulebook."""

    id: str
    """Its id."""
    title: str
    """Its title."""
    rules: list[str]
    """The rules it belongs to."""
    columns: list[ColumnCard]
    """Its columns."""
    rows: list[list[Any]]
    """Its rows, a cell for each column."""


class TablesPage(Document):
    """The tables of a rulebook, as data."""

    tables: list[TableCard]
    """All of them."""


class ProblemCard(Document):
    """One kind of problem."""

    code: str
    """Its stable name."""
    system: str | None
    """The game that refuses, or null for the service itself."""
    detail: str
    """What it says."""
    fix: str
    """What to do next."""


class ProblemsPage(Document):
    """Every problem there is."""

    problems: list[ProblemCard]
    """All of them."""


class KeyPage(Document):
    """The key that signs, to pin."""

    algorithm: Literal["Ed25519"]
    """How entries are signed."""
    key: str
    """The public key, hexadecimal."""
    key_id: str
    """Its short id, to compare by eye."""


class TableReceipt(Document):
    """One entry of a table's log, to keep."""

    table: str
    """The table."""
    seq: int
    """The entry's number."""
    type: Literal["genesis", "seed", "roll", "rotate", "reveal", "unveil", "close"]
    """What the entry is."""
    entry: str
    """The entry, byte for byte: canonical JSON (RFC 8785)."""
    sig: str
    """Its Ed25519 signature, hexadecimal."""
    hash: str
    """Its hash, which the next entry names."""
    key: str
    """The public key of the signature, hexadecimal."""


class TableEntry(TableReceipt):
    """One entry of a table's log, as the reader may see it."""

    opened: dict[str, Any] | None
    """What a secret roll hides, for the game master."""


class TableEntries(Document):
    """A page of a table's log."""

    entries: list[TableEntry]
    """The entries, in order."""
    next: int | None
    """The number to start the next page from, or null at the end."""


class Commitments(Document):
    """The hashes of an epoch's two seeds, published before any roll of it."""

    open: str
    """Of the seed of open rolls."""
    veil: str
    """Of the seed of secret rolls."""


class TableText(Document):
    """A table and where its log stands."""

    id: str
    """Its id: whoever knows it may read the log."""
    name: str
    """What the players call it."""
    key: str
    """The public key that signs its log, to pin."""
    epoch: int
    """The number of its epoch."""
    commitments: Commitments
    """What is promised of the epoch's seeds."""
    contributions: int
    """How often players contributed to the epoch's faces."""
    length: int
    """Entries in the log."""
    head: str
    """The hash of the last one, for If-Match and to compare aloud."""
    closed: bool
    """Whether the log has ended."""


class NewTable(TableText):
    """A new table, with its tokens: they are shown only here."""

    gm_token: str
    """What the game master shows."""
    player_token: str
    """What players show: it rolls and seeds, and reads no secret."""
    log: TableReceipt
    """The first entry."""


class Health(Document):
    """Whether the service can work."""

    status: Literal["ok"]
    """It can."""


@cache
def answer_model(resolver: Resolver[Any, Any]) -> type[BaseModel]:
    """Return the shape of a resolution."""
    return create_model(
        f"{stem(resolver)}Answer",
        __base__=Answer[resolver.request, resolver.outcome],  # type: ignore[name-defined]
        __doc__=Answer.__doc__,
    )


@cache
def odds_answer_model(resolver: Resolver[Any, Any]) -> type[BaseModel]:
    """Return the shape of a rule's odds, with its aid where it has one."""
    aid: Any = (resolver.aid.answer | None) if resolver.aid else None
    return create_model(
        f"{stem(resolver)}OddsAnswer",
        __base__=OddsAnswer[resolver.request],  # type: ignore[name-defined]
        __doc__=OddsAnswer.__doc__,
        aid=(aid, Field(description="What goes beyond one call, where the rule offers it.")),
    )
