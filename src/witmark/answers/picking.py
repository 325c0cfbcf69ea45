"""Which sentences of the pack answer the question, best first.

A sentence is worth the rarity, within the pack, of the question's words that it holds: words
that every sentence holds (most often the subject itself) say nothing about which one answers.
Its neighbours lend it a little, for the subject is often named one sentence earlier, and so
does the sort of thing that is asked for. Everything is a ratio of what the question could be
worth at all, so scores of different packs compare.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import AtomId, KnowledgeAtom
from witmark.answers.expecting import expected, look_of
from witmark.answers.folding import HAN, simplified
from witmark.answers.late import late
from witmark.answers.notes import BlockKind
from witmark.answers.pack import FRONT_LINE, Fragment, FragmentRole, GraphContextPack
from witmark.answers.sentences import sentences
from witmark.answers.terms import query_terms
from witmark.kernel.evidence import TextRange

_SINGLE_HAN = 0.5  # a lone character says less than a pair of them
_HEADING = 0.7  # a word found only in the headings above: all below is about it
_VARIANT = 0.3  # a word of another spelling of the subject, not of the question
_NEIGHBOUR = 0.1
_EXPECTED = 0.1
_OPENING = 0.06
_LABEL_CHARS = 24
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

_NO_NAME = late(r":.*$|~\d+$")
"""Of a section's key what its headings do not say: a part's mark, a repeated one's number."""

_HAN = late(f"[{HAN}]")
_HAN_RUN = late(f"[{HAN}]+")
_WORD = late(r"[^\W_]")
_SMALL_WORD = late(r"\b[a-z][a-z'-]+\b")
_LATIN_RUN = late(r"[A-Za-z\u00c0-\u024f]+")
_LATIN_LETTER = late(r"[A-Za-z\u00c0-\u024f]")
ASKING = late(
    r"什[么麼]|哪[一些个個里裡位年种種]{0,2}|何[时時人处處地]?|[谁誰]|多少|[几幾]|[为為]何|怎[么麼样樣]{0,2}"
    r"|如何|[吗嗎呢]|请问|請問"
    r"|\b(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|be|been|do|does|did"
    r"|has|have|had|can|could|will|would|should|the|a|an|of|in|on|at|to|for|from|by|with|and|or"
    r"|as|it|its|that|this|these|those|there|many|much|me|my|i|you|your|please|tell|about)\b",
    re.IGNORECASE,
)
"""Words that only ask."""


@dataclass(frozen=True, slots=True)
class Bag:
    """What a text can be found by, made so that looking is cheap.

    Attributes:
        plain: The text with one script, for Han characters and pairs of them.
        words: The index's terms of what else stands in it.
    """

    plain: str
    words: frozenset[str]

    def holding(self, asked: "Asked") -> frozenset[str]:
        """Those of the tokens that stand in the text."""
        plain = self.plain
        found = [token for token in asked.unspaced if token in plain] if plain else ()
        return (asked.words & self.words).union(found)


@dataclass(frozen=True, slots=True)
class Asked:
    """Tokens of ``tokens_of``, parted by how they are looked for."""

    words: frozenset[str]
    unspaced: tuple[str, ...]

    @classmethod
    def of(cls, tokens: Iterable[str]) -> "Asked":
        """Part them."""
        every = sorted(set(tokens))
        return cls(frozenset(every), tuple(token for token in every if not token.isascii()))


def bag_of(text: str) -> Bag:
    """Lay a text out for looking up."""
    return _bag(simplified(text))


def _bag(plain: str) -> Bag:
    if not plain.isascii():
        rest = _HAN_RUN.sub(" ", plain)
        return Bag(plain, frozenset(query_terms(rest)) if _WORD.search(rest) else frozenset())
    return Bag("", frozenset(query_terms(plain)))


