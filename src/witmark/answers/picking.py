"""Which sentences of the pack answer the question, best first.

A sentence is worth the rarity, within the pack, of the question's words that it holds: words
that every sentence holds (most often the subject itself) say nothing about which one answers.
Its neighbours lend it a little, for the subject is often named one sentence earlier, and so
does the sort of thing that is asked for. Everything is a ratio of what the question could be
worth at all, so scores of different packs compare.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import AtomId, KnowledgeAtom
from witmark.answers.expecting import expected, look_of
from witmark.answers.folding import HAN, simplified
from witmark.answers.notes import BlockKind
from witmark.answers.pack import Fragment, FragmentRole, GraphContextPack
from witmark.answers.sentences import sentences
from witmark.answers.terms import query_terms
from witmark.kernel.evidence import TextRange

_SINGLE_HAN = 0.5  # a lone character says less than a pair of them
_HEADING = 0.35  # a word found only in the headings above a sentence
_VARIANT = 0.3  # a word of another spelling of the subject, not of the question
_NEIGHBOUR = 0.1
_EXPECTED = 0.1
_OPENING = 0.06
_USUAL_CHARS, _LENGTH = 60, 0.25  # longer sentences hold more words by chance
_ROLES = {
    FragmentRole.DIRECT_SUPPORT: 0.1,
    FragmentRole.PARENT_CONTEXT: 0.05,
    FragmentRole.ADJACENT_CONTEXT: 0.05,
}
_PROSE = frozenset(
    {
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.TABLE_ROW,
        BlockKind.QUOTE,
        BlockKind.CALLOUT,
        BlockKind.FOOTNOTE,
        BlockKind.FRONT_MATTER,
    }
)

_HAN = re.compile(f"[{HAN}]")
_SMALL_WORD = re.compile(r"\b[a-z][a-z'-]+\b")
_LATIN_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f]")
_ASKING = re.compile(
    r"什[么麼]|哪[一些个個里裡位年种種]{0,2}|何[时時人处處地]?|[谁誰]|多少|[几幾]|[为為]何|怎[么麼样樣]{0,2}"
    r"|如何|[吗嗎呢]|请问|請問"
    r"|\b(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|be|been|do|does|did"
    r"|has|have|had|can|could|will|would|should|the|a|an|of|in|on|at|to|for|from|by|with|and|or"
    r"|as|it|its|that|this|these|those|there|many|much|me|my|i|you|your|please|tell|about)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of one fragment, with what is known of it without the question.

    Attributes:
        fragment: Where it stands.
        where: Its range in the fragment's text.
        text: Itself.
        kind: Of its block.
        language: ``zh``, ``en`` or ``und``, by its own letters.
        tokens: What it can be found by.
        above: The same of the headings it stands under, as far as they are known.
        position: Of the fragment in the pack, then of the sentence in the fragment.
    """

    fragment: Fragment
    where: TextRange
    text: str
    kind: BlockKind
    language: str
    tokens: frozenset[str]
    above: frozenset[str]
    position: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and what it is worth to the question, from 0 to a little over 1."""

    sentence: Sentence
    worth: float


class Stock:
    """Every sentence of a pack, cut once.

    Attributes:
        all: Those of prose, in the pack's order.
        headings: Per fragment, the text of its atom's section path, where it is known.
    """

    def __init__(self, pack: GraphContextPack) -> None:
        atoms = {node.atom.id: node.atom for node in pack.support}
        if pack.anchor is not None:
            atoms[pack.anchor.id] = pack.anchor
        self._atoms: Mapping[AtomId, KnowledgeAtom] = atoms
        self.fragments = pack.fragments
        self.kinds = tuple(block_kind(f, atoms.get(f.atom_id)) for f in pack.fragments)
        self.all = tuple(self._cut())

    @cached_property
    def words(self) -> frozenset[str]:
        """Every Latin word that the pack's texts write small."""
        return frozenset(w for f in self.fragments for w in _SMALL_WORD.findall(f.text))

    def _cut(self) -> Iterable[Sentence]:
        for number, (fragment, kind) in enumerate(zip(self.fragments, self.kinds, strict=True)):
            if kind not in _PROSE:
                continue
            above = frozenset(t for h in self.headings_over(fragment) for t in tokens_of(h))
            for inner, where in enumerate(sentences(fragment.text)):
                text = fragment.text[where.start : where.end]
                tokens = frozenset(tokens_of(text))
                if tokens:
                    language = language_of(text)
                    yield Sentence(
                        fragment, where, text, kind, language, tokens, above, (number, inner)
                    )

    def headings_over(self, fragment: Fragment) -> tuple[str, ...]:
        """The headings from the note's title down to a fragment.

        Of an atom that the pack does not hold, its stable key still tells their words.
        """
        atom = self._atoms.get(fragment.atom_id)
        if atom is not None:
            return (atom.document_title, *atom.section_path)
        slugs = fragment.atom_id.rpartition("#")[2].split("/")
        return tuple(slug.replace("-", " ") for slug in slugs if slug)


