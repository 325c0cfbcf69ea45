"""Decides what may be changed: the places of the root cause, and around them what is allowed.

The places of the root cause always come first; whether they may be changed at all is held by
the gates, so that a forbidden cause is refused and not quietly left out. Everything else is
left out, with why, as soon as the policy does not take it in.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from witmark.diagnosis.change_request.document import Claim, Place, Relation, Scope
from witmark.diagnosis.change_request.globs import first_match
from witmark.diagnosis.change_request.ground import Ground
from witmark.diagnosis.change_request.policy import Reach
from witmark.diagnosis.findings import CodeLocation, FindingId
from witmark.diagnosis.plain import from_plain
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef

HEAD_LINES = 10  # where a generated file says that it is one
_NO_FILE = Digest(f"sha256:{'0' * 64}")


@dataclass(frozen=True, slots=True)
class _Candidate:
    location: CodeLocation
    relation: Relation
    evidence: tuple[EvidenceRef, ...]


def scope_of(ground: Ground) -> Scope:
    """Decide the scope of a request."""
    policy = ground.policy.scope
    places: list[Place] = []
    left_out: list[Claim] = []
    for one in _candidates(ground):
        is_cause = one.relation is Relation.CAUSE
        why = "" if is_cause else _against(one, places, ground)
        if why:
            left_out.append(Claim(f"{described(one.location)}: {why}", one.evidence))
            continue
        found = ground.sources.get(one.location.path)
        file = _NO_FILE if found is None else found.digest
        places.append(Place(one.location, file, one.relation, one.evidence))
    return Scope(
        tuple(places),
        tuple(left_out),
        policy.allowed,
        policy.forbidden,
        policy.reach.value,
        policy.most_files,
        policy.most_definitions,
    )


def described(location: CodeLocation) -> str:
    """A place, in words."""
    lines = f"lines {location.start_line} to {location.end_line}"
    return f"{location.path}, {location.name} ({lines})" if location.name else location.path


def cause_locations(ground: Ground) -> dict[CodeLocation, tuple[FindingId, ...]]:
    """Where the findings that carry the root cause lie, in their order."""
    found: dict[CodeLocation, tuple[FindingId, ...]] = {}
    for one in ground.leading:
        if one.location is not None:
            found[one.location] = (*found.get(one.location, ()), one.id)
    return found


def why_forbidden(path: str, ground: Ground) -> str:
    """Why the policy never lets a path be changed; nothing if it does."""
    policy = ground.policy.scope
    if (pattern := first_match(policy.forbidden, path)) is not None:
        return f"forbidden by {pattern}"
    if first_match(policy.allowed, path) is None:
        return "no pattern allows it"
    head = "\n".join((ground.text_of(path) or "").splitlines()[:HEAD_LINES]).casefold()
    if mark := next((one for one in policy.generated_marks if one.casefold() in head), None):
        return f"its first lines say that it is generated ({mark})"
    return ""


def _candidates(ground: Ground) -> Iterator[_Candidate]:
    causes = cause_locations(ground)
    files = {one.path for one in causes}
    for location, ids in causes.items():
        yield _Candidate(location, Relation.CAUSE, _refs(ground, ids))
    for suspect in ground.suspects:
        location = from_plain(CodeLocation, suspect["location"], place="context")
        if location in causes or suspect["rank"] > ground.policy.scope.most_rank:
            continue
        is_near = location.path in files
        refs = _refs(ground, tuple(suspect["findings"]))
        yield _Candidate(location, Relation.SAME_FILE if is_near else Relation.SUSPECT, refs)


def _refs(ground: Ground, ids: tuple[FindingId, ...]) -> tuple[EvidenceRef, ...]:
    quoted = (quote.ref for one in ground.get(ids) for quote in one.quotes)
    return tuple(dict.fromkeys(quoted))


def _against(one: _Candidate, places: list[Place], ground: Ground) -> str:
    policy = ground.policy.scope
    if policy.reach is Reach.DEFINITION or (
        policy.reach is Reach.FILE and one.relation is Relation.SUSPECT
    ):
        return f"farther from the root cause than the policy reaches ({policy.reach.value})"
    if why := why_forbidden(one.location.path, ground):
        return why
    if one.location.path not in ground.sources or not one.evidence:
        return (
            "it does not stand in the given source, or nothing that can be opened leads there"
        )
    if len(places) >= policy.most_definitions:
        return f"more than {policy.most_definitions} definitions"
    files = {place.location.path for place in places} | {one.location.path}
    return f"more than {policy.most_files} files" if len(files) > policy.most_files else ""
