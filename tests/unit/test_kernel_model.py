"""One model call, dispatch by dispatch: durable, counted, never repeated in secret."""

import asyncio
import errno
import json
from dataclasses import fields, replace

import pytest

from witmark.kernel import journal as journal_module
from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import (
    BadNameError,
    BrokenChainError,
    DanglingManifestError,
    DigestMismatchError,
    GarbledRecordError,
    IntegrityError,
    OutsideError,
    ReplayDiffersError,
)
from witmark.kernel.journal import Journal, read_journal
from witmark.kernel.model.attempt import MOST_TOLD_BYTES
from witmark.kernel.model.call import Leg, eligible_at_ms
from witmark.kernel.model.gateway import (
    DurableGateway,
    ModelRoutes,
    NoProfileError,
    PolicyChangedError,
    RequestTooLargeError,
    lock_of,
)
from witmark.kernel.model.ledger import calls_of, total_of
from witmark.kernel.model.outcome import (
    Accepted,
    Admitted,
    Because,
    Blocked,
    Refused,
    Rejected,
    Waiting,
)
from witmark.kernel.model.record import events_of
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.reply import Finish, Raw, Reply, Unreadable, Usage
from witmark.kernel.model.request import (
    Ask,
    ImageRef,
    Message,
    OutputSchema,
    Prices,
    Profile,
    Role,
    earlier_operation_of,
    operation_of,
    profile_of,
)
from witmark.kernel.model.settling import settle, settle_now
from witmark.kernel.store import BlobStore, blob_path
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import (
    PlayedProvider,
    SteadyClock,
    misconfigured,
    no_key,
    said,
    unreachable,
)

SCHEMA = OutputSchema("test/1", {"type": "object"})
ONE = Profile("one", "played", "m-1", prices=Prices(1.0, 2.0, "EUR"))
TWO = Profile("two", "other", "m-2", retries=0)
ASK = Ask(
    "run-1",
    "why",
    "test.ask",
    (Message(Role.SYSTEM, "Answer."), Message(Role.USER, "Why?")),
    SCHEMA,
    digest_of(b"prompt"),
)


FEEDBACK = "That answer was refused: 'bad' is not good\nAnswer again, whole, in the form asked."


def judge(text):
    return Admitted() if text == "good" else Refused(f"{text!r} is not good")


class Bench:
    """A gateway with played providers on a disk in memory."""

    def __init__(  # noqa: PLR0913 - a bench has many knobs
        self, *answers, other=(), profiles=(ONE,), disk=None, clock=None, most=3, missing=()
    ):
        self.provider, self.other = PlayedProvider(answers, missing), PlayedProvider(other)
        self.disk, self.clock = disk or MemoryDisk(), clock or SteadyClock()
        self.gateway = DurableGateway(
            ModelRoutes({"*": profiles}, max_invalid_responses=most),
            {"played": self.provider, "other": self.other},
            self.clock,
        )

    def dispatch(self, ask=ASK, *, by=judge, retry_id=None):
        return asyncio.run(self.gateway.dispatch(ask, by, self.disk, retry_id=retry_id))

    def settle(self, ask=ASK):
        return asyncio.run(settle(self.gateway, ask, judge, self.disk))

    def kinds(self):
        return [entry.kind.removeprefix("model.") for entry in read_journal(self.disk, "run-1")]

    def bodies(self, kind):
        entries = read_journal(self.disk, "run-1")
        return [entry.body for entry in entries if entry.kind == f"model.{kind}"]

    def events(self):
        return list(events_of(read_journal(self.disk, "run-1"), place="run-1"))


@pytest.mark.clause("KER-MOD-01", "KER-MOD-12")
def test_an_accepted_reply_is_given_again_without_a_call():
    bench = Bench("good")
    first, second = bench.dispatch(), bench.dispatch()
    assert isinstance(first, Accepted)
    assert first == second
    assert first.reply.text == "good"
    assert len(bench.provider.asked) == 1
    assert bench.kinds() == ["sent", "replied", "judged"]


@pytest.mark.clause("KER-MOD-01")
def test_the_request_is_durable_before_it_is_sent_and_the_reply_before_it_is_read():
    seen = []

    class Watching(PlayedProvider):
        async def send(self, request, load):
            seen.append(("sent", bench.kinds(), bench.bodies("sent")[-1]["request_digest"]))
            assert bench.bodies("sent")[-1]["request"] == request.to_plain()
            assert request.digest == seen[-1][2]
            return await super().send(request, load)

        def read(self, raw, request):
            seen.append(("read", bench.kinds(), bench.bodies("replied")[-1]["body"]["text"]))
            assert seen[-1][2] == raw.body.decode()
            return super().read(raw, request)

    bench = Bench()
    bench.gateway._providers["played"] = Watching(["good"])
    bench.dispatch()
    assert [(what, kinds) for what, kinds, _ in seen] == [
        ("sent", ["sent"]),
        ("read", ["sent", "replied"]),
    ]


@pytest.mark.clause("KER-MOD-02", "KER-MOD-08")
def test_an_invalid_answer_is_kept_fed_back_and_counted_one_request_a_dispatch():
    bench = Bench("bad", "worse", "good")
    first = bench.dispatch()
    assert first == Rejected(first.operation, "'bad' is not good", 1, 2)
    assert len(bench.provider.asked) == 1
    second = bench.dispatch()
    assert (second.invalid, second.left) == (2, 1)
    third = bench.dispatch()
    assert isinstance(third, Accepted)
    assert third.attempt == 3
    told = bench.provider.asked[1].messages
    assert told[: len(ASK.messages)] == ASK.messages
    assert [(one.role, one.text) for one in told[len(ASK.messages) :]] == [
        (Role.ASSISTANT, "bad"),
        (Role.USER, FEEDBACK),
    ]
    raw = [json.loads(body["body"]["text"])["text"] for body in bench.bodies("replied")]
    assert raw == ["bad", "worse", "good"]


