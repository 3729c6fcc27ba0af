"""``python -m tests.benchmarks``: what the service costs beside a bare application.

The servers share one core, the load (and Redis) has the other. Every row is measured in every
round, so that whatever else the machine does falls on all of them; ratios are taken within a
round, and medians over the rounds.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

import orjson
import uvloop

from arbitre.registry import load_registry
from tests.benchmarks import at_tables, inside, ledger
from tests.benchmarks.load import Measured, load, once, post
from tests.benchmarks.servers import LOADING, Server, Servers

CONNECTIONS = (1, 8, 32)
ITEMS = 1_000
ENTRIES = 10_000
CALL = ("kadath", "roll")
BODY = {"request": {"skill": 3, "unfavorable": 1}}
MUTATION = {
    "query": (
        "mutation Roll($request: KadathRollRequestInput!) { kadath { roll(request: $request) "
        "{ id outcome { successes success } draws { faces } summary log { entry sig } } } }"
    ),
    "variables": BODY,
}
BARE, NO_LOG, SQLITE, REDIS, GRAPHQL = "bare", "no log", "SQLite", "Redis", "GraphQL, SQLite"
AIMS = {NO_LOG: 0.25, SQLITE: 0.2, REDIS: 0.2, GRAPHQL: 0.05}

Target = tuple[Server, bytes]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each row is measured (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a measurement (1)")
    given = parser.parse_args()
    os.sched_setaffinity(0, LOADING)
    with tempfile.TemporaryDirectory() as folder, Servers(Path(folder)) as servers:
        uvloop.run(_doors(Path(folder), servers, given.rounds, given.seconds))
    _inside(given.rounds, given.seconds)
    with tempfile.TemporaryDirectory() as name:
        print("\nat tables, in process, rolls/s")
        for what, rate, ratio in at_tables.show(
            load_registry(), CALL, BODY, Path(name), given.rounds
        ):
            said = "" if ratio is None else f"   to outside {ratio:.2f}"
            print(f"  {what:36}{rate:12,.0f}{said}")


async def _doors(folder: Path, servers: Servers, rounds: int, seconds: float) -> None:
    roll = post(f"/v1/{CALL[0]}/{CALL[1]}", orjson.dumps(BODY))
    sqlite = servers.sqlite()
    sample = folder / "sample.json"
    sample.write_bytes(await once(sqlite, roll))
    targets = {
        BARE: (servers.bare(sample), roll),
        NO_LOG: (servers.no_log(), roll),
        SQLITE: (sqlite, roll),
        REDIS: (servers.redis(), roll),
        GRAPHQL: (sqlite, post("/graphql", orjson.dumps(MUTATION))),
    }
    said = orjson.loads(await once(*targets[GRAPHQL]))
    assert "errors" not in said, said
    item = {"system": CALL[0], "resolver": CALL[1], **BODY}
    batch = sqlite, post("/v1/batch", orjson.dumps({"items": [item] * ITEMS}))
    for target in targets.values():
        await load(*target, 8, seconds / 2)  # warm
    shown: dict[tuple[str, int], list[Measured]] = {}
    batches: list[Measured] = []
    for _ in range(rounds):
        for connections in CONNECTIONS:
            for name, target in targets.items():
                measured = await load(*target, connections, seconds)
                shown.setdefault((name, connections), []).append(measured)
        batches.append(await load(*batch, 1, seconds))
    print(f"an answer of {sample.stat().st_size} bytes, medians of {rounds} rounds\n")
    _print_rows(list(targets), shown)
    _print_aims(shown, batches)


def _print_rows(names: list[str], shown: dict[tuple[str, int], list[Measured]]) -> None:
    columns = ("p50 ms", "p99 ms", "CPU µs", "to bare")
    print(f"{'':16}{'connections':>12}{'requests/s':>12}{''.join(f'{c:>9}' for c in columns)}")
    for name in names:
        for connections in CONNECTIONS:
            rows, bare = shown[name, connections], shown[BARE, connections]
            ratio = median(row.rate / base.rate for row, base in zip(rows, bare, strict=True))
            print(
                f"{name:16}{connections:12}{_median(rows, lambda row: row.rate):12,.0f}"
                f"{_median(rows, lambda row: row.percentile(50)):9.2f}"
                f"{_median(rows, lambda row: row.percentile(99)):9.2f}"
                f"{_median(rows, lambda row: row.cost):9.1f}{ratio:9.3f}"
            )


def _print_aims(shown: dict[tuple[str, int], list[Measured]], batches: list[Measured]) -> None:
    print()
    for name, aim in AIMS.items():
        pairs = zip(shown[name, 32], shown[BARE, 32], strict=True)
        _print_aim(f"{name}, 32 connections", median(a.rate / b.rate for a, b in pairs), aim)
        pairs = zip(shown[name, 32], shown[BARE, 32], strict=True)
        _print_aim("  the same by processor time", median(b.cost / a.cost for a, b in pairs), aim)
    for name in (SQLITE, REDIS):
        pairs = zip(shown[name, 32], shown[NO_LOG, 32], strict=True)
        kept = median(a.rate / b.rate for a, b in pairs)
        _print_aim(f"{name} to no log, 32 connections", kept, 0.75)
    for name in (NO_LOG, SQLITE, REDIS):
        lone = median(
            row.percentile(50) / base.percentile(50)
            for row, base in zip(shown[name, 1], shown[BARE, 1], strict=True)
        )
        _print_aim(f"{name}, a lone request's p50 to bare", lone, 5, at_most=True)
    item = median(
        row.percentile(50) / ITEMS / lone.percentile(50)
        for row, lone in zip(batches, shown[SQLITE, 1], strict=True)
    )
    took = _median(batches, lambda row: row.percentile(50))
    print(f"batch of {ITEMS:,}, SQLite: {took:.0f} ms, {ITEMS * 1000 / took:,.0f} items/s")
    _print_aim("an item of a batch to a lone roll", item, 1 / 3, at_most=True)


def _print_aim(what: str, reached: float, aim: float, *, at_most: bool = False) -> None:
    met = reached <= aim if at_most else reached >= aim
    sign = "≤" if at_most else "≥"
    print(f"{what:48}{reached:7.3f}   aim {sign} {aim:.2f}   {'reached' if met else 'MISSED'}")


def _median(rows: Iterable[Measured], of: Callable[[Measured], float]) -> float:
    return median(of(row) for row in rows)


def _inside(rounds: int, seconds: float) -> None:
    registry = load_registry()
    rows = inside.examples(registry)
    print("\nin process, calls/s")
    for rule, example in rows:
        rates = [inside.calls_per_second(rule, example, seconds / 5) for _ in range(rounds)]
        print(f"  {rule.system.id + ' ' + example.resolver:36}{median(rates):12,.0f}")
    body = orjson.dumps(BODY)
    rates = [inside.desk_per_second(registry, CALL, body, 2_000) for _ in range(rounds)]
    print(f"  {'resolved, signed, in words':36}{median(rates):12,.0f}")
    print("\nodds, ms")
    for rule, example in rows[:9]:
        took = median(inside.odds_ms(rule, example) for _ in range(rounds))
        print(f"  {rule.system.id + ' ' + str(example):36}{took:12.2f}")
    ours, icepool = inside.chase_ms(rounds)
    chase = f"a chase of {inside.ROUNDS} rounds"
    print(f"  {chase:36}{ours:12.2f}   icepool {icepool:.2f}")
    _print_aim("the chase, icepool's time to ours", icepool / ours, 10)
    lines = ledger.table_log(*rows[0], ENTRIES)
    both = [ledger.verified_seconds(lines, registry) for _ in range(rounds)]
    took, signatures = (median(column) for column in zip(*both, strict=True))
    log = f"a table's log of {ENTRIES:,} entries, s"
    print(f"\n{log:38}{took:12.2f}   its signatures alone {signatures:.2f}")


if __name__ == "__main__":
    main()
