"""Sentences for what is often missing: no face, no value, no damage, no weapon."""

from typing import Any

import pytest
from pydantic_core import to_json

from arbitre.dice import HandFaces
from arbitre.rules.play import play
from arbitre.systems.cydonia import SYSTEM

FRENCH, ENGLISH = SYSTEM.labels["fr"], SYSTEM.labels["en"]
STATE = {"momentum_turns": 2}


def sentences(resolver: str, faces: list[int], **fields: Any) -> list[tuple[str, str]]:
    """Write the summary, then each step, in both languages."""
    rule = SYSTEM.by_id[resolver]
    played = play(rule, rule.request.model_validate_json(to_json(fields)), HandFaces(faces))
    keys = rule.summary(played.outcome)
    asked = [("summaries", key, played.outcome) for key in ([keys] if type(keys) is str else keys)]
    asked += [("steps", note.key, note.values) for note in played.notes]
    return [(FRENCH.say(*each), ENGLISH.say(*each)) for each in asked]


@pytest.mark.parametrize(
    ("successes", "failures", "said"),
    [
        ([9, 10], [], ("9, 10 pour une réussite, aucune", "9, 10 for a success, none")),
        ([], [1], ("aucune pour une réussite, 1 pour", "none for a success, 1 for")),
        ([], [], ("Faces critiques\N{NO-BREAK SPACE}: aucune.", "Critical faces: none.")),
    ],
)
def test_no_critical_face_is_said(
    successes: list[int], failures: list[int], said: tuple[str, str]
) -> None:
    faces = {"critical_success_faces": successes, "critical_failure_faces": failures}
    found = sentences("roll", [5], attribute=4, **faces)
    assert any(said[0] in french and said[1] in english for french, english in found)


def test_a_spell_is_bought_without_a_value() -> None:
    purchase = {"kind": "spell", "cost": 3, "count": 2}
    found = sentences("advancement", [], learning_points=9, purchases=[purchase])
    assert found[1] == ("sort, 2 fois, pour 6 PA.", "spell, 2 times, for 6 learning points.")


def charge(faces: list[int], **blow: Any) -> list[tuple[str, str]]:
    rider = {"attacker": {"attribute": 9, "skill": 9}, "attacker_riding": 4}
    whole = {**rider, "defender": {"attribute": 1}, **blow}
    return sentences("charge", faces, event="attack", state=STATE, mount_running=5, blow=whole)


def test_a_charge_without_damage_says_that_it_hits() -> None:
    assert charge([5, 5, 4])[0] == ("La charge touche.", "The charge hits.")


@pytest.mark.parametrize(("face", "said"), [(1, ("Tué.", "Killed.")), (20, ("Mourant.", "Dying."))])
def test_a_charge_says_what_becomes_of_the_target(face: int, said: tuple[str, str]) -> None:
    zones = ["abdomen"] if face == 1 else []
    target = {"hp": 3, "vital_zones": zones}
    found = charge([5, 5, face], physique=3, weapon={}, target=target)
    assert found[0][0] == "La charge touche\N{NO-BREAK SPACE}: 8 points de dégâts."
    assert found[1] == said


def test_putting_a_weapon_away_leaves_none_in_hand() -> None:
    found = sentences("weapon-change", [], **{"from": "stowed", "to": "none"})
    assert found == [
        ("Aucun tour perdu, attaque possible.", "No turn lost, an attack is possible."),
        (
            "En main\N{NO-BREAK SPACE}: arme rangée puis rien\N{NO-BREAK SPACE}; 0 tour perdu.",
            "In hand: stowed weapon, then nothing; 0 turns lost.",
        ),
    ]
