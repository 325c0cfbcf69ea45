"""Where to look from and how much to show.

Directions come from a fixed set of 32, so that pictures of one component share them: the
eight corner views, and around each axis four views tilted by 35 degrees, the tilt from which
one sees the mouth of a hole and its wall at once.
"""

from itertools import product

import numpy as np

from witmark.adapters.raster.projection import Camera, Direction
from witmark.adapters.raster.scene import Mask, Soup
from witmark.adapters.raster.tracing import Tracer
from witmark.review.brep import FloatArray, IntArray

MARGIN = 1.16  # frame over content
SAMPLES = 64  # points of the target that are asked whether a direction sees them
CONTENDERS = 6  # directions that are asked what other components hide
GOOD_SHARE = 0.7  # a preferred direction wins if it shows this share of the best one's area
TILT_DEG = (28.0, 52.0)  # mouth and wall both show
SMALL_SHARE = 1 / 7  # a target below this share of the frame gets a closer frame
CLOSE_SHARE = 1 / 4  # the most of a closer frame that a target takes
OUTLIER_AREA = 0.05  # at either end; what is left is the bulk
OUTLIER_SHARE = 0.25  # frame the bulk if its extent is below this share of the whole's


def _directions() -> tuple[Direction, ...]:
    """Unit directions towards the eye, the most familiar first."""
    signs = list(product((1, -1), repeat=3))
    corners = [(float(x), float(y), float(z)) for x, y, z in signs]
    tilted = [
        tuple(float(s * (2 if k == axis else 1)) for k, s in enumerate(sign))
        for axis in (2, 1, 0)
        for sign in signs
    ]
    familiar = np.array([0.55, -0.6, 0.58])
    units = [np.array(v) / np.linalg.norm(v) for v in [*corners, *tilted]]
    order = sorted(range(len(units)), key=lambda k: (-round(float(units[k] @ familiar), 9), k))
    return tuple((float(u[0]), float(u[1]), float(u[2])) for u in (units[k] for k in order))


DIRECTIONS = _directions()


def ranked_directions(
    soup: Soup,
    target: IntArray,
    component: Tracer,
    everything: Tracer,
    towards: Direction | None,
) -> list[tuple[Direction, float]]:
    """Directions with the share of the target that they show, best first.

    What the own component hides counts in full; what other components hide counts a fifth,
    because they are drawn see-through.
    """
    points, normals = _sample(soup, target)
    eyes = np.array(DIRECTIONS)
    facing = np.abs(eyes @ normals.T)
    size = max(float(np.ptp(points, axis=0).max()), 1e-3 * component.radius_mm)
    step = min(2e-5 * component.radius_mm, 0.01 * size)
    own = _sees(component, points, normals, eyes, step)
    score = (facing * own).mean(axis=1)
    if towards is not None:
        score = score * _tilt_factor(eyes, np.array(towards))
    top = np.argsort(-score, kind="stable")[:CONTENDERS]
    free = _sees(everything, points, normals, eyes[top], step)
    score *= 0.8
    score[top] *= 1 + 0.25 * (own[top] & free).sum(axis=1) / np.maximum(own[top].sum(axis=1), 1)
    score = np.round(score, 9)  # directions that differ by rounding alone are equally good
    best = float(score.max())
    first = next(k for k in range(len(eyes)) if score[k] >= GOOD_SHARE * best)
    rest = sorted(range(len(eyes)), key=lambda k: (-float(score[k]), k))
    order = [first, *(k for k in rest if k != first)]
    return [(DIRECTIONS[k], float(own[k].mean())) for k in order]


def component_frame(
    soup: Soup,
    instance: int,
    eye: Direction,
    size_px: tuple[int, int],
    *,
    with_outliers: bool = False,
) -> Camera:
    """The whole component, or its bulk when a thin outlier would shrink it to a dot."""
    run = soup.triangles_of(instance)
    camera = Camera(eye, (0.0, 0.0, 0.0), 1.0, 0, 0)
    seen = camera.project(soup.corners_mm[run])
    low, high = seen.min(axis=(0, 1)), seen.max(axis=(0, 1))
    if not with_outliers:
        low[:2], high[:2] = _bulk(seen[..., :2], soup.area_mm2[run])
    extent = (high - low)[:2]
    mm_per_px = max(float(MARGIN * (extent / np.array(size_px)).max()), 1e-9)
    x, y, z = (low + high) / 2
    right, down, toward = camera.axes
    where = x * right + y * down + z * toward
    return Camera(eye, (float(where[0]), float(where[1]), float(where[2])), mm_per_px, *size_px)


