"""Packages diagnosed before: what was found for the same stack, and what a person said of it.

Whatever it finds is a likeness: heuristic, one voice, and never enough by itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from witmark.diagnosis.findings import (
    CodeLocation,
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.reporting import by_class, found_at, found_in_case
from witmark.diagnosis.ports import CaseView, Earlier, Limits, Look
from witmark.kernel.canon import canonical_json, digest_of, read_canonical
from witmark.kernel.evidence import EvidenceRef, TextRange


@dataclass(frozen=True, slots=True)
class _Read:
    """An earlier diagnosis, read."""

    one: Earlier
    status: str
    cause: str  # in its own words; empty if it found none
    cause_class: CauseClass | None
    place: CodeLocation | None
    verdict: str

    @property
    def is_proof_like(self) -> bool:
        """Whether it is the same stack, with a cause that nobody rejected."""
        return self.one.likeness.is_same and bool(self.cause) and self.verdict != "rejected"


class EarlierInvestigator:
    """Reads what was frozen of packages that look like this one."""

    name = "earlier"
    needs = "a package like it that was diagnosed before"
    reserve = 3

    def can_look(self, view: CaseView) -> bool:
        """Whether anything alike was diagnosed before."""
        return bool(view.earlier)

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A likeness tells little, and less where only words are alike."""
        del found
        return 0.35 if any(one.likeness.is_same for one in view.earlier) else 0.05

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report each of them; where two of the same stack name different causes, neither."""
        read = [_read(one) for one in view.earlier]
        causes = {(r.cause_class, r.place and r.place.name) for r in read if r.is_proof_like}
        findings = tuple(
            self._finding(view, one, action, limits, is_disputed=len(causes) > 1)
            for one in read
        )
        return Look(findings, Completeness.COMPLETE, (), 1 + len(findings) // 2)

    def _finding(
        self, view: CaseView, read: _Read, action: str, limits: Limits, *, is_disputed: bool
    ) -> Finding:
        way = _way(read, is_disputed=is_disputed)
        ways = {} if read.cause_class is None else {read.cause_class: way}
        who = (self.name, action, Group.EARLIER)
        quotes = list(_quotes(read, limits))
        key = _here(view, read) if way is Direction.FOR else None
        statement = _statement(read, is_disputed=is_disputed)
        if key is None:
            return found_in_case(
                statement,
                who=who,
                kind=FindingKind.HEURISTIC,
                bears_on=by_class(view, ways),
                quotes=quotes,
                strength=_strength(read),
            )
        return found_at(
            view,
            view.the_scores.code.definitions[key],
            statement,
            who=who,
            kind=FindingKind.HEURISTIC,
            bears_on=by_class(view, ways),
            strength=_strength(read),
            quotes=quotes,
            limits=limits,
        )


def _way(read: _Read, *, is_disputed: bool) -> Direction:
    if not read.one.likeness.is_same:
        return Direction.NEUTRAL
    if read.verdict == "rejected":
        return Direction.AGAINST
    return Direction.FOR if read.is_proof_like and not is_disputed else Direction.NEUTRAL


def _statement(read: _Read, *, is_disputed: bool) -> str:
    one = read.one
    name = f"{one.case_id}/{one.package_id}, revision {one.revision},"
    likeness = one.likeness
    if not likeness.is_same:
        return f"{name} is told in like words, but its call stack is not this one"
    frames = f"the same exception and {likeness.frames} of {likeness.of} innermost frames"
    if read.verdict == "rejected":
        return f"{name} has {frames}; a person rejected what was diagnosed there"
    if is_disputed and read.cause:
        return f"{name} has {frames}; like packages name different causes"
    if not read.cause:
        return f"{name} has {frames}; no cause was found there"
    accepted = ", and a person accepted it" if read.verdict == "accepted" else ""
    return f"{name} has {frames}; a cause was diagnosed there{accepted}"


def _strength(read: _Read) -> float:
    likeness = read.one.likeness
    if not likeness.is_same:
        return 0.1 * likeness.words
    return 0.5 if read.verdict == "accepted" else 0.3


def _here(view: CaseView, read: _Read) -> int | None:
    """The place of its cause in this source, if it has one of that path and name."""
    if view.scores is None or read.place is None:
        return None
    wanted = (read.place.path, read.place.name)
    definitions = view.scores.code.definitions
    same = (
        key
        for key, one in enumerate(definitions)
        if (one.location.path, one.location.name) == wanted
    )
    return next(same, None)


def _quotes(read: _Read, limits: Limits) -> Iterator[Quote]:
    """What the earlier package's own bytes say."""
    said = {"summary": read.cause} if read.cause else {"status": read.status}
    yield _quote(read.one.result, said, limits)
    if read.verdict:
        yield _quote(read.one.feedback, {"verdict": read.verdict}, limits)


def _quote(text: str, said: Mapping[str, str], limits: Limits) -> Quote:
    """One member of a stored record, where it stands."""
    wanted = canonical_json(said).decode()[1:-1]
    start = text.index(wanted)
    end = min(start + len(wanted), start + limits.most_chars_per_quote)
    return Quote(EvidenceRef(digest_of(text.encode()), TextRange(start, end)), text[start:end])


# Reading -------------------------------------------------------------------------------


def _read(one: Earlier) -> _Read:
    place = f"{one.case_id}/{one.package_id}"
    result = _table(read_canonical(one.result.encode(), place=place))
    diagnosis = _table(result.get("diagnosis"))
    cause = _table(diagnosis.get("root_cause"))
    suspects = result.get("suspects")
    first = _table(suspects[0]) if isinstance(suspects, list) and suspects else {}
    verdict = ""
    if one.feedback:
        said = _table(read_canonical(one.feedback.encode(), place=place))
        verdict = str(_table(said.get("value")).get("verdict", ""))
    return _Read(
        one,
        str(diagnosis.get("status", "")),
        str(cause.get("summary", "")),
        _class_of(result, diagnosis.get("selected_hypothesis_id")),
        _location(_table(first.get("location"))) if cause else None,
        verdict,
    )


def _class_of(result: Mapping[str, Any], selected: object) -> CauseClass | None:
    for end in result.get("hypotheses", []):
        hypothesis = _table(_table(end).get("hypothesis"))
        if hypothesis.get("id") == selected:
            return CauseClass(hypothesis["cause_class"])
    return None


def _location(plain: Mapping[str, Any]) -> CodeLocation | None:
    if not plain:
        return None
    return CodeLocation(
        str(plain["path"]), str(plain["name"]), plain["start_line"], plain["end_line"]
    )


def _table(found: object) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}
