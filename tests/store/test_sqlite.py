"""What only the file does."""

import asyncio
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arbitre.store import Stored, StoreDownError, StoreUnsafeError
from arbitre.store import sqlite as module
from arbitre.store.sqlite import SqliteStore
from puts import make_put, now, signed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "rolls.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(path, 3600)
    await opened.open()
    yield opened
    await opened.close()


@contextmanager
def other_process(path: Path) -> Iterator[sqlite3.Connection]:
    """Stand for another process with the same file."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection:
        yield connection


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)


async def test_the_file_is_durable(store: SqliteStore, path: Path) -> None:
    await store.put(make_put())
    with other_process(path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writer is not None  # noqa: SLF001
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)  # noqa: SLF001


async def test_a_roll_never_changes(store: SqliteStore, path: Path) -> None:
    item = make_put("k")
    await store.put(item)
    with other_process(path) as other:
        for change in ("sig = 'x'", "expires = 0", f"id = '{item.id}'"):
            with pytest.raises(sqlite3.IntegrityError, match="never changes"):
                other.execute(f"UPDATE rolls SET {change}")  # noqa: S608
        with pytest.raises(sqlite3.IntegrityError, match="until it expires"):
            other.execute("DELETE FROM rolls")
    assert await store.get(item.id) == signed(item)


async def test_replacing_a_roll_is_deleting_it(store: SqliteStore) -> None:
    item = make_put()
    await store.put(item)
    assert store._writer is not None  # noqa: SLF001
    with pytest.raises(sqlite3.IntegrityError, match="until it expires"):
        store._writer.execute(  # noqa: SLF001
            "INSERT OR REPLACE INTO rolls VALUES (?, NULL, NULL, x'00', 'x', 0)", (item.id,)
        )


async def test_expired_rolls_go_a_few_at_a_time(store: SqliteStore, path: Path) -> None:
    over = now() + 30
    await asyncio.gather(*(store.put(make_put(expires=over)) for _ in range(100)))
    await asyncio.sleep(0.05)
    live = make_put()
    left = []
    with other_process(path) as other:
        for item in (live, *(make_put() for _ in range(7))):
            store._purge_at = min(store._purge_at, now())  # noqa: SLF001
            await store.put(item)
            query = "SELECT count(*) FROM rolls WHERE expires <= ?"
            left += other.execute(query, (over,)).fetchone()
    assert left == [84, 68, 52, 36, 20, 4, 0, 0]
    assert await store.get(live.id) == signed(live)


async def test_a_purge_that_found_little_rests_for_a_second(store: SqliteStore) -> None:
    await store.put(make_put())
    await store.put(make_put(expires=now() - 1))
    await store.put(make_put())
    assert store._writer is not None  # noqa: SLF001
    assert store._writer.execute("SELECT count(*) FROM rolls").fetchone() == (3,)  # noqa: SLF001


async def test_fast_commits_stay_on_the_loop_and_slow_ones_leave_it(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    keep = store._commit  # noqa: SLF001

    def watched(*args: object) -> object:
        import threading  # noqa: PLC0415

        threads.append(threading.current_thread() is threading.main_thread())
        return keep(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "_commit", watched)
    store._average = 0  # noqa: SLF001
    await store.put(make_put())
    store._average = 0.05  # noqa: SLF001
    assert store.slow
    await store.put(make_put())
    while store.slow:
        await store.put(make_put())
    await store.put(make_put())
    assert threads[0] is True
    assert threads[1] is False
    assert threads[-1] is True


async def test_a_lock_held_for_a_moment_is_waited_for(store: SqliteStore, path: Path) -> None:
    item = make_put()
    with other_process(path) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.put(item))
        for _ in range(5):  # the loop is free meanwhile
            await asyncio.sleep(0.01)
        assert not waiting.done()
        assert await store.get(item.id) is None
        other.execute("COMMIT")
        assert await waiting == Stored(signed(item), replayed=False)


@pytest.mark.usefixtures("hasty")
async def test_a_lock_held_too_long_is_an_outage_that_ends(store: SqliteStore, path: Path) -> None:
    item = make_put("k")
    with other_process(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreDownError):
            await store.put(item)
        with pytest.raises(StoreDownError):
            await store.ping()
    await store.ping()
    assert await store.get(item.id) is None
    assert await store.put(item) == Stored(signed(item), replayed=False)


@pytest.mark.usefixtures("hasty")
async def test_a_new_file_that_stays_locked_is_an_outage(path: Path) -> None:
    path.parent.mkdir()
    store = SqliteStore(path)
    with other_process(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreDownError):
            await store.open()
        with pytest.raises(StoreDownError):
            await store.get("x")
    await store.put(make_put())
    await store.close()


async def test_a_folder_that_cannot_be_made_is_an_outage_that_ends(path: Path) -> None:
    path.parent.write_text("in the way")
    store = SqliteStore(path)
    item = make_put()
    for attempt in (store.open, store.ping, lambda: store.put(item), lambda: store.get(item.id)):
        with pytest.raises(StoreDownError):
            await attempt()
    path.parent.unlink()
    assert await store.put(item) == Stored(signed(item), replayed=False)
    assert await store.get(item.id) == signed(item)
    await store.close()


async def test_a_full_disk_is_an_outage_that_ends(store: SqliteStore) -> None:
    """A limit on the size of files stands for the disk: writes fail in just the same way."""
    kept, lost = make_put("kept"), make_put("lost", text="x" * 300_000)
    await store.put(kept)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    quiet = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (131_072, hard))
    try:
        with pytest.raises(StoreDownError):
            await store.put(lost)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, quiet)
    assert await store.get(lost.id) is None
    assert await store.put(lost) == Stored(signed(lost), replayed=False)
    assert await store.get(kept.id) == signed(kept)


async def test_a_file_that_is_no_database_is_an_outage(path: Path) -> None:
    await asyncio.to_thread(path.parent.mkdir)
    await asyncio.to_thread(path.write_bytes, b"no database at all" * 100)
    store = SqliteStore(path)
    with pytest.raises(StoreDownError):
        await store.open()
    await store.close()


async def test_reading_recovers_too(store: SqliteStore) -> None:
    item = make_put()
    await store.put(item)
    await store.get(item.id)
    assert store._reader is not None  # noqa: SLF001
    store._reader.close()  # noqa: SLF001
    with pytest.raises(StoreDownError):
        await store.get(item.id)
    assert await store.get(item.id) == signed(item)


async def test_a_cancelled_ping_disturbs_no_roll(store: SqliteStore, path: Path) -> None:
    with other_process(path) as other:
        other.execute("BEGIN IMMEDIATE")
        ping = asyncio.create_task(store.ping())
        await asyncio.sleep(0.02)
        ping.cancel()
        waiting = asyncio.create_task(store.put(make_put()))
        await asyncio.sleep(0.02)
    assert not (await waiting).replayed


async def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    store = SqliteStore(path)
    with pytest.raises(StoreUnsafeError, match=r"3\.37"):
        await store.open()
    await store.close()
