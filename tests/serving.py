"""Real services, one process each."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from redis_server import free_port

TESTS = Path(__file__).parent


@contextmanager
def serving(data: Path, redis_url: str | None, count: int) -> Iterator[list[str]]:
    """Run services that share a store; give their addresses."""
    ports = [free_port() for _ in range(count)]
    processes = [
        subprocess.Popen(
            [sys.executable, str(TESTS / "serve.py"), str(port)],
            env={
                **os.environ,
                "PYTHONPATH": f"{TESTS}:{TESTS / 'plugin' / 'src'}",
                "ARBITRE_DATA": str(data),
                "ARBITRE_REDIS_URL": redis_url or "",
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for port in ports
    ]
    try:
        for port, process in zip(ports, processes, strict=True):
            _await_ready(port, process)
        yield [f"http://127.0.0.1:{port}" for port in ports]
    finally:
        for process in processes:
            process.kill()
            process.wait(10)


def _await_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            if httpx2.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        if time.monotonic() > until or process.poll() is not None:
            msg = "the service does not start"
            raise RuntimeError(msg)
        time.sleep(0.1)
