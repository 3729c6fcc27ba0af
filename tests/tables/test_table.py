"""What happens at a table, over HTTP."""

import logging
import re
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from arbitre.__main__ import main
from arbitre.audit.tables import VEILED
from at_table import REQUEST, ROLL, Table, words

MUTATION = """mutation ($request: KadathRollRequestInput!, $table: String, $client: String,
  $token: String, $secret: Boolean, $idempotencyKey: String, $ifMatch: String) {
  kadath { roll(request: $request, table: $table, client: $client, token: $token,
    secret: $secret, idempotencyKey: $idempotencyKey, ifMatch: $ifMatch) {
    id secret request { skill } draws { faces source } outcome { successes } summary
    log { entry sig hash table seq entropy key } } } }"""

Printed = pytest.CaptureFixture[str]


# every door


def by_rest(table: Table, role: str, **more: Any) -> dict[str, Any]:
    return table.rolled(role, **more)


def by_batch(table: Table, role: str, **more: Any) -> dict[str, Any]:
    item = {"system": "kadath", "resolver": "roll", "request": REQUEST, "table": table.id, **more}
    if role == "player":
        item["client"] = words()
    answer = table.client.post("/v1/batch", json={"items": [item]}, headers=table.headers(role))
    found: dict[str, Any] = answer.json()["answers"][0]
    assert found["status"] == 200, found
    return found["answer"]  # type: ignore[no-any-return]


def by_chat(table: Table, role: str, **more: Any) -> dict[str, Any]:
    body = {"line": "3", "table": table.id, **more}
    if role == "player":
        body["client"] = words()
    answer = table.client.post("/v1/kadath/chat", json=body, headers=table.headers(role))
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def by_graphql(table: Table, role: str, **more: Any) -> dict[str, Any]:
    if role == "player":
        more["client"] = words()
    said = table.graphql(
        MUTATION, token=table.tokens[role], request=REQUEST, table=table.id, **more
    )
    assert "errors" not in said, said
    return said["data"]["kadath"]["roll"]  # type: ignore[no-any-return]


def by_graphql_headers(table: Table, role: str, **more: Any) -> dict[str, Any]:
    if role == "player":
        more["client"] = words()
    said = table.graphql(MUTATION, role, request=REQUEST, table=table.id, **more)
    assert "errors" not in said, said
    return said["data"]["kadath"]["roll"]  # type: ignore[no-any-return]


Door = Callable[..., dict[str, Any]]
DOORS: tuple[Door, ...] = (by_rest, by_batch, by_chat, by_graphql, by_graphql_headers)


@pytest.mark.parametrize("role", ["player", "gm"])
@pytest.mark.parametrize("door", DOORS)
def test_every_door_rolls_at_the_table(table: Table, door: Door, role: str) -> None:
    answer = door(table, role)
    log = answer["log"]
    log["entropy"] = log["entropy"].lower().replace("_", "-")
    assert answer["id"] == f"{table.id}.1"
    assert (log["table"], log["seq"]) == (table.id, 1)
    assert log["entropy"] == ("own" if role == "player" else "server-only")
    assert orjson.loads(log["entry"]) == table.entries()[1]
    shown = table.client.get(f"/v1/rolls/{table.id}.1").json()
    assert shown["log"] == {**log, "seed": None}
    assert [draw["faces"] for draw in shown["draws"]] == [draw["faces"] for draw in answer["draws"]]


@pytest.mark.parametrize("door", DOORS)
def test_every_door_rolls_in_secret(table: Table, door: Door) -> None:
    answer = door(table, "gm", secret=True)
    assert answer["secret"] is True
    entry = table.entries()[1]
    assert set(entry) == SHOWN_OF_SECRETS
    assert entry["entropy"] == "server-only"


