"""What a pack knows, laid out for looking up: names, edges, stale nodes, shown fragments.

The gates and the release review hold a draft to these facts and to nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import AtomId, DocumentId, KnowledgeAtom
from witmark.answers.claims import spelled
from witmark.answers.edges import SYMMETRIC, RelationKind
from witmark.answers.pack import (
    ConnectionPath,
    Fragment,
    GraphContextPack,
    PathEdge,
    TemporalDetail,
    Validity,
)
from witmark.answers.titles import title_in
from witmark.kernel.evidence import EvidenceRef

DocumentEdge = tuple[DocumentId, DocumentId, RelationKind]


@dataclass(frozen=True, slots=True)
class PackFacts:
    """A pack, and the subjects of the question, by name and by place.

    Attributes:
        names: From a title, or a name the question used, as ``spelled`` to its document;
            of several of one title to the first of them.
        same: From a document to the first of those that bear its title.
        titles: Every title as written, and as it is in the other language.
        edges: Relations between documents, each symmetric one both ways.
        asked: Documents the question names, and the anchor's.
        near: Those, and every document the pack reaches from them.
        stale: Per document that does not hold on the day asked about: why.
        shown: Every fragment by its ref.
    """

    names: Mapping[str, DocumentId]
    same: Mapping[DocumentId, DocumentId]
    titles: frozenset[str]
    edges: frozenset[DocumentEdge]
    asked: frozenset[DocumentId]
    near: frozenset[DocumentId]
    stale: Mapping[DocumentId, tuple[TemporalDetail, ...]]
    shown: Mapping[EvidenceRef, Fragment]

    def one(self, document: str) -> DocumentId:
        """The document that stands for all of its title; a name cannot tell them apart."""
        found = DocumentId(document)
        return self.same.get(found, found)

    def pairs(self, pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        """The same pairs between documents that names can tell apart."""
        return frozenset((self.one(a), self.one(b)) for a, b in pairs)

    def all_named(self, document: str) -> frozenset[DocumentId]:
        """Every document of the title that this one stands for."""
        bearing = {other for other, first in self.same.items() if first == document}
        return frozenset(bearing | {DocumentId(document)})


def document_of(atom_id: AtomId) -> DocumentId:
    """Return the note an atom belongs to.

    >>> document_of(AtomId("c#/notes.md#part/one"))
    'c#/notes.md'
    """
    return DocumentId(atom_id.rpartition("#")[0])


def facts_of(plan: QueryPlan, pack: GraphContextPack) -> PackFacts:
    """Lay out what the pack and the plan know."""
    titled = sorted(set(_titled(pack)))
    first: dict[str, DocumentId] = {}
    for document, title in titled:
        first.setdefault(spelled(title), document)
    same = {document: first[spelled(title)] for document, title in titled if title}
    named = {name: same.get(one, one) for name, one in _asked_names(plan).items()}
    translated = tuple(_translated(pack, titled))
    others = {spelled(title): same.get(one, one) for one, title in translated if title}
    asked = frozenset(hit.document_id for subject in plan.subjects for hit in subject.hits)
    anchor = frozenset() if pack.anchor is None else frozenset({pack.anchor.document_id})
    return PackFacts(
        names={**others, **named, **{name: one for name, one in first.items() if name}},
        same=same,
        titles=frozenset(title for _, title in (*titled, *translated)),
        edges=frozenset(document_edges(pack)),
        asked=asked | anchor,
        near=asked | anchor | frozenset(document for document, _ in titled),
        stale=_stale(pack),
        shown={fragment.ref: fragment for fragment in pack.fragments},
    )


def path_edges(pack: GraphContextPack) -> tuple[PathEdge, ...]:
    """Every step of every path in the pack, once, by edge id."""
    steps = {edge.edge_id: edge for path in paths_of(pack) for edge in path.edges}
    return tuple(steps[name] for name in sorted(steps))


def paths_of(pack: GraphContextPack) -> Iterator[ConnectionPath]:
    """Every path in the pack: between support and anchor, and those of the windows."""
    yield from pack.paths
    for node in (*pack.predecessors, *pack.successors, *pack.learning_order):
        if node.via.edges:
            yield node.via


def validities(pack: GraphContextPack) -> Iterator[tuple[KnowledgeAtom, Validity]]:
    """The anchor and the support nodes, each with whether it holds."""
    if pack.anchor is not None:
        yield pack.anchor, pack.anchor_validity
    for node in pack.support:
        yield node.atom, node.validity


def _asked_names(plan: QueryPlan) -> dict[str, DocumentId]:
    names: dict[str, DocumentId] = {}
    for subject in plan.subjects:
        for hit in subject.hits:
            names.setdefault(spelled(hit.surface), hit.document_id)
        if subject.hits:
            names.setdefault(spelled(subject.text), subject.hits[0].document_id)
    return names


def _translated(
    pack: GraphContextPack, titled: Iterable[tuple[DocumentId, str]]
) -> Iterator[tuple[DocumentId, str]]:
    """What the notes are called in the one language and in the other."""
    others = dict(pack.other_names)
    for document, title in titled:
        for language in ("zh", "en"):
            shown = title_in(language, title, others.get(document, ()), document)
            if shown != title:
                yield document, shown


def _titled(pack: GraphContextPack) -> Iterator[tuple[DocumentId, str]]:
    for atom, _ in validities(pack):
        yield atom.document_id, atom.document_title
    for node in (*pack.predecessors, *pack.successors, *pack.learning_order):
        yield node.document_id, node.title
    for path in paths_of(pack):
        for atom_id, title in zip(path.atom_ids, path.titles, strict=True):
            yield document_of(atom_id), title
    for atom_id, title in pack.comparison.nearest_common_ancestors:
        yield document_of(atom_id), title
    for _, atom_id, title, _ in pack.comparison.divergent:
        yield document_of(atom_id), title
    for detail in pack.temporal_warnings:
        yield document_of(detail.atom_id), detail.title
        if detail.other_atom_id:
            yield document_of(detail.other_atom_id), detail.other_title


def document_edges(pack: GraphContextPack) -> Iterator[DocumentEdge]:
    """Every relation that the pack shows, between notes; those of no direction both ways."""
    stated = [(edge.source, edge.target, edge.kind) for edge in path_edges(pack)]
    stated += [(one.source, one.target, one.kind) for one in pack.relations]
    stated += [(side, next_, kind) for side, next_, _, kind in pack.comparison.divergent]
    pairs = list(permutations(pack.comparison.sides, 2))
    stated += [(one, other, k) for k in pack.comparison.branch_kinds for one, other in pairs]
    for source, target, kind in stated:
        yield document_of(source), document_of(target), kind
        if kind in SYMMETRIC:
            yield document_of(target), document_of(source), kind


def _stale(pack: GraphContextPack) -> dict[DocumentId, tuple[TemporalDetail, ...]]:
    found: dict[DocumentId, list[TemporalDetail]] = {}
    for atom, validity in validities(pack):
        if not validity.is_valid:
            found.setdefault(atom.document_id, []).extend(validity.details)
    for detail in pack.temporal_warnings:
        if detail.reason != "supersedes":
            here = found.setdefault(document_of(detail.atom_id), [])
            here.extend([detail] if detail not in here else [])
    return {document: tuple(found[document]) for document in sorted(found)}
