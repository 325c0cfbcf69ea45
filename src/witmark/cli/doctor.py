"""``witmark doctor``: what this machine lacks, and how to get it."""

import ctypes
import importlib.util
import shutil
import subprocess
import sys
from dataclasses import dataclass

import click

CAD_IMPORT_LIMIT_S = 120
"""A first import of the CAD kernel from a cold disk takes seconds, not minutes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. ``needed`` is false for what only some uses need."""

    name: str
    well: bool
    says: str
    needed: bool = True


@click.command("doctor")
def command() -> None:
    """Say what this machine lacks, and how to get it.

    Exit code 0 when a review can run here, 1 when something it needs is missing.
    """
    findings = [_python(), *_libraries(), _cad_kernel(), _rays(), _chinese_font()]
    for finding in findings:
        mark = "ok     " if finding.well else ("MISSING" if finding.needed else "absent ")
        click.echo(f"{mark}  {finding.name}: {finding.says}")
    sys.exit(0 if all(f.well or not f.needed for f in findings) else 1)


def _python() -> Finding:
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Finding(
        "Python", sys.version_info >= (3, 11), f"{version} (3.11 or newer is needed)"
    )


def _libraries() -> list[Finding]:
    return [_library("libGL.so.1", "libgl1"), _library("libX11.so.6", "libx11-6")]


def _library(name: str, package: str) -> Finding:
    """The CAD kernel links these even when nothing is drawn on a screen."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return Finding(name, well=False, says=f"get it with: apt-get install {package}")
    return Finding(name, well=True, says="found")


def _cad_kernel() -> Finding:
    """Imported in a child: a broken kernel may end the process that imports it."""
    code = "import OCP.STEPCAFControl"
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and a constant
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=CAD_IMPORT_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Finding("CAD kernel", well=False, says="importing it did not end; reinstall it")
    if done.returncode == 0:
        return Finding("CAD kernel", well=True, says="cadquery-ocp-novtk imports")
    last = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
    return Finding(
        "CAD kernel", well=False, says=f"{last}; reinstall: rm -r .venv, then ./do doctor"
    )


def _rays() -> Finding:
    if importlib.util.find_spec("embreex") is None:
        return Finding(
            "embreex",
            well=False,
            says="pictures need it; reinstall: rm -r .venv, then ./do doctor",
        )
    return Finding("embreex", well=True, says="found")


def _chinese_font() -> Finding:
    says = "a reader of Chinese reports needs one: apt-get install fonts-noto-cjk"
    lister = shutil.which("fc-list")
    if lister is None:
        return Finding(
            "Chinese font",
            well=False,
            says=f"cannot tell without fc-list; {says}",
            needed=False,
        )
    done = subprocess.run(  # noqa: S603 - the path came from which()
        [lister, ":lang=zh", "family"], capture_output=True, text=True, check=False
    )
    families = sorted({line.split(",")[0] for line in done.stdout.splitlines() if line})
    if not families:
        return Finding("Chinese font", well=False, says=says, needed=False)
    return Finding("Chinese font", well=True, says=families[0], needed=False)
