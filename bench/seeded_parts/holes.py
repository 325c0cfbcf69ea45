"""Seeded parts for the hole rules: each limit from both sides, and twins with nothing wrong.

Every part keeps the other rules content: diameters from the drill list, walls and edges a
diameter away, square mouths, unless the case is about exactly that.
"""

import math
from collections.abc import Iterator

from OCP.TopoDS import TopoDS_Shape

from bench.seeded_parts.case import Case, over, sound, violating
from bench.seeded_parts.shapes import block, drill, pocket, profile, rod, through
from bench.seeded_parts.working import cut

Pair = tuple[float, float]
Triple = tuple[float, float, float]


def cases() -> Iterator[Case]:
    """All of them, rule by rule."""
    yield from _deep()
    yield from _small()
    yield from _off_list()
    yield from _many_diameters()
    yield from _in_line()
    yield from _edge()
    yield from _ligament()
    yield from _stepped()
    yield from _entry()
    yield from _exit()
    yield from _partial()


# ---------------------------------------------------------------- P29, P30, P34


def blind_hole(dims: Pair) -> TopoDS_Shape:
    """A drilled hole (d, depth over diameter) in the middle of a block that is large enough."""
    d, ld = dims
    side, depth = max(6 * d, 8.0), ld * d
    return cut(block(side, side * 1.2, depth + 3 * d), drill(d, depth))


def through_hole(dims: Pair) -> TopoDS_Shape:
    """The same, right through."""
    d, ld = dims
    side = max(6 * d, 8.0)
    return cut(block(side, side * 1.2, ld * d), through(d, ld * d))


def grooved(dims: Pair) -> TopoDS_Shape:
    """A through hole (d, length) with a narrow ring groove halfway."""
    d, length = dims
    ring = rod(1.1 * d, 0.13 * d, at=(0, 0, -length / 2))
    return cut(block(6 * d, 6 * d, length), through(d, length), ring)


def _deep() -> Iterator[Case]:
    d = (5.0, 8.0, 12.0)
    for tier, family, ratios in (
        ("minor", "just-over-4", (4.01, 4.01, 4.01)),
        ("minor", "seven", (6.5, 7.0, 8.0)),
        ("minor", "ten-itself", (10.0, 10.0, 10.0)),
        ("major", "just-over-10", (10.01, 10.01, 10.01)),
        ("major", "gun-drilled", (12.0, 15.0, 11.0)),
    ):
        dims = list(zip(d, ratios, strict=True))
        yield from over(f"P29-{family}", dims, blind_hole, violating({"P29": tier}))
    dims = [(a, 4.2) for a in d]
    yield from over("P29-through", dims, through_hole, violating({"P29": "minor"}))
    halves = [(a, 7.9 * a) for a in (6.0, 10.0, 14.0)]
    yield from over("P29-grooved", halves, grooved, violating({"P29": "minor"}))
    for family, ratio in (("just-under-4", 3.99), ("four-itself", 4.0), ("short", 2.5)):
        yield from over(
            f"P29-sound-{family}",
            [(a, ratio) for a in d],
            blind_hole,
            sound("P29", "P26", "P28"),
        )
    dims = [(a, 3.0) for a in d]
    yield from over("P29-sound-through", dims, through_hole, sound("P29", "P26", "P27"))


def _small() -> Iterator[Case]:
    for tier, family, ds in (
        ("critical", "spark", (0.3, 0.4, 0.45)),
        ("critical", "just-under-half", (0.499, 0.499, 0.499)),
        ("major", "half-itself", (0.5, 0.501, 0.5)),
        ("major", "just-under-1", (0.999, 0.95, 0.8)),
        ("info", "one-itself", (1.0, 1.001, 1.5)),
        ("info", "just-under-2.5", (2.499, 2.45, 2.2)),
    ):
        dims = [(d, 2.0) for d in ds]
        yield from over(f"P30-{family}", dims, through_hole, violating({"P30": tier}))
    dims = [(2.5, 2.0), (2.501, 3.0), (3.0, 2.0)]
    yield from over("P30-sound", dims, through_hole, sound("P30", "P34"))


