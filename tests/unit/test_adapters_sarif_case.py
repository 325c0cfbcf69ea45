"""A diagnosis as SARIF: what was decided keeps its meaning, and no place is invented."""

import json
from dataclasses import replace

import pytest
from diagnosis_cases import CONFIRMED, FINDINGS, H1, INVESTIGATED, investigated_package
from diagnosis_reports import OPEN, built, hostile, report

from witmark.adapters.sarif.case import SUSPECT, render_case_sarif
from witmark.adapters.sarif.case_places import fingerprint
from witmark.diagnosis.findings import CodeLocation
from witmark.diagnosis.telling import report_of


def run_of(made, lang="en"):
    return json.loads(render_case_sarif(made, lang))["runs"][0]


def about(run, name):
    return next(r for r in run["results"] if r["properties"].get("hypothesis") == name)


@pytest.mark.clause("DIA-VIEW-09")
def test_only_a_confirmed_cause_fails():
    confirmed = [(r["kind"], r["level"]) for r in run_of(report())["results"]]
    handed_over = [(r["kind"], r["level"]) for r in run_of(report(OPEN))["results"]]

    assert confirmed == [
        ("fail", "error"),
        ("pass", "none"),
        ("open", "none"),
        ("review", "none"),
    ]
    assert handed_over == [("open", "none")] * 3 + [("review", "none")]


@pytest.mark.clause("DIA-VIEW-09")
def test_a_result_has_the_rule_of_its_class_of_cause():
    run = run_of(report())
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]

    assert [r["ruleId"] for r in run["results"]] == [
        "off-by-one-or-boundary",
        "regression-by-change",
        "configuration",
        SUSPECT,
    ]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in run["results"])


@pytest.mark.clause("DIA-VIEW-09")
def test_a_cause_opens_at_its_lines_and_names_its_definition():
    place = about(run_of(report()), H1)["locations"][0]

    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "pkg/load.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 1, "endLine": 2},
    }
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "pkg/load.py::load"


@pytest.mark.clause("DIA-VIEW-02")
def test_what_it_rests_on_is_related_with_its_very_characters():
    related = about(run_of(report()), H1)["relatedLocations"]

    assert [one["properties"]["finding"] for one in related] == ["F-0001", "F-0002"]
    region = related[0]["physicalLocation"]["region"]
    line = "    return name[0]"
    assert (region["startLine"], region["endLine"]) == (2, 2)
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "name[0]"
    assert region["snippet"]["text"] == "name[0]"


@pytest.mark.clause("DIA-VIEW-09")
def test_a_hypothesis_without_a_place_gets_none():
    assert about(run_of(report(OPEN)), "H2")["locations"] == []


def test_a_shift_of_lines_is_the_same_finding():
    there = CodeLocation("a.py", "f", 1, 2)

    assert fingerprint("r", there) == fingerprint(
        "r", replace(there, start_line=9, end_line=10)
    )
    assert fingerprint("r", there) != fingerprint("r", replace(there, name="g"))


def test_what_was_not_looked_at_is_told():
    notes = run_of(report())["invocations"][0]["toolExecutionNotifications"]

    assert [n["message"]["text"] for n in notes] == ["logs after the first megabyte"]


@pytest.mark.clause("DIA-VIEW-13")
def test_our_own_words_follow_the_language():
    made = report()

    assert "边界错误" in render_case_sarif(made, "zh").decode()
    assert "Missed boundary" in render_case_sarif(made, "en").decode()
    assert CONFIRMED.root_cause.summary in render_case_sarif(made, "zh").decode()
    said = replace(FINDINGS[0], statement="load is changed since the last good version")
    investigation = replace(INVESTIGATED, findings=(said, *FINDINGS[1:]))
    other = report(package=investigated_package(investigation=investigation))
    assert "load 自上一个良好版本以来有变更" in render_case_sarif(other, "zh").decode()
    assert said.statement in render_case_sarif(other, "en").decode()


@pytest.mark.clause("DIA-VIEW-08")
def test_a_case_can_make_neither_a_link_nor_a_placeholder_nor_hide():
    text = "{0} [a](file:///etc)\u202e\x00"
    raw = render_case_sarif(hostile(text), "en").decode()
    said = run_of(hostile(text))["results"][0]["relatedLocations"][0]["message"]["text"]

    assert said == "F-0001: {{0}} \\[a\\](file:///etc)\ufffd\ufffd"
    assert "\u202e" not in raw
    assert "\\u0000" not in raw


@pytest.mark.clause("DIA-VIEW-08")
@pytest.mark.parametrize("path", ["/etc/passwd", "C:\\x\\a.py", "a b#c?.py"])
def test_a_path_is_a_relative_address(path):
    place = replace(INVESTIGATED.suspects[0].location, path=path)
    suspect = replace(INVESTIGATED.suspects[0], location=place)
    package = investigated_package(investigation=replace(INVESTIGATED, suspects=(suspect,)))
    result = run_of(report(package=package))["results"][-1]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]

    assert not uri.startswith(("/", "C:"))
    assert not set(uri) & set(" #?\\")


@pytest.mark.clause("DIA-VIEW-06")
def test_the_same_package_gives_the_same_bytes():
    bench = built()

    assert render_case_sarif(report_of(bench.package, made_by="1"), "zh") == render_case_sarif(
        report_of(bench.package, made_by="1"), "zh"
    )