@pytest.mark.clause("KER-MOD-08")
def test_after_the_last_invalid_answer_nothing_more_is_sent():
    bench = Bench("a", "b", "c", "good")
    outcomes = [bench.dispatch() for _ in range(5)]
    assert [one.left for one in outcomes] == [2, 1, 0, 0, 0]
    assert len(bench.provider.asked) == 3
    assert outcomes[-1].feedback == "'c' is not good"


@pytest.mark.clause("KER-MOD-08")
@pytest.mark.parametrize(
    ("answer", "because"),
    [
        (said("good", finish=Finish.LENGTH), "cut at the limit"),
        (said("good", finish=Finish.REFUSAL), "declines"),
        (said("good", finish=Finish.OTHER), "no final answer"),
        (Raw(b"<html>busy</html>", media_type="text/html"), "not in the provider's form"),
        (Raw(b"\xff\xfe{"), "not in the provider's form"),
    ],
)
def test_what_is_not_a_whole_answer_is_invalid_and_kept_as_it_came(answer, because):
    bench = Bench(answer)
    outcome = bench.dispatch()
    assert isinstance(outcome, Rejected)
    assert because in outcome.feedback
    [kept] = [event.raw for event in bench.events() if hasattr(event, "raw")]
    assert kept == answer


@pytest.mark.clause("KER-MOD-03", "KER-MOD-02")
def test_the_next_provider_is_the_next_dispatchs():
    bench = Bench(unreachable(), other=["good"], profiles=(ONE, TWO))
    first = bench.dispatch()
    assert isinstance(first, Waiting)
    assert first.because is Because.NEXT_PROVIDER
    assert first.failures[0].code == "connection"
    assert (len(bench.provider.asked), len(bench.other.asked)) == (1, 0)
    assert isinstance(bench.dispatch(), Accepted)
    assert (len(bench.provider.asked), len(bench.other.asked)) == (1, 1)


@pytest.mark.clause("KER-MOD-03")
def test_the_first_provider_in_order_that_is_eligible_is_asked():
    bench = Bench(unreachable(), "good", other=["bad"], profiles=(ONE, TWO))
    bench.dispatch()
    bench.dispatch()
    assert len(bench.other.asked) == 1
    bench.clock.pass_s(2)
    assert isinstance(bench.dispatch(), Accepted)
    assert (len(bench.provider.asked), len(bench.other.asked)) == (2, 1)


@pytest.mark.clause("KER-MOD-04")
def test_a_wait_doubles_up_to_the_cap_and_nobody_is_asked_before_it_is_over():
    patient = replace(ONE, retries=4, backoff_s=10.0, backoff_cap_s=30.0)
    bench = Bench(profiles=(patient,))
    waits = []
    for _ in range(4):
        outcome = bench.dispatch()
        waits.append((outcome.eligible_at_ms - bench.clock.now_ms()) / 1000)
        asked = len(bench.provider.asked)
        again = bench.dispatch()
        assert isinstance(again, Waiting)
        assert again.eligible_at_ms == outcome.eligible_at_ms
        assert len(bench.provider.asked) == asked
        bench.clock.pass_s(waits[-1])
    assert waits == [10, 20, 30, 30]


@pytest.mark.clause("KER-MOD-04")
def test_what_a_provider_asks_for_is_honoured_beyond_the_cap():
    bench = Bench(unreachable(retry_after_s=3600.0, code="status-429"), "good")
    outcome = bench.dispatch()
    assert outcome.eligible_at_ms == bench.clock.now_ms() + 3_600_000
    bench.clock.pass_s(3599)
    assert isinstance(bench.dispatch(), Waiting)
    bench.clock.pass_s(1)
    assert isinstance(bench.dispatch(), Accepted)


@pytest.mark.clause("KER-MOD-05")
def test_a_provider_that_failed_as_often_as_it_may_blocks_and_invalid_answers_stay():
    bench = Bench("bad")
    bench.dispatch()
    for _ in range(3):
        outcome = bench.dispatch()
        bench.clock.pass_s(1000)
    assert isinstance(outcome, Blocked)
    assert outcome.because is Because.EXHAUSTED
    assert len(bench.provider.asked) == 4
    assert bench.dispatch() == outcome
    assert len(bench.provider.asked) == 4


@pytest.mark.clause("KER-MOD-05")
def test_a_wrong_configuration_is_not_tried_again():
    bench = Bench(misconfigured(), other=["good"], profiles=(ONE, TWO))
    assert bench.dispatch().because is Because.NEXT_PROVIDER
    assert isinstance(bench.dispatch(), Accepted)
    alone = Bench(misconfigured(), "good")
    assert alone.dispatch().because is Because.MISCONFIGURED
    alone.clock.pass_s(1e6)
    assert isinstance(alone.dispatch(), Blocked)
    assert len(alone.provider.asked) == 1


@pytest.mark.clause("KER-MOD-05")
def test_a_provider_that_nobody_built_is_a_wrong_configuration():
    bench = Bench(profiles=(replace(ONE, provider="unheard-of"),))
    outcome = bench.dispatch()
    assert outcome.because is Because.MISCONFIGURED
    assert "unheard-of" in outcome.failures[0].detail


@pytest.mark.clause("KER-MOD-06")
def test_a_retry_id_opens_a_blocked_call_once():
    bench = Bench(misconfigured(), misconfigured(), "good")
    bench.dispatch()
    assert isinstance(bench.dispatch(retry_id="monday"), Blocked)
    assert len(bench.provider.asked) == 2
    assert isinstance(bench.dispatch(retry_id="monday"), Blocked)
    assert len(bench.provider.asked) == 2
    assert isinstance(bench.dispatch(retry_id="tuesday"), Accepted)


