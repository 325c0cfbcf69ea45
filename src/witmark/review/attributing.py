"""Who said what: the model's part of a report, marked as such and kept apart.

Nothing here decides. Every entry names the question it answers (its subject); the list of
questions names the model and the digest of the request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witmark.kernel.canon import Digest, canonical_json, digest_of
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.store import BlobStore
from witmark.review.advising import Advice, refs
from witmark.review.asking.opinions import Opinion
from witmark.review.asking.talking import (
    INVALID,
    OTHERWISE,
    Ending,
    Purpose,
    Said,
    Talk,
    ledger_of,
)
from witmark.review.facts import FactsBlob
from witmark.review.judging import Verdict, VerdictKind
from witmark.review.reporting import ONE_BY_ONE
from witmark.review.wording import shown_name

Plain = dict[str, Any]

DESCRIPTIONS = "diagnostic_context/interface_function_descriptions.json"
COMPANION = "diagnostic_context/interface_function_descriptions.md"
DESCRIPTIONS_SCHEMA = "interface_function_descriptions_v1"


_NOTICES = {
    Ending.ACCEPTED: "",
    Ending.REJECTED: "model-refused",
    Ending.REFUSED_NOW: "model-refused-now",
    Ending.NOT_RECORDED: "model-not-recorded",
}
"""The notice that an ending is counted in; every other one is an answer that is missing."""


def record_file(subject: str) -> str:
    """Where the record of a question lies in the report's folder."""
    return f"model/journals/{subject}.jsonl"


@dataclass(frozen=True, slots=True)
class Part:
    """The model's part of one review: what was said, and the records that show it."""

    talk: Talk
    advice: Advice
    records: Mapping[str, bytes]

    def to_plain(self, verdicts: Sequence[Verdict], rows: Sequence[Mapping[str, Any]]) -> Plain:
        """The report's ``model``.

        Args:
            verdicts: As they were judged; opinions are by position among them.
            rows: The report's verdicts, made from these.
        """
        talk, advice = self.talk, self.advice
        return {
            "purposes": sorted(talk.purposes),
            "limits": talk.limits.to_plain(),
            "prompts": [_prompt(p, talk.prompts[p]) for p in sorted(talk.purposes)],
            "said": [_said(one) for one in talk.said],
            "records": [_record(s, self.records[s]) for s in sorted(self.records)],
            "images": [
                {
                    "subject": subject,
                    "shows": at,
                    "digest": shown.digest,
                    "visible_pixels": shown.visible_pixels,
                }
                for subject, at, shown in talk.images
            ],
            "inferred": advice.inferred.digest,
            "units": _units(advice),
            "roles": _roles(advice),
            "opinions": _opinions(advice, verdicts, _row_ids(verdicts, rows)),
            "interfaces": len(advice.interfaces),
            "contacts": advice.contacts.digest,
            "ledger": ledger_of(self.records).to_plain(),
        }

    def files(self, first: FactsBlob) -> dict[str, bytes]:
        """What stands beside the report: records, and the descriptions of interfaces."""
        described = interface_descriptions(self.advice, first, self.talk.said)
        return {
            **{record_file(subject): raw for subject, raw in self.records.items()},
            DESCRIPTIONS: canonical_json(described),
            COMPANION: companion(described).encode(),
        }

    def notices(self) -> list[Plain]:
        """What a reader must know of questions that nobody answered."""
        by: dict[str, list[Said]] = {}
        for one in self.talk.said:
            by.setdefault(_NOTICES.get(one.ending, "model-unanswered"), []).append(one)
        refused, lost = by.get("model-refused", []), by.get("model-not-recorded", [])
        fallen, silent = by.get("model-refused-now", []), by.get("model-unanswered", [])
        skipped = self.advice.contacts.data["skipped_pairs"]
        counted = (
            ("model-refused", len(refused), _too_late(refused)),
            ("model-refused-now", len(fallen), fallen[0].because if fallen else ""),
            ("model-not-recorded", len(lost), lost[0].because if lost else ""),
            ("model-unanswered", len(silent), silent[0].because if silent else ""),
            ("contacts-left-out", skipped, ""),
        )
        asked = len(self.talk.said)
        return [
            {
                "code": code,
                "subject": "",
                "detail": f"{count}/{asked}{f': {why}' if why else ''}"
                if code != "contacts-left-out"
                else str(count),
            }
            for code, count, why in counted
            if count
        ]


