"""Which sentence of a note says what its subject is.

A defining sentence names the subject and goes on with "is", "是", "refers to", "指" …; the
first sentence of a note's lead mostly is one. A sentence about the note itself ("this article
describes …", "本文将 …"), a pointer ("see …") or a lead-in ("as follows:") never is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from witmark.answers.atoms import KnowledgeAtom
from witmark.answers.late import late
from witmark.answers.notes import BlockKind
from witmark.answers.pack import Fragment
from witmark.answers.picking import Sentence
from witmark.answers.sentences import is_complete
from witmark.answers.terms import compact_key

_COPULA = late(
    r"\s*(?:[（(][^（）()]{0,80}[）)])?[”」》\"'*]*\s*[,，:：]?\s*"
    r"(?:(?:又|也|亦)?(?:称|稱|叫|名)[^，。]{1,30}[，,])?\s*"
    r"(?:(?:就|便|即|也|既|其实|其實|一般|通常|主要|本质上|本質上|可以)*"
    r"(?:的(?:定义|定義|意思|含义|概念)[是为為]|是|指|为|為|即|乃|属于|屬於|意味|表示|描述|可以看作|可以理解)"
    r"|(?:的)?(?:全称|全稱|简称|簡稱|缩写|縮寫)(?:是|为|為|叫)?"
    r"|—— ?|– |- "
    r"|(?:is|are|was|were|refers? to|means?|denotes?|describes?|stands? for|names?|converts?"
    r"|(?:acts?|serves?) as"
    r"|(?:can|may) be (?:defined|described|seen) as)\b"
    r"|(?:, [^,.]{2,60},) (?:is|are|was|were)\b)",
    re.IGNORECASE,
)
_CALLED_WORDS = r"(?:称\s*为|稱\s*為|叫做|叫作|称作|稱作|被称|被稱|called|known as|named)"
_CALLED_SOMEWHERE = late(_CALLED_WORDS)
_CALLED = late(rf"{_CALLED_WORDS}\s*(?:an? |the )?[“「《\"'*]*")
_CALLED_ENDS = late(r"[”」》\"'*]*\s*(?:[，,。.;；!！]|$)")
_OF_IT = late(r"\s*(?:的|之|和|与|與|及|、|或|[)）]|[:：]|['’]s\b|(?:and|or|of|in|on|for)\b|$)")
_GIVES_LITTLE = late(r"\s*[:：].{0,8}$")
_ARTICLE = late(
    r"(?:(?:顾名思义|顧名思義|简单来说|简单地说|简单说|简言之|in short|simply put)[,，]\s*)?"
    r"(?:(?:the|an?|所谓的?|所謂的?)\s*)?[“「《\"'*]*",
    re.IGNORECASE,
)
_IT = late(r"(?:这|這|它|此|其)(?:是|指)|(?:it|this|these|they) (?:is|are)\b", re.IGNORECASE)
_ABOUT_ITSELF = late(
    r"(?:本|该|該|这[篇个一]|這[篇個一]|此)(?:文|章|节|節|页|頁|篇|笔记|筆記|条目|條目|部分|教程|指南)"
    r"|(?:在|于)?本(?:文|章|节|節)"
    r"|(?:参见|參見|参考|參考|参阅|參閱|详见|詳見|另见|另見|更多|点击|點擊|下面|以下|如下)"
    r"|见\s?[^，。；,;]{1,60}[。.]?$|(?:so far|at this point|until now|previously|到目前为止)\b"
    r"|(?:see|see also|refer to|read|click|for more|for details|related|source|note that)\b"
    r"|(?:in|as) (?:this|the following)\b|please\b"
    r"|this (?:article|chapter|section|page|note|document|guide|tutorial|book|post)\b"
    r"|the following\b|(?:todo|tbd|wip)\b"
    r"|(?:但是?|如果|当|當|假如|那么|现在|现|接下来|首先)?(?:我|你|您)们?"
    r"|相关(?:页面|链接|文章|阅读)|思考|注意|提示|例如|比如"
    r"|(?:we|i|you|let's|let us)\b",
    re.IGNORECASE,
)
_DEFINING_HEADING = late(
    r"它?是什[么麼]|什[么麼]是|定义|定義|简介|簡介|概述|概念|介绍|介紹|含义"
    r"|\bwhat (?:it )?(?:is|are)\b|\bdefinitions?\b|\boverview\b|\bintroduction\b|\bsummary\b",
    re.IGNORECASE,
)
_DEFINITION = late(r"定义|定義|它?是什[么麼]|definition|what (?:it )?is(?: it)?", re.IGNORECASE)
_SETTING = late(r"(?:in|within|for|on|under) [^,.]{2,40}, ", re.IGNORECASE)
_LONG_FORM = 80  # code points before a short form in brackets
_CLAUSE = late(r"[，。；,.;:：]")
_DESCRIBES = late(
    r"涵盖|涵蓋|详解|詳解|讲解|講解|解析|梳理|总结|總結|介绍|介紹|盘点|带你|帶你|学习路线|學習路線|面试|面試|教程|指南"
    r"|一文|本文|大全|汇总|彙總|分享|\bcover(?:s|ing)\b|\bguide\b|\btutorial\b|\blearn\b|\boverview\b"
    r"|\bexplain(?:s|ed|ing)?\b|\bthis (?:note|page|article|post)\b",
    re.IGNORECASE,
)
_TO_READER = late(r"我们|我們|你|您|\b(?:we|our|us|you|your|let['’]s|i)\b", re.IGNORECASE)
_SCRIPTS = late(
    r"[（(）)/｜|]|(?<=[\u3400-\u9fff])\s+(?=[A-Za-z])|(?<=[A-Za-z])\s+(?=[\u3400-\u9fff])"
)
_NEVER_DEFINES = frozenset({BlockKind.TABLE_ROW, BlockKind.FOOTNOTE})
_SHORTEST = 6
SAID = 2
"""From this grade on a note says of itself that it tells what the thing is."""

NAMED = 5
"""From this grade on a sentence names the thing and says what it is."""


def names_of(atom: KnowledgeAtom, surfaces: Iterable[str]) -> tuple[str, ...]:
    """Everything a subject may be called, longest first."""
    surfaces = tuple(surfaces)
    names = {atom.title, atom.document_title, *surfaces}
    asked = {compact_key(surface) for surface in surfaces}
    parts = {part for name in tuple(names) for part in _parts(name)}
    names |= {part for part in parts if not _is_less(compact_key(part), asked)}
    return tuple(sorted((n for n in names if compact_key(n)), key=lambda n: (-len(n), n)))


def asked_names(names: Sequence[str], asked: Sequence[str]) -> tuple[str, ...]:
    """The names without those that are only a part of what the question calls the thing.

    >>> asked_names(["Spring Boot", "Spring"], ["spring boot"])
    ('Spring Boot',)
    """
    keys = {compact_key(name) for name in names}
    whole = {key for key in map(compact_key, asked) if key in keys}
    return tuple(name for name in names if not _is_less(compact_key(name), whole))


def defining(
    pool: Sequence[Sentence],
    names: Sequence[str],
    language: str,
    headings_over: Callable[[Fragment], Sequence[str]],
    *,
    at_least: int = 1,
) -> Sentence | None:
    """Return the sentence of a note that best says what the named thing is, if any does.

    Args:
        pool: The note's sentences, in its order.
        names: What the thing is called.
        language: Preferred among sentences that define.
        headings_over: The headings above a fragment, the nearest last.
        at_least: ``NAMED`` leaves out what is only likely, by its place, to define.
    """
    graded = [
        (grade, one.language == language, -at, one)
        for at, one in enumerate(pool)
        if (grade := _grade(one, names, headings_over(one.fragment))) >= at_least
    ]
    if not graded:
        return None
    fluent = [entry for entry in graded if entry[1]] or graded
    return max(fluent, key=lambda entry: entry[:3])[3]


def defines(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence or a line somewhere in a text names a thing and says what it is.

    It looks at beginnings alone and is quick; ``defining`` then decides.
    """
    begins = _bare_names(tuple(names))
    return begins is not None and any(
        _COPULA.match(text, hit.end()) for hit in begins.finditer(text)
    )