_NOTHING = Bag("", frozenset())


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of one fragment, with what is known of it without the question.

    Attributes:
        fragment: Where it stands.
        where: Its range in the fragment's text.
        text: Itself.
        kind: Of its block.
        language: ``zh``, ``en`` or ``und``, by its own letters; another one if the note is
            in another.
        bag: What it can be found by.
        above: The same of the headings it stands under, as far as they are known.
        position: Of the fragment in the pack, then of the sentence in the fragment.
    """

    fragment: Fragment
    where: TextRange
    text: str
    kind: BlockKind
    language: str
    bag: Bag
    above: Bag
    position: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and what it is worth to the question, from 0 to a little over 1."""

    sentence: Sentence
    worth: float


def section_path(title: str, stable_key: str) -> tuple[str, ...]:
    """The headings of a section, from its key alone.

    >>> section_path("Bread", "use/how-to-bake/:part~2")
    ('Bread', 'use', 'how to bake')
    """
    names = [_NO_NAME.sub("", name).replace("-", " ") for name in stable_key.split("/")]
    return (title, *(name for name in names if name.strip()))


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
        self._titles = {str(a.document_id): a.document_title for a in atoms.values()}
        self.fragments = pack.fragments
        self.kinds = tuple(block_kind(f, atoms.get(f.atom_id)) for f in pack.fragments)
        self.all = tuple(self._cut())

    @cached_property
    def words(self) -> frozenset[str]:
        """Every Latin word that the pack's texts write small."""
        return frozenset(w for f in self.fragments for w in _SMALL_WORD.findall(f.text))

    def _cut(self) -> Iterable[Sentence]:
        for number, (fragment, kind) in enumerate(zip(self.fragments, self.kinds, strict=True)):
            if kind not in _PROSE or fragment.passage == FRONT_LINE:
                continue
            headings = self.headings_over(fragment)
            above = bag_of("\n".join(headings)) if headings else _NOTHING
            folded = simplified(fragment.text)  # as long as the text, place for place
            for inner, where in enumerate(sentences(fragment.text)):
                text = fragment.text[where.start : where.end]
                language = _language_in(fragment, text)
                if language != "und" or _WORD.search(text):
                    place = (number, inner)
                    bag = _bag(folded[where.start : where.end])
                    yield Sentence(fragment, where, text, kind, language, bag, above, place)

    def section_over(self, fragment: Fragment) -> tuple[str, ...]:
        """The note's title and the headings down to a fragment, its own last.

        The title stands once; parts of a long section are one section.
        """
        atom = self._atoms.get(fragment.atom_id)
        if atom is not None:
            return atom.section_path
        document, _, key = fragment.atom_id.rpartition("#")
        return section_path(self._titles.get(document, ""), key)

    def headings_over(self, fragment: Fragment) -> tuple[str, ...]:
        """The headings from the note's title down to a fragment.

        Of an atom that the pack does not hold, its stable key still tells their words.
        """
        atom = self._atoms.get(fragment.atom_id)
        if atom is not None:
            return (atom.document_title, *atom.section_path)
        slugs = fragment.atom_id.rpartition("#")[2].split("/")
        return tuple(slug.replace("-", " ") for slug in slugs if slug)


def _language_in(fragment: Fragment, text: str) -> str:
    """A sentence's language: the note's, if that is one that letters do not tell."""
    noted = fragment.span.language.partition("-")[0]
    return language_of(text) if noted in {"zh", "en", "und", ""} else noted


def block_kind(fragment: Fragment, atom: KnowledgeAtom | None) -> BlockKind:
    """What a fragment's block is: from its atom if that is known, else from its first mark."""
    if fragment.passage == FRONT_LINE:
        return BlockKind.FRONT_MATTER
    if atom is not None and 0 <= fragment.passage < len(atom.passages):
        return atom.passages[fragment.passage].kind
    return next(
        (kind for mark, kind in _MARKS if mark.match(fragment.span.span.quote)),
        BlockKind.PARAGRAPH,
    )


