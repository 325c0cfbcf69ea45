"""Values of this desk as plain data, under the names that the contract gives them.

Every place that writes JSON (the conversation response, a run's record, the export) uses
these functions, so a field has one spelling and one meaning. Nothing is decided here.
"""

from collections.abc import Sequence
from typing import Any

from witmark.answers.answer import Citation, KnowledgePoint, PublicAnswer, ReleaseReview
from witmark.answers.asking import (
    AliasHit,
    MissDiagnostics,
    QueryPlan,
    Readiness,
    ResolvedScope,
    ScopeRecovery,
    ScopeRequest,
)
from witmark.answers.atoms import EvidenceSpan
from witmark.answers.pack import (
    Comparison,
    ConnectionPath,
    GraphContextPack,
    GraphDiagnostics,
    RelationSummary,
    SupportNode,
    TemporalDetail,
    Validity,
    WindowNode,
)
from witmark.answers.pack_facts import validities
from witmark.kernel.canon import rounded
from witmark.kernel.gate import Check

Plain = dict[str, Any]


# Places ------------------------------------------------------------------------------


def span_plain(span: EvidenceSpan) -> Plain:
    """``EvidenceSpan``: offsets in code points, lines and columns from 1."""
    return {
        "id": span.id,
        "documentId": span.document_id,
        "sourcePath": span.source_path,
        "language": span.language,
        "startOffset": span.span.start,
        "endOffset": span.span.end,
        "startByte": span.start_byte,
        "endByte": span.end_byte,
        "startLine": span.start_line,
        "startColumn": span.start_column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "snippet": span.span.quote,
        "prefix": span.prefix,
        "suffix": span.suffix,
        "sourceHash": span.source_hash,
    }


def citation_plain(citation: Citation) -> Plain:
    """``Citation``: the snippet is the source between its offsets, exactly."""
    span = citation.span
    return {
        "citationId": citation.citation_id,
        "atomId": citation.atom_id,
        "documentId": citation.document_id,
        "sourcePath": citation.source_path,
        "title": citation.title,
        "snippet": citation.snippet,
        "startOffset": span.span.start,
        "endOffset": span.span.end,
        "startLine": span.start_line,
        "endLine": span.end_line,
        "startColumn": span.start_column,
        "endColumn": span.end_column,
        "sourceHash": span.source_hash,
        "prefix": span.prefix,
        "suffix": span.suffix,
        "ref": str(citation.ref),
        "score": rounded(citation.score),
    }


def point_plain(point: KnowledgePoint, paths: Sequence[ConnectionPath]) -> Plain:
    """``KnowledgePoint``: one card per document, with every span in it that matters."""
    first = point.citations[0] if point.citations else None
    path = _path_from(point, paths)
    return {
        "atomId": point.atom_ids[0],
        "atomIds": list(point.atom_ids),
        "documentId": point.document_id,
        "sourcePath": point.source_path,
        "title": point.title,
        "summary": point.summary,
        "evidenceSnippet": first.snippet if first else "",
        "score": rounded(point.score),
        "features": {name: rounded(value) for name, value in point.features},
        "citation": citation_plain(first) if first else None,
        "citations": [citation_plain(citation) for citation in point.citations],
        "matchedSpans": [span_plain(citation.span) for citation in point.citations],
        "matchCount": len(point.citations),
        "relationPath": list(path.titles) if path else [],
        "relationPathAtomIds": list(path.atom_ids) if path else [],
        "relationKinds": [edge.kind.value for edge in path.edges] if path else [],
        "temporalValidity": validity_plain(point.validity),
        "capabilities": ["open_source", "learning_path", "related_focus"],
    }


def _path_from(point: KnowledgePoint, paths: Sequence[ConnectionPath]) -> ConnectionPath | None:
    own = set(point.atom_ids) | {point.document_id + "#"}
    for path in paths:
        if path.atom_ids[0] in own or path.atom_ids[-1] in own:
            return path
    return None


# Time --------------------------------------------------------------------------------


