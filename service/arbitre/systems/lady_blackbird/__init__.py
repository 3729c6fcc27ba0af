"""Lady Blackbird: a pool of dice shared, lost and won back."""

from arbitre.rules.system import System
from arbitre.systems.lady_blackbird.advancement import advancement
from arbitre.systems.lady_blackbird.chat import CHAT
from arbitre.systems.lady_blackbird.condition import condition
from arbitre.systems.lady_blackbird.healing import healing
from arbitre.systems.lady_blackbird.help import help_
from arbitre.systems.lady_blackbird.key import key
from arbitre.systems.lady_blackbird.roll import roll
from arbitre.systems.lady_blackbird.tables import TABLES

SYSTEM = System(
    id="lady-blackbird",
    prefix="LB",
    models="LadyBlackbird",
    version="1.0.0",
    package=__name__,
    resolvers=(roll, help_, key, healing, condition, advancement),
    tables=TABLES,
    chat=CHAT,
)
