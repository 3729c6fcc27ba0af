"""Kadath, adventures in the City of Dreams."""

from arbitre.rules.system import System
from arbitre.systems.kadath.opposition import opposition
from arbitre.systems.kadath.roll import roll
from arbitre.systems.kadath.tables import TABLES

SYSTEM = System(
    id="kadath",
    prefix="KA",
    models="Kadath",
    version="1.0.0",
    package="arbitre.systems.kadath",
    resolvers=(roll, opposition),
    tables=TABLES,
)
