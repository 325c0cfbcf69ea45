"""The desk's JSON at its border: what is read is forgiving, what is written is strict.

Readers accept absent optional and unknown fields, so that old and new clients both work.
What we write has the shape of ``ConversationV1``: a key too many, one too few or a word
outside its list is our own bug. ``decode`` finds it, for whoever reads a response of ours,
and every test that asks does.

The JSON Schemas are exported to ``schemas/``; drift fails the lint stage.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from witmark.answers.asking import (
    MOST_NAME_CHARS,
    MOST_QUESTION_CHARS,
    MOST_TOP_K,
    Backend,
    ScopeRequest,
)
from witmark.answers.atoms import AtomId, DocumentId
from witmark.answers.operations import Op, Operation, fault_of
from witmark.answers.sessions import FOCUS_DOMAIN
from witmark.kernel.canon import NotCanonicalError, canonical_json
from witmark.kernel.errors import InputError, IntegrityError

Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Ref = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}#char=\d+,\d+$")]
Count = Annotated[int, Field(ge=0)]
Line = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Kind = Literal[
    "prerequisite", "analogy", "contrast", "causal", "application", "reference", "sequence"
]


class BadRequestError(InputError):
    """A request that does not have the shape its endpoint documents."""

    code = "input.request"
    hint = "see docs/formats/http.md for the fields of this request"


class MalformedAnswerError(IntegrityError):
    """A stored answer does not have the shape its format promises."""

    code = "integrity.answer-shape"
    hint = "ask again; the record was changed or cut short"


# What is read ------------------------------------------------------------------------


class _Reads(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, alias_generator=to_camel)

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, given: object) -> object:
        if isinstance(given, dict):
            return {name: value for name, value in given.items() if value is not None}
        return given


class ScopeIn(_Reads):
    """``scope`` of a request; every field may be absent."""

    workspace_id: str | None = None
    corpus_id: str | None = None
    corpus_ids: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    atom_ids: tuple[str, ...] = ()
    source_path_prefixes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    def request(self) -> ScopeRequest:
        """The scope as the desk knows it, each list sorted, each entry once."""
        corpora = {*self.corpus_ids, *([self.corpus_id] if self.corpus_id else [])}
        return ScopeRequest(
            workspace_id=self.workspace_id or "",
            corpora=tuple(sorted(corpora)),
            document_ids=tuple(DocumentId(i) for i in sorted(set(self.document_ids))),
            atom_ids=tuple(AtomId(i) for i in sorted(set(self.atom_ids))),
            path_prefixes=tuple(sorted(set(self.source_path_prefixes))),
            languages=tuple(sorted(set(self.languages))),
        )


class QueryIn(_Reads):
    """``POST /api/knowledge/query``."""

    query: str = Field(min_length=1, max_length=MOST_QUESTION_CHARS)
    top_k: int = Field(default=8, ge=1, le=MOST_TOP_K)
    as_of: dt.date | None = None
    query_backend: Backend = Backend.LOCAL_HYBRID
    scope: ScopeIn | None = None
    active_target: str | None = None


class ConversationIn(_Reads):
    """``POST /api/knowledge/conversation``."""

    message: str = Field(min_length=1, max_length=MOST_QUESTION_CHARS)
    user_id: str = ""  # of the contract; a session is whoever opened it
    session_id: str = Field(default="", max_length=MOST_NAME_CHARS)
    active_target: str | None = None
    top_k: int = Field(default=8, ge=1, le=MOST_TOP_K)
    as_of: dt.date | None = None
    scope: ScopeIn | None = None
    query_backend: Backend = Backend.LOCAL_HYBRID
    persist_memory: bool = False
    memory_namespace: str = Field(default="default", max_length=MOST_NAME_CHARS)


class OperationIn(_Reads):
    """One operation of an ingest: a note by its path, and for a move where it went."""

    op: Op
    path: str
    to_path: str | None = None

    @field_validator("path", "to_path")
    @classmethod
    def _of_a_note(cls, given: str | None) -> str | None:
        if given is not None and (fault := fault_of(given)):
            raise ValueError(fault)
        return given

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        if self.op is Op.MOVE and self.to_path is None:
            raise ValueError("a move needs toPath")
        return self

    def operation(self) -> Operation:
        """The operation as the desk knows it."""
        return Operation(self.op, self.path, self.to_path or "")


class IngestDiffIn(_Reads):
    """``POST /api/knowledge/ingest-diff``."""

    incremental: bool = True
    relation_recompute_mode: Literal["none", "incremental", "full", "auto"] = "auto"
    operations: tuple[OperationIn, ...] = ()


def _storable(given: dict[str, Any]) -> dict[str, Any]:
    try:
        canonical_json(given)
    except NotCanonicalError as error:
        raise ValueError("it holds NaN, an infinity or half a character") from error
    return given


Stored = Annotated[dict[str, Any], AfterValidator(_storable)]
"""A client's own data: whatever JSON can say."""


