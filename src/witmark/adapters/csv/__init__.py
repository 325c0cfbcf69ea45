"""Findings as a table that a spreadsheet opens, and cannot be tricked by.

UTF-8 with a byte order mark (spreadsheets guess otherwise), RFC 4180, every cell quoted, one
row per verdict. A cell from the file that a spreadsheet would run as a formula gets a leading
apostrophe.
"""

import csv
import io
import re
from collections.abc import Callable, Mapping
from typing import Any

from witmark.review import wire
from witmark.review.presenting import reading_order
from witmark.review.spelling import fact_words, place_words, printable, value_text
from witmark.review.words import GRADES, SEVERITIES, VALUES, VERDICTS, Lang, Words

_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?").fullmatch

_Cell = Callable[[wire.Verdict, wire.Rule, Lang], str]


def render_csv(report: Mapping[str, Any] | wire.ReviewV1, lang: Lang) -> bytes:
    """A `witmark.review/1` report as CSV, worst first. Same report, same bytes.

    Raises:
        MalformedReportError: the report does not have the promised shape.
    """
    review = wire.review_of(report)
    rules = {rule.rule_id: rule for rule in review.rules}
    page = io.StringIO()
    writer = csv.writer(page, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(words.of(lang) for words, _ in _COLUMNS)
    for verdict in reading_order(review):
        rule = rules[verdict.rule_id]
        writer.writerow(harmless(cell(verdict, rule, lang)) for _, cell in _COLUMNS)
    return page.getvalue().encode("utf-8-sig")


def harmless(cell: str) -> str:
    r"""The cell's text, spelt so that no spreadsheet runs it.

    >>> harmless("=1+1"), harmless("-3.5"), harmless("-x")
    ("'=1+1", '-3.5', "'-x")
    """
    text = printable(cell)
    if _FORMULA.match(cell) and not _NUMBER(text):
        return f"'{text}"
    return text


def _measured(verdict: wire.Verdict, _: wire.Rule, lang: Lang) -> str:
    return fact_words(verdict.measured[0].fact).of(lang) if verdict.measured else ""


def _value(verdict: wire.Verdict, _: wire.Rule, lang: Lang) -> str:
    if not verdict.measured:
        return ""
    match verdict.measured[0].value:
        case bool() | str() | None as word:
            return value_text(word, "", lang)
        case number:
            return f"{number:.6f}".rstrip("0").rstrip(".")


def _unit(verdict: wire.Verdict, _: wire.Rule, __: Lang) -> str:
    unit = verdict.measured[0].unit if verdict.measured else ""
    return unit if unit in {"mm", "deg"} else ""


def _others(verdict: wire.Verdict, _: wire.Rule, lang: Lang) -> str:
    return "; ".join(
        f"{fact_words(m.fact).of(lang)} {value_text(m.value, m.unit, lang)}"
        for m in verdict.measured[1:]
    )


def _missing(verdict: wire.Verdict, _: wire.Rule, lang: Lang) -> str:
    return "; ".join(fact_words(gap.fact).of(lang) for gap in verdict.missing)


def _grade(verdict: wire.Verdict, rule: wire.Rule, lang: Lang) -> str:
    return GRADES[verdict.limit.grade if verdict.limit else rule.grade].of(lang)


# The order is a promise: people build on column letters. New columns go to the end.
_COLUMNS: tuple[tuple[Words, _Cell], ...] = (
    (Words("结论", "Verdict"), lambda v, _, lang: VERDICTS[v.verdict].of(lang)),
    (
        Words("等级", "Severity"),
        lambda v, _, lang: SEVERITIES[v.severity].of(lang) if v.severity else "",
    ),
    (Words("规则编号", "Rule"), lambda v, _, __: v.rule_id),
    (Words("规则", "Title"), lambda _, r, lang: Words(r.title, r.title_en).of(lang)),
    (Words("零件", "Component"), lambda v, _, __: v.component_name),
    (
        Words("位置", "Place"),
        lambda v, _, lang: place_words(v).of(lang),
    ),
    (Words("实测项", "Measured"), _measured),
    (Words("实测值", "Value"), _value),
    (Words("单位", "Unit"), _unit),
    (
        Words("限值（不符合条件）", "Limit (violated if)"),
        lambda v, _, lang: Words(v.limit.zh, v.limit.en).of(lang) if v.limit else "",
    ),
    (Words("其他实测", "Also measured"), _others),
    (Words("缺少的事实", "Missing facts"), _missing),
    (
        Words("事实描述", "Sentence"),
        lambda v, _, lang: Words(v.retrieval_sentence, v.retrieval_sentence_en).of(lang),
    ),
    (Words("灰区", "Grey"), lambda v, _, lang: VALUES["true"].of(lang) if v.grey else ""),
    (Words("数量", "Places"), lambda v, _, __: str(v.count or 1)),
    (
        Words("限值来源", "Source of the limit"),
        lambda v, r, _: v.limit.source if v.limit else r.source,
    ),
    (Words("来源等级", "Grade"), _grade),
    (
        Words("如何改进", "How to mend it"),
        lambda _, r, lang: " ".join(Words(r.mend_zh, r.mend_en).of(lang).split()),
    ),
    (
        Words("STEP 行号", "STEP line"),
        lambda v, _, __: " ".join(str(s.line) for s in v.source_refs),
    ),
    (
        Words("STEP 记录", "STEP record"),
        lambda v, _, __: " ".join(f"#{s.record}" for s in v.source_refs),
    ),
    (Words("实例路径", "Instance path"), lambda v, _, __: v.component_id),
    (Words("图片", "Picture"), lambda v, _, __: v.picture or ""),
    (Words("编号", "Id"), lambda v, _, __: v.id),
)
