"""Entries of tables to store."""

import hashlib
import os

import orjson

from arbitre.audit import entry_hash
from arbitre.audit.tables import NO_HASH, Line, new_table
from arbitre.store.interface import TablePut
from puts import SIGNER


class Ledger:
    """A table whose entries link up, and say nothing."""

    def __init__(self, table: bytes | None = None) -> None:
        self.table = table or new_table()
        self.seq = 0
        self.head = NO_HASH

    def next(self, key: str | None = None, body: str = "", text: str = "Épée") -> TablePut:
        """Return the next entry without taking it for kept."""
        data = {"seq": self.seq, "prev": self.head.hex(), "text": text, "one": os.urandom(8).hex()}
        entry = orjson.dumps(data)
        return TablePut(
            table=self.table,
            seq=self.seq,
            prev=self.head,
            head=entry_hash(entry),
            entry=entry,
            sig=SIGNER.sign(entry),
            idem=hashlib.sha256(key.encode()).digest() if key else os.urandom(32),
            fp=hashlib.sha256(body.encode()).digest(),
        )

    def took(self, item: TablePut) -> None:
        """Go on after ``item``."""
        self.seq, self.head = item.seq + 1, item.head


def line(item: TablePut) -> Line:
    return Line(item.seq, item.entry, item.sig)
