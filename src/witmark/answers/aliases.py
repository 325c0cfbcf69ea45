"""The names of notes: the keys they are kept under, and how they are found in a question.

A note is named by its title, by what stands in the title's brackets, by the aliases its
author gave it and by its file. A name is found however it is spaced, joined, bent, folded
or abbreviated; a name inside a longer name that is found as well does not count, and a word
that says nothing (the, 如何) is nobody's name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from os.path import commonprefix
from typing import Final, Protocol

from witmark.answers.asking import AliasHit, AliasRule
from witmark.answers.atoms import Document, DocumentId
from witmark.answers.intent import Reading, Stretch, read_question
from witmark.answers.normalising import Normalized, normalise, without_format
from witmark.answers.ports import AliasEntry
from witmark.answers.terms import (
    STOP_WORDS,
    compact_key,
    is_unspaced,
    normal_words,
    query_terms,
    stemmed,
    word_ranges,
)

LONGEST_KEY: Final = 80
"""A title longer than this is a sentence; nobody names a note so."""

_PINYIN_CHARACTERS: Final = range(2, 11)
_BRACKETS: Final = re.compile(r"[（(\[【《]([^（()）\[\]【】《》]*)[)）\]】》]")
_FOLDERS_OWN: Final = re.compile(
    r"_?(?:readme|index)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?", re.IGNORECASE
)
_NAMELESS_HAN: Final = frozenset(
    "什么 怎么 怎样 如何 为何 为什么 哪些 哪个 哪里 这个 那个 这些 那些 这里 那里 我们 你们 他们 它们 自己 一个 一些"
    " 一下 一种 可以 可能 应该 需要 以及 还是 或者 而且 但是 因为 所以 如果 虽然 没有 不是 就是 区别 不同 关系 作用"
    " 意思 介绍 解释 说明 比较 对比 问题 时候 方法 方式 东西 情况 部分 内容 其他 其它".split(
        " "
    )
)
NAMELESS: Final = STOP_WORDS | _NAMELESS_HAN
"""Words under which no note can be found by its name alone."""


class Names(Protocol):
    """The part of a library that knows names."""

    def aliases(
        self, keys: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[DocumentId, AliasEntry]]]:
        """The documents under each key that is known."""

    def latin_keys(self, shortest: int, longest: int) -> Sequence[str]:
        """Distinct ASCII keys of a length, sorted."""

    def frequencies(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many atoms each token occurs."""


# Keys of a note ----------------------------------------------------------------------


def alias_entries(document: Document) -> tuple[AliasEntry, ...]:
    """Return every key of a note, sorted."""
    names = surfaces(document.id, document.title, document.stem, document.aliases)
    return entries_of(names)


def entries_of(names: Iterable[str]) -> tuple[AliasEntry, ...]:
    """Return the keys of a note that bears these names, sorted."""
    entries = {
        (key, rule): surface
        for surface in reversed(list(names))  # the first name that gives a key is its surface
        for key, rule in _keys(surface)
        if 0 < len(key) <= LONGEST_KEY
    }
    return tuple(
        AliasEntry(key, rule.value, surface)
        for (key, rule), surface in sorted(entries.items())
        if rule is not AliasRule.STEMMED or (key, AliasRule.EXACT) not in entries
    )


def surfaces(
    document_id: str, title: str, stem: str, aliases: Sequence[str]
) -> tuple[str, ...]:
    """Return the names of a note as written, without repeats.

    >>> surfaces("net/README.md", "服务网格（Service Mesh）", "README", ("mesh",))
    ('服务网格（Service Mesh）', '服务网格', 'Service Mesh', 'net', 'mesh')
    """
    name = _own_name(document_id, stem)
    found = [title, _BRACKETS.sub(" ", title), *_BRACKETS.findall(title), name, *aliases]
    return tuple(dict.fromkeys(clean for one in found if (clean := " ".join(one.split()))))


def _own_name(document_id: str, stem: str) -> str:
    """The file's name, or its folder's if the file only speaks for the folder."""
    if not _FOLDERS_OWN.fullmatch(stem):
        return stem
    return document_id.split("/")[-2] if "/" in document_id else ""


