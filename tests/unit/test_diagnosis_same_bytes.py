"""The same case gives the same bytes, and whatever a context cites stands where it says."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from witmark.bootstrap.diagnosing import desk, package_of, store
from witmark.bootstrap.settings import load_settings
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.use_cases import diagnose
from witmark.kernel.evidence import parse_ref

LOAD = """class LoadError(Exception):
    pass


def check(name):
    if not name:
        raise LoadError(f"cannot load table {name!r} from disk")
    return name[0]


class Table:
    def load(self, name):
        return check(name)

    def save(self, name):
        return check(name) + self.load(name)
"""
PYTHON = {
    "report.md": (
        "# Empty names crash\n\nWith 1.0 it worked, in 1.1 `Table.load` crashes. "
        "It looks as if a check is missing.\n\nTraceback (most recent call last):\n"
        '  File "/app/pkg/load.py", line 13, in load\n    return check(name)\n'
        '  File "/app/pkg/load.py", line 7, in check\n'
        '    raise LoadError(f"cannot load table {name!r} from disk")\n'
        "pkg.load.LoadError: cannot load table '' from disk\n"
    ),
    "source/pkg/load.py": LOAD,
    "good/pkg/load.py": LOAD.replace("if not name:", "if name is None:"),
    "config/good/app.toml": "a = 1\nb = 2\n",
    "config/app.toml": "a = 1\nb = 3\n",
    "coverage/lcov.info": "SF:pkg/load.py\nDA:6,1\nDA:13,1\nDA:16,0\nend_of_record\n",
}
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


def laid_out(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


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
