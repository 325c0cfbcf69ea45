"""A citation opens its note at the very span, or says why it cannot.

The note is looked for under every path it may have now, read, and its spans are marked. If
it was edited since, the spans are found again by what they say: ``moved``, or ``changed
since`` with the place shown and nothing marked. The wrong place is never marked.

Source: KNOWLEDGE.md 1.6; the third contract, "Harden right-pane source focus".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.focus_targets import FocusTarget
from witmark.answers.marking import (
    Drift,
    InlineStrategy,
    Mark,
    MatchedSpan,
    Miss,
    blocks_of,
    closest_block,
    line_range,
    mark,
    search_terms,
)
from witmark.answers.source_paths import Sources, candidate_paths, is_same_place
from witmark.kernel.canon import canonical_json, digest_of

WINDOW_LINES = 2
"""Lines shown before and after a place that is known by its line alone."""


class NodeStrategy(StrEnum):
    """How the block to scroll to was found (``highlightStrategy``)."""

    SOURCE_LINE_PROVENANCE = "source_line_provenance"
    LINE_WINDOW = "line_window"
    SNIPPET_FALLBACK = "snippet_fallback"
    NONE = "none"


class FailureReason(StrEnum):
    """Why a focus is not what was hoped for (``failureReason``); our own words.

    The contract names classes of failure and no strings. ``none`` is a full success; the
    first that applies, in this order, is told.
    """

    NONE = "none"
    STORAGE_UNAVAILABLE = "storage_unavailable"  # the workspace's files cannot be asked
    NO_SOURCE_PATH = "no_source_path"  # neither the payload nor a span names a note
    SOURCE_NOT_FOUND = "source_not_found"  # no note lies under any of the paths
    RENDERER_UNAVAILABLE = "renderer_unavailable"  # the text is there, shown as it is
    NO_MATCHED_SPAN = "no_matched_span"  # there is nothing to mark
    TERMS_TOO_NARROW = "terms_too_narrow"  # the snippet is too short to be searched for
    AMBIGUOUS_FRAGMENT = "ambiguous_fragment"  # it occurs more than once, and no offset
    CHANGED_SINCE = "changed_since"  # what was quoted does not stand there any more


@dataclass(frozen=True, slots=True)
class FocusDiagnostics:
    """Every field of the contract's graph-focus diagnostics; see ``focus_reports``."""

    render_token: str
    title: str
    requested_path: str
    candidate_paths: tuple[str, ...]
    attempted_paths: tuple[str, ...]
    resolved_path: str
    path_fallback_used: bool
    matched_spans: int
    highlight_terms: int
    markdown_available: bool
    storage_available: bool
    read_succeeded: bool
    render_succeeded: bool
    provenance_blocks: int
    attributed_nodes: int
    highlighted_nodes: int
    inline_highlights: int
    node_strategy: NodeStrategy
    inline_strategy: InlineStrategy
    used_fallback: bool
    failure: FailureReason


@dataclass(frozen=True, slots=True)
class FocusResult:
    """A note's present text and what to show of it.

    Attributes:
        text: The source; empty when it was not found.
        highlights: Half-open ranges of code points to mark, sorted, not overlapping.
        window: The range to scroll to, or ``None``.
        drift: ``moved`` or ``changed_since`` if any span is; a reader is told.
        diagnostics: For developers; kept in the session's panel state.
    """

    text: str
    highlights: tuple[tuple[int, int], ...]
    window: tuple[int, int] | None
    drift: Drift
    diagnostics: FocusDiagnostics


# Opening -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of looking for a note; everything is empty when there is none."""

    candidates: tuple[str, ...] = ()
    attempted: tuple[str, ...] = ()
    path: str = ""
    text: str = ""


def open_source(
    target: FocusTarget, sources: Sources | None, *, markdown_available: bool = True
) -> FocusResult:
    """Find a note, read it, and mark what was cited.

    Args:
        target: What was clicked.
        sources: The workspace; ``None`` when its storage cannot be asked.
        markdown_available: Whether the text can be rendered; otherwise it is shown raw.
    """
    found = _Found() if sources is None else _look_for(target, sources)
    marks = tuple(mark(span, found.text) for span in target.spans) if found.path else ()
    window, node = _window(target.spans, marks, found.text)
    failure = _failure(target, marks, found, sources is not None)
    if failure is FailureReason.NONE and not markdown_available:
        failure = FailureReason.RENDERER_UNAVAILABLE
    highlights = _merged(one for one in marks if one.is_marked)
    shown = (*highlights, *((window,) if window else ()))
    inline = _least([one.strategy for one in marks if one.is_marked])
    elsewhere = bool(found.path) and found.path != target.requested_path
    searched = inline is InlineStrategy.TEXT_SEARCH
    blocks = blocks_of(found.text)
    diagnostics = FocusDiagnostics(
        render_token=_token(target, found),
        title=target.title,
        requested_path=target.requested_path,
        candidate_paths=found.candidates,
        attempted_paths=found.attempted,
        resolved_path=found.path,
        path_fallback_used=elsewhere,
        matched_spans=len(target.spans),
        highlight_terms=sum(len(search_terms(span.snippet)) for span in target.spans),
        markdown_available=markdown_available,
        storage_available=sources is not None,
        read_succeeded=bool(found.path),
        render_succeeded=bool(found.path) and markdown_available,
        provenance_blocks=len(blocks),
        attributed_nodes=_touched(blocks, highlights),
        highlighted_nodes=_touched(blocks, shown),
        inline_highlights=len(highlights),
        node_strategy=node,
        inline_strategy=inline,
        used_fallback=elsewhere or searched or failure is not FailureReason.NONE,
        failure=failure,
    )
    drift = _drift(marks, moved=_lies_elsewhere(target, found.path))
    return FocusResult(found.text, highlights, window, drift, diagnostics)


