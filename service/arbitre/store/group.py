"""Group commit: while one batch is being written, the next one gathers.

Nothing waits for company: a lone item is flushed at once, in a batch of one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

MOST: Final = 256
"""Most items in one batch."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class GroupCommit(Generic[Item, Result]):
    """Carries items to ``flush`` in batches, one batch at a time.

    ``flush`` returns for each item its result, or the exception that its waiter gets. If it
    raises, every waiter of the batch gets that exception, and the next batch is tried.
    """

    def __init__(
        self,
        flush: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        most: int = MOST,
    ) -> None:
        self._flush = flush
        self._most = most
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self.task: asyncio.Task[None] | None = None

    def add(self, item: Item) -> asyncio.Future[Result]:
        """Queue ``item``; the future holds its result. Cancelling it undoes nothing written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if self.task is None:
            self.task = loop.create_task(self._run())
        return future

    async def drain(self) -> None:
        """Wait until nothing is queued or being written."""
        while self.task is not None:
            await asyncio.wait([self.task])

    async def _run(self) -> None:
        batch: list[tuple[Item, asyncio.Future[Result]]] = []
        try:
            while self._waiting:
                await asyncio.sleep(0)  # whoever else is ready to add, does
                batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                batch = [row for row in batch if not row[1].done()]
                if batch:
                    await self._write(batch)
        finally:
            self.task = None
            for _, future in batch + self._waiting:  # only a cancelled loop leaves any
                future.cancel()
            self._waiting = []

    async def _write(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._flush([item for item, _ in batch])
        except Exception as wrong:  # noqa: BLE001 - it goes to those who wait
            results = [wrong] * len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
