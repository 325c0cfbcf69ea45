"""The few solids that a machinist would name, from which every seeded part is put together.

Blocks are centred in x and y and their top lies at z = 0, so a depth is a depth. Cutting
tools start ``LEAD_MM`` above their mouth, because a tool that only touches the face it enters
leaves the boolean to chance. Lengths are millimetres, angles degrees.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
)
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeSphere,
)
from OCP.GC import GC_MakeArcOfCircle
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Vec
from OCP.TopoDS import TopoDS_Edge, TopoDS_Shape, TopoDS_Wire

from bench.seeded_parts.curves import Point, parabola, spline_edge, wire
from bench.seeded_parts.working import as_splines, fillet

LEAD_MM = 1.0

# ---------------------------------------------------------------- bodies


def block(
    length: float, width: float, thick: float, *, at: Point = (0.0, 0.0, 0.0)
) -> TopoDS_Shape:
    """A box with the middle of its top at ``at``."""
    x, y, z = at
    low = gp_Pnt(x - length / 2, y - width / 2, z - thick)
    return BRepPrimAPI_MakeBox(low, length, width, thick).Shape()


def rod(
    d: float,
    length: float,
    *,
    at: Point = (0.0, 0.0, 0.0),
    along: Point = (0.0, 0.0, -1.0),
    sweep_deg: float = 360.0,
) -> TopoDS_Shape:
    """A cylinder that begins at ``at`` and runs ``along``."""
    frame = gp_Ax2(gp_Pnt(*at), gp_Dir(*along))
    return BRepPrimAPI_MakeCylinder(frame, d / 2, length, math.radians(sweep_deg)).Shape()


def taper(
    d_start: float,
    d_end: float,
    length: float,
    *,
    at: Point = (0.0, 0.0, 0.0),
    along: Point = (0.0, 0.0, -1.0),
) -> TopoDS_Shape:
    """A cone or frustum from ``d_start`` at ``at`` to ``d_end``, ``length`` further on."""
    frame = gp_Ax2(gp_Pnt(*at), gp_Dir(*along))
    return BRepPrimAPI_MakeCone(frame, d_start / 2, d_end / 2, length).Shape()


def ball(d: float, *, at: Point) -> TopoDS_Shape:
    """A sphere."""
    return BRepPrimAPI_MakeSphere(gp_Pnt(*at), d / 2).Shape()


def profile(points: Sequence[tuple[float, float]], width: float) -> TopoDS_Shape:
    """A polygon in the x-z plane, made into a bar that is ``width`` wide in y."""
    corners = [gp_Pnt(x, -width / 2, z) for x, z in points]
    ends = zip(corners, [*corners[1:], corners[0]], strict=True)
    return extruded(wire(BRepBuilderAPI_MakeEdge(a, b).Edge() for a, b in ends), width)


def topped_by_curve(
    length: float,
    width: float,
    thick: float,
    height: Callable[[float], float],
    *,
    upside_down: bool = False,
) -> TopoDS_Shape:
    """A block whose top (or bottom) is one free-form face: ``height(x)`` above its plane."""
    half, stations = length / 2, 17
    flat = 0.0 if upside_down else -thick
    side = -thick if upside_down else 0.0
    curve = [
        (
            -half + length * i / (stations - 1),
            side + height(-half + length * i / (stations - 1)),
        )
        for i in range(stations)
    ]
    spline = spline_edge([(x, -width / 2, z) for x, z in curve], closed=False)
    corners = [
        gp_Pnt(curve[-1][0], -width / 2, curve[-1][1]),
        gp_Pnt(half, -width / 2, flat),
        gp_Pnt(-half, -width / 2, flat),
        gp_Pnt(curve[0][0], -width / 2, curve[0][1]),
    ]
    straight = [BRepBuilderAPI_MakeEdge(a, b).Edge() for a, b in pairwise(corners)]
    return extruded(wire([spline, *straight]), width)


def extruded(outline: TopoDS_Wire, width: float) -> TopoDS_Shape:
    """A flat outline in a plane of constant y, pushed ``width`` along y."""
    face = BRepBuilderAPI_MakeFace(outline, OnlyPlane=True).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, width, 0)).Shape()


# ---------------------------------------------------------------- cutting tools


def drill(  # noqa: PLR0913  # a drill has these dimensions
    d: float,
    depth: float,
    *,
    at: Point = (0.0, 0.0, 0.0),
    along: Point = (0.0, 0.0, -1.0),
    point_deg: float = 118.0,
    lead: float = LEAD_MM,
) -> list[TopoDS_Shape]:
    """A twist drill: ``depth`` is the full-diameter length; 180 degrees makes a flat bottom."""
    x, y, z = at
    ux, uy, uz = along
    mouth = (x - ux * lead, y - uy * lead, z - uz * lead)
    tools = [rod(d, depth + lead, at=mouth, along=along)]
    if point_deg < 180:
        tip = d / 2 / math.tan(math.radians(point_deg / 2))
        end = (x + ux * depth, y + uy * depth, z + uz * depth)
        tools.append(taper(d, 0.0, tip, at=end, along=along))
    return tools


def through(d: float, thick: float, *, x: float = 0.0, y: float = 0.0) -> list[TopoDS_Shape]:
    """A drill that goes down through a block of this thickness."""
    return drill(d, thick + LEAD_MM, at=(x, y, 0.0), point_deg=180)


def half_shells(d: float, depth: float, *, at: Point = (0.0, 0.0, 0.0)) -> TopoDS_Shape:
    """A drill whose wall is two half cylinders, as many systems write every cylinder."""
    x, y, z = at
    top = z + LEAD_MM
    ends = [(x + d / 2, y), (x, y + d / 2), (x - d / 2, y), (x, y - d / 2)]
    p = [gp_Pnt(a, b, top) for a, b in ends]
    arcs = [GC_MakeArcOfCircle(p[0], p[1], p[2]), GC_MakeArcOfCircle(p[2], p[3], p[0])]
    outline = wire(BRepBuilderAPI_MakeEdge(arc.Value()).Edge() for arc in arcs)
    return pushed_down(outline, depth + LEAD_MM)


def lobed_drill(
    d: float, depth: float, *, at: Point = (0.0, 0.0, 0.0), lobe: float
) -> TopoDS_Shape:
    """A bore that is not round: its radius waves three times by ``lobe`` mm. Free form."""
    x, y, z = at
    ring = []
    for i in range(36):
        turn = math.radians(10 * i)
        r = d / 2 + lobe * math.cos(3 * turn)
        ring.append((x + r * math.cos(turn), y + r * math.sin(turn), z + LEAD_MM))
    tool = pushed_down(wire([spline_edge(ring, closed=True)]), depth + LEAD_MM)
    return as_splines(tool)


def pocket(  # noqa: PLR0913  # an end mill has these dimensions
    length: float,
    width: float,
    depth: float,
    radii: float | Sequence[float],
    *,
    at: Point = (0.0, 0.0, 0.0),
    floor: float = 0.0,
    parabolic: bool = False,
) -> TopoDS_Shape:
    """An end mill's work: vertical corner radii (0 is sharp) and a rounded floor edge.

    ``radii`` goes counter-clockwise from +x +y. ``parabolic`` replaces each corner arc by a
    parabola, which no cylinder fits.
    """
    rs = [float(radii)] * 4 if isinstance(radii, int | float) else list(radii)
    outline = _rounded_rectangle(length, width, rs, (at[0], at[1], at[2] + LEAD_MM), parabolic)
    tool = pushed_down(outline, depth + LEAD_MM)
    if floor <= 0:
        return tool
    bottom = at[2] - depth
    return fillet(tool, floor, lambda m: abs(m[2] - bottom) < 1e-6)


def channel(
    width: float, length: float, depth: float, *, at: Point = (0.0, 0.0, 0.0)
) -> TopoDS_Shape:
    """A slot cutter's straight pass along x, open at both ends."""
    x, y, z = at
    return block(length + 2 * LEAD_MM, width, depth + LEAD_MM, at=(x, y, z + LEAD_MM))


