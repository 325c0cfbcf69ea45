"""The three things an ask leaves: the public answer, the evidence pane, the trace.

They are separate types on purpose: nothing of the later ones can leak into the first. The
public answer's text carries no marks; its sentences say which citations they rest on.
"""

from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.asking import QueryPlan, ResolvedScope
from witmark.answers.atoms import AtomId, DocumentId, EvidenceSpan
from witmark.answers.model_draft import ModelDraft
from witmark.answers.pack import GraphContextPack, TemporalDetail, Validity
from witmark.kernel.evidence import Basis, EvidenceRef
from witmark.kernel.gate import GateReport


class SentenceKind(StrEnum):
    """What a sentence of the public answer is for."""

    DIRECT = "direct"  # answers the question
    RATIONALE = "rationale"  # the least reason needed
    GRAPH = "graph"  # an order, a relation, a prerequisite
    TEMPORAL = "temporal"  # says that something is stale or replaced
    ABSTENTION = "abstention"  # the notes do not say


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of a fragment that a sentence rests on: where, and what stands there."""

    ref: EvidenceRef
    fragment_ref: EvidenceRef  # the fragment of the pack it was cut from
    atom_id: AtomId
    span: EvidenceSpan


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """One complete sentence a composer proposes, and what it rests on."""

    text: str
    kind: SentenceKind
    basis: Basis
    cuts: tuple[Cut, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a composer proposes; nobody has believed it yet.

    Attributes:
        sentences: In order.
        model: What asking a model came to, if one was asked; the sentences are its own only
            if it says that they are used.
    """

    sentences: tuple[DraftSentence, ...]
    model: ModelDraft | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """One place the answer rests on, openable at the very span.

    Attributes:
        citation_id: ``c1``, ``c2`` … in the order of the answer.
        atom_id: The atom.
        document_id: The note.
        source_path: Its path below the workspace.
        title: The note's title.
        snippet: The quoted source text, at most 280 code points; offsets are those of it.
        span: Its exact place; ``snippet`` is its quote.
        ref: The same as a ref.
        score: Of the retrieval; orders, proves nothing.
    """

    citation_id: str
    atom_id: AtomId
    document_id: DocumentId
    source_path: str
    title: str
    snippet: str
    span: EvidenceSpan
    ref: EvidenceRef
    score: float


@dataclass(frozen=True, slots=True)
class PublicSentence:
    """A sentence of the public answer with the ids of its citations."""

    text: str
    kind: SentenceKind
    citation_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublicAnswer:
    """What the reader gets. ``text`` holds no mark, path, counter or diagnostic."""

    text: str
    sentences: tuple[PublicSentence, ...]
    answered: bool
    language: str


@dataclass(frozen=True, slots=True)
class KnowledgePoint:
    """A document that was found, with every place in it that matters (one card each)."""

    document_id: DocumentId
    source_path: str
    title: str
    atom_ids: tuple[AtomId, ...]
    summary: str
    citations: tuple[Citation, ...]
    score: float
    features: tuple[tuple[str, float], ...]
    validity: Validity


@dataclass(frozen=True, slots=True)
class EvidencePane:
    """The secondary surface: citations, paths, relations, time."""

    citations: tuple[Citation, ...]
    points: tuple[KnowledgePoint, ...]
    pack: GraphContextPack
    temporal: tuple[TemporalDetail, ...]


class ReleaseDecision(StrEnum):
    """What the release review says of a draft."""

    RELEASE = "release"
    REVISE = "revise"  # published after sentences were taken out
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class ReleaseReview:
    """Which checks the draft passed, and what was done about those it did not."""

    decision: ReleaseDecision
    report: GateReport
    removed: tuple[DraftSentence, ...]


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """For developers: everything that was decided, in order."""

    plan: QueryPlan
    scope: ResolvedScope
    retrieval_modes: tuple[str, ...]
    mode_weights: tuple[tuple[str, float], ...]
    candidates: tuple[KnowledgePoint, ...]
    draft: Draft
    draft_by: str
    as_of: str