@pytest.mark.clause("KER-MOD-06")
def test_a_retry_id_shortens_no_wait_and_forgets_no_invalid_answer():
    once = replace(ONE, retries=0, backoff_s=100.0)
    bench = Bench("bad", unreachable(), "bad", "bad", "good", profiles=(once,))
    assert bench.dispatch().invalid == 1
    assert isinstance(bench.dispatch(), Blocked)
    held = bench.dispatch(retry_id="a")
    assert isinstance(held, Waiting)
    assert held.because is Because.BACKING_OFF
    assert len(bench.provider.asked) == 2
    bench.clock.pass_s(100)
    assert [bench.dispatch(retry_id="a").left for _ in range(2)] == [1, 0]
    assert bench.dispatch(retry_id="b").left == 0
    assert len(bench.provider.asked) == 4


@pytest.mark.clause("KER-MOD-06")
def test_a_retry_id_does_nothing_to_a_call_that_is_not_blocked():
    bench = Bench(unreachable(), "good")
    bench.dispatch(retry_id="early")
    assert "reopened" not in bench.kinds()
    bench.clock.pass_s(10)
    assert isinstance(bench.dispatch(retry_id="early"), Accepted)


@pytest.mark.clause("KER-MOD-07", "KER-MOD-20")
def test_a_corrected_configuration_is_another_operation_and_counts_its_own_invalid_answers():
    bench = Bench("bad", misconfigured())
    wrong = bench.dispatch()
    bench.dispatch()
    mended = (replace(ONE, base_url="http://localhost/v2"),)
    other = Bench("bad", "bad", disk=bench.disk, clock=bench.clock, profiles=mended)
    outcome = other.dispatch()
    assert outcome.operation != wrong.operation
    assert (outcome.invalid, outcome.left) == (1, 2)
    assert other.provider.asked[0].messages == ASK.messages
    assert other.dispatch().left == 1


@pytest.mark.clause("KER-MOD-09")
def test_what_a_desk_froze_is_counted_over_every_configuration_of_the_question():
    frozen = replace(ASK, max_invalid_responses=3)
    bench = Bench("bad")
    assert bench.dispatch(frozen).left == 2
    mended = (replace(ONE, base_url="http://localhost/v2"),)
    other = Bench("bad", "bad", "good", disk=bench.disk, profiles=mended)
    assert [other.dispatch(frozen).left for _ in range(3)] == [1, 0, 0]
    assert len(other.provider.asked) == 2
    assert replayed(other, frozen) == other.dispatch(frozen)


CHANGED = [
    ({"model": "m-9"}, True),
    ({"base_url": "http://localhost/v2"}, True),
    ({"provider": "other"}, True),
    ({"max_output_tokens": 9}, True),
    ({"temperature": 1.0}, True),
    ({"seed": 7}, True),
    ({"sends_schema": False}, True),
    ({"takes_images": True}, True),
    ({"name": "renamed"}, False),
    ({"key_env": "OTHER_KEY"}, False),
    ({"timeout_s": 7.0}, False),
    ({"retries": 9}, False),
    ({"backoff_s": 9.0}, False),
    ({"backoff_cap_s": 9.0}, False),
    ({"prices": None}, False),
]


@pytest.mark.clause("KER-MOD-20")
@pytest.mark.parametrize(("changed", "is_another"), CHANGED)
def test_what_is_sent_and_to_whom_is_an_operation_and_how_it_is_reached_is_not(
    changed, is_another
):
    bench = Bench("good")
    accepted = bench.dispatch()
    later = Bench("good", other=["good"], disk=bench.disk, profiles=(replace(ONE, **changed),))
    again = later.dispatch()
    assert isinstance(again, Accepted)
    assert (again.operation != accepted.operation) == is_another
    assert len(later.provider.asked + later.other.asked) == is_another


def test_every_setting_of_a_profile_is_in_that_table():
    told = {name for changed, _ in CHANGED for name in changed}
    assert told == {part.name for part in fields(Profile)}


@pytest.mark.clause("KER-MOD-20", "KER-MOD-06")
def test_a_call_that_failed_goes_on_once_the_way_to_its_provider_is_corrected():
    once = replace(ONE, retries=0, backoff_s=100.0)
    bench = Bench(unreachable(code="timeout"), profiles=(once,))
    blocked = bench.dispatch()
    assert isinstance(blocked, Blocked)
    patient = (replace(once, timeout_s=600.0),)
    mended = Bench("bad", unreachable(), disk=bench.disk, clock=bench.clock, profiles=patient)
    waiting = mended.dispatch()
    assert isinstance(waiting, Waiting)
    assert waiting.operation == blocked.operation
    assert replayed(mended) == waiting
    bench.clock.pass_s(100)
    assert mended.dispatch().invalid == 1
    assert isinstance(mended.dispatch(), Blocked)
    assert isinstance(mended.dispatch(), Blocked)
    assert bench.kinds().count("reopened") == 1
    assert len(mended.provider.asked) == 2
    renamed = Bench(
        "good", disk=bench.disk, clock=bench.clock, profiles=(replace(patient[0], name="x"),)
    )
    assert isinstance(renamed.dispatch(), Blocked)


@pytest.mark.clause("KER-MOD-20")
def test_a_record_of_an_earlier_version_goes_on_under_its_own_name():
    """There every setting was part of the name; what was accepted is not asked again."""
    bench = Bench("bad", "good")
    bench.settle()
    now, earlier = operation_of(ASK, (ONE,)), earlier_operation_of(ASK, (ONE,))
    written = Journal(disk := MemoryDisk(), "run-1")
    for entry in read_journal(bench.disk, "run-1"):
        body = {k: v for k, v in entry.body.items() if k != "counted"}
        written.append(entry.kind, {**body, "operation": earlier}, entry.blobs)
    disk.files |= {k: v for k, v in bench.disk.files.items() if k.startswith("blobs/")}
    assert now != earlier
    later = Bench(disk=disk)
    accepted = later.dispatch()
    assert isinstance(accepted, Accepted)
    assert accepted.operation == earlier
    assert later.provider.asked == []
    assert replayed(later) == accepted


