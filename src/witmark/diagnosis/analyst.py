"""The embedded analyst: decides from a frozen context by fixed rules, and abstains by default.

It answers in the same form as any model and passes the same gates. It confirms only if one
place in the source stands out: findings of two independent voices at least, one of them
direct, well ahead of the next place, no other place of the stack told by the same, with a
rival that a direct finding of another voice speaks against. Where something on the way to the
fault changed, the place is one that did.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witmark.diagnosis import support, wire
from witmark.diagnosis.context import Frozen, read_context
from witmark.diagnosis.decision import (
    Countercheck,
    Diagnosis,
    Evaluation,
    FinalState,
    RootCause,
    Status,
)
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Support,
)
from witmark.diagnosis.gates import Ground
from witmark.diagnosis.hypotheses import EndState, HypothesisId
from witmark.diagnosis.saying import plainly, said_plainly

MOST_AGAINST = 3
MARGIN = 1.2  # how far the first place has to be ahead of the second


def reply(context: str) -> str:
    """Answer a request whose user message is a frozen context."""
    return wire.decision_json(decide(read_context(context.encode())))


@dataclass(frozen=True, slots=True)
class _Case:
    """A context in the words of the rules."""

    frozen: Frozen
    ground: Ground
    order: tuple[HypothesisId, ...]
    suspects: Sequence[Mapping[str, Any]]

    def pointing(self, name: HypothesisId, way: Direction) -> tuple[Finding, ...]:
        """Whole looks that point one way for a hypothesis, the direct ones first."""
        found = [
            one
            for one in self.ground.findings.values()
            if one.bears_on.get(name) is way and one.completeness is Completeness.COMPLETE
        ]
        return tuple(
            sorted(found, key=lambda one: (one.kind is not FindingKind.DIRECT, one.id))
        )


def decide(frozen: Frozen) -> Diagnosis:
    """Decide; the same context gives the same decision."""
    order = tuple(HypothesisId(one["hypothesis"]["id"]) for one in frozen.plain["hypotheses"])
    case = _Case(frozen, frozen.ground, order, frozen.plain["suspects"])
    chosen = _chosen(case)
    return said_plainly(_inconclusive(case) if chosen is None else _confirmed(case, *chosen))


_Chosen = tuple[HypothesisId, HypothesisId, tuple[Finding, ...], Support]


def _chosen(case: _Case) -> _Chosen | None:
    """The hypothesis, its rival, the findings at the place that stands out, and the level."""
    place = _outstanding(case)
    if not place:
        return None
    for name in case.order:
        here = tuple(one for one in place if one.bears_on.get(name) is Direction.FOR)
        if len(support.voices_of(here)) < 2 or _is_contested(case, place, name):
            continue
        if case.ground.ends.get(name) is EndState.REJECTED or _changed_elsewhere(case, here):
            continue
        for rival in _rivals(case, name):
            given = _support_case(case, name, rival, here)
            level = support.level_of(given, case.ground.table)
            if level in {Support.SUPPORTED, Support.STRONGLY_SUPPORTED}:
                return name, rival, here, level
    return None


def _is_contested(case: _Case, place: Sequence[Finding], name: HypothesisId) -> bool:
    """Whether another place of a stack is told by all that tells this one from it.

    Everything on a stack ran, and a release may change several of its places: then stack and
    change lead to more than one, and the innermost is only where it showed.
    """
    where = {one.location for one in place}
    seen = {one.location for one in case.ground.findings.values() if one.group is Group.TRACE}
    elsewhere = [
        one
        for one in case.pointing(name, Direction.FOR)
        if one.location not in where and one.location in seen
    ]
    told = support.voices_of(elsewhere)
    return not support.voices_of(place) - {support.VOICES[Group.TRACE]} - told


def _changed_elsewhere(case: _Case, here: Sequence[Finding]) -> bool:
    """Whether what changed lies on the way to the fault, and not at this place."""
    changed = {
        one.id
        for one in case.ground.findings.values()
        if one.group is Group.DIFF
        and one.location is not None
        and one.kind is FindingKind.DIRECT
        and Direction.FOR in one.bears_on.values()
    }
    return bool(changed) and not changed & {one.id for one in here}


def _outstanding(case: _Case) -> tuple[Finding, ...]:
    """The findings at the first place, if it is far enough ahead of the second."""
    if not case.suspects:
        return ()
    first = case.suspects[0]
    second = case.suspects[1]["features"]["score"] if len(case.suspects) > 1 else 0.0
    if first["features"]["score"] < MARGIN * second:
        return ()
    return case.ground.get(first["findings"])


def _rivals(case: _Case, name: HypothesisId) -> Iterator[HypothesisId]:
    """Alternatives that a direct finding of a whole look speaks against, and none for them."""
    for other in case.order:
        against = case.pointing(other, Direction.AGAINST)
        is_direct = any(one.kind is FindingKind.DIRECT for one in against)
        if other != name and is_direct and not _speaks_for(case, other, name):
            yield other


def _against(case: _Case, rival: HypothesisId, here: Sequence[Finding]) -> tuple[Finding, ...]:
    """What speaks against the rival: first what is no voice of the place itself."""
    told = support.voices_of(one for one in here if one.kind is FindingKind.DIRECT)
    against = case.pointing(rival, Direction.AGAINST)
    return tuple(sorted(against, key=lambda one: support.VOICES.get(one.group) in told))


def _speaks_for(case: _Case, other: HypothesisId, name: HypothesisId) -> bool:
    direct = [
        one
        for one in case.pointing(other, Direction.FOR)
        if one.kind is FindingKind.DIRECT and one.bears_on.get(name) is not Direction.FOR
    ]
    return bool(direct)


def _support_case(
    case: _Case, name: HypothesisId, rival: HypothesisId, here: tuple[Finding, ...]
) -> support.Case:
    return support.Case(
        name,
        here,
        _direct_against(case, name),
        rival,
        _against(case, rival, here)[:MOST_AGAINST],
    )


def _direct_against(case: _Case, name: HypothesisId) -> tuple[Finding, ...]:
    return tuple(
        one for one in case.pointing(name, Direction.AGAINST) if one.kind is FindingKind.DIRECT
    )


# Writing it down ---------------------------------------------------------------------


def _confirmed(
    case: _Case,
    name: HypothesisId,
    rival: HypothesisId,
    here: tuple[Finding, ...],
    level: Support,
) -> Diagnosis:
    place = case.suspects[0]["location"]
    told = "; ".join(one.statement for one in here[:4])
    where = (
        f"{place['path']}, {place['name']} (lines {place['start_line']}–{place['end_line']})"
    )
    against = _against(case, rival, here)[:MOST_AGAINST]
    return Diagnosis(
        Status.CONFIRMED,
        name,
        RootCause(
            f"The fault lies in {where}.",
            f"{_statement(case, name)} The place: {where}. What leads there: {told}.",
            tuple(one.id for one in here),
        ),
        level,
        tuple(_evaluation(case, one, name, rival, here) for one in case.order),
        Countercheck(
            True,
            rival,
            f"against {rival}: {'; '.join(one.statement for one in against)}",
            tuple(one.id for one in against),
        ),
        _intended(case),
        _assumptions(case),
        _uncertain(case),
        f"One place stands out by findings of independent kinds, and {rival} is contradicted.",
        (
            f"read {where} and confirm the mechanism by a test that fails before a change",
            "check the remaining hypotheses' open questions before closing the case",
        ),
    )


def _inconclusive(case: _Case) -> Diagnosis:
    looks = [
        f"read {one['location']['path']} {one['location']['name']}, lines "
        f"{one['location']['start_line']} to {one['location']['end_line']}"
        for one in case.suspects[:5]
    ]
    questions = [
        f"find out for {end['hypothesis']['id']}: {question}"
        for end in case.frozen.plain["hypotheses"]
        for question in end["open_questions"]
    ]
    return Diagnosis(
        Status.INCONCLUSIVE,
        None,
        None,
        Support.WEAK if case.suspects else Support.INSUFFICIENT,
        tuple(_open_evaluation(case, one) for one in case.order),
        Countercheck(
            False, None, "no place stands out far enough to examine a rival of it", ()
        ),
        _intended(case),
        _assumptions(case),
        _uncertain(case),
        "No place in the source is supported by enough independent findings.",
        tuple([*looks, *questions][:12])
        or ("ask the reporter for a report with a call stack",),
    )


def _evaluation(
    case: _Case,
    one: HypothesisId,
    selected: HypothesisId,
    rival: HypothesisId,
    here: tuple[Finding, ...],
) -> Evaluation:
    if one == selected:
        against = tuple(finding.id for finding in _direct_against(case, one))
        answered = (
            "these findings concern other places than the one that stands out"
            if against
            else ""
        )
        for_it = tuple(finding.id for finding in here)
        reason = "findings of independent kinds lead to one place"
        return Evaluation(one, FinalState.SUPPORTED, reason, for_it, against, answered, ())
    if one == rival:
        against = tuple(f.id for f in _against(case, rival, here)[:MOST_AGAINST])
        return Evaluation(
            one,
            FinalState.FACTUALLY_REJECTED,
            "a direct finding speaks against it",
            (),
            against,
            "",
            (),
        )
    return _open_evaluation(case, one)


def _open_evaluation(case: _Case, one: HypothesisId) -> Evaluation:
    for_it = tuple(f.id for f in case.pointing(one, Direction.FOR)[:3])
    against = tuple(f.id for f in case.pointing(one, Direction.AGAINST)[:3])
    end = next(e for e in case.frozen.plain["hypotheses"] if e["hypothesis"]["id"] == one)
    limits = tuple(end["open_questions"]) or ("nothing in the case decides it",)
    return Evaluation(
        one,
        FinalState.UNRESOLVED,
        "the findings do not decide it",
        for_it,
        tuple(x for x in against if x not in for_it),
        "",
        limits,
    )


def _statement(case: _Case, name: HypothesisId) -> str:
    ends = case.frozen.plain["hypotheses"]
    return str(
        next(e["hypothesis"]["statement"] for e in ends if e["hypothesis"]["id"] == name)
    )


def _intended(case: _Case) -> str:
    said = case.frozen.plain["interpretation"]["intended"]
    return plainly(" ".join(one["text"] for one in said), 2000)


def _assumptions(case: _Case) -> tuple[str, ...]:
    return tuple(plainly(one, 2000) for one in case.ground.assumptions)[:50]


def _uncertain(case: _Case) -> tuple[str, ...]:
    left = tuple(f"not looked at: {one}" for one in case.ground.partial)[:50]
    return (*left, "no test was run; the mechanism is read, not observed")
