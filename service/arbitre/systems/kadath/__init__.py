"""Kadath, adventures in the City of Dreams."""

from arbitre.rules.system import System
from arbitre.systems.kadath.advancement import advancement
from arbitre.systems.kadath.attack import attack
from arbitre.systems.kadath.chase import chase
from arbitre.systems.kadath.chat import CHAT
from arbitre.systems.kadath.damage import damage
from arbitre.systems.kadath.equipment import equipment
from arbitre.systems.kadath.final_blow import final_blow
from arbitre.systems.kadath.hazard import hazard
from arbitre.systems.kadath.healing import healing
from arbitre.systems.kadath.incident import incident
from arbitre.systems.kadath.initiative import initiative
from arbitre.systems.kadath.maneuver import maneuver
from arbitre.systems.kadath.myth import myth
from arbitre.systems.kadath.opposition import opposition
from arbitre.systems.kadath.retry import retry
from arbitre.systems.kadath.roll import roll
from arbitre.systems.kadath.screen_table import screen_table
from arbitre.systems.kadath.surprise import surprise
from arbitre.systems.kadath.tables import TABLES
from arbitre.systems.kadath.trauma import trauma

SYSTEM = System(
    id="kadath",
    prefix="KA",
    models="Kadath",
    version="1.0.0",
    package="arbitre.systems.kadath",
    resolvers=(
        roll,
        opposition,
        retry,
        initiative,
        surprise,
        maneuver,
        equipment,
        attack,
        damage,
        final_blow,
        trauma,
        healing,
        hazard,
        incident,
        chase,
        myth,
        advancement,
        screen_table,
    ),
    tables=TABLES,
    chat=CHAT,
)
