"""Does the draft claim what its evidence claims? Seventeen checks, each of which can fail.

They hold for any draft, whoever wrote it. A sentence taken from a note (``observed``) must
read as the note does; one that was built from the pack (``derived``) may name only what the
pack holds; one that a model wrote (``inferred``) may put it in its own words, but the names,
numbers, units, dates, denials and directions must be those of the fragments it cites.

Relations are recognised by their words (``relation_words``); a claim without such a word is
held by ``grounding_consistency`` alone. No check judges whether the note is right.
"""

from collections.abc import Iterator
from functools import partial

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.atoms import DocumentId
from witmark.answers.claims import (
    Quantity,
    dates_in,
    denials_in,
    denied_around,
    folded,
    is_read_from,
    letters,
    proper_names,
    quantities_in,
    sentences_of,
    words_of,
)
from witmark.answers.graph_gates import ordering_pairs
from witmark.answers.pack import Fragment, FragmentRole, TemporalDetail
from witmark.answers.pack_facts import document_of, validities
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
    STATE,
    Words,
    directed_claims,
)
from witmark.answers.review_scene import Fault, Scene
from witmark.kernel.evidence import Basis

LEAST_SHARED_WORDS = 0.5
"""Share of a model sentence's content words that its evidence, titles or question must hold."""

LEAST_CUT_OVERLAP = 0.5
"""Share of the shorter of sentence and cut whose words the other must hold."""

Pair = tuple[str, str]


# Words that join ---------------------------------------------------------------------


def _words_check(words: Words, scene: Scene) -> Iterator[Fault]:
    """A sentence that joins things by such words has them from its evidence or an edge."""
    for at, sentence in scene.answering:
        if not words.occur_in(sentence.text):
            continue
        own = scene.evidence(sentence)
        if not words.occur_in(own) and not _licensed(words, sentence, scene):
            yield Fault(at, f"it claims a {words.name} that its evidence does not")
        elif words in DIRECTED and (turned := _turned(words, sentence, own, scene)):
            yield Fault(at, f"it claims a {words.name} from {turned[0]} to {turned[1]}")


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
    known = directed_claims(own, names, words) | _by_edges(words, scene)
    wrong = sorted(claimed - known)
    return wrong[0] if wrong else None


