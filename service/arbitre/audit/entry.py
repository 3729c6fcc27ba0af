"""The entry of one roll outside a table: what was asked, what fell, what came of it.

========== ==============================================================================
v          1
type       "roll"
id         a UUID of version 7
ts         milliseconds since 1970, for information
key        the public key of the signature, hexadecimal
ruleset    the game and its version, "kadath@1.0.0"
resolver   the rule that was applied
entropy    where the faces come from: "server-only", "caller" or "hand"
seed       the 32 bytes that the faces derive from, hexadecimal; absent for "hand"
seed_text  the caller's words that the seed derives from; only for "caller"
req        the request with its defaults filled in
draws      a pair [sides, face] for each die, in draw order
outcome    what the rule made of it
actor      the caller's word for who acts; only if given
note       the caller's note; only if given
idem       the keyed hash of the Idempotency-Key; only if one was given
fp         the keyed fingerprint of the request; only beside ``idem``
========== ==============================================================================
"""

import os
import time
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from arbitre.audit.canonical import written
from arbitre.audit.signing import Signer
from arbitre.dice import Draw

VERSION: Final = 1
ROLL: Final = "roll"
SEED_BYTES: Final = 32


class Entropy(StrEnum):
    """Who made the faces."""

    SERVER_ONLY = "server-only"
    CALLER = "caller"
    HAND = "hand"


class Signed(NamedTuple):
    """An entry as it is kept and served: its id, its canonical bytes, its signature."""

    id: str
    entry: bytes
    sig: str


def fresh_seed() -> bytes:
    """Return a new seed for the dice of one roll."""
    return os.urandom(SEED_BYTES)


def entropy_of(seed: bytes | None, seed_text: str | None) -> Entropy:
    """Return who made the faces of a roll with this seed, from these words of the caller's."""
    if seed is None:
        return Entropy.HAND
    return Entropy.SERVER_ONLY if seed_text is None else Entropy.CALLER


def new_id(ms: int) -> str:
    """Return a UUID of version 7: the time, then chance."""
    chance = int.from_bytes(os.urandom(10), "big")
    number = (
        (ms & 0xFFFFFFFFFFFF) << 80
        | 0x7 << 76
        | (chance >> 62 & 0xFFF) << 64
        | 0b10 << 62
        | chance & 0x3FFFFFFFFFFFFFFF
    )
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def roll_entry(
    signer: Signer,
    *,
    ruleset: str,
    resolver: str,
    req: dict[str, Any],
    draws: Iterable[Draw],
    outcome: dict[str, Any],
    seed: bytes | None = None,
    seed_text: str | None = None,
    actor: str | None = None,
    note: str | None = None,
    idem: bytes | None = None,
    fp: bytes | None = None,
    id: str | None = None,  # noqa: A002 - it is the id
    ts: int | None = None,
) -> Signed:
    """Write and sign the entry of one roll.

    ``req`` and ``outcome`` are the models' ``model_dump(mode="json")``. Without ``seed`` the
    faces were rolled by hand; with ``seed_text`` it is ``caller_seed(seed_text)``. ``id`` and
    ``ts`` are made here unless given.
    """
    if ts is None:
        ts = time.time_ns() // 1_000_000
    if id is None:
        id = new_id(ts)  # noqa: A001
    entry: dict[str, Any] = {
        "v": VERSION,
        "type": ROLL,
        "id": id,
        "ts": ts,
        "key": signer.public_key,
        "ruleset": ruleset,
        "resolver": resolver,
        "req": req,
        "draws": pairs(draws),
        "outcome": outcome,
        "entropy": entropy_of(seed, seed_text).value,
    }
    if seed is not None:
        entry["seed"] = seed.hex()
    if seed_text is not None:
        entry["seed_text"] = seed_text
    if actor is not None:
        entry["actor"] = actor
    if note is not None:
        entry["note"] = note
    if idem is not None:
        entry["idem"] = idem.hex()
    if fp is not None:
        entry["fp"] = fp.hex()
    text = written(entry, req, outcome)
    return Signed(id, text, signer.sign(text))


def pairs(draws: Iterable[Draw]) -> list[tuple[int, int]]:
    """Return a pair (sides, face) for each die, in draw order."""
    return [(sides, face) for _tag, sides, faces in draws for face in faces]
