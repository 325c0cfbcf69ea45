"""Real bugs of public packages: where does the embedded analyst look, and what does it confirm?

Each case of ``bug_cases.json`` becomes a case folder: the report, the source of the faulty
release, and that of the last good one where the reporter names it. Both come from the package
index by name and version (``pip download``) and are unpacked, never installed; they are kept
in ``$WITMARK_BENCH_CACHE`` (default: a folder of the user's cache) for the next time. The
ground truth never enters the folder.

The whole desk runs on it, offline and without a model, as ``witmark diagnose`` does. Measured
are the ranks of the functions and files that the fix changed, what was confirmed, and the time.
Beside it stand the words of the report alone (BM25) and a row that knows nothing of the report:
the longest functions first. Every case is measured, with ``--full`` or without.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import Stopwatch, finish, options, shared_data

AIMS = {
    "function_hit_at_1": 0.50,
    "function_hit_at_5": 0.75,
    "function_mrr": 0.60,
    "file_hit_at_1": 0.80,
    "file_hit_at_5": 1.00,
    "without_frames_hit_at_5": 0.55,
    "confirmed_share": 0.25,
}
LIMITS = {"confirmed_wrong": 0, "above_bm25": 1, "max_cpu_s": 5.0, "max_rss_mb": 500.0}


@dataclass(frozen=True, slots=True)
class Row:
    """How one case went: ranks from 1, 0 where it was not found."""

    case: str
    function: int
    file: int
    has_frames: bool  # the report holds a call stack: the case's own data say so
    is_confirmed: bool
    is_right: bool  # whatever place was confirmed is one that the fix changed
    cpu_s: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    cases = _cases(asked.data)
    rows, words, longest, files = [], [], [], []
    with tempfile.TemporaryDirectory() as place:
        os.environ["WITMARK_HOME"] = str(Path(place) / "home")
        for case in cases:
            folder = Path(place) / "cases" / case["id"]
            _lay_out(case, folder)
            row, by_words, by_length, file_by_words = _measure(case, folder)
            print(json.dumps(_told(row)), flush=True)
            rows.append(row)
            words.append(by_words)
            longest.append(by_length)
            files.append(file_by_words)
    figures: dict[str, Any] = dict(_figures(rows))
    base = {f"bm25_{k}": v for k, v in (_ranks(words) | _file_ranks(files)).items()}
    none = {f"zero_{k}": v for k, v in _ranks(longest).items()}
    figures |= base | none
    names = [name.removeprefix("bm25_") for name in base]
    figures["above_bm25"] = int(all(_is_above(figures[n], base[f"bm25_{n}"]) for n in names))
    figures["max_cpu_s"] = round(max(row.cpu_s for row in rows), 2)
    rss_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures["max_rss_mb"] = round(rss_kb / 1024, 1)
    ok = (
        figures["confirmed_wrong"] == 0
        and figures["max_cpu_s"] <= LIMITS["max_cpu_s"]
        and figures["max_rss_mb"] <= LIMITS["max_rss_mb"]
        and bool(figures["above_bm25"])
    )
    figures["aims"] = AIMS
    return finish("bugs", watch, figures=figures, limits=LIMITS, n=len(rows), ok=ok)


# The cases ---------------------------------------------------------------------------


def _cases(data: Path | None) -> list[dict[str, Any]]:
    file = data or shared_data() / "bugs" / "bug_cases.json"
    found: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["cases"]
    return found


def _lay_out(case: Mapping[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True)
    report = f"# {case['title']}\n\n{case['report']}\n"
    (folder / "report.md").write_text(report, "utf-8")
    good = case.get("last_good_version_named_by_reporter")
    for version, name in ((case["buggy_version"], "source"), (good, "good")):
        if version:
            _unpack(_wheel(case["package"], version), folder / name)


def _wheel(package: str, version: str) -> Path:
    kept = _cache() / f"{package}-{version}"
    if not (found := sorted(kept.glob("*.whl"))):
        kept.mkdir(parents=True, exist_ok=True)
        asked = [f"{package}=={version}", "--no-deps", "--only-binary=:all:", "-q"]
        subprocess.run(
            [sys.executable, "-m", "pip", "download", *asked, "-d", str(kept)],
            check=True,
            stdout=sys.stderr,
            stderr=subprocess.DEVNULL,
        )
        found = sorted(kept.glob("*.whl"))
    return found[0]


def _cache() -> Path:
    by_hand = os.environ.get("WITMARK_BENCH_CACHE")
    return Path(by_hand) if by_hand else Path.home() / ".cache" / "witmark-bench"


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            if member.endswith(".py"):
                archive.extract(member, folder)


# Measuring ---------------------------------------------------------------------------


def _measure(case: Mapping[str, Any], folder: Path) -> tuple[Row, int, int]:
    from witmark.bootstrap.diagnosing import desk, package_of, store  # noqa: PLC0415  # timed
    from witmark.bootstrap.settings import load_settings  # noqa: PLC0415  # timed
    from witmark.diagnosis.config import DiagnosisConfig  # noqa: PLC0415  # timed
    from witmark.diagnosis.use_cases import diagnose  # noqa: PLC0415  # timed

    begun = time.process_time()
    made = desk(load_settings(None), DiagnosisConfig(), use_model=False)
    case_id, package_id, _ = package_of(folder)
    built = asyncio.run(diagnose(case_id, package_id, made))
    cpu_s = time.process_time() - begun
    path = built.manifest.pointers["diagnosis"]
    result = json.loads(store().disk(case_id, package_id).read(path) or b"")
    truth = {one["id"] for one in case["ground_truth"]["functions"]}
    files = set(case["ground_truth"]["files"])
    places = [one["location"] for one in result["suspects"]]
    ids = [f"{one['path']}::{one['name']}" for one in places]
    is_confirmed = result["diagnosis"]["status"] == "confirmed"
    row = Row(
        case["id"],
        _rank(ids, truth),
        _rank(list(dict.fromkeys(one["path"] for one in places)), files),
        bool(case["has_trace"]),
        is_confirmed,
        is_confirmed and _confirmed_places(store().disk(case_id, package_id), built) <= truth,
        cpu_s,
    )
    return row, *_baselines(case, folder, truth, files)


def _confirmed_places(disk: Any, built: Any) -> set[str]:  # noqa: ANN401  # the desk's own values
    """Every place that the findings of the confirmed cause speak of."""
    context = json.loads(disk.read(built.manifest.pointers["diagnosis_context"]) or b"")
    cited = set(built.diagnosis.root_cause.evidence_ids)
    places = [one["location"] for one in context["findings"] if one["id"] in cited]
    found = {f"{one['path']}::{one['name']}" for one in places if one}
    return found or {"nowhere"}


def _baselines(
    case: Mapping[str, Any], folder: Path, truth: set[str], true_files: set[str]
) -> tuple[int, int, int]:
    """Functions by the words of the report alone, the longest first, and files by the words."""
    from witmark.adapters.grammars import GrammarReader  # noqa: PLC0415  # not in every run
    from witmark.diagnosis.codesearch import WordIndex  # noqa: PLC0415  # not in every run

    source = folder / "source"
    raw = {p.relative_to(source).as_posix(): p.read_bytes() for p in source.rglob("*.py")}
    definitions = [
        one
        for one in GrammarReader().snapshot(raw, most=10_000).definitions
        if one.kind != "class"
    ]
    ids = [f"{one.location.path}::{one.location.name}" for one in definitions]
    index = WordIndex.of([f"{one.location.name} {one.text}" for one in definitions])
    query = f"{case['title']}\n{case['report']}"
    found = [ids[hit.key] for hit in index.find(query)]
    paths = sorted(raw)
    of_files = WordIndex.of(
        [f"{path} {raw[path].decode('utf-8', 'replace')}" for path in paths]
    )
    by_words = [paths[hit.key] for hit in of_files.find(query)]
    order = sorted(range(len(ids)), key=lambda key: (-len(definitions[key].text), ids[key]))
    longest = [ids[key] for key in order]
    return _rank(found, truth), _rank(longest, truth), _rank(by_words, true_files)


def _rank(found: Sequence[str], truth: Iterable[str]) -> int:
    wanted = set(truth)
    return next((rank for rank, one in enumerate(found, start=1) if one in wanted), 0)


# Figures -----------------------------------------------------------------------------


def _figures(rows: Sequence[Row]) -> dict[str, float]:
    confirmed = [row for row in rows if row.is_confirmed]
    bare = [row.function for row in rows if not row.has_frames]
    return {
        **_ranks([row.function for row in rows]),
        **_file_ranks([row.file for row in rows]),
        "without_frames": len(bare),
        "without_frames_hit_at_5": _share(bare, 5),
        "confirmed": len(confirmed),
        "confirmed_share": round(len(confirmed) / len(rows), 4),
        "confirmed_wrong": sum(not row.is_right for row in confirmed),
    }


def _ranks(ranks: Sequence[int]) -> dict[str, float]:
    return {
        "function_hit_at_1": _share(ranks, 1),
        "function_hit_at_5": _share(ranks, 5),
        "function_mrr": round(sum(1 / rank for rank in ranks if rank) / len(ranks), 4),
    }


def _file_ranks(ranks: Sequence[int]) -> dict[str, float]:
    return {"file_hit_at_1": _share(ranks, 1), "file_hit_at_5": _share(ranks, 5)}


def _is_above(figure: float, base: float) -> bool:
    """Better than the words alone; where they find everything, as good."""
    return figure > base or figure == base == 1.0


def _share(ranks: Sequence[int], most: int) -> float:
    return round(sum(0 < rank <= most for rank in ranks) / len(ranks), 4) if ranks else 0.0


def _told(row: Row) -> dict[str, Any]:
    return {
        "case": row.case,
        "confirmed": row.is_confirmed,
        "cpu_s": round(row.cpu_s, 2),
        "file": row.file,
        "function": row.function,
    }


if __name__ == "__main__":
    sys.exit(main())
