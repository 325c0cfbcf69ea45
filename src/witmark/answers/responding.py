"""The conversation response: what the doors hand out, made from what an ask left.

The public answer stands alone at the top. Citation marks, warnings, memory notices and the
run's gates stand in typed blocks; everything a developer wants stands in ``trace``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witmark.answers.answer import (
    AnswerTrace,
    DraftSentence,
    EvidencePane,
    KnowledgePoint,
    PublicAnswer,
    ReleaseReview,
    SentenceKind,
)
from witmark.answers.asking import MissDiagnostics, QueryPlan
from witmark.answers.edges import RelationKind
from witmark.answers.pack import TemporalDetail, WindowNode
from witmark.answers.plain import (
    Plain,
    citation_plain,
    plan_plain,
    point_plain,
    readiness_plain,
    recovery_plain,
    review_plain,
    scope_plain,
    sentences_plain,
)
from witmark.answers.retrieving import Retrieval
from witmark.answers.runs import RunRecord
from witmark.kernel.canon import canonical_json, canonical_object, rounded

FORMAT = "witmark.conversation/1"
ACTIONS = ("learning_path", "related_focus")
"""The fixed actions on every hit. Source: the third contract, click hint and actions."""

_HINTS = {
    "zh": "打开一条引用，即可在原文中看到高亮的位置。",
    "en": "Open a citation to see its place marked in the source.",
}
_READ_IN_ORDER = frozenset({RelationKind.PREREQUISITE, RelationKind.SEQUENCE})
_NEXT = {
    "zh": ("先读：{}", "接着读：{}"),
    "en": ("Read first: {}", "Read next: {}"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything one ask left behind.

    Attributes:
        public: What the reader gets.
        pane: The evidence pane.
        trace: For developers.
        review: The release review.
        miss: Why nothing was found, if nothing was.
        run: The ``knowledge_run`` record.
        nearest: Titles offered when the notes do not tell.
        recalled: Memories of this session, as plain data.
        memory_actions: What was done about memory, as plain data.
        atoms: Atoms in the whole library.
    """

    public: PublicAnswer
    pane: EvidencePane
    trace: AnswerTrace
    review: ReleaseReview
    miss: MissDiagnostics
    run: RunRecord
    nearest: tuple[str, ...]
    recalled: tuple[Plain, ...]
    memory_actions: tuple[Plain, ...]
    atoms: int


def encode(asked: Asked) -> bytes:
    """Return the canonical bytes of the response.

    The record and its graph, most of a response, are those that were kept, byte for byte.
    """
    parts = {"knowledgeRun": asked.run.to_bytes(), "trace": _trace_bytes(asked)}
    rest = {name: canonical_json(value) for name, value in _rest(asked).items()}
    return canonical_object({**rest, **parts})


def respond(asked: Asked) -> Plain:
    """Return the response as plain data, in the shape of ``wire.ConversationV1``."""
    graph = {"graphContext": asked.run.plain["graphContext"]}
    return {
        **_rest(asked),
        "knowledgeRun": asked.run.plain,
        "trace": {**_trace(asked), **graph},
    }


def _rest(asked: Asked) -> Plain:
    """Everything but the record and the trace."""
    pane, trace = asked.pane, asked.trace
    return {
        "format": FORMAT,
        "assistantMessage": asked.public.text,
        "answer": asked.public.text,
        "answered": asked.public.answered,
        "language": asked.public.language,
        "sentences": sentences_plain(asked.public),
        "assistantBlocks": list(_blocks(asked)),
        "knowledgePoints": [point_plain(point, pane.pack.paths) for point in pane.points],
        "citations": [citation_plain(citation) for citation in pane.citations],
        "nearestTitles": list(asked.nearest),
        "recalledMemories": list(asked.recalled),
        "memoryActions": list(asked.memory_actions),
        "summary": _summary(asked),
        "usedScope": scope_plain(trace.scope, asked.miss),
        "workspaceReadiness": readiness_plain(trace.scope.readiness),
        "answerReleaseReview": review_plain(asked.review),
    }


def _summary(asked: Asked) -> Plain:
    return {
        "intent": asked.trace.plan.intent.value,
        "citationCount": len(asked.pane.citations),
        "knowledgePointCount": len(asked.pane.points),
        "connectionPathCount": len(asked.pane.pack.paths),
        "temporalWarningCount": len(asked.pane.pack.temporal_warnings),
    }


def _trace_bytes(asked: Asked) -> bytes:
    encoded = {name: canonical_json(value) for name, value in _trace(asked).items()}
    return canonical_object({**encoded, "graphContext": asked.run.encoded["graphContext"]})


def _trace(asked: Asked) -> Plain:
    """The trace but for its graph, which is that of the record."""
    trace = asked.trace
    return {
        "retrievalModes": list(trace.retrieval_modes),
        "asOf": trace.as_of,
        "totalActiveAtoms": asked.atoms,
        "totalAtomsInScope": trace.scope.matched_atom_count,
        "scope": scope_plain(trace.scope, asked.miss),
        "modeWeights": {name: rounded(weight) for name, weight in trace.mode_weights},
        "latencyMs": None,  # measured at the door (Server-Timing): same input, same bytes
        "evidenceCoverageRatio": rounded(_coverage(trace.draft.sentences)),
        "planner": plan_plain(trace.plan),
        "scopeRecovery": recovery_plain(trace.scope.recovery),
        "draftBy": trace.draft_by,
        "draft": [
            {"text": sentence.text, "kind": sentence.kind.value, "basis": sentence.basis.value}
            for sentence in trace.draft.sentences
        ],
        "candidates": [_candidate(point) for point in trace.candidates],
    }


