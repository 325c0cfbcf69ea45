"""The budgeted investigation: reserve, look, settle, close; durable at every step.

The loop chooses, among the looks it can pay for, the one that is expected to tell rivals apart
best. Every look is recorded before its account is settled, so an investigation that was
interrupted goes on where it stopped and pays for nothing twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from witmark.diagnosis import support
from witmark.diagnosis.budget import Account
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Support,
    Suspect,
)
from witmark.diagnosis.hypotheses import EndState, Hypothesis, HypothesisEnd, HypothesisId
from witmark.diagnosis.investigated import Action, Investigation
from witmark.diagnosis.plain import from_plain, to_plain
from witmark.diagnosis.ports import CaseView, Investigator, Limits, Look
from witmark.kernel.journal import Entry

ACCOUNT = "investigation"
RESERVED, LOOKED, CLOSED = "reserved", "looked", "closed"


class Recorder(Protocol):
    """Where the investigation is recorded as it goes (``kernel.journal.Journal``)."""

    entries: list[Entry]

    def append(self, kind: str, body: object) -> object:
        """Make one step durable."""


class Ranking(Protocol):
    """Turns findings into suspects."""

    def __call__(
        self, view: CaseView, findings: Sequence[Finding], ends: Sequence[HypothesisEnd]
    ) -> tuple[Suspect, ...]:
        """Rank the places in the source; the same findings give the same ranking."""


@dataclass(slots=True)
class _Progress:
    """What was done so far, as the record has it."""

    account: Account
    actions: list[Action]
    findings: list[Finding]
    skipped: list[str]
    begun: tuple[str, str, float] | None = None  # reserved and not settled


def investigate(  # noqa: PLR0913 - everything an investigation needs, each of it named
    view: CaseView,
    investigators: Sequence[Investigator],
    rank: Ranking,
    recorder: Recorder,
    *,
    credits_granted: int,
    limits: Limits,
) -> Investigation:
    """Investigate within a budget; every account ends closed and settled.

    Args:
        view: The case; nothing of it is changed.
        investigators: Who can look.
        rank: How findings become suspects.
        recorder: The record of this investigation, empty or as an interruption left it.
        credits_granted: What may be spent.
        limits: What one look may take.
    """
    by_name = {one.name: one for one in investigators}
    done = _taken_up(recorder, credits_granted)
    if done.begun is not None:
        name, action, expected = done.begun
        _look(view, by_name[name], done, recorder, limits, (action, expected))
    while not done.account.is_closed:
        chosen = _next(view, investigators, done)
        if chosen is None:
            recorder.append(CLOSED, {})
            done.account = done.account.close()
            break
        investigator, expected = chosen
        action = f"A{len(done.actions) + 1}"
        recorder.append(
            RESERVED,
            {
                "action": action,
                "credits": investigator.reserve,
                "expected": expected,
                "investigator": investigator.name,
            },
        )
        done.account = done.account.reserve(action, investigator.reserve)
        _look(view, investigator, done, recorder, limits, (action, expected))
    ends = tuple(_end(one, view.hypotheses, done.findings) for one in view.hypotheses)
    return Investigation(
        (done.account,),
        tuple(done.actions),
        tuple(done.findings),
        ends,
        rank(view, done.findings, ends),
        tuple(dict.fromkeys([*_left_out(view, investigators, done), *done.skipped])),
    )


def _taken_up(recorder: Recorder, credits_granted: int) -> _Progress:
    done = _Progress(Account(ACCOUNT, credits_granted), [], [], [])
    for entry in recorder.entries:
        body = entry.body if isinstance(entry.body, dict) else {}
        match entry.kind:
            case "reserved":
                done.account = done.account.reserve(body["action"], body["credits"])
                done.begun = (body["investigator"], body["action"], float(body["expected"]))
            case "looked":
                look = from_plain(Look, body["look"], place="investigation")
                _settle(done, body["investigator"], look, (body["action"], body["expected"]))
                done.begun = None
            case "closed":
                done.account = done.account.close()
            case _:
                pass
    return done


def _look(  # noqa: PLR0913, PLR0917 - one step of the loop with all it touches
    view: CaseView,
    investigator: Investigator,
    done: _Progress,
    recorder: Recorder,
    limits: Limits,
    action: tuple[str, float],
) -> None:
    name, expected = action
    look = investigator.look(view, name, limits)
    look = replace(look, cost=min(max(look.cost, 0), investigator.reserve))
    recorder.append(
        LOOKED,
        {
            "action": name,
            "expected": expected,
            "investigator": investigator.name,
            "look": to_plain(look),
        },
    )
    _settle(done, investigator.name, look, action)
    done.begun = None


def _settle(done: _Progress, name: str, look: Look, action: tuple[str, float]) -> None:
    reserved = done.account.reserved[action[0]]
    done.account = done.account.settle(action[0], look.cost)
    done.actions.append(
        Action(
            action[0],
            name,
            ACCOUNT,
            reserved,
            look.cost,
            float(action[1]),
            look.completeness,
            len(look.findings),
        )
    )
    done.findings += look.findings
    done.skipped += [f"{name}: {one}" for one in look.not_looked_at]


def _next(
    view: CaseView, investigators: Sequence[Investigator], done: _Progress
) -> tuple[Investigator, float] | None:
    looked = {action.investigator for action in done.actions}
    can = [
        (one.discriminates(view, done.findings), one)
        for one in investigators
        if one.name not in looked and one.reserve <= done.account.free and one.can_look(view)
    ]
    if not can:
        return None
    expected, chosen = min(can, key=lambda pair: (-pair[0], pair[1].reserve, pair[1].name))
    return chosen, expected


def _left_out(
    view: CaseView, investigators: Sequence[Investigator], done: _Progress
) -> list[str]:
    looked = {action.investigator for action in done.actions}
    left = [one for one in investigators if one.name not in looked]
    return [
        f"{one.name}: the budget was spent"
        if one.can_look(view)
        else f"{one.name}: it needs {one.needs}"
        for one in sorted(left, key=lambda one: one.name)
    ]


# Endings -----------------------------------------------------------------------------


def level_found(
    hypothesis: Hypothesis, every: Sequence[Hypothesis], findings: Sequence[Finding]
) -> Support:
    """How well everything that was found supports a hypothesis, by the table."""
    for_it, against = (
        tuple(one for one in findings if one.bears_on.get(hypothesis.id) is way)
        for way in (Direction.FOR, Direction.AGAINST)
    )
    rival, against_rival = _best_rival(hypothesis.id, every, findings)
    return support.level_of(support.Case(hypothesis.id, for_it, against, rival, against_rival))


def _end(
    hypothesis: Hypothesis, every: Sequence[Hypothesis], findings: Sequence[Finding]
) -> HypothesisEnd:
    by_direction: Mapping[Direction, list[Finding]] = {
        way: [f for f in findings if f.bears_on.get(hypothesis.id) is way] for way in Direction
    }
    for_it, against = by_direction[Direction.FOR], by_direction[Direction.AGAINST]
    _, against_rival = _best_rival(hypothesis.id, every, findings)
    level = level_found(hypothesis, every, findings)
    return HypothesisEnd(
        hypothesis,
        _state(for_it, against, level),
        tuple(one.id for one in for_it),
        tuple(one.id for one in against),
        hypothesis.questions,
        _loop_confidence(for_it, against),
        bool(against_rival),
    )


def _state(for_it: list[Finding], against: list[Finding], level: Support) -> EndState:
    rejecting = [
        one
        for one in against
        if one.kind is FindingKind.DIRECT and one.completeness is Completeness.COMPLETE
    ]
    if rejecting and not any(one.kind is FindingKind.DIRECT for one in for_it):
        return EndState.REJECTED
    if level in {Support.SUPPORTED, Support.STRONGLY_SUPPORTED}:
        return EndState.SUPPORTED
    return EndState.WEAKENED if against and not for_it else EndState.OPEN


def _best_rival(
    hypothesis: HypothesisId, every: Sequence[Hypothesis], findings: Sequence[Finding]
) -> tuple[HypothesisId | None, tuple[Finding, ...]]:
    """The rival that most speaks for, and what speaks against it."""
    rivals = [one.id for one in every if one.id != hypothesis]
    told = [
        (
            -sum(f.bears_on.get(one) is Direction.FOR for f in findings),
            one,
            tuple(f for f in findings if f.bears_on.get(one) is Direction.AGAINST),
        )
        for one in rivals
    ]
    told = [one for one in told if one[2]] or told
    if not told:
        return None, ()
    _, rival, against = min(told, key=lambda one: (one[0], one[1]))
    return rival, against


def _loop_confidence(for_it: list[Finding], against: list[Finding]) -> float:
    """A number for the trace. It authorises nothing."""
    total = len(for_it) + len(against)
    return round(len(for_it) / total, 6) if total else 0.0
