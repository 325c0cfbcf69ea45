"""A run's record, and the difference of two, as lines for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from witmark.answers.runs import model_line
from witmark.kernel.errors import visible


def run_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """The question, the answer, its places, the graph's diagnostics, the gates."""
    yield visible(f"{record['runId']}  {record['generatedAt']}  {record['status']}")
    yield visible(f"Q  {record['question']}")
    yield visible(f"A  {record['answer']['text']}")
    for citation in record["citations"]:
        place = f"{citation['sourcePath']}:{citation['startLine']}"
        yield visible(f"   [{citation['citationId']}] {place}")
    graph = record["graphContext"]
    yield ""
    yield "Graph"
    for path in graph["connectionPaths"]:
        kinds = ", ".join(edge["relationKind"] for edge in path["pathEdges"])
        yield visible(f"  {' · '.join(path['pathTitles'])} ({kinds})")
    for name, value in sorted(graph["diagnostics"].items()):
        yield visible(f"  {name}: {_said(value)}")
    yield ""
    yield "Gates"
    gates = [*record["quality"]["gates"], *record["answerReleaseReview"]["checks"]]
    for gate in gates:
        because = f": {gate['because']}" if gate["because"] else ""
        yield visible(f"  {gate['outcome']:<13} {gate['name']}{because}")
    if (asked := record.get("modelDraft")) is not None:
        yield ""
        yield "Model"
        yield from (visible(f"  {line}") for line in model_lines(asked))


def model_lines(asked: Mapping[str, Any]) -> Iterator[str]:
    """What a model was asked for and what came of it: its words, refusals, and each call."""
    yield model_line(asked)
    if asked["because"]:
        yield f"not used: {asked['because']}"
    if asked["reason"]:
        yield f"it says: {asked['reason']}"
    for sentence in asked["sentences"]:
        yield f"draft {', '.join(sentence['exhibits'])}: {sentence['text']}"
    for one in asked["refused"]:
        yield f"refused, attempt {one['attempt']}: {one['because']}"
        yield f"  {one['text']}"
    for call in asked["calls"]:
        yield _call(call)
    if (way_out := way_out_line(asked)) is not None:
        yield way_out
    yield f"record {asked['binding']['subject']}"


_WAYS_OUT = {
    "rejected": "another model or other parameters in [models] of witmark.toml ask it anew; "
    "--retry-id does not",
    "blocked": "mend what is wrong or missing and ask again, or --retry-id NAME",
    "waiting": "ask again later",
    "too-large": "raise max_request_bytes in [models] of witmark.toml, or narrow the question",
}


def way_out_line(asked: Mapping[str, Any]) -> str | None:
    """What to do where a model was asked and did not word the answer; ``None`` if nothing."""
    way_out = _WAYS_OUT.get(asked["outcome"])
    return None if way_out is None else f"way out: {way_out}"


def _call(call: Mapping[str, Any]) -> str:
    tokens = (str(call.get(f"gen_ai.usage.{side}_tokens", "?")) for side in ("input", "output"))
    took = [f"{'+'.join(tokens)} tokens", f"{call.get('witmark.duration_ms', '?')} ms"]
    if "witmark.cost" in call:
        took.insert(1, f"{call['witmark.cost']:g} {call['witmark.cost.currency']}")
    who = f"{call['witmark.profile']} {call['gen_ai.request.model']}"
    return f"call {call['witmark.attempt']} {who}: {call['witmark.end']}, {', '.join(took)}"


def delta_lines(delta: Mapping[str, Any]) -> Iterator[str]:
    """One line per thing that differs; ``no difference`` if none does."""
    told = False
    for name, value in sorted(delta.items()):
        if name in {"before", "after"}:
            continue
        if (line := _difference(name, value)) is not None:
            told = True
            yield visible(line)
    if not told:
        yield "no difference"


def _difference(name: str, value: object) -> str | None:
    if isinstance(value, bool):
        return None if value else f"{name}: no"
    if isinstance(value, dict) and set(value) == {"before", "after"}:
        same = value["before"] == value["after"]
        return None if same else f"{name}: {_said(value['before'])} → {_said(value['after'])}"
    return f"{name}: {_said(value)}" if _holds_something(value) else None


def _holds_something(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_something(one) for one in value.values())
    return value not in (None, "", [], 0)


def _said(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{k} {_said(v)}" for k, v in sorted(value.items()) if v)
    if isinstance(value, list):
        return ", ".join(_said(one) for one in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else str(value)
