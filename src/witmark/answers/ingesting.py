"""A folder's notes become a library, and follow the folder from then on.

Only what changed is read; the outcome is the same as that of a library made anew. A small
ingest is one change. A large one is many:

1. what moved is moved; kept notes that will hang together otherwise are marked as pending;
2. notes are put in, batch by batch, searchable at once, without relations, and pending;
3. all relations come in, what is gone goes, and with that every note is settled.

Cut short anywhere, the library is valid, and the next ingest takes up what is pending.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from witmark.answers.atoms import DocumentId, EdgeId
from witmark.answers.counting import Vocabulary
from witmark.answers.cycles import replacement_circles
from witmark.answers.failures import FRONT_MATTER, UnreadableNoteError
from witmark.answers.garbage import garbage_waits
from witmark.answers.ingest_plan import (
    PENDING,
    Plan,
    is_settled,
    may_have_moved,
    moves,
    plan_changes,
)
from witmark.answers.linking import Unresolved
from witmark.answers.ordering import order_after
from witmark.answers.ports import (
    AtomTerms,
    Change,
    Library,
    Linked,
    NoteFailure,
    NoteFile,
    NoteParser,
    Record,
    Stamp,
    Vault,
)
from witmark.answers.reading import Note, read_note, terms_of_all
from witmark.answers.relinking import Relinker
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import IntegrityError

BATCH_NOTES = 500
"""So many notes are put in at once; a larger ingest can be cut short between batches."""

CHUNK_BYTES = 128 * 1024**2
"""So much Markdown is held in memory at once, about 2 GB with all that is made of it; a larger
workspace goes chunk by chunk, and every chunk reads notes of those before once more."""


UNSEEN = -2
"""The time in the stamp of a note that was put in without a look at the folder."""


class Phase(StrEnum):
    """What an ingest is doing."""

    READING = "reading"
    INDEXING = "indexing"
    LINKING = "linking"


Progress = Callable[[Phase, int, int], None]
"""Told the phase, the notes done in it, and how many there are."""


def nobody_waits(_phase: Phase, _done: int, _total: int) -> None:
    """Progress that nobody looks at."""


class Relations(StrEnum):
    """How far relations are worked out anew (``relationRecomputeMode``)."""

    NONE = "none"  # the notes are searchable; relations wait for the next ingest
    INCREMENTAL = "incremental"
    FULL = "full"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did.

    Attributes:
        added: New notes, sorted.
        changed: Notes with new bytes, and those that an ingest left pending, sorted.
        moved: Old and new path.
        removed: Notes that are gone or can no longer be read, sorted.
        unchanged: How many notes were as they were.
        failures: Everything in the workspace that cannot be read, sorted.
        relinked: How many notes, not read, hang together otherwise now.
        unresolved: Links that mean no note, in the notes that were linked, sorted.
        order_broken_by: Every edge that closes a cycle, ``None`` if they are as before.
        order_breaking_edges: How many edges close a cycle now, changed or not.
        to_itself: Where a note that was linked says that it precedes or replaces itself.
        replacement_circles: Notes of which each is replaced by another of them, sorted;
            ``None`` if what the notes say about time cannot be read.
    """

    added: tuple[DocumentId, ...] = ()
    changed: tuple[DocumentId, ...] = ()
    moved: tuple[tuple[DocumentId, DocumentId], ...] = ()
    removed: tuple[DocumentId, ...] = ()
    unchanged: int = 0
    failures: tuple[NoteFailure, ...] = ()
    relinked: int = 0
    unresolved: tuple[Unresolved, ...] = ()
    order_broken_by: frozenset[EdgeId] | None = None
    order_breaking_edges: int = 0
    to_itself: tuple[Unresolved, ...] = ()
    replacement_circles: tuple[tuple[DocumentId, ...], ...] | None = ()

    @property
    def changes(self) -> int:
        """How many notes are not as they were."""
        return len(self.added) + len(self.changed) + len(self.moved) + len(self.removed)


