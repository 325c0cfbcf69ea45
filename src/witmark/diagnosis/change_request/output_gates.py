"""The final output validation: fixed checks between a change request and its hand-over.

Each gate reads the document beside the stored package and trusts nothing that made it. They
hold that everything the request says can be opened, that what may be changed is what the policy
lets, and that nothing got in which is not for the outside. They cannot hold that the cause is
right, nor that a change will be.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from witmark.diagnosis.change_request.code_signs import looks_like_code
from witmark.diagnosis.change_request.document import (
    ChangeRequest,
    Claim,
    Place,
    Proof,
    Relation,
)
from witmark.diagnosis.change_request.existing_tests import tests_of
from witmark.diagnosis.change_request.ground import Ground, is_rejected
from witmark.diagnosis.change_request.policy import Acceptance, Reach
from witmark.diagnosis.change_request.scoping import cause_locations, why_forbidden
from witmark.diagnosis.feedback import Verdict
from witmark.diagnosis.findings import Support
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.saying import is_safe
from witmark.kernel.evidence import EvidenceRef
from witmark.kernel.gate import Check, GateReport, Outcome


@dataclass(frozen=True, slots=True)
class Output:
    """What is about to leave: the document, and its two files.

    Attributes:
        request: The document.
        raw: It, encoded.
        page: It, for people.
    """

    request: ChangeRequest
    raw: bytes
    page: bytes


Gate = Callable[[Output, Ground], str]
"""Says what is wrong, in words a person can act on; nothing if it holds."""


def check(output: Output, ground: Ground) -> GateReport:
    """Ask every gate; the report admits the output or says what stands in its way."""
    return GateReport(tuple(_checked(name, gate, output, ground) for name, gate in GATES))


def _checked(name: str, gate: Gate, output: Output, ground: Ground) -> Check:
    because = gate(output, ground)
    return Check(name, Outcome.FAILS if because else Outcome.HOLDS, because)


# What it rests on ----------------------------------------------------------------------


def _bound_intact(output: Output, ground: Ground) -> str:
    bound, manifest = output.request.bound, ground.manifest
    pairs = {
        "case": (bound.case_id, manifest.case_id),
        "package": (bound.package_id, manifest.package_id),
        "revision": (bound.revision, manifest.revision),
        "diagnosis": (bound.diagnosis, manifest.declared.get(manifest.pointers["diagnosis"])),
        "context": (
            bound.context,
            manifest.declared.get(manifest.pointers["diagnosis_context"]),
        ),
        "inventory": (bound.inventory, manifest.declared.get(manifest.inventory)),
        "policy": (bound.policy, ground.policy.digest),
        "policy version": (bound.policy_version, ground.policy.version),
        "feedback": (bound.feedback, ground.feedback_digest),
    }
    return next((f"it is bound to another {n}" for n, (a, b) in pairs.items() if a != b), "")


def _claims_cited(output: Output, _: Ground) -> str:
    for claim in output.request.claims:
        if not claim.evidence:
            return f"nothing supports {claim.text[:80]!r}"
    for place in output.request.scope.places:
        if not place.evidence:
            return f"nothing leads to {place.location.path}"
    return ""


def _evidence_opens(output: Output, ground: Ground) -> str:
    stray = ground.opens(output.request.refs)
    return "" if stray is None else f"there is nothing at {stray}"


def _cause_told(output: Output, ground: Ground) -> str:
    cause, told = ground.diagnosis.root_cause, output.request.root_cause
    if cause is None or tuple(one.id for one in told.findings) != cause.evidence_ids:
        return "it cites other findings for the root cause than the diagnosis"
    if told.confidence != ground.diagnosis.confidence.value:
        return "it claims another confidence than the diagnosis"
    return ""


# What may be changed -------------------------------------------------------------------


def _locations_exist(output: Output, ground: Ground) -> str:
    if not output.request.scope.places:
        return "the root cause leads to no place in the given source; a person has to say where"
    return next(filter(None, (_missing(one, ground) for one in _places(output))), "")


def _missing(place: Place, ground: Ground) -> str:
    at = place.location
    text, stored = ground.text_of(at.path), ground.sources.get(at.path)
    if text is None or stored is None:
        return f"{at.path} is not in the given source"
    if stored.digest != place.file:
        return f"{at.path} is bound to other bytes than are stored"
    lines = text.splitlines()
    if not 1 <= at.start_line <= at.end_line <= len(lines):
        return f"{at.path} has {len(lines)} lines, not {at.start_line} to {at.end_line}"
    own = at.name.rsplit(".", 1)[-1]
    here = "\n".join(lines[at.start_line - 1 : at.end_line])
    if own and not re.search(rf"(?<!\w){re.escape(own)}(?!\w)", here):
        return f"{at.path} does not name {own} in lines {at.start_line} to {at.end_line}"
    return ""


def _within_scope(output: Output, ground: Ground) -> str:
    causes = cause_locations(ground)
    files = {one.path for one in causes}
    policy = ground.policy.scope
    suspects = {
        (at["path"], at["name"], at["start_line"], at["end_line"]): one["rank"]
        for one in ground.suspects
        for at in (one["location"],)
    }
    if missing := set(causes) - {one.location for one in _places(output)}:
        return f"{min(one.path for one in missing)}: a place of the cause is left out"
    for place in _places(output):
        at = place.location
        if place.relation is Relation.CAUSE:
            if at not in causes:
                return f"{at.path}: no finding that carries the root cause lies there"
            continue
        is_near = at.path in files
        if is_near != (place.relation is Relation.SAME_FILE):
            return f"{at.path}: it is not {place.relation.value}"
        rank = suspects.get((at.path, at.name, at.start_line, at.end_line))
        if rank is None or rank > policy.most_rank or not _reaches(policy.reach, near=is_near):
            return f"{at.path}: farther from the root cause than the policy reaches"
    return ""


def _reaches(reach: Reach, *, near: bool) -> bool:
    return reach is Reach.SUSPECTS or (reach is Reach.FILE and near)


def _none_forbidden(output: Output, ground: Ground) -> str:
    for place in _places(output):
        if why := why_forbidden(place.location.path, ground):
            return f"{place.location.path}: {why}; a person has to decide"
    return ""


def _within_limits(output: Output, ground: Ground) -> str:
    policy, places = ground.policy.scope, _places(output)
    files = {one.location.path for one in places}
    if len(files) > policy.most_files:
        return f"{len(files)} files are in scope, the policy takes {policy.most_files}"
    if len(places) > policy.most_definitions:
        return f"{len(places)} definitions are in scope, at most {policy.most_definitions}"
    if len({one.location for one in places}) != len(places):
        return "a place is in scope twice"
    return ""


def _scope_said(output: Output, ground: Ground) -> str:
    said, policy = output.request.scope, ground.policy.scope
    told = said.allowed, said.forbidden, said.reach, said.most_files, said.most_definitions
    decided = (
        *(policy.allowed, policy.forbidden, policy.reach.value),
        *(policy.most_files, policy.most_definitions),
    )
    return "" if told == decided else "it says another scope than the policy decided"


# What it has to bring ------------------------------------------------------------------


def _tests_required(output: Output, ground: Ground) -> str:
    wanted, tests = ground.policy.tests, output.request.tests
    has = {one.proof for one in tests}
    if wanted.regression and Proof.REGRESSION not in has:
        return "no test is required that fails before the change"
    if wanted.countercheck and Proof.COUNTERCHECK not in has:
        return "no test is required that tells the cause from the alternative"
    seen = {one.ref for one in ground.observed}
    for one in tests:
        if one.proof is Proof.REGRESSION and seen and not seen & set(one.says.evidence):
            return "the test that fails before the change is bound to nothing that was observed"
    if wanted.existing:
        found = tests_of(output.request.scope.places, ground)[: wanted.most_existing]
        bound = {
            ref.blob
            for one in tests
            if one.proof is Proof.EXISTING
            for ref in one.says.evidence
        }
        if missing := [one.path for one in found if one.ref.blob not in bound]:
            return f"the existing test {missing[0]} is not among the required ones"
    return ""


def _criteria_said(output: Output, ground: Ground) -> str:
    request = output.request
    if not request.acceptance_criteria or not request.after_release:
        return "it does not say how one will know that the change is right"
    cited = {ref for one in request.acceptance_criteria for ref in one.evidence}
    if [one for one in ground.expected if one.ref not in cited]:
        return "what the case expects is no criterion"
    return "" if request.reviewers else "nobody is named who must review"


def _risks_carried(output: Output, ground: Ground) -> str:
    told = _cited(output.request.risks)
    for name in ("remaining_uncertainty", "human_assumptions"):
        for n in range(len(getattr(ground.diagnosis, name))):
            if ground.in_result("diagnosis", name, n) not in told:
                return f"it leaves out {name.replace('_', ' ')} {n + 1} of the diagnosis"
    for n in range(len(ground.frozen.plain["not_looked_at"])):
        if ground.in_context("not_looked_at", n) not in told:
            return "it leaves out what was not looked at"
    against = _cited(output.request.contradictions)
    for finding in ground.get(ground.selected.contradicting_evidence_ids):
        if not {quote.ref for quote in finding.quotes} <= against:
            return f"it leaves out {finding.id}, which speaks against the cause"
    return ""


def _questions_carried(output: Output, ground: Ground) -> str:
    told = _cited(output.request.open_questions)
    for n, one in enumerate(ground.diagnosis.evaluations):
        at = "diagnosis", "hypothesis_evaluations", n, "scope_limits"
        if any(ground.in_result(*at, k) not in told for k in range(len(one.scope_limits))):
            return f"it leaves out what is not known of {one.hypothesis_id}"
    for n, end in enumerate(ground.frozen.plain["hypotheses"]):
        if end["hypothesis"]["id"] != ground.diagnosis.selected_hypothesis_id:
            continue
        questions = range(len(end["open_questions"]))
        if any(
            ground.in_context("hypotheses", n, "open_questions", k) not in told
            for k in questions
        ):
            return "it leaves out what is not known of the cause"
    return ""


def _cited(claims: Iterable[Claim]) -> set[EvidenceRef]:
    return {ref for one in claims for ref in one.evidence}


def _person_agrees(_: Output, ground: Ground) -> str:
    said = ground.feedback
    if is_rejected(said):
        return "a person rejected the diagnosis"
    is_accepted = said is not None and (
        said.verdict is Verdict.ACCEPTED and said.digest == ground.result
    )
    is_strong = ground.diagnosis.confidence is Support.STRONGLY_SUPPORTED
    wanted = ground.policy.person.acceptance
    if is_accepted or wanted is Acceptance.NEVER:
        return ""
    if wanted is Acceptance.UNLESS_STRONG and is_strong:
        return ""
    return "the policy wants a person to accept the diagnosis first (`witmark case accept`)"


# What must not get in ------------------------------------------------------------------


def _no_code(output: Output, _: Ground) -> str:
    for text in output.request.texts:
        if looks_like_code(text):
            return f"{text[:60]!r} is code or a patch; a change request holds none"
    return ""


def _no_secrets(output: Output, ground: Ground) -> str:
    redactor = Redactor(ground.secrets.known)
    for text in (*output.request.texts, output.raw.decode(), output.page.decode()):
        redactor.text(text)
    if found := redactor.listed():
        return f"it holds a secret ({found[0]['kind']})"
    return ""


def _safe_text(output: Output, _: Ground) -> str:
    for text in output.request.texts:
        if not text.strip():
            return "a text is blank"
        if not is_safe(text) or "\n" in text:
            return "a text holds characters that hide, break or turn the direction of writing"
    return "" if is_safe(output.page.decode()) else "the page holds hidden characters"


def _sizes(output: Output, ground: Ground) -> str:
    limits = ground.policy.output
    for name, raw in (("document", output.raw), ("page", output.page)):
        if len(raw) > limits.max_bytes:
            return f"the {name} has {len(raw)} bytes, the policy takes {limits.max_bytes}"
    count = sum(1 for _ in output.request.claims)
    if count > limits.most_claims:
        return f"it makes {count} claims, the policy takes {limits.most_claims}"
    return ""


def _places(output: Output) -> tuple[Place, ...]:
    return output.request.scope.places


def objections(report: GateReport) -> Iterator[str]:
    """Every objection by name, for people."""
    yield from (f"{one.name}: {one.because}" for one in report.objections)


GATES: tuple[tuple[str, Gate], ...] = (
    ("bound-intact", _bound_intact),
    ("cause-told", _cause_told),
    ("claims-cited", _claims_cited),
    ("evidence-opens", _evidence_opens),
    ("locations-exist", _locations_exist),
    ("within-scope", _within_scope),
    ("none-forbidden", _none_forbidden),
    ("within-limits", _within_limits),
    ("scope-said", _scope_said),
    ("tests-required", _tests_required),
    ("criteria-said", _criteria_said),
    ("risks-carried", _risks_carried),
    ("questions-carried", _questions_carried),
    ("person-agrees", _person_agrees),
    ("no-code", _no_code),
    ("no-secrets", _no_secrets),
    ("safe-text", _safe_text),
    ("sizes", _sizes),
)
