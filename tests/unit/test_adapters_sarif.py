import json
from collections import Counter

import pytest
import support_report

from witmark.adapters import sarif
from witmark.adapters.sarif import log
from witmark.review import wire


def run_of(report, lang="en", **more):
    return json.loads(sarif.render_sarif(report, lang, **more))["runs"][0]


def results_of(report, kind, **more):
    return [r for r in run_of(report, **more)["results"] if r["kind"] == kind]


def test_every_verdict_keeps_its_meaning():
    results = run_of(support_report.sample_report(2))["results"]

    assert Counter((r["kind"], r["level"]) for r in results) == {
        ("fail", "error"): 3,
        ("open", "none"): 1,
        ("pass", "none"): 2,
        ("notApplicable", "none"): 1,
    }


@pytest.mark.parametrize(
    ("severity", "level"),
    [("critical", "error"), ("major", "error"), ("minor", "warning"), ("info", "note")],
)
def test_a_violation_has_the_level_of_its_severity(severity, level):
    report = support_report.sample_report(0)
    report["verdicts"][0]["severity"] = severity

    assert results_of(report, "fail")[0]["level"] == level


@pytest.mark.clause("REV-REP-04")
def test_a_finding_opens_at_its_line_in_the_step_file():
    place = results_of(support_report.sample_report(0), "fail")[0]["locations"][0]

    assert place["physicalLocation"]["region"] == {"startLine": 1541}
    assert place["physicalLocation"]["artifactLocation"]["uri"] == (
        "in/arm%20assembly%20%E6%9C%BA%E6%A2%B0%E8%87%82%231.step"
    )
    assert place["logicalLocations"][0]["fullyQualifiedName"].startswith("arm/")


@pytest.mark.clause("REV-REP-04")
def test_a_result_without_a_record_has_no_invented_line():
    place = results_of(support_report.sample_report(0), "open")[0]["locations"][0]

    assert "region" not in place["physicalLocation"]


def test_the_worst_comes_first_because_hosts_cut():
    results = run_of(support_report.sample_report(3))["results"]

    assert results[0]["ruleId"] == "18.P14"
    assert [r["kind"] for r in results[-3:]] == ["pass", "pass", "notApplicable"]


def test_what_a_host_would_not_take_is_left_out_aloud(monkeypatch):
    monkeypatch.setattr(log, "MAX_RESULTS", 3)

    run = run_of(support_report.sample_report(4))
    notes = run["invocations"][0]["toolExecutionNotifications"]

    assert len(run["results"]) == 3
    assert notes[-1]["properties"] == {"omitted": 6}
    assert "report.json" in notes[-1]["message"]["text"]


def test_a_name_can_be_neither_a_link_nor_a_placeholder():
    report = support_report.sample_report(0)
    report["verdicts"][0]["component_name"] = support_report.HOSTILE_NAMES[3]

    text = results_of(report, "fail")[0]["message"]["text"]

    assert "{{0}}" in text
    assert r"\[x\](file:///etc)" in text


def test_a_path_of_somebodys_machine_is_not_told():
    report = support_report.sample_report(0)
    report["source"]["path"] = "/home/someone/secret/a b.step"

    assert b"someone" not in sarif.render_sarif(report, "zh")
    assert b"a%20b.step" in sarif.render_sarif(report, "zh")


def test_a_picture_is_attached_and_listed():
    run = run_of(support_report.sample_report(0))
    where = next(r for r in run["results"] if "attachments" in r)["attachments"][0]
    listed = run["artifacts"][where["artifactLocation"]["index"]]

    assert listed["location"]["uri"] == where["artifactLocation"]["uri"] == "pictures/p0001.png"
    assert listed["roles"] == ["attachment"]


def test_the_messages_follow_the_language():
    zh = results_of(support_report.sample_report(0), "fail")
    report = support_report.sample_report(0)

    assert "Corner radius" in zh[0]["message"]["text"]
    assert "内角半径应与深度匹配" in sarif.render_sarif(report, "zh").decode()
    assert run_of(report, "zh")["language"] == "zh-CN"


def test_a_fingerprint_survives_new_records_ids_and_wording():
    before = support_report.sample_report(0)
    after = support_report.sample_report(0)
    moved = after["verdicts"][0]
    moved["id"], moved["retrieval_sentence"], moved["severity"] = (
        "v7777",
        "另一种说法。",
        "major",
    )
    moved["anchor"]["id"] = "part_9_feature_9"
    moved["source_refs"][0].update(record=9, line=99)

    prints = [results_of(r, "fail")[0]["partialFingerprints"] for r in (before, after)]

    assert prints[0] == prints[1]
    assert results_of(before, "fail")[0]["partialFingerprints"] == prints[0]


def test_a_fingerprint_follows_the_place_and_forgives_a_hair():
    verdict = wire.review_of(support_report.sample_report(0)).verdicts[0]
    there = log.fingerprint(verdict, [1.0, 2.0, 3.0])

    assert there == log.fingerprint(verdict, [1.0000004, 2.0, 3.0])
    assert there != log.fingerprint(verdict, [1.5, 2.0, 3.0])
    assert there != log.fingerprint(verdict, None)


def test_twins_at_one_place_get_fingerprints_of_their_own():
    report = support_report.sample_report(2)
    report["verdicts"][2]["semantic_location"] = report["verdicts"][1]["semantic_location"]

    prints = [r["partialFingerprints"]["witmarkPlace/v1"] for r in results_of(report, "fail")]

    assert len(set(prints)) == 3
    assert sorted(p.rpartition(":")[2] for p in prints) == ["1", "1", "2"]


def test_the_same_report_gives_the_same_bytes():
    report = support_report.sample_report(5)

    assert sarif.render_sarif(report, "zh") == sarif.render_sarif(report, "zh")
