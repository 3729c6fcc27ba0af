"""Dice that know no game: a seeded stream, faces rolled by hand, every reading at once."""

from arbitre.dice.enumerator import Budget, BudgetExceededError, Distribution, enumerate_outcomes
from arbitre.dice.live import LiveDice
from arbitre.dice.manual import HandFaces
from arbitre.dice.process import Course, unfold
from arbitre.dice.readers import Count, Highest, Total, in_order
from arbitre.dice.seeded import SeededFaces, caller_seed
from arbitre.dice.source import (
    Dice,
    DiceFaceError,
    DiceLeftError,
    DiceLimitError,
    DiceMissingError,
    Draw,
    Faces,
    FaceSource,
    Note,
    Tried,
)

__all__ = [
    "Budget",
    "BudgetExceededError",
    "Count",
    "Course",
    "Dice",
    "DiceFaceError",
    "DiceLeftError",
    "DiceLimitError",
    "DiceMissingError",
    "Distribution",
    "Draw",
    "FaceSource",
    "Faces",
    "HandFaces",
    "Highest",
    "LiveDice",
    "Note",
    "SeededFaces",
    "Total",
    "Tried",
    "caller_seed",
    "enumerate_outcomes",
    "in_order",
    "unfold",
]
