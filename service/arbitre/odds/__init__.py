"""Exact odds of anything a resolver can be asked."""

from arbitre.odds.distributions import FieldOdds, Odds, Value, odds_of

__all__ = ["FieldOdds", "Odds", "Value", "odds_of"]
