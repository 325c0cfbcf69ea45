"""Call stacks against the stored source: does the quoted line stand where the trace says?"""

from collections.abc import Iterable

from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.interpretation import Frame
from witmark.diagnosis.investigators.reporting import by_class, found_at, worth_telling
from witmark.diagnosis.ports import CaseView, Limits, Look
from witmark.diagnosis.scoring import Placed
from witmark.kernel.evidence import EvidenceRef, TextRange


class TraceInvestigator:
    """Compares frames with the source. A line that differs is a finding, not an error."""

    name = "traces"
    needs = "a call stack, and source"
    reserve = 8

    def can_look(self, view: CaseView) -> bool:
        """Whether there is a call stack and source to compare it with."""
        return bool(view.interpretation.traces) and view.scores is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A quoted line tells this source from another at once."""
        del view, found
        return 0.9

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Look at every frame that lies in the source."""
        scores = view.the_scores
        keys, left = worth_telling(scores, scores.frames, limits)
        findings = tuple(
            self._finding(view, scores.frames[key], action, limits) for key in keys
        )
        met = {id(one.trace) for one in scores.frames.values()}
        unmet = [
            f"{trace.language} stack: no frame of it lies in the given source"
            for trace in view.interpretation.traces
            if id(trace) not in met
        ]
        more = [f"{left} further frames"] if left else []
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        told = tuple(dict.fromkeys(unmet + more))
        return Look(findings, whole, told, min(self.reserve, 1 + len(keys)))

    def _finding(self, view: CaseView, one: Placed, action: str, limits: Limits) -> Finding:
        code, frame = view.the_scores.code, one.frame
        definition = code.definitions[one.key]
        lines = code.files[one.path].text.split("\n")
        line = frame.line or 0
        stored = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        fits = not frame.code or _same(stored, frame.code)
        if fits:
            exact = " and its quoted line stands there" if frame.code else ""
            statement = (
                f"frame {one.depth + 1} from the innermost of a {one.trace.language} stack "
                f"lies in {definition.location.name}, line {line}{exact}"
            )
            way = Direction.AGAINST if frame.code else Direction.NEUTRAL
            ways = by_class(view, {CauseClass.ENVIRONMENT: way}, main=Direction.FOR)
        else:
            statement = f"a stack quotes another line than {one.path} has at line {line}"
            ways = by_class(
                view, {CauseClass.ENVIRONMENT: Direction.FOR}, main=Direction.AGAINST
            )
        quote = _quote(view, frame)
        return found_at(
            view,
            definition,
            statement,
            who=(self.name, action, Group.TRACE),
            kind=FindingKind.DIRECT,
            bears_on=ways,
            strength=view.the_scores.trace_voice(one.key) if fits else 0.0,
            quotes=[quote] if quote else [],
            limits=limits,
        )


def _same(stored: str, quoted: str) -> bool:
    """Whether a trace quotes this line; some runtimes print only how a statement begins."""
    one, other = " ".join(stored.split()), " ".join(quoted.split())
    return one == other or (bool(other) and one.startswith(other))


def _quote(view: CaseView, frame: Frame) -> Quote | None:
    at = frame.at.at
    source = next((i for i in view.inventory.inputs if i.digest == frame.at.blob), None)
    if source is None or not isinstance(at, TextRange):
        return None
    text = view.read(source).decode("utf-8", "replace")[at.start : at.end]
    return Quote(EvidenceRef(frame.at.blob, at), text) if text else None
