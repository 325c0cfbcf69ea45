"""What is said of a thing: its subject, numbers, state, denials, and its time.

They hold for any draft, whoever wrote it. No check judges whether the note is right.
"""

from collections.abc import Iterator

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.atoms import DocumentId
from witmark.answers.claims import (
    Quantity,
    dates_in,
    denials_in,
    denied_around,
    folded,
    mentions_in,
    quantities_in,
    sentences_of,
    spelled,
    words_of,
)
from witmark.answers.edges import RelationKind
from witmark.answers.pack import Fragment, FragmentRole
from witmark.answers.pack_facts import document_of
from witmark.answers.relation_words import (
    EXPIRY,
    ORDER,
    STATE,
    SUCCESSION,
    directed_claims,
)
from witmark.answers.review_scene import (
    NUMBERING,
    Fault,
    Scene,
    all_told,
    days_told,
    details_of,
)
from witmark.kernel.evidence import Basis


def structured_consistency(scene: Scene) -> Iterator[Fault]:
    """A value from a table row is told with its row's own label."""
    for at, sentence in scene.answering:
        said = folded(sentence.text)
        for fragment in scene.fragments(sentence):
            if fragment.passage == fragment.table_header:
                continue  # the headings, which belong to every row
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
        known = set(quantities_in(all_told(sentence, scene)))
        for quantity in quantities_in(_without_numbering(sentence)):
            if not _is_known(quantity, known):
                told = f"{quantity.number} {quantity.unit}".strip()
                yield Fault(at, f"no source says {told}")


def _without_numbering(sentence: DraftSentence) -> str:
    """A built sentence may number its items: (1) …; (2) … and so on."""
    derived = sentence.basis is Basis.DERIVED
    return NUMBERING.sub(" ", sentence.text) if derived else sentence.text


def _is_known(quantity: Quantity, known: set[Quantity]) -> bool:
    if quantity.unit:
        return quantity in known
    return any(quantity.number == one.number for one in known)


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
    """That something still holds, or no longer does, is said by its source or by a date."""
    for at, sentence in scene.answering:
        said, own = folded(sentence.text), folded(scene.evidence(sentence))
        ends = bool(STATE.backward.search(said)) and not denials_in(
            STATE.backward.sub("", said)
        )
        holds = bool(STATE.forward.search(said)) and not STATE.backward.search(said)
        about = scene.about(sentence)
        stale = about & set(scene.facts.stale)
        if ends and not STATE.backward.search(own) and not about & _out_of_date(scene):
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
        elif sentence.basis is Basis.DERIVED:
            if _denies_an_order(sentence) and scene.named(sentence) & _built_on(scene):
                yield Fault(at, "it says that nothing comes before, and the pack knows better")
        else:
            closest = _closest(sentence.text, scene.evidence(sentence))
            if closest and _differs(denials_in(closest), denials_in(sentence.text)):
                yield Fault(
                    at, f"it denies what its source does not, or the reverse: {closest!r}"
                )


def _differs(source: int, said: int) -> bool:
    """Whether a denial was added, or all were dropped; one of several may go unsaid."""
    return said > source or (source > 0 and said == 0)


def _denies_an_order(sentence: DraftSentence) -> bool:
    graph = sentence.kind is SentenceKind.GRAPH and ORDER.occur_in(sentence.text)
    return graph and denials_in(sentence.text) > 0


def _built_on(scene: Scene) -> frozenset[DocumentId]:
    """Documents that the pack knows a prerequisite of."""
    edges = scene.facts.edges
    return frozenset(b for a, b, kind in edges if kind is RelationKind.PREREQUISITE and a != b)


def _closest(text: str, evidence: str) -> str:
    """The sentence of the evidence that shares most words with a text; empty if none does."""
    words = words_of(text)
    scored = [
        (len(words & words_of(one)), -at, one) for at, one in enumerate(sentences_of(evidence))
    ]
    best = max(scored, default=(0, 0, ""))
    return best[2] if best[0] else ""


def temporal_consistency(scene: Scene) -> Iterator[Fault]:
    """Every day is a source's or an edge's, and nothing stale is told without saying so."""
    told = days_told(scene)
    spoken = _spoken_of(scene)
    yield from _wrong_ends(scene)
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


def _wrong_ends(scene: Scene) -> Iterator[Fault]:
    """Which note replaces which, and which one expired, are not told the other way round."""
    known = scene.facts.pairs(_successions(scene))
    stale = {scene.facts.one(document) for document in scene.facts.stale}
    for at, sentence in scene.answering:
        if sentence.basis is Basis.OBSERVED:
            continue
        own = directed_claims(scene.evidence(sentence), scene.facts.names, SUCCESSION)
        said = directed_claims(sentence.text, scene.facts.names, SUCCESSION)
        for newer, older in sorted(said - own - known):
            yield Fault(at, f"no source says that {newer} replaces {older}")
        ended = _expired(sentence.text, scene) - stale
        if ended and not EXPIRY.search(folded(scene.evidence(sentence))):
            yield Fault(at, f"it says that {min(ended)} has expired, and no date does")


def _successions(scene: Scene) -> frozenset[tuple[str, str]]:
    """Newer and older notes, by what the pack says of time."""
    pairs = [
        (document_of(d.other_atom_id), document_of(d.atom_id), d.reason)
        for d in details_of(scene)
        if d.other_atom_id
    ]
    return frozenset(
        (this, other) if reason == "supersedes" else (other, this)
        for other, this, reason in pairs
    )


def _expired(text: str, scene: Scene) -> set[str]:
    """The notes named last before a word that says something expired."""
    plain, named = spelled(text), mentions_in(text, scene.facts.names)
    found = set()
    for hit in EXPIRY.finditer(plain):
        before = [mention.key for mention in named if mention.end <= hit.start()]
        found.update(before[-1:])
    return found


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
