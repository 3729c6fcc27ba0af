"""One line as it was typed, and a cursor through it.

Readers see three versions of the same length: ``raw`` as typed (composed characters), ``text``
with full-width signs, blanks, dashes and quotes made plain, and ``folded``, which is ``text``
without accents or capitals. A blank is a space or a comma: ``3,t2`` says what ``3 t2`` says.
"""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import NoReturn
from unicodedata import normalize

DIGITS = "0123456789"
BLANKS = " ,"
LONGEST = 9
"""Digits of the longest number that is read."""

QUOTE = '"'

_ALIKE = {
    "-": "\N{MINUS SIGN}\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}",
    QUOTE: "«»“”„‟",
    "'": "\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}",
    " ": "\u200b\u2060\ufeff",
    "*": "\N{MULTIPLICATION SIGN}",
    "/": "\N{DIVISION SIGN}",
}
_SIGNS = {ord(sign): plain for plain, signs in _ALIKE.items() for sign in signs} | {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)
}
_BARE = re.compile(r"[^\W\d_]+(?:['\-_][^\W\d_]+)*")
_LIKENESS = 0.8
_RESEMBLANCE = 0.7
_AFFIX = 3
"""Shortest keyword that a bare name may not begin or end with."""


class NotationError(Exception):
    """A line that says nothing this game knows; never guessed, never half read.

    ``code`` is one of: ``empty``, ``bare-prefix``, ``unknown-word``, ``secret-reserved`` (no
    command of ours begins with S), ``missing`` (something must follow), ``given-twice``,
    ``ambiguous`` (it would say something else if a blank were lost or added),
    ``long-number``, ``open-quote``, ``quote-name`` (a name that looks like a keyword),
    ``no-notation`` (a request that one line cannot say). ``word`` is what stands at
    ``position``; ``nearest`` a word or a line that would be understood.
    """

    def __init__(self, code: str, *, word: str = "", position: int = 0, nearest: str = "") -> None:
        super().__init__(code)
        self.code, self.word, self.position, self.nearest = code, word, position, nearest


def fold(text: str) -> str:
    """Drop accents and capitals, one character for one."""
    return "".join(map(_fold, text))


def _fold(character: str) -> str:
    base = normalize("NFD", character)[0].casefold()
    return base if len(base) == 1 else character


def _plain(raw: str) -> str:
    return "".join(" " if sign.isspace() else sign for sign in raw.translate(_SIGNS))


def is_bare(name: str, keywords: Collection[str]) -> bool:
    """Say whether a name may stand without quotes: letters only, and unlike any keyword."""
    folded = fold(name)
    return (
        _BARE.fullmatch(name) is not None
        and not any(len(key) >= _AFFIX and folded.startswith(key) for key in keywords)
        and not any(len(key) >= _AFFIX and folded.endswith(key) for key in keywords)
        and folded not in keywords
        and not get_close_matches(folded, keywords, 1, _LIKENESS)
    )


def write_name(name: str, keywords: Collection[str]) -> str:
    """Write a name so that it is read as itself."""
    if is_bare(name, keywords) and "_" not in name:
        return name
    return '"' + name.replace("_", "__").replace('"', '""') + '"'


