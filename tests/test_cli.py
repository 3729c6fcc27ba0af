"""``arbitre``, as somebody at a terminal meets it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest

import tiny_duel
from arbitre import __version__
from arbitre.__main__ import OPTIONS, main
from arbitre.registry import load_registry, registry_of
from arbitre.rules.labels import LANGUAGES
from arbitre.settings import Settings
from redis_server import RedisServer, free_port

Printed = pytest.CaptureFixture[str]
ROLL = ["roll", "kadath", "roll", "skill=3", "unfavorable=1"]
COMMANDS = ("serve", "roll", "odds", "verify", "systems", "derive", "health", "export", "restore")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, and no setting from outside."""
    for variable, _ in OPTIONS.values():
        monkeypatch.setenv(variable, "")
    monkeypatch.setenv("ARBITRE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as another process would."""
    return subprocess.run(
        [sys.executable, "-m", "arbitre", *arguments],
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def leaves(arguments: list[str], capsys: Printed) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    printed = capsys.readouterr()
    return int(left.value.code or 0), printed.out + printed.err


def test_the_version_is_printed(capsys: Printed) -> None:
    assert leaves(["--version"], capsys) == (0, f"{__version__}\n")


def test_the_help_names_every_command(capsys: Printed) -> None:
    status, printed = leaves(["--help"], capsys)
    assert status == 0
    for command in COMMANDS:
        assert re.search(rf"^ +{command} ", printed, re.MULTILINE), command


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: Printed) -> None:
    status, printed = leaves([command, "--help"], capsys)
    assert status == 0
    assert "--lang" in printed
    if command == "serve":
        assert all(f"--{name}" in printed and v in printed for name, (v, _) in OPTIONS.items())


@pytest.mark.parametrize(
    "arguments", [[], ["rol"], ["roll"], ["roll", "kadath"], [*ROLL, "--lang", "de"], ["verify"]]
)
def test_a_misuse_is_2_and_says_how(arguments: list[str], capsys: Printed) -> None:
    status, printed = leaves(arguments, capsys)
    assert status == 2
    assert "usage: arbitre" in printed


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["roll", "kadath", "roll", "skill"], "write field=value"),
        (["roll", "kadath", "roll", "=3"], "write field=value"),
        ([*ROLL, "--dice", "3,x"], "--dice: whole numbers, as 3,3,5"),
        ([*ROLL, "--dice", "-3"], "--dice: whole numbers, as 3,3,5"),
        ([*ROLL, "--dice", "3.5"], "--dice: whole numbers, as 3,3,5"),
        ([*ROLL, "--dice", "123456789"], "--dice: whole numbers, as 3,3,5"),
        (["roll", "kadath", "3", "--dice", "3"], "write the faces in the line"),
        ([*ROLL, "--seed", "\udce9"], "write the arguments in UTF-8"),
    ],
)
def test_an_argument_that_cannot_be_read_is_named(
    arguments: list[str], complaint: str, capsys: Printed
) -> None:
    status, printed = leaves(arguments, capsys)
    assert status == 2
    assert complaint in printed


def test_a_roll_prints_dice_steps_and_verdict(capsys: Printed) -> None:
    assert main([*ROLL, "--dice", "3, 3 5", "--lang", "en"]) == 0
    *steps, summary, id_ = capsys.readouterr().out.splitlines()
    assert steps[0] == "actor: 3 3 5 (d6)"
    assert "KA-01: The character tests a skill of 3." in steps
    assert summary == "Failure."
    assert re.fullmatch(r"[0-9a-f-]{36}", id_)


def test_the_same_seed_gives_the_same_faces(capsys: Printed) -> None:
    printed = []
    for _ in range(2):
        assert main([*ROLL, "--seed", "Kuranès", "--actor", "Ana"]) == 0
        printed.append(capsys.readouterr().out.splitlines()[:-1])
    assert printed[0] == printed[1]