def validity_plain(validity: Validity) -> Plain:
    """``temporalValidity`` of one point."""
    return {
        "isValid": validity.is_valid,
        "checkedAt": validity.checked_at,
        "reasons": list(validity.reasons),
        "details": [temporal_plain(detail) for detail in validity.details],
    }


def temporal_plain(detail: TemporalDetail) -> Plain:
    """One reason for, or against, an atom on the day asked about."""
    return {
        "atomId": detail.atom_id,
        "title": detail.title,
        "edgeKind": detail.kind.value,
        "reason": detail.reason,
        "validFrom": detail.valid_from or None,
        "validTo": detail.valid_to or None,
        "otherAtomId": detail.other_atom_id or None,
        "otherTitle": detail.other_title or None,
        "edgeId": detail.edge_id,
    }


# The graph ---------------------------------------------------------------------------


def graph_context_plain(pack: GraphContextPack) -> Plain:
    """``trace.graphContext``: the bounded pack, every path in the direction of its edges."""
    anchor = pack.anchor
    profile = pack.anchor_profile
    return {
        "anchorAtomId": anchor.id if anchor else None,
        "anchorTitle": anchor.document_title if anchor else None,
        "anchorDocumentId": anchor.document_id if anchor else None,
        "anchorGraphProfile": {
            "inDegree": profile.in_degree,
            "outDegree": profile.out_degree,
            "centrality": rounded(profile.centrality),
        },
        "supportingAtomIds": [node.atom.id for node in pack.support],
        "supportingTitles": [node.atom.document_title for node in pack.support],
        "supportNodes": [_support_plain(node) for node in pack.support],
        "relationKinds": sorted({summary.kind.value for summary in pack.relations}),
        "relationSummaries": [relation_plain(summary) for summary in pack.relations],
        "knowledgePointRelations": [relation_plain(summary) for summary in pack.relations],
        "connectionPaths": [path_plain(path) for path in pack.paths],
        "predecessorWindow": [_window_plain(node) for node in pack.predecessors],
        "successorWindow": [_window_plain(node) for node in pack.successors],
        "learningOrder": [_window_plain(node) for node in pack.learning_order],
        "comparison": _comparison_plain(pack.comparison),
        "evidenceSourceRefs": list(pack.evidence_refs),
        "sourceDecisions": [
            {
                "sourcePath": decision.source_path,
                "atomId": decision.atom_id,
                "status": decision.status.value,
                "role": decision.role.value,
                "chars": decision.chars,
                "because": decision.because,
            }
            for decision in pack.decisions
        ],
        "fragments": [
            {
                "ref": str(fragment.ref),
                "atomId": fragment.atom_id,
                "role": fragment.role.value,
                "span": span_plain(fragment.span),
            }
            for fragment in pack.fragments
        ],
        "contextDigest": pack.context.digest,
        "omittedRefs": [str(ref) for ref in pack.context.omitted],
        "diagnostics": diagnostics_plain(pack.diagnostics),
        "temporalValidity": _pack_validity(pack),
        "budget": budget_plain(pack),
    }


def budget_plain(pack: GraphContextPack) -> Plain:
    """The limits the pack was built under: the same object that the gates read."""
    budget = pack.budget
    return {
        "supportNodes": budget.support_nodes,
        "pathEdges": budget.path_edges,
        "predecessors": budget.predecessors,
        "successors": budget.successors,
        "maxFragments": budget.max_fragments,
        "maxCharsPerFragment": budget.max_fragment_chars,
        "maxTotalChars": budget.max_total_chars,
    }


def path_plain(path: ConnectionPath) -> Plain:
    """``connectionPaths[]``; ``length`` counts edges."""
    return {
        "sourceAtomId": path.atom_ids[0],
        "sourceTitle": path.titles[0],
        "targetAtomId": path.atom_ids[-1],
        "targetTitle": path.titles[-1],
        "pathAtomIds": list(path.atom_ids),
        "pathTitles": list(path.titles),
        "pathEdges": [
            {
                "id": edge.edge_id,
                "from": edge.source,
                "to": edge.target,
                "relationKind": edge.kind.value,
                "provenance": edge.provenance.value,
                "confidence": rounded(edge.edge_confidence),
            }
            for edge in path.edges
        ],
        "length": path.length,
        "confidence": rounded(path.path_confidence),
    }


