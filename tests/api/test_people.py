"""What people open: the landing page, /docs and /graphql, in a real browser without internet."""

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import orjson
import pytest
import uvicorn
from starlette.testclient import TestClient

from arbitre.api.calls import stem
from arbitre.api.graphql.ide import load_ide, pinned_ide
from arbitre.api.landing import shown_examples
from arbitre.api.problems import LABELS
from arbitre.app import create_app
from arbitre.registry import Registry
from arbitre.rules.labels import LANGUAGES
from arbitre.settings import Settings
from browser import Page, chromium
from redis_server import free_port

BUILD = Path(__file__).parents[2] / "deploy" / "playground" / "build"
PAGES = ("/", "/docs", "/graphql", "/verify")
NPM = shutil.which("npm")
HTML = {"Accept": "text/html"}


@pytest.mark.parametrize("path", PAGES)
def test_every_page_says_what_it_may_load(client: TestClient, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "no-referrer"
    policy = dict(
        part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in policy["script-src"]
    assert "*" not in " ".join(policy.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_landing_page_offers_one_request_of_each_game(
    client: TestClient, registry: Registry, language: str
) -> None:
    text = client.get("/", headers={"Accept-Language": language}).text
    assert text == client.get("/", params={"lang": language}).text
    assert f'<html lang="{language}">' in text
    assert text.count("<form") == len(registry)
    for system, example in shown_examples(registry):
        assert f'data-path="v1/{system.id}/{example.resolver}"' in text
        assert system.labels[language].raw("system", "name") in text
    for name in re.findall(r'(?:src|href)="(landing/.*?)"', text):
        assert client.get(f"/{name}").status_code == 200
    assert not re.search(r"https?:|<style|\son\w+=|\sstyle=", text)
    assert client.get("/landing/__init__.py").status_code == 404


def test_without_a_build_graphiql_comes_from_pinned_addresses(tmp_path: Path) -> None:
    assert load_ide(tmp_path) == pinned_ide()


# In a browser


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("playground")
    if NPM is None:
        return folder
    found = subprocess.run([BUILD, folder], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    return folder


@pytest.fixture(scope="module")
def address(
    registry: Registry, playground: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    settings = Settings(data=tmp_path_factory.mktemp("served"))
    app = create_app(settings, registry, ide=load_ide(playground))
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://localhost:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def browser(one_browser: Page, address: str) -> Iterator[Page]:
    """Nothing may be asked of another host, and nothing complained about."""
    one_browser.asked.clear()
    one_browser.complaints.clear()
    yield one_browser
    asked = [url for url in one_browser.asked if not url.startswith(("data:", "blob:"))]
    assert asked
    assert [url for url in asked if not url.startswith(address)] == []
    assert one_browser.complaints == []


READY = "[...document.querySelectorAll('form button')].every((each) => !each.disabled)"


def wait(page: Page, condition: str) -> None:
    """Wait until ``condition`` is true in the page."""
    found = page.run(
        f"""async () => {{
          for (const until = Date.now() + 40000; Date.now() < until;) {{
            if ({condition}) return true
            await new Promise((next) => setTimeout(next, 50))
          }}
          return document.body.innerText.slice(0, 2000)
        }}"""
    )
    assert found is True, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_game_rolls_from_the_landing_page(
    browser: Page, address: str, registry: Registry, language: str
) -> None:
    browser.open(f"{address}/?lang={language}")
    wait(browser, READY)
    browser.run("async () => document.querySelectorAll('form button').forEach((b) => b.click())")
    done = "[...document.querySelectorAll('form section')].every((each) => each.dataset.status)"
    wait(browser, done)
    told = browser.run(
        """async () => [...document.querySelectorAll('form')].map((form) => {
          const section = form.querySelector('section')
          return [
            form.querySelector('h2').innerText, section.dataset.status,
            section.querySelector('pre').textContent,
          ]
        })"""
    )
    for (system, example), (name, status, text) in zip(shown_examples(registry), told, strict=True):
        assert (name, status) == (system.labels[language].raw("system", "name"), "200"), text
        answer = orjson.loads(text)
        assert (answer["system"], answer["resolver"]) == (system.id, example.resolver)
        assert answer["summary"] in browser.run("async () => document.body.innerText")


def test_a_refusal_is_told_on_the_landing_page(browser: Page, address: str) -> None:
    browser.open(f"{address}/?lang=en")
    wait(browser, READY)
    browser.run(
        """async () => {
          const form = document.querySelector('form')
          form.querySelector('textarea').value = '{"request": {"<b>x</b>": 1}}'
          form.querySelector('button').click()
        }"""
    )
    wait(browser, "document.querySelector('form section').dataset.status === '422'")
    told = browser.run("async () => document.querySelector('form section').innerText")
    assert told.startswith(LABELS["en"].say("refusals", "invalid", {"faults": 1}))
    assert browser.complaints.pop().startswith("Failed to load resource")


def test_an_operation_runs_in_docs(browser: Page, address: str, registry: Registry) -> None:
    (system, example), *_ = shown_examples(registry)
    browser.open(f"{address}/docs#/{system.id}/{stem(system.by_id[example.resolver])}")
    wait(browser, "document.querySelector('.opblock.is-open .btn.execute')")
    browser.run("async () => document.querySelector('.opblock.is-open .btn.execute').click()")
    shown = "document.querySelector('.live-responses-table .response .response-col_status')"
    wait(browser, f"{shown} && {shown}.innerText.startsWith('200')")
    body = browser.run(
        "async () => document.querySelector('.live-responses-table .microlight').innerText"
    )
    answer = orjson.loads(body)
    assert (answer["system"], answer["resolver"]) == (system.id, example.resolver)


QUERY = """query { systems(language: FR) { id } }"""


def test_a_query_runs_in_graphiql(browser: Page, address: str, registry: Registry) -> None:
    browser.open(f"{address}/graphql#query={quote(QUERY)}")
    wait(browser, "document.querySelector('.graphiql-query-editor .view-line')?.innerText")
    assert "systems" in browser.run(
        "async () => document.querySelector('.graphiql-query-editor').innerText"
    )
    wait(browser, "!document.querySelector('.graphiql-execute-button').disabled")
    browser.run("async () => document.querySelector('.graphiql-execute-button').click()")
    lines = "document.querySelector('.graphiql-response .view-lines')?.innerText"
    wait(browser, f"{lines}?.includes('kadath')")
    told = browser.run(f"async () => {lines}").replace("\N{NO-BREAK SPACE}", " ")
    for system in registry.values():
        assert f'"id": "{system.id}"' in told


def test_only_files_of_the_build_are_served(playground: Path, registry: Registry) -> None:
    ide = load_ide(playground)
    assert "'self'" in ide.headers["Content-Security-Policy"]
    assert "https:" not in ide.headers["Content-Security-Policy"]
    with TestClient(create_app(Settings(data=playground / "data"), registry, ide=ide)) as client:
        for name in ide.files:
            answer = client.get(f"/graphql/assets/{name}")
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
        for name in ("x.js", "..%2Findex.html", "%2Fetc%2Fpasswd"):
            assert client.get(f"/graphql/assets/{name}").status_code == 404


if NPM is None:  # there is no build to open; the pinned page is checked above
    del test_a_query_runs_in_graphiql, test_only_files_of_the_build_are_served
