"""How much does a whole review cost beside merely reading the file?

For every assembly two fresh processes each report their own CPU time: one reads and
transfers the file with XCAF, one does the product's whole review without pictures. The
figure is the ratio of the two sums. Then the pictures of one assembly are drawn, as
``bench.pictures`` does. ``--data`` takes a file or a folder; without ``--full`` every third
assembly is taken, largest first, until the minute is nearly spent.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.common import ROOT, Stopwatch, finish, options, step_files
from bench.pictures import draw_all, figures_of, usual_files

_BUDGET_S = 25.0
_STRIDE = 3
_RATIO_LIMIT = 3.0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print one row per assembly and the last line."""
    asked = options(argv, __doc__)
    watch, begun = Stopwatch(), time.monotonic()
    everything = sorted(
        _assemblies(asked.data), key=lambda p: (p.stat().st_size, p.name), reverse=True
    )
    chosen = everything if asked.full else everything[::_STRIDE]
    bare_s = review_s = 0.0
    n = 0
    print(f"{'assembly':40} {'bare s':>8} {'review s':>9} {'ratio':>6}")
    for path in chosen:
        if not asked.full and time.monotonic() - begun > _BUDGET_S:
            break
        bare, review = _child("bare", path), _child("review", path)
        n, bare_s, review_s = n + 1, bare_s + bare, review_s + review
        print(f"{path.name[:40]:40} {bare:8.3f} {review:9.3f} {review / bare:6.2f}", flush=True)
    watch.children_s += bare_s + review_s
    ratio = round(review_s / bare_s, 3) if n else None
    drawn = draw_all(usual_files(asked.data, full=False))
    pictures, picture_limits, pictures_ok = figures_of(drawn)
    figures = {
        "review_over_bare": ratio,
        "bare_cpu_s": round(bare_s, 2),
        "review_cpu_s": round(review_s, 2),
        "sample": f"{n} of {len(everything)} assemblies",
        **pictures,
    }
    ok = ratio is not None and ratio <= _RATIO_LIMIT and pictures_ok
    limits = {"review_over_bare": _RATIO_LIMIT, **picture_limits}
    return finish("speed", watch, figures=figures, limits=limits, n=n, ok=ok)


def _assemblies(data: Path | None) -> list[Path]:
    return step_files(data, kind="assembly")


def _child(what: str, path: Path) -> float:
    """CPU seconds of one piece of work, told by the process that did it."""
    ended = subprocess.run(
        [sys.executable, "-m", "bench.child", what, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=600,
    )
    if ended.returncode:
        words = ended.stderr.decode(errors="replace").strip()[-400:]
        raise RuntimeError(f"{what} of {path.name} ended with {ended.returncode}: {words}")
    return float(json.loads(ended.stdout)["cpu_s"])


if __name__ == "__main__":
    sys.exit(main())
