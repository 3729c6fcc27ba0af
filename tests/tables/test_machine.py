"""Any course of events at a table leaves the log that a plain list foresees."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import orjson
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from arbitre.api.problems import Problem
from arbitre.api.tables import (
    CloseCall,
    RevealCall,
    SeedCall,
    TableCall,
    TableDesk,
    UnveilCall,
)
from arbitre.audit.ledger import Receipt, verify_ledger
from arbitre.audit.tables import Kind, Lane, Role
from arbitre.store import store_from
from arbitre.store.backup import log_of
from arbitre.store.interface import Log
from entries import DUEL
from ledgers import KEYS
from roller import REGISTRY, RULE

DICE = (5, 1, 1, 1, 1)
WORDS = st.text("abcdef0123456789", min_size=16, max_size=20)
Answer = dict[str, Any]


class Course(RuleBasedStateMachine):
    """Two desks share a store; each may be replaced by a new one at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.desks: list[tuple[TableDesk, Log]] = []
        self.model: list[tuple[str, bytes]] = []
        """Kind and bytes of each entry."""
        self.receipts: list[Receipt] = []
        self.asked: list[tuple[Any, Answer]] = []
        """What was asked for with a key, and the answer."""
        self.secrets: set[int] = set()
        self.unveiled: set[int] = set()
        self.revealed: set[tuple[int, Lane]] = set()
        self.epoch = 0
        self.pooled = 0
        self.closed = False

    def do(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def start(self) -> tuple[TableDesk, Log]:
        store = store_from(None, Path(self.folder.name))
        self.do(store.open())
        return TableDesk(REGISTRY, KEYS, store), store

    @initialize()
    def begin(self) -> None:
        self.desks = [self.start(), self.start()]
        answer = self.do(self.desks[0][0].create(TableCall(name="Automate")))
        self.table = bytes.fromhex(answer["id"])
        self.keep(Kind.GENESIS, answer)

    def teardown(self) -> None:
        for _, store in self.desks:
            self.do(store.close())
        self.loop.close()
        self.folder.cleanup()

    def keep(self, kind: Kind, answer: Answer) -> None:
        log = answer.get("log", answer)
        self.model.append((kind.value, log["entry"].encode()))
        self.receipts.append(Receipt(log["entry"].encode(), log["sig"]))

    def ask(
        self, desk: int, kind: Kind, role: Role, deed: Any, refusal: str | None
    ) -> Answer | None:
        """Do something under a new key; it must be refused with that code, or written."""
        key = f"key-{len(self.asked)}"

        async def again(at: int) -> Answer:
            tables = self.desks[at][0]
            found: Answer = await deed(
                tables, tables.seat(self.table.hex(), KEYS.token(self.table, role)), key
            )
            return found

        try:
            answer = self.do(again(desk))
        except Problem as problem:
            expected = refusal or ("table-closed" if self.closed else None)
            assert problem.code == expected  # noqa: PT017 - or none is raised
            return None
        assert refusal is None
        assert not self.closed
        self.asked.append((again, answer))
        if kind is not Kind.CLOSE:
            self.keep(kind, answer)
        return answer

    @rule(desk=st.integers(0, 1), words=WORDS, who=st.sampled_from(["Ana", "Ben"]))
    def player_rolls(self, desk: int, words: str, who: str) -> None:
        call = _call(client=words, actor=who)
        if self.roll(desk, Role.PLAYER, call, "own"):
            self.pooled += 1

    @rule(desk=st.integers(0, 1), secret=st.booleans(), hand=st.booleans())
    def master_rolls(self, desk: int, secret: bool, hand: bool) -> None:
        call = _call(secret=secret, dice=DICE if hand else None)
        fair = "hand" if hand else "pool" if self.pooled else "server-only"
        number = len(self.model)
        if self.roll(desk, Role.GM, call, fair) and secret:
            self.secrets.add(number)

    def roll(self, desk: int, role: Role, call: Any, fair: str) -> bool:
        answer = self.ask(
            desk,
            Kind.ROLL,
            role,
            lambda tables, seat, key: tables.roll(seat, RULE, call, "fr", key, None),
            None,
        )
        if answer is None:
            return False
        assert answer["log"]["entropy"] == fair
        assert answer["log"]["seq"] == len(self.model) - 1
        return True

    @rule(desk=st.integers(0, 1), words=WORDS)
    def player_seeds(self, desk: int, words: str) -> None:
        call = SeedCall(who="Ana", seed=words)
        if self.ask(desk, Kind.SEED, Role.PLAYER, lambda t, s, k: t.seed(s, call, k), None):
            self.pooled += 1

    @rule(desk=st.integers(0, 1))
    def rotates(self, desk: int) -> None:
        if self.ask(desk, Kind.ROTATE, Role.GM, lambda t, s, k: t.rotate(s, k), None):
            self.epoch += 1
            self.pooled = 0

    @rule(desk=st.integers(0, 1), epoch=st.integers(0, 3), lane=st.sampled_from(Lane))
    def reveals(self, desk: int, epoch: int, lane: Lane) -> None:
        call = RevealCall(epoch=epoch, lane=lane)
        refusal = "revealed" if (epoch, lane) in self.revealed else None
        if epoch >= self.epoch:
            refusal = "epoch-running"
        deed = lambda t, s, k: t.reveal(s, call, k)  # noqa: E731 - as the others
        if self.ask(desk, Kind.REVEAL, Role.GM, deed, refusal):
            self.revealed.add((epoch, lane))

    @rule(desk=st.integers(0, 1), data=st.data())
    def unveils(self, desk: int, data: st.DataObject) -> None:
        secrets = st.sampled_from(sorted(self.secrets) or [1])
        target = data.draw(secrets | secrets | st.integers(1, len(self.model)))
        call = UnveilCall(target=target)
        refusal = None if target in self.secrets else "not-secret"
        if target in self.unveiled and not self.closed:
            refusal = "unveiled"
        deed = lambda t, s, k: t.unveil(s, call, k)  # noqa: E731 - as the others
        if self.ask(desk, Kind.UNVEIL, Role.GM, deed, refusal):
            self.unveiled.add(target)

    @precondition(lambda self: len(self.model) > 12)
    @rule(desk=st.integers(0, 1), secret=st.booleans())
    def closes(self, desk: int, secret: bool) -> None:
        call = CloseCall(reason="fin", reveal_secret=secret)
        if self.ask(desk, Kind.CLOSE, Role.GM, lambda t, s, k: t.close(s, call, k), None):
            self.closed = True
            lanes = set(Lane) if secret else {Lane.OPEN}
            due = {(epoch, lane) for epoch in range(self.epoch + 1) for lane in lanes}
            tail = self.log()[len(self.model) :]
            kinds = [orjson.loads(entry)["type"] for entry in tail]
            count = len(due - self.revealed)
            assert kinds == [Kind.ROTATE, *[Kind.REVEAL] * count, Kind.CLOSE]
            self.revealed |= due
            self.epoch += 1
            self.model += zip(kinds, tail, strict=True)
            answer = self.asked[-1][1]
            self.receipts.append(Receipt(answer["entry"].encode(), answer["sig"]))

    @precondition(lambda self: self.asked)
    @rule(data=st.data(), desk=st.integers(0, 1))
    def retries(self, data: st.DataObject, desk: int) -> None:
        again, answer = data.draw(st.sampled_from(self.asked))
        assert self.do(again(desk)) == answer

    @rule(desk=st.integers(0, 1))
    def crashes(self, desk: int) -> None:
        """A desk that is gone remembers nothing."""
        self.do(self.desks[desk][1].close())
        self.desks[desk] = self.start()

    def log(self) -> list[bytes]:
        async def entries() -> list[bytes]:
            return [line.entry async for line in log_of(self.desks[0][1], self.table)]

        found: list[bytes] = self.do(entries())
        return found

    @invariant()
    def the_log_is_what_was_foreseen(self) -> None:
        if not self.desks:
            return
        assert self.log() == [entry for _, entry in self.model]

    @invariant()
    def the_log_holds_with_every_receipt(self) -> None:
        async def entries() -> list[Receipt]:
            log = log_of(self.desks[1][1], self.table)
            return [Receipt(line.entry, line.sig) async for line in log]

        if len(self.model) % 5:  # often enough
            return
        found = verify_ledger(
            self.do(entries()),
            REGISTRY,
            key=KEYS.signer.public_key,
            receipts=self.receipts,
        )
        assert not found.failures or not self.model, found.failures
        assert found.secret == len(self.secrets - self.unveiled)


def _call(**more: Any) -> Any:
    return RULE.call.validate_json(orjson.dumps({"request": DUEL, **more}))


Course.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
TestCourse = Course.TestCase