@pytest.mark.clause("KER-MOD-07")
def test_another_price_is_the_same_operation():
    bench = Bench("good")
    bench.dispatch()
    dearer = Bench(disk=bench.disk, profiles=(replace(ONE, prices=Prices(9.0, 9.0, "EUR")),))
    assert isinstance(dearer.dispatch(), Accepted)
    assert dearer.provider.asked == []


@pytest.mark.clause("KER-MOD-09")
def test_how_many_invalid_answers_end_it_is_settled_when_it_is_first_asked():
    bench = Bench("a", "b", "c")
    assert bench.dispatch(replace(ASK, max_invalid_responses=2)).left == 1
    later = Bench("d", disk=bench.disk, most=7)
    assert later.dispatch().left == 0
    with pytest.raises(PolicyChangedError, match="settled as 2, not 5"):
        later.dispatch(replace(ASK, max_invalid_responses=5))
    assert later.dispatch(replace(ASK, max_invalid_responses=2)).left == 0


@pytest.mark.clause("KER-MOD-21")
def test_the_number_of_the_settings_is_frozen_by_the_first_attempt_and_a_later_one_is_said():
    bench = Bench("a", "b", "c", most=2)
    assert (first := bench.dispatch()) == Rejected(first.operation, "'a' is not good", 1, 1)
    later = Bench("b", "c", disk=bench.disk, most=7)
    outcome = later.dispatch()
    assert (outcome.left, outcome.most, outcome.unheeded) == (0, 2, 7)
    assert later.dispatch() == outcome
    assert later.bodies("unheeded") == [
        {
            "at_ms": SteadyClock.EPOCH_MS,
            "frozen": 2,
            "operation": outcome.operation,
            "wanted": 7,
        }
    ]
    assert replayed(later) == outcome
    assert bench.dispatch().unheeded is None
    assert Bench(disk=bench.disk, most=None).dispatch().unheeded is None
    other = Bench("a", disk=bench.disk, most=7, profiles=(replace(ONE, model="m-9"),))
    anew = other.dispatch()
    assert (anew.left, anew.unheeded) == (6, None)


@pytest.mark.clause("KER-MOD-10")
def test_of_two_dispatchers_one_works_and_the_other_is_told():
    bench = Bench("good")
    with bench.disk.held(lock_of("run-1")):
        outcome = bench.dispatch()
    assert isinstance(outcome, Waiting)
    assert outcome.because is Because.HELD
    assert bench.provider.asked == []
    assert isinstance(bench.dispatch(), Accepted)


@pytest.mark.clause("KER-MOD-11")
def test_an_answer_that_was_durable_is_judged_without_a_second_request():
    class Crash(BaseException):
        pass

    def crashing(_):
        raise Crash

    bench = Bench("good")
    with pytest.raises(Crash):
        bench.dispatch(by=crashing)
    assert bench.kinds() == ["sent", "replied"]
    assert isinstance(bench.dispatch(), Accepted)
    assert len(bench.provider.asked) == 1


@pytest.mark.clause("KER-MOD-11")
def test_a_process_that_died_while_it_waited_has_used_up_a_try():
    class Crash(BaseException):
        pass

    class Dying(PlayedProvider):
        async def send(self, request, load):
            await super().send(request, load)
            raise Crash

    bench = Bench("never")
    bench.gateway._providers["played"] = Dying(["good"])
    with pytest.raises(Crash):
        bench.dispatch()
    bench.gateway._providers["played"] = PlayedProvider(["good"])
    waiting = bench.dispatch()
    assert isinstance(waiting, Waiting)
    assert waiting.failures[0].code == "lost"
    bench.clock.pass_s(2)
    assert isinstance(bench.dispatch(), Accepted)
    assert bench.kinds() == ["sent", "failed", "sent", "replied", "judged"]


@pytest.mark.clause("KER-MOD-13")
def test_what_is_too_large_is_not_sent_and_nothing_is_cut():
    bench = Bench("good")
    size = len(canonical_json(request_plain(bench)))
    for most, is_sent in ((size, True), (size - 1, False)):
        tried = Bench("good")
        tried.gateway._routes = ModelRoutes({"*": (ONE,)}, max_request_bytes=most)
        if is_sent:
            assert isinstance(tried.dispatch(), Accepted)
            continue
        with pytest.raises(RequestTooLargeError, match=f"has {size} bytes"):
            tried.dispatch()
        assert tried.provider.asked == []
        assert tried.kinds() == []


def request_plain(bench):
    bench.dispatch()
    return bench.bodies("sent")[0]["request"]


@pytest.mark.clause("KER-MOD-13")
def test_a_purpose_that_nobody_serves_is_an_error_before_anything_is_kept():
    bench = Bench("good", profiles=())
    with pytest.raises(NoProfileError):
        bench.dispatch()
    assert bench.disk.files == {}
    assert not bench.gateway.serves("test.ask")


@pytest.mark.clause("KER-MOD-01")
def test_images_go_by_digest_and_a_model_that_takes_none_is_told_that_some_are_missing():
    disk = MemoryDisk()
    image = ImageRef(BlobStore(disk).put(b"\x89PNG"), "image/png")
    asked = replace(ASK, messages=(Message(Role.USER, "Look.", (image,)),))
    blind = Bench("good", disk=disk)
    blind.dispatch(asked)
    assert blind.provider.asked[0].messages == (
        Message(Role.USER, "Look.\n\n[1 image(s) are not shown to this model.]"),
    )
    seeing = Bench("good", profiles=(replace(ONE, takes_images=True),), disk=disk)
    seeing.dispatch(asked)
    assert seeing.provider.asked[0].messages == asked.messages
    entries = read_journal(disk, "run-1")
    assert image.digest in entries[-3].blobs
    assert ASK.schema.digest in entries[-3].blobs


