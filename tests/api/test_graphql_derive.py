"""How models become GraphQL types, on models that hold every kind of field."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from graphql import ExecutionResult, GraphQLSchema, graphql_sync, print_type
from pydantic import Field
from strawberry import Schema

from arbitre.api.graphql.derive import Types, constants, field, fields_of
from arbitre.rules.fields import WHOLE, Hundredths
from arbitre.rules.model import Frozen, Outcome, Request

Small = Annotated[int, Field(ge=0, le=9), WHOLE]


class OddColor(StrEnum):
    """A color."""

    DARK_RED = "dark-red"
    BLUE = "blue"


class OddFall(Frozen):
    """A fall."""

    kind: Literal["free-fall"]
    """What it is."""
    meters: Annotated[Decimal, Hundredths(0, 100)]
    """How deep."""


class OddFire(Frozen):
    """A fire."""

    kind: Literal["fire"]
    """What it is."""
    rounds: Small = 1
    """How long."""
    color: OddColor = OddColor.BLUE
    """How it looks."""


class OddWait(Frozen):
    """Nothing happens."""

    kind: Literal["wait"]
    """What it is."""


Hazard = Annotated[OddFall | OddFire | OddWait, Field(discriminator="kind")]


class OddRequest(Request):
    """Everything."""

    hazard: OddFall | OddFire | OddWait = Field(discriminator="kind")
    """One of three."""
    later: Hazard | None = None
    """One of three, or nothing."""
    others: Annotated[tuple[Hazard, ...], Field(max_length=5)] = ()
    """Any of three."""
    direct: OddFall | None = None
    """A fall without a choice."""
    from_: Small = Field(default=2, alias="from")
    """A word of Python."""
    class_: OddColor | None = Field(default=None, alias="class")
    """Another."""
    size: Annotated[Decimal, Hundredths(0, 9)] = Decimal("1.5")
    """A decimal quantity."""
    mode: Literal["a-mode", "b-mode"] = "a-mode"
    """One of two words."""
    sure: bool = False
    """A yes or no."""
    maybe: Annotated[int | None, Field(ge=0, le=9)] = 4
    """A number that can be nothing."""
    names: tuple[Annotated[str, Field(max_length=9)], ...] | None = None
    """Words, or nothing."""


class OddA(Outcome):
    """An A."""

    same: int
    """A number."""


class OddB(Outcome):
    """A B."""

    same: int
    """A number."""
    more: int
    """Another."""


class OddAnswer(Outcome):
    """An answer."""

    request: OddRequest
    """As understood."""
    which: OddA | OddB
    """A or B."""
    any: Any
    """Whatever."""
    named: dict[str, Any]
    """Several."""
    nothing: None = None
    """What GraphQL cannot show."""


class OddEmpty(Request):
    """No field at all."""


def schema_of(read: Any, types: Types | None = None) -> GraphQLSchema:
    types = types or Types()
    query = fields_of(
        "Query",
        [
            field(
                "ask-it",
                types.output(OddAnswer) | None,
                read,
                arguments={"request": types.input(OddRequest)},
            )
        ],
    )
    core = Schema(query=query)._schema  # noqa: SLF001 - as the service does
    types.settle(core)
    return core


EVERYTHING = """{
  request {
    hazard { __typename ...on OddFall { kind meters } ...on OddFire { kind rounds color } }
    later { __typename } others { __typename ...on OddFire { rounds } }
    from class size mode sure maybe names
  }
  which { __typename ...on OddA { same } ...on OddB { same more } }
  any named { name value }
}"""


def asked(request: str, variables: dict[str, Any] | None = None) -> tuple[ExecutionResult, Any]:
    """Return what GraphQL answers, and the plain data that the field was given."""
    got = []

    def read(_source: Any, _info: Any, *, request: Any) -> Any:
        got.append(request)
        whole = OddRequest.model_validate(request, strict=False).model_dump(mode="json")
        which = {"same": 1, "more": 2} if request.get("sure") else {"same": 1}
        return {"request": whole, "which": which, "any": [1, None, "x"], "named": {"n": {"a": 1}}}

    arguments = "($r:OddRequestInput!)" if variables else ""
    query = f"query{arguments}{{askIt(request:{request}){EVERYTHING}}}"
    return graphql_sync(schema_of(read), query, variable_values=variables), got and got[0]


def test_what_is_left_out_is_left_out_and_scalar_defaults_are_filled_in() -> None:
    result, got = asked('{hazard:{freeFall:{meters:"4.5"}}}')
    assert got == {
        "hazard": {"kind": "free-fall", "meters": "4.5"},
        "from": 2,
        "size": "1.5",
        "mode": "a-mode",
        "sure": False,
        "maybe": 4,
    }
    assert result.errors is None
    assert result.data is not None
    request = result.data["askIt"]["request"]
    assert request["hazard"] == {"__typename": "OddFall", "kind": "free-fall", "meters": "4.5"}
    assert (request["from"], request["size"], request["mode"]) == (2, "1.5", "A_MODE")


def test_null_is_handed_on_as_null() -> None:
    _result, got = asked("{hazard:{wait:true},later:null,names:null,maybe:null,class:null}")
    assert (got["later"], got["names"], got["maybe"], got["class"]) == (None, None, None, None)
    assert got["hazard"] == {"kind": "wait"}


def test_choices_are_named_by_their_members_and_lists_hold_unions() -> None:
    result, got = asked(
        "$r",
        {
            "r": {
                "hazard": {"fire": {"rounds": 3, "color": "DARK_RED"}},
                "others": [{"fire": {}}, {"wait": False}],
                "direct": {"meters": "1"},
                "class": "DARK_RED",
                "mode": "B_MODE",
                "from": 7,
                "sure": True,
            }
        },
    )
    assert got["hazard"] == {"kind": "fire", "rounds": 3, "color": "dark-red"}
    assert got["others"] == [{"kind": "fire", "rounds": 1, "color": "blue"}, {"kind": "wait"}]
    assert got["direct"] == {"kind": "free-fall", "meters": "1"}
    assert (got["class"], got["mode"], got["from"]) == ("dark-red", "b-mode", 7)
    assert result.errors is None
    assert result.data is not None
    answer = result.data["askIt"]
    assert answer["request"]["hazard"]["color"] == "DARK_RED"
    assert answer["request"]["class"] == "DARK_RED"
    assert answer["request"]["others"] == [
        {"__typename": "OddFire", "rounds": 1},
        {"__typename": "OddWait"},
    ]
    assert answer["which"] == {"__typename": "OddB", "same": 1, "more": 2}
    assert answer["any"] == '[1,null,"x"]'
    assert answer["named"] == [{"name": "n", "value": '{"a":1}'}]


@pytest.mark.parametrize(
    "hazard",
    ["{}", "{wait:null}", "{wait:true,fire:{}}", "null", "{fire:null}", "{fall:{}}"],
)
def test_a_union_takes_exactly_one_that_is_not_null(hazard: str) -> None:
    result, got = asked(f"{{hazard:{hazard}}}")
    assert result.errors
    assert not got


@pytest.mark.parametrize("hazard", [{}, {"wait": None}, {"wait": True, "fire": {}}, None])
def test_a_union_in_variables_takes_exactly_one_that_is_not_null(hazard: Any) -> None:
    result, got = asked("$r", {"r": {"hazard": hazard}})
    assert result.errors
    assert not got


def test_the_descriptions_are_those_of_the_models() -> None:
    schema = schema_of(lambda *_: None)
    assert print_type(schema.type_map["OddRequestHazardInput"]) == (
        "input OddRequestHazardInput @oneOf {\n"
        '  """A fall."""\n  freeFall: OddFallInput\n\n'
        '  """A fire."""\n  fire: OddFireInput\n\n'
        '  """Nothing happens."""\n  wait: Boolean\n}'
    )
    assert print_type(schema.type_map["OddFireInput"]) == (
        '"""A fire."""\ninput OddFireInput {\n'
        '  """How long."""\n  rounds: Int! = 1\n\n'
        '  """How it looks."""\n  color: OddColor! = BLUE\n}'
    )
    assert print_type(schema.type_map["OddFire"]).startswith(
        '"""A fire."""\ntype OddFire {\n  """What it is."""\n  kind: String!'
    )
    assert '"""A color."""' in print_type(schema.type_map["OddColor"])
    assert "nothing" not in print_type(schema.type_map["OddAnswer"])


def test_a_request_without_fields_has_no_input_type() -> None:
    assert Types().input(OddEmpty) is None


def test_the_rule_s_own_enumeration_is_left_alone() -> None:
    Types().choice(OddColor)
    assert not hasattr(OddColor, "__strawberry_definition__")


def test_an_input_union_without_tags_is_refused() -> None:
    class OddUntagged(Request):
        either: OddA | OddB

    with pytest.raises(TypeError, match="OddUntaggedEither: an input union needs a discriminator"):
        Types().input(OddUntagged)


def test_two_fields_of_one_name_are_refused() -> None:
    class OddTwins(Request):
        a_b: Small
        aB: Small  # noqa: N815 - that is the point

    with pytest.raises(ValueError, match="OddTwinsInput: two fields would be called aB"):
        Types().input(OddTwins)


def test_constants_are_the_tags() -> None:
    class OddTag(StrEnum):
        X = "x"

    class OddTagged(Frozen):
        kind: Literal[OddTag.X]
        other: Literal["a", "b"]

    assert constants(OddTagged) == {"kind": "x"}
