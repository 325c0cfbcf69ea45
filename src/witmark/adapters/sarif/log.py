"""A review as one SARIF run: rules, results with real line numbers, pictures attached.

A verdict keeps its meaning: violated is ``fail``, satisfied ``pass``, undetermined ``open``.
Results come worst first, because hosts cut: they take 25,000 results and show the first 5,000.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from witmark.adapters.sarif.text import message, plain, relative_uri, said
from witmark.kernel.canon import canonical_json
from witmark.review import wire
from witmark.review.presenting import reading_order
from witmark.review.remarking import Remark, remarks
from witmark.review.spelling import fact_words, place_words, printable, subject_of, value_text
from witmark.review.words import GRADES, NOTICES, Lang, Words, look_up

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MAX_RESULTS = 25_000  # what a code host accepts in one run
MAX_RELATED = 99  # with the main one, the 100 locations a host shows for one result
FINGERPRINT_STEP_MM = 0.1
"""Positions closer than this are one place, so that a re-export does not make a new finding."""

_KINDS = {
    "violated": "fail",
    "satisfied": "pass",
    "undetermined": "open",
    "not_applicable": "notApplicable",
}
_LEVELS = {"critical": "error", "major": "error", "minor": "warning", "info": "note"}
_REPORT = "REPORT"  # base of the picture addresses: the folder that holds the log
_ROOT = "%SRCROOT%"  # base of the STEP file, by the hosts' own convention

Json = dict[str, Any]


def render_sarif(
    report: Mapping[str, Any] | wire.ReviewV1,
    lang: Lang,
    positions_mm: Mapping[str, Sequence[float]] | None = None,
) -> bytes:
    """A `witmark.review/1` report as SARIF 2.1.0 (errata 01), as UTF-8 JSON.

    Args:
        report: the report, read or still as plain data.
        lang: language of every message.
        positions_mm: where each verdict sits in the assembly, by verdict id; makes the
            fingerprints of two like features on one component differ.

    Returns:
        The same bytes for the same arguments.

    Raises:
        MalformedReportError: the report does not have the promised shape.
    """
    review = wire.review_of(report)
    ordered = reading_order(review)
    kept = ordered[:MAX_RESULTS]
    run = {
        "tool": {"driver": _driver(review, lang)},
        "language": "zh-CN" if lang == "zh" else "en",
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _REPORT: {"description": {"text": "The folder that holds this file."}}
        },
        "artifacts": [
            _source_file(review),
            *map(_picture_file, review.pictures),
            *(_referred_file(review, one) for one in review.source.referred),
        ],
        "invocations": [_invocation(review, len(ordered) - len(kept), lang)],
        "results": _results(review, kept, positions_mm or {}, lang),
        "properties": {"coverage": review.coverage.share, "rulebook": review.rulebook.name},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def fingerprint(verdict: wire.Verdict, position_mm: Sequence[float] | None) -> str:
    """A name for a finding that survives a re-export: no id, line or wording of a language.

    The place's own words hold its coordinates to 0.01 mm; the rounded position stands for them.
    """
    near = [round(x / FINGERPRINT_STEP_MM) for x in position_mm or ()]
    key = [verdict.rule_id, verdict.component_id, verdict.anchor.kind, near]
    return hashlib.sha256(canonical_json(key)).hexdigest()[:32]


def _driver(review: wire.ReviewV1, lang: Lang) -> Json:
    return {
        "name": "Witmark",
        "version": review.tool.version,
        "semanticVersion": review.tool.version,
        "language": "zh-CN" if lang == "zh" else "en",
        "rules": [_rule(rule, lang) for rule in review.rules],
    }


def _rule(rule: wire.Rule, lang: Lang) -> Json:
    why = Words(rule.why_zh, rule.why_en).of(lang)
    mend = Words(rule.mend_zh, rule.mend_en).of(lang)
    worst = next((s for s in _LEVELS if s in rule.severity), None)
    return {
        "id": rule.rule_id,
        "shortDescription": plain(Words(rule.title, rule.title_en).of(lang)),
        "fullDescription": plain(why),
        "help": plain(f"{why}\n\n{mend}"),
        "defaultConfiguration": {"level": _LEVELS[worst] if worst else "none"},
        "properties": {
            "tags": [rule.knowledge_category, rule.primary_view],
            "catalogueId": rule.catalogue_id,
            "source": rule.source,
            "grade": GRADES[rule.grade].of(lang),
        },
    }


def _source_file(review: wire.ReviewV1) -> Json:
    return {
        "location": {"uri": relative_uri(review.source.path), "uriBaseId": _ROOT},
        "roles": ["analysisTarget"],
        "mimeType": "model/step",
        "length": review.source.bytes,
        "hashes": {"sha-256": review.source.digest.removeprefix("sha256:")},
    }


def _picture_file(picture: wire.Picture) -> Json:
    return {
        "location": {"uri": relative_uri(picture.file), "uriBaseId": _REPORT},
        "roles": ["attachment"],
        "mimeType": "image/png",
        "hashes": {"sha-256": picture.digest.removeprefix("sha256:")},
    }


def _invocation(review: wire.ReviewV1, omitted: int, lang: Lang) -> Json:
    notes = [_notice(subject_of(review, notice), notice, lang) for notice in review.notices]
    if omitted:
        words = Words(
            f"结果超过 {MAX_RESULTS} 条，此处省略最轻的 {omitted} 条；全部见 report.json。",
            f"More than {MAX_RESULTS} results: the {omitted} least severe are left out here; "
            "report.json has all of them.",
        )
        notes.append(
            {
                "descriptor": {"id": "results-omitted"},
                "level": "warning",
                "message": message(words.of(lang)),
                "properties": {"omitted": omitted},
            }
        )
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _notice(about: str, notice: wire.Notice, lang: Lang) -> Json:
    words = look_up(NOTICES, notice.code).of(lang)
    detail = f" ({notice.detail})" if notice.detail else ""
    return {
        "descriptor": {"id": notice.code},
        "level": "note",
        "message": message(": ".join(filter(None, (about, f"{words}{detail}")))),
    }


def _results(
    review: wire.ReviewV1,
    kept: Sequence[wire.Verdict],
    positions_mm: Mapping[str, Sequence[float]],
    lang: Lang,
) -> list[Json]:
    order = {rule.rule_id: i for i, rule in enumerate(review.rules)}
    pictures = {picture.id: i for i, picture in enumerate(review.pictures, 1)}
    remarked = remarks(review)
    seen: Counter[str] = Counter()
    made = []
    for verdict in kept:
        index = order[verdict.rule_id]
        print_ = fingerprint(verdict, positions_mm.get(verdict.id))
        seen[print_] += 1  # like twins are told apart by their order, as CodeQL does
        made.append(
            {
                "ruleId": verdict.rule_id,
                "ruleIndex": index,
                "kind": _KINDS[verdict.verdict],
                "level": _level(verdict),
                "message": message(said(verdict, review.rules[index], lang)),
                "locations": [_location(review, verdict, lang)],
                "partialFingerprints": {"witmarkPlace/v1": f"{print_}:{seen[print_]}"},
                "properties": {
                    **_properties(verdict, lang),
                    **_remarks(remarked.get(verdict.id, ()), lang),
                },
                **_attachment(review, verdict, pictures, lang),
                **_related(review, verdict),
                **({"occurrenceCount": verdict.count} if verdict.count else {}),
            }
        )
    return made


def _level(verdict: wire.Verdict) -> str:
    if verdict.verdict == "violated" and verdict.severity:
        return _LEVELS[verdict.severity]
    return "none"


def _location(review: wire.ReviewV1, verdict: wire.Verdict, lang: Lang) -> Json:
    first = verdict.source_refs[0] if verdict.source_refs else None
    place = place_words(verdict).of(lang)
    logical = {
        "name": printable(f"{verdict.component_name}: {place}"),
        "fullyQualifiedName": printable(verdict.component_id),
        "kind": "component instance",
    }
    return {"physicalLocation": _physical(review, first), "logicalLocations": [logical]}


def _physical(review: wire.ReviewV1, source: wire.SourceRef | None) -> Json:
    where: Json = {"artifactLocation": _artifact(review, source)}
    return {**where, "region": {"startLine": source.line}} if source else where


def _artifact(review: wire.ReviewV1, source: wire.SourceRef | None) -> Json:
    """The file that a record stands in: the opened one, or one that it refers to."""
    ref = source.ref if source else None
    digest = ref.partition("#")[0] if ref else review.source.digest
    for number, one in enumerate(review.source.referred):
        if one.digest == digest:
            index = 1 + len(review.pictures) + number
            return {"uri": _beside(review, one.path), "uriBaseId": _ROOT, "index": index}
    return {"uri": relative_uri(review.source.path), "uriBaseId": _ROOT, "index": 0}


def _beside(review: wire.ReviewV1, name: str) -> str:
    return relative_uri(str(PurePosixPath(review.source.path).parent / name))


def _referred_file(review: wire.ReviewV1, one: wire.Referred) -> Json:
    return {
        "location": {"uri": _beside(review, one.path), "uriBaseId": _ROOT},
        "hashes": {"sha-256": one.digest.removeprefix("sha256:")},
    }


def _related(review: wire.ReviewV1, verdict: wire.Verdict) -> Json:
    others = verdict.source_refs[1 : 1 + MAX_RELATED]
    if not others:
        return {}
    return {
        "relatedLocations": [
            {"id": i, "physicalLocation": _physical(review, source)}
            for i, source in enumerate(others, 1)
        ]
    }


def _attachment(
    review: wire.ReviewV1, verdict: wire.Verdict, pictures: Mapping[str, int], lang: Lang
) -> Json:
    if verdict.picture is None:
        return {}
    index = pictures[verdict.picture]
    place = place_words(verdict).of(lang)
    where = {
        "uri": relative_uri(review.pictures[index - 1].file),
        "uriBaseId": _REPORT,
        "index": index,
    }
    about = message(f"{verdict.component_name}: {place}")
    return {"attachments": [{"description": about, "artifactLocation": where}]}


def _remarks(said: Sequence[Remark], lang: Lang) -> Json:
    """What a model says of a result; the kind and the level are the facts'."""
    if not said:
        return {}
    return {
        "model": [
            {
                "text": printable(one.words.of(lang)),
                "contradicts": one.contradicts,
                "request": one.request,
            }
            for one in said
        ]
    }


def _properties(verdict: wire.Verdict, lang: Lang) -> Json:
    bag: Json = {
        "id": verdict.id,
        "verdict": verdict.verdict,
        "severity": verdict.severity,
        "grey": verdict.grey,
        "sentence": Words(verdict.retrieval_sentence, verdict.retrieval_sentence_en).of(lang),
        "measured": [
            {
                "fact": m.fact,
                "name": fact_words(m.fact).of(lang),
                "value": m.value,
                "unit": m.unit,
                "text": value_text(m.value, m.unit, lang),
                "ref": m.ref,
            }
            for m in verdict.measured
        ],
        "missing": [gap.fact for gap in verdict.missing],
        # a summed entry speaks for many places; report.json has all their refs
        "factRefs": [] if verdict.count else list(verdict.fact_refs),
        "records": [f"#{source.record}" for source in verdict.source_refs],
    }
    if verdict.limit:
        bag["limit"] = Words(verdict.limit.zh, verdict.limit.en).of(lang)
        bag["limitExpression"] = verdict.limit.expression
    if len(verdict.source_refs) > 1 + MAX_RELATED:
        bag["locationsOmitted"] = len(verdict.source_refs) - 1 - MAX_RELATED
    return bag
