"""A symptom is not a cause: where an error surfaces is not confirmed because it surfaced."""

import asyncio

import pytest
from diagnosis_folders import laid_out

from witmark.bootstrap.diagnosing import desk, package_of
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.decision import Status
from witmark.diagnosis.findings import Support
from witmark.diagnosis.use_cases import diagnose

MEAN = "def mean(samples):\n    return sum(samples) / len(samples)\n"
CHECKED = (
    "def mean(samples):\n    if not samples:\n"
    '        raise ValueError(f"no samples to take the mean of {samples!r}")\n'
    "    return sum(samples) / len(samples)\n"
)
COLLECTOR = (
    "from stats import mean\n\n\ndef windows(rows, width):\n"
    "    cut = [rows[at:at + width] for at in range(0, len(rows) + 1, width)]\n"
    "    return [mean(window) for window in cut]\n"
)
SAID = (
    "# No average\n\nThe `mean` of an empty window fails. mean must never be called without "
    "samples; the collector should skip empty windows.\n\n"
)
STACK = (
    "Traceback (most recent call last):\n"
    '  File "/app/collector.py", line 6, in windows\n'
    "    return [mean(window) for window in cut]\n"
)
ZERO = (
    f'{STACK}  File "/app/stats.py", line 2, in mean\n'
    "    return sum(samples) / len(samples)\nZeroDivisionError: division by zero\n"
)
RAISED = (
    f'{STACK}  File "/app/stats.py", line 3, in mean\n'
    '    raise ValueError(f"no samples to take the mean of {samples!r}")\n'
    "ValueError: no samples to take the mean of []\n"
)
INNERMOST = "".join(ZERO.splitlines(keepends=True)[:1] + ZERO.splitlines(keepends=True)[3:])
JS = {
    "source/stats.js": (
        "function mean(samples) {\n  if (!samples.length) {\n"
        '    throw new RangeError("mean needs at least one sample");\n  }\n'
        "  return samples.reduce((a, b) => a + b) / samples.length;\n}\n"
        "module.exports = { mean };\n"
    ),
    "source/collector.js": (
        'const { mean } = require("./stats");\nfunction windows(rows) {\n'
        "  return rows.map((row) => mean(row));\n}\nmodule.exports = { windows };\n"
    ),
    "report.md": (
        f"{SAID}RangeError: mean needs at least one sample\n"
        "    at mean (/app/stats.js:3:11)\n    at windows (/app/collector.js:3:28)\n"
    ),
}
BEFORE = "With 1.0 it worked, in 1.1 it fails.\n\n"


def case(trace, stats=MEAN, **more):
    return {
        "report.md": SAID + trace,
        "source/stats.py": stats,
        "source/collector.py": COLLECTOR,
        **more,
    }


def good(stats, collector):
    return {"good/stats.py": stats, "good/collector.py": collector}


OLD_COLLECTOR = COLLECTOR.replace("len(rows) + 1", "len(rows)")
RAN = (
    "SF:stats.py\nDA:2,1\nDA:3,1\nend_of_record\n"
    "SF:collector.py\nDA:5,1\nDA:6,1\nend_of_record\n"
)
SHAPES = {
    "only the innermost frame": case(INNERMOST),
    "the whole stack": case(ZERO),
    "the callee checks and raises": case(RAISED, CHECKED),
    "a log says it too": case(RAISED, CHECKED) | {"logs/run.log": RAISED},
    "everything on the stack ran": case(RAISED, CHECKED) | {"coverage/lcov.info": RAN},
    "the caller alone changed": case(BEFORE + RAISED, CHECKED) | good(CHECKED, OLD_COLLECTOR),
    "caller and callee changed": case(BEFORE + RAISED, CHECKED) | good(MEAN, OLD_COLLECTOR),
    "a good version is named and not given": case(BEFORE + RAISED, CHECKED),
    "another language": JS,
}


def diagnosed(folder, monkeypatch):
    monkeypatch.setenv("WITMARK_HOME", str(folder.parent / "home"))
    made = desk(load_settings(None), DiagnosisConfig(), use_model=False)
    case_id, package_id, _ = package_of(folder)
    return asyncio.run(diagnose(case_id, package_id, made)).diagnosis


@pytest.mark.clause("DIA-GATE-11")
@pytest.mark.parametrize("shape", SHAPES)
def test_where_an_error_surfaces_is_not_confirmed_as_its_cause(shape, tmp_path, monkeypatch):
    found = diagnosed(laid_out(tmp_path / "case", SHAPES[shape]), monkeypatch)
    is_confirmed = found.status is Status.CONFIRMED
    assert not (is_confirmed and "mean" in found.root_cause.summary)
    assert is_confirmed or any("stats" in one for one in found.review_actions)


@pytest.mark.clause("DIA-GATE-11")
def test_a_place_of_the_stack_that_alone_changed_is_confirmed(tmp_path, monkeypatch):
    """The stack and the change are two voices; that it was well before refutes a rival."""
    files = case(BEFORE + ZERO) | good(
        "def mean(samples):\n    return sum(samples) / max(1, len(samples))\n", COLLECTOR
    )
    found = diagnosed(laid_out(tmp_path / "case", files), monkeypatch)
    assert found.status is Status.CONFIRMED
    assert found.confidence in {Support.SUPPORTED, Support.STRONGLY_SUPPORTED}
    assert "stats.py, mean" in found.root_cause.summary


@pytest.mark.clause("DIA-GATE-11")
@pytest.mark.parametrize("said", ["With 1.0 it worked. ", "Since going from 1.0 to 1.1: "])
def test_a_report_that_names_a_good_version_gives_a_regression_to_examine(
    said, tmp_path, monkeypatch
):
    before, now = (
        diagnosed(laid_out(tmp_path / name / "case", case(text + ZERO)), monkeypatch)
        for name, text in (("a", ""), ("b", f"{said}\n\n"))
    )
    assert len(now.evaluations) == len(before.evaluations) + 1