def ingest(  # noqa: PLR0913 - a desk's parts, and how to use them
    vault: Vault,
    parser: NoteParser,
    library: Library,
    *,
    progress: Progress = nobody_waits,
    full: bool = False,
    relations: Relations = Relations.INCREMENTAL,
) -> IngestReport:
    """Make the library say what the workspace says.

    A note that changes while it is read is taken up by the next ingest, for it is stamped
    with the time it had before.

    Args:
        vault: The workspace.
        parser: Reads Markdown.
        library: Its index.
        progress: Is told how far it is.
        full: Read every note, changed or not.
        relations: How far relations are worked out anew.

    Raises:
        InputError: there is no such folder, or no Markdown in it.
        OutsideError: the disk refuses, or another writer is at work. What was done stays.
    """
    scan = vault.scan()
    stamps = dict(library.stamps())
    plan = plan_changes(scan, stamps, full=full)
    run = _Run(
        vault, parser, library,
        progress=progress, stamps=stamps, relations=relations, full=full,
    )  # fmt: skip
    return run.go(plan, scan.failures)


def ingest_paths(  # noqa: PLR0913 - as ingest, and the paths
    vault: Vault,
    parser: NoteParser,
    library: Library,
    paths: Sequence[str],
    *,
    progress: Progress = nobody_waits,
    full: bool = False,
    relations: Relations = Relations.INCREMENTAL,
) -> IngestReport:
    """Look at these notes alone, without listing the folder (``ingest-diff``).

    The folder is the truth: a note that is there is taken in, one that is not is removed,
    and of two paths with the same bytes one that is gone has moved. A note put in so is
    stamped as never seen, so that the next ingest of the whole folder looks at it again.
    With ``full`` they are read anew even if their bytes are as they were.
    """
    with garbage_waits():
        return _ingest_paths(
            vault, parser, library, paths, progress, full=full, relations=relations
        )


def _ingest_paths(  # noqa: PLR0913 - those of ingest_paths
    vault: Vault,
    parser: NoteParser,
    library: Library,
    paths: Sequence[str],
    progress: Progress,
    *,
    full: bool,
    relations: Relations,
) -> IngestReport:
    asked = sorted({DocumentId(path) for path in paths})
    stamps, others = library.stamps_of(asked, or_at=PENDING)
    there, vanished = [], []
    for path in asked:
        try:
            size = len(vault.read(path))
        except UnreadableNoteError:
            size = 0
        except FileNotFoundError:
            vanished += [path] if path in stamps else []
            continue
        there.append(NoteFile(path, size, UNSEEN))
    plan = Plan(tuple(there), tuple(vanished), others + len(stamps.keys() - {*paths}))
    if len(asked) > BATCH_NOTES or sum(file.size for file in there) > CHUNK_BYTES:
        stamps, others = library.stamps(), 0
    elsewhere = tuple(f for f in library.failures() if f.path not in {*paths})
    kept = tuple(f for f in elsewhere if f.code != FRONT_MATTER)
    run = _Run(
        vault, parser, library,
        progress=progress, stamps=dict(stamps), relations=relations, full=full, others=others,
    )  # fmt: skip
    return run.go(plan, kept)


def pending(library: Library) -> bool:
    """Whether an ingest of this library was cut short and has not been taken up."""
    return any(stamp.mtime_ns == PENDING for stamp in library.stamps().values())


@dataclass
class _Read:
    """What came of reading some files."""

    notes: dict[DocumentId, Note] = field(default_factory=dict)
    stamps: dict[DocumentId, Stamp] = field(default_factory=dict)
    touched: dict[DocumentId, Stamp] = field(default_factory=dict)
    failures: list[NoteFailure] = field(default_factory=list)
    gone: list[DocumentId] = field(default_factory=list)


_Moves = tuple[tuple[DocumentId, DocumentId], ...]


