"""Entries of a known key, time and seed."""

from typing import Any

from pydantic_core import to_json

import tiny_duel
from arbitre.audit import Signed, Signer, canonical, roll_entry
from arbitre.dice import FaceSource, HandFaces, SeededFaces, caller_seed
from arbitre.registry import Registry, registry_of
from arbitre.rules.play import play
from arbitre.rules.system import System
from arbitre.systems import kadath

SIGNER = Signer(bytes(range(32)))
REGISTRY: Registry = registry_of([tiny_duel.SYSTEM, kadath.SYSTEM])
SEED = bytes(range(32))
TS = 1_790_000_000_000
DUEL = {"a": {"skill": 3, "weapon": "blade"}, "b": {"skill": 2}}


def rolled(
    request: dict[str, Any],
    *,
    number: int = 0,
    system: System = tiny_duel.SYSTEM,
    resolver: str = "duel",
    hand: tuple[int, ...] | None = None,
    seed_text: str | None = None,
    seed: bytes = SEED,
    **more: Any,
) -> Signed:
    """Roll, and write the entry; ``number`` sets its id and time apart."""
    found = system.by_id[resolver]
    asked = found.request.model_validate_json(to_json(request))
    used = None if hand is not None else caller_seed(seed_text) if seed_text else seed
    faces: FaceSource = HandFaces(hand or ()) if used is None else SeededFaces(used)
    played = play(found, asked, faces)
    return roll_entry(
        SIGNER,
        ruleset=system.ruleset,
        resolver=resolver,
        req=asked.model_dump(mode="json"),
        draws=played.draws,
        outcome=played.outcome.model_dump(mode="json"),
        seed=used,
        seed_text=seed_text,
        id=f"01a0c41e-1c00-7000-8000-{number:012x}",
        ts=TS + number,
        **more,
    )


def signed_again(data: dict[str, Any]) -> tuple[bytes, str]:
    """Sign other data: what only the operator can do."""
    entry = canonical(data)
    return entry, SIGNER.sign(entry)
