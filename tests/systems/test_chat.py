"""A line of chat says one request: a lost blank or a comment never makes it another."""

import re
import sysconfig
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from arbitre.dice import SeededFaces, caller_seed
from arbitre.registry import load_registry
from arbitre.rules.errors import RuleRefused
from arbitre.rules.examples import load_examples
from arbitre.rules.labels import LANGUAGES
from arbitre.rules.notation import NotationError, Said, parse
from arbitre.rules.play import play
from arbitre.rules.system import System

WORDS = 10_000

SPEAKING = [system for system in load_registry().values() if system.chat]
LINES = [
    (system, line)
    for system in SPEAKING
    for example in load_examples(system)
    for line in example.chat
]
each_line = pytest.mark.parametrize(
    ("system", "line"), LINES, ids=[f"{system.id}: {line}" for system, line in LINES]
)
each_system = pytest.mark.parametrize("system", SPEAKING, ids=[system.id for system in SPEAKING])


@cache
def words() -> tuple[str, ...]:
    """French words of the games, English words of Python's own library."""
    french = {
        word
        for system in load_registry().values()
        for language in LANGUAGES
        for word in letters(
            files(system.package).joinpath("labels", f"{language}.toml").read_text("utf-8")
        )
    }
    english: set[str] = set()
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        english |= letters(path.read_text("utf-8", errors="replace"))
        if len(english) > WORDS:
            break
    return tuple(islice(sorted(french) + sorted(english - french), WORDS))


def letters(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text))


def meaning(system: System, line: str) -> tuple[str, BaseModel, Any] | None:
    """What a line asks; nothing where it is refused, by the notation, the schema or the rules."""
    try:
        said = parse(system, line)
        resolver = system.by_id[said.resolver]
        request = resolver.request.model_validate_json(to_json(said.request))
        play(resolver, request, SeededFaces(caller_seed("chat")))
    except (NotationError, ValidationError, RuleRefused):
        return None
    return said.resolver, request, (said.faces, said.odds)


def respaced(line: str) -> list[str]:
    """The line with one blank less, or one more where a word, a number or a sign ends."""
    lines = []
    quoted = False
    for at in range(1, len(line)):
        before, after = line[at - 1], line[at]
        quoted ^= before in '"«»'
        if quoted:
            continue
        if after == " ":
            lines.append(line[:at] + line[at + 1 :])
        elif kind(before) != kind(after) or not before.isalnum():
            lines.append(f"{line[:at]} {line[at:]}")
    return lines


def kind(character: str) -> int:
    return character.isalpha() + 2 * character.isdigit()


@each_line
def test_a_blank_more_or_less_never_makes_another_roll(system: System, line: str) -> None:
    wanted = meaning(system, line)
    for other in respaced(line):
        found = meaning(system, other)
        assert found in (wanted, None), other


@each_line
def test_capitals_accents_and_wide_signs_do_not_count(system: System, line: str) -> None:
    if '"' in line or "«" in line:  # names keep their spelling
        return
    wanted = meaning(system, line)
    assert meaning(system, line.replace(" ", "\N{NO-BREAK SPACE}")) == wanted
    assert meaning(system, line.replace("-", "\N{MINUS SIGN}")) == wanted
    wide = "".join(chr(ord(s) + 0xFEE0) if s in "/0123456789+=!:;" else s for s in line)
    assert meaning(system, wide) == wanted


@each_line
def test_a_word_too_many_is_refused_by_name(system: System, line: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(system, f"{line} zzyzx zzyzx")
    assert error.value.word == "zzyzx"
    assert error.value.nearest


@each_system
def test_the_prefix_alone_never_rolls(system: System) -> None:
    assert system.chat
    for line in (f"/{system.chat.prefix}", system.chat.prefix.upper(), f"/{system.chat.prefix} #"):
        with pytest.raises(NotationError, match="bare-prefix"):
            parse(system, line)


@each_system
def test_words_in_s_that_are_no_command_are_kept_for_secret_rolls(system: System) -> None:
    assert system.chat
    with pytest.raises(NotationError, match="secret-reserved"):
        parse(system, f"/{system.chat.prefix} szz")


@each_system
def test_a_nearest_line_is_understood(system: System) -> None:
    assert system.chat
    for command in system.chat.commands:
        parse(system, system.chat.line(command, command.example))


@each_system
def test_ten_thousand_words_as_comments_change_nothing(system: System) -> None:
    line = next(line for speaker, line in LINES if speaker is system)
    wanted = parse(system, line)
    assert len(words()) == WORDS
    for word in words():
        said = parse(system, f"{line} # {word}")
        assert said == Said(wanted.resolver, wanted.request, wanted.faces, wanted.odds, word)
