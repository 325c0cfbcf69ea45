"""From scores and findings to suspects: places in the source, the likeliest first."""

from collections.abc import Sequence

from witmark.diagnosis.findings import CodeLocation, Finding, FindingId, Support, Suspect
from witmark.diagnosis.hypotheses import HypothesisEnd
from witmark.diagnosis.investigators.coverage import did_not_run
from witmark.diagnosis.ports import CaseView

MOST = 20


def rank(
    view: CaseView, findings: Sequence[Finding], ends: Sequence[HypothesisEnd]
) -> tuple[Suspect, ...]:
    """Rank the places that findings speak of; each suspect cites what speaks of it.

    What did not run in a measured run comes behind everything else.
    """
    del ends
    if view.scores is None:
        return ()
    about: dict[CodeLocation, list[FindingId]] = {}
    for one in findings:
        if one.location is not None:
            about.setdefault(one.location, []).append(one.id)
    places = view.scores.code.definitions
    idle = {one.location for one in findings if did_not_run(one)}
    held = [key for key in view.scores.order if places[key].location in about]
    keys = sorted(held, key=lambda key: places[key].location in idle)[:MOST]
    return tuple(
        Suspect(
            number,
            places[key].location,
            Support.WEAK,
            tuple(about[places[key].location]),
            view.scores.features(key),
        )
        for number, key in enumerate(keys, start=1)
    )
