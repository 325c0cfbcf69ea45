"""The release review: a draft is released, shortened, or withheld.

Twenty-five deterministic checks in four families (the contract's list): evidence and graph
sufficiency, claim consistency, citations, surface. A fault belongs to a sentence, which is
then taken out, or to the draft as a whole, which is then withheld. What remains is reviewed
again, since the sentence that was taken out may have carried another.

Source: KNOWLEDGE.md 1.5; the third contract, "Keep answer-surface contraction strict".
"""

from collections.abc import Mapping, Sequence

from witmark.answers import (
    grounding_checks,
    leaks,
    matter_checks,
    relation_checks,
    support_checks,
)
from witmark.answers.answer import (
    Citation,
    Cut,
    Draft,
    DraftSentence,
    PublicAnswer,
    PublicSentence,
    ReleaseDecision,
    ReleaseReview,
    SentenceKind,
)
from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import AtomId, SpanId
from witmark.answers.budget import SNIPPET_CHARS
from witmark.answers.citing import inner_span
from witmark.answers.pack import GraphContextPack
from witmark.answers.phrases import paragraph
from witmark.answers.review_scene import Fault, Probe, Scene, scene_of
from witmark.kernel.evidence import EvidenceRef, TextRange
from witmark.kernel.gate import Check, GateReport, Outcome

ABSTENTION = {"zh": "你的笔记里没有这个问题的答案。", "en": "Your notes do not answer this."}
"""What is published instead of a draft that was withheld."""

CHECKS: Mapping[str, Probe] = {
    # evidence and graph sufficiency
    "evidence_sufficiency": support_checks.evidence_sufficiency,
    "graph_sufficiency": support_checks.graph_sufficiency,
    # claim consistency
    "structured_consistency": matter_checks.structured_consistency,
    "comparison_consistency": relation_checks.comparison_consistency,
    "attribute_consistency": matter_checks.attribute_consistency,
    "containment_consistency": relation_checks.containment_consistency,
    "composition_consistency": relation_checks.composition_consistency,
    "purpose_consistency": relation_checks.purpose_consistency,
    "dependency_consistency": relation_checks.dependency_consistency,
    "location_consistency": relation_checks.location_consistency,
    "subject_consistency": matter_checks.subject_consistency,
    "state_consistency": matter_checks.state_consistency,
    "polarity_consistency": matter_checks.polarity_consistency,
    "causal_consistency": relation_checks.causal_consistency,
    "order_consistency": relation_checks.order_consistency,
    "comparison_graph_consistency": relation_checks.comparison_graph_consistency,
    "temporal_consistency": matter_checks.temporal_consistency,
    "grounding_consistency": grounding_checks.grounding_consistency,
    "intent_alignment": grounding_checks.intent_alignment,
    # retrieved context
    "rag_completeness": support_checks.rag_completeness,
    "rag_citation": support_checks.rag_citation,
    "rag_coverage": support_checks.rag_coverage,
    # surface
    "surface_contraction": leaks.surface_contraction,
    "internal_diagnostic_leakage": leaks.internal_diagnostic_leakage,
    "abstention_hygiene": leaks.abstention_hygiene,
}
"""Every check of the review by its gate id, in the order of the report."""

_NO_MORE: Mapping[str, Probe] = {}


def review(
    plan: QueryPlan,
    pack: GraphContextPack,
    draft: Draft,
    *,
    more: Mapping[str, Probe] = _NO_MORE,
) -> ReleaseReview:
    """Decide what of a draft may be published; ``more`` checks come after ours.

    The report is that of the draft as it was handed in, so it names what was wrong with
    the sentences that are gone.

    Returns:
        ``RELEASE`` with nothing removed; ``REVISE`` with the sentences taken out, at least
        one stays; ``ABSTAIN`` when the draft abstains itself or nothing may stay.
    """
    scene, checks = scene_of(plan, pack, draft), {**CHECKS, **more}
    faults = _faults(scene, checks)
    report = GateReport(tuple(_check(name, found) for name, found in faults.items()))
    stays = _what_stays(scene, faults, checks)
    if not stays or scene.abstains:
        gone = draft.sentences if not stays else ()
        return ReleaseReview(ReleaseDecision.ABSTAIN, report, gone)
    removed = tuple(one for at, one in enumerate(draft.sentences) if at not in stays)
    decision = ReleaseDecision.REVISE if removed else ReleaseDecision.RELEASE
    return ReleaseReview(decision, report, removed)


def reviewed(plan: QueryPlan, pack: GraphContextPack, draft: Draft) -> ReleaseReview:
    """The review of any draft; a model's words are held to more."""
    if draft.model is None or not draft.model.is_used:
        return review(plan, pack, draft)
    from witmark.answers.model_checks import (  # noqa: PLC0415  # no ask without a model needs it
        MODEL_CHECKS,
    )

    return review(plan, pack, draft, more=MODEL_CHECKS)


