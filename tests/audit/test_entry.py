"""What an entry holds."""

import time
import uuid

import orjson

from arbitre.audit import Signed, fresh_seed, new_id, roll_entry, verify
from arbitre.dice import Draw, caller_seed
from entries import DUEL, SEED, SIGNER, TS, rolled

ALWAYS = {"v", "type", "id", "ts", "key", "ruleset", "resolver", "entropy"} | {
    "req",
    "draws",
    "outcome",
}


def read(signed: Signed) -> dict[str, object]:
    assert verify(signed.entry, signed.sig, SIGNER.public_key)
    data: dict[str, object] = orjson.loads(signed.entry)
    assert data["id"] == signed.id
    return data


def test_a_roll_of_the_server() -> None:
    data = read(rolled(DUEL))
    assert data.keys() == ALWAYS | {"seed"}
    assert (data["v"], data["type"], data["entropy"]) == (1, "roll", "server-only")
    assert (data["ruleset"], data["resolver"]) == ("tiny-duel@1.0.0", "duel")
    assert (data["key"], data["seed"], data["ts"]) == (SIGNER.public_key, SEED.hex(), TS)
    assert data["req"] == {"a": DUEL["a"], "b": {"skill": 2, "weapon": "fist"}}


def test_a_roll_of_the_callers_seed_names_it() -> None:
    data = read(rolled(DUEL, seed_text="mot"))
    assert data.keys() == ALWAYS | {"seed", "seed_text"}
    assert data["entropy"] == "caller"
    assert data["seed"] == caller_seed("mot").hex()


def test_a_roll_by_hand_has_no_seed() -> None:
    data = read(rolled(DUEL, hand=(5, 1, 6, 6, 2)))
    assert data.keys() == ALWAYS
    assert data["entropy"] == "hand"
    assert data["draws"] == [[6, 5], [6, 1], [6, 6], [6, 6], [6, 2]]


def test_what_the_caller_gave_is_kept() -> None:
    data = read(rolled(DUEL, actor="Ana", note="", idem=bytes(32), fp=bytes(range(32))))
    assert data.keys() == ALWAYS | {"seed", "actor", "note", "idem", "fp"}
    assert (data["actor"], data["note"]) == ("Ana", "")
    assert (data["idem"], data["fp"]) == ("00" * 32, bytes(range(32)).hex())


def test_id_and_time_are_made_where_none_are_given() -> None:
    before = time.time_ns() // 1_000_000
    signed = roll_entry(
        SIGNER,
        ruleset="tiny-duel@1.0.0",
        resolver="duel",
        req={},
        draws=[Draw("fighter", 6, (1,))],
        outcome={},
        seed=SEED,
    )
    data = read(signed)
    assert before <= int(str(data["ts"])) <= time.time_ns() // 1_000_000
    assert uuid.UUID(signed.id).int >> 80 == data["ts"]


def test_ids_are_uuids_of_version_7_in_order_of_time() -> None:
    ids = [new_id(ms) for ms in range(TS, TS + 500)]
    assert ids == sorted(set(ids))
    for ms, id_ in enumerate(ids, TS):
        read_back = uuid.UUID(id_)
        assert str(read_back) == id_
        assert (read_back.variant, read_back.version) == (uuid.RFC_4122, 7)
        assert read_back.int >> 80 == ms


def test_ids_of_one_moment_are_told_apart_by_chance() -> None:
    ids = [uuid.UUID(new_id(TS)).int for _ in range(500)]
    varying = 0
    for id_ in ids:
        varying |= id_ ^ ids[0]
    assert varying == 0xFFF << 64 | 0x3FFFFFFFFFFFFFFF
    assert len(set(ids)) == 500


def test_seeds_are_never_the_same() -> None:
    assert len({fresh_seed() for _ in range(100)}) == 100
    assert len(fresh_seed()) == 32
