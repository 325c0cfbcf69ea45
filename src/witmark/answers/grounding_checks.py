"""The sentence as a whole: does it say what its source says, and what was asked?

A sentence taken from a note (``observed``) must read as the note does. One that was built from
the pack (``derived``) holds our phrases and the pack's names, days and words. One that a model
wrote (``inferred``) may use its own words, but its names must be known and half of its words
shown.
"""

import re
from collections.abc import Collection, Iterator

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.atoms import DocumentId
from witmark.answers.claims import (
    is_read_from,
    letters,
    proper_names,
    words_of,
)
from witmark.answers.defining import names_whole
from witmark.answers.pack_facts import document_of
from witmark.answers.phrases import OWN_WORDS
from witmark.answers.review_scene import (
    NUMBERING,
    Fault,
    Scene,
    all_told,
    counts_told,
    days_told,
)
from witmark.kernel.evidence import Basis

LEAST_SHARED_WORDS = 0.5
"""Share of a model sentence's content words that its evidence, titles or question must hold."""

LEAST_STRETCH = 2
"""Letters in a row that a built sentence must take from the evidence to take any."""

_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s")

LEAST_CUT_OVERLAP = 0.5
"""Share of the shorter of sentence and cut whose words the other must hold."""


def grounding_consistency(scene: Scene) -> Iterator[Fault]:
    """A sentence says what its source says, as closely as its basis promises."""
    ways = {Basis.OBSERVED: _not_read, Basis.DERIVED: _not_built, Basis.INFERRED: _not_shared}
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


def _not_built(sentence: DraftSentence, scene: Scene) -> str:
    """What a built sentence says that is neither a phrase of ours nor of the pack."""
    if because := _not_held(sentence, scene):
        return because
    text = letters(NUMBERING.sub(" ", sentence.text))
    pieces = _PHRASES | {letters(name) for name in _names(scene)} | _dates(scene)
    pieces |= counts_told(sentence, scene)
    pieces |= {letters(_ITEM.sub("", cut.span.span.quote)) for cut in sentence.cuts}
    at = _furthest(text, pieces - {""}, letters(scene.evidence(sentence)))
    return f"neither we nor the pack say {text[at : at + 12]!r}" if at < len(text) else ""


def _names(scene: Scene) -> set[str]:
    plan = scene.plan
    asked = {subject.text for subject in plan.subjects}
    asked |= {hit.surface for hit in plan.alias_hits}
    return {*scene.facts.titles, *scene.facts.names, *asked, *plan.query_variants}


def _dates(scene: Scene) -> frozenset[str]:
    return frozenset(letters(day) for day in days_told(scene))


_PHRASES = frozenset(letters(piece) for piece in OWN_WORDS)


def _furthest(text: str, pieces: Collection[str], evidence: str) -> int:
    """How far a text can be laid out with these pieces and stretches of the evidence."""
    waiting, seen, furthest = [0], {0}, 0
    while waiting:
        at = waiting.pop()
        furthest = max(furthest, at)
        ends = [at + len(piece) for piece in pieces if text.startswith(piece, at)]
        length = _read_at(text, at, evidence)
        ends += [at + length] if length >= LEAST_STRETCH else []
        for end in ends:
            if end not in seen:
                seen.add(end)
                waiting.append(end)
    return furthest


def _read_at(text: str, at: int, evidence: str) -> int:
    """The length of the longest stretch from a place that the evidence holds."""
    low, high = 0, len(text) - at
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text[at : at + middle] in evidence else (low, middle - 1)
    return low


def _not_held(sentence: DraftSentence, scene: Scene) -> str:
    """What a sentence built from the pack names that the pack does not hold."""
    known = letters(all_told(sentence, scene) + "\n" + "\n".join(scene.facts.names))
    strange = [name for name in proper_names(sentence.text) if letters(name) not in known]
    return f"the pack holds no {strange[0]!r}" if strange else ""


def _not_shared(sentence: DraftSentence, scene: Scene) -> str:
    """What a model's sentence brings in that it was not shown."""
    if because := _not_held(sentence, scene):
        return because
    own = all_told(sentence, scene)
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
    stale = sorted(set(scene.facts.stale) & scene.facts.asked)
    silent = scene.plan.intent is Intent.STILL_VALID and SentenceKind.TEMPORAL not in kinds
    if silent and stale:
        yield Fault(None, f"it was asked whether {stale[0]} holds, and does not say")


def _untold_sides(scene: Scene, about: set[DocumentId]) -> list[DocumentId]:
    """The notes compared of which nothing is said, unless what is said names every side."""
    shown = {fragment.span.document_id for fragment in scene.pack.fragments}
    sides = {document_of(side) for side in scene.pack.comparison.sides}
    told = "\n".join(
        text
        for _, sentence in scene.answering
        for text in (sentence.text, *scene.headings(sentence))
    )
    subjects = [subject.text for subject in scene.plan.subjects]
    if len(subjects) > 1 and all(names_whole(told, name) for name in subjects):
        return []
    return sorted((sides & shown) - about)