def test_a_roll_is_kept_and_verified_without_a_server(
    data: Path, tmp_path: Path, capsys: Printed
) -> None:
    assert main([*ROLL, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (data / "rolls.sqlite3").is_file()
    kept = tmp_path / "roll.json"
    kept.write_text(json.dumps(answer), encoding="utf-8")
    for language, said in (("fr", "authentique"), ("en", "authentic")):
        assert main(["verify", str(kept), "--key", answer["log"]["key"], "--lang", language]) == 0
        assert said in capsys.readouterr().out
    answer["log"]["entry"] = answer["log"]["entry"].replace('"skill":3', '"skill":4')
    kept.write_text(json.dumps(answer), encoding="utf-8")
    assert main(["verify", str(kept)]) == 1
    assert "signature" in capsys.readouterr().out


def test_an_option_wins_over_the_environment(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert main([*ROLL, "--data", str(other)]) == 0
    assert (other / "rolls.sqlite3").is_file()
    assert not data.exists()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["roll", "go", "roll"], {"fr": "pas connu du service", "en": "does not know this game"}),
        (
            ["roll", "kadath", "roll", "skill=99"],
            {"fr": "/request/skill: au plus", "en": "/request/skill: at most"},
        ),
        (["roll", "kadath", "roll"], {"fr": "/request/skill:", "en": "/request/skill: required"}),
        (
            ["roll", "kadath", "roll", "skill=three"],
            {"fr": "/request/skill", "en": "a whole number"},
        ),
        (["roll", "kadath", "roll", "skill=NaN"], {"fr": "JSON", "en": "JSON"}),
        (["roll", "kadath", "roll", "skill=1e999"], {"fr": "JSON", "en": "JSON"}),
        (["roll", "kadath", "roll", f"skill={10**30}"], {"fr": "au plus", "en": "at most"}),
        ([*ROLL, "--dice", "3"], {"fr": "/dice: ", "en": "At least 2 dice must be given"}),
        ([*ROLL, "--dice", "3,3,5", "--seed", "s"], {"fr": "graine", "en": "dice or a seed"}),
        ([*ROLL, "--secret"], {"fr": "/secret: ", "en": "Only a roll at a table"}),
        (["roll", "kadath", "XYZZY"], {"fr": "/line: ", "en": "The line stops too early"}),
        (["odds", "kadath", "rol"], {"fr": "pas cette règle", "en": "no such rule"}),
        (["odds", "kadath", "equipment", "x=1"], {"fr": "", "en": ""}),
    ],
)
def test_a_refusal_is_1_and_says_what_to_do(
    arguments: list[str], said: dict[str, str], language: str, capsys: Printed
) -> None:
    assert main([*arguments, "--lang", language]) == 1
    printed = capsys.readouterr()
    assert said[language] in printed.err
    assert not printed.out


