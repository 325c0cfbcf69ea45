"""What was clicked: a citation, a card, or a payload from a time with fewer fields."""

from dataclasses import dataclass

from witmark.answers import plain_fields as fields
from witmark.answers.answer import Citation, KnowledgePoint
from witmark.answers.marking import MatchedSpan
from witmark.answers.plain_fields import Fields


@dataclass(frozen=True, slots=True)
class FocusTarget:
    """What was clicked: a title, perhaps a path, and the places that matter."""

    title: str
    requested_path: str
    spans: tuple[MatchedSpan, ...]


def target_of_citation(citation: Citation) -> FocusTarget:
    """A click on one citation."""
    return FocusTarget(citation.title, citation.source_path, (_span_of(citation),))


def target_of_point(point: KnowledgePoint) -> FocusTarget:
    """A click on a card: every place in its note."""
    spans = tuple(map(_span_of, point.citations))
    return FocusTarget(point.title, point.source_path, spans)


def _span_of(citation: Citation) -> MatchedSpan:
    span = citation.span
    return MatchedSpan(
        source_path=span.source_path,
        snippet=span.span.quote,
        start=span.span.start,
        start_line=span.start_line,
        end_line=span.end_line,
        source_hash=span.source_hash,
        prefix=span.prefix,
        suffix=span.suffix,
    )


def target_of_payload(payload: Fields) -> FocusTarget:
    """A click recorded elsewhere, perhaps long ago: everything but a snippet may be absent.

    Reads ``title, sourcePath``, and of ``matchedSpans``, ``citations`` or ``citation`` (or
    of the payload itself) ``sourcePath, snippet`` (or ``text``), ``startOffset, startLine,
    endLine, sourceHash, prefix, suffix``.

    Raises:
        GarbledRecordError: a field has the wrong kind.
    """
    found = [
        one
        for name in ("matchedSpans", "citations")
        for one, _ in fields.parts(payload, name, "payload")
    ]
    if not found and payload.get("citation") is not None:
        found = [fields.part(payload, "citation", "payload")]
    if not found and (payload.get("snippet") or payload.get("text")):
        found = [payload]
    spans = dict.fromkeys(map(_span_from, found))
    return FocusTarget(
        fields.text(payload, "title", "payload"),
        fields.text(payload, "sourcePath", "payload"),
        tuple(spans),
    )


def _span_from(one: Fields) -> MatchedSpan:
    start = one.get("startOffset")
    return MatchedSpan(
        source_path=fields.text(one, "sourcePath", "span"),
        snippet=fields.text(one, "snippet", "span") or fields.text(one, "text", "span"),
        start=None if start is None else fields.count(one, "startOffset", "span"),
        start_line=fields.count(one, "startLine", "span"),
        end_line=fields.count(one, "endLine", "span"),
        source_hash=fields.text(one, "sourceHash", "span"),
        prefix=fields.text(one, "prefix", "span"),
        suffix=fields.text(one, "suffix", "span"),
    )
