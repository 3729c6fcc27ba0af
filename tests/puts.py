"""Rolls to store."""

import time

from arbitre.audit import Signed, Signer, new_id
from arbitre.store import Put

SIGNER = Signer(bytes(range(32)))


def now() -> int:
    return time.time_ns() // 1_000_000


def make_put(
    key: str | None = None, body: str = "", *, text: str = "", expires: int | None = None
) -> Put:
    """Return a new roll, asked for with an Idempotency-Key and a body."""
    id_ = new_id(now())
    entry = f'{{"id":"{id_}","note":"{text or "Épée"}"}}'.encode()
    idem = SIGNER.idem("tests", key) if key else None
    fp = SIGNER.fingerprint("kadath", "roll", body) if key else None
    return Put(id_, idem, fp, entry, SIGNER.sign(entry), expires)


def signed(item: Put) -> Signed:
    return Signed(item.id, item.entry, item.sig)
