"""What the odds read of one item of a list."""

from types import SimpleNamespace


def part(name: str, index: int, item: object) -> SimpleNamespace:
    """Return a view of an outcome that tells one item of one list, and nothing else."""
    return SimpleNamespace(**{name: (*(None,) * index, item)})
