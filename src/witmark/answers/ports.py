"""What this desk needs from the outside world.

``witmark.testing`` ships the contract suites that hold every implementation of a port.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, NewType, Protocol

from witmark.answers.answer import Draft
from witmark.answers.arrays import GraphArrays
from witmark.answers.asking import QueryPlan, ScopeRequest
from witmark.answers.atoms import AtomId, Document, DocumentId, EdgeId, KnowledgeAtom
from witmark.answers.edges import RelationEdge, TemporalEdge
from witmark.answers.notes import ParsedNote
from witmark.answers.pack import GraphContextPack

AtomNo = NewType("AtomNo", int)
"""An atom's number in a library: stable while the atom exists, never used again."""


# The workspace's files ---------------------------------------------------------------


class NoteFile(NamedTuple):
    """A Markdown file that was seen. Size and time tell cheaply that it may have changed."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class NoteFailure:
    """A note that cannot be read, and why. Never fatal.

    Attributes:
        path: Below the workspace.
        code: ``too-large``, ``not-utf-8``, ``binary``, ``unreadable``, ``link-outside``,
            ``bad-name``, ``front-matter`` (the note is indexed without it).
        detail: For the reader, with the way out.
    """

    path: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What lies in the workspace, sorted by path."""

    files: tuple[NoteFile, ...]
    failures: tuple[NoteFailure, ...]


class Vault(Protocol):
    """A folder of Markdown, the source of truth. Nothing here ever writes to it."""

    def scan(self) -> Scan:
        """List every ``.md`` and ``.markdown`` file, hidden folders aside."""

    def read(self, path: str) -> bytes:
        """Return a note's bytes.

        Raises:
            FileNotFoundError: it is gone.
            UnreadableSourceError: it cannot be read, is too large or leaves the workspace.
        """


class NoteParser(Protocol):
    """Turns Markdown into blocks at their places."""

    def parse(self, text: str) -> ParsedNote:
        """Parse any text whatever; there is no such thing as invalid Markdown."""


# The library -------------------------------------------------------------------------


class Stamp(NamedTuple):
    """What the library knows of a note's file; a tuple, for all of them are read at once."""

    source_hash: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class AliasEntry:
    """A key under which a document can be named (made by ``aliases.py``)."""

    key: str
    rule: str  # an AliasRule, or one of names.py for how notes refer to each other
    surface: str


@dataclass(frozen=True, slots=True)
class AtomTerms:
    """An atom's tokens for the index (made by ``terms.py``), repeats included.

    A body may be ``counting.Tokens``, which an index can take without spelling them out.
    """

    title: Sequence[str]
    body: Sequence[str]


