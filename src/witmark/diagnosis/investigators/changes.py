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
from witmark.diagnosis.investigators.reporting import by_class, found_at, worth_telling
from witmark.diagnosis.ports import CaseView, Limits, Look


class ChangeInvestigator:
    """Compares the source with the last good one, definition by definition."""

    name = "changes"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether a good version was handed in."""
        return view.scores is not None and view.scores.code.changed is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A change tells a regression from everything else."""
        del view, found
        return 0.8

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report what changed; those first that other voices speak for too."""
        scores = view.the_scores
        changed = scores.code.changed or {}
        methods = {
            key: how
            for key, how in changed.items()
            if scores.code.definitions[key].kind != "class"
        }
        keys, left = worth_telling(scores, methods, limits)
        ways = {
            CauseClass.REGRESSION: Direction.FOR,
            CauseClass.EXTERNAL_BY_DESIGN: Direction.NEUTRAL,
        }
        findings = tuple(
            found_at(
                view,
                scores.code.definitions[key],
                f"{scores.code.definitions[key].location.name} is {methods[key]} "
                "since the last good version",
                who=(self.name, action, Group.DIFF),
                kind=FindingKind.DIRECT,
                bears_on=by_class(view, ways, main=Direction.FOR),
                strength=scores.changes.get(key, 0.0),
                limits=limits,
            )
            for key in keys
        )
        told = (f"{left} further changed definitions",) if left else ()
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        return Look(findings, whole, told, 4)
