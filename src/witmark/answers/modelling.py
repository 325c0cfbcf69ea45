"""The composer that asks a model, and believes nothing it says.

The model sees the plan and the pack; the judge reads its reply, and every check of the release
review has to hold for all of it. Whatever does not come to that is answered by the other
composer, and what the model said is kept beside it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from witmark.answers import release, wire
from witmark.answers.answer import (
    Cut,
    Draft,
    DraftSentence,
    ReleaseDecision,
    SentenceKind,
)
from witmark.answers.asking import QueryPlan
from witmark.answers.citing import Citer
from witmark.answers.claims import words_of
from witmark.answers.composing import within_limits
from witmark.answers.drafting import Sheet
from witmark.answers.evidence_claims import claims_of
from witmark.answers.exhibits import Exhibits, ask_of, exhibits_of
from witmark.answers.expecting import asks_what_is_not
from witmark.answers.gates import evidence_coverage
from witmark.answers.graph_gates import graph_prerequisite_order
from witmark.answers.model_checks import MODEL_CHECKS
from witmark.answers.model_draft import Binding, ModelDraft, ModelOutcome, RefusedReply
from witmark.answers.model_reply import (
    OUTPUT,
    ModelReply,
    NotTold,
    Proposal,
    ProposedSentence,
    Unfit,
)
from witmark.answers.pack import Fragment, GraphContextPack
from witmark.answers.ports import Composer
from witmark.answers.preserving import inputs_bytes
from witmark.answers.seen_calls import (
    Attempt,
    Recorded,
    WatchedDisk,
    attempt_of,
    recorded_again,
)
from witmark.answers.sentences import sentences, trimmed
from witmark.kernel.canon import Digest
from witmark.kernel.errors import IntegrityError
from witmark.kernel.evidence import Basis, TextRange
from witmark.kernel.gate import Outcome as Found
from witmark.kernel.model.gateway import Gateway, RequestTooLargeError
from witmark.kernel.model.ledger import Call, total_of
from witmark.kernel.model.outcome import (
    Accepted,
    Admitted,
    Because,
    Blocked,
    Judgement,
    Outcome,
    Refused,
    Rejected,
    Waiting,
)
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.model.record import Event, Judged, Sent
from witmark.kernel.model.request import Ask, OutputSchema
from witmark.kernel.model.settling import settle_now
from witmark.kernel.store import BlobStore, RecordDisk

MOST_FEEDBACK_CHARS = 800
"""What a refused reply is told; more reasons help no model."""


@dataclass(frozen=True, slots=True)
class ModelComposer:
    """A ``Composer`` that asks a model first.

    Attributes:
        gateway: Who dispatches.
        prompt: The instructions.
        disk: Where the calls are recorded.
        otherwise: Answers when the model does not.
        retry_id: Opens a blocked operation again.
        budget_chars: Of all exhibits together; ``None`` for the pack's own limit.
        replays: The attempts that were the run's own, where one that is over is made again.
    """

    gateway: Gateway
    prompt: Prompt
    disk: RecordDisk
    otherwise: Composer
    retry_id: str | None = None
    budget_chars: int | None = None
    replays: frozenset[Attempt] | None = None

    @property
    def name(self) -> str:
        """Whoever answers when the model does not; the draft says when it was the model."""
        return self.otherwise.name

    def compose(self, plan: QueryPlan, pack: GraphContextPack) -> Draft:
        """Draft by a model, or without one; what became of the model's words stands beside.

        A pack of which nothing can be shown, and a question that no sentence can answer, are
        not put to it.

        Raises:
            DiskError: nothing that had been durable was lost; ask again.
            IntegrityError: the record of the calls is not what was written.
        """
        if not pack.fragments or asks_what_is_not(plan.question):
            return self.otherwise.compose(plan, pack)
        asking = Asking(plan, pack, self.prompt, self.budget_chars)
        if not asking.exhibits.shown:
            return self.otherwise.compose(plan, pack)
        if self.replays is None:
            with _naming_the_way_out():
                told = self._asked(asking)
        else:
            told = self._asked(asking)
        if told.is_used:
            proposal = Proposal(tuple(ProposedSentence(*one) for one in told.sentences))
            return Draft(asking.drafted(proposal).sentences, told)
        return Draft(self.otherwise.compose(plan, pack).sentences, told)

    def _asked(self, asking: "Asking") -> ModelDraft:
        inputs = BlobStore(self.disk).put(inputs_bytes(asking.plan, asking.pack))
        subject, watched = asking.ask.subject, WatchedDisk(self.disk, asking.ask.subject)
        try:
            outcome: Outcome | RequestTooLargeError = settle_now(
                self.gateway, asking.ask, asking.judge, watched, retry_id=self.retry_id
            )
        except RequestTooLargeError as error:
            outcome = error
        recorded = (
            watched.recorded()
            if self.replays is None
            else recorded_again(self.disk, subject, self.replays)
        )
        return _told(asking, outcome, recorded, inputs)


@contextmanager
def _naming_the_way_out() -> Iterator[None]:
    """A damaged record of calls stops the model's answer, and not the one without a model."""
    try:
        yield
    except IntegrityError as error:
        error.hint = f"{error.hint}; --no-model answers without it"
        raise


