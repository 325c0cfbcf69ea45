"""SARIF's own spelling of text and addresses."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote

from witmark.review import wire
from witmark.review.spelling import fact_words, name_words, place_words, printable, value_text
from witmark.review.words import VERDICTS, Lang, Words

_LINK = re.compile(r"\[([^\]]*)\]\(")


def message(text: str) -> dict[str, str]:
    r"""A message that says this text and nothing else.

    Braces are placeholders in SARIF (3.11.5) and ``[a](b)`` is a link (3.11.6), so a
    component called ``{0}`` or ``[x](file:///etc)`` has to be spelt around them.

    >>> message("{0} [a](b)")
    {'text': '{{0}} \\[a\\](b)'}
    """
    braced = printable(text).replace("{", "{{").replace("}", "}}")
    return {"text": _LINK.sub(r"\\[\1\\](", braced)}


def plain(text: str) -> dict[str, str]:
    """A multiformat message string: long text that holds no placeholder."""
    return {"text": text}


@lru_cache(maxsize=256)  # every result names the same file
def relative_uri(path: str) -> str:
    r"""A declared path as a relative reference; of an absolute one only the file's name.

    A path of somebody's machine has no meaning on another, and says more than it should.

    >>> relative_uri("in/臂 #1.step"), relative_uri("C:\\cad\\a.stp"), relative_uri("/b.stp")
    ('in/%E8%87%82%20%231.step', 'a.stp', 'b.stp')
    """
    slashed = path.replace("\\", "/")
    if PurePosixPath(slashed).is_absolute() or PureWindowsPath(slashed).drive:
        slashed = PurePosixPath(slashed).name
    return quote(slashed, safe="/")


def said(verdict: wire.Verdict, rule: wire.Rule, lang: Lang) -> str:
    """One verdict as running text: what, where, measured against which limit."""
    comma, stop, colon = ("，", "。", "：") if lang == "zh" else (", ", ". ", ": ")
    place = place_words(verdict).of(lang)
    title = Words(rule.title, rule.title_en).of(lang)
    who = name_words(verdict.component_name).of(lang)
    parts = [f"{title}{colon}{who}{comma}{place}"]
    if verdict.verdict in {"satisfied", "not_applicable"}:
        parts.append(f"{VERDICTS[verdict.verdict].of(lang)}{colon}{verdict.count or 1}")
        return stop.join(parts) + stop.rstrip()
    if verdict.measured:
        parts.append(facts(verdict.measured, lang))
    if verdict.limit:
        limit = Words(f"不符合条件：{verdict.limit.zh}", f"Violated if {verdict.limit.en}").of(
            lang
        )
        parts.append(limit)
    if verdict.missing:
        names = comma.join(fact_words(gap.fact).of(lang) for gap in verdict.missing)
        parts.append(Words(f"缺少：{names}", f"Missing: {names}").of(lang))
    return stop.join(parts) + stop.rstrip()


def facts(measured: Iterable[wire.Measured], lang: Lang) -> str:
    """Facts and values in one line."""
    comma = "，" if lang == "zh" else ", "
    return comma.join(
        f"{fact_words(m.fact).of(lang)} {value_text(m.value, m.unit, lang)}" for m in measured
    )
