"""``witmark case change`` and ``deliver`` as a user meets them."""

import json
import re

import pytest
from support_cli import ROOT, SAMPLES, witmark

SAMPLE = SAMPLES / "case"

pytestmark = pytest.mark.clause("DIA-CHG-19")


@pytest.fixture
def run(tmp_path):
    """Run a command with a data folder of its own."""
    home = {"WITMARK_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}

    def ran(*arguments):
        return witmark(*arguments, cwd=tmp_path, env=home)

    return ran


@pytest.fixture
def name(run):
    """The sample, diagnosed."""
    assert run("diagnose", SAMPLE).code == 0
    return run("case", "list").out.decode().split()[0]


def test_from_a_confirmed_diagnosis_to_a_folder_that_somebody_else_reads(run, name, tmp_path):
    assert b"case change" in run("case", "status", name).out
    done = run("case", "change", name)
    assert done.code == 0, done.err
    page = done.out.decode()
    assert "next_shift" in page.splitlines()[2]
    assert "IndexError" in page
    assert "following = shifts" not in page  # no line of code
    for ref in sorted(set(re.findall(r"open '(sha256:[^']+)'", page)))[::6]:
        assert run("open", ref).code == 0
    assert b"case deliver" in run("case", "status", name).out
    handed = run("case", "deliver", name, "--to", "out")
    assert handed.code == 0, handed.err
    [folder] = (tmp_path / "out").iterdir()
    assert handed.out.decode().strip() == str(folder)
    assert (folder / "change_request.md").read_bytes() == done.out
    assert run("case", "change", name, "--json").out == (
        (folder / "change_request.json").read_bytes() + b"\n"
    )
    again = run("case", "deliver", name, "--to", "elsewhere")
    assert (again.code, again.out) == (0, handed.out)
    assert not (tmp_path / "elsewhere").exists()
    status = run("case", "status", name).out.decode()
    assert "state      OUTPUT_READY" in status
    assert "change     ready, analysis/change_request/0001" in status
    assert "delivered" in status
    assert run("diagnose", SAMPLE).code == 0


def test_a_refusal_exits_with_one_and_says_why(run, name, tmp_path):
    policy = tmp_path / "policy.toml"
    policy.write_text('[bugfix]\nversion = "mine"\n[bugfix.scope]\nforbidden = ["rota/**"]\n')
    done = run("case", "change", name, "--policy", policy)
    assert done.code == 1
    assert b"none-forbidden: rota/handover.py: forbidden by rota/**" in done.out
    status = run("case", "status", name).out.decode()
    assert "routing    review" in status
    assert "change     refused" in status
    assert "objection  none-forbidden" in status
    assert run("case", "deliver", name, "--to", "out").code == 2
    assert not (tmp_path / "out").exists()
    default = ROOT / "config" / "bugfix-policy.example.toml"
    assert run("case", "change", name, "--policy", default).code == 0


def test_what_cannot_be_done_is_said_in_one_line(run, name, tmp_path):
    early = run("case", "deliver", name, "--to", "out")
    assert (early.code, early.refusal.count("\n")) == (2, 0)
    (tmp_path / "policy.toml").write_text("[bugfix]\nmodel = 1\n")
    wrong = run("case", "change", name, "--policy", "policy.toml")
    assert wrong.code == 2
    assert "bugfix.model" in wrong.refusal
    assert run("case", "change", name).code == 0
    inside = run("case", "deliver", name, "--to", tmp_path / "home" / "cases" / name)
    assert inside.code == 2
    assert "our own data folder" in inside.refusal
    assert b"as they were" in run("case", "status", name).out
    state = json.loads(run("case", "show", name).out)["manifest"]["state"]
    assert state == "OUTPUT_READY"
