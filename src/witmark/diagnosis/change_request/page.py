"""The change request for people, as Markdown. It says what the document says, and no more.

The same document gives the same page. Words from outside are put so that they can break neither
the page nor its structure.
"""

from collections.abc import Iterator, Sequence

from witmark.diagnosis.change_request.document import (
    Bound,
    ChangeRequest,
    Claim,
    Relation,
    Scope,
)
from witmark.diagnosis.summary import markdown_code, markdown_words

HONEST = (
    "No code was written, nothing was run and no model was asked for this page. Every check "
    "behind it is about where things stand and what the policy lets; none can hold that the "
    "cause is right, or that a change will be."
)
_NEAR = {
    Relation.CAUSE: "root cause",
    Relation.SAME_FILE: "same file",
    Relation.SUSPECT: "other file",
}


def page_of(request: ChangeRequest) -> str:
    """Write the page of a document."""
    return "\n".join(_lines(request)) + "\n"


def _lines(request: ChangeRequest) -> Iterator[str]:
    cause = request.root_cause
    yield f"# {markdown_words(request.title.text)}"
    yield from ("", f"**{markdown_words(cause.summary.text)}**", "", HONEST)
    yield from ("", "## Root cause", "", markdown_words(cause.description.text), "")
    yield f"Confidence: {cause.confidence.replace('_', ' ')}. It rests on:"
    yield ""
    for one in cause.findings:
        yield from _item(f"{one.id} ({one.kind.value}, {one.group.value}): ", one.says)
    yield from _part("Observed", request.observed)
    yield from _part("Expected", request.expected)
    yield from _scope(request.scope)
    yield from ("", "## Required tests", "")
    for test in request.tests:
        yield from _item(f"{test.proof.value}: ", test.says)
    yield from _part("It is right when", request.acceptance_criteria, "[ ] ")
    yield from _part("What speaks against the cause", request.contradictions)
    yield from _part("Risks", request.risks)
    yield from _part("Open questions", request.open_questions)
    yield from _part("After the release", request.after_release)
    yield from _part("Who must review", request.reviewers)
    yield from _bound(request.bound)


def _scope(scope: Scope) -> Iterator[str]:
    yield from ("", "## What may be changed", "")
    yield from ("| place | lines | why |", "|---|---|---|")
    for one in scope.places:
        at = one.location
        name = " ".join(markdown_code(part) for part in (at.path, at.name) if part)
        yield f"| {name} | {at.start_line}–{at.end_line} | {_NEAR[one.relation]} |"
    yield ""
    yield (
        f"Nothing else, new tests excepted: at most {scope.most_files} files and "
        f"{scope.most_definitions} definitions, reach {markdown_words(scope.reach)}."
    )
    refs = [(ref, one.location) for one in scope.places for ref in one.evidence[-1:]]
    if refs:
        yield ""
        yield from (f"    ./do open '{ref}'" for ref, _ in refs)
    yield from _part("Left out", scope.left_out)
    yield from ("", "## Never to be touched", "")
    yield ", ".join(markdown_code(one) for one in scope.forbidden) or "nothing is named"


def _part(title: str, claims: Sequence[Claim], box: str = "") -> Iterator[str]:
    if claims:
        yield from ("", f"## {title}", "")
        for one in claims:
            yield from _item(box, one)


def _item(lead: str, claim: Claim) -> Iterator[str]:
    yield f"- {lead}{markdown_words(claim.text)}"
    if claim.evidence:
        yield from ("", f"      ./do open '{claim.evidence[0]}'")
        if more := len(claim.evidence) - 1:
            yield f"      # and {more} more in change_request.json"
        yield ""


def _bound(bound: Bound) -> Iterator[str]:
    yield from ("", "## What this rests on", "")
    package = f"{bound.case_id}/{bound.package_id}"
    yield f"- package: {markdown_words(package)}, analysis revision {bound.revision}"
    yield f"- change request: {bound.number}"
    yield f"- diagnosis: `{bound.diagnosis}`"
    yield f"- context: `{bound.context}`"
    yield f"- inputs: `{bound.inventory}`"
    yield f"- policy: {markdown_words(bound.policy_version)}, `{bound.policy}`"
    if bound.feedback is not None:
        yield f"- a person's word on the diagnosis: `{bound.feedback}`"