def _keys(surface: str) -> Iterator[tuple[str, AliasRule]]:
    parts = normal_words(surface)
    compact = "".join(parts)
    yield compact, AliasRule.EXACT
    yield "".join(map(stemmed, parts)), AliasRule.STEMMED
    yield from _short_forms(parts, compact)
    if all(map(is_unspaced, parts)) and len(compact) in _PINYIN_CHARACTERS:
        yield pinyin(compact), AliasRule.PINYIN


def _short_forms(parts: Sequence[str], compact: str) -> Iterator[tuple[str, AliasRule]]:
    if not compact.isascii():
        return
    if len(parts) == 1 and compact.isalpha() and len(compact) > 4:
        yield f"{compact[0]}{len(compact) - 2}{compact[-1]}", AliasRule.NUMERONYM
    for spelled in (parts, [part for part in parts if part not in STOP_WORDS]):
        if len(spelled) > 2 and all(part[0].isalpha() for part in spelled):
            yield "".join(part[0] for part in spelled), AliasRule.INITIALS


def pinyin(han: str) -> str:
    """Return the toneless pinyin of a run of Han characters as one word.

    >>> pinyin("服务网格")
    'fuwuwangge'
    """
    from pypinyin import lazy_pinyin  # noqa: PLC0415  # a third of a second, and few need it

    return "".join(lazy_pinyin(han, errors="ignore"))


# Names in a question -----------------------------------------------------------------

_LATIN_WORDS: Final = 5  # a name in Latin letters is at most so many words of the question
_PINYIN_WORDS: Final = 10  # or a syllable each
_LONGEST_SPAN: Final = 24  # units
_FURTHEST: Final = 1000  # code points of the question; names further on do not count
_SHORTEST_PINYIN: Final = 5  # and two syllables are an English word too often (change, fence)
_SHORTEST_TYPO: Final = 6
_TYPO_WORDS: Final = 3
_ONE_EDIT: Final = 5
_TWO_EDITS: Final = 10  # from this length on, two edits still leave most of a name
_ENDINGS: Final = frozenset({"", "s", "es", "ed", "d", "ing", "e", "y", "ies", "ied"})
_DIGITS: Final = re.compile("[0-9]+")
_SYLLABLES: Final = re.compile(
    "(?:(?:[bpmfdtnlgkhjqxrzcsyw]|[zcs]h)?(?:a|ai|an|ang|ao|e|ei|en|eng|er|i|ia|ian|iang|iao|ie|in"
    "|ing|iong|iu|o|ong|ou|u|ua|uai|uan|uang|ue|ui|un|uo|v|ve))+"
)
_BASE: Final = {
    AliasRule.EXACT: 1.0,
    AliasRule.STEMMED: 0.9,
    AliasRule.NUMERONYM: 0.85,
    AliasRule.HAN_SUBSTRING: 0.8,
    AliasRule.INITIALS: 0.8,
    AliasRule.PINYIN: 0.75,
    AliasRule.TYPO: 0.6,
}
_DERIVED: Final = 0.6  # same stem, another meaning perhaps (universe, university)
_BY_OTHER_NAME: Final = 0.95  # the file's own name decides where two notes share a name
_LOWER_CASE_INITIALS: Final = 0.4  # "car" is seldom short for anything
_ORDER: Final = tuple(_BASE)
_SECOND_BEST: Final = (AliasRule.PINYIN, AliasRule.TYPO)
"""Rules that say nothing where another has spoken of the very same words."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A Latin word of the question or one Han character, at its place in the question.

    Attributes:
        text: In the common spelling.
        start: Half-open range in the question.
        end: Half-open range in the question.
        is_han: One character of a script without blanks.
        opens: A name may begin here without cutting a word.
        closes: A name may end here without cutting a word.
    """

    text: str
    start: int
    end: int
    is_han: bool
    opens: bool
    closes: bool


