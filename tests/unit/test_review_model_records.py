"""What a report keeps of the calls it rests on: its own, all of them, and told as they were."""

import io
from dataclasses import replace

import pytest
from desk_samples import assembly, deep_plate, desk
from model_samples import FILE, PROMPTS, READERS, gateway, reviewed_with, sealed, sensible

from witmark.cli.render import Terminal
from witmark.kernel.errors import DiskError, ReplayDiffersError
from witmark.kernel.model.outcome import Refused
from witmark.kernel.model.request import Profile
from witmark.review.asking import roles, units
from witmark.review.use_cases import (
    Adviser,
    ReviewRequest,
    loses_calls,
    review_file,
    verify_report,
)
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock, misconfigured, unreachable

OTHER = Profile("two", "played", "m-2")


def outcomes(found):
    return {one["outcome"] for one in found.report["model"]["said"]}


def another_run(says, disk):
    """A review of the same file with another model, on the same records."""
    model, talks = gateway(says, profile=OTHER)
    review_file(
        ReviewRequest(FILE),
        desk(assembly(deep_plate()), adviser=Adviser(talks, PROMPTS, lambda key: disk)),
    )
    return model


def overtaken(says, disk):
    """A review whose records another run goes on with before it is published."""
    model, talks = gateway(says)
    others = []

    def progress(step):
        if step.name == "gates":
            others.append(another_run(sensible, disk))

    given = desk(assembly(deep_plate()), adviser=Adviser(talks, PROMPTS, lambda key: disk))
    found = review_file(ReviewRequest(FILE), replace(given, progress=progress))
    assert others[0].asked
    return found, model


@pytest.mark.clause("REV-MOD-10", "REV-MOD-11")
@pytest.mark.parametrize(
    ("says", "ending"),
    [
        (lambda _: misconfigured(), "blocked"),
        (lambda _: unreachable(), "waiting"),
    ],
)
def test_what_another_run_adds_to_the_record_afterwards_is_not_in_the_report(says, ending):
    found, model = overtaken(says, MemoryDisk())

    assert ending in outcomes(found)
    assert found.report["model"]["ledger"]["calls"] == len(model.asked)
    assert not any(b"m-2" in raw for name, raw in found.files.items() if "journals" in name)
    assert verify_report(sealed(found.files), READERS).verdicts


# Gates that have changed since ---------------------------------------------------------


def reworded(was):
    """The same gate with other words for a refusal."""

    def read(*given, **more):
        found = was(*given, **more)
        return Refused("now in other words") if isinstance(found, Refused) else found

    return read


@pytest.mark.clause("REV-MOD-10", "REV-MOD-11")
def test_a_reply_accepted_once_and_refused_today_is_told_and_not_used(monkeypatch):
    disk = MemoryDisk()
    plain = reviewed_with(sensible, disk=disk)[0]
    monkeypatch.setattr(units, "read", lambda *a, **k: Refused("a new gate says no"))
    found, model = reviewed_with(sensible, disk=disk)
    said = {o["subject"]: o for o in found.report["model"]["said"] if "units" in o["purpose"]}
    codes = {n["code"]: n["detail"] for n in found.report["notices"]}

    assert not any(r.purpose == "review.units" for r in model.asked)
    assert {one["outcome"] for one in said.values()} == {"refused-now"}
    assert {one["request"] for one in said.values()} == {None}
    assert codes["model-refused-now"].endswith(": a new gate says no")
    assert found.report["model"]["units"] == []
    assert found.report["counts"] == plain.report["counts"]
    assert set(said) <= {one["subject"] for one in found.report["model"]["records"]}
    assert verify_report(sealed(found.files), READERS).verdicts


@pytest.mark.clause("REV-MOD-11")
@pytest.mark.parametrize("ending", ["accepted", "rejected"])
def test_refusals_worded_otherwise_today_are_told_and_the_report_verifies(monkeypatch, ending):
    disk, answers = MemoryDisk(), iter(["no json"])
    says = sensible if ending == "accepted" else lambda _: "no json"
    before, _ = reviewed_with(lambda r: next(answers, None) or says(r), disk=disk)
    for one in (roles, units):
        monkeypatch.setattr(one, "read", reworded(one.read))
    found, model = reviewed_with(says, disk=disk)
    told = {o["because"] for o in found.report["model"]["said"]}

    assert model.asked == []
    assert any(one.endswith("judged-otherwise-today") for one in told)
    assert outcomes(found) == outcomes(before)
    assert ending in outcomes(found)
    assert verify_report(sealed(found.files), READERS).verdicts


