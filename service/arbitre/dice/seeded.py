"""A seed becomes faces, the same for ever, in any language.

The stream of one roll is the concatenation of 32-byte blocks, for i = 0, 1, 2 …::

    block_i = HMAC-SHA-256(seed, m || u32(i))
    m       = "arbitre/dice/v1" 00 || table[16] || u32(epoch) || u64(seq) || pool[32]

with big-endian integers; outside a table all of table, epoch, seq and pool are zero. A die
with n sides reads w bytes as one big-endian integer x: w is 1 up to n = 256, 2 up to 65536,
else 4. With ``limit = 256**w - 256**w % n``, an x of limit or more is thrown away and the next
w bytes are read; otherwise the face is ``1 + x % n``. Nothing is aligned: each die reads on
where the last one stopped.
"""

import hashlib
import hmac
from functools import lru_cache

from arbitre.dice.source import Faces

MAX_SIDES = 1 << 32
NO_TABLE = bytes(16 + 4 + 8 + 32)
_TAG = b"arbitre/dice/v1\0"
_BYTE = 1 << 8
_TWO_BYTES = 1 << 16


def caller_seed(text: str) -> bytes:
    """Return the 32-byte seed of a caller's words: equal words, equal faces."""
    return hashlib.sha256(b"arbitre/caller-seed/v1\0" + text.encode()).digest()


def place(table: bytes, epoch: int, seq: int, pool: bytes) -> bytes:
    """Return where at a table a roll stands: the bytes that set its stream apart."""
    return table + epoch.to_bytes(4, "big") + seq.to_bytes(8, "big") + pool


class SeededFaces:
    """The faces of one roll, read from its stream."""

    __slots__ = ("_block", "_bytes", "_message", "_seed")

    def __init__(self, seed: bytes, where: bytes = NO_TABLE) -> None:
        self._seed = seed
        self._message = _TAG + where
        self._block = 0
        self._bytes = b""

    def draw(self, _tag: str, count: int, sides: int) -> Faces:
        """Read ``count`` faces, each from 1 to ``sides``."""
        if not 2 <= sides <= MAX_SIDES:  # noqa: PLR2004 - a die has two sides at least
            msg = f"no die has {sides} sides"
            raise ValueError(msg)
        if sides > _BYTE:
            return tuple(self._wide(sides) for _ in range(count))
        faces, rejected = _translation(sides)
        found = b""
        while len(found) < count:
            raw = self._bytes or self._next_block()
            take = count - len(found)
            found += raw[:take].translate(faces, rejected)
            self._bytes = raw[take:]
        # a d256 has a face that no byte holds: its byte 255 stands for 256
        return tuple(found) if sides < _BYTE else tuple(byte + 1 for byte in found)

    def _wide(self, sides: int) -> int:
        width = 2 if sides <= _TWO_BYTES else 4
        limit = _BYTE**width - _BYTE**width % sides
        while True:
            while len(self._bytes) < width:
                self._bytes += self._next_block()
            value = int.from_bytes(self._bytes[:width], "big")
            self._bytes = self._bytes[width:]
            if value < limit:
                return 1 + value % sides

    def _next_block(self) -> bytes:
        block = hmac.digest(self._seed, self._message + self._block.to_bytes(4, "big"), "sha256")
        self._block += 1
        return block


@lru_cache(maxsize=_BYTE)
def _translation(sides: int) -> tuple[bytes, bytes]:
    """Return the byte-to-face table of a die and the bytes it rejects."""
    if sides == _BYTE:
        return bytes(range(_BYTE)), b""
    limit = _BYTE - _BYTE % sides
    return bytes(byte % sides + 1 for byte in range(_BYTE)), bytes(range(limit, _BYTE))
