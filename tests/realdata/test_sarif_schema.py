"""The standard's own schema decides whether our SARIF is SARIF."""

import copy
import json
import os
from pathlib import Path

import jsonschema
import pytest
import support_report

from witmark.adapters.sarif import render_sarif

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


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("deep_holes", [0, 120])
def test_a_report_is_valid_sarif(validator, lang, deep_holes):
    log = json.loads(render_sarif(support_report.sample_report(deep_holes), lang))

    assert [error.message for error in validator.iter_errors(log)] == []


def test_the_schema_would_have_noticed(validator):
    log = json.loads(render_sarif(support_report.sample_report(1), "en"))
    broken = copy.deepcopy(log)
    broken["runs"][0]["results"][0]["kind"] = "violated"

    assert not validator.is_valid(broken)
