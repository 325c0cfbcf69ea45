"""Call stacks against the stored source: does the quoted line stand where the trace says?"""

from collections.abc import Iterable

from witmark.diagnosis.codebase import CodeBase
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.interpretation import Frame, Trace
from witmark.diagnosis.investigators.reporting import by_class, found_at
from witmark.diagnosis.ports import CaseView, Limits, Look
from witmark.kernel.evidence import EvidenceRef, TextRange


class TraceInvestigator:
    """Compares frames with the source. A line that differs is a finding, not an error."""

    name = "traces"
    reserve = 8

    def can_look(self, view: CaseView) -> bool:
        """Whether there is a call stack and source to compare it with."""
        return bool(view.interpretation.traces) and view.code is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A quoted line tells this source from another at once."""
        del view, found
        return 0.9

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Look at every frame that lies in the source."""
        code = view.code
        if code is None:
            raise AssertionError("asked to look at a case without source")
        findings: list[Finding] = []
        unmet: list[str] = []
        for number, trace in enumerate(reversed(view.interpretation.traces)):
            own = [(f, path) for f in trace.frames if (path := code.file_like(f.path))]
            if not own:
                unmet.append(f"{trace.language} stack: no frame of it lies in the given source")
            for depth, (frame, path) in enumerate(reversed(own)):
                finding = self._at(
                    view, code, (trace, frame, path), (number, depth), action, limits
                )
                if finding is not None:
                    findings.append(finding)
        kept = _once(findings)[: limits.most_findings]
        whole = (
            Completeness.COMPLETE if len(kept) == len(_once(findings)) else Completeness.PARTIAL
        )
        return Look(tuple(kept), whole, tuple(dict.fromkeys(unmet)), min(8, 1 + len(kept)))

    def _at(  # noqa: PLR0913, PLR0917 - one frame and where it stands
        self,
        view: CaseView,
        code: CodeBase,
        what: tuple[Trace, Frame, str],
        where: tuple[int, int],
        action: str,
        limits: Limits,
    ) -> Finding | None:
        trace, frame, path = what
        number, depth = where
        if frame.line is None:
            return None
        key = code.at(path, frame.line)
        if key is None:
            return None
        definition = code.definitions[key]
        lines = code.files[path].text.split("\n")
        stored = lines[frame.line - 1].strip() if frame.line <= len(lines) else ""
        fits = not frame.code or _same(stored, frame.code)
        quote = _quote(view, frame)
        if fits:
            said = f"frame {depth + 1} from the innermost of a {trace.language} stack"
            exact = " and its quoted line stands there" if frame.code else ""
            ways = by_class(
                view,
                {
                    CauseClass.ENVIRONMENT: Direction.AGAINST
                    if frame.code
                    else Direction.NEUTRAL
                },
                main=Direction.FOR,
            )
            statement = f"{said} lies in {definition.location.name}, line {frame.line}{exact}"
        else:
            ways = by_class(
                view, {CauseClass.ENVIRONMENT: Direction.FOR}, main=Direction.AGAINST
            )
            statement = f"a stack quotes another line than {path} has at line {frame.line}"
        strength = 1.0 / (1.0 + 0.35 * depth + 0.5 * number) if fits else 0.0
        return found_at(
            view,
            definition,
            statement,
            who=(self.name, action, Group.TRACE),
            kind=FindingKind.DIRECT,
            bears_on=ways,
            strength=strength,
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


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """One finding per place, the strongest; ties by id."""
    best: dict[tuple[str, str, str], Finding] = {}
    for one in findings:
        place = one.location
        key = (place.path, place.name, one.statement) if place else ("", "", one.statement)
        if key not in best:
            best[key] = one
    return sorted(best.values(), key=lambda one: (-one.strength, one.id))
