"""How places, numbers and directions are said, in Chinese and in English.

Nothing here weighs or judges; a sentence made from these pieces states what was measured.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from witmark.review.vocabulary import PLACES, View

AXIS_WITHIN = 0.9998
"""Cosine (about 1 degree) within which a direction is called by the name of an axis."""

Facts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Said:
    """The same thing in both languages."""

    zh: str
    en: str

    def __add__(self, other: "Said") -> "Said":
        return Said(self.zh + other.zh, self.en + other.en)


def number(value: object, unit: str = "") -> str:
    """A measured number as people read it, at most three decimals; "?" when not measured.

    >>> number(4.0, "mm"), number(0.12345), number(None, "mm")
    ('4 mm', '0.123', '?')
    """
    if value is None:
        return "?"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    text = f"{round(float(value), 3):.10g}"
    return f"{text} {unit}" if unit else text


def mouth_direction(
    kind: str, direction: Sequence[float] | None
) -> tuple[float, float, float] | None:
    """The direction out of which a place is entered.

    A hole's direction runs from its mouth into the material, that of any other place out of
    its opening (see `witmark.review.features.feature`).
    """
    if direction is None:
        return None
    sign = -1.0 if PLACES[kind].primary_view is View.HOLE_FEATURE else 1.0
    x, y, z = (sign * part + 0.0 for part in direction)
    return x, y, z


def side_of(outward: Sequence[float] | None) -> Said:
    """The side of the assembly that a direction looks to: an axis by name, else "oblique"."""
    if outward is None:
        return Said("", "")
    for axis, name in enumerate("XYZ"):
        if abs(outward[axis]) >= AXIS_WITHIN:
            sign = "+" if outward[axis] > 0 else "-"
            return Said(f"{sign}{name} 侧", f"{sign}{name} side")
    return Said("斜向", "oblique side")


def position(at_mm: Sequence[float]) -> str:
    """A point in the assembly, to a hundredth of a millimetre."""
    return "(" + ", ".join(f"{round(x, 2) + 0.0:.10g}" for x in at_mm) + ") mm"


def kind_said(kind: str, facts: Facts) -> Said:
    """What a place is called, with the one size that tells it from its neighbours."""
    place = PLACES[kind]
    base = Said(place.zh, place.en)
    if kind == "hole":
        form = {True: Said("通孔", "through hole"), False: Said("盲孔", "blind hole")}
        through = facts.get("hole.through")
        said = form.get(through, base) if isinstance(through, bool) else base
        size = number(facts.get("hole.d"))
        return Said(f"直径 {size} mm {said.zh}", f"{size} mm {said.en}")
    if kind in ("slot", "blind_slot"):
        size = number(facts.get("slot.w"))
        return Said(f"宽 {size} mm 的{base.zh}", f"{size} mm wide {base.en}")
    if "pocket.depth" in facts and facts.get("pocket.depth") is not None:
        size = number(facts.get("pocket.depth"))
        return Said(f"深 {size} mm 的{base.zh}", f"{size} mm deep {base.en}")
    return base


def described(kind: str, facts: Facts) -> Said:
    """What was measured of a place, as the rest of a neutral sentence."""
    if kind in ("hole", "freeform_bore"):
        return _hole(facts)
    if kind == "inline":
        offset, size = number(facts.get("inline.offset")), number(facts.get("inline.d"))
        return Said(
            f"同一轴线方向的几段孔，最小直径 {size} mm，轴线之间的偏移 {offset} mm。",
            f"bores along one line, smallest diameter {size} mm, axes offset by {offset} mm.",
        )
    if kind == "surface_boundary":
        step, gap = (
            number(facts.get("surface.step_height")),
            number(facts.get("surface.coplanar_gap")),
        )
        return Said(
            f"局部面与周围大面积外表面相邻，高度差约 {step} mm，共面间隙 {gap} mm。",
            f"a local face meets the larger surface around it, about {step} mm apart in height, "
            f"coplanar within {gap} mm.",
        )
    return _recess(kind, facts)


_BOTTOMS = {
    "flat": Said("平底", "flat"),
    "cone": Said("锥形", "conical"),
    "sphere": Said("球形", "spherical"),
}
_ORDERS = {
    "monotone": Said("，各段直径沿轴线单向变化", ", diameters stepping one way"),
    "waisted": Said("，中段直径较小", ", narrower in the middle"),
    "bulged": Said("，中段直径较大", ", wider in the middle"),
}


def _hole(facts: Facts) -> Said:
    if all(facts.get(name) is None for name in ("hole.d", "hole.depth", "hole.coverage")):
        return Said(
            "孔壁为自由曲面，未能归为圆柱或圆锥，直径与深度未能测得。",
            "its wall is a free-form surface that is no cylinder or cone; diameter and depth "
            "were not measurable.",
        )
    depth, ratio = number(facts.get("hole.depth")), number(facts.get("hole.ld"))
    entry = number(facts.get("hole.entry_angle"))
    said = Said(
        f"深度 {depth} mm，深径比 {ratio}，孔口所在面法向与孔轴夹角 {entry}°",
        f"depth {depth} mm, depth-to-diameter ratio {ratio}, entry face {entry}° off the axis",
    )
    if (bottom := _BOTTOMS.get(str(facts.get("hole.bottom")))) is not None:
        said += Said(f"，孔底为{bottom.zh}", f", bottom {bottom.en}")
    said += _ORDERS.get(str(facts.get("hole.step_order")), Said("", ""))
    coverage = facts.get("hole.coverage")
    if isinstance(coverage, float) and coverage < 1:
        share = number(100 * coverage)
        said += Said(f"，孔壁占整圆的 {share}%", f", wall covering {share}% of the turn")
    return said + Said("。", ".")


_RECESS = (
    ("pocket.depth", "深 {} mm", "depth {} mm"),
    ("pocket.min_width", "最小宽 {} mm", "least width {} mm"),
    ("pocket.corner_r", "竖直内角半径 {} mm", "vertical corner radius {} mm"),
    ("pocket.floor_r", "底角半径 {} mm", "floor radius {} mm"),
    ("slot.w", "槽宽 {} mm", "slot width {} mm"),
    ("slot.depth", "槽深 {} mm", "slot depth {} mm"),
    ("fillet.r", "圆角半径 {} mm", "fillet radius {} mm"),
    ("chamfer.c", "倒角宽度 {} mm", "chamfer width {} mm"),
)


def _recess(kind: str, facts: Facts) -> Said:
    known = [row for row in _RECESS if facts.get(row[0]) is not None]
    if not known:
        where = PLACES[kind]
        return Said(
            f"{where.zh}处的表面未给出可测的尺寸。",
            f"no dimension was measurable on this {where.en}.",
        )
    return Said(
        "，".join(zh.format(number(facts[name])) for name, zh, _ in known) + "。",
        ", ".join(en.format(number(facts[name])) for name, _, en in known) + ".",
    )
