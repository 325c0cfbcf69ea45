"""Durable records of asks: what was asked, what was found, what was said, how it was judged.

A ``knowledge_run`` keeps the graph context it rested on, so an answer can be inspected long
after the notes have changed. A run's id is the digest of its record: the same question on the
same notes at the same time is the same run, and a record that was edited has another name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from witmark.answers import plain_fields as fields
from witmark.answers.answer import Citation, Draft, PublicAnswer, ReleaseReview
from witmark.answers.asking import Backend, QueryPlan, ResolvedScope
from witmark.answers.context_records import (
    action_to_plain,
    answer_to_plain,
    card_to_plain,
    claim_to_plain,
    quality_to_plain,
)
from witmark.answers.evidence_claims import ClaimStatus, claims_of
from witmark.answers.gates import Quality
from witmark.answers.memory import MemoryAction, ReviewCard
from witmark.answers.model_draft import ModelDraft, ModelOutcome
from witmark.answers.pack import GraphContextPack
from witmark.answers.plain import (
    Plain,
    citation_plain,
    graph_context_plain,
    recovery_plain,
    review_plain,
    used_scope_plain,
)
from witmark.answers.plain_fields import Fields
from witmark.answers.ports import RunShelf
from witmark.kernel.canon import (
    canonical_json,
    canonical_object,
    digest_of,
    read_canonical,
    rounded,
)
from witmark.kernel.errors import GarbledRecordError, NothingThereError

SCHEMA = "knowledge_run/1"


@dataclass(frozen=True, slots=True)
class KnowledgeRun:
    """Everything one ask made.

    Attributes:
        generated_at: ISO date or time of the ask; the clock is the caller's.
        as_of: ISO date on which the answer is to hold.
        session_id: Empty outside a session.
        backend: How candidates were found.
        plan: The question.
        scope: Where it was looked for.
        pack: What was found.
        published: The part of the draft that was released.
        review: Of the draft.
        answer: What the reader got.
        citations: Its places.
        quality: The nine gates.
        cards: What to come back to.
        actions: What was done with memories.
        model: What asking a model came to, if one was asked.
    """

    generated_at: str
    as_of: str
    session_id: str
    backend: Backend
    plan: QueryPlan
    scope: ResolvedScope
    pack: GraphContextPack
    published: Draft
    review: ReleaseReview
    answer: PublicAnswer
    citations: tuple[Citation, ...]
    quality: Quality
    cards: tuple[ReviewCard, ...]
    actions: tuple[MemoryAction, ...]
    model: ModelDraft | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as it is kept.

    Attributes:
        plain: Every field, ``runId`` included.
        encoded: The canonical bytes of each field: a record is read and sent in parts.
    """

    plain: Plain
    encoded: Mapping[str, bytes]

    @classmethod
    def of(cls, run: KnowledgeRun) -> "RunRecord":
        """Make the record of a run."""
        record = _record(run)
        encoded = {name: canonical_json(value) for name, value in record.items()}
        name = _named(canonical_object(encoded))
        return cls({**record, "runId": name}, {**encoded, "runId": canonical_json(name)})

    @property
    def run_id(self) -> str:
        """Its name."""
        return str(self.plain["runId"])

    def to_bytes(self) -> bytes:
        """What is kept on the shelf."""
        return canonical_object(self.encoded)


def run_to_plain(run: KnowledgeRun) -> Plain:
    """The record of a run as plain data."""
    return RunRecord.of(run).plain


