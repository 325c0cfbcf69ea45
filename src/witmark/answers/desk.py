"""What an ask is given: the desk with its ports, and the question with its circumstances."""

from collections.abc import Callable
from dataclasses import dataclass, field

from witmark.answers.asking import Backend, ScopeRequest
from witmark.answers.dag import Dag
from witmark.answers.ports import Composer, Embedder, Library, RunShelf
from witmark.answers.validity import Timeline
from witmark.kernel.store import BlobStore


@dataclass(frozen=True, slots=True)
class AnswersDesk:
    """Everything an answer needs; built once at the door, passed in whole.

    Attributes:
        workspace: The workspace's name, for people.
        library: Its index.
        dag: Its graph, built once per generation of the library.
        blobs: Keeps every source that was cited, as it was.
        shelf: Keeps runs and sessions.
        composer: Words the draft.
        embedder: For the dense backend, if there is one.
        timeline: What the library knows of time, laid out once per generation; without it
            each answer lays that out for itself.
    """

    workspace: str
    library: Library
    dag: Callable[[], Dag]
    blobs: BlobStore
    shelf: RunShelf
    composer: Composer
    embedder: Embedder | None = None
    timeline: Callable[[], Timeline] | None = None

    def time(self) -> Timeline:
        """What the library knows of time."""
        return self.timeline() if self.timeline else Timeline.of(self.library)


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and the circumstances in which it is asked.

    Attributes:
        message: In any words.
        as_of: ISO date on which the answer is to hold.
        scope: Where to look; empty for wherever the session is.
        active_target: The folder that is open, if any.
        top_k: Notes to find, 1 to 20.
        backend: How.
        session_id: The session, or empty for none.
        persist_memory: Whether the session may remember this.
        memory_namespace: Whose memory.
        asked_on: ISO date of the ask, where it is not ``as_of``.
    """

    message: str
    as_of: str
    scope: ScopeRequest = field(default_factory=ScopeRequest)
    active_target: str = ""
    top_k: int = 8
    backend: Backend = Backend.LOCAL_HYBRID
    session_id: str = ""
    persist_memory: bool = False
    memory_namespace: str = "default"
    asked_on: str = ""

    @property
    def day(self) -> str:
        """ISO date of the ask."""
        return self.asked_on or self.as_of
