"""The master secret: given by the environment, or a file made once and kept."""

import base64
import binascii
import os
import re
import secrets
from pathlib import Path
from typing import Final

from arbitre.audit.signing import MASTER_BYTES

FILE: Final = "master.key"
_HEX: Final = re.compile(r"([0-9a-fA-F]{2})+")


class MasterSecretError(ValueError):
    """The master secret cannot be used; the message never shows it."""


def load_master(value: str | None, data_dir: Path) -> bytes:
    """Return the master secret: ``value`` (hexadecimal or base64), or that of the key file.

    The file is made when there is none. Workers that start together all get the same one.
    """
    if value:
        return _secret(value, "the master secret given to Arbitre")
    path = data_dir / FILE
    try:
        text = _read_or_make(path)
    except (OSError, UnicodeDecodeError) as wrong:
        reason = getattr(wrong, "strerror", None) or "it is no text"
        msg = f"the key file {path} cannot be read or made: {reason}"
        raise MasterSecretError(msg) from None
    return _secret(text, f"the key file {path}")


def _secret(text: str, where: str) -> bytes:
    text = text.strip()
    secret = b""
    if _HEX.fullmatch(text):
        secret = bytes.fromhex(text)
    else:
        padded = text + "=" * (-len(text) % 4)
        try:
            secret = base64.b64decode(
                padded, altchars=b"-_" if set(text) & set("-_") else None, validate=True
            )
        except (binascii.Error, ValueError):
            msg = f"{where} is neither hexadecimal nor base64"
            raise MasterSecretError(msg) from None
    if len(secret) < MASTER_BYTES:
        msg = f"{where} has {len(secret)} bytes; it needs {MASTER_BYTES} or more, made by chance"
        raise MasterSecretError(msg)
    return secret


def _read_or_make(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(path)
        return path.read_text(encoding="ascii")


def _make(path: Path) -> None:
    """Write a whole file under another name first: nobody ever reads half a key."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(MASTER_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:  # another worker was quicker, and its key is the one
            return
    finally:
        draft.unlink()
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
