"""Nothing in the repository tells whose machine it was made on, or where packages come from."""

import re
import subprocess

import pytest
from support_cli import ROOT

# Put together here, so that this file does not hold what it looks for.
HOSTS = [
    "py" + "pi.org",
    "files.python" + "hosted.org",
    "--index" + "-url",
    "--extra" + "-index",
]
PLACES = ["/" + "work/", "/" + "root/", "/" + "tmp/", "/opt/" + "pypi"]
ALLOWED = {
    "CONTRIBUTING.md": {"--no-emit-index" + "-url"},
}
TEXT = {".md", ".py", ".toml", ".lock", ".json", ".css", ".js", ".step", "", ".html"}


def tracked():
    """The files of the repository, or of the folder where there is no git."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False
    )
    if listed.returncode:
        skipped = {".venv", ".git", "__pycache__", ".mypy_cache", ".ruff_cache"}
        return [p for p in ROOT.rglob("*") if p.is_file() and not skipped & set(p.parts)]
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


FILES = [path for path in tracked() if path.suffix in TEXT and path.is_file()]


def test_there_is_a_repository_to_look_at():
    names = {path.name for path in FILES}
    assert {"do", "pyproject.toml", "requirements.lock", "requirements-dev.lock"} <= names


@pytest.mark.parametrize("pattern", [*HOSTS, *PLACES])
def test_no_file_names_an_index_host_or_a_place_of_somebodys_machine(pattern):
    found = []
    for path in FILES:
        text = path.read_text(encoding="utf-8", errors="replace")
        for allowed in ALLOWED.get(path.name, ()):
            text = text.replace(allowed, "")
        if re.search(rf"(?<![\w.]){re.escape(pattern)}", text):
            found.append(str(path.relative_to(ROOT)))
    assert found == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_every_package_by_hash_and_names_no_address(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    pinned = re.findall(r"^([A-Za-z0-9_.-]+)==", text, re.MULTILINE)
    blocks = re.split(r"^(?=[A-Za-z0-9_.-]+==)", text, flags=re.MULTILINE)[1:]

    assert len(pinned) > 10
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text
    assert "@ file" not in text
    assert not [line for line in text.splitlines() if line.startswith(("-i ", "-f ", "--"))]


def test_the_locks_hold_what_the_project_pins():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    runtime = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    dev = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    pins = re.findall(r'^  "([a-z0-9-]+==[^"]+)"', project, re.MULTILINE)
    needed, _, _ = project.partition("[project.optional-dependencies]")

    assert len(pins) > 15
    for pin in pins:
        assert f"\n{pin}" in f"\n{dev}"
        assert (f"\n{pin}" in f"\n{runtime}") or pin not in needed


def test_the_front_door_is_posix_shell():
    script = ROOT / "do"
    assert script.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    assert script.stat().st_mode & 0o111
    done = subprocess.run(["sh", "-n", str(script)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