@dataclass(frozen=True, slots=True)
class _Span:
    """Neighbouring units that may be a name."""

    units: tuple[_Unit, ...]

    @property
    def key(self) -> str:
        return "".join(unit.text for unit in self.units)

    @property
    def stemmed_key(self) -> str:
        return "".join(stemmed(word) for word in self.words)

    @property
    def words(self) -> list[str]:
        """Latin words, and runs of Han."""
        found: list[str] = []
        for before, unit in zip((None, *self.units), self.units, strict=False):
            if before and before.is_han and unit.is_han:
                found[-1] += unit.text
            else:
                found.append(unit.text)
        return found

    @property
    def is_whole(self) -> bool:
        return self.units[0].opens and self.units[-1].closes

    @property
    def is_latin(self) -> bool:
        return not any(unit.is_han for unit in self.units)

    @property
    def is_one_word(self) -> bool:
        """Written without a blank."""
        return all(a.end == b.start for a, b in pairwise(self.units))

    def overlaps(self, other: "_Span") -> bool:
        return (
            self.units[0].start < other.units[-1].end
            and other.units[0].start < self.units[-1].end
        )


@dataclass(frozen=True, slots=True)
class _Found:
    span: _Span
    document_id: DocumentId
    surface: str
    rule: AliasRule
    strength: float


def find_names(
    question: str, library: Names, *, reading: Reading | None = None,
    rules: frozenset[AliasRule] = frozenset(AliasRule),
) -> tuple[AliasHit, ...]:  # fmt: skip
    """Find the notes whose names stand in a question, strongest first.

    Args:
        question: As asked.
        library: Where names are kept.
        reading: What ``read_question`` made of the question, if it is there already.
        rules: Only these rules count (for ablation).
    """
    reading = reading or read_question(question)
    units = _units(question, reading)
    spans = list(_spans(units))
    found = [one for one in _looked_up(spans, units, question, library) if one.rule in rules]
    kept = _longest(found)
    for subject in reading.sides or (_hull(reading),):
        if not any(_lies_in(one.span, subject) for one in kept):
            inside = [span for span in spans if _lies_in(span, subject)]
            if AliasRule.PINYIN in rules:
                kept += _mixed_pinyin(inside, library)
            if AliasRule.TYPO in rules and not any(_lies_in(o.span, subject) for o in kept):
                kept += _typos(inside, library)
    return _hits(kept, units, reading)


def _units(question: str, reading: Reading) -> list[_Unit]:
    made = normalise(question[:_FURTHEST])
    borders = {
        at for piece in (*reading.content, *reading.sides) for at in (piece.start, piece.end)
    }
    cells = [
        (made.text[a:b], *_range(made, a, b), is_unspaced(made.text[start]))
        for start, end in word_ranges(made.text)
        for a, b in (
            zip(range(start, end), range(start + 1, end + 1), strict=True)
            if is_unspaced(made.text[start])
            else ((start, end),)
        )
    ]
    units = []
    for at, (text, start, end, is_han) in enumerate(cells):
        glued_before = at > 0 and cells[at - 1][2] == start and cells[at - 1][3] == is_han
        glued_after = (
            at + 1 < len(cells) and cells[at + 1][1] == end and cells[at + 1][3] == is_han
        )
        units.append(
            _Unit(
                text, start, end, is_han,
                opens=not glued_before or start in borders,
                closes=not glued_after or end in borders,
            )
        )  # fmt: skip
    return units


def _range(made: Normalized, start: int, end: int) -> tuple[int, int]:
    return made.origin[start][0], made.origin[end - 1][1]


def _spans(units: Sequence[_Unit]) -> Iterator[_Span]:
    """Yield what may be a name: no part of a Latin word, but any part of a run of Han."""
    for first, opening in enumerate(units):
        if not (opening.opens or opening.is_han):
            continue
        written = han = 0
        for last in range(first, min(first + _LONGEST_SPAN, len(units))):
            unit = units[last]
            han += unit.is_han
            written += not unit.is_han and (unit.opens or last == first)
            if written > (_LATIN_WORDS if han else _PINYIN_WORDS):
                break
            if unit.closes or unit.is_han:
                yield _Span(tuple(units[first : last + 1]))