def _off_list() -> Iterator[Case]:
    bad = violating({"P34": "minor"})
    for family, ds in (
        ("between", (5.05, 10.16, 20.1)),
        ("just-off", (5.021, 12.979, 24.021)),
        ("inch-size", (6.35, 9.525, 15.875)),
        ("above-32", (33.25, 40.2, 45.7)),
    ):
        yield from over(f"P34-{family}", [(d, 2.0) for d in ds], blind_hole, bad)
    for family, ds in (
        ("sound-just-on", (5.019, 12.981, 24.019)),
        ("sound-limit", (5.02, 12.98, 24.02)),
        ("sound-listed", (2.85, 13.7, 31.75)),
    ):
        yield from over(f"P34-{family}", [(d, 2.0) for d in ds], blind_hole, sound("P34"))


# ---------------------------------------------------------------- P35


def row_of_holes(ds: tuple[float, ...]) -> TopoDS_Shape:
    """Through holes of these diameters in a row, well apart."""
    pitch, thick = 5 * max(ds), 3 * min(ds)
    start = -pitch * (len(ds) - 1) / 2
    plate = block(pitch * (len(ds) + 1), 6 * max(ds), thick)
    tools = [through(d, thick, x=start + i * pitch) for i, d in enumerate(ds)]
    return cut(plate, *tools)


def _many_diameters() -> Iterator[Case]:
    bad = violating({"P35": "minor"})
    seven = (
        (4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0),
        (3.0, 3.4, 4.2, 5.5, 6.6, 8.5, 9.0),
        (5.0, 5.5, 6.0, 6.5, 7.0, 8.0, 9.0),
    )
    yield from over("P35-seven", seven, row_of_holes, bad)
    close = ((10.0, 10.1), (7.0, 7.1), (5.2, 5.3))
    yield from over("P35-close-pair", close, row_of_holes, bad)
    six = tuple(ds[:6] for ds in seven)
    yield from over("P35-sound-six", six, row_of_holes, sound("P35"))
    four = tuple((*ds[:4], ds[0], ds[1]) for ds in seven)
    yield from over("P35-sound-four", four, row_of_holes, sound("P35", "P39"))
    apart = ((10.0, 10.3), (4.8, 4.9), (3.4, 3.5))
    yield from over("P35-sound-apart", apart, row_of_holes, sound("P35"))


# ---------------------------------------------------------------- P37


def clevis(dims: Triple) -> TopoDS_Shape:
    """A fork with a bore (d) through each leg; the second stands off by (dx, dz)."""
    d, dx, dz = dims
    leg, gap, deep = 1.5 * d, 3 * d, 3 * d
    fork = block(6 * d, gap + 2 * leg, deep + 2 * d)
    fork = cut(fork, block(6 * d + 2, gap, deep + 1, at=(0, 0, 1)))
    outer = gap / 2 + leg
    one = rod(d, leg + 2, at=(0, -outer - 1, -1.6 * d), along=(0, 1, 0))
    two = rod(d, leg + 2, at=(dx, outer + 1, -1.6 * d + dz), along=(0, -1, 0))
    return cut(fork, one, two)


def eccentric_counterbore(dims: Triple) -> TopoDS_Shape:
    """A counterbore beside the axis of the hole (d) that it serves."""
    d, dx, dy = dims
    plate = block(8 * d, 8 * d, 3 * d)
    seat = drill(2 * d, d, at=(dx, dy, 0), point_deg=180)
    return cut(plate, through(d, 3 * d), seat)


def met_inside(dims: Triple) -> TopoDS_Shape:
    """A bore (d) from both sides, the lower one off by (dx, dy); they meet halfway."""
    d, dx, dy = dims
    long = 4 * d
    upper = drill(d, long / 2, point_deg=180)
    lower = rod(d, 0.55 * long + 1, at=(dx, dy, -long - 1), along=(0, 0, 1))
    return cut(block(6 * d, 6 * d, long), upper, lower)


