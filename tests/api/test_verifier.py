"""The page at /verify: served whole, and run in a real browser, with WebCrypto and without."""

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import uvicorn
from starlette.testclient import TestClient

from arbitre.api.problems import LABELS
from arbitre.api.verifier import TABLES
from arbitre.app import create_app
from arbitre.audit.ledger import Fault
from arbitre.audit.replay import Reason
from arbitre.registry import Registry
from arbitre.rules.labels import LANGUAGES
from arbitre.settings import Settings
from browser import LAN, Page, chromium
from golden.forge import FOLDER
from golden.table import LOG
from ledgers import KEY
from redis_server import free_port

VECTORS = Path(__file__).parents[1] / "vectors"
MANIFEST = orjson.loads((FOLDER / "manifest.json").read_bytes())
FILES = ("page.mjs", "style.css", "verify.mjs", "words.mjs")


def test_the_page_allows_nothing_but_its_own_files(client: TestClient) -> None:
    answer = client.get("/verify")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "connect-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", answer.text)
    named = set(re.findall(r'(?:src|href)="([^"]+)"', answer.text))
    assert named == {"data:,", "verify/style.css", "verify/page.mjs"}


@pytest.mark.parametrize("name", FILES)
def test_each_file_of_the_page_is_served(client: TestClient, name: str) -> None:
    answer = client.get(f"/verify/{name}")
    assert answer.status_code == 200
    kind = "text/css" if name.endswith("css") else "text/javascript"
    assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert not re.search(r"https?://", answer.text)


def test_no_other_file_is_served(client: TestClient) -> None:
    for name in ("__init__.py", "index.html", "..%2Fapp.py"):
        assert client.get(f"/verify/{name}").status_code == 404


def test_every_fault_and_reason_has_words() -> None:
    for language in LANGUAGES:
        labels = LABELS[language]
        assert set(labels.table("log-faults")) == {fault.value for fault in Fault}
        assert {reason.value for reason in Reason} <= set(labels.table("reasons"))


def test_every_word_of_the_page_exists_and_is_used() -> None:
    folder = Path(__file__).parents[2] / "service" / "arbitre" / "api" / "verifier"
    text = "".join((folder / name).read_text("utf-8") for name in ("index.html", "page.mjs"))
    said = set(re.findall(r"""data-say="([\w-]+)"|say\('([\w-]+)'|complain\('([\w-]+)'""", text))
    keys = {name for found in said for name in found if name}
    own = set(LABELS["en"].table("verifier"))
    assert {key for key in own if not key.startswith("signatures-")} <= keys
    assert keys <= own | set(LABELS["en"].table("log-verdicts"))
    assert "verifier" in TABLES


# In a browser


