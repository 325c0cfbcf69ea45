"""A run that is over, made again from what was kept of it and compared byte for byte.

With a model call everything behind it is kept: the plan and the pack, every request and reply.
So compose, review, gates and citations run again, and the whole record has to come out. Without
one, a record holds its results only; what follows from other fields of it, and from the sources
it cites, is worked out again.
"""

from collections.abc import Callable, Iterator
from typing import Any

from witmark.answers import gates, memory, release, runs
from witmark.answers import plain_fields as fields
from witmark.answers.answer import (
    Citation,
    Draft,
    DraftSentence,
    PublicAnswer,
    PublicSentence,
    ReleaseDecision,
    SentenceKind,
)
from witmark.answers.asking import (
    Backend,
    MissReason,
    QueryPlan,
    Readiness,
    ReadinessStatus,
    ResolvedScope,
    ScopeRecovery,
    ScopeRequest,
    ScopeSource,
)
from witmark.answers.atoms import AtomId, DocumentId
from witmark.answers.evidence_claims import ClaimStatus
from witmark.answers.graph_gates import checked
from witmark.answers.pack import GraphContextPack
from witmark.answers.phrases import paragraph
from witmark.answers.places import SourceText
from witmark.answers.plain import Plain, checks_plain, citation_plain, span_plain
from witmark.answers.plain_fields import Fields
from witmark.answers.ports import Composer
from witmark.kernel.canon import Digest, canonical_json
from witmark.kernel.errors import GarbledRecordError, ReplayDiffersError
from witmark.kernel.evidence import Basis, parse_ref
from witmark.kernel.gate import Check

Sources = Callable[[Digest], bytes]
"""The bytes of a source as it was when it was cited."""


# With everything behind it -----------------------------------------------------------


def rerun(record: Fields, plan: QueryPlan, pack: GraphContextPack, composer: Composer) -> None:
    """Compose, review, judge and write the run again.

    What was outside the pack is taken from the record: the scope, the memories, the scores and
    titles of its citations, and an abstention's words, which name the nearest titles.

    Raises:
        ReplayDiffersError: something else comes out; names the field.
        IntegrityError: what it was made from is not what was kept.
    """
    name = fields.text(record, "runId")
    try:
        again = runs.run_to_plain(_run(record, plan, pack, composer))
    except (ValueError, KeyError) as error:
        raise GarbledRecordError(f"no record of ours: {error}", place=name) from error
    hold(name, record, again)


def _run(
    record: Fields, plan: QueryPlan, pack: GraphContextPack, composer: Composer
) -> runs.KnowledgeRun:
    draft = composer.compose(plan, pack)
    if not draft.sentences:
        draft = Draft(tuple(_abstaining(record)), draft.model)
    review = release.reviewed(plan, pack, draft)
    kept = release.released(review, draft)
    published = kept if kept.sentences else Draft(tuple(_abstaining(record)))
    citations = release.cite(review, draft, titles=_titles(record), scores=_scores(record))
    day = fields.text(record, "generatedAt")
    cards = memory.review_cards(plan, pack, published.sentences, asked_on=day)
    actions, scope = tuple(_actions(record)), scope_of(fields.part(record, "scope"))
    answer = (
        release.public_answer(review, draft, citations, language=plan.language)
        if kept.sentences
        else _public_abstention(published, plan.language)
    )
    return runs.KnowledgeRun(
        generated_at=day,
        as_of=fields.text(record, "asOf"),
        session_id=fields.text(record, "sessionId"),
        backend=Backend(fields.text(record, "queryBackend")),
        plan=plan,
        scope=scope,
        pack=pack,
        published=published,
        review=review,
        answer=answer,
        citations=citations,
        quality=gates.quality(plan, scope, pack, published, cards=cards, actions=actions),
        cards=cards,
        actions=actions,
        model=draft.model,
    )


