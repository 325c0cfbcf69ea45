"""Sound parts that look like trouble, and parts with several troubles at once.

A recogniser that mistakes a corner for half a hole, a pin for a bore or a tube for a hole
near an edge fails here. Nothing in the first list may alarm.
"""

import math
from collections.abc import Iterator

from OCP.TopoDS import TopoDS_Shape

from bench.seeded_parts.case import Case, over, sound, violating
from bench.seeded_parts.holes import blind_hole, clevis, through_a_flatted_bar, two_holes
from bench.seeded_parts.pockets import pocketed
from bench.seeded_parts.shapes import (
    ball,
    block,
    channel,
    drill,
    half_shells,
    pocket,
    rod,
    taper,
    through,
)
from bench.seeded_parts.working import (
    as_splines,
    chamfer,
    cut,
    cut_untidied,
    fillet,
    join,
    shifted,
)

Pair = tuple[float, float]
Triple = tuple[float, float, float]


def cases() -> Iterator[Case]:
    """Sound look-alikes, the same written as B-splines, then parts that break much."""
    yield from _bodies()
    yield from _mouths_and_stacks()
    yield from _crossings()
    yield from _written_otherwise()
    yield from _several()


# ---------------------------------------------------------------- bodies


def shaft(dims: Triple) -> TopoDS_Shape:
    """Three diameters, chamfered ends: nothing on it is a hole."""
    small, large, length = dims
    body = join(
        rod(large, length),
        rod(small, 2 * length, at=(0, 0, -length)),
        rod(small * 0.8, 3 * length, at=(0, 0, -length)),
    )
    return chamfer(body, 1.0, lambda m: abs(m[2]) < 1e-6 or abs(m[2] + 4 * length) < 1e-6)


def relieved_shaft(dims: Triple) -> TopoDS_Shape:
    """A stepped shaft with a relief groove before the shoulder."""
    small, large, length = dims
    ring = cut(rod(large, 2.0), rod(small - 1.0, 2.0))
    body = join(rod(large, length), rod(small, 3 * length, at=(0, 0, -length)))
    return cut(body, shifted(ring, (0, 0, -length)))


def pinned_plate(dims: Pair) -> TopoDS_Shape:
    """A plate with a thin, long pin: slender is no deep hole."""
    d, length = dims
    return join(block(8 * d, 8 * d, 2 * d), rod(d, length + 1, at=(0, 0, -1), along=(0, 0, 1)))


def tube(dims: Triple) -> TopoDS_Shape:
    """Outside, inside, length: the wall of a tube is no edge distance."""
    outer, inner, length = dims
    return cut(rod(outer, length), rod(inner, length + 2, at=(0, 0, 1)))


def flange(dims: tuple[float, float, float, int]) -> TopoDS_Shape:
    """A disc with a bore and a bolt circle."""
    outer, bore, bolt, count = dims
    body = cut(rod(outer, 16.0), through(bore, 16.0))
    reach = 0.37 * outer
    for i in range(count):
        turn = 2 * math.pi * i / count
        body = cut(
            body, through(bolt, 16.0, x=reach * math.cos(turn), y=reach * math.sin(turn))
        )
    return body


def grid(dims: tuple[float, int, int]) -> TopoDS_Shape:
    """A plate with rows and columns of one hole."""
    d, columns, rows = dims
    pitch = 2.5 * d
    plate = block(pitch * (columns + 1), pitch * (rows + 1), 2 * d)
    for i in range(columns):
        for j in range(rows):
            x, y = pitch * (i - (columns - 1) / 2), pitch * (j - (rows - 1) / 2)
            plate = cut(plate, through(d, 2 * d, x=x, y=y))
    return plate


def angle_bracket(dims: Pair) -> TopoDS_Shape:
    """Two legs at a right angle, a hole in each: the inner corner is no pocket corner."""
    leg, thick = dims
    body = block(leg, leg, thick)
    wall = block(thick, leg, leg, at=(-leg / 2 + thick / 2, 0, leg - 1))
    body = join(body, wall)
    d = thick / 2
    body = cut(body, through(d, thick, x=leg / 6))
    across = drill(d, thick + 1, at=(-leg / 2, 0, leg / 2), along=(1, 0, 0), point_deg=180)
    return cut(body, across)