_MARKS = tuple(
    (late(mark), kind)
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
    held = _held(plan, pool)
    weights = _weights(plan, held)
    total = sum(weights.values()) or 1.0
    bare = [_bare_worth(one, *held[at], weights) / total for at, one in enumerate(pool)]
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
    asked: list[Asked] = []

    def weight(part: TextRange) -> float:
        if not asked:
            weights.update(_weights(plan, _held(plan, stock.all)))
            asked.append(Asked.of(weights))
        text = sentence.fragment.text[part.start : part.end]
        held = sum(weights[token] for token in sorted(bag_of(text).holding(asked[0])))
        return held + _EXPECTED * looks(text)

    return weight


def adds_nothing(one: Sentence, asked: Collection[str]) -> bool:
    """Whether a sentence only repeats words of the question."""
    return len(one.text) <= _LABEL_CHARS and not set(tokens_of(one.text)) - set(asked)


def content_tokens(plan: QueryPlan) -> frozenset[str]:
    """What the question is about, without the words that only ask."""
    return frozenset(tokens_of(ASKING.sub("\n", plan.planner_query or plan.question)))


def language_of(text: str) -> str:
    """``zh`` or ``en`` by the letters of a text; ``und`` when it has none.

    A Han character counts as much as four Latin letters, so a Chinese sentence about
    ``Kubernetes`` stays Chinese.
    """
    if text.isascii():
        return "en" if _LATIN_LETTER.search(text) else "und"
    han = sum(map(len, _HAN_RUN.findall(text)))
    latin = sum(map(len, _LATIN_RUN.findall(text)))
    if not han and not latin:
        return "und"
    return "zh" if 4 * han >= latin else "en"


def tokens_of(text: str) -> list[str]:
    """The index's own terms of a text, and every Han character by itself."""
    return [*query_terms(text), *_HAN.findall(simplified(text))]


# Worth -------------------------------------------------------------------------------


_Held = list[tuple[frozenset[str], frozenset[str]]]
"""Per sentence: which of the question's tokens it holds itself, which the headings above."""


def _shares(plan: QueryPlan) -> dict[str, float]:
    asked = dict.fromkeys(sorted(content_tokens(plan)), 1.0)
    for variant in plan.query_variants:
        for token in tokens_of(variant):
            asked.setdefault(token, _VARIANT)
    return asked


def _held(plan: QueryPlan, pool: Sequence[Sentence]) -> _Held:
    asked = Asked.of(_shares(plan))
    above: dict[int, frozenset[str]] = {}
    found: _Held = []
    for one in pool:
        headings = above.get(one.position[0])
        if headings is None:
            headings = above[one.position[0]] = one.above.holding(asked)
        found.append((one.bag.holding(asked), headings))
    return found


def _weights(plan: QueryPlan, held: _Held) -> dict[str, float]:
    counts = Counter(token for own, above in held for token in own | above)
    return {
        token: share * _rarity(counts[token], len(held)) * _size(token)
        for token, share in sorted(_shares(plan).items())
        if counts[token]
    }


def _rarity(count: int, of: int) -> float:
    return math.log(1 + (of + 0.5) / (count + 0.5))


def _size(token: str) -> float:
    return _SINGLE_HAN if len(token) == 1 and not token.isascii() else 1.0


def _bare_worth(
    one: Sentence, own: frozenset[str], above: frozenset[str], weights: Mapping[str, float]
) -> float:
    worth = sum([weights[token] for token in sorted(own)])
    worth += _HEADING * sum([weights[token] for token in sorted(above - own)])
    return worth / (1 + _LENGTH * len(one.text) / _USUAL_CHARS)


def _lent(pool: Sequence[Sentence], bare: Sequence[float], at: int) -> float:
    here = pool[at].fragment.ref
    return sum(
        _NEIGHBOUR * bare[near]
        for near in (at - 1, at + 1)
        if 0 <= near < len(pool) and pool[near].fragment.ref == here
    )
