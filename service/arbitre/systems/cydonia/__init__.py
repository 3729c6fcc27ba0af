"""Cydonia: heroic fantasy, attribute plus skill plus one die."""

from arbitre.rules.system import System
from arbitre.systems.cydonia.opposition import opposition
from arbitre.systems.cydonia.roll import roll
from arbitre.systems.cydonia.tables import TABLES

SYSTEM = System(
    id="cydonia",
    prefix="CY",
    models="Cydonia",
    version="1.0.0",
    package="arbitre.systems.cydonia",
    resolvers=(roll, opposition),
    tables=TABLES,
)
