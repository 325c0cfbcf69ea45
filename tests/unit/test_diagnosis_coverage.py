"""Coverage reports that lie in a case: what ran, what did not, and in which tests."""

import json

import pytest
from diagnosis_views import LIMITS, check_quotes, view_of

from witmark.diagnosis.coverage_files import NotCoverageError, coverage_in
from witmark.diagnosis.findings import Completeness, Direction
from witmark.diagnosis.investigators.coverage import CoverageInvestigator, did_not_run
from witmark.diagnosis.ranking import rank

SOURCE = "def load(name):\n    return name[0]\n\n\ndef save(name):\n    return name\n"
REPORT = "# load and save are wrong\n\n`load` and `save` fail; test_empty is red.\n"
LCOV = "TN:\nSF:/app/pkg/io.py\nDA:1,1\nDA:2,0\nDA:5,1\nDA:6,3\nend_of_record\n"


def look_at(coverage, name="coverage/lcov.info"):
    view = view_of({"report.md": REPORT, "source/pkg/io.py": SOURCE, name: coverage})
    return view, CoverageInvestigator().look(view, "A1", LIMITS)


@pytest.mark.clause("DIA-INV-05")
def test_what_did_not_run_comes_behind_what_did():
    view, look = look_at(LCOV)

    idle = [one.location.name for one in look.findings if did_not_run(one)]
    assert idle == ["load"]
    assert [one.location.name for one in rank(view, look.findings, ())] == ["save", "load"]
    check_quotes(view, look)


def test_tests_by_line_give_ochiais_number():
    contexts = {
        "2": ["tests.test_empty|run"],
        "6": ["tests.test_empty|run", "tests.test_b|run"],
    }
    file = {"executed_lines": [1, 2, 5, 6], "missing_lines": [], "contexts": contexts}
    view, look = look_at(json.dumps({"files": {"pkg/io.py": file}}), "coverage/coverage.json")

    assert {one.location.name: one.strength for one in look.findings} == {
        "load": 1.0,
        "save": 0.707107,
    }
    assert {way for one in look.findings for way in one.bears_on.values()} == {Direction.FOR}
    check_quotes(view, look)


COBERTURA = """<?xml version="1.0"?>
<coverage><packages><package name="p"><classes><class filename="pkg/io.py">
<lines><line number="2" hits="0"/><line number="6" hits="1"/></lines>
</class></classes></package></packages></coverage>
"""
JACOCO = """<report name="r"><package name="pkg"><sourcefile name="io.py">
<line nr="2" mi="3" ci="0"/><line nr="6" mi="0" ci="2"/>
</sourcefile></package></report>
"""


@pytest.mark.parametrize("text", [COBERTURA, JACOCO])
def test_cobertura_and_jacoco_are_read(text):
    covered = coverage_in(text)["pkg/io.py"]

    assert (covered.ran, covered.missed) == ({6}, {2})


@pytest.mark.clause("DIA-INV-01")
@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        "<a>",
        '{"files": [1]}',
        "no coverage at all",
    ],
)
def test_what_is_no_report_makes_the_look_partial(text):
    with pytest.raises(NotCoverageError):
        coverage_in(text)
    _, look = look_at(text)

    assert look.findings == ()
    assert look.completeness is Completeness.PARTIAL


def test_without_a_report_there_is_nothing_to_look_at():
    view = view_of({"report.md": REPORT, "source/pkg/io.py": SOURCE})

    assert not CoverageInvestigator().can_look(view)