@pytest.mark.clause("KER-MOD-04")
def test_settling_goes_on_while_something_can_be_done_and_never_waits():
    bench = Bench("bad", unreachable(), other=["bad", "good"], profiles=(ONE, TWO))
    bench.gateway._routes = ModelRoutes({"*": (ONE, TWO)})
    assert isinstance(bench.settle(), Accepted)
    stuck = Bench()
    outcome = stuck.settle()
    assert outcome.because is Because.BACKING_OFF
    assert len(stuck.provider.asked) == 1


@pytest.mark.clause("KER-MOD-04")
def test_settling_now_is_the_same_without_a_loop_and_says_if_there_can_be_none(monkeypatch):
    bench = Bench("bad", "good")
    assert isinstance(settle_now(bench.gateway, ASK, judge, bench.disk), Accepted)

    def refuses():
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(asyncio, "new_event_loop", refuses)
    monkeypatch.setattr(asyncio.events, "new_event_loop", refuses)
    with pytest.raises(OutsideError, match="too many open files"):
        settle_now(bench.gateway, ASK, judge, bench.disk)


@pytest.mark.clause("KER-MOD-15")
def test_the_ledger_adds_up_what_was_sent():
    bench = Bench("bad", unreachable(), "good")
    bench.dispatch()
    bench.dispatch()
    bench.clock.pass_s(10)
    bench.dispatch()
    calls = calls_of(bench.events())
    assert [call.end for call in calls] == ["refused", "connection", "accepted"]
    total = total_of(calls)
    assert (total.calls, total.accepted, total.refused, total.failed) == (3, 1, 1, 1)
    assert (total.input_tokens, total.output_tokens) == (14, 6)
    assert dict(total.costs) == {"EUR": pytest.approx(2 * (7 * 1 + 3 * 2) / 1e6)}
    span = calls[0].to_plain()
    assert span["gen_ai.request.model"] == "m-1"
    assert span["gen_ai.usage.input_tokens"] == 7
    assert span["gen_ai.response.finish_reasons"] == ["stop"]
    assert "error.type" not in span
    assert calls[1].to_plain()["error.type"] == "connection"


@pytest.mark.clause("KER-MOD-01")
def test_a_run_of_many_questions_is_not_read_from_its_beginning_for_each(monkeypatch):
    bench, parsed = Bench(*["good"] * 40), []
    real = journal_module._parse
    monkeypatch.setattr(
        journal_module, "_parse", lambda *a, **k: parsed.append(1) or real(*a, **k)
    )
    for number in range(40):
        assert isinstance(bench.dispatch(replace(ASK, question=f"q{number}")), Accepted)
    assert len(bench.kinds()) == 120
    assert len(parsed) == 120  # by ``kinds`` alone; the gateway wrote them itself
    again = Bench(disk=bench.disk)
    assert isinstance(again.dispatch(replace(ASK, question="q7")), Accepted)
    assert isinstance(again.dispatch(replace(ASK, question="q8")), Accepted)
    assert len(parsed) == 240
    assert again.provider.asked == []


@pytest.mark.clause("KER-MOD-11", "KER-JRN-02")
def test_what_changes_in_a_record_between_two_dispatches_is_noticed():
    bench = Bench("good", "good")
    bench.dispatch()
    place = "journals/run-1.jsonl"
    sound = bench.disk.files[place]
    bench.disk.files[place] = sound.replace(b"Why?", b"Who?", 1)
    with pytest.raises(IntegrityError):
        bench.dispatch()
    bench.disk.files[place] = sound
    assert isinstance(bench.dispatch(), Accepted)
    del bench.disk.files[place]
    assert isinstance(bench.dispatch(), Accepted)  # another copy of the disk, without it
    assert len(bench.provider.asked) == 2
    Journal(bench.disk, "run-1").append("another", "writer's")
    assert isinstance(bench.dispatch(), Accepted)
    assert len(bench.provider.asked) == 2


# What is missing here ----------------------------------------------------------------


@pytest.mark.clause("KER-MOD-22")
def test_what_is_missing_here_is_no_attempt_and_the_next_dispatch_goes_on():
    bench = Bench("good", missing=[no_key(), no_key()])
    blocked = bench.dispatch()
    assert blocked == Blocked(blocked.operation, Because.MISCONFIGURED, (no_key(),))
    assert bench.dispatch() == blocked
    assert bench.kinds() == ["unready"]
    assert calls_of(bench.events()) == ()
    assert replayed(bench) == blocked
    accepted = bench.dispatch()
    assert isinstance(accepted, Accepted)
    assert accepted.attempt == 1
    assert bench.kinds() == ["unready", "unready", "sent", "replied", "judged"]
    assert replayed(bench) == accepted


@pytest.mark.clause("KER-MOD-22", "KER-MOD-03")
def test_a_provider_that_lacks_something_is_passed_over_in_the_same_dispatch():
    bench = Bench(other=["good"], profiles=(ONE, TWO), missing=[no_key()])
    assert isinstance(bench.dispatch(), Accepted)
    assert len(bench.other.asked) == 1
    assert bench.kinds() == ["unready", "sent", "replied", "judged"]


@pytest.mark.clause("KER-MOD-22", "KER-MOD-14")
def test_a_call_whose_other_providers_failed_or_wait_says_so_in_its_replay_too():
    for answer, kind, because in (
        (unreachable(), Blocked, Because.EXHAUSTED),
        (misconfigured(), Blocked, Because.MISCONFIGURED),
    ):
        bench = Bench(other=[answer], profiles=(ONE, TWO), missing=[no_key()] * 9)
        outcome = bench.settle()
        assert isinstance(outcome, kind)
        assert outcome.because is because
        assert outcome.failures == (no_key(), answer)
        assert replayed(bench) == outcome
    patient = (ONE, replace(TWO, retries=3))
    bench = Bench(other=[unreachable()], profiles=patient, missing=[no_key()] * 9)
    outcome = bench.settle()
    assert outcome.because is Because.BACKING_OFF
    assert replayed(bench) == outcome


