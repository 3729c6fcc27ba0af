"""One line of chat becomes a request, and a request becomes a line.

A game's ``chat.py`` declares its words, and ``System(chat=CHAT)`` registers them::

    CHAT = Notation(
        prefix="lb",
        commands=(
            Command("", "roll", Bag(Int("difficulty"), Seq(Mark("+"), Int("pool_dice"), glue=""))),
            Command("scène|refresh", "healing", Seq(Int("state.pool"), Maybe(...))),
        ),
    )

A ``Command`` has the words that open it ("" for none), the resolver, its form, and an example.
Words are separated by "|", the first is the one we write; accents and capitals never count. A
form is built of parts; paths are dotted, inside the request (or inside the item of a list; ""
is the item itself):

``Int`` ``Signed`` ``Quantity`` ``Name``
    a whole number, one with its sign, one with decimals, a name (letters, or in quotes)
``Attached``
    a number that touches the word before it, as in ``t2``: after a blank it is refused
``Choice`` ``Flag`` ``Set`` ``Word`` ``Mark``
    a word out of several for a value; a word that sets a value; a value without any word;
    a word or a sign that only has to be there
``Seq`` ``Maybe`` ``Bag`` ``OneOf`` ``Items`` ``Named``
    one after the other; or nothing; any of these in any order; the first that fits; a list;
    ``pool=3``

Anything else is a class with ``read(line, data)``, ``write(told)`` and ``words``: see ``Part``.
Blanks and commas may stand between any two parts, or be left out. ``parse`` reads
a line, ``render`` writes one and makes sure that it is read back as the same request. Neither
knows the rules: the request is plain data, to be validated like any other.

What no part reads is refused with a ``NotationError``. After ``#`` comes a comment.
``faces`` says how a game writes dice thrown by hand (``=`` for ``= 3 5``, ``[`` for ``[3,5]``),
``odds`` the words, or the sign right after the prefix, that ask for odds.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol
from unicodedata import normalize

from pydantic import ValidationError
from pydantic_core import to_json

from arbitre.rules.line import Line, NotationError, comment_at, fold, one_word, write_name
from arbitre.rules.resolver import Resolver

__all__ = [
    "Attached",
    "Bag",
    "Choice",
    "Command",
    "Flag",
    "Int",
    "Items",
    "Line",
    "Mark",
    "Maybe",
    "Name",
    "Named",
    "Notation",
    "NotationError",
    "OneOf",
    "Part",
    "Quantity",
    "Said",
    "Seq",
    "Set",
    "Signed",
    "Told",
    "Word",
    "get",
    "one_word",
    "parse",
    "put",
    "render",
]

Data = dict[str, Any]


def get(data: Data, path: str) -> Any:
    """Return what ``data`` holds at a dotted path, or None."""
    found: Any = data
    for key in path.split("."):
        if not isinstance(found, dict):
            return None
        found = found.get(key)
    return found


def put(line: Line, data: Data, path: str, value: Any) -> None:
    """Put a value at a dotted path; a second one is refused."""
    *above, last = path.split(".")
    for key in above:
        data = data.setdefault(key, {})
    if last in data:
        line.refuse("given-twice")
    data[last] = value


class Told(NamedTuple):
    """A request to be written: with its defaults, without them, and the words to avoid."""

    full: Data
    sparse: Data
    keywords: Mapping[str, str]

    @property
    def given(self) -> "Told":
        """What is no default, for parts that may be left out."""
        return self._replace(full=self.sparse)


class Part(Protocol):
    """A piece of a line.

    ``read`` consumes what it knows and puts it into ``data``; without anything of its own it
    consumes nothing and returns False. ``write`` returns the text, or None where the request
    holds nothing to write. ``words`` are its keywords.
    """

    def read(self, line: Line, data: Data) -> bool:
        """Read this piece if it comes next."""

    def write(self, told: Told) -> str | None:
        """Write this piece of a request."""

    @property
    def words(self) -> Iterable[str]:
        """The keywords in it."""


@dataclass(frozen=True)
class Int:
    """A whole number without sign."""

    path: str
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: Data) -> bool:
        """Read what this kind of part takes, and put it in its place."""
        start = line.next
        found = self.take(line)
        if found is None:
            return False
        _put_from(line, start, data, self.path, found)
        return True

    def take(self, line: Line) -> Any:
        """Take digits."""
        return line.number()

    def write(self, told: Told) -> str | None:
        """Write digits."""
        return _shown(get(told.full, self.path))


@dataclass(frozen=True)
class Attached(Int):
    """A whole number that touches the word before it."""

    def take(self, line: Line) -> Any:
        """Take digits, but not after a blank."""
        return line.attached()


@dataclass(frozen=True)
class Signed(Int):
    """A whole number with its sign."""

    def take(self, line: Line) -> Any:
        """Take a sign and digits."""
        return line.signed()

    def write(self, told: Told) -> str | None:
        """Write a sign and digits."""
        number = get(told.full, self.path)
        return None if number is None else f"{number:+d}"


@dataclass(frozen=True)
class Quantity(Int):
    """A number of at most two decimals."""

    def take(self, line: Line) -> Any:
        """Take digits, perhaps with a point or a comma."""
        return line.decimal()


@dataclass(frozen=True)
class Name(Int):
    """A name: letters, or anything in quotes."""

    def take(self, line: Line) -> Any:
        """Take a name."""
        return line.name()

    def write(self, told: Told) -> str | None:
        """Write a name, in quotes where it needs them."""
        name = get(told.full, self.path)
        return None if name is None else write_name(name, told.keywords)


@dataclass(frozen=True)
class Choice:
    """A word for each of several values: ``Choice("reward", {"xp": "xp", "dés|dice": "dice"})``."""

    path: str
    values: Mapping[str, Any]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of every value."""
        return tuple(word for words in self.values for word in words.split("|"))

    @cached_property
    def _by_word(self) -> dict[str, Any]:
        return {fold(word): v for words, v in self.values.items() for word in words.split("|")}

    def read(self, line: Line, data: Data) -> bool:
        """Read one of the words."""
        start = line.next
        word = line.word(self._by_word)
        if word is None:
            return False
        _put_from(line, start, data, self.path, self._by_word[word])
        return True

    def write(self, told: Told) -> str | None:
        """Write the first word of the value."""
        value = get(told.full, self.path)
        found = (words for words, known in self.values.items() if known == value)
        words = next(found, None)
        return None if words is None else words.split("|")[0]