def block_kind(fragment: Fragment, atom: KnowledgeAtom | None) -> BlockKind:
    """What a fragment's block is: from its atom if that is known, else from its first mark."""
    if atom is not None and 0 <= fragment.passage < len(atom.passages):
        return atom.passages[fragment.passage].kind
    return next(
        (kind for mark, kind in _MARKS if mark.match(fragment.span.span.quote)),
        BlockKind.PARAGRAPH,
    )


_MARKS = tuple(
    (re.compile(mark), kind)
    for mark, kind in (
        (r"\s*#{1,6}\s", BlockKind.HEADING),
        (r"\s*(?:```|~~~)\s*mermaid", BlockKind.MERMAID),
        (r"\s*(?:```|~~~)", BlockKind.CODE),
        (r"\s*\$\$", BlockKind.MATH),
        (r"\s*>\s*\[!", BlockKind.CALLOUT),
        (r"\s*>", BlockKind.QUOTE),
        (r"\s*\|", BlockKind.TABLE_ROW),
        (r"\s*\[\^[^\]]+\]:", BlockKind.FOOTNOTE),
        (r"\s*(?:[-*+]|\d{1,9}[.)])\s", BlockKind.LIST_ITEM),
        (r"\s*</?[A-Za-z!]", BlockKind.HTML),
    )
)


def ranked(
    plan: QueryPlan,
    pool: Sequence[Sentence],
    bonus: Callable[[Sentence], float] = lambda _sentence: 0.0,
) -> tuple[Scored, ...]:
    """Return the sentences of a pool by what they are worth to the question, best first.

    Args:
        plan: The question.
        pool: Sentences of one pack, in its order.
        bonus: More (or less) for a sentence that has something to do with the question.
    """
    if not pool:
        return ()
    weights = _weights(plan, pool)
    total = sum(weights.values()) or 1.0
    bare = [_bare_worth(one, weights) / total for one in pool]
    looks = look_of(expected(plan.question))
    scored = []
    for at, one in enumerate(pool):
        worth = bare[at] + _lent(pool, bare, at)
        if worth > 0:
            worth += _EXPECTED * looks(one.text) + _OPENING * (one.position[1] == 0)
            worth += _ROLES.get(one.fragment.role, 0.0) + bonus(one)
        scored.append(Scored(one, worth))
    return tuple(sorted(scored, key=lambda s: (-s.worth, s.sentence.position)))


def weigher(plan: QueryPlan, stock: Stock, sentence: Sentence) -> Callable[[TextRange], float]:
    """Return what a clause of a sentence is worth, to cut a long one to the telling ones."""
    looks = look_of(expected(plan.question))
    weights: dict[str, float] = {}

    def weight(part: TextRange) -> float:
        if not weights:
            weights.update(_weights(plan, stock.all))
        text = sentence.fragment.text[part.start : part.end]
        held = sum(weights.get(token, 0.0) for token in sorted(set(tokens_of(text))))
        return held + _EXPECTED * looks(text)

    return weight


def content_tokens(plan: QueryPlan) -> frozenset[str]:
    """What the question is about, without the words that only ask."""
    return frozenset(tokens_of(_ASKING.sub("\n", plan.planner_query or plan.question)))


def language_of(text: str) -> str:
    """``zh`` or ``en`` by the letters of a text; ``und`` when it has none.

    A Han character counts as much as four Latin letters, so a Chinese sentence about
    ``Kubernetes`` stays Chinese.
    """
    han, latin = len(_HAN.findall(text)), len(_LATIN_LETTER.findall(text))
    if not han and not latin:
        return "und"
    return "zh" if 4 * han >= latin else "en"


def tokens_of(text: str) -> list[str]:
    """The index's own terms of a text, and every Han character by itself."""
    return [*query_terms(text), *_HAN.findall(simplified(text))]


# Worth -------------------------------------------------------------------------------


def _weights(plan: QueryPlan, pool: Sequence[Sentence]) -> dict[str, float]:
    asked = dict.fromkeys(content_tokens(plan), 1.0)
    for variant in plan.query_variants:
        for token in tokens_of(variant):
            asked.setdefault(token, _VARIANT)
    counts = dict.fromkeys(asked, 0)
    for one in pool:
        for token in (one.tokens | one.above) & counts.keys():
            counts[token] += 1
    return {
        token: share * _rarity(counts[token], len(pool)) * _size(token)
        for token, share in sorted(asked.items())
        if counts[token]
    }


def _rarity(count: int, of: int) -> float:
    return math.log(1 + (of + 0.5) / (count + 0.5))


def _size(token: str) -> float:
    return _SINGLE_HAN if len(token) == 1 and not token.isascii() else 1.0


def _bare_worth(one: Sentence, weights: Mapping[str, float]) -> float:
    asked = weights.keys()
    worth = sum(weights[token] for token in sorted(one.tokens & asked))
    worth += _HEADING * sum(
        weights[token] for token in sorted((one.above & asked) - one.tokens)
    )
    return worth / (1 + _LENGTH * len(one.text) / _USUAL_CHARS)


def _lent(pool: Sequence[Sentence], bare: Sequence[float], at: int) -> float:
    here = pool[at].fragment.ref
    return sum(
        _NEIGHBOUR * bare[near]
        for near in (at - 1, at + 1)
        if 0 <= near < len(pool) and pool[near].fragment.ref == here
    )