def _look_for(target: FocusTarget, sources: Sources) -> _Found:
    named = (target.requested_path, *(span.source_path for span in target.spans))
    hashes = dict.fromkeys(span.source_hash for span in target.spans)
    candidates = candidate_paths(named, hashes, sources)
    return _Found(candidates, *_read_first(candidates, target.spans, sources))


def _read_first(
    candidates: Sequence[str], spans: Sequence[MatchedSpan], sources: Sources
) -> tuple[tuple[str, ...], str, str]:
    """The first note in which a span stands, else the first that is there at all."""
    attempted: list[str] = []
    fallback = ("", "")
    for path in candidates:
        attempted.append(path)
        if (text := sources.read(path)) is None:
            continue
        if not spans or any(mark(span, text).is_marked for span in spans):
            return tuple(attempted), path, text
        fallback = fallback if fallback[0] else (path, text)
    return tuple(attempted), *fallback


def _window(
    spans: Sequence[MatchedSpan], marks: Sequence[Mark], text: str
) -> tuple[tuple[int, int] | None, NodeStrategy]:
    """Where to scroll: to the first mark, else to a known line, else to a like block."""
    for one in marks:
        if one.is_marked:
            return (one.start, one.end), NodeStrategy.SOURCE_LINE_PROVENANCE
    for one in marks:
        if one.near is not None:
            return one.near, NodeStrategy.LINE_WINDOW
    for span in spans if marks else ():
        last = max(span.start_line, span.end_line) + WINDOW_LINES
        known = line_range(text, max(1, span.start_line - WINDOW_LINES), last)
        if span.start_line and known is not None:
            return known, NodeStrategy.LINE_WINDOW
    for span in spans if marks else ():
        if (block := closest_block(span.snippet, text)) is not None:
            return block, NodeStrategy.SNIPPET_FALLBACK
    return None, NodeStrategy.NONE


def _merged(marks: Iterable[Mark]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for start, end in sorted((one.start, one.end) for one in marks):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


def _least(strategies: Sequence[InlineStrategy]) -> InlineStrategy:
    """The weakest strategy that was needed, so that a good one hides no bad one."""
    order = list(InlineStrategy)
    return max(strategies, key=order.index, default=InlineStrategy.NONE)


def _lies_elsewhere(target: FocusTarget, path: str) -> bool:
    """Whether the note was found under none of the paths it was cited by."""
    cited = [target.requested_path, *(span.source_path for span in target.spans)]
    named = [name for name in cited if name.strip()]
    return bool(path and named) and not any(is_same_place(name, path) for name in named)


def _drift(marks: Sequence[Mark], *, moved: bool) -> Drift:
    drifts = {one.drift for one in marks} | ({Drift.MOVED} if moved else set())
    for drift in (Drift.CHANGED_SINCE, Drift.MOVED):
        if drift in drifts:
            return drift
    return Drift.CURRENT


_FAILURES = {
    Miss.TOO_NARROW: FailureReason.TERMS_TOO_NARROW,
    Miss.AMBIGUOUS: FailureReason.AMBIGUOUS_FRAGMENT,
    Miss.NOT_FOUND: FailureReason.CHANGED_SINCE,
}


def _failure(
    target: FocusTarget,
    marks: Sequence[Mark],
    found: _Found,
    storage: bool,
) -> FailureReason:
    if not storage:
        return FailureReason.STORAGE_UNAVAILABLE
    if not found.candidates:
        return FailureReason.NO_SOURCE_PATH
    if not found.path:
        return FailureReason.SOURCE_NOT_FOUND
    if not target.spans:
        return FailureReason.NO_MATCHED_SPAN
    missed = {one.miss for one in marks if not one.is_marked}
    return next((why for miss, why in _FAILURES.items() if miss in missed), FailureReason.NONE)


def _touched(blocks: Sequence[tuple[int, int]], ranges: Sequence[tuple[int, int]]) -> int:
    return sum(any(a < end and start < b for a, b in ranges) for start, end in blocks)


def _token(target: FocusTarget, found: _Found) -> str:
    """A name for this very view: what was asked for, and the bytes it was found in."""
    asked = [target.title, target.requested_path, *(span.snippet for span in target.spans)]
    read = digest_of(found.text.encode())
    whole = digest_of(canonical_json([*asked, found.path, read]))
    return "focus-" + whole.removeprefix("sha256:")[:24]
