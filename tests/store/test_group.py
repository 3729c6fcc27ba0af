"""Group commit by itself."""

import asyncio
from collections.abc import Sequence

import pytest

from arbitre.store.group import GroupCommit


class Slow:
    """Takes a moment for each batch, and remembers them."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def flush(self, items: Sequence[int]) -> Sequence[int | Exception]:
        self.batches.append(list(items))
        await self.gate.wait()
        if 13 in items:
            raise OSError("disk")
        return [ValueError(str(item)) if item < 0 else item * 2 for item in items]


async def test_a_lone_item_goes_alone_and_at_once() -> None:
    slow = Slow()
    group = GroupCommit(slow.flush)
    assert await group.add(1) == 2
    assert await group.add(2) == 4
    assert slow.batches == [[1], [2]]


async def test_items_gather_while_a_batch_is_written() -> None:
    slow = Slow()
    slow.gate.clear()
    group = GroupCommit(slow.flush, most=3)
    first = group.add(1)
    await asyncio.sleep(0.01)
    rest = [group.add(item) for item in (2, 3, 4, 5)]
    slow.gate.set()
    assert await asyncio.gather(first, *rest) == [2, 4, 6, 8, 10]
    assert slow.batches == [[1], [2, 3, 4], [5]]


async def test_each_waiter_gets_its_own_failure() -> None:
    group = GroupCommit(Slow().flush)
    results = await asyncio.gather(
        *(group.add(item) for item in (1, -2, 3)), return_exceptions=True
    )
    assert (results[0], results[2]) == (2, 6)
    assert isinstance(results[1], ValueError)


async def test_a_failed_batch_fails_its_waiters_only() -> None:
    slow = Slow()
    slow.gate.clear()
    group = GroupCommit(slow.flush, most=2)
    futures = [group.add(item) for item in (13, 1, 2)]
    await asyncio.sleep(0.01)
    slow.gate.set()
    results = await asyncio.gather(*futures, return_exceptions=True)
    assert [type(result) for result in results] == [OSError, OSError, int]


async def test_items_given_up_before_their_batch_are_not_written() -> None:
    slow = Slow()
    group = GroupCommit(slow.flush)
    one, other = group.add(1), group.add(2)
    one.cancel()
    assert await other == 4
    alone = group.add(3)
    alone.cancel()
    await group.drain()
    assert slow.batches == [[2]]


async def test_an_item_given_up_during_its_batch_harms_nobody() -> None:
    slow = Slow()
    slow.gate.clear()
    group = GroupCommit(slow.flush)
    one, other = group.add(1), group.add(2)
    await asyncio.sleep(0.01)
    one.cancel()
    slow.gate.set()
    assert await other == 4


async def test_draining_waits_for_everything() -> None:
    slow = Slow()
    group = GroupCommit(slow.flush, most=1)
    futures = [group.add(item) for item in range(5)]
    await group.drain()
    assert all(future.done() for future in futures)
    await group.drain()


async def test_a_cancelled_writer_leaves_nobody_waiting() -> None:
    slow = Slow()
    slow.gate.clear()
    group = GroupCommit(slow.flush, most=1)
    futures = [group.add(1), group.add(2)]
    await asyncio.sleep(0.01)
    assert group.task is not None
    group.task.cancel()
    for future in futures:
        with pytest.raises(asyncio.CancelledError):
            await future
    slow.gate.set()
    assert await group.add(4) == 8
