"""Definitions that the names in a report lead to."""

from collections.abc import Iterable

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.investigators.reporting import by_class, found_at, worth_telling
from witmark.diagnosis.ports import CaseView, Limits, Look


class NameInvestigator:
    """Resolves the names that a report mentions."""

    name = "names"
    needs = "source"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether there is source to resolve names in."""
        return view.scores is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A name that is resolved narrows the search."""
        del view, found
        return 0.5

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report where the names lead."""
        scores = view.the_scores
        keys, left = worth_telling(scores, scores.names, limits)
        findings = []
        for key in keys:
            one = scores.names[key]
            definition = scores.code.definitions[key]
            quotes = [Quote(one.statement.ref, one.statement.quote)] if one.statement else []
            findings.append(
                found_at(
                    view,
                    definition,
                    f"{definition.location.name}: {one.how}",
                    who=(self.name, action, Group.NAMES),
                    kind=FindingKind.DERIVED,
                    bears_on=by_class(view, {}, main=Direction.FOR),
                    strength=one.weight,
                    quotes=quotes,
                    limits=limits,
                )
            )
        told = (f"{left} definitions further from the names",) if left else ()
        return Look(tuple(findings), Completeness.COMPLETE, told, 4)
