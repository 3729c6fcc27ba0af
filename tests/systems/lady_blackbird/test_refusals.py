"""What the rules refuse, one by one."""

from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core import to_json

from arbitre.dice import HandFaces, SeededFaces, caller_seed
from arbitre.rules.errors import RuleRefused
from arbitre.rules.play import play
from arbitre.systems.lady_blackbird import SYSTEM

NAMES = [f"name {number}" for number in range(50)]
FIRE = {"name": "Feu", "available": False}


def run(resolver: str, request: dict[str, Any]) -> Any:
    rule = SYSTEM.by_id[resolver]
    asked = rule.request.model_validate_json(to_json(request))
    return play(rule, asked, SeededFaces(caller_seed("refusals"))).outcome


@pytest.mark.parametrize(
    ("resolver", "request_", "code", "pointer"),
    [
        ("roll", {"trait": False, "tags": 2, "pool_dice": 9}, "tags-without-trait", "/tags"),
        ("roll", {"pool_dice": 8}, "pool-dice-exceed-pool", "/pool_dice"),
        (
            "roll",
            {"helpers": [{"name": "A"}, {"name": "B", "pool": 0}]},
            "helper-pool-empty",
            "/helpers/1/pool",
        ),
        ("roll", {"helpers": [{"name": "A"}, {"name": " a "}]}, "helper-twice", "/helpers/1/name"),
        (
            "roll",
            {"name": "É", "helpers": [{"name": "e\u0301"}]},
            "helper-is-actor",
            "/helpers/0/name",
        ),
        (
            "help",
            {"stage": "offer", "helpers": [{"name": "A", "pool": 0}]},
            "helper-pool-empty",
            "/helpers/0/pool",
        ),
        (
            "help",
            {"stage": "offer", "helpers": [{"name": "A"}, {"name": "A"}]},
            "helper-twice",
            "/helpers/1/name",
        ),
        ("help", {"stage": "settle", "helpers": [{"name": "A"}]}, "success-required", "/success"),
        (
            "help",
            {"stage": "offer", "success": True, "helpers": [{"name": "A"}]},
            "success-forbidden",
            "/success",
        ),
        ("key", {"key": "A", "reward": "xp", "state": {"keys": ["B"]}}, "key-not-owned", "/key"),
        ("key", {"action": "buyback", "key": "A"}, "keys-required", "/state/keys"),
        (
            "key",
            {"key": "A", "reward": "xp", "state": {"keys": ["A", "a"]}},
            "key-twice",
            "/state/keys/1",
        ),
        (
            "key",
            {"key": "A", "reward": "xp", "state": {"former_keys": ["B", "C", "b"]}},
            "key-twice",
            "/state/former_keys/2",
        ),
        ("key", {"key": "A", "reward": "split"}, "split-needs-danger", "/reward"),
        ("key", {"key": "A"}, "reward-required", "/reward"),
        (
            "key",
            {"action": "buyback", "key": "A", "reward": "xp", "state": {"keys": ["A"]}},
            "reward-forbidden",
            "/reward",
        ),
        (
            "key",
            {"action": "buyback", "key": "A", "danger": True, "state": {"keys": ["A"]}},
            "reward-forbidden",
            "/reward",
        ),
        (
            "key",
            {"action": "buyback", "key": "A", "state": {"keys": ["A"], "former_keys": NAMES}},
            "sheet-full",
            "/state/former_keys",
        ),
        (
            "key",
            {"action": "buyback", "key": "A", "state": {"keys": ["A"], "advances": 999}},
            "advances-range",
            "/state/advances",
        ),
        ("healing", {"benefit": "remove_condition"}, "condition-required", "/condition"),
        (
            "healing",
            {"benefit": "remove_condition", "condition": "lost"},
            "condition-absent",
            "/condition",
        ),
        (
            "healing",
            {
                "benefit": "remove_condition",
                "condition": "dead",
                "state": {"conditions": ["dead"], "death_is_final": True},
            },
            "death-is-final",
            "/condition",
        ),
        ("healing", {"benefit": "recover_secret"}, "secret-required", "/secret"),
        ("healing", {"benefit": "recover_secret", "secret": "Feu"}, "secret-unknown", "/secret"),
        (
            "healing",
            {
                "benefit": "recover_secret",
                "secret": "feu",
                "state": {"secrets": [{"name": "Feu", "available": True}]},
            },
            "secret-available",
            "/secret",
        ),
        ("healing", {"condition": "lost"}, "benefit-mismatch", "/condition"),
        ("healing", {"secret": "Feu"}, "benefit-mismatch", "/secret"),
        ("healing", {"state": {"death_is_final": True}}, "not-dead", "/state/death_is_final"),
        ("healing", {"state": {"secrets": [FIRE, FIRE]}}, "secret-twice", "/state/secrets/1/name"),
        ("condition", {}, "condition-required", "/condition"),
        ("condition", {"condition": "lost", "death_is_final": True}, "death-flag", "/condition"),
        (
            "condition",
            {"action": "declare_death_final", "condition": "lost"},
            "death-flag",
            "/condition",
        ),
        ("condition", {"action": "declare_death_final"}, "not-dead", "/state/conditions"),
        (
            "condition",
            {"condition": "lost", "state": {"death_is_final": True}},
            "not-dead",
            "/state/death_is_final",
        ),
        (
            "advancement",
            {"purchases": [{"kind": "key", "name": "A"}]},
            "not-enough-advances",
            "/purchases",
        ),
        (
            "advancement",
            {"state": {"advances": 1000, "xp": 5}},
            "advances-range",
            "/state/advances",
        ),
        (
            "advancement",
            {"state": {"traits": [{"name": "A"}, {"name": "a"}]}},
            "trait-twice",
            "/state/traits/1/name",
        ),
        (
            "advancement",
            {"state": {"traits": [{"name": "A", "tags": ["b", "B"]}]}},
            "tag-twice",
            "/state/traits/0/tags/1",
        ),
        ("advancement", {"state": {"keys": ["A", "A"]}}, "key-twice", "/state/keys/1"),
        (
            "advancement",
            {"state": {"former_keys": ["A", "A"]}},
            "key-twice",
            "/state/former_keys/1",
        ),
        (
            "advancement",
            {"state": {"secrets": [FIRE, FIRE]}},
            "secret-twice",
            "/state/secrets/1/name",
        ),
    ],
)
def test_a_refusal_names_its_reason_and_its_place(
    resolver: str, request_: dict[str, Any], code: str, pointer: str
) -> None:
    with pytest.raises(RuleRefused) as refused:
        run(resolver, request_)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)
    for language in ("fr", "en"):
        assert SYSTEM.labels[language].say("refusals", code, refused.value.values)
        assert SYSTEM.labels[language].say("fixes", code, refused.value.values)


