"""Small notes and packs for the composer's tests, made without a parser or an index.

A note is given as its source, block by block, in the plainest Markdown: what stands after the
mark of a block is its text, character for character.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from witmark.answers.asking import AliasHit, AliasRule, Intent, QueryPlan, Subject
from witmark.answers.atoms import (
    AtomId,
    DocumentId,
    EdgeId,
    EvidenceSpan,
    KnowledgeAtom,
    Passage,
    Representation,
    SpanId,
    atom_id,
)
from witmark.answers.budget import budget_for
from witmark.answers.edges import Provenance, RelationKind, TemporalKind
from witmark.answers.notes import BlockKind, PlainText, Run
from witmark.answers.pack import (
    AnchorReason,
    Comparison,
    ConnectionPath,
    Fragment,
    FragmentRole,
    GraphContextPack,
    GraphDiagnostics,
    GraphProfile,
    PathEdge,
    SupportNode,
    TemporalDetail,
    Validity,
    WindowNode,
)
from witmark.kernel.canon import digest_of
from witmark.kernel.context import Item, Overflow
from witmark.kernel.context import pack as kernel_pack
from witmark.kernel.evidence import EvidenceRef, TextRange, TextSpan

TODAY = "2026-01-01"
HOLDS = Validity(True, TODAY, (), ())

_MARKS = (
    (re.compile(r"#{1,6} "), BlockKind.HEADING),
    (re.compile(r"> \[![^\]]*\] "), BlockKind.CALLOUT),
    (re.compile(r"> "), BlockKind.CALLOUT),
    (re.compile(r"(?:[-*]|\d+[.)]) "), BlockKind.LIST_ITEM),
    (re.compile(r"\| "), BlockKind.TABLE_ROW),
)


@dataclass(frozen=True)
class Note:
    """A note with its atoms and one fragment per block."""

    path: str
    title: str
    source: str
    atoms: tuple[KnowledgeAtom, ...]
    fragments: tuple[Fragment, ...]

    @property
    def root(self) -> KnowledgeAtom:
        return self.atoms[0]


def note(path: str, title: str, *blocks: str, updated: str = "") -> Note:
    """Cut a note: a block that begins with ``#`` starts an atom of its own."""
    source = "\n\n".join((f"# {title}", *blocks)) + "\n"
    digest = digest_of(source.encode())
    sections: list[tuple[str, list[tuple[BlockKind, int, int, int]]]] = [("", [])]
    at = 0
    for block in (f"# {title}", *blocks):
        kind, skipped = _kind(block)
        if kind is BlockKind.HEADING and at:
            sections.append((block[skipped:], []))
        sections[-1][1].append((kind, at, at + skipped, at + len(block)))
        at += len(block) + 2
    atoms = []
    fragments = []
    for ordinal, (heading, places) in enumerate(sections):
        atom = _atom(path, title, heading, places, source, digest, ordinal, updated)
        atoms.append(atom)
        for number, passage in enumerate(atom.passages):
            text = atom.content.text[passage.start : passage.end]
            span = _span(path, source, digest, passage.source_start, passage.source_end)
            ref = EvidenceRef(digest, span.span.range)
            role = FragmentRole.DIRECT_SUPPORT
            fragments.append(Fragment(ref, atom.id, number, role, text, span))
    return Note(path, title, source, tuple(atoms), tuple(fragments))


def _kind(block: str) -> tuple[BlockKind, int]:
    for mark, kind in _MARKS:
        if found := mark.match(block):
            return kind, found.end()
    return BlockKind.PARAGRAPH, 0


def _atom(path, title, heading, places, source, digest, ordinal, updated) -> KnowledgeAtom:  # noqa: PLR0913, PLR0917 - the parts of an atom
    text, runs, passages = "", [], []
    for kind, start, begin, end in places:
        plain = source[begin:end]
        passages.append(Passage(kind, len(text), len(text) + len(plain), start, end))
        runs.append(Run(len(text), begin, len(plain)))
        text += plain + "\n"
    return KnowledgeAtom(
        id=atom_id(path, heading),
        stable_key=heading,
        document_id=DocumentId(path),
        source_path=path,
        title=heading or title,
        document_title=title,
        section_path=(title, heading) if heading else (title,),
        content=PlainText(text.rstrip("\n"), tuple(runs)),
        passages=tuple(passages),
        representation=Representation.TEXT,
        keywords=(),
        language="und",
        source_hash=digest,
        updated=updated,
        ordinal=ordinal,
    )


def _span(path, source, digest, start, end) -> EvidenceSpan:
    before, inside = source[:start], source[start:end]
    last = before + inside[:-1]
    return EvidenceSpan(
        id=SpanId(f"{path}@{start}-{end}"),
        document_id=DocumentId(path),
        source_path=path,
        language="und",
        span=TextSpan(start, end, inside),
        start_byte=len(before.encode()),
        end_byte=len((before + inside).encode()),
        start_line=before.count("\n") + 1,
        start_column=len(before) - before.rfind("\n"),
        end_line=last.count("\n") + 1,
        end_column=len(last) - last.rfind("\n") + 1,
        prefix=before[-32:],
        suffix=source[end : end + 32],
        source_hash=digest,
    )


