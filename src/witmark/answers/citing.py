"""A stretch of a fragment's plain text is given its exact place in the source.

The composer sees the pack and no file, so everything is worked out from the fragment's own
span: its quote is the source text, byte for byte, and its place is known. What is returned
always reads back: its quote is the slice of the fragment's quote at its offsets.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from witmark.answers.answer import Cut
from witmark.answers.atoms import AtomId, EvidenceSpan, KnowledgeAtom, SpanId
from witmark.answers.budget import SNIPPET_CHARS
from witmark.answers.pack import Fragment, GraphContextPack
from witmark.answers.sentences import fitted, trimmed
from witmark.kernel.evidence import EvidenceRef, TextRange, TextSpan

_CONTEXT_CHARS = 32
_FARTHEST_MARKUP = 600  # code points of markup (a link's address) skipped when aligning
_LINE_END = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r"[^\W_]")
_PIECE = re.compile(r"[^\W_]+|[^\w\s]|_")


class Citer:
    """Cuts evidence from the fragments of one pack."""

    def __init__(self, pack: GraphContextPack) -> None:
        atoms = [node.atom for node in pack.support]
        if pack.anchor is not None:
            atoms.append(pack.anchor)
        self._atoms: Mapping[AtomId, KnowledgeAtom] = {atom.id: atom for atom in atoms}

    def cut(
        self,
        fragment: Fragment,
        where: TextRange,
        weight: Callable[[TextRange], float] | None = None,
    ) -> Cut:
        """Cite a range of ``fragment.text``, at most 280 code points of source.

        Args:
            fragment: A fragment of the pack.
            where: A sentence of its text.
            weight: What a clause is worth to the answer, for a sentence too long to be
                cited whole; the first clauses when nothing is given.
        """

        def length(part: TextRange) -> int:
            placed = whole_inlines(fragment.span.span.quote, self._placed(fragment, part))
            return placed.end - placed.start

        def first_is_best(part: TextRange) -> float:
            return -part.start

        fit = fitted(
            fragment.text,
            where,
            limit=SNIPPET_CHARS,
            length=length,
            weight=weight or first_is_best,
        )
        placed = whole_inlines(fragment.span.span.quote, self._placed(fragment, fit))
        if _WORD.search(fragment.span.span.quote, placed.start, placed.end) is None:
            placed = TextRange(0, len(fragment.span.span.quote))  # a stop alone shows nothing
        end = min(placed.end, placed.start + SNIPPET_CHARS)  # markup no cut could avoid
        return self._cut(fragment, TextRange(placed.start, end))

    def lead(self, fragment: Fragment, where: TextRange | None = None) -> Cut:
        """Cite a range, or the whole of a fragment, from its beginning."""
        whole = where or trimmed(fragment.text, 0, len(fragment.text))
        if whole is None:  # a picture without words: the place itself is the evidence
            end = min(len(fragment.span.span.quote), SNIPPET_CHARS)
            return self._cut(fragment, TextRange(0, end))
        return self.cut(fragment, whole)

    def _placed(self, fragment: Fragment, part: TextRange) -> TextRange:
        """The range of ``fragment.span``'s quote that a range of its text was copied from."""
        found = self._by_runs(fragment, part) or aligned(
            fragment.text, fragment.span.span.quote, part
        )
        return found or TextRange(0, len(fragment.span.span.quote))

    def _by_runs(self, fragment: Fragment, part: TextRange) -> TextRange | None:
        atom = self._atoms.get(fragment.atom_id)
        if atom is None or not 0 <= fragment.passage < len(atom.passages):
            return None
        span = fragment.span.span
        begin = _begin_in(atom, fragment)
        if begin is None:
            return None
        found = atom.content.source_range(begin + part.start, begin + part.end)
        if found is None or not span.start <= found.start < found.end <= span.end:
            return None
        return TextRange(found.start - span.start, found.end - span.start)

    def _cut(self, fragment: Fragment, within: TextRange) -> Cut:
        span = inner_span(fragment.span, within)
        ref = EvidenceRef(fragment.ref.blob, span.span.range)
        return Cut(ref, fragment.ref, fragment.atom_id, span)


