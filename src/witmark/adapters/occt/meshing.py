"""Shapes → triangles, by OCCT's incremental mesher. Runs in the worker process."""

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.TopAbs import TopAbs_Orientation
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face

from witmark.adapters.occt.prototypes import PartShape
from witmark.review.brep import FloatArray, IntArray
from witmark.review.ports import PartMesh

ANGLE_RAD = 0.3
"""Neighbouring triangles turn by no more than this on a curved face."""


def mesh_of(part: PartShape, deflection_mm: float) -> PartMesh:
    """Triangulate a part; a face that fails is named, not left out in silence."""
    BRepMesh_IncrementalMesh(part.shape, deflection_mm, False, ANGLE_RAD, False)
    vertices, triangles, owners, failed, base = [], [], [], [], 0
    for index, face in enumerate(part.faces):
        points, corners = _triangles(face)
        if not len(corners):
            failed.append(index)
            continue
        vertices.append(points)
        triangles.append(corners + base)
        owners.append(np.full(len(corners), index, dtype=np.int64))
        base += len(points)
    return PartMesh(
        np.concatenate([np.zeros((0, 3)), *vertices]),
        np.concatenate([np.zeros((0, 3), dtype=np.int64), *triangles]),
        np.concatenate([np.zeros(0, dtype=np.int64), *owners]),
        tuple(failed),
    )


def _triangles(face: TopoDS_Face) -> tuple[FloatArray, IntArray]:
    where = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, where)
    if mesh is None:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    points = np.array([mesh.Node(i).Coord() for i in range(1, mesh.NbNodes() + 1)])
    corners = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)]) - 1
    if not where.IsIdentity():
        motion = where.Transformation()
        rows = np.array([[motion.Value(r, c) for c in range(1, 5)] for r in range(1, 4)])
        points = points @ rows[:, :3].T + rows[:, 3]
        if motion.IsNegative():
            corners = corners[:, ::-1]
    if face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:
        corners = corners[:, ::-1]
    return points.reshape(-1, 3), corners.reshape(-1, 3)
