"""The same part, lying otherwise or with its faces in another order."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from witmark.review.brep import Brep, FloatArray


def moved(brep: Brep, turn: FloatArray, shift_mm: FloatArray, scale: float = 1.0) -> Brep:
    """Carry a part by ``x' = scale * turn @ x + shift``; ``turn`` may mirror."""
    points = {
        name: scale * getattr(brep, name) @ turn.T + shift_mm
        for name in ("face_origin_mm", "edge_origin_mm", "edge_point_mm")
    }
    ways = {name: getattr(brep, name) @ turn.T for name in ("face_axis", "edge_axis")}
    sizes = {
        name: scale * getattr(brep, name)
        for name in (
            "face_radius_mm",
            "face_minor_radius_mm",
            "face_along_mm",
            "edge_length_mm",
            "edge_radius_mm",
        )
    }
    boxes = {
        name: _boxes(getattr(brep, name), turn, shift_mm, scale)
        for name in ("face_box_mm", "body_box_mm")
    }
    area = scale * scale * brep.face_area_mm2
    carried = replace(brep, face_area_mm2=area, **points, **ways, **sizes, **boxes)
    return _loops_reversed(carried) if np.linalg.det(turn) < 0 else carried


def shuffled(brep: Brep, order: NDArray[np.int64]) -> Brep:
    """Number the faces anew: face ``i`` is the old face ``order[i]``."""
    arrays = {
        name: getattr(brep, name)[order]
        for name in Brep.__dataclass_fields__
        if name.startswith("face_") and name not in ("face_step_name", "face_colour")
    }
    new = np.empty(len(order) + 1, dtype=np.int64)
    new[order] = np.arange(len(order))
    new[-1] = -1
    return replace(
        brep,
        **arrays,
        face_step_name=tuple(brep.face_step_name[i] for i in order),
        face_colour=tuple(brep.face_colour[i] for i in order),
        edge_faces=new[brep.edge_faces],
        loop_face=new[brep.loop_face],
    )


def _boxes(box: FloatArray, turn: FloatArray, shift: FloatArray, scale: float) -> FloatArray:
    pick = np.array([[i, j, k] for i in (0, 3) for j in (1, 4) for k in (2, 5)])
    corners = scale * box[:, pick] @ turn.T + shift
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def _loops_reversed(brep: Brep) -> Brep:
    """In a mirror every loop runs the other way round."""
    edge, forward = brep.loop_edge.copy(), brep.loop_forward.copy()
    for start, end in zip(brep.loop_start[:-1], brep.loop_start[1:], strict=True):
        edge[start:end] = brep.loop_edge[start:end][::-1]
        forward[start:end] = ~brep.loop_forward[start:end][::-1]
    return replace(brep, loop_edge=edge, loop_forward=forward)


def resensed(brep: Brep, turned: NDArray[np.bool_]) -> Brep:
    """Run the chosen edges the other way; loops and faces stay what they are."""
    runs = [
        brep.edge_points_mm(edge)[::-1] if turned[edge] else brep.edge_points_mm(edge)
        for edge in range(brep.edges)
    ]
    return replace(
        brep,
        edge_point_mm=np.concatenate(runs),
        edge_axis=np.where(turned[:, None], -brep.edge_axis, brep.edge_axis),
        loop_forward=brep.loop_forward ^ turned[brep.loop_edge],
    )
