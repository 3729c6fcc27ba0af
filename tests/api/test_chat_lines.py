"""A line of chat is answered alike over REST, GraphQL and the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from arbitre.__main__ import main
from arbitre.rules.labels import LANGUAGES
from doors import told

PAGES = {
    "lady-blackbird": {
        "roll": (
            *("/lb 3 t2 +3/7", "/lb 2", "/lb 3 t1 /0 @Naomi:5 @Kale:1", "/lb 4 t +6/6"),
            *("/lb +3", "/lb /4", "/lb +0/4", "/lb b1", '/lb @"Naomi Bishop":5'),
        ),
        "key": (
            "/lb clé mixte danger réserve=9 xp=4",
            '/lb rachat "Clé du secret" aug=1 clés="Clé du secret"',
        ),
        "healing": ("/lb scène 3 -fatigué", '/lb refresh 3 secret "Foudre" flashback'),
        "condition": ("/lb condition perdu", "/lb condition mort définitif"),
        "help": ("/lb aide Naomi:5 Kale:1", "/lb aide échec Naomi:4 Kale:0"),
        "advancement": ("/lb aug 2 trait Pilote; tag Pilote/Voltige",),
    },
    "cthulhu-noir": {
        "roll": (
            "/cn h",
            "/cn hp",
            "/cn hf1",
            "/cn hf2b1",
            "/cn hp !",
            "/cn hpf3 !",
            "/cn hpf3b2:3",
        ),
        "reroll": ("/cn relance 2 hf3 !5", "/cn relance 3 hf3 !5", "/cn reroll 2 w1 !"),
        "opposition": ("/cn échec 4", "/cn contre hp / hpf2", "/cn contre hp / hp", "/cn vs h/h/h"),
        "cooperation": ("/cn avec h / hf1 !",),
        "insanity": ("/cn folie 3",),
        "suppress": ("/cn supprimer 3 suite",),
        "damage": ("/cn dégâts 3 couteau", "/cn dégâts 1 lourde 4", "/cn dégâts 1 mains seuil=2"),
        "healing": ("/cn soin 4 nuit", "/cn retour 5"),
    },
    "kadath": {
        "roll": ("/kadath Perception 3/1-", "/kadath 3 +1 -2", "/kadath Acrobatie 3 actions 2"),
        "opposition": ("/kadath opp Discretion 3 contre Perception 2",),
    },
    "cydonia": {
        "roll": ("/cydonia resphy 4+9 diff 25",),
        "damage-location": ("/cydonia loc arme marge 3",),
    },
    "night-prowler": {
        "roll": ("/np 14 -3 h2", "/np ?14", "/np c12"),
        "opposition": ("/np opp 13 / 11 -2",),
    },
}
"""Lines of each game's notation, by the rule that they ask."""

LINES = [
    (system, resolver, line)
    for system, rules in PAGES.items()
    for resolver, lines in rules.items()
    for line in lines
]
each_line = pytest.mark.parametrize(("system", "resolver", "line"), LINES)

ODDS = [
    ("kadath", "/kadath chances 3 +1 -2"),
    ("kadath", "/kadath odds 3"),
    ("cydonia", "/cydonia proba 4+6 contre 4+5"),
    ("night-prowler", "/np? opp 12 / 12"),
]

BY_HAND = [
    ("kadath", "/kadath 3 = 3 3 5", [3, 3, 5]),
    ("cydonia", "/cydonia 4 + 6 contre 4 + 5 [8,6]", [8, 6]),
    ("night-prowler", "/np 14 -3 = 11", [11]),
]

