import copy
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import support_report

from witmark.kernel.canon import NotCanonicalError, canonical_json
from witmark.review import wire

ROOT = Path(__file__).resolve().parents[2]


def changed(*path, value):
    report = support_report.sample_report(deep_holes=2)
    here = report
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return report


def test_a_report_is_written_as_the_bytes_that_were_checked():
    report = support_report.sample_report()

    assert wire.encode(report) == canonical_json(report)
    assert wire.decode(wire.encode(report)) == wire.review_of(report)


def test_a_whole_number_stays_whole_and_a_truth_stays_a_truth():
    report = changed("verdicts", 0, "measured", 0, "value", value=3)
    report["verdicts"][0]["measured"][1]["value"] = True

    read = wire.review_of(report).verdicts[0].measured

    assert [type(m.value) for m in read] == [int, bool]


@pytest.mark.parametrize(
    "path",
    [("surprise",), ("source", "folder"), ("verdicts", 1, "score"), ("rules", 0, "text")],
)
def test_a_key_that_nobody_promised_is_refused_with_its_place(path):
    with pytest.raises(wire.MalformedReportError) as refused:
        wire.encode(changed(*path, value="x"))

    assert refused.value.place == "/".join(map(str, path))
    assert refused.value.exit_code == 3


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "witmark.review/2"),
        (("source", "digest"), "sha256:abc"),
        (("coverage", "share"), 1.2),
        (("verdicts", 0, "verdict"), "wrong"),
        (("verdicts", 0, "severity"), None),  # a violation owes a severity
        (("verdicts", 0, "limit"), None),
        (("verdicts", 3, "missing"), []),  # an open question owes what is missing
        (("verdicts", 0, "grey"), True),
        (("verdicts", 0, "rule_id"), "18.P99"),
        (("verdicts", 0, "picture"), "p9999"),
        (("rules", 0, "rule_id"), "17.1"),
        (("counts", "violated"), "3"),
    ],
)
def test_a_value_outside_its_list_is_refused(path, value):
    with pytest.raises(wire.MalformedReportError):
        wire.encode(changed(*path, value=value))


@pytest.mark.parametrize("key", sorted(support_report.sample_report(1)))
def test_a_missing_key_is_refused(key):
    report = support_report.sample_report(deep_holes=1)
    del report[key]

    with pytest.raises(wire.MalformedReportError):
        wire.encode(report)


def test_a_number_that_is_not_one_is_never_written():
    with pytest.raises(NotCanonicalError):
        wire.encode(changed("verdicts", 0, "measured", 0, "value", value=float("nan")))


def test_bytes_that_are_cut_short_are_an_integrity_error():
    with pytest.raises(wire.MalformedReportError):
        wire.decode(wire.encode(support_report.sample_report(1))[:-5])


def test_the_committed_schema_agrees_with_the_models_and_accepts_the_sample():
    schema = json.loads((ROOT / "schemas/review-1.schema.json").read_text("utf-8"))
    drift = subprocess.run(
        [sys.executable, ROOT / "tools/export_schemas.py", "--check"],
        env={"PYTHONPATH": str(ROOT / "src")},
        check=False,
        timeout=60,
    )

    assert drift.returncode == 0
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(support_report.sample_report(3), schema)


def test_the_schema_refuses_what_the_models_refuse():
    schema = wire.json_schema()
    report = copy.deepcopy(support_report.sample_report(1))
    report["verdicts"][0]["score"] = 1

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, schema)
