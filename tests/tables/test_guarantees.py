"""The page that says what tables guarantee."""

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from arbitre.api.guarantees import words
from arbitre.api.tables import RIGHTS
from arbitre.audit.tables import Role
from arbitre.rules.labels import LANGUAGES


def shape(value: Any) -> Any:
    """Return what both languages must have alike."""
    if isinstance(value, dict):
        return {key: one if key == "verdict" else shape(one) for key, one in value.items()}
    return [shape(one) for one in value] if isinstance(value, list) else type(value)


def test_both_languages_say_the_same_things() -> None:
    one, other = map(words, LANGUAGES)
    assert shape(one) == shape(other)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_it_is_shown_in_the_language_asked_for(client: TestClient, language: str) -> None:
    answer = client.get("/guarantees", headers={"Accept-Language": language})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == language
    assert client.get("/guarantees", params={"lang": language}).content == answer.content
    text, said = unescape(answer.text), words(language)
    assert f'<html lang="{language}">' in text
    for section in said["sections"]:
        assert section["title"] in text
        assert all(paragraph in text for paragraph in section["text"])
    for row in said["threats"]["rows"]:
        assert f"{row['what']}</th><td>{said['verdicts'][row['verdict']]}</td>" in text
    assert "receipt" in text or "reçu" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rights_shown_are_those_that_hold(client: TestClient, language: str) -> None:
    text = unescape(client.get("/guarantees", params={"lang": language}).text)
    said = words(language)["rights"]
    assert set(said["deeds"]) == {deed.value for deed in RIGHTS}
    for deed, roles in RIGHTS.items():
        name = re.escape(said["deeds"][deed.value])
        row = re.search(f'<th scope="row">{name}</th>(.*)</tr>', text)
        assert row is not None
        cells = re.findall("<td>(.*?)</td>", row[1])
        assert cells == [
            said["yes" if role in roles else "no"] for role in (None, Role.PLAYER, Role.GM)
        ]


def test_its_style_is_served_and_nothing_else(client: TestClient) -> None:
    assert client.get("/guarantees/style.css").headers["content-type"].startswith("text/css")
    assert client.get("/guarantees/fr.toml").status_code == 404
    assert "script" not in client.get("/guarantees").headers["content-security-policy"]
