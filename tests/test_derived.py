"""The derived files are current, valid, and describe what the service really writes."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from graphql import build_schema, validate_schema
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from arbitre.__main__ import main
from arbitre.derived import derived_files
from arbitre.registry import load_registry
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.system import System
from entries import SIGNER, rolled

ROOT = Path(__file__).parents[1]
ENTRY = "schema/entry.schema.json"


@cache
def derived() -> dict[str, bytes]:
    return derived_files(load_registry())


@cache
def schemas() -> dict[str, Any]:
    return {
        name: json.loads(content) for name, content in derived().items() if name.endswith(".json")
    }


@cache
def entries() -> Draft202012Validator:
    known: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema, DRAFT202012)) for name, schema in schemas().items()
    )
    return Draft202012Validator({"$ref": ENTRY}, registry=known)


def test_the_derived_files_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    differ = main(["derive", "--check", str(ROOT)])
    said = capsys.readouterr().out
    assert not differ, f"run `arbitre derive`; these differ:\n{said}"


def test_nothing_derived_is_left_over() -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "schema").rglob("*.*")}
    assert found <= derived().keys()


def test_the_openapi_document_is_valid() -> None:
    document = yaml.load(derived()["openapi.yaml"], yaml.CSafeLoader)
    assert not [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]


def test_the_graphql_schema_is_valid() -> None:
    assert not validate_schema(build_schema(derived()["schema/schema.graphql"].decode()))


def test_every_json_schema_is_valid() -> None:
    for schema in schemas().values():
        Draft202012Validator.check_schema(schema)


EXAMPLES = [
    pytest.param(system, example, id=f"{system.id} {example}")
    for system in load_registry().values()
    for example in load_examples(system)
    if example.draws and not example.refused
]


@pytest.mark.parametrize(("system", "example"), EXAMPLES)
def test_the_entry_of_an_example_fits_its_schema(system: System, example: Example) -> None:
    signed = rolled(example.request, system=system, resolver=example.resolver, hand=example.faces)
    assert not [error.message for error in entries().iter_errors(json.loads(signed.entry))]


def test_the_optional_fields_of_an_entry_fit_too() -> None:
    system = next(iter(load_registry().values()))
    example = next(row for row in load_examples(system) if row.draws and not row.refused)
    signed = rolled(
        example.request,
        system=system,
        resolver=example.resolver,
        seed_text="a seed",
        actor="Nasht",
        note="at the gate",
        idem=SIGNER.idem("rolls", "key"),
        fp=SIGNER.fingerprint(system.id, example.resolver, {}),
    )
    assert not [error.message for error in entries().iter_errors(json.loads(signed.entry))]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"v": 2}, id="another version"),
        pytest.param({"more": 1}, id="an unknown field"),
        pytest.param({"entropy": "cosmic"}, id="an unknown source"),
        pytest.param({"draws": [[6]]}, id="a die without a face"),
        pytest.param({"outcome": {"more": 1}}, id="another outcome"),
    ],
)
def test_what_is_no_entry_does_not_fit(change: dict[str, Any]) -> None:
    system = next(iter(load_registry().values()))
    example = next(row for row in load_examples(system) if row.draws and not row.refused)
    signed = rolled(example.request, system=system, resolver=example.resolver)
    assert not entries().is_valid({**json.loads(signed.entry), **change})
