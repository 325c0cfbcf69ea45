"""A report is issued with the checks it passed, or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.gate import GateReport
from witmark.review import gates
from witmark.review.advising import LEAST_SURE_ROLE, component_roles
from witmark.review.attributing import Part
from witmark.review.facts import FactsBlob
from witmark.review.ports import Rulebook
from witmark.review.reporting import Drawn, report_of, verdict_rows
from witmark.review.reviewing import Judged
from witmark.review.semantic_graph import semantic_graph
from witmark.review.source import Sources


class ReportRefusedError(AssertionError):
    """A report of ours did not pass its own checks. The bug is ours, not the file's."""


@dataclass(frozen=True)
class Ground:
    """Everything a report rests on, apart from its pictures."""

    path: str
    sources: Sources
    first: FactsBlob
    book: Rulebook
    judged: Judged
    part: Part | None = None  # what a model had a part in

    @cached_property
    def graph_raw(self) -> bytes:
        """The semantic graph of what was judged, as canonical bytes."""
        advice = self.judged.advice
        roles = component_roles(advice.heard.roles) if advice else {}
        graph = semantic_graph(self.first, self.judged.units, roles, LEAST_SURE_ROLE)
        return canonical_json(graph)


def issue(
    ground: Ground, drawn: Mapping[int, Drawn], notices: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The report with the checks it passed.

    Raises:
        ReportRefusedError: a check failed; such a report is never shown.
    """
    first, judged = ground.first, ground.judged
    rows = verdict_rows(judged.verdicts, first.data, ground.sources, drawn)
    checked = GateReport(
        (
            gates.cites_its_facts(
                rows, {b.digest: b.data for b in (first, judged.second) if b is not None}
            ),
            gates.measured_where_violated(rows),
            gates.names_what_is_missing(rows),
            gates.speaks_readably(rows),
            gates.pictures_show(rows, {one.id: one.visible_pixels for one in drawn.values()}),
        )
    )
    if not checked.admits:
        failed = [check for check in checked.checks if check.because]
        raise ReportRefusedError("; ".join(f"{c.name}: {c.because}" for c in failed))
    part = ground.part
    own = part.notices() if part else []
    report = report_of(
        path=ground.path,
        sources=ground.sources,
        first=first,
        book=ground.book,
        judged=judged,
        graph=digest_of(ground.graph_raw),
        rows=rows,
        drawn=drawn,
        gate=checked,
        extra_notices=[*notices, *own],
    )
    return {**report, "model": part.to_plain(judged.verdicts, rows)} if part else report
