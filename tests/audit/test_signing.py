"""Keys, signatures, and keys that would sign anything."""

import doctest

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from arbitre.audit import Signer, entry_hash, signing, verify, weak_key
from entries import SIGNER

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int]


def plus(one: Point, other: Point) -> Point:
    """Add two points of the curve."""
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P
    return x, y


def point(y: int) -> Point | None:
    """Return a point with this y, if the curve has one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    return (x, y) if x * x % P == square else None


def times(n: int, of: Point) -> Point:
    found = (0, 1)
    for bit in f"{n:b}":
        found = plus(found, found)
        if bit == "1":
            found = plus(found, of)
    return found


def encodings(y: int) -> list[bytes]:
    return [(y | sign << 255).to_bytes(32, "little") for sign in (0, 1)]


def small_order() -> list[int]:
    """Return each y of a point whose eightfold is nothing, found from scratch."""
    prime = 2**252 + 27742317777372353535851937790883648493
    found = set()
    for y in range(2, 60):
        of = point(y)
        if of:
            small = times(prime, of)
            for _ in range(8):
                found.add(small[1])
                small = plus(small, times(prime, of))
        if len(found) == 5:  # an eighth of all points leads to each
            break
    return sorted(found)


def test_the_format_is_as_written() -> None:
    assert doctest.testmod(signing).failed == 0
    assert doctest.testmod(signing).attempted > 5


def test_the_published_vector_of_the_key() -> None:
    assert SIGNER.public_key == "dbe84430c6a1e180c519053b10c5cdb42132b35234bacc90db80a057fede16db"


def test_the_hash_is_the_leaf_hash_of_rfc_6962() -> None:
    empty = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert entry_hash(b"").hex() == empty


def test_a_signature_fits_its_entry_and_key_only() -> None:
    sig = SIGNER.sign(b"entry")
    assert verify(b"entry", sig, SIGNER.public_key)
    assert not verify(b"entrY", sig, SIGNER.public_key)
    assert not verify(b"entry", sig, Signer(bytes(32)).public_key)


def test_every_bit_of_a_signature_counts() -> None:
    sig = bytes.fromhex(SIGNER.sign(b"entry"))
    for bit in range(512):
        wrong = bytearray(sig)
        wrong[bit // 8] ^= 1 << bit % 8
        assert not verify(b"entry", wrong.hex(), SIGNER.public_key), bit


@pytest.mark.parametrize("spoil", [str.upper, lambda text: text[:-2], lambda text: text + "\n"])
def test_hexadecimal_is_lower_case_and_whole(spoil: object) -> None:
    sig, key = SIGNER.sign(b"entry"), SIGNER.public_key
    assert not verify(b"entry", spoil(sig), key)  # type: ignore[operator]
    assert not verify(b"entry", sig, spoil(key))  # type: ignore[operator]


def test_there_are_five_heights_of_small_order_and_all_are_weak() -> None:
    heights = small_order()
    assert len(heights) == 5
    assert all(weak_key(key) for y in heights for key in encodings(y))


def test_keys_that_are_not_canonical_are_weak() -> None:
    for y in range(P, 2**255):
        assert all(weak_key(key) for key in encodings(y)), y


def test_honest_keys_are_not_weak() -> None:
    for n in range(50):
        assert not weak_key(bytes.fromhex(Signer(n.to_bytes(32, "big")).public_key))


def test_a_forgery_for_every_entry_is_refused() -> None:
    """With the neutral point as key, one signature fits all: R = neutral, S = 0."""
    key = (1).to_bytes(32, "little")
    forged = key + bytes(32)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(forged, b"whatever")
    except InvalidSignature:
        pytest.fail("the library has learnt to refuse it: the check is no longer needed")
    assert not verify(b"whatever", forged.hex(), key.hex())


def test_a_short_master_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        Signer(bytes(31))


def test_idempotency_keys_are_told_apart_by_scope() -> None:
    assert SIGNER.idem("a", "bc") == SIGNER.idem("a", "bc")
    assert len({SIGNER.idem("a", "bc"), SIGNER.idem("ab", "c"), SIGNER.idem("", "abc")}) == 3
    assert SIGNER.idem("a", "b") != Signer(bytes(32)).idem("a", "b")


def test_fingerprints_know_equal_requests() -> None:
    one = SIGNER.fingerprint("kadath", "roll", {"a": 1, "b": [2]})
    assert one == SIGNER.fingerprint("kadath", "roll", {"b": [2], "a": 1})
    assert one != SIGNER.fingerprint("kadath", "roll", {"a": 1, "b": [3]})
    assert one != SIGNER.fingerprint("kadath", "other", {"a": 1, "b": [2]})
    assert one != Signer(bytes(32)).fingerprint("kadath", "roll", {"a": 1, "b": [2]})
