"""A diagnosis as SARIF 2.1.0: what was decided about each hypothesis, and where to look.

| in the diagnosis | kind | level |
|---|---|---|
| the hypothesis that a confirmed cause rests on | ``fail`` | ``error`` |
| a hypothesis that is unresolved, or was not evaluated | ``open`` | ``none`` |
| another one that is supported | ``review`` | ``none`` |
| one that does not hold | ``pass`` | ``none`` |
| a suspect | ``review`` | ``none`` |

No place is invented: a result is where a finding, or the ranking, says it is.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from witmark.adapters.case_sentences import in_chinese
from witmark.adapters.case_words import CAUSES, FINAL, HONEST, LEVELS, STATES, STATUS
from witmark.adapters.sarif.case_places import (
    CASE,
    ROOT,
    Json,
    defined,
    fingerprint,
    framed,
    location_of,
    one_line,
    physical,
)
from witmark.adapters.sarif.log import MAX_RELATED, SCHEMA
from witmark.adapters.sarif.text import message, plain
from witmark.diagnosis.case import InputKind
from witmark.diagnosis.decision import Evaluation, FinalState, Status
from witmark.diagnosis.findings import CodeLocation, Direction, Finding, FindingId
from witmark.diagnosis.hypotheses import CauseClass, HypothesisEnd
from witmark.diagnosis.report import CaseReport, Looked, Stack
from witmark.review.words import Lang, Words, look_up

SUSPECT = "suspect"
_SUSPECT = Words("可疑位置", "A place to look at")
_SUSPECT_HELP = Words(
    "按证据排出的位置；排名本身不构成结论。",
    "A place that is ranked by what was found; a rank alone is never a conclusion.",
)
_MOST_SUSPECTS = 20


def render_case_sarif(report: CaseReport, lang: Lang) -> bytes:
    """A diagnosis as SARIF 2.1.0 (errata 01), as UTF-8 JSON.

    Args:
        report: The diagnosis.
        lang: Language of our own words; what the case says stays in its own.

    Returns:
        The same bytes for the same arguments.
    """
    writer = _Writer(report, lang)
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [writer.run()]}
    return json.dumps(log, ensure_ascii=False, sort_keys=True).encode() + b"\n"


class _Writer:
    """One run being written: which rules there are, and in which order."""

    def __init__(self, report: CaseReport, lang: Lang) -> None:
        self._report, self._lang = report, lang
        self._rules = [*(cause.value for cause in CauseClass), SUSPECT]
        self._findings = {one.id: one for one in report.findings}
        self._seen: Counter[str] = Counter()

    def run(self) -> Json:
        """The whole run."""
        report = self._report
        results = [
            *(self._hypothesis(one) for one in self._ordered()),
            *(self._suspect(one) for one in report.suspects[:_MOST_SUSPECTS]),
        ]
        return {
            "tool": {"driver": self._driver()},
            "language": "zh-CN" if self._lang == "zh" else "en",
            "columnKind": "unicodeCodePoints",
            "automationDetails": {"id": f"witmark/diagnose/{report.name}/"},
            "originalUriBaseIds": {
                ROOT: {"description": {"text": "The source tree that was analysed."}},
                CASE: {"description": {"text": "The folder of the case."}},
            },
            "artifacts": self._artifacts(),
            "invocations": [self._invocation()],
            "results": results,
            "properties": self._properties(),
        }

    def _words(self, text: str) -> str:
        """A sentence of the desk in the language of the log, any other one as it is."""
        zh = in_chinese(text) if self._lang == "zh" else None
        return one_line(zh or text)

    # the run

    def _driver(self) -> Json:
        return {
            "name": "Witmark",
            "version": self._report.made_by,
            "semanticVersion": self._report.made_by,
            "language": "zh-CN" if self._lang == "zh" else "en",
            "rules": [self._rule(one) for one in self._rules],
        }

    def _rule(self, name: str) -> Json:
        if name == SUSPECT:
            title, help_ = _SUSPECT.of(self._lang), _SUSPECT_HELP.of(self._lang)
        else:
            title, help_ = look_up(CAUSES, name).of(self._lang), HONEST.of(self._lang)
        return {
            "id": name,
            "shortDescription": plain(title),
            "fullDescription": plain(title),
            "help": plain(help_),
            "defaultConfiguration": {"level": "none" if name == SUSPECT else "error"},
            "properties": {"tags": ["diagnosis"]},
        }

    def _artifacts(self) -> list[Json]:
        """The files that a place of the report is in, each once."""
        report = self._report
        shown = {place.path for place in report.places.values()}
        sources = {p.path: p.source_path for p in report.places.values() if p.source_path}
        return [
            {
                "location": location_of(one.path, sources.get(one.path, "")),
                "length": one.size,
                "hashes": {"sha-256": one.digest.removeprefix("sha256:")},
                "roles": ["analysisTarget"] if one.kind is InputKind.SOURCE else ["attachment"],
            }
            for one in report.given
            if one.path in shown
        ]

    def _invocation(self) -> Json:
        notes = [
            {
                "descriptor": {"id": "not-looked-at"},
                "level": "note",
                "message": message(self._words(one)),
            }
            for one in self._report.not_looked_at
        ]
        return {"executionSuccessful": True, "toolExecutionNotifications": notes}

    def _properties(self) -> Json:
        report = self._report
        said = report.feedback[-1].said if report.feedback else None
        return {
            "case": report.name,
            "revision": report.revision,
            "status": report.diagnosis.status.value,
            "statusText": look_up(STATUS, report.diagnosis.status.value).of(self._lang),
            "stateText": look_up(STATES, report.state.value).of(self._lang),
            "routing": report.routing.value,
            "decidedByEmbeddedAnalyst": report.is_embedded,
            "reviewActions": [self._words(one) for one in report.diagnosis.review_actions],
            "bindings": dict(report.bindings),
            "feedback": None if said is None else said.verdict.value,
        }

    # the results

    def _ordered(self) -> Sequence[HypothesisEnd]:
        """The selected hypothesis first, the others in their order."""
        selected = self._report.diagnosis.selected_hypothesis_id
        return sorted(self._report.ends, key=lambda one: one.hypothesis.id != selected)

    def _hypothesis(self, end: HypothesisEnd) -> Json:
        report, one = self._report, end.hypothesis
        evaluations = {e.hypothesis_id: e for e in report.diagnosis.evaluations}
        said = evaluations.get(one.id)
        is_cause = (
            report.diagnosis.status is Status.CONFIRMED
            and report.diagnosis.selected_hypothesis_id == one.id
        )
        cause = report.diagnosis.root_cause if is_cause else None
        cited = cause.evidence_ids if cause is not None else _for(said)
        findings = [self._findings[name] for name in cited if name in self._findings]
        place = self._place_of(end, findings, is_cause=is_cause)
        told = self._told(end, said) if cause is None else self._words(cause.summary)
        more = self._stacks(findings) if is_cause else {}
        return {
            **self._result(one.cause_class.value, told, place),
            "kind": "fail" if is_cause else _kind(said),
            "level": "error" if is_cause else "none",
            **self._related(findings),
            **more,
            "properties": {
                "hypothesis": one.id,
                "statement": self._words(one.statement),
                "state": said.state.value if said else "not_evaluated",
                "support": (
                    report.diagnosis.confidence if is_cause else report.levels[one.id]
                ).value,
                "findings": list(cited),
                "contradictedBy": list(said.contradicting_evidence_ids) if said else [],
                "openQuestions": [self._words(q) for q in end.open_questions],
            },
        }

    def _told(self, end: HypothesisEnd, said: Evaluation | None) -> str:
        colon, stop = ("：", "。") if self._lang == "zh" else (": ", ". ")
        cause = look_up(CAUSES, end.hypothesis.cause_class.value).of(self._lang)
        if said is None:
            return f"{cause}{colon}{self._words(end.hypothesis.statement)}"
        state = look_up(FINAL, said.state.value).of(self._lang)
        return f"{cause}{colon}{state}{stop}{self._words(said.reason)}"

    def _place_of(
        self, end: HypothesisEnd, findings: Sequence[Finding], *, is_cause: bool
    ) -> CodeLocation | None:
        """Where the cause is, or the best ranked place that speaks for a hypothesis."""
        if is_cause:
            there = [one.suspect.location for one in self._report.suspects if one.is_cause]
            return next(iter(there), next((f.location for f in findings if f.location), None))
        name = end.hypothesis.id
        spoken = {f.location for f in findings if f.bears_on.get(name) is Direction.FOR}
        ranked = [one.suspect.location for one in self._report.suspects]
        return next((one for one in ranked if one in spoken), None)

    def _suspect(self, one: Looked) -> Json:
        place, suspect = one.suspect.location, one.suspect
        level = look_up(LEVELS, suspect.level.value).of(self._lang)
        name = " ".join(filter(None, (one_line(place.path), one_line(place.name))))
        rank = Words(f"第 {suspect.rank} 位", f"Number {suspect.rank} to look at")
        stands = Words(f"仅凭排名：{level}", f"by rank alone: {level}").of(self._lang)
        if one.is_cause:
            stands = Words("确认的根因在此", "the confirmed cause is here").of(self._lang)
        findings = [self._findings[f] for f in suspect.findings if f in self._findings]
        told = Words(f"{rank.zh}：{name}（{stands}）", f"{rank.en}: {name} ({stands})")
        return {
            **self._result(SUSPECT, told.of(self._lang), place),
            "kind": "review",
            "level": "none",
            "rank": round(100.0 / suspect.rank, 1),
            **self._related(findings),
            "properties": {
                "place": suspect.rank,
                "support": suspect.level.value,
                "isCause": one.is_cause,
                "findings": list(suspect.findings),
                "features": dict(sorted(suspect.features.items())),
            },
        }

    def _result(self, rule: str, told: str, place: CodeLocation | None) -> Json:
        print_ = fingerprint(rule, place)
        self._seen[print_] += 1
        return {
            "ruleId": rule,
            "ruleIndex": self._rules.index(rule),
            "message": message(one_line(told)),
            "locations": [] if place is None else [defined(place)],
            "partialFingerprints": {"witmarkPlace/v1": f"{print_}:{self._seen[print_]}"},
        }

    # what it rests on

    def _related(self, findings: Iterable[Finding]) -> Json:
        quotes = [(one, quote) for one in findings for quote in one.quotes]
        found = []
        for one, quote in quotes[:MAX_RELATED]:
            place = self._report.places.get(quote.ref)
            if place is not None:
                found.append((one, quote, place))
        if not found:
            return {}
        return {
            "relatedLocations": [
                {
                    "id": number,
                    "physicalLocation": physical(place, quote),
                    "message": message(f"{one.id}: {self._words(one.statement)}"),
                    "properties": {"finding": one.id, "ref": str(quote.ref)},
                }
                for number, (one, quote, place) in enumerate(found, 1)
            ]
        }

    def _stacks(self, findings: Sequence[Finding]) -> Json:
        """The call stacks that the cause rests on, innermost frame first, and as a flow."""
        cited = {one.id for one in findings}
        stacks = [
            stack
            for stack in self._report.stacks
            if any(f.finding is not None and f.finding.id in cited for f in stack.frames)
        ][:1]  # the same stack may stand in two places; one says it
        if not stacks:
            return {}
        return {
            "stacks": [self._stack(one) for one in stacks],
            "codeFlows": [
                {"threadFlows": [{"locations": flow}]}
                for one in stacks
                if (flow := [{"location": framed(f)} for f in one.frames if f.finding])
            ],
        }

    def _stack(self, stack: Stack) -> Json:
        words = ": ".join(filter(None, (stack.exception, stack.message))) or stack.language
        frames = [{"location": framed(one)} for one in reversed(stack.frames)]
        return {"message": message(one_line(words)), "frames": frames}


def _kind(said: Evaluation | None) -> str:
    if said is None:
        return "open"
    return {
        FinalState.SUPPORTED: "review",
        FinalState.UNRESOLVED: "open",
        FinalState.NOT_SUPPORTED: "pass",
        FinalState.FACTUALLY_REJECTED: "pass",
    }[said.state]


def _for(said: Evaluation | None) -> tuple[FindingId, ...]:
    if said is None:
        return ()
    return said.supporting_evidence_ids or said.contradicting_evidence_ids
