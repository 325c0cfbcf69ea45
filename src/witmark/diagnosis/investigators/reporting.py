"""How an investigator writes down what it found."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from witmark.diagnosis.code import Definition
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingId,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.hypotheses import CauseClass, HypothesisId
from witmark.diagnosis.plain import to_plain
from witmark.diagnosis.ports import CaseView, Limits
from witmark.diagnosis.scoring import Scores
from witmark.kernel.canon import Digest, canonical_json, digest_of
from witmark.kernel.evidence import EvidenceRef, TextRange

UNNAMED = FindingId("")


def named(finding: Finding) -> Finding:
    """Give a finding the id that its contents have."""
    plain = {name: value for name, value in to_plain(finding).items() if name != "id"}
    digest = digest_of(canonical_json(plain)).removeprefix("sha256:")
    return replace(finding, id=FindingId(f"F-{digest[:12]}"))


def found_at(  # noqa: PLR0913 - a finding has this many sides
    view: CaseView,
    definition: Definition,
    statement: str,
    *,
    who: tuple[str, str, Group],
    kind: FindingKind,
    bears_on: Mapping[HypothesisId, Direction],
    strength: float,
    quotes: Sequence[Quote] = (),
    limits: Limits,
) -> Finding:
    """A finding about one definition; it quotes the definition's first lines besides."""
    own = definition_quote(view, definition, limits)
    name, action, group = who
    return named(
        Finding(
            UNNAMED,
            name,
            action,
            group,
            kind,
            Completeness.COMPLETE,
            statement,
            (*quotes, *([own] if own else [])),
            definition.location,
            dict(sorted(bears_on.items())),
            round(strength, 6),
        )
    )


def definition_quote(view: CaseView, definition: Definition, limits: Limits) -> Quote | None:
    """The head of a definition at its place in the file."""
    return part_quote(view, definition, 0, len(definition.text), limits)


def part_quote(
    view: CaseView, definition: Definition, start: int, end: int, limits: Limits
) -> Quote | None:
    """A part of a definition's text at its place in the file; long parts keep their head."""
    file = view.the_scores.code.files.get(definition.location.path) if view.scores else None
    if file is None or not file.is_exact:
        return None
    lines = file.text.split("\n", definition.location.start_line - 1)
    above = len(file.text) - len(lines[-1])
    start, end = above + start, min(len(file.text), above + end)
    end = min(end, start + limits.most_chars_per_quote)
    if end <= start:
        return None
    return Quote(EvidenceRef(file.digest, TextRange(start, end)), file.text[start:end])


def input_quote(
    view: CaseView, digest: Digest, start: int, end: int, limits: Limits
) -> Quote | None:
    """A run of characters of an input, as they stand there; ``None`` where it is no text."""
    source = next((one for one in view.inventory.inputs if one.digest == digest), None)
    if source is None or end <= start:
        return None
    try:
        text = view.read(source).decode("utf-8")
    except UnicodeDecodeError:
        return None
    end = min(end, start + limits.most_chars_per_quote, len(text))
    if end <= start:
        return None
    return Quote(EvidenceRef(digest, TextRange(start, end)), text[start:end])


def found_in_case(  # noqa: PLR0913 - a finding has this many sides
    statement: str,
    *,
    who: tuple[str, str, Group],
    kind: FindingKind,
    bears_on: Mapping[HypothesisId, Direction],
    quotes: Sequence[Quote],
    completeness: Completeness = Completeness.COMPLETE,
    strength: float = 0.0,
) -> Finding:
    """A finding about the case that speaks of no place in the source."""
    name, action, group = who
    return named(
        Finding(
            UNNAMED,
            name,
            action,
            group,
            kind,
            completeness,
            statement,
            tuple(quotes),
            None,
            dict(sorted(bears_on.items())),
            round(strength, 6),
        )
    )


def by_class(
    view: CaseView, ways: Mapping[CauseClass, Direction], *, main: Direction | None = None
) -> dict[HypothesisId, Direction]:
    """Which way a finding points, said by class of cause; ``main`` is for the first hypothesis.

    A hypothesis of another class is not spoken of.
    """
    found = {
        one.id: ways[one.cause_class] for one in view.hypotheses if one.cause_class in ways
    }
    if main is not None and view.hypotheses:
        found[view.hypotheses[0].id] = main
    return found


def worth_telling(
    scores: Scores, voice: Mapping[int, object], limits: Limits
) -> tuple[list[int], int]:
    """Which places of one voice are told, the most suspicious of all voices first.

    Returns:
        The definitions, and how many of this voice are left out.
    """
    told = [key for key in scores.order if key in voice][: limits.most_findings]
    return told, len(voice) - len(told)