def _looked_up(
    spans: Sequence[_Span], units: Sequence[_Unit], question: str, library: Names
) -> Iterator[_Found]:
    asked = {span: {span.key, span.stemmed_key} for span in spans if _may_be_named(span)}
    known = library.aliases(sorted({key for keys in asked.values() for key in keys}))
    has_han = any(unit.is_han for unit in units)
    for span in asked:
        speaks = has_han or len(span.units) == len(units)
        for key in sorted(asked[span]):
            for document_id, entry in known.get(key, ()):
                rule, strength = _judged(span, key, entry, question, speaks_pinyin=speaks)
                if rule is not None:
                    if key not in _file_keys(document_id):
                        strength *= _BY_OTHER_NAME
                    yield _Found(span, document_id, entry.surface, rule, strength)


@lru_cache(maxsize=4096)
def _file_keys(document_id: str) -> frozenset[str]:
    stem = document_id.rpartition("/")[2].rpartition(".")[0]
    parts = normal_words(_own_name(document_id, stem))
    return frozenset({"".join(parts), "".join(map(stemmed, parts))})


def _may_be_named(span: _Span) -> bool:
    key = span.key
    if key in NAMELESS or len(key) > LONGEST_KEY or all(u.text in NAMELESS for u in span.units):
        return False
    return len(key) > 1 or span.is_whole


def _judged(
    span: _Span, key: str, entry: AliasEntry, question: str, *, speaks_pinyin: bool
) -> tuple[AliasRule | None, float]:
    """Tell by which rule a key of a note names it here, if any does."""
    rule = AliasRule(entry.rule)
    if rule is AliasRule.PINYIN:
        fits = span.is_latin and len(key) >= _SHORTEST_PINYIN and key == span.key
        short = len(compact_key(entry.surface)) == 2
        return (rule, _BASE[rule]) if fits and (speaks_pinyin or not short) else (None, 0.0)
    if rule is AliasRule.NUMERONYM:
        return (rule, _BASE[rule]) if span.is_one_word and key == span.key else (None, 0.0)
    if rule is AliasRule.INITIALS:
        if not span.is_one_word or not span.is_latin or key != span.key:
            return None, 0.0
        written = question[span.units[0].start : span.units[-1].end]
        capitals = sum(character.isupper() for character in without_format(written))
        return rule, _BASE[rule] if capitals > 1 else _LOWER_CASE_INITIALS
    if len(span.words) > _LATIN_WORDS:
        return None, 0.0
    if rule is AliasRule.EXACT and key == span.key:
        rule = AliasRule.EXACT if span.is_whole else AliasRule.HAN_SUBSTRING
        return rule, _BASE[rule]
    return AliasRule.STEMMED, _kinship(span.key, compact_key(entry.surface))


def _kinship(one: str, other: str) -> float:
    """How sure it is that two words of one stem mean the same thing.

    An ending of number or tense changes no meaning (nodes, node); another one may
    (universe, university), the less so the more of the words is alike.
    """
    head = len(commonprefix((one, other)))
    if {one[head:], other[head:]} <= _ENDINGS:
        return _BASE[AliasRule.STEMMED]
    tail = len(commonprefix((one[head:][::-1], other[head:][::-1])))
    return _DERIVED * (head + tail) / max(len(one), len(other))


def _longest(found: Iterable[_Found]) -> list[_Found]:
    """Keep the longest names; of one span, every note, each by its best rule."""
    kept: dict[tuple[int, int, DocumentId], _Found] = {}
    taken: list[_Span] = []
    for one in sorted(found, key=_by_length):
        mine = (one.span.units[0].start, one.span.units[-1].end, one.document_id)
        clash = [s for s in taken if s.overlaps(one.span) and s != one.span]
        if clash or mine in kept:
            continue
        if one.rule in _SECOND_BEST and one.span in taken:
            continue
        taken.append(one.span)
        kept[mine] = one
    return list(kept.values())


def _by_length(one: _Found) -> tuple[int, int, int, float, str, str]:
    return (
        -len(one.span.key), _ORDER.index(one.rule), one.span.units[0].start,
        -one.strength, one.document_id, one.surface,
    )  # fmt: skip


