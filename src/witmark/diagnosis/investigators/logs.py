"""Lines that only the bad logs have, and the code that writes such lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from witmark.diagnosis.case import InputKind, RawInput
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
)
from witmark.diagnosis.investigators.reporting import by_class, found_at, input_quote
from witmark.diagnosis.ports import CaseView, Limits, Look
from witmark.diagnosis.templates import fits
from witmark.diagnosis.templating import GAP, Template, templates_of

MOST_LINES = 200_000  # of all logs of one side
_GOOD = frozenset({"good", "before", "old", "last-good"})


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a log and where it stands."""

    input: RawInput
    start: int
    text: str


class LogInvestigator:
    """Compares good and bad logs, told apart by their names, template by template."""

    name = "logs"
    needs = "logs of a good and of a bad run, and source"
    reserve = 5

    def can_look(self, view: CaseView) -> bool:
        """Whether there are logs of both sides, and source whose strings can be compared."""
        sides = {_is_good(one) for one in view.inventory.of(InputKind.LOG)}
        return view.scores is not None and len(sides) == 2

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A line that came with the fault leads to the code that writes it."""
        del view, found
        return 0.45

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report templates that only the bad logs have, where a string of the source fits."""
        left: list[str] = []
        good, bad = (_lines(view, is_good, left, limits) for is_good in (True, False))
        known, _ = templates_of(one.text for one in good)
        # Good lines come first, so a template that begins behind them is of the bad side alone.
        every, lost = templates_of(one.text for one in (*good, *bad))
        if lost:
            left.append(f"{lost} lines, for there were too many kinds of them")
        new = [one for one in every if one.first >= len(good)] if known else []
        findings = [
            finding
            for one in new
            for finding in self._writers(view, one, bad[one.first - len(good)], action, limits)
        ]
        if len(findings) > limits.most_findings:
            left.append(f"{len(findings) - limits.most_findings} further places")
        told = [f"{len(new)} kinds of lines are in the bad logs alone"] if new else []
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        kept = tuple(findings[: limits.most_findings])
        return Look(kept, whole, (*left, *(told if not kept else ())), 3)

    def _writers(
        self, view: CaseView, template: Template, line: _Line, action: str, limits: Limits
    ) -> Iterator[Finding]:
        """Definitions with a string that the line is made of."""
        scores = view.the_scores
        for key in scores.order:
            one = scores.code.definitions[key]
            if one.kind == "class" or not any(_writes(s, line.text) for s in one.strings):
                continue
            quote = input_quote(
                view, line.input.digest, line.start, line.start + len(line.text), limits
            )
            yield found_at(
                view,
                one,
                f"{one.location.name} has the words of a line that {template.times} times "
                f"stands in the bad logs and in no good one: {template.text[:160]}",
                who=(self.name, action, Group.LOGS),
                kind=FindingKind.DERIVED,
                bears_on=by_class(view, {}, main=Direction.FOR),
                strength=0.5,
                quotes=[quote] if quote else [],
                limits=limits,
            )


def _is_good(one: RawInput) -> bool:
    *folders, name = one.origin.lower().split("/")
    words = name.replace("_", "-").replace(".", "-").split("-")
    return bool(_GOOD & {*folders, *words})


def _lines(view: CaseView, is_good: bool, left: list[str], limits: Limits) -> list[_Line]:
    found: list[_Line] = []
    for one in view.inventory.of(InputKind.LOG):
        if _is_good(one) is not is_good:
            continue
        if one.size > limits.most_bytes // 4:
            left.append(f"{one.origin}: it has {one.size} bytes")
            continue
        try:
            text = view.read(one).decode("utf-8")
        except UnicodeDecodeError:
            left.append(f"{one.origin}: it is no text")
            continue
        start = 0
        for line in text.split("\n"):
            if line.strip() and len(found) < MOST_LINES:
                found.append(_Line(one, start, line))
            start += len(line) + 1
        if len(found) >= MOST_LINES:
            left.append(f"{one.origin}: lines after the first {MOST_LINES}")
    return found


def _writes(string: str, line: str) -> bool:
    """Whether a string, its gaps filled, stands somewhere in a line."""
    head = string.partition("%")[0].partition("{")[0].partition(GAP)[0].strip()
    at = line.find(head) if len(head) >= 4 else -1
    return at >= 0 and fits(string.strip(), line[at:])
