"""Whether a note holds on a day, by what notes themselves say about time.

A window ends or has not begun; another note replaced this one, or a note that replaced it
was itself replaced. Nothing here knows today: the day is an argument, an ISO date, and ISO
dates compare as texts.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from witmark.answers.atoms import AtomId
from witmark.answers.edges import TemporalEdge, TemporalKind
from witmark.answers.pack import TemporalDetail, Validity
from witmark.answers.ports import Library

EXPIRED, NOT_YET_VALID, SUPERSEDED, SUPERSEDES = (
    "expired", "not_yet_valid", "superseded", "supersedes"
)  # fmt: skip
HOLDS = "holds"
"""A detail that is no reason against it: the window that is open on that day."""

IN_A_CIRCLE = "superseded_in_a_circle"
"""A reason: notes that replace one another; which of them holds nobody can tell."""

EACH_OTHER = "superseded_by_each_other"
"""A reason beside it: the circle is one of two notes, each of which replaces the other."""

UNREADABLE = "timeline_unreadable"
"""A reason: what the notes say about time could not be read, so nobody knows."""

_NO_EDGES: Sequence[TemporalEdge] = ()


def root_of(atom: AtomId) -> AtomId:
    """Return the root atom of an atom's note, which alone has a place in time.

    >>> root_of(AtomId("a.md#part/one"))
    'a.md#'
    """
    return AtomId(atom[: atom.rindex("#") + 1])


class Timeline:
    """Every temporal edge of a workspace, laid out for looking up."""

    def __init__(
        self, edges: Iterable[TemporalEdge], title_of: Callable[[AtomId], str]
    ) -> None:
        self._title_of = title_of
        self._is_unreadable = False
        self._windows: dict[AtomId, list[TemporalEdge]] = {}
        self._newer: dict[AtomId, list[TemporalEdge]] = {}
        self._older: dict[AtomId, list[TemporalEdge]] = {}
        for edge in sorted((e for e in edges if e.is_active), key=lambda e: e.id):
            if edge.kind is TemporalKind.VALIDITY_WINDOW:
                self._windows.setdefault(root_of(edge.target), []).append(edge)
            elif edge.kind is TemporalKind.SUPERSEDES:
                self._newer.setdefault(root_of(edge.target), []).append(edge)
                self._older.setdefault(root_of(edge.source), []).append(edge)

    @classmethod
    def of(cls, library: Library) -> "Timeline":
        """Lay out what a library knows about time; good until the library changes."""

        @cache
        def title_of(atom: AtomId) -> str:
            number = library.numbers([atom]).get(atom)
            return "" if number is None else library.atoms([number])[0].document_title

        return cls(library.temporal(), title_of)

    @classmethod
    def unreadable(cls) -> "Timeline":
        """A timeline that knows nothing, and says of every note that it does not know."""
        made = cls((), lambda _atom: "")
        made._is_unreadable = True
        return made

    def validity(self, atom: AtomId, as_of: str) -> Validity:
        """Tell whether an atom's note holds on a day, with every reason against it.

        An open window and what it replaces are told, too; they are no reasons against it.
        Of several windows one that is open is enough.
        """
        if self._is_unreadable:
            return Validity(is_valid=True, checked_at=as_of, reasons=(UNREADABLE,), details=())
        root = root_of(atom)
        if not (root in self._windows or root in self._newer or root in self._older):
            return always_valid(as_of)
        against = [*self._outside(root, as_of), *self._replaced(root, as_of)]
        reasons = [detail.reason for detail in against]
        if self._is_in_a_circle(root, as_of):
            reasons.append(IN_A_CIRCLE)
        if self._is_one_of_two(root, as_of):
            reasons.append(EACH_OTHER)
        told = (*against, *self._inside(root, as_of), *self._replacing(root, as_of))
        return Validity(not against, as_of, tuple(dict.fromkeys(reasons)), told)

    def edge(self, detail: TemporalDetail) -> TemporalEdge | None:
        """The edge that says what is told of a note."""
        root = root_of(detail.atom_id)
        for known in (self._windows, self._newer, self._older):
            for edge in known.get(root, _NO_EDGES):
                if edge.id == detail.edge_id:
                    return edge
        newer = self._newer.values()
        return next((e for found in newer for e in found if e.id == detail.edge_id), None)

    # Windows -------------------------------------------------------------------------

    def _outside(self, root: AtomId, as_of: str) -> Iterator[TemporalDetail]:
        windows = self._windows.get(root, _NO_EDGES)
        if not any(_is_open(window, as_of) for window in windows):
            for window in windows:
                begun = window.valid_from <= as_of
                reason = EXPIRED if begun else NOT_YET_VALID
                yield self._detail(root, window, reason, None)

    def _inside(self, root: AtomId, as_of: str) -> Iterator[TemporalDetail]:
        for window in self._windows.get(root, _NO_EDGES):
            if _is_open(window, as_of):
                yield self._detail(root, window, HOLDS, None)

    def _has_begun(self, root: AtomId, as_of: str) -> bool:
        windows = self._windows.get(root, _NO_EDGES)
        return not windows or any(window.valid_from <= as_of for window in windows)

    def _is_open(self, root: AtomId, as_of: str) -> bool:
        return not any(self._outside(root, as_of))

    # Replacements --------------------------------------------------------------------

    def _replaced(self, root: AtomId, as_of: str) -> Iterator[TemporalDetail]:
        newer = self._edges_to_newer(root, as_of)
        if not newer:
            return
        best = self._newest(root, as_of)
        # The edge that says so is the one that leads to the note that is named.
        yield self._detail(
            root, newer.get(best) or next(iter(newer.values())), SUPERSEDED, best
        )

    def _edges_to_newer(self, root: AtomId, as_of: str) -> dict[AtomId, TemporalEdge]:
        """What replaced a note by that day: a note that has not begun replaces nothing yet."""
        found: dict[AtomId, TemporalEdge] = {}
        for edge in self._newer.get(root, _NO_EDGES):
            newer = root_of(edge.source)
            if newer != root and _is_open(edge, as_of) and self._has_begun(newer, as_of):
                found.setdefault(newer, edge)
        return found

    def _newest(self, root: AtomId, as_of: str) -> AtomId:
        """The note at the end of the replacements that itself holds, if one of them does."""
        depth = self._successors(root, as_of)

        def merit(node: AtomId) -> tuple[bool, bool, int, str]:
            last = not (self._edges_to_newer(node, as_of).keys() - {root})
            return self._is_open(node, as_of), last, depth[node], self._begin(node)

        return max(sorted(depth), key=merit)

    def _successors(self, root: AtomId, as_of: str) -> dict[AtomId, int]:
        """All that replaced it, transitively, by their distance. A circle ends the search."""
        depth: dict[AtomId, int] = {}
        front = [root]
        while front:
            further = []
            for node in front:
                for newer in self._edges_to_newer(node, as_of):
                    if newer not in depth and newer != root:
                        depth[newer] = depth.get(node, 0) + 1
                        further.append(newer)
            front = further
        return depth

    def _is_in_a_circle(self, root: AtomId, as_of: str) -> bool:
        return any(
            root in self._edges_to_newer(newer, as_of)
            for newer in self._successors(root, as_of)
        )

    def _is_one_of_two(self, root: AtomId, as_of: str) -> bool:
        return any(
            root in self._edges_to_newer(newer, as_of)
            for newer in self._edges_to_newer(root, as_of)
        )

    def _begin(self, root: AtomId) -> str:
        return max((w.valid_from for w in self._windows.get(root, _NO_EDGES)), default="")

    def _replacing(self, root: AtomId, as_of: str) -> Iterator[TemporalDetail]:
        if not self._has_begun(root, as_of):
            return
        for edge in self._older.get(root, _NO_EDGES):
            older = root_of(edge.target)
            if older != root and _is_open(edge, as_of):
                yield self._detail(root, edge, SUPERSEDES, older)

    # Telling -------------------------------------------------------------------------

    def _detail(
        self, root: AtomId, edge: TemporalEdge, reason: str, other: AtomId | None
    ) -> TemporalDetail:
        return TemporalDetail(
            atom_id=root,
            title=self._title_of(root),
            kind=edge.kind,
            reason=reason,
            valid_from=edge.valid_from,
            valid_to=edge.valid_to,
            other_atom_id=AtomId("") if other is None else other,
            other_title="" if other is None else self._title_of(other),
            edge_id=edge.id,
        )


def _is_open(edge: TemporalEdge, as_of: str) -> bool:
    return edge.valid_from <= as_of and (not edge.valid_to or as_of <= edge.valid_to)


@lru_cache(64)
def always_valid(as_of: str) -> Validity:
    """What is said of a note about which nothing is known but that it is there."""
    return Validity(is_valid=True, checked_at=as_of, reasons=(), details=())
