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
from itertools import takewhile
from typing import Final, Protocol

from witmark.answers import bynames
from witmark.answers.asking import AliasHit, AliasRule
from witmark.answers.atoms import Document, DocumentId
from witmark.answers.framing import Stretch
from witmark.answers.intent import Reading, read_question
from witmark.answers.normalising import without_format
from witmark.answers.pinyin import pinyin
from witmark.answers.ports import AliasEntry
from witmark.answers.slips import is_slip, near_keys
from witmark.answers.spans import LATIN_WORDS, Span, Unit, spans_of, units_of
from witmark.answers.terms import (
    STOP_WORDS,
    compact_key,
    is_unspaced,
    normal_words,
    query_terms,
    stemmed,
)

LONGEST_KEY: Final = 80
"""A title longer than this is a sentence; nobody names a note so."""

_PINYIN_CHARACTERS: Final = range(2, 11)
_BRACKETS: Final = re.compile(r"[（(\[【《]([^（()）\[\]【】《》]*)[)）\]】》]")
_NAMELESS_HAN: Final = (
    "什么 怎么 怎样 如何 为何 为什么 哪些 哪个 哪里 这个 那个 这些 那些 这里 那里 我们"
    " 你们 他们 它们 自己 一个 一些 一下 一种 可以 可能 应该 需要 以及 还是 或者 而且"
    " 但是 因为 所以 如果 虽然 没有 不是 就是 区别 不同 关系 作用 意思 介绍 解释 说明"
    " 比较 对比 问题 时候 方法 方式 东西 情况 部分 内容 其他 其它"
)
NAMELESS: Final = STOP_WORDS.union(_NAMELESS_HAN.split())
"""Words under which no note can be found by its name alone."""


class Names(Protocol):
    """The part of a library that knows names."""

    def aliases(
        self, keys: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[DocumentId, AliasEntry]]]:
        """The documents under each key that is known."""

    def latin_keys(self, shortest: int, longest: int, *, initial: str = "") -> Sequence[str]:
        """Distinct ASCII keys of a length and, if given, of an initial, sorted."""

    def frequencies(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many atoms each token occurs."""


# Keys of a note ----------------------------------------------------------------------


def alias_entries(document: Document) -> tuple[AliasEntry, ...]:
    """Return every key of a note, sorted."""
    names = surfaces(document.id, document.title, document.stem, document.aliases)
    own = entries_of(names)
    known = {entry.key for entry in own}
    further = {
        (key, by_rule): surface
        for rule, called in (
            (AliasRule.DEFINED, bynames.defined(document)),
            (AliasRule.SHORTENED, bynames.shortened(document)),
        )
        for surface in reversed(called)
        for key, by_rule in _by_keys(surface, rule)
        if key not in known and 0 < len(key) <= LONGEST_KEY
    }
    entries = [AliasEntry(key, rule.value, name) for (key, rule), name in further.items()]
    return tuple(sorted((*own, *entries), key=lambda entry: (entry.key, entry.rule)))


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
    if not bynames.FOLDERS_OWN.fullmatch(stem):
        return stem
    return document_id.split("/")[-2] if "/" in document_id else ""


@lru_cache(maxsize=1 << 10)
def _keys(surface: str) -> tuple[tuple[str, AliasRule], ...]:
    """Remembered, for a note's title, file and short name are often the same."""
    return tuple(_made_keys(surface))


def _made_keys(surface: str) -> Iterator[tuple[str, AliasRule]]:
    parts = normal_words(surface)
    compact = "".join(parts)
    yield compact, AliasRule.EXACT
    yield "".join(map(stemmed, parts)), AliasRule.STEMMED
    yield from _short_forms(parts, compact)
    if all(map(is_unspaced, parts)) and len(compact) in _PINYIN_CHARACTERS:
        yield pinyin(compact), AliasRule.PINYIN


def _by_keys(surface: str, rule: AliasRule) -> Iterator[tuple[str, AliasRule]]:
    """The keys of a name that is no name of the author's: as written, stemmed, in pinyin."""
    for key, kept in _keys(surface):
        if kept in {AliasRule.EXACT, AliasRule.STEMMED}:
            yield key, rule
        elif kept is AliasRule.PINYIN:
            yield key, kept


def _short_forms(parts: Sequence[str], compact: str) -> Iterator[tuple[str, AliasRule]]:
    if not compact.isascii():
        return
    if len(parts) == 1 and compact.isalpha() and len(compact) > 4:
        yield f"{compact[0]}{len(compact) - 2}{compact[-1]}", AliasRule.NUMERONYM
    for spelled in (parts, [part for part in parts if part not in STOP_WORDS]):
        if len(spelled) > 2 and all(part[0].isalpha() for part in spelled):
            yield "".join(part[0] for part in spelled), AliasRule.INITIALS


# Names in a question -----------------------------------------------------------------

_SHORTEST_PINYIN: Final = 5  # and two syllables are an English word too often (change, fence)
_SHORTEST_TYPO: Final = 6
_TYPO_WORDS: Final = 3
_ENDINGS: Final = frozenset({"", "s", "es", "ed", "d", "ing", "e", "y", "ies", "ied"})
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
    AliasRule.SHORTENED: 0.8,
    AliasRule.DEFINED: 0.75,
    AliasRule.PINYIN: 0.75,
    AliasRule.TYPO: 0.6,
}
_DERIVED: Final = 0.6  # same stem, another meaning perhaps (universe, university)
_BY_OTHER_NAME: Final = 0.95  # the file's own name decides where two notes share a name
_BY_FOLDER: Final = 0.85  # an overview may speak for its folder, but a note of that name is it
_LOWER_CASE_INITIALS: Final = 0.4  # "car" is seldom short for anything
_ORDER: Final = tuple(_BASE)
_SHORT_FORMS: Final = (AliasRule.PINYIN, AliasRule.NUMERONYM, AliasRule.INITIALS)
_SPELLED_OUT: Final = (AliasRule.EXACT, AliasRule.STEMMED, AliasRule.HAN_SUBSTRING)
_BYNAMES: Final = (AliasRule.SHORTENED, AliasRule.DEFINED)
_MISTYPED: Final = frozenset({AliasRule.EXACT.value, AliasRule.SHORTENED.value})
_BY_PART: Final = 0.8  # a byname inside a longer run of Han
_SHORTEST_PART: Final = 3
_SECOND_BEST: Final = (*_BYNAMES, AliasRule.PINYIN, AliasRule.TYPO)
"""Rules that say nothing where another has spoken of the very same words."""


