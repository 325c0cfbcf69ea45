"""From facts to verdicts: propose, retrieve, judge, look again, judge again.

Pure: the same facts, rulebook and second looks give the same decision, so `witmark verify`
runs this very code on stored blobs. Nothing here opens a file or a CAD kernel.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from witmark.kernel.gate import GateReport
from witmark.review import gates
from witmark.review.advising import Advice, Heard, consult, listen
from witmark.review.asking.opinions import Case
from witmark.review.asking.talking import Talk
from witmark.review.assembly import ReviewScope
from witmark.review.candidates import Candidates
from witmark.review.facts import FactsBlob, second_facts_of
from witmark.review.judging import FactRequest, Verdict, judge, judge_all
from witmark.review.ports import Rulebook
from witmark.review.proposing import propose
from witmark.review.units import BrepFact, FactValue, LocalSemanticUnit
from witmark.review.vocabulary import FACTS

SecondLook = Callable[[int, int, str], FactValue]
"""Measure one more fact of a feature: (part, feature, fact name) -> value, ``None`` unknown."""

Question = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Request:
    """One fact that a judge asked for at one place, and what the second look found."""

    unit: LocalSemanticUnit
    fact: str
    suggested_extraction: str
    answer: BrepFact


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that was decided about one facts blob."""

    units: tuple[LocalSemanticUnit, ...]
    admitted: GateReport
    verdicts: tuple[Verdict, ...]
    requests: tuple[Request, ...]
    second: FactsBlob | None  # None: nobody asked
    advice: Advice | None = None  # None: no model had a part in it


class UnitsRefusedError(AssertionError):
    """A unit of ours was not neutral or out of scope. The bug is ours, not the file's."""


@dataclass(frozen=True, slots=True)
class Consulted:
    """A model's part in a review: the talk, and the contacts that it is told of."""

    talk: Talk
    contacts: FactsBlob


def judge_facts(
    first: FactsBlob,
    book: Rulebook,
    look: SecondLook,
    model: Consulted | None = None,
) -> Judged:
    """Judge every place by the rules that retrieval returns for it.

    A judge who lacks a fact that can be extracted asks once; all questions are answered
    together, then the same judge decides with the answers. A model, where there is one, is
    heard before retrieval and after judging; the verdicts are those of the facts.

    Args:
        first: The facts.
        book: The rules.
        look: Answers what a judge asks for.
        model: Who is asked beside the facts; ``None`` asks nobody.

    Raises:
        UnitsRefusedError: a proposed unit did not pass its gates.
    """
    units = propose(first)
    admitted = _admitted(units, first)
    heard = Heard(units)
    if model is not None:
        heard = listen(units, model.contacts, first, model.talk)
        admitted = _admitted(heard.units, first)
    opened = _opened(units, heard.units, book)
    second, answers = _answered(first, opened, look)
    verdicts = _told_once(_closed(found, book, answers) for found in opened)
    requests = _requests(opened, answers)
    advice = None
    if model is not None:
        cases = _cases(verdicts, book, answers)
        advice = consult(cases, heard, first, model.contacts, model.talk)
    return Judged(heard.units, admitted, verdicts, requests, second, advice)


def _admitted(units: tuple[LocalSemanticUnit, ...], first: FactsBlob) -> GateReport:
    admitted = gates.admits_units(units, _context(first))
    if not admitted.admits and units:
        raise UnitsRefusedError("; ".join(c.because for c in admitted.checks if c.because))
    return admitted


def _opened(
    measured: Sequence[LocalSemanticUnit], heard: Sequence[LocalSemanticUnit], book: Rulebook
) -> list[Verdict | FactRequest]:
    """What each unit's rules come to: those of the measured units first, then further ones.

    A unit is looked up as it was measured, and once more as it was heard, so that a model's
    words can find a rule and never hide one.
    """
    finder = Candidates(book.index)
    now = {unit.local_id: unit for unit in heard}
    opened: list[Verdict | FactRequest] = []
    tried: dict[tuple[str, str], set[str]] = {}
    for unit in measured:
        found = finder.find(unit)
        here = tried.setdefault((unit.component_id, unit.anchor.id), set())
        here.update(one.rule_id for one in found)
        opened.extend(judge_all(now.get(unit.local_id, unit), found, book.store))
    known = {unit.local_id: unit for unit in measured}
    for unit in heard:
        if known.get(unit.local_id) != unit:
            here = tried[unit.component_id, unit.anchor.id]
            more = [one for one in finder.find(unit) if one.rule_id not in here]
            here.update(one.rule_id for one in more)
            opened.extend(judge_all(unit, more, book.store))
    return opened


