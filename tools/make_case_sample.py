"""Make ``samples/case``: a small bug report with its log, source and last good source.

Run as ``python tools/make_case_sample.py``; ``--check`` writes nothing and fails when a
committed file is not what this script makes. The fault is honest: a test runs the source and
sees it fail as the report says. The password in the settings opens nothing.
"""

import argparse
import sys
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent.parent / "samples" / "case"

_REPORT = """\
# The evening hand-over crashes for the last shift of the day

Since we updated rota from 1.3 to 1.4, `rota board` ends with an IndexError every evening.

## What happens

The board prints every shift of the day but the last one, then it fails:

{trace}
## What I expected

The last shift should be shown with "nobody" as the next team. In 1.3.0 it was.

I think it has something to do with the new night shifts.
"""

_MODEL = '''\
"""Shifts, as they are planned."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shift:
    """One team at work, from one full hour to another."""

    team: str
    begins_h: int
    ends_h: int

    @property
    def hours(self):
        """How long it is; one that ends at midnight ends at 24."""
        return (self.ends_h or 24) - self.begins_h


def by_beginning(shifts):
    """Put shifts in the order in which they begin."""
    return sorted(shifts, key=lambda shift: (shift.begins_h, shift.team))
'''

_HANDOVER_GOOD = '''\
"""Who hands over to whom."""

from rota.model import by_beginning


def next_shift(shifts, index):
    """The shift that follows, or none after the last one."""
    if index + 1 == len(shifts):
        return None
    return shifts[index + 1]


def handovers(shifts):
    """Each shift with the one that follows it."""
    ordered = by_beginning(shifts)
    return [(shift, next_shift(ordered, index)) for index, shift in enumerate(ordered)]
'''

_HANDOVER = _HANDOVER_GOOD.replace(
    """    if index + 1 == len(shifts):
        return None
    return shifts[index + 1]
""",
    """    following = shifts[index + 1]
    return following if following.begins_h >= shifts[index].begins_h else None
""",
)

_BOARD = '''\
"""The board in the hall: one line for each shift."""

from rota.handover import handovers
from rota.model import Shift


def line(shift, following):
    """One line of the board."""
    team = following.team if following else "nobody"
    return f"{shift.begins_h:02}-{shift.ends_h:02} {shift.team}, then {team}"


def board(shifts):
    """Every line of the board, in the order of the day."""
    return [line(shift, following) for shift, following in handovers(shifts)]


def main():
    """Print today's board."""
    for text in board([Shift("red", 6, 14), Shift("blue", 14, 22), Shift("green", 22, 6)]):
        print(text)
'''

_COMMON = {
    "rota/__init__.py": '"""Plans shifts."""\n',
    "rota/model.py": _MODEL,
    "rota/board.py": _BOARD,
}
_SOURCE = {**_COMMON, "rota/handover.py": _HANDOVER}
_GOOD = {**_COMMON, "rota/handover.py": _HANDOVER_GOOD}

_FRAMES = (
    ("rota/board.py", "main", "    for text in board("),
    ("rota/board.py", "board", "    return [line(shift, following) for"),
    ("rota/handover.py", "handovers", "    return [(shift, next_shift("),
    ("rota/handover.py", "<listcomp>", "    return [(shift, next_shift("),
    ("rota/handover.py", "next_shift", "    following = shifts[index + 1]"),
)


def _trace() -> str:
    lines = ["Traceback (most recent call last):"]
    for path, name, begins in _FRAMES:
        code = _SOURCE[path].splitlines()
        number = next(n for n, text in enumerate(code, 1) if text.startswith(begins))
        lines += [
            f'  File "/opt/{path}", line {number}, in {name}',
            f"    {code[number - 1].strip()}",
        ]
    return "\n".join([*lines, "IndexError: list index out of range"]) + "\n"


def _log() -> str:
    stamp = "2026-03-02 21:{:02}:07"
    lines = [
        f"{stamp.format(minute)} INFO rota.board board refreshed" for minute in range(0, 50, 10)
    ]
    lines.append(f"{stamp.format(58)} ERROR rota.board board failed")
    return "\n".join(lines) + "\n" + _trace()


def files() -> dict[str, str]:
    """Every file of the sample, by its path."""
    quoted = "".join(f"    {text}\n" for text in _trace().splitlines())
    return {
        "report.md": _REPORT.format(trace=quoted),
        "logs/board.log": _log(),
        "config/board.env": "ROTA_HALL=north\nROTA_DB_PASSWORD=hunter2-opens-nothing\n",
        "config/requirements.txt": "rota==1.4.0\n",
        **{f"source/{path}": text for path, text in _SOURCE.items()},
        **{f"good/{path}": text for path, text in _GOOD.items()},
    }


def main(argv: list[str] | None = None) -> int:
    """Write the sample, or with ``--check`` say what has drifted."""
    parser = argparse.ArgumentParser(description="make samples/case")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift")
    check = parser.parse_args(argv).check
    drifted = []
    for name, text in sorted(files().items()):
        path, data = SAMPLE / name, text.encode()
        if check and (not path.is_file() or path.read_bytes() != data):
            drifted.append(name)
        elif not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    for name in drifted:
        print(f"samples/case/{name} is not what tools/make_case_sample.py makes")
    return 1 if drifted else 0


if __name__ == "__main__":
    sys.exit(main())
