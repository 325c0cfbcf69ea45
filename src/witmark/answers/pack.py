"""What an answer may rest on: the bounded, deterministic ``GraphContextPack``.

Source: the third contract, "GraphContextPack", "trace.graphContext" and "diagnostics".
"""

from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.asking import Intent
from witmark.answers.atoms import AtomId, DocumentId, EdgeId, EvidenceSpan, KnowledgeAtom
from witmark.answers.budget import Budget
from witmark.answers.edges import Provenance, RelationKind, TemporalKind
from witmark.kernel.context import ContextPack
from witmark.kernel.evidence import EvidenceRef, TextRange


class AnchorReason(StrEnum):
    """Why the anchor was chosen (``selectedAnchorReason``)."""

    TITLE_MENTION = "title_mention"
    TITLE_OVERLAP = "title_overlap"
    RETRIEVAL_SCORE = "retrieval_score"
    RETRIEVAL_SCORE_WITH_TEMPORAL_PENALTY = "retrieval_score_with_temporal_penalty"


class FragmentRole(StrEnum):
    """What a fragment is to the question."""

    DIRECT_SUPPORT = "direct_support"
    PARENT_CONTEXT = "parent_context"
    ADJACENT_CONTEXT = "adjacent_context"
    GRAPH_NEIGHBOR_SUPPORT = "graph_neighbor_support"
    CONFLICT = "conflict"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Fragment:
    """One block of source text in the pack: what it says, and where it says so.

    Attributes:
        ref: The blob of the note and the range; the only name an answer may cite it by.
        atom_id: The atom it belongs to.
        passage: Index into the atom's passages; ``FRONT_LINE`` for a line above them.
        role: What it is to the question.
        text: Plain text, whole.
        span: Its exact place.
        list_length: Of the list it is an item of; 0 for anything else.
        table_header: The passage that heads the table it is a row of; else -1.
    """

    ref: EvidenceRef
    atom_id: AtomId
    passage: int
    role: FragmentRole
    text: str
    span: EvidenceSpan
    list_length: int = 0
    table_header: int = -1


FRONT_LINE = -1
"""In place of a passage: the fragment is a line of a note's front matter."""


@dataclass(frozen=True, slots=True)
class Stated:
    """Where an edge is stated: in a fragment of the pack, at a range of its note."""

    edge_id: EdgeId
    fragment_ref: EvidenceRef
    at: TextRange


class FragmentStatus(StrEnum):
    """What became of a source that was considered."""

    READ = "read"
    SOURCE_WINDOW_UNAVAILABLE = "source_window_unavailable"
    FRAGMENT_INCLUDED = "fragment_included"
    FRAGMENT_TRUNCATED = "fragment_truncated"  # left out whole, or only its first blocks
    FRAGMENT_DROPPED = "fragment_dropped"


@dataclass(frozen=True, slots=True)
class SourceDecision:
    """Which sources were read for the pack, and which were left out, and why."""

    source_path: str
    atom_id: AtomId
    status: FragmentStatus
    role: FragmentRole
    chars: int
    because: str


@dataclass(frozen=True, slots=True)
class PathEdge:
    """One step of a path, in the direction in which it was stated."""

    edge_id: EdgeId
    source: AtomId
    target: AtomId
    kind: RelationKind
    provenance: Provenance
    edge_confidence: float


@dataclass(frozen=True, slots=True)
class ConnectionPath:
    """An ordered claim about how concepts connect; ``length`` counts edges."""

    atom_ids: tuple[AtomId, ...]
    titles: tuple[str, ...]
    edges: tuple[PathEdge, ...]
    path_confidence: float  # product over its edges

    @property
    def length(self) -> int:
        """Number of edges."""
        return len(self.edges)


@dataclass(frozen=True, slots=True)
class WindowNode:
    """A node upstream or downstream of the anchor; ``depth`` counts edges to it.

    ``via`` is the path between it and the anchor, in the direction of the edges.
    """

    atom_id: AtomId
    document_id: DocumentId
    title: str
    depth: int
    kind: RelationKind  # of the edge nearest to the anchor
    provenance: Provenance
    path_confidence: float
    priority: float
    via: ConnectionPath


@dataclass(frozen=True, slots=True)
class RelationSummary:
    """The relations of one kind between two atoms of the pack."""

    kind: RelationKind
    source: AtomId
    target: AtomId
    edge_ids: tuple[EdgeId, ...]
    average_edge_confidence: float
    provenance: Provenance  # fact if any of them is


