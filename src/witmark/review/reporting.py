"""The report as plain data (``witmark.review/1``): everything decided, nothing decided here.

Violated and undetermined verdicts stand one by one; satisfied and not applicable ones stand
once per rule and instance, with how many places they speak for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witmark import __version__
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.gate import GateReport
from witmark.review.assembly import ReviewScope
from witmark.review.facts import FactsBlob
from witmark.review.judging import Limit, Step, Verdict, VerdictKind
from witmark.review.ports import Rulebook
from witmark.review.reviewing import Judged, Request
from witmark.review.rulebook.rule import Rule
from witmark.review.source import Sources
from witmark.review.units import BrepFact, MissingFact
from witmark.review.wording import shown_name

Plain = dict[str, Any]

ONE_BY_ONE = frozenset({VerdictKind.VIOLATED, VerdictKind.UNDETERMINED})

FAMILIES_NOT_EVALUATED = (
    {"zh": "零件之间的接触、配合与干涉", "en": "contacts, fits and interference between parts"},
    {"zh": "螺纹、壁厚、装夹与基准", "en": "threads, wall thickness, clamping and datums"},
    {
        "zh": "公差、粗糙度、材料与热处理",
        "en": "tolerances, roughness, material, heat treatment",
    },
    {"zh": "紧固件可达性与拆装", "en": "fastener access and disassembly"},
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture of a verdict's place, as the report names it."""

    id: str
    file: str
    png: bytes
    visible_pixels: int
    width_px: int
    height_px: int


def report_of(  # noqa: PLR0913 - a report rests on this many independent things
    *,
    path: str,
    sources: Sources,
    first: FactsBlob,
    book: Rulebook,
    judged: Judged,
    graph: Digest,
    rows: list[Plain],
    drawn: Mapping[int, Drawn],
    gate: GateReport,
    extra_notices: Sequence[Mapping[str, Any]] = (),
) -> Plain:
    """Write a report.

    Args:
        path: The file as the caller named it; the only key that may differ between folders.
        sources: The files' bytes.
        first: The facts of the first pass.
        book: The rulebook.
        judged: What was decided.
        graph: The digest of the semantic graph.
        rows: The verdicts as `verdict_rows` has them.
        drawn: Pictures by position in ``judged.verdicts``.
        gate: What the report passed.
        extra_notices: Notices beside those of the file.
    """
    data: Mapping[str, Any] = first.data
    return {
        "format": "witmark.review/1",
        "tool": {"name": "witmark", "version": __version__},
        "source": {
            "path": path,
            "digest": sources.main.digest,
            "bytes": len(sources.main.raw),
            "schema": data["schema"],
            "length_unit": data["length_unit"]["declared"],
            "referred": list(data["source"]["referred"]),
        },
        "rulebook": {
            "name": book.name,
            "index": digest_of(book.index_raw),
            "store": digest_of(book.store_raw),
            "rules": len(book.store.rules),
        },
        "facts": [blob.digest for blob in (first, judged.second) if blob is not None],
        "graph": graph,
        "coverage": coverage(data),
        "counts": _counts(rows),
        "rules": _rules(rows, book),
        "verdicts": rows,
        "context": _context(data),
        "requests": [_request(k, one) for k, one in enumerate(judged.requests, start=1)],
        "notices": [*data["notices"], *extra_notices],
        "pictures": [_picture(one) for one in {one.id: one for one in drawn.values()}.values()],
        "gates": [
            {"name": c.name, "outcome": c.outcome.value, "because": c.because}
            for c in (*judged.admitted.checks, *gate.checks)
        ],
    }


def coverage(data: Mapping[str, Any]) -> Plain:
    """How much of the file was understood: each part counts once, however often it stands."""
    parts = [
        {
            "name": part["name"],
            "faces": part["coverage"]["faces"],
            "explained": part["coverage"]["explained"],
            "share": part["coverage"]["share"] if part["faces"] else 1.0,
        }
        for part in data["parts"]
    ]
    faces = sum(part["faces"] for part in parts)
    explained = sum(part["explained"] for part in parts)
    return {
        "faces": faces,
        "explained": explained,
        "share": round(explained / faces, 6) if faces else 1.0,
        "parts": parts,
        "families_not_evaluated": [dict(family) for family in FAMILIES_NOT_EVALUATED],
    }


