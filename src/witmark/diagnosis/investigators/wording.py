"""Code whose words are those of the report: a hint where to look, never a proof."""

from collections.abc import Iterable

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
)
from witmark.diagnosis.investigators.reporting import by_class, found_at, report_text
from witmark.diagnosis.ports import CaseView, Limits, Look


class WordInvestigator:
    """Ranks definitions by the words they share with what people wrote."""

    name = "words"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether there is source to search."""
        return view.code is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """Words alone tell little apart."""
        del view, found
        return 0.2

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Rank, and report the best."""
        code = view.code
        if code is None:
            raise AssertionError("asked to look at a case without source")
        query = f"{view.interpretation.title}\n{report_text(view)}"
        ranked = code.by_words.find(query)
        best = ranked[0].score if ranked else 1.0
        findings = tuple(
            found_at(
                view,
                code.definitions[one.key],
                f"number {rank} of {len(ranked)} by words shared with the report",
                who=(self.name, action, Group.TEXT),
                kind=FindingKind.HEURISTIC,
                bears_on=by_class(view, {}, main=Direction.FOR),
                strength=one.score / best,
                limits=limits,
            )
            for rank, one in enumerate(ranked[: limits.most_findings], start=1)
        )
        left = len(ranked) - len(findings)
        told = (f"{left} definitions ranked lower by words",) if left > 0 else ()
        return Look(findings, Completeness.COMPLETE, told, 3)
