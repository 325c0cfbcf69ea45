"""Does the recogniser name the faces of parts that other people labelled?

MFCAD (MIT) holds STEP parts with one class per face; a face's index is the number in its
``ADVANCED_FACE`` name. The recogniser knows nothing of these classes: what its kinds mean in
them is written here, and only here. Prints recall and precision per class, then the last line.

``--data PATH`` takes a zip or a folder with STEP files and a ``labels.json``
(``{"labels": {part: [class per face]}}``). Without ``--full`` every tenth part is taken.

The class names of MFCAD's ``labels.json`` are not in the order of its numbers: class 0 stands
on single bevelled edges, class 11 always on a floor with six walls. ``CLASSES`` is the order
that the shapes themselves show, which is that of the later MFCAD++ with its round features
left out.
"""

import json
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.common import Options, Stopwatch, finish, options, shared_data
from witmark.adapters.occt.reader import read_step
from witmark.review.brep import Brep
from witmark.review.features.feature import Feature
from witmark.review.features.recognise import Recognition, recognise

CLASSES = (
    "chamfer",
    "triangular_passage",
    "rectangular_passage",
    "6sides_passage",
    "triangular_through_slot",
    "rectangular_through_slot",
    "rectangular_through_step",
    "2sides_through_step",
    "slanted_through_step",
    "triangular_pocket",
    "rectangular_pocket",
    "6sides_pocket",
    "rectangular_blind_slot",
    "triangular_blind_step",
    "rectangular_blind_step",
    "stock",
)
LEAST_ACCURACY = 0.95
EVERY = 10
UNEXPLAINED = "unexplained"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    pairs: Counter[tuple[str, str]] = Counter()
    parts = 0
    with tempfile.TemporaryDirectory() as folder:
        for path, labels in _labelled(asked, Path(folder)):
            pairs.update(compare(path, labels))
            parts += 1
    faces = sum(pairs.values())
    right = sum(count for (true, said), count in pairs.items() if true == said)
    _table(pairs)
    figures = {
        "face_accuracy": round(right / faces, 6) if faces else None,
        "faces": faces,
        "unexplained": sum(n for (_, said), n in pairs.items() if said == UNEXPLAINED),
        "worst_recall": min((r for r in _recalls(pairs).values()), default=None),
        "sample": "all" if asked.full or asked.data else f"every {EVERY}th part",
    }
    limits = {"face_accuracy": LEAST_ACCURACY}
    ok = faces > 0 and right / faces >= LEAST_ACCURACY
    return finish("mfcad", watch, figures=figures, limits=limits, n=parts, ok=ok)


def compare(path: Path, labels: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Per face of one part: the class it has, and the class that our name means."""
    for part in read_step(path).parts:
        said = classes_of(part.brep, recognise(part.brep))
        for face, name in enumerate(part.brep.face_step_name):
            yield CLASSES[labels[int(name)]], said[face]


def classes_of(brep: Brep, found: Recognition) -> list[str]:
    """Our names in MFCAD's words, per face."""
    means = [class_of(feature) for feature in found.features]
    return [
        means[home] if home >= 0 else "stock" if face in found.base else UNEXPLAINED
        for face, home in zip(range(brep.faces), found.home, strict=True)
    ]


_BY_SIDES: Mapping[str, Mapping[int, str]] = {
    "through_window": {3: "triangular_passage", 4: "rectangular_passage", 6: "6sides_passage"},
    "pocket": {3: "triangular_pocket", 4: "rectangular_pocket", 6: "6sides_pocket"},
    "blind_step": {1: "triangular_blind_step", 2: "rectangular_blind_step"},
    "open_pocket": {3: "rectangular_blind_slot"},
    "step": {1: "rectangular_through_step", 2: "2sides_through_step"},
}
_PLAIN: Mapping[str, str] = {
    "chamfer": "chamfer",
    "blind_slot": "rectangular_blind_slot",
    "slot": "rectangular_through_slot",
}


def class_of(feature: Feature) -> str:
    """What MFCAD would call the faces of a feature; our own kind where it has no word."""
    kind, profile = str(feature.kind), feature.facts.get("section.profile")
    if profile == "vee":
        return "triangular_through_slot"
    if kind == "step" and profile == "slanted":
        return "slanted_through_step"
    sides = feature.facts.get("section.sides")
    if kind in _BY_SIDES and isinstance(sides, int):
        return _BY_SIDES[kind].get(sides, kind)
    return _PLAIN.get(kind, kind)


def _labelled(asked: Options, folder: Path) -> Iterator[tuple[Path, list[int]]]:
    source = asked.data or shared_data() / "mfcad" / "mfcad_dev.zip"
    if source.is_file():
        with zipfile.ZipFile(source) as packed:
            packed.extractall(folder)
        source = folder
    labels = json.loads((source / "labels.json").read_text(encoding="utf-8"))["labels"]
    names = sorted(labels)
    for name in names if asked.full or asked.data else names[::EVERY]:
        yield source / f"{name}.step", labels[name]


def _recalls(pairs: Counter[tuple[str, str]]) -> dict[str, float]:
    true = Counter[str]()
    for (name, _), count in pairs.items():
        true[name] += count
    return {name: round(pairs[name, name] / true[name], 4) for name in CLASSES if true[name]}


def _table(pairs: Counter[tuple[str, str]]) -> None:
    said: Counter[str] = Counter()
    for (_, name), count in pairs.items():
        said[name] += count
    recalls = _recalls(pairs)
    for name in CLASSES:
        precision = pairs[name, name] / said[name] if said[name] else float("nan")
        missed = {s: n for (t, s), n in sorted(pairs.items()) if t == name != s}
        print(f"{name:26} recall {recalls.get(name, float('nan')):.4f}", end="  ")
        print(f"precision {precision:.4f}  mistaken for {missed or '-'}")


if __name__ == "__main__":
    sys.exit(main())
