"""A real Chromium, driven by its own protocol: pages, clicks, files, what went over the network."""

import itertools
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

LAN = "table.example"
"""A name that the browser resolves to this machine, as it does a neighbor's on a LAN."""

_PATIENCE = 60


class Page:
    """One page: evaluates scripts in it, and notes what it asks for and complains about."""

    def __init__(self, socket: ClientConnection, session: str) -> None:
        self._socket, self._session = socket, session
        self._numbers = itertools.count(1_000)
        self.asked: list[str] = []
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command and return its answer."""
        number = next(self._numbers)
        _send(self._socket, number, method, parameters, self._session)
        while True:
            message = json.loads(self._socket.recv(timeout=_PATIENCE))
            self._note(message)
            if message.get("id") == number:
                assert "error" not in message, message
                found: dict[str, Any] = message["result"]
                return found

    def _note(self, message: dict[str, Any]) -> None:
        told = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"])
        elif message.get("method") == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(told["entry"]["text"])
        elif message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))

    def run(self, script: str, *values: Any) -> Any:
        """Return what an async function comes to when it is called with ``values``."""
        given = ", ".join(json.dumps(value) for value in values)
        answer = self.send(
            "Runtime.evaluate",
            expression=f"({script})({given})",
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def open(self, address: str) -> None:
        """Go to a page and wait for its scripts."""
        self.send("Page.navigate", url=address)
        ready = "!!document.querySelector('main') && !document.querySelector('main').hidden"
        self.run(
            f"""async () => {{
              while (!({ready})) await new Promise((next) => setTimeout(next, 20))
            }}"""
        )

    def pick(self, selector: str, *paths: Path) -> None:
        """Choose files, as a person does."""
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """Start a browser with an empty profile in ``folder``; give its page."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.fail("chromium is missing: apt-get install chromium", pytrace=False)
    options = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        f"--host-resolver-rules=MAP {LAN} 127.0.0.1",
    )
    with subprocess.Popen(
        [program, *options, "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            found = None
            while found is None:
                line = process.stderr.readline()
                assert line, "chromium did not start"
                found = re.search(r"ws://\S+", line)
            with connect(found[0], max_size=None) as socket:
                yield Page(socket, _session(socket))
        finally:
            process.kill()


def _send(
    socket: ClientConnection, number: int, method: str, parameters: Any, session: str | None = None
) -> None:
    message = {"id": number, "method": method, "params": parameters}
    socket.send(json.dumps(message if session is None else {**message, "sessionId": session}))


def _session(socket: ClientConnection) -> str:
    _send(socket, 1, "Target.createTarget", {"url": "about:blank"})
    target = _answer(socket, 1)["targetId"]
    _send(socket, 2, "Target.attachToTarget", {"targetId": target, "flatten": True})
    return str(_answer(socket, 2)["sessionId"])


def _answer(socket: ClientConnection, number: int) -> dict[str, Any]:
    while True:
        message = json.loads(socket.recv(timeout=_PATIENCE))
        if message.get("id") == number:
            found: dict[str, Any] = message["result"]
            return found
