"""What must never reach the reader, and how a sentence of the public answer must look.

A string that stands in the note itself is the author's and no leak: a workspace may be about
software like ours. Citation marks are the exception: the answer's text never holds one.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from witmark.answers.answer import SentenceKind
from witmark.answers.asking import AliasRule, Backend, MissReason, ReadinessStatus, ScopeSource
from witmark.answers.claims import MARK, folded
from witmark.answers.edges import TemporalKind
from witmark.answers.pack import AnchorReason, FragmentRole, FragmentStatus
from witmark.answers.review_scene import Fault, Scene

_ENUMS: tuple[type[StrEnum], ...] = (
    MissReason, ScopeSource, ReadinessStatus, Backend, AliasRule, AnchorReason,
    FragmentRole, FragmentStatus, TemporalKind,
)  # fmt: skip

_FIELDS = """
    matchedAtomCount titleLikeQueries workspaceReadiness scopeSource missDiagnostics usedScope
    plannerQuery normalizedQuery indexedScopeAtomCount titleHitDocumentIds queryTokens
    queryVariants queryBackend retrievalModes modeWeights evidenceCoverageRatio scopeRecovery
    graphContext graphOpsAvailable usedFallback selectedAnchorReason candidateCount
    supportNodeCount supportNodeLimit pathDepthLimit missingConnectionPathSourceAtomIds
    missingPredecessorAtomIds missingSuccessorAtomIds connectionPaths predecessorWindow
    successorWindow temporalValidity relationKind relationSummaries averageConfidence
    anchorAtomId knowledgeRun knowledge_run runId citationId sourcePath sourceHash atomId
    documentId evidenceSpanIds memoryActions memoryNamespace persistMemory latencyMs
    answerReleaseReview panelState failureReason highlightStrategy inlineHighlightStrategy
""".split()  # noqa: SIM905 - sixty names read better as words

LEAK_STRINGS = tuple(
    sorted({one for kind in _ENUMS for one in kind if "_" in one} | set(_FIELDS))
)
"""Raw reasons, enum values and field names of ours; none of them is a word of a language."""

_STRINGS = re.compile("|".join(map(re.escape, LEAK_STRINGS)), re.IGNORECASE)
_BY_FOLDED = {string.casefold(): string for string in LEAK_STRINGS}

_SHAPES = {
    "a digest": re.compile(r"sha256:|\b[0-9a-f]{24,}\b"),
    "an edge's id": re.compile(r"\bedge:[0-9a-f]{6,}"),
    "a ref": re.compile(r"#char=\d"),
    "an atom's id": re.compile(r"\.(?:md|markdown)#", re.IGNORECASE),
    "a span's id": re.compile(r"\.(?:md|markdown)@\d", re.IGNORECASE),
    "a path": re.compile(
        r"[^\s/\\]+[/\\][^\s/\\][^\s]*\.(?:md|markdown)\b|\b\S+\.(?:md|markdown)\b",
        re.IGNORECASE,
    ),
    "a score": re.compile(
        r"\b(?:score|confidence|similarity|weight|bm25)\b\s*(?:of|is|[:=])?\s*\d|"
        r"(?:得分|分数|置信度|相似度|权重)\s*(?:为|是|[:：=])?\s*\d",
        re.IGNORECASE,
    ),
}

_OF_FILES = frozenset({"an atom's id", "a span's id", "a path"})
"""Shapes that hold a Markdown file's ending."""

_LIST_MARK = re.compile(r"\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|[|>]|```|~~~)")
_MARKUP = re.compile(r"\[\[|\]\]|\]\(|```|^\s*\||\|\s*$|\*\*|\n|\r")
_LAST = "。！？｡!?.…"
_CLOSERS = "\"'”’」』》〉）)】］] "


def internal_diagnostic_leakage(scene: Scene) -> Iterator[Fault]:
    """No reason, field name, id, digest, path or score that no note and no question holds."""
    for at, sentence in enumerate(scene.draft.sentences):
        own = "\n".join((scene.evidence(sentence), scene.plan.question, *scene.facts.titles))
        for what in leaks_in(sentence.text, own):
            yield Fault(at, f"it shows {what}")


def leaks_in(text: str, own: str = "") -> Iterator[str]:
    """Name everything in a text that is ours and not its reader's.

    Args:
        text: What would be published.
        own: What the notes themselves say; a string that stands there is no leak.

    >>> list(leaks_in("matchedAtomCount is 3"))
    ['matchedAtomCount']
    """
    source, said = own.casefold(), text.casefold()
    if any(string in said for string in _BY_FOLDED):  # hardly ever, and the pattern is slow
        for found in dict.fromkeys(hit[0].casefold() for hit in _STRINGS.finditer(text)):
            if found not in source:
                yield _BY_FOLDED[found]
    for what, shape in _SHAPES.items():
        if what in _OF_FILES and ".m" not in said:
            continue
        for hit in shape.finditer(text):
            if hit[0].casefold() not in source:
                yield f"{what}: {hit[0]}"


def surface_contraction(scene: Scene) -> Iterator[Fault]:
    """A few complete sentences without marks, markup or lists; what is too much goes last."""
    budget = scene.pack.budget
    graph = 0
    for at, sentence in enumerate(scene.draft.sentences):
        graph += sentence.kind is SentenceKind.GRAPH
        if at >= budget.sentences:
            yield Fault(at, f"more than {budget.sentences} sentences")
        elif sentence.kind is SentenceKind.GRAPH and graph > budget.graph_statements:
            yield Fault(at, f"more than {budget.graph_statements} statements about the graph")
        elif because := _unlike_a_sentence(sentence.text):
            yield Fault(at, because)
    yield from _repeats(scene)


def _unlike_a_sentence(text: str) -> str:
    bare = text.strip().rstrip(_CLOSERS)
    if not bare or bare[-1] not in _LAST:
        return "it does not end like a sentence"
    if MARK.search(text):
        return "it carries a citation mark"
    if _LIST_MARK.match(text):
        return "it begins like a list, a heading or a table"
    if _MARKUP.search(text.strip()):
        return "it holds markup or a line break"
    return ""


def _repeats(scene: Scene) -> Iterator[Fault]:
    seen: set[str] = set()
    for at, sentence in enumerate(scene.draft.sentences):
        if (said := folded(sentence.text)) in seen:
            yield Fault(at, "it has been said already")
        seen.add(said)


def abstention_hygiene(scene: Scene) -> Iterator[Fault]:
    """Either the notes answer or they do not; an abstention cites nothing and stands alone.

    A draft without any sentence is neither.
    """
    if not scene.draft.sentences:
        yield Fault(None, "it says nothing, not even that the notes do not say")
    for at, sentence in enumerate(scene.draft.sentences):
        if sentence.kind is not SentenceKind.ABSTENTION:
            continue
        if not scene.abstains:
            yield Fault(at, "it says that the notes do not say, beside an answer")
        elif sentence.cuts:
            yield Fault(at, "it says that the notes do not say, and cites them for it")