@lru_cache(maxsize=256)  # a question asks for the same names in many sentences
def _bare_names(names: tuple[str, ...]) -> re.Pattern[str] | None:
    spelled = [r"\s*".join(map(re.escape, name.split())) for name in names if name.strip()]
    if not spelled:
        return None
    return re.compile(
        rf"(?:^|(?<=[。！？!?\n])|(?<=[.] ))\s*{_ARTICLE.pattern}(?:{'|'.join(spelled)})s?",
        re.IGNORECASE,
    )


def is_about_itself(text: str) -> bool:
    """Whether a sentence speaks of the note, or to the reader, instead of the subject."""
    return _ABOUT_ITSELF.match(text.lstrip("（([ ")) is not None


def describes_note(one: Sentence) -> bool:
    """Whether a description in the front matter is an advertisement of the note."""
    return one.kind is BlockKind.FRONT_MATTER and _DESCRIBES.search(one.text) is not None


def is_question(text: str) -> bool:
    """Whether a sentence asks; such a one answers nothing."""
    return text.rstrip("”」\"'）) ")[-1:] in {"?", "？"}


def mentions(text: str, name: str) -> bool:
    """Whether a name stands in a text, however it is spaced."""
    key = compact_key(name)
    return bool(key) and key in compact_key(text)


