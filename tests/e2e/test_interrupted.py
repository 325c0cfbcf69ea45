"""Ctrl-C and SIGTERM, whenever they come: no process, no partial report, no hidden folder."""

import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support_cli import BRACKET, COVER, LONGEST_S, command, environment, listing, witmark

MOMENTS = ("start", "Reading STEP", "Judging", "Drawing pictures", "Writing the report")
ENDS_WITHIN_S = 30


def descendants(pid):
    """Processes below one, with the moment each began, so that a number used again is told."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := status_of(int(entry.name))):
            parents[int(entry.name)] = int(fields[1])
    found, grown = set(), True
    while grown:
        below = {p for p, parent in parents.items() if parent == pid or parent in found}
        grown = below > found
        found |= below
    return {(p, began(p)) for p in found}


def status_of(pid):
    """The fields of /proc/PID/stat from the state on, or None when it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields


def began(pid):
    fields = status_of(pid)
    return fields[19] if fields else None


def wait_for(process, words):
    """Read progress until a line begins so; return what was read."""
    said, deadline = b"", time.monotonic() + LONGEST_S
    while words.encode() not in said and time.monotonic() < deadline:
        if select.select([process.stderr], [], [], 1.0)[0]:
            more = os.read(process.stderr.fileno(), 4096)
            if not more:
                break
            said += more
    return said


def still_there(processes):
    """Those that have not ended within a bound."""
    deadline = time.monotonic() + ENDS_WITHIN_S
    while (left := {p for p in processes if began(p[0]) == p[1]}) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.05)
    return left


def interrupted(home, moment, how):
    """Start a review, end it at a moment, and tell how it ended and what it left."""
    scratch = home / "scratch"
    scratch.mkdir()
    shutil.copy(BRACKET, home / "a.step")
    before = listing(home)
    process = subprocess.Popen(
        command("review", "a.step", "--max-pictures", "3"),
        cwd=home,
        env=environment({"TMPDIR": str(scratch)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    if moment == "start":
        while not descendants(process.pid):  # the fork server is loading the kernel
            assert process.poll() is None
            time.sleep(0.01)
        said = b""
    else:
        said = wait_for(process, moment)
    children = descendants(process.pid)
    if how is signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does: to everybody in front
    else:
        process.send_signal(how)
    _, rest = process.communicate(timeout=LONGEST_S)
    return process.returncode, said + rest, children, before


def as_a_shell_tells(code):
    """Python ends by the signal itself where Ctrl-C came inside an ``exec``: 130 as well."""
    return 128 - code if code < 0 else code


@pytest.mark.clause("REV-REP-05")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupted_review_leaves_nothing(tmp_path, moment, how):
    code, said, children, before = interrupted(tmp_path, moment, how)
    after = [one for one in listing(tmp_path) if not one[0].startswith(b"scratch/pymp")]

    assert children, "there was a worker to leave behind"
    assert not still_there(children)
    assert b"Traceback" not in said
    if (tmp_path / "a.witmark").exists():  # it was in its place before the signal came
        assert moment == MOMENTS[-1]
        assert witmark("verify", "a.witmark", cwd=tmp_path).code == 0
        return
    assert as_a_shell_tells(code) == 128 + how
    assert after == before
    assert said.decode().splitlines()[-1].endswith("nothing is left half written")


@pytest.mark.clause("REV-READ-07")
def test_a_killed_review_leaves_no_process(tmp_path):
    """Nothing can clean up after SIGKILL; but the worker must not outlive it."""
    code, _, children, _ = interrupted(tmp_path, "Reading STEP", signal.SIGKILL)

    assert code == -signal.SIGKILL
    assert not still_there(children)


@pytest.mark.clause("REV-REP-05")
def test_a_hidden_folder_of_a_killed_run_goes_when_it_is_a_day_old(tmp_path):
    shutil.copy(COVER, tmp_path / "a.step")
    old, young = tmp_path / ".0123.staging", tmp_path / ".4567.staging"
    for folder in (old, young):
        folder.mkdir()
        (folder / "report.json").write_bytes(b"half")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(old, (two_days_ago, two_days_ago))

    assert witmark("review", "a.step", "--no-pictures", cwd=tmp_path).code == 0
    assert not old.exists()
    assert young.exists(), "it may belong to a run at work"
