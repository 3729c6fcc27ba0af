"""Acknowledged means kept, whatever is killed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from arbitre.audit import verify
from arbitre.store import Store
from puts import SIGNER, make_put, signed

ROUNDS = 3
SECONDS = 0.9


def start(url: str, folder: Path, name: str) -> subprocess.Popen[bytes]:
    tests = Path(__file__).parent.parent
    return subprocess.Popen(
        [sys.executable, str(tests / "store" / "writer.py"), url, str(folder), name],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(tests)},
    )


def killed(writer: subprocess.Popen[bytes]) -> list[tuple[str, str]]:
    """Kill the writer and return each key and roll that it saw acknowledged."""
    writer.send_signal(signal.SIGKILL)
    assert writer.stdout is not None
    lines = writer.stdout.read().decode().split("\n")
    writer.wait(10)
    writer.stdout.close()
    return [(key, id_) for key, id_ in (line.split() for line in lines[:-1])]


async def test_a_killed_writer_loses_nothing_it_acknowledged(
    stores: Callable[[], Store], address: str | None, tmp_path: Path
) -> None:
    acknowledged = []
    for number in range(ROUNDS):
        writer = start(address or "", tmp_path / "data", str(number))
        await asyncio.sleep(SECONDS)
        acknowledged += killed(writer)
    assert len(acknowledged) > 50
    store = stores()
    await store.open()
    for key, id_ in acknowledged:
        kept = await store.get(id_)
        assert kept is not None, key
        assert verify(kept.entry, kept.sig, SIGNER.public_key)
    for key, id_ in acknowledged[-20:]:
        again = await store.put(make_put(key))
        assert (again.replayed, again.signed.id) == (True, id_)
    item = make_put()
    await store.put(item)
    assert await store.get(item.id) == signed(item)
    await store.close()
