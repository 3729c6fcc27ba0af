"""GraphQL types derived from the frozen models, so that the two doors cannot drift.

An output type reads plain data, the JSON document that REST answers. An input type gives
plain data back, the JSON document that REST takes: nothing is validated here but what
GraphQL itself demands. A tagged union is a ``@oneOf`` input whose keys are the tags. In
answers, what has no type of its own is JSON text, and a map is a list of named values.

This is the one module that is dynamic on purpose.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from decimal import Decimal
from enum import Enum, StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, TypeVar, Union, cast, get_args, get_origin

import orjson
import strawberry
from graphql import (
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
)
from pydantic import BaseModel, WithJsonSchema
from pydantic.fields import FieldInfo
from strawberry.annotation import StrawberryAnnotation
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.schema_directives import OneOf
from strawberry.tools import create_type
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.field import StrawberryField
from strawberry.types.scalar import ScalarDefinition
from strawberry.utils.str_converters import to_camel_case

from arbitre.api.documents import NamedValue

Model = type[BaseModel]
Read = Callable[..., Any]
"""``(source, info, **arguments)``: how graphql-core asks for the value of a field."""

V = TypeVar("V")

NumberOrWord = NewType("NumberOrWord", object)

SCALARS: dict[object, ScalarDefinition] = {
    NumberOrWord: strawberry.scalar(
        name="NumberOrWord",
        description="A whole number, or a word that stands for one.",
        serialize=str,
        parse_value=lambda value: value,
    )
}
"""How strawberry knows what Python has no type for."""

_READ = "arbitre.read"
_KEY = "arbitre.key"
_DEFINITION = GraphQLCoreConverter.DEFINITION_BACKREF


def camel(name: str) -> str:
    """Return the GraphQL name of a field, a system or a resolver."""
    return to_camel_case(name.replace("-", "_"))


def field(
    name: str,
    kind: Any,
    read: Read,
    *,
    arguments: Mapping[str, Any] | None = None,
    description: str | None = None,
) -> StrawberryField:
    """Return a field of ``kind`` whose value ``read`` gives."""
    made = StrawberryField(
        python_name=f"{name.replace('-', '_')}_",  # a word of Python would not do
        graphql_name=camel(name),
        type_annotation=StrawberryAnnotation(kind),
        description=description,
        metadata={_READ: read},
    )
    made.arguments = [
        StrawberryArgument(key, camel(key), StrawberryAnnotation(asked))
        for key, asked in (arguments or {}).items()
    ]
    return made


def fields_of(name: str, fields: Iterable[StrawberryField], description: str | None = None) -> Any:
    """Return the object type ``name``; two fields under one GraphQL name are refused."""
    return create_type(name, _distinct(name, fields), description=description)


def constants(model: Model) -> dict[str, str]:
    """Return the fields of ``model`` that have one possible value: the tags of unions."""
    found = {}
    for key, info in model.model_fields.items():
        values = get_args(info.annotation) if get_origin(info.annotation) is Literal else ()
        if len(values) == 1:
            found[info.alias or key] = _word(values[0])
    return found


class Types:
    """The GraphQL types of one schema; another schema has its own."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], Any] = {}
        self._finish: dict[str, Callable[[dict[str, Any]], Any]] = {}
        self._resolve: dict[str, Callable[..., str]] = {}

    def output(self, model: Model) -> Any:
        """Return the object type of ``model``."""
        return self._once(("output", model), lambda: self._output(model))

    def input(self, model: Model) -> Any:
        """Return the input type of ``model``; None if there is nothing to choose in it."""
        return self._once(("input", model), lambda: self._input(model))

    def arguments(self, model: Model) -> dict[str, Any]:
        """Return the fields of ``model`` as arguments; what has a default may be left out."""
        asked = {}
        for key, info in model.model_fields.items():
            kind = self._kind(info.annotation, _named(model, key), _tag(info), is_input=True)
            asked[key] = kind if info.is_required() else kind | None
        return asked

    def choice(self, cls: type[Enum]) -> Any:
        """Return the enumeration of ``cls``: its member names."""
        return self._once(
            ("choice", cls),
            lambda: _choice(cls.__name__, {item.name: item.value for item in cls}, cls.__doc__),
        )

    def settle(self, schema: GraphQLSchema) -> None:
        """Make the finished ``schema`` read and give plain data."""
        for name, kind in schema.type_map.items():
            if isinstance(kind, GraphQLObjectType) and not name.startswith("__"):
                for shown in kind.fields.values():
                    read = shown.extensions[_DEFINITION].metadata[_READ]
                    if kind is schema.subscription_type:
                        shown.subscribe, shown.resolve = read, _as_told
                    else:
                        shown.resolve = read
                    for argument in shown.args.values():
                        argument.out_name = argument.extensions[_DEFINITION].python_name
            elif isinstance(kind, GraphQLInputObjectType):
                kind.is_one_of = kind.extensions[_DEFINITION].is_one_of
                setattr(kind, "out_type", self._finish[name])  # noqa: B010 - mypy sees a method
                for asked in kind.fields.values():
                    asked.out_name = asked.extensions[_DEFINITION].metadata[_KEY]
            elif isinstance(kind, GraphQLUnionType):
                kind.resolve_type = self._resolve[name]

    def _once(self, key: tuple[Any, ...], make: Callable[[], V]) -> V:
        if key not in self._made:
            self._made[key] = make()
        made: V = self._made[key]
        return made

    def _output(self, model: Model) -> Any:
        fields = [
            field(
                info.alias or key,
                self._kind(info.annotation, _named(model, key), _tag(info), is_input=False),
                _reader(info.alias or key, info),
                description=info.description,
            )
            for key, info in model.model_fields.items()
            if info.annotation is not NoneType
        ]
        return fields_of(model.__name__, fields, model.__doc__)

    def _input(self, model: Model) -> Any:
        name = f"{model.__name__}Input"
        fixed = constants(model)
        fields = [
            self._asked(model, key, info)
            for key, info in model.model_fields.items()
            if (info.alias or key) not in fixed
        ]
        if not fields:
            return None
        self._finish[name] = lambda given: {**given, **fixed}
        return create_type(name, _distinct(name, fields), is_input=True, description=model.__doc__)

    def _asked(self, model: Model, key: str, info: FieldInfo) -> StrawberryField:
        kind = self._kind(info.annotation, _named(model, key), _tag(info), is_input=True)
        if _worded(info.annotation):
            kind = NumberOrWord if _bare(kind) is kind else NumberOrWord | None
        default = info.default
        if isinstance(default, Decimal):
            default = str(default)
        elif isinstance(default, Enum):
            default = next(item for item in _bare(kind) if item.value == default.value)
        scalar = isinstance(default, int | str)
        return _given(
            info.alias or key,
            kind if scalar or info.is_required() else kind | None,
            info.description,
            default if scalar else MISSING,
        )

    def _kind(self, annotation: Any, name: str, tag: str | None, *, is_input: bool) -> Any:
        """Translate one annotation; ``name`` is for what GraphQL needs a name for."""
        tag = _inner_tag(annotation) or tag
        variants = _variants(annotation)
        models = tuple(variant for variant in variants if variant is not NoneType)
        if len(models) == 1:
            kind = self._single(models[0], name, is_input=is_input)
        elif is_input:
            kind = self._once((name, tag, models), lambda: self._one_of(name, tag, models))
        else:
            kind = self._once((name, models), lambda: self._union(name, models))
        return kind if models == tuple(variants) else kind | None

    def _single(self, one: Any, name: str, *, is_input: bool) -> Any:
        origin, args = get_origin(one), get_args(one)
        if origin in {tuple, list}:
            return list[self._kind(args[0], name, None, is_input=is_input)]  # type: ignore[misc]
        if origin is dict:
            return list[self.output(NamedValue)]  # type: ignore[misc]
        if origin is Literal:
            return self._literal(name, args)
        if one is Any or one is Decimal:
            return str
        if issubclass(one, BaseModel):
            return self.input(one) if is_input else self.output(one)
        return self.choice(one) if issubclass(one, Enum) else one

    def _literal(self, name: str, values: tuple[Any, ...]) -> Any:
        if len(values) == 1:
            return str
        members = {_word(v).upper().replace("-", "_"): _word(v) for v in values}
        return self._once(("choice", name), lambda: _choice(name, members, None))

    def _union(self, name: str, models: tuple[Model, ...]) -> Any:
        known = [(model.__name__, model.model_fields.keys(), constants(model)) for model in models]
        known.sort(key=lambda row: len(row[1]), reverse=True)

        def resolve(value: dict[str, Any], _info: Any, _type: Any) -> str:
            return next(
                model
                for model, keys, fixed in known
                if keys <= value.keys() and all(value[key] == fixed[key] for key in fixed)
            )

        self._resolve[name] = resolve
        return Annotated[Union[tuple(map(self.output, models))], strawberry.union(name)]  # noqa: UP007

    def _one_of(self, name: str, tag: str | None, models: tuple[Model, ...]) -> Any:
        if tag is None or any(tag not in constants(model) for model in models):
            msg = f"{name}: an input union needs a discriminator, each tag one Literal"
            raise TypeError(msg)
        tags = {constants(model)[tag]: model for model in models}
        fields = [
            _given(value, (self.input(model) or bool) | None, model.__doc__)
            for value, model in tags.items()
        ]
        input_name = f"{name}Input"

        def finish(given: dict[str, Any]) -> dict[str, Any]:
            ((key, chosen),) = given.items()
            return chosen if isinstance(chosen, dict) else dict(constants(tags[key]))

        self._finish[input_name] = finish
        return create_type(
            input_name, _distinct(input_name, fields), is_input=True, directives=(OneOf(),)
        )


