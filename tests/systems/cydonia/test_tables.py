"""The rulebook's tables: each has its words, and says what the rules do."""

import pytest
from starlette.testclient import TestClient

from arbitre.rules.labels import LANGUAGES
from arbitre.rules.tables import Table
from arbitre.systems.cydonia import SYSTEM
from arbitre.systems.cydonia.tables import (
    LOCATIONS,
    RENOWN,
    SKILLS,
    CydoniaAttribute,
    CydoniaMeans,
    CydoniaMedicineTable,
    CydoniaMethod,
    CydoniaNature,
    CydoniaTable,
    allowed_means,
    level_cost,
    penalty_removed,
)

ROWS = {table.id: table.rows for table in SYSTEM.tables}


@pytest.mark.parametrize("table", SYSTEM.tables, ids=lambda table: table.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_its_words(table: Table, language: str) -> None:
    words = SYSTEM.labels[language].raw("tables", table.id)
    assert {"title", *table.columns} <= words.keys()
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert set(table.rules) <= SYSTEM.rules.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_are_served(client: TestClient, language: str) -> None:
    answer = client.get("/v1/systems/cydonia/tables", params={"lang": language})
    assert answer.status_code == 200
    assert [table["id"] for table in answer.json()["tables"]] == list(ROWS)


def test_the_location_tables_have_twenty_rows() -> None:
    assert {len(rows) for rows in LOCATIONS.values()} == {20}
    assert [row[2] for row in ROWS["weapon-locations"][17:19]] == ["2d10", "1d20"]
    assert [row[0] for row in ROWS["unarmed-locations"] if row[2]] == [19]
    assert [row[0] for row in ROWS["unarmed-locations"] if row[3]] == [13]
    assert set(LOCATIONS) == set(CydoniaTable)


def test_medicine_is_one_behind_where_the_print_is_misread() -> None:
    removed = [penalty_removed(n, CydoniaMedicineTable.PRINTED) for n in (0, 1, 20, 21, 30, 31)]
    assert removed == [0, 1, 4, 4, 5, 6]
    regular = [penalty_removed(n, CydoniaMedicineTable.REGULAR) for n in (-5, 5, 20, 21, 30, 36)]
    assert regular == [0, 1, 4, 5, 6, 8]


def test_levels_cost_what_the_book_prints() -> None:
    assert [level_cost(level, 1) for level in (0, 5, -1, -2, 10)] == [1, 6, 1, 1, None]
    assert [level_cost(level, -1) for level in (-2, 0, 1, 10, -10)] == [3, 1, 1, 9, None]
    assert sorted(RENOWN) == list(range(-10, 11))


def test_only_trade_leaves_a_choice_of_attribute() -> None:
    several = [skill for skill, row in SKILLS.items() if len(row.attributes) > 1]
    never = [skill for skill, row in SKILLS.items() if not row.attributes]
    assert (several, never) == (["trade"], ["transformation"])
    assert SKILLS[several[0]].attributes == (CydoniaAttribute.DEXTERITY, CydoniaAttribute.MIND)


@pytest.mark.parametrize("nature", CydoniaNature)
@pytest.mark.parametrize("method", CydoniaMethod)
@pytest.mark.parametrize("mounted", [False, True])
def test_every_attack_meets_some_defense(
    nature: CydoniaNature, method: CydoniaMethod, mounted: bool
) -> None:
    allowed = allowed_means(method, nature, mounted=mounted)
    assert allowed[-1] is CydoniaMeans.NONE
    assert (CydoniaMeans.RIDING in allowed) is (
        mounted and nature in (CydoniaNature.PHYSICAL, CydoniaNature.AREA)
    )
    assert (CydoniaMeans.UNARMED in allowed) is (
        not mounted
        and nature is CydoniaNature.PHYSICAL
        and method in (CydoniaMethod.UNARMED, CydoniaMethod.CLAWS, CydoniaMethod.TEETH)
    )