def verdict_rows(
    verdicts: Sequence[Verdict],
    data: Mapping[str, Any],
    sources: Sources,
    drawn: Mapping[int, Drawn],
) -> list[Plain]:
    """The verdicts of a report: the loud ones one by one, then the quiet ones summed."""
    rows: list[Plain] = []
    quiet: dict[tuple[str, str, str], list[Verdict]] = {}
    for k, verdict in enumerate(verdicts):
        if verdict.kind in ONE_BY_ONE:
            picture = drawn[k].id if k in drawn else None
            rows.append(_row(verdict, _source_refs(verdict, data, sources), picture))
        else:
            key = (verdict.unit.component_id, verdict.rule_id, verdict.kind.value)
            quiet.setdefault(key, []).append(verdict)
    rows.extend(_summed(group) for group in quiet.values())
    return [{"id": f"v{k:05d}", **row} for k, row in enumerate(rows, start=1)]


def _row(verdict: Verdict, source_refs: list[Plain], picture: str | None) -> Plain:
    unit = verdict.unit
    return {
        "rule_id": verdict.rule_id,
        "catalogue_id": verdict.catalogue_id,
        "verdict": verdict.kind.value,
        "severity": verdict.severity.value if verdict.severity else None,
        "grey": verdict.grey,
        "component_id": unit.component_id,
        "component_name": shown_name(
            unit.anchor.solidworks_name, unit.anchor.component_file_name, unit.component_id
        ),
        "semantic_location": unit.semantic_location,
        "semantic_location_en": unit.semantic_location_en,
        "anchor": unit.anchor.to_plain(),
        "retrieval_sentence": unit.retrieval_sentence,
        "retrieval_sentence_en": unit.retrieval_sentence_en,
        "measured": [_measured(fact) for fact in verdict.measured],
        "limit": _limit(verdict.limit),
        "fact_refs": list(verdict.fact_refs),
        "source_refs": source_refs,
        "missing": [_missing(fact) for fact in verdict.missing],
        "trace": [_step(step) for step in verdict.trace],
        "picture": picture,
    }


def _summed(group: Sequence[Verdict]) -> Plain:
    """One entry for all places of an instance where a rule came out the same quiet way."""
    shown = next((verdict for verdict in group if verdict.grey), group[0])
    row = _row(shown, [], None)
    refs = dict.fromkeys(ref for verdict in group for ref in verdict.fact_refs)
    return {**row, "fact_refs": list(refs), "count": len(group)}


def _measured(fact: BrepFact) -> Plain:
    return {"fact": fact.name, "value": fact.value, "unit": fact.unit, "ref": fact.source_ref}


def _limit(limit: Limit | None) -> Plain | None:
    if limit is None:
        return None
    return {
        "expression": limit.expression,
        "zh": limit.words.zh,
        "en": limit.words.en,
        "source": limit.source,
        "grade": limit.grade,
    }


def _missing(fact: MissingFact) -> Plain:
    return {
        "fact": fact.fact,
        "why_needed": fact.why_needed,
        "why_needed_en": fact.why_needed_en,
        "suggested_extraction": fact.suggested_extraction,
        "suggested_extraction_en": fact.suggested_extraction_en,
    }


def _step(step: Step) -> Plain:
    return {
        "clause": step.clause.value,
        "expression": step.expression,
        "outcome": step.outcome.value,
        "severity": step.severity.value if step.severity else None,
        "values": {name: value for one in step.readings for name, value in one.values},
    }


def _source_refs(verdict: Verdict, data: Mapping[str, Any], sources: Sources) -> list[Plain]:
    """The STEP records of the place's faces, by line, each once."""
    found: dict[tuple[int, int], Plain] = {}
    part, faces = faces_of(verdict, data)
    source = sources.of(data["parts"][part]["source"])
    for face in (data["parts"][part]["faces"][k] for k in faces):
        if face["record"] and face["line"]:
            ref = source.ref(face["record"], face["line"])
            if ref is not None:
                key = (face["line"], face["record"])
                found[key] = {"record": face["record"], "line": face["line"], "ref": ref}
    return [found[key] for key in sorted(found)]


