"""The same seed, the same faces, for ever and in any language."""

import json
import math
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitre.dice import SeededFaces, caller_seed
from arbitre.dice.seeded import MAX_SIDES, NO_TABLE, place
from programs import node

FOLDER = Path(__file__).parent.parent / "vectors"
VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "dice.json").read_text(encoding="utf-8"))


def stream(vector: dict[str, Any]) -> SeededFaces:
    table, pool = bytes.fromhex(vector["table"]), bytes.fromhex(vector["pool"])
    where = place(table, vector["epoch"], vector["seq"], pool)
    return SeededFaces(bytes.fromhex(vector["seed"]), where)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_the_vectors_hold(vector: dict[str, Any]) -> None:
    faces = stream(vector)
    for draw in vector["draws"]:
        assert faces.draw("", len(draw["faces"]), draw["sides"]) == tuple(draw["faces"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_dice_drawn_one_by_one_are_those_drawn_together(vector: dict[str, Any]) -> None:
    faces = stream(vector)
    for draw in vector["draws"]:
        alone = [faces.draw("", 1, draw["sides"])[0] for _ in draw["faces"]]
        assert alone == draw["faces"]


def test_the_vectors_hold_in_node() -> None:
    subprocess.run([node(), "--test", str(FOLDER)], check=True, capture_output=True)


def test_the_published_faces() -> None:
    first, second = VECTORS[:2]
    published = "11 18 14 1 20 13 16 20 12 20 9 12 20 15 19 16 11 19 18 10"
    assert first["draws"][0]["faces"] == [int(face) for face in published.split()]
    assert [face for draw in second["draws"] for face in draw["faces"]] == [1, 4, 6, 19, 945]


def test_a_roll_alone_stands_at_no_table() -> None:
    assert place(bytes(16), 0, 0, bytes(32)) == NO_TABLE
    seed = caller_seed("x")
    assert SeededFaces(seed).draw("", 9, 6) == SeededFaces(seed, NO_TABLE).draw("", 9, 6)


def test_everything_that_places_a_roll_changes_its_faces() -> None:
    seed, zero = bytes(32), bytes(32)
    places = [
        place(bytes(16), 0, 0, zero),
        place(b"\1" + bytes(15), 0, 0, zero),
        place(bytes(16), 1, 0, zero),
        place(bytes(16), 0, 1, zero),
        place(bytes(16), 0, 0, b"\1" + bytes(31)),
    ]
    assert len({SeededFaces(seed, where).draw("", 20, 100) for where in places}) == len(places)


@given(st.binary(min_size=32, max_size=32), st.integers(2, MAX_SIDES), st.integers(1, 40))
def test_faces_are_on_the_die(seed: bytes, sides: int, count: int) -> None:
    faces = SeededFaces(seed).draw("", count, sides)
    assert len(faces) == count
    assert all(1 <= face <= sides for face in faces)


@pytest.mark.parametrize("sides", [-1, 0, 1, MAX_SIDES + 1])
def test_what_is_no_die_is_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        SeededFaces(bytes(32)).draw("", 1, sides)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 100, 256, 300])
def test_no_face_is_favoured(sides: int) -> None:
    """Fixed seed, so this holds or does not; a bias of one percent would be seen."""
    rolls = 60_000
    ways = Counter(SeededFaces(caller_seed(f"d{sides}")).draw("", rolls, sides))
    expected = rolls / sides
    chi = sum((ways[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    freedom = sides - 1
    # Wilson and Hilferty: about normal; five deviations are one chance in a few millions
    score = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    assert score < 5


def test_words_are_seeds() -> None:
    assert caller_seed("épée") == caller_seed("épée")
    assert caller_seed("épée") != caller_seed("epee")
    assert len(caller_seed("")) == 32
