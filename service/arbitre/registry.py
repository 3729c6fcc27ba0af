"""The games this service knows: the folders of ``arbitre.systems`` and installed plugins."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from arbitre import systems as built_in
from arbitre.rules.model import models_of
from arbitre.rules.system import System

ENTRY_POINT = "arbitre.systems"

Registry = Mapping[str, System]


class SystemClashError(ValueError):
    """Two games claim the same name."""


def built_in_systems() -> list[System]:
    """Return the games that come with the service: each folder's ``SYSTEM``."""
    return [
        import_module(f"{built_in.__name__}.{module.name}").SYSTEM
        for module in iter_modules(built_in.__path__)
        if module.ispkg
    ]


def installed_systems() -> list[System]:
    """Return the games of other packages, found by the entry point ``arbitre.systems``."""
    return [point.load() for point in sorted(entry_points(group=ENTRY_POINT), key=lambda p: p.name)]


def registry_of(systems: Iterable[System]) -> Registry:
    """Index ``systems``; ids, rule prefixes and model names must be unique."""
    found: dict[str, System] = {}
    prefixes: dict[str, str] = {}
    owners: dict[str, tuple[str, type[BaseModel]]] = {}
    for system in systems:
        if system.id in found:
            _clash("id", system.id, system.id, system.id)
        if system.prefix in prefixes:
            _clash("rule prefix", system.prefix, prefixes[system.prefix], system.id)
        found[system.id] = system
        prefixes[system.prefix] = system.id
        for model in _models(system):
            owner, known = owners.setdefault(model.__name__, (system.id, model))
            if known is not model:
                _clash("model name", model.__name__, owner, system.id)
    return MappingProxyType(found)


def load_registry() -> Registry:
    """Return every game there is."""
    return registry_of([*built_in_systems(), *installed_systems()])


def _models(system: System) -> list[type[BaseModel]]:
    return [
        model
        for resolver in system.resolvers
        for root in (resolver.request, resolver.outcome)
        for model in models_of(root)
    ]


def _clash(what: str, name: str, one: str, other: str) -> Any:
    msg = f"{what} {name!r} is claimed by both {one} and {other}"
    raise SystemClashError(msg)
