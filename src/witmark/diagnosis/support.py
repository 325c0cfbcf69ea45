"""How well findings support a hypothesis: a table of rules with a version, no numbers.

- **strongly_supported**: two independent groups for it at least, one finding of them direct and
  telling, none against it, and the best rival has a direct finding against it;
- **supported**: a direct and telling finding for it, another group for it, and a rival that a
  whole look speaks against;
- **weak**: findings for it, but only ranks and likenesses, or no rival told apart;
- **insufficient**: else, or everything for it is from looks that were not complete.

A finding is *telling* for a hypothesis if it does not speak for the rival as well. Ranking by
words is one voice however many findings it has; it, earlier cases and knowledge are alone or
together never more than weak. A finding that the investigation has pointing the other way is
no voice here, wherever it is cited: what speaks against a hypothesis is not counted for it, and
what speaks for the rival is nothing against it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Support,
)
from witmark.diagnosis.hypotheses import HypothesisId
from witmark.kernel.canon import Digest, canonical_json, digest_of

TABLE_VERSION = "support-levels/1"

RULES = {
    "version": TABLE_VERSION,
    "strongly_supported": {
        "contradictions": 0,
        "direct_telling": 1,
        "groups": 2,
        "rival_direct_against": 1,
    },
    "supported": {"direct_telling": 1, "groups": 2, "rival_examined": 1},
    "weak": {"findings": 1},
    "not_alone": [Group.TEXT.value, Group.EARLIER.value, Group.KNOWLEDGE.value],
    "other_way": "no voice",
}

_NOT_ALONE = {Group.TEXT, Group.EARLIER, Group.KNOWLEDGE}  # as in the rules

ORDER = (Support.INSUFFICIENT, Support.WEAK, Support.SUPPORTED, Support.STRONGLY_SUPPORTED)


def table_digest() -> Digest:
    """The name of the table; it is frozen into the context."""
    return digest_of(canonical_json(RULES))


@dataclass(frozen=True, slots=True)
class Case:
    """What is cited for one hypothesis, and against its best rival.

    Attributes:
        hypothesis: Which.
        for_it: Findings that are cited for it.
        against_it: Findings that are cited against it.
        rival: The alternative that was examined; ``None`` if none was.
        against_rival: Findings that are cited against the rival.
    """

    hypothesis: HypothesisId
    for_it: tuple[Finding, ...]
    against_it: tuple[Finding, ...]
    rival: HypothesisId | None
    against_rival: tuple[Finding, ...]


def level_of(case: Case) -> Support:
    """The highest level that the cited findings allow."""
    whole = [
        one
        for one in _whole(case.for_it)
        if one.bears_on.get(case.hypothesis) is not Direction.AGAINST
    ]
    if not whole:
        return Support.INSUFFICIENT
    telling = [one for one in whole if _is_direct(one) and _is_telling(one, case)]
    groups = _groups(whole)
    against_rival = _against_rival(case)
    if not telling or len(groups) < 2 or groups <= _NOT_ALONE or not against_rival:
        return Support.WEAK
    is_strong = not case.against_it and any(map(_is_direct, against_rival))
    return Support.STRONGLY_SUPPORTED if is_strong else Support.SUPPORTED


def allows(level: Support, claimed: Support) -> bool:
    """Whether a claim is no higher than the table's level."""
    return ORDER.index(claimed) <= ORDER.index(level)


def _groups(findings: Iterable[Finding]) -> set[Group]:
    return {one.group for one in findings}


def _whole(findings: Sequence[Finding]) -> list[Finding]:
    return [one for one in findings if one.completeness is Completeness.COMPLETE]


def _against_rival(case: Case) -> list[Finding]:
    rival = case.rival
    if rival is None:
        return []
    whole = _whole(case.against_rival)
    return [one for one in whole if one.bears_on.get(rival) is not Direction.FOR]


def _is_direct(finding: Finding) -> bool:
    return finding.kind is FindingKind.DIRECT


def _is_telling(finding: Finding, case: Case) -> bool:
    for_it = finding.bears_on.get(case.hypothesis) is Direction.FOR
    for_rival = case.rival is not None and finding.bears_on.get(case.rival) is Direction.FOR
    return for_it and not for_rival
