"""Arbitre: a rules referee as a service."""

__version__ = "1.0.0"
