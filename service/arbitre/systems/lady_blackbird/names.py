"""Names of traits, tags, keys, secrets and characters, and when two are the same."""

from collections.abc import Iterable, Sequence
from unicodedata import normalize


def same(name: str) -> str:
    """Return what two spellings of one name share: accents count, case and blanks do not."""
    return " ".join(normalize("NFC", name).split()).casefold()


def find(name: str, names: Iterable[str]) -> int | None:
    """Return where ``name`` stands in ``names``, whatever its spelling."""
    wanted = same(name)
    return next((index for index, known in enumerate(names) if same(known) == wanted), None)


def repeated(names: Sequence[str]) -> int | None:
    """Return where a name stands for the second time."""
    found = (index for index, name in enumerate(names) if find(name, names[:index]) is not None)
    return next(found, None)