def _cases(
    verdicts: Sequence[Verdict], book: Rulebook, answers: Mapping[Question, BrepFact]
) -> dict[int, Case]:
    """Every verdict with its rule, and with what the second look found at its place."""
    found: dict[tuple[int, int], dict[str, BrepFact]] = {}
    for (part, feature, name), answer in answers.items():
        found.setdefault((part, feature), {})[name] = answer
    return {
        k: Case(v, book.store.open(v.rule_id), _answers_at(v.unit, found))
        for k, v in enumerate(verdicts)
    }


def _answers_at(
    unit: LocalSemanticUnit, found: Mapping[tuple[int, int], Mapping[str, BrepFact]]
) -> Mapping[str, BrepFact]:
    return found.get(_place_of(unit), {}) if unit.anchor.id.count("/") == 3 else {}


def _told_once(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """One verdict per rule, component, location and anchor.

    Source: contract 000, section 5, "Runtime retrieval dedup policy".
    """
    shown: dict[tuple[str, ...], Verdict] = {}
    for one in verdicts:
        unit = one.unit
        key = (one.rule_id, unit.component_id, unit.semantic_location, unit.anchor.id)
        shown.setdefault(key, one)
    return tuple(shown.values())


def _context(first: FactsBlob) -> frozenset[str]:
    instances = first.data["instances"]
    return frozenset(
        one["component_id"]
        for one in instances  # type: ignore[attr-defined]  # facts blobs are plain JSON
        if one["review_scope"] == ReviewScope.ASSEMBLY_CONTEXT_ONLY
    )


def _answered(
    first: FactsBlob, opened: Sequence[Verdict | FactRequest], look: SecondLook
) -> tuple[FactsBlob | None, Mapping[Question, BrepFact]]:
    """Measure what was asked, each question once however many instances ask it."""
    asked = sorted({question for found in opened for question in _questions(found)})
    if not asked:
        return None, {}
    values = {question: look(*question) for question in asked}
    second = second_facts_of(first, [(*question, values[question]) for question in asked])
    answers = second.data["answers"]
    return second, {
        question: _answer(question[2], answers[k]["value"], second.ref("answers", k, "value"))  # type: ignore[index]  # plain JSON
        for k, question in enumerate(asked)
    }


def _answer(name: str, value: FactValue, ref: str) -> BrepFact:
    return BrepFact(name, value, FACTS[name].unit.value, 0.0 if value is None else 1.0, ref)


def _questions(found: Verdict | FactRequest) -> list[Question]:
    if isinstance(found, Verdict):
        return []
    part, feature = _place_of(found.unit)
    return [(part, feature, missing.fact) for missing in found.facts]


def _place_of(unit: LocalSemanticUnit) -> tuple[int, int]:
    """Part and feature of an anchor ``parts/2/features/5``."""
    steps = unit.anchor.id.split("/")
    return int(steps[1]), int(steps[3])


def _closed(
    found: Verdict | FactRequest, book: Rulebook, answers: Mapping[Question, BrepFact]
) -> Verdict:
    if isinstance(found, Verdict):
        return found
    mine = {question[2]: answers[question] for question in _questions(found)}
    again = judge(found.unit, book.store.open(found.rule_id), mine)
    if isinstance(again, FactRequest):
        raise AssertionError(  # noqa: TRY004 - a broken promise of ours, no wrong type
            f"{found.rule_id} asks again for what was answered"
        )
    return again


def _requests(
    opened: Sequence[Verdict | FactRequest], answers: Mapping[Question, BrepFact]
) -> tuple[Request, ...]:
    """Each question at each place once, in the order asked."""
    made: dict[tuple[str, str], Request] = {}
    for found in opened:
        if isinstance(found, FactRequest):
            for question, missing in zip(_questions(found), found.facts, strict=True):
                key = (found.unit.local_id, missing.fact)
                request = Request(
                    found.unit, missing.fact, missing.suggested_extraction, answers[question]
                )
                made.setdefault(key, request)
    return tuple(made.values())
