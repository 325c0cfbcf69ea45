"""Which of the notes that were found the question is about.

Titles are compared in the one common spelling, and names are the planner's: what it
recognised in the question is what counts as mentioned, by whichever rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import DocumentId
from witmark.answers.candidates import Candidate
from witmark.answers.pack import AnchorReason
from witmark.answers.terms import query_terms

TITLE_MENTION, TITLE_OVERLAP, EVIDENCE, RELATION, TEMPORAL = 0.24, 0.18, 0.08, 0.02, 0.18
"""Source: the third contract's weights (anchor choice)."""

MOST_RELATIONS = 4
LEAST_OVERLAP = 0.25  # of a title's words with the question's, to be a reason of its own


@dataclass(frozen=True, slots=True)
class _Merit:
    """What speaks for one candidate."""

    mention: float
    overlap: float
    penalty: float
    rest: float

    @property
    def without_time(self) -> float:
        return TITLE_MENTION * self.mention + TITLE_OVERLAP * self.overlap + self.rest

    @property
    def whole(self) -> float:
        return self.without_time - self.penalty


def choose_anchor(
    plan: QueryPlan,
    candidates: Sequence[Candidate],
    *,
    degrees: Mapping[DocumentId, int] | None = None,
) -> tuple[Candidate, AnchorReason] | None:
    """Return the candidate the question is about, and why it was taken.

    A note that does not hold stands back, unless the question is whether it still holds.
    Of things compared the one named first is the anchor.

    Args:
        plan: The question.
        candidates: What retrieval found, best first.
        degrees: How many relations each note has, as far as that is known.
    """
    if not candidates:
        return None
    words = frozenset(query_terms(plan.planner_query or plan.question))
    merits = {c.document_id: _merit(plan, words, c, degrees or {}) for c in candidates}
    first = _first_side(plan, candidates)
    chosen = min(
        first or candidates, key=lambda c: (-merits[c.document_id].whole, c.document_id)
    )
    timeless = min(
        first or candidates, key=lambda c: (-merits[c.document_id].without_time, c.document_id)
    )
    chosen = _in_the_language_asked_in(plan, chosen, first or candidates, merits)
    return chosen, _reason(merits[chosen.document_id], displaced=timeless is not chosen)


def _merit(
    plan: QueryPlan,
    words: frozenset[str],
    candidate: Candidate,
    degrees: Mapping[DocumentId, int],
) -> _Merit:
    relations = min(degrees.get(candidate.document_id, 0), MOST_RELATIONS)
    stale = not candidate.validity.is_valid and plan.intent is not Intent.STILL_VALID
    return _Merit(
        mention=_mention(plan, candidate.document_id),
        overlap=_overlap(words, candidate),
        penalty=TEMPORAL if stale else 0.0,
        rest=candidate.score + EVIDENCE * bool(candidate.atoms) + RELATION * relations,
    )


def _first_side(plan: QueryPlan, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that bear the name of the first thing compared."""
    if plan.intent is not Intent.COMPARE:
        return []
    for subject in plan.subjects:
        named = {hit.document_id for hit in subject.hits}
        if found := [c for c in candidates if c.document_id in named]:
            return found
    return []


def _in_the_language_asked_in(
    plan: QueryPlan,
    chosen: Candidate,
    among: Sequence[Candidate],
    merits: Mapping[DocumentId, _Merit],
) -> Candidate:
    """Of notes that the same words of the question name, one in the question's language."""
    named = _named_by(plan, chosen)
    if not named or _language(chosen) in {plan.language, "und"}:
        return chosen
    peers = [
        c
        for c in among
        if _named_by(plan, c) == named
        and _language(c) == plan.language
        and c.validity.is_valid >= chosen.validity.is_valid
    ]
    return min(
        peers, key=lambda c: (-merits[c.document_id].whole, c.document_id), default=chosen
    )


def _named_by(plan: QueryPlan, candidate: Candidate) -> frozenset[tuple[int, int]]:
    hits = (hit for hit in plan.alias_hits if hit.document_id == candidate.document_id)
    return frozenset((hit.start, hit.end) for hit in hits)


def _language(candidate: Candidate) -> str:
    return candidate.atoms[0].language.partition("-")[0] if candidate.atoms else "und"


def _mention(plan: QueryPlan, document: DocumentId) -> float:
    """How surely the question names a note, from 0 to 1."""
    strengths = (hit.strength for hit in plan.alias_hits if hit.document_id == document)
    return max(strengths, default=0.0)


def _overlap(words: frozenset[str], candidate: Candidate) -> float:
    """Jaccard similarity of a title's words and the question's."""
    title = (
        frozenset(query_terms(candidate.atoms[0].document_title)) if candidate.atoms else words
    )
    union = words | title
    return len(words & title) / len(union) if candidate.atoms and union else 0.0


def _reason(merit: _Merit, *, displaced: bool) -> AnchorReason:
    if merit.mention:
        return AnchorReason.TITLE_MENTION
    if merit.overlap >= LEAST_OVERLAP:
        return AnchorReason.TITLE_OVERLAP
    if merit.penalty or displaced:
        return AnchorReason.RETRIEVAL_SCORE_WITH_TEMPORAL_PENALTY
    return AnchorReason.RETRIEVAL_SCORE