def closer_frame(soup: Soup, whole: Camera, target: IntArray) -> Camera:
    """The frame for a target: the component's own if the target is large enough in it.

    Closer frames are halves, quarters ... of the component's, centred on a coarse lattice, so
    that neighbouring places share them.
    """
    low, high = extent_px(soup, whole, target)
    size = np.array([whole.width_px, whole.height_px])
    share = float(((high - low) / size).max())
    inside = bool((low >= 0).all() and (high <= size).all())
    if share >= SMALL_SHARE and inside:
        return whole
    zoom = min(1.0, 0.8 / share) if share >= SMALL_SHARE else _zoom(share)
    pitch = size.min() / zoom / 10
    middle = np.round((low + high) / 2 / pitch) * pitch
    if zoom > 1:  # paper beside the component tells nothing
        middle = np.clip(middle, size / zoom / 2, size - size / zoom / 2)
    return Camera(
        whole.toward_eye,
        whole.point(float(middle[0]), float(middle[1])),
        whole.mm_per_px / zoom,
        whole.width_px,
        whole.height_px,
    )


def close_up(soup: Soup, whole: Camera, target: IntArray, zoom: float) -> Camera:
    """A frame around the largest triangle of a target, whatever the target's extent."""
    largest = target[int(np.argmax(soup.area_mm2[target]))]
    x, y, _ = whole.project(soup.corners_mm[largest].mean(axis=0))
    return Camera(
        whole.toward_eye,
        whole.point(float(x), float(y)),
        whole.mm_per_px / zoom,
        whole.width_px,
        whole.height_px,
    )


def extent_px(soup: Soup, camera: Camera, target: IntArray) -> tuple[FloatArray, FloatArray]:
    """The upright rectangle of a frame that holds a target: least and greatest x, y."""
    seen = camera.project(soup.corners_mm[target])[..., :2].reshape(-1, 2)
    return seen.min(axis=0), seen.max(axis=0)


def _zoom(share: float) -> float:
    """The largest power of the square root of two that leaves room around the target."""
    halvings = np.floor(2 * np.log2(CLOSE_SHARE / max(share, 1e-9))) / 2
    return float(2.0 ** max(halvings, 0.0))


def name_of(eye: Direction) -> str:
    """A direction in words, the strong axis in capitals: ``"+x-y+Z"``."""
    strong = max(abs(v) for v in eye)
    flat = all(abs(abs(v) - strong) < 1e-9 for v in eye)
    letters = (
        ("+" if v > 0 else "-") + (a.upper() if abs(v) == strong and not flat else a)
        for a, v in zip("xyz", eye, strict=True)
    )
    return "".join(letters)


def _sample(soup: Soup, target: IntArray) -> tuple[FloatArray, FloatArray]:
    """Points spread evenly over the target's area, with the normals there."""
    mass = np.cumsum(soup.area_mm2[target])
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    pick = target[np.minimum(np.searchsorted(mass, steps * mass[-1]), len(target) - 1)]
    # A low-discrepancy pair (R2 sequence), folded into the triangle.
    pair = (np.arange(1, SAMPLES + 1)[:, None] * np.array([0.7548776662, 0.5698402910])) % 1
    pair = np.where(pair.sum(axis=1, keepdims=True) > 1, 1 - pair, pair)
    weight = np.concatenate([1 - pair.sum(axis=1, keepdims=True), pair], axis=1)[:, :, None]
    points = (soup.corners_mm[pick] * weight).sum(axis=1)
    normals = (soup.corner_normals[pick] * weight).sum(axis=1)
    return points, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)


def _sees(
    tracer: Tracer, points: FloatArray, normals: FloatArray, eyes: FloatArray, step: float
) -> Mask:
    """Per eye and point: nothing stands between them, (32, n) bool."""
    side = np.sign(eyes @ normals.T)[:, :, None]
    starts = points + step * (side * normals + eyes[:, None, :])
    ways = np.broadcast_to(eyes[:, None, :], starts.shape)
    hits = tracer.ahead(starts.reshape(-1, 3), ways.reshape(-1, 3))
    return np.asarray((hits < 0).reshape(len(eyes), -1), dtype=np.bool_)


def _tilt_factor(eyes: FloatArray, towards: FloatArray) -> FloatArray:
    """1 where mouth and wall both show, less when too steep or too flat, little from behind."""
    unit = towards / np.linalg.norm(towards)
    angle = np.degrees(np.arccos(np.clip(eyes @ unit, -1, 1)))
    low, high = TILT_DEG
    off = np.maximum(np.maximum(low - angle, angle - high), 0)
    return np.asarray(np.maximum(1 - off / 60, 0.15))


def _bulk(spots_px: FloatArray, area: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rectangle of a component, without what lies far from where its area is."""
    middles = spots_px.mean(axis=1)
    low, high = spots_px.min(axis=(0, 1)), spots_px.max(axis=(0, 1))
    core_low, core_high = np.zeros(2), np.zeros(2)
    for axis in range(2):
        order = np.argsort(middles[:, axis], kind="stable")
        mass = np.cumsum(area[order])
        ends = np.searchsorted(mass, np.array([OUTLIER_AREA, 1 - OUTLIER_AREA]) * mass[-1])
        core_low[axis], core_high[axis] = middles[order[np.minimum(ends, len(order) - 1)], axis]
    core = core_high - core_low
    if core.max() >= OUTLIER_SHARE * (high - low).max():
        return low, high
    near = ((middles >= core_low - core.max()) & (middles <= core_high + core.max())).all(
        axis=1
    )
    return spots_px[near].min(axis=(0, 1)), spots_px[near].max(axis=(0, 1))
