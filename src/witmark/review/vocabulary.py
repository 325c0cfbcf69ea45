"""The words of a review: every fact, view and kind of place, with its unit and its meaning.

Shared by those who measure, those who word units, and those who write cards. It says what
can be known about a part and knows nothing of what anybody will think of it: no threshold
and no judgement belongs here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from witmark.review.units import MissingFact


class Unit(StrEnum):
    """What a fact is measured in. ``ONE`` is a ratio or a count."""

    MM = "mm"
    DEG = "deg"
    ONE = "1"
    BOOL = "bool"
    ENUM = "enum"


class View(StrEnum):
    """The side from which a place is described; units and rules meet in a view."""

    SURFACE_ROLE_BOUNDARY = "surface_role_boundary"
    HOLE_FEATURE = "hole_feature"
    TOOL_ACCESS = "tool_access"
    PART_LOCAL_SHAPE = "part_local_shape"


@dataclass(frozen=True, slots=True)
class FactWord:
    """One fact of the vocabulary.

    ``found_in`` is the pass that measures it: 1 for every place, 2 only when asked for.
    ``extractable`` is false for what geometry alone never tells; ``inferred`` marks a fact
    whose value is somebody's conclusion and so is read together with its confidence.
    """

    name: str
    unit: Unit
    zh: str
    en: str
    found_in: int = 1
    extractable: bool = True
    inferred: bool = False
    values: tuple[str, ...] = ()
    how_zh: str = "以平面、圆柱、圆锥等解析曲面重新导出有效实体后再次测量"
    how_en: str = "re-export a valid solid with analytic surfaces and measure again"

    @property
    def why_zh(self) -> str:
        """Why somebody may want to know it."""
        return f"缺少{self.zh}，读取它的比较无法得出结果"

    @property
    def why_en(self) -> str:
        """Why somebody may want to know it."""
        return f"not known: {self.en}; comparisons that read it stay open"

    def missing(self) -> MissingFact:
        """The fact as one that is not known."""
        return MissingFact(self.name, self.why_zh, self.how_zh, self.why_en, self.how_en)


@dataclass(frozen=True, slots=True)
class PlaceWord:
    """One kind of anchor: its words, and the views in which a unit about it stands."""

    kind: str
    zh: str
    en: str
    primary_view: View
    secondary_views: tuple[View, ...] = ()

    @property
    def pattern_type(self) -> str:
        """The ``pattern_type`` of a unit about such a place."""
        return _PATTERN_NAMES.get(self.kind, self.kind)


_PATTERN_NAMES: Mapping[str, str] = {
    "surface_boundary": "machined_unmachined_surface_boundary",  # the contract's own word
}
_HOLE, _SHAPE, _ACCESS = View.HOLE_FEATURE, View.PART_LOCAL_SHAPE, View.TOOL_ACCESS
_BOUNDARY = View.SURFACE_ROLE_BOUNDARY
_PLACES = (
    PlaceWord("hole", "孔", "hole", _HOLE),
    PlaceWord("freeform_bore", "自由曲面孔", "free-form bore", _HOLE),
    PlaceWord("countersink", "锥孔", "countersink", _HOLE),
    PlaceWord("tapered_hole", "锥形孔", "tapered hole", _HOLE),
    PlaceWord("annular_groove", "环形槽", "annular groove", _SHAPE),
    PlaceWord("closed_cavity", "封闭空腔", "closed cavity", _SHAPE),
    PlaceWord("groove", "外圆槽", "groove", _SHAPE),
    PlaceWord("inline", "同线孔组", "in-line bores", _HOLE),
    PlaceWord("pocket", "凹腔", "pocket", _SHAPE, (_ACCESS,)),
    PlaceWord("open_pocket", "敞口凹腔", "open pocket", _SHAPE, (_ACCESS,)),
    PlaceWord("through_window", "贯通窗口", "through window", _SHAPE, (_ACCESS,)),
    PlaceWord("slot", "槽", "slot", _SHAPE, (_ACCESS,)),
    PlaceWord("blind_slot", "盲槽", "blind slot", _SHAPE, (_ACCESS,)),
    PlaceWord("step", "台阶", "step", _SHAPE, (_ACCESS,)),
    PlaceWord("blind_step", "角部台阶", "corner step", _SHAPE, (_ACCESS,)),
    PlaceWord("boss", "凸台", "boss", _SHAPE),
    PlaceWord("fillet", "圆角", "fillet", _SHAPE),
    PlaceWord("chamfer", "倒角", "chamfer", _SHAPE),
    PlaceWord("freeform_recess", "自由曲面凹腔", "free-form recess", _SHAPE, (_ACCESS,)),
    PlaceWord("freeform_blend", "自由曲面过渡", "free-form blend", _SHAPE),
    PlaceWord("freeform_surface", "自由曲面", "free-form surface", _SHAPE),
    PlaceWord(
        "surface_boundary",
        "相邻表面边界",
        "surface boundary",
        View.SURFACE_ROLE_BOUNDARY,
        (_SHAPE,),
    ),
    PlaceWord("part", "整个零件", "whole part", _SHAPE, (_HOLE,)),
)
PLACES: Mapping[str, PlaceWord] = {place.kind: place for place in _PLACES}
"""Every kind of anchor a unit may have, by name."""

_MM, _DEG, _ONE, _BOOL, _ENUM = Unit.MM, Unit.DEG, Unit.ONE, Unit.BOOL, Unit.ENUM
_BOTTOMS = ("none", "flat", "cone", "sphere")
_SIDES = ("internal", "external")
_FACE_KINDS = ("plane", "curved")
_ROLE_ZH = "附加标准视图或上下文图像，或由使用者注明该面的加工状态"
_ROLE_EN = "additional standard or context image, or the user states how the face is made"

_WORDS = (
    FactWord("hole.d", _MM, "孔的最小直径", "smallest hole diameter"),
    FactWord("hole.depth", _MM, "最小直径段的深度", "depth of the smallest segment"),
    FactWord("hole.ld", _ONE, "孔深径比", "hole depth-to-diameter ratio"),
    FactWord("hole.through", _BOOL, "通孔", "through hole"),
    FactWord(
        "hole.bottom",
        _ENUM,
        "孔底形状",
        "hole bottom",
        values=("none", "flat", "cone", "sphere"),
    ),
    FactWord("hole.bottom_angle", _DEG, "孔底锥角", "hole bottom angle"),
    FactWord("hole.coverage", _ONE, "孔壁占整圆的比例", "wall's share of the full turn"),
    FactWord("hole.entry_angle", _DEG, "孔轴与入口面法向夹角", "angle of axis to entry normal"),
    FactWord("hole.entry_kind", _ENUM, "孔入口面类型", "entry face kind", values=_FACE_KINDS),
    FactWord("hole.entry_flat", _ONE, "入口平台直径与孔径之比", "entry flat over diameter"),
    FactWord("hole.exit_angle", _DEG, "孔轴与出口面法向夹角", "angle of axis to exit normal"),
    FactWord("hole.exit_kind", _ENUM, "孔出口面类型", "exit face kind", values=_FACE_KINDS),
    FactWord("hole.exit_flat", _ONE, "出口平台直径与孔径之比", "exit flat over diameter"),
    FactWord(
        "hole.step_order",
        _ENUM,
        "孔段直径顺序",
        "order of segment diameters",
        values=("single", "monotone", "waisted", "bulged"),
    ),
    FactWord("hole.d_off_list", _MM, "孔径与钻头系列的偏差", "distance from the drill list"),
    FactWord(
        "hole.edge_dist",
        _MM,
        "孔壁到最近边缘的最小距离",
        "least distance of hole wall to an edge",
        found_in=2,
        how_zh="计算 B-rep：孔壁到零件外边或凹腔口边的最小距离",
        how_en="computed B-rep check: least distance of the hole wall to an edge or a rim",
    ),
    FactWord(
        "hole.beside_edge",
        _BOOL,
        "孔旁有边缘",
        "an edge stands beside the hole",
        found_in=2,
        how_zh="计算 B-rep：孔口所在面上是否有零件外边或凹腔口边",
        how_en="computed B-rep check: whether an outer edge or a recess rim stands beside it",
    ),
    FactWord(
        "hole.others",
        _ONE,
        "零件中其他孔的数量",
        "other holes in the part",
        found_in=2,
        how_zh="计算 B-rep：同一零件中其他孔（含自由曲面孔）的数量",
        how_en="computed B-rep check: other holes and free-form bores of the same part",
    ),
    FactWord(
        "hole.ligament",
        _MM,
        "与相邻孔之间的最小壁厚",
        "least wall to another hole",
        found_in=2,
        how_zh="计算 B-rep：该孔与其他孔之间的最小壁厚",
        how_en="computed B-rep check: least wall between this hole and another",
    ),
    FactWord(
        "hole.ligament_d",
        _MM,
        "壁两侧孔中较小的直径",
        "smaller diameter of the two holes beside that wall",
        found_in=2,
        how_zh="计算 B-rep：与最近的孔相比，两孔中较小的直径",
        how_en="computed B-rep check: smaller diameter of the hole and its nearest neighbour",
    ),
    FactWord("inline.offset", _MM, "同线孔轴线的最大偏移", "greatest offset of in-line axes"),
    FactWord("inline.d", _MM, "同线孔的最小直径", "smallest diameter of the in-line bores"),
    FactWord("pocket.depth", _MM, "凹腔深度", "pocket depth"),
    FactWord("pocket.facing", _BOOL, "凹腔有相对的侧壁", "walls of the pocket face each other"),
    FactWord("pocket.min_width", _MM, "凹腔最小宽度", "least pocket width"),
    FactWord("pocket.depth_to_width", _ONE, "凹腔深宽比", "pocket depth-to-width ratio"),
    FactWord("pocket.corner_r", _MM, "竖直内角最小半径", "least vertical corner radius"),
    FactWord("pocket.corners", _ONE, "竖直内角数量", "number of vertical internal corners"),
    FactWord("pocket.floor_r", _MM, "底角最大半径", "greatest floor fillet radius"),
    FactWord("pocket.distinct_r", _ONE, "凹腔内不同半径的数量", "different pocket radii"),
    FactWord("pocket.open_sides", _ONE, "凹腔敞开的侧数", "open sides of the pocket"),
    FactWord("pocket.through", _BOOL, "贯通的凹腔", "through pocket"),
    FactWord("slot.w", _MM, "槽宽", "slot width"),
    FactWord("slot.depth", _MM, "槽深", "slot depth"),
    FactWord("boss.d", _MM, "凸台直径", "boss diameter"),
    FactWord("boss.w", _MM, "凸台最小宽度", "least boss width"),
    FactWord("boss.height", _MM, "凸台高度", "boss height"),
    FactWord("step.height", _MM, "台阶高度", "step height"),
    FactWord("step.width", _MM, "台阶宽度", "step width"),
    FactWord("groove.d", _MM, "环槽直径", "groove diameter"),
    FactWord("groove.w", _MM, "环槽宽度", "groove width"),
    FactWord("groove.depth", _MM, "环槽深度", "groove depth"),
    FactWord("fillet.r", _MM, "圆角半径", "fillet radius"),
    FactWord("fillet.side", _ENUM, "圆角所在侧", "fillet side", values=_SIDES),
    FactWord("fillet.on_top_edge", _BOOL, "位于顶面外棱的圆角", "fillet on a top edge"),
    FactWord("chamfer.c", _MM, "倒角宽度", "chamfer width"),
    FactWord("chamfer.angle", _DEG, "倒角角度", "chamfer angle"),
    FactWord(
        "part.valid",
        _BOOL,
        "实体通过有效性检查",
        "solid passes the validity check",
        how_zh="在 CAD 中修复实体后重新导出",
        how_en="repair the solid in CAD and export it again",
    ),
    FactWord("part.hole_d_count", _ONE, "零件中不同孔径的数量", "distinct hole diameters"),
    FactWord(
        "part.hole_d_close_pairs",
        _ONE,
        "相差不超过2%的孔径对数",
        "pairs of hole diameters within 2 %",
    ),
    FactWord("part.internal_r_count", _ONE, "零件内圆角半径的种数", "distinct internal radii"),
    FactWord("surface.step_height", _MM, "相邻面高度差", "step height between the faces"),
    FactWord("surface.coplanar_gap", _MM, "相邻面共面间隙", "gap between near-coplanar faces"),
    FactWord(
        "surface.role_a",
        _ENUM,
        "局部面的加工状态",
        "how the local face is made",
        extractable=False,
        inferred=True,
        values=("machined", "unmachined"),
        how_zh=_ROLE_ZH,
        how_en=_ROLE_EN,
    ),
    FactWord(
        "surface.role_b",
        _ENUM,
        "周围面的加工状态",
        "how the surrounding face is made",
        extractable=False,
        inferred=True,
        values=("machined", "unmachined"),
        how_zh=_ROLE_ZH,
        how_en=_ROLE_EN,
    ),
)
_ANCHOR_KIND = FactWord(
    "anchor.kind", _ENUM, "部位类型", "kind of place", values=tuple(p.kind for p in _PLACES)
)
FACTS: Mapping[str, FactWord] = {word.name: word for word in (*_WORDS, _ANCHOR_KIND)}
"""Every fact that may be measured, worded or compared, by name."""

VALUE_WORDS: Mapping[str, tuple[str, str]] = {
    "none": ("无", "none"),
    "flat": ("平底", "flat"),
    "cone": ("锥形", "cone"),
    "sphere": ("球形", "sphere"),
    "plane": ("平面", "plane"),
    "curved": ("曲面", "curved"),
    "single": ("单一直径", "single"),
    "monotone": ("单向变化", "monotone"),
    "waisted": ("两端大中间小", "wide-narrow-wide"),
    "bulged": ("两端小中间大", "narrow-wide-narrow"),
    "internal": ("内侧", "internal"),
    "external": ("外侧", "external"),
    "machined": ("加工面", "machined"),
    "unmachined": ("非加工面", "as made"),
} | {place.kind: (place.zh, place.en) for place in _PLACES}
"""Every named value, in Chinese and English."""
