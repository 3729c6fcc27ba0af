"""Measured in this process: resolvers, the desk, odds, and a long process beside icepool."""

import asyncio
import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from statistics import median
from typing import Any

import icepool
import orjson

from arbitre.api.desk import Desk, Rule
from arbitre.audit import Signer
from arbitre.dice import Budget, Count, Dice, Distribution, SeededFaces, enumerate_outcomes, unfold
from arbitre.odds import odds_of
from arbitre.registry import Registry
from arbitre.rules.examples import Example, load_examples
from arbitre.rules.play import play
from tests.benchmarks.apps import NoLog

ROUNDS = 30
START, CAUGHT, AWAY = 5, 0, 12
HUNTED, HUNTER = 6, 5


def examples(registry: Registry) -> list[tuple[Rule, Example]]:
    """Return the first two rules of each game, and the longest throw of their examples."""
    desk = Desk(registry, Signer(bytes(32)), NoLog())
    found = []
    for system in registry.values():
        thrown: dict[str, list[Example]] = {}
        for row in load_examples(system):
            if row.draws and not row.refused and system.by_id[row.resolver].odds:
                thrown.setdefault(row.resolver, []).append(row)
        for resolver in [one.id for one in system.resolvers if one.id in thrown][:2]:
            longest = max(thrown[resolver], key=lambda row: len(row.faces))
            found.append((desk.rule(system.id, resolver), longest))
    return found


def calls_per_second(rule: Rule, example: Example, seconds: float) -> float:
    """Resolve one request with fresh seeds, in this process."""
    request = rule.resolver.request.model_validate_json(orjson.dumps(example.request))
    seed = bytes(31)
    done, until = 0, time.perf_counter() + seconds
    began = time.perf_counter()
    while (now := time.perf_counter()) < until:
        play(rule.resolver, request, SeededFaces(seed + bytes([done % 256])))
        done += 1
    return done / (now - began)


def desk_per_second(registry: Registry, path: tuple[str, str], body: bytes, n: int) -> float:
    """Resolve, sign and put in words ``n`` times, without HTTP and without a log."""
    desk = Desk(registry, Signer(bytes(32)), NoLog())
    rule = desk.rule(*path)

    async def calls() -> float:
        began = time.perf_counter()
        for _ in range(n):
            orjson.dumps(await desk.resolve(rule, body, "fr"))
        return n / (time.perf_counter() - began)

    return asyncio.run(calls())


def odds_ms(rule: Rule, example: Example) -> float:
    """Work out the odds of an example, once, with nothing remembered."""
    request = rule.resolver.request.model_validate_json(orjson.dumps(example.request))
    return _ms(lambda: odds_of(rule.resolver, request))


def chase_ms(times: int) -> tuple[float, float]:
    """Unfold a chase of thirty rounds here and in icepool; they must agree exactly."""
    assert _ours() == _icepool()
    return median(_repeat(_ours, times)), median(_repeat(_icepool, times))


def _repeat(work: Callable[[], Any], times: int) -> Iterable[float]:
    return [_ms(work) for _ in range(times)]


def _ms(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _over(lead: int) -> str | None:
    if lead <= CAUGHT:
        return "caught"
    return "away" if lead >= AWAY else None


def _race(lead: int, dice: Dice) -> int:
    return (
        lead
        + dice.pool("hunted", count=HUNTED, sides=6, read=Count(5))
        - dice.pool("hunter", count=HUNTER, sides=6, read=Count(5))
    )


def _ours() -> list[dict[str, Fraction]]:
    @cache
    def leads() -> Distribution[int]:
        return enumerate_outcomes(lambda dice: _race(0, dice))

    def phase(lead: int) -> Distribution[int]:
        return Distribution({lead + by: n for by, n in leads().ways.items()}, leads().total)

    return list(unfold(START, ROUNDS, lambda _: [phase], _over, Budget()).rounds)


def _icepool() -> list[dict[str, Fraction]]:
    hit = icepool.d(6) >= 5
    gain: Any = HUNTED @ hit - HUNTER @ hit

    def step(lead: Any, by: int) -> Any:
        return lead if _over(lead) else lead + by

    state: Any = icepool.Die([START])
    seen: dict[str, Fraction] = {"caught": Fraction(0), "away": Fraction(0)}
    course = []
    for _ in range(ROUNDS):
        state = icepool.map(step, state, gain)
        now = {"caught": state.probability("<=", CAUGHT), "away": state.probability(">=", AWAY)}
        course.append({end: now[end] - seen[end] for end in now if now[end] != seen[end]})
        seen = now
    return course