@pytest.mark.clause("REV-MOD-11")
def test_a_report_of_before_does_not_hold_by_gates_that_refuse_it_today(monkeypatch):
    found, _ = reviewed_with(sensible)
    monkeypatch.setattr(units, "read", lambda *a, **k: Refused("a new gate says no"))

    with pytest.raises(ReplayDiffersError):
        verify_report(sealed(found.files), READERS)


# What was sent, and could not be kept --------------------------------------------------


class LosesOne(MemoryDisk):
    """A disk that refuses the first line of a kind."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def add_line(self, name, line, *, at):
        if self.kind and self.kind in line:
            self.kind = b""
            raise DiskError("no room", place=name)
        super().add_line(name, line, at=at)


def printed(found, **more):
    out = io.StringIO()
    Terminal("en", out, io.StringIO(), width=400).findings(found.review, FILE, **more)
    return out.getvalue()


def lost(found):
    return [o for o in found.report["model"]["said"] if o["outcome"] == "not-recorded"]


@pytest.mark.clause("REV-MOD-01", "REV-MOD-10", "REV-MOD-11")
@pytest.mark.parametrize("kind", [b'"model.replied"', b'"model.judged"'])
def test_a_call_whose_answer_the_disk_does_not_take_is_told_counted_and_kept(kind):
    disk, clock = LosesOne(kind), SteadyClock()
    found, model = reviewed_with(sensible, disk=disk, clock=clock)
    (one,) = lost(found)
    codes = {n["code"]: n["detail"] for n in found.report["notices"]}
    records = {r["subject"]: r["file"] for r in found.report["model"]["records"]}

    assert one["because"] == "outside.disk"
    assert codes["model-not-recorded"].endswith(": outside.disk")
    assert "model-unanswered" not in codes
    assert loses_calls(found.review)
    assert "the disk did not keep" in printed(found)
    assert found.report["model"]["ledger"]["calls"] == len(model.asked)
    assert b'"model.sent"' in found.files[records[one["subject"]]]
    assert verify_report(sealed(found.files), READERS).questions == len(model.asked) - 1

    reviewed_with(sensible, disk=disk, clock=clock)  # it counts as lost, and backs off
    clock.pass_s(1000.0)
    again, more = reviewed_with(sensible, disk=disk, clock=clock)
    assert outcomes(again) == {"accepted"}
    assert len(more.asked) == (kind == b'"model.replied"')


def test_what_the_disk_refuses_before_anything_is_sent_is_not_asked():
    found, model = reviewed_with(sensible, disk=LosesOne(b'"model.sent"'))

    assert lost(found) == []
    assert not loses_calls(found.review)
    assert outcomes(found) == {"accepted", "not-asked"}
    assert found.report["model"]["ledger"]["calls"] == len(model.asked)


# What this run sent, and what was there ------------------------------------------------


@pytest.mark.clause("REV-MOD-01")
def test_a_run_tells_its_own_calls_apart_from_those_that_were_kept():
    disk, clock = MemoryDisk(), SteadyClock()
    answers = iter([True])
    says = lambda r: sensible(r) if next(answers, False) else unreachable()  # noqa: E731
    first, model = reviewed_with(says, disk=disk, clock=clock)
    clock.pass_s(1000.0)
    second, more = reviewed_with(sensible, disk=disk, clock=clock)
    third, none = reviewed_with(sensible, disk=disk, clock=clock)
    put = len(second.report["model"]["said"])

    assert (first.took.now.calls, first.took.kept) == (len(model.asked), 0)
    assert (second.took.now.calls, second.took.kept) == (len(more.asked), 1)
    assert (third.took.now.calls, third.took.kept) == (len(none.asked), put)
    assert third.files == second.files
    assert third.report["model"]["ledger"]["calls"] == len(model.asked) + len(more.asked)
    assert f"now 0 calls; {put} kept replies used" in printed(third, took=third.took)
    assert "they rest on" in printed(third)


@pytest.mark.clause("REV-MOD-01")
def test_a_run_does_not_tell_the_calls_of_another_as_its_own():
    found, model = overtaken(lambda _: misconfigured(), MemoryDisk())

    assert (found.took.now.calls, found.took.kept) == (len(model.asked), 0)
