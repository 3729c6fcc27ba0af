"""The servers of one run: each a process of its own, all on one core."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from tests.benchmarks.apps import SAMPLE
from tests.redis_server import RedisServer, free_port

CORES = sorted(os.sched_getaffinity(0))
_PROCESS_CLOCK = 2
"""Of another process, as the kernel numbers clocks."""

SERVING, LOADING = {CORES[0]}, {CORES[-1]}


class Server(NamedTuple):
    """One process that answers at a port of this machine."""

    port: int
    pid: int

    @property
    def cpu(self) -> float:
        """The seconds of processor time it has used so far."""
        return time.clock_gettime(~self.pid << 3 | _PROCESS_CLOCK)


class Servers:
    """Everything started here is stopped on leaving."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._redis = RedisServer(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        self._redis.stop()

    def sqlite(self) -> Server:
        return self._service({"ARBITRE_DATA": str(self._folder / "sqlite")})

    def redis(self) -> Server:
        self._redis.start()
        return self._service(
            {"ARBITRE_DATA": str(self._folder / "redis"), "ARBITRE_REDIS_URL": self._redis.url}
        )

    def no_log(self) -> Server:
        environment = {"ARBITRE_DATA": str(self._folder / "none")}
        return self._factory("no_log", environment, "--http", "arbitre.api.wire:Protocol")

    def bare(self, sample: Path) -> Server:
        return self._factory("bare", {SAMPLE: str(sample)})

    def _service(self, environment: Mapping[str, str]) -> Server:
        port = free_port()
        return self._start(["arbitre", "serve", "--port", str(port)], environment, port)

    def _factory(self, name: str, environment: Mapping[str, str], *more: str) -> Server:
        port = free_port()
        command = ["uvicorn", "--factory", f"tests.benchmarks.apps:{name}", "--port", str(port)]
        quiet = [
            "--no-access-log",
            "--no-server-header",
            "--no-date-header",
            "--log-level",
            "error",
        ]
        return self._start([*command, *quiet, *more], environment, port)

    def _start(self, command: list[str], environment: Mapping[str, str], port: int) -> Server:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            env={**os.environ, **environment},
            stderr=subprocess.DEVNULL,
        )
        os.sched_setaffinity(process.pid, SERVING)
        self._processes.append(process)
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    msg = f"{' '.join(command)} does not start"
                    raise RuntimeError(msg) from None
                time.sleep(0.05)
            else:
                return Server(port, process.pid)
