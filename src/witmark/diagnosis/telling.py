"""From a package with a published diagnosis to the report of it. Nothing is written or run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from witmark.diagnosis import wire
from witmark.diagnosis.budget import Account
from witmark.diagnosis.builder import earlier_phases
from witmark.diagnosis.case import Inventory, Manifest, Phase
from witmark.diagnosis.chronicle import happened, steps
from witmark.diagnosis.context import FORMAT, read_context, redactor_of
from witmark.diagnosis.decision import Diagnosis
from witmark.diagnosis.exhibiting import Inputs, shown_path
from witmark.diagnosis.findings import Direction, Finding, FindingKind, Suspect
from witmark.diagnosis.hypotheses import HypothesisEnd
from witmark.diagnosis.interpretation import Interpretation, Statement
from witmark.diagnosis.investigated import Action
from witmark.diagnosis.investigating import level_found
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import Package
from witmark.diagnosis.plain import from_plain
from witmark.diagnosis.redacting import InputSecrets, Redactor, secrets_of
from witmark.diagnosis.report import (
    CaseReport,
    Event,
    Given,
    Line,
    Looked,
    Redaction,
    Row,
    cited_by,
)
from witmark.diagnosis.stacking import met_lines, stacks_of
from witmark.kernel.canon import canonical_json, read_canonical
from witmark.kernel.errors import GarbledRecordError
from witmark.kernel.evidence import EvidenceRef
from witmark.kernel.journal import read_journal
from witmark.kernel.model.ledger import Call, calls_of
from witmark.kernel.model.record import events_of

MOST_LINES = 30
"""Lines of a suspect that are shown; the others are counted."""

EMBEDDED = "embedded"
"""The provider that is no model: the embedded analyst."""


def report_of(package: Package, *, made_by: str) -> CaseReport:
    """Make the report of the diagnosis that stands; the same package gives the same report.

    Args:
        package: Which.
        made_by: The version of this program.

    Raises:
        MissingStageError: no diagnosis of this revision is published.
        StaleCaseError: the inputs are not those that were analysed.
        IntegrityError: something published is not as it was.
    """
    manifest = package.manifest()
    package.check_whole(manifest)
    if manifest.last(Phase.DIAGNOSIS) is None:
        raise MissingStageError(Phase.DIAGNOSIS, manifest.state)
    inventory = package.check_fresh(manifest)
    secrets = secrets_of(inventory.inputs, lambda one: package.read(one.path))
    redactor = redactor_of(manifest, inventory, *earlier_phases(package, manifest), secrets)
    inputs = Inputs(package, inventory, redactor)
    frozen = read_context(package.artefact(manifest, manifest.pointers["diagnosis_context"]))
    result = _result(package, manifest)
    diagnosis = wire.read_decision(canonical_json(result["diagnosis"]).decode())
    plain = frozen.plain
    said = _read(Interpretation, plain["interpretation"])
    findings = _read(tuple[Finding, ...], plain["findings"])
    events = happened(inputs, inventory, said, findings)
    looked = tuple(_looked(plain, diagnosis, findings, said, inputs))
    calls = _calls(package, result)
    ends = _read(tuple[HypothesisEnd, ...], plain["hypotheses"])
    formed = tuple(one.hypothesis for one in ends)
    return CaseReport(
        name=f"{manifest.case_id}/{manifest.package_id}",
        title=said.title or manifest.case_id,
        revision=manifest.revision,
        state=manifest.state,
        routing=manifest.routing,
        diagnosis=diagnosis,
        interpretation=said,
        ends=ends,
        levels={one.id: level_found(one, formed, findings) for one in formed},
        findings=findings,
        places=inputs.places(_refs(said, findings, events, looked)),
        suspects=looked,
        matrix=_matrix(findings, diagnosis),
        stacks=tuple(stacks_of(said, findings)),
        happened=events,
        steps=steps(package, manifest, redactor),
        accounts=_read(tuple[Account, ...], plain["accounts"]),
        actions=_read(tuple[Action, ...], plain["actions"]),
        not_looked_at=tuple(plain["not_looked_at"]),
        given=_given(inventory, secrets, redactor),
        redactions=tuple(
            Redaction(one["kind"], one["number"], one["times"]) for one in plain["redactions"]
        ),
        calls=calls,
        is_embedded=bool(calls) and all(map(_is_embedded, calls)),
        refused=sum(call.end == "refused" for call in calls),
        bindings=_bindings(manifest, result, plain),
        made_by=made_by,
    )


def _read(kind: Any, plain: object) -> Any:  # noqa: ANN401 - a type of this desk, and its value
    return from_plain(kind, plain, place=FORMAT)


def _result(package: Package, manifest: Manifest) -> Mapping[str, Any]:
    path = manifest.pointers["diagnosis"]
    found = read_canonical(package.artefact(manifest, path), place=path)
    if not isinstance(found, dict):
        raise GarbledRecordError("not a result", place=path)
    return found


# What is shown ------------------------------------------------------------------------


def _matrix(findings: Sequence[Finding], diagnosis: Diagnosis) -> tuple[Row, ...]:
    """Every finding once: what is cited first, then what tells rivals apart, direct first."""
    cited = cited_by(diagnosis)
    kinds = list(FindingKind)
    rows = [
        Row(
            one.id,
            one.kind,
            one.completeness,
            dict(sorted(one.bears_on.items())),
            one.id in cited,
        )
        for one in findings
    ]
    about = {one.id: one for one in findings}
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                not row.is_cited,
                not set(row.cells.values()) - {Direction.NEUTRAL},
                kinds.index(row.kind),
                about[row.finding].group.value,
                -about[row.finding].strength,
                row.finding,
            ),
        )
    )


def _looked(
    plain: Mapping[str, Any],
    diagnosis: Diagnosis,
    findings: Sequence[Finding],
    said: Interpretation,
    inputs: Inputs,
) -> Iterator[Looked]:
    """Each suspect with its lines; the one that a confirmed cause speaks of is marked."""
    cause = diagnosis.root_cause
    rests_on = set(cause.evidence_ids) if cause else set()
    at_cause = {one.location for one in findings if one.id in rests_on and one.location}
    met = met_lines(findings, said)
    for one in _read(tuple[Suspect, ...], plain["suspects"]):
        where = one.location
        source = inputs.sources.get(where.path)
        text = None if source is None else inputs.text(source)
        span = None if text is None else text.span(where.start_line, where.end_line)
        if source is None or text is None or span is None:
            yield Looked(one, None, (), 0, where in at_cause)
            continue
        here = met.get(where.path, [])
        numbers = _window(where.start_line, where.end_line, here)
        lines = tuple(Line(n, text.lines[n - 1], n in here) for n in numbers)
        left_out = where.end_line - where.start_line + 1 - len(lines)
        ref = EvidenceRef(source.digest, span)
        yield Looked(one, ref, lines, left_out, where in at_cause)


def _window(first: int, last: int, met: Sequence[int]) -> range:
    """The lines to show of a long place: around the innermost frame in it, else its head."""
    if last - first < MOST_LINES:
        return range(first, last + 1)
    inside = [n for n in met if first <= n <= last]
    begin = first if not inside else max(first, inside[-1] - MOST_LINES // 2)
    begin = min(begin, last - MOST_LINES + 1)
    return range(begin, begin + MOST_LINES)


def _refs(
    said: Interpretation,
    findings: Sequence[Finding],
    events: Sequence[Event],
    looked: Sequence[Looked],
) -> Iterator[EvidenceRef]:
    for finding in findings:
        yield from (quote.ref for quote in finding.quotes)
    yield from (one.ref for one in statements(said))
    yield from (one.ref for one in events)
    yield from (one.ref for one in looked if one.ref is not None)
    for trace in said.traces:
        yield trace.at
        yield from (frame.at for frame in trace.frames)


def statements(said: Interpretation) -> Iterator[Statement]:
    """Every statement of an interpretation."""
    for part in (said.symptom, said.expected, said.observed, said.intended):
        yield from part
    yield from said.assumptions
    yield from (one.at for one in said.versions)
    yield from said.environment
    yield from said.times
    yield from said.names


def _given(
    inventory: Inventory, secrets: InputSecrets, redactor: Redactor
) -> tuple[Given, ...]:
    return tuple(
        Given(
            redactor.text(shown_path(one)),
            one.kind,
            one.size,
            one.digest,
            secrets.counts.get(one.path, {}),
        )
        for one in inventory.inputs
    )


# The calls ----------------------------------------------------------------------------


def _calls(package: Package, result: Mapping[str, Any]) -> tuple[Call, ...]:
    bound = result["model_call"] or result["rejected_calls"]
    place = str(bound["journal"])
    run = place.rpartition("/")[2].removesuffix(".jsonl")
    return calls_of(events_of(read_journal(package.disk, run), place=place))


def _is_embedded(call: Call) -> bool:
    profile = call.sent.canonical["profile"]
    return isinstance(profile, dict) and profile.get("provider") == EMBEDDED


def _bindings(
    manifest: Manifest, result: Mapping[str, Any], plain: Mapping[str, Any]
) -> dict[str, str]:
    call = result["model_call"] or {}
    found = {
        "context": str(result["context"]["digest"]),
        "request": str(call.get("request", "")),
        "result": str(manifest.declared[manifest.pointers["diagnosis"]]),
        "support": str(plain["support_levels"]["digest"]),
    }
    return {name: value for name, value in found.items() if value}