class Line:
    """A line and how far it has been read."""

    __slots__ = ("at", "example", "folded", "keywords", "raw", "text")

    def __init__(self, raw: str, keywords: Mapping[str, str], example: str) -> None:
        self.raw = normalize("NFC", raw)
        self.text = _plain(self.raw)
        self.folded = fold(self.text)
        self.keywords = keywords
        self.example = example
        self.at = 0

    @property
    def next(self) -> int:
        """Where the next character stands that is no blank."""
        at = self.at
        while at < len(self.text) and self.text[at] in BLANKS:
            at += 1
        return at

    @property
    def ended(self) -> bool:
        """Nothing is left but blanks."""
        return self.next == len(self.text)

    @property
    def run(self) -> str:
        """The letters that come next, folded."""
        return self._run(self.next)

    def _run(self, start: int) -> str:
        end = start
        while end < len(self.folded) and self.folded[end].isalpha():
            end += 1
        return self.folded[start:end]

    def _digits(self, start: int) -> str:
        end = start
        while end < len(self.text) and self.text[end] in DIGITS:
            end += 1
        return self.text[start:end]

    def mark(self, sign: str) -> bool:
        """Read ``sign`` if it comes next."""
        start = self.next
        if sign and self.text.startswith(sign, start):
            self.at = start + len(sign)
            return True
        return False

    def comma(self) -> bool:
        """Read a comma, between items of a list, if it comes next."""
        start = self.at + len(self.text[self.at :]) - len(self.text[self.at :].lstrip(" "))
        if self.text.startswith(",", start) and not self.text.startswith(",,", start):
            self.at = start + 1
            return True
        return False

    def word(self, words: Collection[str]) -> str | None:
        """Read the next letters if they are one of ``words`` (folded)."""
        run = self.run
        if run and run in words:
            self.at = self.next + len(run)
            return run
        return None

    def number(self) -> int | None:
        """Read the digits that come next."""
        start = self.next
        digits = self._digits(start)
        if not digits:
            return None
        if len(digits) > LONGEST:
            self.refuse("long-number")
        self.at = start + len(digits)
        return int(digits)

    def attached(self) -> int | None:
        """Read digits that touch what was read last; digits after a blank are ambiguous."""
        if self.at < len(self.text) and self.text[self.at] in DIGITS:
            return self.number()
        if self._digits(self.next):
            self.refuse("ambiguous")
        return None

    def signed(self) -> int | None:
        """Read a sign and a number."""
        start = self.at
        for sign, factor in (("+", 1), ("-", -1)):
            if self.mark(sign):
                number = self.number()
                if number is not None:
                    return factor * number
                self.at = start
        return None

    def decimal(self) -> str | None:
        """Read a number of at most two decimals, after a point or a comma."""
        whole = self.number()
        if whole is None:
            return None
        places = self._digits(self.at + 1) if self.text[self.at : self.at + 1] in (".", ",") else ""
        if not 1 <= len(places) <= 2:  # noqa: PLR2004 - hundredths
            return str(whole)
        self.at += 1 + len(places)
        return f"{whole}.{places}"

    def name(self) -> str | None:
        """Read a name: letters, ``_`` for a blank; or anything in double quotes."""
        start = self.next
        if self.text.startswith('"', start):
            return self._quoted(start + 1)
        bare = _BARE.match(self.text, start)
        if bare is None or self.folded[start : bare.end()] in self.keywords:
            return None
        if not is_bare(bare.group(), self.keywords):
            self.refuse("quote-name", nearest=write_name(bare.group(), {fold(bare.group())}))
        self.at = bare.end()
        return self.raw[start : self.at].replace("_", " ")

    def _quoted(self, start: int) -> str:
        end = start
        while not self.text.startswith('"', end) or self.text.startswith('""', end):
            if end >= len(self.text):
                self.refuse("open-quote")
            end += 2 if self.text.startswith('""', end) else 1
        self.at = end + 1
        said = self.raw[start:end]
        for doubled in ('""', "««", "»»", "““", "””"):
            said = said.replace(doubled, doubled[0])
        return " ".join(said.replace("__", "\0").replace("_", " ").split()).replace("\0", "_")

    def not_after_number(self) -> None:
        """Refuse a number that would join the one before if the blank between were lost."""
        if self.at and self.text[self.at - 1] in DIGITS and self._digits(self.next):
            self.refuse("ambiguous")

    def refuse(self, code: str, *, nearest: str = "") -> NoReturn:
        """Refuse what comes next, and show what would be understood."""
        start = self.next
        run = self._run(start)
        word = run or self._digits(start) or self.text[start : start + 1]
        close = (
            get_close_matches(run, self.keywords, 1, _RESEMBLANCE)
            if run and run not in self.keywords
            else []
        )
        raise NotationError(
            code,
            word=self.raw[start : start + len(word)],
            position=start,
            nearest=nearest or (self.keywords[close[0]] if close else self.example),
        )


def comment_at(text: str) -> int:
    """Return where the comment of a line begins: at the first # outside quotes."""
    quoted = False
    for at, sign in enumerate(_plain(text)):
        quoted ^= sign == '"'
        if sign == "#" and not quoted:
            return at
    return len(text)


def one_word(line: str) -> str:
    """Write a line without blanks: commas between its words, ``_`` inside quotes.

    Two commas keep two numbers apart: one would make a list or a decimal of them.
    """
    parts = re.sub(f"[{_ALIKE[QUOTE]}]", QUOTE, line).split(QUOTE)
    for index, part in enumerate(parts):
        if index % 2:
            parts[index] = "_".join(part.split())
        else:
            parts[index] = re.sub(r" *([,/:;=]) *", r"\1", part)
            parts[index] = re.sub(r"(?<=\d) (?=\d)", ",,", parts[index]).replace(" ", ",")
    return QUOTE.join(parts).strip(",")
