"""What the terminal shows of a review: a line per stage, a table of findings, where it lies.

Progress goes to the error stream, so that standard output stays what was asked for. Text from
a file is never read as markup and cannot command the terminal. Colour is an extra: it goes
when the stream is no terminal or ``NO_COLOR`` is set, and the words stay.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from witmark.review import wire
from witmark.review.asking.talking import Took
from witmark.review.presenting import Card, cards, gaps, open_cards
from witmark.review.remarking import MARKED, contradictions, ledger_words, took_words
from witmark.review.spelling import fact_words, file_name, name_words, place_words, printable
from witmark.review.words import NOTICES, SEVERITIES, VERDICTS, Lang, Words, look_up

_STYLES = {"critical": "bold red", "major": "red", "minor": "yellow", "info": "blue"}
_SIGNS = {"critical": "■", "major": "▲", "minor": "◆", "info": "●", "undetermined": "□"}
_COLUMNS = (
    Words("等级", "Severity"),
    Words("规则", "Rule"),
    Words("零件与位置", "Part and place"),
    Words("处", "Places"),
    Words("实测值", "Measured"),
    Words("限值（不符合条件）", "Limit (violated if)"),
)
_STAGES = {
    "read": Words("读取 STEP", "Reading STEP"),
    "features": Words("识别特征", "Recognising features"),
    "facts": Words("整理事实", "Writing facts"),
    "units": Words("描述局部事实", "Wording local facts"),
    "candidates": Words("检索规则", "Retrieving rules"),
    "model": Words("询问模型", "Asking the model"),
    "judge": Words("判定", "Judging"),
    "second_pass": Words("第二次提取", "Second look"),
    "pictures": Words("绘制图片", "Drawing pictures"),
    "gates": Words("发布前检查", "Checking"),
    "publish": Words("写出报告", "Writing the report"),
}
_TOLD_AT_ONCE = {"model-not-recorded", "model-refused", "model-refused-now", "model-unanswered"}
"""Notices that a run does not end without; the report has the others."""


class Terminal:
    """Prints the course and the outcome of a review, in one language."""

    def __init__(
        self, lang: Lang, out: TextIO, err: TextIO, *, width: int | None = None
    ) -> None:
        self._lang = lang
        self._out = _console(out, width)
        self._err = _console(err, width)

    def stage(self, name: str, detail: str = "") -> None:
        """Say that a stage has begun; an unknown name is said as it is."""
        words = _STAGES.get(name) or Words(name, name)
        line = Text(printable(words.of(self._lang)), style="cyan")
        if detail:
            line.append(f"  {printable(detail)}", style="dim")
        self._err.print(line, no_wrap=True, overflow="ellipsis", crop=True)

    def findings(
        self,
        report: Mapping[str, Any] | wire.ReviewV1,
        folder: Path | None = None,
        took: Took | None = None,
    ) -> None:
        """Print coverage, the table of findings, what stayed open, the sum, and the place.

        Of a model's calls those of this run, if ``took`` tells them; else the report's.

        Raises:
            MalformedReportError: the report does not have the promised shape.
        """
        review = wire.review_of(report)
        found = cards(review)
        self._out.print(_headline(review, self._lang))
        if found:
            self._out.print(_table(found, self._lang, narrow=self._out.width < 90))
        if review.context:
            self._out.print(_context_line(len(review.context), self._lang))
        for line in _open_lines(review, self._lang):
            self._out.print(line)
        self._out.print(_sum(review, self._lang))
        for line in _model_lines(review, took, self._lang):
            self._out.print(line)
        if folder is not None:
            self._out.print(_where(folder, self._lang), soft_wrap=True)


def _console(stream: TextIO, width: int | None) -> Console:
    return Console(file=stream, width=width, markup=False, emoji=False, highlight=False)


def _headline(review: wire.ReviewV1, lang: Lang) -> Text:
    seen = review.coverage
    words = Words(
        f"{seen.faces} 个面中已解释 {seen.explained} 个",
        f"{seen.explained} of {seen.faces} faces explained",
    )
    line = Text(file_name(review), style="bold")
    return line.append(f"  {words.of(lang)} ({100 * seen.share:.1f} %)", style="default")


def _table(found: tuple[Card, ...], lang: Lang, *, narrow: bool) -> Table:
    """The findings, one row a card; a narrow terminal does without the limit's column."""
    shown = _COLUMNS[:-1] if narrow else _COLUMNS
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    for i, words in enumerate(shown):
        side: Literal["left", "right"] = "right" if i == 3 else "left"
        # fold, or a Chinese title, being one long word, would lose its end
        table.add_column(words.of(lang), justify=side, no_wrap=i == 0, overflow="fold")
    for card in found:
        table.add_row(*_row(card, lang)[: len(shown)])
    return table