def bought(code: str, *purchases: dict[str, Any], **sheet: Any) -> Any:
    return pytest.param(code, purchases, {"advances": 9, **sheet}, id=code)


@pytest.mark.parametrize(
    ("code", "purchases", "sheet"),
    [
        bought("trait-twice", {"kind": "trait", "name": "A"}, {"kind": "trait", "name": "a"}),
        bought("trait-unknown", {"kind": "tag", "name": "B", "trait": "A"}),
        bought(
            "tag-twice",
            {"kind": "tag", "name": "B", "trait": "A"},
            traits=[{"name": "a", "tags": ["b"]}],
        ),
        bought("key-twice", {"kind": "key", "name": "A"}, {"kind": "key", "name": "A"}),
        bought("key-former", {"kind": "key", "name": "A"}, former_keys=["a"]),
        bought("secret-twice", {"kind": "secret", "name": "feu"}, secrets=[FIRE]),
        bought("secret-means", {"kind": "secret", "name": "A", "means": False}),
        bought("purchase-fields", {"kind": "tag", "name": "B"}),
        bought("purchase-fields", {"kind": "key", "name": "B", "trait": "A"}),
        bought("purchase-fields", {"kind": "key", "name": "B", "basis": "learned"}),
        bought("purchase-fields", {"kind": "trait", "name": "B", "means": False}),
        bought("sheet-full", {"kind": "key", "name": "B"}, keys=NAMES),
        bought(
            "sheet-full",
            {"kind": "secret", "name": "B"},
            secrets=[{"name": name, "available": True} for name in NAMES],
        ),
        bought(
            "sheet-full", {"kind": "trait", "name": "B"}, traits=[{"name": name} for name in NAMES]
        ),
        bought(
            "sheet-full",
            {"kind": "tag", "name": "B", "trait": "A"},
            traits=[{"name": "A", "tags": NAMES}],
        ),
        bought(
            "trait-twice",
            {"kind": "secret", "name": "A", "means": False},
            {"kind": "trait", "name": "A"},
            traits=[{"name": "A"}],
        ),
    ],
)
def test_a_purchase_is_refused_by_number(
    code: str, purchases: tuple[dict[str, Any], ...], sheet: dict[str, Any]
) -> None:
    with pytest.raises(RuleRefused) as refused:
        run("advancement", {"purchases": purchases, "state": sheet})
    assert refused.value.code == code
    number = refused.value.values["purchase"]
    assert isinstance(number, int)
    if code != "sheet-full":
        for language, said in (
            ("fr", f"(dépense n°\N{NO-BREAK SPACE}{number})."),
            ("en", f"(purchase {number})."),
        ):
            assert (
                SYSTEM.labels[language].say("refusals", code, refused.value.values).endswith(said)
            )
    assert refused.value.pointer == f"/purchases/{number - 1}"


@pytest.mark.parametrize(
    ("resolver", "request_"),
    [
        ("roll", {"difficulty": 1}),
        ("roll", {"helpers": [{"name": "A", "pool": 11}]}),
        ("help", {"stage": "offer", "helpers": []}),
        ("condition", {"condition": "bored"}),
        ("condition", {"condition": "lost", "state": {"conditions": ["lost", "lost"]}}),
        ("key", {"key": "", "reward": "xp"}),
        ("advancement", {"state": {"advances": 1001}}),
    ],
)
def test_the_schema_forbids_what_is_out_of_range(resolver: str, request_: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        run(resolver, request_)


def test_a_known_former_key_is_listed_once() -> None:
    state = {"keys": ["Clé du Secret"], "former_keys": ["clé du secret"]}
    outcome = run("key", {"action": "buyback", "key": "CLÉ DU SECRET", "state": state})
    assert outcome.state.keys == ()
    assert outcome.state.former_keys == ("clé du secret",)


def test_a_death_ticked_before_can_be_made_real_while_inflicted() -> None:
    outcome = run(
        "condition",
        {"condition": "dead", "death_is_final": True, "state": {"conditions": ["dead"]}},
    )
    assert (outcome.already_present, outcome.state.death_is_final) == (True, True)


def test_a_death_made_real_twice_was_already_real() -> None:
    state = {"conditions": ["dead"], "death_is_final": True}
    outcome = run("condition", {"action": "declare_death_final", "state": state})
    assert (outcome.already_present, outcome.presumed_dead) == (True, False)


def test_only_a_test_draws_dice() -> None:
    for resolver in SYSTEM.resolvers:
        assert bool(resolver.odds) == (resolver.id == "roll")
    key = SYSTEM.by_id["key"]
    asked = key.request.model_validate_json('{"key": "A", "reward": "xp"}')
    assert play(key, asked, HandFaces([])).draws == []
