"""Curves that no circle fits, and wires made of edges."""

from collections.abc import Iterable, Sequence

from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeWire,
)
from OCP.GeomAPI import GeomAPI_Interpolate
from OCP.gp import gp_Pnt
from OCP.TopoDS import TopoDS_Edge, TopoDS_Wire

import OCP.collections as occ  # isort: skip  # a submodule of the binding, not of ours

Point = tuple[float, float, float]


def wire(edges: Iterable[TopoDS_Edge]) -> TopoDS_Wire:
    """Edges that follow each other, as one wire."""
    maker = BRepBuilderAPI_MakeWire()
    for edge in edges:
        maker.Add(edge)
    return maker.Wire()


def spline_edge(points: Sequence[Point], *, closed: bool) -> TopoDS_Edge:
    """A smooth B-spline through the points."""
    row = occ.HArray1_gp_Pnt(1, len(points))
    for i, p in enumerate(points, start=1):
        row.SetValue(i, gp_Pnt(*p))
    through_points = GeomAPI_Interpolate(row, closed, 1e-7)
    through_points.Perform()
    return BRepBuilderAPI_MakeEdge(through_points.Curve()).Edge()


def parabola(start: Point, corner: Point, end: Point) -> TopoDS_Edge:
    """A blend of the corner that touches both sides and that no circle fits."""
    curve: list[Point] = []
    for i in range(13):
        t = i / 12
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        x, y, z = (a * p + b * q + c * r for p, q, r in zip(start, corner, end, strict=True))
        curve.append((x, y, z))
    return spline_edge(curve, closed=False)
