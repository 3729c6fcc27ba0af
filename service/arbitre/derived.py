"""The files that are derived from the registry and never edited."""

from typing import Any, Final

import orjson
import yaml

from arbitre.api.graphql.schema import sdl
from arbitre.api.openapi import document
from arbitre.registry import Registry

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def derived_files(registry: Registry) -> dict[str, bytes]:
    """Return each derived file, by its path from the project's root."""
    files = {
        "openapi.yaml": _yaml(document(registry)),
        "schema/schema.graphql": sdl(registry).encode(),
        "schema/entry.schema.json": _json(_entry_schema(registry)),
    }
    for system in registry.values():
        for resolver in system.resolvers:
            stem = f"schema/{system.id}/{resolver.id}"
            files[f"{stem}.request.json"] = _json(resolver.request.model_json_schema())
            files[f"{stem}.outcome.json"] = _json(
                resolver.outcome.model_json_schema(mode="serialization")
            )
    return files


def _json(schema: dict[str, Any]) -> bytes:
    return orjson.dumps({"$schema": _DIALECT, **schema}, option=orjson.OPT_INDENT_2) + b"\n"


def _yaml(value: dict[str, Any]) -> bytes:
    text: str = yaml.dump(
        value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100, line_break="\n"
    )
    return text.encode()


class _Plain(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - repeat, never refer
        return True


def _entry_schema(registry: Registry) -> dict[str, Any]:
    """Describe the entry of a roll: its fields, and for each rule its request and outcome."""
    hexadecimal = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    words = {"type": "string"}
    properties: dict[str, Any] = {
        "v": {"const": 1},
        "type": {"const": "roll"},
        "id": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "ts": {"type": "integer", "minimum": 0},
        "key": hexadecimal,
        "ruleset": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*@[0-9]+(\\.[0-9]+){2}$"},
        "resolver": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"},
        "entropy": {"enum": ["server-only", "caller", "hand"]},
        "seed": hexadecimal,
        "seed_text": words,
        "req": {"type": "object"},
        "draws": {
            "type": "array",
            "items": {
                "type": "array",
                "prefixItems": [
                    {"type": "integer", "minimum": 2},
                    {"type": "integer", "minimum": 1},
                ],
                "minItems": 2,
                "maxItems": 2,
            },
        },
        "outcome": {"type": "object"},
        "actor": words,
        "note": words,
        "idem": hexadecimal,
        "fp": hexadecimal,
    }
    return {
        "title": "Entry",
        "description": "The signed entry of one roll outside a table.",
        "type": "object",
        "properties": properties,
        "required": [
            "v", "type", "id", "ts", "key", "ruleset", "resolver", "entropy", "req", "draws",
            "outcome",
        ],
        "additionalProperties": False,
        "allOf": [
            {
                "if": {
                    "properties": {
                        "ruleset": {"pattern": f"^{system.id}@"},
                        "resolver": {"const": resolver.id},
                    }
                },
                "then": {
                    "properties": {
                        "req": {"$ref": f"{system.id}/{resolver.id}.request.json"},
                        "outcome": {"$ref": f"{system.id}/{resolver.id}.outcome.json"},
                    }
                },
            }
            for system in registry.values()
            for resolver in system.resolvers
        ],
    }  # fmt: skip
