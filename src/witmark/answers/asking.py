"""What was asked, where it may be looked for, and what the planner made of it."""

from dataclasses import dataclass, field
from enum import StrEnum

from witmark.answers.atoms import AtomId, DocumentId


class Intent(StrEnum):
    """What kind of answer the question wants; one table (``intent.py``) decides for all."""

    WHAT = "what"
    WHY = "why"
    LEARN = "learn"
    HOW_TO = "how_to"
    COMPARE = "compare"
    STILL_VALID = "still_valid"
    LIST = "list"
    GENERIC = "generic"


MOST_QUESTION_CHARS, MOST_NAME_CHARS = 2_000, 200
"""Code points of a question, and of the name of a session or of a memory."""

MOST_TOP_K = 20
"""Notes that can be found at once."""


class Backend(StrEnum):
    """How candidates are found (``queryBackend``)."""

    LOCAL_HYBRID = "local_hybrid"
    KEYWORD_ONLY = "keyword_only"
    LOCAL_VECTOR = "local_vector"


# Scope -------------------------------------------------------------------------------


class ScopeSource(StrEnum):
    """Why the search was narrowed as it was (``scopeSource``)."""

    EXPLICIT_REQUEST = "explicit_request"
    ACTIVE_WORKSPACE_TARGET = "active_workspace_target"
    WORKSPACE_HYDRATION = "workspace_hydration"
    PLANNER_FALLBACK = "planner_fallback"
    PLANNER_SCOPE_RECOVERY = "planner_scope_recovery"
    GLOBAL_DEFAULT = "global_default"


class ReadinessStatus(StrEnum):
    """Whether there is something to search (``readiness.status``)."""

    READY = "ready"
    EMPTY_STORE = "empty_store"
    WORKSPACE_NOT_FOUND = "workspace_not_found"
    WORKSPACE_UNBOUND = "workspace_unbound"
    WORKSPACE_UNINDEXED = "workspace_unindexed"


class MissReason(StrEnum):
    """Why nothing was found (``missDiagnostics.reason``)."""

    NONE = "none"
    EMPTY_STORE = "empty_store"
    WORKSPACE_NOT_FOUND = "workspace_not_found"
    WORKSPACE_UNBOUND = "workspace_unbound"
    SCOPE_HAS_NO_INDEXED_SEGMENTS = "scope_has_no_indexed_segments"
    QUERY_NO_TITLE_OR_ALIAS_HIT = "query_no_title_or_alias_hit"
    RETRIEVAL_CANDIDATES_BELOW_THRESHOLD = "retrieval_candidates_below_threshold"


@dataclass(frozen=True, slots=True)
class ScopeRequest:
    """Where a question may be looked for. Within one field any may match, all fields must.

    Attributes:
        workspace_id: The workspace's name, or empty for the one at hand.
        corpora: First-level folders.
        document_ids: Notes.
        atom_ids: Sections.
        path_prefixes: Beginnings of paths, on a border of path parts.
        languages: Language codes, e.g. ``zh``.
    """

    workspace_id: str = ""
    corpora: tuple[str, ...] = ()
    document_ids: tuple[DocumentId, ...] = ()
    atom_ids: tuple[AtomId, ...] = ()
    path_prefixes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether it narrows nothing."""
        narrowed = (
            self.corpora, self.document_ids, self.atom_ids, self.path_prefixes, self.languages
        )  # fmt: skip
        return not any(narrowed)


@dataclass(frozen=True, slots=True)
class Readiness:
    """What there is to search in a scope."""

    status: ReadinessStatus
    message: str
    active_resource_count: int  # notes in the workspace
    active_projection_count: int  # notes that were indexed without a failure
    indexed_unit_count: int  # notes in the scope
    indexed_segment_count: int  # atoms in the scope
    matched_document_count: int  # notes in the scope that the planner's titles hit


@dataclass(frozen=True, slots=True)
class MissDiagnostics:
    """What was tried before it was said that the notes do not answer."""

    reason: MissReason
    message: str
    query: str
    normalized_query: str
    planner_query: str
    title_like_queries: tuple[str, ...]
    title_hit_document_ids: tuple[DocumentId, ...]
    indexed_scope_atom_count: int


@dataclass(frozen=True, slots=True)
class ScopeRecovery:
    """A search that went beyond the scope at hand because the scope held nothing."""

    reason: MissReason
    requested: ScopeRequest
    recovered_document_ids: tuple[DocumentId, ...]
    recovered_paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResolvedScope:
    """The one scope that everything after the door uses."""

    request: ScopeRequest
    scope_source: ScopeSource
    matched_atom_count: int
    readiness: Readiness
    recovery: ScopeRecovery | None = None

    @property
    def is_scoped(self) -> bool:
        """``source``: scoped, or global."""
        return not self.request.is_everything


# The plan ----------------------------------------------------------------------------


class AliasRule(StrEnum):
    """Which rule of the normaliser found a name in a question; the docs ablate each."""

    EXACT = "exact"  # the compact key of a title, a file stem or an alias
    STEMMED = "stemmed"  # the same after stemming each word
    HAN_SUBSTRING = "han_substring"  # a name inside a longer run of Han characters
    PINYIN = "pinyin"
    NUMERONYM = "numeronym"  # k8s
    INITIALS = "initials"  # IaC for "infrastructure as code"
    SHORTENED = "shortened"  # a title without number, subtitle, kind of text: bynames.py
    DEFINED = "defined"  # what an untitled note defines at its beginning
    TYPO = "typo"  # within an edit distance, only if nothing else matched


@dataclass(frozen=True, slots=True)
class AliasHit:
    """A document whose name stands in the question.

    Attributes:
        document_id: The document.
        surface: The name as its author wrote it.
        rule: How it was recognised.
        strength: From 0 to 1; how much the match says.
        start: Half-open range in the question as asked, in code points.
        end: Half-open range in the question as asked, in code points.
    """

    document_id: DocumentId
    surface: str
    rule: AliasRule
    strength: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing the question is about: its words, and the documents of that name.

    A comparison has two or more; every other question has one.
    """

    text: str
    hits: tuple[AliasHit, ...]


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What the planner made of the question; retrieval and everything after it use this.

    Attributes:
        question: As asked.
        normalized: After the central normaliser.
        planner_query: Without the scaffolding of a question ("what is", "什么是").
        intent: What kind of answer is wanted.
        language: ``zh`` or ``en``, the language to answer in.
        query_tokens: Tokens for retrieval: of the question and of every variant.
        query_variants: Compact, spaced and aliased spellings of the subjects.
        title_like_queries: The variants that look like a title.
        subjects: What it is about, in the order of the question.
        alias_hits: Every document named in it, strongest first.
    """

    question: str
    normalized: str
    planner_query: str
    intent: Intent
    language: str
    query_tokens: tuple[str, ...]
    query_variants: tuple[str, ...]
    title_like_queries: tuple[str, ...]
    subjects: tuple[Subject, ...]
    alias_hits: tuple[AliasHit, ...] = field(default=())
