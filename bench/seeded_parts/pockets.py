"""Seeded parts for pockets, corners, slots and outer edges."""

from collections.abc import Iterator

from OCP.TopoDS import TopoDS_Shape

from bench.seeded_parts.case import Case, over, sound, violating
from bench.seeded_parts.shapes import block, channel, pocket, through
from bench.seeded_parts.working import chamfer, common, cut, fillet

Pair = tuple[float, float]
Triple = tuple[float, float, float]
Quad = tuple[float, float, float, float]


def cases() -> Iterator[Case]:
    """All of them, rule by rule."""
    yield from _deep_pockets()
    yield from _corners()
    yield from _floor_edges()
    yield from _mixed_radii()
    yield from _outer_edges()
    yield from _slots()


# ---------------------------------------------------------------- P13, P14


def pocketed(dims: Quad) -> TopoDS_Shape:
    """A block with one closed pocket: width, depth, corner radius, floor radius."""
    width, depth, corner, floor = dims
    long = 1.8 * width
    body = block(long + 3 * width, 4 * width, depth + width)
    return cut(body, pocket(long, width, depth, corner, floor=floor))


def open_pocket(dims: Quad) -> TopoDS_Shape:
    """The same pocket, open towards +x."""
    width, depth, corner, _ = dims
    long = 2 * width
    body = block(2 * long, 4 * width, depth + width)
    return cut(
        body, pocket(long, width, depth, (0, corner, corner, 0), at=(long / 2 + 1, 0, 0))
    )


def window(dims: Quad) -> TopoDS_Shape:
    """A plate of this depth with the pocket going right through."""
    width, depth, corner, _ = dims
    long = 1.8 * width
    return cut(
        block(long + 3 * width, 4 * width, depth), pocket(long, width, depth + 1, corner)
    )


def _deep_pockets() -> Iterator[Case]:
    w = (8.0, 10.0, 14.0)
    for tier, family, ratio in (
        ("minor", "just-over-4", 4.01),
        ("minor", "five", 5.0),
        ("major", "just-over-6", 6.01),
        ("major", "eight", 8.0),
    ):
        # No corner that fits a pocket so narrow is large enough for its depth.
        dims = [(a, ratio * a, 0.4 * a, 0.0) for a in w]
        yield from over(
            f"P13-{family}", dims, pocketed, violating({"P13": tier, "P14": "major"})
        )
    dims = [(a, 3.99 * a, 0.4 * a, 0.0) for a in w]
    yield from over("P13-just-under-4", dims, pocketed, violating({"P14": "major"}))
    shallow = [(a, 0.9 * a, 0.35 * a, 0.0) for a in (16.0, 20.0, 30.0)]
    good = sound("P13", "P14")
    yield from over("P13-sound", shallow, pocketed, good)
    yield from over("P13-sound-open", shallow, open_pocket, good)
    yield from over("P13-sound-window", shallow, window, good)


def _corners() -> Iterator[Case]:
    w, depth = (24.0, 30.0, 40.0), (12.0, 15.0, 18.0)
    for tier, family, share in (
        ("critical", "sharp", 0.0),
        ("major", "just-under-sixth", 1 / 6 - 0.001),
        ("minor", "just-over-sixth", 1 / 6 + 0.001),
        ("minor", "just-under-quarter", 0.249),
    ):
        dims = [(a, h, share * h, 0.0) for a, h in zip(w, depth, strict=True)]
        yield from over(f"P14-{family}", dims, pocketed, violating({"P14": tier}))
        if family in ("sharp", "just-under-quarter"):
            yield from over(f"P14-open-{family}", dims, open_pocket, violating({"P14": tier}))
            yield from over(f"P14-window-{family}", dims, window, violating({"P14": tier}))
    for family, share in (("just-over-quarter", 0.251), ("third", 1 / 3), ("ample", 0.4)):
        dims = [(a, h, share * h, 0.0) for a, h in zip(w, depth, strict=True)]
        yield from over(f"P14-sound-{family}", dims, pocketed, sound("P14", "P13"))


# ---------------------------------------------------------------- P16


def ball_nosed(dims: Quad) -> TopoDS_Shape:
    """A pocket whose two long floor edges have a radius (``floor``) of their own.

    What a trough and an upright rounded bar have in common: every face stays analytic, which
    a fillet run over a smaller fillet would not.
    """
    width, depth, corner, floor = dims
    long = 1.8 * width
    trough = block(long + 2, width, depth + 1, at=(0, 0, 1))
    trough = fillet(trough, floor, lambda m: abs(m[2] + depth) < 1e-6 and abs(m[0]) < 1e-6)
    tool = common(trough, pocket(long, width, depth + 1, corner))
    return cut(block(long + 3 * width, 4 * width, depth + width), tool)


def _floor_edges() -> Iterator[Case]:
    bad = violating({"P16": "minor"})
    w, depth = (24.0, 30.0, 40.0), (12.0, 15.0, 18.0)
    rounder = [(a, h, h / 3, h / 2) for a, h in zip(w, depth, strict=True)]
    yield from over("P16-rounder-floor", rounder, ball_nosed, bad)
    slightly = [(a, h, h / 3, h / 3 + 0.01) for a, h in zip(w, depth, strict=True)]
    yield from over("P16-just-over", slightly, ball_nosed, bad)
    equal = [(a, h, h / 3, h / 3) for a, h in zip(w, depth, strict=True)]
    yield from over("P16-equal", equal, pocketed, bad)
    under = [(a, h, h / 3, h / 3 - 0.01) for a, h in zip(w, depth, strict=True)]
    yield from over("P16-sound-just-under", under, ball_nosed, sound("P16", "P14"))
    small = [(a, h, 0.4 * h, 1.0) for a, h in zip(w, depth, strict=True)]
    yield from over("P16-sound", small, pocketed, sound("P16", "P14", "P17"))


