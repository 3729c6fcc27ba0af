"""What the odds read of one item of a list."""

from typing import Any


class Part:
    """An outcome of which only one item of one list is known."""

    def __init__(self, name: str, index: int, item: object) -> None:
        self._name = name
        self._items = (*(None,) * index, item)

    def __getattr__(self, name: str) -> Any:
        """Return the list, with nothing in the other places; nothing for any other field."""
        return self._items if name == self._name else None
