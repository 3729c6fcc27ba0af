"""Programs that some tests need besides Python."""

import shutil

import pytest


def node() -> str:
    """Find Node.js, or fail in one line."""
    found = shutil.which("node")
    if not found:
        pytest.fail("Node.js is missing: install it (Debian: apt install nodejs)", pytrace=False)
    return found
