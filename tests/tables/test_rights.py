"""Whose token allows what: one test for each cell of the table of rights."""

from collections.abc import Iterator

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from arbitre.api.tables import RIGHTS, Deed
from arbitre.audit.tables import Role
from at_table import ROLL, WRONG, Table, words

SHOWN: dict[str, Role | None] = {"nothing": None, "player": Role.PLAYER, "gm": Role.GM}


@pytest.fixture
def played(table: Table) -> Iterator[Table]:
    """A table with a secret roll as entry 1, an open one, and a closed epoch."""
    table.rolled("gm", secret=True)
    table.rolled()
    table.done("rotate")
    return table


def attempt(table: Table, deed: Deed, shown: str) -> Response:  # noqa: PLR0911 - one a deed
    role = None if shown == "nothing" else shown
    match deed:
        case Deed.READ:
            pages = [
                table.read("", role),
                table.read("/rolls", role),
                table.read("/rolls", role, format="jsonl"),
                table.client.get(f"/v1/rolls/{table.id}.2", headers=table.headers(role)),
            ]
            assert len({page.status_code for page in pages}) == 1
            return pages[0]
        case Deed.READ_SECRET:
            return table.client.get(f"/v1/rolls/{table.id}.1", headers=table.headers(role))
        case Deed.ROLL:
            return table.roll(role)
        case Deed.SECRET:
            return table.roll(role, secret=True)
        case Deed.SEED:
            return table.act("seed", role, who="Ana", seed=words())
        case Deed.REVEAL:
            return table.act("reveal", role, epoch=0)
        case Deed.UNVEIL:
            return table.act("unveil", role, target=1)
        case Deed.ROTATE | Deed.CLOSE:
            return table.act(deed.value, role)


@pytest.mark.parametrize("shown", [*SHOWN, "wrong"])
@pytest.mark.parametrize("deed", list(Deed))
def test_a_right(played: Table, deed: Deed, shown: str) -> None:
    before = played.card["length"]
    answer = attempt(played, deed, shown)
    code = answer.json().get("code")
    if shown == "wrong" or (shown == "nothing" and None not in RIGHTS[deed]):
        assert (answer.status_code, code) == (401, "token")
        assert answer.headers["www-authenticate"] == "Bearer"
    elif SHOWN[shown] in RIGHTS[deed]:
        assert answer.status_code == 200, answer.text
        return
    else:
        refusal = "sealed" if deed is Deed.READ_SECRET else "not-yours"
        assert (answer.status_code, code) == (403, refusal)
    assert played.card["length"] == before


def test_every_deed_has_its_row() -> None:
    assert set(RIGHTS) == set(Deed)


DEEDS = {
    "seed": {"who": "Ana", "seed": "0123456789abcdef"},
    "rotate": {},
    "reveal": {"epoch": 0},
    "unveil": {"target": 1},
    "close": {},
}


@pytest.mark.parametrize("shown", ["wrong", "other", None])
def test_an_absent_table_looks_like_one_of_others(
    table: Table, service: TestClient, shown: str | None
) -> None:
    """Only who reads without a token, and knows the id, learns that a table is there."""
    absent = f"{int(table.id, 16) ^ 1:032x}"
    token = {"wrong": WRONG, "other": Table(service).tokens["gm"], None: ""}[shown]
    headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(id_: str) -> list[tuple[int, bytes, str | None]]:
        body = {"request": {"skill": 3}, "table": id_}
        answers = [
            service.post(ROLL, json={**body, **more}, headers=headers)
            for more in ({}, {"client": words()}, {"secret": True}, {"dice": [1, 2, 3]})
        ]
        answers += [
            service.post(f"/v1/tables/{id_}/{deed}", json=said, headers=headers)
            for deed, said in DEEDS.items()
        ]
        if token:
            places = ("", "/rolls", "/rolls?format=jsonl", "/events")
            answers += [service.get(f"/v1/tables/{id_}{at}", headers=headers) for at in places]
            answers += [service.get(f"/v1/rolls/{id_}.{n}", headers=headers) for n in (0, 1, 9)]
        return [
            (answer.status_code, answer.content, answer.headers.get("www-authenticate"))
            for answer in answers
        ]

    mine, not_there = ask(table.id), ask(absent)
    assert mine == not_there
    assert {status for status, _, _ in mine} == {401}


@pytest.mark.parametrize("kind", ["Basic", "Bearer", "bearer ", "Token"])
def test_what_is_no_token_opens_nothing(table: Table, kind: str) -> None:
    for secret in ("", "x", "é", table.tokens["gm"][:-1], table.tokens["gm"] + "0"):
        headers = {"Authorization": f"{kind} {secret}".encode("latin-1")}
        answer = table.client.get(table.path, headers=headers)
        assert answer.status_code == 401


def test_without_a_token_an_absent_table_is_not_there(table: Table, service: TestClient) -> None:
    absent = "0" * 32
    for path in (
        f"/v1/tables/{absent}",
        f"/v1/tables/{absent}/rolls",
        f"/v1/tables/{absent}/rolls?format=jsonl",
        f"/v1/tables/{absent}/events",
        f"/v1/rolls/{absent}.0",
    ):
        assert service.get(path).status_code == 404
    for malformed in ("x", "0" * 31, table.id.upper(), f"{table.id}0"):
        assert service.get(f"/v1/tables/{malformed}").status_code in {404, 422}
        for number in ("0", ""):
            assert service.get(f"/v1/rolls/{malformed}.{number}").status_code == 404
    for number in ("0", "1", "x", "-1", "²", "9" * 20, ""):
        assert service.get(f"/v1/rolls/{table.id}.{number}").status_code == 404


def test_a_token_is_good_at_its_own_table_only(table: Table, service: TestClient) -> None:
    neighbour = Table(service)
    for role in ("gm", "player"):
        table.tokens["neighbour"] = neighbour.tokens[role]
        assert table.read("", "neighbour").status_code == 401
        assert table.roll("neighbour").status_code == 401


def test_tokens_are_shown_once(table: Table) -> None:
    seen = [table.read("", role).text for role in ("gm", "player", None)]
    seen += [table.read("/rolls", role).text for role in ("gm", "player", None)]
    for token in (table.tokens["gm"], table.tokens["player"]):
        assert not any(token in text for text in seen)
