"""Where a fault shows is not where it lies: frames alone confirm no place."""

import asyncio
import json

import pytest
from diagnosis_folders import laid_out

from witmark.bootstrap.case_packages import store
from witmark.bootstrap.diagnosing import desk, package_of
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.use_cases import diagnose

STATS = "def mean(samples):\n    return sum(samples) / len(samples)\n"
COLLECTOR = """from app.stats import mean


def windows(samples, size):
    return [samples[at : at + size] for at in range(0, len(samples) + 1, size)]


def collect(samples, size):
    return [mean(window) for window in windows(samples, size)]
"""
PYTHON_TRACE = (
    "Traceback (most recent call last):\n"
    '  File "/srv/app/stats.py", line 2, in mean\n'
    "    return sum(samples) / len(samples)\n"
    "ZeroDivisionError: division by zero\n"
)
PYTHON = {
    "source/app/stats.py": STATS,
    "source/app/collector.py": COLLECTOR,
    "report.md": (
        "# mean divides by zero\n\nThe last window is empty. `mean` must never be called "
        f"without samples; the collector should skip empty windows.\n\n{PYTHON_TRACE}"
    ),
}
JAVASCRIPT = {
    "source/cart.js": (
        "const { price } = require('./price');\n\n"
        "function total(items) {\n  return items.map((item) => price(item));\n}\n\n"
        "function load(raw) {\n  return raw.split(',').map((name) => find(name));\n}\n"
    ),
    "source/price.js": "function price(item) {\n  return item.cents / 100;\n}\n",
    "report.md": (
        "# Cart crashes\n\nAn unknown article must be refused when the cart is loaded.\n\n"
        "TypeError: Cannot read properties of undefined (reading 'cents')\n"
        "    at price (/srv/price.js:2:15)\n"
    ),
}
CHANGED_CALLER = PYTHON | {
    "good/app/stats.py": STATS,
    "good/app/collector.py": COLLECTOR.replace("len(samples) + 1", "len(samples)"),
    "report.md": PYTHON["report.md"] + "\nWith 1.0 it worked, in 1.1 it fails.\n",
}


@pytest.mark.clause("DIA-GATE-11")
@pytest.mark.parametrize(
    ("files", "symptom"),
    [(PYTHON, "mean"), (JAVASCRIPT, "price"), (CHANGED_CALLER, "mean")],
    ids=["python", "javascript", "the caller changed"],
)
def test_a_place_that_only_raises_is_never_the_confirmed_one(
    tmp_path, monkeypatch, files, symptom
):
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path / "home"))
    case_id, package_id, _ = package_of(laid_out(tmp_path / "case", files))
    made = desk(load_settings(None), DiagnosisConfig(), use_model=False)
    built = asyncio.run(diagnose(case_id, package_id, made))
    disk = store().disk(case_id, package_id)
    result = json.loads(disk.read(built.manifest.pointers["diagnosis"]))

    assert symptom in {one["location"]["name"] for one in result["suspects"]}
    if result["diagnosis"]["status"] == "confirmed":
        cause = result["diagnosis"]["root_cause"]["summary"]
        assert f", {symptom} " not in cause
