"""The one registration."""

from collections.abc import Callable

import pytest

import tiny_duel
from arbitre.dice import Dice, DiceLeftError, HandFaces, SeededFaces
from arbitre.rules.examples import load_examples
from arbitre.rules.model import Outcome, Request
from arbitre.rules.play import play
from arbitre.rules.resolver import resolver
from arbitre.rules.system import System


class AnyRequest(Request):
    number: int = 0


class AnyOutcome(Outcome):
    face: int


@resolver("one-die", rules=("XX-01",), odds=("face",))
def one_die(request: AnyRequest, dice: Dice) -> AnyOutcome:
    """Roll one die."""
    return AnyOutcome(face=request.number + dice.die("d", sides=6))


@pytest.mark.parametrize("id_", ["", "One", "one_die", "one-", "-one", "one--die", "one die", "d6"])
def test_an_id_is_words_joined_by_hyphens(id_: str) -> None:
    with pytest.raises(ValueError, match="lower-case words"):
        resolver(id_, rules=())


def test_the_annotations_say_the_rest() -> None:
    assert (one_die.request, one_die.outcome) == (AnyRequest, AnyOutcome)
    assert one_die.doc == "Roll one die."
    assert one_die.summary(AnyOutcome(face=1)) == "one-die"
    assert (one_die.aid, one_die.views) == (None, None)


def test_without_docstring_there_is_no_text() -> None:
    @resolver("silent", rules=())
    def silent(request: AnyRequest, dice: Dice) -> AnyOutcome:
        return AnyOutcome(face=request.number + dice.die("d", sides=6))

    assert silent.doc == ""
    assert silent.odds == ()


def test_a_resolver_is_called_like_its_function() -> None:
    played = play(one_die, AnyRequest(number=1), HandFaces([5]))
    assert played.outcome == AnyOutcome(face=6)
    assert [draw.faces for draw in played.draws] == [(5,)]
    assert played.notes == []
    assert play(one_die, AnyRequest(), SeededFaces(bytes(32))).outcome.face in range(1, 7)


class OneDie:
    def die(self, tag: str, *, sides: int) -> int:
        return len(tag) + sides


def test_calling_it_resolves() -> None:
    assert one_die(AnyRequest(number=1), OneDie()).face == 8  # type: ignore[arg-type]


def test_faces_left_over_are_refused() -> None:
    with pytest.raises(DiceLeftError):
        play(one_die, AnyRequest(), HandFaces([5, 1]))


def test_a_system_is_its_table_of_contents() -> None:
    system = tiny_duel.SYSTEM
    assert system.ruleset == "tiny-duel@1.0.0"
    assert system.by_id == {"duel": tiny_duel.duel}
    assert set(system.rules) == {"TD-01", "TD-02", "TD-03", "TD-R1"}
    assert system.labels["en"].raw("system", "name") == "Tiny Duel"


def game(package: str) -> System:
    return System("xx", "XX", "Xx", "1.0.0", package, (one_die,))


EXAMPLE = """
[[example]]
id = "XX-E1"
source = "p. 1"
request = '{"number": null}'
draws = [{tag = "d", sides = 6, faces = [3, 4]}]
chat = "roll"

[[example]]
id = "XX-E2"
source = "p. 2"
request = { number = 1 }
given = [1, 2]
refused = "dice-left"
chat = ["a", "b"]
"""


def test_examples_are_read(package: Callable[..., str]) -> None:
    name = package({"examples/one_die.toml": EXAMPLE, "examples/notes.md": "no example"})
    first, second = load_examples(game(name))
    assert str(first) == "one-die XX-E1"
    assert first.request == {"number": None}
    assert (first.faces, second.faces) == ((3, 4), (1, 2))
    assert (first.chat, second.chat) == (("roll",), ("a", "b"))


@pytest.mark.parametrize(
    "spoilt", [EXAMPLE.replace("chat =", "chats ="), EXAMPLE.replace('source = "p. 2"', "")]
)
def test_an_example_with_a_wrong_key_is_refused(spoilt: str, package: Callable[..., str]) -> None:
    with pytest.raises(ValueError, match=r"XX-E[12] of one-die"):
        load_examples(game(package({"examples/one_die.toml": spoilt})))
