"""The log of one table: epochs, commitments, the players' entropy, a chain of entries.

``M`` is HMAC-SHA-256, ``H`` SHA-256, ``||`` concatenation, integers are big-endian, ``t`` the 16
bytes of the table's id. From the master secret (``signing``: prk)::

    K_seed  = M(prk, "seed" || 01)        K_hide  = M(prk, "hide" || 01)
    seed    = M(K_seed, "arbitre/seed/v1" 00 || t || u32(epoch) || salt[16] || lane)
    commit  = H("arbitre/commit/v1" 00 || t || u32(epoch) || seed)       lane: "open" or "veil"

The genesis entry and each ``rotate`` open an epoch: they publish a fresh salt and the commitment
of both lanes, before any player has said a word in it. The players' *pool* is 32 zero bytes when
an epoch opens; a contribution of actor a with words s makes it

    pool' = H("arbitre/mix/v1" 00 || pool || H(a) || H(s))

A player's roll carries fresh words of the player's own program, mixed in *before* its faces are
drawn; a game master's roll never does, and draws on the pool that the players left. The faces of
number n read the stream of ``dice.seeded`` with the lane's seed, t, the epoch, n and the pool.

Every entry holds the number of the last one's hash (``prev``; 64 zeros at first) and the state
it leaves (``st``: epoch, salt, pool as ``cs``, contributions in the epoch as ``n``)::

    h   = H(00 || E)          sig = Ed25519("arbitre/entry/v1" 00 || t || u64(seq) || h)

A secret roll shows for ``req``, ``draws`` and ``outcome`` only a veil each,

    veil_f = H("arbitre/veil/v1" 00 || salt_f[32] || JCS(value_f))

and carries the values and salts, padded with spaces, in ``sealed``: a random nonce, then
AES-256-GCM under ``M(M(K_hide, t || u64(seq)), "sealed" || 01)`` with ``t || u64(seq)`` as
associated data. Its faces come from the veil lane, so that revealing the open lane shows
nothing of them.
"""

import hashlib
import hmac
import os
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from arbitre.audit.canonical import canonical
from arbitre.audit.entry import VERSION, fresh_seed
from arbitre.audit.signing import Signer, entry_hash

TABLE_BYTES: Final = 16
NO_HASH: Final = bytes(32)
NO_POOL: Final = bytes(32)
SALT_BYTES: Final = 16
VEIL_SALT: Final = 32
SEALED: Final = 8192
"""A sealed part has so many bytes inside, or the next power of two that holds it."""

VEILED: Final = ("req", "draws", "outcome")
"""What a secret roll hides, each on its own."""


class Lane(StrEnum):
    """Which of an epoch's two seeds the faces come from."""

    OPEN = "open"
    VEIL = "veil"


class Role(StrEnum):
    """Whose token was shown."""

    GM = "gm"
    PLAYER = "player"


class Kind(StrEnum):
    """What an entry is."""

    GENESIS = "genesis"
    SEED = "seed"
    ROLL = "roll"
    ROTATE = "rotate"
    REVEAL = "reveal"
    UNVEIL = "unveil"
    CLOSE = "close"


class Drawn(StrEnum):
    """Who had a say in the faces of a roll at a table."""

    OWN = "own"
    POOL = "pool"
    SERVER_ONLY = "server-only"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class State:
    """Where a table's log stands: what its next entry builds on."""

    table: bytes
    seq: int = 0
    head: bytes = NO_HASH
    epoch: int = 0
    salt: bytes = b""
    pool: bytes = NO_POOL
    contributions: int = 0
    closed: bool = False

    @property
    def st(self) -> dict[str, Any]:
        """The state as entries write it."""
        return {
            "epoch": self.epoch,
            "salt": self.salt.hex(),
            "cs": self.pool.hex(),
            "n": self.contributions,
        }


class Line(NamedTuple):
    """One entry of a table's log, as it is kept and served."""

    seq: int
    entry: bytes
    sig: str


def mix(pool: bytes, who: str, words: str) -> bytes:
    """Return the pool after ``who`` contributed ``words``."""
    mixed = b"arbitre/mix/v1\0" + pool + _sha(who.encode()) + _sha(words.encode())
    return _sha(mixed)


def commitment(table: bytes, epoch: int, seed: bytes) -> bytes:
    """Return what is published of ``seed`` before it is used."""
    return _sha(b"arbitre/commit/v1\0" + table + epoch.to_bytes(4, "big") + seed)


def veil(salt: bytes, value: Any) -> bytes:
    """Return what a secret roll shows of ``value``."""
    return _sha(b"arbitre/veil/v1\0" + salt + canonical(value))


def contributed(state: State, who: str, words: str) -> State:
    """Mix a player's words in."""
    pool = mix(state.pool, who, words)
    return replace(state, pool=pool, contributions=state.contributions + 1)


def after(state: State, entry: bytes) -> State:
    """Return where the log stands after the signed entry that ``state`` was written into."""
    return replace(state, seq=state.seq + 1, head=entry_hash(entry))


def resumed(table: bytes, line: Line) -> State:
    """Return where a log stands whose last entry is ``line``."""
    data = orjson.loads(line.entry)
    st = data["st"]
    return State(
        table=table,
        seq=line.seq + 1,
        head=entry_hash(line.entry),
        epoch=st["epoch"],
        salt=bytes.fromhex(st["salt"]),
        pool=bytes.fromhex(st["cs"]),
        contributions=st["n"],
        closed=data["type"] == Kind.CLOSE,
    )


