"""A published diagnosis, built once more after one bit of it was changed.

Diagnoses that are confirmed, inconclusive and ended after three refused decisions are built on
a real disk. Then one bit is flipped at 50 places of each thing that a replay is bound to: the
frozen context, the start's manifest, the newest manifest, the saved request and the reply in
the record of the calls, the schema, the summary, and the result. Every further build has to
refuse; nothing may be rebuilt and nobody asked. The same with each of these files gone, and
with manifests that are sealed anew around pointers, bindings and states that do not fit.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.common import Stopwatch, finish, options
from bench.diagnosis_lives import CASE, DIR, LIVES, PACKAGE, RUN, Life, investigated, put
from bench.model_lives import now
from witmark.adapters.disk import PosixDisk
from witmark.diagnosis import wire
from witmark.diagnosis.case import Manifest, Routing, State
from witmark.diagnosis.package import Package, StaleCaseError, manifest_path
from witmark.diagnosis.records import manifest_bytes
from witmark.kernel.errors import IntegrityError
from witmark.kernel.journal import place_of, read_journal
from witmark.kernel.store import blob_path
from witmark.testing.models import SteadyClock

PLACES = 50
ENDED = ("confirmed", "inconclusive", "rejected 3")


@dataclass(frozen=True, slots=True)
class Change:
    """One way to tamper: with what, how, and what stands in the file instead."""

    artefact: str
    how: str
    name: str
    raw: bytes | None  # None: the file is gone


def main(argv: Sequence[str] | None = None) -> int:
    """Tamper; count what was not noticed."""
    options(argv, __doc__)
    watch = Stopwatch()
    flips: Counter[str] = Counter()
    others: Counter[str] = Counter()
    wrong: list[str] = []
    rebuilt = requests = differing = 0
    with tempfile.TemporaryDirectory(prefix="witmark-diagnosis-") as parent:
        for name in ENDED:
            life = Life(name, Path(parent) / f"{name}.count")
            folder = Path(parent) / name.replace(" ", "-")
            put(investigated(), folder)
            life.run(PosixDisk(folder))
            asked, before = life.requests(), _all(folder)
            differing += _refusal(life, folder) != "" or _all(folder) != before
            for change in (*_flips(folder), *_removals(folder), *_forgeries(folder)):
                (flips if change.how.startswith("bit") else others)[change.artefact] += 1
                file = folder / change.name
                sound = file.read_bytes()
                _write(file, change.raw)
                changed = _all(folder)
                if said := _built(life, folder):
                    wrong.append(f"{name}, {change.how} of the {change.artefact}: {said}")
                rebuilt += _all(folder) != changed
                file.write_bytes(sound)
            requests += life.requests() - asked
    for line in wrong[:20]:
        print(line)
    figures = {
        "flips": dict(sorted(flips.items())),
        "removals_and_forgeries": dict(sorted(others.items())),
        "not_refused": len(wrong),
        "rebuilt": rebuilt,
        "requests": requests,
        "untouched_that_differ": differing,
    }
    limits = dict.fromkeys(("not_refused", "rebuilt", "requests", "untouched_that_differ"), 0)
    n = sum(flips.values()) + sum(others.values())
    ok = all(figures[name] == 0 for name in limits) and len(flips) == 8
    return finish("diagnosis_replay", watch, figures=figures, limits=limits, n=n, ok=ok)


def _built(life: Life, folder: Path) -> str:
    """Nothing if another build refuses; else what came of it."""
    return "" if _refusal(life, folder) else "it was not refused"


def _refusal(life: Life, folder: Path) -> str:
    builder = life.builder(PosixDisk(folder), SteadyClock())
    try:
        now(builder.build(CASE, PACKAGE))
    except (IntegrityError, StaleCaseError) as error:
        return type(error).__name__
    return ""


# Bits ------------------------------------------------------------------------------------


def _flips(folder: Path) -> Iterator[Change]:
    """One bit at evenly spread places of each of the eight."""
    newest = _newest(folder)
    whole = {
        "context": f"{DIR}context.json",
        "start checkpoint": manifest_path(newest - 1),
        "identity and pointers": manifest_path(newest),
        "schema": blob_path(wire.schema().digest),
        "summary": f"{DIR}diagnosis_result.md",
        "result": f"{DIR}diagnosis_result.json",
    }
    for artefact, name in whole.items():
        yield from _bits(artefact, name, folder, lambda size: [(0, size)])
    record = place_of(RUN)
    yield from _bits("saved request", record, folder, lambda _: _lines(folder, "model.sent"))
    yield from _bits("model output", record, folder, lambda _: _lines(folder, "model.replied"))


def _bits(
    artefact: str, name: str, folder: Path, parts: Callable[[int], list[tuple[int, int]]]
) -> Iterator[Change]:
    sound = (folder / name).read_bytes()
    places = [at for start, end in parts(len(sound)) for at in range(start, end)]
    most = len(places) * 8 - 1
    for number in range(PLACES):
        bit = most * number // (PLACES - 1)
        changed = bytearray(sound)
        changed[places[bit // 8]] ^= 1 << bit % 8
        yield Change(artefact, f"bit {bit}", name, bytes(changed))


def _lines(folder: Path, kind: str) -> list[tuple[int, int]]:
    """Where the entries of a kind stand in the record, their breaks included."""
    found, at = [], 0
    for entry in read_journal(PosixDisk(folder), RUN):
        end = at + len(entry.to_bytes()) + 1
        if entry.kind == kind:
            found.append((at, end))
        at = end
    return found


# Files that are gone, manifests that do not fit --------------------------------------------


def _removals(folder: Path) -> Iterator[Change]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if name.endswith(".lock") or name == place_of("audit"):
            continue  # they bind nothing; the audit is written again from what does
        yield Change(name.split("/")[0], "removal", name, None)


def _forgeries(folder: Path) -> Iterator[Change]:
    """The newest manifest, sealed again as we would, around something that is not so."""
    manifest = Package(PosixDisk(folder)).manifest()
    name = manifest_path(manifest.generation)
    for how, forged in _forged(manifest):
        yield Change("sealed manifest", how, name, manifest_bytes(forged))


def _forged(manifest: Manifest) -> Iterator[tuple[str, Manifest]]:
    pointers = manifest.pointers
    for name in sorted(pointers):
        if name.startswith(("diagnosis", "failure")):
            rest = {n: p for n, p in pointers.items() if n != name}
            yield f"pointer {name} taken out", replace(manifest, pointers=rest)
            other = {
                **pointers,
                name: f"{DIR}{'context' if 'context' not in name else 'diagnosis_result'}.json",
            }
            if other != pointers:
                yield f"pointer {name} turned", replace(manifest, pointers=other)
    is_failed = manifest.state is State.FAILED_TO_ANALYZE
    other_state = State.BUILDING_DIAGNOSIS if is_failed else State.FAILED_TO_ANALYZE
    yield "state", replace(manifest, state=other_state)
    if is_failed:
        yield "routing", replace(manifest, routing=Routing.OUTPUT)
    *before, last = manifest.checkpoints
    for bindings in ({}, {**last.bindings, "number": 2}, {**last.bindings, "context": "x"}):
        bound = replace(last, bindings=bindings)
        yield "binding", replace(manifest, checkpoints=(*before, bound))
    *earlier, start = before
    for key, value in (("context", last.files[f"{DIR}diagnosis_result.json"]), ("prompt", "x")):
        bound = replace(start, bindings={**start.bindings, key: value})
        yield "start binding", replace(manifest, checkpoints=(*earlier, bound, last))


def _newest(folder: Path) -> int:
    return Package(PosixDisk(folder)).manifest().generation


def _write(file: Path, raw: bytes | None) -> None:
    if raw is None:
        file.unlink()
    else:
        file.write_bytes(raw)


def _all(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


if __name__ == "__main__":
    assert LIVES.keys() >= set(ENDED)  # noqa: S101  # the lives are another file's
    sys.exit(main())
