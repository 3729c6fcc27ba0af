"""Tiny Duel: two fighters, a handful of dice each."""

from arbitre.rules.system import System
from tiny_duel.chat import CHAT
from tiny_duel.duel import duel
from tiny_duel.tables import TABLES

SYSTEM = System(
    id="tiny-duel",
    prefix="TD",
    models="TinyDuel",
    version="1.0.0",
    package="tiny_duel",
    resolvers=(duel,),
    tables=TABLES,
    chat=CHAT,
)
