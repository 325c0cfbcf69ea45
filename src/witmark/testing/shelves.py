"""A shelf of runs and sessions wholly in memory."""

from collections.abc import Iterable, Sequence

from witmark.kernel.errors import EntryTakenError


class MemoryShelf:
    """A ``RunShelf`` in dicts."""

    def __init__(self) -> None:
        self._runs: dict[str, bytes] = {}
        self._sessions: dict[str, tuple[int, bytes]] = {}
        self._last: str | None = None

    def put_run(self, run_id: str, record: bytes) -> None:
        """Keep a run's record; the same bytes again are no error, others are refused."""
        if self._runs.setdefault(run_id, record) != record:
            raise EntryTakenError(f"run {run_id}")
        self._last = run_id

    def run(self, run_id: str) -> bytes | None:
        """Return a run's record, or ``None``."""
        return self._runs.get(run_id)

    def run_ids(self) -> Sequence[str]:
        """Every run, oldest first."""
        return list(self._runs)

    def last_run(self) -> str | None:
        """The run that was put last, new or not."""
        return self._last

    def session(self, session_id: str) -> tuple[int, bytes] | None:
        """Return a session's version and state, or ``None``."""
        return self._sessions.get(session_id)

    def put_session(self, session_id: str, version: int, state: bytes) -> None:
        """Replace version ``version`` (0 for none) of a session by the next one."""
        standing, _ = self._sessions.get(session_id, (0, b""))
        if standing != version:
            raise EntryTakenError(f"session {session_id}")
        self._sessions[session_id] = version + 1, state

    def session_ids(self) -> Iterable[str]:
        """Every session, sorted."""
        return sorted(self._sessions)
