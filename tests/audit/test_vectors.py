"""The vectors that node and browsers are checked against hold here too."""

import hashlib
import hmac
from pathlib import Path
from typing import Any

import orjson
import pytest

from arbitre.audit import NotCanonicalError, canonical, entry_hash, weak_key
from arbitre.audit.ledger import read_lines, verify_ledger
from arbitre.audit.tables import commitment, mix, veil
from entries import REGISTRY
from golden.table import LOG

VECTORS = orjson.loads(
    (Path(__file__).parents[1] / "vectors" / "tables.json").read_bytes(),
)


def canonical_or_none(text: str) -> str | None:
    try:
        return canonical(orjson.loads(text)).decode()
    except (orjson.JSONDecodeError, NotCanonicalError):
        return None


def of(table: str, seed: str) -> tuple[bytes, bytes]:
    return bytes.fromhex(table), bytes.fromhex(seed)


FOUND = {
    "sha256": lambda row: hashlib.sha256(bytes.fromhex(row["in"])).hexdigest(),
    "hmac": lambda row: hmac.digest(*of(row["key"], row["in"]), "sha256").hex(),
    "canonical": lambda row: canonical_or_none(row["in"]),
    "mix": lambda row: mix(bytes.fromhex(row["pool"]), row["who"], row["words"]).hex(),
    "commit": lambda row: commitment(
        bytes.fromhex(row["table"]), row["epoch"], bytes.fromhex(row["seed"])
    ).hex(),
    "veil": lambda row: veil(bytes.fromhex(row["salt"]), row["value"]).hex(),
    "entry": lambda row: entry_hash(row["in"].encode()).hex(),
}


@pytest.mark.parametrize(("name", "row"), [(name, row) for name in FOUND for row in VECTORS[name]])
def test_a_vector_holds(name: str, row: dict[str, Any]) -> None:
    assert FOUND[name](row) == row["out"]


@pytest.mark.parametrize("row", VECTORS["weak"], ids=lambda row: str(row["key"])[:16])
def test_weak_keys_are_those_of_the_vectors(row: dict[str, Any]) -> None:
    assert weak_key(bytes.fromhex(row["key"])) is row["weak"]


def test_the_golden_log_comes_to_the_same() -> None:
    verdict = verify_ledger(read_lines(LOG.read_bytes()), REGISTRY)
    assert {name: getattr(verdict, name) for name in VECTORS["golden"]} == VECTORS["golden"]


def test_no_vector_is_forgotten() -> None:
    assert set(VECTORS) == {*FOUND, "weak", "golden"}
