"""Writes a change request from its ground: fixed sentences around what the case holds.

It adds no conclusion. What the case or the diagnosis says in code is not repeated, only pointed
to; hidden characters are shown as marks, and secrets were replaced before the diagnosis.
"""

from collections.abc import Iterable, Iterator, Sequence

from witmark.diagnosis.change_request.code_signs import looks_like_code
from witmark.diagnosis.change_request.document import (
    Bound,
    ChangeRequest,
    CitedFinding,
    Claim,
    Proof,
    RequiredTest,
    RootCause,
    Scope,
)
from witmark.diagnosis.change_request.existing_tests import tests_of
from witmark.diagnosis.change_request.ground import Ground
from witmark.diagnosis.change_request.scoping import scope_of
from witmark.diagnosis.decision import Evaluation, FinalState
from witmark.diagnosis.findings import Finding
from witmark.diagnosis.interpretation import Statement
from witmark.diagnosis.saying import plainly
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef

ELIDED = "(it stands there as code and is not repeated here: open the place)"
MOST_CHARS = 2_000

Refs = tuple[EvidenceRef, ...]


def write_request(ground: Ground, number: int) -> ChangeRequest:
    """Write the request; the same ground gives the same document."""
    scope = scope_of(ground)
    return ChangeRequest(
        title=_title(ground),
        bound=_bound(ground, number),
        root_cause=_root_cause(ground),
        observed=_statements(ground.observed),
        expected=_statements(ground.expected),
        scope=scope,
        tests=tuple(_tests(ground, scope)),
        acceptance_criteria=tuple(_criteria(ground, scope)),
        contradictions=tuple(_contradictions(ground)),
        risks=tuple(_risks(ground)),
        after_release=tuple(_after_release(ground)),
        open_questions=tuple(_open_questions(ground)),
        reviewers=tuple(_reviewers(ground, scope)),
    )


def said(text: str) -> str:
    """Words from outside on one line, or that they are not repeated."""
    shown = plainly(text, MOST_CHARS)
    if looks_like_code(shown):
        return ELIDED
    line = " ".join(shown.split())
    return ELIDED if looks_like_code(line) else line or "(nothing is said)"


def _title(ground: Ground) -> Claim:
    title = said(ground.said.title) if ground.said.title.strip() else ground.manifest.case_id
    return Claim(f"Fix: {title}", (ground.in_context("interpretation", "title"),))


def _bound(ground: Ground, number: int) -> Bound:
    manifest = ground.manifest
    return Bound(
        manifest.case_id,
        manifest.package_id,
        manifest.revision,
        number,
        ground.result,
        ground.frozen.digest,
        _declared(ground, manifest.inventory),
        ground.policy.digest,
        ground.policy.version,
        ground.feedback_digest,
    )


def _declared(ground: Ground, path: str) -> Digest:
    found = ground.manifest.declared[path]
    if found is None:
        raise AssertionError("an inventory is declared with its digest")
    return found


def _root_cause(ground: Ground) -> RootCause:
    cause = ground.diagnosis.root_cause
    if cause is None:
        raise AssertionError("a confirmed diagnosis has a root cause")
    refs = _quoted(ground.carrying)
    at = ("diagnosis", "root_cause")
    return RootCause(
        Claim(said(cause.summary), (ground.in_result(*at, "summary"), *refs)),
        Claim(
            said(cause.technical_description),
            (ground.in_result(*at, "technical_description"), *refs),
        ),
        ground.diagnosis.confidence.value,
        tuple(_cited(one) for one in ground.carrying),
    )


def _cited(finding: Finding) -> CitedFinding:
    says = Claim(said(finding.statement), _quoted((finding,)))
    return CitedFinding(finding.id, finding.kind, finding.group, says)


def _quoted(findings: Iterable[Finding]) -> Refs:
    return tuple(dict.fromkeys(quote.ref for one in findings for quote in one.quotes))


def _statements(found: Iterable[Statement]) -> tuple[Claim, ...]:
    return tuple(Claim(said(one.text), (one.ref,)) for one in found)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":", "…")) else f"{text}."


# Tests -------------------------------------------------------------------------------