def _in_line() -> Iterator[Case]:
    bad = violating({"P37": "major"})
    d = (8.0, 10.0, 16.0)
    for family, shares in (
        ("off-by-0.2", [(0.2, 0.0), (0.0, 0.2), (0.15, 0.15)]),
        ("just-off", [(0.011, 0.0), (0.0, 0.011), (0.008, 0.008)]),
        ("just-under-half", [(0.49 * 8, 0.0), (0.49 * 10, 0.0), (0.49 * 16, 0.0)]),
    ):
        dims = [(a, dx, dz) for a, (dx, dz) in zip(d, shares, strict=True)]
        yield from over(f"P37-{family}", dims, clevis, bad)
    dims = [(8.0, 0.05, 0.0), (10.0, 0.0, 0.1), (16.0, 0.7, 0.7)]
    yield from over("P37-met-inside", dims, met_inside, bad)
    dims = [(8.0, 0.3, 0.0), (10.0, 0.0, 0.2), (16.0, 0.1, 0.1)]
    yield from over("P37-eccentric-counterbore", dims, eccentric_counterbore, bad)
    true = [(a, 0.0, 0.0) for a in d]
    yield from over("P37-sound-clevis", true, clevis, sound("P37", "P26", "P28"))
    nearly = [(8.0, 0.009, 0.0), (10.0, 0.0, 0.01), (16.0, 0.006, 0.006)]
    yield from over("P37-sound-nearly", nearly, clevis, sound("P37"))
    beside = [(a, 0.51 * a, 0.0) for a in d]
    yield from over("P37-sound-another-axis", beside, clevis, sound("P26"))
    yield from over("P37-sound-counterbore", true, eccentric_counterbore, sound("P44"))


# ---------------------------------------------------------------- P38, P39


def near_edge(dims: Pair) -> TopoDS_Shape:
    """A through hole (d) whose wall stands this far from the +x side."""
    d, wall = dims
    side = 8 * d
    plate = block(side, side, 2 * d)
    return cut(plate, through(d, 2 * d, x=side / 2 - wall - d / 2, y=0.3 * d))


def beside_pocket(dims: Pair) -> TopoDS_Shape:
    """A through hole (d) whose wall stands this far from a closed pocket's."""
    d, wall = dims
    plate = block(12 * d, 12 * d, 3.4 * d)
    return cut(
        plate,
        pocket(3 * d, 3 * d, 1.6 * d, 0.8 * d),
        through(d, 3.4 * d, x=2 * d + wall, y=0.3 * d),
    )


def two_holes(dims: Pair) -> TopoDS_Shape:
    """Two equal through holes (d) with this much between them."""
    d, wall = dims
    gap = (d + wall) / 2
    plate = block(8 * d + wall, 6 * d, 2 * d)
    return cut(plate, through(d, 2 * d, x=-gap), through(d, 2 * d, x=gap))


def _edge() -> Iterator[Case]:
    d = (6.0, 10.0, 14.0)
    for tier, family, walls in (
        ("critical", "paper-thin", (0.05, 0.3, 0.5)),
        ("critical", "just-under-0.8", (0.79, 0.79, 0.79)),
        ("minor", "just-over-0.8", (0.81, 0.81, 0.81)),
        ("minor", "just-under-half-d", (2.99, 4.99, 6.99)),
    ):
        dims = list(zip(d, walls, strict=True))
        yield from over(f"P38-{family}", dims, near_edge, violating({"P38": tier}))
    thin = list(zip(d, (0.05, 0.3, 0.5), strict=True))
    yield from over("P38-beside-pocket", thin, beside_pocket, violating({"P38": "critical"}))
    apart = [(a, 1.01 * a) for a in d]
    yield from over("P38-sound-beside-pocket", apart, beside_pocket, sound("P38", "P14"))
    grey = [(a, a / 2 + 0.01) for a in d]
    yield from over("P38-sound-just-over-half-d", grey, near_edge, sound("P38"))
    yield from over("P38-sound", [(a, 1.01 * a) for a in d], near_edge, sound("P38", "P28"))


def _ligament() -> Iterator[Case]:
    d = (6.0, 10.0, 14.0)
    for tier, family, walls in (
        ("major", "paper-thin", (0.05, 0.3, 0.5)),
        ("major", "just-under-0.8", (0.79, 0.79, 0.79)),
        ("minor", "just-over-0.8", (0.81, 0.81, 0.81)),
        ("minor", "just-under-half-d", (2.99, 4.99, 6.99)),
    ):
        dims = list(zip(d, walls, strict=True))
        yield from over(f"P39-{family}", dims, two_holes, violating({"P39": tier}))
    grey = [(a, a / 2 + 0.01) for a in d]
    yield from over("P39-sound-just-over-half-d", grey, two_holes, sound("P39"))
    yield from over("P39-sound", [(a, 1.01 * a) for a in d], two_holes, sound("P39", "P38"))


# ---------------------------------------------------------------- P44


