"""What an ask made, as plain data under the contract's names: scope, graph context, citations.

Every function here is for an edge: a durable record, an export, a response. Each documents
the fields it writes; nothing is read back from them into values.
"""

from witmark.answers.answer import Citation, PublicAnswer, ReleaseReview
from witmark.answers.asking import ResolvedScope, ScopeRequest
from witmark.answers.evidence_claims import EvidenceClaim
from witmark.answers.gates import Quality
from witmark.answers.memory import Memory, MemoryAction, ReviewCard
from witmark.answers.pack import (
    ConnectionPath,
    GraphContextPack,
    GraphDiagnostics,
    RelationSummary,
    TemporalDetail,
    WindowNode,
)
from witmark.answers.pack_facts import validities
from witmark.kernel.canon import rounded
from witmark.kernel.gate import GateReport

Plain = dict[str, object]


def request_to_plain(request: ScopeRequest) -> Plain:
    """``workspaceId, corpusId, documentIds, atomIds, sourcePathPrefixes, languages``.

    The contract's one ``corpusId`` is the first of ``corpusIds``, or empty.
    """
    return {
        "workspaceId": request.workspace_id,
        "corpusId": next(iter(request.corpora), ""),
        "corpusIds": list(request.corpora),
        "documentIds": list(request.document_ids),
        "atomIds": list(request.atom_ids),
        "sourcePathPrefixes": list(request.path_prefixes),
        "languages": list(request.languages),
    }


def scope_to_plain(scope: ResolvedScope) -> Plain:
    """The request's fields, ``source``, ``scopeSource``, ``matchedAtomCount``, ``readiness``
    and, after a recovery, ``scopeRecovery``.
    """  # noqa: D205 - a list of fields, not a summary
    ready = scope.readiness
    made: Plain = {
        **request_to_plain(scope.request),
        "source": "scoped" if scope.is_scoped else "global",
        "scopeSource": scope.scope_source.value,
        "matchedAtomCount": scope.matched_atom_count,
        "readiness": {
            "status": ready.status.value,
            "message": ready.message,
            "activeResourceCount": ready.active_resource_count,
            "activeProjectionCount": ready.active_projection_count,
            "indexedUnitCount": ready.indexed_unit_count,
            "indexedSegmentCount": ready.indexed_segment_count,
            "matchedDocumentCount": ready.matched_document_count,
        },
    }
    if scope.recovery is not None:
        made["scopeRecovery"] = {
            "reason": scope.recovery.reason.value,
            "requestedScope": request_to_plain(scope.recovery.requested),
            "recoveredDocumentIds": list(scope.recovery.recovered_document_ids),
            "recoveredSourcePaths": list(scope.recovery.recovered_paths),
        }
    return made


def citation_to_plain(citation: Citation) -> Plain:
    """``citationId, atomId, documentId, sourcePath, title, snippet, startOffset, endOffset,
    startLine, endLine, sourceHash, prefix, suffix, score``; offsets are of the snippet.
    """  # noqa: D205 - a list of fields, not a summary
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
        "sourceHash": span.source_hash,
        "prefix": span.prefix,
        "suffix": span.suffix,
        "score": rounded(citation.score),
    }


def answer_to_plain(answer: PublicAnswer) -> Plain:
    """``text, answered, language, sentences[{text, kind, citationIds}]``."""
    return {
        "text": answer.text,
        "answered": answer.answered,
        "language": answer.language,
        "sentences": [
            {"text": one.text, "kind": one.kind.value, "citationIds": list(one.citation_ids)}
            for one in answer.sentences
        ],
    }


def claim_to_plain(claim: EvidenceClaim) -> Plain:
    """``text, status, sourcePath, snippet, line``."""
    return {
        "text": claim.text,
        "status": claim.status.value,
        "sourcePath": claim.source_path,
        "snippet": claim.snippet,
        "line": claim.line,
    }


def report_to_plain(report: GateReport) -> list[Plain]:
    """Per check ``name``, ``outcome`` (holds, fails, undetermined) and ``because``."""
    return [
        {"name": check.name, "outcome": check.outcome.value, "because": check.because}
        for check in report.checks
    ]


def quality_to_plain(quality: Quality) -> Plain:
    """``score, status, gates``."""
    return {
        "score": quality.score,
        "status": quality.status.value,
        "gates": report_to_plain(quality.report),
    }


def review_to_plain(review: ReleaseReview) -> Plain:
    """``decision, checks, removedSentenceCount``; what was removed is not repeated."""
    return {
        "decision": review.decision.value,
        "checks": report_to_plain(review.report),
        "removedSentenceCount": len(review.removed),
    }


def card_to_plain(card: ReviewCard) -> Plain:
    """``cardId, question, answerAtomId, due``."""
    return {
        "cardId": card.card_id,
        "question": card.question,
        "answerAtomId": card.answer_atom_id,
        "due": card.due,
    }


def action_to_plain(action: MemoryAction) -> Plain:
    """``kind, status, layer, namespace, memoryId``."""
    return {
        "kind": action.kind,
        "status": action.status,
        "layer": action.layer,
        "namespace": action.namespace,
        "memoryId": action.memory_id,
    }


def memory_to_plain(memory: Memory) -> Plain:
    """``memoryId, namespace, question, atomIds, recordedAt``."""
    return {
        "memoryId": memory.memory_id,
        "namespace": memory.namespace,
        "question": memory.question,
        "atomIds": list(memory.atom_ids),
        "recordedAt": memory.recorded,
    }


# The graph context -------------------------------------------------------------------


