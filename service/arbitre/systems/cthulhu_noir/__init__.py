"""Cthulhu Noir: a few dice, two gauges, and what is risked to see the truth."""

from arbitre.rules.system import System
from arbitre.systems.cthulhu_noir.chat import CHAT
from arbitre.systems.cthulhu_noir.cooperation import cooperation
from arbitre.systems.cthulhu_noir.damage import damage
from arbitre.systems.cthulhu_noir.healing import healing
from arbitre.systems.cthulhu_noir.insanity import insanity
from arbitre.systems.cthulhu_noir.opposition import opposition
from arbitre.systems.cthulhu_noir.reroll import reroll
from arbitre.systems.cthulhu_noir.roll import roll
from arbitre.systems.cthulhu_noir.suppress import suppress
from arbitre.systems.cthulhu_noir.tables import TABLES

SYSTEM = System(
    id="cthulhu-noir",
    prefix="CN",
    models="CthulhuNoir",
    version="1.0.0",
    package=__name__,
    resolvers=(
        *(roll, reroll, opposition, cooperation),
        *(insanity, suppress, damage, healing),
    ),
    tables=TABLES,
    chat=CHAT,
)
