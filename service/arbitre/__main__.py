"""``arbitre``: serve, roll, odds, verify, export, restore, systems, derive, health."""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson
from pydantic_core import PydanticSerializationError, to_json

from arbitre import __version__
from arbitre.api.desk import Desk
from arbitre.api.http import Shown
from arbitre.api.problems import LABELS, Problem
from arbitre.api.table_pages import exported
from arbitre.api.tables import TableDesk
from arbitre.audit import Signer
from arbitre.audit.ledger import (
    Failure,
    Fault,
    LedgerVerdict,
    is_table_log,
    read_lines,
    verify_ledger,
)
from arbitre.audit.master import MasterSecretError, load_master
from arbitre.audit.replay import Status, verify_lines
from arbitre.audit.tables import TableKeys
from arbitre.registry import load_registry
from arbitre.rules.labels import Labels
from arbitre.settings import Settings, SettingsError
from arbitre.store.backup import OtherHistoryError, log_of, put_back, rotate_all
from arbitre.store.interface import Log, StoreDownError
from arbitre.store.open import store_from

OPTIONS: Final = {
    "host": ("ARBITRE_HOST", "address to listen on (127.0.0.1)"),
    "port": ("ARBITRE_PORT", "port to listen on (8000)"),
    "data": ("ARBITRE_DATA", "folder of the log and the signing key (data)"),
    "workers": ("ARBITRE_WORKERS", "processes that share the port (1)"),
    "redis-url": ("ARBITRE_REDIS_URL", "keep rolls in this Redis instead of the data folder"),
    "redis-volatile": ("ARBITRE_REDIS_VOLATILE", "yes: accept a Redis that may lose rolls"),
    "master-key": ("ARBITRE_MASTER_KEY", "secret of 32 bytes or more, hexadecimal or base64"),
    "roll-ttl": ("ARBITRE_ROLL_TTL", "seconds that rolls are kept (30 days)"),
    "odds-threads": ("ARBITRE_ODDS_THREADS", "threads that work out odds (1)"),
}
"""Each option of ``serve``: its variable, and what it does."""

