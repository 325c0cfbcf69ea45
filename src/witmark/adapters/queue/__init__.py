"""The queue of jobs in one SQLite file of its own, for the workers of one machine."""

from witmark.adapters.queue.leases import SqliteQueue

__all__ = ["SqliteQueue"]