def _record(run: KnowledgeRun) -> Plain:
    """Every field of the record but its name ``runId``.

    Fields: ``schema, generatedAt, asOf, sessionId, queryBackend, question, intent, language,
    status`` (pass, caution, fail), ``scope, answer, citations, evidenceClaims, quality,
    reviewCards, reviewState{pending, nextDue}, answerReleaseReview, memoryActions,
    graphContext`` and ``summary`` (counts of claims by status, citations, cards, memory
    actions, fragments); ``modelDraft`` if a model was asked.
    """
    claims = claims_of(run.published, run.pack)
    due = sorted(card.due for card in run.cards)
    counts = {one.value: sum(c.status is one for c in claims) for one in ClaimStatus}
    record: Plain = {
        "schema": SCHEMA,
        "generatedAt": run.generated_at,
        "asOf": run.as_of,
        "sessionId": run.session_id,
        "queryBackend": run.backend.value,
        "question": run.plan.question,
        "intent": run.plan.intent.value,
        "language": run.plan.language,
        "status": run.quality.status.value,
        "scope": {
            **used_scope_plain(run.scope),
            "scopeRecovery": recovery_plain(run.scope.recovery),
        },
        "answer": answer_to_plain(run.answer),
        "citations": [citation_plain(one) for one in run.citations],
        "evidenceClaims": [claim_to_plain(one) for one in claims],
        "quality": quality_to_plain(run.quality),
        "reviewCards": [card_to_plain(one) for one in run.cards],
        "reviewState": {"pending": len(due), "nextDue": next(iter(due), "")},
        "answerReleaseReview": review_plain(run.review),
        "memoryActions": [action_to_plain(one) for one in run.actions],
        "graphContext": graph_context_plain(run.pack),
        "summary": {
            "claimCounts": counts,
            "citationCount": len(run.citations),
            "reviewCardCount": len(run.cards),
            "memoryActionCount": len(run.actions),
            "fragmentCount": len(run.pack.fragments),
        },
    }
    if run.model is not None:
        record["modelDraft"] = run.model.to_plain()
    return record


def run_id_of(record: Fields) -> str:
    """Name a record by what it holds, its own name aside."""
    return _named(canonical_json({n: v for n, v in record.items() if n != "runId"}))


def _named(encoded: bytes) -> str:
    return "run-" + digest_of(encoded).removeprefix("sha256:")[:24]


def keep_run(run: KnowledgeRun, shelf: RunShelf) -> str:
    """Put a run on the shelf; return its id. The same run twice is one.

    Raises:
        OutsideError: the shelf refuses.
    """
    record = RunRecord.of(run)
    keep_record(record, shelf)
    return record.run_id


def keep_record(record: RunRecord, shelf: RunShelf) -> None:
    """The same for a record that is made already.

    Raises:
        OutsideError: the shelf refuses.
    """
    shelf.put_run(record.run_id, record.to_bytes())


def read_run(shelf: RunShelf, run_id: str) -> Fields:
    """Read a run's record back.

    Raises:
        NothingThereError: there is no such run.
        GarbledRecordError: its bytes are not those that were named so.
    """
    if (raw := shelf.run(run_id)) is None:
        raise NothingThereError(
            "no such run", place=run_id, hint="`witmark runs` lists those that are kept"
        )
    return parse_run(raw, run_id)


def parse_run(raw: bytes, run_id: str) -> Fields:
    """Read a run's bytes; fields that a newer writer added stay in it.

    Raises:
        GarbledRecordError: it is not canonical, or not the record of that name.
    """
    record = fields.fields_of(read_canonical(raw, place=run_id), run_id)
    if record.get("runId") != run_id or run_id_of(record) != run_id:
        raise GarbledRecordError("it does not hold what its name says", place=run_id)
    return record


# Reports and history -----------------------------------------------------------------


def graph_signal(record: Fields) -> Plain:
    """How the graph did in a run.

    ``graphOpsAvailable, usedFallback, selectedAnchorReason, connectionPathCount,
    temporalWarningCount, supportNodeCount, supportNodeLimit, pathDepthLimit`` and
    ``missingLookupCount``, the path sources, predecessors and successors not found.
    """
    context = fields.part(record, "graphContext")
    told = fields.part(context, "diagnostics")
    missing = (
        "missingConnectionPathSourceAtomIds",
        "missingPredecessorAtomIds",
        "missingSuccessorAtomIds",
    )
    temporal = fields.part(context, "temporalValidity")
    return {
        "graphOpsAvailable": fields.flag(told, "graphOpsAvailable"),
        "usedFallback": fields.flag(told, "usedFallback"),
        "selectedAnchorReason": fields.text(told, "selectedAnchorReason"),
        "connectionPathCount": len(fields.items(context, "connectionPaths")),
        "temporalWarningCount": len(fields.items(temporal, "warningReasons")),
        "supportNodeCount": fields.count(told, "supportNodeCount"),
        "supportNodeLimit": fields.count(told, "supportNodeLimit"),
        "pathDepthLimit": fields.count(told, "pathDepthLimit"),
        "missingLookupCount": sum(len(fields.items(told, name)) for name in missing),
    }


