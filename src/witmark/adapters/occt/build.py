"""A walked prototype → ``Brep``: folds, extents, areas and boxes put side by side."""

from dataclasses import dataclass, replace

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepGProp import BRepGProp
from OCP.gp import gp_Pnt, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_Orientation
from OCP.TopoDS import TopoDS_Edge, TopoDS_Face

from witmark.adapters.occt.arrays import (
    EdgeArrays,
    FaceArrays,
    edge_arrays,
    face_arrays,
    is_conic,
    unit,
)
from witmark.adapters.occt.chains import chained, uses_of, uses_per_edge, with_outer_loops
from witmark.adapters.occt.extents import Uses, areas, reach_along, sweeps, turns, vector_areas
from witmark.adapters.occt.shape import Walked
from witmark.adapters.occt.validity import faults_of
from witmark.review.brep import (
    SMOOTH_WITHIN_RAD,
    Brep,
    Convexity,
    CurveKind,
    FloatArray,
    IntArray,
    SurfaceKind,
)

AREA_SHARE = 1e-3
"""Asked-for error of OCCT's areas. It picks the adaptive integration, which kept to 2e-6 on
real files and was faster than the default one, which was off by up to 2e-3."""


@dataclass(frozen=True, slots=True)
class FaceOrigin:
    """Where the file says a face: record, line, name; and its colour."""

    record: int = 0
    line: int = 0
    name: str = ""
    colour: tuple[float, float, float] | None = None


def brep_of(walked: Walked, origins: list[FaceOrigin]) -> Brep:
    """Put everything known about a prototype into arrays."""
    faces, edges = face_arrays(walked.surfaces), edge_arrays(walked.curves)
    walked = replace(walked, loops=chained(walked.loops, edges))
    with_outer_loops(walked.loops, faces, edges)
    uses = uses_of(walked.loops)
    faces = _settled_cones(faces, edges, uses)
    turned = turns(faces, edges, uses)
    sides = _sides(uses, edges)
    fold, convexity = _folds(walked, faces, edges, sides)
    box = _boxes(walked, faces, edges, uses)
    brep = Brep(
        face_kind=faces.kind,
        face_declared_kind=faces.declared,
        face_origin_mm=faces.origin,
        face_axis=faces.axis,
        face_radius_mm=faces.radius,
        face_minor_radius_mm=faces.minor,
        face_half_angle_rad=faces.half_angle,
        face_side=faces.side,
        face_area_mm2=_areas(walked, areas(faces, edges, uses, turned)),
        face_sweep_rad=sweeps(len(faces.kind), turned),
        face_along_mm=reach_along(faces, edges, uses),
        face_box_mm=box,
        face_body=np.array(walked.face_body, dtype=np.int64),
        face_step_record=np.array([o.record for o in origins], dtype=np.int64),
        face_step_line=np.array([o.line for o in origins], dtype=np.int64),
        face_step_name=tuple(o.name for o in origins),
        face_colour=tuple(o.colour for o in origins),
        edge_kind=edges.kind,
        edge_faces=sides,
        edge_convexity=convexity,
        edge_fold_rad=fold,
        edge_length_mm=edges.length,
        **_edge_frames(edges),
        edge_point_start=edges.start,
        edge_point_mm=edges.points,
        loop_face=np.array([loop.face for loop in walked.loops], dtype=np.int64),
        loop_outer=np.array([loop.outer for loop in walked.loops], dtype=bool),
        loop_start=np.cumsum([0, *(len(loop.edges) for loop in walked.loops)], dtype=np.int64),
        loop_edge=uses.edge,
        loop_forward=uses.forward,
        body_kind=np.array([b.kind for b in walked.bodies], dtype=np.int64),
        body_valid=np.ones(len(walked.bodies), dtype=bool),
        body_fault=("",) * len(walked.bodies),
        body_box_mm=_body_boxes(walked, box, edges),
    )
    faults = faults_of(walked, brep, vector_areas(brep.faces, edges, uses))
    valid = np.array([not fault for fault in faults], dtype=bool)
    return replace(brep, body_valid=valid, body_fault=tuple(faults))


def _settled_cones(faces: FaceArrays, edges: EdgeArrays, uses: Uses) -> FaceArrays:
    """Turn every cone's axis into the nappe its face lies in, and find its largest radius."""
    along = reach_along(faces, edges, uses)
    for i in np.flatnonzero(faces.kind == SurfaceKind.CONE):
        low, high = along[i]
        if abs(low) > abs(high):
            faces.axis[i] *= -1
        faces.radius[i] = max(abs(low), abs(high)) * np.tan(faces.half_angle[i])
    return faces


def _sides(uses: Uses, edges: EdgeArrays) -> IntArray:
    """The face on the left of each edge (it runs forward there) and the one on its right."""
    sides = np.full((len(edges.kind), 2), -1, dtype=np.int64)
    for face, edge, forward in zip(
        uses.face.tolist(), uses.edge.tolist(), uses.forward.tolist(), strict=True
    ):
        side = 0 if forward else 1
        sides[edge, side if sides[edge, side] < 0 else 1 - side] = face
    return sides