_INLINE = re.compile(
    r"(?P<code>`+)[^`\n]+(?P=code)|!?\[\[[^\[\]\n]+\]\]"
    r"|!?\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])"
    r"|(?P<mark>\*\*\*|\*\*|___|__|~~|==|(?<![*\w])\*(?!\*)|(?<![_\w])_(?!_))"
    r"(?=\S)[^\n]{1,280}?(?<=\S)(?P=mark)(?![*])"
)


def whole_inlines(quote: str, part: TextRange) -> TextRange:
    """Widen a range of source so that it cuts through no link, emphasis or code.

    >>> found = whole_inlines("see [[a|b]]: **c** d", TextRange(8, 16))
    >>> found.start, found.end
    (4, 18)
    """
    start, end = part.start, part.end
    before = None
    while (start, end) != before:
        before = start, end
        for first, last in _inlines(quote):
            if first < start < last and end > start:
                start = first
            if first < end < last:
                end = last
    return TextRange(start, end)


@lru_cache(64)
def _inlines(quote: str) -> tuple[tuple[int, int], ...]:
    """Where links, emphasis and code stand; a long sentence is tried at many lengths."""
    return tuple(hit.span() for hit in _INLINE.finditer(quote))


def _begin_in(atom: KnowledgeAtom, fragment: Fragment) -> int | None:
    """Where a fragment's text begins in its atom; it may be a part of its passage."""
    passage, content = atom.passages[fragment.passage], atom.content
    size = len(fragment.text)
    if passage.end - passage.start == size:
        is_whole = content.text.startswith(fragment.text, passage.start)
        return passage.start if is_whole else None
    at = content.text.find(fragment.text, passage.start, passage.end)
    while at >= 0:
        placed = content.source_range(at, at + size)
        if placed is not None and placed.start == fragment.span.span.start:
            return at
        at = content.text.find(fragment.text, at + 1, passage.end)
    return None


def inner_span(outer: EvidenceSpan, within: TextRange) -> EvidenceSpan:
    """Return the span of a range of another span's quote."""
    quote = outer.span.quote
    before, inside = quote[: within.start], quote[within.start : within.end]
    start = outer.span.start + within.start
    line, column = _moved(outer.start_line, outer.start_column, before)
    start_byte = outer.start_byte + len(before.encode())
    # The end's line is that of the last character, so a line end at the very end stays in it.
    last_line, last_column = _moved(line, column, inside[:-1])
    return EvidenceSpan(
        id=SpanId(f"{outer.document_id}@{start}-{start + len(inside)}"),
        document_id=outer.document_id,
        source_path=outer.source_path,
        language=outer.language,
        span=TextSpan(start, start + len(inside), inside),
        start_byte=start_byte,
        end_byte=start_byte + len(inside.encode()),
        start_line=line,
        start_column=column,
        end_line=last_line,
        end_column=last_column + 1,
        prefix=(outer.prefix + before)[-_CONTEXT_CHARS:],
        suffix=(quote[within.end :] + outer.suffix)[:_CONTEXT_CHARS],
        source_hash=outer.source_hash,
    )


def _moved(line: int, column: int, over: str) -> tuple[int, int]:
    breaks = list(_LINE_END.finditer(over))
    if not breaks:
        return line, column + len(over)
    return line + len(breaks), len(over) - breaks[-1].end() + 1


def aligned(text: str, quote: str, part: TextRange) -> TextRange | None:
    """Find where in its source a range of plain text stands, without the parser's runs.

    The same words as often before it in both decide between repeated sentences; markup
    inside the range is stepped over word by word.
    """
    wanted = text[part.start : part.end]
    if (at := _same_occurrence(text, quote, wanted, part.start)) is not None:
        return TextRange(at, at + len(wanted))
    pieces = list(_PIECE.finditer(text, 0, part.end))
    first = last = None
    here = 0
    for piece in pieces:
        at = quote.find(piece[0], here, here + _FARTHEST_MARKUP)
        if at < 0:
            continue
        here = at + len(piece[0])
        if piece.start() >= part.start:
            first = at if first is None else first
            last = here
    return None if first is None or last is None else TextRange(first, last)


def _same_occurrence(text: str, quote: str, wanted: str, start: int) -> int | None:
    if text.count(wanted) != quote.count(wanted):
        return None
    at = quote.find(wanted)
    for _ in range(text.count(wanted, 0, start)):
        at = quote.find(wanted, at + len(wanted))
    return at if at >= 0 else None
