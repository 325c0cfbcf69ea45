"""What a model says of a verdict. The verdict stays what the facts decide.

The model sees the rule, the facts of the place with those of the second look, its local
subgraph, what the whole graph counts around it, and its picture. What it says is kept beside
the verdict: an agreement, a contradiction, or an opinion on what the facts leave open. None of
them is counted.

Source: contract 000, section 5, "Final judgement"; ADR 13.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from witmark.kernel.model.outcome import Refused
from witmark.kernel.model.request import OutputSchema
from witmark.review import wire
from witmark.review.asking.roles import InferredFact
from witmark.review.asking.saying import not_measured, not_readable
from witmark.review.asking.sheets import Sheet, quoted, sheet_of, text_of
from witmark.review.asking.surroundings import Scene, surroundings
from witmark.review.asking.talking import Purpose, Question, Talk, subject_of
from witmark.review.asking.units import strangers
from witmark.review.deciding import ANCHOR_KIND
from witmark.review.judging import LEAST_ROLE_CONFIDENCE, Verdict, VerdictKind, judge
from witmark.review.rulebook.predicate import Predicate, facts_of, given
from witmark.review.rulebook.predicate import text as predicate_text
from witmark.review.rulebook.rule import Rule
from witmark.review.units import BrepFact, LocalSemanticUnit
from witmark.review.vocabulary import FACTS

SCHEMA = OutputSchema(wire.JUDGEMENT_REPLY, wire.reply_schema(wire.JudgementReply))
DECIDED = frozenset({VerdictKind.VIOLATED, VerdictKind.SATISFIED})
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says of one rule at one place, and what it cites."""

    subject: str
    says: VerdictKind
    confidence: float
    reason: str
    cited: tuple[BrepFact, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict to be asked about: the rule, and the answers of the second look."""

    verdict: Verdict
    rule: Rule
    answers: Mapping[str, BrepFact]


def ask_opinions(cases: Mapping[int, Case], scene: Scene, talk: Talk) -> dict[int, Opinion]:
    """Ask about some verdicts, by their position, in the order given."""
    if not talk.asks(Purpose.JUDGE):
        return {}
    found = {}
    for k, case in list(cases.items())[: talk.limits.judge]:
        unit = case.verdict.unit
        subject = subject_of(Purpose.JUDGE, case.rule.rule_id, unit.local_id)
        sheet = sheet_of([unit], case.answers.values())
        answer = talk.ask(
            Question(
                Purpose.JUDGE,
                subject,
                partial(worded, case, sheet, scene),
                [unit],
                SCHEMA,
                partial(read, case=case, sheet=sheet, subject=subject),
            )
        )
        if answer:
            found[k] = answer.value
    return found


def worded(case: Case, sheet: Sheet, scene: Scene, shown: Sequence[int]) -> str:
    """The question: the rule, the place and its facts, subgraph, graph facts, its picture."""
    rule, unit, shape = case.rule, case.verdict.unit, _shape(case)
    return "\n".join(
        [
            f"Rule: {rule.title.en} ({rule.title.zh})",
            f"Why: {rule.why.en}",
            f"required_model_facts: {', '.join(_required(case))}",
            *(f"{key}: {predicate_text(one)}" for key, one in shape),
            f"Component: {quoted(sheet.name)}",
            text_of(sheet),
            f"  location: {quoted(unit.semantic_location_en)}",
            *surroundings(unit, scene),
            "Picture 1 shows P1." if shown else "There is no picture.",
        ]
    )


def read(text: str, case: Case, sheet: Sheet, subject: str) -> Opinion | Refused:
    """A judgement that keeps the schema and every gate, or why it does not."""
    reply = wire.read_reply(wire.JudgementReply, text)
    if isinstance(reply, str):
        return Refused(reply)
    fault = next(_faults(reply, case, sheet), None)
    if fault is not None:
        return Refused(fault)
    return Opinion(
        subject,
        VerdictKind(reply.verdict),
        reply.inference_confidence,
        reply.reason,
        tuple(sheet.facts[handle] for handle in reply.facts),
        reply.missing,
    )


def _faults(reply: wire.JudgementReply, case: Case, sheet: Sheet) -> Iterator[str]:
    known, rule = sheet.facts, case.rule
    says = VerdictKind(reply.verdict)
    yield from strangers(reply.facts, known, "facts", needed=says in DECIDED)
    cited = [known[handle] for handle in reply.facts if handle in known]
    names = {fact.name for fact in cited}
    if says in DECIDED:
        yield from _uncited(names, case, known)
    measured = {fact.name for fact in known.values()}
    for k, name in enumerate(reply.missing):
        if name not in rule.required_facts:
            yield f"missing/{k}: name one of the facts that the rule reads"
        elif name in measured:
            yield f"missing/{k}: {name} is known"
    if says is VerdictKind.UNDETERMINED and not reply.missing:
        yield "missing: an undetermined rule names the facts that are missing"
    limits = frozenset(
        float(digits)
        for _, predicate in _shape(case)
        for digits in _DIGITS.findall(predicate_text(predicate))
    )
    if fault := not_readable("reason", reply.reason) or not_measured(
        "reason", reply.reason, cited, names=[sheet.name], also=limits
    ):
        yield fault


def _uncited(names: set[str], case: Case, known: Mapping[str, BrepFact]) -> Iterator[str]:
    """Who decides has to cite every required model fact that is about such a place."""
    kind = case.verdict.unit.anchor.kind
    measured = {fact.name for fact in known.values()}
    for name in _required(case):
        if name not in measured:
            yield f"verdict: {name} is not known of this {kind}; it stays undetermined"
        elif name not in names:
            yield f"facts: cite {name}, which the rule requires"


def _shape(case: Case) -> list[tuple[str, Predicate]]:
    """The rule's predicates as they stand for the kind of this place."""
    rule, kind = case.rule, case.verdict.unit.anchor.kind
    named = [
        ("applies_if", rule.applies_if),
        ("bad_if", rule.bad_if),
        ("good_if", rule.good_if),
        *(("unknown_if", one) for one in rule.unknown_if),
    ]
    return [(key, given(one, ANCHOR_KIND, kind)) for key, one in named]


def _required(case: Case) -> tuple[str, ...]:
    """The required model facts that the rule reads of such a place."""
    read = {name for _, predicate in _shape(case) for name in facts_of(predicate)}
    return tuple(name for name in case.rule.required_model_facts if name in read)


def with_roles(case: Case, inferred: Sequence[InferredFact]) -> VerdictKind | None:
    """What the rule's own predicates come to if inferred roles are taken as facts.

    ``None`` unless everything the rule lacks was inferred, and surely enough: a role never
    stands in for a fact that can be measured.
    """
    verdict = case.verdict
    if verdict.kind is not VerdictKind.UNDETERMINED:
        return None
    mine = {
        one.fact: BrepFact(one.fact, one.value, FACTS[one.fact].unit.value, one.confidence, "")
        for one in inferred
        if _same_place(one.unit, verdict.unit) and one.confidence >= LEAST_ROLE_CONFIDENCE
    }
    if not mine or any(missing.fact not in mine for missing in verdict.missing):
        return None
    again = judge(verdict.unit, case.rule, {**case.answers, **mine})
    return again.kind if isinstance(again, Verdict) else None


def _same_place(one: LocalSemanticUnit, other: LocalSemanticUnit) -> bool:
    return one.component_id == other.component_id and one.anchor.id == other.anchor.id
