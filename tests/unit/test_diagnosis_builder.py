"""Phases 4A and 4B: frozen once, judged once, published whole, and never rebuilt in secret."""

import json
from dataclasses import replace

import pytest
from diagnosis_bench import DIR, GOOD, OPEN, Bench
from diagnosis_cases import (
    CASE,
    CONFIRMED,
    INCONCLUSIVE,
    INVESTIGATED,
    PACKAGE,
    investigated_package,
)

from witmark.diagnosis import wire
from witmark.diagnosis.budget import Account
from witmark.diagnosis.builder import (
    Blocked,
    Published,
    Rejected,
    UnsettledBudgetError,
)
from witmark.diagnosis.case import Phase, Routing, State
from witmark.diagnosis.config import DiagnosisConfig, DiagnosisLimits
from witmark.diagnosis.context import OversizedDiagnosisError
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.kernel.errors import IntegrityError
from witmark.kernel.model.gateway import PolicyChangedError
from witmark.kernel.model.outcome import Because
from witmark.kernel.model.request import Profile
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import misconfigured, unreachable


def inputs(bench):
    return {path: raw for path, raw in bench.files.items() if path.startswith("inputs/")}


@pytest.mark.clause(
    "DIA-SEED-01", "DIA-SEED-03", "DIA-SEED-58", "DIA-SEED-59", "DIA-SEED-66", "DIA-SEED-67"
)
def test_a_confirmed_diagnosis_is_published_and_stays_in_building():
    bench = Bench(GOOD)
    before = inputs(bench)
    built = bench.build()
    assert isinstance(built, Published)
    assert built.diagnosis == CONFIRMED
    manifest = bench.manifest
    assert manifest.state is State.BUILDING_DIAGNOSIS
    assert manifest.routing is Routing.ANALYSIS
    assert manifest.pointers["diagnosis"] == f"{DIR}diagnosis_result.json"
    assert manifest.pointers["diagnosis_summary"] == f"{DIR}diagnosis_result.md"
    assert manifest.pointers["diagnosis_context"] == f"{DIR}context.json"
    assert "failure_report" not in manifest.pointers
    assert (manifest.revision, manifest.generation) == (1, 6)
    assert inputs(bench) == before
    assert bench.router.told == [(CASE, PACKAGE, State.BUILDING_DIAGNOSIS, Routing.ANALYSIS)]


@pytest.mark.clause("DIA-SEED-35", "DIA-SEED-37", "DIA-SEED-38", "DIA-SEED-56")
def test_the_result_binds_identity_context_and_call():
    bench = Bench(GOOD)
    bench.build()
    result = json.loads(bench.files[f"{DIR}diagnosis_result.json"])
    assert result["identity"] == {
        "case_id": CASE,
        "number": 1,
        "package_id": PACKAGE,
        "revision": 1,
    }
    started = bench.manifest.last(Phase.DIAGNOSIS_STARTED)
    assert result["context"] == {
        "digest": started.bindings["context"],
        "path": f"{DIR}context.json",
    }
    assert result["model_call"]["request"] == bench.provider.asked[0].digest
    assert result["diagnosis"] == wire.decision_plain(CONFIRMED)
    assert [one["open_questions"] for one in result["hypotheses"]] == [
        ["since when?"],
        ["which version?"],
        ["which settings?"],
    ]


@pytest.mark.clause("DIA-SEED-02", "DIA-SEED-39")
def test_the_model_sees_the_frozen_context_and_nothing_else():
    bench = Bench(GOOD)
    bench.build()
    [request] = bench.provider.asked
    assert request.messages[1].text.encode() == bench.files[f"{DIR}context.json"]
    assert len(request.messages) == 2
    assert request.schema.id == "diagnosis-output-v1"


@pytest.mark.clause("DIA-SEED-57")
def test_an_inconclusive_diagnosis_fails_the_analysis_and_routes_to_review():
    bench = Bench(OPEN)
    built = bench.build()
    assert built.diagnosis == INCONCLUSIVE
    manifest = bench.manifest
    assert (manifest.state, manifest.routing) == (State.FAILED_TO_ANALYZE, Routing.REVIEW)
    report = json.loads(bench.files[f"{DIR}failure_report.json"])
    assert report["routing"] == "review"
    assert report["review_actions"] == list(INCONCLUSIVE.review_actions)
    assert manifest.pointers["failure_report"] == f"{DIR}failure_report.json"


@pytest.mark.clause("DIA-SEED-45", "DIA-SEED-46", "DIA-SEED-47")
def test_an_invalid_decision_is_rejected_with_an_audit_error_and_nothing_else_changes():
    bench = Bench("no JSON", GOOD)
    built = bench.build()
    assert isinstance(built, Rejected)
    assert (built.invalid, built.left) == (1, 2)
    assert bench.manifest.last(Phase.DIAGNOSIS) is None
    [(kind, body)] = bench.audit()
    assert kind == "decision-rejected"
    assert body["feedback"] == built.feedback
    assert isinstance(bench.build(), Published)
    assert built.feedback in bench.provider.asked[1].messages[-1].text


