"""Two runs side by side: what the graph, the citations and the answer did differently."""

from dataclasses import dataclass

from witmark.answers import plain_fields as fields
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.answers.runs import graph_signal


@dataclass(frozen=True, slots=True)
class RunDelta:
    """From an earlier run to a later one; a list holds what only that one has, sorted.

    Attributes:
        before: The earlier run's id.
        after: The later run's id.
        same_question: Whether both were asked the same.
        same_answer: Whether both said the same, to the last sign.
        status: Of both runs.
        decisions: Of both release reviews.
        fallback: Whether either worked without the graph.
        anchors: Titles of both anchors.
        paths_gone: Connection paths that only the earlier run has, as arrows.
        paths_new: Those that only the later run has.
        warnings_gone: Temporal warnings that only the earlier run has.
        warnings_new: Those that only the later run has.
        citations_gone: Cited places that only the earlier run has, as ``path:line``.
        citations_new: Those that only the later run has.
        gates_changed: Gates with another outcome: name, before, after.
        signal: Changes of the graph signal's counts that are not 0.
    """

    before: str
    after: str
    same_question: bool
    same_answer: bool
    status: tuple[str, str]
    decisions: tuple[str, str]
    fallback: tuple[bool, bool]
    anchors: tuple[str, str]
    paths_gone: tuple[str, ...]
    paths_new: tuple[str, ...]
    warnings_gone: tuple[str, ...]
    warnings_new: tuple[str, ...]
    citations_gone: tuple[str, ...]
    citations_new: tuple[str, ...]
    gates_changed: tuple[tuple[str, str, str], ...]
    signal: tuple[tuple[str, int], ...]


def compare_runs(before: Fields, after: Fields) -> RunDelta:
    """Compare two run records; fields that either lacks count as empty."""
    paths, warnings, cited = (
        [look(one) for one in (before, after)] for look in (_paths, _warnings, _citations)
    )
    return RunDelta(
        before=fields.text(before, "runId"),
        after=fields.text(after, "runId"),
        same_question=before.get("question") == after.get("question"),
        same_answer=_answer(before) == _answer(after),
        status=(fields.text(before, "status"), fields.text(after, "status")),
        decisions=(_decision(before), _decision(after)),
        fallback=(_fallback(before), _fallback(after)),
        anchors=(_anchor(before), _anchor(after)),
        paths_gone=_only(paths[0], paths[1]),
        paths_new=_only(paths[1], paths[0]),
        warnings_gone=_only(warnings[0], warnings[1]),
        warnings_new=_only(warnings[1], warnings[0]),
        citations_gone=_only(cited[0], cited[1]),
        citations_new=_only(cited[1], cited[0]),
        gates_changed=_changed(_gates(before), _gates(after)),
        signal=_signal(before, after),
    )


def delta_to_plain(delta: RunDelta) -> Plain:
    """Make a comparison card: pairs as ``{before, after}``, lists as ``{gone, new}``."""
    return {
        "beforeRunId": delta.before,
        "afterRunId": delta.after,
        "sameQuestion": delta.same_question,
        "sameAnswer": delta.same_answer,
        "status": _pair(*delta.status),
        "releaseDecision": _pair(*delta.decisions),
        "graphFallback": _pair(*delta.fallback),
        "anchorTitle": _pair(*delta.anchors),
        "connectionPaths": _lists(delta.paths_gone, delta.paths_new),
        "temporalWarnings": _lists(delta.warnings_gone, delta.warnings_new),
        "citations": _lists(delta.citations_gone, delta.citations_new),
        "gates": [
            {"name": name, "before": before, "after": after}
            for name, before, after in delta.gates_changed
        ],
        "graphSignalDelta": dict(delta.signal),
    }


def _pair(before: object, after: object) -> Plain:
    return {"before": before, "after": after}


def _lists(gone: tuple[str, ...], new: tuple[str, ...]) -> Plain:
    return {"gone": list(gone), "new": list(new)}


def _only(mine: frozenset[str], theirs: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(mine - theirs))


def _answer(record: Fields) -> str:
    return fields.text(fields.part(record, "answer"), "text")


def _decision(record: Fields) -> str:
    return fields.text(fields.part(record, "answerReleaseReview"), "decision")


def _fallback(record: Fields) -> bool:
    return bool(graph_signal(record)["usedFallback"])


def _anchor(record: Fields) -> str:
    return fields.text(fields.part(record, "graphContext"), "anchorTitle")


def _paths(record: Fields) -> frozenset[str]:
    context = fields.part(record, "graphContext")
    return frozenset(_arrows(path) for path, _ in fields.parts(context, "connectionPaths"))


def _arrows(path: Fields) -> str:
    """A path with its direction: ``A →(prerequisite)→ B``."""
    titles = fields.strings(path, "pathTitles")
    kinds = [fields.text(edge, "relationKind") for edge, _ in fields.parts(path, "pathEdges")]
    steps = [f" →({kind})→ {title}" for kind, title in zip(kinds, titles[1:], strict=False)]
    return "".join((*titles[:1], *steps))


def _warnings(record: Fields) -> frozenset[str]:
    context = fields.part(record, "graphContext")
    return frozenset(fields.strings(fields.part(context, "temporalValidity"), "warningReasons"))


def _citations(record: Fields) -> frozenset[str]:
    return frozenset(
        f"{fields.text(one, 'sourcePath')}:{fields.count(one, 'startLine')}"
        for one, _ in fields.parts(record, "citations")
    )


def _gates(record: Fields) -> dict[str, str]:
    quality = fields.part(record, "quality")
    return {
        fields.text(gate, "name"): fields.text(gate, "outcome")
        for gate, _ in fields.parts(quality, "gates")
    }


def _changed(before: dict[str, str], after: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (name, before.get(name, ""), after.get(name, ""))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )


def _signal(before: Fields, after: Fields) -> tuple[tuple[str, int], ...]:
    old, new = graph_signal(before), graph_signal(after)
    counts = [name for name in sorted(old) if name.endswith("Count")]
    changes = [(name, fields.count(new, name) - fields.count(old, name)) for name in counts]
    return tuple((name, by) for name, by in changes if by)