def Flag(words: str, path: str, value: Any = True) -> Choice:  # noqa: N802 - a part like the others
    """Return a part: a word that sets a value, ``Flag("danger", "danger")``."""
    return Choice(path, {words: value})


@dataclass(frozen=True)
class Set:
    """A value that goes without saying."""

    path: str
    value: Any
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: Data) -> bool:
        """Read nothing, know the value."""
        put(line, data, self.path, self.value)
        return True

    def write(self, told: Told) -> str | None:
        """Write nothing, if the value is this one."""
        return "" if get(told.full, self.path) == self.value else None


@dataclass(frozen=True)
class Word:
    """A word that only has to be there."""

    spelling: str

    @property
    def words(self) -> tuple[str, ...]:
        """Its spellings."""
        return tuple(self.spelling.split("|"))

    def read(self, line: Line, data: Data) -> bool:  # noqa: ARG002 - it says nothing
        """Read the word."""
        return line.word([fold(word) for word in self.words]) is not None

    def write(self, told: Told) -> str:  # noqa: ARG002 - likewise
        """Write its first spelling."""
        return self.words[0]


@dataclass(frozen=True)
class Mark:
    """A sign that only has to be there."""

    sign: str
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: Data) -> bool:  # noqa: ARG002 - it says nothing
        """Read the sign."""
        return line.mark(self.sign)

    def write(self, told: Told) -> str:  # noqa: ARG002 - likewise
        """Write the sign."""
        return self.sign