def chambered(dims: Pair) -> TopoDS_Shape:
    """A through bore (d) that widens (to D) in the middle, where no tool comes from outside."""
    d, wide = dims
    body = block(7 * wide, 7 * wide, 4 * d)
    return cut(body, through(d, 4 * d), rod(wide, d, at=(0, 0, -1.5 * d)))


def stepped(ds: tuple[float, ...]) -> TopoDS_Shape:
    """A through bore in equal steps of these diameters, from the top down."""
    wide, step = max(ds), min(ds) * 1.2
    tools = [
        rod(d, step + 2, at=(0, 0, 1)) if i == 0 else rod(d, step, at=(0, 0, -i * step))
        for i, d in enumerate(ds)
    ]
    tools[0] = rod(ds[0], step + 1, at=(0, 0, 1))
    tools[-1] = rod(ds[-1], step + 1, at=(0, 0, -(len(ds) - 1) * step))
    return cut(block(7 * wide, 7 * wide, step * len(ds)), *tools)


def _stepped() -> Iterator[Case]:
    bad = violating({"P44": "major"})
    yield from over("P44-chamber", [(8.0, 12.0), (10.0, 16.0), (14.0, 20.0)], chambered, bad)
    yield from over("P44-slight", [(8.0, 8.3), (10.0, 10.5), (20.0, 21.0)], chambered, bad)
    bulged = ((6.0, 9.0, 8.0), (10.0, 14.0, 12.0), (12.0, 18.0, 12.0))
    yield from over("P44-three-steps", bulged, stepped, bad)
    down = ((12.0, 8.0), (16.0, 12.0, 8.0), (6.0, 10.0, 14.0))
    yield from over("P44-sound-steps", down, stepped, sound("P44", "P29"))
    waisted = ((12.0, 8.0, 12.0), (16.0, 10.0, 14.0), (20.0, 15.0, 20.0))
    yield from over("P44-sound-waisted", waisted, stepped, sound("P44"))


# ---------------------------------------------------------------- P26, P27


def sloped_entry(dims: Pair) -> TopoDS_Shape:
    """A blind hole (d) drilled straight down into a slope (degrees)."""
    d, slope = dims
    return cut(_slope(dims), drill(d, 2.5 * d, lead=4 * d * math.tan(math.radians(slope)) + 1))


def sloped_exit(dims: Pair) -> TopoDS_Shape:
    """A counterbored through hole (d), square to its mouth, that leaves through a slope."""
    d, _ = dims
    body = _slope(dims, below=True)
    seat = drill(1.5 * d, 0.8 * d, point_deg=180)
    return cut(body, through(d, 4 * d), seat)


def plain_sloped_exit(dims: Pair) -> TopoDS_Shape:
    """The same without a counterbore: anyone would start the drill on the square side."""
    d, _ = dims
    return cut(_slope(dims, below=True), through(d, 4 * d))


def spot_faced_slope(dims: Pair) -> TopoDS_Shape:
    """A blind hole in a slope, behind a flat that an end mill made first."""
    d, slope = dims
    rise = 4 * d * math.tan(math.radians(slope)) + 1
    flat = drill(1.5 * d, 0.75 * d, point_deg=180, lead=rise)
    return cut(_slope(dims), drill(d, 2.5 * d, lead=rise), flat)


def _slope(dims: Pair, *, below: bool = False) -> TopoDS_Shape:
    d, slope = dims
    half, rise = 4 * d, 4 * d * math.tan(math.radians(slope))
    if below:
        deep = -2.5 * d
        return profile(
            [(-half, 0), (-half, deep - rise), (half, deep + rise), (half, 0)], 7 * d
        )
    deep = -6 * d - rise
    return profile([(-half, -rise), (-half, deep), (half, deep), (half, rise)], 7 * d)


def into_a_bar(dims: Pair) -> TopoDS_Shape:
    """A blind hole (d) drilled radially into a round bar (D)."""
    d, bar = dims
    body = rod(bar, 8 * d, at=(0, -4 * d, -bar / 2), along=(0, 1, 0))
    return cut(body, drill(d, 2.5 * d))


def through_a_bar(dims: Pair) -> TopoDS_Shape:
    """A hole (d) drilled right across a round bar (D)."""
    d, bar = dims
    body = rod(bar, 8 * d, at=(0, -4 * d, -bar / 2), along=(0, 1, 0))
    return cut(body, through(d, bar))


