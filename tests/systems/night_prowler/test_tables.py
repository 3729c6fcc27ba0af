"""Every table of the book is there, and every word of it has a label."""

from enum import StrEnum

import pytest

from arbitre.rules.labels import LANGUAGES
from arbitre.rules.tables import Table
from arbitre.systems.night_prowler import SYSTEM
from arbitre.systems.night_prowler.traits import PRIMARY, SPECIALITIES, TRAITS

TABLES = pytest.mark.parametrize("table", SYSTEM.tables, ids=lambda table: table.id)


@TABLES
def test_a_table_has_a_title_and_labelled_columns(table: Table) -> None:
    for language in LANGUAGES:
        words = SYSTEM.labels[language].raw("tables", table.id)
        assert set(words) == {"title", *table.columns}
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert set(table.rules) <= set(SYSTEM.rules)


@TABLES
def test_every_choice_in_a_table_is_labelled(table: Table) -> None:
    cells = [cell for row in table.rows for cell in row]
    inner = [item for cell in cells if isinstance(cell, tuple) for item in cell]
    for cell in (*cells, *inner):
        if isinstance(cell, StrEnum):
            for language in LANGUAGES:
                assert SYSTEM.labels[language].choice(cell)
        else:
            assert not isinstance(cell, str)


def test_the_book_has_at_least_twenty_five_tables() -> None:
    assert len({table.id for table in SYSTEM.tables}) == len(SYSTEM.tables) >= 25


def test_no_speciality_has_the_primary_attribute_of_its_style_as_its_second() -> None:
    assert len(SPECIALITIES) == 32
    for row in SPECIALITIES.values():
        assert row.secondary is not PRIMARY[row.style]


def test_advantages_cost_and_drawbacks_grant_memory() -> None:
    assert len(TRAITS) == 76
    assert {row.memory for row in TRAITS.values()} == set(range(-5, 6))