@pytest.mark.clause("KER-MOD-22")
def test_a_provider_is_ready_before_its_request_is_recorded_as_sent():
    seen = []

    class Loading(PlayedProvider):
        async def ready(self, request):
            bench.clock.pass_s(5)  # a library that takes its time
            seen.append(bench.kinds())

    bench = Bench()
    bench.gateway._providers["played"] = Loading(["good"])
    bench.dispatch()
    assert seen == [[]]
    [call] = calls_of(bench.events())
    assert call.took_ms == 0


# What a provider or a desk hands in ---------------------------------------------------


class Saying(PlayedProvider):
    """Reads every answer as the reply it was given."""

    def __init__(self, reply):
        super().__init__([said("good")] * 9)
        self.reply = reply

    def read(self, raw, request):
        return self.reply


@pytest.mark.clause("KER-MOD-08", "KER-MOD-11", "KER-MOD-19")
@pytest.mark.parametrize(
    "reply",
    [
        Reply("good", Finish.STOP, "m\ud800"),
        Reply("good", Finish.STOP, "m", Usage(7.0, float("nan"))),
        Reply("good", Finish.STOP, "m", Usage(-1, 10**400)),
        Reply("good", Finish.STOP, "m", Usage(True, "7")),
    ],
)
def test_what_a_provider_says_beside_its_words_cannot_spoil_the_record(reply):
    bench = Bench()
    bench.gateway._providers["played"] = Saying(reply)
    outcome = bench.dispatch()
    assert isinstance(outcome, Accepted)
    assert outcome.reply.usage == Usage()
    assert bench.dispatch() == outcome
    assert replayed(bench) == outcome


@pytest.mark.clause("KER-MOD-08", "KER-MOD-19")
def test_words_that_are_no_text_are_an_invalid_answer_and_the_call_goes_on():
    bench = Bench()
    bench.gateway._providers["played"] = Saying(Reply("go\udc80od", Finish.STOP, "m"))
    assert "half a character" in bench.dispatch().feedback
    bench.gateway._providers["played"] = PlayedProvider(["good"])
    assert isinstance(bench.dispatch(), Accepted)


@pytest.mark.clause("KER-MOD-08", "KER-MOD-19")
def test_a_feedback_that_quotes_what_is_no_text_is_fed_back_all_the_same():
    bench = Bench("bad", "good")
    assert bench.dispatch(by=lambda _: Refused("not \ud800")).feedback == "not ?"
    assert isinstance(bench.dispatch(), Accepted)


@pytest.mark.clause("KER-MOD-04", "KER-MOD-19")
@pytest.mark.parametrize("asked_s", [float("nan"), float("inf"), -5.0, 1e300, True])
def test_a_wait_that_is_no_time_is_not_honoured(asked_s):
    bench = Bench(unreachable(retry_after_s=asked_s, code="status-429"), "good")
    outcome = bench.dispatch()
    assert outcome.eligible_at_ms == bench.clock.now_ms() + 2000
    bench.clock.pass_s(2)
    assert isinstance(bench.dispatch(), Accepted)


@pytest.mark.clause("KER-MOD-05", "KER-MOD-19")
def test_a_failure_whose_words_are_no_text_is_recorded():
    bench = Bench(replace(unreachable(), detail="\ud800", code="\udcff"))
    assert bench.dispatch().failures[0].detail == "?"
    assert bench.kinds() == ["sent", "failed"]


@pytest.mark.clause("KER-MOD-04")
def test_a_wait_reaches_its_cap_however_often_a_provider_failed():
    patient = replace(ONE, retries=5000, backoff_s=1e-300, backoff_cap_s=30.0)
    at_ms = eligible_at_ms(Leg(failures=4000), patient, unreachable(), 0)
    assert at_ms == 0
    assert eligible_at_ms(Leg(failures=4000), replace(ONE, retries=5000), unreachable(), 0) == (
        300_000
    )


@pytest.mark.clause("KER-MOD-13", "KER-MOD-08", "KER-MOD-19")
def test_a_refused_answer_cannot_make_the_next_request_too_large():
    bench = Bench("x" * 5_000_000, "good")
    assert bench.dispatch(by=lambda text: Refused("not " + text)).left == 2
    assert isinstance(bench.dispatch(), Accepted)
    [told] = bench.provider.asked[1].messages[len(ASK.messages) :]
    assert "more characters]" in told.text
    assert "[The answer had 5000000 characters and is not shown again.]" in told.text
    assert len(bench.bodies("judged")[0]["reply"]["text"]["text"]) == 5_000_000


@pytest.mark.clause("KER-MOD-13", "KER-MOD-23")
def test_a_refused_answer_is_not_shown_again_where_it_would_not_fit_and_a_replay_knows():
    said = '"' * 20_000
    roomy = Bench(said, "good")
    roomy.dispatch(by=lambda _: Refused("not so"))
    roomy.dispatch()
    whole = len(canonical_json(roomy.bodies("sent")[1]["request"]))

    tight = Bench(said, "good")
    tight.gateway._routes = ModelRoutes({"*": (ONE,)}, max_request_bytes=whole - 1)
    tight.dispatch(by=lambda _: Refused("not so"))
    assert isinstance(tight.dispatch(), Accepted)
    [told] = tight.provider.asked[1].messages[len(ASK.messages) :]
    assert "[The answer had 20000 characters and is not shown again.]" in told.text

    for bench in (roomy, tight):
        again = replayed(
            bench, by=lambda text: Refused("not so") if text == said else Admitted()
        )
        assert isinstance(again, Accepted)