def _folds(
    walked: Walked, faces: FaceArrays, edges: EdgeArrays, sides: IntArray
) -> tuple[FloatArray, IntArray]:
    """The angle between the outward normals along each edge, and how the material folds."""
    fold = np.full(len(edges.kind), np.nan)
    convexity = np.full(len(edges.kind), Convexity.UNKNOWN, dtype=np.int64)
    two_faces = (sides >= 0).all(axis=1) & (sides[:, 0] != sides[:, 1])
    inner = np.flatnonzero(two_faces & (uses_per_edge(walked.loops, len(fold)) == 2))
    left, right = (_edge_normals(walked, faces, edges, sides[inner, k], inner) for k in (0, 1))
    tangent = edges.tangent[inner]
    for row in np.flatnonzero(np.isnan(left + right + tangent).any(axis=1)):
        left[row], right[row], tangent[row] = _probe(walked, faces, sides, int(inner[row]))
    across = np.cross(left, right)
    turn = np.einsum("ij,ij->i", across, tangent)
    angle = np.arctan2(np.linalg.norm(across, axis=1), np.einsum("ij,ij->i", left, right))
    known = ~np.isnan(turn)
    sharp = np.where(turn > 0, Convexity.CONVEX, Convexity.CONCAVE)
    kind = np.where(angle < SMOOTH_WITHIN_RAD, Convexity.SMOOTH, sharp)
    fold[inner[known]] = angle[known]
    convexity[inner[known]] = kind[known]
    return fold, convexity


def _edge_normals(
    walked: Walked, faces: FaceArrays, edges: EdgeArrays, side: IntArray, inner: IntArray
) -> FloatArray:
    out = faces.normals(side, edges.middle[inner])
    for row in np.flatnonzero(np.isnan(out[:, 0])):
        edge = inner[row]
        out[row] = _normal_by_pcurve(
            walked.edges[edge], walked.faces[side[row]], walked.curves[edge].parameter
        )
    return out


def _probe(
    walked: Walked, faces: FaceArrays, sides: IntArray, edge: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Normals and tangent a third along an edge whose middle has none (a pole, a cusp)."""
    adaptor = BRepAdaptor_Curve(walked.edges[edge])
    first, last = adaptor.FirstParameter(), adaptor.LastParameter()
    parameter, point, tangent = first + (last - first) / 3, gp_Pnt(), gp_Vec()
    adaptor.D1(parameter, point, tangent)
    where = np.array([point.Coord()])
    found = []
    for face in sides[edge].tolist():
        normal = faces.normals(np.array([face]), where)[0]
        if np.isnan(normal[0]):
            by_curve = _normal_by_pcurve(walked.edges[edge], walked.faces[face], parameter)
            normal = np.array(by_curve)
        found.append(normal)
    return found[0], found[1], unit(np.array([tangent.Coord()]))[0]


def _normal_by_pcurve(
    edge: TopoDS_Edge, face: TopoDS_Face, parameter: float
) -> tuple[float, float, float]:
    nothing = (np.nan, np.nan, np.nan)
    curve = BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 0.0)
    if curve is None:
        return nothing
    at, point, along_u, along_v = curve.Value(parameter), gp_Pnt(), gp_Vec(), gp_Vec()
    BRepAdaptor_Surface(face, False).D1(at.X(), at.Y(), point, along_u, along_v)
    across = along_u.Crossed(along_v)
    size = across.Magnitude()
    if size < 1e-12:
        return nothing
    scale = (-1 if face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED else 1) / size
    x, y, z = across.Coord()
    return x * scale, y * scale, z * scale


def _areas(walked: Walked, area: FloatArray) -> FloatArray:
    """Ask OCCT for the areas that the boundary alone does not give."""
    for i in np.flatnonzero(np.isnan(area)):
        properties = GProp_GProps()
        BRepGProp.SurfaceProperties_s(walked.faces[i], properties, AREA_SHARE)
        area[i] = properties.Mass()
    return area


def _boxes(walked: Walked, faces: FaceArrays, edges: EdgeArrays, uses: Uses) -> FloatArray:
    """Boxes of faces: exact where the boundary decides; else OCCT's, which may be larger."""
    box = np.full((len(faces.kind), 6), np.nan)
    for k in range(3):
        along = np.tile(np.eye(3)[k], (len(uses.edge), 1))
        low, high = edges.reach(uses.edge, along)
        np.fmin.at(box[:, k], uses.face, low)
        np.fmax.at(box[:, 3 + k], uses.face, high)
    ruled = (SurfaceKind.PLANE, SurfaceKind.CYLINDER, SurfaceKind.CONE)
    for i in np.flatnonzero(~np.isin(faces.kind, ruled) | np.isnan(box[:, 0])):
        bound = Bnd_Box()
        BRepBndLib.Add_s(walked.faces[i], bound, False)
        if not bound.IsVoid():
            bound.SetGap(0.0)
            low, high = bound.CornerMin().Coord(), bound.CornerMax().Coord()
            box[i] = (*low, *high)
    return box


def _body_boxes(walked: Walked, box: FloatArray, edges: EdgeArrays) -> FloatArray:
    out = np.full((len(walked.bodies), 6), np.nan)
    body = np.array(walked.face_body, dtype=np.int64)
    np.fmin.at(out[:, :3], body, box[:, :3])
    np.fmax.at(out[:, 3:], body, box[:, 3:])
    use, point, _ = edges.spread(np.arange(len(edges.kind)))
    of_point = np.array(walked.edge_body, dtype=np.int64)[use]
    np.fmin.at(out[:, :3], of_point, edges.points[point])
    np.fmax.at(out[:, 3:], of_point, edges.points[point])
    return out


def _edge_frames(edges: EdgeArrays) -> dict[str, FloatArray]:
    """Origin, axis and radius of edges as ``Brep`` has them."""
    line, conic = edges.kind == CurveKind.LINE, is_conic(edges.kind)
    origin = np.where(line[:, None], edges.middle, edges.centre)
    axis = np.where(line[:, None], edges.x, unit(np.cross(edges.x, edges.y)))
    radius = np.where(conic, np.linalg.norm(edges.x, axis=1), np.nan)
    free = ~(line | conic)
    origin[free] = axis[free] = np.nan
    return {"edge_origin_mm": origin, "edge_axis": axis, "edge_radius_mm": radius}
