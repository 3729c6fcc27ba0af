"""What a table's log is made of: seeds, commitments, the pool, veils, seals."""

import hmac
from collections import Counter
from statistics import NormalDist

import orjson
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

from arbitre.audit import canonical
from arbitre.audit.tables import (
    NO_POOL,
    SEALED,
    VEILED,
    Lane,
    Role,
    State,
    TableKeys,
    commitment,
    contributed,
    mix,
    new_table,
    opened,
    resumed,
    veil,
    veiled,
)
from arbitre.dice import SeededFaces
from arbitre.dice.seeded import place
from golden.table import golden_log
from ledgers import ANA, KEY, KEYS, MASTER, TABLE, Log

SEED = bytes(range(32))
PRK = hmac.digest(b"arbitre/master/v1", MASTER, "sha256")
STATE = State(TABLE, seq=7, salt=bytes(16))


def expanded(info: bytes) -> bytes:
    return HKDFExpand(SHA256(), 32, info).derive(PRK)


def test_the_pool_is_that_of_the_vectors() -> None:
    pool = mix(NO_POOL, "ana", "épée")
    assert pool.hex() == "75e1e1c172ca3e5862467c241a36360e0c6209f313b1b353def622f303d6ce07"
    faces = SeededFaces(SEED, place(TABLE, 0, 1, pool))
    drawn = [faces.draw("", 1, sides)[0] for sides in (6, 6, 6, 100, 1000)]
    assert drawn == [1, 4, 6, 19, 945]


def test_the_commitment_is_that_of_the_vectors() -> None:
    found = commitment(TABLE, 0, SEED).hex()
    assert found == "5fdfeb904dedaa5195dabc7ec78441ade737d8fe4800268c81c348898749d54e"


def test_the_key_and_the_seed_are_those_of_the_vectors() -> None:
    assert KEY == "dbe84430c6a1e180c519053b10c5cdb42132b35234bacc90db80a057fede16db"
    seed = KEYS.seed(TABLE, 0, b"\xff" * 16, Lane.OPEN).hex()
    assert seed == "13e6d832352a58e873a58793426400f1bbe867ae58f0eb285b2d19b809ce1863"


def test_each_part_of_a_commitment_and_of_the_pool_counts() -> None:
    committed = {
        commitment(TABLE, 0, SEED),
        commitment(TABLE, 1, SEED),
        commitment(bytes(16), 0, SEED),
        commitment(TABLE, 0, bytes(32)),
    }
    assert len(committed) == 4
    mixed = {
        mix(NO_POOL, "ana", "épée"),
        mix(NO_POOL, "anaé", "pée"),
        mix(SEED, "ana", "épée"),
        mix(NO_POOL, "épée", "ana"),
        mix(mix(NO_POOL, "ana", "épée"), "ana", "épée"),
    }
    assert len(mixed) == 5


def test_no_two_seeds_are_the_same() -> None:
    seeds = {
        KEYS.seed(table, epoch, salt, lane)
        for table in (TABLE, bytes(16))
        for epoch in (0, 1, 256)
        for salt in (bytes(16), SEED[:16])
        for lane in Lane
    }
    assert len(seeds) == 24
    assert TableKeys(bytes(32)).seed(TABLE, 0, bytes(16), Lane.OPEN) not in seeds


def test_keys_are_expanded_from_the_master_as_hkdf_does() -> None:
    message = b"arbitre/seed/v1\0" + TABLE + (3).to_bytes(4, "big") + bytes(16) + b"veil"
    expected = hmac.digest(expanded(b"seed"), message, "sha256")
    assert KEYS.seed(TABLE, 3, bytes(16), Lane.VEIL) == expected


def test_tokens_tell_roles_and_tables_apart() -> None:
    tokens = {KEYS.token(table, role) for table in (TABLE, bytes(16)) for role in Role}
    assert len(tokens) == 4
    assert {len(token) for token in tokens} == {64}
    assert KEYS.token(TABLE, Role.GM) == TableKeys(MASTER).token(TABLE, Role.GM)


def test_tables_have_unguessable_names() -> None:
    assert len({new_table() for _ in range(100)}) == 100
    assert len(new_table()) == 16


def test_an_epoch_opens_with_a_fresh_salt_and_nobodys_words() -> None:
    state = contributed(STATE, "Ana", ANA)
    assert state.contributions == 1
    first, second = opened(state), opened(state)
    assert first.salt != second.salt
    assert (first.pool, first.contributions) == (NO_POOL, 0)
    assert (first.epoch, first.seq, first.head) == (state.epoch, state.seq, state.head)


def test_a_log_is_taken_up_where_it_stands() -> None:
    log = golden_log()
    assert [resumed(TABLE, line) for line in log.lines] == log.states[1:]
    assert [state.closed for state in log.states] == [False] * 21 + [True]