def _abstaining(record: Fields) -> Iterator[DraftSentence]:
    """The abstention that was published: it names titles that the library offered then."""
    for sentence, _ in fields.parts(fields.part(record, "answer"), "sentences"):
        if fields.text(sentence, "kind") == SentenceKind.ABSTENTION:
            text = fields.text(sentence, "text")
            yield DraftSentence(text, SentenceKind.ABSTENTION, Basis.OBSERVED, ())


def _public_abstention(published: Draft, language: str) -> PublicAnswer:
    said = tuple(PublicSentence(one.text, one.kind, ()) for one in published.sentences)
    return PublicAnswer(
        "".join(one.text for one in said), said, answered=False, language=language
    )


def _titles(record: Fields) -> dict[AtomId, str]:
    return {
        AtomId(fields.text(one, "atomId")): fields.text(one, "title")
        for one, _ in fields.parts(record, "citations")
    }


def _scores(record: Fields) -> dict[AtomId, float]:
    return {
        AtomId(fields.text(one, "atomId")): fields.number(one, "score")
        for one, _ in fields.parts(record, "citations")
    }


def _actions(record: Fields) -> Iterator[memory.MemoryAction]:
    names = ("kind", "status", "layer", "namespace", "memoryId")
    for one, _ in fields.parts(record, "memoryActions"):
        yield memory.MemoryAction(*(fields.text(one, name) for name in names))


# From the record alone ---------------------------------------------------------------


def recheck(record: Fields, sources: Sources) -> int:
    """Work out again what a record says that follows from other fields and from its sources.

    The answer's text from its sentences; each citation, and each fragment of a note that is
    cited, from its source; the decision of the review from its checks; verdict and share of the
    gates, and those gates that read cards, memories, claims and diagnostics; the counts. What
    was looked up in the index is not: no copy of that is kept.

    Returns:
        How many citations were read back in their sources.

    Raises:
        ReplayDiffersError: something else comes out; names the field.
        IntegrityError: a source that was cited is not what it was, or is gone.
    """
    name = fields.text(record, "runId")
    again = dict(record)
    answer = fields.part(record, "answer")
    told = [fields.text(one, "text") for one, _ in fields.parts(answer, "sentences")]
    kinds = {fields.text(one, "kind") for one, _ in fields.parts(answer, "sentences")}
    is_answered = bool(kinds - {SentenceKind.ABSTENTION.value})
    text = paragraph(told) if is_answered else "".join(told)
    again["answer"] = {**answer, "text": text, "answered": is_answered}
    again["citations"] = [
        _read_back(one, sources) for one, _ in fields.parts(record, "citations")
    ]
    again["graphContext"] = _graph(record, sources)
    again["answerReleaseReview"] = _review(record, is_answered=is_answered)
    again["quality"] = _quality(record)
    again["status"] = fields.text(fields.part(again, "quality"), "status")
    again["reviewCards"] = [_card(one) for one, _ in fields.parts(record, "reviewCards")]
    due = sorted(fields.text(one, "due") for one, _ in fields.parts(record, "reviewCards"))
    again["reviewState"] = {"pending": len(due), "nextDue": next(iter(due), "")}
    again["summary"] = _summary(record)
    hold(name, record, again)
    _hold_the_marks(name, record)
    return len(fields.items(record, "citations"))


def _read_back(one: Fields, sources: Sources) -> Plain:
    """A citation as its source has it at its offsets."""
    ref = parse_ref(fields.text(one, "ref"))
    path = fields.text(one, "sourcePath")
    whole = SourceText(path, sources(ref.blob), "und")
    span = whole.span(fields.count(one, "startOffset"), fields.count(one, "endOffset"))
    return citation_plain(
        Citation(
            citation_id=fields.text(one, "citationId"),
            atom_id=AtomId(fields.text(one, "atomId")),
            document_id=DocumentId(fields.text(one, "documentId")),
            source_path=path,
            title=fields.text(one, "title"),
            snippet=span.span.quote,
            span=span,
            ref=type(ref)(ref.blob, span.span.range),
            score=fields.number(one, "score"),
        )
    )