def _mixed_pinyin(spans: Sequence[_Span], library: Names) -> list[_Found]:
    """Find names written half in Han and half in pinyin (防火qiang)."""
    mixed = [
        span
        for span in spans
        if span.is_one_word
        and not span.is_latin
        and any(not unit.is_han for unit in span.units)
        and all(unit.is_han or _SYLLABLES.fullmatch(unit.text) for unit in span.units)
    ]
    keys = {
        span: "".join(pinyin(u.text) if u.is_han else u.text for u in span.units)
        for span in mixed
    }
    known = library.aliases(sorted(set(keys.values())))
    return _longest(
        _Found(span, document_id, entry.surface, AliasRule.PINYIN, _BASE[AliasRule.PINYIN])
        for span, key in keys.items()
        for document_id, entry in known.get(key, ())
        if entry.rule == AliasRule.PINYIN
    )


def _typos(spans: Sequence[_Span], library: Names) -> list[_Found]:
    """Find names that were mistyped: only words that the whole library does not know."""
    latin = [
        span
        for span in spans
        if span.is_latin and span.is_whole and len(span.key) >= _SHORTEST_TYPO
    ]
    latin = [span for span in latin if len(span.words) <= _TYPO_WORDS]
    seen = library.frequencies(
        sorted({term for span in latin for term in query_terms(span.key)})
    )
    found: list[_Found] = []
    for span in latin:
        words = [query_terms(word) for word in span.words]
        if all(any(seen.get(term) for term in terms) for terms in words):
            continue
        near = _near(span.key, library)
        known = library.aliases(near)
        found += [
            _Found(span, document_id, entry.surface, AliasRule.TYPO, _BASE[AliasRule.TYPO])
            for key in near
            for document_id, entry in known.get(key, ())
            if entry.rule == AliasRule.EXACT
            and _is_slip(span.words, normal_words(entry.surface))
        ]
    return _longest(found)


def _is_slip(asked: Sequence[str], named: Sequence[str]) -> bool:
    """Whether every word by itself is near enough: "neutral star" is no "neutron star"."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # as in ``_near``

    return len(asked) != len(named) or all(
        OSA.distance(one, other) <= _edits(other)
        for one, other in zip(asked, named, strict=True)
    )


def _edits(word: str) -> int:
    return 2 if len(word) >= _TWO_EDITS else int(len(word) >= _ONE_EDIT)


def _near(key: str, library: Names) -> list[str]:
    """The nearest known keys within an edit or two: same initial, same digits."""
    from rapidfuzz import process  # noqa: PLC0415  # rarely needed, and 70 ms
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # as above

    edits = _edits(key)
    digits = _DIGITS.findall(key)
    keys = [
        known
        for known in library.latin_keys(len(key) - edits, len(key) + edits)
        if known[0] == key[0] and _DIGITS.findall(known) == digits
    ]
    close = process.extract(key, keys, scorer=OSA.distance, score_cutoff=edits, limit=None)
    best = min((distance for _, distance, _ in close), default=0)
    return sorted(known for known, distance, _ in close if distance == best)


def _hull(reading: Reading) -> Stretch:
    pieces = reading.content
    if not pieces:
        return Stretch("", 0, 0)
    return Stretch(reading.content_text, pieces[0].start, pieces[-1].end)


def _lies_in(span: _Span, stretch: Stretch) -> bool:
    return stretch.start <= span.units[0].start and span.units[-1].end <= stretch.end


def _hits(
    found: Sequence[_Found], units: Sequence[_Unit], reading: Reading
) -> tuple[AliasHit, ...]:
    hits = [
        AliasHit(
            one.document_id,
            one.surface,
            one.rule,
            round(one.strength * (0.5 + 0.5 * _share(one.span, units, reading)), 4),
            one.span.units[0].start,
            one.span.units[-1].end,
        )
        for one in found
    ]
    return tuple(sorted(hits, key=lambda hit: (-hit.strength, hit.start, hit.document_id)))


def _share(span: _Span, units: Sequence[_Unit], reading: Reading) -> float:
    """How much of what is asked about (of one side, in a comparison) the name covers."""
    pieces = [side for side in reading.sides if _lies_in(span, side)] or reading.content
    whole = sum(
        len(unit.text)
        for unit in units
        if any(piece.start <= unit.start and unit.end <= piece.end for piece in pieces)
    )
    return min(1.0, len(span.key) / whole) if whole else 1.0
