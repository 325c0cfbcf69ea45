"""Checks for the sentences of a model, beside those that hold for any draft.

A sentence copied from an exhibit (``observed``) is the note's. One in the model's own words
(``inferred``) must be a shortened sentence of an exhibit that it cites: clause by clause all
its words stand in one sentence there, in their order, and nothing is left out that limits what
is said. A passage that gives orders to a model bears nothing out. That is stricter than a
reader would be, on purpose: whatever is refused here is answered without a model, and no
instruction in a note can widen it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.claims import (
    dates_in,
    denials_in,
    folded,
    letters,
    mentions_in,
    proper_names,
    quantities_in,
    spelled,
)
from witmark.answers.picking import content_tokens, language_of, tokens_of
from witmark.answers.review_scene import Fault, Probe, Scene
from witmark.answers.sentences import sentences
from witmark.answers.terms import stemmed
from witmark.kernel.evidence import Basis

LEAST_WORDS = 3
"""A sentence of fewer words says nothing that could be held against its source."""

_JOINT = re.compile(
    r"[,;:.!?()]+(?=\s|$)|[，；：、。．！？（）]"
    r"|\b(?:and|but|or|because|so|while|whereas|which|that)\b"
    r"|而且|并且|或者|因为|所以|因此|但是",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|until|provided|only when|only)\b|如果|若|除非|除了|只有|仅|只(?!是)"
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|rarely|seldom|sometimes|often|usually|mostly|partly|nearly|almost"
    r"|roughly|about(?= \d)|approximately|some|few|many|most|at least|at most|up to|should)\b"
    r"|可能|或许|也许|几乎|大约|左右|通常|往往|有时|部分|难|少|微|至少|至多|最多"
)
_HAN = re.compile("[㐀-䶿一-鿿豈-﫿]")
_WORD = re.compile(
    r"[㐀-䶿一-鿿豈-﫿]+|[^\W_㐀-䶿一-鿿豈-﫿]+(?:[.,'’][^\W_㐀-䶿一-鿿豈-﫿]+)*"
)
_BARE = frozenset({"a", "an", "the", "is", "are", "it", "its", "this", "these"})
_BY = re.compile(r"\b(\w+)\s+by\b")
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://|\bwww\.|\b\S+@\S+\.\S|\bdata:|javascript:", re.IGNORECASE
)
_TAG = re.compile(r"<[/!?|a-z][^<>]*>?|&#?\w+;|\{\{|\}\}|\{\s*[\"']", re.IGNORECASE)
_EXHIBIT_ID = re.compile(r"(?<![\w-])[EРЕＥRPW]\d{1,3}(?![\w-])")
_ODD_CAPITAL = re.compile(r"\b\w*[^\W\d_A-Z][A-Z]\w*")
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+")
_LOUD = re.compile("[?!？！]")
_INNER_STOP = re.compile(r"\S*\s?[.。]\s+\S+")
_ASIDE = re.compile(r"[()（）\[\]【】“”„«»]")
_COMMAND = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"\b(?:instructions?|prompts?|rules?|above|previous|earlier|exhibits?|guidelines?|checks?)\b"
    r"|\b(?:system|developer)\s+(?:prompt|message|instruction)"
    r"|\b(?:as an?|you are(?: now)? an?|i am an?)\s+(?:ai|assistant|language model|model)\b"
    r"|\b(?:answer|reply|respond)\s+(?:only\s+|always\s+)?(?:with|exactly|that)\b"
    r"|\bwhen (?:you are |you're )?asked\b|\b(?:say|state|tell (?:them|the user)) instead\b"
    r"|\bnot_answered\b|\bthe exhibits?\b"
    r"|(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|指示|提示|要求|规则|上文|以上|之前|内容)"
    r"|系统(?:提示|消息|指令)|你(?:现在)?是.{0,8}(?:助手|模型)|(?:请)?(?:只|仅)?(?:回答|回复|引用)[:：“\"]"
)


def model_form(scene: Scene) -> Iterator[Fault]:
    """One sentence of visible characters; no address, tag, brace or exhibit's id; no question.

    What of ``_SHAPES`` a cited exhibit shows at that spelling is the note's.
    """
    for at, sentence in _own(scene):
        text, source = sentence.text, scene.evidence(sentence)
        if (hidden := _UNSEEN.search(text)) is not None:
            yield Fault(at, f"it holds the unseen character U+{ord(hidden[0]):04X}")
        elif text.rstrip(" \"'”’)）」").endswith(("?", "？")):
            yield Fault(at, "it asks instead of telling")
        elif len(sentences(text)) > 1:
            yield Fault(at, "it is more than one sentence")
        for what, shape in _SHAPES.items():
            strays = (hit[0] for hit in shape.finditer(text) if hit[0] not in source)
            if (stray := next(strays, None)) is not None:
                yield Fault(at, f"it holds {what} that no cited exhibit has: {stray!r}")


_SHAPES = {
    "an address": _ADDRESS,
    "markup": _TAG,
    "an exhibit's id": _EXHIBIT_ID,
    "a capital within a word": _ODD_CAPITAL,
    "a full-width letter": _FULL_WIDTH,
    "a question or a shout": _LOUD,
    "a stop within a sentence": _INNER_STOP,
    "a bracket or a quotation mark": _ASIDE,
}


def model_instruction(scene: Scene) -> Iterator[Fault]:
    """A sentence tells the reader something; it gives no orders to a model, copied or not.

    Nor does a passage that it cites: whatever else stands in that was written for a model.
    """
    for at, sentence in _own(scene):
        if (found := _COMMAND.search(folded(sentence.text))) is not None:
            yield Fault(at, f"it speaks to a model instead of to the reader: {found[0]!r}")
        for fragment in scene.fragments(sentence):
            if (found := _COMMAND.search(folded(fragment.text))) is not None:
                yield Fault(at, f"it cites a passage that speaks to a model: {found[0]!r}")


def model_language(scene: Scene) -> Iterator[Fault]:
    """It is in the question's language, unless nothing that was shown is."""
    wanted = "zh" if scene.plan.language == "zh" else "en"
    fluent = any(language_of(fragment.text) == wanted for fragment in scene.pack.fragments)
    for at, sentence in _own(scene):
        if fluent and language_of(sentence.text) not in {wanted, "und"}:
            yield Fault(at, f"the question is in {wanted!r}, and so are exhibits; it is not")


