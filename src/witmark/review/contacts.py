"""Where two instances touch: plane on opposed plane, shaft in bore. Arrays only, no CAD kernel.

A contact is found, not declared: two faces that lie on one plane and look at each other, or a
round boss in a round bore on one axis. Everything is in mm in the assembly's frame. An area is
an estimate, and says how it was made. What is not looked at is counted, never passed over.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from witmark.kernel.canon import rounded
from witmark.review.assembly import Assembly, ComponentInstance
from witmark.review.brep import Brep, FloatArray, IntArray, SurfaceKind
from witmark.review.facts import FactsBlob, blob_of

CONTACTS_FORMAT = "witmark.contacts/1"

GAP_MM = 0.01
"""Planes nearer than this are one plane; drawn assemblies put mating faces on it exactly."""

RADIAL_GAP_MM = 0.05
"""A shaft and a bore fit whose radii differ and whose axes lie apart by no more than this."""

OPPOSED = -0.9999985
"""Cosine (0.1 degree) below which two outward normals look at each other."""

PARALLEL = 0.9999985
LEAST_OVERLAP_MM = 0.01
GRID = 48
"""Points along each side of the overlap of two faces; the share inside both is the area."""

MOST_PAIRS = 2000
"""Pairs of instances whose boxes meet that are looked at; the rest is counted."""

MOST_FACES = 40
"""Contacts kept of one pair, the largest first; the rest is counted."""

PLANAR, CYLINDRICAL = "planar", "cylindrical"
BY_GRID = f"share of a {GRID} x {GRID} grid inside both faces"
BY_SWEEP = "axial overlap times the lesser swept arc"


@dataclass(frozen=True, slots=True)
class Contact:
    """Two faces that touch. ``gap_mm`` is negative where a shaft is thicker than its bore."""

    kind: str
    face_a: int
    face_b: int
    gap_mm: float
    area_mm2: float
    method: str
    at_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two instances, by index, and where they touch."""

    a: int
    b: int
    contacts: tuple[Contact, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Contacts:
    """Every pair that touches, in order of the instances."""

    pairs: tuple[Pair, ...]
    skipped_pairs: int  # whose boxes meet, and that were not looked at


def contacts_of(assembly: Assembly) -> Contacts:
    """Find where instances touch. Cost: pairs whose boxes meet, at most ``MOST_PAIRS``."""
    placed = [_Placed.of(one, assembly.parts[one.part].brep) for one in assembly.instances]
    near = sorted(_near(np.array([one.box_mm for one in placed]).reshape(-1, 6)))
    pairs = []
    for a, b in near[:MOST_PAIRS]:
        found = sorted(_touching(placed[a], placed[b]), key=_largest_first)
        if found:
            kept = tuple(found[:MOST_FACES])
            pairs.append(Pair(a, b, kept, len(found) - len(kept)))
    return Contacts(tuple(pairs), max(0, len(near) - MOST_PAIRS))


def contacts_blob(assembly: Assembly, first: FactsBlob) -> FactsBlob:
    """The contacts as one canonical blob, so that they can be cited."""
    found = contacts_of(assembly)
    ids = [one.component_id for one in assembly.instances]
    return blob_of(
        {
            "format": CONTACTS_FORMAT,
            "facts": first.digest,
            "tolerances": {"gap_mm": GAP_MM, "radial_gap_mm": RADIAL_GAP_MM},
            "skipped_pairs": found.skipped_pairs,
            "pairs": [
                {
                    "a": ids[pair.a],
                    "b": ids[pair.b],
                    "left_out": pair.left_out,
                    "contacts": [_plain(one) for one in pair.contacts],
                }
                for pair in found.pairs
            ],
        }
    )


def _plain(contact: Contact) -> Mapping[str, object]:
    return {
        "kind": contact.kind,
        "face_a": contact.face_a,
        "face_b": contact.face_b,
        "gap_mm": contact.gap_mm,
        "area_mm2": contact.area_mm2,
        "method": contact.method,
        "at_mm": list(contact.at_mm),
    }


def _largest_first(contact: Contact) -> tuple[float, int, int]:
    return (-contact.area_mm2, contact.face_a, contact.face_b)


@dataclass(frozen=True, slots=True)
class _Placed:
    """One instance in the assembly's frame: the faces that can touch, as arrays."""

    instance: ComponentInstance
    brep: Brep
    box_mm: FloatArray  # (6,)
    origin_mm: FloatArray  # (n, 3)
    axis: FloatArray  # (n, 3)
    face_box_mm: FloatArray  # (n, 6)

    @classmethod
    def of(cls, instance: ComponentInstance, brep: Brep) -> "_Placed":
        place = instance.placement
        return cls(
            instance,
            brep,
            _turned_boxes(place.points, brep.box_mm.reshape(1, 6))[0],
            place.points(brep.face_origin_mm),
            place.directions(brep.face_axis),
            _turned_boxes(place.points, brep.face_box_mm),
        )

    def faces(self, kind: SurfaceKind) -> IntArray:
        return np.flatnonzero(self.brep.face_kind == kind)

    def loops_mm(self, face: int) -> list[FloatArray]:
        points = self.instance.placement.points
        return [points(self.brep.loop_points_mm(k)) for k in self.brep.loops_of(face)]


def _turned_boxes(points: object, boxes_mm: FloatArray) -> FloatArray:
    """Boxes around boxes that were turned: they hold what they held, and perhaps more."""
    corners = np.stack([boxes_mm[:, list(c)] for c in product((0, 3), (1, 4), (2, 5))], axis=1)
    turned = points(corners)  # type: ignore[operator]  # Placement.points
    return np.concatenate([turned.min(axis=1), turned.max(axis=1)], axis=1)


def _near(boxes_mm: FloatArray) -> Iterator[tuple[int, int]]:
    """Pairs of boxes that meet, by a sweep along x."""
    known = [k for k in range(len(boxes_mm)) if np.isfinite(boxes_mm[k]).all()]
    order = sorted(known, key=lambda k: (boxes_mm[k, 0], k))
    open_: list[int] = []
    for k in order:
        open_ = [j for j in open_ if boxes_mm[j, 3] + GAP_MM >= boxes_mm[k, 0]]
        for j in open_:
            if _boxes_meet(boxes_mm[j], boxes_mm[k]):
                yield min(j, k), max(j, k)
        open_.append(k)


def _boxes_meet(one: FloatArray, other: FloatArray) -> bool:
    reach = RADIAL_GAP_MM
    return bool((one[:3] <= other[3:] + reach).all() and (other[:3] <= one[3:] + reach).all())


def _touching(a: _Placed, b: _Placed) -> Iterator[Contact]:
    yield from _planar(a, b)
    yield from _cylindrical(a, b)


def _meeting(a: _Placed, b: _Placed, kind: SurfaceKind) -> Iterator[tuple[int, int]]:
    """Pairs of faces of one kind whose boxes meet."""
    mine, theirs = a.faces(kind), b.faces(kind)
    if not len(mine) or not len(theirs):
        return
    inside = [
        (boxes[:, :3] <= other.box_mm[3:] + RADIAL_GAP_MM).all(axis=1)
        & (boxes[:, 3:] >= other.box_mm[:3] - RADIAL_GAP_MM).all(axis=1)
        for boxes, other in ((a.face_box_mm[mine], b), (b.face_box_mm[theirs], a))
    ]
    for i in mine[inside[0]]:
        for j in theirs[inside[1]]:
            if _boxes_meet(a.face_box_mm[i], b.face_box_mm[j]):
                yield int(i), int(j)


def _planar(a: _Placed, b: _Placed) -> Iterator[Contact]:
    for i, j in _meeting(a, b, SurfaceKind.PLANE):
        normal = a.axis[i]
        if float(normal @ b.axis[j]) > OPPOSED:
            continue
        gap = float((b.origin_mm[j] - a.origin_mm[i]) @ normal)
        if abs(gap) > GAP_MM:
            continue
        found = _shared_area(a.loops_mm(i), b.loops_mm(j), a.origin_mm[i], normal)
        if found is not None:
            area, at = found
            yield Contact(PLANAR, i, j, rounded(gap), rounded(area, 3), BY_GRID, _point(at))


def _shared_area(
    one: Sequence[FloatArray],
    other: Sequence[FloatArray],
    origin: FloatArray,
    normal: FloatArray,
) -> tuple[float, FloatArray] | None:
    """The area that two faces of one plane share, and the middle of it; ``None`` for none."""
    across, up = _frame(normal)
    flat = [
        [
            np.stack([(p - origin) @ across, (p - origin) @ up], axis=1)
            for p in loops
            if len(p) > 2
        ]
        for loops in (one, other)
    ]
    if not flat[0] or not flat[1]:
        return None
    low = np.max([np.concatenate(loops).min(axis=0) for loops in flat], axis=0)
    high = np.min([np.concatenate(loops).max(axis=0) for loops in flat], axis=0)
    if (high - low <= LEAST_OVERLAP_MM).any():
        return None
    steps = (np.arange(GRID) + 0.5) / GRID
    xs, ys = np.meshgrid(
        low[0] + steps * (high[0] - low[0]), low[1] + steps * (high[1] - low[1])
    )
    points = np.stack([xs.ravel(), ys.ravel()], axis=1)
    inside = _inside(points, flat[0]) & _inside(points, flat[1])
    if not inside.any():
        return None
    middle = points[inside].mean(axis=0)
    area = float(inside.mean() * np.prod(high - low))
    return area, origin + middle[0] * across + middle[1] * up


def _inside(points: FloatArray, loops: Sequence[FloatArray]) -> np.ndarray:
    """Which points lie inside a face: an odd number of its loops' edges to their right."""
    odd = np.zeros(len(points), dtype=bool)
    for loop in loops:
        for (x1, y1), (x2, y2) in zip(loop, np.roll(loop, -1, axis=0), strict=True):
            if y1 == y2:
                continue
            crosses = (points[:, 1] < y1) != (points[:, 1] < y2)
            at = x1 + (points[:, 1] - y1) * (x2 - x1) / (y2 - y1)
            odd ^= crosses & (points[:, 0] < at)
    return odd


def _frame(normal: FloatArray) -> tuple[FloatArray, FloatArray]:
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    across = np.cross(normal, helper)
    across /= np.linalg.norm(across)
    return across, np.cross(normal, across)


def _cylindrical(a: _Placed, b: _Placed) -> Iterator[Contact]:
    for i, j in _meeting(a, b, SurfaceKind.CYLINDER):
        sides = int(a.brep.face_side[i]), int(b.brep.face_side[j])
        if sides not in {(1, -1), (-1, 1)}:
            continue
        axis = a.axis[i]
        turned = float(axis @ b.axis[j])
        radii = float(a.brep.face_radius_mm[i]), float(b.brep.face_radius_mm[j])
        gap = radii[1] - radii[0] if sides[0] == 1 else radii[0] - radii[1]
        between = b.origin_mm[j] - a.origin_mm[i]
        apart = float(np.linalg.norm(between - (between @ axis) * axis))
        if abs(turned) < PARALLEL or abs(gap) > RADIAL_GAP_MM or apart > RADIAL_GAP_MM:
            continue
        low, high = a.brep.face_along_mm[i]
        ends = sorted(float(between @ axis) + np.sign(turned) * b.brep.face_along_mm[j])
        start, stop = max(float(low), ends[0]), min(float(high), ends[1])
        if not stop - start > LEAST_OVERLAP_MM:
            continue
        sweep = min(float(a.brep.face_sweep_rad[i]), float(b.brep.face_sweep_rad[j]))
        area = (stop - start) * sweep * min(radii)
        at = a.origin_mm[i] + (start + stop) / 2 * axis
        yield Contact(CYLINDRICAL, i, j, rounded(gap), rounded(area, 3), BY_SWEEP, _point(at))


def _point(at: FloatArray) -> tuple[float, float, float]:
    x, y, z = (rounded(float(v), 4) for v in at)
    return x, y, z
