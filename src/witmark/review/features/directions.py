"""Which way a concave region opens: where a tool would come from."""

import numpy as np
from numpy.typing import NDArray

from witmark.review.brep import FloatArray, IntArray
from witmark.review.features.kinds import CYLINDER, PLANE
from witmark.review.features.scene import SAME_DIRECTION, Scene, is_open, rising

UNDERCUT = -0.05  # cosine: a wall may lean in by three degrees and still be a wall
RANK = 1e-4  # of the largest singular value: below it directions are taken as dependent
OFF_GRID = 0.3719  # shares are often round numbers: their steps must not lie on one


def opening_direction(scene: Scene, region: tuple[int, ...]) -> FloatArray | None:
    """Where a tool comes from: least undercut first, then a closed floor, then the largest.

    Ties go to the direction that leads away from the middle of the part, so that neither
    the lie of the part nor the order of its faces decides. None when the region has neither
    planes nor rounds to say so.
    """
    brep = scene.brep
    planes = np.array([f for f in region if scene.kind[f] == PLANE], dtype=int)
    ways = _candidates(scene, region, brep.face_axis[planes])
    if not len(ways):
        return None
    looks, areas = brep.face_axis[planes] @ ways.T, brep.face_area_mm2[planes]
    share = areas / max(float(areas.sum()), 1e-12)
    undercut = np.floor(100 * (share @ (looks < UNDERCUT)) + OFF_GRID)
    floors = (looks > SAME_DIRECTION) & _walled(scene, planes)[:, None]
    shut = np.array([not is_open(scene, f) for f in planes.tolist()], dtype=bool)
    closed = (floors & shut[:, None]).any(axis=0)
    main = (ways @ scene.tops.T > SAME_DIRECTION).any(axis=1)
    floor = np.round(share @ floors, 6)
    away = np.round(_away(scene, region) @ ways.T, 6)
    order = np.lexsort((np.arange(len(ways)), -away, -floor, ~main, ~closed, undercut))
    best: FloatArray = ways[order[0]]
    return best


def _away(scene: Scene, region: tuple[int, ...]) -> FloatArray:
    """From the middle of the part's edges to the middle of the region's, over its size."""
    points = np.concatenate([scene.points(f) for f in region])
    arm = points.mean(axis=0) - scene.middle_mm
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    away: FloatArray = arm / max(size, 1e-12)
    return away


def _candidates(scene: Scene, region: tuple[int, ...], normals: FloatArray) -> FloatArray:
    """Directions that the region's own planes and rounds suggest, each once."""
    brep = scene.brep
    rounds = [f for f in region if scene.kind[f] == CYLINDER and brep.face_side[f] < 0]
    ways = list(normals)
    if len(normals) > 1:
        _, spread, turned = np.linalg.svd(normals, full_matrices=True)
        rank = int((spread > RANK * spread[0]).sum())
        if rank == 2:
            ways += [turned[2], -turned[2]]
        if rank == 1 and rounds:
            ways += _out_of_rounds(scene, rounds, normals[0])
    ways += [sign * brep.face_axis[f] for f in rounds for sign in (1.0, -1.0)]
    kept: list[FloatArray] = []
    for way in ways:
        if not kept or (np.array(kept) @ way).max() < SAME_DIRECTION:
            kept.append(way)
    return np.array(kept).reshape(-1, 3)


def _out_of_rounds(scene: Scene, rounds: list[int], normal: FloatArray) -> list[FloatArray]:
    """Between parallel planes: from a round bottom across its axis, as a disc cutter goes."""
    brep = scene.brep
    bottoms = [f for f in rounds if abs(brep.face_axis[f] @ normal) > SAME_DIRECTION]
    if not bottoms:
        return []
    arms = [
        brep.face_area_mm2[f] * (brep.face_origin_mm[f] - scene.points(f).mean(axis=0))
        for f in bottoms
    ]
    arm = np.sum(arms, axis=0)
    out = arm - (arm @ normal) * normal
    size = float(np.linalg.norm(out))
    return [out / size] if size > RANK * float(np.linalg.norm(arm)) else []


def _walled(scene: Scene, faces: IntArray) -> NDArray[np.bool_]:
    return np.array([bool(rising(scene, f)) for f in faces.tolist()], dtype=bool)