def _coverage(sentences: Sequence[DraftSentence]) -> float:
    """The share of the draft's sentences that rest on a cut; nothing drafted is 0."""
    if not sentences:
        return 0.0
    return sum(bool(sentence.cuts) for sentence in sentences) / len(sentences)


def _candidate(point: KnowledgePoint) -> Plain:
    return {
        "documentId": point.document_id,
        "title": point.title,
        "score": rounded(point.score),
        "features": {name: rounded(value) for name, value in point.features},
    }


# Blocks ------------------------------------------------------------------------------


def _blocks(asked: Asked) -> Iterator[Plain]:
    yield _structured(asked)
    yield {"type": "main_markdown", "markdown": marked(asked.public)}
    for notice in _notices(asked):
        yield {"type": "system_notice", **notice}
    yield {
        "type": "citations",
        "citationIds": [citation.citation_id for citation in asked.pane.citations],
        "hint": _HINTS[asked.public.language],
    }
    yield {
        "type": "knowledge_actions",
        "atomIds": [point.atom_ids[0] for point in asked.pane.points],
        "actions": list(ACTIONS),
    }
    yield {
        "type": "knowledge_run_summary",
        "runId": asked.run.run_id,
        "status": asked.run.plain["status"],
    }


def marked(public: PublicAnswer) -> str:
    """The answer as Markdown with its citation marks, for copying; the string has none.

    A mark stands before the stop that ends its sentence in neither language: after it.
    """
    gap = "" if public.language == "zh" else " "
    return gap.join(
        sentence.text + "".join(f"[^{mark}]" for mark in sentence.citation_ids)
        for sentence in public.sentences
    )


def _structured(asked: Asked) -> Plain:
    sentences = asked.public.sentences
    told = [s.text for s in sentences if s.kind is not SentenceKind.DIRECT]
    return {
        "type": "structured_answer",
        "directAnswer": asked.public.text,
        "overviewMarkdown": "\n".join(
            s.text for s in sentences if s.kind is SentenceKind.DIRECT
        ),
        "explanationMarkdown": "\n".join(told),
        "evidenceMarkdown": "\n".join(
            f"[^{c.citation_id}]: [[{_without_extension(c.source_path)}]] "
            f"{' '.join(c.snippet.split())}"
            for c in asked.pane.citations
        ),
        "nextActionsMarkdown": "\n".join(_next(asked)),
        "counts": {
            "citations": len(asked.pane.citations),
            "knowledgePoints": len(asked.pane.points),
        },
    }


def _without_extension(path: str) -> str:
    return path.rpartition(".")[0] or path


def _next(asked: Asked) -> Iterator[str]:
    """What to read before and after, as wikilinks; never part of the answer."""
    before, after = _NEXT[asked.public.language]
    pack = asked.pane.pack
    rank = {node.document_id: at for at, node in enumerate(pack.learning_order)}
    first = [n for n in pack.predecessors if n.kind in _READ_IN_ORDER]
    first.sort(key=lambda n: (rank.get(n.document_id, -1), -n.depth, n.atom_id))
    then = [n for n in pack.successors if n.kind in _READ_IN_ORDER]
    then.sort(key=lambda n: (n.depth, n.atom_id))
    for pattern, window in ((before, first), (after, then)):
        links = dict.fromkeys(_link(node) for node in window)
        if links:
            yield "- " + pattern.format(", ".join(links))


def _link(node: WindowNode) -> str:
    return f"[[{_without_extension(node.document_id)}|{node.title}]]"


def _notices(asked: Asked) -> Iterator[Plain]:
    recovery = asked.trace.scope.recovery
    if recovery is not None:
        yield {"notice": "scope_recovered", "paths": list(recovery.recovered_paths)}
    for warning in asked.pane.pack.temporal_warnings:
        yield {"notice": "temporal_warning", **_warning(warning)}
    for action in asked.memory_actions:
        yield {"notice": "memory", **action}
    model = asked.trace.draft.model
    if model is not None and model.is_used:
        yield {"notice": "worded_by_model", "model": model.worded_by}
    elif model is not None:
        yield {"notice": "not_worded_by_model", "outcome": model.outcome.value}


def _warning(warning: TemporalDetail) -> Plain:
    return {
        "title": warning.title,
        "reason": warning.reason,
        "validTo": warning.valid_to or None,
        "otherTitle": warning.other_title or None,
    }


# Retrieval alone ----------------------------------------------------------------------


def query_plain(
    plan: QueryPlan,
    found: Retrieval,
    points: Sequence[KnowledgePoint],
    as_of: str,
    total_atoms: int,
) -> Plain:
    """The response of ``/api/knowledge/query``: what was found, and the query trace."""
    return {
        "format": "witmark.query/1",
        "results": [point_plain(point, ()) for point in points],
        "trace": {
            "retrievalModes": list(found.modes),
            "asOf": as_of,
            "totalActiveAtoms": total_atoms,
            "totalAtomsInScope": found.scope.matched_atom_count,
            "scope": scope_plain(found.scope, found.miss),
            "modeWeights": {name: rounded(weight) for name, weight in found.mode_weights},
            "latencyMs": None,
            "evidenceCoverageRatio": rounded(found.coverage),
            "planner": plan_plain(plan),
            "scopeRecovery": recovery_plain(found.scope.recovery),
        },
    }