def run_report(record: Fields) -> Plain:
    """A run in brief for an export (``runtime.knowledgeRunReports``).

    ``runId, generatedAt, asOf, sessionId, question, status, score, decision, citationCount,
    graphSignal`` and ``objections``, the names of the gates that do not hold; ``model``, if one
    was asked.
    """
    quality = fields.part(record, "quality")
    objections = [
        fields.text(gate, "name")
        for gate, _ in fields.parts(quality, "gates")
        if fields.text(gate, "outcome") != "holds"
    ]
    report: Plain = {
        "runId": fields.text(record, "runId"),
        "generatedAt": fields.text(record, "generatedAt"),
        "asOf": fields.text(record, "asOf"),
        "sessionId": fields.text(record, "sessionId"),
        "question": fields.text(record, "question"),
        "status": fields.text(record, "status"),
        "score": fields.number(quality, "score"),
        "decision": fields.text(fields.part(record, "answerReleaseReview"), "decision"),
        "citationCount": len(fields.items(record, "citations")),
        "objections": objections,
        "graphSignal": graph_signal(record),
    }
    if asked := fields.part(record, "modelDraft"):
        report["model"] = {
            "outcome": fields.text(asked, "outcome"),
            "total": fields.part(asked, "total"),
        }
    return report


def history(shelf: RunShelf, *, latest: int | None = None) -> Iterator[Plain]:
    """Reports of the runs on a shelf, oldest first.

    Args:
        shelf: Where they are kept.
        latest: Only so many of the newest; all when absent.

    Raises:
        GarbledRecordError: a record is not what was kept.
    """
    names: Sequence[str] = shelf.run_ids()
    for name in names if latest is None else names[max(0, len(names) - latest) :]:
        yield run_report(read_run(shelf, name))


def history_line(report: Fields) -> str:
    """One run on one line, its graph telemetry compact.

    >>> history_line({"runId": "run-1", "status": "pass", "question": "什么是水杯？"})
    'run-1    pass     cited 0  paths 0  support 0/0  warnings 0  missing 0  什么是水杯？'
    """
    signal = fields.part(report, "graphSignal")
    support = fields.count(signal, "supportNodeCount")
    cells = [
        fields.text(report, "runId"),
        fields.text(report, "generatedAt"),
        f"{fields.text(report, 'status'):<7}",
        f"cited {fields.count(report, 'citationCount')}",
        f"paths {fields.count(signal, 'connectionPathCount')}",
        f"support {support}/{fields.count(signal, 'supportNodeLimit')}",
        f"warnings {fields.count(signal, 'temporalWarningCount')}",
        f"missing {fields.count(signal, 'missingLookupCount')}",
        *(["fallback"] if fields.flag(signal, "usedFallback") else []),
        *([model_line(asked)] if (asked := fields.part(report, "model")) else []),
        fields.text(report, "question"),
    ]
    return "  ".join(cells)


