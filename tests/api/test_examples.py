"""Every worked example of every game over REST, thrown by hand."""

from fractions import Fraction
from typing import Any

import pytest
from starlette.testclient import TestClient

from arbitre.rules.labels import LANGUAGES
from arbitre.rules.system import System
from arbitre.testing import Example
from arbitre.testing.cases import differences
from doors import address, body, examples, name

REFUSED = [(system, row) for system, row in examples() if row.refused]
JUDGED = [(system, row) for system, row in examples() if not row.refused]
RULED_OUT = [
    (system, row)
    for system, row in REFUSED
    if row.refused in system.labels["en"].table("refusals") and system.by_id[row.resolver].odds
]
ASKED = [(system, row) for system, row in JUDGED if row.odds or row.options]


@pytest.mark.parametrize(("system", "example"), JUDGED, ids=name)
def test_its_faces_give_its_outcome(client: TestClient, system: System, example: Example) -> None:
    answer = client.post(address(system, example), json=body(example))
    assert answer.status_code == 200, answer.text
    found = answer.json()
    wrong = list(differences(example.outcome, found["outcome"], "outcome"))
    draws = [{key: draw[key] for key in ("tag", "sides", "faces")} for draw in found["draws"]]
    wrong += differences(list(example.draws), draws, "draws")
    assert not wrong, "\n".join(wrong)
    assert all(step["rule"] in system.rules for step in found["steps"])
    assert found["summary"]


@pytest.mark.parametrize(("system", "example"), REFUSED, ids=name)
def test_its_refusal_says_where_why_and_what_to_do(
    client: TestClient, system: System, example: Example
) -> None:
    said: dict[str, Any] = {}
    for language in LANGUAGES:
        answer = client.post(
            address(system, example), json=body(example), params={"lang": language}
        )
        said[language] = answer.json()
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.status_code == (422 if example.refused == "invalid" else 409)
        assert said[language]["code"] == example.refused
        assert said[language]["faults"]
        for fault in said[language]["faults"]:
            pointer = fault["pointer"]
            assert pointer.startswith(
                "/request" if example.given is None else ("/request", "/dice")
            )
            assert fault["detail"]
    if example.pointer is not None:
        pointers = [fault["pointer"] for fault in said["fr"]["faults"]]
        assert f"/request{example.pointer}" in pointers
    assert {"{", "}"}.isdisjoint("".join(said["fr"]["detail"] + said["fr"]["fix"]))
    if example.refused != "invalid":
        assert said["fr"]["detail"] != said["en"]["detail"]
        assert said["fr"]["fix"] != said["en"]["fix"]
        if said["fr"].get("rule"):
            assert said["fr"]["rule"] in system.rules


@pytest.mark.parametrize(("system", "example"), RULED_OUT, ids=name)
def test_what_the_rules_refuse_has_no_odds(
    client: TestClient, system: System, example: Example
) -> None:
    asked = {"request": example.request}
    answer = client.post(f"{address(system, example)}/odds", json=asked)
    assert (answer.status_code, answer.json().get("code")) == (409, example.refused)


@pytest.mark.parametrize(("system", "example"), ASKED, ids=name)
def test_its_odds_are_exact(client: TestClient, system: System, example: Example) -> None:
    asked: dict[str, Any] = {"request": example.request}
    if example.options is not None:
        asked["options"] = example.options
    answer = client.post(f"{address(system, example)}/odds", json=asked)
    assert answer.status_code == 200, answer.text
    fields = {
        field["field"]: {_word(row["value"]): row["p"] for row in field["values"]}
        for field in answer.json()["odds"]
    }
    for chances in fields.values():
        assert sum(map(Fraction, chances.values())) == 1
    for field, stated in example.odds.items():
        found = {value: fields[field].get(value, "0") for value in stated}
        assert found == stated
    assert not list(differences(example.aid, answer.json()["aid"] or {}, "aid"))


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(map(_word, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