# ---------------------------------------------------------------- P17


def four_corners(dims: tuple[float, Quad]) -> TopoDS_Shape:
    """One pocket of this depth whose four corners have these radii."""
    depth, radii = dims
    width = 5 * max(radii)
    body = block(3 * width, 2 * width, 2 * depth)
    return cut(body, pocket(1.6 * width, width, depth, radii))


def many_pockets(dims: tuple[float, tuple[float, ...]]) -> TopoDS_Shape:
    """A row of equal-depth pockets, one corner radius each."""
    depth, radii = dims
    width = 5 * max(radii)
    pitch = 2 * width
    start = -pitch * (len(radii) - 1) / 2
    body = block(pitch * (len(radii) + 1), 2.5 * width, 2 * depth)
    tools = [
        pocket(width, 0.8 * width, depth, r, at=(start + i * pitch, 0, 0))
        for i, r in enumerate(radii)
    ]
    return cut(body, *tools)


def _mixed_radii() -> Iterator[Case]:
    bad = violating({"P17": "minor"})
    three = [
        (9.0, (4.0, 5.0, 6.0, 4.0)),
        (12.0, (5.0, 6.0, 8.0, 8.0)),
        (6.0, (3.0, 4.0, 5.0, 6.0)),
    ]
    yield from over("P17-three-in-a-pocket", three, four_corners, bad)
    two = [
        (9.0, (4.0, 5.0, 5.0, 4.0)),
        (12.0, (5.0, 6.0, 5.0, 6.0)),
        (6.0, (3.0, 3.0, 3.0, 6.0)),
    ]
    yield from over("P17-sound-two", two, four_corners, sound("P17", "P14"))
    one = [(9.0, (4.0,) * 4), (12.0, (6.0,) * 4), (6.0, (3.0,) * 4)]
    yield from over("P17-sound-one", one, four_corners, sound("P17", "P14"))
    five = [
        (9.0, (4.0, 5.0, 6.0, 8.0, 10.0)),
        (6.0, (2.0, 2.5, 3.0, 4.0, 5.0)),
        (12.0, (4.0, 5.0, 6.0, 7.0, 8.0)),
    ]
    yield from over("P17-five-in-the-part", five, many_pockets, bad)
    four = [(h, rs[:4]) for h, rs in five]
    yield from over("P17-sound-four-in-the-part", four, many_pockets, sound("P17", "P14"))


# ---------------------------------------------------------------- outer edges


def edged_block(dims: Triple) -> TopoDS_Shape:
    """A plain block: length, width, height."""
    length, width, height = dims
    return block(length, width, height)


def rounded_on_top(dims: Triple) -> TopoDS_Shape:
    """Every top edge rounded."""
    return fillet(edged_block(dims), 2.0, lambda m: abs(m[2]) < 1e-6)


def rounded_on_one_edge(dims: Triple) -> TopoDS_Shape:
    """One long top edge rounded."""
    _, width, _ = dims
    return fillet(edged_block(dims), 3.0, lambda m: abs(m[2]) < 1e-6 and m[1] > 0.49 * width)


def broken_on_top(dims: Triple) -> TopoDS_Shape:
    """Every top edge chamfered, 2 x 45 degrees."""
    return chamfer(edged_block(dims), 2.0, lambda m: abs(m[2]) < 1e-6)


def rounded_in_plan(dims: Triple) -> TopoDS_Shape:
    """A plate whose outline has round corners; its top edges are sharp."""
    length, width, height = dims
    plate = fillet(
        edged_block(dims),
        width / 6,
        lambda m: abs(m[2] + height / 2) < 1e-6 and abs(m[0]) > 0.49 * length,
    )
    return cut(plate, through(8.0, height))


def _outer_edges() -> Iterator[Case]:
    sizes = [(60.0, 40.0, 15.0), (80.0, 50.0, 20.0), (100.0, 90.0, 12.0)]
    yield from over("calm-rounded-on-top", sizes, rounded_on_top, sound())
    yield from over("calm-rounded-on-one-edge", sizes, rounded_on_one_edge, sound())
    yield from over("calm-chamfered-on-top", sizes, broken_on_top, sound())
    yield from over("calm-sharp-block", sizes, edged_block, sound())
    yield from over("calm-round-in-plan", sizes, rounded_in_plan, sound("P26"))


# ---------------------------------------------------------------- P19


def slotted(dims: Pair) -> TopoDS_Shape:
    """A block with one straight slot (width, depth), open at both ends."""
    width, depth = dims
    side = max(8 * width, 20.0)
    return cut(block(side * 1.5, side, 2 * depth + 4), channel(width, side * 1.5, depth))


def _slots() -> Iterator[Case]:
    narrow = violating({"P19": "major"})
    yield from over("P19-narrow", [(0.5, 1.5), (0.8, 2.0), (0.6, 1.0)], slotted, narrow)
    just = [(0.99, 2.0), (0.99, 3.0), (0.99, 1.5)]
    yield from over("P19-just-under-1", just, slotted, narrow)
    deep = violating({"P19": "minor"})
    w = (3.0, 5.0, 8.0)
    yield from over("P19-just-over-4w", [(a, 4.01 * a) for a in w], slotted, deep)
    yield from over("P19-deep", [(a, 5 * a) for a in w], slotted, deep)
    grey = [(1.01, 2.0), (1.0, 3.0), (2.0, 5.0)]
    yield from over("P19-sound-grey", grey, slotted, sound("P19"))
    yield from over(
        "P19-sound-just-under-4w", [(a, 3.99 * a) for a in w], slotted, sound("P19")
    )
    yield from over("P19-sound", [(a, 1.5 * a) for a in w], slotted, sound("P19"))