@pytest.mark.clause("DIA-SEED-48", "DIA-SEED-49")
def test_after_the_last_invalid_decision_the_ending_alleges_no_cause():
    bench = Bench("a", "b", "c")
    ends = [bench.build() for _ in range(3)]
    assert [type(one) for one in ends] == [Rejected, Rejected, Published]
    diagnosis = ends[-1].diagnosis
    assert diagnosis.root_cause is None
    assert "final validation failed" in diagnosis.final_reason
    assert bench.manifest.state is State.FAILED_TO_ANALYZE
    raw = bench.files["journals/diagnosis-0001.jsonl"]
    assert all(f'\\"text\\": \\"{said}\\"'.encode() in raw for said in "abc")
    assert len(bench.provider.asked) == 3


@pytest.mark.clause("DIA-SEED-41", "DIA-SEED-50")
def test_no_answer_blocks_and_keeps_everything():
    bench = Bench(unreachable(), GOOD)
    before = bench.files["analysis/investigation/0001/investigation.json"]
    built = bench.build()
    assert isinstance(built, Blocked)
    assert built.because is Because.BACKING_OFF
    assert built.eligible_at_ms > bench.clock.now_ms()
    assert bench.manifest.state is State.BUILDING_DIAGNOSIS
    assert bench.audit()[0][0] == "no-answer"
    bench.clock.pass_s(10)
    assert isinstance(bench.build(), Published)
    assert bench.files["analysis/investigation/0001/investigation.json"] == before


@pytest.mark.clause("DIA-SEED-51", "DIA-SEED-52")
def test_a_retry_id_opens_a_blocked_diagnosis():
    bench = Bench(misconfigured(), GOOD)
    assert bench.build().eligible_at_ms is None
    assert isinstance(bench.build(), Blocked)
    assert isinstance(bench.build("monday"), Published)


@pytest.mark.clause("DIA-SEED-61")
def test_a_build_after_the_end_replays_and_asks_nobody():
    for answers in ([GOOD], [OPEN], ["a", "b", "c"], ["a", GOOD]):
        bench = Bench(*answers)
        while not isinstance(last := bench.build(), Published):
            pass
        before = dict(bench.files)
        again = Bench(package=bench.package)
        assert again.build() == last
        assert again.provider.asked == []
        assert dict(bench.files) == before


@pytest.mark.clause("DIA-SEED-55", "DIA-SEED-62")
def test_a_crash_after_the_answer_resumes_the_same_call():
    class Crash(BaseException):
        pass

    bench = Bench(GOOD)
    disk = bench.package.disk
    real = disk.write_new

    def crashing(name, data):
        if name.endswith("diagnosis_result.json"):
            raise Crash
        real(name, data)

    disk.write_new = crashing
    with pytest.raises(Crash):
        bench.build()
    disk.write_new = real
    assert isinstance(bench.build(), Published)
    assert len(bench.provider.asked) == 1


@pytest.mark.clause("DIA-SEED-08")
@pytest.mark.parametrize("path", ["inputs/report.md", "inputs/source/pkg/load.py"])
def test_a_changed_input_stops_it_before_anything_is_asked(path):
    bench = Bench(GOOD)
    bench.files[path] += b" "
    with pytest.raises(StaleCaseError, match="it was changed"):
        bench.build()
    assert bench.provider.asked == []


@pytest.mark.clause("DIA-SEED-64", "DIA-SEED-65")
def test_an_unknown_file_is_an_input_that_nobody_listed():
    bench = Bench(GOOD)
    for path in ("inputs/new.txt", f"{DIR}impostor.json", "notes.md"):
        bench.files[path] = b"?"
        with pytest.raises(StaleCaseError, match="not among the inputs"):
            bench.build()
        del bench.files[path]
    assert isinstance(bench.build(), Published)
    bench.files[f"{DIR}impostor.json"] = b"?"
    with pytest.raises(StaleCaseError):
        bench.build()


@pytest.mark.clause("DIA-SEED-07", "DIA-SEED-10")
@pytest.mark.parametrize("state", [State.ASSEMBLED, State.INTERPRETED, State.HYPOTHESES_READY])
def test_an_earlier_stage_that_is_missing_is_refused_and_not_run(state):
    package = investigated_package()
    last = {State.ASSEMBLED: 1, State.INTERPRETED: 2, State.HYPOTHESES_READY: 3}[state]
    files = package.disk.files
    for number in range(last + 1, 5):
        del files[f"manifests/{number:08d}.json"]
    for path in [p for p in files if p.startswith("analysis/inv") and "inventory" not in p]:
        del files[path]
    if state is not State.HYPOTHESES_READY:
        for path in [p for p in files if p.startswith("analysis/hypotheses")]:
            del files[path]
    if state is State.ASSEMBLED:
        for path in [p for p in files if p.startswith("analysis/interpretation")]:
            del files[path]
    bench = Bench(GOOD, package=package)
    with pytest.raises(MissingStageError, match=state.value):
        bench.build()
    assert bench.provider.asked == []


