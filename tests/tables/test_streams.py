"""Whoever follows a table sees every entry once, in order, whatever breaks meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest
from websockets.asyncio.client import connect

from arbitre.audit.ledger import Receipt, verify_ledger
from at_table import REQUEST, ROLL, words
from entries import REGISTRY
from serving import serving

ROLLS = 24
PATIENCE = 30
QUERY = """subscription ($t: String!, $s: Int, $k: String) {
  tableLog(table: $t, start: $s, token: $k) { seq type entry sig opened { name value } } }"""

Seen = AsyncIterator[tuple[int, str, str]]
Follows = Callable[[str, str, int], Seen]


@pytest.fixture(scope="module")
def addresses(where: tuple[str | None, Path]) -> Iterator[list[str]]:
    with serving(where[1], where[0], 2) as found:
        yield found


async def by_events(address: str, table: str, start: int) -> Seen:
    headers = {"Last-Event-ID": str(start - 1)} if start else {}
    async with (
        httpx2.AsyncClient(timeout=PATIENCE) as client,
        client.stream("GET", f"{address}/v1/tables/{table}/events", headers=headers) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        number = -1
        async for row in answer.aiter_lines():
            if row.startswith("id: "):
                number = int(row[4:])
            elif row.startswith("data: "):
                line = orjson.loads(row[6:])
                yield number, line["entry"], line["sig"]


async def by_post(address: str, table: str, start: int) -> Seen:
    body = {"query": QUERY, "variables": {"t": table, "s": start}}
    headers = {"Accept": "text/event-stream"}
    async with (
        httpx2.AsyncClient(timeout=PATIENCE) as client,
        client.stream("POST", f"{address}/graphql", json=body, headers=headers) as answer,
    ):
        event = ""
        async for row in answer.aiter_lines():
            if row.startswith("event: "):
                event = row[7:]
                if event == "complete":
                    return
            elif row.startswith("data: "):
                yield _told(orjson.loads(row[6:]))


async def by_socket(address: str, table: str, start: int) -> Seen:
    place = address.replace("http", "ws") + "/graphql"
    async with connect(place, subprotocols=["graphql-transport-ws"]) as socket:  # type: ignore[list-item]
        await socket.send('{"type":"connection_init"}')
        payload = {"query": QUERY, "variables": {"t": table, "s": start}}
        await socket.send(
            orjson.dumps({"type": "subscribe", "id": "1", "payload": payload}).decode()
        )
        async for text in socket:
            said = orjson.loads(text)
            if said["type"] == "next":
                yield _told(said["payload"])
            elif said["type"] == "complete":
                return
            else:
                assert said["type"] == "connection_ack", said


def _told(answer: dict[str, Any]) -> tuple[int, str, str]:
    assert "errors" not in answer, answer
    found = answer["data"]["tableLog"]
    return found["seq"], found["entry"], found["sig"]


async def opened(address: str) -> dict[str, Any]:
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{address}/v1/tables", json={"name": "Suivie"})
    return answer.json()  # type: ignore[no-any-return]


async def play(addresses: list[str], table: dict[str, Any]) -> None:
    """Roll at every service in turn, then close the table."""
    async with httpx2.AsyncClient(timeout=PATIENCE) as client:
        for number in range(ROLLS):
            address = addresses[number % len(addresses)]
            gm = number % 5 == 0
            said = {"secret": True} if gm else {"client": words()}
            answer = await client.post(
                address + ROLL,
                json={"request": REQUEST, "table": table["id"], **said},
                headers={"Authorization": f"Bearer {table['gm_token' if gm else 'player_token']}"},
            )
            assert answer.status_code == 200, answer.text
            await asyncio.sleep(0.02)
        answer = await client.post(
            f"{addresses[0]}/v1/tables/{table['id']}/close",
            json={},
            headers={"Authorization": f"Bearer {table['gm_token']}"},
        )
        assert answer.status_code == 200, answer.text


async def follow(addresses: list[str], table: str, follows: Follows, cut: int) -> list[Receipt]:
    """Follow a table to its end, hanging up after every ``cut`` entries."""
    found: list[Receipt] = []
    turn = 0
    while not found or orjson.loads(found[-1].entry)["type"] != "close":
        turn += 1
        taken = 0
        async with aclosing(follows(addresses[turn % len(addresses)], table, len(found))) as seen:  # type: ignore[type-var]
            async for seq, entry, sig in seen:
                assert seq == len(found)
                found.append(Receipt(entry.encode(), sig))
                taken += 1
                if taken == cut:
                    break
    return found


@pytest.mark.parametrize("follows", [by_events, by_post, by_socket])
async def test_every_entry_is_seen_once_and_in_order(
    addresses: list[str], follows: Follows
) -> None:
    table = await opened(addresses[0])
    async with asyncio.timeout(PATIENCE):
        *seen, _ = await asyncio.gather(
            *(follow(addresses, table["id"], follows, cut) for cut in (1_000, 7, 1)),
            play(addresses, table),
        )
    async with httpx2.AsyncClient() as client:
        answer = await client.get(
            f"{addresses[1]}/v1/tables/{table['id']}/rolls", params={"format": "jsonl"}
        )
    log = [
        Receipt(line["entry"].encode(), line["sig"])
        for line in map(orjson.loads, answer.content.splitlines())
    ]
    assert len(log) == 1 + ROLLS + 3
    for found in seen:
        assert found == log
    assert not verify_ledger(log, REGISTRY, key=table["key"], receipts=seen[0]).failures


async def test_a_stream_opens_secrets_for_the_game_master_only(addresses: list[str]) -> None:
    table = await opened(addresses[0])
    async with httpx2.AsyncClient(timeout=PATIENCE) as client:
        body = {"request": REQUEST, "table": table["id"], "secret": True}
        gm = {"Authorization": f"Bearer {table['gm_token']}"}
        assert (await client.post(addresses[0] + ROLL, json=body, headers=gm)).status_code == 200
        close = f"{addresses[0]}/v1/tables/{table['id']}/close"
        assert (await client.post(close, json={}, headers=gm)).status_code == 200
        opens = []
        for token in (table["gm_token"], table["player_token"], None, "x"):
            said = {"query": QUERY, "variables": {"t": table["id"], "s": 1, "k": token}}
            answer = await client.post(
                f"{addresses[1]}/graphql", json=said, headers={"Accept": "text/event-stream"}
            )
            rows = [
                orjson.loads(row[6:])
                for row in answer.text.splitlines()
                if row.startswith("data: ")
            ]
            if token == "x":  # noqa: S105 - it is none
                assert rows[0]["errors"][0]["extensions"]["code"] == "token"
                continue
            opens.append(rows[0]["data"]["tableLog"]["opened"])
    assert '"skill":3' in next(row["value"] for row in opens[0] if row["name"] == "req")
    assert opens[1:] == [None, None]
