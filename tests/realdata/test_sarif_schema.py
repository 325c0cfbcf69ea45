"""The standard's own schema decides whether our SARIF is SARIF."""

import copy
import json
import os
from pathlib import Path

import jsonschema
import pytest
import support_report
from diagnosis_reports import GOOD, OPEN, hostile, report

from witmark.adapters.sarif import render_sarif
from witmark.adapters.sarif.case import render_case_sarif

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("WITMARK_DATA", ROOT.parent / "shared" / "data"))
SCHEMA = DATA.parent / "design" / "schemas" / "sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def validator():
    if not SCHEMA.is_file():
        message = "the SARIF schema is not here; set WITMARK_DATA"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    schema = json.loads(SCHEMA.read_text("utf-8"))
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())


@pytest.mark.clause("REV-REP-04")
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("deep_holes", [0, 120])
def test_a_report_is_valid_sarif(validator, lang, deep_holes):
    log = json.loads(render_sarif(support_report.sample_report(deep_holes), lang))

    assert [error.message for error in validator.iter_errors(log)] == []


@pytest.mark.clause("REV-REP-04")
def test_the_sarif_of_a_real_review_is_valid_and_opens_at_records(validator, bracket):
    log = json.loads((bracket.folder / "findings.sarif").read_bytes())
    lines = (bracket.home / "bearing_bracket.step").read_text("utf-8").splitlines()
    places = [p for r in log["runs"][0]["results"] for p in r["locations"]]
    regions = [
        p["physicalLocation"]["region"]
        for p in places
        if "region" in p.get("physicalLocation", {})
    ]

    assert [error.message for error in validator.iter_errors(log)] == []
    assert len(regions) > 5
    assert all("ADVANCED_FACE(" in lines[region["startLine"] - 1] for region in regions)


@pytest.mark.clause("DIA-VIEW-09")
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("answer", [GOOD, OPEN], ids=["confirmed", "inconclusive"])
def test_a_diagnosis_is_valid_sarif(validator, lang, answer):
    log = json.loads(render_case_sarif(report(answer), lang))

    assert [error.message for error in validator.iter_errors(log)] == []


@pytest.mark.clause("DIA-VIEW-08")
def test_a_hostile_case_is_valid_sarif(validator):
    log = json.loads(render_case_sarif(hostile("{0} [a](b) \u202e\x00 /..%"), "en"))

    assert [error.message for error in validator.iter_errors(log)] == []


def test_the_schema_would_have_noticed(validator):
    log = json.loads(render_sarif(support_report.sample_report(1), "en"))
    broken = copy.deepcopy(log)
    broken["runs"][0]["results"][0]["kind"] = "violated"

    assert not validator.is_valid(broken)
