"""Does every STEP file survive the whole way: read, featured, reviewed, reported?

A crash is any exit code that is not a result (0 or 1) or any missing report; a hang is a run
that does not end in ten minutes. Peak memory is the sum of what the processes of one run hold
at once, pages that they share counted for each. ``--data`` takes a file or a folder (its
``manifest.csv`` if it has one, else every ``.step`` and ``.stp`` below it). Without ``--full``
the smallest files are taken until the minute is nearly spent; the figures say how many.
"""

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.common import Ran, Stopwatch, finish, options, run_witmark, step_files

_BUDGET_S = 40.0
_HANG_S = 600.0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print one row per file and the last line."""
    asked = options(argv, __doc__)
    watch, begun = Stopwatch(), time.monotonic()
    everything = step_files(asked.data)
    files = sorted(everything, key=lambda p: (p.stat().st_size, p.name))
    crashes, hangs, n, slowest, peak_mb = [], [], 0, 0.0, 0.0
    print(
        f"{'file':44} {'MB':>6} {'exit':>4} {'cpu s':>7} {'wall s':>7} {'peak MB':>8}"
        "  parts faces found"
    )
    for path in files:
        if not asked.full and time.monotonic() - begun > _BUDGET_S:
            break
        ran, summary = _review(path)
        n += 1
        watch.children_s += ran.cpu_s
        slowest, peak_mb = max(slowest, ran.wall_s), max(peak_mb, ran.peak_mb)
        if ran.code is None:
            hangs.append(path.name)
        elif summary is None or ran.code not in (0, 1):
            crashes.append(f"{path.name}: exit {ran.code}: {ran.stderr.strip()[-200:]}")
        print(_row(path, ran, summary), flush=True)
    for line in crashes:
        print(line)
    figures = {
        "crashes": len(crashes),
        "hangs": len(hangs),
        "slowest_wall_s": round(slowest, 1),
        "peak_mb": round(peak_mb),
        "sample": f"{n} of {len(everything)} files, smallest first",
    }
    ok = not crashes and not hangs
    return finish("step", watch, figures=figures, limits={"crashes": 0, "hangs": 0}, n=n, ok=ok)


def _review(path: Path) -> tuple[Ran, str | None]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report"
        ran = run_witmark(["review", str(path), "--out", str(out)], limit_s=_HANG_S)
        wanted = ("report.html", "report.json", "findings.sarif", "findings.csv")
        if any(not (out / name).is_file() for name in wanted):
            return ran, None
        report = json.loads((out / "report.json").read_text(encoding="utf-8"))
        coverage = report["coverage"]
        found = report["counts"]["violated"]
        return ran, f"{len(coverage['parts']):5} {coverage['faces']:5} {found:5}"


def _row(path: Path, ran: Ran, summary: str | None) -> str:
    size_mb = path.stat().st_size / 1e6
    code = "hang" if ran.code is None else ran.code
    return (
        f"{path.name[:44]:44} {size_mb:6.2f} {code:>4} {ran.cpu_s:7.2f} {ran.wall_s:7.2f}"
        f" {ran.peak_mb:8.0f}  {summary or 'no report'}"
    )


if __name__ == "__main__":
    sys.exit(main())
