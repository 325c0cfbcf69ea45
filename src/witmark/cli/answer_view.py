"""How an answer looks in a terminal: the answer, its sources, and on demand what lies behind.

Everything is projected from the conversation response; no meaning is worked out from display
text. Text from a note cannot command the terminal.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from witmark.cli.options import program
from witmark.kernel.errors import visible

_SOURCES = {"zh": "来源", "en": "Sources"}
_OPEN = {
    "zh": "打开来源：{} open c1 --workspace {}",
    "en": "Open a source: {} open c1 --workspace {}",
}
_LOOKED = {
    "zh": "（在 {} 中没有；在 {} 中找到）",
    "en": "(Nothing in {}; found in {}.)",
}
_WORDED = {
    "zh": "由模型 {} 措辞，每句都与来源核对过",
    "en": "Worded by the model {}, each sentence held to its sources",
}
_TOP = {"zh": "工作区最上层", "en": "the top of the workspace"}
"""The notes that lie in no folder; their corpus has an empty name."""

_ARROW = {"fact": "→", "inferred": "⇢"}


def answer_lines(response: Mapping[str, Any], workspace: str) -> Iterator[str]:
    """The answer with its marks, and one line per source."""
    language = response["language"]
    if (recovery := response["trace"]["scopeRecovery"]) is not None:
        yield _LOOKED[language].format(
            _scope_name(recovery["requestedScope"], language),
            _scope_name(response["usedScope"], language),
        )
    yield _with_marks(response)
    if not response["citations"]:
        return
    yield ""
    yield _SOURCES[language]
    for citation in response["citations"]:
        place = f"{citation['sourcePath']}:{citation['startLine']}:{citation['startColumn']}"
        yield f"  [{citation['citationId']}] {visible(place)}"
        yield f"       {visible(_one_line(citation['snippet']))}"
    for block in response["assistantBlocks"]:
        if block.get("notice") == "worded_by_model":
            yield _WORDED[language].format(visible(block["model"]))
    yield ""
    yield _OPEN[language].format(program(), _quoted(workspace))


def _with_marks(response: Mapping[str, Any]) -> str:
    """Each sentence followed by the marks of its citations; the string itself has none."""
    said = []
    for sentence in response["sentences"]:
        marks = "".join(f"[{mark}]" for mark in sentence["citationIds"])
        said.append(visible(sentence["text"]) + (f" {marks}" if marks else ""))
    return "\n".join(said)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def _quoted(name: str) -> str:
    return name if name.replace("/", "").replace(".", "").isalnum() else f'"{name}"'


def _scope_name(scope: Mapping[str, Any], language: str = "en") -> str:
    corpora = [corpus or _TOP[language] for corpus in scope["corpusIds"]]
    tongues = [f"lang:{code}" for code in scope["languages"]]
    named = [*corpora, *scope["sourcePathPrefixes"], *scope["documentIds"], *tongues]
    return visible(", ".join(named)) or "*"


# Behind the answer -------------------------------------------------------------------


def evidence_lines(response: Mapping[str, Any]) -> Iterator[str]:
    """The evidence pane: paths with their direction, relations, time, the notes found."""
    graph = response["trace"]["graphContext"]
    yield from _section("Anchor", _anchor(graph))
    yield from _section("Paths", (_path(path) for path in graph["connectionPaths"]))
    yield from _section("Before", (_node(node) for node in graph["predecessorWindow"]))
    yield from _section("After", (_node(node) for node in graph["successorWindow"]))
    yield from _section("Time", (_time(one) for one in graph["temporalValidity"]["details"]))
    yield from _section("Notes found", (_point(one) for one in response["knowledgePoints"]))


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    body = list(lines)
    if body:
        yield ""
        yield title
        yield from (f"  {visible(line)}" for line in body)


def _anchor(graph: Mapping[str, Any]) -> Iterator[str]:
    if graph["anchorTitle"] is not None:
        why = graph["diagnostics"]["selectedAnchorReason"]
        yield f"{graph['anchorTitle']} ({graph['anchorDocumentId']}; {why})"


def _path(path: Mapping[str, Any]) -> str:
    said = path["pathTitles"][0]
    for at, edge in enumerate(path["pathEdges"]):
        here, there = path["pathAtomIds"][at], path["pathTitles"][at + 1]
        forward = edge["from"] == here
        arrow = _ARROW[edge["provenance"]]
        said += (
            f" {arrow}({edge['relationKind']}){arrow} {there}"
            if forward
            else (f" ←({edge['relationKind']})← {there}")
        )
    return f"{said}   certainty {path['confidence']:.2f}"


def _node(node: Mapping[str, Any]) -> str:
    return (
        f"{node['title']} ({node['documentId']}): {node['relationKind']}, "
        f"{node['depth']} away, {node['provenance']}, certainty {node['confidence']:.2f}"
    )


def _time(detail: Mapping[str, Any]) -> str:
    other = f" ({detail['otherTitle']})" if detail["otherTitle"] else ""
    window = f"{detail['validFrom'] or '…'} to {detail['validTo'] or '…'}"
    return f"{detail['title']}: {detail['reason']}{other}, {window}"


def _point(point: Mapping[str, Any]) -> str:
    valid = "" if point["temporalValidity"]["isValid"] else "  [not valid on this day]"
    return f"{point['title']} ({point['sourcePath']})  {point['matchCount']} places{valid}"


def trace_lines(response: Mapping[str, Any]) -> Iterator[str]:
    """What was decided: plan, scope, features of each score, gates."""
    trace, planner = response["trace"], response["trace"]["planner"]
    yield from _section("Plan", _plan(planner))
    yield from _section("Scope", _scope(response["usedScope"]))
    yield from _section("Scores", (_scored(one) for one in trace["candidates"]))
    gates = [
        *((gate["name"], gate) for gate in response["knowledgeRun"]["quality"]["gates"]),
        *((gate["name"], gate) for gate in response["answerReleaseReview"]["checks"]),
    ]
    yield from _section("Gates", (_gate(name, gate) for name, gate in gates))
    if (asked := response["knowledgeRun"].get("modelDraft")) is not None:
        from witmark.cli.run_view import model_lines

        yield from _section("Model", model_lines(asked))
    yield from _section("Run", iter([response["knowledgeRun"]["runId"]]))


def _plan(planner: Mapping[str, Any]) -> Iterator[str]:
    yield f"intent {planner['intent']}, language {planner['language']}"
    yield f"looked for {planner['plannerQuery']!r}, also {planner['queryVariants']}"
    for hit in planner["aliasHits"]:
        yield f"name {hit['surface']!r} → {hit['documentId']} ({hit['rule']})"


def _scope(scope: Mapping[str, Any]) -> Iterator[str]:
    atoms, status = scope["matchedAtomCount"], scope["readiness"]["status"]
    yield f"{scope['scopeSource']}: {_scope_name(scope)}, {atoms} atoms, {status}"
    yield f"miss: {scope['missDiagnostics']['reason']}"


def _scored(candidate: Mapping[str, Any]) -> str:
    features = ", ".join(f"{n} {v:.3f}" for n, v in sorted(candidate["features"].items()))
    return f"{candidate['score']:.3f}  {candidate['documentId']}: {features}"


def _gate(name: str, gate: Mapping[str, Any]) -> str:
    because = f": {gate['because']}" if gate["because"] else ""
    return f"{gate['outcome']:<13} {name}{because}"
