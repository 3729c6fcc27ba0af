"""``arbitre verify``, ``export`` and ``restore``, on the logs of tables."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest

from arbitre.__main__ import main
from arbitre.api.problems import LABELS
from arbitre.audit import entry_hash
from arbitre.audit.ledger import Fault, read_lines, verify_ledger
from arbitre.audit.tables import Lane, Line, Role, TableKeys
from arbitre.rules.labels import LANGUAGES
from arbitre.store.backup import OtherHistoryError, log_of, put_back, rotate_all
from arbitre.store.interface import Log as Store
from arbitre.store.interface import TableMovedError, TablePut
from arbitre.store.open import store_from
from entries import REGISTRY, TS
from golden.forge import FOLDER
from golden.rolls import LOG as ROLLS
from golden.table import LOG, golden_log
from ledgers import ANA, BEN, KEY, KEYS, MASTER, TABLE, Log, fixed_chance, receipts, written

MANIFEST = orjson.loads((FOLDER / "manifest.json").read_bytes())
Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("ARBITRE_MASTER_KEY", MASTER.hex())
    monkeypatch.setenv("ARBITRE_DATA", str(tmp_path))
    monkeypatch.delenv("ARBITRE_REDIS_URL", raising=False)
    return tmp_path


# verify


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_golden_log_is_said_to_hold(language: str, capsys: Printed) -> None:
    kept = ["--receipts", str(LOG), "--key", KEY]
    assert main(["verify", str(LOG), *kept, "--lang", language]) == 0
    said = capsys.readouterr().out
    words = LABELS[language]
    assert said.startswith(words.raw("log-verdicts", "valid"))
    assert words.say("log-verdicts", "kept", {"count": 21}) in said
    assert words.raw("log-verdicts", "taken") not in said
    counts = {"own": 2, "pool": 4, "server-only": 2, "hand": 2, "verified": 6, "waiting": 1}
    for name, value in {**counts, "secret": 1, "foreign": 9, "backwards": 0, "key": KEY}.items():
        fact = {"name": words.raw("log-counts", name), "value": value}
        assert words.say("log-verdicts", "fact", fact) in said


SEEN = [row for row in MANIFEST if not row.get("rules") and row["log"] != "no-object.jsonl"]
"""The rules of these logs are of a game that is not installed; "[]" names no table."""


@pytest.mark.parametrize("row", SEEN, ids=lambda row: str(row["log"]).removesuffix(".jsonl"))
def test_the_first_bad_entry_is_named_with_its_reason(row: dict[str, str], capsys: Printed) -> None:
    more = ["--receipts", str(FOLDER / row["receipts"])] if "receipts" in row else []
    more += ["--key", row["key"]] if "key" in row else []
    status = main(["verify", str(FOLDER / row["log"]), *more, "--lang", "en"])
    verdict, named, *_ = capsys.readouterr().out.splitlines()
    if row["fault"] is None:
        assert (status, verdict) == (0, "The log holds.")
        return
    assert (status, verdict) == (1, "The log does not hold.")
    assert named.startswith(f"Entry {row['entry']}: ")
    reason = LABELS["en"].raw("log-faults", row["fault"]).split("{")[0]
    assert reason in named


def test_faults_beside_the_first_are_told_as_well(tmp_path: Path, capsys: Printed) -> None:
    log = Log()
    log.genesis()
    log.roll(ANA, role=Role.GM)
    log.roll(role=Role.PLAYER)
    path = tmp_path / "log.jsonl"
    path.write_text(written(log.receipts), encoding="utf-8")
    assert main(["verify", str(path), "--lang", "en", "--key", "00" * 32]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said[1:4]] == ["Entry 0", "Entry 1", "Entry 2"]


def test_nothing_in_a_log_reaches_the_terminal_raw(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "log.jsonl"
    log = Log()
    log.genesis()
    log.forge(**{"\x1b[2J\u202e": 1})
    path.write_text(written(log.receipts), encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "x1b[2J" in said


def test_a_whole_answer_is_a_receipt(tmp_path: Path, capsys: Printed) -> None:
    line = golden_log().receipts[2]
    path = tmp_path / "answer.json"
    log = {"entry": line.entry.decode(), "sig": line.sig}
    path.write_bytes(orjson.dumps({"log": log, "id": "x"}, option=orjson.OPT_INDENT_2))
    assert main(["verify", str(LOG), "--receipts", str(path), "--lang", "en"]) == 0
    assert "Receipts compared: 1." in capsys.readouterr().out
    assert main(["verify", str(path)]) == 1
    assert LABELS["fr"].raw("log-faults", "no-genesis") in capsys.readouterr().out


def test_rolls_outside_tables_are_still_told_one_by_one(capsys: Printed) -> None:
    assert main(["verify", str(ROLLS), "--lang", "en"]) == 1
    said = capsys.readouterr().out
    assert f"6: {LABELS['en'].raw('verdicts', 'valid')}" in said
    assert LABELS["en"].raw("reasons", "system-unknown") in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: "),
        ([str(LOG), "--receipts", "nowhere.jsonl"], "nowhere.jsonl: "),
        ([str(LOG), "--key", KEY.upper()], "--key: "),
        ([str(LOG), "--key", "00"], "--key: "),
        ([str(ROLLS), "--receipts", str(ROLLS)], "--receipts: "),
    ],
)
def test_a_misuse_is_no_verdict(arguments: list[str], complaint: str, capsys: Printed) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["verify", *arguments])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith(f"arbitre: {complaint}")


# export, restore


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Store]:
    store = store_from(None, folder)
    await store.open()
    yield store
    await store.close()


def kept(folder: Path, table: bytes = TABLE) -> list[Line]:
    async def read() -> list[Line]:
        async with opened(folder) as store:
            return [line async for line in log_of(store, table)]

    return asyncio.run(read())


def running() -> Log:
    """A log whose first epoch is over, and the second still open."""
    log = Log()
    with fixed_chance():
        log.genesis()
        log.roll(ANA)
        log.roll(secret=True)
        log.rotate()
        log.roll(BEN, who="Ben")
    return log


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    path = tmp_path / "backup.jsonl"
    path.write_text(written(running().receipts), encoding="utf-8")
    return path


def test_a_log_put_back_goes_on_in_a_new_epoch(
    backup: Path, environment: Path, capsys: Printed
) -> None:
    assert main(["restore", str(backup), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert f"{backup}: 5 entries were put back" in said
    assert "A new epoch is open at 1 table; 0 tables are closed." in said
    lines = kept(environment)
    before = running().receipts
    assert receipts(lines)[:5] == before
    assert len(lines) == 6
    verdict = verify_ledger(receipts(lines), REGISTRY, key=KEY, receipts=before)
    assert verdict.failures == []
    last = orjson.loads(lines[-1].entry)
    assert (last["type"], last["st"]["epoch"], last["st"]["n"]) == ("rotate", 2, 0)


def test_whoever_knew_the_old_seed_knows_no_face_to_come(backup: Path, environment: Path) -> None:
    assert main(["restore", str(backup)]) == 0
    states = {bytes.fromhex(orjson.loads(line.entry)["st"]["salt"]) for line in kept(environment)}
    seeds = {KEYS.seed(TABLE, epoch, salt, Lane.OPEN) for epoch in range(3) for salt in states}
    assert len(states) == 3
    assert len(seeds) == 9


def test_an_export_is_the_exact_log(
    backup: Path, environment: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    main(["restore", str(backup)])
    capsysbinary.readouterr()
    assert main(["export", TABLE.hex()]) == 0
    text = capsysbinary.readouterr().out
    assert text.decode() == written(receipts(kept(environment)))
    assert text.startswith(backup.read_bytes())
    path = tmp_path / "out.jsonl"
    assert main(["export", TABLE.hex(), "--out", str(path), "--data", str(environment)]) == 0
    assert path.read_bytes() == text
    assert main(["verify", str(path), "--receipts", str(backup)]) == 0


@pytest.mark.parametrize("table", [bytes(16).hex(), "x", TABLE.hex().upper()])
def test_a_table_that_is_not_there_is_not_exported(table: str, capsys: Printed) -> None:
    assert main(["export", table, "--lang", "en"]) == 1
    assert LABELS["en"].raw("refusals", "no-table") in capsys.readouterr().err


def test_restoring_twice_puts_nothing_back_twice(
    backup: Path, environment: Path, capsys: Printed
) -> None:
    main(["restore", str(backup)])
    assert main(["restore", str(backup), "--lang", "en", "--data", str(environment)]) == 0
    assert "0 entries were put back" in capsys.readouterr().out
    lines = kept(environment)
    assert [orjson.loads(line.entry)["type"] for line in lines[5:]] == ["rotate", "rotate"]
    assert verify_ledger(receipts(lines), REGISTRY, key=KEY).failures == []


def test_an_interrupted_restore_is_finished_by_the_next(backup: Path, environment: Path) -> None:
    async def half() -> None:
        async with opened(environment) as store:
            assert await put_back(store, running().receipts[:2]) == 2

    asyncio.run(half())
    assert main(["restore", str(backup)]) == 0
    assert receipts(kept(environment))[:5] == running().receipts


def test_another_history_is_not_written_over(backup: Path, capsys: Printed) -> None:
    main(["restore", str(backup)])
    capsys.readouterr()
    other = Log()
    other.genesis()
    backup.write_text(written(other.receipts), encoding="utf-8")
    assert main(["restore", str(backup), "--lang", "en"]) == 1
    assert "already holds another log" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["edited", "other-faces", "not-a-line", "empty", "deleted"])
def test_a_log_that_does_not_hold_is_not_put_back(
    name: str, environment: Path, capsys: Printed
) -> None:
    path = FOLDER / f"{name}.jsonl"
    assert main(["restore", str(path), "--lang", "en"]) == 1
    assert f"{path}: Entry " in capsys.readouterr().err
    assert kept(environment) == []


def test_a_log_of_another_master_is_not_put_back(environment: Path, capsys: Printed) -> None:
    path = FOLDER / "another-key-than-pinned.jsonl"
    assert main(["restore", str(path), "--lang", "en"]) == 1
    assert LABELS["en"].raw("log-faults", "other-key") in capsys.readouterr().err
    assert kept(environment) == []


def test_rules_of_today_do_not_keep_an_old_log_out(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arbitre.__main__.load_registry", lambda: REGISTRY)
    path = FOLDER / "other-outcome.jsonl"
    found = verify_ledger(read_lines(path.read_bytes()), REGISTRY)
    assert [failure.fault for failure in found.failures] == [Fault.RULE]
    assert main(["restore", str(path)]) == 0
    assert len(kept(environment)) == 7
    assert tmp_path == environment


def test_closed_tables_stay_closed_and_those_of_another_master_are_named(
    environment: Path, capsys: Printed
) -> None:
    closed, other = Log(table=bytes(16)), Log(TableKeys(bytes(32)), b"\xff" * 16)
    closed.genesis()
    closed.close()
    other.genesis()

    async def fill() -> None:
        async with opened(environment) as store:
            for log in (closed, running(), other):
                await put_back(store, log.receipts)

    asyncio.run(fill())
    assert main(["restore", "--lang", "en"]) == 1
    printed = capsys.readouterr()
    assert "A new epoch is open at 1 table; 1 table is closed." in printed.out
    assert printed.err.startswith("ff" * 16)
    assert [len(kept(environment, log.table)) for log in (closed, running(), other)] == [2, 6, 1]


async def test_somebody_who_already_rolls_is_waited_for(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(environment) as store:
        log = running()
        await put_back(store, log.receipts)
        append, late = store.append, []

        async def slower(item: TablePut) -> object:
            if not late:
                log.seed("Ana", ANA)
                late.append(await put_back_with(append, log))
                with pytest.raises(TableMovedError):
                    await append(item)
                raise TableMovedError
            return await append(item)

        monkeypatch.setattr(store, "append", slower)
        restored = await rotate_all(store, KEYS, lambda: TS)
        lines = [line async for line in log_of(store, TABLE)]
    assert (restored.rotated, restored.closed, restored.foreign) == (1, 0, [])
    assert [orjson.loads(line.entry)["type"] for line in lines[4:]] == ["roll", "seed", "rotate"]
    assert verify_ledger(receipts(lines), REGISTRY, key=KEY).failures == []


async def put_back_with(append: object, log: Log) -> None:
    line = log.lines[-1]
    data = orjson.loads(line.entry)
    item = TablePut(
        TABLE,
        line.seq,
        bytes.fromhex(data["prev"]),
        entry_hash(line.entry),
        line.entry,
        line.sig,
        bytes.fromhex(data["idem"]),
        bytes.fromhex(data["fp"]),
    )
    assert callable(append)
    await append(item)


async def test_a_longer_log_in_the_store_is_kept(environment: Path) -> None:
    async with opened(environment) as store:
        log = running()
        await put_back(store, log.receipts)
        assert await put_back(store, log.receipts[:3]) == 0
        log.seed("Ana", ANA)
        log.forge(who="Zoé")
        other = [*log.receipts[:4], log.receipts[5]]
        with pytest.raises(OtherHistoryError):
            await put_back(store, other)
