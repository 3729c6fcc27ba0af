"""The master secret: given, or made once."""

import base64
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arbitre.audit import MasterSecretError, load_master
from arbitre.audit import master as module

SECRET = bytes(range(200, 240))


@pytest.mark.parametrize(
    "value",
    [
        SECRET.hex(),
        SECRET.hex().upper(),
        f" {SECRET.hex()}\n",
        base64.b64encode(SECRET).decode(),
        base64.urlsafe_b64encode(SECRET).decode(),
        base64.urlsafe_b64encode(SECRET).decode().rstrip("="),
    ],
)
def test_a_given_secret_is_hexadecimal_or_base64(value: str, tmp_path: Path) -> None:
    assert load_master(value, tmp_path / "none") == SECRET
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("ab" * 31, "has 31 bytes; it needs 32"),
        (base64.b64encode(b"short").decode(), "has 5 bytes"),
        ("correct horse battery staple!", "neither hexadecimal nor base64"),
        ("é" * 60, "neither hexadecimal nor base64"),
    ],
)
def test_a_bad_secret_is_refused_without_showing_it(value: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(MasterSecretError, match=said) as refused:
        load_master(value, tmp_path)
    assert value not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None or refused.value.__suppress_context__


@pytest.mark.parametrize("value", [None, ""])
def test_without_one_a_file_is_made_once(value: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    made = load_master(value, folder)
    assert len(made) == 32
    assert load_master(value, folder) == made
    assert stat.S_IMODE((folder / "master.key").stat().st_mode) == 0o600
    assert os.listdir(folder) == ["master.key"]  # noqa: PTH208 - no draft is left


def test_another_folder_has_another_secret(tmp_path: Path) -> None:
    assert load_master(None, tmp_path / "a") != load_master(None, tmp_path / "b")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "has 0 bytes"), (b"\xff\xfe", "it is no text"), (b"ab" * 16, "has 16 bytes")],
)
def test_a_spoilt_file_is_not_replaced(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "master.key").write_bytes(content)
    with pytest.raises(MasterSecretError, match=said):
        load_master(None, tmp_path)
    assert (tmp_path / "master.key").read_bytes() == content


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MasterSecretError, match="cannot be read or made"):
        load_master(None, tmp_path / "file" / "data")


def test_the_slower_of_two_takes_the_key_of_the_quicker(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    path.write_text("quicker")
    module._make(path)
    assert path.read_text() == "quicker"
    assert list(tmp_path.iterdir()) == [path]


def test_workers_that_start_together_agree(tmp_path: Path) -> None:
    """Eight processes, released at once by the end of their input."""
    code = (
        "import sys; from pathlib import Path; from arbitre.audit.master import load_master;"
        "print(flush=True); sys.stdin.read();"
        "print(load_master(None, Path(sys.argv[1])).hex())"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "data")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.close()
    said = set()
    for worker in workers:
        assert worker.stdout is not None
        said.add(worker.stdout.read().strip())
        worker.stdout.close()
        assert worker.wait(20) == 0
    assert len(said) == 1
    assert len(bytes.fromhex(said.pop())) == 32
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["master.key"]