def plan(
    question: str,
    intent: Intent = Intent.GENERIC,
    *,
    language: str = "en",
    about: Sequence[tuple[str, Note]] = (),
    bare: str = "",
) -> QueryPlan:
    """A plan; ``about`` are the names in the question with the notes they mean."""
    hits = []
    for surface, named in about:
        at = max(question.find(surface), 0)
        document = DocumentId(named.path)
        hits.append(AliasHit(document, surface, AliasRule.EXACT, 1.0, at, at + len(surface)))
    subjects = tuple(Subject(hit.surface, (hit,)) for hit in hits)
    variants = tuple(hit.surface for hit in hits)
    return QueryPlan(
        question=question,
        normalized=question.lower(),
        planner_query=bare or " ".join(variants) or question,
        intent=intent,
        language=language,
        query_tokens=(),
        query_variants=variants,
        title_like_queries=variants,
        subjects=subjects,
        alias_hits=tuple(hits),
    )


def before(  # noqa: PLR0913 - the parts of a window node
    one: Note,
    anchor: Note,
    *,
    kind: RelationKind = RelationKind.PREREQUISITE,
    provenance: Provenance = Provenance.FACT,
    path_confidence: float = 1.0,
    depth: int = 1,
) -> WindowNode:
    """A node upstream of the anchor (or downstream: name them the other way round)."""
    edge = PathEdge(
        EdgeId(f"edge:{one.path}>{anchor.path}"),
        one.root.id,
        anchor.root.id,
        kind,
        provenance,
        path_confidence,
    )
    via = ConnectionPath(
        (one.root.id, anchor.root.id), (one.title, anchor.title), (edge,), path_confidence
    )
    document = one.root.document_id
    return WindowNode(
        one.root.id, document, one.title, depth, kind, provenance, path_confidence, 90.0, via
    )


def aged(one: Note, reason: str, since: str = "", until: str = "", other: Note | None = None):
    """One reason why a note does not hold, or what it replaces."""
    kind = TemporalKind.SUPERSEDES if other else TemporalKind.VALIDITY_WINDOW
    return TemporalDetail(
        atom_id=one.root.id,
        title=one.title,
        kind=kind,
        reason=reason,
        valid_from=since,
        valid_to=until,
        other_atom_id=other.root.id if other else AtomId(""),
        other_title=other.title if other else "",
        edge_id=EdgeId("edge:time"),
    )


@dataclass
class PackMaker:
    """Puts a pack together; everything not named is empty."""

    intent: Intent
    anchor: Note | None
    support: Sequence[Note] = ()
    shown: Sequence[Note] | None = None  # notes whose fragments are in the pack
    predecessors: Sequence[WindowNode] = ()
    successors: Sequence[WindowNode] = ()
    learning_order: Sequence[WindowNode] = ()
    comparison: Comparison = field(default_factory=lambda: Comparison((), (), (), ()))
    details: Sequence[TemporalDetail] = ()

    def make(self) -> GraphContextPack:
        notes = [n for n in (self.anchor, *self.support) if n is not None]
        shown = notes if self.shown is None else list(self.shown)
        fragments = tuple(f for one in shown for f in one.fragments)
        items = [Item(f.ref, f.text) for f in fragments]
        return GraphContextPack(
            intent=self.intent,
            budget=budget_for(self.intent),
            anchor=self.anchor.root if self.anchor else None,
            anchor_profile=GraphProfile(0, 0, 0.0),
            anchor_validity=self._validity(self.anchor) if self.anchor else HOLDS,
            support=tuple(
                SupportNode(n.root, 1.0, (), self._validity(n)) for n in self.support
            ),
            relations=(),
            paths=(),
            predecessors=tuple(self.predecessors),
            successors=tuple(self.successors),
            learning_order=tuple(self.learning_order),
            comparison=self.comparison,
            temporal_warnings=tuple(
                d for d in self.details if d.reason not in {"supersedes", "holds"}
            ),
            fragments=fragments,
            context=kernel_pack(items, budget_chars=100_000, overflow=Overflow.REFUSE),
            decisions=(),
            evidence_refs=(),
            diagnostics=GraphDiagnostics(
                True, False, "", AnchorReason.TITLE_MENTION, 1, 0, 2, 6, (), (), (), 0, 0
            ),
        )

    def _validity(self, one: Note) -> Validity:
        mine = tuple(d for d in self.details if d.atom_id == one.root.id)
        stale = tuple(d.reason for d in mine if d.reason not in {"supersedes", "holds"})
        return Validity(not stale, TODAY, stale, mine)


def text_at(source: str, cut) -> str:
    """What the source reads where a cut points."""
    at = cut.ref.at
    assert isinstance(at, TextRange)
    return source[at.start : at.end]
