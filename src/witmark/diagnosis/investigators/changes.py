"""What changed since the last good version: the strongest hint, and the strongest no."""

from collections.abc import Iterable

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.reporting import by_class, found_at, report_text
from witmark.diagnosis.ports import CaseView, Limits, Look
from witmark.diagnosis.words import words


class ChangeInvestigator:
    """Compares the source with the last good one, definition by definition."""

    name = "changes"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether a good version was handed in."""
        return view.code is not None and view.code.good is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A change tells a regression from everything else."""
        del view, found
        return 0.8

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report what changed; those first whose changed lines share words with the report."""
        code = view.code
        if code is None or code.changed is None:
            raise AssertionError("asked to look at a case without a good version")
        said = set(words(f"{view.interpretation.title}\n{report_text(view)}"))
        told = []
        for key, how in code.changed.items():
            if code.definitions[key].kind == "class":
                continue
            shared = said & set(words(code.changed_lines(key)))
            weight = sum(code.by_words.rarity(word) for word in shared)
            told.append((-weight, key, how))
        told.sort()
        most = -told[0][0] if told and told[0][0] else 1.0
        findings = tuple(
            found_at(
                view,
                code.definitions[key],
                f"{code.definitions[key].location.name} is {how} since the last good version",
                who=(self.name, action, Group.DIFF),
                kind=FindingKind.DIRECT,
                bears_on=by_class(
                    view,
                    {
                        CauseClass.REGRESSION: Direction.FOR,
                        CauseClass.EXTERNAL_BY_DESIGN: Direction.NEUTRAL,
                    },
                    main=Direction.FOR,
                ),
                strength=0.5 + 0.5 * (-weight / most),
                limits=limits,
            )
            for weight, key, how in told[: limits.most_findings]
        )
        left = len(told) - len(findings)
        out = (f"{left} further changed definitions",) if left else ()
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        return Look(findings, whole, out, 4)