def _as_told(source: Any, _info: Any, **_arguments: Any) -> Any:
    return source


def _given(
    key: str, kind: Any, description: str | None, default: object = MISSING
) -> StrawberryField:
    return StrawberryField(
        python_name=f"{key.replace('-', '_')}_",
        graphql_name=camel(key),
        type_annotation=StrawberryAnnotation(kind),
        description=description,
        default=default,
        metadata={_KEY: key},
    )


def _reader(key: str, info: FieldInfo) -> Read:
    annotation = info.annotation
    if get_origin(annotation) in {Union, UnionType}:
        annotation = _bare(annotation)
    kind = get_origin(annotation) or annotation
    if kind is Any:
        return lambda source, _info: _json(source[key])
    if kind is dict:
        return lambda source, _info: (
            source[key]
            if source[key] is None
            else [{"name": name, "value": _json(value)} for name, value in source[key].items()]
        )
    return lambda source, _info: source[key]


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _distinct(name: str, fields: Iterable[StrawberryField]) -> list[StrawberryField]:
    found: dict[str | None, StrawberryField] = {}
    for each in fields:
        if found.setdefault(each.graphql_name, each) is not each:
            msg = f"{name}: two fields would be called {each.graphql_name}"
            raise ValueError(msg)
    return list(found.values())