def faces_of(verdict: Verdict, data: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
    """The part and the faces that a verdict is about.

    A verdict about a whole part is about the features whose family its measured facts count:
    hole diameters are seen on holes, internal radii on fillets and pockets.
    """
    steps = verdict.unit.anchor.id.split("/")
    part = int(steps[1])
    features = data["parts"][part]["features"]
    if len(steps) > 2:
        places = (verdict.unit.anchor.id, *verdict.unit.fact_bundle.related_features)
        mine = {
            face for place in places for face in features[int(place.split("/")[3])]["faces"]
        }
        return part, tuple(sorted(mine))
    read = {fact.name for fact in (*verdict.measured, *verdict.cited)}
    family = "pocket." if "part.internal_r_count" in read else "hole."
    shown = {
        face
        for feature in features
        if any(name.startswith(family) for name in feature["facts"])
        for face in feature["faces"]
    }
    return part, tuple(sorted(shown))


def positions_mm(report: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, list[float]]:
    """Where each single place of a report stands in the assembly, by verdict id."""
    places = {one["component_id"]: one["places"] for one in data["instances"]}
    found = {}
    for verdict in report["verdicts"]:
        steps = verdict["anchor"]["id"].split("/")
        if len(steps) > 2 and "count" not in verdict:
            found[verdict["id"]] = places[verdict["component_id"]][int(steps[3])]["at_mm"]
    return found


def _counts(verdicts: Iterable[Plain]) -> Plain:
    counts = {kind.value: 0 for kind in VerdictKind}
    severities = dict.fromkeys(("critical", "major", "minor", "info"), 0)
    for verdict in verdicts:
        counts[verdict["verdict"]] += verdict.get("count", 1)
        if verdict["verdict"] == VerdictKind.VIOLATED:
            severities[verdict["severity"]] += 1
    return {**counts, "by_severity": severities}


def _rules(verdicts: Iterable[Plain], book: Rulebook) -> list[Plain]:
    named = {verdict["rule_id"] for verdict in verdicts}
    return [_rule(rule) for rule_id, rule in book.store.rules.items() if rule_id in named]


def _rule(rule: Rule) -> Plain:
    return {
        "rule_id": rule.rule_id,
        "catalogue_id": rule.catalogue_id,
        "title": rule.title.zh,
        "title_en": rule.title.en,
        "knowledge_category": rule.knowledge_category,
        "primary_view": rule.primary_view,
        "severity": [tier.severity.value for tier in rule.tiers],
        "source": rule.source,
        "grade": rule.grade,
        "why_zh": rule.why.zh,
        "why_en": rule.why.en,
        "mend_zh": rule.mend.zh,
        "mend_en": rule.mend.en,
        "card": rule.card,
    }


def _context(data: Mapping[str, Any]) -> list[Plain]:
    return [
        {
            "component_id": one["component_id"],
            "name": shown_name(
                one["name"], data["parts"][one["part"]]["name"], one["component_id"]
            ),
            "scope_reasons": one["scope_reasons"],
        }
        for one in data["instances"]
        if one["review_scope"] == ReviewScope.ASSEMBLY_CONTEXT_ONLY
    ]


def _request(number: int, request: Request) -> Plain:
    answer = request.answer
    return {
        "id": f"q{number:05d}",
        "fact": request.fact,
        "component_id": request.unit.component_id,
        "semantic_location": request.unit.semantic_location,
        "semantic_location_en": request.unit.semantic_location_en,
        "suggested_extraction": request.suggested_extraction,
        "answered": answer.value is not None,
        "value": answer.value,
        "ref": answer.source_ref,
    }


def _picture(drawn: Drawn) -> Plain:
    return {
        "id": drawn.id,
        "file": drawn.file,
        "digest": digest_of(drawn.png),
        "visible_pixels": drawn.visible_pixels,
        "width": drawn.width_px,
        "height": drawn.height_px,
    }
