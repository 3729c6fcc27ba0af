"""One table of a service, its two tokens, and the receipts that its players keep."""

import secrets
from typing import Any

import orjson
from httpx2 import Response
from starlette.testclient import TestClient

from arbitre.audit.ledger import LedgerVerdict, Receipt, read_lines, verify_ledger
from entries import REGISTRY

ROLL = "/v1/kadath/roll"
REQUEST = {"skill": 3}
WRONG = "f" * 64


def words() -> str:
    """Return what a player's program makes for each roll."""
    return secrets.token_hex(16)


class Table:
    """A table, and what was answered there."""

    def __init__(self, client: TestClient, name: str = "Les Épées") -> None:
        self.client = client
        answer = client.post("/v1/tables", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.new = answer.json()
        self.id: str = self.new["id"]
        self.tokens: dict[str | None, str] = {
            "gm": self.new["gm_token"],
            "player": self.new["player_token"],
            "wrong": WRONG,
        }
        self.receipts: list[Receipt] = []
        self.keep(answer)

    @property
    def path(self) -> str:
        return f"/v1/tables/{self.id}"

    def headers(self, role: str | None, key: str | None = None, **more: str) -> dict[str, str]:
        """Return what somebody shows."""
        found = {name.replace("_", "-"): value for name, value in more.items()}
        if role is not None:
            found["Authorization"] = f"Bearer {self.tokens[role]}"
        if key is not None:
            found["Idempotency-Key"] = key
        return found

    def keep(self, answer: Response) -> Response:
        """Keep the receipt that an answer holds."""
        if answer.status_code < 300:
            said = answer.json()
            kept = said.get("log", said)
            if "entry" in kept and kept["table"] == self.id:
                self.receipts.append(Receipt(kept["entry"].encode(), kept["sig"]))
        return answer

    def roll(
        self, role: str | None = "player", key: str | None = None, match: str = "", **more: Any
    ) -> Response:
        """Roll; a player's program adds fresh words."""
        body: dict[str, Any] = {"request": REQUEST, "table": self.id, **more}
        if role == "player" and "dice" not in more and not more.get("secret"):
            body.setdefault("client", words())
        headers = self.headers(role, key, **({"If_Match": match} if match else {}))
        return self.keep(self.client.post(ROLL, json=body, headers=headers))

    def act(
        self, deed: str, role: str | None = "gm", key: str | None = None, **body: Any
    ) -> Response:
        """Seed, rotate, reveal, unveil or close."""
        headers = self.headers(role, key)
        return self.keep(self.client.post(f"{self.path}/{deed}", json=body, headers=headers))

    def done(self, deed: str, role: str = "gm", **body: Any) -> dict[str, Any]:
        """Do what must succeed."""
        answer = self.act(deed, role, **body)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def rolled(self, role: str = "player", **more: Any) -> dict[str, Any]:
        """Roll what must succeed."""
        answer = self.roll(role, **more)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def read(self, rest: str = "", role: str | None = None, **query: Any) -> Response:
        """Read a page of the table."""
        return self.client.get(self.path + rest, params=query, headers=self.headers(role))

    def roll_page(self, number: int, role: str | None = "player") -> Response:
        """Read one roll."""
        return self.client.get(f"/v1/rolls/{self.id}.{number}", headers=self.headers(role))

    @property
    def card(self) -> dict[str, Any]:
        found: dict[str, Any] = self.read().json()
        return found

    def entries(self) -> list[dict[str, Any]]:
        """Return the log, parsed."""
        return [orjson.loads(line.entry) for line in read_lines(self.export()) if line]

    def export(self, role: str | None = None) -> bytes:
        answer = self.read("/rolls", role, format="jsonl")
        assert answer.status_code == 200, answer.text
        return answer.content

    def graphql(self, query: str, role: str | None = None, **variables: Any) -> dict[str, Any]:
        answer = self.client.post(
            "/graphql",
            json={"query": query, "variables": variables},
            headers=self.headers(role),
        )
        found: dict[str, Any] = answer.json()
        return found

    def verify(self) -> LedgerVerdict:
        """Verify the whole log with every receipt."""
        found = verify_ledger(
            read_lines(self.export()), REGISTRY, key=self.new["key"], receipts=self.receipts
        )
        assert not found.failures, found.failures
        return found
