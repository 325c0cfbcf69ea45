"""Claims that join two things: a cause, an order, a part, a place, a comparison.

They are recognised by their words (``relation_words``). A sentence that claims one has it from
the fragments it cites or from an edge of the pack; where two notes are named around the words,
the direction must be right as well. A claim without such a word is held by
``grounding_consistency`` alone.
"""

from collections.abc import Iterator
from functools import partial

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.atoms import DocumentId
from witmark.answers.claims import (
    denials_in,
    folded,
)
from witmark.answers.edges import RelationKind
from witmark.answers.graph_gates import ordering_pairs
from witmark.answers.pack_facts import document_of
from witmark.answers.relation_words import (
    CAUSAL,
    COMPARISON,
    COMPOSITION,
    CONTAINMENT,
    DEPENDENCY,
    DIRECTED,
    LOCATION,
    ORDER,
    PURPOSE,
    Words,
    directed_claims,
)
from witmark.answers.review_scene import Fault, Scene
from witmark.kernel.evidence import Basis

Pair = tuple[str, str]


def _words_check(words: Words, scene: Scene) -> Iterator[Fault]:
    """A sentence that joins things by such words has them from its evidence or an edge."""
    for at, sentence in scene.answering:
        if not words.occur_in(scene.beside_names(sentence)):
            continue
        if sentence.basis is Basis.DERIVED and denials_in(sentence.text):
            continue  # "the notes name nothing before it" is held by polarity
        own = scene.evidence(sentence)
        heard = words.occur_in(own) and not _is_of_the_graph(sentence, words, scene)
        if not heard and not _licensed(words, sentence, scene):
            yield Fault(at, f"it claims a {words.name} that its evidence does not")
        elif words in DIRECTED and (turned := _turned(words, sentence, own, scene)):
            yield Fault(at, f"it claims a {words.name} from {turned[0]} to {turned[1]}")


def _is_of_the_graph(sentence: DraftSentence, words: Words, scene: Scene) -> bool:
    """Whether a sentence of ours relates two notes, which only an edge can say."""
    ours = sentence.kind is SentenceKind.GRAPH and sentence.basis is Basis.DERIVED
    return ours and bool(words.kinds) and len(scene.named(sentence)) > 1


def _licensed(words: Words, sentence: DraftSentence, scene: Scene) -> bool:
    about = scene.about(sentence)
    return any(
        kind in words.kinds and (source in about or target in about)
        for source, target, kind in scene.facts.edges
    )


def _turned(words: Words, sentence: DraftSentence, own: str, scene: Scene) -> Pair | None:
    """A directed claim of the sentence that neither its evidence nor the graph makes."""
    names = scene.facts.names
    claimed = directed_claims(sentence.text, names, words)
    if not claimed:
        return None
    known = directed_claims(own, names, words) | scene.facts.pairs(_by_edges(words, scene))
    wrong = sorted(claimed - known)
    return wrong[0] if wrong else None


def _by_edges(words: Words, scene: Scene) -> frozenset[Pair]:
    """What the pack's edges say in these words, along chains too; an order also by rank."""
    pairs = {
        (source, target) for source, target, kind in scene.facts.edges if kind in words.kinds
    }
    if RelationKind.PREREQUISITE in words.kinds:
        pairs |= {
            (document_of(root), document_of(side))
            for root, _ in scene.pack.comparison.nearest_common_ancestors
            for side in scene.pack.comparison.sides
        }
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c and a != d} - pairs:
        pairs |= more
    if words is ORDER:
        ranks = [document_of(node.atom_id) for node in scene.pack.learning_order]
        pairs |= {(a, b) for at, a in enumerate(ranks) for b in ranks[at + 1 :] if a != b}
    return frozenset(pairs)


containment_consistency = partial(_words_check, CONTAINMENT)
composition_consistency = partial(_words_check, COMPOSITION)
purpose_consistency = partial(_words_check, PURPOSE)
dependency_consistency = partial(_words_check, DEPENDENCY)
location_consistency = partial(_words_check, LOCATION)
causal_consistency = partial(_words_check, CAUSAL)
comparison_consistency = partial(_words_check, COMPARISON)


def order_consistency(scene: Scene) -> Iterator[Fault]:
    """A stated order is that of the evidence or of the edges, never against one."""
    yield from _words_check(ORDER, scene)
    against = {(document_of(b), document_of(a)) for a, b in ordering_pairs(scene.pack)}
    apart = scene.facts.pairs(against)
    against_all = apart - {(b, a) for a, b in apart}
    for at, sentence in scene.answering:
        if sentence.basis is Basis.OBSERVED:
            continue
        for pair in sorted(directed_claims(sentence.text, scene.facts.names, ORDER)):
            if pair in against_all:
                yield Fault(at, f"it puts {pair[0]} before {pair[1]}, against the edge")


# Comparisons -------------------------------------------------------------------------


def comparison_graph_consistency(scene: Scene) -> Iterator[Fault]:
    """In a comparison, whatever a graph statement names lies on a branch or a shared root.

    A note it calls common must be a common ancestor, or lie upstream of every side.
    """
    if scene.plan.intent is not Intent.COMPARE:
        return
    one = scene.facts.one
    true_sides = {document_of(side) for side in scene.pack.comparison.sides}
    sides = {one(side) for side in true_sides}
    roots = scene.pack.comparison.nearest_common_ancestors
    shared = {one(document_of(atom)) for atom, _ in roots}
    near = {end for a, b, _ in scene.facts.edges if {a, b} & true_sides for end in (a, b)}
    joined = {one(document) for document in near}
    for at, sentence in scene.answering:
        if sentence.kind is not SentenceKind.GRAPH:
            continue
        others = {one(document) for document in scene.named(sentence)} - sides
        if strays := sorted(others - shared - joined):
            yield Fault(at, f"{strays[0]} lies on no branch of the comparison")
        elif (
            _says_shared(sentence.text)
            and others
            and not others & (shared | _upstream(scene, true_sides))
        ):
            yield Fault(at, f"{min(others)} is not common to the sides")


def _says_shared(text: str) -> bool:
    return any(
        word in folded(text) for word in ("both", "common", "share", "共同", "都", "同样")
    )


def _upstream(scene: Scene, sides: set[DocumentId]) -> frozenset[DocumentId]:
    """Documents with an edge to, or from, every side."""
    ends = {
        side: {b if a == side else a for a, b, _ in scene.facts.edges if side in (a, b)}
        for side in sides
    }
    return frozenset(set.intersection(*ends.values())) if ends else frozenset()
