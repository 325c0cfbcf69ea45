import csv
import io

import pytest
import support_report

from witmark.adapters.csv import harmless, render_csv


def rows_of(report, lang="en"):
    data = render_csv(report, lang)
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_a_spreadsheet_can_tell_the_encoding():
    assert render_csv(support_report.sample_report(1), "zh").startswith(b"\xef\xbb\xbf")


def test_there_is_one_row_per_verdict_and_the_worst_comes_first():
    report = support_report.sample_report(120)
    rows = rows_of(report)

    assert len(rows) == len(report["verdicts"])
    assert rows[0]["Severity"] == "Critical"
    assert rows[-1]["Verdict"] == "Not applicable"


@pytest.mark.parametrize(
    "cell",
    ["=cmd|' /C calc'!A0", "+SUM(A1)", "-2+3", "@x", " =1", "＝1", "\t=1", "+1-1"],
)
def test_a_cell_that_a_spreadsheet_would_run_is_disarmed(cell):
    assert harmless(cell).startswith("'")


@pytest.mark.parametrize("cell", ["-3.5", "+2", "12", "1e-5", "", "孔径", "a=b", "#12"])
def test_a_number_or_a_word_stays_as_it_is(cell):
    assert harmless(cell) == cell


def test_a_hostile_component_name_reaches_the_table_disarmed():
    report = support_report.sample_report(0)
    report["verdicts"][0]["component_name"] = support_report.HOSTILE_NAMES[1]

    assert rows_of(report)[0]["Component"] == "'" + support_report.HOSTILE_NAMES[1]


def test_a_line_break_in_a_name_does_not_break_the_row():
    report = support_report.sample_report(0)
    report["verdicts"][0]["component_name"] = 'a"\r\nb,c'

    data = render_csv(report, "en").decode("utf-8-sig")

    assert data.count("\r\n") == 1 + len(report["verdicts"])
    assert rows_of(report)[0]["Component"] == 'a"��b,c'


def test_a_value_is_a_bare_number_beside_its_unit():
    deep = rows_of(support_report.sample_report(2))[2]
    sharp = rows_of(support_report.sample_report(2))[0]

    assert (deep["Value"], deep["Unit"]) == ("10.433333", "")
    assert (sharp["Value"], sharp["Unit"], sharp["Also measured"]) == (
        "0",
        "mm",
        "pocket depth 18.5 mm",
    )


def test_what_was_not_measured_says_so_and_is_no_zero():
    report = support_report.sample_report(0)
    report["verdicts"][0]["measured"][0]["value"] = None

    assert rows_of(report)[0]["Value"] == "unknown"


def test_the_columns_are_the_same_in_both_languages_and_all_named():
    report = support_report.sample_report(1)
    zh, en = rows_of(report, "zh"), rows_of(report, "en")

    assert len(zh[0]) == len(en[0]) == 23
    assert all(zh[0])
    assert all(en[0])
    assert zh[0]["规则编号"] == en[0]["Rule"] == "18.P14"


def test_the_same_report_gives_the_same_bytes():
    report = support_report.sample_report(3)

    assert render_csv(report, "zh") == render_csv(report, "zh")
