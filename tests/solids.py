"""Solids for tests, made with the CAD kernel and read as the product reads them."""

import tempfile
from pathlib import Path

from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeWire,
)
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeSphere,
)
from OCP.gp import gp_Ax2, gp_Dir, gp_Elips, gp_Pnt, gp_Vec
from OCP.STEPControl import STEPControl_StepModelType, STEPControl_Writer
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS

from witmark.adapters.occt.reader import read_step


def box(low, high):
    return BRepPrimAPI_MakeBox(gp_Pnt(*low), gp_Pnt(*high)).Shape()


def rod(at, along, radius, length):
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(*at), gp_Dir(*along)), radius, length).Shape()


def cone(at, along, first, last, length):
    frame = gp_Ax2(gp_Pnt(*at), gp_Dir(*along))
    return BRepPrimAPI_MakeCone(frame, first, last, length).Shape()


def ball(at, radius):
    return BRepPrimAPI_MakeSphere(gp_Pnt(*at), radius).Shape()


def oval(at, half_length, half_width, depth):
    """An oval prism: a free form once it is in a file, for no round surface is like it."""
    ellipse = gp_Elips(gp_Ax2(gp_Pnt(*at), gp_Dir(0, 0, 1)), half_length, half_width)
    wire = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(ellipse).Edge()).Wire()
    return BRepPrimAPI_MakePrism(
        BRepBuilderAPI_MakeFace(wire).Face(), gp_Vec(0, 0, -depth)
    ).Shape()


def filleted(shape, radius, where):
    """Round the edges whose middle point ``where`` holds for."""
    maker = BRepFilletAPI_MakeFillet(shape)
    edges = TopExp_Explorer(shape, TopAbs_ShapeEnum.TopAbs_EDGE)
    while edges.More():
        edge = TopoDS.Edge(edges.Current())
        curve = BRepAdaptor_Curve(edge)
        middle = curve.Value((curve.FirstParameter() + curve.LastParameter()) / 2)
        if where(middle.X(), middle.Y(), middle.Z()):
            maker.Add(radius, edge)
        edges.Next()
    return maker.Shape()


def cut(shape, *tools):
    for tool in tools:
        shape = BRepAlgoAPI_Cut(shape, tool).Shape()
    return shape


def fuse(shape, *others):
    for other in others:
        shape = BRepAlgoAPI_Fuse(shape, other).Shape()
    return shape


def brep(shape):
    """The arrays of a solid after a round trip through STEP."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "solid.step")
        writer = STEPControl_Writer()
        writer.Transfer(shape, STEPControl_StepModelType.STEPControl_AsIs)
        writer.Write(path)
        return read_step(path).parts[0].brep