def _rounded_rectangle(
    length: float, width: float, radii: Sequence[float], at: Point, parabolic: bool
) -> TopoDS_Wire:
    x, y, z = at
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    into = [(0, 1), (-1, 0), (0, -1), (1, 0)]  # travel direction arriving at each corner
    edges, last, first = [], None, None
    for (sx, sy), (dx, dy), r in zip(signs, into, radii, strict=True):
        cx, cy = x + sx * length / 2, y + sy * width / 2
        ox, oy = -dy, dx  # travel direction leaving: a left turn
        start, end = (cx - dx * r, cy - dy * r), (cx + ox * r, cy + oy * r)
        if last is not None:
            edges.append(_line(last, start, z))
        first = first or start
        if r > 0:
            edges.append(_corner(start, (cx, cy), end, z, parabolic))
        last = end
    assert last is not None  # noqa: S101  # four corners, always
    assert first is not None  # noqa: S101
    edges.append(_line(last, first, z))
    return wire(e for e in edges if e is not None)


def _line(a: tuple[float, float], b: tuple[float, float], z: float) -> TopoDS_Edge | None:
    if math.dist(a, b) < 1e-9:
        return None  # two arcs that meet need no straight between them
    return BRepBuilderAPI_MakeEdge(gp_Pnt(*a, z), gp_Pnt(*b, z)).Edge()


def _corner(
    start: tuple[float, float],
    corner: tuple[float, float],
    end: tuple[float, float],
    z: float,
    parabolic: bool,
) -> TopoDS_Edge:
    if parabolic:
        return parabola((*start, z), (*corner, z), (*end, z))
    centre = (start[0] + end[0] - corner[0], start[1] + end[1] - corner[1])
    r = math.dist(centre, start)
    away = math.dist(corner, centre)
    middle = tuple(m + (k - m) * r / away for m, k in zip(centre, corner, strict=True))
    arc = GC_MakeArcOfCircle(gp_Pnt(*start, z), gp_Pnt(*middle, z), gp_Pnt(*end, z))
    return BRepBuilderAPI_MakeEdge(arc.Value()).Edge()


def pushed_down(outline: TopoDS_Wire, depth: float) -> TopoDS_Shape:
    """A flat outline in a plane of constant z, pushed this far down."""
    face = BRepBuilderAPI_MakeFace(outline, OnlyPlane=True).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, -depth)).Shape()