class Asking:
    """One question to a model: what it is shown, and how its replies are judged."""

    def __init__(
        self,
        plan: QueryPlan,
        pack: GraphContextPack,
        prompt: Prompt,
        budget_chars: int | None = None,
    ) -> None:
        self.plan, self.pack = plan, pack
        most = pack.budget.max_total_chars if budget_chars is None else budget_chars
        self.exhibits: Exhibits = exhibits_of(pack, budget_chars=most)
        self.schema = OutputSchema(OUTPUT, wire.draft_schema())
        self.ask: Ask = ask_of(plan, pack, self.exhibits, prompt, self.schema)
        self._sheet = Sheet(plan, pack)
        self._citer = Citer(pack)
        self._judged: dict[str, Judgement] = {}

    def judge(self, text: str) -> Judgement:
        """Whether a reply keeps the form, cites what was shown, and passes every gate. Pure."""
        if text not in self._judged:  # an accepted one is judged twice
            faults = "; ".join(self._faults(wire.read_draft(text)))
            self._judged[text] = Refused(faults[:MOST_FEEDBACK_CHARS]) if faults else Admitted()
        return self._judged[text]

    def _faults(self, reply: ModelReply) -> Iterator[str]:
        if isinstance(reply, Unfit):
            yield reply.feedback
        elif isinstance(reply, Proposal):
            strays = list(self._strays(reply))
            yield from strays or _objections(self.plan, self.pack, self.drafted(reply))

    def _strays(self, proposal: Proposal) -> Iterator[str]:
        names = ", ".join(name for name, _ in self.exhibits.shown)
        for at, sentence in enumerate(proposal.sentences):
            for name in sentence.exhibits:
                if self.exhibits.get(name) is None:
                    yield f"sentences/{at}/exhibits: {name!r} was not shown; cite {names}"

    # The draft -------------------------------------------------------------------------

    def drafted(self, proposal: Proposal) -> Draft:
        """The sentences with their places, and a word of ours about every stale note."""
        own = [
            self._sentence(one, SentenceKind.RATIONALE if at else SentenceKind.DIRECT)
            for at, one in enumerate(proposal.sentences)
        ]
        return Draft(within_limits(self._sheet, own))

    def _sentence(self, said: ProposedSentence, kind: SentenceKind) -> DraftSentence:
        shown = [self.exhibits.get(name) for name in said.exhibits]
        cited = [one for one in shown if one is not None]
        text = said.text.strip(" ")
        places = [(one, _copied(text, one)) for one in cited]
        if copied := [(one, where) for one, where in places if where is not None]:
            cuts = tuple(self._citer.cut(one, where) for one, where in copied)
            return DraftSentence(text, kind, Basis.OBSERVED, cuts)
        return DraftSentence(text, kind, Basis.INFERRED, tuple(map(self._nearest(text), cited)))

    def _nearest(self, text: str) -> "_Nearest":
        return _Nearest(self._citer, text)


@dataclass(frozen=True, slots=True)
class _Nearest:
    """Cuts from a fragment the sentence that shares most words with a text."""

    citer: Citer
    text: str

    def __call__(self, fragment: Fragment) -> Cut:
        said = words_of(self.text)
        found = sentences(fragment.text)
        if not found:
            return self.citer.lead(fragment)
        best = max(found, key=lambda one: (len(said & _words(fragment, one)), -one.start))
        return self.citer.cut(fragment, best)


def _words(fragment: Fragment, where: TextRange) -> frozenset[str]:
    return words_of(fragment.text[where.start : where.end])


def _copied(text: str, fragment: Fragment) -> TextRange | None:
    """Where a text stands in a fragment as one or more whole sentences of it."""
    ranges = sentences(fragment.text)
    begins = {one.start for one in ranges}
    ends = {one.end for one in ranges}
    at = fragment.text.find(text)
    while at >= 0:
        if at in begins and at + len(text) in ends:
            return trimmed(fragment.text, at, at + len(text))
        at = fragment.text.find(text, at + 1)
    return None