def _tests(ground: Ground, scope: Scope) -> Iterator[RequiredTest]:
    wanted = ground.policy.tests
    if wanted.regression:
        yield RequiredTest(Proof.REGRESSION, _regression(ground))
    if wanted.existing:
        for found in tests_of(scope.places, ground)[: wanted.most_existing]:
            text = f"{said(found.path)} passes before the change and after it ({found.why})"
            yield RequiredTest(Proof.EXISTING, Claim(text, (found.ref,)))
    if wanted.countercheck:
        yield RequiredTest(Proof.COUNTERCHECK, _countercheck(ground))


def _regression(ground: Ground) -> Claim:
    seen, wanted = ground.observed, ground.expected
    what = said(seen[0].text) if seen else said(ground.said.title or ground.manifest.case_id)
    text = "A new test fails on the given source and passes after the change, for: "
    text += _sentence(what)
    if raised := _raised(ground):
        text += f" On the given source it fails with {raised}."
    refs = [one.ref for one in seen] or [ground.in_context("interpretation", "title")]
    refs += [one.ref for one in wanted] + [one.at for one in ground.said.traces]
    return Claim(text, tuple(dict.fromkeys(refs)))


def _raised(ground: Ground) -> str:
    """The exception that is spoken of, else the last one: what led to it stands before it."""
    raised = [one.exception for one in ground.said.traces if one.exception]
    words = " ".join(one.text for one in ground.observed)
    named = [one for one in raised if one.rsplit(".", 1)[-1] in words]
    return said((named or raised)[-1]) if raised else ""


def _countercheck(ground: Ground) -> Claim:
    check = ground.diagnosis.countercheck
    ends = (end["hypothesis"] for end in ground.frozen.plain["hypotheses"])
    rival = next(one["statement"] for one in ends if one["id"] == check.alternative_id)
    text = (
        "A test comes out differently for the cause and for the alternative "
        f"{check.alternative_id} ({said(rival)}). What was found: {said(check.reason)}"
    )
    refs = _quoted(ground.get(check.evidence_ids))
    return Claim(text, (ground.in_result("diagnosis", "countercheck"), *refs))


# What has to hold --------------------------------------------------------------------


def _criteria(ground: Ground, scope: Scope) -> Iterator[Claim]:
    tests = ground.policy.tests
    regression = _regression(ground).evidence
    yield Claim(
        "What was observed no longer happens in the situation that the case describes; "
        "a test that failed before says so.",
        regression,
    )
    for one in _statements(ground.expected):
        yield Claim(f"As expected by the case: {one.text}", one.evidence)
    if tests.existing:
        yield Claim(
            "No existing test was changed, switched off or weakened to pass.",
            (ground.in_policy("tests", "existing"),),
        )
    yield Claim(
        "Nothing outside the places in scope was changed, tests that are new excepted, "
        "and no forbidden path was touched.",
        (ground.in_policy("scope"), *(ref for one in scope.places for ref in one.evidence[:1])),
    )
    for statement in _statements(ground.said.intended):
        yield Claim(f"Stays as it is meant to be: {statement.text}", statement.evidence)
    if intended := ground.diagnosis.intended_external_behaviour:
        place = ground.in_result("diagnosis", "intended_external_behavior")
        yield Claim(f"Stays as it is meant to be: {said(intended)}", (place,))


# What is against it, and what is not known ---------------------------------------------


def _contradictions(ground: Ground) -> Iterator[Claim]:
    selected = ground.selected
    n = ground.diagnosis.evaluations.index(selected)
    place = ground.in_result("diagnosis", "hypothesis_evaluations", n)
    answer = selected.contradictions_answered
    for finding in ground.get(selected.contradicting_evidence_ids):
        text = f"Against the cause: {said(finding.statement)}. Answered: {said(answer)}"
        yield Claim(text, (place, *_quoted((finding,))))


