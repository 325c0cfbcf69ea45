"""Packages diagnosed before: a likeness is a hint, frozen; a rejected one speaks against."""

import asyncio
import json
import shutil
from dataclasses import replace

import pytest
from diagnosis_folders import PYTHON, laid_out
from diagnosis_views import LIMITS, view_of

from witmark.adapters.clock import SystemClock
from witmark.bootstrap.case_packages import store
from witmark.bootstrap.diagnosing import desk, package_of
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis import earlier, support
from witmark.diagnosis.builder import Published
from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.feedback import Verdict, give_feedback
from witmark.diagnosis.findings import Direction, Support
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.investigators.earlier import EarlierInvestigator
from witmark.diagnosis.package import Package
from witmark.diagnosis.plain import from_plain
from witmark.diagnosis.ports import Earlier, Likeness
from witmark.diagnosis.use_cases import diagnose, form_case_hypotheses, interpret_case
from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.evidence import parse_ref

AGAIN = PYTHON | {
    "report.md": PYTHON["report.md"].replace("table ''", "table 'x'").replace("13", "14")
}
OTHER_PLACE = PYTHON | {
    "report.md": PYTHON["report.md"].replace("line 7, in check", "line 16, in save")
}
OTHER_ERROR = PYTHON | {
    "report.md": PYTHON["report.md"].replace("load.LoadError: cannot", "load.OSError: cannot")
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path / "home"))


def made():
    return desk(load_settings(None), DiagnosisConfig(), use_model=False)


def diagnosed(folder):
    case_id, package_id, _ = package_of(folder)
    built = asyncio.run(diagnose(case_id, package_id, made()))
    assert isinstance(built, Published)
    return case_id, package_id, built


def context_of(case_id, package_id, built):
    disk = store().disk(case_id, package_id)
    return json.loads(disk.read(built.manifest.pointers["diagnosis_context"]))


def told(found):
    return [one for one in context_of(*found)["findings"] if one["group"] == "earlier"]


@pytest.mark.clause("DIA-INV-11")
def test_a_duplicate_is_found_by_its_stack_and_is_only_a_likeness(tmp_path):
    first = diagnosed(laid_out(tmp_path / "first", PYTHON))
    assert told(first) == []
    second = diagnosed(laid_out(tmp_path / "second", AGAIN))

    (one,) = told(second)
    assert one["kind"] == "heuristic"
    assert "the same exception and 2 of 2 innermost frames" in one["statement"]
    assert f"{first[0]}/{first[1]}" in one["statement"]
    has_cause = first[2].diagnosis.root_cause is not None
    assert set(one["bears_on"].values()) == ({"for"} if has_cause else set())


@pytest.mark.clause("DIA-INV-12")
def test_what_is_used_of_another_package_stays_when_that_one_is_gone(tmp_path):
    first = diagnosed(laid_out(tmp_path / "first", PYTHON))
    second = diagnosed(laid_out(tmp_path / "second", AGAIN))
    result = store().disk(*first[:2]).read(first[2].manifest.pointers["diagnosis"])
    (quote, *_) = told(second)[0]["quotes"]
    shutil.rmtree(store().place(*first[:2]))

    ref = parse_ref(quote["ref"])
    assert ref.blob == digest_of(result)
    package = Package(store().disk(*second[:2]))
    kept = [p for p, d in package.manifest().declared.items() if d == ref.blob]
    assert ref.at.cut(package.read(kept[0]).decode()) == quote["text"]
    again = asyncio.run(diagnose(*second[:2], made()))
    assert again.diagnosis == second[2].diagnosis


@pytest.mark.clause("DIA-INV-11")
@pytest.mark.parametrize("files", [OTHER_PLACE, OTHER_ERROR], ids=["place", "error"])
def test_like_words_with_another_stack_are_no_proof(tmp_path, files):
    diagnosed(laid_out(tmp_path / "first", files))
    (one,) = told(diagnosed(laid_out(tmp_path / "second", PYTHON)))

    assert "its call stack is not this one" in one["statement"]
    assert set(one["bears_on"].values()) <= {"neutral"}
    assert one["location"] is None


