"""The one place where a call is resolved, whatever door it came through."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from arbitre.api.body import strict_json
from arbitre.api.calls import BatchCall, BatchItem, ChatCall, VerifyCall, call_model, odds_model
from arbitre.api.envelope import (
    Receipt,
    Replayed,
    answer,
    logged_answer,
    odds_answer,
    verdict_answer,
)
from arbitre.api.http import NOTHING_SHOWN, Shown
from arbitre.api.problems import REFUSALS, Fault, Problem, invalid, misread, refused, store_down
from arbitre.api.tables import TableDesk
from arbitre.audit import Signed, Signer, entropy_of, fresh_seed, replay, roll_entry
from arbitre.dice import HandFaces, SeededFaces, caller_seed
from arbitre.odds import odds_of
from arbitre.registry import Registry
from arbitre.rules.notation import NotationError, parse
from arbitre.rules.play import play
from arbitre.rules.resolver import Resolver
from arbitre.rules.system import System
from arbitre.store import IdempotencyConflictError, Put, Store, StoreDownError

MOST_WAITING: Final = 32
"""Most odds that may wait for a thread."""

_TURN: Final = 16
"""Batch items resolved before other requests get a turn."""

_LONG: Final = 32 * 1024
"""A body of more bytes is parsed off the event loop."""

_SCOPE: Final = "rolls"

T = TypeVar("T")


class Validator(Protocol):
    """Pydantic's core: bytes in, a model out."""

    def validate_json(self, input: bytes) -> Any:  # noqa: A002 - pydantic's word
        """Read a body."""


class Rule:
    """A resolver of a game with what each call of it needs, made once."""

    __slots__ = ("call", "odds", "resolver", "system")

    def __init__(self, system: System, resolver: Resolver[Any, Any]) -> None:
        self.system, self.resolver = system, resolver
        self.call = TypeAdapter[Any](call_model(resolver)).validator
        self.odds = TypeAdapter[Any](odds_model(resolver)).validator


