"""What an open workspace makes when it is first needed, and keeps until its library changes."""

from dataclasses import dataclass, field

from witmark.answers.dag import Dag
from witmark.answers.notes import ParsedNote
from witmark.answers.ports import Library, NoteParser
from witmark.answers.validity import Timeline


@dataclass(slots=True)
class LateParser:
    """The parser of notes, opened when a note is to be read: most asks find none changed."""

    _opened: NoteParser | None = None

    def parse(self, text: str) -> ParsedNote:
        """What a note holds."""
        if self._opened is None:
            from witmark.adapters.markdown import ComrakParser  # noqa: PLC0415  # see above

            self._opened = ComrakParser()
        return self._opened.parse(text)


@dataclass(slots=True)
class Graphs:
    """The graph of a library, built once for each of its generations."""

    library: Library
    _arrays: object = None
    _dag: Dag | None = field(default=None)

    def __call__(self) -> Dag:
        """The graph as it stands."""
        arrays = self.library.graph()
        if self._dag is None or arrays is not self._arrays:
            self._arrays, self._dag = arrays, Dag(arrays)
        return self._dag


@dataclass(slots=True)
class Timelines:
    """What a library knows of time, laid out once for each of its generations."""

    library: Library
    _edges: object = None
    _timeline: Timeline | None = field(default=None)

    def __call__(self) -> Timeline:
        """The times as they stand."""
        edges = self.library.temporal()
        if self._timeline is None or edges is not self._edges:
            self._edges, self._timeline = edges, Timeline.of(self.library)
        return self._timeline
