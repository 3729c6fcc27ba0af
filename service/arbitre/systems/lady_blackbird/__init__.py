"""Lady Blackbird: a pool of dice shared, lost and won back."""

from arbitre.rules.system import System
from arbitre.systems.lady_blackbird.roll import roll
from arbitre.systems.lady_blackbird.tables import TABLES

SYSTEM = System(
    id="lady-blackbird",
    prefix="LB",
    models="LadyBlackbird",
    version="1.0.0",
    package=__name__,
    resolvers=(roll,),
    tables=TABLES,
)
