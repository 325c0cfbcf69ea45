"""What time has done to the notes an answer uses, said in a sentence.

A stale note is one that has expired, is not yet valid or has been replaced on the day asked
about. Whatever the intent, an answer that uses one says so.
"""

from collections.abc import Callable, Container, Mapping, Sequence

from witmark.answers import phrases
from witmark.answers.atoms import AtomId, DocumentId, EdgeId
from witmark.answers.pack import GraphContextPack, TemporalDetail
from witmark.answers.validity import EACH_OTHER, IN_A_CIRCLE, LIMIT_UNREAD, UNREADABLE

_HOLDS = "holds"  # a window that is open on that day
_STALE = frozenset({"expired", "not_yet_valid", "superseded"})


def document_of(atom_id: AtomId) -> DocumentId:
    """Return the note an atom belongs to.

    >>> document_of(AtomId("glass/water glass.md#use"))
    'glass/water glass.md'
    """
    return DocumentId(atom_id.rpartition("#")[0])


class Ages:
    """Which notes of a pack are stale, and everything the pack says about their time."""

    def __init__(
        self,
        pack: GraphContextPack,
        called: Callable[[DocumentId, str], str] = lambda _document, title: title,
    ) -> None:
        details: dict[DocumentId, list[TemporalDetail]] = {}
        titles: dict[DocumentId, str] = {}
        invalid: set[DocumentId] = set()
        reasons: dict[DocumentId, set[str]] = {}
        nodes = [(node.atom, node.validity) for node in pack.support]
        if pack.anchor is not None:
            nodes.insert(0, (pack.anchor, pack.anchor_validity))
        for atom, validity in nodes:
            titles.setdefault(atom.document_id, atom.document_title)
            details.setdefault(atom.document_id, []).extend(validity.details)
            reasons.setdefault(atom.document_id, set()).update(validity.reasons)
            if not validity.is_valid:
                invalid.add(atom.document_id)
        for detail in pack.temporal_warnings:
            titles.setdefault(document_of(detail.atom_id), detail.title)
            details.setdefault(document_of(detail.atom_id), []).append(detail)
        self._titles = titles
        self._reasons: Mapping[DocumentId, set[str]] = reasons
        self._called = called
        self._details: Mapping[DocumentId, Sequence[TemporalDetail]] = details
        self._stale = invalid | {
            document
            for document, known in details.items()
            if any(detail.reason in _STALE for detail in known)
        }

    def is_stale(self, document: DocumentId) -> bool:
        """Whether a note does not hold on the day asked about."""
        return document in self._stale

    def is_overtaken(self, document: DocumentId, valid: Container[DocumentId]) -> bool:
        """Whether a stale note gives way to one of these, which says the same of today."""
        if document not in self._stale:
            return False
        newer = self.successor_of(document)
        replaces = _first(self._details.get(document, ()), "supersedes")
        older = (document_of(replaces.other_atom_id),) if replaces is not None else ()
        waits = _first(self._details.get(document, ()), "not_yet_valid") is not None
        return any(other in valid for other in (*newer, *(older if waits else ())))

    def warning(self, document: DocumentId, language: str) -> str:
        """Say why a stale note does not hold, and what holds instead.

        >>> # "Washing guide 2019 expired on 2024-12-31 and was replaced by …"
        """
        name = self._called(document, self._titles[document])
        known = self._details[document]
        if IN_A_CIRCLE in self._reasons.get(document, ()):
            return self._circle(document, name, language)
        ended = _first(known, "expired")
        replaced = _first(known, "superseded")
        waiting = _first(known, "not_yet_valid")
        if waiting is not None and waiting.valid_from:
            return phrases.say(language, "not_yet", name=name, day=waiting.valid_from)
        if replaced is not None and not replaced.other_atom_id:
            return phrases.say(language, "replaced_outside", name=name)
        if replaced is not None:
            return self._replacement(name, replaced, ended, language)
        if ended is not None and ended.valid_to:
            return phrases.say(language, "expired", name=name, day=ended.valid_to)
        return phrases.say(language, "not_valid", name=name)

    def standing(
        self, document: DocumentId, name: str, updated: str, language: str
    ) -> list[str]:
        """Say since when or until when a note holds that is not stale."""
        if UNREADABLE in self._reasons.get(document, ()):
            return [phrases.say(language, "limits_unreadable", name=name)]
        known = self._details.get(document, ())
        window = next(
            (d for d in known if d.reason == _HOLDS and (d.valid_from or d.valid_to)), None
        )
        replaces = _first(known, "supersedes")
        said = [] if window is None else [_window(name, window, language)]
        if LIMIT_UNREAD in self._reasons.get(document, ()):
            said.append(phrases.say(language, "limit_unread", name=name))
        if replaces is not None:
            other = self._other(replaces)
            said.append(phrases.say(language, "replaces", name=name, other=other))
        if said:
            return said
        key = "no_limit_updated" if updated else "no_limit"
        return [phrases.say(language, key, name=name, day=updated)]

    def has_unread_limit(self, document: DocumentId) -> bool:
        """Whether a note states a time limit that nobody could read."""
        return LIMIT_UNREAD in self._reasons.get(document, ())

    def successor_of(self, document: DocumentId) -> tuple[DocumentId, ...]:
        """The note that replaces this one, if the pack names it."""
        replaced = _first(self._details.get(document, ()), "superseded")
        if replaced is None or not replaced.other_atom_id:
            return ()
        return (document_of(replaced.other_atom_id),)

    def edges_about(self, document: DocumentId) -> tuple[EdgeId, ...]:
        """The edges that say what is said of a note's time, the newer note's window last."""
        known = [*self._details.get(document, ())]
        reasons = _STALE if self.is_stale(document) else {_HOLDS, "supersedes"}
        said = [detail.edge_id for detail in known if detail.reason in reasons]
        for newer in self.successor_of(document):
            window = (d for d in self._details.get(newer, ()) if d.reason == _HOLDS)
            said += [detail.edge_id for detail in window]
        return tuple(dict.fromkeys(said))

    def is_limited(self, document: DocumentId) -> bool:
        """Whether the pack says anything about a note's time."""
        return bool(self._details.get(document))

    def _circle(self, document: DocumentId, name: str, language: str) -> str:
        known = self._details[document]
        newer = [d for d in known if d.reason == "superseded"]
        older = {d.other_atom_id for d in known if d.reason == "supersedes"}
        mutual = next((detail for detail in newer if detail.other_atom_id in older), None)
        if mutual is None or EACH_OTHER not in self._reasons[document]:
            return phrases.say(language, "replacement_circle", name=name)
        return phrases.say(language, "replace_each_other", name=name, other=self._other(mutual))

    def _replacement(
        self,
        name: str,
        replaced: TemporalDetail,
        ended: TemporalDetail | None,
        language: str,
    ) -> str:
        since = replaced.valid_from or self._begins(document_of(replaced.other_atom_id))
        day = ended.valid_to if ended is not None else ""
        key = ("expired_replaced" if day else "replaced") + ("_since" if since else "")
        return phrases.say(
            language, key, name=name, other=self._other(replaced), day=day, since=since
        )

    def _other(self, detail: TemporalDetail) -> str:
        return self._called(document_of(detail.other_atom_id), detail.other_title)

    def _begins(self, document: DocumentId) -> str:
        known = self._details.get(document, ())
        return next((detail.valid_from for detail in known if detail.valid_from), "")


def _first(details: Sequence[TemporalDetail], reason: str) -> TemporalDetail | None:
    return next((detail for detail in details if detail.reason == reason), None)


def _window(name: str, detail: TemporalDetail, language: str) -> str:
    since, day = detail.valid_from, detail.valid_to
    key = "valid_between" if since and day else "valid_since" if since else "valid_until"
    return phrases.say(language, key, name=name, since=since, day=day)
