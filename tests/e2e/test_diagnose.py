"""``witmark diagnose`` and ``witmark case`` as a user meets them."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile

import pytest
from support_cli import LONGEST_S, ROOT, SAMPLES, command, environment, listing, witmark

SAMPLE = SAMPLES / "case"
PASSWORD = b"hunter2-opens-nothing"
REPORT = "# It crashes\n\nload() raises KeyError but it should not.\n"

pytestmark = pytest.mark.clause("DIA-CASE-10")


@pytest.fixture
def run(tmp_path):
    """Run a command with a data folder of its own."""
    home = {"WITMARK_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}

    def ran(*arguments):
        return witmark(*arguments, cwd=tmp_path, env=home)

    return ran


@pytest.fixture
def tiny(tmp_path):
    """A case that is nothing but a report."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "report.md").write_text(REPORT)
    return folder


@pytest.mark.clause("DIA-CASE-13")
def test_two_processes_at_a_fresh_folder_both_print_the_result(tmp_path):
    home = {"WITMARK_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    both = [
        subprocess.Popen(
            command("diagnose", SAMPLE),
            cwd=tmp_path,
            env=environment(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    said = [one.communicate(timeout=LONGEST_S) for one in both]

    assert [one.returncode for one in both] == [0, 0], said
    assert said[0][0] == said[1][0] != b""


def test_the_sample_is_confirmed_and_everything_it_cites_opens(run):
    before = listing(SAMPLE)
    done = run("diagnose", SAMPLE)
    assert done.code == 0, done.err
    text = done.out.decode()
    assert "handover.py, next_shift" in text.splitlines()[2]
    assert text.index("## What to do next") < text.index("## Root cause")
    assert listing(SAMPLE) == before
    refs = sorted(set(re.findall(r"open '(sha256:[0-9a-f]{64}#char=\d+,\d+)'", text)))
    assert len(refs) > 3
    opened = run("open", refs[0])
    assert (opened.code, b">>>" in opened.out) == (0, True)
    assert run("trace", refs[-1]).code == 0


def test_the_sample_really_fails_as_its_report_says():
    paths = {"source": "IndexError", "good": ""}
    for folder, error in paths.items():
        done = subprocess.run(
            [sys.executable, "-c", "from rota.board import main; main()"],
            cwd=SAMPLE / folder,
            env={"PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.stderr.splitlines()[-1:] == (
            [f"{error}: list index out of range"] if error else []
        )


def test_the_sample_is_what_its_script_makes():
    script = ROOT / "tools" / "make_case_sample.py"
    done = subprocess.run([sys.executable, script, "--check"], timeout=60, check=False)
    assert done.returncode == 0


@pytest.mark.clause("DIA-CASE-08", "DIA-CASE-09")
def test_a_secret_is_told_and_stays_in_its_input_alone(run, tmp_path):
    case = tmp_path / "leaky"
    shutil.copytree(SAMPLE, case)
    report = case / "report.md"
    report.write_text(
        report.read_text() + "\nIt fails with password=hunter2-opens-nothing too.\n"
    )
    assert run("diagnose", case).code == 0
    status = run("case", "status", name_of(run))
    assert b"inputs/config/board.env: 1 assigned-secret" in status.out
    shown = json.loads(run("case", "show", name_of(run)).out)
    assert shown["secrets"]["inputs/report.md"] == {"assigned-secret": 1}
    package = next((tmp_path / "home" / "cases").glob("*/*"))
    assert PASSWORD in (package / "inputs" / "config" / "board.env").read_bytes()
    made = [*package.glob("analysis/diagnosis/*/*"), *package.glob("blobs/**/*")]
    assert not [one for one in made if one.is_file() and PASSWORD in one.read_bytes()]
    context = json.loads(next(package.glob("analysis/diagnosis/*/context.json")).read_text())
    assert all(one["where"] for one in context["redactions"])


def name_of(run):
    return run("case", "list").out.decode().split()[0]


def test_an_inconclusive_case_is_handed_over_and_a_person_answers(run, tiny):
    done = run("diagnose", tiny)
    assert done.code == 1, done.err
    assert done.out.decode().splitlines()[2].startswith("**Inconclusive")
    name = name_of(run)
    assert run("case", "reject", name, "--reason", "look at the cache").code == 0
    status = run("case", "status", name).out.decode()
    assert "feedback   rejected: look at the cache" in status
    assert "routing    review" in status
    assert run("diagnose", tiny).out == done.out
    assert run("case", "reopen", name).out == b"revision 2\n"
    assert run("diagnose", name).code == 1
    assert "revision   2" in run("case", "status", name).out.decode()


def test_nothing_can_be_said_of_what_is_not_published(run, tiny):
    run("case", "new", "mine", tiny)
    done = run("case", "accept", "mine", "--reason", "good")
    assert (done.code, "input.missing-stage" in done.refusal) == (2, True)
    assert run("diagnose", "mine").code == 1
    assert run("case", "accept", "mine", "--reason", " ").code == 2
    assert run("case", "accept", "mine", "--reason", "good").code == 0


def test_a_case_is_made_added_to_and_taken_further_by_name(run, tiny, tmp_path):
    made = run("case", "new", "mine", tiny)
    assert made.code == 0
    name = made.out.decode().strip()
    assert name.startswith("mine/p-")
    extra = tmp_path / "more.log"
    extra.write_text("KeyError: 'x'\n")
    assert run("case", "add", "mine", extra).out.startswith(b"revision 2")
    assert run("case", "add", "mine", extra).out == b"nothing new\n"
    assert run("case", "resume", name).code == 1
    package = tmp_path / "home" / "cases" / name
    (package / "inputs" / "found.bin").write_bytes(b"\xff")
    stale = run("diagnose", "mine")
    assert stale.code in {1, 2}
    assert b"changed: inputs/found.bin" in run("case", "status", "mine").out
    assert run("case", "add", "mine").out.startswith(b"revision 3")


def test_a_blocked_diagnosis_is_resumed(run, tiny, tmp_path):
    (tmp_path / "witmark.toml").write_text(
        '[models.profiles.gone]\nprovider = "openai"\nmodel = "m"\n'
        'base_url = "http://127.0.0.1:9/v1"\n[models.use]\n"diagnosis.decide" = ["gone"]\n'
    )
    run("case", "new", "mine", tiny)
    blocked = run("diagnose", "mine")
    assert blocked.code == 4, blocked.err
    assert "case resume mine/" in blocked.refusal
    (tmp_path / "witmark.toml").unlink()
    assert run("case", "resume", "mine", "--retry-id", "one").code == 1


@pytest.mark.clause("DIA-CASE-01", "DIA-CASE-03")
def test_an_archive_will_do_for_the_source_or_for_everything(run, tmp_path):
    folder = tmp_path / "packed"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("source", "good"))
    for name in ("source", "good"):
        raw = zip_of(SAMPLE / name, f"rota-{name}-1.4/")
        (folder / f"{name}.zip").write_bytes(raw)
    done = run("diagnose", folder)
    assert done.code == 0, done.err
    assert "rota/handover.py, next_shift" in done.out.decode().splitlines()[2]
    whole = tmp_path / "all.zip"
    whole.write_bytes(zip_of(SAMPLE, "case/"))
    assert run("diagnose", whole).code == 0
    kept = next((tmp_path / "home" / "cases").glob("all-zip-*/*/inputs"))
    assert (kept / "all.zip").read_bytes() == whole.read_bytes()
    assert (kept / "all.zip.unpacked" / "case" / "report.md").is_file()


def zip_of(folder, top):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, top + path.relative_to(folder).as_posix())
    return out.getvalue()


def test_a_single_report_is_a_case(run, tiny):
    assert run("diagnose", tiny / "report.md").code == 1


def test_what_is_no_case_is_refused_in_one_line(run, tmp_path):
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "void.md").write_bytes(b"")
    for wrong in ("empty", "nowhere", "pipe", "void.md", "UPPER", "../up"):
        done = run("diagnose", wrong)
        assert (done.code, bool(done.refusal)) == (2, True), wrong
    for wrong in ("nowhere", "UPPER", "../up"):
        assert run("case", "status", wrong).code == 2
    assert run("case", "list").code == 0


def test_names_and_bytes_of_any_kind_are_taken(run, tmp_path):
    folder = tmp_path / "故障 报告 one"
    (folder / "源 码").mkdir(parents=True)
    (folder / "report.md").write_text("# 崩溃\n\n程序报错 KeyError。\n")
    (folder / "源 码" / "甲.py").write_bytes(b"x = '\xff\xfe\x00'\n")
    (folder / os.fsdecode(b"bad\xff.log")).write_bytes(b"\xff\xff KeyError\n")
    (folder / "link").symlink_to("/etc/passwd")
    done = run("diagnose", folder)
    assert done.code == 1, done.err
    assert "left out link: a link" in done.err
    kept = next((tmp_path / "home" / "cases").glob("*/*/inputs"))
    assert (kept / "bad%FF.log").read_bytes() == b"\xff\xff KeyError\n"
    name = name_of(run)
    assert run("case", "show", name).code == 0
    assert b"as they were" in run("case", "status", name).out


def test_ctrl_c_ends_at_once_and_the_next_run_goes_on(run, tmp_path):
    env = environment({"WITMARK_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)})
    process = subprocess.Popen(
        command("diagnose", SAMPLE),
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for line in process.stderr:
        if line.startswith(b"hypotheses"):
            process.send_signal(signal.SIGINT)
            break
    _, err = process.communicate(timeout=LONGEST_S)
    assert process.returncode == 130, err
    done = run("diagnose", SAMPLE)
    assert done.code == 0
    assert "interpretation" not in done.err
