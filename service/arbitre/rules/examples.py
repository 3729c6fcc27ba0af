"""``examples/*.toml``: worked examples of a rulebook, as data.

Each ``[[example]]`` has ``id``, ``source`` and ``request`` (a TOML table, or JSON text where a
null must be written), and usually ``draws``: a list of ``{tag, sides, faces}`` in draw order. The
file's stem names the resolver. It states one or more expectations:

``outcome``   the values of these fields, at every level; JSON text where a null must be written
``absent``    dotted paths that are null
``refused``   the code of the refusal, or "invalid" where the schema forbids it; with ``given``
              faces where dice were thrown
``odds``      for a field, the chance of each value: ``odds.success = { true = "5/9" }``
``options``   the options of the odds' aid; ``aid`` its expected answer, like ``outcome``
``chat``      one line of notation that says the same request; ``chat_only`` rows have no outcome
``rules``     the rules it shows
"""

import json
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from arbitre.rules.system import System

_KEYS = {
    "id", "source", "rules", "request", "draws", "given", "outcome", "absent",
    "refused", "pointer", "odds", "options", "aid", "chat", "title",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """One row."""

    id: str
    resolver: str
    source: str
    request: dict[str, Any]
    rules: tuple[str, ...] = ()
    draws: tuple[dict[str, Any], ...] = ()
    given: tuple[int, ...] | None = None
    outcome: dict[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    refused: str | None = None
    pointer: str | None = None
    odds: dict[str, dict[str, str]] = field(default_factory=dict)
    options: dict[str, Any] | None = None
    aid: dict[str, Any] = field(default_factory=dict)
    chat: tuple[str, ...] = ()
    title: str = ""

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces thrown, in draw order."""
        if self.given is not None:
            return self.given
        return tuple(face for draw in self.draws for face in draw["faces"])

    def __str__(self) -> str:
        """Name the row."""
        return f"{self.resolver} {self.id}"


def load_examples(system: System) -> list[Example]:
    """Read every worked example of ``system``."""
    folder = files(system.package).joinpath("examples")
    found = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            resolver = path.name.removesuffix(".toml").replace("_", "-")
            rows = tomllib.loads(path.read_text(encoding="utf-8")).get("example", [])
            found += [_example(resolver, row) for row in rows]
    return found


def _example(resolver: str, row: dict[str, Any]) -> Example:
    unknown = row.keys() - _KEYS
    if unknown or not row.keys() >= {"id", "source", "request"}:
        msg = (
            f"example {row.get('id')} of {resolver}: unknown {sorted(unknown)}, or a key is missing"
        )
        raise ValueError(msg)
    plain = {key: _data(value) if key in _DATA else value for key, value in row.items()}
    for key in ("rules", "draws", "absent"):
        plain[key] = tuple(plain.get(key, ()))
    if "given" in plain:
        plain["given"] = tuple(plain["given"])
    chat = plain.get("chat", ())
    plain["chat"] = (chat,) if isinstance(chat, str) else tuple(chat)
    return Example(resolver=resolver, **plain)


_DATA = {"request", "outcome", "options", "aid"}


def _data(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