def test_a_seal_opens_to_what_went_in() -> None:
    value = {"values": {"req": {"skill": 3}}, "salts": "é"}
    assert KEYS.unseal(TABLE, 7, KEYS.seal(TABLE, 7, value)) == value


def test_a_seal_is_what_the_format_says() -> None:
    where = TABLE + (7).to_bytes(8, "big")
    key = HKDF(SHA256(), 32, salt=expanded(b"hide"), info=b"sealed").derive(where)
    raw = bytes.fromhex(KEYS.seal(TABLE, 7, [1]))
    assert AESGCM(key).decrypt(raw[:12], raw[12:], where) == b"[1]".ljust(SEALED)


def test_a_seal_says_nothing_of_what_went_in() -> None:
    short, long = KEYS.seal(TABLE, 7, 1), KEYS.seal(TABLE, 7, "x" * (SEALED - 2))
    assert len(short) == len(long) == 2 * (12 + SEALED + 16)
    assert len(KEYS.seal(TABLE, 7, "x" * SEALED)) == 2 * (12 + 2 * SEALED + 16)
    assert short != KEYS.seal(TABLE, 7, 1)


def test_each_byte_of_a_seal_counts_and_so_does_its_place() -> None:
    sealed = bytes.fromhex(KEYS.seal(TABLE, 7, 1))
    for index in [*range(64), *range(64, len(sealed), 97), len(sealed) - 1]:
        changed = bytearray(sealed)
        changed[index] ^= 1
        with pytest.raises(ValueError, match="tampered"):
            KEYS.unseal(TABLE, 7, changed.hex())
    for keys, table, seq in (
        (KEYS, TABLE, 8),
        (KEYS, bytes(16), 7),
        (TableKeys(bytes(32)), TABLE, 7),
    ):
        with pytest.raises(ValueError, match="tampered"):
            keys.unseal(table, seq, sealed.hex())


def test_what_a_secret_roll_shows_cannot_be_guessed() -> None:
    values = {"req": {"skill": 3}, "draws": [[20, 7]], "outcome": {"margin": 1}}
    cover, other = veiled(KEYS, STATE, values), veiled(KEYS, STATE, values)
    assert all(cover.veil[name] != other.veil[name] for name in VEILED)
    hidden = KEYS.unseal(TABLE, 7, cover.sealed)
    assert hidden["values"] == values
    assert len({*hidden["salts"].values()}) == 3
    for name in VEILED:
        salt = bytes.fromhex(hidden["salts"][name])
        assert len(salt) == 32
        assert veil(salt, values[name]).hex() == cover.veil[name]
    guesses = {veil(bytes(32), [[20, face]]).hex() for face in range(1, 21)}
    assert cover.veil["draws"] not in guesses


def test_entries_hold_what_the_format_says() -> None:
    log = Log()
    log.genesis()
    log.roll(ANA)
    first, second = (orjson.loads(line.entry) for line in log.lines)
    assert [*first] == sorted(first)
    assert canonical(first) == log.lines[0].entry
    assert first["prev"] == "00" * 32
    assert second["prev"] == log.states[1].head.hex()
    assert first["st"] == {"epoch": 0, "salt": log.salts[0].hex(), "cs": "00" * 32, "n": 0}
    assert second["st"]["cs"] == mix(NO_POOL, "Ana", ANA).hex()
    assert second["st"]["n"] == 1


# Whether faces are even: fixed seeds, so that chance never fails a build.


def p_value(counts: list[int]) -> float:
    """Return about how likely even dice stray at least so far (Wilson and Hilferty)."""
    expected = sum(counts) / len(counts)
    stray = sum((count - expected) ** 2 for count in counts) / expected
    free = len(counts) - 1
    spread = 2 / (9 * free)
    return 1 - NormalDist().cdf(((stray / free) ** (1 / 3) - (1 - spread)) / spread**0.5)


def rolled_at_tables(sides: int, rolls: int) -> list[int]:
    """Roll a die five times in each roll of a table whose players all contribute."""
    counts: Counter[int] = Counter()
    state = State(TABLE, salt=bytes(16))
    for seq in range(rolls):
        state = contributed(state, "Ana", f"{sides} {seq}")
        seed = KEYS.seed(TABLE, seq // 5_000, bytes(16), Lane.OPEN)
        stream = SeededFaces(seed, place(TABLE, seq // 5_000, seq, state.pool))
        counts.update(stream.draw("", 5, sides))
    return [counts[face] for face in range(1, sides + 1)]


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100])
def test_faces_are_even(sides: int) -> None:
    assert 1e-6 < p_value(rolled_at_tables(sides, 20_000)) < 1 - 1e-6


def test_uneven_faces_would_be_seen() -> None:
    """As many faces again, of a die that takes any byte modulo twenty."""
    counts = Counter(byte % 20 for byte in range(256))
    assert p_value([100_000 * counts[face] // 256 for face in range(20)]) < 1e-6
