"""Is a body fit to be measured? OCCT's check, and answers of ours to what it passes in silence.

A body with a fault is still described; the fault goes with it, so that no rule takes a measure
of it for granted.
"""

import numpy as np
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepClass3d import BRepClass3d_SolidClassifier
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.TopAbs import TopAbs_ShapeEnum, TopAbs_State
from OCP.TopoDS import TopoDS_Shape

from witmark.adapters.occt.planar import crossing_faces
from witmark.adapters.occt.shape import Walked, explore
from witmark.review.brep import BodyKind, Brep, FloatArray, IntArray, SurfaceKind

_CHECKED = (
    (TopAbs_ShapeEnum.TopAbs_FACE, " at {} face"),
    (TopAbs_ShapeEnum.TopAbs_EDGE, " at {} edge"),
)


def faults_of(walked: Walked, brep: Brep, flux: FloatArray) -> list[str]:
    """What is wrong with each body, in words; '' for a sound one.

    ``flux`` is the integral of the outward normal over each face, (n, 3).
    """
    crossing = crossing_faces(brep)
    volumes = _volumes(brep, flux)
    free = _free_edges(walked, brep)
    out = []
    for number, body in enumerate(walked.bodies):
        mine = np.flatnonzero(brep.face_body == number)
        found = [_kernel_fault(body.shape)]
        found.append(body.known_fault)
        if body.kind is BodyKind.SOLID:
            found.append(_many(free[number], "open shell: {} free edge"))
        if body.kind is BodyKind.SOLID and not body.known_fault:
            found.append(_inside_out(body.shape, brep, volumes, mine))
        loose = sorted(set(mine.tolist()) & crossing)
        found.append(_many(len(loose), "{} plane face with crossing or stray boundaries"))
        out.append("; ".join(f for f in found if f))
    return out


def _many(count: int, words: str) -> str:
    """``{} edge`` made plural before the first word that follows the noun."""
    if not count:
        return ""
    head, tail = words.split("{} ")
    noun, *rest = tail.split(" ")
    if noun in {"free", "plane"}:
        noun, rest = f"{noun} {rest[0]}", rest[1:]
    return head + " ".join([str(count), noun + ("s" if count > 1 else ""), *rest])


def _kernel_fault(shape: TopoDS_Shape) -> str:
    """How many faces and edges OCCT's check refuses (it does not tell Python why)."""
    analyzer = BRepCheck_Analyzer(shape)
    if analyzer.IsValid():
        return ""
    refused = [_many(_refused(analyzer, shape, kind), words) for kind, words in _CHECKED]
    return "the CAD kernel's check fails" + " and".join(r for r in refused if r)


def _refused(analyzer: BRepCheck_Analyzer, shape: TopoDS_Shape, kind: TopAbs_ShapeEnum) -> int:
    parts = ShapeMap()
    for part in explore(shape, kind):
        parts.Add(part)
    return sum(not analyzer.IsValid(parts.FindKey(i)) for i in range(1, parts.Extent() + 1))


def _free_edges(walked: Walked, brep: Brep) -> IntArray:
    """Per body: how many edges only one face uses, and only once."""
    count = np.bincount(brep.loop_edge, minlength=brep.edges)
    body = np.array(walked.edge_body, dtype=np.int64)
    return np.bincount(body[count == 1], minlength=len(walked.bodies))


def _volumes(brep: Brep, flux: FloatArray) -> FloatArray:
    """Each face's share of the volume it bounds: a third of the integral of p . n.

    Exact for planes, cylinders, cones and spheres; of tori and freeform faces the caller must
    not believe it.
    """
    level = np.einsum("ij,ij->i", brep.face_origin_mm, flux)
    round_ = np.isin(brep.face_kind, (SurfaceKind.CYLINDER, SurfaceKind.SPHERE))
    bulge = np.where(round_, brep.face_side * brep.face_radius_mm * brep.face_area_mm2, 0.0)
    out: FloatArray = (level + bulge) / 3
    return out


def _inside_out(shape: TopoDS_Shape, brep: Brep, volumes: FloatArray, mine: IntArray) -> str:
    """Whether a solid's material lies outside its faces: asked of OCCT only when unsure."""
    bent = np.isin(brep.face_kind[mine], (SurfaceKind.TORUS, SurfaceKind.FREEFORM))
    span = np.linalg.norm(brep.face_box_mm[mine, 3:] - brep.face_box_mm[mine, :3], axis=1)
    unsure = float((brep.face_area_mm2[mine] * span)[bent].sum()) / 3
    volume = float(volumes[mine].sum())
    if volume > unsure:
        return ""
    classifier = BRepClass3d_SolidClassifier(shape)
    classifier.PerformInfinitePoint(1e-6)
    inside = classifier.State() == TopAbs_State.TopAbs_IN
    return "inside out: its material lies outside its faces" if inside else ""