@dataclass(frozen=True, slots=True)
class _Found:
    span: Span
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
    units = units_of(question, reading)
    spans = list(spans_of(units))
    found = [one for one in _looked_up(spans, units, question, library) if one.rule in rules]
    kept = _longest(found)
    for subject in reading.sides or (_hull(reading),):
        inside = [span for span in spans if _lies_in(span, subject)]
        if not any(_lies_in(one.span, subject) for one in kept):
            kept += _guessed(inside, library, rules)
        elif AliasRule.TYPO in rules:
            kept = _with_slips(kept, inside, library)
    return _hits(kept, units, reading)


def _guessed(
    spans: Sequence[Span], library: Names, rules: frozenset[AliasRule]
) -> list[_Found]:
    """Where no key fits: half pinyin, then slips of the finger."""
    found = _mixed_pinyin(spans, library) if AliasRule.PINYIN in rules else []
    return found or (_typos(spans, library) if AliasRule.TYPO in rules else [])


def _with_slips(kept: Sequence[_Found], spans: Sequence[Span], library: Names) -> list[_Found]:
    """Prefer a mistyped name to a shorter one inside it ("smart ponters" is nothing smart)."""
    named = [one.span for one in kept]
    wider = [s for s in spans if any(_holds(s, name) for name in named)]
    slips = _typos(wider, library) if wider else []
    rest = [one for one in kept if not any(one.span.overlaps(slip.span) for slip in slips)]
    return [*rest, *slips]


def _holds(span: Span, name: Span) -> bool:
    """Whether a span is longer than a name that stands in it."""
    return (
        span.overlaps(name)
        and len(span.key) > len(name.key)
        and set(name.units) <= set(span.units)
    )


def _looked_up(
    spans: Sequence[Span], units: Sequence[Unit], question: str, library: Names
) -> Iterator[_Found]:
    """Look every span up under its key and its stemmed key, all at once."""
    asked = [
        (span, key) for span in spans if _may_be_named(span)
        for key in dict.fromkeys((span.key, span.stemmed_key))
    ]  # fmt: skip
    known = library.aliases(sorted({key for _, key in asked}))
    # A frame in pinyin ("… shi shenme") tells as much as Han does.
    is_chinese = any(unit.is_han for unit in units) or read_question(question).language == "zh"
    for span, key in asked:
        for document_id, entry in known.get(key, ()):
            use = _Use(
                span, key, question, speaks_pinyin=is_chinese or len(span.units) == len(units)
            )
            rule, strength = use.judged(entry)
            if rule in _SPELLED_OUT and key not in _file_keys(document_id):
                strength *= _BY_OTHER_NAME
            elif rule in _SPELLED_OUT and bynames.FOLDERS_OWN.fullmatch(_stem(document_id)):
                strength *= _BY_FOLDER
            if strength:
                yield _Found(span, document_id, entry.surface, rule, strength)