def model_line(asked: Fields) -> str:
    """What a run's model calls took, in short.

    >>> model_line({"outcome": "used", "total": {"calls": 2, "durationMs": 40}})
    'model used: 2 calls, 0+0 tokens, 40 ms'
    >>> model_line({"outcome": "used", "total": {"calls": 1, "withoutTokens": 1}})
    'model used: 1 call, ?+? tokens, 0 ms'
    >>> model_line({"outcome": "used", "total": {"calls": 0}})
    'model used: a kept reply, no call'
    """
    total, outcome = fields.part(asked, "total"), fields.text(asked, "outcome")
    calls = fields.count(total, "calls")
    if not calls:
        return f"model {outcome}: {'a kept reply, ' if outcome in _REPLIES else ''}no call"
    took = [
        "1 call" if calls == 1 else f"{calls} calls",
        *_tokens(total),
    ]
    costs = fields.part(total, "costs")
    took += [f"{fields.number(costs, name):g} {name}" for name in sorted(costs)]
    took.append(f"{fields.count(total, 'durationMs')} ms")
    return f"model {outcome}: {', '.join(took)}"


def _tokens(total: Fields) -> Iterator[str]:
    """``?`` where no call was counted, and how many were not where some were."""
    without = fields.count(total, "withoutTokens")
    if without and without + fields.count(total, "failed") == fields.count(total, "calls"):
        yield "?+? tokens"
        return
    yield f"{fields.count(total, 'inputTokens')}+{fields.count(total, 'outputTokens')} tokens"
    if without:
        yield f"{without} not counted"


_REPLIES = frozenset({ModelOutcome.USED.value, ModelOutcome.ABSTAINED.value})


def model_calls(records: Iterable[Fields]) -> Plain:
    """Every model call of many runs, under OpenTelemetry's names, and all added up.

    ``calls[{runId, …}]`` and ``total``. A call that several records name is listed with the
    first of them only.
    """
    seen: dict[tuple[str, int], Plain] = {}
    for record in records:
        for call, _ in fields.parts(fields.part(record, "modelDraft"), "calls"):
            name = fields.text(call, "witmark.operation"), fields.count(call, "witmark.attempt")
            seen.setdefault(name, {"runId": fields.text(record, "runId"), **call})
    calls = list(seen.values())
    return {"calls": calls, "total": _added_up(calls)} if calls else {}


def _added_up(calls: Sequence[Plain]) -> Plain:
    costs: dict[str, float] = {}
    for call in calls:
        if currency := fields.text(call, "witmark.cost.currency"):
            spent = costs.get(currency, 0.0) + fields.number(call, "witmark.cost")
            costs[currency] = rounded(spent)
    return {
        "calls": len(calls),
        "gen_ai.usage.input_tokens": _sum(calls, "gen_ai.usage.input_tokens"),
        "gen_ai.usage.output_tokens": _sum(calls, "gen_ai.usage.output_tokens"),
        "witmark.cost": costs,
        "witmark.duration_ms": _sum(calls, "witmark.duration_ms"),
        "witmark.without_tokens": sum(_is_uncounted(call) for call in calls),
    }


def _is_uncounted(call: Plain) -> bool:
    """Whether a call was answered, and nobody knows with how many tokens."""
    counts = {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"}
    return "error.type" not in call and not counts <= call.keys()


def _sum(calls: Sequence[Plain], name: str) -> int:
    return sum(fields.count(call, name) for call in calls)


def release_audit(records: Iterable[Fields]) -> Plain:
    """What the release review did over many runs (``answerReleaseAuditSummary``).

    ``runCount, decisions{release, revise, abstain}, removedSentenceCount`` and
    ``objections``, how often each check did not hold.
    """
    decisions = {"release": 0, "revise": 0, "abstain": 0}
    objections: dict[str, int] = {}
    removed = total = 0
    for record in records:
        total += 1
        review = fields.part(record, "answerReleaseReview")
        decision = fields.text(review, "decision")
        decisions[decision] = decisions.get(decision, 0) + 1
        removed += fields.count(review, "removedSentenceCount")
        for check, _ in fields.parts(review, "checks"):
            if fields.text(check, "outcome") != "holds":
                name = fields.text(check, "name")
                objections[name] = objections.get(name, 0) + 1
    return {
        "runCount": total,
        "decisions": decisions,
        "removedSentenceCount": removed,
        "objections": objections,
    }
