"""What ran and what did not, by coverage reports that lie in the case."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from witmark.diagnosis.case import InputKind, RawInput
from witmark.diagnosis.code import Definition
from witmark.diagnosis.coverage_files import Covered, NotCoverageError, coverage_in
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
)
from witmark.diagnosis.investigators.reporting import by_class, found_at, input_quote
from witmark.diagnosis.ports import CaseView, Limits, Look

LIKELY = 0.5  # Ochiai's number from which running speaks for a place


@dataclass(frozen=True, slots=True)
class _Report:
    input: RawInput
    files: Mapping[str, Covered]  # by path in the source


class CoverageInvestigator:
    """Says which suspects ran. One that did not cannot have failed in that run."""

    name = "coverage"
    needs = "a coverage report, and source"
    reserve = 4

    def can_look(self, view: CaseView) -> bool:
        """Whether there is a coverage report, and source."""
        return view.scores is not None and bool(view.inventory.of(InputKind.COVERAGE))

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """Code that did not run is out of the question."""
        del view, found
        return 0.7

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report on the suspects that the reports measured."""
        left: list[str] = []
        reports = list(_reports(view, left, limits))
        findings: list[Finding] = []
        for key in view.the_scores.order[: limits.most_findings]:
            one = view.the_scores.code.definitions[key]
            for report in reports:
                covered = report.files.get(one.location.path)
                if covered is not None and one.kind != "class":
                    findings += self._told(view, one, report, covered, action, limits)
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        return Look(tuple(findings), whole, tuple(left), 3)

    def _told(  # noqa: PLR0913, PLR0917 - a measured place with everything a finding needs
        self,
        view: CaseView,
        one: Definition,
        report: _Report,
        covered: Covered,
        action: str,
        limits: Limits,
    ) -> Iterator[Finding]:
        body = set(range(one.location.start_line + 1, one.location.end_line + 1))
        ran, missed = body & covered.ran, body & covered.missed
        if not ran and not missed:
            return
        name, where = one.location.name, report.input.origin
        ochiai = _ochiai(view, covered, report, ran)
        kind, way, strength = FindingKind.DIRECT, Direction.NEUTRAL, 0.1
        if not ran:
            told, strength = f"no line of {name} ran in the run of {where}", 0.0
        elif ochiai is None:
            told = (
                f"{len(ran)} of {len(ran | missed)} lines of {name} ran in the run of {where}"
            )
        else:
            kind, strength = FindingKind.DERIVED, ochiai
            way = Direction.FOR if ochiai >= LIKELY else Direction.NEUTRAL
            told = f"{name} ran more in failing tests than in others: Ochiai {ochiai:.3f}"
        head = input_quote(view, report.input.digest, 0, 120, limits)
        yield found_at(
            view,
            one,
            told,
            who=(self.name, action, Group.COVERAGE),
            kind=kind,
            bears_on=by_class(view, {}, main=way),
            strength=strength,
            quotes=[head] if head else [],
            limits=limits,
        )


def did_not_run(finding: Finding) -> bool:
    """Whether a finding says that its place did not run."""
    is_direct = finding.kind is FindingKind.DIRECT
    return finding.group is Group.COVERAGE and is_direct and not finding.strength


def _reports(view: CaseView, left: list[str], limits: Limits) -> Iterator[_Report]:
    for one in view.inventory.of(InputKind.COVERAGE):
        if one.size > limits.most_bytes // 4:
            left.append(f"{one.origin}: it has {one.size} bytes")
            continue
        try:
            files = coverage_in(view.read(one).decode("utf-8"))
        except (UnicodeDecodeError, NotCoverageError) as error:
            what = "no text" if isinstance(error, UnicodeDecodeError) else str(error)
            left.append(f"{one.origin}: {what}")
            continue
        code = view.the_scores.code
        placed = {own: c for path, c in files.items() if (own := code.file_like(path))}
        yield _Report(one, placed)


def _ochiai(view: CaseView, covered: Covered, report: _Report, ran: set[int]) -> float | None:
    """Ochiai's suspiciousness of a place; ``None`` unless some tests failed and some did not.

    A test failed if what people wrote names it.
    """
    every = {t for one in report.files.values() for names in one.tests.values() for t in names}
    failing = {test for test in every if _last(test) in view.the_scores.query}
    if not failing or failing == every:
        return None
    here = {test for line in ran for test in covered.tests.get(line, ())}
    hit = len(here & failing)
    return round(hit / math.sqrt(len(failing) * max(1, len(here))), 6)


def _last(test: str) -> str:
    return test.partition("|")[0].replace("::", ".").rsplit(".", 1)[-1]