@pytest.fixture(scope="module")
def port(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    number = free_port()
    app = create_app(Settings(data=tmp_path_factory.mktemp("served")), registry)
    config = uvicorn.Config(app, port=number, ws="none", log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield number
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


HOSTS = {"localhost": "checked", LAN: "insecure"}


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest, browser: Page, port: int) -> str:
    name = str(request.param)
    browser.asked.clear()
    browser.complaints.clear()
    browser.open(f"http://{name}:{port}/verify")
    return name


PASTE = """async (log, receipts, key) => {
  for (const [id, text] of Object.entries({ log, receipts, key })) {
    const field = document.getElementById(id)
    field.value = text
    field.dispatchEvent(new Event('input'))
  }
}"""
CHECK = """async () => {
  const result = document.getElementById('result')
  delete result.dataset.verdict
  document.getElementById('check').click()
  while (!result.dataset.verdict) await new Promise((next) => setTimeout(next, 5))
  return result.dataset.verdict
}"""
SEEN = "async (id) => document.getElementById(id).innerText"

UNSIGNED = {
    "edited": "state 1",
    "moved-to-another-table": "valid",
    "signed-by-another-key": "valid",
    "started-anew-under-another-key": "fork 1",
    "false-receipt": "fork 3",
    "false-receipt-beyond-the-end": "truncated 6",
}
"""What else, or nothing, is seen where signatures cannot be checked."""


def expected(row: dict[str, Any], host: str) -> str:
    name = str(row["log"]).removesuffix(".jsonl")
    if name == "empty" and "receipts" not in row:
        return "nothing"  # there is nothing to check
    if host == LAN and name in UNSIGNED:
        return UNSIGNED[name]
    return "valid" if row["fault"] is None or row.get("rules") else f"{row['fault']} {row['entry']}"


def test_the_golden_log_holds_in_the_browser(browser: Page, host: str) -> None:
    text = LOG.read_text("utf-8")
    browser.run(PASTE, text, text, KEY)
    assert browser.run(CHECK) == "valid"
    shown = browser.run(SEEN, "result")
    labels = LABELS[browser.run("async () => document.documentElement.lang")]
    for name, count in {"own": 2, "pool": 4, "server-only": 2, "hand": 2, "verified": 6}.items():
        assert f"{labels.raw('log-counts', name)}\n{count}" in shown
    assert labels.raw("verifier", f"signatures-{HOSTS[host]}") in shown
    assert labels.raw("verifier", "rules-not-run") in shown
    title = "aside" if host == LAN else "valid"
    assert shown.startswith(labels.raw("log-verdicts", title))
    assert labels.say("log-verdicts", "kept", {"count": 21}) in shown
    assert KEY in shown


def test_every_forged_log_is_refused_in_the_browser(browser: Page, host: str) -> None:
    found = {}
    for row in MANIFEST:
        kept = (FOLDER / row["receipts"]).read_text("utf-8") if "receipts" in row else ""
        log = (FOLDER / row["log"]).read_text("utf-8")
        browser.run(PASTE, log, kept, row.get("key", ""))
        found[row["log"]] = browser.run(CHECK)
    assert found == {row["log"]: expected(row, host) for row in MANIFEST}


def test_a_log_is_picked_as_a_file_and_told_in_both_languages(browser: Page, host: str) -> None:
    browser.run(PASTE, "not read", "", "")
    name = "rewritten-against-a-receipt"
    browser.pick("#log-file", FOLDER / f"{name}.jsonl")
    browser.pick("#receipts-file", FOLDER / f"{name}.receipts.jsonl")
    assert browser.run(CHECK) == "fork 3"
    told = {}
    for _ in LANGUAGES:
        browser.run("async () => document.getElementById('language').click()")
        told[browser.run("async () => document.documentElement.lang")] = browser.run(SEEN, "result")
    assert set(told) == set(LANGUAGES)
    for language, text in told.items():
        labels = LABELS[language]
        why = labels.raw("log-faults", "fork")
        assert labels.raw("log-verdicts", "invalid") in text
        assert labels.say("log-verdicts", "entry", {"seq": 3, "why": why}) in text
        assert labels.raw("verifier", f"signatures-{HOSTS[host]}") in text


def test_what_is_typed_is_shown_and_never_run(browser: Page, host: str) -> None:
    entry = '{"who":"<img src=x onerror=alert(1)>\u202e"}'
    browser.run(PASTE, orjson.dumps({"entry": entry, "sig": ""}).decode(), "", "")
    assert browser.run(CHECK) == "fields 0"
    assert "<img src=x onerror=alert(1)>\\u{202e}" in browser.run(SEEN, "result")
    browser.run(PASTE, "", "", "xyz")
    assert browser.run(CHECK) == "bad-key"
    assert host in HOSTS


VECTORS_HOLD = """async (vectors, dice) => {
  const page = await import('/verify/verify.mjs')
  const { fromHex: bytes, toHex } = page
  const here = await page.means()
  const wrong = []
  const same = (found, row) => {
    if (JSON.stringify(found) !== JSON.stringify(row.out)) wrong.push(row)
  }
  for (const hashes of new Set([here.hashes, page.ownHashes])) {
    for (const row of vectors.sha256) same(toHex(await hashes.sha256(bytes(row.in))), row)
    for (const row of vectors.hmac) {
      same(toHex(await hashes.hmac(bytes(row.key), bytes(row.in))), row)
    }
    for (const row of vectors.mix) {
      same(toHex(await page.mix(hashes, bytes(row.pool), row.who, row.words)), row)
    }
    for (const { seed, table, epoch, seq, pool, draws } of dice) {
      const sides = draws.flatMap((draw) => draw.faces.map(() => draw.sides))
      const where = [bytes(seed), bytes(table), epoch, seq, bytes(pool)]
      const out = draws.flatMap((draw) => draw.faces)
      same(await page.faces(hashes, ...where, sides), { out })
    }
  }
  for (const { key, weak } of vectors.weak) same(page.weakKey(bytes(key)), { key, out: weak })
  return { wrong, own: here.hashes === page.ownHashes, why: here.why }
}"""


def test_the_vectors_hold_in_the_browser(browser: Page, host: str) -> None:
    vectors = orjson.loads((VECTORS / "tables.json").read_bytes())
    rows = orjson.loads((VECTORS / "dice.json").read_bytes())
    dice = [row for row in rows if row["seq"] < 2**53]
    found = browser.run(VECTORS_HOLD, vectors, dice)
    plain = host == LAN
    assert found == {"wrong": [], "own": plain, "why": "insecure" if plain else None}


def test_nothing_is_asked_of_the_network_once_loaded(browser: Page, host: str, port: int) -> None:
    address = f"http://{host}:{port}/verify"
    loaded = {address, *(f"{address}/{name}" for name in FILES)}
    browser.run(PASTE, LOG.read_text("utf-8"), "", "")
    assert browser.run(CHECK) == "valid"
    assert set(browser.asked) <= {*loaded, f"http://{host}:{port}/favicon.ico"}
    assert len(browser.asked) == len(set(browser.asked))
    assert browser.complaints == []
    tried = browser.run("async () => fetch('/healthz').then(() => 'asked', () => 'refused')")
    assert tried == "refused"
