"""The same case gives the same bytes, and whatever a context cites stands where it says."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from diagnosis_folders import PYTHON, laid_out

from witmark.bootstrap.diagnosing import desk, package_of, store
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.use_cases import diagnose
from witmark.kernel.evidence import parse_ref

SCRIPT = {
    "report.md": (
        "# 保存 fails\n\n`save` should keep the 名字, but loses it – every time.\n\n"
        "TypeError: no name\n    at save (/app/lib/store.js:2:9)\n"
    ),
    "source/lib/store.js": (
        "function save(name) {\n  throw new TypeError('no name');\n}\n"
        "// é…\nfunction load(name) { return save(name); }\n"
    ),
}
CASES = pytest.mark.parametrize("files", [PYTHON, SCRIPT], ids=["python", "script"])
PUBLISHED = ("diagnosis_context", "investigation", "hypotheses", "interpretation")


def diagnosed(folder):
    """What a diagnosis of a folder publishes, by role."""
    made = desk(load_settings(None), DiagnosisConfig(), use_model=False)
    case_id, package_id, _ = package_of(folder)
    built = asyncio.run(diagnose(case_id, package_id, made))
    disk = store().disk(case_id, package_id)
    pointers = built.manifest.pointers
    found = {name: disk.read(pointers[name]).decode() for name in PUBLISHED}
    result = json.loads(disk.read(pointers["diagnosis"]))
    found["diagnosis"] = json.dumps([result["diagnosis"], result["suspects"]])
    return found, disk


@CASES
@pytest.mark.clause("DIA-INV-08")
def test_two_processes_with_two_hash_seeds_publish_equal_bytes(tmp_path, files):
    folder = laid_out(tmp_path / "case", files)
    script = (
        "import json, sys; from pathlib import Path;"
        "from test_diagnosis_same_bytes import diagnosed;"
        "print(json.dumps(diagnosed(Path(sys.argv[1]))[0], sort_keys=True))"
    )
    here = Path(__file__).resolve().parent
    told = []
    for seed in ("1", "4242"):
        path = os.pathsep.join([str(here), str(here.parent), *filter(None, sys.path)])
        env = os.environ | {
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": path,
            "WITMARK_HOME": str(tmp_path / f"home-{seed}"),
        }
        asked = [sys.executable, "-c", script, str(folder)]
        done = subprocess.run(asked, env=env, capture_output=True, check=True, timeout=120)
        told.append(done.stdout)

    assert told[0] == told[1]
    assert set(json.loads(told[0])) == {*PUBLISHED, "diagnosis"}


@CASES
@pytest.mark.clause("DIA-INV-09")
def test_every_quote_of_a_context_stands_where_it_says(tmp_path, monkeypatch, files):
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path / "home"))
    found, disk = diagnosed(laid_out(tmp_path / "case", files))
    context = json.loads(found["diagnosis_context"])
    texts = {
        one["digest"]: disk.read(one["path"]).decode() for one in context["case"]["inputs"]
    }
    quotes = [quote for one in context["findings"] for quote in one["quotes"]]

    assert len({one["group"] for one in context["findings"]}) >= 3
    assert all(one["quotes"] for one in context["findings"])
    for quote in quotes:
        ref = parse_ref(quote["ref"])
        assert ref.at.cut(texts[ref.blob]) == quote["text"]