class PanelStateIn(_Reads):
    """``POST /api/knowledge/session-state/panel``: domains of ``panelState`` to merge."""

    session_id: str = Field(min_length=1, max_length=MOST_NAME_CHARS)
    panel_state: Stored = Field(default_factory=dict)

    @field_validator("panel_state")
    @classmethod
    def _focuses_are_reports(cls, given: dict[str, Any]) -> dict[str, Any]:
        domain = given.get(FOCUS_DOMAIN)
        if domain is None:
            return {name: one for name, one in given.items() if name != FOCUS_DOMAIN}
        reports = domain.get("reports") if isinstance(domain, dict) else ()
        if not isinstance(reports, list | None) or not all(
            isinstance(one, dict) for one in reports or []
        ):
            raise ValueError(f"{FOCUS_DOMAIN} is an object, its reports a list of objects")
        return given


class StudyIn(_Reads):
    """``POST /api/knowledge/session-state/study``: the study session, replaced whole."""

    session_id: str = Field(min_length=1, max_length=MOST_NAME_CHARS)
    study_session: Stored = Field(default_factory=dict)


class PlaceIn(_Reads):
    """A place in a note, from whatever time: every field may be absent."""

    source_path: str | None = None
    snippet: str | None = None
    text: str | None = None
    start_offset: Count | None = None
    start_line: Count | None = None
    end_line: Count | None = None
    source_hash: str | None = None
    prefix: str | None = None
    suffix: str | None = None


class FocusIn(PlaceIn):
    """``POST /api/knowledge/source-focus``: a citation, a card, or a place by itself."""

    session_id: str = Field(default="", max_length=MOST_NAME_CHARS)
    title: str = ""
    citation: PlaceIn | None = None
    citations: tuple[PlaceIn, ...] = ()
    matched_spans: tuple[PlaceIn, ...] = ()


Model = TypeVar("Model", bound=BaseModel)