def _too_late(refused: Sequence[Said]) -> str:
    """That a number in the settings came too late, in the words of the first it did."""
    late = (one.because for one in refused if one.because.startswith(f"{INVALID}: "))
    told = next(late, "").removeprefix(f"{INVALID}: ")
    return told.removesuffix(f", {OTHERWISE}")


def blobs_of(records: Mapping[str, bytes], store: BlobStore) -> list[bytes]:
    """The blobs that these records name: schemas and pictures."""
    named: dict[Digest, None] = {}
    for subject in sorted(records):
        for entry in _entries(records[subject], subject):
            named.update(dict.fromkeys(entry))
    return [store.get(name) for name in sorted(named)]


def _entries(raw: bytes, subject: str) -> list[tuple[Digest, ...]]:
    from witmark.kernel.journal import parse_journal  # noqa: PLC0415

    return [entry.blobs for entry in parse_journal(raw, place=record_file(subject))]


def _prompt(purpose: Purpose, prompt: Prompt) -> Plain:
    return {"purpose": purpose.value, "name": prompt.name, "digest": prompt.digest}


def _said(one: Said) -> Plain:
    return {
        "subject": one.subject,
        "purpose": one.purpose.value,
        "outcome": one.ending.value,
        "because": one.because,
        "request": one.request,
        "model": one.model,
    }


def _record(subject: str, raw: bytes) -> Plain:
    return {
        "subject": subject,
        "file": record_file(subject),
        "digest": digest_of(raw),
        "head": digest_of(raw.rstrip(b"\n").rpartition(b"\n")[2]),
    }


def _units(advice: Advice) -> list[Plain]:
    return [
        {
            "subject": one.subject,
            "local_id": one.unit.local_id,
            "component_id": one.unit.component_id,
            "primary_view": one.unit.primary_view,
            "pattern_type": one.unit.pattern_type,
            "retrieval_sentence": one.unit.retrieval_sentence,
            "retrieval_sentence_en": one.unit.retrieval_sentence_en,
            "inferred_functions": list(one.unit.inferred_functions),
            "fact_refs": refs(one.cited),
        }
        for one in advice.heard.proposed
    ]


def _roles(advice: Advice) -> list[Plain]:
    return [
        {
            "subject": one.subject,
            "component_id": one.component_id,
            "component_name": one.component_name,
            "anchor": one.unit.anchor.id if one.unit else None,
            "semantic_location": one.unit.semantic_location if one.unit else "",
            "semantic_location_en": one.unit.semantic_location_en if one.unit else "",
            "inferred_role": one.inferred_role,
            "confidence": one.confidence,
            "reason": one.reason,
            "fact_refs": refs(one.cited),
        }
        for one in advice.heard.roles.roles
    ]