@dataclass(frozen=True, slots=True)
class Record:
    """One note as the library keeps it.

    Attributes:
        document: With its atoms.
        stamp: Of the file.
        terms: One per atom of the document, in order.
        aliases: Every key of the document, sorted.
        edges: The relations this note owns. An end that does not exist is kept aside and
            comes to life when the atom appears.
        temporal: The temporal edges it owns.
        uses: The names by which it refers to other notes, in links and in its text, as
            keys, sorted; also those that mean nothing yet.
    """

    document: Document
    stamp: Stamp
    terms: tuple[AtomTerms, ...]
    aliases: tuple[AliasEntry, ...]
    edges: tuple[RelationEdge, ...]
    temporal: tuple[TemporalEdge, ...]
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """How a note hangs together with others from now on, its text being as it was."""

    owner: DocumentId
    edges: tuple[RelationEdge, ...]
    temporal: tuple[TemporalEdge, ...]
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One atomic change of a library.

    Applied in the order of the fields. ``touched`` replaces a stamp alone (the bytes are
    the same). Removing a note removes its atoms and what it owns, and nothing else:
    foreign edges to a missing end are kept aside and are not seen in the graph.
    """

    moved: tuple[tuple[DocumentId, DocumentId], ...] = ()
    removed: tuple[DocumentId, ...] = ()
    upserted: tuple[Record, ...] = ()
    touched: tuple[tuple[DocumentId, Stamp], ...] = ()
    failures: tuple[NoteFailure, ...] = ()  # replaces the list of failures as a whole
    relinked: tuple[tuple[str, tuple[RelationEdge, ...]], ...] = ()
    """Owner and all relation edges it owns from now on, for notes that are not upserted."""
    order_breaking: frozenset[EdgeId] | None = None
    """The edges that close a cycle, as a whole; ``None`` leaves the marks as they are."""
    linked: tuple[Linked, ...] = ()
    """Like ``relinked``, with everything a note says about others; applied beside it."""


@dataclass(frozen=True, slots=True)
class LibraryState:
    """Counts of a library; ``generation`` rises by one with every change."""

    generation: int
    documents: int
    atoms: int
    relation_edges: int
    temporal_edges: int
    title_tokens: int  # over all atoms
    body_tokens: int


class TermHit(NamedTuple):
    """An atom that holds a token of the query, with what BM25 needs to know.

    Attributes:
        atom_no: The atom.
        counts: Per token of the query that occurs: times in the title, times in the body.
        title_length: Tokens of its title.
        body_length: Tokens of its body.

    A tuple, for a search has hundreds.
    """

    atom_no: AtomNo
    counts: Mapping[str, tuple[int, int]]
    title_length: int
    body_length: int


class Library(Protocol):
    """The index of one workspace: rebuildable from the folder, imported edges apart.

    Every listing is sorted; equal content gives equal answers in every implementation.
    """

    def state(self) -> LibraryState:
        """Counts, for readiness and BM25's averages."""

    def stamps(self) -> Mapping[DocumentId, Stamp]:
        """Every note that is kept."""

    def stamps_of(
        self, documents: Collection[DocumentId], *, or_at: int
    ) -> tuple[Mapping[DocumentId, Stamp], int]:
        """The stamps of these notes and of all with this time, and how many others are kept.

        Sorted; a note that is not kept is left out. It costs what these notes cost, however
        many the library holds.
        """

    def failures(self) -> tuple[NoteFailure, ...]:
        """The notes that could not be read in the last ingest."""

    def apply(self, change: Change) -> None:
        """Make one change, wholly or not at all.

        Raises:
            OutsideError: the disk refuses, or another writer is at work; nothing changed.
        """

    def put_edges(
        self, owner: str, edges: Sequence[RelationEdge], temporal: Sequence[TemporalEdge]
    ) -> None:
        """Replace all edges of an owner ``import:NAME``."""

    def reading(self) -> AbstractContextManager[object]:
        """From beginning to end of it one state is read, whatever is written meanwhile.

        Nothing is written through the same library within it.
        """

    def document(self, document_id: DocumentId) -> Document | None:
        """Return a note with its text and atoms, or ``None``."""

    def note(self, document_id: DocumentId) -> Document | None:
        """Return a note with its text and without its atoms, which cost most to read."""

    def titles(self) -> Sequence[tuple[DocumentId, str]]:
        """Every note's id and title, sorted by id."""

    def atoms(self, numbers: Sequence[AtomNo]) -> tuple[KnowledgeAtom, ...]:
        """Return atoms in the order asked for; an unknown number is our own bug."""

    def numbers(self, ids: Sequence[AtomId]) -> Mapping[AtomId, AtomNo]:
        """Numbers of the atoms that exist."""

    def roots(self, documents: Sequence[DocumentId]) -> Mapping[DocumentId, AtomNo]:
        """Numbers of the root atoms of the documents that exist."""

    def homes(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, DocumentId]:
        """The documents that these atoms belong to; cheaper than reading the atoms."""

    def headings(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, tuple[str, ...]]:
        """The section path of each of these atoms; cheaper than reading the atoms."""

    def languages(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, str]:
        """The language of each of these atoms, by number."""

    def in_scope(self, scope: ScopeRequest) -> frozenset[AtomNo] | None:
        """The atoms a scope allows, or ``None`` when it allows all."""

    def documents_in(self, scope: ScopeRequest) -> int:
        """How many notes a scope holds."""

    def search(
        self, tokens: Sequence[str], scope: ScopeRequest, *, limit: int
    ) -> Sequence[TermHit]:
        """The atoms in scope most likely to matter for the tokens, at most ``limit``.

        Sorted by atom number. Which ones fall to the limit is the implementation's own
        BM25's choice; below the limit every atom that holds a token is there.
        """

    def frequencies(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many atoms each token occurs, whole library, unknown ones as 0."""

    def aliases(
        self, keys: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[DocumentId, AliasEntry]]]:
        """The documents under each key that is known."""

    def uses(self, documents: Sequence[DocumentId]) -> Mapping[DocumentId, tuple[str, ...]]:
        """The names that each note refers to others by; notes that are not kept are absent."""

    def users(self, names: Sequence[str]) -> Mapping[str, Sequence[DocumentId]]:
        """The notes that use each name, sorted; names that none uses are absent."""

    def latin_keys(self, shortest: int, longest: int, *, initial: str = "") -> Sequence[str]:
        """Distinct ASCII keys of a length, for typo search, sorted.

        With an ``initial``, one character, only those that begin with it.
        """

    def containing(self, phrase: Sequence[str]) -> Sequence[AtomNo]:
        """Atoms whose body holds all these tokens, ascending; for new titles' mentions."""

    def graph(self) -> GraphArrays:
        """The graph as flat arrays; the same object until the library changes."""

    def edges(self, rows: Sequence[int]) -> tuple[RelationEdge, ...]:
        """Relation edges by their ``row`` in the arrays."""

    def edges_of(self, owner: str) -> tuple[RelationEdge, ...]:
        """All relation edges of one owner, those kept aside included."""

    def order_breaking(self) -> Sequence[EdgeId]:
        """Every relation edge that orders leave out, sorted."""

    def temporal(self) -> tuple[TemporalEdge, ...]:
        """Every active temporal edge, sorted by id."""

    def close(self) -> None:
        """Let go of the file."""


# Models ------------------------------------------------------------------------------


class Embedder(Protocol):
    """Turns texts into vectors; the dense backend is ``unavailable`` without one."""

    name: str

    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text, all of one length, unit norm."""

    def query(self, text: str) -> Sequence[float]:
        """The vector of a question."""


class Composer(Protocol):
    """Turns the plan and the pack into a draft, seeing nothing else."""

    @property
    def name(self) -> str:
        """Who it is (``draftBy``)."""

    def compose(self, plan: QueryPlan, pack: GraphContextPack) -> Draft:
        """Draft an answer in complete sentences, each resting on fragments of the pack.

        Raises:
            OutsideError: no provider could answer; the pack is kept, so this can resume.
        """


# Runs --------------------------------------------------------------------------------


class RunShelf(Protocol):
    """Durable records of a workspace: ``knowledge_run`` reports and session states.

    A run is written once. A session state is replaced whole; the last writer that read
    the state it replaces wins, and another is told so.
    """

    def put_run(self, run_id: str, record: bytes) -> None:
        """Keep a run's canonical JSON under its id; the same bytes again are no error.

        Either way it is the last run from then on.
        """

    def run(self, run_id: str) -> bytes | None:
        """Return a run's record, or ``None``."""

    def run_ids(self) -> Sequence[str]:
        """Every run, oldest first: in the order in which they were first put."""

    def last_run(self) -> str | None:
        """The run that was put last, new or not; ``None`` if there is none."""

    def session(self, session_id: str) -> tuple[int, bytes] | None:
        """Return a session's version and state, or ``None``."""

    def put_session(self, session_id: str, version: int, state: bytes) -> None:
        """Replace version ``version`` (0 for none) of a session by the next one.

        Raises:
            OutsideError: another writer was first.
        """

    def session_ids(self) -> Iterable[str]:
        """Every session, sorted."""