@pytest.mark.clause("KER-MOD-13")
def test_a_question_is_measured_with_what_a_refusal_would_add():
    first = len(canonical_json(request_plain(Bench("good"))))
    for room, fits in ((MOST_TOLD_BYTES, True), (MOST_TOLD_BYTES - 1, False)):
        bench = Bench("good")
        bench.gateway._routes = ModelRoutes({"*": (ONE,)}, max_request_bytes=first + room)
        if fits:
            bench.gateway.check_fits(ASK)
            continue
        with pytest.raises(RequestTooLargeError, match=f"its request has {first} bytes"):
            bench.gateway.check_fits(ASK)


@pytest.mark.clause("KER-MOD-13")
def test_images_that_are_not_sent_do_not_count_and_one_that_is_missing_is_named():
    disk = MemoryDisk()
    image = ImageRef(BlobStore(disk).put(b"x" * 5_000_000), "image/png")
    asked = replace(ASK, messages=(Message(Role.USER, "Look.", (image,)),))
    assert isinstance(Bench("good", disk=disk).dispatch(asked), Accepted)
    seeing = (replace(ONE, takes_images=True),)
    with pytest.raises(RequestTooLargeError):
        Bench("good", disk=disk, profiles=seeing).dispatch(asked)
    gone = Bench("good", profiles=seeing)
    with pytest.raises(DanglingManifestError, match="why: names sha256:"):
        gone.dispatch(asked)
    assert gone.provider.asked == []


@pytest.mark.clause("KER-MOD-06", "KER-MOD-11")
def test_a_retry_id_opens_a_call_whose_last_try_was_lost():
    once = (replace(ONE, retries=0, backoff_s=0.0),)
    bench = Bench("good", profiles=once)
    bench.gateway._providers["played"] = Dying()
    with pytest.raises(KeyboardInterrupt):
        bench.dispatch()
    bench.gateway._providers["played"] = PlayedProvider(["good"])
    assert isinstance(bench.dispatch(retry_id="monday"), Accepted)


class Dying(PlayedProvider):
    def __init__(self):
        super().__init__([])

    async def send(self, request, load):
        raise KeyboardInterrupt


@pytest.mark.clause("KER-MOD-06")
def test_a_retry_id_is_text():
    bench = Bench(misconfigured())
    bench.dispatch()
    with pytest.raises(BadNameError):
        bench.dispatch(retry_id="\udcff")


@pytest.mark.clause("KER-MOD-07", "KER-MOD-08")
def test_another_configuration_of_a_spent_question_asks_anew_and_the_spent_one_stays_spent():
    bench = Bench("a", "b", "c", "good")
    spent = bench.settle()
    other = Bench("good", disk=bench.disk, profiles=(replace(ONE, model="m-9"),))
    accepted = other.dispatch()
    assert isinstance(accepted, Accepted)
    assert other.provider.asked[0].messages == ASK.messages
    assert replayed(other) == accepted
    assert bench.dispatch() == spent
    assert bench.dispatch(retry_id="monday") == spent
    assert len(bench.provider.asked) == 3
    assert replayed(bench) == spent  # the last word is what is replayed
    assert other.dispatch() == accepted
    assert bench.kinds().count("resumed") == 2


@pytest.mark.clause("KER-MOD-07", "KER-MOD-09")
def test_another_configuration_of_what_a_desk_froze_and_that_is_spent_is_told_why():
    frozen = replace(ASK, max_invalid_responses=3)
    bench = Bench("a", "b", "c")
    for _ in range(3):
        spent = bench.dispatch(frozen)
    other = Bench("good", disk=bench.disk, profiles=(replace(ONE, model="m-9"),))
    outcome = other.dispatch(frozen)
    assert (outcome.feedback, outcome.left) == (spent.feedback, 0)
    assert other.provider.asked == []
    assert replayed(other, frozen) == outcome
    assert other.dispatch(frozen) == outcome
    assert bench.kinds().count("resumed") == 1


@pytest.mark.clause("KER-MOD-08")
def test_no_two_attempts_are_the_same_request_though_the_answers_were():
    bench = Bench("bad", "bad", "bad")
    bench.settle()
    digests = [request.digest for request in bench.provider.asked]
    assert len(set(digests)) == 3


@pytest.mark.clause("KER-MOD-07", "KER-MOD-14")
def test_the_first_configuration_again_has_the_last_word_in_the_replay_too():
    first = Bench("good")
    accepted = first.dispatch()
    wrong = Bench(misconfigured(), disk=first.disk, profiles=(replace(ONE, model="m-9"),))
    blocked = wrong.dispatch()
    assert replayed(first) == blocked
    assert first.dispatch() == accepted
    assert first.dispatch() == accepted
    assert first.kinds()[-2:] == ["failed", "resumed"]
    assert replayed(first) == accepted


@pytest.mark.clause("KER-MOD-15")
def test_the_ledger_says_how_many_answers_nobody_counted():
    half = Raw(json.dumps({"text": "good", "in": 5, "out": None}).encode())
    bench = Bench("bad", half)
    bench.dispatch()
    bench.dispatch()
    total = total_of(calls_of(bench.events()))
    assert (total.input_tokens, total.output_tokens, total.without_tokens) == (12, 3, 1)
    assert total.to_plain()["withoutTokens"] == 1


@pytest.mark.clause("KER-MOD-15")
def test_what_costs_nothing_still_has_a_currency():
    free = (replace(ONE, prices=Prices(0.0, 0.0, "EUR")),)
    bench = Bench("good", profiles=free)
    bench.dispatch()
    span = calls_of(bench.events())[0].to_plain()
    assert (span["witmark.cost"], span["witmark.cost.currency"]) == (0.0, "EUR")


# Replay ------------------------------------------------------------------------------


