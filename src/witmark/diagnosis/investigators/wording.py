"""Code whose words are those of the report: a hint where to look, never a proof."""

from collections.abc import Iterable

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
)
from witmark.diagnosis.investigators.reporting import by_class, found_at, worth_telling
from witmark.diagnosis.ports import CaseView, Limits, Look


class WordInvestigator:
    """Ranks definitions by the words they share with what people wrote."""

    name = "words"
    needs = "source"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether there is source to search."""
        return view.scores is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """Words alone tell little apart."""
        del view, found
        return 0.2

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report the best by words."""
        scores = view.the_scores
        order = sorted(scores.words, key=lambda key: (-scores.words[key], key))
        ranks = {key: rank for rank, key in enumerate(order, start=1)}
        keys, left = worth_telling(scores, scores.words, limits)
        findings = tuple(
            found_at(
                view,
                scores.code.definitions[key],
                f"number {ranks[key]} of {len(order)} by words shared with the report",
                who=(self.name, action, Group.TEXT),
                kind=FindingKind.HEURISTIC,
                bears_on=by_class(view, {}, main=Direction.FOR),
                strength=scores.words[key],
                limits=limits,
            )
            for key in keys
        )
        told = (f"{left} definitions ranked lower by words",) if left else ()
        return Look(findings, Completeness.COMPLETE, told, 3)
