"""A process that stores rolls until it is killed, and says which were acknowledged."""

import asyncio
import sys
from pathlib import Path

from arbitre.store import Put, Store, store_from
from puts import make_put


async def main(url: str, folder: str, name: str) -> None:
    store = store_from(url or None, Path(folder), 3600)
    await store.open()
    await asyncio.gather(*(write(store, f"{name}-{task}") for task in range(8)))


async def write(store: Store, name: str) -> None:
    number = 0
    while True:
        key = f"{name}-{number}"
        item: Put = make_put(key)
        await store.put(item)
        print(key, item.id, flush=True)
        number += 1


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
