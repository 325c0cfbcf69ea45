"""What an ingest did, as plain data, and the figures by which it is judged from outside."""

from collections.abc import Sequence
from dataclasses import dataclass

from witmark.answers.ingesting import IngestReport
from witmark.answers.plain import Plain


@dataclass(frozen=True, slots=True)
class Guardrails:
    """What the last ingests did and how long they took. Nothing measured is ``None``."""

    changed_documents: int
    deleted_documents: int
    active_atoms: int
    ingest_p95_ms: float | None
    recompute_p95_ms: float | None


def guardrails(
    reports: Sequence[IngestReport],
    active_atoms: int,
    *,
    ingest_ms: Sequence[float],
    recompute_ms: Sequence[float],
) -> Guardrails:
    """Sum up ingests, whose times somebody with a clock has taken."""
    return Guardrails(
        sum(len(r.added) + len(r.changed) + len(r.moved) for r in reports),
        sum(len(r.removed) for r in reports),
        active_atoms,
        percentile_95(ingest_ms),
        percentile_95(recompute_ms),
    )


def percentile_95(values: Sequence[float]) -> float | None:
    """The least value that 95 in 100 do not exceed (nearest rank).

    >>> percentile_95([float(n) for n in range(1, 101)]), percentile_95([])
    (95.0, None)
    """
    ordered = sorted(values)
    return ordered[-(-len(ordered) * 95 // 100) - 1] if ordered else None


def guardrails_plain(found: Guardrails) -> Plain:
    """``changedDocuments, deletedDocuments, activeAtoms, ingestP95Ms, recomputeP95Ms``."""
    return {
        "changedDocuments": found.changed_documents,
        "deletedDocuments": found.deleted_documents,
        "activeAtoms": found.active_atoms,
        "ingestP95Ms": found.ingest_p95_ms,
        "recomputeP95Ms": found.recompute_p95_ms,
    }


def report_plain(report: IngestReport) -> Plain:
    """What an ingest did: notes by what became of them, failures, links to no note."""
    broken = report.order_broken_by
    return {
        "added": list(report.added),
        "changed": list(report.changed),
        "moved": [list(pair) for pair in report.moved],
        "removed": list(report.removed),
        "unchanged": report.unchanged,
        "relinked": report.relinked,
        "failures": [
            {"path": f.path, "code": f.code, "detail": f.detail} for f in report.failures
        ],
        "unresolvedLinks": len(report.unresolved),
        "orderBrokenBy": None if broken is None else sorted(broken),
        "orderBreakingEdges": report.order_breaking_edges,
        "selfReferences": [
            {"documentId": one.document_id, "name": one.name, "spanId": one.span_id}
            for one in report.to_itself
        ],
        "replacementCircles": None
        if report.replacement_circles is None
        else [list(circle) for circle in report.replacement_circles],
    }
