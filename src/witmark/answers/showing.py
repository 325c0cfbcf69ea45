"""What was found as cards: one per note, with every place in it that matters.

A card's places are those the answer cites, then the note's fragments in the pack, then the
first words of its best atom. So even a note that the answer did not need opens at a span.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from witmark.answers.answer import Citation, KnowledgePoint
from witmark.answers.atoms import DocumentId, EvidenceSpan, KnowledgeAtom
from witmark.answers.budget import SNIPPET_CHARS, SUMMARY_CHARS
from witmark.answers.candidates import Candidate
from witmark.answers.citing import inner_span
from witmark.answers.notes import BlockKind
from witmark.answers.pack import Fragment
from witmark.answers.places import SourceText
from witmark.answers.ports import Library
from witmark.kernel.evidence import EvidenceRef, TextRange

MOST_SPANS = 4
"""Places shown on one card."""


def points_of(
    candidates: Sequence[Candidate],
    citations: Sequence[Citation],
    fragments: Sequence[Fragment],
    library: Library,
) -> tuple[KnowledgePoint, ...]:
    """Return a card for each candidate, in their order.

    Args:
        candidates: What was found.
        citations: Of the answer.
        fragments: Of the pack.
        library: The index.

    Cost: reads a note's text only if no fragment shows anything of it.
    """
    cited: dict[DocumentId, list[Citation]] = {}
    for citation in citations:
        cited.setdefault(citation.document_id, []).append(citation)
    shown: dict[DocumentId, list[Fragment]] = {}
    for fragment in fragments:
        shown.setdefault(fragment.span.document_id, []).append(fragment)
    numbers = iter(range(1, 1 + MOST_SPANS * len(candidates)))
    return tuple(_point(candidate, cited, shown, library, numbers) for candidate in candidates)


def _point(
    candidate: Candidate,
    cited: Mapping[DocumentId, Sequence[Citation]],
    shown: Mapping[DocumentId, Sequence[Fragment]],
    library: Library,
    numbers: Iterator[int],
) -> KnowledgePoint:
    mine = list(cited.get(candidate.document_id, ()))
    spans = [_fit(fragment.span) for fragment in shown.get(candidate.document_id, ())]
    if not mine and not spans:
        spans = list(_first_words(candidate, library))
    known = {citation.span.id for citation in mine}
    more = [span for span in spans if span.id not in known]
    mine += [
        _place(candidate, span, f"p{next(numbers)}")
        for span in more[: max(MOST_SPANS - len(mine), 0)]
    ]
    atom = candidate.atoms[0]
    return KnowledgePoint(
        document_id=candidate.document_id,
        source_path=atom.source_path,
        title=atom.document_title,
        atom_ids=tuple(one.id for one in candidate.atoms),
        summary=_summary(atom),
        citations=tuple(mine),
        score=candidate.score,
        features=candidate.features,
        validity=candidate.validity,
    )


def _place(candidate: Candidate, span: EvidenceSpan, name: str) -> Citation:
    atom = candidate.atoms[0]
    return Citation(
        citation_id=name,
        atom_id=atom.id,
        document_id=candidate.document_id,
        source_path=atom.source_path,
        title=atom.document_title,
        snippet=span.span.quote,
        span=span,
        ref=EvidenceRef(span.source_hash, span.span.range),
        score=candidate.score,
    )


def _fit(span: EvidenceSpan) -> EvidenceSpan:
    """The span, or its beginning, with offsets that fit what is shown of it."""
    if len(span.span.quote) <= SNIPPET_CHARS:
        return span
    return inner_span(span, TextRange(0, SNIPPET_CHARS))


def _first_words(candidate: Candidate, library: Library) -> Iterable[EvidenceSpan]:
    document = library.note(candidate.document_id)
    if document is None:
        return
    source = SourceText.of(document)
    for atom in candidate.atoms:
        for passage in atom.passages:
            if passage.kind is not BlockKind.HEADING and passage.source_end:
                yield _fit(source.span(passage.source_start, passage.source_end))
                return


def _summary(atom: KnowledgeAtom) -> str:
    """The first words of an atom that are not its heading, on one line."""
    said = [
        atom.content.text[passage.start : passage.end]
        for passage in atom.passages
        if passage.kind is not BlockKind.HEADING
    ]
    line = " ".join(" ".join(said).split())
    return line if len(line) <= SUMMARY_CHARS else line[: SUMMARY_CHARS - 1] + "…"
