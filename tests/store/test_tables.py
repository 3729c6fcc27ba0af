"""What every store promises of tables."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arbitre.audit.tables import NO_HASH
from arbitre.store import IdempotencyConflictError, Store, StoreDownError
from arbitre.store.interface import KnownLine, Log, TableKept, TableMovedError, TablePut
from arbitre.store.redis import RedisStore
from arbitre.store.sqlite import FILE, SqliteStore
from lines import Ledger, line
from puts import make_put, signed
from redis_server import RedisServer
from store.test_redis import LossyProxy

Logs = Callable[[], Log]


async def filled(log: Log, length: int, ledger: Ledger | None = None) -> list[TablePut]:
    """Append so many entries to a table."""
    ledger = ledger or Ledger()
    items = []
    for _ in range(length):
        item = ledger.next()
        assert await log.append(item) == TableKept(line(item), replayed=False)
        ledger.took(item)
        items.append(item)
    return items


async def whole(log: Log, table: bytes) -> list[Any]:
    return await log.lines(table, 0, 10_000)


async def test_entries_are_kept_as_they_were_written(log: Log) -> None:
    items = await filled(log, 5)
    table = items[0].table
    assert await whole(log, table) == [*map(line, items)]
    assert await log.last(table) == line(items[-1])


async def test_an_unknown_table_is_nothing(log: Log) -> None:
    table = Ledger().table
    assert await log.last(table) is None
    assert await log.lines(table, 0, 10) == []
    assert await log.by_key(table, bytes(32)) is None


async def test_a_table_is_never_made_by_its_second_entry(log: Log) -> None:
    ledger = Ledger()
    ledger.took(ledger.next())
    for prev in (ledger.head, NO_HASH):
        with pytest.raises(TableMovedError):
            await log.append(ledger.next()._replace(prev=prev))
    assert await log.last(ledger.table) is None
    assert await log.tables(b"", 10) == []


async def test_a_page_begins_and_ends_where_it_is_asked_to(log: Log) -> None:
    items = await filled(log, 7)
    lines, table = [*map(line, items)], items[0].table
    for start in range(9):
        for limit in (1, 2, 7, 100):
            assert await log.lines(table, start, limit) == lines[start : start + limit]


async def test_only_the_end_can_be_built_on(log: Log) -> None:
    ledger = Ledger()
    items = await filled(log, 3, ledger)
    good = ledger.next()
    for changed in (
        good._replace(seq=2),
        good._replace(seq=4),
        good._replace(seq=0),
        good._replace(seq=0, prev=NO_HASH),
        good._replace(prev=items[1].head),
        good._replace(prev=NO_HASH),
    ):
        with pytest.raises(TableMovedError):
            await log.append(changed)
    assert await whole(log, ledger.table) == [*map(line, items)]
    await log.append(good)


async def test_a_genesis_must_build_on_nothing(log: Log) -> None:
    item = Ledger().next()
    with pytest.raises(TableMovedError):
        await log.append(item._replace(prev=bytes(31) + b"\1"))
    await log.append(item)


async def test_of_two_that_build_on_one_end_one_is_kept(logs: Logs) -> None:
    workers = [logs() for _ in range(4)]
    await asyncio.gather(*(worker.open() for worker in workers))
    ledger = Ledger()
    for _ in range(10):
        items = [ledger.next() for _ in range(12)]
        answers = await asyncio.gather(
            *(workers[number % 4].append(item) for number, item in enumerate(items)),
            return_exceptions=True,
        )
        kept = [index for index, one in enumerate(answers) if isinstance(one, TableKept)]
        assert len(kept) == 1
        assert sum(isinstance(answer, TableMovedError) for answer in answers) == 11
        ledger.took(items[kept[0]])
        assert await workers[0].last(ledger.table) == line(items[kept[0]])
    for worker in workers:
        await worker.close()


async def test_a_retry_gets_the_first_entry_wherever_the_log_stands(log: Log) -> None:
    ledger = Ledger()
    await filled(log, 2, ledger)
    first = ledger.next("k")
    await log.append(first)
    again = TableKept(line(first), replayed=True)
    assert await log.append(ledger.next("k")) == again
    ledger.took(first)
    await filled(log, 2, ledger)
    assert await log.append(ledger.next("k")) == again
    assert len(await whole(log, ledger.table)) == 5


async def test_the_same_write_sent_twice_is_one_entry(log: Log) -> None:
    item = Ledger().next()
    assert await log.append(item) == TableKept(line(item), replayed=False)
    assert await log.append(item) == TableKept(line(item), replayed=True)
    assert await whole(log, item.table) == [line(item)]


async def test_the_same_key_for_another_request_is_refused(log: Log) -> None:
    ledger = Ledger()
    first = ledger.next("k", "a")
    await log.append(first)
    for item in (ledger.next("k", "b"), ledger.next("k", "b")._replace(seq=1, prev=first.head)):
        with pytest.raises(IdempotencyConflictError):
            await log.append(item)
    assert await whole(log, ledger.table) == [line(first)]


async def test_a_key_is_known_at_its_own_table_only(log: Log) -> None:
    one, other = Ledger(), Ledger()
    items = [one.next("k"), other.next("k")]
    for item in items:
        assert await log.append(item) == TableKept(line(item), replayed=False)
        assert await log.by_key(item.table, item.idem) == KnownLine(line(item), item.fp)
    assert await log.by_key(one.table, one.next("l").idem) is None


async def test_racing_retries_all_get_one_entry(logs: Logs) -> None:
    workers = [logs() for _ in range(4)]
    await asyncio.gather(*(worker.open() for worker in workers))
    ledger = Ledger()
    for key in ("a", "b", "c"):
        items = [ledger.next(key) for _ in range(12)]
        answers = await asyncio.gather(
            *(workers[number % 4].append(item) for number, item in enumerate(items))
        )
        assert len({answer.line for answer in answers}) == 1
        assert [answer.replayed for answer in answers].count(False) == 1
        ledger.took(next(item for item in items if line(item) == answers[0].line))
    assert len(await whole(workers[0], ledger.table)) == 3
    for worker in workers:
        await worker.close()


async def test_tables_are_listed_in_order_page_by_page(log: Log) -> None:
    tables = [(await filled(log, 2))[0].table for _ in range(7)]
    found: list[bytes] = []
    while page := await log.tables(found[-1] if found else b"", 3):
        assert len(page) <= 3
        found += page
    assert found == sorted(tables)


async def test_rolls_outside_tables_are_none(log: Log) -> None:
    await log.put(make_put("k"))
    assert await log.tables(b"", 10) == []


async def test_one_batch_carries_many_tables(log: Log) -> None:
    ledgers = [Ledger() for _ in range(40)]
    await filled(log, 1)  # the first call also looks at the server
    before = log.batches  # type: ignore[attr-defined]
    for _ in range(3):
        items = [ledger.next() for ledger in ledgers]
        await asyncio.gather(*map(log.append, items))
        for ledger, item in zip(ledgers, items, strict=True):
            ledger.took(item)
    assert log.batches - before == 3  # type: ignore[attr-defined]
    for ledger in ledgers:
        assert len(await whole(log, ledger.table)) == 3


async def test_one_batch_answers_each_table_by_itself(log: Log) -> None:
    one, other, third = Ledger(), Ledger(), Ledger()
    kept = one.next("k", "a")
    await log.append(kept)
    good, moved = other.next(), third.next()._replace(seq=1)
    roll = make_put()
    answers = await asyncio.gather(
        *map(log.append, (one.next("k", "a"), one.next("k", "b"), good, moved)),
        log.put(roll),
        return_exceptions=True,
    )
    assert answers[0] == TableKept(line(kept), replayed=True)
    assert isinstance(answers[1], IdempotencyConflictError)
    assert answers[2] == TableKept(line(good), replayed=False)
    assert isinstance(answers[3], TableMovedError)
    assert await log.get(roll.id) == signed(roll)


async def test_tables_outlive_the_store_that_wrote_them(logs: Logs) -> None:
    one = logs()
    await one.open()
    ledger = Ledger()
    items = await filled(one, 3, ledger)
    await one.close()
    other = logs()
    await other.open()
    items += await filled(other, 2, ledger)
    assert await whole(other, ledger.table) == [*map(line, items)]
    assert await other.append(items[1]) == TableKept(line(items[1]), replayed=True)
    await other.close()


async def test_what_waits_when_the_store_closes_is_written(logs: Logs) -> None:
    one = logs()
    await one.open()
    items = [Ledger().next() for _ in range(5)]
    waiting = [asyncio.ensure_future(one.append(item)) for item in items]
    await asyncio.sleep(0)
    await one.close()
    assert [kept.line for kept in await asyncio.gather(*waiting)] == [*map(line, items)]


async def test_a_large_entry_is_kept_whole(log: Log) -> None:
    item = Ledger().next(text="é" * 200_000)
    await log.append(item)
    assert await log.last(item.table) == line(item)


# SQLite


@pytest.fixture
async def file(tmp_path: Path) -> Any:
    store = SqliteStore(tmp_path / FILE)
    await store.open()
    yield store
    await store.close()


async def test_an_entry_never_changes_and_never_goes(file: SqliteStore, tmp_path: Path) -> None:
    items = await filled(file, 3)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        for column in ("tbl", "seq", "head", "idem", "fp", "entry", "sig"):
            with pytest.raises(sqlite3.IntegrityError, match="an entry never changes"):
                other.execute(f"UPDATE lines SET {column} = {column}")  # noqa: S608
        for which in ("", " WHERE seq = 2"):
            with pytest.raises(sqlite3.IntegrityError, match="an entry is kept for ever"):
                other.execute(f"DELETE FROM lines{which}")  # noqa: S608
    writer = file._writer  # noqa: SLF001
    assert writer is not None
    for how in ("INSERT OR REPLACE", "REPLACE"):
        with pytest.raises(sqlite3.IntegrityError, match="an entry is kept for ever"):
            writer.execute(
                f"{how} INTO lines VALUES (?, 2, x'00', x'00', x'00', x'00', '')",
                (items[0].table,),
            )
    assert await whole(file, items[0].table) == [*map(line, items)]


async def test_entries_and_rolls_share_a_commit(file: SqliteStore) -> None:
    before = file.batches
    entries = [file.append(Ledger().next()) for _ in range(20)]
    rolls = [file.put(make_put()) for _ in range(20)]
    await asyncio.gather(*entries, *rolls)
    assert file.batches - before == 1


# Redis


async def test_an_answer_lost_on_the_way_appends_nothing_twice(redis_server: RedisServer) -> None:
    redis_server.flush()
    proxy = LossyProxy(redis_server.port)
    store = RedisStore(f"redis://127.0.0.1:{await proxy.start()}")
    await store.open()
    ledger = Ledger()
    items = await filled(store, 1, ledger)
    item, before = ledger.next(), proxy.requests
    proxy.lose_next = True
    kept = await store.append(item)
    assert kept.line == line(item)
    assert proxy.requests - before == 2
    assert await whole(store, ledger.table) == [*map(line, [*items, item])]
    await store.close()
    await proxy.stop()


async def test_an_append_is_one_round_trip(redis_server: RedisServer) -> None:
    redis_server.flush()
    proxy = LossyProxy(redis_server.port)
    store = RedisStore(f"redis://127.0.0.1:{await proxy.start()}")
    await filled(store, 1)
    before = proxy.requests
    await filled(store, 10)
    assert proxy.requests - before == 10
    await store.close()
    await proxy.stop()


async def test_the_keys_of_a_table_share_a_slot_and_never_expire(
    redis_server: RedisServer,
) -> None:
    redis_server.flush()
    store = RedisStore(redis_server.url)
    (item,) = await filled(store, 1)
    keys = await store._redis.keys("*")  # noqa: SLF001
    tag = b"arb:{%b}:" % item.table.hex().encode()
    assert sorted(keys) == [tag + b"idx", tag + b"log"]
    assert [await store._redis.pttl(key) for key in keys] == [-1, -1]  # noqa: SLF001
    await store.close()


async def test_an_entry_lost_behind_our_back_is_an_outage(redis_server: RedisServer) -> None:
    redis_server.flush()
    store = RedisStore(redis_server.url)
    item = Ledger().next("k")
    await store.append(item)
    await store._redis.delete(f"arb:{{{item.table.hex()}}}:log")  # noqa: SLF001
    with pytest.raises(StoreDownError, match="lost an entry"):
        await store.append(item)
    with pytest.raises(StoreDownError, match="lost an entry"):
        await store.by_key(item.table, item.idem)
    await store.close()


async def test_an_outage_of_redis_is_one_for_tables_too(tmp_path: Path) -> None:
    server = RedisServer(tmp_path)
    server.start()
    store = RedisStore(server.url)
    ledger = Ledger()
    (item,) = await filled(store, 1, ledger)
    await asyncio.sleep(1.2)  # appendfsync everysec
    server.stop()
    table = item.table
    for attempt in (
        lambda: store.append(ledger.next()),
        lambda: store.last(table),
        lambda: store.lines(table, 0, 1),
        lambda: store.by_key(table, item.idem),
        lambda: store.tables(b"", 1),
    ):
        with pytest.raises(StoreDownError):
            await attempt()
    server.start()
    assert await store.last(table) == line(item)
    await filled(store, 1, ledger)
    await store.close()
    server.stop()


async def test_tables_lie_on_every_node_of_a_cluster(redis_nodes: Any, logs: Logs) -> None:
    if isinstance(logs(), SqliteStore):
        return
    redis_nodes.flush()
    store = RedisStore(redis_nodes.url)
    await store.open()
    tables = [(await filled(store, 1))[0].table for _ in range(30)]
    for node in redis_nodes.nodes:
        assert b"arb:{" in node._ask(b"KEYS arb:*\r\n")  # noqa: SLF001
    assert await store.tables(b"", 100) == sorted(tables)
    await store.close()


async def test_one_node_down_stops_its_own_tables_only(tmp_path: Path) -> None:
    from redis_server import RedisNodes  # noqa: PLC0415

    nodes = RedisNodes(tmp_path)
    for node in nodes.nodes:
        node.options = (*node.options, "--cluster-require-full-coverage", "no")
    nodes.start()
    store: Store = RedisStore(nodes.url)
    assert isinstance(store, RedisStore)
    await store.open()
    ledgers = [Ledger() for _ in range(12)]
    for ledger in ledgers:
        await filled(store, 1, ledger)
    await asyncio.sleep(1.2)
    nodes.nodes[2].stop()
    answers = await asyncio.gather(
        *(store.append(ledger.next()) for ledger in ledgers), return_exceptions=True
    )
    kinds = {type(answer) for answer in answers}
    assert kinds == {TableKept, StoreDownError}
    nodes.nodes[2].start()
    nodes.nodes[2].await_cluster(3)
    for ledger, answer in zip(ledgers, answers, strict=True):
        if isinstance(answer, TableKept):
            continue
        await filled(store, 1, ledger)
    await store.close()
    nodes.stop()
