"""What changed since the last good version, and what it means that nothing did."""

import pytest
from diagnosis_views import LIMITS, check_quotes, hypothesis, view_of

from witmark.diagnosis.findings import Direction, FindingKind
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.changes import ChangeInvestigator

REPORT = "# load is wrong\n\nWith 1.0 it worked, in 1.1 `load` fails.\n"
LOAD = "def load(name):\n    return name[0]\n"


def look_at(good, source=LOAD):
    files = {"report.md": REPORT, "source/pkg/io.py": source}
    view = view_of(files | ({"good/pkg/io.py": good} if good else {}))
    return view, ChangeInvestigator().look(view, "A1", LIMITS)


def pointing(view, look, cause, way):
    name = hypothesis(view, cause)
    return [one for one in look.findings if one.bears_on.get(name) is way]


@pytest.mark.clause("DIA-INV-06")
def test_nothing_changed_that_the_case_leads_to_speaks_directly_against_a_regression():
    view, look = look_at(LOAD.replace("    return", "    # a comment\n    return"))

    (found,) = pointing(view, look, CauseClass.REGRESSION, Direction.AGAINST)
    assert found.kind is FindingKind.DIRECT
    assert not pointing(view, look, CauseClass.REGRESSION, Direction.FOR)
    check_quotes(view, look)


def test_a_change_speaks_for_a_regression_and_nothing_against_it():
    view, look = look_at("def load(name):\n    return name[:1]\n")

    assert pointing(view, look, CauseClass.REGRESSION, Direction.FOR)
    assert not pointing(view, look, CauseClass.REGRESSION, Direction.AGAINST)


def test_source_that_is_not_read_whole_proves_no_absence_of_change():
    view, look = look_at(LOAD + "\ndef half(:\n    ((\n")

    assert not pointing(view, look, CauseClass.REGRESSION, Direction.AGAINST)


def test_a_good_version_that_is_only_named_speaks_against_the_design():
    view, look = look_at("")

    (found,) = pointing(view, look, CauseClass.EXTERNAL_BY_DESIGN, Direction.AGAINST)
    assert found.kind is FindingKind.DERIVED
    assert found.quotes[0].text == "1.0"
    assert look.not_looked_at == ("the good version was not handed in",)
    check_quotes(view, look)


def test_a_case_that_knows_no_good_version_holds_nothing_for_it():
    view = view_of({"report.md": "# load is wrong\n", "source/pkg/io.py": LOAD})

    assert not ChangeInvestigator().can_look(view)