def through_a_flatted_bar(dims: Pair) -> TopoDS_Shape:
    """The same, with a spot face where the drill enters and another where it leaves."""
    d, bar = dims
    sag = bar / 2 - math.sqrt((bar / 2) ** 2 - (0.8 * d) ** 2)
    top = drill(1.6 * d, sag + 0.5, point_deg=180)
    below = drill(1.6 * d, sag + 0.5, at=(0, 0, -bar), along=(0, 0, 1), point_deg=180)
    return cut(through_a_bar(dims), top, below)


def _entry() -> Iterator[Case]:
    d = (6.0, 10.0, 16.0)
    for tier, family, slope in (
        ("minor", "just-over-5", 5.1),
        ("minor", "twenty", 20.0),
        ("minor", "just-under-30", 29.9),
        ("major", "just-over-30", 30.1),
        ("major", "forty", 40.0),
    ):
        dims = [(a, slope) for a in d]
        yield from over(f"P26-{family}", dims, sloped_entry, violating({"P26": tier}))
    dims = [(4.0, 60.0), (6.0, 40.0), (10.0, 50.0)]
    yield from over("P26-round-bar", dims, into_a_bar, violating({"P26": "minor"}))
    yield from over("P26-sound", [(a, 0.9) for a in d], sloped_entry, sound("P26", "P28"))
    yield from over("P26-sound-just-under-5", [(a, 4.9) for a in d], sloped_entry, sound("P26"))
    faced = [(a, 20.0) for a in d]
    yield from over("P26-sound-spot-faced", faced, spot_faced_slope, sound("P26", "P28"))
    crossed = [(6.0, 24.0), (8.0, 30.0), (5.0, 20.0)]
    both = violating({"P26": "minor", "P27": "minor"})
    yield from over("P26-P27-across-a-bar", crossed, through_a_bar, both)
    flats = [(8.0, 32.0), (6.0, 24.0), (10.0, 38.0)]
    good = sound("P26", "P27", "P29")
    yield from over("P26-P27-sound-flats", flats, through_a_flatted_bar, good)


def _exit() -> Iterator[Case]:
    d = (6.0, 10.0, 16.0)
    for tier, family, slope, make in (
        ("minor", "just-over-5", 5.1, sloped_exit),
        ("minor", "fifteen", 15.0, sloped_exit),
        ("minor", "plain-fifteen", 15.0, plain_sloped_exit),
        ("major", "just-over-30", 30.1, sloped_exit),
    ):
        dims = [(a, slope) for a in d]
        yield from over(f"P27-{family}", dims, make, violating({"P27": tier}))
    yield from over("P27-sound", [(a, 0.9) for a in d], sloped_exit, sound("P27", "P44"))
    yield from over("P27-sound-just-under-5", [(a, 4.9) for a in d], sloped_exit, sound("P27"))


# ---------------------------------------------------------------- P28


def broken_out(dims: Pair) -> TopoDS_Shape:
    """A through hole (d) whose wall keeps this share of the full turn: the side cuts it."""
    d, share = dims
    inside = d / 2 * math.cos(math.pi * (1 - share))
    side = 8 * d
    plate = block(side, side, 2 * d)
    return cut(plate, through(d, 2 * d, x=side / 2 - inside))


def broken_out_blind(dims: Pair) -> TopoDS_Shape:
    """The same, blind."""
    d, share = dims
    inside = d / 2 * math.cos(math.pi * (1 - share))
    side = 8 * d
    plate = block(side, side, 4 * d)
    return cut(plate, drill(d, 2 * d, at=(side / 2 - inside, 0, 0)))


def _partial() -> Iterator[Case]:
    d = (8.0, 10.0, 16.0)
    for tier, family, share, make in (
        ("major", "sixty", 0.60, broken_out),
        ("major", "just-under-75", 0.74, broken_out),
        ("minor", "just-over-75", 0.76, broken_out),
        ("minor", "ninety", 0.90, broken_out),
        ("major", "blind-seventy", 0.70, broken_out_blind),
        ("minor", "blind-eighty", 0.80, broken_out_blind),
    ):
        dims = [(a, share) for a in d]
        yield from over(f"P28-{family}", dims, make, violating({"P28": tier}, "P38"))
    dims = [(a, 1.2 * a) for a in d]
    yield from over("P28-sound", dims, near_edge, sound("P28", "P38"))