def _row(card: Card, lang: Lang) -> tuple[Text, ...]:
    facts = [f"{fact_words(s.fact).of(lang)} {s.text(lang)}" for s in card.spreads]
    limit = Words(card.limit.zh, card.limit.en).of(lang) if card.limit else ""
    severity = f"{_SIGNS[card.severity]} {SEVERITIES[card.severity].of(lang)}"
    return (
        Text(severity, style=_STYLES[card.severity]),
        Text(Words(card.rule.title, card.rule.title_en).of(lang)),
        Text(printable(_who(card, lang))),
        Text(str(len(card.places))),
        Text("\n".join(facts)),
        Text(limit),
    )


def _who(card: Card, lang: Lang) -> str:
    """The place of a single finding; of many, the first components."""
    names = list(dict.fromkeys(name_words(v.component_name).of(lang) for v in card.places))
    if len(card.places) == 1:
        return f"{names[0]}: {place_words(card.places[0]).of(lang)}"
    more = f" +{len(names) - 2}" if len(names) > 2 else ""
    return ", ".join(names[:2]) + more


def _open_lines(review: wire.ReviewV1, lang: Lang) -> list[Text]:
    """A line per missing fact, not per rule: one broken solid can keep every rule waiting."""
    comma = "，" if lang == "zh" else ", "
    lines = []
    for gap in gaps(open_cards(review)):
        names = comma.join(fact_words(fact).of(lang) for fact in gap.facts)
        words = Words(
            f"未能判定 {gap.places} 处（{gap.rules} 条规则），缺少：{names}",
            f"Undetermined: {_many(gap.places, 'place')} ({_many(gap.rules, 'rule')}), "
            f"missing: {names}",
        )
        lines.append(Text(f"{_SIGNS['undetermined']} {words.of(lang)}"))
    return lines


def _sum(review: wire.ReviewV1, lang: Lang) -> Text:
    counts = review.counts
    each = [
        (SEVERITIES[severity], getattr(counts.by_severity, severity)) for severity in SEVERITIES
    ]
    each += [
        (VERDICTS[key], getattr(counts, key))
        for key in ("undetermined", "satisfied", "not_applicable")
    ]
    return Text(" · ".join(f"{words.of(lang)} {number}" for words, number in each))


def _model_lines(review: wire.ReviewV1, took: Took | None, lang: Lang) -> list[Text]:
    """What the model calls took, and where the model contradicts the facts."""
    calls = ledger_words(review) if took is None else took_words(review, took)
    against = contradictions(review)
    if calls is None:
        return []
    lines = [Text(f"{MARKED.of(lang)}: {calls.of(lang)}", style="dim")]
    lines += [
        Text(f"{printable(one.detail)}: {look_up(NOTICES, one.code).of(lang)}", style="yellow")
        for one in review.notices
        if one.code in _TOLD_AT_ONCE
    ]
    if against:
        words = Words(
            f"模型对 {against} 条结论另有看法（以事实为准），见报告",
            f"The model says otherwise of {_many(against, 'verdict')} (the facts decide); "
            "see the report",
        )
        lines.append(Text(words.of(lang)))
    return lines


def _where(folder: Path, lang: Lang) -> Text:
    target = printable(str(folder / "report.html"))
    return Text(Words(f"报告：{target}", f"Report: {target}").of(lang))


def _many(count: int, noun: str) -> str:
    """A count with its noun.

    >>> _many(1, "place"), _many(2, "rule")
    ('1 place', '2 rules')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _context_line(count: int, lang: Lang) -> Text:
    """Standard parts are seen, and said not to be judged."""
    words = Words(
        f"{count} 个标准件只作为装配背景列出，未作判定",
        f"{_many(count, 'standard part')} listed as context, not judged",
    )
    return Text(words.of(lang), style="dim")
