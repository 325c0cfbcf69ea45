"""Does ``witmark verify`` notice every changed byte of a report?

A report is made, verified, and then 200 times one bit of one file is turned at a random
place (the same places every time), verified, and turned back. Every file of the folder is
eligible, weighted by nothing but chance over the bytes and, for half of the tries, chance
over the files, so that small files are hit as well. Every twentieth try runs the command in a
process of its own; the others run it in this one. ``--data`` takes a STEP file to report on.
"""

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.common import SAMPLES, Stopwatch, finish, options, run_witmark, witmark_here

_FLIPS = 200
_OWN_PROCESS_EVERY = 20
_SEED = 20260101
_HOLDS, _INTEGRITY = 0, 3


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print what went unnoticed and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    source = asked.data or min(SAMPLES.glob("*.step"), key=lambda p: p.stat().st_size)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report"
        made = run_witmark(["review", str(source), "--out", str(out)])
        watch.children_s += made.cpu_s
        if made.code not in (0, 1):
            print(made.stderr)
            return finish("verify", watch, figures={}, limits={"unnoticed": 0}, n=0, ok=False)
        sound_before = _verified(out, watch, own_process=True) == _HOLDS
        unnoticed, crashed, untouched = _flip_all(out, watch)
        sound_after = _verified(out, watch, own_process=False) == _HOLDS
    for line in (*unnoticed, *crashed):
        print(line)
    figures = {
        "flips": _FLIPS,
        "unnoticed": len(unnoticed),
        "not_said_as_integrity": len(crashed),
        "sound_before": sound_before,
        "sound_after": sound_after and untouched,
    }
    limits = {
        "unnoticed": 0,
        "not_said_as_integrity": 0,
        "sound_before": True,
        "sound_after": True,
    }
    ok = not unnoticed and not crashed and sound_before and sound_after and untouched
    return finish("verify", watch, figures=figures, limits=limits, n=_FLIPS, ok=ok)


def _flip_all(out: Path, watch: Stopwatch) -> tuple[list[str], list[str], bool]:
    dice = random.Random(_SEED)  # noqa: S311  # reproducible, not secret
    files = sorted(p for p in out.rglob("*") if p.is_file() and p.stat().st_size)
    before = {path: path.read_bytes() for path in files}
    sizes = [len(before[path]) for path in files]
    unnoticed, crashed = [], []
    for turn in range(_FLIPS):
        path = dice.choices(files, sizes)[0] if turn % 2 else dice.choice(files)
        place, bit = dice.randrange(len(before[path])), dice.randrange(8)
        spoilt = bytearray(before[path])
        spoilt[place] ^= 1 << bit
        mode = path.stat().st_mode
        path.chmod(mode | 0o200)  # blobs may be read-only; a bit that rots does not ask
        path.write_bytes(spoilt)
        code = _verified(out, watch, own_process=turn % _OWN_PROCESS_EVERY == 0)
        path.write_bytes(before[path])
        path.chmod(mode)
        where = f"{path.relative_to(out)} byte {place} bit {bit}"
        if code == _HOLDS:
            unnoticed.append(f"unnoticed: {where}")
        elif code != _INTEGRITY:
            crashed.append(f"exit {code} instead of {_INTEGRITY}: {where}")
    untouched = all(path.read_bytes() == data for path, data in before.items())
    return unnoticed, crashed, untouched


def _verified(out: Path, watch: Stopwatch, *, own_process: bool) -> int | None:
    if not own_process:
        return witmark_here(["verify", str(out)])[0]
    ran = run_witmark(["verify", str(out)])
    watch.children_s += ran.cpu_s
    return ran.code


if __name__ == "__main__":
    sys.exit(main())
