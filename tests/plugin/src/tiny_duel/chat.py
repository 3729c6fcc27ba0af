"""The notation: ``/td 3 lame / 2``."""

from arbitre.rules.notation import Choice, Command, Int, Mark, Maybe, Notation, Seq

WEAPONS = {"poing|fist": "fist", "lame|blade": "blade"}


def fighter(side: str) -> Seq:
    """Dice, then the weapon."""
    return Seq(Int(f"{side}.skill"), Maybe(Choice(f"{side}.weapon", WEAPONS)))


CHAT = Notation(
    prefix="td",
    commands=(Command("", "duel", Seq(fighter("a"), Mark("/"), fighter("b")), "3 lame / 2"),),
    faces="=",
    odds="?",
)