def stepped_block(dims: Triple) -> TopoDS_Shape:
    """A block with a shoulder milled along one side."""
    length, width, height = dims
    step = block(length + 2, width / 2, height / 2 + 1, at=(0, width / 2, 1))
    return cut(block(length, width, height), step)


def obround(dims: Triple) -> TopoDS_Shape:
    """A plate with a slotted hole: its ends are halves of nothing."""
    width, length, thick = dims
    long = length - width
    plate = block(4 * length, 6 * width, thick)
    middle = block(long, width, thick + 2, at=(0, 0, 1))
    ends = [rod(width, thick + 2, at=(s * long / 2, 0, 1)) for s in (1, -1)]
    return cut(plate, join(middle, *ends))


def obround_blind(dims: Triple) -> TopoDS_Shape:
    """The same slot, milled half-way into a block."""
    width, length, depth = dims
    long = length - width
    body = block(4 * length, 6 * width, 3 * depth)
    middle = block(long, width, depth + 1, at=(0, 0, 1))
    ends = [rod(width, depth + 1, at=(s * long / 2, 0, 1)) for s in (1, -1)]
    return cut(body, join(middle, *ends))


def boss_in_a_bore(dims: Triple) -> TopoDS_Shape:
    """A wide counterbore with a spigot left standing in its middle."""
    bore, boss, depth = dims
    body = cut(block(3.2 * bore, 3.2 * bore, 2 * depth + 4), drill(bore, depth, point_deg=180))
    return join(body, rod(boss, depth, at=(0, 0, -depth), along=(0, 0, 1)))


def _bodies() -> Iterator[Case]:
    calm = sound()
    spindles = [(20.0, 30.0, 25.0), (25.0, 40.0, 30.0), (30.0, 35.0, 12.0)]
    yield from over("calm-shaft", spindles, shaft, calm)
    yield from over("calm-relief-groove", spindles, relieved_shaft, calm)
    yield from over("calm-pin", [(5.0, 40.0), (8.0, 60.0), (3.0, 40.0)], pinned_plate, calm)
    tubes = [(60.0, 20.0, 50.0), (40.0, 25.0, 60.0), (30.0, 26.0, 40.0)]
    yield from over("calm-tube", tubes, tube, calm)
    flanges = [(140.0, 30.0, 9.0, 6), (200.0, 40.0, 11.0, 8), (160.0, 24.0, 13.5, 4)]
    yield from over("calm-flange", flanges, flange, sound("P39", "P38", "P28"))
    yield from over("calm-grid", [(6.0, 4, 3), (10.0, 3, 2), (5.0, 5, 2)], grid, sound("P39"))
    yield from over(
        "calm-bracket", [(60.0, 10.0), (80.0, 16.0), (50.0, 12.0)], angle_bracket, calm
    )
    steps = [(60.0, 40.0, 20.0), (90.0, 60.0, 24.0), (50.0, 50.0, 30.0)]
    yield from over("calm-shoulder", steps, stepped_block, calm)
    slots = [(12.0, 40.0, 12.0), (10.0, 30.0, 8.0), (20.0, 50.0, 25.0)]
    yield from over("calm-obround", slots, obround, calm)
    yield from over("calm-obround-blind", slots, obround_blind, calm)
    spigots = [(30.0, 10.0, 8.0), (40.0, 20.0, 12.0), (50.0, 16.0, 20.0)]
    yield from over("calm-boss-in-a-bore", spigots, boss_in_a_bore, calm)


# ---------------------------------------------------------------- mouths and stacks


def counterbored(d: float) -> TopoDS_Shape:
    """A socket-head screw's seat over its through hole."""
    return cut(block(8 * d, 8 * d, 3 * d), through(d, 3 * d), drill(2 * d, d, point_deg=180))


def countersunk(d: float) -> TopoDS_Shape:
    """A 90 degree countersink over a through hole."""
    sink = taper(2 * d + 2, 0.0, d + 1, at=(0, 0, 1))
    return cut(block(8 * d, 8 * d, 3 * d), through(d, 3 * d), sink)


def counterbored_and_countersunk(d: float) -> TopoDS_Shape:
    """A counterbore, and a chamfer where the through hole begins at its floor."""
    sink = taper(1.4 * d, 0.0, 0.7 * d, at=(0, 0, -d))
    body = block(8 * d, 8 * d, 4 * d)
    return cut(body, through(d, 4 * d), drill(2 * d, d, point_deg=180), sink)