def test_a_line_of_notation_rolls_or_tells_odds(
    monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setattr("arbitre.__main__.load_registry", lambda: registry_of([tiny_duel.SYSTEM]))
    assert main(["roll", "tiny-duel", "3", "lame", "/", "2", "=", "5,1,1,6,6", "--lang", "en"]) == 0
    assert "fighter: 5 1 1 (d6)" in capsys.readouterr().out
    assert main(["roll", "tiny-duel", "/td? 3 lame / 2"]) == 0
    assert "winner" in capsys.readouterr().out


def test_odds_are_printed_as_fractions(data: Path, capsys: Printed) -> None:
    assert main(["odds", "kadath", "roll", "skill=3", "unfavorable=1"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^ +true +48\.1481% +13/27$", printed, re.MULTILINE)
    assert not data.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_games_and_rules_are_listed(language: str, capsys: Printed) -> None:
    assert main(["systems", "--lang", language]) == 0
    printed = capsys.readouterr().out
    for system in load_registry().values():
        title = system.labels[language].raw("system", "name")
        assert f"{system.id}  {title}  {system.version}" in printed
        for resolver in system.resolvers:
            said = system.labels[language].raw("resolvers", resolver.id)
            assert f"  {resolver.id}: {said}" in printed


def test_derived_files_are_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setattr("arbitre.__main__.load_registry", lambda: registry_of([tiny_duel.SYSTEM]))
    assert main(["derive", "--check", str(tmp_path)]) == 1
    differ = capsys.readouterr().out.splitlines()
    assert "openapi.yaml" in differ
    assert not list(tmp_path.iterdir())
    assert main(["derive", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == differ
    assert main(["derive", "--check", str(tmp_path)]) == 0
    assert main(["derive", str(tmp_path)]) == 0
    assert not capsys.readouterr().out
    (tmp_path / "openapi.yaml").write_text("x", encoding="utf-8")
    assert main(["derive", "--check", str(tmp_path)]) == 1
    assert capsys.readouterr().out == "openapi.yaml\n"


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"ARBITRE_ROLL_TTL": "x"}, "ARBITRE_ROLL_TTL must be a whole number"),
        ({"ARBITRE_MASTER_KEY": "short"}, "the master secret"),
        ({"ARBITRE_REDIS_URL": "redis://127.0.0.1:1/0"}, "arbitre: "),
        ({"ARBITRE_DATA": "/proc/nowhere"}, "/proc/nowhere"),
    ],
)
def test_a_setting_that_cannot_work_is_2_and_is_named(
    environment: dict[str, str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Printed,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(ROLL) == 2
    printed = capsys.readouterr()
    assert complaint in printed.err
    assert len(printed.err.splitlines()) == 1


def test_a_roll_may_be_kept_in_redis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    server = RedisServer(tmp_path, "--appendonly", "no", "--save", "")
    server.start()
    try:
        monkeypatch.setenv("ARBITRE_REDIS_URL", server.url)
        assert main(ROLL) == 2
        assert "append" in capsys.readouterr().err.lower()
        monkeypatch.setenv("ARBITRE_REDIS_VOLATILE", "yes")
        assert main(ROLL) == 0
    finally:
        server.stop()


class Answers(BaseHTTPRequestHandler):
    """A service that says of itself what ``status`` says."""

    status = 200

    def do_GET(self) -> None:
        assert self.path == "/readyz"
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(("status", "expected"), [(200, 0), (503, 1), (500, 1)])
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::1"])  # noqa: S104 - asked, not bound
def test_health_asks_the_service(
    status: int, expected: int, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Server(HTTPServer):
        address_family = socket.AF_INET6 if host == "::1" else socket.AF_INET

    monkeypatch.setattr(Answers, "status", status)
    monkeypatch.setenv("ARBITRE_HOST", host)
    with Server(("::1" if host == "::1" else "127.0.0.1", 0), Answers) as server:
        asked = threading.Thread(target=server.handle_request)
        asked.start()
        assert main(["health", "--port", str(server.server_port)]) == expected
        asked.join()


def test_health_of_nothing_is_1(monkeypatch: pytest.MonkeyPatch, capsys: Printed) -> None:
    monkeypatch.setenv("ARBITRE_PORT", str(free_port()))
    assert main(["health"]) == 1
    assert "arbitre: " in capsys.readouterr().err


def test_the_module_runs_as_a_command() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"{__version__}\n")
    done = run("roll", "kadath", "roll", "skill=99", "--lang", "en")
    assert done.returncode == 1
    assert "at most" in done.stderr


def test_serve_refuses_what_it_cannot_use_before_it_listens() -> None:
    for options, complaint in (
        (["--port", "x"], "ARBITRE_PORT must be a whole number from 0 to 65535."),
        (["--master-key", "short"], "the master secret"),
        (["--data", "/proc/nowhere"], "/proc/nowhere"),
    ):
        done = run("serve", *options)
        assert done.returncode == 2
        assert done.stderr.startswith("arbitre: ")
        assert complaint in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_serve_hands_its_options_to_every_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[dict[str, object]] = []
    monkeypatch.setattr("uvicorn.run", lambda app, **options: started.append({"": app, **options}))
    data = str(tmp_path / "new")
    assert main(["serve", "--port", "0", "--workers", "3", "--data", data, "--roll-ttl", "60"]) == 0
    (options,) = started
    assert options[""] == "arbitre.app:from_environment"
    assert (options["host"], options["port"], options["workers"]) == ("127.0.0.1", 0, 3)
    assert os.environ["ARBITRE_DATA"] == data
    assert Settings.from_environment().roll_ttl == 60
    assert (tmp_path / "new").is_dir()


def fetched(address: str) -> bytes:
    with urlopen(address, timeout=20) as answer:  # noqa: S310 - our own
        content: bytes = answer.read()
    return content


@pytest.mark.parametrize("workers", [1, 2])
def test_serve_answers_until_it_is_asked_to_stop(workers: int, tmp_path: Path, data: Path) -> None:
    port = free_port()
    folder = tmp_path / "served"
    options = ["--port", str(port), "--workers", str(workers), "--data", str(folder)]
    with subprocess.Popen(
        [sys.executable, "-m", "arbitre", "serve", *options], stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        try:
            said = b""
            while said.count(b"startup complete") < workers or b"running on" not in said:
                line = process.stderr.readline()
                assert line, "it ended"
                said += line
            address = f"http://127.0.0.1:{port}"
            assert fetched(f"{address}/readyz") == b'{"status":"ok"}'
            assert len({fetched(f"{address}/v1/key") for _ in range(8)}) == 1
            assert main(["health", "--port", str(port)]) == 0
        finally:
            process.send_signal(signal.SIGTERM)
            process.stderr.read()
    assert process.returncode in {0, -signal.SIGTERM}
    assert (folder / "rolls.sqlite3").is_file()
    assert not data.exists()