def model_relevance(scene: Scene) -> Iterator[Fault]:
    """One of its sentences names the note asked about, or holds half of what else is asked."""
    own = [sentence for _, sentence in _own(scene)]
    if not own or any(scene.named(sentence) & scene.facts.asked for sentence in own):
        return
    question = scene.plan.question
    named = {
        t for hit in scene.plan.alias_hits for t in tokens_of(question[hit.start : hit.end])
    }
    rest = content_tokens(scene.plan) - named
    said = {token for sentence in own for token in tokens_of(sentence.text)}
    if not rest or 2 * len(rest & said) < len(rest):
        yield Fault(
            None, "no sentence names what is asked about, or holds half of the question"
        )


def model_particulars(scene: Scene) -> Iterator[Fault]:
    """Its numbers, days and names stand in the exhibits it cites, or in their notes' titles.

    That the question names them is not enough: a question can suppose what no note says.
    """
    for at, sentence in _own(scene):
        own = "\n".join((scene.evidence(sentence), *_names(scene, sentence)))
        known = {(one.number, one.unit) for one in quantities_in(own)}
        known |= {(one.number, "") for one in quantities_in(own)}
        for one in quantities_in(sentence.text):
            if (one.number, one.unit) not in known:
                yield Fault(at, f"no exhibit it cites says {one.number} {one.unit}".rstrip())
        if strays := sorted(dates_in(sentence.text) - dates_in(own)):
            yield Fault(at, f"no exhibit it cites names the day {strays[0]}")
        spelt = letters(own)
        for name in proper_names(sentence.text):
            if letters(name) not in spelt:
                yield Fault(at, f"no exhibit it cites names {name!r}")


def model_support(scene: Scene) -> Iterator[Fault]:
    """Each clause in the model's own words is a shortened sentence of an exhibit it cites."""
    for at, sentence in _own(scene):
        if sentence.basis is not Basis.INFERRED:
            continue
        names = _names(scene, sentence)
        sources = [_Source.of(text, names) for text in _evidence(scene, sentence)]
        clauses = [_Clause.of(text, names, sentence.text) for text in _clauses(sentence.text)]
        is_empty = not any(clause.unnamed for clause in clauses)
        if is_empty or sum(len(clause.terms) for clause in clauses) < LEAST_WORDS:
            yield Fault(at, "it says nothing that an exhibit could bear out")
        for clause in clauses:
            if because := _unborne(clause, sources):
                yield Fault(at, because)


MODEL_CHECKS: Mapping[str, Probe] = {
    "model_form": model_form,
    "model_instruction": model_instruction,
    "model_language": model_language,
    "model_relevance": model_relevance,
    "model_particulars": model_particulars,
    "model_support": model_support,
}
"""By gate id, in the order of the report; they follow ``release.CHECKS``."""