def _choice(name: str, members: Mapping[str, str], description: str | None) -> Any:
    own = cast("type[Enum]", StrEnum(name, members))  # type: ignore[misc, unused-ignore]
    return strawberry.enum(own, description=description)


def _bare(kind: Any) -> Any:
    """Return what ``Optional[kind]`` or ``kind`` wraps."""
    return next((arg for arg in get_args(kind) if arg is not NoneType), kind)


def _word(value: Any) -> str:
    return str(value.value if isinstance(value, Enum) else value)


def _named(model: Model, key: str) -> str:
    return f"{model.__name__}{key.title().replace('_', '')}"


def _tag(info: FieldInfo) -> str | None:
    return info.discriminator if isinstance(info.discriminator, str) else None


def _inner_tag(annotation: Any) -> str | None:
    """Return the discriminator written inside ``annotation``, beside a None or in a list."""
    if get_origin(annotation) is Annotated:
        for mark in get_args(annotation)[1:]:
            if isinstance(mark, FieldInfo) and _tag(mark):
                return _tag(mark)
    if get_origin(annotation) in {Annotated, Union, UnionType}:
        return next(filter(None, map(_inner_tag, get_args(annotation))), None)
    return None


def _worded(annotation: Any) -> bool:
    """Say whether a number may also be written as a word: its schema has both."""
    if get_origin(annotation) is Annotated:
        for mark in get_args(annotation)[1:]:
            if isinstance(mark, WithJsonSchema):
                kinds = {each.get("type") for each in (mark.json_schema or {}).get("anyOf", ())}
                return {"integer", "string"} <= kinds
    return any(map(_worded, get_args(annotation)))


def _variants(annotation: Any) -> list[Any]:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in {Union, UnionType}:
        return [v for a in get_args(annotation) for v in _variants(a)]
    return [annotation]