MOST_FAULTS: Final = 20
"""Most faults of a log that are told beside the first."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0, 1 for a refusal, 2 for a misuse."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except (SettingsError, MasterSecretError, StoreDownError, OSError) as wrong:
        print(f"arbitre: {wrong}", file=sys.stderr)  # noqa: T201
        return 2
    except Problem as problem:
        said = problem.document(given.language)
        print(f"{said['detail']} {said['fix']}", file=sys.stderr)  # noqa: T201
        for fault in said["faults"]:
            print(f"  {fault['pointer'] or '/'}: {fault['detail']}", file=sys.stderr)  # noqa: T201
        for name in ("word", "nearest"):
            if said.get(name):
                print(f"  {name}: {said[name]}", file=sys.stderr)  # noqa: T201
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="arbitre", description="A rules referee for tabletop games."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = _command(commands, "serve", _serve, "answer over HTTP")
    for name, (variable, purpose) in OPTIONS.items():
        serve.add_argument(f"--{name}", metavar="…", help=f"{purpose}; or {variable}")

    roll = _command(commands, "roll", _roll, "resolve one rule and log it")
    _call_arguments(roll)
    roll.add_argument("--dice", help="faces rolled by hand, as 3,3,5")
    roll.add_argument("--seed", help="any text: the same seed gives the same faces")
    roll.add_argument("--data", type=Path, help="folder of the log and the signing key")
    roll.add_argument("--actor", help="who attempts it")
    roll.add_argument("--table", help="roll at this table")
    roll.add_argument("--token", help="the table's token")
    roll.add_argument("--client", help="16 to 64 fresh characters, for a player's roll at a table")
    roll.add_argument("--secret", action="store_true", help="sealed for all but the game master")

    odds = _command(commands, "odds", _odds, "work out the exact odds of one rule")
    _call_arguments(odds)

    verify = _command(commands, "verify", _verify, "check a log, offline")
    verify.add_argument(
        "file",
        type=Path,
        help="the exported log of a table, other rolls, or an answer of the service",
    )
    verify.add_argument("--key", help="the public key that must have signed, hexadecimal")
    verify.add_argument(
        "--receipts", type=Path, help="entries of the table that players kept, in any order"
    )

    export = _command(commands, "export", _export, "write out the log of a table")
    export.add_argument("table", help="the id of the table")
    export.add_argument("--out", type=Path, help="the file to write (the standard output)")
    export.add_argument("--data", type=Path, help="folder of the log and the signing key")

    restore = _command(commands, "restore", _restore, "after a backup is put back, before serving")
    restore.description = (
        "Open a new epoch at every table, since seeds of the old one may be known by now; first "
        "put back the given logs. Run it after any backup was restored, before serving again."
    )
    restore.add_argument("files", type=Path, nargs="*", help="exported logs to put back")
    restore.add_argument("--data", type=Path, help="folder of the log and the signing key")

    _command(commands, "systems", _systems, "list the games and their rules")

    derive = _command(commands, "derive", _derive, "write openapi.yaml and schema/")
    derive.add_argument("folder", type=Path, nargs="?", default=Path(), help="where (here)")
    derive.add_argument("--check", action="store_true", help="write nothing; fail if they differ")

    health = _command(commands, "health", _health, "ask a running service whether it is ready")
    health.add_argument("--port", help="its port; or ARBITRE_PORT")
    return parser


def _command(commands: Any, name: str, run: Any, purpose: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=purpose, description=f"{purpose[:1].upper()}{purpose[1:]}."
    )
    parser.add_argument(
        "--lang", dest="language", choices=("fr", "en"), default="fr", help="language (fr)"
    )
    parser.set_defaults(run=run)
    return parser


def _call_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", help="the game, as in “arbitre systems”")
    parser.add_argument("resolver", help="the rule; for a roll also a line of notation, in quotes")
    parser.add_argument("fields", nargs="*", help="field=value, the value as in JSON")
    parser.add_argument("--json", action="store_true", help="print the whole answer")


def _serve(given: argparse.Namespace) -> int:
    import uvicorn  # noqa: PLC0415 - other commands start without a server

    for name, (variable, _purpose) in OPTIONS.items():
        value = getattr(given, name.replace("-", "_"))
        if value is not None:
            os.environ[variable] = value
    settings = Settings.from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    load_master(settings.master_key, settings.data)  # say at once what is wrong with it
    uvicorn.run(
        "arbitre.app:from_environment",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http="arbitre.api.wire:Protocol",
        access_log=False,
        log_level="info",
        server_header=False,
        date_header=False,
    )
    return 0


def _body(given: argparse.Namespace) -> dict[str, Any]:
    request: dict[str, Any] = {}
    for field in given.fields:
        name, equals, text = field.partition("=")
        if not equals or not name:
            _misused(f"{field!r}: write field=value")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        request[name] = value
    body: dict[str, Any] = {"request": request, **_said(given)}
    if getattr(given, "dice", None) is not None:
        faces = [face for face in given.dice.replace(",", " ").split() if face]
        if not all(face.isascii() and face.isdigit() and len(face) < 8 for face in faces):  # noqa: PLR2004
            _misused("--dice: whole numbers, as 3,3,5")
        body["dice"] = [int(face) for face in faces]
    return body


def _line(given: argparse.Namespace) -> dict[str, Any]:
    """Take the arguments after the game as one line of its notation."""
    if given.dice is not None:
        _misused("--dice: write the faces in the line, as the game's notation does")
    return {"line": " ".join([given.resolver, *given.fields]), **_said(given)}


def _sent(body: dict[str, Any]) -> bytes:
    try:
        return to_json(body)
    except PydanticSerializationError:
        _misused("write the arguments in UTF-8")


def _said(given: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a roll that were given; ``odds`` has none."""
    names = ("seed", "actor", "table", "client", "secret")
    return {name: value for name in names if (value := getattr(given, name, None))}


def _misused(message: str) -> NoReturn:
    print(f"arbitre: {message}", file=sys.stderr)  # noqa: T201
    raise SystemExit(2)


def _roll(given: argparse.Namespace) -> int:
    async def once() -> dict[str, Any]:
        registry = load_registry()
        async with _store(given.data) as (store, keys):
            desk = Desk(registry, keys.signer, store, tables=TableDesk(registry, keys, store))
            shown = Shown(given.token or "")
            system = desk.system(given.system)
            if given.resolver not in system.by_id:
                return await desk.chat(system, _sent(_line(given)), given.language, shown=shown)
            rule = desk.rule(given.system, given.resolver)
            return await desk.resolve(rule, _sent(_body(given)), given.language, shown=shown)

    answer = asyncio.run(once())
    if given.json:
        print(orjson.dumps(answer, option=orjson.OPT_INDENT_2).decode())  # noqa: T201
    elif "odds" in answer:
        _print_odds(answer)
    else:
        _print_roll(answer)
    return 0


