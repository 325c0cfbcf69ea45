"""Commits that touched what the case leads to, since the last good version if it is known."""

from collections.abc import Iterable, Sequence

from witmark.diagnosis.case import InputKind, RawInput
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.reporting import by_class, found_at
from witmark.diagnosis.ports import (
    CaseView,
    Commit,
    History,
    Limits,
    Look,
    UnreadableHistoryError,
)

MOST_COMMITS = 300
SUSPECTS = 5  # the places whose files are looked for
_FOLDER = ".git/"


class HistoryInvestigator:
    """Reads a version control folder that lies in the case.

    Args:
        history: Reads such folders.
    """

    name = "history"
    needs = "a folder of Git, and source"
    reserve = 6

    def __init__(self, history: History) -> None:
        self._history = history

    def can_look(self, view: CaseView) -> bool:
        """Whether the case holds a folder of Git, and source."""
        return view.scores is not None and bool(_inputs(view))

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """What a commit touched tells a regression from an old fault."""
        del view, found
        return 0.6

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report which commits touched the files of the first suspects."""
        inputs = _inputs(view)
        if (size := sum(one.size for one in inputs.values())) > limits.most_bytes:
            told = f"the folder has {size} bytes, {limits.most_bytes} are read"
            return Look((), Completeness.PARTIAL, (told,), 1)
        files = {path: view.read(one) for path, one in inputs.items()}
        try:
            commits = self._history.commits(files, most=MOST_COMMITS)
        except UnreadableHistoryError as error:
            return Look((), Completeness.PARTIAL, (str(error),), 1)
        since, good = _window(view, commits)
        scores = view.the_scores
        who = (self.name, action, Group.HISTORY)
        touched = [
            found_at(
                view,
                scores.code.definitions[key],
                _told(scores.code.definitions[key].location.path, of_it, good),
                who=who,
                kind=FindingKind.DERIVED,
                bears_on=by_class(
                    view,
                    {CauseClass.REGRESSION: Direction.FOR if good else Direction.NEUTRAL},
                ),
                strength=1.0 / len(of_it),
                limits=limits,
            )
            for key in scores.order[:SUSPECTS]
            if (of_it := _touching(view, since, scores.code.definitions[key].location.path))
        ]
        if not touched and good and scores.order:
            touched = [self._untouched(view, good, who, limits)]
        left = []
        if not good:
            left.append("no tag is named like a version that was good: all commits were read")
        if len(commits) == MOST_COMMITS and not good:
            left.append(f"commits before the newest {MOST_COMMITS}")
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        return Look(tuple(touched), whole, tuple(left), 3)

    def _untouched(
        self, view: CaseView, good: str, who: tuple[str, str, Group], limits: Limits
    ) -> Finding:
        scores = view.the_scores
        return found_at(
            view,
            scores.code.definitions[scores.order[0]],
            f"no commit since {good} touched a file of the {SUSPECTS} first suspects",
            who=who,
            kind=FindingKind.DERIVED,
            bears_on=by_class(view, {CauseClass.REGRESSION: Direction.AGAINST}),
            strength=0.0,
            limits=limits,
        )


def _inputs(view: CaseView) -> dict[str, RawInput]:
    """The files of the first Git folder of the case, by their place in it."""
    own = [
        one
        for one in view.inventory.of(InputKind.REPOSITORY)
        if f"/{_FOLDER}" in f"/{one.origin}"
    ]
    first = min((_root(one.origin) for one in own), default="")
    return {one.origin.removeprefix(first): one for one in own if one.origin.startswith(first)}


def _root(origin: str) -> str:
    at = f"/{origin}".index(f"/{_FOLDER}")
    return origin[: at + len(_FOLDER)]


def _window(view: CaseView, commits: Sequence[Commit]) -> tuple[Sequence[Commit], str]:
    """The commits since a version that was good, and its tag; all, where no tag says so."""
    good = {v.version for v in view.interpretation.versions if v.is_good}
    for number, one in enumerate(commits):
        for tag in one.tags:
            if tag.rpartition("/")[2].lstrip("vV") in good or _ends_like(tag, good):
                return commits[:number], tag
    return commits, ""


def _ends_like(tag: str, versions: Iterable[str]) -> bool:
    return any(tag.endswith((f"-{one}", f"_{one}", f"-v{one}")) for one in versions)


def _touching(view: CaseView, commits: Sequence[Commit], path: str) -> list[Commit]:
    return [
        one
        for one in commits
        if any(view.the_scores.code.file_like(touched) == path for touched in one.paths)
    ]


def _told(path: str, commits: Sequence[Commit], good: str) -> str:
    newest = commits[0]
    head = " ".join(newest.message.split("\n", 1)[0].split())[:120]
    since = f"since {good}" if good else "in the history that was read"
    return (
        f"{len(commits)} commits {since} touched {path}; the newest is "
        f'{newest.id[:12]} "{head}"'
    )