class _Several:
    def __init__(self, *parts: Part) -> None:
        self.parts = parts

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all its parts."""
        return tuple(word for part in self.parts for word in part.words)


class Seq(_Several):
    """One part after the other; only a ``Maybe`` or a ``Bag`` may be absent."""

    def __init__(self, *parts: Part, glue: str = " ") -> None:
        super().__init__(*parts)
        self.glue = glue

    def read(self, line: Line, data: Data) -> bool:
        """Read the parts in order."""
        start = line.at
        silent = []
        for part in self.parts:
            if isinstance(part, Set):
                silent.append(part)
            elif not part.read(line, data) and not isinstance(part, Maybe | Bag):
                if line.at == start:
                    return False
                line.refuse("missing")
        begun = line.at > start
        for part in silent if begun or _may_be_empty(self) else ():
            part.read(line, data)
        return begun

    def write(self, told: Told) -> str | None:
        """Write the parts in order."""
        written = [part.write(told) for part in self.parts]
        if None in written:
            return None
        return self.glue.join(text for text in written if text)


class Maybe(_Several):
    """A part that may be absent; a number may not follow another one, since it may be absent."""

    def read(self, line: Line, data: Data) -> bool:
        """Read the part if it is there."""
        if _begins_with_number(self.parts[0]):
            line.not_after_number()
        return self.parts[0].read(line, data)

    def write(self, told: Told) -> str:
        """Write what is no default."""
        return self.parts[0].write(told.given) or ""


class Bag(_Several):
    """Parts that may each be absent, in any order."""

    def read(self, line: Line, data: Data) -> bool:
        """Read as many of the parts as there are."""
        start = line.at
        while True:
            here = line.at
            line.not_after_number()
            if not any(part.read(line, data) for part in self.parts):
                line.at = here
                return here > start

    def write(self, told: Told) -> str:
        """Write what is no default."""
        written = (part.write(told.given) for part in self.parts)
        return " ".join(text for text in written if text)


class OneOf(_Several):
    """The first part that fits."""

    def read(self, line: Line, data: Data) -> bool:
        """Try each part; where none fits, the one that came furthest says why."""
        start, before = line.at, deepcopy(data)
        furthest: NotationError | None = None
        for part in self.parts:
            try:
                if part.read(line, data):
                    return True
            except NotationError as error:
                if furthest is None or error.position > furthest.position:
                    furthest = error
            line.at = start
            data.clear()
            data.update(deepcopy(before))
        if furthest is not None:
            raise furthest
        return False

    def write(self, told: Told) -> str | None:
        """Write the first part that can."""
        return next((t for t in (part.write(told) for part in self.parts) if t is not None), None)


@dataclass(frozen=True)
class Items:
    """A list; ``sep`` stands between two items, "" where nothing has to."""

    path: str
    item: Part
    sep: str = ""

    @property
    def words(self) -> Iterable[str]:
        """The words of its item."""
        return self.item.words

    def read(self, line: Line, data: Data) -> bool:
        """Read the items there are."""
        found: list[Any] = []
        while True:
            here = line.at
            if found and not self._separated(line):
                break
            one: Data = {}
            if not self.item.read(line, one):
                line.at = here
                break
            found.append(one.get("", one))
        if not found:
            return False
        known = get(data, self.path)
        if known is None:
            put(line, data, self.path, found)
        elif self.sep:
            line.refuse("given-twice")
        else:
            known += found
        return True

    def _separated(self, line: Line) -> bool:
        if self.sep == ",":
            return line.comma()
        return not self.sep or line.mark(self.sep)

    def write(self, told: Told) -> str | None:
        """Write the items."""
        full, sparse = get(told.full, self.path), get(told.sparse, self.path)
        if not full:
            return None
        written = [
            self.item.write(Told(_item(one), _item(bare), told.keywords))
            for one, bare in zip(full, sparse or full, strict=True)
        ]
        if None in written:
            return None
        between = {"": " ", ",": ", ", ";": "; "}.get(self.sep, f" {self.sep} ")
        return between.join(text for text in written if text)


def Named(words: str, path: str, part: type[Int] = Int) -> Seq:  # noqa: N802 - a part like the others
    """Return a part: ``pool=3``."""
    return Seq(Word(words), Mark("="), part(path), glue="")


def _item(value: Any) -> Data:
    return value if isinstance(value, dict) else {"": value}


def _shown(value: Any) -> str | None:
    return None if value is None else str(value)


def _begins_with_number(part: Part) -> bool:
    if isinstance(part, Items):
        return _begins_with_number(part.item)
    if isinstance(part, Seq):
        return _begins_with_number(part.parts[0])
    if isinstance(part, OneOf):
        return any(map(_begins_with_number, part.parts))
    return isinstance(part, Int) and not isinstance(part, Signed | Name)


def _may_be_empty(part: Part) -> bool:
    if isinstance(part, Seq):
        return all(_may_be_empty(inner) for inner in part.parts)
    return isinstance(part, Maybe | Bag | Set)


def _put_from(line: Line, start: int, data: Data, path: str, value: Any) -> None:
    """Put a value just read; a second one is refused where it stands."""
    end, line.at = line.at, start
    put(line, data, path, value)
    line.at = end


@dataclass(frozen=True)
class Command:
    """The words that open a command ("" for none), the resolver, the form, one example."""

    spelling: str
    resolver: str
    form: Part
    example: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that open it, folded."""
        return tuple(fold(word) for word in self.spelling.split("|"))


class Said(NamedTuple):
    """What a line says: which resolver, the request, faces thrown by hand, odds asked, words."""

    resolver: str
    request: Data
    faces: tuple[int, ...] | None = None
    odds: bool = False
    comment: str = ""


