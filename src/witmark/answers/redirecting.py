"""Notes that have moved: "This page has moved to [[X]]" names X by the old name as well.

A redirect is a stub that says so in words and links to one other note. An empty note with a
link in it is none: what it points at is something else.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from witmark.answers.aliases import Names
from witmark.answers.asking import AliasHit, AliasRule
from witmark.answers.atoms import Document, DocumentId
from witmark.answers.late import late
from witmark.answers.stubs import is_stub
from witmark.answers.terms import compact_key

_MOST_NAMED: Final = 3  # notes of a question that are looked at
_SURE: Final = 0.45
_STEPS_BACK: Final = 0.9  # a redirect is named less surely than the note it points to
_LONGEST: Final = 2_000  # code points of a redirect, front matter and all

_MOVED: Final = late(
    r"(?:移|搬|迁移?|遷移?)(?:动|動)?[至到往]|重定向|(?:更|改)名[为為]|合[并併][至到]|[并併]入"
    r"|\b(?:has|have|had|was|were|been|is|are) (?:now )?(?:been )?(?:moved|renamed|merged"
    r"|relocated)\b|\bmoved (?:to|into)\b|\bredirect(?:s|ed)?\b|\blives? now (?:at|in)\b"
    r"|\bcurrent\s+version\b",
    re.IGNORECASE,
)
_LINK: Final = late(
    r"(?<!!)\[\[(?P<wiki>[^\]|#^]+)[^\]]*\]\]|(?<!!)\[[^\]]*\]\((?P<path>[^)\s]+)[^)]*\)"
)
_ENDING: Final = re.compile(r"\.(?:md|markdown|html?)$", re.IGNORECASE)
_NAMES: Final = frozenset({AliasRule.EXACT, AliasRule.STEMMED})


class NamedNotes(Names, Protocol):
    """The part of a library that tells what a note says and what it is called."""

    def note(self, document_id: DocumentId) -> Document | None:
        """Return a note, be it without its atoms, or ``None``."""


def says_moved(text: str) -> bool:
    """Whether a text says that what stood here stands elsewhere now.

    >>> says_moved("This page has moved to Raw access."), says_moved("本页已移至水杯。")
    (True, True)
    >>> says_moved("See also Raw access."), says_moved("The moved parts are heavy.")
    (False, False)
    """
    return _MOVED.search(text) is not None


def with_targets(hits: Sequence[AliasHit], library: NamedNotes) -> tuple[AliasHit, ...]:
    """The notes that a question names, those first that a named redirect points to."""
    found: list[AliasHit] = []
    named = {hit.document_id for hit in hits}
    for at, hit in enumerate(hits):
        is_sure = hit.strength >= _SURE and at < _MOST_NAMED
        note = library.note(hit.document_id) if is_sure else None
        target = _target(note, library) if note is not None else None
        if target is None:
            found.append(hit)
            continue
        if target.id not in named:
            named.add(target.id)
            found.append(replace(hit, document_id=target.id, surface=target.title))
        found.append(replace(hit, strength=round(_STEPS_BACK * hit.strength, 4)))
    return tuple(sorted(found, key=lambda hit: -hit.strength))


def _target(note: Document, library: NamedNotes) -> Document | None:
    """The one note that a redirect points to; ``None`` if it is none, or points nowhere."""
    if len(note.text) > _LONGEST or not says_moved(note.text) or not is_stub(note.text):
        return None
    targets = set(_linked(note, library))
    targets.discard(note.id)
    return library.note(targets.pop()) if len(targets) == 1 else None


def _linked(note: Document, library: NamedNotes) -> Iterator[DocumentId]:
    for link in _LINK.finditer(note.text):
        written = (link["wiki"] or link["path"]).strip().partition("#")[0]
        name = written.rpartition("/")[2]
        if "://" in written or not name:
            continue
        stem = name if link["wiki"] else _ENDING.sub("", name)
        beside = posixpath.join(posixpath.dirname(note.id), posixpath.dirname(written))
        path = DocumentId(posixpath.normpath(posixpath.join(beside, f"{stem}.md")))
        if library.note(path) is not None:
            yield path
        elif len(called := _called(stem, note.id, library)) == 1:
            yield from called


def _called(name: str, but: DocumentId, library: Names) -> frozenset[DocumentId]:
    """The other notes of a name."""
    key = compact_key(name)
    entries = library.aliases([key]).get(key, ())
    return frozenset(d for d, entry in entries if entry.rule in _NAMES and d != but)
