"""The view of a published diagnosis: nothing in it that does not stand in the package."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from diagnosis_bench import DIR
from diagnosis_cases import (
    CONFIRMED,
    FINDINGS,
    H1,
    H2,
    INPUTS,
    INTERPRETED,
    INVESTIGATED,
    LOG,
    SOURCE,
    investigated_package,
    quote,
)
from diagnosis_reports import (
    CASE,
    OPEN,
    PACKAGE,
    SECRET,
    SOURCE_PATH,
    built,
    report,
    with_input,
)

from witmark.diagnosis import wire
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.case import InputKind, Phase
from witmark.diagnosis.chronicle import steps
from witmark.diagnosis.feedback import Verdict, give_feedback
from witmark.diagnosis.findings import Support
from witmark.diagnosis.interpretation import Frame, Trace
from witmark.diagnosis.leftovers import left_over
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.telling import report_of
from witmark.kernel.errors import FolderChangedError
from witmark.kernel.evidence import resolve
from witmark.kernel.model.request import Prices, Profile
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "diagnosis").glob("*.json"))
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq1\nabcdEFGH12345678zzzz\n"
    "-----END RSA PRIVATE KEY-----"
)


def golden(path):
    kept = json.loads(path.read_text("utf-8"))
    files = {name: text.encode() for name, text in kept.items()}
    return MemoryDisk(files)


def timed(log):
    """A report of a case whose log is this."""
    return report_of(
        built(package=with_input("inputs/logs/app.log", log, InputKind.LOG)).package,
        made_by="1",
    )


# Nothing is added ----------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-01")
def test_the_matrix_is_the_stored_findings():
    made = report()

    rows = {row.finding: dict(row.cells) for row in made.matrix}
    assert rows == {one.id: dict(one.bears_on) for one in FINDINGS}
    assert len(made.matrix) == len(FINDINGS)
    kinds = {row.finding: (row.kind, row.completeness) for row in made.matrix}
    assert kinds == {one.id: (one.kind, one.completeness) for one in FINDINGS}


@pytest.mark.clause("DIA-VIEW-01")
def test_what_the_decision_cites_comes_first():
    cited = [row.is_cited for row in report().matrix]

    assert cited == sorted(cited, reverse=True)
    assert {row.finding for row in report().matrix if row.is_cited} == {
        "F-0001",
        "F-0002",
        "F-0003",
    }


@pytest.mark.clause("DIA-VIEW-02")
def test_every_ref_leads_to_stored_bytes_and_says_which_lines():
    bench = built()
    made = report_of(bench.package, made_by="1")
    stored = {one.digest: bench.files[f"inputs/{one.path}"] for one in made.given}

    assert made.places
    for ref, place in made.places.items():
        text = resolve(stored[ref.blob], ref.at)
        line = stored[ref.blob].decode().split("\n")[place.start_line - 1]
        assert line[place.start_column - 1 :].startswith(text.split("\n")[0])
    place = made.places[FINDINGS[0].quotes[0].ref]
    assert (place.path, place.source_path, place.start_line, place.start_column) == (
        "source/pkg/load.py",
        "pkg/load.py",
        2,
        12,
    )
    assert place.end_column == place.start_column + len("name[0]")


@pytest.mark.clause("DIA-VIEW-02")
def test_a_suspect_shows_the_lines_that_are_stored():
    first = report().suspects[0]

    assert [(line.number, line.text) for line in first.lines] == [
        (1, "def load(name):"),
        (2, "    return name[0]"),
    ]
    assert resolve(SOURCE, first.ref.at) == SOURCE.decode().rstrip("\n")


@pytest.mark.clause("DIA-VIEW-02")
def test_lines_that_are_not_shown_are_counted():
    raw = b"def load(name):\n" + b"    x = 1\n" * 99
    place = replace(INVESTIGATED.suspects[0].location, end_line=100)
    suspect = replace(INVESTIGATED.suspects[0], location=place)
    before = INPUTS[SOURCE_PATH]
    INPUTS[SOURCE_PATH] = (raw, InputKind.SOURCE)
    findings = tuple(replace(one, quotes=()) for one in FINDINGS)
    try:
        investigation = replace(INVESTIGATED, suspects=(suspect,), findings=findings)
        package = investigated_package(investigation=investigation)
    finally:
        INPUTS[SOURCE_PATH] = before
    first = report(package=package).suspects[0]

    assert (len(first.lines), first.left_out) == (30, 70)


@pytest.mark.clause("DIA-VIEW-11")
def test_the_place_of_a_confirmed_cause_is_told_from_a_rank():
    assert [one.is_cause for one in report().suspects] == [True]
    assert [one.is_cause for one in report(OPEN).suspects] == [False]


def test_how_well_a_hypothesis_is_supported_follows_from_the_table():
    levels = report().levels

    assert levels[H1] is Support.STRONGLY_SUPPORTED
    assert levels[H2] is Support.INSUFFICIENT


# Secrets -------------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-03")
def test_a_secret_has_the_same_mark_in_the_source_lines_as_in_the_context():
    raw = f'def load(name):\n    token = "{SECRET}"\n'.encode()
    before = INPUTS[SOURCE_PATH]
    INPUTS[SOURCE_PATH] = (raw, InputKind.SOURCE)
    quoting = replace(FINDINGS[0], quotes=(quote(raw, f'token = "{SECRET}"'),))
    others = tuple(replace(one, quotes=()) for one in FINDINGS[1:])
    said = replace(INTERPRETED, title=f"It says password={SECRET[:4]}hunter77secret")
    try:
        package = investigated_package(
            investigation=replace(INVESTIGATED, findings=(quoting, *others)),
            interpretation=said,
        )
    finally:
        INPUTS[SOURCE_PATH] = before
    bench = built(package=package)
    made = report_of(bench.package, made_by="1")

    frozen = next(one for one in made.findings if one.id == "F-0001").quotes[0].text
    assert "[redacted" in frozen
    assert made.suspects[0].lines[1].text.strip() == frozen
    assert SECRET not in repr(made)
    assert made.redactions


@pytest.mark.clause("DIA-VIEW-03")
def test_a_secret_over_many_lines_is_marked_on_each_and_no_line_is_lost():
    text = f"a\n{KEY}\nb"
    lines = Redactor().lines(text)

    assert (lines[0], lines[-1], len(lines)) == ("a", "b", len(text.split("\n")))
    assert all(line.startswith("[redacted private-key 1]") for line in lines[1:-1])


@pytest.mark.clause("DIA-VIEW-03")
def test_a_text_without_a_secret_keeps_its_lines():
    for text in ("", "\n", "a\r\nb", "password\n\n= 1", SOURCE.decode()):
        assert Redactor().lines(text) == text.split("\n")


# Time ----------------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-04")
def test_the_times_of_a_log_are_told_as_they_are_spelled_and_in_order():
    made = timed(
        b"2026-03-01T10:00:00+02:00 start\nnoise\n2026-03-01T09:30:00Z middle\n"
        b"2026-03-01T13:00:00+02:00 end\n"
    )

    assert [(one.at, one.what) for one in made.happened] == [
        ("2026-03-01T10:00:00+02:00", "log-begins"),
        ("2026-03-01T13:00:00+02:00", "log-ends"),
    ]


@pytest.mark.clause("DIA-VIEW-04")
def test_zones_count_for_the_order():
    log = b"2026-03-01T10:00:00Z first by zone\nx\n2026-03-01T11:30:00+05:00 earlier\n"
    package = with_input(
        "inputs/logs/app.log", log, InputKind.LOG, findings=("first by zone", "earlier")
    )
    made = report_of(built(package=package).package, made_by="1")

    assert [one.at[-6:] for one in made.happened if one.what == "quoted"] == [
        "+05:00",
        "00:00Z",
    ]


@pytest.mark.clause("DIA-VIEW-04")
def test_a_line_without_a_time_has_that_of_the_line_above_it():
    log = b"2026-03-01 10:00:00 ERROR failed\nTraceback: boom\n"
    package = with_input("inputs/logs/app.log", log, InputKind.LOG, findings=("boom",))
    made = report_of(built(package=package).package, made_by="1")

    assert ("2026-03-01 10:00:00", "boom") in [(one.at, one.text) for one in made.happened]


@pytest.mark.clause("DIA-VIEW-04")
@pytest.mark.parametrize("log", [b"", b"2026-13-45 99:99:99 no time\n", b"12:00 no date\n"])
def test_no_time_is_guessed(log):
    assert timed(log).happened == ()


@pytest.mark.clause("DIA-VIEW-04")
def test_every_step_and_every_word_of_a_person_is_kept_in_order():
    bench = built()
    clock = SteadyClock()
    give_feedback(CASE, PACKAGE, Verdict.REJECTED, "not there", bench, clock)
    CaseAssembler(bench, clock).reopen(bench.package, bench.manifest)
    manifest = bench.manifest
    assert [step.phase for step in _steps(bench)][-2:] == [Phase.FEEDBACK, Phase.ASSEMBLY]
    said, reopened = _steps(bench)[-2:]

    assert (said.said.verdict, said.said.reason) == (Verdict.REJECTED, "not there")
    assert (reopened.is_reopened, reopened.revision) == (True, 2)
    assert len(_steps(bench)) == len(manifest.checkpoints)


def _steps(bench):
    return steps(bench.package, bench.manifest, Redactor())


@pytest.mark.clause("DIA-VIEW-03")
def test_a_secret_in_a_reason_is_marked():
    bench = built()
    give_feedback(
        CASE, PACKAGE, Verdict.ACCEPTED, f"I used {SECRET} there", bench, SteadyClock()
    )
    said = report_of(bench.package, made_by="1").feedback[-1].said

    assert SECRET not in said.reason
    assert said.reason.startswith("I used [redacted")


# What stands ---------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-05")
def test_what_is_not_published_has_no_report():
    with pytest.raises(MissingStageError):
        report_of(investigated_package(), made_by="1")


@pytest.mark.clause("DIA-VIEW-05")
def test_a_report_of_other_inputs_is_refused():
    bench = built()
    bench.files["inputs/logs/run.log"] = LOG + b"more"

    with pytest.raises(StaleCaseError):
        report_of(bench.package, made_by="1")


@pytest.mark.clause("DIA-VIEW-05")
def test_a_changed_artefact_is_refused():
    bench = built()
    bench.files[f"{DIR}diagnosis_result.json"] += b" "

    with pytest.raises(FolderChangedError):
        report_of(bench.package, made_by="1")


@pytest.mark.clause("DIA-VIEW-05")
def test_a_report_changes_nothing():
    bench = built()
    before = dict(bench.files)
    report_of(bench.package, made_by="1")

    assert bench.files == before


@pytest.mark.clause("DIA-VIEW-06")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_package_of_an_earlier_release_has_a_report(path):
    made = report_of(Package(golden(path)), made_by="1")

    assert made == report_of(Package(golden(path)), made_by="1")
    assert made.matrix


# Calls ---------------------------------------------------------------------------------


def test_calls_are_told_with_what_they_cost():
    profile = Profile("one", "played", "m-1", prices=Prices(1.0, 2.0, "EUR"))
    made = report(profile=profile)

    assert [call.end for call in made.calls] == ["accepted"]
    assert not made.is_embedded


def test_refused_decisions_are_counted():
    bad = wire.decision_json(replace(CONFIRMED, selected_hypothesis_id=None))
    bench = built(bad, "nonsense", "more nonsense")
    for _ in range(2):
        asyncio.run(bench.builder.build(CASE, PACKAGE))
    made = report_of(bench.package, made_by="1")

    assert made.refused == 3
    assert made.diagnosis.root_cause is None


# Left-overs ----------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-12")
def test_what_an_interrupted_step_left_is_told_from_a_change():
    package = investigated_package()
    package.disk.files[f"{DIR}context.json"] = b"half of a step"
    package.disk.files["inputs/new.txt"] = b"a stranger"
    manifest = package.manifest()

    assert left_over(package, manifest) == (f"{DIR}context.json",)
    with pytest.raises(StaleCaseError, match=r"new\.txt"):
        package.check_fresh(manifest, leftovers=left_over(package, manifest))


@pytest.mark.clause("DIA-VIEW-12")
def test_a_whole_package_has_no_left_overs():
    bench = built()

    assert left_over(bench.package, bench.manifest) == ()


# Call stacks ---------------------------------------------------------------------------


def test_a_frame_without_a_finding_of_its_own_has_that_of_its_definition():
    """A stack that goes through one function twice, or stands in two files, is one voice."""
    text = quote(LOG, "IndexError").ref
    other = quote(LOG, "string").ref
    far = quote(LOG, "range").ref
    frames = (
        Frame("/opt/pkg/load.py", 1, "load", "", other),
        Frame("/opt/pkg/load.py", 9, "load", "", far),
        Frame("/opt/pkg/load.py", 2, "load", "", text),
    )
    said = replace(INTERPRETED, traces=(Trace("python", frames, "E", "m", text),))
    found = replace(FINDINGS[0], investigator="traces", quotes=(quote(LOG, "IndexError"),))
    investigation = replace(INVESTIGATED, findings=(found, *FINDINGS[1:]))
    package = investigated_package(investigation=investigation, interpretation=said)
    made = report(package=package)

    assert [f.finding and f.finding.id for f in made.stacks[0].frames] == [
        "F-0001",
        None,
        "F-0001",
    ]
    assert [line.is_met for line in made.suspects[0].lines] == [True, True]
