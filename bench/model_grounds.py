"""What `real_model` and `fuzz` put to a model: each desk's own question, on a small input.

A desk is run whole with a model that says what is written here, and the question it asks and
the judge it gives are overheard: no request is made up. A good reply has to be published,
which is looked for in what the desk published, not in what the gateway says.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from bench import draft_oracle, gate_oracle, review_oracle
from bench.common import ROOT
from witmark.diagnosis import wire as diagnosis_wire
from witmark.diagnosis.builder import DiagnosisBuilder, Published
from witmark.diagnosis.config import DiagnosisConfig
from witmark.kernel.model.attempt import Judge
from witmark.kernel.model.gateway import DurableGateway, Gateway, ModelRoutes
from witmark.kernel.model.outcome import Admitted, Outcome
from witmark.kernel.model.reply import Readers
from witmark.kernel.model.request import Ask, Profile
from witmark.kernel.store import RecordDisk
from witmark.review.use_cases import Adviser, ReviewRequest, review_file
from witmark.review.vocabulary import FACTS
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import PlayedProvider, SteadyClock

sys.path.append(str(ROOT / "tests"))  # the small inputs are the tests' own

from desk_samples import assembly, deep_plate, desk  # as above
from diagnosis_cases import (
    CASE,
    CONFIRMED,
    INTERPRETED,
    INVESTIGATED,
    PACKAGE,
    investigated_package,
)
from model_asks import Asks, library_of, reply
from model_samples import PROMPTS, Model, sensible

PLAYED = Profile("played", "played", "m-1")
NOTES = {
    "water glass.md": (
        "# Water glass\n\nA water glass is a vessel that holds water.\n\n"
        "Many water glasses hold 250 ml, but a small one may hold 150 ml.\n\n"
        "It is washed by hand, and it is not made of steel. It breaks only if it falls.\n"
    ),
    "care.md": "# Care\n\nA [[water glass]] is cleaned with vinegar on 3 May 2026.\n",
}
QUESTION = "what is water glass?"
DEFINITION = "A water glass is a vessel that holds water."


@dataclass(frozen=True, slots=True)
class Ground:
    """One question of one desk.

    Attributes:
        purpose: Which one.
        ask: As the desk asks it.
        judge: The desk's own.
        good: Replies that the desk publishes.
        is_sound: Whether a second oracle would let a reply in.
        is_published: Whether the first good reply stood in what the desk published.
    """

    purpose: str
    ask: Ask
    judge: Judge
    good: tuple[str, ...]
    is_sound: Callable[[str], bool]
    is_published: bool

    def admits(self, text: str) -> bool:
        """Whether the desk lets a reply in."""
        return isinstance(self.judge(text), Admitted)


@dataclass
class Overheard:
    """A gateway that keeps what passes through it."""

    inner: Gateway
    asked: dict[str, tuple[Ask, Judge]] = field(default_factory=dict)

    def check_fits(self, ask: Ask) -> None:
        """As the other measures."""
        self.inner.check_fits(ask)

    def serves(self, purpose: str) -> bool:
        """As the other says."""
        return self.inner.serves(purpose)

    @property
    def max_request_bytes(self) -> int:
        """As the other has it."""
        return self.inner.max_request_bytes

    @property
    def readers(self) -> Readers:
        """As the other has them."""
        return self.inner.readers

    async def dispatch(
        self, ask: Ask, judge: Judge, disk: RecordDisk, *, retry_id: str | None = None
    ) -> Outcome:
        """Keep the last question of each purpose, and hand on."""
        self.asked[ask.purpose] = ask, judge
        return await self.inner.dispatch(ask, judge, disk, retry_id=retry_id)


def grounds() -> tuple[Ground, ...]:
    """The questions of the three desks."""
    return (answers_ground(), *review_grounds(), diagnosis_ground())


def answers_ground() -> Ground:
    """``answers.compose`` over two notes."""
    good = (
        reply((DEFINITION, "E1")),
        reply(("A water glass holds water.", "E1"), not_answered=False, reason=""),
        reply((DEFINITION, "E1"), ("A water glass is not made of steel.", "E5")),
        reply((DEFINITION, "E1"), ("A water glass breaks only if it falls.", "E5")),
        reply(
            (DEFINITION, "E1"),
            ("A water glass is cleaned with vinegar on 3 May 2026.", "E4"),
        ),
        reply(not_answered=True, reason="The exhibits do not say."),
    )
    asks = Asks(library_of(NOTES), good[0])
    heard = Overheard(asks.gateway)
    object.__setattr__(asks.composer, "gateway", heard)
    said = asks.ask(QUESTION)
    ask, judge = heard.asked["answers.compose"]
    fragments = said.pane.pack.fragments
    main = {one.text for one in fragments if one.role.value in draft_oracle.MAIN}
    shown = draft_oracle.shown(ask.messages[1].text, main)
    return Ground(
        ask.purpose,
        ask,
        judge,
        good,
        partial(draft_oracle.is_sound, exhibits=shown, schema=ask.schema.json),
        said.public.text == DEFINITION and said.trace.draft_by == "model",
    )


def review_grounds() -> tuple[Ground, Ground]:
    """``review.units`` and ``review.judge`` over a plate with one deep hole."""
    said: dict[str, str] = {}

    def says(request: Any) -> Any:  # noqa: ANN401  # a request, plain data
        answer = sensible(request)
        said[request.purpose] = json.dumps(answer, ensure_ascii=False)
        return answer

    model = Model(says)
    heard = Overheard(
        DurableGateway(ModelRoutes({"review": (PLAYED,)}), {"played": model}, SteadyClock())
    )
    found = review_file(
        ReviewRequest(Path("plate.step")),
        desk(assembly(deep_plate()), adviser=Adviser(heard, PROMPTS, lambda _: MemoryDisk())),
    )
    told = {one["purpose"]: one["outcome"] for one in found.report["model"]["said"]}
    grounds = []
    for purpose, sound in (("review.units", _unit_oracle), ("review.judge", _judge_oracle)):
        ask, judge = heard.asked[purpose]
        is_published = told[purpose] == "accepted"
        grounds.append(Ground(purpose, ask, judge, (said[purpose],), sound(ask), is_published))
    return grounds[0], grounds[1]


def _unit_oracle(ask: Ask) -> Callable[[str], bool]:
    sheet = review_oracle.Sheet(ask.messages[1].text)
    measured = {*FACTS, *(name.rpartition(".")[2] for name in FACTS)}
    return lambda text: review_oracle.admits(review_oracle.units, text, sheet, measured)


def _judge_oracle(ask: Ask) -> Callable[[str], bool]:
    text = ask.messages[1].text
    sheet = review_oracle.Sheet(text)
    required = re.search(r"^required_model_facts: (.*)$", text, re.MULTILINE)
    reads = required[1].split(", ") if required else []
    return lambda said: review_oracle.admits(review_oracle.judgement, said, sheet, text, reads)


def diagnosis_ground() -> Ground:
    """``diagnosis.decide`` over a made case with two hypotheses and three findings.

    The tests' case has more; a small model has to be able to read all of what it is sent.
    """
    decision = replace(CONFIRMED, evaluations=CONFIRMED.evaluations[:2])
    good = diagnosis_wire.decision_json(decision)
    played = PlayedProvider([good])
    heard = Overheard(
        DurableGateway(ModelRoutes({"*": (PLAYED,)}), {"played": played}, SteadyClock())
    )
    from bench.diagnosis_lives import OneStore, Told, now  # noqa: PLC0415  # needs the tests

    disk = MemoryDisk()
    findings = tuple(
        replace(one, location=None, quotes=()) for one in INVESTIGATED.findings[:3]
    )
    ends = tuple(
        replace(
            one,
            open_questions=(),
            hypothesis=replace(one.hypothesis, predicts=(), refuted_by=(), questions=()),
        )
        for one in INVESTIGATED.ends[:2]
    )
    investigated_package(
        disk,
        investigation=replace(
            INVESTIGATED, findings=findings, ends=ends, suspects=(), actions=(), accounts=()
        ),
        interpretation=replace(INTERPRETED, symptom=(), assumptions=()),
    )
    builder = DiagnosisBuilder(
        OneStore(disk), heard, DiagnosisConfig(), router=Told(), clock=SteadyClock()
    )
    built = now(builder.build(CASE, PACKAGE))
    ask, judge = heard.asked["diagnosis.decide"]
    context: Mapping[str, Any] = json.loads(ask.messages[1].text)
    form = gate_oracle.Form(ask.schema.json)
    return Ground(
        ask.purpose,
        ask,
        judge,
        (good,),
        lambda text: form.holds(text) and not gate_oracle.broken(json.loads(text), context),
        isinstance(built, Published) and built.diagnosis == decision,
    )