MISREAD = [
    ("lady-blackbird", "/lb", "bare-prefix", "", 3, "/lb 3 t2 +3/7"),
    ("lady-blackbird", "/lb 3 volant", "unknown-word", "volant", 6, "/lb 3 t2 +3/7"),
    ("lady-blackbird", "/lb secne 3", "secret-reserved", "secne", 4, "scène"),
    ("lady-blackbird", "/lb t 2", "ambiguous", "2", 6, "/lb 3 t2 +3/7"),
    ("lady-blackbird", '/lb @"Naomi', "open-quote", '"', 5, "/lb 3 t2 +3/7"),
    ("cthulhu-noir", "/cn contrehp/hp", "unknown-word", "contrehp", 4, "contre"),
    ("cthulhu-noir", "/cn h h", "given-twice", "h", 6, "/cn h"),
    ("cthulhu-noir", "/cn soin 4", "missing", "", 10, "/cn soin 4 nuit"),
    ("cthulhu-noir", "/cn folie 1234567890", "long-number", "1234567890", 10, "/cn folie 3"),
    ("cthulhu-noir", "  # h", "empty", "", 2, "/cn h"),
]

REFUSED = [
    ("lady-blackbird", "/lb 3 +3/2", "pool-dice-exceed-pool"),
    ("lady-blackbird", "/lb @Kale:3 @kale:3", "helper-twice"),
    ("lady-blackbird", '/lb rachat "Clé du secret" aug=1', "keys-required"),
    ("lady-blackbird", "/lb 7", "invalid"),
    ("cthulhu-noir", "/cn h !5", "failure-face-only-on-reroll"),
    ("cthulhu-noir", "/cn relance 2 hp", "reroll-without-risk"),
    ("cthulhu-noir", "/cn supprimer 3", "suppression-locked"),
    ("cthulhu-noir", "/cn f7", "invalid"),
]


def said(client: TestClient, system: str, line: str, **more: Any) -> Any:
    language = more.pop("language", "fr")
    answer = client.post(
        f"/v1/{system}/chat", json={"line": line, **more}, params={"lang": language}
    )
    return answer.status_code, answer.json()


def printed(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str]:
    code = main(["roll", *arguments, "--data", str(folder)])
    found = capsys.readouterr()
    return code, found.out + found.err


@each_line
def test_a_line_rolls_what_its_request_rolls(
    client: TestClient, system: str, resolver: str, line: str
) -> None:
    status, found = said(client, system, line, seed="the same")
    assert (status, found.get("resolver")) == (200, resolver), found
    again = client.post(
        f"/v1/{system}/{resolver}", json={"request": found["request"], "seed": "the same"}
    )
    assert told(again.json()) == told(found)


@each_line
def test_a_comment_is_a_note_and_no_more(
    client: TestClient, system: str, resolver: str, line: str
) -> None:
    comment = "clé contre +3 -2 t2 hf3 odds = 5 [5] ! 安"
    _status, bare = said(client, system, line, seed="the same")
    status, found = said(client, system, f"{line} # {comment}", seed="the same")
    assert (status, found["note"]) == (200, comment)
    assert found["outcome"] == bare["outcome"]
    assert found["resolver"] == resolver


@pytest.mark.parametrize("language", LANGUAGES)
@each_line
def test_the_command_line_says_what_rest_says(
    client: TestClient,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    system: str,
    resolver: str,
    line: str,
    language: str,
) -> None:
    _status, found = said(client, system, line, seed="the same", language=language)
    seeded = ("--seed", "the same", "--lang", language, "--json")
    code, text = printed(capsys, tmp_path, system, line, *seeded)
    assert code == 0
    assert told(json.loads(text)) == told(found)
    assert found["resolver"] == resolver


def test_a_line_needs_no_prefix_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = printed(capsys, tmp_path, "kadath", "3 +1 -2", "--json")
    assert code == 0
    assert json.loads(text)["resolver"] == "roll"


@pytest.mark.parametrize(("system", "line"), ODDS)
def test_odds_are_asked_in_a_line(
    client: TestClient,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    system: str,
    line: str,
) -> None:
    status, found = said(client, system, line, language="en")
    assert status == 200
    again = client.post(
        f"/v1/{system}/{found['resolver']}/odds",
        json={"request": found["request"]},
        params={"lang": "en"},
    )
    assert again.json() == found
    code, text = printed(capsys, tmp_path, system, line, "--lang", "en", "--json")
    assert (code, json.loads(text)) == (0, found)