@pytest.mark.clause("DIA-SEED-09")
def test_an_account_that_is_not_settled_stops_it():
    for account in (Account("look", 10), Account("look", 10).reserve("A1", 4)):
        open_one = replace(INVESTIGATED, accounts=(account,))
        bench = Bench(GOOD, package=investigated_package(investigation=open_one))
        with pytest.raises(UnsettledBudgetError, match="look"):
            bench.build()


@pytest.mark.clause("DIA-SEED-70")
def test_a_context_that_is_too_large_is_refused_and_nothing_is_cut():
    size = len(Bench(GOOD).package.disk.files)
    assert size > 0
    whole = Bench(GOOD)
    whole.build()
    exact = len(whole.files[f"{DIR}context.json"])
    fits = DiagnosisConfig(limits=DiagnosisLimits(max_context_bytes=exact))
    assert isinstance(Bench(GOOD, config=fits).build(), Published)
    small = DiagnosisConfig(limits=DiagnosisLimits(max_context_bytes=exact - 1))
    bench = Bench(GOOD, config=small)
    with pytest.raises(
        OversizedDiagnosisError, match=f"{exact} bytes, the limit is {exact - 1}"
    ):
        bench.build()
    assert bench.provider.asked == []
    assert bench.manifest.state is State.INVESTIGATED


@pytest.mark.clause("DIA-SEED-42", "DIA-SEED-43", "DIA-SEED-44")
def test_the_policy_is_frozen_and_an_omitted_one_adopts_it():
    bench = Bench("a", config=DiagnosisConfig(max_invalid_responses=2))
    assert bench.build().left == 1
    other = Bench("b", package=bench.package, config=DiagnosisConfig(max_invalid_responses=5))
    with pytest.raises(PolicyChangedError, match="frozen as 2, not 5"):
        other.build()
    omitted = Bench("b", package=bench.package, config=DiagnosisConfig())
    assert isinstance(omitted.build(), Published)
    with pytest.raises(PolicyChangedError, match="frozen as 2, not 5"):
        other.build()  # nor is it taken back by what was published
    assert isinstance(omitted.build(), Published)


@pytest.mark.clause("DIA-SEED-53")
def test_a_corrected_configuration_is_another_operation_with_the_same_count():
    bench = Bench("a", misconfigured())
    bench.build()
    bench.build()
    mended = Bench(
        "b",
        "c",
        package=bench.package,
        profile=Profile("one", "played", "m-2"),
        clock=bench.clock,
    )
    assert mended.build().left == 1
    assert isinstance(mended.build(), Published)


@pytest.mark.clause("DIA-SEED-61", "DIA-SEED-63")
def test_a_published_result_that_was_changed_is_never_rebuilt():
    bench = Bench("a", GOOD)
    bench.build()
    bench.build()
    bound = [
        path
        for path in sorted(bench.files)
        if path.startswith((DIR, "manifests/", "journals/diagnosis", "blobs/", "analysis/"))
    ]
    assert len(bound) >= 8
    for path in bound:
        sound = bench.files[path]
        for at in range(0, len(sound), max(1, len(sound) // 7)):
            bench.files[path] = sound[:at] + bytes([sound[at] ^ 4]) + sound[at + 1 :]
            changed = dict(bench.files)
            again = Bench(GOOD, package=bench.package)
            with pytest.raises(IntegrityError):
                again.build()
            assert again.provider.asked == []
            assert dict(bench.files) == changed
        bench.files[path] = sound


@pytest.mark.clause("DIA-SEED-63")
def test_a_published_file_that_is_missing_is_never_rebuilt():
    bench = Bench(OPEN)
    bench.build()
    for name in ("context.json", "diagnosis_result.json", "diagnosis_result.md"):
        sound = bench.files.pop(f"{DIR}{name}")
        with pytest.raises(IntegrityError):
            bench.build()
        assert f"{DIR}{name}" not in bench.files
        bench.files[f"{DIR}{name}"] = sound


@pytest.mark.clause("DIA-SEED-63")
def test_pointers_that_do_not_fit_are_an_error():
    bench = Bench(GOOD)
    bench.build()
    package = Package(MemoryDisk(dict(bench.files)))
    manifest = package.manifest()
    for changed in (
        {name: path for name, path in manifest.pointers.items() if name != "diagnosis"},
        {**manifest.pointers, "failure_report": f"{DIR}diagnosis_result.md"},
        {**manifest.pointers, "diagnosis_summary": f"{DIR}context.json"},
    ):
        package = Package(MemoryDisk(dict(bench.files)))
        package.advance(manifest, replace(manifest, pointers=changed), {})
        with pytest.raises(IntegrityError, match="pointers"):
            Bench(package=package).build()


@pytest.mark.clause("DIA-SEED-30", "DIA-SEED-36")
def test_the_summary_follows_from_the_result_and_says_what_the_checks_are_worth():
    bench = Bench(GOOD)
    bench.build()
    text = bench.files[f"{DIR}diagnosis_result.md"].decode()
    assert "Confirmed (strongly supported): load indexes an empty name" in text
    assert "They cannot hold that the inference" in text
    for one in CONFIRMED.evaluations:
        assert one.hypothesis_id in text
    assert "logs after the first megabyte" in text
    assert "since when?" in text