def _risks(ground: Ground) -> Iterator[Claim]:
    diagnosis = ground.diagnosis
    left: dict[str, list[EvidenceRef]] = {}
    for n, text in enumerate(ground.frozen.plain["not_looked_at"]):
        left.setdefault(text, []).append(ground.in_context("not_looked_at", n))
    for n, text in enumerate(diagnosis.remaining_uncertainty):
        place = ground.in_result("diagnosis", "remaining_uncertainty", n)
        if (same := text.removeprefix("not looked at: ")) in left:
            left[same].append(place)  # a decision may say again what the context says
        else:
            yield Claim(f"Uncertain: {said(text)}", (place,))
    for text, refs in left.items():
        yield Claim(f"Not looked at: {said(text)}", tuple(refs))
    for n, text in enumerate(diagnosis.human_assumptions):
        place = ground.in_result("diagnosis", "human_assumptions", n)
        yield Claim(f"Assumed by a person, not observed: {said(text)}", (place,))
    for n, one in _rivals(ground, FinalState.NOT_SUPPORTED, FinalState.SUPPORTED):
        place = ground.in_result("diagnosis", "hypothesis_evaluations", n)
        yield Claim(f"{one.hypothesis_id} was not refuted: {said(one.reason)}", (place,))


def _rivals(ground: Ground, *states: FinalState) -> Iterator[tuple[int, Evaluation]]:
    chosen = ground.diagnosis.selected_hypothesis_id
    for n, one in enumerate(ground.diagnosis.evaluations):
        if one.state in states and one.hypothesis_id != chosen:
            yield n, one


def _open_questions(ground: Ground) -> Iterator[Claim]:
    for n, one in enumerate(ground.diagnosis.evaluations):
        for k, text in enumerate(one.scope_limits):
            place = ground.in_result(
                "diagnosis", "hypothesis_evaluations", n, "scope_limits", k
            )
            yield Claim(f"{one.hypothesis_id}: {said(text)}", (place,))
    chosen = ground.diagnosis.selected_hypothesis_id
    for n, end in enumerate(ground.frozen.plain["hypotheses"]):
        if end["hypothesis"]["id"] == chosen:
            for k, text in enumerate(end["open_questions"]):
                place = ground.in_context("hypotheses", n, "open_questions", k)
                yield Claim(f"{chosen}: {said(text)}", (place,))
    if not ground.expected:
        yield Claim(
            "The case does not say what should happen instead; settle it before the change.",
            (ground.in_context("interpretation", "expected"),),
        )


# Afterwards, and who looks ---------------------------------------------------------------


def _after_release(ground: Ground) -> Iterator[Claim]:
    traces, seen = ground.said.traces, ground.observed
    refs = tuple(dict.fromkeys([one.at for one in traces] + [one.ref for one in seen]))
    refs = refs or (ground.in_context("interpretation", "title"),)
    raised = _raised(ground)
    what = raised or "what was observed"
    yield Claim(f"Observe: count how often {what} occurs before and after the release.", refs)
    yield Claim(
        f"Roll back: return to the version before the change if {what} occurs again in the "
        "described situation, or if anything occurs that did not before.",
        refs,
    )
    good = [one for one in ground.said.versions if one.is_good]
    for one in good[:1]:
        text = f"The case says that it was well with {said(f'{one.subject} {one.version}')}."
        yield Claim(text, (one.at.ref,))


def _reviewers(ground: Ground, scope: Scope) -> Iterator[Claim]:
    places = tuple(ref for one in scope.places for ref in one.evidence[:1])
    for n, text in enumerate(ground.policy.person.reviewers):
        yield Claim(text, (ground.in_policy("person", "reviewers", n), *places))
    if ground.said.intended or ground.diagnosis.intended_external_behaviour:
        yield Claim(
            "whoever answers for the behaviour that is said to be meant so",
            (ground.in_result("diagnosis", "intended_external_behavior"),),
        )
    if ground.frozen.plain["redactions"]:
        yield Claim(
            "whoever answers for the secrets that the case held; they were replaced by marks",
            (ground.in_context("redactions"),),
        )
    yield from _reviewers_of(ground.get(ground.selected.contradicting_evidence_ids))


def _reviewers_of(against: Sequence[Finding]) -> Iterator[Claim]:
    if against:
        yield Claim(
            "somebody who did not make the diagnosis, for what speaks against the cause",
            _quoted(against),
        )
