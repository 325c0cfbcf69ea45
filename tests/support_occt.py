"""STEP files that tests make for themselves, with OCP's own writer."""

from pathlib import Path

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
)
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.collections import Array2_gp_Pnt
from OCP.Geom import Geom_BezierSurface
from OCP.gp import gp_Ax2, gp_Dir, gp_Elips, gp_Pln, gp_Pnt, gp_Trsf, gp_Vec
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_Controller, STEPControl_StepModelType
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_DocumentTool


def box(x: float, y: float, z: float) -> TopoDS_Shape:
    """A box with one corner at the origin."""
    return BRepPrimAPI_MakeBox(x, y, z).Shape()


def drilled_plate(diameter: float = 5.0, *, depth: float | None = None) -> TopoDS_Shape:
    """40 x 30 x 10 with one hole from the top at (12, 15); through unless a depth is given."""
    length = 10.0 if depth is None else depth
    axis = gp_Ax2(gp_Pnt(12.0, 15.0, 10.0 - length), gp_Dir(0.0, 0.0, 1.0))
    drill = BRepPrimAPI_MakeCylinder(axis, diameter / 2, length).Shape()
    return BRepAlgoAPI_Cut(box(40.0, 30.0, 10.0), drill).Shape()


def drilled_quarter_shell(radius: float, wall: float, hole: float) -> TopoDS_Shape:
    """A quarter of a hollow ball, x and y positive, with half a hole along x in its edge.

    Its outer face runs from pole to pole beside the seam and has a notch in that seam.
    """
    hollow = BRepAlgoAPI_Cut(ball(radius), ball(radius - wall)).Shape()
    far = 2 * radius
    quarter = BRepPrimAPI_MakeBox(gp_Pnt(0.0, 0.0, -far), gp_Pnt(far, far, far)).Shape()
    axis = gp_Ax2(gp_Pnt(0.0, 0.0, 0.0), gp_Dir(1.0, 0.0, 0.0))
    drill = BRepPrimAPI_MakeCylinder(axis, hole / 2, far).Shape()
    return BRepAlgoAPI_Cut(BRepAlgoAPI_Common(hollow, quarter).Shape(), drill).Shape()


def as_bsplines(shape: TopoDS_Shape) -> TopoDS_Shape:
    """The same shape with every surface and curve a B-spline."""
    return BRepBuilderAPI_NurbsConvert(shape, True).Shape()


def ball(radius: float) -> TopoDS_Shape:
    """A sphere at the origin."""
    return BRepPrimAPI_MakeSphere(radius).Shape()


def ring(major: float, minor: float) -> TopoDS_Shape:
    """A torus about the z axis."""
    return BRepPrimAPI_MakeTorus(major, minor).Shape()


def frustum(bottom: float, top: float, height: float) -> TopoDS_Shape:
    """A cone about the z axis, cut off."""
    return BRepPrimAPI_MakeCone(bottom, top, height).Shape()


def plate_with_oval_hole(major: float, minor: float) -> TopoDS_Shape:
    """40 x 30 x 10 with an elliptical hole through it, which no recognition may call round."""
    axis = gp_Ax2(gp_Pnt(20.0, 15.0, -1.0), gp_Dir(0.0, 0.0, 1.0))
    edge = BRepBuilderAPI_MakeEdge(gp_Elips(axis, major, minor)).Edge()
    face = BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(edge).Wire()).Face()
    tool = BRepPrimAPI_MakePrism(face, gp_Vec(0.0, 0.0, 12.0)).Shape()
    return BRepAlgoAPI_Cut(box(40.0, 30.0, 10.0), tool).Shape()


def bowed_sliver(length: float, width: float, bow: float) -> TopoDS_Face:
    """A Bezier strip along x, ``width`` in y, that rises by half of ``bow`` in its middle."""
    poles = Array2_gp_Pnt(1, 3, 1, 2)
    for row, (x, z) in enumerate(((0.0, 0.0), (length / 2, bow), (length, 0.0)), start=1):
        for column, y in enumerate((0.0, width), start=1):
            poles.SetValue(row, column, gp_Pnt(x, y, z))
    return BRepBuilderAPI_MakeFace(Geom_BezierSurface(poles), 1e-7).Face()


def sheet(x: float, y: float) -> TopoDS_Shape:
    """One plane face."""
    plane = gp_Pln(gp_Pnt(0.0, 0.0, 0.0), gp_Dir(0.0, 0.0, 1.0))
    return BRepBuilderAPI_MakeFace(plane, 0.0, x, 0.0, y).Face()


def moved(x: float, y: float, z: float) -> gp_Trsf:
    """A shift."""
    motion = gp_Trsf()
    motion.SetTranslation(gp_Vec(x, y, z))
    return motion


def mirrored() -> gp_Trsf:
    """The mirror image in the plane x = 0."""
    motion = gp_Trsf()
    motion.SetMirror(gp_Ax2(gp_Pnt(0.0, 0.0, 0.0), gp_Dir(1.0, 0.0, 0.0)))
    return motion


def write_assembly(
    path: Path,
    placed: list[tuple[TopoDS_Shape, str, list[gp_Trsf]]],
    *,
    unit: str = "MM",
    name: str = "assembly",
) -> Path:
    """Write products, each placed any number of times, under one root."""
    STEPControl_Controller.Init_s()
    Interface_Static.SetCVal_s("write.step.unit", unit)
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    root = shapes.NewShape()
    TDataStd_Name.Set_s(root, TCollection_ExtendedString(name, True))
    for shape, product, motions in placed:
        label = shapes.AddShape(shape, False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(product, True))
        for motion in motions:
            where = TopLoc_Location(motion)
            instance = shapes.AddComponent(root, label, where)
            TDataStd_Name.Set_s(instance, TCollection_ExtendedString(product, True))
    shapes.UpdateAssemblies()
    return _written(path, document)


def write_part(
    path: Path, shape: TopoDS_Shape, *, unit: str = "MM", name: str = "part"
) -> Path:
    """Write one product."""
    STEPControl_Controller.Init_s()
    Interface_Static.SetCVal_s("write.step.unit", unit)
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    label = XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).AddShape(shape, False)
    TDataStd_Name.Set_s(label, TCollection_ExtendedString(name, True))
    return _written(path, document)


def _written(path: Path, document: TDocStd_Document) -> Path:
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)  # 3D curves alone: easy to edit
    writer = STEPCAFControl_Writer()
    writer.Transfer(document, STEPControl_StepModelType.STEPControl_AsIs)
    writer.Write(str(path))
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    return path