@pytest.mark.clause("DIA-INV-11")
def test_a_diagnosis_that_a_person_rejected_speaks_against_its_kind_of_cause(tmp_path):
    first = diagnosed(laid_out(tmp_path / "first", PYTHON))
    assert first[2].diagnosis.root_cause is not None
    give_feedback(*first[:2], Verdict.REJECTED, "not there", store(), SystemClock())
    (one,) = told(diagnosed(laid_out(tmp_path / "second", AGAIN)))

    assert "a person rejected" in one["statement"]
    assert set(one["bears_on"].values()) == {"against"}
    assert [quote["text"] for quote in one["quotes"]][-1] == '"verdict":"rejected"'


def made_earlier(number, cause_class, name, *, is_same=True):
    place = {"end_line": 8, "name": name, "path": "pkg/load.py", "start_line": 5}
    result = {
        "diagnosis": {
            "root_cause": {"summary": f"{name} is wrong"},
            "selected_hypothesis_id": "H1",
            "status": "confirmed",
        },
        "hypotheses": [{"hypothesis": {"cause_class": cause_class, "id": "H1"}}],
        "suspects": [{"location": place}],
    }
    likeness = Likeness(is_same, 2, 2, 0.9)
    text = canonical_json(result).decode()
    return Earlier(CaseId(f"case-{number}"), PackageId("p-1"), 1, likeness, text)


def looked(*before):
    return EarlierInvestigator().look(view_of(PYTHON, earlier=before), "A1", LIMITS).findings


@pytest.mark.clause("DIA-INV-11")
def test_two_of_one_stack_with_different_causes_are_no_proof_of_either():
    cause = view_of(PYTHON).hypotheses[0].cause_class
    (alone,) = looked(made_earlier(1, cause, "check"))
    assert set(alone.bears_on.values()) == {Direction.FOR}
    assert alone.location.name == "check"

    both = looked(made_earlier(1, cause, "check"), made_earlier(2, cause, "Table.save"))
    assert [set(one.bears_on.values()) for one in both] == [{Direction.NEUTRAL}] * 2
    assert [one.location for one in both] == [None, None]


@pytest.mark.clause("DIA-INV-11")
def test_earlier_packages_alone_never_support_a_hypothesis():
    view = view_of(PYTHON)
    one = view.hypotheses[0]
    found = looked(*(made_earlier(n, one.cause_class, "check") for n in (1, 2, 3)))
    assert all(f.bears_on[one.id] is Direction.FOR for f in found)
    rival = tuple(
        replace(f, bears_on={view.hypotheses[1].id: Direction.AGAINST}) for f in found
    )
    case = support.Case(one.id, found, (), view.hypotheses[1].id, rival)
    assert support.level_of(case) is Support.WEAK


@pytest.mark.clause("DIA-INV-12")
def test_a_package_of_the_same_case_is_no_earlier_one(tmp_path):
    folder = laid_out(tmp_path / "case", PYTHON)
    diagnosed(folder)
    (folder / "more.log").write_text("started\n", "utf-8")
    assert told(diagnosed(folder)) == []


@pytest.mark.clause("DIA-INV-12")
def test_a_crash_before_the_copies_were_declared_leaves_no_case_stuck(tmp_path):
    diagnosed(laid_out(tmp_path / "first", PYTHON))
    case_id, package_id, _ = package_of(laid_out(tmp_path / "second", AGAIN))
    work = made()
    interpret_case(case_id, package_id, work)
    form_case_hypotheses(case_id, package_id, work)
    package = Package(store().disk(case_id, package_id))
    manifest = package.manifest()
    raw = package.artefact(manifest, manifest.pointers["interpretation"])
    said = from_plain(Interpretation, json.loads(raw)["value"], place="here")
    found = earlier.gather(store(), case_id, package_id, said)
    files = earlier.artefacts_of(found, "analysis/earlier/0001/")
    path = min(files)
    package.put(path, files[path])
    shutil.rmtree(tmp_path / "home" / "cases" / found.used[0].case_id)

    built = asyncio.run(diagnose(case_id, package_id, work))
    assert len(told((case_id, package_id, built))) == 1


@pytest.mark.clause("DIA-INV-12")
def test_a_broken_neighbour_stops_nobody(tmp_path):
    first = diagnosed(laid_out(tmp_path / "first", PYTHON))
    path = first[2].manifest.pointers["diagnosis"]
    place = store().place(*first[:2]) / path
    place.chmod(0o600)
    place.write_bytes(b"{}")
    assert told(diagnosed(laid_out(tmp_path / "second", AGAIN))) == []
