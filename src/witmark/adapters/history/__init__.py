"""Version control folders read from bytes: no process is run, and nothing is written."""

from witmark.adapters.history.git import GitHistory

__all__ = ["GitHistory"]
