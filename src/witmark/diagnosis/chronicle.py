"""Two histories of a case: of the fault, where the case names times, and of its analysis.

A time is shown as it is spelled. For the order alone, one that names its zone is put into UTC
and one that names none is taken as it stands.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from witmark.diagnosis.case import Checkpoint, InputKind, Inventory, Manifest, Phase, RawInput
from witmark.diagnosis.exhibiting import Inputs, Text
from witmark.diagnosis.feedback import FORMAT as FEEDBACK
from witmark.diagnosis.feedback import Feedback
from witmark.diagnosis.findings import Finding
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.package import Package
from witmark.diagnosis.plain import read_artefact
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.report import Event, Step
from witmark.kernel.evidence import EvidenceRef, TextRange

MOST_EVENTS = 60
_NEAR_LINES = 200  # how far above a line its time may stand
_TIME = re.compile(
    r"(?<!\d)\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,6})?)?"
    r"(?:Z|[+-][0-2]\d:?[0-5]\d)?(?!\d)"
)
_HEAD_CHARS = 80  # a line's own time stands near its beginning
_TIMED = (InputKind.LOG, InputKind.TRACE)


def happened(
    inputs: Inputs,
    inventory: Inventory,
    said: Interpretation,
    findings: Sequence[Finding],
) -> tuple[Event, ...]:
    """What happened with the fault, in order; only what the case gives a time for."""
    found: dict[tuple[str, str], Event] = {}
    for one in said.times:
        found[str(one.ref), "reported"] = Event(one.text, "reported", one.text, one.ref)
    for event in _marked(inputs, inventory, said, findings):
        found.setdefault((str(event.ref), event.what), event)
    ordered = sorted(found.values(), key=lambda one: (_key(one.at), str(one.ref), one.what))
    return tuple(ordered[:MOST_EVENTS])


def steps(package: Package, manifest: Manifest, redactor: Redactor) -> tuple[Step, ...]:
    """Every step of the analysis, older revisions included."""
    told = []
    for checkpoint in manifest.checkpoints:
        words = _words(package, manifest, checkpoint, redactor)
        is_reopened = _is_reopened(package, manifest, checkpoint)
        told.append(
            Step(checkpoint.at_ms, checkpoint.phase, checkpoint.revision, is_reopened, words)
        )
    return tuple(told)


def _marked(
    inputs: Inputs,
    inventory: Inventory,
    said: Interpretation,
    findings: Sequence[Finding],
) -> Iterator[Event]:
    for one in inventory.of(*_TIMED):
        yield from _ends_of(one, inputs.text(one))
    for trace in said.traces:
        words = ": ".join(filter(None, (trace.exception, trace.message))) or trace.language
        yield from _at_its_line(inputs, trace.at, "stack", words)
    for finding in findings:
        for quote in finding.quotes:
            source = inputs.behind(quote.ref)
            if source is not None and source.kind in _TIMED:
                yield from _at_its_line(inputs, quote.ref, "quoted", quote.text)


def _ends_of(one: RawInput, text: Text) -> Iterator[Event]:
    """The first and the last line of a log that has a time."""
    numbers = range(1, len(text.starts) + 1)
    for what, order in (("log-begins", numbers), ("log-ends", reversed(numbers))):
        for number in order:
            if at := _time_of(text, number):
                span = text.span(number, number)
                if span is not None:
                    ref = EvidenceRef(one.digest, span)
                    yield Event(at, what, text.lines[number - 1].strip(), ref)
                break


def _at_its_line(inputs: Inputs, ref: EvidenceRef, what: str, words: str) -> Iterator[Event]:
    source = inputs.behind(ref)
    if source is None or not isinstance(ref.at, TextRange):
        return
    text = inputs.text(source)
    line, _ = text.where(min(ref.at.start, len(text.text)))
    for number in range(line, max(0, line - _NEAR_LINES), -1):
        if at := _time_of(text, number):
            yield Event(at, what, words, ref)
            return


def _time_of(text: Text, number: int) -> str:
    start = text.starts[number - 1]
    hit = _TIME.search(text.text[start : start + _HEAD_CHARS].partition("\n")[0])
    return "" if hit is None else hit[0]


def _key(spelled: str) -> tuple[int, str]:
    """Where a time belongs; what is no date of ours comes last, by its spelling."""
    hit = _TIME.search(spelled)
    if hit is None:
        return 1, spelled
    try:
        at = datetime.fromisoformat(hit[0].replace(",", "."))
    except ValueError:
        return 1, spelled
    return 0, (at if at.tzinfo is None else at.astimezone(UTC)).strftime("%Y%m%d%H%M%S%f")


def _words(
    package: Package, manifest: Manifest, checkpoint: Checkpoint, redactor: Redactor
) -> Feedback | None:
    if checkpoint.phase is not Phase.FEEDBACK:
        return None
    path = next(iter(sorted(checkpoint.files)), "")
    said = read_artefact(FEEDBACK, Feedback, package.artefact(manifest, path), place=path)
    reason = redactor.text(said.reason)
    return Feedback(said.verdict, reason, said.revision, said.diagnosis, said.digest)


def _is_reopened(package: Package, manifest: Manifest, checkpoint: Checkpoint) -> bool:
    """Whether it began a revision on the inputs of the one before."""
    if checkpoint.phase is not Phase.ASSEMBLY or checkpoint.revision == 1:
        return False
    now, before = (
        package.inventory_at(manifest, revision).inputs
        for revision in (checkpoint.revision, checkpoint.revision - 1)
    )
    return now == before
