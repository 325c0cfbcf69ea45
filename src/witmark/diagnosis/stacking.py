"""Call stacks of a case, with the places in the source that findings give their frames."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from witmark.diagnosis.findings import Finding
from witmark.diagnosis.interpretation import Frame, Interpretation
from witmark.diagnosis.report import (
    FrameSeen,
    Stack,
)


def stacks_of(said: Interpretation, findings: Sequence[Finding]) -> Iterator[Stack]:
    """Every call stack, each frame with the finding that places it in the source."""
    placed = _placed(said, findings)
    for trace in said.traces:
        frames = tuple(
            FrameSeen(one.path, one.line, one.function, one.at, placed(one))
            for one in trace.frames
        )
        yield Stack(trace.language, trace.exception, trace.message, trace.at, frames)


def met_lines(findings: Sequence[Finding], said: Interpretation) -> dict[str, list[int]]:
    """The lines of the source that a call stack went through, the innermost last."""
    found: dict[str, list[int]] = {}
    for stack in stacks_of(said, findings):
        for frame in stack.frames:
            where = frame.finding.location if frame.finding else None
            if where is not None and frame.line is not None:
                found.setdefault(where.path, []).append(frame.line)
    return found


def _placed(
    said: Interpretation, findings: Sequence[Finding]
) -> Callable[[Frame], Finding | None]:
    """Which finding places a frame: the one that quotes it, or one of the same definition.

    The same stack may stand in the report and in a log, and go through one definition twice;
    one finding speaks of all of it.
    """
    quoting = {
        quote.ref: one
        for one in findings
        if one.investigator == "traces" and one.location is not None
        for quote in one.quotes[:1]
    }
    frames = [frame for trace in said.traces for frame in trace.frames]
    files = {
        frame.path: one.location.path
        for frame in frames
        if (one := quoting.get(frame.at)) is not None and one.location is not None
    }

    def place(frame: Frame) -> Finding | None:
        if (found := quoting.get(frame.at)) is not None or frame.line is None:
            return found
        return next((one for one in quoting.values() if _holds(one, files, frame)), None)

    return place


def _holds(one: Finding, files: Mapping[str, str], frame: Frame) -> bool:
    where = one.location
    if where is None or frame.line is None or files.get(frame.path) != where.path:
        return False
    return where.start_line <= frame.line <= where.end_line
