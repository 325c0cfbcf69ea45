"""Kinds of log lines: which ones only the bad logs have, and who writes them."""

import pytest
from diagnosis_views import LIMITS, check_quotes, view_of

from witmark.diagnosis.findings import Completeness, FindingKind, Group
from witmark.diagnosis.investigators.logs import LogInvestigator
from witmark.diagnosis.ports import Limits
from witmark.diagnosis.templating import MOST_PER_LEAF, templates_of

SOURCE = (
    "def load(log, row):\n    log.warning('dropping row %d of the table', row)\n\n\n"
    "def keep(log, row):\n    log.info('kept row %d of the table', row)\n"
)
GOOD = "2026-01-01 10:00:00 INFO kept row 1 of the table\n"
BAD = GOOD + "2026-01-02 11:00:00 WARN dropping row 7 of the table\n"


def look_at(good=GOOD, bad=BAD, limits=LIMITS):
    view = view_of(
        {
            "report.md": "# A row of the table is lost when loading\n",
            "source/pkg/io.py": SOURCE,
            "logs/good/app.log": good,
            "logs/bad/app.log": bad,
        }
    )
    return view, LogInvestigator().look(view, "A1", limits)


@pytest.mark.clause("DIA-INV-10")
def test_a_kind_of_line_that_only_the_bad_logs_have_leads_to_who_writes_it():
    view, look = look_at()

    (found,) = look.findings
    assert found.location.name == "load"
    assert (found.group, found.kind) == (Group.LOGS, FindingKind.DERIVED)
    assert found.quotes[0].text == BAD.splitlines()[1]
    check_quotes(view, look)


def test_equal_kinds_with_other_values_are_nothing_new():
    _, look = look_at(good=BAD, bad=BAD.replace("row 7", "row 8"))

    assert look.findings == ()
    assert look.completeness is Completeness.COMPLETE


@pytest.mark.clause("DIA-INV-01")
def test_logs_that_are_too_large_are_left_out_and_named():
    _, look = look_at(limits=Limits(most_bytes=300))

    assert look.completeness is Completeness.PARTIAL
    assert look.not_looked_at == (f"logs/bad/app.log: it has {len(BAD)} bytes",)


def test_logs_of_one_side_are_nothing_to_compare():
    view = view_of({"report.md": "# x\n", "source/a.py": SOURCE, "logs/bad/app.log": BAD})

    assert not LogInvestigator().can_look(view)


def test_templates_are_bounded_and_what_found_no_place_is_counted():
    lines = [
        f"row a b {'x' * number} {'y' * number} {'z' * number} {'q' * number}"
        for number in range(1, 100)
    ]
    found, left = templates_of(lines)

    assert (len(found), left) == (MOST_PER_LEAF, len(lines) - MOST_PER_LEAF)
