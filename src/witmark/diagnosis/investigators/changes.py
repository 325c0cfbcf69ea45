"""What changed since the last good version: the strongest hint, and the strongest no."""

from collections.abc import Iterable, Iterator

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.reporting import (
    by_class,
    found_at,
    found_in_case,
    worth_telling,
)
from witmark.diagnosis.ports import CaseView, Limits, Look

FIRST = 5  # places by every voice together that the case leads to, besides names and frames


class ChangeInvestigator:
    """Compares the source with the last good one, definition by definition."""

    name = "changes"
    needs = "the source of a good version, or its number"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether a good version was handed in, or is named."""
        is_given = view.scores is not None and view.scores.code.changed is not None
        return is_given or any(one.is_good for one in view.interpretation.versions)

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A change tells a regression from everything else."""
        del view, found
        return 0.8

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report what changed; those first that other voices speak for too."""
        said = tuple(self._said(view, action))
        if view.scores is None or view.scores.code.changed is None:
            return Look(said, Completeness.COMPLETE, ("the good version was not handed in",), 1)
        scores = view.scores
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
        same = tuple(self._unchanged(view, action, limits))
        return Look((*findings, *same, *said), whole, told, 4)

    def _unchanged(self, view: CaseView, action: str, limits: Limits) -> Iterator[Finding]:
        """Say so if nothing that the case leads to changed, and all of it could be compared."""
        scores = view.the_scores
        changed = scores.code.changed or {}
        led = {*scores.frames, *(k for k, one in scores.names.items() if one.statement)}
        led |= set(scores.order[:FIRST])
        if not led or led & changed.keys() or not _is_whole(view):
            return
        key = next(one for one in scores.order if one in led)
        yield found_at(
            view,
            scores.code.definitions[key],
            f"none of the {len(led)} definitions that the case leads to changed since the last "
            "good version",
            who=(self.name, action, Group.DIFF),
            kind=FindingKind.DIRECT,
            bears_on=by_class(view, {CauseClass.REGRESSION: Direction.AGAINST}),
            strength=0.0,
            limits=limits,
        )

    def _said(self, view: CaseView, action: str) -> Iterator[Finding]:
        """What was otherwise before is not simply what the code is meant to do."""
        for one in view.interpretation.versions:
            if one.is_good:
                yield found_in_case(
                    f"the case says that it was well with {one.version}",
                    who=(self.name, action, Group.DIFF),
                    kind=FindingKind.DERIVED,
                    bears_on=by_class(view, {CauseClass.EXTERNAL_BY_DESIGN: Direction.AGAINST}),
                    quotes=[Quote(one.at.ref, one.at.quote)],
                )


def _is_whole(view: CaseView) -> bool:
    """Whether both versions were read to the end, as far as their files are code."""
    both = [one for one in (view.source, view.good_source) if one is not None]
    return (
        len(both) == 2
        and all(file.is_whole and file.is_exact for one in both for file in one.files)
        and not any("more than" in why for one in both for _, why in one.unread)
    )
