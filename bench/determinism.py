"""Are two reviews of one file the same bytes, whoever runs them and from where?

Each file is reviewed five times: as it is, with another hash seed, from another working
folder by a relative path, from a second copy of the source tree, and renamed in another
folder. ``report.json`` must be equal byte for byte once the declared path is taken out.
``--data`` takes a file or a folder. Without ``--full`` the first sample and one small file of
the shared data are taken.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.common import (
    ROOT,
    SAMPLES,
    Ran,
    Stopwatch,
    finish,
    options,
    run_witmark,
    shared_data,
    step_files,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print what differs and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    differing, n = [], 0
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        shutil.copytree(ROOT / "src", clone, ignore=shutil.ignore_patterns("__pycache__"))
        files = _files(asked.data, full=asked.full)
        for number, path in enumerate(files):
            kept: bytes | None = None
            for name, ran, out in _runs(path, Path(folder) / str(number), clone):
                watch.children_s += ran.cpu_s
                n += 1
                report = _without_path(out)
                kept = kept or report
                if report is None or report != kept:
                    differing.append(f"{path.name}: {name} (exit {ran.code})")
            shutil.rmtree(Path(folder) / str(number))
    for line in differing:
        print(line)
    figures = {"differing": len(differing), "files": len(files), "runs_per_file": 5}
    return finish(
        "determinism", watch, figures=figures, limits={"differing": 0}, n=n, ok=not differing
    )


def _files(data: Path | None, *, full: bool) -> list[Path]:
    if data is not None:
        return step_files(data)
    if full:
        return [*sorted(SAMPLES.glob("*.step")), *step_files(None)]
    small = [p for p in step_files(None) if p.stat().st_size < 150_000] if _has_data() else []
    return [*sorted(SAMPLES.glob("*.step"))[:1], *small[:1]]


def _has_data() -> bool:
    return (shared_data() / "step").is_dir()


def _runs(path: Path, folder: Path, clone: Path) -> Iterator[tuple[str, Ran, Path]]:
    """Review the file in five ways; external references keep their neighbours."""
    elsewhere = folder / "elsewhere"
    shutil.copytree(path.parent, elsewhere / path.parent.name) if _has_parts(path) else None
    renamed = (
        elsewhere / path.parent.name if _has_parts(path) else elsewhere
    ) / f"другой 零件{path.suffix}"
    renamed.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, renamed)
    relative = os.path.relpath(path, folder)
    ways: list[tuple[str, str, dict[str, object]]] = [
        ("as it is", str(path), {"environment": {"PYTHONHASHSEED": "1"}}),
        ("another hash seed", str(path), {"environment": {"PYTHONHASHSEED": "4242"}}),
        ("another working folder", relative, {"cwd": folder}),
        ("another clone", str(path), {"source": clone}),
        ("renamed", str(renamed), {}),
    ]
    for number, (name, given, how) in enumerate(ways):
        out = folder / f"report-{number}"
        arguments = ["review", given, "--out", str(out)]
        yield name, run_witmark(arguments, **how), out  # type: ignore[arg-type]  # a table of keywords


def _has_parts(path: Path) -> bool:
    """Whether the file's folder is its own, as with external references."""
    return (path.parent.parent / "manifest.csv").is_file()


def _without_path(out: Path) -> bytes | None:
    """The report's bytes with the declared path blanked; None when there is no report."""
    report = out / "report.json"
    if not report.is_file():
        return None
    data = report.read_bytes()
    declared = json.loads(data)["source"]["path"]
    quoted = json.dumps(declared, ensure_ascii=False).encode()
    return data.replace(b'"path":' + quoted, b'"path":""', 1)


if __name__ == "__main__":
    sys.exit(main())