class TableKeys:
    """The keys of tables, derived from one master secret."""

    __slots__ = ("_hide", "_seed", "_token", "signer")

    def __init__(self, master: bytes) -> None:
        self.signer = Signer(master)
        prk = hmac.digest(b"arbitre/master/v1", master, "sha256")
        self._seed = hmac.digest(prk, b"seed\x01", "sha256")
        self._hide = hmac.digest(prk, b"hide\x01", "sha256")
        self._token = hmac.digest(prk, b"token\x01", "sha256")

    def seed(self, table: bytes, epoch: int, salt: bytes, lane: Lane) -> bytes:
        """Return the secret seed of an epoch's lane."""
        where = table + epoch.to_bytes(4, "big") + salt + lane.value.encode()
        return hmac.digest(self._seed, b"arbitre/seed/v1\0" + where, "sha256")

    def commitments(self, state: State) -> dict[str, str]:
        """Return what is published of both seeds of the state's epoch."""
        return {
            lane.value: commitment(
                state.table,
                state.epoch,
                self.seed(state.table, state.epoch, state.salt, lane),
            ).hex()
            for lane in Lane
        }

    def token(self, table: bytes, role: Role) -> str:
        """Return the token of a role at a table."""
        return hmac.digest(self._token, role.value.encode() + b"\0" + table, "sha256").hex()

    def seal(self, table: bytes, seq: int, value: Any) -> str:
        """Encrypt what a secret roll hides, for the game master alone."""
        nonce = os.urandom(12)
        where = _where(table, seq)
        text = canonical(value)
        # spaces, so that the length tells nothing of the dice
        padded = text.ljust(max(SEALED, 1 << (len(text) - 1).bit_length()))
        sealed = AESGCM(self._sealing(where)).encrypt(nonce, padded, where)
        return (nonce + sealed).hex()

    def unseal(self, table: bytes, seq: int, sealed: str) -> Any:
        """Decrypt what a secret roll hides; ``ValueError`` if it was tampered with."""
        where = _where(table, seq)
        raw = bytes.fromhex(sealed)
        try:
            return orjson.loads(AESGCM(self._sealing(where)).decrypt(raw[:12], raw[12:], where))
        except InvalidTag:
            msg = "the sealed part was tampered with"
            raise ValueError(msg) from None

    def _sealing(self, where: bytes) -> bytes:
        return hmac.digest(hmac.digest(self._hide, where, "sha256"), b"sealed\x01", "sha256")


class Written(NamedTuple):
    """A new entry and where the log stands once it is kept."""

    line: Line
    state: State


def opened(state: State) -> State:
    """Return the state at the opening of an epoch: a fresh salt, nobody's words."""
    return replace(state, salt=os.urandom(SALT_BYTES), pool=NO_POOL, contributions=0)


def write(keys: TableKeys, state: State, kind: Kind, ts: int, body: dict[str, Any]) -> Written:
    """Write the next entry of a log and sign it; ``state`` is what the entry leaves."""
    entry = canonical(
        {
            "v": VERSION,
            "type": kind.value,
            "table": state.table.hex(),
            "seq": state.seq,
            "prev": state.head.hex(),
            "ts": ts,
            "st": state.st,
            **body,
        }
    )
    line = Line(state.seq, entry, keys.signer.sign(entry, state.table, state.seq))
    return Written(line, replace(after(state, entry), closed=kind is Kind.CLOSE))


def genesis(
    keys: TableKeys, table: bytes, ts: int, origin: str, settings: dict[str, Any]
) -> Written:
    """Open a log: the key, the settings, the commitments of epoch 0."""
    state = opened(State(table))
    body = {
        "origin": origin,
        "key": keys.signer.public_key,
        "commit": keys.commitments(state),
        "settings": settings,
    }
    return write(keys, state, Kind.GENESIS, ts, body)


def rotate(keys: TableKeys, state: State, ts: int, body: dict[str, Any]) -> Written:
    """Close the epoch and open the next one, in one entry that reveals nothing."""
    state = opened(replace(state, epoch=state.epoch + 1))
    return write(keys, state, Kind.ROTATE, ts, {"commit": keys.commitments(state), **body})


class Veiled(NamedTuple):
    """What a secret roll shows, and what it hides."""

    veil: dict[str, str]
    sealed: str


def veiled(keys: TableKeys, state: State, values: dict[str, Any]) -> Veiled:
    """Hide ``values``, one for each of ``VEILED``, under a salt each."""
    salts = {name: os.urandom(VEIL_SALT) for name in VEILED}
    shown = {name: veil(salts[name], values[name]).hex() for name in VEILED}
    hidden = {"values": values, "salts": {name: salt.hex() for name, salt in salts.items()}}
    return Veiled(shown, keys.seal(state.table, state.seq, hidden))


def new_table() -> bytes:
    """Return the id of a new table: 128 bits that nobody can guess."""
    return fresh_seed()[:TABLE_BYTES]


def _where(table: bytes, seq: int) -> bytes:
    return table + seq.to_bytes(8, "big")


def _sha(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()
