"""A table of each game: its whole log, exported, holds for both verifiers."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from arbitre.audit.ledger import Receipt, read_lines, verify_ledger
from arbitre.registry import Registry
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.system import System
from doors import GAMES, address, name
from programs import node

VERIFIER = Path(__file__).parents[2] / "service" / "arbitre" / "api" / "verifier" / "verify.mjs"
SCRIPT = """
const { readLines, verifyLog } = await import(process.argv[1])
const { readFileSync } = await import('node:fs')
const lines = readLines(readFileSync(0))
console.log(JSON.stringify(await verifyLog(lines, { receipts: lines, key: process.argv[2] })))
"""


def in_node(text: bytes, key: str) -> dict[str, Any]:
    ran = subprocess.run(
        [node(), "--input-type=module", "--eval", SCRIPT, VERIFIER.as_uri(), key],
        input=text,
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def acted(system: System) -> list[Example]:
    """Return an example of each rule that the rules do not refuse."""
    rows = [row for row in load_examples(system) if row.refused is None and row.outcome]
    return list({row.resolver: row for row in rows}.values())


class Table:
    """A table over HTTP; keeps every receipt, as players' programs do."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        opened = client.post("/v1/tables", json={"name": "Épées & dés"}).json()
        self.id, self.key = opened["id"], opened["key"]
        self._tokens = {"gm": opened["gm_token"], "player": opened["player_token"]}
        self.receipts = [opened["log"]]

    def _post(self, path: str, who: str, body: dict[str, Any]) -> dict[str, Any]:
        shown = {"Authorization": f"Bearer {self._tokens[who]}"}
        answer = self._client.post(path, json=body, headers=shown)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def roll(self, system: System, example: Example, who: str, **more: Any) -> int:
        body = {"request": example.request, "table": self.id, **more}
        log = self._post(address(system, example), who, body)["log"]
        self.receipts.append(log)
        return len(self.receipts) - 1

    def act(self, deed: str, seat: str = "gm", **body: Any) -> None:
        self.receipts.append(self._post(f"/v1/tables/{self.id}/{deed}", seat, body))

    def export(self) -> bytes:
        return self._client.get(f"/v1/tables/{self.id}/rolls?format=jsonl").content


@pytest.mark.parametrize("system", GAMES, ids=name)
def test_every_rule_rolls_at_a_table_whose_log_holds(
    client: TestClient, registry: Registry, system: System
) -> None:
    table = Table(client)
    examples = acted(system)
    assert {example.resolver for example in examples} == set(system.by_id)
    table.act("seed", "player", who="Ben", seed="Ben!" * 4)
    secret = []
    for number, example in enumerate(examples):
        table.roll(system, example, "player", client=f"{number:016x}", actor="Ana", note="é")
        table.roll(system, example, "gm")
        secret.append(table.roll(system, example, "gm", secret=True))
    table.act("rotate")
    table.act("reveal", epoch=0)
    for number in secret[1:]:
        table.act("unveil", target=number)
    table.act("close", reason="Fin", reveal_secret=True)
    text = table.export()
    kept = [Receipt(each["entry"].encode(), each["sig"]) for each in table.receipts]
    verdict = verify_ledger(read_lines(text), registry, key=table.key, receipts=kept)
    assert verdict.failures == []
    count = len(examples)
    assert verdict.entropy == {"own": count, "pool": 2 * count}
    assert verdict.verified == 3 * count - 1
    assert (verdict.waiting, verdict.secret, verdict.foreign) == (0, 1, 0)
    again = in_node(text, table.key)
    assert again["failures"] == []
    for field in ("entries", "head", "entropy", "verified", "waiting", "secret", "backwards"):
        assert again[field] == getattr(verdict, field), field