def relation_plain(summary: RelationSummary) -> Plain:
    """``relationSummaries[]``."""
    return {
        "relationKind": summary.kind.value,
        "edgeIds": list(summary.edge_ids),
        "sourceAtomId": summary.source,
        "targetAtomId": summary.target,
        "averageConfidence": rounded(summary.average_edge_confidence),
        "provenance": summary.provenance.value,
    }


def diagnostics_plain(found: GraphDiagnostics) -> Plain:
    """``graphContext.diagnostics``."""
    reason = found.selected_anchor_reason
    return {
        "graphOpsAvailable": found.graph_ops_available,
        "usedFallback": found.used_fallback,
        "fallbackBecause": found.fallback_because or None,
        "selectedAnchorReason": reason.value if reason else None,
        "candidateCount": found.candidate_count,
        "supportNodeCount": found.support_node_count,
        "supportNodeLimit": found.support_node_limit,
        "pathDepthLimit": found.path_depth_limit,
        "missingConnectionPathSourceAtomIds": list(found.missing_path_source_atom_ids),
        "missingPredecessorAtomIds": list(found.missing_predecessor_atom_ids),
        "missingSuccessorAtomIds": list(found.missing_successor_atom_ids),
        "intentAlignedCandidates": found.intent_aligned_candidates,
        "intentMisalignedCandidates": found.intent_misaligned_candidates,
        "orderBrokenBy": list(found.order_broken_by),
    }


def _support_plain(node: SupportNode) -> Plain:
    return {
        "atomId": node.atom.id,
        "title": node.atom.document_title,
        "score": rounded(node.score),
        "features": {name: rounded(value) for name, value in node.features},
        "temporalValidity": validity_plain(node.validity),
    }


def _window_plain(node: WindowNode) -> Plain:
    return {
        "atomId": node.atom_id,
        "documentId": node.document_id,
        "title": node.title,
        "depth": node.depth,
        "relationKind": node.kind.value,
        "provenance": node.provenance.value,
        "confidence": rounded(node.path_confidence),
        "priority": rounded(node.priority),
        "path": path_plain(node.via) if node.via.edges else None,
    }


def _comparison_plain(comparison: Comparison) -> Plain:
    return {
        "sides": list(comparison.sides),
        "nearestCommonAncestors": [
            {"atomId": atom, "title": title}
            for atom, title in comparison.nearest_common_ancestors
        ],
        "branchKinds": [kind.value for kind in comparison.branch_kinds],
        "divergentSuccessors": [
            {"sideAtomId": side, "atomId": atom, "title": title, "relationKind": kind.value}
            for side, atom, title, kind in comparison.divergent
        ],
    }


def _pack_validity(pack: GraphContextPack) -> Plain:
    details = pack.temporal_warnings
    invalid = [atom.document_title for atom, held in validities(pack) if not held.is_valid]
    return {
        "checkedAt": pack.anchor_validity.checked_at,
        "allPointsValid": not invalid,
        "warningReasons": [f"{detail.title}: {detail.reason}" for detail in details],
        "invalidKnowledgePointTitles": list(dict.fromkeys(invalid)),
        "edgeKinds": sorted({detail.kind.value for detail in details}),
        "details": [temporal_plain(detail) for detail in details],
    }


# Scope and plan ----------------------------------------------------------------------


def scope_request_plain(request: ScopeRequest) -> Plain:
    """``scope`` as asked for; several corpora are several path prefixes to old readers."""
    return {
        "workspaceId": request.workspace_id or None,
        "corpusId": request.corpora[0] if len(request.corpora) == 1 else None,
        "corpusIds": list(request.corpora),
        "documentIds": list(request.document_ids),
        "atomIds": list(request.atom_ids),
        "sourcePathPrefixes": list(request.path_prefixes),
        "languages": list(request.languages),
    }


