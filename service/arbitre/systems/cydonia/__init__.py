"""Cydonia: heroic fantasy, attribute plus skill plus one die."""

from arbitre.rules.system import System
from arbitre.systems.cydonia.advancement import advancement
from arbitre.systems.cydonia.attack import attack
from arbitre.systems.cydonia.award import award
from arbitre.systems.cydonia.carrying import carrying
from arbitre.systems.cydonia.charge import charge
from arbitre.systems.cydonia.chase import chase
from arbitre.systems.cydonia.chat import CHAT
from arbitre.systems.cydonia.concentration import concentration
from arbitre.systems.cydonia.creatures import creatures
from arbitre.systems.cydonia.damage import damage
from arbitre.systems.cydonia.damage_location import damage_location
from arbitre.systems.cydonia.healing import healing
from arbitre.systems.cydonia.initiative import initiative
from arbitre.systems.cydonia.item_bonus import item_bonus
from arbitre.systems.cydonia.kravkar import kravkar
from arbitre.systems.cydonia.luck import luck
from arbitre.systems.cydonia.negotiation import negotiation
from arbitre.systems.cydonia.opposition import opposition
from arbitre.systems.cydonia.reputation import reputation
from arbitre.systems.cydonia.ride import ride
from arbitre.systems.cydonia.roll import roll
from arbitre.systems.cydonia.search import search
from arbitre.systems.cydonia.stun import stun
from arbitre.systems.cydonia.tables import TABLES
from arbitre.systems.cydonia.taming import taming
from arbitre.systems.cydonia.torture import torture
from arbitre.systems.cydonia.transformation import transformation
from arbitre.systems.cydonia.trap import trap
from arbitre.systems.cydonia.travel import travel
from arbitre.systems.cydonia.weapon_change import weapon_change

SYSTEM = System(
    id="cydonia",
    prefix="CY",
    models="Cydonia",
    version="1.0.0",
    package="arbitre.systems.cydonia",
    resolvers=(
        roll,
        opposition,
        damage_location,
        damage,
        attack,
        initiative,
        healing,
        stun,
        kravkar,
        concentration,
        transformation,
        charge,
        ride,
        travel,
        chase,
        search,
        negotiation,
        torture,
        trap,
        taming,
        creatures,
        carrying,
        item_bonus,
        weapon_change,
        luck,
        reputation,
        advancement,
        award,
    ),
    tables=TABLES,
    chat=CHAT,
)
