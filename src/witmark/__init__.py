"""Findings you can walk back to their evidence."""

__version__ = "0.1.0"
