"""Are the rules right on parts whose faults are known?

Every seeded part is built, placed, written to STEP and reviewed from the file. Its verdicts
must be the expected ones: the violated rules exactly (tier included), the rules that were
really asked and held, the rules that cannot be decided.

``--full`` takes every case in every placement (ten random ones and a mirrored one) and in
millimetres and inches; without it every case is taken once, sizes, placements and units in
turn.
``--write DIR`` writes those files with their ``expected.json`` and stops. ``--data DIR`` runs
on a folder with ``expected.json``: ``[{"file": …, "violated": [catalogue ids]}]``; the keys
``may``, ``satisfied``, ``undetermined`` and ``severity`` are honoured when present.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import Options, Stopwatch, Verdicts, finish, options, reviewer
from witmark.kernel.errors import WitmarkError, one_line

_WORST_FIRST = ("critical", "major", "minor", "info")
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one file's review owes."""

    file: Path
    label: str
    violated: frozenset[str]
    may: frozenset[str] = frozenset()
    satisfied: frozenset[str] = frozenset()
    undetermined: frozenset[str] = frozenset()
    severity: Mapping[str, str] | None = None
    decided: bool = False


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print mismatches and the last line."""
    asked = options(argv, __doc__, writes=True)
    if asked.write is not None:
        print(f"{_write(asked, asked.write)} files written to {asked.write}")
        return 0
    watch = Stopwatch()
    wrong: list[str] = []
    faults: Counter[str] = Counter()
    n = 0
    with reviewer(watch) as review:
        for wanted in _read(asked.data) if asked.data else _made(asked):
            n += 1
            for kind, words in _told(wanted, review):
                faults[kind] += 1
                wrong.append(f"{wanted.label}: {kind}: {words}")
            if not asked.data:
                wanted.file.unlink()
    for line in wrong[:_SHOWN]:
        print(line)
    if len(wrong) > _SHOWN:
        print(f"… and {len(wrong) - _SHOWN} more")
    bad_files = len({line.split(":", 1)[0] for line in wrong})
    figures = {
        "right_share": round((n - bad_files) / n, 6) if n else None,
        "files_wrong": bad_files,
        **{kind: faults[kind] for kind in _KINDS},
        "sample": "all"
        if asked.full or asked.data
        else "each case in one size, placement and unit",
    }
    limits = {"right_share": 1.0, **dict.fromkeys(_KINDS, 0)}
    return finish("seeded", watch, figures=figures, limits=limits, n=n, ok=not wrong)


# ---------------------------------------------------------------- comparing

_KINDS = (
    "missed",
    "false_alarm",
    "wrong_tier",
    "not_held",
    "not_left_open",
    "left_open",
    "refused",
)


def _told(wanted: Wanted, review: Callable[[Path], Verdicts]) -> list[tuple[str, str]]:
    """How the review of one file differs; a file that is refused differs altogether."""
    try:
        verdicts = review(wanted.file)
    except WitmarkError as error:
        return [("refused", one_line(error))]
    return list(_differences(wanted, verdicts))


def _differences(wanted: Wanted, verdicts: Verdicts) -> Iterator[tuple[str, str]]:
    found = _ids(verdicts, "violated")
    if missed := sorted(wanted.violated - found):
        yield "missed", " ".join(missed)
    if alarms := sorted(found - wanted.violated - wanted.may):
        yield "false_alarm", " ".join(alarms)
    for rule in sorted((wanted.severity or {}).keys() & found):
        worst = _worst(verdicts, rule)
        if wanted.severity and worst != wanted.severity[rule]:
            yield "wrong_tier", f"{rule} {worst} instead of {wanted.severity[rule]}"
    if idle := sorted(wanted.satisfied - _ids(verdicts, "satisfied")):
        yield "not_held", " ".join(idle)
    undecided = _ids(verdicts, "undetermined")
    if closed := sorted(wanted.undetermined - undecided):
        yield "not_left_open", " ".join(closed)
    if wanted.decided and (left := sorted(undecided - wanted.undetermined - {"P01"})):
        yield "left_open", " ".join(left)


def _ids(verdicts: Verdicts, verdict: str) -> frozenset[str]:
    return frozenset(str(v["catalogue_id"]) for v in verdicts if v["verdict"] == verdict)


def _worst(verdicts: Verdicts, rule: str) -> str:
    tiers = {
        v["severity"]
        for v in verdicts
        if v["catalogue_id"] == rule and v["verdict"] == "violated"
    }
    return next((tier for tier in _WORST_FIRST if tier in tiers), "none")


# ---------------------------------------------------------------- the files


def _made(asked: Options) -> Iterator[Wanted]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _written(Path(folder), full=asked.full)


def _written(folder: Path, *, full: bool) -> Iterator[Wanted]:
    from bench.seeded_parts.catalogue import all_cases  # noqa: PLC0415  # brings the kernel
    from bench.seeded_parts.writing import every_variant, write_shape  # noqa: PLC0415

    variants = every_variant()
    for turn, case in enumerate(all_cases()):
        if not full and case.dims != 1 + turn // 3 % 3:
            continue
        body = case.make()
        for variant in variants if full else [variants[7 * turn % len(variants)]]:
            path = folder / f"{case.name}-{variant.name}.step"
            write_shape(body, case, variant, path)
            expected = case.expected
            yield Wanted(
                path,
                path.stem,
                frozenset(expected.violated),
                expected.may,
                expected.satisfied,
                expected.undetermined,
                expected.violated,
                expected.decided,
            )


def _write(asked: Options, folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "file": wanted.file.name,
            "violated": sorted(wanted.violated),
            "may": sorted(wanted.may),
            "satisfied": sorted(wanted.satisfied),
            "undetermined": sorted(wanted.undetermined),
            "severity": dict(sorted((wanted.severity or {}).items())),
        }
        for wanted in _written(folder, full=asked.full)
    ]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    (folder / "expected.json").write_text(text + "\n", encoding="utf-8")
    return len(rows)


def _read(folder: Path) -> Iterator[Wanted]:
    for row in json.loads((folder / "expected.json").read_text(encoding="utf-8")):
        yield Wanted(
            folder / row["file"],
            row["file"],
            frozenset(row["violated"]),
            frozenset(row.get("may", ())),
            frozenset(row.get("satisfied", ())),
            frozenset(row.get("undetermined", ())),
            row.get("severity"),
        )


if __name__ == "__main__":
    sys.exit(main())
