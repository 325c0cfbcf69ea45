"""What was published stays published: over releases, settings, strangers and lost manifests."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from diagnosis_bench import DIR, GOOD, OPEN, Bench
from diagnosis_cases import CONFIRMED, ENDS, investigated_package

from witmark.diagnosis import wire
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.builder import Blocked, Published, Rejected
from witmark.diagnosis.case import State
from witmark.diagnosis.deciding import decide_prompt
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import BrokenChainError, IntegrityError, ReplayDiffersError
from witmark.kernel.journal import read_journal
from witmark.kernel.model.outcome import Because
from witmark.kernel.model.request import Profile
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import misconfigured, unreachable

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "diagnosis").glob("*.json"))
OTHER_PROMPT = replace(decide_prompt(), digest=digest_of(b"newer"), text="Decide anew.")
OTHER_MODEL = Profile("two", "played", "m-2")


class Crash(BaseException):
    """The process is gone."""


def crash_before(bench, ending):
    """Build until a file of this ending is about to be written."""
    disk = bench.package.disk
    real = disk.write_new

    def crashing(name, data):
        if name.endswith(ending):
            raise Crash
        real(name, data)

    disk.write_new = crashing
    with pytest.raises(Crash):
        bench.build()
    disk.write_new = real


def with_prompt(bench, prompt):
    bench.builder._prompt = prompt
    return bench


# Releases ------------------------------------------------------------------------------


@pytest.mark.clause("DIA-RPL-01")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_an_earlier_release_published_is_replayed_to_the_byte(path):
    files = {name: text.encode() for name, text in json.loads(path.read_text("utf-8")).items()}
    bench = Bench(package=Package(MemoryDisk(dict(files))))
    built = bench.build()
    assert isinstance(built, Published)
    assert bench.provider.asked == []
    assert bench.files == files
    assert ("confirmed" in path.stem) == (built.manifest.state is State.BUILDING_DIAGNOSIS)


@pytest.mark.clause("DIA-RPL-01")
def test_there_is_a_golden_package_of_every_kind_of_ending():
    kinds = {path.stem.partition("-")[2] for path in GOLDEN}
    assert kinds == {"confirmed", "inconclusive", "rejected-3"}


@pytest.mark.clause("DIA-RPL-02")
def test_a_diagnosis_goes_on_and_is_replayed_with_the_instructions_it_was_started_with():
    """A newer release asks with its own words only what it started itself."""
    bench = Bench("a", GOOD)
    assert isinstance(bench.build(), Rejected)
    newer = with_prompt(Bench(GOOD, package=bench.package), OTHER_PROMPT)
    built = newer.build()
    assert isinstance(built, Published)
    assert newer.provider.asked[0].messages[0].text == decide_prompt().text
    assert with_prompt(Bench(package=bench.package), OTHER_PROMPT).build() == built


@pytest.mark.clause("DIA-RPL-02")
def test_instructions_that_we_do_not_have_are_an_error_before_anybody_is_asked():
    bench = with_prompt(Bench("a"), OTHER_PROMPT)
    bench.build()
    plain = Bench(GOOD, package=bench.package)
    with pytest.raises(ReplayDiffersError, match="prompt"):
        plain.build()
    assert plain.provider.asked == []


# The last word -------------------------------------------------------------------------


@pytest.mark.clause("DIA-RPL-03")
@pytest.mark.parametrize("ending", ["diagnosis_result.json", "00000006.json"])
@pytest.mark.parametrize("answers", [[GOOD], [OPEN], ["a", "b", "c"]])
def test_settings_that_changed_after_the_last_word_ask_nobody_again(answers, ending):
    """The accepted call is the one that is taken up, whoever would be asked by now."""
    bench = Bench(*answers)
    for _ in answers[1:]:
        bench.build()
    crash_before(bench, ending)
    other = Bench(OPEN, package=bench.package, profile=OTHER_MODEL)
    built = other.build()
    assert isinstance(built, Published)
    assert other.provider.asked == []
    assert (built.diagnosis == CONFIRMED) == (answers == [GOOD])
    assert Bench(package=bench.package).build() == built


@pytest.mark.clause("DIA-RPL-04")
def test_a_manifest_that_went_missing_is_noticed_and_nothing_is_built_again():
    """The audit says so only after the manifest stands, so no crash leaves it like this."""
    bench = Bench(GOOD)
    bench.build()
    for newest in (6, 5):
        del bench.files[f"manifests/{newest:08d}.json"]
        before = dict(bench.files)
        again = Bench(GOOD, package=bench.package)
        with pytest.raises(BrokenChainError, match="the manifest is gone"):
            again.build()
        assert again.provider.asked == []
        assert bench.files == before


@pytest.mark.clause("DIA-RPL-05")
@pytest.mark.parametrize("change", ["state", "bindings", "number"])
def test_a_sealed_manifest_that_does_not_fit_the_diagnosis_is_refused(change):
    bench = Bench(GOOD)
    bench.build()
    manifest = bench.manifest
    last = manifest.checkpoints[-1]
    forged = {
        "state": replace(manifest, state=State.FAILED_TO_ANALYZE),
        "bindings": replace(
            manifest,
            checkpoints=(*manifest.checkpoints[:-1], replace(last, bindings={})),
        ),
        "number": replace(
            manifest,
            checkpoints=(
                *manifest.checkpoints[:-1],
                replace(last, bindings={**last.bindings, "number": 2}),
            ),
        ),
    }[change]
    bench.package.advance(manifest, forged, {})
    with pytest.raises(IntegrityError):
        Bench(package=bench.package).build()


# Strangers -----------------------------------------------------------------------------


@pytest.mark.clause("DIA-PUB-02")
def test_a_file_where_a_result_belongs_is_a_stranger_until_the_record_says_otherwise():
    for name in ("diagnosis_result.json", "diagnosis_result.md", "failure_report.json"):
        bench = Bench(GOOD)
        bench.files[f"{DIR}{name}"] = b"{}"
        with pytest.raises(StaleCaseError, match="not among the inputs"):
            bench.build()
        assert bench.provider.asked == []
    bench = Bench(GOOD)
    crash_before(bench, "diagnosis_result.md")
    bench.files[f"{DIR}failure_report.json"] = b"{}"
    with pytest.raises(StaleCaseError, match="failure_report"):
        bench.build()


@pytest.mark.clause("DIA-PUB-03")
@pytest.mark.parametrize(
    "path",
    [f"{DIR}context.json", "journals/diagnosis-0001.jsonl", "journals/diagnosis-0001.lock"],
)
def test_an_input_that_lies_where_a_diagnosis_would_is_left_alone(path):
    """It is listed, so it is an input: the diagnosis takes the next number."""
    package = investigated_package()
    package.disk.files[path] = b"mine\n"
    bench = Bench(GOOD, package=package)
    manifest = CaseAssembler(bench, bench.clock).refresh(package, package.manifest())
    files = {
        name: package.artefact(package.manifest(), name)
        for name in package.manifest().declared
        if name.startswith(("analysis/interp", "analysis/hypo", "analysis/investigation"))
    }
    for phase, state in (
        ("interpretation", State.INTERPRETED),
        ("hypotheses", State.HYPOTHESES_READY),
        ("investigation", State.INVESTIGATED),
    ):
        old = f"analysis/{phase}/0001/{phase}.json"
        pointers = {**manifest.pointers, phase: old}
        manifest = package.advance(
            manifest, replace(manifest, state=state, pointers=pointers), {}
        )
    assert len(files) == 3
    built = bench.build()
    assert isinstance(built, Published)
    assert (
        built.manifest.pointers["diagnosis"] == "analysis/diagnosis/0002/diagnosis_result.json"
    )
    assert package.disk.files[path] == b"mine\n"
    assert Bench(package=package).build() == built


@pytest.mark.clause("DIA-PUB-04")
def test_what_a_writer_left_by_the_side_is_nobodys_input_and_stays():
    side = f"{DIR}.0123456789abcdef.side"
    bench = Bench(GOOD)
    bench.files[side] = b"half"
    assert isinstance(bench.build(), Published)
    assert bench.files[side] == b"half"
    hidden = Bench(GOOD)
    hidden.files["inputs/.0123456789abcdef.sidecar"] = b"mine"
    with pytest.raises(StaleCaseError):
        hidden.build()


# What a publication holds --------------------------------------------------------------


@pytest.mark.clause("DIA-PUB-05")
@pytest.mark.parametrize("answers", [[GOOD], [OPEN], ["a", "b", "c"]])
def test_every_ending_and_question_is_kept_and_rendering_again_gives_the_same_bytes(answers):
    """Promises 35 and 36."""
    first, second = Bench(*answers), Bench(*answers)
    for bench in (first, second):
        while not isinstance(bench.build(), Published):
            pass
    results = [n for n in first.files if n.startswith(DIR)]
    assert {n: first.files[n] for n in results} == {n: second.files[n] for n in results}
    result = json.loads(first.files[f"{DIR}diagnosis_result.json"])
    kept = {
        h["hypothesis"]["id"]: (h["state"], h["open_questions"]) for h in result["hypotheses"]
    }
    assert kept == {e.hypothesis.id: (e.state.value, list(e.open_questions)) for e in ENDS}
    evaluated = [e["hypothesis_id"] for e in result["diagnosis"]["hypothesis_evaluations"]]
    assert sorted(evaluated) == sorted(kept)
    page = first.files[f"{DIR}diagnosis_result.md"].decode()
    assert all(question in page for _, questions in kept.values() for question in questions)
    assert wire.read_decision(json.dumps(result["diagnosis"]))


@pytest.mark.clause("DIA-SEED-04", "DIA-SEED-54", "DIA-SEED-60")
def test_a_diagnosis_writes_these_files_and_no_others():
    """No change request, no patch, nothing dispatched: what it may leave is a short list."""
    before = set(investigated_package().disk.files)
    allowed = {
        *(
            f"{DIR}{n}"
            for n in ("context.json", "diagnosis_result.json", "diagnosis_result.md")
        ),
        *("journals/diagnosis-0001.jsonl", "journals/audit.jsonl"),
        *("manifests/00000005.json", "manifests/00000006.json"),
    }
    for answer, more in ((GOOD, set()), (OPEN, {f"{DIR}failure_report.json"})):
        bench = Bench(answer)
        bench.build()
        new = {n for n in bench.files if not n.startswith("blobs/")} - before
        assert new == allowed | more
        [blob] = [n for n in bench.files if n.startswith("blobs/")]
        assert json.loads(bench.files[blob]) == wire.schema().json


@pytest.mark.clause("DIA-SEED-16")
def test_a_build_spends_no_credit_and_looks_at_nothing_again():
    for answers in ([GOOD], ["a", "b", "c"], [unreachable()], [misconfigured()]):
        bench = Bench(*answers)
        path = "analysis/investigation/0001/investigation.json"
        before = bench.files[path]
        for _ in answers:
            bench.build()
        assert bench.files[path] == before
        assert not any("investigation" in n for n in bench.files if n.startswith("journals/"))
        context = json.loads(bench.files[f"{DIR}context.json"])
        [account] = context["accounts"]
        assert account["settled"] == {"A1": 4}
        assert account["is_closed"] is True


@pytest.mark.clause("DIA-SEED-40")
def test_the_second_provider_is_asked_by_the_next_build_and_a_retry_waits_its_time():
    bench = Bench(unreachable(), unreachable(), GOOD)
    two = (
        Profile("one", "played", "m-1", retries=0),
        Profile("two", "played", "m-2", retries=1),
    )
    bench.gateway._routes = replace(bench.gateway._routes, profiles={"*": two})
    first = bench.build()
    assert isinstance(first, Blocked)
    assert first.because is Because.NEXT_PROVIDER
    second = bench.build()
    assert second.because is Because.BACKING_OFF
    assert bench.build().because is Because.BACKING_OFF
    assert [one.profile.name for one in bench.provider.asked] == ["one", "two"]
    bench.clock.pass_s(10)
    assert isinstance(bench.build(), Published)


@pytest.mark.clause("DIA-SEED-52")
def test_a_retry_id_shortens_no_wait_and_forgets_no_refusal():
    bench = Bench("a", unreachable(retry_after_s=3_600.0), "b", "c")
    bench.build()
    waiting = bench.build("now")
    assert waiting.eligible_at_ms >= bench.clock.now_ms() + 3_599_000
    assert bench.build("now").because is Because.BACKING_OFF
    assert bench.build("again").because is Because.BACKING_OFF
    assert len(bench.provider.asked) == 2
    bench.clock.pass_s(3_600)
    assert bench.build("more").left == 1
    assert isinstance(bench.build("most"), Published)


@pytest.mark.clause("DIA-SEED-49")
def test_a_refused_reply_is_kept_to_the_byte():
    said = 'no JSON: "\\ 孔\t<b>'
    bench = Bench(said, GOOD)
    bench.build()
    [replied] = [
        entry.body
        for entry in read_journal(bench.package.disk, "diagnosis-0001")
        if entry.kind == "model.replied"
    ]
    assert json.loads(replied["body"]["text"])["text"] == said
