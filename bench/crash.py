r"""What is left of a model call whose process dies, whose disk refuses, or whose power goes.

``kills``: every write-class system call of a call's life is entered once and never left
(``strace … inject=…:signal=KILL``), then another process goes on from what is left. The same
with calls that fail (ENOSPC, EIO, EMFILE) and with files that may not grow.
``states``: what a power cut may leave after each call that the real code made, and what the
real recovery makes of it. Faults planted in the order of the calls have to be found.

``--full`` kills three times at each call, refuses every call, and goes on after every kill.
"""

import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.common import Options, Stopwatch, finish, options
from bench.crash_kills import NAUGHT, run_all
from bench.crash_states import FAULTS, Found, Walk, explore, faults_caught
from bench.dying import has_strace, memory_folder

SHORT = ("accepted", "rejected", "failed", "blocked")
STATES_LEAST = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, refuse, cut the power; print what was lost."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    if not has_strace():
        print("strace is not here; on Debian and Ubuntu: apt-get install strace")
        return finish("crash", watch, figures={}, limits={}, n=0, ok=False)
    with tempfile.TemporaryDirectory(dir=memory_folder(), prefix="witmark-crash-") as parent:
        return _measured(Path(parent), chosen, watch)


def _measured(parent: Path, chosen: Options, watch: Stopwatch) -> int:
    full = chosen.full
    for name in ("kills", "states", "faults"):
        (parent / name).mkdir()
    lives = None if full else SHORT
    tally = run_all(parent / "kills", lives, times=3 if full else 1, share=1 if full else 5)
    print(f"{tally.killed} kills, {sum(tally.refused.values())} refusals", flush=True)
    kills, twice = (1, 40) if full else (12, 400)
    found = explore(Walk(parent / "states", step=1, kills=kills, twice=twice))
    print(f"{found.states} states, {len(found.distinct)} of them different", flush=True)
    caught = faults_caught(parent / "faults")
    for line in (*tally.told, *found.told, *(f"{k}: {v}" for k, v in caught.items())):
        print(line)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.children_s += used.ru_utime + used.ru_stime
    figures = {**tally.figures(), **_powerless(found, caught)}
    figures["sample"] = "everything" if full else f"{len(SHORT)} lives, one refusal in five"
    limits = dict.fromkeys((*NAUGHT, "bad"), 0)
    limits |= {"states": f">= {STATES_LEAST}", "faults_caught": len(FAULTS)}
    ok = (
        all(figures[name] == 0 for name in (*NAUGHT, "bad"))
        and len(found.distinct) >= STATES_LEAST
        and all(caught.values())
    )
    return finish("crash", watch, figures=figures, limits=limits, n=tally.killed, ok=ok)


def _powerless(found: Found, caught: dict[str, str]) -> dict[str, object]:
    return {
        "states": len(found.distinct),
        "states_with_repeats": found.states,
        "bad": found.bad,
        "brought_home": found.settled,
        "faults_caught": sum(bool(state) for state in caught.values()),
        "faults_missed": [fault for fault, state in caught.items() if not state],
    }


if __name__ == "__main__":
    sys.exit(main())
