"""What is done to solids: cut, weld, round, break, move; and what can be asked of them."""

import math
from collections.abc import Callable, Iterable

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_NurbsConvert,
    BRepBuilderAPI_Transform,
)
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepGProp import BRepGProp
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape

Point = tuple[float, float, float]
Where = Callable[[Point], bool]


# ---------------------------------------------------------------- putting together


def cut(body: TopoDS_Shape, *tools: TopoDS_Shape | Iterable[TopoDS_Shape]) -> TopoDS_Shape:
    """Take the tools away from the body."""
    for tool in _flat(tools):
        body = BRepAlgoAPI_Cut(body, tool).Shape()
    return _tidy(body)


def join(body: TopoDS_Shape, *more: TopoDS_Shape | Iterable[TopoDS_Shape]) -> TopoDS_Shape:
    """Weld bodies together and merge faces that lie on one surface."""
    for other in _flat(more):
        body = BRepAlgoAPI_Fuse(body, other).Shape()
    return _tidy(body)


def common(body: TopoDS_Shape, other: TopoDS_Shape) -> TopoDS_Shape:
    """What both have."""
    return _tidy(BRepAlgoAPI_Common(body, other).Shape())


def cut_untidied(body: TopoDS_Shape, tool: TopoDS_Shape) -> TopoDS_Shape:
    """Take the tool away and leave split walls split."""
    return _only_solid(BRepAlgoAPI_Cut(body, tool).Shape())


def fillet(body: TopoDS_Shape, r: float, where: Where) -> TopoDS_Shape:
    """Round every edge whose middle satisfies ``where``."""
    maker = BRepFilletAPI_MakeFillet(body)
    for edge in _edges(body, where):
        maker.Add(r, edge)
    return _only_solid(maker.Shape())


def chamfer(body: TopoDS_Shape, c: float, where: Where) -> TopoDS_Shape:
    """Break every edge whose middle satisfies ``where``, equally on both sides."""
    maker = BRepFilletAPI_MakeChamfer(body)
    for edge in _edges(body, where):
        maker.Add(c, edge)
    return _only_solid(maker.Shape())


def as_splines(body: TopoDS_Shape) -> TopoDS_Shape:
    """The same solid with every surface and curve written as a (rational) B-spline."""
    return _only_solid(BRepBuilderAPI_NurbsConvert(body, Copy=True).Shape())


def moved(body: TopoDS_Shape, motion: gp_Trsf) -> TopoDS_Shape:
    """The solid carried elsewhere, its geometry rewritten; the motion may mirror."""
    return _only_solid(BRepBuilderAPI_Transform(body, motion, theCopyGeom=True).Shape())


def turned(body: TopoDS_Shape, degrees: float, about: Point) -> TopoDS_Shape:
    """The solid turned about an axis through the origin."""
    motion = gp_Trsf()
    motion.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*about)), math.radians(degrees))
    return moved(body, motion)


def shifted(body: TopoDS_Shape, by: Point) -> TopoDS_Shape:
    """The solid pushed along a vector."""
    motion = gp_Trsf()
    motion.SetTranslation(gp_Vec(*by))
    return moved(body, motion)


# ---------------------------------------------------------------- looking


def volume_mm3(body: TopoDS_Shape) -> float:
    """Volume by the kernel's own integration."""
    props = GProp_GProps()
    BRepGProp.VolumeProperties_s(body, props)
    return float(props.Mass())


def is_sound(body: TopoDS_Shape) -> bool:
    """One closed solid that passes the kernel's check and is not inside out."""
    return BRepCheck_Analyzer(body).IsValid() and volume_mm3(body) > 0


def faces(body: TopoDS_Shape) -> list[TopoDS_Face]:
    """The faces in the kernel's order."""
    return [TopoDS.Face(s) for s in _explore(body, TopAbs_ShapeEnum.TopAbs_FACE)]


def face_middle(face: TopoDS_Face) -> Point:
    """Centre of area of a face."""
    props = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, props)
    p = props.CentreOfMass()
    return (p.X(), p.Y(), p.Z())


def _edges(body: TopoDS_Shape, where: Where) -> list[TopoDS_Edge]:
    seen: list[TopoDS_Edge] = []
    for shape in _explore(body, TopAbs_ShapeEnum.TopAbs_EDGE):
        edge = TopoDS.Edge(shape)
        if where(_edge_middle(edge)) and not any(edge.IsSame(e) for e in seen):
            seen.append(edge)
    return seen


def _edge_middle(edge: TopoDS_Edge) -> Point:
    props = GProp_GProps()
    BRepGProp.LinearProperties_s(edge, props)
    p = props.CentreOfMass()
    return (p.X(), p.Y(), p.Z())


def _explore(body: TopoDS_Shape, kind: TopAbs_ShapeEnum) -> list[TopoDS_Shape]:
    found, walk = [], TopExp_Explorer(body, kind)
    while walk.More():
        found.append(walk.Current())
        walk.Next()
    return found


def _flat(tools: Iterable[TopoDS_Shape | Iterable[TopoDS_Shape]]) -> list[TopoDS_Shape]:
    flat: list[TopoDS_Shape] = []
    for tool in tools:
        flat.extend([tool] if isinstance(tool, TopoDS_Shape) else tool)
    return flat


def _tidy(body: TopoDS_Shape) -> TopoDS_Shape:
    unify = ShapeUpgrade_UnifySameDomain(body, True, True, False)
    unify.Build()
    return _only_solid(unify.Shape())


def _only_solid(body: TopoDS_Shape) -> TopoDS_Shape:
    """The one solid in a compound; booleans like to wrap it."""
    solids = _explore(body, TopAbs_ShapeEnum.TopAbs_SOLID)
    if len(solids) != 1:
        raise ValueError(f"expected one solid, the construction gave {len(solids)}")
    return solids[0]
