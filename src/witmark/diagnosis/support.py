"""How well findings support a hypothesis: tables of rules with a version, no numbers.

- **strongly_supported**: two independent groups for it at least, one finding of them direct and
  telling, none against it, and the best rival has a direct finding against it;
- **supported**: a direct and telling finding for it, another group for it, and a rival that a
  whole look speaks against;
- **weak**: findings for it, but only ranks and likenesses, or no rival told apart;
- **insufficient**: else, or everything for it is from looks that were not complete.

A finding is *telling* for a hypothesis if it does not speak for the rival as well. A finding
that the investigation has pointing the other way is no voice here, wherever it is cited: what
speaks against a hypothesis is not counted for it, and what speaks for the rival is nothing
against it.

By the second table groups are counted by what they observed, and one observation once. The
stack, the place that raises, the log and the names of a report all tell where a fault was
seen: one voice. What changed and when is another; what ran, and what a review of a design
found, are one each. Ranking by words, earlier cases and knowledge are none, for they rest on
the very words of the report. And what speaks against the rival is of another voice than the
telling finding, or else one matching frame would be the evidence and its own countercheck. By
the first table every group was a voice. A context is held to the table it was frozen with.
"""

from collections.abc import Iterable, Mapping, Sequence
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

_FIRST = "support-levels/1"
TABLE_VERSION = "support-levels/2"
"""The table that new contexts are frozen with."""

_NOT_ALONE = frozenset({Group.TEXT, Group.EARLIER, Group.KNOWLEDGE})

VOICES: Mapping[Group, str] = {
    Group.TRACE: "seen",
    Group.LINEAGE: "seen",
    Group.LOGS: "seen",
    Group.NAMES: "seen",
    Group.DIFF: "changed",
    Group.HISTORY: "changed",
    Group.COVERAGE: "ran",
    Group.DESIGN: "designed",
}
"""What each group observed, by the second table; a group that is not here is no voice."""

_LEVELS: Mapping[str, object] = {
    "strongly_supported": {
        "contradictions": 0,
        "direct_telling": 1,
        "groups": 2,
        "rival_direct_against": 1,
    },
    "supported": {"direct_telling": 1, "groups": 2, "rival_examined": 1},
    "weak": {"findings": 1},
    "other_way": "no voice",
}

TABLES: Mapping[str, Mapping[str, object]] = {
    _FIRST: {
        "version": _FIRST,
        **_LEVELS,
        "not_alone": [Group.TEXT.value, Group.EARLIER.value, Group.KNOWLEDGE.value],
    },
    TABLE_VERSION: {
        "version": TABLE_VERSION,
        **_LEVELS,
        "groups_of_one_voice": {
            voice: [group.value for group, other in VOICES.items() if other == voice]
            for voice in dict.fromkeys(VOICES.values())
        },
        "against_the_rival": "another voice",
    },
}
"""Every table that contexts were ever frozen with, by its version."""

RULES = TABLES[TABLE_VERSION]

ORDER = (Support.INSUFFICIENT, Support.WEAK, Support.SUPPORTED, Support.STRONGLY_SUPPORTED)


def table_digest(version: str = TABLE_VERSION) -> Digest:
    """The name of a table; it is frozen into the context."""
    return digest_of(canonical_json(TABLES[version]))


def table_of(digest: object) -> str | None:
    """The version of the table with this digest, ``None`` if there never was one."""
    return next((one for one in TABLES if table_digest(one) == digest), None)


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


def level_of(case: Case, table: str = TABLE_VERSION) -> Support:
    """The highest level that the cited findings allow, by a table."""
    whole = [
        one
        for one in _whole(case.for_it)
        if one.bears_on.get(case.hypothesis) is not Direction.AGAINST
    ]
    if not whole:
        return Support.INSUFFICIENT
    telling = [one for one in whole if _is_direct(one) and _is_telling(one, case)]
    against = _against_rival(case)
    if not telling or not against or not _has_two_voices(whole, telling, against, table):
        return Support.WEAK
    is_strong = not case.against_it and any(map(_is_direct, against))
    return Support.STRONGLY_SUPPORTED if is_strong else Support.SUPPORTED


def _has_two_voices(
    whole: Sequence[Finding], telling: Sequence[Finding], against: Sequence[Finding], table: str
) -> bool:
    groups = _groups(whole)
    if table == _FIRST:
        return len(groups) > 1 and not groups <= _NOT_ALONE
    told = voices_of(telling)
    apart = any(one != VOICES.get(other.group) for one in told for other in against)
    return len(voices_of(whole)) > 1 and apart


def voices_of(findings: Iterable[Finding]) -> set[str]:
    """What these findings observed, each once."""
    return {VOICES[one.group] for one in findings if one.group in VOICES}


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
