"""Play a scene over HTTP with dice rolled by hand, and check that its odds foresaw it."""

from fractions import Fraction
from typing import Any

from starlette.testclient import TestClient


class Story:
    """One game, one call after the other."""

    def __init__(self, client: TestClient, system: str) -> None:
        self.client = client
        self.system = system
        self.last: dict[str, Any] = {}

    def tell(self, resolver: str, dice: list[int] | None = None, **request: Any) -> Any:
        """Resolve one request, check it against its odds, and return its outcome."""
        body: dict[str, Any] = {"request": request}
        path = f"/v1/{self.system}/{resolver}"
        if dice is not None:
            self._foresee(f"{path}/odds", body)
        answer = self.client.post(path, json=body if dice is None else {**body, "dice": dice})
        assert answer.status_code == 200, answer.text
        self.last = answer.json()
        assert [face for draw in self.last["draws"] for face in draw["faces"]] == (dice or [])
        for name, chances in self.odds.items():
            assert sum(chances.values()) == 1, name
            value = _read(self.last["outcome"], name)
            assert chances.get(_plain(value), 0) > 0, (name, value)
        self.odds = {}
        return self.last["outcome"]

    def refused(self, resolver: str, dice: list[int] | None = None, **request: Any) -> str:
        """Make a request that the rules refuse, and return the code."""
        body = {"request": request} if dice is None else {"request": request, "dice": dice}
        answer = self.client.post(f"/v1/{self.system}/{resolver}", json=body)
        assert answer.status_code in {409, 422}, answer.text
        return str(answer.json()["code"])

    @property
    def texts(self) -> list[str]:
        """The sentences of the last call's steps."""
        return [step["text"] for step in self.last["steps"]]

    odds: dict[str, dict[Any, Fraction]] = {}  # noqa: RUF012 - replaced, never changed

    def _foresee(self, path: str, body: dict[str, Any]) -> None:
        answer = self.client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        self.foreseen = answer.json()
        self.odds = {
            field["field"]: {_plain(row["value"]): Fraction(row["p"]) for row in field["values"]}
            for field in self.foreseen["odds"]
        }

    def chance(self, field: str, value: Any) -> Fraction:
        """The chance of a value in the odds of the last call with dice."""
        for row in self.foreseen["odds"]:
            if row["field"] == field:
                for found in row["values"]:
                    if found["value"] == value:
                        return Fraction(found["p"])
        return Fraction(0)


def _read(outcome: Any, name: str) -> Any:
    if "+" in name:
        return [_read(outcome, part) for part in name.split("+")]
    for key in name.split("."):
        if outcome is None:
            return None
        outcome = outcome[int(key)] if isinstance(outcome, list) else outcome[key]
    return outcome


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