def _by_edges(words: Words, scene: Scene) -> frozenset[Pair]:
    """What the pack's edges say in these words, along chains too; an order also by rank."""
    pairs = {
        (source, target) for source, target, kind in scene.facts.edges if kind in words.kinds
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
    against -= {(b, a) for a, b in against}
    for at, sentence in scene.answering:
        if sentence.basis is Basis.OBSERVED:
            continue
        for pair in sorted(directed_claims(sentence.text, scene.facts.names, ORDER)):
            if pair in against:
                yield Fault(at, f"it puts {pair[0]} before {pair[1]}, against the edge")


# What is said of a thing -------------------------------------------------------------


def structured_consistency(scene: Scene) -> Iterator[Fault]:
    """A value from a table row is told with its row's own label."""
    for at, sentence in scene.answering:
        said = folded(sentence.text)
        for fragment in scene.fragments(sentence):
            cells = _cells(fragment)
            taken = [cell for cell in cells[1:] if cell in said]
            if taken and cells[0] and cells[0] not in said:
                yield Fault(at, f"it tells {taken[0]!r} without its row's label {cells[0]!r}")


def _cells(fragment: Fragment) -> tuple[str, ...]:
    """The cells of a table row, by its source; nothing for any other block."""
    source = fragment.span.span.quote.strip()
    if not source.startswith("|") or source.count("|") < 3 or "\n" in source:
        return ()
    return tuple(folded(cell.strip(" *_`")) for cell in source.strip("|").split("|"))


def attribute_consistency(scene: Scene) -> Iterator[Fault]:
    """Every number stands in the evidence, a title or the question, with the same unit."""
    for at, sentence in scene.answering:
        known = set(quantities_in(_all_told(sentence, scene)))
        for quantity in quantities_in(sentence.text):
            if not _is_known(quantity, known):
                told = f"{quantity.number} {quantity.unit}".strip()
                yield Fault(at, f"no source says {told}")


def _is_known(quantity: Quantity, known: set[Quantity]) -> bool:
    if quantity.unit:
        return quantity in known
    return any(quantity.number == one.number for one in known)


def _all_told(sentence: DraftSentence, scene: Scene) -> str:
    """Everything a sentence may take a name or a number from."""
    dates = (day for d in _details(scene) for day in (d.valid_from, d.valid_to))
    own = (scene.evidence(sentence), scene.plan.question, *sorted(scene.facts.titles))
    return "\n".join((*own, *(f"{day} {day[:4]}" for day in dates if day)))


def _details(scene: Scene) -> Iterator[TemporalDetail]:
    yield from scene.pack.temporal_warnings
    for _, validity in validities(scene.pack):
        yield from validity.details


def subject_consistency(scene: Scene) -> Iterator[Fault]:
    """A sentence is about what was asked, or about what the pack shows near it."""
    near = scene.facts.near | {
        fragment.span.document_id
        for fragment in scene.pack.fragments
        if fragment.role is FragmentRole.DIRECT_SUPPORT
    }
    for at, sentence in scene.answering:
        strays = sorted(scene.about(sentence) - near)
        if strays:
            yield Fault(at, f"{strays[0]} is neither what was asked nor near it")


def state_consistency(scene: Scene) -> Iterator[Fault]:
    """"Still holds" and "no longer holds" are said as the evidence or the dates say them."""
    for at, sentence in scene.answering:
        said, own = folded(sentence.text), folded(scene.evidence(sentence))
        ends = bool(STATE.backward.search(said)) and not denials_in(said)
        holds = bool(STATE.forward.search(said)) and not STATE.backward.search(said)
        stale = scene.about(sentence) & _out_of_date(scene)
        if ends and not STATE.backward.search(own) and not stale:
            yield Fault(at, "it says that something has ended, and no source does")
        elif holds and not STATE.forward.search(own) and stale and not denials_in(said):
            yield Fault(at, f"it says that {min(stale)} holds, and it does not")
        elif holds and not STATE.forward.search(own) and not _timed(sentence):
            yield Fault(at, "it says that something still holds, and no source does")


def _timed(sentence: DraftSentence) -> bool:
    return sentence.kind is SentenceKind.TEMPORAL and sentence.basis is Basis.DERIVED


def _out_of_date(scene: Scene) -> frozenset[DocumentId]:
    """Documents that do not hold on the day, and those that replace them."""
    return frozenset(scene.facts.stale) | {
        document_of(detail.other_atom_id)
        for detail in scene.pack.temporal_warnings
        if detail.other_atom_id
    }


def polarity_consistency(scene: Scene) -> Iterator[Fault]:
    """A denial is neither dropped nor added."""
    for at, sentence in scene.answering:
        if sentence.basis is Basis.OBSERVED:
            cut_off = any(
                denied_around(fragment.text, sentence.text)
                for fragment in scene.fragments(sentence)
            )
            if cut_off:
                yield Fault(at, "the note denies what was cut out of it")
        elif sentence.basis is Basis.INFERRED:
            closest = _closest(sentence.text, scene.evidence(sentence))
            if closest and bool(denials_in(closest)) != bool(denials_in(sentence.text)):
                yield Fault(at, f"it denies what its source does not, or the reverse: {closest!r}")


def _closest(text: str, evidence: str) -> str:
    """The sentence of the evidence that shares most words with a text; empty if none does."""
    words = words_of(text)
    scored = [(len(words & words_of(one)), -at, one) for at, one in enumerate(sentences_of(evidence))]
    best = max(scored, default=(0, 0, ""))
    return best[2] if best[0] else ""


# The graph and time ------------------------------------------------------------------


def comparison_graph_consistency(scene: Scene) -> Iterator[Fault]:
    """In a comparison, whatever a graph statement names lies on a branch or a shared root.

    A note it calls common must be a common ancestor, or lie upstream of every side.
    """
    if scene.plan.intent is not Intent.COMPARE:
        return
    sides = {document_of(side) for side in scene.pack.comparison.sides}
    shared = {document_of(atom) for atom, _ in scene.pack.comparison.nearest_common_ancestors}
    joined = {end for a, b, _ in scene.facts.edges if {a, b} & sides for end in (a, b)}
    for at, sentence in scene.answering:
        if sentence.kind is not SentenceKind.GRAPH:
            continue
        others = scene.named(sentence) - sides
        if strays := sorted(others - shared - joined):
            yield Fault(at, f"{strays[0]} lies on no branch of the comparison")
        elif _says_shared(sentence.text) and others and not others & (shared | _upstream(scene, sides)):
            yield Fault(at, f"{min(others)} is not common to the sides")


def _says_shared(text: str) -> bool:
    return any(word in folded(text) for word in ("both", "common", "share", "共同", "都", "同样"))


def _upstream(scene: Scene, sides: set[DocumentId]) -> frozenset[DocumentId]:
    """Documents with an edge to, or from, every side."""
    ends = {
        side: {b if a == side else a for a, b, _ in scene.facts.edges if side in (a, b)}
        for side in sides
    }
    return frozenset(set.intersection(*ends.values())) if ends else frozenset()


def temporal_consistency(scene: Scene) -> Iterator[Fault]:
    """Every day is a source's or an edge's, and nothing stale is told without saying so."""
    told = {day for d in _details(scene) for day in (d.valid_from, d.valid_to) if day}
    spoken = _spoken_of(scene)
    for at, sentence in scene.answering:
        known = told | dates_in(scene.evidence(sentence)) | dates_in(scene.plan.question)
        known |= {d for title in scene.facts.titles for d in dates_in(title)}
        if strays := sorted(dates_in(sentence.text) - known):
            yield Fault(at, f"no source names the day {strays[0]}")
        if sentence.kind is SentenceKind.TEMPORAL:
            continue
        rests_on = {cut.span.document_id for cut in sentence.cuts}
        if silent := sorted(rests_on & set(scene.facts.stale) - spoken):
            yield Fault(at, f"it rests on {silent[0]}, which does not hold, and nobody says so")


def _spoken_of(scene: Scene) -> frozenset[DocumentId]:
    """Stale documents that a sentence about time speaks of, or whose successor it names."""
    about = {
        document
        for _, sentence in scene.answering
        if sentence.kind is SentenceKind.TEMPORAL
        for document in scene.about(sentence)
    }
    replaced = {
        document
        for document, details in scene.facts.stale.items()
        for detail in details
        if detail.other_atom_id and document_of(detail.other_atom_id) in about
    }
    return frozenset(about | replaced)


# The sentence as a whole -------------------------------------------------------------


def grounding_consistency(scene: Scene) -> Iterator[Fault]:
    """A sentence says what its source says, as closely as its basis promises."""
    ways = {Basis.OBSERVED: _not_read, Basis.DERIVED: _not_held, Basis.INFERRED: _not_shared}
    for at, sentence in scene.answering:
        if because := ways[sentence.basis](sentence, scene):
            yield Fault(at, because)


def _not_read(sentence: DraftSentence, scene: Scene) -> str:
    """Why a sentence taken from a note is not what stands there; empty if it is."""
    said = letters(sentence.text)
    for fragment in scene.fragments(sentence):
        cuts = [cut for cut in sentence.cuts if cut.fragment_ref == fragment.ref]
        if said and said in letters(fragment.text):
            if all(_overlap(sentence.text, cut.span.span.quote) for cut in cuts):
                return ""
            return "its cut is not the place it was read from"
    return "no fragment it cites reads so"


def _overlap(text: str, quote: str) -> bool:
    if is_read_from(text, quote):
        return True
    said, cut = words_of(text), words_of(quote)
    return len(said & cut) >= LEAST_CUT_OVERLAP * min(len(said), len(cut))


def _not_held(sentence: DraftSentence, scene: Scene) -> str:
    """What a sentence built from the pack names that the pack does not hold."""
    known = letters(_all_told(sentence, scene) + "\n" + "\n".join(scene.facts.names))
    strange = [name for name in proper_names(sentence.text) if letters(name) not in known]
    return f"the pack holds no {strange[0]!r}" if strange else ""


def _not_shared(sentence: DraftSentence, scene: Scene) -> str:
    """What a model's sentence brings in that it was not shown."""
    if because := _not_held(sentence, scene):
        return because
    own = _all_told(sentence, scene)
    said, shown = words_of(sentence.text), words_of(own)
    if _is_han(sentence.text) != _is_han(scene.evidence(sentence)):
        return ""  # another language has other words; names and numbers were compared
    shared = len(said & shown)
    if shared < LEAST_SHARED_WORDS * len(said):
        return f"only {shared} of its {len(said)} words stand in what it cites"
    return ""


def _is_han(text: str) -> bool:
    return sum("\u4e00" <= char <= "\u9fff" for char in text) * 3 > len(text)


def intent_alignment(scene: Scene) -> Iterator[Fault]:
    """The kind of answer is the kind that was asked for."""
    if scene.abstains:
        return
    kinds = {sentence.kind for _, sentence in scene.answering}
    about = {document for _, sentence in scene.answering for document in scene.about(sentence)}
    wanted: dict[Intent, SentenceKind] = {
        Intent.LEARN: SentenceKind.GRAPH,
        Intent.LIST: SentenceKind.GRAPH,
        Intent.COMPARE: SentenceKind.GRAPH,
        Intent.STILL_VALID: SentenceKind.TEMPORAL,
    }
    if not kinds & {SentenceKind.DIRECT, wanted.get(scene.plan.intent)}:
        yield Fault(None, "no sentence answers the question")
    if scene.plan.intent is Intent.COMPARE and (missing := _untold_sides(scene, about)):
        yield Fault(None, f"it compares without a word about {missing[0]}")
    if scene.plan.intent is Intent.LEARN and len(scene.pack.learning_order) > 1:
        steps = {document_of(node.atom_id) for node in scene.pack.learning_order[:-1]}
        if not steps & about:
            yield Fault(None, "an order is known, and it names no step of it")
    if scene.plan.intent is Intent.STILL_VALID and SentenceKind.TEMPORAL not in kinds:
        if stale := sorted(set(scene.facts.stale) & scene.facts.asked):
            yield Fault(None, f"it was asked whether {stale[0]} holds, and does not say")


def _untold_sides(scene: Scene, about: set[DocumentId]) -> list[DocumentId]:
    shown = {fragment.span.document_id for fragment in scene.pack.fragments}
    sides = {document_of(side) for side in scene.pack.comparison.sides}
    return sorted((sides & shown) - about)