def read_request(model: type[Model], body: bytes | str) -> Model:
    """Read a request.

    Raises:
        BadRequestError: it is not JSON, or a field is missing or wrong; the place is the
            field.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = "/".join(str(step) for step in first["loc"]) or "the body"
        raise BadRequestError(said(first), place=place) from error


def said(fault: Mapping[str, Any]) -> str:
    """What a fault of a request is, in words."""
    return str(fault["msg"]).removeprefix("Value error, ")


# What is written ---------------------------------------------------------------------


class _Writes(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, alias_generator=to_camel, defer_build=True
    )


class SpanV1(_Writes):
    """``EvidenceSpan``: code points, bytes, lines and columns of one stretch of source."""

    id: str
    document_id: str
    source_path: str
    language: str
    start_offset: Count
    end_offset: Count
    start_byte: Count
    end_byte: Count
    start_line: Line
    start_column: Line
    end_line: Line
    end_column: Line
    snippet: str
    prefix: str
    suffix: str
    source_hash: Sha256


class CitationV1(_Writes):
    """A place the answer rests on; the snippet is the source between its offsets."""

    citation_id: str
    atom_id: str
    document_id: str
    source_path: str
    title: str
    snippet: Annotated[str, Field(min_length=1, max_length=280)]
    start_offset: Count
    end_offset: Count
    start_line: Line
    end_line: Line
    start_column: Line
    end_column: Line
    source_hash: Sha256
    prefix: str
    suffix: str
    ref: Ref
    score: float


class SentenceV1(_Writes):
    """A sentence of the answer and the marks that the string itself does not hold."""

    text: str
    kind: Literal["direct", "rationale", "graph", "temporal", "abstention"]
    citation_ids: list[str]


class TemporalDetailV1(_Writes):
    """Why something does, or does not, hold on the day asked about."""

    atom_id: str
    title: str
    edge_kind: Literal["supersedes", "validity_window", "derived_from"]
    reason: str
    valid_from: str | None
    valid_to: str | None
    other_atom_id: str | None
    other_title: str | None
    edge_id: str


class ValidityV1(_Writes):
    """``temporalValidity`` of one card."""

    is_valid: bool
    checked_at: str
    reasons: list[str]
    details: list[TemporalDetailV1]


class PointV1(_Writes):
    """``KnowledgePoint``: one card per document."""

    atom_id: str
    atom_ids: list[str]
    document_id: str
    source_path: str
    title: str
    summary: Annotated[str, Field(max_length=240)]
    evidence_snippet: str
    score: float
    features: dict[str, float]
    citation: CitationV1 | None
    citations: list[CitationV1]
    matched_spans: list[SpanV1]
    match_count: Count
    relation_path: list[str]
    relation_path_atom_ids: list[str]
    relation_kinds: list[Kind]
    temporal_validity: ValidityV1
    capabilities: list[str]


class PathEdgeV1(_Writes):
    """One step of a path, in the direction in which it was stated."""

    id: str
    from_: str = Field(alias="from")
    to: str
    relation_kind: Kind
    provenance: Literal["fact", "inferred"]
    confidence: Share


class PathV1(_Writes):
    """``connectionPaths[]``; ``length`` counts edges."""

    source_atom_id: str
    source_title: str
    target_atom_id: str
    target_title: str
    path_atom_ids: list[str]
    path_titles: list[str]
    path_edges: list[PathEdgeV1]
    length: Count
    confidence: Share


class WindowV1(_Writes):
    """A node upstream or downstream of the anchor."""

    atom_id: str
    document_id: str
    title: str
    depth: Count
    relation_kind: Kind
    provenance: Literal["fact", "inferred"]
    confidence: Share
    priority: float
    path: PathV1 | None


class RelationV1(_Writes):
    """``relationSummaries[]``."""

    relation_kind: Kind
    edge_ids: list[str]
    source_atom_id: str
    target_atom_id: str
    average_confidence: Share
    provenance: Literal["fact", "inferred"]


class SupportV1(_Writes):
    """A support node, with the reasons for its place."""

    atom_id: str
    title: str
    score: float
    features: dict[str, float]
    temporal_validity: ValidityV1


class GraphDiagnosticsV1(_Writes):
    """``graphContext.diagnostics``."""

    graph_ops_available: bool
    used_fallback: bool
    fallback_because: str | None
    selected_anchor_reason: (
        Literal[
            "title_mention",
            "title_overlap",
            "retrieval_score",
            "retrieval_score_with_temporal_penalty",
        ]
        | None
    )
    candidate_count: Count
    support_node_count: Count
    support_node_limit: Count
    path_depth_limit: Count
    missing_connection_path_source_atom_ids: list[str]
    missing_predecessor_atom_ids: list[str]
    missing_successor_atom_ids: list[str]
    intent_aligned_candidates: Count
    intent_misaligned_candidates: Count
    order_broken_by: list[str]


class GraphContextV1(_Writes):
    """``trace.graphContext``: bounded, directed, never the whole graph."""

    anchor_atom_id: str | None
    anchor_title: str | None
    anchor_document_id: str | None
    anchor_graph_profile: dict[str, float]
    supporting_atom_ids: list[str]
    supporting_titles: list[str]
    support_nodes: list[SupportV1]
    relation_kinds: list[Kind]
    relation_summaries: list[RelationV1]
    knowledge_point_relations: list[RelationV1]
    connection_paths: list[PathV1]
    predecessor_window: list[WindowV1]
    successor_window: list[WindowV1]
    learning_order: list[WindowV1]
    comparison: dict[str, Any]
    evidence_source_refs: list[str]
    source_decisions: list[dict[str, Any]]
    fragments: list[dict[str, Any]]
    context_digest: Sha256
    omitted_refs: list[str]
    diagnostics: GraphDiagnosticsV1
    temporal_validity: dict[str, Any]
    budget: dict[str, int]


class GateV1(_Writes):
    """A gate by name, what it found, and why."""

    name: str
    outcome: Literal["holds", "fails", "undetermined"]
    because: str | None


class ReleaseReviewV1(_Writes):
    """``answerReleaseReview``."""

    decision: Literal["release", "revise", "abstain"]
    checks: list[GateV1]
    removed_sentence_count: Count


class ReadinessV1(_Writes):
    """``workspaceReadiness``."""

    status: Literal[
        "ready", "empty_store", "workspace_not_found", "workspace_unbound",
        "workspace_unindexed",
    ]  # fmt: skip
    message: str
    active_resource_count: Count
    active_projection_count: Count
    indexed_unit_count: Count
    indexed_segment_count: Count
    matched_document_count: Count


class MissV1(_Writes):
    """``missDiagnostics``."""

    reason: Literal[
        "none", "empty_store", "workspace_not_found", "workspace_unbound",
        "scope_has_no_indexed_segments", "query_no_title_or_alias_hit",
        "retrieval_candidates_below_threshold",
    ]  # fmt: skip
    message: str
    query: str
    normalized_query: str
    planner_query: str
    title_like_queries: list[str]
    title_hit_document_ids: list[str]
    indexed_scope_atom_count: Count


class ScopeV1(_Writes):
    """``usedScope``: what was asked for, and what came of it."""

    workspace_id: str | None
    corpus_id: str | None
    corpus_ids: list[str]
    document_ids: list[str]
    atom_ids: list[str]
    source_path_prefixes: list[str]
    languages: list[str]
    source: Literal["global", "scoped"]
    matched_atom_count: Count
    scope_source: Literal[
        "explicit_request", "active_workspace_target", "workspace_hydration",
        "planner_fallback", "planner_scope_recovery", "global_default",
    ]  # fmt: skip
    readiness: ReadinessV1
    miss_diagnostics: MissV1


class TraceV1(_Writes):
    """For developers: retrieval, planner, scope recovery, the graph and the gates."""

    retrieval_modes: list[str]
    as_of: str
    total_active_atoms: Count
    total_atoms_in_scope: Count
    scope: ScopeV1
    mode_weights: dict[str, float]
    latency_ms: None
    evidence_coverage_ratio: Share
    planner: dict[str, Any]
    scope_recovery: dict[str, Any] | None
    graph_context: GraphContextV1
    draft_by: str
    draft: list[dict[str, Any]]
    candidates: list[dict[str, Any]]


class ConversationV1(_Writes):
    """The conversation response: the public answer first, the rest in places of its own."""

    format: Literal["witmark.conversation/1"]
    assistant_message: str
    answer: str
    answered: bool
    language: str
    sentences: list[SentenceV1]
    assistant_blocks: list[dict[str, Any]]
    knowledge_run: dict[str, Any]
    knowledge_points: list[PointV1]
    citations: list[CitationV1]
    nearest_titles: list[str]
    recalled_memories: list[dict[str, Any]]
    memory_actions: list[dict[str, Any]]
    summary: dict[str, Any]
    used_scope: ScopeV1
    workspace_readiness: ReadinessV1
    trace: TraceV1
    answer_release_review: ReleaseReviewV1


def decode(data: bytes) -> ConversationV1:
    """Read a response of ours back, for a client or a test.

    Raises:
        MalformedAnswerError: it does not have the promised shape.
    """
    try:
        return ConversationV1.model_validate_json(data)
    except ValidationError as error:
        raise MalformedAnswerError(str(error.errors()[0]["msg"])) from error


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the conversation response."""
    return ConversationV1.model_json_schema()
