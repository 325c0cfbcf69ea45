"""From findings to suspects: places in the source, the likeliest first.

Each group of findings has one voice per place, its strongest. The voices are added with fixed
weights; a place that changed since the last good version counts more, and where a good version
is known, one that did not change counts less.
"""

from collections.abc import Mapping, Sequence

from witmark.diagnosis.codebase import CodeBase
from witmark.diagnosis.findings import (
    CodeLocation,
    Direction,
    Finding,
    FindingId,
    Group,
    Support,
    Suspect,
)
from witmark.diagnosis.hypotheses import HypothesisEnd
from witmark.diagnosis.ports import CaseView

WEIGHTS: Mapping[Group, float] = {
    Group.TEXT: 1.0,
    Group.TRACE: 0.9,
    Group.NAMES: 0.8,
    Group.LINEAGE: 0.5,
    Group.COVERAGE: 0.8,
    Group.HISTORY: 0.3,
    Group.LOGS: 0.3,
}
CHANGED, UNCHANGED = 2.0, 0.5
MOST = 20


def rank(
    view: CaseView, findings: Sequence[Finding], ends: Sequence[HypothesisEnd]
) -> tuple[Suspect, ...]:
    """Rank the places that findings speak of."""
    del ends
    code = view.code
    if code is None:
        return ()
    voices: dict[CodeLocation, dict[Group, Finding]] = {}
    for one in findings:
        if one.location is None or Direction.AGAINST in _main(view, one):
            continue
        mine = voices.setdefault(one.location, {})
        if one.group not in mine or mine[one.group].strength < one.strength:
            mine[one.group] = one
    has_good = code.changed is not None
    scored = []
    for place, mine in voices.items():
        features = {group.value: round(one.strength, 6) for group, one in sorted(mine.items())}
        score = sum(WEIGHTS.get(group, 0.0) * one.strength for group, one in mine.items())
        if has_good:
            change = mine.get(Group.DIFF)
            score *= UNCHANGED if change is None else CHANGED * (0.5 + change.strength / 2)
            score += 0.0 if change is None else 0.3
        if _is_class(code, place):
            score *= 0.3
        scored.append((-round(score, 9), place.path, place.start_line, place, mine, features))
    scored.sort(key=lambda one: one[:3])
    return tuple(
        Suspect(
            number,
            place,
            Support.WEAK,
            tuple(FindingId(mine[group].id) for group in sorted(mine)),
            {**features, "score": -score},
        )
        for number, (score, _, _, place, mine, features) in enumerate(scored[:MOST], start=1)
    )


def _main(view: CaseView, finding: Finding) -> set[Direction]:
    return {
        way
        for hypothesis, way in finding.bears_on.items()
        if view.hypotheses and hypothesis == view.hypotheses[0].id
    }


def _is_class(code: CodeBase, place: CodeLocation) -> bool:
    keys = code.by_name.get(place.name.replace("::", ".").rsplit(".", 1)[-1], ())
    return any(
        code.definitions[key].location == place and code.definitions[key].kind == "class"
        for key in keys
    )