@dataclass(frozen=True, slots=True)
class _Use:
    """A key as it stands in the question."""

    span: Span
    key: str
    question: str
    speaks_pinyin: bool

    def judged(self, entry: AliasEntry) -> tuple[AliasRule, float]:
        """Tell by which rule a note's key names it here, and how surely; 0.0 is not at all."""
        rule = AliasRule(entry.rule)
        as_written = self.key == self.span.key
        if rule in _SHORT_FORMS:
            return rule, self._short_form(rule, entry) if as_written else 0.0
        if len(self.span.words) > LATIN_WORDS:
            return rule, 0.0
        if rule in _BYNAMES:
            return rule, self._byname(rule, entry)
        if rule is AliasRule.EXACT and as_written:
            rule = AliasRule.EXACT if self.span.is_whole else AliasRule.HAN_SUBSTRING
            return rule, _BASE[rule]
        return AliasRule.STEMMED, _kinship(self.span.key, compact_key(entry.surface))

    def _byname(self, rule: AliasRule, entry: AliasEntry) -> float:
        kin = _kinship(self.span.key, compact_key(entry.surface)) / _BASE[AliasRule.STEMMED]
        if self.span.is_whole:
            return _BASE[rule] * kin
        return _BASE[rule] * kin * _BY_PART if len(self.span.key) >= _SHORTEST_PART else 0.0

    def _short_form(self, rule: AliasRule, entry: AliasEntry) -> float:
        if rule is AliasRule.PINYIN:
            doubtful = len(compact_key(entry.surface)) == 2 and not self.speaks_pinyin
            fits = self.span.is_latin and len(self.key) >= _SHORTEST_PINYIN and not doubtful
        else:
            fits = self.span.is_latin and self.span.is_one_word
        if fits and rule is AliasRule.INITIALS and not self._in_capitals():
            return _LOWER_CASE_INITIALS
        return _BASE[rule] if fits else 0.0

    def _in_capitals(self) -> bool:
        written = self.question[self.span.units[0].start : self.span.units[-1].end]
        return sum(character.isupper() for character in without_format(written)) > 1


def _alike(one: str, other: str) -> int:
    """How many characters two words have in common from their beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _stem(document_id: str) -> str:
    return document_id.rpartition("/")[2].rpartition(".")[0]


@lru_cache(maxsize=4096)
def _file_keys(document_id: str) -> frozenset[str]:
    parts = normal_words(_own_name(document_id, _stem(document_id)))
    return frozenset({"".join(parts), "".join(map(stemmed, parts))})


def _may_be_named(span: Span) -> bool:
    if span.key in NAMELESS or len(span.key) > LONGEST_KEY:
        return False
    if span.units[0].text in NAMELESS and all(unit.text in NAMELESS for unit in span.units):
        return False
    return len(span.key) > 1 or span.is_whole


def _kinship(one: str, other: str) -> float:
    """How sure it is that two words of one stem mean the same thing.

    An ending of number or tense changes no meaning (nodes, node); another one may
    (universe, university), the less so the more of the words is alike.
    """
    head = _alike(one, other)
    if {one[head:], other[head:]} <= _ENDINGS:
        return _BASE[AliasRule.STEMMED]
    tail = _alike(one[head:][::-1], other[head:][::-1])
    return _DERIVED * (head + tail) / max(len(one), len(other))


def _longest(found: Iterable[_Found]) -> list[_Found]:
    """Keep the longest names; of one span, every note, each by its best rule."""
    kept: dict[tuple[int, int, DocumentId], _Found] = {}
    taken: list[Span] = []
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


def _mixed_pinyin(spans: Sequence[Span], library: Names) -> list[_Found]:
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


def _typos(spans: Sequence[Span], library: Names) -> list[_Found]:
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
        near = near_keys(span.key, library)
        known = library.aliases(near)
        found += [
            _Found(span, document_id, entry.surface, AliasRule.TYPO, _BASE[AliasRule.TYPO])
            for key in near
            for document_id, entry in known.get(key, ())
            if entry.rule in _MISTYPED and is_slip(span.words, normal_words(entry.surface))
        ]
    return _longest(found)


def _hull(reading: Reading) -> Stretch:
    pieces = reading.content
    if not pieces:
        return Stretch("", 0, 0)
    return Stretch(reading.content_text, pieces[0].start, pieces[-1].end)


def _lies_in(span: Span, stretch: Stretch) -> bool:
    return stretch.start <= span.units[0].start and span.units[-1].end <= stretch.end


def _hits(
    found: Sequence[_Found], units: Sequence[Unit], reading: Reading
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


def _share(span: Span, units: Sequence[Unit], reading: Reading) -> float:
    """How much of what is asked about (of one side, in a comparison) the name covers."""
    pieces = [side for side in reading.sides if _lies_in(span, side)] or reading.content
    whole = sum(
        len(unit.text)
        for unit in units
        if any(piece.start <= unit.start and unit.end <= piece.end for piece in pieces)
    )
    return min(1.0, len(span.key) / whole) if whole else 1.0
