"""A game: its id, its book, its resolvers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arbitre.rules.citations import Rule, load_rules
from arbitre.rules.labels import Labels, load_labels
from arbitre.rules.notation import Notation
from arbitre.rules.resolver import Resolver
from arbitre.rules.tables import Table


@dataclass(frozen=True)
class System:
    """One game, the table of contents of its folder.

    ``id`` is lower case with hyphens, ``prefix`` starts its rule ids and its model names'
    first word is ``models``; ``version`` changes when any request and faces give another
    outcome. ``package`` holds ``rules.toml``, ``labels/`` and ``examples/``; ``chat`` is the
    one-line notation, where the game has one.
    """

    id: str
    prefix: str
    models: str
    version: str
    package: str
    resolvers: tuple[Resolver[Any, Any], ...]
    tables: tuple[Table, ...] = ()
    chat: Notation | None = None

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Every rule and ruling by id."""
        return load_rules(self.package, self.prefix)

    @cached_property
    def labels(self) -> dict[str, Labels]:
        """The words of the game by language."""
        return load_labels(self.package)

    @cached_property
    def by_id(self) -> dict[str, Resolver[Any, Any]]:
        """The resolvers by id."""
        return {resolver.id: resolver for resolver in self.resolvers}

    @property
    def ruleset(self) -> str:
        """The game and the version of its rules, as "kadath@1.2.0"."""
        return f"{self.id}@{self.version}"
