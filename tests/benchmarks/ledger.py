"""A table's whole log verified, beside its signatures alone."""

import time

import orjson

from arbitre.api.desk import Rule
from arbitre.audit import pairs, verify
from arbitre.audit.ledger import Receipt, verify_ledger
from arbitre.audit.tables import Kind, Lane, TableKeys, contributed, genesis, rotate, write
from arbitre.dice import SeededFaces
from arbitre.dice.seeded import place
from arbitre.registry import Registry
from arbitre.rules.examples import Example
from arbitre.rules.play import play

TABLE = bytes(16)
KEYS = TableKeys(bytes(32))


def table_log(rule: Rule, example: Example, entries: int) -> list[Receipt]:
    """Write a log of player's rolls in one epoch, which is revealed at the end."""
    request = rule.resolver.request.model_validate_json(orjson.dumps(example.request))
    told = {
        "ruleset": rule.system.ruleset,
        "resolver": rule.resolver.id,
        "req": request.model_dump(mode="json"),
        "who": "Ana",
        "role": "player",
        "lane": "open",
        "entropy": "own",
        "fp": bytes(32).hex(),
    }
    (line, state) = genesis(KEYS, TABLE, 0, "", {"name": ""})
    lines = [line]
    seed = KEYS.seed(TABLE, 0, state.salt, Lane.OPEN)
    while len(lines) < entries - 2:
        client = f"{len(lines):032x}"
        left = contributed(state, "Ana", client)
        played = play(
            rule.resolver, request, SeededFaces(seed, place(TABLE, 0, left.seq, left.pool))
        )
        rolled = {
            "client": client,
            "idem": f"{len(lines):064x}",
            "draws": pairs(played.draws),
            "outcome": played.outcome.model_dump(mode="json"),
        }
        line, state = write(KEYS, left, Kind.ROLL, 0, {**told, **rolled})
        lines.append(line)
    line, state = rotate(KEYS, state, 0, {})
    lines.append(line)
    body = {"epoch": 0, "lane": "open", "seed": seed.hex()}
    lines.append(write(KEYS, state, Kind.REVEAL, 0, body).line)
    return [Receipt(line.entry, line.sig) for line in lines]


def verified_seconds(lines: list[Receipt], registry: Registry) -> tuple[float, float]:
    """Return the processor time of a verification, and of its signatures alone."""
    began = time.process_time()
    verdict = verify_ledger(lines, registry)
    took = time.process_time() - began
    assert verdict.failures == []
    assert verdict.verified == len(lines) - 3
    key = KEYS.signer.public_key
    began = time.process_time()
    assert all(verify(entry, sig, key, TABLE, seq) for seq, (entry, sig) in enumerate(lines))
    return took, time.process_time() - began
