"""What every store promises."""

import asyncio
from collections.abc import Callable

import pytest

from arbitre.store import IdempotencyConflictError, Known, Store, Stored
from puts import make_put, now, signed


async def test_a_roll_is_kept_as_it_was_written(store: Store) -> None:
    item = make_put()
    assert await store.put(item) == Stored(signed(item), replayed=False)
    assert await store.get(item.id) == signed(item)


async def test_an_unknown_roll_is_nothing(store: Store) -> None:
    assert await store.get(make_put().id) is None
    assert await store.by_idem(bytes(32)) is None


async def test_a_retry_gets_the_first_roll(store: Store) -> None:
    first, retry = make_put("k"), make_put("k")
    await store.put(first)
    assert await store.put(retry) == Stored(signed(first), replayed=True)
    assert await store.get(retry.id) is None


async def test_a_retry_can_be_answered_before_rolling(store: Store) -> None:
    first = make_put("k")
    await store.put(first)
    assert await store.by_idem(first.idem or b"") == Known(signed(first), first.fp)


async def test_the_same_key_for_another_request_is_refused(store: Store) -> None:
    first, other = make_put("k", "a"), make_put("k", "b")
    await store.put(first)
    with pytest.raises(IdempotencyConflictError):
        await store.put(other)
    assert await store.get(other.id) is None


async def test_rolls_without_a_key_never_meet(store: Store) -> None:
    items = [make_put() for _ in range(20)]
    stored = await asyncio.gather(*map(store.put, items))
    assert [row.signed for row in stored] == [signed(item) for item in items]
    assert not any(row.replayed for row in stored)


async def test_the_same_write_sent_twice_is_one_roll(store: Store) -> None:
    for item in (make_put(), make_put("k")):
        assert await store.put(item) == await store.put(item)


async def test_an_id_is_never_given_a_second_entry(store: Store) -> None:
    item = make_put()
    await store.put(item)
    with pytest.raises(IdempotencyConflictError):
        await store.put(item._replace(entry=item.entry + b" "))
    keyed = make_put("k")
    with pytest.raises(IdempotencyConflictError):
        await store.put(keyed._replace(id=item.id))
    assert await store.get(item.id) == signed(item)


async def test_racing_requests_with_one_key_all_get_one_roll(
    stores: Callable[[], Store],
) -> None:
    workers = [stores() for _ in range(4)]
    await asyncio.gather(*(worker.open() for worker in workers))
    for key in ("a", "b", "c"):
        items = [make_put(key) for _ in range(24)]
        stored = await asyncio.gather(
            *(workers[index % 4].put(item) for index, item in enumerate(items))
        )
        assert len({row.signed for row in stored}) == 1
        assert [row.replayed for row in stored].count(False) == 1
        kept = [await workers[0].get(item.id) for item in items]
        assert len(kept) - kept.count(None) == 1
    for worker in workers:
        await worker.close()


async def test_one_batch_answers_each_item_by_itself(store: Store) -> None:
    first = make_put("k", "a")
    same, other, free = make_put("k", "a"), make_put("k", "b"), make_put()
    answers = await asyncio.gather(
        *map(store.put, (first, same, other, free)), return_exceptions=True
    )
    assert answers[:2] == [Stored(signed(first), False), Stored(signed(first), True)]
    assert isinstance(answers[2], IdempotencyConflictError)
    assert answers[3] == Stored(signed(free), False)


async def test_rolls_outlive_the_store_that_wrote_them(stores: Callable[[], Store]) -> None:
    item = make_put("k")
    one = stores()
    await one.open()
    await one.put(item)
    await one.close()
    other = stores()
    await other.open()
    assert await other.get(item.id) == signed(item)
    assert await other.put(make_put("k")) == Stored(signed(item), replayed=True)
    await other.close()


async def test_a_roll_expires_and_frees_its_key(store: Store) -> None:
    item = make_put("k", expires=now() + 150)
    await store.put(item)
    assert await store.get(item.id) == signed(item)
    await asyncio.sleep(0.2)
    assert await store.get(item.id) is None
    assert await store.by_idem(item.idem or b"") is None
    later = make_put("k", "other")
    assert await store.put(later) == Stored(signed(later), replayed=False)


async def test_what_waits_when_the_store_closes_is_written(stores: Callable[[], Store]) -> None:
    one = stores()
    await one.open()
    items = [make_put() for _ in range(5)]
    waiting = [asyncio.ensure_future(one.put(item)) for item in items]
    await asyncio.sleep(0)
    await one.close()
    assert [row.signed for row in await asyncio.gather(*waiting)] == [*map(signed, items)]


async def test_many_waiting_rolls_share_a_few_batches(store: Store) -> None:
    await store.put(make_put())
    before = store.batches  # type: ignore[attr-defined]
    await asyncio.gather(*(store.put(make_put()) for _ in range(600)))
    assert store.batches - before == 3  # type: ignore[attr-defined]


async def test_a_request_that_is_given_up_harms_no_other(store: Store) -> None:
    items = [make_put() for _ in range(30)]
    tasks = [asyncio.create_task(store.put(item)) for item in items]
    await asyncio.sleep(0)
    for task in tasks[::3]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    for index, (item, answer) in enumerate(zip(items, answers, strict=True)):
        if index % 3:
            assert answer == Stored(signed(item), replayed=False)
            assert await store.get(item.id) == signed(item)
        else:
            assert isinstance(answer, asyncio.CancelledError)
    await store.ping()


async def test_a_large_entry_is_kept_whole(store: Store) -> None:
    item = make_put(text="é" * 200_000)
    await store.put(item)
    assert await store.get(item.id) == signed(item)


async def test_stores_open_together(stores: Callable[[], Store]) -> None:
    opened = [stores() for _ in range(8)]
    await asyncio.gather(*(store.open() for store in opened))
    await asyncio.gather(*(store.put(make_put(str(n))) for n, store in enumerate(opened)))
    await asyncio.gather(*(store.close() for store in opened))