def _print_roll(answer: dict[str, Any]) -> None:
    for draw in answer["draws"]:
        faces = " ".join(map(str, draw["faces"]))
        print(f"{draw['tag']}: {faces} (d{draw['sides']})")  # noqa: T201
    for step in answer["steps"]:
        print(f"{step['rule']}: {step['text']}")  # noqa: T201
    print(answer["summary"])  # noqa: T201
    print(answer["id"])  # noqa: T201


def _odds(given: argparse.Namespace) -> int:
    async def once() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(load_registry(), Signer(bytes(32)), store_from(None, Path(folder)))
            rule = desk.rule(given.system, given.resolver)
            return await desk.odds(rule, _sent(_body(given)), given.language)

    answer = asyncio.run(once())
    if given.json:
        print(orjson.dumps(answer, option=orjson.OPT_INDENT_2).decode())  # noqa: T201
    else:
        _print_odds(answer)
    return 0


def _print_odds(answer: dict[str, Any]) -> None:
    for field in answer["odds"]:
        print(field["field"])  # noqa: T201
        for row in field["values"]:
            value = orjson.dumps(row["value"]).decode()
            print(f"  {value:>12}  {row['decimal']:8.4%}  {row['p']}")  # noqa: T201


def _verify(given: argparse.Namespace) -> int:
    words = LABELS[given.language]
    if given.key is not None and not re.fullmatch(r"[0-9a-f]{64}", given.key):
        _misused("--key: 64 hexadecimal digits, in lower case")
    text = _logged(given.file)
    if is_table_log(text):
        kept = [] if given.receipts is None else list(read_lines(_logged(given.receipts)))
        found = verify_ledger(read_lines(text), load_registry(), key=given.key, receipts=kept)
        _print_ledger(words, found, len(kept), given.key)
        return int(found.first is not None)
    if given.receipts is not None:
        _misused("--receipts: only for the log of a table")
    worst = 0
    for number, verdict in verify_lines(text.splitlines(), load_registry(), given.key):
        said = words.raw("verdicts", verdict.status.value)
        print(f"{number}: {said}")  # noqa: T201
        for check in verdict.checks:
            if check.ok is False and check.reason:
                name = words.raw("checks", check.name.value)
                print(f"   {name}: {words.raw('reasons', check.reason.value)} {check.values}")  # noqa: T201
        worst |= verdict.status is not Status.VALID
    return worst


def _logged(path: Path) -> bytes:
    """Return the lines of a file; a whole answer of the service is the line that it logged."""
    try:
        text = path.read_bytes()
    except OSError as wrong:
        _misused(f"{path}: {wrong.strerror}")
    try:
        log = orjson.loads(text)["log"]
        return orjson.dumps({"entry": log["entry"], "sig": log["sig"]})
    except (ValueError, KeyError, TypeError):
        return text


def _print_ledger(words: Labels, found: LedgerVerdict, kept: int, key: str | None) -> None:
    first = found.first
    print(words.raw("log-verdicts", "valid" if first is None else "invalid"))  # noqa: T201
    if first is not None:
        others = [failure for failure in found.failures if failure is not first]
        for failure in [first, *others[:MOST_FAULTS]]:
            print(_why(words, failure))  # noqa: T201
    if key is None:
        print(words.raw("log-verdicts", "taken"))  # noqa: T201
    receipts = "kept" if kept else "no-receipts"
    print(words.say("log-verdicts", receipts, {"count": kept}))  # noqa: T201
    facts = {"table": found.table, "key": found.key, "entries": found.entries, "head": found.head}
    facts |= {name: found.entropy[name] for name in ("own", "pool", "server-only", "hand")}
    for name in ("verified", "waiting", "secret", "foreign", "backwards"):
        facts[name] = getattr(found, name)
    for name, value in facts.items():
        said = {"name": words.raw("log-counts", name), "value": value}
        print("  " + words.say("log-verdicts", "fact", said))  # noqa: T201


