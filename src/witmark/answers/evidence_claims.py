"""How well each sentence of an answer is supported, claim by claim (``evidenceClaims``)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.answer import Cut, Draft, DraftSentence, SentenceKind
from witmark.answers.pack import Fragment, GraphContextPack
from witmark.kernel.evidence import EvidenceRef


class ClaimStatus(StrEnum):
    """How well a claim is supported (``evidenceClaims[].status``)."""

    VERIFIED = "verified"  # a path, a snippet that stands there, and its line
    WEAK = "weak"  # a path and a snippet of a shown note, but not at the place given
    NOT_PROVEN = "not_proven"
    REJECTED = "rejected"  # nothing was retrieved that could support anything


@dataclass(frozen=True, slots=True)
class EvidenceClaim:
    """A sentence of the answer, and how well it is supported."""

    text: str
    status: ClaimStatus
    source_path: str  # of its best cut, else empty
    snippet: str
    line: int  # 0 when unknown


def claims_of(draft: Draft, pack: GraphContextPack) -> tuple[EvidenceClaim, ...]:
    """Say for every sentence but an abstention how well it is supported."""
    shown = {fragment.ref: fragment for fragment in pack.fragments}
    paths = {fragment.span.source_path: fragment for fragment in pack.fragments}
    return tuple(
        _claim(sentence, shown, paths)
        for sentence in draft.sentences
        if sentence.kind is not SentenceKind.ABSTENTION
    ) or (EvidenceClaim("", ClaimStatus.REJECTED, "", "", 0),)


def _claim(
    sentence: DraftSentence,
    shown: Mapping[EvidenceRef, Fragment],
    paths: Mapping[str, Fragment],
) -> EvidenceClaim:
    if not shown:
        return EvidenceClaim(sentence.text, ClaimStatus.REJECTED, "", "", 0)
    if not sentence.cuts:
        return EvidenceClaim(sentence.text, ClaimStatus.NOT_PROVEN, "", "", 0)
    stands = [cut for cut in sentence.cuts if stands_in(cut, shown.get(cut.fragment_ref))]
    cut = (stands or sentence.cuts)[0]
    path, quote = cut.span.source_path, cut.span.span.quote
    if len(stands) == len(sentence.cuts):
        return EvidenceClaim(
            sentence.text, ClaimStatus.VERIFIED, path, quote, cut.span.start_line
        )
    known = all(one.span.source_path in paths for one in sentence.cuts)
    status = ClaimStatus.WEAK if known else ClaimStatus.NOT_PROVEN
    return EvidenceClaim(sentence.text, status, path, quote, 0)


def stands_in(cut: Cut, fragment: Fragment | None) -> bool:
    """Whether a cut lies in a fragment and reads as the fragment does at that place."""
    if fragment is None or cut.span.source_path != fragment.span.source_path:
        return False
    whole, part = fragment.span.span, cut.span.span
    at = part.start - whole.start
    return (
        cut.ref.blob == fragment.ref.blob
        and cut.span.start_line >= 1
        and at >= 0
        and whole.quote[at : at + len(part.quote)] == part.quote
    )
