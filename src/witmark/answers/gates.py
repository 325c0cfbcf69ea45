"""The nine quality gates of a run (``knowledgeRun.quality.gates``).

They judge what the machinery did: is the answer covered, did the search keep to its scope,
does the order rest on the edges, was the reader warned. What the draft *says* is judged by
``release``.

Source: the third contract, "graph answer quality gates"; KNOWLEDGE.md 1.5.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.answer import Draft
from witmark.answers.asking import QueryPlan, ResolvedScope, ScopeRequest
from witmark.answers.atoms import DocumentId, corpus_of
from witmark.answers.evidence_claims import ClaimStatus, EvidenceClaim, claims_of
from witmark.answers.graph_gates import (
    checked,
    graph_budget,
    graph_comparison_branch,
    graph_op_fallback,
    graph_prerequisite_order,
    graph_temporal_warning,
)
from witmark.answers.memory import MOST_CARDS, MemoryAction, ReviewCard
from witmark.answers.pack import GraphContextPack
from witmark.answers.pack_facts import document_of, paths_of, validities
from witmark.kernel.gate import Check, GateReport, Outcome

LEAST_COVERAGE = 0.8
"""Share of claims that must be verified or weak."""

STRICT = frozenset(
    {"evidence_coverage", "scope_discipline", "graph_temporal_warning", "graph_budget"}
)
"""Gates whose failure fails the run; any other objection asks for caution."""


class QualityStatus(StrEnum):
    """What the gates say together (``quality.status``)."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    CAUTION = "caution"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Quality:
    """The nine gates, the share of them that hold, and the verdict."""

    score: float
    status: QualityStatus
    report: GateReport


def quality(  # noqa: PLR0913 - everything a run has made, each by its name
    plan: QueryPlan,
    scope: ResolvedScope,
    pack: GraphContextPack,
    draft: Draft,
    *,
    cards: Sequence[ReviewCard],
    actions: Sequence[MemoryAction],
) -> Quality:
    """Ask all nine gates, in the contract's order.

    Args:
        plan: The question.
        scope: Where it was looked for.
        pack: What was found.
        draft: What is published of it.
        cards: Review cards of the run.
        actions: What was done with memories.
    """
    checks = (
        evidence_coverage(claims_of(draft, pack)),
        scope_discipline(scope, pack),
        recall_transfer(cards),
        memory_governance(actions),
        graph_prerequisite_order(plan, pack, draft),
        graph_comparison_branch(plan, pack),
        graph_temporal_warning(pack),
        graph_op_fallback(pack),
        graph_budget(pack),
    )
    holding = sum(check.outcome is Outcome.HOLDS for check in checks)
    return Quality(round(holding / len(checks), 6), _status(checks), GateReport(checks))


def _status(checks: Iterable[Check]) -> QualityStatus:
    report = GateReport(tuple(checks))
    if any(c.name in STRICT and c.outcome is Outcome.FAILS for c in report.checks):
        return QualityStatus.FAIL
    return QualityStatus.PASS if report.admits else QualityStatus.CAUTION


# The general gates -------------------------------------------------------------------


def evidence_coverage(claims: Sequence[EvidenceClaim]) -> Check:
    """At least four claims in five are verified or weak."""
    good = sum(c.status in {ClaimStatus.VERIFIED, ClaimStatus.WEAK} for c in claims)
    share = good / len(claims) if claims else 0.0
    holds = share >= LEAST_COVERAGE
    return checked("evidence_coverage", holds, f"{good} of {len(claims)} claims are supported")


def scope_discipline(scope: ResolvedScope, pack: GraphContextPack) -> Check:
    """Everything in the pack lies in the scope that was searched.

    After a recovery that is the recovered notes; without filters everything is in scope.
    """
    if not scope.is_scoped and scope.recovery is None:
        return checked("scope_discipline", True, "nothing narrows the search")
    recovered = frozenset(scope.recovery.recovered_document_ids if scope.recovery else ())
    for place in _places(pack):
        if place[0] not in recovered and not _in_scope(scope.request, *place):
            return checked("scope_discipline", False, f"{place[0]} lies outside the scope")
    return checked("scope_discipline", True, "everything lies in the scope")


def _places(pack: GraphContextPack) -> Iterator[tuple[DocumentId, str | None, str | None]]:
    """Every document in the pack, with the atom and the language where they are known."""
    for fragment in pack.fragments:
        yield fragment.span.document_id, fragment.atom_id, fragment.span.language
    details = [*pack.temporal_warnings]
    for atom, validity in validities(pack):
        yield atom.document_id, None, None
        details += validity.details
    for detail in details:
        if detail.other_atom_id:
            yield document_of(detail.other_atom_id), None, None
    for node in (*pack.predecessors, *pack.successors, *pack.learning_order):
        yield node.document_id, None, None
    for path in paths_of(pack):
        for atom_id in path.atom_ids:
            yield document_of(atom_id), None, None


def _in_scope(
    request: ScopeRequest, document: DocumentId, atom: str | None, language: str | None
) -> bool:
    atom_notes = {document_of(one) for one in request.atom_ids}
    return (
        (not request.corpora or corpus_of(document) in request.corpora)
        and (not request.document_ids or document in request.document_ids)
        and (
            not request.path_prefixes or any(_below(document, p) for p in request.path_prefixes)
        )
        and (not request.languages or language is None or language in request.languages)
        and (
            not request.atom_ids
            or (document in atom_notes if atom is None else atom in request.atom_ids)
        )
    )


def _below(document: str, prefix: str) -> bool:
    folder = prefix.rstrip("/")
    return document == folder or document.startswith(folder + "/")


def recall_transfer(cards: Sequence[ReviewCard]) -> Check:
    """There is something to come back to, and not more than a reader will."""
    found = len(cards)
    return checked("recall_transfer", 1 <= found <= MOST_CARDS, f"{found} review cards")


def memory_governance(actions: Sequence[MemoryAction]) -> Check:
    """Whatever was done with a memory says what, how it went, in which layer, and whose."""
    for action in actions:
        for field in ("kind", "status", "layer", "namespace"):
            if not getattr(action, field):
                because = f"an action on {action.memory_id or 'a memory'} has no {field}"
                return checked("memory_governance", False, because)
    return checked("memory_governance", True, f"{len(actions)} actions, each accounted for")