def replayed(bench, ask=ASK, by=judge):
    head = read_journal(bench.disk, "run-1")[-1].to_bytes()
    gateway = ReplayGateway({"run-1": digest_of(head)}, bench.gateway.readers)
    return asyncio.run(settle(gateway, ask, by, bench.disk))


@pytest.mark.clause("KER-MOD-14")
@pytest.mark.parametrize(
    ("answers", "others"),
    [
        (["good"], []),
        (["bad", "good"], []),
        (["a", "b", "c"], []),
        ([unreachable()], ["good"]),
        ([misconfigured()], [misconfigured()]),
        ([unreachable()], [unreachable()]),
    ],
)
def test_a_replay_comes_to_the_same_without_a_provider(answers, others):
    bench = Bench(*answers, other=others, profiles=(ONE, TWO))
    assert bench.settle() == replayed(bench)


@pytest.mark.clause("KER-MOD-14")
def test_a_replay_that_asks_or_judges_otherwise_is_refused():
    bench = Bench("bad", "good")
    bench.settle()
    other = replace(ASK, messages=(*ASK.messages, Message(Role.USER, "!")))
    with pytest.raises(ReplayDiffersError):
        replayed(bench, other)
    with pytest.raises(ReplayDiffersError):
        replayed(bench, by=lambda _: Admitted())
    with pytest.raises(ReplayDiffersError):
        replayed(bench, by=lambda text: Refused("no") if text == "bad" else Admitted())
    with pytest.raises(ReplayDiffersError):
        replayed(bench, replace(ASK, question="how"))


@pytest.mark.clause("KER-MOD-23")
def test_a_replay_reads_the_raw_answer_again_and_refuses_another_reading():
    """The record may be whole to the byte: what counts is what its answers say today."""
    bench = Bench("bad", "good")
    bench.settle()
    read = bench.provider.read
    for changed in (
        lambda raw, request: replace(read(raw, request), text="other"),
        lambda raw, request: replace(read(raw, request), finish=Finish.LENGTH),
        lambda raw, request: replace(read(raw, request), model="m-9"),
        lambda raw, request: replace(read(raw, request), usage=Usage(1, 1)),
        lambda raw, request: Unreadable("not in the provider's form"),
    ):
        bench.provider.read = changed
        with pytest.raises(ReplayDiffersError, match="another reading"):
            replayed(bench)
    bench.gateway._providers.clear()
    with pytest.raises(ReplayDiffersError, match="nobody who reads it"):
        replayed(bench)


@pytest.mark.clause("KER-MOD-23")
def test_a_raw_answer_that_its_verdict_does_not_follow_from_is_refused():
    """A record written anew around a forged answer has a sound chain, and a head of its own."""
    bench = Bench("bad", "good")
    bench.settle()
    forged = Journal(disk := MemoryDisk(), "run-1")
    for entry in read_journal(bench.disk, "run-1"):
        body = dict(entry.body)
        if entry.kind == "model.replied":
            body["body"] = {"text": said("forged").body.decode()}
        forged.append(entry.kind, body, entry.blobs)
    disk.files |= {k: v for k, v in bench.disk.files.items() if k.startswith("blobs/")}
    with pytest.raises(ReplayDiffersError, match="another reading"):
        replayed(Bench(disk=disk))
    half = Journal(other := MemoryDisk(), "run-1")
    for entry in read_journal(bench.disk, "run-1"):
        if entry.kind != "model.replied":
            half.append(entry.kind, entry.body, entry.blobs)
    other.files |= {k: v for k, v in bench.disk.files.items() if k.startswith("blobs/")}
    with pytest.raises(GarbledRecordError, match="never came"):
        replayed(Bench(disk=other))


@pytest.mark.clause("KER-MOD-14")
def test_a_schema_or_an_image_that_was_changed_or_is_gone_is_refused():
    disk = MemoryDisk()
    image = ImageRef(BlobStore(disk).put(b"\x89PNG"), "image/png")
    asked = replace(ASK, messages=(Message(Role.USER, "Look.", (image,)),))
    bench = Bench("good", disk=disk, profiles=(replace(ONE, takes_images=True),))
    bench.dispatch(asked)
    assert isinstance(replayed(bench, asked), Accepted)
    for digest in (image.digest, SCHEMA.digest):
        kept = disk.files.pop(blob_path(digest))
        with pytest.raises(DanglingManifestError):
            replayed(bench, asked)
        disk.files[blob_path(digest)] = kept[:-1] + bytes([kept[-1] ^ 4])
        with pytest.raises(DigestMismatchError):
            replayed(bench, asked)
        disk.files[blob_path(digest)] = kept


@pytest.mark.clause("KER-MOD-14")
def test_a_record_whose_end_nobody_kept_is_not_replayed():
    bench = Bench("good")
    bench.settle()
    with pytest.raises(ReplayDiffersError, match="no end that anybody kept"):
        asyncio.run(ReplayGateway({}, {}).dispatch(ASK, judge, bench.disk))


@pytest.mark.clause("KER-MOD-14")
def test_a_record_that_was_changed_is_refused():
    bench = Bench("bad", "good")
    bench.settle()
    place = "journals/run-1.jsonl"
    sound = bench.disk.files[place]
    head = digest_of(read_journal(bench.disk, "run-1")[-1].to_bytes())
    gateway = ReplayGateway({"run-1": head}, bench.gateway.readers)
    step = max(1, len(sound) // 200)
    for at in range(0, len(sound), step):
        bench.disk.files[place] = sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :]
        with pytest.raises(IntegrityError):
            asyncio.run(gateway.dispatch(ASK, judge, bench.disk))
    bench.disk.files[place] = b"".join(sound.splitlines(keepends=True)[:3])
    with pytest.raises(BrokenChainError):
        asyncio.run(gateway.dispatch(ASK, judge, bench.disk))


def test_a_profile_is_read_back_as_it_was_recorded():
    assert profile_of(ONE.to_plain()) == ONE