def chamfered_mouth(d: float) -> TopoDS_Shape:
    """A blind hole with a broken mouth."""
    sink = taper(d + 4, 0.0, d / 2 + 2, at=(0, 0, 1))
    return cut(block(6 * d, 6 * d, 5 * d), drill(d, 2.5 * d), sink)


def rounded_mouth(d: float) -> TopoDS_Shape:
    """A through hole with a radius at its mouth: not an outer edge of the part."""
    body = cut(block(8 * d, 8 * d, 2 * d), through(d, 2 * d))
    return fillet(body, 1.0, lambda m: abs(m[2]) < 1e-6 and math.hypot(m[0], m[1]) < 1e-6)


def ball_bottom(d: float) -> TopoDS_Shape:
    """A blind hole that ends in half a ball."""
    body = cut(block(6 * d, 6 * d, 5 * d), drill(d, 2 * d, point_deg=180))
    return cut(body, ball(d, at=(0, 0, -2 * d)))


def flat_bottom(d: float) -> TopoDS_Shape:
    """A blind hole that ends flat."""
    return cut(block(6 * d, 6 * d, 5 * d), drill(d, 2 * d, point_deg=180))


def split_wall(d: float) -> TopoDS_Shape:
    """A through hole whose wall is two half cylinders."""
    return cut_untidied(block(6 * d, 6 * d, 2 * d), half_shells(d, 2 * d + 1))


def split_wall_blind(d: float) -> TopoDS_Shape:
    """A blind flat hole whose wall is two half cylinders."""
    return cut_untidied(block(6 * d, 6 * d, 5 * d), half_shells(d, 2 * d))


def _mouths_and_stacks() -> Iterator[Case]:
    d = (6.0, 9.0, 14.0)
    asked = sound("P26", "P28", "P29", "P44")
    for family, make in (
        ("counterbore", counterbored),
        ("countersink", countersunk),
        ("counterbore-and-countersink", counterbored_and_countersunk),
        ("chamfered-mouth", chamfered_mouth),
        ("rounded-mouth", rounded_mouth),
        ("ball-bottom", ball_bottom),
        ("flat-bottom", flat_bottom),
        ("split-wall", split_wall),
        ("split-wall-blind", split_wall_blind),
    ):
        yield from over(f"calm-{family}", d, make, asked)
    bars = [(8.0, 32.0), (6.0, 24.0), (10.0, 38.0)]
    yield from over("calm-flatted-bar", bars, through_a_flatted_bar, sound("P26", "P27", "P28"))


# ---------------------------------------------------------------- crossings


def crossing(dims: Pair) -> TopoDS_Shape:
    """Two through bores that cross in the middle of a block."""
    d, other = dims
    side = 3.6 * d
    body = cut(block(side, 8 * d, side), through(d, side))
    rod_along = rod(other, side + 2, at=(-side / 2 - 1, 0, -side / 2), along=(1, 0, 0))
    return cut(body, rod_along)


def into_a_cavity(dims: Pair) -> TopoDS_Shape:
    """A through hole from outside into the flat wall of a milled pocket."""
    d, depth = dims
    body = cut(block(10 * d, 8 * d, 1.6 * depth), pocket(4 * d, 4 * d, depth, depth / 2.5))
    at = (-5 * d, 0, -depth / 2)
    return cut(body, drill(d, 3.5 * d, at=at, along=(1, 0, 0), point_deg=180))


def hole_in_a_floor(dims: Pair) -> TopoDS_Shape:
    """A through hole in the middle of a pocket's floor."""
    d, depth = dims
    thick = depth + 2 * d
    body = cut(block(12 * d, 10 * d, thick), pocket(6 * d, 5 * d, depth, depth / 2.5))
    return cut(body, through(d, thick))


def slot_over_a_hole(d: float) -> TopoDS_Shape:
    """A cross slot cuts the top of a blind hole: the gap is the slot's, not the edge's."""
    body = cut(block(8 * d, 8 * d, 6 * d), drill(d, 3.5 * d))
    return cut(body, channel(d / 2, 8 * d, d))


