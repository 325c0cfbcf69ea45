"""Two processes at one case: each step is made once, and both end with the same diagnosis."""

import asyncio

import pytest
from diagnosis_folders import PYTHON, laid_out

from witmark.bootstrap import diagnosing
from witmark.bootstrap.case_packages import store
from witmark.bootstrap.diagnosing import desk, package_of
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis import use_cases
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.builder import Published
from witmark.diagnosis.case import State
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.package import Package
from witmark.diagnosis.use_cases import diagnose, run_phases
from witmark.kernel.errors import GenerationTakenError


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path / "home"))


def made():
    return desk(load_settings(None), DiagnosisConfig(), use_model=False)


@pytest.mark.clause("DIA-CASE-13")
def test_where_another_was_first_its_step_stands_and_the_rest_is_gone_on_with(
    tmp_path, monkeypatch
):
    case_id, package_id, _ = package_of(laid_out(tmp_path / "case", PYTHON))
    ours, theirs, overtaken = made(), made(), []
    honest = use_cases.run_next_phase

    def late(case, package, one):
        if one is ours:  # between our look and our write the other one writes
            before = Package(store().disk(case, package)).manifest()
            if honest(case, package, theirs):
                overtaken.append(before.state)
                raise GenerationTakenError(before.generation + 1)
        return honest(case, package, one)

    monkeypatch.setattr(use_cases, "run_next_phase", late)
    assert isinstance(asyncio.run(diagnose(case_id, package_id, ours)), Published)
    assert overtaken == [State.ASSEMBLED, State.INTERPRETED, State.HYPOTHESES_READY]


def test_who_is_overtaken_for_ever_says_so(tmp_path, monkeypatch):
    case_id, package_id, _ = package_of(laid_out(tmp_path / "case", PYTHON))

    def never(*_):
        raise GenerationTakenError(2)

    monkeypatch.setattr(use_cases, "run_next_phase", never)
    with pytest.raises(GenerationTakenError):
        run_phases(case_id, package_id, made())


def test_a_package_that_another_has_just_made_of_the_folder_is_taken(tmp_path, monkeypatch):
    folder = laid_out(tmp_path / "case", PYTHON)
    honest, calls = CaseAssembler.new, []

    def late(self, *given):
        calls.append(given)
        if len(calls) == 1:
            honest(self, *given)
            raise GenerationTakenError(1)
        return honest(self, *given)

    monkeypatch.setattr(diagnosing, "assembler", lambda: replaced(late))
    case_id, package_id, _ = package_of(folder)

    assert len(calls) == 2
    assert Package(store().disk(case_id, package_id)).manifest().state is State.ASSEMBLED


def replaced(new):
    one = CaseAssembler(store(), diagnosing.SystemClock())
    one.new = new.__get__(one)
    return one
