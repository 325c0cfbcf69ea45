"""Which notes hang together differently after a change, and how.

A note depends on others in three ways, and each has its key: the names it uses (another
note may come to be called so, or cease to), the sections it links into, and how many notes
use the same names. So what a change can alter is asked of the library by key, the text of
a note is looked at again only if its answer may differ, and the result is the same as if
everything had been read anew.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from witmark.answers.asking import AliasRule
from witmark.answers.atoms import AtomId, Document, DocumentId, KnowledgeAtom
from witmark.answers.counting import Tokens
from witmark.answers.finding import Finder, is_read, stands_in
from witmark.answers.linking import Links, join
from witmark.answers.mentions import (
    MENTION,
    Mention,
    certainty,
    limit,
    mention_edges,
    spellings,
)
from witmark.answers.names import NO_NAMES, SECTIONS, STEM, Names, by_key, find, section
from witmark.answers.ports import AliasEntry, AtomTerms, Library, Linked, NoteParser
from witmark.answers.reading import Note, entries_of_note, kept_note, sections_of
from witmark.answers.statements import Target
from witmark.answers.terms import query_terms

_NAMING = frozenset({AliasRule.EXACT.value, STEM, MENTION})
_NO_NAME = ("≡", SECTIONS)
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Sheet:
    """How one note hangs together, but for what depends on how often names are used."""

    document: Document
    links: Links
    found: Mapping[AtomId, tuple[Mention, ...]]

    @property
    def uses(self) -> frozenset[str]:
        """The names it refers to others by."""
        mentioned = {m.key for mentions in self.found.values() for m in mentions}
        return self.links.uses | mentioned


class Relinker:
    """Works out one change of a library, which it only reads.

    Args:
        library: As it is before the change.
        notes: The notes that were read, by id.
        gone: Notes that will no longer be there; the old id of one that moved is.
        parser: Reads kept notes again.
        waiting: Kept notes that will be read later; till then they stay as they are.
        has_names: The library holds notes beside those that are read or gone.
        documents_before: How many settled notes the library held.
        documents_after: How many it will hold.
    """

    def __init__(  # noqa: PLR0913 - everything that decides, made in one place
        self,
        library: Library,
        parser: NoteParser,
        notes: Mapping[DocumentId, Note],
        gone: Collection[DocumentId],
        *,
        waiting: Collection[DocumentId],
        has_names: bool,
        documents_before: int,
        documents_after: int,
    ) -> None:
        self._library, self._parser, self._notes = library, parser, notes
        self._out = frozenset(gone) | notes.keys()
        self._left_alone = self._out | frozenset(waiting)
        fresh = by_key((key, notes[key].entries) for key in sorted(notes))
        self.names = Names(library if has_names else NO_NAMES, self._out, fresh)
        self._before = Names(library)
        self._finder = Finder(self.names)
        self._kept: dict[DocumentId, Document | None] = {}
        self._limit_before, self._limit = limit(documents_before), limit(documents_after)
        self.old_uses = library.uses(sorted(self._out))
        self.sheets: dict[DocumentId, Sheet] = {}
        self._sure: dict[str, float] = {}

    # One note ------------------------------------------------------------------------

    def take(self, notes: Sequence[Note], terms: Sequence[Sequence[AtomTerms]]) -> None:
        """Find out what notes that were read refer to."""
        atoms: list[KnowledgeAtom] = []
        bodies: list[Tokens] = []
        for note, its_terms in zip(notes, terms, strict=True):
            for atom, term in zip(note.document.atoms, its_terms, strict=True):
                if is_read(atom) and isinstance(term.body, Tokens):
                    atoms.append(atom)
                    bodies.append(term.body)
        found = dict(self._finder.found_in_all(atoms, bodies))
        for note, its_terms in zip(notes, terms, strict=True):
            self._take(note, its_terms, found)

    def _take(
        self,
        note: Note,
        terms: Sequence[AtomTerms],
        found: Mapping[AtomId, tuple[Mention, ...]],
    ) -> None:
        atoms = list(zip(note.document.atoms, terms, strict=True))
        if all(isinstance(term.body, Tokens) for term in terms):
            self._put(note, {a.id: found[a.id] for a, _ in atoms if a.id in found})
        else:
            self._sheet(note, {a.id: frozenset(t.body) for a, t in atoms if is_read(a)})

    def take_kept(self, document_id: DocumentId) -> None:
        """Find out what a note that the library keeps refers to now."""
        document = self._document(document_id)
        if document is not None and document_id not in self.sheets:
            tokens = {
                atom.id: frozenset(query_terms(atom.content.text))
                for atom in document.atoms
                if is_read(atom)
            }
            self._sheet(kept_note(document, self._parser), tokens)

    def _sheet(self, note: Note, tokens: Mapping[AtomId, frozenset[str]]) -> None:
        document = note.document
        self._finder.look_up(tokens.values())
        found = {
            atom.id: mentions
            for atom in document.atoms
            if atom.id in tokens and (mentions := self._finder.found(atom, tokens[atom.id]))
        }
        self._put(note, found)

    def _put(self, note: Note, found: Mapping[AtomId, tuple[Mention, ...]]) -> None:
        links = join(note.document, note.said, self)
        self.sheets[note.document.id] = Sheet(note.document, links, found)

    def find(self, target: Target, user: DocumentId) -> DocumentId | None:
        """The note meant, for ``linking``."""
        return find(target, user, self.names)

    def section(self, document_id: DocumentId, target: Target) -> AtomId:
        """The section meant, for ``linking``."""
        document = self._document(document_id)
        return section(document, target) if document else AtomId(f"{document_id}#")

    def _document(self, document_id: DocumentId) -> Document | None:
        if (note := self._notes.get(document_id)) is not None:
            return note.document
        if document_id not in self._kept:
            self._kept[document_id] = self._library.document(document_id)
        return self._kept[document_id]

    # Which notes ---------------------------------------------------------------------

    def every_other(self) -> list[DocumentId]:
        """All kept notes that are not changed themselves, sorted."""
        return sorted(self._library.stamps().keys() - self._left_alone)

    def affected(self) -> list[DocumentId]:
        """The kept notes that may refer to other notes than before, sorted."""
        if self.names.is_all_fresh:
            return []  # there are none
        if self._limit_before != self._limit:
            return self.every_other()
        lost: set[tuple[DocumentId, AliasEntry]] = set()
        keys: set[str] = set()
        for document_id in sorted(self._out):
            old = self._library.document(document_id)
            if old is None:
                continue
            lost |= {(document_id, entry) for entry in _naming(entries_of_note(old))}
            note = self._notes.get(document_id)
            if note is not None and sections_of(note.document) != sections_of(old):
                keys.add(SECTIONS + document_id)
        gained = {(key, e) for key in self._notes for e in _naming(self._notes[key].entries)}
        changed = gained ^ lost
        keys |= {entry.key for _, entry in changed if entry.rule != MENTION}
        users = self._library.users(sorted(keys))
        found = {user for notes in users.values() for user in notes}
        found |= self._mentioning({e for _, e in gained - lost if e.rule == MENTION})
        return sorted(found - self._left_alone)

    def sharing(self, removed: Collection[DocumentId]) -> list[DocumentId]:
        """The kept notes that use a name which a removed note used as well, sorted."""
        names = {name for key in removed for name in self.old_uses.get(key, ())}
        users = self._library.users(sorted(n for n in names if not n.startswith(_NO_NAME)))
        return sorted({user for notes in users.values() for user in notes} - self._left_alone)

    def _mentioning(self, gained: set[AliasEntry]) -> set[DocumentId]:
        """The kept notes in whose text a name stands that none was called by before."""
        before = self._before.under(sorted({entry.key for entry in gained}))
        known = {(key, entry.surface) for key, kept in before.items() for _, entry in kept}
        new = sorted({e.surface for e in gained if (e.key, e.surface) not in known})
        return {note for surface in new for note in self._with_name(surface)}

    def _with_name(self, surface: str) -> Iterator[DocumentId]:
        for spelling in spellings(surface):
            numbers = self._library.containing(sorted(spelling.tokens))
            for start in range(0, len(numbers), _BATCH):
                for atom in self._library.atoms(numbers[start : start + _BATCH]):
                    if stands_in(spelling, atom):
                        yield atom.document_id

    def take_what_weighs_otherwise(self) -> list[DocumentId]:
        """Take the kept notes that use a name whose weight changed; return them, sorted."""
        relinked = self._out | self.sheets.keys()
        now = Counter(key for sheet in self.sheets.values() for key in sheet.uses)
        users = self._library.users(self._concerned(now))
        turned: set[DocumentId] = set()
        for key in sorted(users.keys() | now.keys()):
            before = users.get(key, ())
            stay = [user for user in before if user not in relinked]
            self._sure[key] = certainty(len(stay) + now[key], self._limit)
            if self._sure[key] != certainty(len(before), self._limit_before):
                turned.update(stay)
        found = sorted(turned - self._left_alone)
        for document_id in found:
            self.take_kept(document_id)
        return found

    def _concerned(self, now: Collection[str]) -> list[str]:
        """The names whose number of users may change."""
        kept = self._library.uses(sorted(self.sheets.keys() - self._out))
        old = (key for uses in (*self.old_uses.values(), *kept.values()) for key in uses)
        return sorted(key for key in {*old, *now} if not key.startswith(_NO_NAME))

    # The outcome ---------------------------------------------------------------------

    def linked(self, document_id: DocumentId) -> Linked:
        """How a note that was taken hangs together from now on."""
        sheet = self.sheets[document_id]
        self._weigh(sheet)
        mentioned = mention_edges(
            sheet.document, sheet.found, self.names, sheet.links.joined, self._sure
        )
        edges = {edge.id: edge for edge in (*mentioned, *sheet.links.edges)}
        return Linked(
            document_id,
            tuple(edges[key] for key in sorted(edges)),
            sheet.links.temporal,
            tuple(sorted(sheet.uses)),
        )

    def _weigh(self, sheet: Sheet) -> None:
        """Names that this change does not concern weigh what they weighed."""
        mentioned = {m.key for mentions in sheet.found.values() for m in mentions}
        missing = sorted(key for key in mentioned if key not in self._sure)
        users = self._library.users(missing) if missing else {}
        for key in missing:
            self._sure[key] = certainty(len(users.get(key, ())), self._limit)


def _naming(entries: Iterable[AliasEntry]) -> Iterator[AliasEntry]:
    return (entry for entry in entries if entry.rule in _NAMING)