def scope_plain(scope: ResolvedScope, miss: MissDiagnostics) -> Plain:
    """``usedScope``: the request, what came of it, and what was tried."""
    return {**used_scope_plain(scope), "missDiagnostics": miss_plain(miss)}


def used_scope_plain(scope: ResolvedScope) -> Plain:
    """The same without the diagnostics of a miss."""
    return {
        **scope_request_plain(scope.request),
        "source": "scoped" if scope.is_scoped else "global",
        "matchedAtomCount": scope.matched_atom_count,
        "scopeSource": scope.scope_source.value,
        "readiness": readiness_plain(scope.readiness),
    }


def readiness_plain(readiness: Readiness) -> Plain:
    """``workspaceReadiness``."""
    return {
        "status": readiness.status.value,
        "message": readiness.message,
        "activeResourceCount": readiness.active_resource_count,
        "activeProjectionCount": readiness.active_projection_count,
        "indexedUnitCount": readiness.indexed_unit_count,
        "indexedSegmentCount": readiness.indexed_segment_count,
        "matchedDocumentCount": readiness.matched_document_count,
    }


def miss_plain(miss: MissDiagnostics) -> Plain:
    """``missDiagnostics``."""
    return {
        "reason": miss.reason.value,
        "message": miss.message,
        "query": miss.query,
        "normalizedQuery": miss.normalized_query,
        "plannerQuery": miss.planner_query,
        "titleLikeQueries": list(miss.title_like_queries),
        "titleHitDocumentIds": list(miss.title_hit_document_ids),
        "indexedScopeAtomCount": miss.indexed_scope_atom_count,
    }


def recovery_plain(recovery: ScopeRecovery | None) -> Plain | None:
    """``trace.scopeRecovery``, or nothing when the scope held."""
    if recovery is None:
        return None
    return {
        "reason": recovery.reason.value,
        "requestedScope": scope_request_plain(recovery.requested),
        "recoveredDocumentIds": list(recovery.recovered_document_ids),
        "recoveredSourcePaths": list(recovery.recovered_paths),
    }


def plan_plain(plan: QueryPlan) -> Plain:
    """``trace.planner``."""
    return {
        "query": plan.question,
        "normalizedQuery": plan.normalized,
        "plannerQuery": plan.planner_query,
        "intent": plan.intent.value,
        "language": plan.language,
        "queryTokens": list(plan.query_tokens),
        "queryVariants": list(plan.query_variants),
        "titleLikeQueries": list(plan.title_like_queries),
        "subjects": [subject.text for subject in plan.subjects],
        "aliasHits": [_alias_plain(hit) for hit in plan.alias_hits],
    }


def _alias_plain(hit: AliasHit) -> Plain:
    return {
        "documentId": hit.document_id,
        "surface": hit.surface,
        "rule": hit.rule.value,
        "strength": rounded(hit.strength),
        "startOffset": hit.start,
        "endOffset": hit.end,
    }


# The answer --------------------------------------------------------------------------


def sentences_plain(answer: PublicAnswer) -> list[Plain]:
    """The sentences of the public answer, each with the marks the string does not hold."""
    return [
        {
            "text": sentence.text,
            "kind": sentence.kind.value,
            "citationIds": list(sentence.citation_ids),
        }
        for sentence in answer.sentences
    ]


def review_plain(review: ReleaseReview) -> Plain:
    """``answerReleaseReview``."""
    return {
        "decision": review.decision.value,
        "checks": checks_plain(review.report.checks),
        "removedSentenceCount": len(review.removed),
    }


def checks_plain(checks: Sequence[Check]) -> list[Plain]:
    """Gates by name, with what was found and why."""
    return [
        {"name": check.name, "outcome": check.outcome.value, "because": check.because or None}
        for check in checks
    ]