class _Run:
    """One ingest.

    ``others`` notes have stamps that are not at hand, all of them settled and none concerned,
    as far as is known: the plan is then one chunk, and they are read once they matter.
    """

    def __init__(  # noqa: PLR0913 - made in two places, each a few lines above
        self,
        vault: Vault,
        parser: NoteParser,
        library: Library,
        *,
        progress: Progress,
        stamps: dict[DocumentId, Stamp],
        relations: Relations,
        full: bool,
        others: int = 0,
    ) -> None:
        self._others = others
        self._vault, self._parser, self._library = vault, parser, library
        self._progress, self._stamps, self._full = progress, stamps, full
        self._relations = relations
        self._known = frozenset(stamps)
        self._report = IngestReport()
        self._failures: list[NoteFailure] = []
        self._faults = [f for f in library.failures() if f.code == FRONT_MATTER]
        self._done = 0

    def go(self, plan: Plan, failures: Sequence[NoteFailure]) -> IngestReport:
        """Carry out a plan, chunk by chunk."""
        with garbage_waits():
            return self._go(plan, failures)

    def _go(self, plan: Plan, failures: Sequence[NoteFailure]) -> IngestReport:
        moved = self._moves(plan)
        vanished = sorted({*plan.vanished} - {old for old, _ in moved})
        self._failures = [*failures, *self._still_failing(plan)]
        self._report = IngestReport(unchanged=plan.unchanged)
        chunks = list(_chunks(plan.to_read)) or [()]
        unsettled = (key for key, s in self._stamps.items() if s.mtime_ns == PENDING)
        self._waiting = {*unsettled, *(file.path for file in plan.to_read)}
        for number, files in enumerate(chunks):
            read = self._read(files, len(plan.to_read))
            here = {file.path for file in files}
            pairs = [(old, new) for old, new in moved if new in here]
            read.gone += [old for old, new in pairs if new not in read.notes]
            read.gone += vanished if number == 0 else []
            self._waiting -= here
            self._take(read, tuple(pair for pair in pairs if pair[1] in read.notes))
        failures = tuple(sorted(self._failures, key=_failure_key))
        return replace(
            self._report,
            failures=failures,
            order_breaking_edges=len(self._library.order_breaking()),
            replacement_circles=_circles(self._library),
        )

    def _still_failing(self, plan: Plan) -> list[NoteFailure]:
        """Faults of front matter in notes that are not read again."""
        again = {file.path for file in plan.to_read} | set(plan.vanished)
        return [fault for fault in self._faults if fault.path not in again]

    def _moves(self, plan: Plan) -> tuple[tuple[DocumentId, DocumentId], ...]:
        appeared = []
        for file in may_have_moved(plan, self._stamps):
            raw = self._bytes(file.path)
            if isinstance(raw, bytes):
                appeared.append((DocumentId(file.path), digest_of(raw)))
        return moves(plan.vanished, appeared, self._stamps)

    def _bytes(self, path: str) -> bytes | NoteFailure | None:
        """A note's bytes, or why not; ``None`` if it is gone."""
        try:
            return self._vault.read(path)
        except UnreadableNoteError as error:
            return error.failure
        except FileNotFoundError:
            return None

    # Reading -------------------------------------------------------------------------

    def _read(self, files: Sequence[NoteFile], total: int) -> _Read:
        read = _Read()
        for file in files:
            self._read_one(file, read)
            self._done += 1
            self._progress(Phase.READING, self._done, total)
        return read

    def _read_one(self, file: NoteFile, read: _Read) -> None:
        path = DocumentId(file.path)
        raw = self._bytes(path)
        if isinstance(raw, bytes):
            source_hash = digest_of(raw)
            stamp = Stamp(source_hash, file.size, file.mtime_ns)
            if not self._full and is_settled(self._stamps.get(path), source_hash):
                read.touched[path] = stamp
                read.failures += [fault for fault in self._faults if fault.path == path]
                return
            note = read_note(path, raw, self._parser)
            if isinstance(note, Note):
                read.notes[path], read.stamps[path] = note, stamp
                read.failures += note.faults
                return
            raw = note
        if raw is not None:
            read.failures.append(raw)
        if path in self._known:
            read.gone.append(path)

    # Writing -------------------------------------------------------------------------

    def _take(self, read: _Read, moved: _Moves) -> None:
        """Bring one chunk in."""
        self._failures += read.failures
        olds = tuple(old for old, _ in moved)
        gone = sorted({*read.gone, *olds})
        known, here = len(self._stamps) + self._others, read.notes.keys()
        left = known - len(self._stamps.keys() & gone)
        rest = self._stamps.keys() - set(gone) - here
        relinker = Relinker(
            self._library,
            self._parser,
            read.notes,
            gone,
            waiting=self._stamps.keys() & self._waiting,
            has_names=bool(rest or self._others),
            documents_before=known - self._pending_now(),
            documents_after=left + len(here - (self._stamps.keys() - set(gone))),
        )
        work = _Work(read, moved, tuple(sorted(set(gone) - set(olds))), relinker)
        if read.notes or gone or self._relations is Relations.FULL:
            everything = self._relations is Relations.FULL
            work.affected = relinker.every_other() if everything else relinker.affected()
        if self._relations is Relations.NONE or not self._is_small(work):
            self._read_other_stamps()
        if self._relations is Relations.NONE:
            work.affected = sorted({*work.affected, *relinker.sharing(work.removed)})
            self._put_in_unlinked(work)
        elif self._is_small(work):
            self._at_once(work)
        else:
            self._in_batches(work)
        self._account(work)

    def _is_small(self, work: "_Work") -> bool:
        return len(work.read.notes) + len(work.affected) <= BATCH_NOTES

    def _pending_now(self) -> int:
        return sum(stamp.mtime_ns == PENDING for stamp in self._stamps.values())

    def _read_other_stamps(self) -> None:
        """Have every stamp at hand; those that were already stay as they are."""
        if self._others:
            self._stamps = {**self._library.stamps(), **self._stamps}
            self._others = 0

    def _at_once(self, work: "_Work") -> None:
        """One change, with everything in it."""
        notes = [work.read.notes[key] for key in sorted(work.read.notes)]
        made = terms_of_all([note.document for note in notes], Vocabulary())
        work.relinker.take(notes, made)
        terms = {
            note.document.id: its_terms for note, its_terms in zip(notes, made, strict=True)
        }
        linked = self._link(work)
        resumed = self._pending_now() > 0
        records = tuple(
            Record(
                work.read.notes[key].document,
                work.read.stamps[key],
                terms[key],
                work.read.notes[key].entries,
                linked[key].edges,
                linked[key].temporal,
                linked[key].uses,
            )
            for key in sorted(terms)
        )
        self._apply(
            moved=work.moved,
            removed=work.removed,
            upserted=records,
            touched=tuple(sorted(work.read.touched.items())),
            order_breaking=self._order(work, linked, surely=resumed),
            linked=tuple(linked[key] for key in sorted(linked.keys() - terms.keys())),
        )

    def _link(self, work: "_Work") -> dict[DocumentId, Linked]:
        """Find out how all notes that are concerned hang together now."""
        for number, document_id in enumerate(work.affected, 1):
            work.relinker.take_kept(document_id)
            self._progress(Phase.LINKING, number, len(work.affected))
        work.turned = work.relinker.take_what_weighs_otherwise()
        return {key: work.relinker.linked(key) for key in sorted(work.relinker.sheets)}

    def _order(
        self, work: "_Work", linked: Mapping[DocumentId, Linked], *, surely: bool
    ) -> frozenset[EdgeId] | None:
        gone = {*work.removed, *(old for old, _ in work.moved)}
        broken = order_after(self._library, linked, gone, surely=surely)
        if broken is not None:
            self._report = replace(self._report, order_broken_by=broken)
        return broken

    def _put_in_unlinked(self, work: "_Work") -> None:
        """Make the notes searchable, and leave their relations to the next ingest."""
        waiting = {key: self._pending(key) for key in work.affected}
        waiting |= {new: self._pending(old) for old, new in work.moved}
        self._apply(moved=work.moved, touched=tuple(sorted(waiting.items())))
        keys, vocabulary = sorted(work.read.notes), Vocabulary()
        for start in range(0, len(keys), BATCH_NOTES):
            batch = keys[start : start + BATCH_NOTES]
            notes = [work.read.notes[key] for key in batch]
            terms = terms_of_all([note.document for note in notes], vocabulary)
            if self._relations is not Relations.NONE:
                work.relinker.take(notes, terms)
            records = zip(notes, terms, strict=True)
            self._apply(upserted=tuple(self._unlinked(work, *record) for record in records))
            self._progress(Phase.INDEXING, start + len(batch), len(keys))
        if self._relations is Relations.NONE:
            settled = work.read.touched.keys() - waiting.keys()
            touched = tuple((key, work.read.touched[key]) for key in sorted(settled))
            self._apply(removed=work.removed, touched=touched)

    def _unlinked(self, work: "_Work", note: Note, terms: tuple[AtomTerms, ...]) -> Record:
        """A note as it is kept until its relations are known; it uses what it used."""
        document_id = note.document.id
        stamp = work.read.stamps[document_id]._replace(mtime_ns=PENDING)
        uses = work.relinker.old_uses.get(work.was(document_id), ())
        return Record(note.document, stamp, terms, note.entries, (), (), uses)

    def _in_batches(self, work: "_Work") -> None:
        """Text batch by batch, then all relations at once: their weights hang together."""
        self._put_in_unlinked(work)
        linked = self._link(work)
        stamps = {key: work.read.stamps.get(key) or self._stamps[key] for key in linked}
        self._apply(
            removed=work.removed,
            touched=tuple(sorted((stamps | work.read.touched).items())),
            order_breaking=self._order(work, linked, surely=True),  # edges went already
            linked=tuple(linked.values()),
        )

    def _pending(self, document_id: DocumentId) -> Stamp:
        return self._stamps[document_id]._replace(mtime_ns=PENDING)

    def _apply(self, **fields: Any) -> None:  # noqa: ANN401 - those of a change, no others
        """Make a change, unless it would change nothing."""
        failures = tuple(sorted(self._failures, key=_failure_key))
        change = Change(failures=failures, **fields)
        if change != Change(failures=self._library.failures()):
            self._library.apply(change)

    def _account(self, work: "_Work") -> None:
        """Note what was done, for the report and for the next chunk."""
        report, read = self._report, work.read
        fresh = set(read.notes) - {new for _, new in work.moved}
        self._report = replace(
            report,
            added=tuple(sorted((*report.added, *(fresh - self._known)))),
            changed=tuple(sorted((*report.changed, *(fresh & self._known)))),
            moved=tuple(sorted((*report.moved, *work.moved))),
            removed=tuple(sorted((*report.removed, *work.removed))),
            unchanged=report.unchanged + len(read.touched),
            relinked=report.relinked + len({*work.affected, *work.turned}),
            unresolved=(*report.unresolved, *work.unresolved()),
            to_itself=(*report.to_itself, *work.to_itself()),
        )
        for old in (*work.removed, *(old for old, _ in work.moved)):
            self._stamps.pop(old, None)
        self._stamps |= {**read.touched, **read.stamps}
        if self._relations is Relations.NONE:
            for key in (*work.affected, *read.stamps):
                self._stamps[key] = self._pending(key)