def _faults(scene: Scene, checks: Mapping[str, Probe]) -> dict[str, tuple[Fault, ...]]:
    return {name: tuple(probe(scene)) for name, probe in checks.items()}


def _check(name: str, faults: Sequence[Fault]) -> Check:
    if not faults:
        return Check(name, Outcome.HOLDS)
    return Check(name, Outcome.FAILS, "; ".join(dict.fromkeys(f.because for f in faults)))


def _what_stays(
    scene: Scene, faults: Mapping[str, tuple[Fault, ...]], checks: Mapping[str, Probe]
) -> tuple[int, ...]:
    """Indices of the sentences left when no check has a word to say about the rest."""
    left = tuple(range(len(scene.draft.sentences)))
    sentences = scene.draft.sentences
    while left:
        found = [fault for some in faults.values() for fault in some]
        bad = {fault.sentence for fault in found}
        if not bad:
            return left
        if bad == {None}:
            return ()
        left = tuple(old for at, old in enumerate(left) if at not in bad)
        rest = Draft(tuple(sentences[at] for at in left))
        faults = _faults(scene_of(scene.plan, scene.pack, rest), checks)
    return ()


def released(outcome: ReleaseReview, draft: Draft) -> Draft:
    """The part of a draft that may be published."""
    gone = list(outcome.removed)
    kept: list[DraftSentence] = []
    for sentence in draft.sentences:
        if sentence in gone:
            gone.remove(sentence)
        else:
            kept.append(sentence)
    return Draft(tuple(kept))


# What is published -------------------------------------------------------------------


def cite(
    outcome: ReleaseReview,
    draft: Draft,
    *,
    titles: Mapping[AtomId, str],
    scores: Mapping[AtomId, float],
) -> tuple[Citation, ...]:
    """Number the places that the released sentences rest on; equal places are one.

    Args:
        outcome: Of the review.
        draft: As it was reviewed.
        titles: Each atom's note's title; an unknown one is shown by its path's stem.
        scores: Of the retrieval, by atom; an unknown one is 0.
    """
    places: dict[SpanId, Cut] = {}
    for sentence in released(outcome, draft).sentences:
        for cut in sentence.cuts:
            places.setdefault(cut.span.id, cut)
    return tuple(
        _citation(f"c{number}", cut, titles, scores)
        for number, cut in enumerate(places.values(), 1)
    )


def _citation(
    name: str, cut: Cut, titles: Mapping[AtomId, str], scores: Mapping[AtomId, float]
) -> Citation:
    """A cut as a citation; one that is too long is cut short, and its offsets with it."""
    quote = cut.span.span.quote
    span = cut.span
    if len(quote) > SNIPPET_CHARS:
        span = inner_span(span, TextRange(0, SNIPPET_CHARS))
    stem = span.source_path.rpartition("/")[2].rpartition(".")[0]
    return Citation(
        citation_id=name,
        atom_id=cut.atom_id,
        document_id=span.document_id,
        source_path=span.source_path,
        title=titles.get(cut.atom_id, stem),
        snippet=span.span.quote,
        span=span,
        ref=EvidenceRef(cut.ref.blob, span.span.range),
        score=scores.get(cut.atom_id, 0.0),
    )


def public_answer(
    outcome: ReleaseReview,
    draft: Draft,
    citations: Sequence[Citation],
    *,
    language: str,
) -> PublicAnswer:
    """Publish what was released, or say that the notes do not answer.

    The text is the sentences and nothing else; which citation a sentence rests on is said
    beside it. A draft that was withheld leaves no word of itself.

    Args:
        outcome: Of the review.
        draft: As it was reviewed.
        citations: As ``cite`` numbered them.
        language: To answer in, ``zh`` or ``en``.
    """
    kept = released(outcome, draft).sentences
    if not kept:
        withheld = PublicSentence(ABSTENTION[language], SentenceKind.ABSTENTION, ())
        return PublicAnswer(withheld.text, (withheld,), False, language)
    places = {c.span.id: c.citation_id for c in citations}
    sentences = tuple(
        PublicSentence(sentence.text, sentence.kind, _ids(sentence, places))
        for sentence in kept
    )
    answered = any(sentence.kind is not SentenceKind.ABSTENTION for sentence in kept)
    return PublicAnswer(paragraph([one.text for one in kept]), sentences, answered, language)


def _ids(sentence: DraftSentence, places: Mapping[SpanId, str]) -> tuple[str, ...]:
    wanted = (places.get(cut.span.id, "") for cut in sentence.cuts)
    return tuple(name for name in dict.fromkeys(wanted) if name)
