"""The command line as a user meets it: a process of its own, in a folder of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
BRACKET, COVER = SAMPLES / "bearing_bracket.step", SAMPLES / "bearing_cover.step"
LONGEST_S = 180
"""A bound, not a measure: the machine may be busy."""

REFUSAL = re.compile(r"[a-z]+\.[a-z.-]+: .*; .*")
"""``code: place: what; way out``, alone on its line."""


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said."""

    code: int
    out: bytes
    err: str

    @property
    def refusal(self) -> str:
        """The one line that says what was wrong."""
        lines = [line for line in self.err.splitlines() if REFUSAL.fullmatch(line)]
        assert len(lines) == 1, self.err
        assert self.err.splitlines()[-1] == lines[0]
        return lines[0]


def command(*arguments: str | os.PathLike[str]) -> list[str | os.PathLike[str]]:
    return [sys.executable, "-m", "witmark", *arguments]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Ours, with the source on the path and no language or home of whoever runs the tests."""
    plain = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "LANG", "WITMARK_"))
    }
    path = {"PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"}
    return {**plain, **path, **(extra or {})}


def witmark(
    *arguments: str | os.PathLike[str],
    cwd: Path,
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Run one command to its end."""
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(env),
        capture_output=True,
        timeout=LONGEST_S,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode(errors="backslashreplace"))


def listing(folder: Path) -> list[tuple[bytes, int]]:
    """Every name below a folder, hidden ones too, with its size."""
    return sorted(
        (os.fsencode(path.relative_to(folder)), path.lstat().st_size)
        for path in folder.rglob("*")
    )


def hidden(folder: Path, module: str) -> dict[str, str]:
    """An environment in which a module cannot be imported, as on a machine without it."""
    folder.mkdir(exist_ok=True)
    text = f"import sys\nsys.modules[{module!r}] = None\n"
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT / "src")))}