def names_whole(text: str, name: str) -> bool:
    """The same, but "str" does not stand in "string"; a Han name has no border.

    >>> names_whole("A String is owned.", "str"), names_whole("A str is a slice.", "str")
    (False, True)
    """
    if not name.isascii():
        return mentions(text, name)
    words = r"[\s_-]*".join(map(re.escape, re.split(r"[\s_-]+", name.strip())))
    whole = rf"(?<![A-Za-z0-9]){words}(?:e?s)?(?![A-Za-z0-9])"
    return re.search(whole, text, re.IGNORECASE) is not None


def _grade(one: Sentence, names: Sequence[str], headings: Sequence[str]) -> int:
    """0 for no definition; more for a better one."""
    text = one.text
    if not _may_define(one):
        return 0
    ends = list(_ends_of_names(text, names))
    if _is_defined_there(one, headings):
        return NAMED + 2
    if any(_COPULA.match(text, end) for end in (*ends, *_ends_in_brackets(text, names))):
        return NAMED + (one.kind not in {BlockKind.LIST_ITEM, BlockKind.FRONT_MATTER})
    if _is_called(text, names):
        return NAMED
    if any(not _OF_IT.match(text, end) for end in ends):
        return NAMED - 1
    by_place = not any(_GIVES_LITTLE.match(text, end) for end in ends)
    return _grade_by_place(one, names, headings) if by_place else 0


def _is_defined_there(one: Sentence, headings: Sequence[str]) -> bool:
    """Whether it opens the section that is called "Definition" and nothing else."""
    is_first = one.position[1] == 0 and one.kind is BlockKind.PARAGRAPH
    return is_first and bool(headings) and is_definition(headings[-1])


def is_definition(heading: str) -> bool:
    """Whether a heading promises the definition and nothing else."""
    return _DEFINITION.fullmatch(heading.strip(" ?？:：")) is not None


def _ends_in_brackets(text: str, names: Sequence[str]) -> Iterator[int]:
    """Where a name ends that stands in brackets after what it is short for."""
    for name in names:
        for opened, closed in ("()", "（）"):
            at = text.casefold().find(f"{opened}{name.casefold()}{closed}", 0, _LONG_FORM)
            if at > 0 and not _CLAUSE.search(text, 0, at):
                yield at + len(name) + 2


def _may_define(one: Sentence) -> bool:
    is_said = is_complete(one.text) and len(one.text) >= _SHORTEST
    is_beside = is_question(one.text) or is_about_itself(one.text) or describes_note(one)
    return is_said and not is_beside and one.kind not in _NEVER_DEFINES


def _grade_by_place(one: Sentence, names: Sequence[str], headings: Sequence[str]) -> int:
    """What a sentence is worth that begins with no name: by where it stands."""
    first = one.position[1] == 0 and one.kind is not BlockKind.LIST_ITEM
    if not first or _TO_READER.search(one.text):
        return 0
    announced = bool(headings) and (
        _DEFINING_HEADING.search(headings[-1]) is not None or _is_name(headings[-1], names)
    )
    described = one.kind is BlockKind.FRONT_MATTER
    is_lead = len(headings) < 2
    points_back = _IT.match(one.text) is not None
    if not (announced or described or is_lead or points_back):
        return 0
    return 1 + (announced or described) + points_back


def _is_name(heading: str, names: Sequence[str]) -> bool:
    return compact_key(heading) in {compact_key(name) for name in names}


def _is_called(text: str, names: Sequence[str]) -> bool:
    """Whether a clause of a sentence ends by giving the thing its name."""
    if _CALLED_SOMEWHERE.search(text) is None:
        return False
    for called in _CALLED.finditer(text):
        for name in names:
            end = _end_of(text, called.end(), name)
            if end is not None and _CALLED_ENDS.match(text, end):
                return True
    return False


def _ends_of_names(text: str, names: Sequence[str]) -> Iterator[int]:
    """Where a name ends that a sentence begins with, after an article or a quote."""
    starts = {0}
    if (within := _SETTING.match(text)) is not None:
        starts.add(within.end())
    for start in tuple(starts):
        article = _ARTICLE.match(text, start)
        starts.add(article.end() if article else start)
    for begin in sorted(starts):
        for name in names:
            if (end := _end_of(text, begin, name)) is not None:
                yield end


def _end_of(text: str, at: int, name: str) -> int | None:
    """Where a name ends that begins here, spaces, case and script aside."""
    wanted = compact_key(name)
    longest = min(len(text), at + 2 * len(name) + 4)
    for end in range(at + 1, longest + 1):
        key = compact_key(text[at:end])
        if key == wanted:
            # Take a plural's ending along.
            return end + 1 if text[end : end + 1] == "s" else end
        if not wanted.startswith(key):
            return None
    return None


def _is_less(part: str, asked: set[str]) -> bool:
    """Whether a part of a title is only a part of the name that the question used."""
    return any(part in key and part != key for key in asked)


def _parts(name: str) -> tuple[str, ...]:
    """A title in two scripts, or with a bracket, is two names."""
    return tuple(piece.strip() for piece in _SCRIPTS.split(name) if len(piece.strip()) > 1)
