"""Parts on which a rule cannot be decided, and saying so is the right answer.

Two ways lead there: the face that carries the number is a free form that no plane, cylinder
or cone fits within 0.05 mm; or the solid is not one because a face of its skin is missing, so
that nothing measured on it can be trusted, however plainly it seems to break a limit.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge
from OCP.gp import gp_Pnt
from OCP.TopoDS import TopoDS_Edge, TopoDS_Shape

from bench.seeded_parts import holes, pockets
from bench.seeded_parts.case import P01, Case, open_question, over, sound
from bench.seeded_parts.curves import parabola, spline_edge, wire
from bench.seeded_parts.shapes import (
    block,
    drill,
    extruded,
    lobed_drill,
    pocket,
    pushed_down,
    rod,
    through,
    topped_by_curve,
)
from bench.seeded_parts.working import as_splines, common, cut, join, shifted, turned

Pair = tuple[float, float]
Triple = tuple[float, float, float]
Quad = tuple[float, float, float, float]


def cases() -> Iterator[Case]:
    """Free forms first, then spoilt solids, then the rule that needs roles."""
    yield from _free_bores()
    yield from _free_mouths()
    yield from _free_pockets()
    yield from _spoilt_solids()
    yield from _roles()


# ---------------------------------------------------------------- free-form bores


def free_bore(dims: Pair) -> TopoDS_Shape:
    """A blind bore (d, depth over d) whose wall waves."""
    d, ld = dims
    return cut(block(6 * d, 7 * d, (ld + 3) * d), lobed_drill(d, ld * d, lobe=0.03 * d))


def free_bore_at_edge(dims: Pair) -> TopoDS_Shape:
    """The same, right through, this near to the +x side."""
    d, wall = dims
    at = (4 * d - wall - d / 2, 0.0, 0.0)
    return cut(block(8 * d, 8 * d, 2 * d), lobed_drill(d, 2 * d + 2, at=at, lobe=0.03 * d))


def free_neighbour(dims: Pair) -> TopoDS_Shape:
    """A drilled hole (d) with a waving bore this far away."""
    d, wall = dims
    gap = (d + wall) / 2
    body = cut(block(8 * d + wall, 6 * d, 2 * d), through(d, 2 * d, x=-gap))
    return cut(body, lobed_drill(d, 2 * d + 2, at=(gap, 0, 0), lobe=0.03 * d))


def free_step(dims: Pair) -> TopoDS_Shape:
    """A counterbore (D) over a waving bore (d)."""
    d, wide = dims
    body = cut(block(7 * wide, 7 * wide, 3 * d), drill(wide, d, point_deg=180))
    return cut(body, lobed_drill(d, 3 * d + 2, lobe=0.03 * d))


def free_clevis(dims: Pair) -> TopoDS_Shape:
    """A fork: one leg is bored round (d), the other waving and perhaps off the line."""
    d, off = dims
    leg, gap, deep = 1.5 * d, 3 * d, 3 * d
    fork = block(gap + 2 * leg, 6 * d, deep + 2 * d, at=(0, 0, 1.6 * d))
    fork = cut(fork, block(gap, 6 * d + 2, deep + 1, at=(0, 0, 1.6 * d + 1)))
    outer = gap / 2 + leg
    fork = cut(fork, rod(d, leg + 2, at=(-outer - 1, 0, 0), along=(1, 0, 0)))
    ring = []
    for i in range(36):
        turn = math.radians(10 * i)
        r = d / 2 + 0.03 * d * math.cos(3 * turn)
        ring.append((r * math.cos(turn) + off, -outer - 1, r * math.sin(turn)))
    tool = extruded(wire([spline_edge(ring, closed=True)]), leg + 2)
    return cut(fork, turned(as_splines(tool), 90, (0, 0, 1)))


def _free_bores() -> Iterator[Case]:
    d = (8.0, 10.0, 16.0)
    deep = [(a, 5.0) for a in d]
    asked = open_question("P28", "P29", "P30", "P34", "P35")
    yield from over("P29-open-free-bore", deep, free_bore, asked)
    near = [(a, 0.2 * a) for a in d]
    yield from over("P38-open-free-bore", near, free_bore_at_edge, open_question("P38"))
    yield from over("P39-open-free-bore", near, free_neighbour, open_question("P39"))
    steps = [(8.0, 12.0), (10.0, 16.0), (14.0, 20.0)]
    yield from over("P44-open-free-bore", steps, free_step, open_question("P44"))
    off = [(8.0, 0.2), (10.0, 0.3), (16.0, 0.2)]
    yield from over("P37-open-free-bore", off, free_clevis, open_question("P37"))


# ---------------------------------------------------------------- free-form mouths


def free_entry(dims: Pair) -> TopoDS_Shape:
    """A blind hole (d) drilled into a waving face."""
    d, wave = dims
    side = 8 * d
    body = topped_by_curve(
        side, side, 6 * d, lambda x: wave * math.sin(3 * math.pi * x / side + 0.6)
    )
    return cut(as_splines(body), drill(d, 2.5 * d, lead=wave + 1))


def free_exit(dims: Pair) -> TopoDS_Shape:
    """A counterbored through hole (d) that leaves through a waving face."""
    d, wave = dims
    side = 8 * d
    body = topped_by_curve(
        side,
        side,
        2.5 * d,
        lambda x: wave * math.sin(3 * math.pi * x / side + 0.6),
        upside_down=True,
    )
    seat = drill(1.5 * d, 0.8 * d, point_deg=180)
    return cut(as_splines(body), through(d, 4 * d), seat)


def _free_mouths() -> Iterator[Case]:
    dims = [(6.0, 1.5), (10.0, 2.5), (16.0, 3.0)]
    yield from over("P26-open-free-entry", dims, free_entry, open_question("P26"))
    yield from over("P27-open-free-exit", dims, free_exit, open_question("P27"))


# ---------------------------------------------------------------- free-form pockets


def free_corners(dims: Quad) -> TopoDS_Shape:
    """A pocket whose corners are parabolas."""
    width, depth, corner, _ = dims
    long = 1.8 * width
    tool = as_splines(pocket(long, width, depth, corner, parabolic=True))
    return cut(block(long + 3 * width, 4 * width, depth + width), tool)


def free_floor(dims: Quad) -> TopoDS_Shape:
    """A pocket whose floor waves along x, so that it has no one depth."""
    width, depth, corner, wave = dims
    long = 1.8 * width
    tool = pocket(long, width, depth + wave + 1, corner)
    floor = topped_by_curve(
        long + 2,
        width + 2,
        depth + 2,
        lambda x: wave * math.sin(3 * math.pi * x / long + 0.6),
        upside_down=True,
    )
    floor = common(tool, shifted(floor, (0, 0, 2.0)))
    return cut(block(long + 3 * width, 4 * width, depth + width), floor)


def free_floor_edges(dims: Quad) -> TopoDS_Shape:
    """A pocket whose long floor edges are blended by parabolas."""
    width, depth, corner, blend = dims
    long = 1.8 * width
    half, y = width / 2, -long / 2 - 1
    left = [(-half, -depth + blend), (-half, -depth), (-half + blend, -depth)]
    right = [(half - blend, -depth), (half, -depth), (half, -depth + blend)]
    edges = [
        _straight((-half, 1.0), left[0], y),
        _parabola(left, y),
        _straight(left[2], right[0], y),
        _parabola(right, y),
        _straight(right[2], (half, 1.0), y),
        _straight((half, 1.0), (-half, 1.0), y),
    ]
    section = extruded(wire(edges), long + 2)
    outline = pocket(width, long, depth + 2, corner)
    body = block(4 * width, long + 3 * width, depth + width)
    return cut(body, common(outline, as_splines(section)))


def free_slot(dims: Pair) -> TopoDS_Shape:
    """A slot (width, depth) that snakes across the block."""
    width, depth = dims
    side = 12 * width
    left = [_snake(side, i, -width / 2) for i in range(17)]
    right = [_snake(side, i, width / 2) for i in range(16, -1, -1)]
    edges = [
        spline_edge(left, closed=False),
        BRepBuilderAPI_MakeEdge(gp_Pnt(*left[-1]), gp_Pnt(*right[0])).Edge(),
        spline_edge(right, closed=False),
        BRepBuilderAPI_MakeEdge(gp_Pnt(*right[-1]), gp_Pnt(*left[0])).Edge(),
    ]
    tool = as_splines(pushed_down(wire(edges), depth + 1))
    return cut(block(side, side, 2 * depth + 4), tool)


def _snake(side: float, station: int, offset: float) -> tuple[float, float, float]:
    x = -side / 2 - 1 + (side + 2) * station / 16
    return (x, offset + side / 20 * math.sin(3 * math.pi * x / side), 1.0)


def _straight(a: Pair, b: Pair, y: float) -> TopoDS_Edge:
    return BRepBuilderAPI_MakeEdge(gp_Pnt(a[0], y, a[1]), gp_Pnt(b[0], y, b[1])).Edge()


def _parabola(three: list[Pair], y: float) -> TopoDS_Edge:
    (ax, az), (bx, bz), (cx, cz) = three
    return parabola((ax, y, az), (bx, y, bz), (cx, y, cz))


def _free_pockets() -> Iterator[Case]:
    dims = [(24.0, 12.0, 6.0, 0.0), (30.0, 15.0, 8.0, 0.0), (40.0, 18.0, 9.0, 0.0)]
    yield from over("P14-open-free-corners", dims, free_corners, open_question("P14", "P17"))
    waves = [(24.0, 12.0, 6.0, 1.5), (30.0, 15.0, 8.0, 2.0), (40.0, 18.0, 9.0, 2.0)]
    yield from over("P13-open-free-floor", waves, free_floor, open_question("P13"))
    blends = [(24.0, 12.0, 6.0, 4.0), (30.0, 15.0, 8.0, 5.0), (40.0, 18.0, 9.0, 6.0)]
    yield from over("P16-open-free-floor-edges", blends, free_floor_edges, open_question("P16"))
    yield from over(
        "P19-open-free-slot",
        [(3.0, 8.0), (5.0, 12.0), (8.0, 20.0)],
        free_slot,
        open_question("P19"),
    )


# ---------------------------------------------------------------- spoilt solids


def _spoilt_solids() -> Iterator[Case]:
    d = (6.0, 10.0, 14.0)
    table: list[tuple[str, Callable[[Any], TopoDS_Shape], list[Any]]] = [
        ("P13", pockets.pocketed, [(a, 5 * a, 0.4 * a, 0.0) for a in d]),
        ("P14", pockets.pocketed, [(4 * a, 2 * a, 0.0, 0.0) for a in d]),
        ("P16", pockets.pocketed, [(4 * a, 2 * a, 0.7 * a, 0.7 * a) for a in d]),
        ("P17", pockets.four_corners, [(a, (a, 1.2 * a, 1.4 * a, a)) for a in d]),
        ("P19", pockets.slotted, [(0.6, 1.5), (0.8, 2.0), (5.0, 30.0)]),
        ("P26", holes.sloped_entry, [(a, 20.0) for a in d]),
        ("P27", holes.sloped_exit, [(a, 20.0) for a in d]),
        ("P28", holes.broken_out, [(a, 0.7) for a in d]),
        ("P29", holes.blind_hole, [(a, 7.0) for a in d]),
        ("P30", holes.through_hole, [(0.4, 2.0), (0.8, 2.0), (2.0, 2.0)]),
        ("P34", holes.blind_hole, [(a + 0.05, 2.0) for a in d]),
        ("P35", holes.row_of_holes, [(10.0, 10.1), (7.0, 7.1), (5.2, 5.3)]),
        ("P37", holes.clevis, [(a, 0.2, 0.0) for a in d]),
        ("P38", holes.near_edge, [(a, 0.4) for a in d]),
        ("P39", holes.two_holes, [(a, 0.4) for a in d]),
        ("P44", holes.chambered, [(a, 1.5 * a) for a in d]),
    ]
    for rule, make, dims in table:
        family = f"{rule}-open-missing-face"
        yield from over(family, dims, make, open_question(rule), opened=True)


# ---------------------------------------------------------------- P01


def low_pad(dims: Triple) -> TopoDS_Shape:
    """A block with a pad that stands this little above the face around it."""
    side, pad, step = dims
    base = block(2 * side, side, side / 2)
    return join(base, block(pad, pad, step + 1, at=(side / 3, 0, step)))


def _roles() -> Iterator[Case]:
    dims = [(40.0, 20.0, 0.5), (60.0, 25.0, 0.8), (80.0, 30.0, 0.3)]
    yield from over("P01-open-low-pad", dims, low_pad, open_question(P01))
    asked = open_question(P01)
    yield from over("P01-open-missing-face", dims, low_pad, asked, opened=True)
    sizes = [(60.0, 40.0, 15.0), (80.0, 50.0, 20.0), (100.0, 90.0, 12.0)]
    yield from over("P01-nothing-to-ask", sizes, pockets.edged_block, sound())
