"""NightProwler: thieves, contracts and duels, one d20 under a threshold."""

from arbitre.rules.system import System
from arbitre.systems.night_prowler.advancement import advancement
from arbitre.systems.night_prowler.attack import attack
from arbitre.systems.night_prowler.chase import chase
from arbitre.systems.night_prowler.chat import CHAT
from arbitre.systems.night_prowler.compatibility import compatibility
from arbitre.systems.night_prowler.contract import contract
from arbitre.systems.night_prowler.creation import creation
from arbitre.systems.night_prowler.damage import damage
from arbitre.systems.night_prowler.distribution import DISTRIBUTION
from arbitre.systems.night_prowler.hazard import hazard
from arbitre.systems.night_prowler.healing import healing
from arbitre.systems.night_prowler.heroism import heroism
from arbitre.systems.night_prowler.initiative import initiative
from arbitre.systems.night_prowler.opposition import opposition
from arbitre.systems.night_prowler.repair import repair
from arbitre.systems.night_prowler.roll import roll
from arbitre.systems.night_prowler.tables import TABLES
from arbitre.systems.night_prowler.tokens import tokens
from arbitre.systems.night_prowler.traits import CREATION_TABLES

SYSTEM = System(
    id="night-prowler",
    prefix="NP",
    models="NightProwler",
    version="1.0.0",
    package=__name__,
    resolvers=(
        roll,
        opposition,
        contract,
        chase,
        attack,
        damage,
        healing,
        hazard,
        heroism,
        tokens,
        advancement,
        initiative,
        compatibility,
        repair,
        creation,
    ),
    tables=(*TABLES, DISTRIBUTION, *CREATION_TABLES),
    chat=CHAT,
)
