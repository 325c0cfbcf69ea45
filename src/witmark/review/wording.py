"""How places, numbers and directions are said, in Chinese and in English.

Nothing here weighs or judges; a sentence made from these pieces states what was measured.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from witmark.review.neutrality import without_path
from witmark.review.vocabulary import PLACES, VALUE_WORDS, View

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
            return Said(f"朝 {sign}{name} 侧", f"{sign}{name} side")
    return Said("斜向", "oblique side")


def position(at_mm: Sequence[float]) -> str:
    """A point in the assembly, to a hundredth of a millimetre."""
    return "(" + ", ".join(f"{round(x, 2) + 0.0:.10g}" for x in at_mm) + ") mm"


NAMED_PLACES = 6
"""How many positions of a group are written out; the picture shows them all."""


def positions(places_mm: Sequence[Sequence[float]]) -> Said:
    """Several points, the first few by their coordinates and the rest by their number."""
    named = [position(at_mm) for at_mm in places_mm[:NAMED_PLACES]]
    rest = len(places_mm) - len(named)
    return Said(
        "、".join(named) + (f" 及另外 {rest} 处" if rest else ""),
        ", ".join(named) + (f" and {rest} more" if rest else ""),
    )


_SAYS_NOTHING = re.compile(
    r"(?:NAUO\d*|\d+|unnamed|COMPOUND|COMPSOLID|SOLID|SHELL|Body\d*|\(Unsaved\)|\*.*|"
    r"Open CASCADE .*)?",
    re.IGNORECASE,
)
"""Names that a program gave: occurrence numbers, kinds of shapes, a translator's own."""


def shown_name(instance: str, part: str, component_id: str = "") -> str:
    """What people are told a component is called: its own name, if that says anything.

    An occurrence that only has a number is called by its product, else by what it is in, with
    its own name behind.

    >>> shown_name("left arm", "arm"), shown_name("NAUO4", "cable"), shown_name("7", "SOLID")
    ('left arm', 'cable [NAUO4]', '7')
    >>> shown_name("SOLID", "SOLID", "hot end/SOLID")
    'hot end [SOLID]'
    """
    instance, part = without_path(instance), without_path(part)
    if not _SAYS_NOTHING.fullmatch(instance):
        return instance
    around = [
        name.replace("~1", "/").replace("~0", "~") for name in component_id.split("/")[-2:-1]
    ]
    told = next((one for one in (part, *around) if not _SAYS_NOTHING.fullmatch(one)), "")
    if not told:
        return instance or part
    return f"{told} [{instance}]" if instance else told


def spaced(name: str) -> str:
    """A name before Chinese text; Latin ends are set off by a space, Chinese ones are not."""
    return name if name and ord(name[-1]) > LAST_LATIN else f"{name} "


def whose(name: str) -> str:
    """A component's name before what belongs to it, in Chinese."""
    return f"{spaced(name)}的"


LAST_LATIN = 0x2E7F
"""Above it stand the characters that Chinese sets without spaces."""


def kind_said(kind: str, facts: Facts) -> Said:
    """What a place is called, with the one size that tells it from its neighbours, if known."""
    place = PLACES[kind]
    base = Said(place.zh, place.en)
    if kind == "hole":
        form = {True: Said("通孔", "through hole"), False: Said("盲孔", "blind hole")}
        through = facts.get("hole.through")
        base = form[through] if isinstance(through, bool) else base
        return _sized(base, facts.get("hole.d"), Said("直径 {} mm ", "{} mm "))
    if kind in ("slot", "blind_slot"):
        return _sized(base, facts.get("slot.w"), Said("宽 {} mm 的", "{} mm wide "))
    return _sized(base, facts.get("pocket.depth"), Said("深 {} mm 的", "{} mm deep "))


def _sized(base: Said, size: object, words: Said) -> Said:
    if size is None:
        return base
    return Said(
        words.zh.format(number(size)) + base.zh, words.en.format(number(size)) + base.en
    )


def described(kind: str, facts: Facts) -> Said:
    """What was measured of a place, as the rest of a neutral sentence. Unknown stays unsaid."""
    said = _TWICE if "slot.w" in facts else ()
    known = [
        row for row in _TABLE if row[0] not in said and _worth_saying(row[0], facts.get(row[0]))
    ]
    if not known:
        place = PLACES[kind]
        return Said(
            f"该{place.zh}没有可测的尺寸。", f"no size of this {place.en} was measurable."
        )
    values = [_value(facts[name]) for name, _, _ in known]
    return Said(
        "，".join(row[1].format(v.zh) for row, v in zip(known, values, strict=True)) + "。",
        ", ".join(row[2].format(v.en) for row, v in zip(known, values, strict=True)) + ".",
    )


def _worth_saying(name: str, value: object) -> bool:
    """Not the unknown, and not what is so of nearly every place."""
    usual = ("none", "single") if isinstance(value, str) else (1,)
    return value is not None and (name not in _USUAL or value not in usual)


def _value(value: object) -> Said:
    if isinstance(value, str):
        return Said(*VALUE_WORDS[value])
    return Said(number(value), number(value))


_USUAL = ("hole.bottom", "hole.step_order", "hole.coverage")

_TWICE = ("pocket.depth", "pocket.min_width")
"""What a slot has under its own names already."""

_TABLE = (
    ("hole.depth", "深度 {} mm", "depth {} mm"),
    ("hole.ld", "深径比 {}", "depth-to-diameter ratio {}"),
    ("hole.entry_angle", "孔口所在面法向与孔轴夹角 {}°", "entry face {}° off the axis"),
    ("hole.bottom", "孔底为{}", "bottom {}"),
    ("hole.step_order", "各段直径{}", "diameters {}"),
    ("hole.coverage", "孔壁占整圆的 {}", "wall covering {} of the full turn"),
    (
        "inline.d",
        "同一轴线方向的几段孔，最小直径 {} mm",
        "bores along one line, smallest {} mm",
    ),
    ("inline.offset", "轴线之间的偏移 {} mm", "axes offset by {} mm"),
    ("pocket.depth", "深 {} mm", "depth {} mm"),
    ("pocket.min_width", "最小宽 {} mm", "least width {} mm"),
    ("pocket.corner_r", "竖直内角半径 {} mm", "vertical corner radius {} mm"),
    ("pocket.floor_r", "底角半径 {} mm", "floor radius {} mm"),
    ("slot.w", "槽宽 {} mm", "slot width {} mm"),
    ("slot.depth", "槽深 {} mm", "slot depth {} mm"),
    ("boss.d", "直径 {} mm", "diameter {} mm"),
    ("boss.w", "最小宽 {} mm", "least width {} mm"),
    ("boss.height", "高 {} mm", "height {} mm"),
    ("step.height", "高 {} mm", "height {} mm"),
    ("step.width", "宽 {} mm", "width {} mm"),
    ("groove.d", "直径 {} mm", "diameter {} mm"),
    ("groove.w", "宽 {} mm", "width {} mm"),
    ("groove.depth", "深 {} mm", "depth {} mm"),
    (
        "surface.step_height",
        "局部面与周围大面积外表面相邻，高度差约 {} mm",
        "a local face beside the larger surface around it, {} mm apart in height",
    ),
    ("surface.coplanar_gap", "共面间隙 {} mm", "coplanar within {} mm"),
)