def _crossings() -> Iterator[Case]:
    pairs = [(10.0, 9.0), (8.0, 8.0), (16.0, 15.0)]
    yield from over("calm-crossing", pairs, crossing, sound("P28"))
    cavities = [(6.0, 20.0), (8.0, 26.0), (10.0, 32.0)]
    yield from over("calm-into-a-cavity", cavities, into_a_cavity, sound("P26", "P28", "P14"))
    yield from over("calm-hole-in-a-floor", cavities, hole_in_a_floor, sound("P26", "P28"))
    yield from over(
        "calm-clevis", [(a, 0.0, 0.0) for a in (6.0, 12.0, 20.0)], clevis, sound("P37")
    )
    yield from over("calm-slot-over-a-hole", (6.0, 10.0, 14.0), slot_over_a_hole, sound("P28"))


# ---------------------------------------------------------------- written otherwise


def _written_otherwise() -> Iterator[Case]:
    d = (6.0, 9.0, 14.0)
    yield from over(
        "splines-blind-hole",
        [(a, 3.0) for a in d],
        lambda x: as_splines(blind_hole(x)),
        sound("P29", "P26", "P28"),
    )
    yield from over(
        "splines-deep-hole",
        [(a, 4.5) for a in d],
        lambda x: as_splines(blind_hole(x)),
        violating({"P29": "minor"}),
    )
    yield from over(
        "splines-counterbore", d, lambda x: as_splines(counterbored(x)), sound("P44", "P26")
    )
    yield from over(
        "splines-pocket",
        [(20.0, 10.0, 4.0, 0.0), (30.0, 15.0, 6.0, 0.0), (40.0, 12.0, 5.0, 0.0)],
        lambda x: as_splines(pocketed(x)),
        sound("P13", "P14"),
    )
    yield from over(
        "splines-tight-corner",
        [(20.0, 10.0, 2.0, 0.0), (30.0, 15.0, 3.0, 0.0), (40.0, 12.0, 2.5, 0.0)],
        lambda x: as_splines(pocketed(x)),
        violating({"P14": "minor"}),
    )
    yield from over(
        "splines-thin-ligament",
        [(a, 0.4 * a) for a in d],
        lambda x: as_splines(two_holes(x)),
        violating({"P39": "minor"}),
    )


# ---------------------------------------------------------------- several at once


def much_wrong(scale: float) -> TopoDS_Shape:
    """A deep hole, an off-list hole near the side, a sharp pocket and a narrow slot."""
    s = scale
    body = block(160 * s, 100 * s, 40 * s)
    body = cut(body, pocket(50 * s, 30 * s, 12 * s, 0, at=(-40 * s, 0, 0)))
    body = cut(body, drill(4.0, 30.0, at=(30 * s, 20 * s, 0)))
    body = cut(body, drill(10.05, 20.0, at=(80 * s - 5.025 - 3.0, -20 * s, 0)))
    return cut(body, channel(0.8, 160 * s, 2.0, at=(0, 40 * s, 0)))


def crowded(scale: float) -> TopoDS_Shape:
    """Two holes too close, one of them cut by the side, and a rounded top edge."""
    s = scale
    body = fillet(
        block(120 * s, 80 * s, 20.0), 2.0, lambda m: abs(m[2]) < 1e-6 and m[1] < -39 * s
    )
    body = cut(body, through(10.0, 20.0, x=-10 * s), through(10.0, 20.0, x=-10 * s + 12.0))
    return cut(body, through(10.0, 20.0, x=60 * s - 4.0))


def tilted_and_tight(scale: float) -> TopoDS_Shape:
    """A pocket with three radii, one of them too small, and a floor edge rounder than it."""
    s = scale
    depth = 12.0 * s
    tool = pocket(60 * s, 40 * s, depth, (2.5 * s, 4.0 * s, 6.0 * s, 6.0 * s))
    body = cut(block(140 * s, 90 * s, 30 * s), tool)
    return cut(body, drill(0.8, 1.6, at=(55 * s, 30 * s, 0)))


def _several() -> Iterator[Case]:
    scales = (1.0, 1.3, 0.9)
    many = {"P14": "critical", "P19": "major", "P29": "minor", "P34": "minor", "P38": "minor"}
    yield from over("several-in-a-block", scales, much_wrong, violating(many))
    crowd = {"P28": "minor", "P39": "minor"}
    yield from over("several-holes", scales, crowded, violating(crowd, "P38"))
    tight = {"P14": "minor", "P17": "minor", "P30": "major"}
    yield from over("several-radii", scales, tilted_and_tight, violating(tight))
