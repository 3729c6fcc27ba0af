"""How an entry is signed. This text is the format.

Everything derives from one *master secret* of at least 32 random bytes, with ``M`` =
HMAC-SHA-256, ``H`` = SHA-256 and ``||`` concatenation::

    prk     = M("arbitre/master/v1", master)
    sign    = M(prk, "sign" || 01)      the Ed25519 private seed  (HKDF-Expand, 32 bytes)
    hide    = M(prk, "hide" || 01)      the key of ``idem`` and ``fp``

An entry is the RFC 8785 form ``E`` of a JSON object. Outside a table it stands alone, which
is written as sixteen zero bytes for the table and number 0::

    h   = H(00 || E)
    sig = Ed25519(sign, "arbitre/entry/v1" 00 || 00 * 16 || u64(0) || h)

``h`` is the leaf hash of RFC 6962. Hexadecimal is lower case everywhere. A key is named by its
*id*, the first eight bytes of ``H(public key)``. Two hashes let the service recognize a retried
request without showing what was asked; ``u32`` is a big-endian length::

    idem = M(hide, "idem" 00 || u32(length of scope) || scope || key)
    fp   = M(hide, "fp" 00 || JCS([system, resolver, body]))

A worked example, with the master secret 00 01 02 … 1f:

>>> signer = Signer(bytes(range(32)))
>>> signer.public_key
'dbe84430c6a1e180c519053b10c5cdb42132b35234bacc90db80a057fede16db'
>>> signer.key_id
'b98694409fce8eb3'
>>> entry = b'{"v":1}'
>>> entry_hash(entry).hex()
'0fe7f04cd9688fb996eea9ae1248cbe83b4d04805413f35ab25ad9deb5a3cb32'
>>> sig = signer.sign(entry)
>>> sig[:32], sig[-32:]
('87eaeeb656dc2cda373ffc83074d3c6e', '45e50c3e16bcedad05b1e4a05f821d0a')
>>> verify(entry, sig, signer.public_key)
True
>>> verify(b'{"v":2}', sig, signer.public_key)
False

Whoever checks signatures must refuse a key that is not canonical or of small order
(``weak_key``): under such a key a signature can be forged that fits *every* message, and most
libraries accept it.
"""

import hashlib
import hmac
import re
from functools import lru_cache
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from arbitre.audit.canonical import canonical

MASTER_BYTES: Final = 32
"""A master secret has at least so many bytes."""

_TAG: Final = b"arbitre/entry/v1\0"
NO_TABLE: Final = bytes(16)
"""Stands for the table of an entry that has none."""

_KEY: Final = re.compile(r"[0-9a-f]{64}")
_SIG: Final = re.compile(r"[0-9a-f]{128}")
_P: Final = 2**255 - 19
_ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_Y: Final = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})


def entry_hash(entry: bytes) -> bytes:
    """Return the 32-byte hash that stands for an entry."""
    return hashlib.sha256(b"\0" + entry).digest()


class Signer:
    """The keys that derive from one master secret."""

    __slots__ = ("_hide", "_private", "key_id", "public_key")

    def __init__(self, master: bytes) -> None:
        if len(master) < MASTER_BYTES:
            msg = f"a master secret has at least {MASTER_BYTES} bytes"
            raise ValueError(msg)
        prk = hmac.digest(b"arbitre/master/v1", master, "sha256")
        self._hide = hmac.digest(prk, b"hide\x01", "sha256")
        self._private = Ed25519PrivateKey.from_private_bytes(
            hmac.digest(prk, b"sign\x01", "sha256")
        )
        raw = self._private.public_key().public_bytes_raw()
        self.public_key = raw.hex()
        self.key_id = hashlib.sha256(raw).hexdigest()[:16]

    def sign(self, entry: bytes, table: bytes = NO_TABLE, seq: int = 0) -> str:
        """Sign the canonical bytes of an entry, with its place at a table if it has one."""
        return self._private.sign(_signed(entry, table, seq)).hex()

    def idem(self, scope: str, key: str) -> bytes:
        """Return what an Idempotency-Key is known by; ``scope`` tells callers apart."""
        who = scope.encode()
        message = b"idem\0" + len(who).to_bytes(4, "big") + who + key.encode()
        return hmac.digest(self._hide, message, "sha256")

    def fingerprint(self, system: str, resolver: str, body: Any) -> bytes:
        """Return what a request is known by: equal bodies, equal fingerprints.

        ``body`` is all that decides the roll: the request with its defaults filled in, and
        ``dice``, ``seed``, ``actor`` and ``note`` where given.
        """
        message = b"fp\0" + canonical([system, resolver, body])
        return hmac.digest(self._hide, message, "sha256")


def weak_key(public_key: bytes) -> bool:
    """Say whether a key is not canonical, or one of the points of small order."""
    y = int.from_bytes(public_key, "little") & ((1 << 255) - 1)
    return y >= _P or y in _SMALL_Y


def verify(entry: bytes, sig: str, public_key: str, table: bytes = NO_TABLE, seq: int = 0) -> bool:
    """Say whether ``sig`` is the signature of ``entry`` under an honest ``public_key``."""
    if not _SIG.fullmatch(sig) or not _KEY.fullmatch(public_key):
        return False
    raw = bytes.fromhex(public_key)
    if weak_key(raw):
        return False
    try:
        _public(raw).verify(bytes.fromhex(sig), _signed(entry, table, seq))
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=8)
def _public(raw: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(raw)


def _signed(entry: bytes, table: bytes, seq: int) -> bytes:
    return _TAG + table + seq.to_bytes(8, "big") + entry_hash(entry)
