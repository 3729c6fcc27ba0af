"""Writes GraphQL from the schema alone: variables for a request, a selection of everything."""

import re
from collections import Counter
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLString,
    GraphQLUnionType,
)


def camel(name: str) -> str:
    return re.sub(r"[-_]([a-z0-9])", lambda match: match[1].upper(), name)


def variable(kind: Any, value: Any) -> Any:
    """Write the JSON ``value`` as a variable of ``kind``; what does not fit stays as it is."""
    if isinstance(kind, GraphQLNonNull):
        return variable(kind.of_type, value)
    if isinstance(kind, GraphQLList) and isinstance(value, list):
        return [variable(kind.of_type, item) for item in value]
    if isinstance(kind, GraphQLEnumType):
        return next((name for name, item in kind.values.items() if item.value == value), value)
    if isinstance(kind, GraphQLInputObjectType) and isinstance(value, dict):
        return (_one_of if kind.is_one_of else _object)(kind, value)
    return str(value) if kind is GraphQLString and value is not None else value


def _one_of(kind: GraphQLInputObjectType, value: dict[str, Any]) -> dict[str, Any]:
    tag = next(key for key in value if camel(str(value[key])) in kind.fields)
    name = camel(value[tag])
    inner = kind.fields[name].type
    rest = {key: item for key, item in value.items() if key != tag}
    return {name: variable(inner, rest) if isinstance(inner, GraphQLInputObjectType) else True}


def _object(kind: GraphQLInputObjectType, value: dict[str, Any]) -> dict[str, Any]:
    given = {}
    for key, item in value.items():
        field = kind.fields.get(camel(key))
        given[camel(key)] = variable(field.type, item) if field else item
    return given


def bare(kind: Any) -> Any:
    while isinstance(kind, GraphQLNonNull | GraphQLList):
        kind = kind.of_type
    return kind


def selection(kind: Any) -> str:
    """Select everything in ``kind``."""
    kind = bare(kind)
    if isinstance(kind, GraphQLObjectType):
        fields = (f"{name}{selection(field.type)}" for name, field in kind.fields.items())
        return "{" + " ".join(fields) + "}"
    if isinstance(kind, GraphQLUnionType):
        clashing = _clashing(kind)
        parts = []
        for member in kind.types:
            fields = (
                f"{member.name}_{name}:{name}{selection(field.type)}"
                if name in clashing
                else f"{name}{selection(field.type)}"
                for name, field in member.fields.items()
            )
            parts.append(f"...on {member.name}{{{' '.join(fields)}}}")
        return "{__typename " + " ".join(parts) + "}"
    return ""


def _clashing(kind: GraphQLUnionType) -> set[str]:
    kinds = {
        (name, str(field.type)) for member in kind.types for name, field in member.fields.items()
    }
    return {name for name, n in Counter(name for name, _ in kinds).items() if n > 1}


def shown(kind: Any, value: Any) -> Any:
    """Write the JSON ``value`` as an answer that selects everything in ``kind``."""
    if isinstance(kind, GraphQLNonNull):
        return shown(kind.of_type, value)
    if value is None:
        return None
    if isinstance(kind, GraphQLList):
        return [shown(kind.of_type, item) for item in value]
    if isinstance(kind, GraphQLEnumType):
        return next(name for name, item in kind.values.items() if item.value == value)
    if isinstance(kind, GraphQLUnionType | GraphQLObjectType):
        return (_member if isinstance(kind, GraphQLUnionType) else _fields)(kind, value)
    return value


def _fields(kind: GraphQLObjectType, value: dict[str, Any]) -> dict[str, Any]:
    plain = {camel(key): item for key, item in value.items()}
    return {name: shown(field.type, plain[name]) for name, field in kind.fields.items()}


def _member(kind: GraphQLUnionType, value: dict[str, Any]) -> dict[str, Any]:
    names = {camel(key) for key in value}
    member = next(m for m in kind.types if m.fields.keys() == names and _tagged(m, value))
    clashing = _clashing(kind)
    return {
        "__typename": member.name,
        **{
            f"{member.name}_{name}" if name in clashing else name: item
            for name, item in _fields(member, value).items()
        },
    }


def _tagged(member: GraphQLObjectType, value: dict[str, Any]) -> bool:
    kind = value.get("kind")
    return not isinstance(kind, str) or camel(kind).lower() in member.name.lower()