# What a clause rests on --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Source:
    """One sentence of an exhibit.

    Attributes:
        text: As it stands there.
        terms: Its words, in order.
        names_note: Whether it names its own note.
    """

    text: str
    terms: tuple[str, ...]
    names_note: bool

    @classmethod
    def of(cls, text: str, names: Mapping[str, str]) -> "_Source":
        return cls(text, _terms(text), bool(mentions_in(text, names)))


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause of a model's sentence.

    Attributes:
        text: As it says it.
        terms: Its words, in order.
        unnamed: The same without the names of the notes that are cited.
        whole: The sentence it stands in.
    """

    text: str
    terms: tuple[str, ...]
    unnamed: tuple[str, ...]
    whole: str

    @classmethod
    def of(cls, text: str, names: Mapping[str, str], whole: str) -> "_Clause":
        plain = spelled(text)
        for mention in reversed(mentions_in(text, names)):
            plain = f"{plain[: mention.start]} {plain[mention.end :]}"
        return cls(text, _terms(text), _terms(plain), whole)

    def said_of(self, source: _Source) -> tuple[str, ...]:
        """Its words for one source: a note's name may stand where that says "it"."""
        return self.terms if source.names_note else self.unnamed


def _unborne(clause: _Clause, sources: Sequence[_Source]) -> str:
    """Why no source bears a clause out; empty if one does."""
    if not clause.unnamed:
        return ""
    faults = [_fault(clause, source) for source in sources]
    if not faults:
        return "it cites no text"
    return "" if "" in faults else min(faults, key=_vagueness)


def _vagueness(fault: str) -> int:
    """The most telling reason first: one about a missing word says least."""
    return int(fault.startswith("no sentence"))


def _fault(clause: _Clause, source: _Source) -> str:
    said, there = clause.said_of(source), set(source.terms)
    if strange := [term for term in said if term not in there]:
        return f"no sentence it cites has {strange[0]!r} with the rest of {clause.text!r}"
    if not _in_order(said, source.terms):
        return f"its source has the words of {clause.text!r} in another order"
    taken = [part for part in _clauses(source.text) if set(_terms(part)) & set(said)]
    if (denials_in(clause.text) > 0) != any(denials_in(part) for part in taken):
        return f"it denies what its source does not, or the reverse: {source.text!r}"
    return _left_out(clause, said, source, taken)


def _left_out(
    clause: _Clause, said: Sequence[str], source: _Source, taken: Sequence[str]
) -> str:
    """What limits the source and is gone from the clause; empty if nothing is."""
    kept, told, whole = folded(clause.text), folded(clause.whole), folded(source.text)
    gone = [hit[0] for hit in _CONDITION.finditer(whole) if hit[0] not in told]
    gone += [
        hit[0] for part in taken for hit in _HEDGE.finditer(folded(part)) if hit[0] not in kept
    ]
    if gone:
        return f"it leaves {gone[0]!r} out, which its source says: {source.text!r}"
    ours, theirs = _done_by(kept), _done_by(whole)
    if ours - theirs or any(verb in said for verb in theirs - ours):
        return f"who does it to whom is not as in its source: {source.text!r}"
    return ""


def _done_by(text: str) -> set[str]:
    return {term for hit in _BY.finditer(text) for term in _terms(hit[1])}


def _in_order(said: Sequence[str], source: Sequence[str]) -> bool:
    """Whether all words stand in the source one after the other, others between them or not."""
    waiting = iter(source)
    return all(term in waiting for term in said)


def _terms(text: str) -> tuple[str, ...]:
    """The words of a text as stems, and every pair of Han characters, in order.

    All of them: "from" and "to" tell who does what to whom. Only articles, "is" and "it", which
    a shortened sentence may have or lack, are left out.
    """
    found: list[str] = []
    for word in _WORD.findall(folded(text)):
        if not _HAN.match(word):
            found += [] if word in _BARE else [stemmed(word)]
        elif len(word) == 1:
            found.append(word)
        else:
            found += [word[at : at + 2] for at in range(len(word) - 1)]
    return tuple(found)


def _clauses(text: str) -> list[str]:
    return [part for piece in _JOINT.split(text) if (part := piece.strip())]


# What is whose -----------------------------------------------------------------------


def _own(scene: Scene) -> Iterator[tuple[int, DraftSentence]]:
    """The sentences that the model gave; ours are held by other checks."""
    for at, sentence in enumerate(scene.draft.sentences):
        ours = sentence.basis is Basis.DERIVED or sentence.kind is SentenceKind.ABSTENTION
        if not ours:
            yield at, sentence


def _evidence(scene: Scene, sentence: DraftSentence) -> Iterator[str]:
    for fragment in scene.fragments(sentence):
        for where in sentences(fragment.text):
            yield fragment.text[where.start : where.end]


def _names(scene: Scene, sentence: DraftSentence) -> dict[str, str]:
    """What the notes are called that a sentence cites, as ``mentions_in`` wants it."""
    cited = {scene.facts.one(cut.span.document_id) for cut in sentence.cuts}
    return {name: one for name, one in sorted(scene.facts.names.items()) if one in cited}
