"""Which notes stand beside the anchor: to explain it, contrast it, order it or qualify it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import DocumentId
from witmark.answers.budget import Budget
from witmark.answers.candidates import Candidate
from witmark.answers.defining import defines
from witmark.answers.edges import SYMMETRIC, RelationKind
from witmark.answers.pack import Validity

DIRECT_LINK, CONTRAST, TEMPORAL, SIDE = 0.18, 0.04, 0.12, 0.24
"""Source: the third contract's weights (support nodes); a named side counts as a title."""

REPLACEMENT, ASKED_REPLACEMENT = 0.18, 1.0
"""For what replaces the anchor or is replaced by it; more when that is the question."""

DEFINITION = 0.3
"""For a note that says what the thing asked about is."""

Ties = Mapping[DocumentId, frozenset[RelationKind]]


@dataclass(frozen=True, slots=True)
class Support:
    """A candidate with what it is worth beside the anchor."""

    candidate: Candidate
    features: tuple[tuple[str, float], ...]

    @property
    def score(self) -> float:
        """The sum of its features."""
        return round(sum(worth for _, worth in self.features), 6)


def supporting(
    plan: QueryPlan,
    others: Sequence[Candidate],
    joined: Ties,
    *,
    in_time: Collection[DocumentId],
    budget: Budget,
) -> list[Support]:
    """Return the candidates that stand beside the anchor, best first.

    Args:
        plan: The question.
        others: All candidates but the anchor.
        joined: The kinds of the relations between each and the anchor.
        in_time: What replaces the anchor or is replaced by it.
        budget: How many there may be.
    """
    named = {hit.document_id for subject in plan.subjects for hit in subject.hits}
    names = names_asked(plan)
    found = []
    for c in others:
        features = _features(plan.intent, c, joined.get(c.document_id), in_time, named)
        if names and any(defines(atom.content.text, names) for atom in c.atoms):
            features = (("definition", DEFINITION), *features)
        found.append(Support(c, features))
    found.sort(key=lambda one: (-one.score, one.candidate.document_id))
    return found[: budget.support_nodes]


def names_asked(plan: QueryPlan) -> tuple[str, ...]:
    """What the thing is called that a question wants defined; nothing for other questions."""
    if plan.intent is not Intent.WHAT:
        return ()
    surfaces = {hit.surface for hit in plan.alias_hits}
    return tuple(sorted({subject.text for subject in plan.subjects} | surfaces))


def _features(
    intent: Intent,
    candidate: Candidate,
    joined: frozenset[RelationKind] | None,
    in_time: Collection[DocumentId],
    named: Collection[DocumentId],
) -> tuple[tuple[str, float], ...]:
    document, kinds = candidate.document_id, joined or frozenset()
    compares = intent is Intent.COMPARE
    # Two notes that merely mention one another are not yet compared.
    linked = bool(kinds - {RelationKind.REFERENCE}) if compares else bool(kinds)
    asked, replaces = intent is Intent.STILL_VALID, document in in_time
    features = {
        "retrieval": candidate.score,
        "direct_link": DIRECT_LINK * linked,
        "compare_contrast": CONTRAST * (compares and bool(kinds & SYMMETRIC)),
        "compare_side": SIDE * (compares and document in named),
        "temporal_relation": (ASKED_REPLACEMENT if asked else REPLACEMENT) * replaces,
        "temporal_penalty": -TEMPORAL * (not candidate.validity.is_valid and not asked),
    }
    return tuple((name, worth) for name, worth in sorted(features.items()) if worth)


def sides(plan: QueryPlan, shown: Sequence[DocumentId], joined: Ties) -> list[DocumentId]:
    """The notes a comparison is between, in the order of the question.

    If it does not name two of those shown, the anchor (the first shown) is compared with
    what contrasts with it, else with the next.
    """
    if plan.intent is not Intent.COMPARE:
        return []
    named: list[DocumentId] = []
    for subject in plan.subjects:
        hits = [h.document_id for h in subject.hits if h.document_id in shown]
        named += [document for document in hits[:1] if document not in named]
    if len(named) > 1:
        return named
    rest = [d for d in shown[1:] if d not in named]
    if len(plan.subjects) > 1:  # two things of which one or none is a note: nothing stands in
        rest = [d for d in rest if joined.get(d, frozenset()) & SYMMETRIC]
    rest.sort(key=lambda d: not joined.get(d, frozenset()) & SYMMETRIC)
    return list(dict.fromkeys([*named, *shown[:1], *rest]))[:2]


def replacing(validity: Validity) -> list[DocumentId]:
    """The notes that replace one, or that it replaces."""
    others = [d.other_atom_id for d in validity.details if d.other_atom_id]
    return list(dict.fromkeys(DocumentId(other.rpartition("#")[0]) for other in others))