def _row_ids(verdicts: Sequence[Verdict], rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The row that each verdict stands in: its own, or the one that sums it up."""
    summed = {
        (row["component_id"], row["rule_id"], row["verdict"]): row["id"]
        for row in rows
        if "count" in row
    }
    singly = iter(row["id"] for row in rows if "count" not in row)
    return {
        k: next(singly)
        if one.kind in ONE_BY_ONE
        else summed[one.unit.component_id, one.rule_id, one.kind.value]
        for k, one in enumerate(verdicts)
    }


def _opinions(
    advice: Advice, verdicts: Sequence[Verdict], ids: Mapping[int, str]
) -> list[Plain]:
    told = sorted({*advice.opinions, *advice.with_roles})
    return [
        _opinion(verdicts[k], ids[k], advice.opinions.get(k), advice.with_roles.get(k))
        for k in told
    ]


def _opinion(
    verdict: Verdict, row: str, opinion: Opinion | None, roles: VerdictKind | None
) -> Plain:
    return {
        "verdict": row,
        "rule_id": verdict.rule_id,
        "component_id": verdict.unit.component_id,
        "subject": opinion.subject if opinion else None,
        "says": opinion.says.value if opinion else None,
        "agrees": agrees(verdict.kind, opinion.says) if opinion else None,
        "basis": "inferred",
        "confidence": opinion.confidence if opinion else 0.0,
        "reason": opinion.reason if opinion else "",
        "fact_refs": refs(opinion.cited) if opinion else [],
        "missing": list(opinion.missing) if opinion else [],
        "with_roles": roles.value if roles else None,
    }


def agrees(decided: VerdictKind, says: VerdictKind) -> bool | None:
    """Whether a model says what the facts say; ``None`` where the facts leave it open."""
    if decided is VerdictKind.UNDETERMINED:
        return True if says is decided else None
    return says is decided


# Interfaces -------------------------------------------------------------------------


def interface_descriptions(advice: Advice, first: FactsBlob, said: Sequence[Said]) -> Plain:
    """Every physical interface that was found, and what a model says it is for.

    An interface that nobody described stands there all the same, without a function.
    Source: contract 000, section 1.
    """
    told = {one.pair: one for one in advice.interfaces}
    by = {one.subject: one for one in said}
    data: Mapping[str, Any] = advice.contacts.data
    names = _real_names(first)
    roles = {
        one.component_id: one.inferred_role for one in advice.heard.roles.roles if not one.unit
    }
    interfaces = []
    for k, pair in enumerate(data["pairs"]):
        one = told.get(k)
        interfaces.append(
            {
                "interface_id": f"interface_{k + 1}",
                "components": [
                    {
                        "component_id": pair[side],
                        "solidworks_name": names[pair[side]][0],
                        "component_file_name": names[pair[side]][1],
                        "shown_name": names[pair[side]][2],
                        "inferred_role": roles.get(pair[side], ""),
                    }
                    for side in ("a", "b")
                ],
                "contacts": [
                    {
                        "kind": contact["kind"],
                        "gap_mm": contact["gap_mm"],
                        "area_mm2": contact["area_mm2"],
                        "method": contact["method"],
                        "at_mm": contact["at_mm"],
                        "ref": advice.contacts.ref("pairs", k, "contacts", n),
                    }
                    for n, contact in enumerate(pair["contacts"])
                ],
                "contacts_left_out": pair["left_out"],
                "function": one.function if one else None,
                "description": one.description if one else None,
                "confidence": one.confidence if one else None,
                "contact_refs": list(one.refs) if one else [],
                "said_by": by[one.subject].model if one else None,
                "request": by[one.subject].request if one else None,
            }
        )
    return {
        "schema": DESCRIPTIONS_SCHEMA,
        "facts": first.digest,
        "contacts": advice.contacts.digest,
        "interfaces": interfaces,
        "skipped_pairs": data["skipped_pairs"],
    }


def _real_names(first: FactsBlob) -> dict[str, tuple[str, str, str]]:
    data: Mapping[str, Any] = first.data
    return {
        one["component_id"]: (
            one["name"],
            data["parts"][one["part"]]["name"],
            shown_name(one["name"], data["parts"][one["part"]]["name"], one["component_id"]),
        )
        for one in data["instances"]
    }


def companion(described: Mapping[str, Any]) -> str:
    """The same for people, as Markdown; a name from a file cannot become markup."""
    lines = ["# Interface functions", ""]
    if not described["interfaces"]:
        lines.append("No two components were found to touch.")
    for one in described["interfaces"]:
        names = " – ".join(_plain_text(c["shown_name"]) for c in one["components"])
        lines += [f"## {one['interface_id']}: {names}", ""]
        if one["function"] is None:
            lines.append("No function was described.")
        else:
            lines.append(
                f"**{_plain_text(one['function'])}** (inferred, "
                f"confidence {one['confidence']:.2f}, said by {_plain_text(one['said_by'])}): "
                f"{_plain_text(one['description'])}"
            )
        lines.append("")
        lines += [
            f"- {c['kind']}: gap {c['gap_mm']} mm, area about {c['area_mm2']} mm² "
            f"({c['method']})"
            for c in one["contacts"]
        ]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


_MARKUP = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>()#+-.!|&~"} | {"\n": " ", "\r": " "})


def _plain_text(text: str) -> str:
    return text.translate(_MARKUP)