def _why(words: Labels, failure: Failure) -> str:
    """Say why an entry does not hold; what the log itself says is spelled out harmlessly."""
    why = words.say("log-faults", failure.fault.value, failure.values)
    values = dict(failure.values)
    reason = values.pop("reason", None)
    if reason is not None:
        why += f" ({words.raw('reasons', reason.value)})"
    if failure.fault in {Fault.FIELDS, Fault.RULE}:
        why += f" {values}"
    return words.say("log-verdicts", "entry", {"seq": failure.seq, "why": why})


@asynccontextmanager
async def _store(data: Path | None) -> AsyncIterator[tuple[Log, TableKeys]]:
    """Give the store that the environment names, and the keys of its tables."""
    settings = Settings.from_environment()
    data = data or settings.data
    data.mkdir(parents=True, exist_ok=True)
    store = store_from(
        settings.redis_url, data, settings.roll_ttl, allow_volatile=settings.redis_volatile
    )
    keys = TableKeys(load_master(settings.master_key, data))
    try:
        await store.open()
        yield store, keys
    finally:
        await store.close()


def _export(given: argparse.Namespace) -> int:
    async def once() -> bytes:
        if not re.fullmatch("[0-9a-f]{32}", given.table):
            raise Problem(404, "no-table")
        async with _store(given.data) as (store, _keys):
            lines = [exported(line) async for line in log_of(store, bytes.fromhex(given.table))]
        if not lines:
            raise Problem(404, "no-table")
        return b"".join(lines)

    text = asyncio.run(once())
    if given.out is None:
        sys.stdout.buffer.write(text)
    else:
        given.out.write_bytes(text)
    return 0


def _restore(given: argparse.Namespace) -> int:
    words = LABELS[given.language]
    logs = {path: list(read_lines(_logged(path))) for path in given.files}

    async def once() -> int:
        async with _store(given.data) as (store, keys):
            for path, lines in logs.items():
                found = verify_ledger(lines, load_registry(), key=keys.signer.public_key)
                wrong = [each for each in found.failures if each.fault is not Fault.RULE]
                if wrong:
                    print(f"{path}: {_why(words, found.first or wrong[0])}", file=sys.stderr)  # noqa: T201
                    return 1
            for path, lines in logs.items():
                try:
                    count = await put_back(store, [line for line in lines if line is not None])
                except OtherHistoryError:
                    said = words.raw("log-verdicts", "other-history")
                    print(f"{path}: {said}", file=sys.stderr)  # noqa: T201
                    return 1
                print(f"{path}: {words.say('log-verdicts', 'put-back', {'count': count})}")  # noqa: T201
            restored = await rotate_all(store, keys, lambda: time.time_ns() // 1_000_000)
            await asyncio.sleep(store.settle)
        print(  # noqa: T201
            words.say(
                "log-verdicts",
                "restored",
                {"rotated": restored.rotated, "closed": restored.closed},
            )
        )
        for table in restored.foreign:
            said = words.raw("log-verdicts", "other-master")
            print(f"{table.hex()}: {said}", file=sys.stderr)  # noqa: T201
        return int(bool(restored.foreign))

    return asyncio.run(once())


def _systems(given: argparse.Namespace) -> int:
    for system in load_registry().values():
        words = system.labels[given.language]
        print(f"{system.id}  {words.raw('system', 'name')}  {system.version}")  # noqa: T201
        for resolver in system.resolvers:
            print(f"  {resolver.id}: {words.raw('resolvers', resolver.id)}")  # noqa: T201
    return 0


def _derive(given: argparse.Namespace) -> int:
    from arbitre.derived import derived_files  # noqa: PLC0415 - slow, and only needed here

    differ = []
    for name, content in derived_files(load_registry()).items():
        path = given.folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        differ.append(name)
        if not given.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for name in differ:
        print(name)  # noqa: T201
    return int(given.check and bool(differ))


def _health(given: argparse.Namespace) -> int:
    import urllib.request  # noqa: PLC0415 - only needed here

    if given.port:
        os.environ["ARBITRE_PORT"] = given.port
    settings = Settings.from_environment()
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104
    host = f"[{host}]" if ":" in host else host
    try:
        urllib.request.urlopen(f"http://{host}:{settings.port}/readyz", timeout=5).close()
    except OSError as wrong:
        print(f"arbitre: {wrong}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
