"""The one table of the game."""

from arbitre.rules.tables import Table

TABLES = (Table("weapons", ("TD-02",), ("weapon", "edge"), (("fist", 0), ("blade", 1))),)
