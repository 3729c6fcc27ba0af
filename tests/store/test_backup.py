"""Logs of tables out of each store and back into it."""

import orjson

from arbitre.audit.ledger import verify_ledger
from arbitre.store.backup import log_of, put_back, rotate_all
from arbitre.store.interface import Log as Store
from entries import REGISTRY, TS
from golden.table import golden_log
from ledgers import ANA, KEY, KEYS, TABLE, Log, receipts


async def test_logs_are_put_back_and_go_on_in_a_new_epoch(store: Store) -> None:
    closed, running = golden_log(), Log(table=bytes(16))
    running.genesis()
    running.roll(ANA)
    for log in (closed, running):
        assert await put_back(store, log.receipts) == len(log.lines)
        assert await put_back(store, log.receipts) == 0
    restored = await rotate_all(store, KEYS, lambda: TS)
    assert (restored.rotated, restored.closed, restored.foreign) == (1, 1, [])
    assert [line async for line in log_of(store, TABLE)] == closed.lines
    lines = [line async for line in log_of(store, bytes(16))]
    assert lines[:2] == running.lines
    assert [orjson.loads(line.entry)["type"] for line in lines[2:]] == ["rotate"]
    verdict = verify_ledger(receipts(lines), REGISTRY, key=KEY, receipts=running.receipts)
    assert verdict.failures == []