@dataclass(frozen=True, slots=True)
class TemporalDetail:
    """Why an atom does, or does not, hold on the day asked about.

    Attributes:
        atom_id: The atom.
        title: Its document's title.
        kind: Window or replacement.
        reason: ``expired``, ``not_yet_valid``, ``superseded``, ``supersedes``, or ``holds`` for
            a window that is open, which is no reason against it.
        valid_from: ISO date or empty.
        valid_to: ISO date or empty.
        other_atom_id: The atom that replaces it, or that it replaces; else empty.
        other_title: That atom's document's title; else empty.
        edge_id: The temporal edge that says so.
    """

    atom_id: AtomId
    title: str
    kind: TemporalKind
    reason: str
    valid_from: str
    valid_to: str
    other_atom_id: AtomId
    other_title: str
    edge_id: EdgeId


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether something holds on a day, with every reason against it."""

    is_valid: bool
    checked_at: str  # ISO date
    reasons: tuple[str, ...]
    details: tuple[TemporalDetail, ...]


@dataclass(frozen=True, slots=True)
class SupportNode:
    """An atom that is not the anchor and is needed to explain, contrast, order or qualify."""

    atom: KnowledgeAtom
    score: float
    features: tuple[tuple[str, float], ...]
    validity: Validity


@dataclass(frozen=True, slots=True)
class GraphProfile:
    """How the anchor lies in the graph."""

    in_degree: int
    out_degree: int
    centrality: float  # (in + out) over the greatest of all nodes, 0 to 1


@dataclass(frozen=True, slots=True)
class GraphDiagnostics:
    """What the assembler could and could not find, for developers and gates."""

    graph_ops_available: bool
    used_fallback: bool
    fallback_because: str
    selected_anchor_reason: AnchorReason | None
    candidate_count: int
    support_node_count: int
    support_node_limit: int
    path_depth_limit: int  # in edges
    missing_path_source_atom_ids: tuple[AtomId, ...]
    missing_predecessor_atom_ids: tuple[AtomId, ...]
    missing_successor_atom_ids: tuple[AtomId, ...]
    intent_aligned_candidates: int
    intent_misaligned_candidates: int
    order_broken_by: tuple[EdgeId, ...] = ()  # cycle-closing edges among the nodes shown


@dataclass(frozen=True, slots=True)
class Comparison:
    """Where the things compared meet and part. Empty unless the intent is to compare."""

    sides: tuple[AtomId, ...]
    nearest_common_ancestors: tuple[tuple[AtomId, str], ...]  # with titles
    branch_kinds: tuple[RelationKind, ...]  # kinds of the relations between the sides
    divergent: tuple[tuple[AtomId, AtomId, str, RelationKind], ...]  # side, successor, title


@dataclass(frozen=True, slots=True)
class GraphContextPack:
    """Everything the composer sees beside the plan. Never the whole graph.

    Attributes:
        intent: What kind of answer is wanted.
        budget: The limits it was built under; the gates read the same object.
        anchor: The atom the question is about, or ``None`` if nothing was found.
        anchor_profile: Its degrees.
        anchor_validity: Whether it holds on the day asked about.
        support: Support nodes, best first.
        relations: Relations among anchor and support.
        paths: Explicit paths between support nodes and the anchor, either way.
        predecessors: Upstream of the anchor, nearest first; prerequisites before others.
        successors: Downstream.
        learning_order: Prerequisites of the anchor in topological order, the anchor last.
        comparison: For comparisons.
        temporal_warnings: Sentences' worth of reasons, one per stale or replaced node.
        fragments: Source text, most important first.
        context: The same fragments as the kernel's frozen pack; what may be cited.
        decisions: What was read and what was left out.
        evidence_refs: ``path:line``, at most the budget's number.
        diagnostics: For developers and gates.
        other_names: Of each note that is named here and has other names: those, a title in
            another language first.
        stated: Where the edges are stated that an answer may speak of.
        steps_before: Notes to be known before those of the learning order, not in it.
    """

    intent: Intent
    budget: Budget
    anchor: KnowledgeAtom | None
    anchor_profile: GraphProfile
    anchor_validity: Validity
    support: tuple[SupportNode, ...]
    relations: tuple[RelationSummary, ...]
    paths: tuple[ConnectionPath, ...]
    predecessors: tuple[WindowNode, ...]
    successors: tuple[WindowNode, ...]
    learning_order: tuple[WindowNode, ...]
    comparison: Comparison
    temporal_warnings: tuple[TemporalDetail, ...]
    fragments: tuple[Fragment, ...]
    context: ContextPack
    decisions: tuple[SourceDecision, ...]
    evidence_refs: tuple[str, ...]
    diagnostics: GraphDiagnostics
    other_names: tuple[tuple[DocumentId, tuple[str, ...]], ...] = ()
    stated: tuple[Stated, ...] = ()
    steps_before: int = 0