class Desk:
    """Resolves calls with the games there are, the key that signs and the store that keeps.

    Methods take the bytes of a body, return plain data for JSON, and raise ``Problem``.
    """

    def __init__(
        self,
        registry: Registry,
        signer: Signer,
        store: Store,
        *,
        tables: TableDesk | None = None,
        odds_threads: int = 1,
    ) -> None:
        self.registry, self.signer, self.store = registry, signer, store
        self._tables = tables
        self._rules = {
            (system.id, resolver.id): Rule(system, resolver)
            for system in registry.values()
            for resolver in system.resolvers
        }
        self._threads = ThreadPoolExecutor(odds_threads, thread_name_prefix="odds")
        self._waiting = 0

    @property
    def tables(self) -> TableDesk:
        """The tables; 404 where this desk has none."""
        if self._tables is None:
            raise Problem(404, "no-table")
        return self._tables

    @property
    def rules(self) -> list[Rule]:
        """Every rule of every game."""
        return list(self._rules.values())

    def system(self, id_: str) -> System:
        """Return a game by its id, or 404."""
        found = self.registry.get(id_)
        if found is None:
            raise Problem(404, "no-system")
        return found

    def rule(self, system: str, resolver: str) -> Rule:
        """Return a rule by its ids; 404 says which of them is unknown."""
        found = self._rules.get((system, resolver))
        if found is None:
            self.system(system)
            raise Problem(404, "no-resolver")
        return found

    async def resolve(
        self,
        rule: Rule,
        body: bytes,
        language: str,
        key: str | None = None,
        shown: Shown = NOTHING_SHOWN,
    ) -> dict[str, Any]:
        """Roll, log and answer; a ``key`` used before with the same body answers as then.

        ``shown`` is what else the caller shows: a table's token, the head it expects.
        """
        system, resolver = rule.system, rule.resolver
        call = validated(rule.call, body)
        if call.table is not None:
            seat = self.tables.seat(call.table, shown.token)
            return await self.tables.roll(seat, rule, call, language, key, shown.match)
        if call.secret or call.client is not None:
            pointer = "/secret" if call.secret else "/client"
            raise Problem(409, "table-only", faults=(Fault(pointer, "table-only"),))
        hand, text = call.dice, call.seed
        if hand is None:
            seed = fresh_seed() if text is None else caller_seed(text)
            faces: HandFaces | SeededFaces = SeededFaces(seed)
        elif text is None:
            seed, faces = None, HandFaces(hand)
        else:
            raise Problem(409, "dice-and-seed", faults=(Fault("/seed", "dice-and-seed"),))
        try:
            played = play(resolver, call.request, faces)
        except REFUSALS as error:
            raise refused(error, system) from None
        request = call.request.model_dump(mode="json")
        outcome = played.outcome.model_dump(mode="json")
        idem = fp = None
        if key is not None:
            idem = self.signer.idem(_SCOPE, key)
            fp = self.signer.fingerprint(system.id, resolver.id, call.model_dump(mode="json"))
        signed = roll_entry(
            self.signer,
            ruleset=system.ruleset,
            resolver=resolver.id,
            req=request,
            draws=played.draws,
            outcome=outcome,
            seed=seed,
            seed_text=text,
            actor=call.actor,
            note=call.note,
            idem=idem,
            fp=fp,
        )
        try:
            stored = await self.store.put(Put(signed.id, idem, fp, signed.entry, signed.sig))
        except StoreDownError:
            raise store_down() from None
        except IdempotencyConflictError:
            raise Problem(422, "key-reused") from None
        if stored.replayed:
            return Replayed(self._answer_again(stored.signed, language))
        receipt = Receipt(signed, self.signer.public_key, entropy_of(seed, text).value, seed)
        words = {"actor": call.actor, "note": call.note}
        return answer(system, resolver, played, request, outcome, receipt, words, language)

    async def roll(self, id_: str, language: str, token: str = "") -> dict[str, Any]:
        """Return the answer of a logged roll, as it was given."""
        if "." in id_:
            return await self.tables.logged(id_, token, language)
        try:
            signed = await self.store.get(id_)
        except StoreDownError:
            raise store_down() from None
        if signed is None:
            raise Problem(404, "no-roll")
        return self._answer_again(signed, language)

    async def odds(self, rule: Rule, body: bytes, language: str) -> dict[str, Any]:
        """Work out exact odds, off the event loop."""
        del language  # numbers read alike everywhere
        if not rule.resolver.odds:
            raise Problem(409, "no-odds")
        call = validated(rule.odds, body)
        options = getattr(call, "options", None)
        try:
            found = await self._off_loop(lambda: odds_of(rule.resolver, call.request, options))
        except REFUSALS as error:
            raise refused(error, rule.system) from None
        return odds_answer(rule.system, rule.resolver, call.request.model_dump(mode="json"), found)

    async def batch(
        self, body: bytes, language: str, key: str | None, shown: Shown = NOTHING_SHOWN
    ) -> dict[str, Any]:
        """Resolve up to a thousand calls, each with its own answer or problem, in order."""
        if len(body) > _LONG:
            await asyncio.to_thread(strict_json, body)
        call = validated(_BATCH, body, parsed=len(body) > _LONG)
        answers: list[dict[str, Any]] = []
        for start in range(0, len(call.items), _TURN):
            turn = [
                self._item(item, language, None if key is None else f"{key}#{number}", shown)
                for number, item in enumerate(call.items[start : start + _TURN], start)
            ]
            answers += await asyncio.gather(*turn)
            await asyncio.sleep(0)
        found = {"answers": answers}
        again = all(isinstance(row.get("answer"), Replayed) for row in answers)
        return Replayed(found) if again else found

    async def chat(
        self,
        system: System,
        body: bytes,
        language: str,
        key: str | None = None,
        shown: Shown = NOTHING_SHOWN,
    ) -> dict[str, Any]:
        """Read one line of a game's notation, and answer as its rule does, or with its odds."""
        call = validated(_CHAT, body)
        try:
            said = parse(system, call.line)
        except NotationError as error:
            raise misread(error) from None
        rule = self.rule(system.id, said.resolver)
        told = call.model_dump(mode="json", exclude={"line"}, exclude_defaults=True)
        told["request"] = said.request
        if said.faces is not None:
            told["dice"] = said.faces
        if said.comment:
            told["note"] = said.comment[:500]
        try:
            if said.odds:
                return await self.odds(rule, to_json({"request": said.request}), language)
            return await self.resolve(rule, to_json(told), language, key, shown)
        except Problem as problem:
            if problem.code == "invalid":
                problem.status = 409  # the body fits its schema; what its line says does not
            raise

    async def verify(self, body: bytes, language: str) -> dict[str, Any]:
        """Replay an entry and say whether it is equal, or where it differs and why."""
        call = validated(_VERIFY, body)
        verdict = replay(
            call.entry.encode(), call.sig, self.registry, public_key=self.signer.public_key
        )
        return verdict_answer(verdict, language)

    async def _item(
        self, item: BatchItem, language: str, key: str | None, shown: Shown
    ) -> dict[str, Any]:
        try:
            rule = self.rule(item.system, item.resolver)
            body = to_json(item.model_extra)
            return {"status": 200, "answer": await self.resolve(rule, body, language, key, shown)}
        except Problem as problem:
            return {"status": problem.status, "problem": problem.document(language)}

    async def _off_loop(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise Problem(503, "odds-busy", headers={"Retry-After": "2"})
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def _answer_again(self, signed: Signed, language: str) -> dict[str, Any]:
        """Build the answer of a stored entry; must agree with what ``resolve`` answered."""
        again = replay(signed.entry, None, self.registry)
        entry = again.data or orjson.loads(signed.entry)
        seed = bytes.fromhex(entry["seed"]) if "seed" in entry else None
        receipt = Receipt(signed, entry["key"], entry["entropy"], seed)
        words = {"actor": entry.get("actor"), "note": entry.get("note")}
        return logged_answer(again, entry, receipt, words, language)


def validated(validator: Validator, body: bytes, *, parsed: bool = False) -> Any:
    """Return the model that ``body`` holds, or a 400 or 422 that names every fault."""
    value = None if parsed else strict_json(body)
    try:
        return validator.validate_json(body)
    except ValidationError as error:
        raise invalid(error, orjson.loads(body) if parsed else value) from None


_BATCH: Final = TypeAdapter(BatchCall).validator
_CHAT: Final = TypeAdapter(ChatCall).validator
_VERIFY: Final = TypeAdapter(VerifyCall).validator