def graph_context_to_plain(pack: GraphContextPack) -> Plain:
    """The contract's ``graphContext``: anchor, support, relations, paths, windows, time,
    evidence refs and diagnostics. Source text is not in it, and the whole graph never.
    """  # noqa: D205 - a list of fields, not a summary
    anchor = pack.anchor
    profile = pack.anchor_profile
    return {
        "anchorAtomId": anchor.id if anchor else "",
        "anchorTitle": anchor.document_title if anchor else "",
        "anchorDocumentId": anchor.document_id if anchor else "",
        "anchorGraphProfile": {
            "inDegree": profile.in_degree,
            "outDegree": profile.out_degree,
            "centrality": rounded(profile.centrality),
        },
        "supportingAtomIds": [node.atom.id for node in pack.support],
        "supportingTitles": [node.atom.document_title for node in pack.support],
        "relationKinds": sorted({one.kind.value for one in pack.relations}),
        "relationSummaries": [_relation(one) for one in pack.relations],
        "knowledgePointRelations": [
            {
                "sourceAtomId": one.source,
                "targetAtomId": one.target,
                "relationKind": one.kind.value,
            }
            for one in pack.relations
        ],
        "connectionPaths": [path_to_plain(path) for path in pack.paths],
        "predecessorWindow": [_node(node) for node in pack.predecessors],
        "successorWindow": [_node(node) for node in pack.successors],
        "learningOrder": [_node(node) for node in pack.learning_order],
        "comparison": {
            "sides": list(pack.comparison.sides),
            "nearestCommonAncestors": [
                {"atomId": atom, "title": title}
                for atom, title in pack.comparison.nearest_common_ancestors
            ],
            "branchKinds": [kind.value for kind in pack.comparison.branch_kinds],
            "divergentSuccessors": [
                {"sideAtomId": side, "atomId": atom, "title": title, "relationKind": kind.value}
                for side, atom, title, kind in pack.comparison.divergent
            ],
        },
        "evidenceSourceRefs": list(pack.evidence_refs),
        "temporalValidity": _temporal(pack),
        "diagnostics": _diagnostics(pack.diagnostics),
    }


def path_to_plain(path: ConnectionPath) -> Plain:
    """``sourceAtomId, sourceTitle, targetAtomId, targetTitle, pathAtomIds, pathTitles,
    pathEdges[{from, to, relationKind, provenance, confidence}], length, confidence``;
    each edge runs in the direction in which it was stated, and ``length`` counts edges.
    """  # noqa: D205 - a list of fields, not a summary
    return {
        "sourceAtomId": path.atom_ids[0],
        "sourceTitle": path.titles[0],
        "targetAtomId": path.atom_ids[-1],
        "targetTitle": path.titles[-1],
        "pathAtomIds": list(path.atom_ids),
        "pathTitles": list(path.titles),
        "pathEdges": [
            {
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


def _relation(one: RelationSummary) -> Plain:
    return {
        "relationKind": one.kind.value,
        "edgeIds": list(one.edge_ids),
        "sourceAtomIds": [one.source],
        "targetAtomIds": [one.target],
        "averageConfidence": rounded(one.average_edge_confidence),
        "provenance": one.provenance.value,
    }


def _node(node: WindowNode) -> Plain:
    return {
        "atomId": node.atom_id,
        "documentId": node.document_id,
        "title": node.title,
        "depth": node.depth,
        "relationKind": node.kind.value,
        "provenance": node.provenance.value,
        "confidence": rounded(node.path_confidence),
    }


def _temporal(pack: GraphContextPack) -> Plain:
    """``checkedAt, allPointsValid, warningReasons, invalidKnowledgePointTitles, edgeKinds,
    details`` of the warnings.
    """  # noqa: D205 - a list of fields, not a summary
    invalid = [atom.document_title for atom, held in validities(pack) if not held.is_valid]
    return {
        "checkedAt": pack.anchor_validity.checked_at,
        "allPointsValid": not invalid,
        "warningReasons": [f"{one.title}: {one.reason}" for one in pack.temporal_warnings],
        "invalidKnowledgePointTitles": list(dict.fromkeys(invalid)),
        "edgeKinds": sorted({one.kind.value for one in pack.temporal_warnings}),
        "details": [detail_to_plain(one) for one in pack.temporal_warnings],
    }


def detail_to_plain(detail: TemporalDetail) -> Plain:
    """``atomId, title, edgeKind, reason, validFrom, validTo, edgeId``, and the other atom's."""
    return {
        "atomId": detail.atom_id,
        "title": detail.title,
        "edgeKind": detail.kind.value,
        "reason": detail.reason,
        "validFrom": detail.valid_from,
        "validTo": detail.valid_to,
        "otherAtomId": detail.other_atom_id,
        "otherTitle": detail.other_title,
        "edgeId": detail.edge_id,
    }


def _diagnostics(told: GraphDiagnostics) -> Plain:
    reason = told.selected_anchor_reason
    return {
        "graphOpsAvailable": told.graph_ops_available,
        "usedFallback": told.used_fallback,
        "fallbackReason": told.fallback_because,
        "selectedAnchorReason": reason.value if reason else "",
        "candidateCount": told.candidate_count,
        "supportNodeCount": told.support_node_count,
        "supportNodeLimit": told.support_node_limit,
        "pathDepthLimit": told.path_depth_limit,
        "missingConnectionPathSourceAtomIds": list(told.missing_path_source_atom_ids),
        "missingPredecessorAtomIds": list(told.missing_predecessor_atom_ids),
        "missingSuccessorAtomIds": list(told.missing_successor_atom_ids),
        "intentAlignedCandidateCount": told.intent_aligned_candidates,
        "intentMisalignedCandidateCount": told.intent_misaligned_candidates,
        "orderBrokenByEdgeIds": list(told.order_broken_by),
    }