def _graph(record: Fields, sources: Sources) -> Plain:
    """The graph's context with every fragment of a cited note as that note has it."""
    graph = fields.part(record, "graphContext")
    kept = {fields.text(one, "sourceHash") for one, _ in fields.parts(record, "citations")}
    again = []
    for one, _ in fields.parts(graph, "fragments"):
        span = fields.part(one, "span")
        if fields.text(span, "sourceHash") in kept:
            again.append({**one, "span": _span_again(span, sources)})
        else:
            again.append(dict(one))
    return {**graph, "fragments": again}


def _span_again(span: Fields, sources: Sources) -> Plain:
    path, language = fields.text(span, "sourcePath"), fields.text(span, "language")
    whole = SourceText(path, sources(Digest(fields.text(span, "sourceHash"))), language)
    start, end = fields.count(span, "startOffset"), fields.count(span, "endOffset")
    return span_plain(whole.span(start, end))


def _review(record: Fields, *, is_answered: bool) -> Plain:
    """What the review decided follows from its checks, and from whether there is an answer."""
    told = fields.part(record, "answerReleaseReview")
    outcomes = [fields.text(check, "outcome") for check, _ in fields.parts(told, "checks")]
    decision = ReleaseDecision.REVISE
    if not is_answered:
        decision = ReleaseDecision.ABSTAIN
    elif all(outcome == "holds" for outcome in outcomes):
        decision = ReleaseDecision.RELEASE
    return {**told, "decision": decision.value}


def _fallback(record: Fields) -> Check:
    told = fields.part(fields.part(record, "graphContext"), "diagnostics")
    because = fields.text(told, "fallbackBecause")
    is_there = fields.flag(told, "graphOpsAvailable")
    holds = is_there or (fields.flag(told, "usedFallback") and bool(because))
    said = "the graph was asked" if is_there else because
    return checked("graph_op_fallback", holds, said or "no graph, and nobody says so")


def _quality(record: Fields) -> Plain:
    told = fields.part(record, "quality")
    claims = [fields.text(c, "status") for c, _ in fields.parts(record, "evidenceClaims")]
    good = sum(one in {ClaimStatus.VERIFIED, ClaimStatus.WEAK} for one in claims)
    holds = bool(claims) and good / len(claims) >= gates.LEAST_COVERAGE
    cards = [
        memory.ReviewCard(fields.text(c, "cardId"), "", AtomId(""), "")
        for c, _ in fields.parts(record, "reviewCards")
    ]
    because = f"{good} of {len(claims)} claims are supported"
    known = {
        check["name"]: check
        for check in checks_plain(
            [
                checked("evidence_coverage", holds, because),
                gates.recall_transfer(cards),
                gates.memory_governance(tuple(_actions(record))),
                _fallback(record),
            ]
        )
    }
    found = [known.get(fields.text(g, "name"), dict(g)) for g, _ in fields.parts(told, "gates")]
    outcomes = [(str(gate["name"]), str(gate["outcome"])) for gate in found]
    holding = sum(outcome == "holds" for _, outcome in outcomes)
    status = "pass" if holding == len(outcomes) else "caution"
    if any(name in gates.STRICT and outcome == "fails" for name, outcome in outcomes):
        status = "fail"
    return {
        "score": round(holding / len(outcomes), 6) if outcomes else 0.0,
        "status": status,
        "gates": found,
    }


def _card(one: Fields) -> Plain:
    question, atom, due = (fields.text(one, n) for n in ("question", "answerAtomId", "due"))
    return {**one, "cardId": memory.card_id(question, atom, due)}


