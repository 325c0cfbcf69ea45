"""How long does a picture take, and how often does it show its place?

Every assembly is read and meshed once (not counted). Then the bores of every component are
drawn at 1000 x 750, PNG included: once with an empty shelf, which is the price of a picture,
and once more at once, which is the price of a further picture from the same camera.
``--data`` takes a STEP file or a folder; without ``--full`` ``HeadAssembly.step`` of the shared
data is measured, or the first file of the folder.
"""

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.common import Stopwatch, finish, options, step_files

_USUAL = "HeadAssembly.step"
_PICTURE_MS_LIMIT = 180.0
_SHARED_MS_LIMIT = 60.0
_BORES_PER_INSTANCE = 4
_DEFLECTION_MM = 0.05


@dataclass
class Tally:
    """CPU milliseconds of every picture, and how many places could not be shown."""

    cold_ms: list[float] = field(default_factory=list)
    warm_ms: list[float] = field(default_factory=list)
    png_kb: list[float] = field(default_factory=list)
    refused: int = 0
    see_through: int = 0


def measure(studio, places: Sequence, tally: Tally) -> None:  # noqa: ANN001  # either a RasterPictures
    """Draw every place from an empty shelf and again from a full one."""
    from witmark.adapters.raster.values import NotShown  # noqa: PLC0415  # imported when measured

    for place in places:
        studio.forget_frames()
        begun = time.process_time()
        picture = studio.picture(place)
        drawn = time.process_time()
        again = studio.picture(place)
        tally.warm_ms.append(1e3 * (time.process_time() - drawn))
        tally.cold_ms.append(1e3 * (drawn - begun))
        if again != picture:
            raise AssertionError(f"{place} drawn twice gives two pictures")
        if isinstance(picture, NotShown):
            tally.refused += 1
            continue
        tally.see_through += picture.see_through
        tally.png_kb.append(len(picture.png) / 1e3)


def draw_all(files: Sequence[Path]) -> Tally:
    """Draw the places of every file; one row per file."""
    tally = Tally()
    for path in files:
        before = len(tally.cold_ms)
        for studio, places in _studios(path):
            measure(studio, places, tally)
        print(f"{path.name[:40]:40} {len(tally.cold_ms) - before:5} pictures", flush=True)
    return tally


def figures_of(tally: Tally) -> tuple[dict[str, object], dict[str, float], bool]:
    """What a tally comes to: figures, their limits, and whether they are kept."""
    n = len(tally.cold_ms)
    figures = {
        "picture_cpu_ms_median": _median(tally.cold_ms),
        "picture_cpu_ms_max": round(max(tally.cold_ms), 1) if n else None,
        "shared_camera_cpu_ms_median": _median(tally.warm_ms),
        "png_kb_median": _median(tally.png_kb),
        "pictures": n,
        "refused": tally.refused,
        "see_through": tally.see_through,
    }
    limits = {
        "picture_cpu_ms_median": _PICTURE_MS_LIMIT,
        "shared_camera_cpu_ms_median": _SHARED_MS_LIMIT,
    }
    return (
        figures,
        limits,
        n > 0 and all(figures[name] <= most for name, most in limits.items()),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print one row per file and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    tally = draw_all(usual_files(asked.data, full=asked.full))
    figures, limits, ok = figures_of(tally)
    n = len(tally.cold_ms)
    return finish("pictures", watch, figures=figures, limits=limits, n=n, ok=ok)


def usual_files(data: Path | None, *, full: bool) -> list[Path]:
    """Every file, or the one that stands for them."""
    everything = step_files(data)
    if full:
        return everything
    return [p for p in everything if p.name == _USUAL] or everything[:1]


def _studios(path: Path) -> Iterator[tuple[object, list]]:
    """The studio of one file and the places that are drawn in it."""
    from witmark.adapters.occt.worker import CadWorker  # noqa: PLC0415  # imported when measured
    from witmark.adapters.raster.render import RasterPictures  # noqa: PLC0415
    from witmark.adapters.raster.scene import scene_of  # noqa: PLC0415
    from witmark.adapters.raster.values import Place  # noqa: PLC0415

    with CadWorker() as reader:
        assembly = reader.read(path)
        meshes = reader.mesh(range(len(assembly.parts)), deflection_mm=_DEFLECTION_MM)
    studio = RasterPictures(scene_of(assembly, meshes))
    studio.prepare()
    places = []
    for number, instance in enumerate(assembly.instances):
        brep = assembly.parts[instance.part].brep
        bores = np.flatnonzero((brep.face_kind == 1) & (brep.face_side == -1))
        places += [Place(number, (int(face),)) for face in bores[:_BORES_PER_INSTANCE]]
    yield studio, places


def _median(values: Sequence[float]) -> float | None:
    return round(statistics.median(values), 1) if values else None


if __name__ == "__main__":
    sys.exit(main())