@dataclass(frozen=True)
class Notation:
    """The one-line notation of a game."""

    prefix: str
    commands: tuple[Command, ...]
    faces: str = ""
    odds: str = ""
    odds_words: tuple[str, ...] = field(default=())

    @cached_property
    def keywords(self) -> dict[str, str]:
        """Every word of the game: folded, and as we write it."""
        return {
            fold(word): word
            for command in self.commands
            for word in (*command.spelling.split("|"), *command.form.words, *self.odds_words)
            if word
        }

    @property
    def openings(self) -> frozenset[str]:
        """The words that open a command, folded."""
        return frozenset(word for command in self.commands for word in command.words)

    @property
    def example(self) -> str:
        """A line that is understood."""
        return self.line(self.commands[0], self.commands[0].example)

    def line(self, command: Command, text: str) -> str:
        """Put a command's text behind the words that open it."""
        words = (f"/{self.prefix}", command.spelling.split("|")[0], text)
        return " ".join(word for word in words if word)

    def parse(self, typed: str) -> Said:
        """Read a line."""
        typed = normalize("NFC", typed)
        end = comment_at(typed)
        line = Line(typed[:end], self.keywords, self.example)
        odds = self._opening(line)
        start = line.next
        try:
            command, data = self._command(line)
            faces = self._faces(line)
            if not line.ended:
                line.refuse("unknown-word")
        except NotationError as error:
            if error.position == start and line.folded.startswith("s", start):
                line.at = start
                line.refuse("secret-reserved", nearest=error.nearest)
            raise
        return Said(command.resolver, data, faces, odds, typed[end + 1 :].strip())

    def _opening(self, line: Line) -> bool:
        """Read the prefix, and whether odds are asked; a line of nothing else is refused."""
        if line.ended:
            line.refuse("empty")
        start = line.at
        line.mark("/")
        at = line.next
        found = line.folded.startswith(self.prefix, at)
        line.at = at + len(self.prefix) if found else start
        odds = False
        if found and self.odds and line.text.startswith(self.odds, line.at):
            line.at += len(self.odds)
            if line.text[line.at : line.at + 1] not in ("", *" ,"):
                line.at -= len(self.odds)
                line.refuse("ambiguous")
            odds = True
        if line.word({fold(word) for word in self.odds_words}) is not None:
            odds = True
        if line.ended:
            line.refuse("bare-prefix")
        return odds

    def _command(self, line: Line) -> tuple[Command, Data]:
        opening = line.word(self.openings) or ""
        after = line.at
        refusals = []
        for command in self.commands:
            if opening in command.words:
                line.at, line.example = after, self.line(command, command.example)
                try:
                    return command, self._form(command, line)
                except NotationError as error:
                    refusals.append(error)
        if not refusals:
            line.refuse("unknown-word")
        raise max(refusals, key=lambda error: error.position)

    def _form(self, command: Command, line: Line) -> Data:
        data: Data = {}
        if not command.form.read(line, data) and not _may_be_empty(command.form):
            line.refuse("missing" if line.ended else "unknown-word")
        if not (line.ended or self._faces_next(line)):
            line.refuse("unknown-word")
        return data

    def _faces_next(self, line: Line) -> bool:
        return bool(self.faces) and line.text.startswith(self.faces, line.next)

    def _faces(self, line: Line) -> tuple[int, ...] | None:
        if not self.faces or not line.mark(self.faces):
            return None
        faces = []
        while (face := line.number()) is not None:
            faces.append(face)
        if self.faces == "[" and not line.mark("]"):
            line.refuse("missing", nearest="]")
        return tuple(faces)

    def write(self, resolver: str, told: Told) -> Iterator[str]:
        """Write a request in each way the game has; some may say less than the request."""
        for command in self.commands:
            if command.resolver == resolver:
                text = command.form.write(told)
                if text is not None:
                    yield self.line(command, text)


class Speaks(Protocol):
    """A game that may have a notation."""

    @property
    def chat(self) -> Notation | None:
        """Its notation."""

    @property
    def by_id(self) -> Mapping[str, Resolver[Any, Any]]:
        """Its resolvers."""


def parse(system: Speaks, line: str) -> Said:
    """Read a line of a game's notation; ``NotationError`` if any of it is not understood."""
    if system.chat is None:
        raise NotationError("no-notation")
    return system.chat.parse(line)


def render(system: Speaks, resolver: str, request: Any) -> str:
    """Write a request, a model or plain data, as a line that is read back as the same request.

    ``NotationError`` ("no-notation") where one line cannot say it all.
    """
    if system.chat is None:
        raise NotationError("no-notation")
    model = system.by_id[resolver].request
    asked = request if isinstance(request, model) else model.model_validate_json(to_json(request))
    told = Told(
        asked.model_dump(mode="json"),
        asked.model_dump(mode="json", exclude_defaults=True),
        system.chat.keywords,
    )
    for line in system.chat.write(resolver, told):
        try:
            said = system.chat.parse(line)
        except NotationError:
            continue
        if said.resolver == resolver and _same(model, said.request, asked):
            return line
    raise NotationError("no-notation")


def _same(model: type[Any], data: Data, asked: Any) -> bool:
    try:
        return bool(model.model_validate_json(to_json(data)) == asked)
    except ValidationError:
        return False