def _summary(record: Fields) -> Plain:
    claims = [fields.text(c, "status") for c, _ in fields.parts(record, "evidenceClaims")]
    return {
        **fields.part(record, "summary"),
        "claimCounts": {one.value: claims.count(one.value) for one in ClaimStatus},
        "citationCount": len(fields.items(record, "citations")),
        "reviewCardCount": len(fields.items(record, "reviewCards")),
        "memoryActionCount": len(fields.items(record, "memoryActions")),
        "fragmentCount": len(fields.items(fields.part(record, "graphContext"), "fragments")),
    }


def _hold_the_marks(name: str, record: Fields) -> None:
    """Every mark of a sentence is a citation's, and every citation is some sentence's."""
    listed = [fields.text(one, "citationId") for one, _ in fields.parts(record, "citations")]
    sentences = fields.parts(fields.part(record, "answer"), "sentences")
    marks = {mark for one, _ in sentences for mark in fields.strings(one, "citationIds")}
    if marks != set(listed):
        raise ReplayDiffersError(
            f"{name}/citations", ", ".join(listed), ", ".join(sorted(marks))
        )


# Reading and comparing ---------------------------------------------------------------


def scope_of(plain: Fields) -> ResolvedScope:
    """A scope as a record holds it, as a value again."""
    readiness = fields.part(plain, "readiness")
    return ResolvedScope(
        request=_request(plain),
        scope_source=ScopeSource(fields.text(plain, "scopeSource")),
        matched_atom_count=fields.count(plain, "matchedAtomCount"),
        readiness=Readiness(
            ReadinessStatus(fields.text(readiness, "status")),
            fields.text(readiness, "message"),
            fields.count(readiness, "activeResourceCount"),
            fields.count(readiness, "activeProjectionCount"),
            fields.count(readiness, "indexedUnitCount"),
            fields.count(readiness, "indexedSegmentCount"),
            fields.count(readiness, "matchedDocumentCount"),
        ),
        recovery=_recovery(fields.part(plain, "scopeRecovery")),
    )


def _request(plain: Fields) -> ScopeRequest:
    return ScopeRequest(
        workspace_id=fields.text(plain, "workspaceId"),
        corpora=fields.strings(plain, "corpusIds"),
        document_ids=tuple(map(DocumentId, fields.strings(plain, "documentIds"))),
        atom_ids=tuple(map(AtomId, fields.strings(plain, "atomIds"))),
        path_prefixes=fields.strings(plain, "sourcePathPrefixes"),
        languages=fields.strings(plain, "languages"),
    )


def _recovery(plain: Fields) -> ScopeRecovery | None:
    if not plain:
        return None
    return ScopeRecovery(
        MissReason(fields.text(plain, "reason")),
        _request(fields.part(plain, "requestedScope")),
        tuple(map(DocumentId, fields.strings(plain, "recoveredDocumentIds"))),
        fields.strings(plain, "recoveredSourcePaths"),
    )


def hold(place: str, recorded: Fields, now: Fields) -> None:
    """Hold that two records are the same bytes.

    Raises:
        ReplayDiffersError: they are not; names the first field, in the record's order.
    """
    if canonical_json(dict(recorded)) != canonical_json(dict(now)):
        where, was, found = _difference(dict(recorded), dict(now))
        raise ReplayDiffersError(f"{place}{where}", _shown(was), _shown(found))


def _difference(was: Any, now: Any) -> tuple[str, object, object]:  # noqa: ANN401 - JSON
    if isinstance(was, dict) and isinstance(now, dict):
        for name in sorted({*was, *now}):
            if was.get(name, _ABSENT) != now.get(name, _ABSENT):
                where, old, new = _difference(was.get(name, _ABSENT), now.get(name, _ABSENT))
                return f"/{name}{where}", old, new
    if isinstance(was, list) and isinstance(now, list):
        for at, (old, new) in enumerate(zip(was, now, strict=False)):
            if old != new:
                where, before, after = _difference(old, new)
                return f"/{at}{where}", before, after
        return "", f"{len(was)} entries", f"{len(now)} entries"
    return "", was, now


_ABSENT = "nothing there"
_SHOWN_CHARS = 80


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