def _objections(plan: QueryPlan, pack: GraphContextPack, draft: Draft) -> Iterator[str]:
    """What any gate has against a draft; a draft that would lose a sentence is refused."""
    review = release.review(plan, pack, draft, more=MODEL_CHECKS)
    for check in review.report.objections:
        yield f"{check.name}: {check.because}"
    if review.decision is not ReleaseDecision.RELEASE and not review.report.objections:
        yield "it would not be released"
    for check in (
        evidence_coverage(claims_of(draft, pack)),
        graph_prerequisite_order(plan, pack, draft),
    ):
        if check.outcome is Found.FAILS:
            yield f"{check.name}: {check.because}"


# What it came to ---------------------------------------------------------------------


def _told(
    asking: Asking,
    outcome: Outcome | RequestTooLargeError,
    recorded: Recorded,
    inputs: Digest,
) -> ModelDraft:
    how, because, reply = _ended(outcome)
    if isinstance(reply, NotTold):
        how, because = ModelOutcome.ABSTAINED, "the model says that the exhibits do not tell"
    if isinstance(outcome, Accepted) and isinstance(
        now := asking.judge(outcome.reply.text), Refused
    ):
        how, because = (
            ModelOutcome.REJECTED,
            f"it was accepted once, and is not now: {now.feedback}",
        )
    said = reply.sentences if isinstance(reply, Proposal) else ()
    calls = recorded.own_calls
    is_waiting = isinstance(outcome, Waiting) and outcome.because is Because.BACKING_OFF
    return ModelDraft(
        outcome=how,
        because=because,
        sentences=tuple((one.text, one.exhibits) for one in said),
        reason=reply.reason if isinstance(reply, NotTold) else "",
        refused=tuple(_refused(recorded.events)),
        exhibits=tuple((name, one.ref) for name, one in asking.exhibits.shown),
        not_shown=asking.exhibits.not_shown,
        binding=Binding(
            asking.ask.subject,
            "" if isinstance(outcome, RequestTooLargeError) else outcome.operation,
            recorded.head,
            tuple(one.request for one in recorded.events if isinstance(one, Sent)),
            asking.ask.prompt,
            asking.schema.digest,
            inputs,
        ),
        calls=tuple(call.to_plain() for call in calls),
        total=total_of(calls).to_plain(),
        eligible_at_ms=outcome.eligible_at_ms
        if isinstance(outcome, Waiting) and is_waiting
        else 0,
        worded_by=_worded_by(outcome, recorded.calls),
    )


def _worded_by(outcome: Outcome | RequestTooLargeError, calls: Sequence[Call]) -> str:
    """The model whose reply was accepted; other models may have been asked after it."""
    if not isinstance(outcome, Accepted):
        return ""
    [asked] = (
        call.to_plain()["gen_ai.request.model"]
        for call in calls
        if attempt_of(call) == (outcome.operation, outcome.attempt)
    )
    return outcome.reply.model or str(asked)


def _ended(
    outcome: Outcome | RequestTooLargeError,
) -> tuple[ModelOutcome, str, ModelReply | None]:
    match outcome:
        case Accepted(reply=reply):
            return ModelOutcome.USED, "", wire.read_draft(reply.text)
        case Rejected(feedback=feedback, invalid=invalid):
            because = f"{invalid} replies were refused, the last because {feedback}"
            return ModelOutcome.REJECTED, because + _unheeded(outcome), None
        case Waiting(because=why, failures=failures):
            return ModelOutcome.WAITING, _why(why, failures), None
        case Blocked(because=why, failures=failures):
            return ModelOutcome.BLOCKED, _why(why, failures), None
        case RequestTooLargeError():
            return ModelOutcome.TOO_LARGE, str(outcome), None


def _unheeded(outcome: Rejected) -> str:
    """What the settings say by now about how many, where that came too late."""
    if outcome.unheeded is None:
        return ""
    return (
        f" (max_invalid_responses was frozen as {outcome.most} when this was first asked; "
        f"the settings say {outcome.unheeded} since)"
    )


def _why(why: Because, failures: Sequence[object]) -> str:
    told = [f"{getattr(one, 'code', '')}: {getattr(one, 'detail', '')}" for one in failures]
    return "; ".join([why.value, *told])


def _refused(events: Sequence[Event]) -> Iterator[RefusedReply]:
    for event in events:
        if isinstance(event, Judged) and not event.is_admitted:
            said = event.reply.text if event.reply is not None else ""
            whole = said.encode("utf-8", "backslashreplace").decode()  # half a character
            yield RefusedReply(event.attempt, whole, event.feedback)