@pytest.mark.parametrize(("system", "line", "faces"), BY_HAND)
def test_faces_by_hand_are_said_in_a_line(
    client: TestClient, system: str, line: str, faces: list[int]
) -> None:
    status, found = said(client, system, line)
    assert status == 200, found
    assert [face for draw in found["draws"] for face in draw["faces"]] == faces
    assert {draw["source"] for draw in found["draws"]} == {"hand"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("system", "line", "code", "word", "position", "nearest"), MISREAD)
def test_what_is_not_understood_is_named(
    client: TestClient,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    system: str,
    line: str,
    code: str,
    word: str,
    position: int,
    nearest: str,
    language: str,
) -> None:
    status, found = said(client, system, line, language=language)
    assert (status, found["code"]) == (409, f"chat-{code}")
    assert (found["word"], found["position"], found["nearest"]) == (word, position, nearest)
    assert [fault["pointer"] for fault in found["faults"]] == ["/line"]
    assert line[position:].startswith(word)
    printed_code, text = printed(capsys, tmp_path, system, line, "--lang", language)
    assert printed_code == 1
    assert found["detail"] in text
    assert found["fix"] in text
    assert f"nearest: {nearest}" in text
    assert (f"word: {word}" in text) is (word != "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("system", "line", "code"), REFUSED)
def test_a_line_is_refused_as_its_request(
    client: TestClient, system: str, line: str, code: str, language: str
) -> None:
    status, found = said(client, system, line, language=language)
    assert (status, found["code"]) == (409, code)
    other = said(client, system, line, language="en" if language == "fr" else "fr")[1]
    assert found["detail"] != other["detail"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("system", "line", "field"),
    [
        ("lady-blackbird", "/lb 3 t2 +3/7", "roll"),
        ("cthulhu-noir", "/cn h", "roll"),
        ("kadath", "/kadath 3 +1 -2", "roll"),
        ("kadath", "/kadath chances 3", "odds"),
        ("night-prowler", "/np? 12", "odds"),
    ],
)
def test_graphql_reads_the_line_as_rest_does(
    client: TestClient, system: str, line: str, field: str, language: str
) -> None:
    first, *rest = system.split("-")
    game = first + "".join(word.title() for word in rest)
    more = {} if field == "odds" else {"seed": "the same"}
    _status, expected = said(client, system, line, language=language, **more)
    shown = "resolver summary draws { faces }" if field == "roll" else "resolver"
    query = (
        "mutation($line: String!, $seed: String)"
        f"{{{game}{{chat(line: $line, seed: $seed){{{field}{{{shown}}}}}}}}}"
    )
    answer = client.post(
        "/graphql",
        json={"query": query, "variables": {"line": line, **more}},
        headers={"Accept-Language": language},
    ).json()
    found = answer["data"][game]["chat"][field]
    assert found["resolver"] == expected["resolver"]
    if field == "roll":
        assert found["summary"] == expected["summary"]
        assert [draw["faces"] for draw in found["draws"]] == [
            draw["faces"] for draw in expected["draws"]
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_graphql_names_what_is_not_understood(client: TestClient, language: str) -> None:
    query = 'mutation{ladyBlackbird{chat(line:"/lb 3 volant"){roll{resolver}}}}'
    answer = client.post(
        "/graphql", json={"query": query}, headers={"Accept-Language": language}
    ).json()
    (error,) = answer["errors"]
    _status, expected = said(client, "lady-blackbird", "/lb 3 volant", language=language)
    assert error["message"] == expected["detail"]
    for key in ("code", "word", "position", "nearest"):
        assert error["extensions"][key] == expected[key]