@pytest.mark.parametrize("role", ["player", "gm"])
def test_the_command_line_rolls_at_the_table(
    table: Table,
    role: str,
    where: tuple[str | None, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: Printed,
) -> None:
    monkeypatch.setenv("ARBITRE_DATA", str(where[1]))
    monkeypatch.setenv("ARBITRE_REDIS_URL", where[0] or "")
    told = ["roll", "kadath", "roll", "skill=3", "--json", "--table", table.id]
    client = ["--client", words()] if role == "player" else ["--secret"]
    assert main([*told, "--token", table.tokens[role], *client]) == 0
    answer = orjson.loads(capsys.readouterr().out)
    assert answer["id"] == f"{table.id}.1"
    assert answer["secret"] is (role == "gm")
    assert table.rolled()["log"]["seq"] == 2  # the service goes on after it
    for wrong in ([], ["--token", "x"]):
        assert main([*told, *wrong, *client]) == 1
    assert len(table.entries()) == 3


def test_a_batch_rolls_in_its_order(table: Table) -> None:
    items = [
        {
            "system": "kadath",
            "resolver": "roll",
            "request": {"skill": 1 + number % 5},
            "table": table.id,
            "client": words(),
        }
        for number in range(40)
    ]
    headers = table.headers("player", "b")
    answers = [
        table.client.post("/v1/batch", json={"items": items}, headers=headers).json()["answers"]
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert [row["answer"]["log"]["seq"] for row in answers[0]] == list(range(1, 41))
    assert [entry["req"]["skill"] for entry in table.entries()[1:]] == [
        item["request"]["skill"]  # type: ignore[index]
        for item in items
    ]


@pytest.mark.parametrize("role", ["player", "gm"])
@pytest.mark.parametrize(
    "more", [{}, {"actor": "Ysé", "note": "aube — « ½ »"}, {"dice": [1, 5, 6]}]
)
def test_an_answer_is_read_back_byte_for_byte(
    table: Table, other: TestClient, role: str, more: dict[str, Any]
) -> None:
    secrets = (False, True) if role == "gm" else (False,)
    for number, secret in enumerate(secrets, 1):
        answer = table.roll(role, secret=secret, **more)
        assert answer.status_code == 200, answer.text
        for client in (table.client, other):
            path = f"/v1/rolls/{table.id}.{number}"
            again = client.get(path, headers=table.headers("gm"))
            assert again.content == answer.content


# what does not fit


@pytest.mark.parametrize(
    ("role", "body", "code"),
    [
        ("player", {"client": None}, "client-needed"),
        ("player", {"dice": [1, 2, 3], "client": "0123456789abcdef"}, "client-unfit"),
        ("gm", {"client": "0123456789abcdef"}, "client-unfit"),
        ("gm", {"secret": True, "client": "0123456789abcdef"}, "client-unfit"),
        ("gm", {"seed": "mine"}, "seed-at-table"),
        ("player", {"seed": "mine"}, "seed-at-table"),
        ("gm", {"dice": [1]}, "dice-missing"),
        ("gm", {"dice": [1, 2, 3, 4]}, "dice-left"),
        ("gm", {"dice": [1, 2, 9]}, "dice-face"),
    ],
)
def test_what_does_not_fit_draws_nothing(
    table: Table, role: str, body: dict[str, Any], code: str
) -> None:
    for secret in (False, True) if role == "gm" else (False,):
        answer = table.roll(role, **{**body, "secret": secret})
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert table.card["length"] == 1


@pytest.mark.parametrize("client", ["short", "x" * 65, "é" * 20, "a b c d e f g h i j", 5])
def test_words_that_are_none_are_refused(table: Table, client: Any) -> None:
    assert table.roll("player", client=client).status_code == 422
    assert table.act("seed", "player", who="Ana", seed=client).status_code == 422
    assert table.card["length"] == 1


def test_only_at_a_table(service: TestClient) -> None:
    for more in ({"secret": True}, {"client": "0123456789abcdef"}):
        answer = service.post(ROLL, json={"request": REQUEST, **more})
        assert (answer.status_code, answer.json()["code"]) == (409, "table-only")


# who has a say in the faces


def test_entropy_says_who_had_a_say(table: Table) -> None:
    def kinds() -> list[str]:
        return [entry["entropy"] for entry in table.entries() if entry["type"] == "roll"]

    table.rolled("gm")
    table.rolled("gm", secret=True)
    table.rolled("player")
    table.rolled("gm")
    table.rolled("gm", secret=True)
    table.done("rotate")
    table.rolled("gm")
    table.done("seed", "player", who="Ana", seed=words())
    table.rolled("gm")
    table.rolled("player", dice=[1, 2, 3])
    assert kinds() == [
        *("server-only", "server-only", "own", "pool", "pool"),
        *("server-only", "pool", "hand"),
    ]
    assert table.card["contributions"] == 1


def test_hand_dice_are_marked_for_ever(table: Table) -> None:
    table.rolled("player", dice=[6, 6, 6])
    table.rolled("gm", dice=[1, 1, 1], secret=True)
    table.done("unveil", target=2)
    table.done("close", reveal_secret=True)
    found = table.verify()
    assert found.entropy == {"hand": 2}
    assert (found.verified, found.waiting) == (0, 0)
    assert [entry["entropy"] for entry in table.entries()[1:3]] == ["hand", "hand"]
    shown = table.client.get(f"/v1/rolls/{table.id}.1").json()
    assert {draw["source"] for draw in shown["draws"]} == {"hand"}
    opened = table.client.get(f"/v1/rolls/{table.id}.2", headers=table.headers("gm")).json()
    assert {draw["source"] for draw in opened["draws"]} == {"hand"}


def test_commitments_precede_every_roll_and_seeds_come_after(table: Table) -> None:
    commitments = table.card["commitments"]
    assert table.entries()[0]["commit"] == commitments == table.new["commitments"]
    for _ in range(3):
        table.rolled()
        table.rolled("gm")
    early = table.act("reveal", epoch=0)
    assert (early.status_code, early.json()["code"]) == (409, "epoch-running")
    table.done("rotate")
    assert table.verify().waiting == 6
    assert table.card["commitments"] != commitments
    table.done("reveal", epoch=0)
    found = table.verify()
    assert (found.verified, found.waiting) == (6, 0)
    again = table.act("reveal", epoch=0)
    assert (again.status_code, again.json()["code"]) == (409, "revealed")
    for epoch in (1, 2, 1_000_000):
        assert table.act("reveal", epoch=epoch).json()["code"] == "epoch-running"
    table.done("reveal", epoch=0, lane="veil")


def test_closing_reveals_every_open_epoch_and_ends_the_log(table: Table) -> None:
    for _ in range(3):
        table.rolled()
        table.rolled("gm", secret=True)
        table.done("rotate")
    table.rolled()
    table.done("reveal", epoch=1)
    table.done("close", reason="La nuit tombe")
    found = table.verify()
    assert (found.verified, found.waiting, found.secret) == (4, 0, 3)
    last = table.entries()[-1]
    assert (last["type"], last["reason"]) == ("close", "La nuit tombe")
    assert table.card["closed"] is True
    revealed = [entry["epoch"] for entry in table.entries() if entry["type"] == "reveal"]
    assert sorted(revealed) == [0, 1, 2, 3]
    for answer in (
        table.roll(),
        table.roll("gm", secret=True),
        table.act("seed", "player", who="Ana", seed=words()),
        *(table.act(deed) for deed in ("rotate", "close")),
        table.act("unveil", target=2),
        table.act("reveal", epoch=0, lane="veil"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "table-closed")


# secrets

SHOWN_OF_SECRETS = {
    *("v", "type", "table", "seq", "prev", "ts", "st", "idem", "fp"),
    *("who", "role", "lane", "client", "entropy", "veil", "sealed"),
}
MARK = "marque-rouge"
HIDDEN = ("skill", "draws", "outcome", "kadath", "successes", MARK, 'req"')


def everything_seen(table: Table, role: str | None) -> list[str]:
    """Read all that the table shows to somebody."""
    pages = [table.read(at, role) for at in ("", "/rolls")]
    pages.append(table.read("/rolls", role, format="jsonl"))
    pages += [
        table.client.get(f"/v1/rolls/{table.id}.{number}", headers=table.headers(role))
        for number in range(4)
    ]
    query = """query ($t: String!, $id: String!) { table(id: $t) { head length }
      tableRolls(table: $t) { entries { entry opened { name value } hash } } roll(id: $id)
      { __typename } }"""
    told = table.graphql(query, role, t=table.id, id=f"{table.id}.1")
    assert told["data"]["tableRolls"]["entries"], told
    return [page.text for page in pages] + [orjson.dumps(told).decode()]


@pytest.mark.parametrize("role", ["player", None])
def test_a_secret_roll_leaks_nothing(
    table: Table, role: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rolled = table.rolled("gm", secret=True, note=MARK, actor="Le meneur", key="clef")
    table.rolled("gm", secret=True, note=MARK, dice=[1, 2, 3])
    seen = everything_seen(table, role)
    closed = Table(table.client)
    closed.rolled("gm", secret=True, note=MARK)
    closed.done("close")
    events = closed.read("/events", role).text
    # the names of what is veiled are no secret, nor the addresses in the log of the test's client
    veils = r'\\*"veil\\*":\{[^}]*\}'
    seen = [re.sub(veils, "", text) for text in [*seen, events]]
    seen.append(caplog.text.replace(ROLL, ""))
    for word in HIDDEN:
        assert not any(word in text for text in seen), word
    assert '"opened":null' in seen[1]
    assert MARK in rolled["note"]
    assert MARK in "".join(everything_seen(table, "gm"))


def test_what_is_seen_of_secrets_has_one_length(table: Table) -> None:
    for more in (
        {"request": {"skill": 1}},
        {"request": {"skill": 5, "favorable": 3}},
        {"request": {"skill": 3}, "note": "x" * 500},
        {"request": {"skill": 3}, "dice": [1, 1, 1]},
    ):
        table.rolled("gm", secret=True, **more)
    entries = table.entries()[1:]
    assert len({len(entry["sealed"]) for entry in entries}) == 1
    lengths = {len(orjson.dumps({**entry, "entropy": "", "seq": 0})) for entry in entries}
    assert len(lengths) == 1
    veils = [entry["veil"][name] for entry in entries for name in VEILED]
    assert len(set(veils)) == len(veils)


def test_equal_secrets_look_nothing_alike(table: Table) -> None:
    for _ in range(2):
        table.rolled("gm", secret=True, dice=[1, 1, 1], key=words())
    one, two = table.entries()[1:]
    for name in ("sealed", "idem", "fp"):
        assert one[name] != two[name]
    assert not {*one["veil"].values()} & {*two["veil"].values()}
    assert one["sealed"][:24] != two["sealed"][:24]


def test_revealing_open_seeds_opens_no_secret(table: Table) -> None:
    table.rolled("gm", secret=True)
    table.done("rotate")
    table.done("reveal", epoch=0)
    found = table.verify()
    assert (found.secret, found.verified) == (1, 0)
    assert table.roll_page(1).status_code == 403


def test_unveil_and_reveal_prove_a_secret_roll(table: Table) -> None:
    table.rolled("player")
    secret = table.rolled("gm", secret=True, note=MARK)
    table.rolled("gm", secret=True)
    opened = table.done("unveil", target=2)
    values = orjson.loads(opened["entry"])["values"]
    assert values["outcome"] == secret["outcome"]
    assert values["req"]["note"] == MARK
    assert [face for _, face in values["draws"]] == [
        face for draw in secret["draws"] for face in draw["faces"]
    ]
    assert (table.verify().secret, table.verify().waiting) == (1, 2)
    table.done("rotate")
    table.done("reveal", epoch=0, lane="veil")
    found = table.verify()
    assert (found.verified, found.waiting, found.secret) == (1, 1, 1)
    again = table.act("unveil", target=2)
    assert (again.status_code, again.json()["code"]) == (409, "unveiled")
    for target in (1, 4, 999, 2**31 - 1):
        answer = table.act("unveil", target=target)
        assert (answer.status_code, answer.json()["code"]) == (409, "not-secret")


def test_a_refused_secret_roll_leaves_no_trace(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    before = table.card
    answer = table.roll("gm", secret=True, dice=[1], note=MARK)
    assert answer.status_code == 409
    assert table.card == before
    assert MARK not in caplog.text


# If-Match


def test_a_roll_on_the_expected_head_is_made(table: Table) -> None:
    head = table.card["head"]
    first = table.roll(match=f'"{head}"')
    assert first.status_code == 200
    moved = table.roll(match=f'"{head}"')
    assert (moved.status_code, moved.json()["code"]) == (412, "head-moved")
    assert moved.headers["etag"] == f'"{first.json()["log"]["hash"]}"'
    assert table.roll(match=moved.headers["etag"]).status_code == 200
    assert table.card["length"] == 3
    said = table.graphql(
        MUTATION, "player", request=REQUEST, table=table.id, client=words(), ifMatch=head
    )
    assert said["errors"][0]["extensions"]["code"] == "head-moved"


def test_a_retry_needs_no_second_look_at_the_head(table: Table) -> None:
    head, said = table.card["head"], words()
    first = table.roll(match=head, key="k", client=said)
    again = table.roll(match=head, key="k", client=said)
    assert again.content == first.content
    assert again.headers["idempotency-replayed"] == "true"
    other = table.roll(match=head, key="k")
    assert (other.status_code, other.json()["code"]) == (422, "key-reused")


def test_what_another_worker_wrote_is_seen(table: Table, other: TestClient) -> None:
    table.rolled()
    mine, table.client = table.client, other
    head = table.rolled()["log"]["hash"]
    table.done("rotate")
    table.client = mine
    assert table.card["epoch"] == 1
    assert table.card["length"] == 4
    table.done("reveal", epoch=0)
    table.client = other
    head = table.rolled()["log"]["hash"]
    table.client = mine
    assert table.roll(match=head).status_code == 200
    assert table.roll(match=head).status_code == 412
    table.client = other
    table.done("close")
    table.client = mine
    assert table.roll().json()["code"] == "table-closed"


# idempotency


def test_a_retry_gets_the_same_answer_even_after_the_end(table: Table, other: TestClient) -> None:
    table.rolled("gm", secret=True)
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("roll", "player", {"client": words()}),
        ("roll", "gm", {}),
        ("roll", "gm", {"secret": True}),
        ("roll", "player", {"dice": [1, 2, 3]}),
        ("seed", "player", {"who": "Ana", "seed": words()}),
        ("rotate", "gm", {}),
        ("reveal", "gm", {"epoch": 0}),
        ("unveil", "gm", {"target": 1}),
        ("close", "gm", {"reason": "fin"}),
    ]

    def ask(number: int) -> Any:
        deed, role, body = asked[number]
        if deed == "roll":
            return table.roll(role, f"k{number}", **body)
        return table.act(deed, role, f"k{number}", **body)

    first = [ask(number) for number in range(len(asked))]
    length = table.card["length"]
    for client in (table.client, other):
        table.client = client
        for number, answer in enumerate(first):
            assert answer.status_code == 200, answer.text
            assert "idempotency-replayed" not in answer.headers
            again = ask(number)
            assert again.content == answer.content
            assert again.headers["idempotency-replayed"] == "true"
    assert table.card["length"] == length


def test_a_key_for_another_request_is_refused(table: Table) -> None:
    table.rolled("gm", secret=True)
    table.done("rotate")
    asked = {
        "seed": ({"who": "Ana", "seed": "a" * 16}, {"who": "Ana", "seed": "b" * 16}),
        "reveal": ({"epoch": 0}, {"epoch": 0, "lane": "veil"}),
        "unveil": ({"target": 1}, {"target": 1}),
        "close": ({"reason": "a"}, {"reason": "b"}),
    }
    table.rolled("player", client="c" * 16, key="roll")
    assert table.roll("player", client="d" * 16, key="roll").status_code == 422
    for deed, (one, two) in asked.items():
        role = "player" if deed == "seed" else "gm"
        assert table.act(deed, role, deed, **one).status_code == 200
        if one != two:
            again = table.act(deed, role, deed, **two)
            assert (again.status_code, again.json()["code"]) == (422, "key-reused")
    length = table.card["length"]
    for deed in ("rotate", "close"):
        assert table.act(deed, "gm", "unveil").status_code == 422
    assert table.card["length"] == length


def test_keys_of_two_people_are_two(table: Table) -> None:
    table.rolled("player", actor="Ana", client="a" * 16, key="1")
    table.rolled("player", actor="Ben", client="b" * 16, key="1")
    table.rolled("gm", key="1")
    assert table.card["length"] == 4


# reading


def test_pages_follow_one_another(table: Table) -> None:
    for _ in range(6):
        table.rolled()
    found, start = [], 0
    while start is not None:
        page = table.read("/rolls", start=start, limit=3).json()
        assert len(page["entries"]) <= 3
        found += [entry["entry"] for entry in page["entries"]]
        start = page["next"]
    exported = [orjson.loads(line)["entry"] for line in table.export().splitlines()]
    assert found == exported
    assert [orjson.loads(entry)["seq"] for entry in found] == list(range(7))
    assert table.read("/rolls", start=7).json() == {"entries": [], "next": None}
    assert table.export(role="gm") == table.export()
    part = table.read("/rolls", format="jsonl", start=5).content
    assert part == b"".join(line + b"\n" for line in table.export().splitlines()[5:])


@pytest.mark.parametrize("query", [{"start": -1}, {"limit": 0}, {"limit": 201}, {"format": "xml"}])
def test_a_page_that_is_none_is_refused(table: Table, query: dict[str, Any]) -> None:
    assert table.read("/rolls", **query).status_code == 422


def test_a_closed_table_is_followed_to_its_end(table: Table) -> None:
    table.rolled()
    table.done("close")
    entries = table.entries()
    for known in (None, "0", "2", "99", "x", "-1"):
        headers = {} if known is None else {"Last-Event-ID": known}
        answer = table.client.get(f"{table.path}/events", headers=headers)
        text = answer.text
        first = int(known) + 1 if known in {"0", "2", "99"} else 0
        assert answer.status_code == (204 if first > len(entries) else 200)
        assert re.findall(r"^id: (\d+)$", text, re.MULTILINE) == [
            str(number) for number in range(first, len(entries))
        ]
        for data in re.findall("^data: (.*)$", text, re.MULTILINE):
            assert orjson.loads(data)["entry"].encode() in table.export().replace(b'\\"', b'"')


def test_the_same_deeds_by_graphql(table: Table) -> None:
    def done(field: str, arguments: str, role: str = "gm") -> dict[str, Any]:
        query = f'mutation {{ {field}(table: "{table.id}"{arguments}) {{ seq type entry sig }} }}'
        said = table.graphql(query, role)
        assert "errors" not in said, said
        return said["data"][field]  # type: ignore[no-any-return]

    table.rolled("gm", secret=True)
    assert done("tableSeed", f', who: "Ana", seed: "{words()}"', "player")["type"] == "SEED"
    assert done("tableRotate", "")["seq"] == 3
    assert done("tableReveal", ", epoch: 0")["type"] == "REVEAL"
    assert done("tableUnveil", ", target: 1")["type"] == "UNVEIL"
    assert done("tableClose", "")["type"] == "CLOSE"
    said = table.graphql('mutation { newTable(name: "Autre") { id gmToken log { seq } } }')
    assert said["data"]["newTable"]["log"]["seq"] == 0
    refused = table.graphql(f'mutation {{ tableRotate(table: "{table.id}") {{ seq }} }}', "player")
    assert refused["errors"][0]["extensions"]["code"] == "not-yours"