@dataclass
class _Work:
    """What one chunk comes to."""

    read: _Read
    moved: _Moves
    removed: tuple[DocumentId, ...]
    relinker: Relinker
    affected: list[DocumentId] = field(default_factory=list)
    turned: list[DocumentId] = field(default_factory=list)

    def was(self, document_id: DocumentId) -> DocumentId:
        """What a note was called before."""
        return next((old for old, new in self.moved if new == document_id), document_id)

    def unresolved(self) -> Iterator[Unresolved]:
        """Links of the linked notes that mean no note."""
        for key in sorted(self.relinker.sheets):
            yield from self.relinker.sheets[key].links.unresolved

    def to_itself(self) -> Iterator[Unresolved]:
        """What the linked notes say of themselves as if of another."""
        for key in sorted(self.relinker.sheets):
            yield from self.relinker.sheets[key].links.to_itself


def _circles(library: Library) -> tuple[tuple[DocumentId, ...], ...] | None:
    """An index whose times are damaged still takes in notes; the ask says what is wrong."""
    try:
        return replacement_circles(library.temporal())
    except IntegrityError:
        return None


def _chunks(files: Sequence[NoteFile]) -> Iterator[Sequence[NoteFile]]:
    """Cut the files to be read into runs that memory can hold."""
    chunk: list[NoteFile] = []
    size = 0
    for file in files:
        if chunk and size + file.size > CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(file)
        size += file.size
    if chunk:
        yield chunk


def _failure_key(failure: NoteFailure) -> tuple[str, str, str]:
    return failure.path, failure.code, failure.detail
