"""Where the exception of a call stack can come from: sites that raise its type so."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from witmark.diagnosis.code import Definition
from witmark.diagnosis.codebase import last_part
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.interpretation import Trace
from witmark.diagnosis.investigators.reporting import by_class, found_at, part_quote
from witmark.diagnosis.ports import CaseView, Limits, Look
from witmark.diagnosis.scoring import Placed
from witmark.diagnosis.templates import fits

_NEAR = 1  # frames away from the innermost: a helper that only raises stands between
_RAISES = re.compile(r"\b(?:raise|throw)\b")
_RESUMED = re.compile(r"\b(?:yield|await)\b")  # another may throw into it


@dataclass(frozen=True, slots=True)
class Site:
    """A definition that raises the type of a trace."""

    key: int
    trace: Trace
    says_so: bool  # a literal of it fits the message


class LineageInvestigator:
    """Matches raise sites and handlers with what the call stacks end in."""

    name = "lineage"
    needs = "a stack that names its exception, and source"
    reserve = 5

    def can_look(self, view: CaseView) -> bool:
        """Whether a stack names its exception, and there is source to look in."""
        return view.scores is not None and any(t.exception for t in view.interpretation.traces)

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A message's template names its place, or says that the source is another."""
        del view, found
        return 0.6

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Report raise sites, handlers on the way, and frames that cannot have raised it."""
        traces = {(t.exception, t.message): t for t in view.interpretation.traces}
        every = [s for t in traces.values() if t.exception for s in _sites(view, t)]
        sites = [one for one in every if one.says_so] or every
        told = sorted(sites, key=lambda one: (_depth(view, one.key), one.key))
        kept = told[: limits.most_findings]
        findings = [self._site(view, one, sites, action, limits) for one in kept]
        findings += self._handlers(view, action, limits)
        findings += self._impossible(view, action, limits)
        left = [f"{len(told) - len(kept)} further raise sites"] if len(told) > len(kept) else []
        unread = len(view.source.unread) if view.source else 0
        left += [f"{unread} source files that no grammar read may raise it too"] * bool(unread)
        whole = Completeness.PARTIAL if left else Completeness.COMPLETE
        unique = {one.id: one for one in findings}
        return Look(tuple(unique.values()), whole, tuple(left), 3)

    def _site(
        self, view: CaseView, one: Site, sites: list[Site], action: str, limits: Limits
    ) -> Finding:
        definition = view.the_scores.code.definitions[one.key]
        of_it = [other for other in sites if other.trace is one.trace]
        is_near = _depth(view, one.key) <= _NEAR
        is_direct = one.says_so and (is_near or len(of_it) == 1)
        words = ", in the words of the message" if one.says_so else ""
        return found_at(
            view,
            definition,
            f"{definition.location.name} raises {one.trace.exception}{words}; "
            f"{len(of_it)} such sites in the given source",
            who=(self.name, action, Group.LINEAGE),
            kind=FindingKind.DIRECT if is_direct else FindingKind.DERIVED,
            bears_on=by_class(view, {}, main=Direction.FOR),
            strength=1.0 / len(of_it) if one.says_so else 0.2 / len(of_it),
            quotes=_raise_quotes(view, definition, one.trace.exception, limits),
            limits=limits,
        )

    def _handlers(self, view: CaseView, action: str, limits: Limits) -> Iterator[Finding]:
        """Frames that catch the type: what they do with it is part of the behaviour."""
        for key, placed in view.the_scores.frames.items():
            definition = view.the_scores.code.definitions[key]
            name = last_part(placed.trace.exception)
            if definition.kind == "class" or not name:
                continue
            hit = re.search(
                rf"\b(?:except|catch|rescue)\b[^\n:{{]*\b{re.escape(name)}\b", definition.text
            )
            if hit is None:
                continue
            quote = part_quote(view, definition, *hit.span(), limits)
            yield found_at(
                view,
                definition,
                f"{definition.location.name} lies in the stack and has a handler for {name}",
                who=(self.name, action, Group.LINEAGE),
                kind=FindingKind.DERIVED,
                bears_on=by_class(view, {}, main=Direction.NEUTRAL),
                strength=0.1,
                quotes=[quote] if quote else [],
                limits=limits,
            )

    def _impossible(self, view: CaseView, action: str, limits: Limits) -> Iterator[Finding]:
        for key, placed in view.the_scores.frames.items():
            definition = view.the_scores.code.definitions[key]
            if not _cannot_raise(view, definition, placed):
                continue
            yield found_at(
                view,
                definition,
                f"the stack ends in {definition.location.name} with {placed.trace.exception}, "
                "a class of the given source, but nothing there raises it",
                who=(self.name, action, Group.LINEAGE),
                kind=FindingKind.DERIVED,
                bears_on=by_class(
                    view, {CauseClass.ENVIRONMENT: Direction.FOR}, main=Direction.AGAINST
                ),
                strength=0.0,
                limits=limits,
            )


def _sites(view: CaseView, trace: Trace) -> Iterator[Site]:
    name = last_part(trace.exception)
    for key, one in enumerate(view.the_scores.code.definitions):
        if name in {last_part(raised) for raised in one.raises}:
            says_so = any(fits(text, trace.message) for text in one.strings)
            yield Site(key, trace, says_so and bool(trace.message))


def _depth(view: CaseView, key: int) -> int:
    placed = view.the_scores.frames.get(key)
    return placed.depth + placed.stack if placed is not None else 1_000_000


def _cannot_raise(view: CaseView, definition: Definition, placed: Placed) -> bool:
    """Whether the innermost frame lies in code that cannot raise what came out of it.

    Said of a class that the given source defines: only code raises it, never a runtime.
    """
    code = view.the_scores.code
    file = code.files[definition.location.path]
    is_own = any(
        code.definitions[key].kind == "class"
        for key in code.by_name.get(last_part(placed.trace.exception), ())
    )
    return (
        is_own
        and definition.language == "python"
        and definition.kind != "class"
        and placed.trace.frames[-1] is placed.frame
        and file.is_whole
        and file.is_exact
        and not _RAISES.search(definition.text)
        and not _RESUMED.search(definition.text)
    )


def _raise_quotes(
    view: CaseView, definition: Definition, exception: str, limits: Limits
) -> list[Quote]:
    name = re.escape(last_part(exception))
    hit = re.search(rf"\b(?:raise|throw)\b[^\n]*\b{name}\b[^\n]*", definition.text)
    quote = part_quote(view, definition, *hit.span(), limits) if hit else None
    return [quote] if quote else []
