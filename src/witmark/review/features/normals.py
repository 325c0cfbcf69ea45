"""Outward normals of analytic faces at given points."""

import numpy as np

from witmark.review.brep import Brep, FloatArray, SurfaceKind


def normals_at(brep: Brep, face: int, points_mm: FloatArray) -> FloatArray:
    """Outward unit normals (k, 3) of a face at points (k, 3) on it; NaN on a free form."""
    kind, axis = brep.face_kind[face], brep.face_axis[face]
    if kind == SurfaceKind.PLANE:
        return np.broadcast_to(axis, points_mm.shape)
    if kind == SurfaceKind.FREEFORM:
        return np.full(points_mm.shape, np.nan)
    arms = points_mm - brep.face_origin_mm[face]
    if kind == SurfaceKind.SPHERE:
        return _unit(arms) * float(brep.face_side[face])
    radial = _unit(arms - (arms @ axis)[:, None] * axis)
    if kind == SurfaceKind.TORUS:
        radial = _unit(arms - radial * brep.face_radius_mm[face])
    if kind == SurfaceKind.CONE:
        half = float(brep.face_half_angle_rad[face])
        radial = radial * np.cos(half) - axis * np.sin(half)
    return radial * float(brep.face_side[face])


def _unit(arms: FloatArray) -> FloatArray:
    length = np.linalg.norm(arms, axis=-1, keepdims=True)
    return arms / np.where(length > 0, length, np.nan)
