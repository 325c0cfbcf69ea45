"""Every word people read, in Chinese and English, under the stable name it stands for.

One catalogue for the HTML report, the table, SARIF and the terminal. A name that is not here
is shown as it is: a reader can look a strange name up, but not a missing one. Both languages
are fields of one value, so neither can be forgotten.
"""

from typing import Literal, NamedTuple

Lang = Literal["zh", "en"]
LANGS: tuple[Lang, ...] = ("zh", "en")


class Words(NamedTuple):
    """The same thing said twice."""

    zh: str
    en: str

    def of(self, lang: Lang) -> str:
        """The text in one language."""
        return self.zh if lang == "zh" else self.en


def look_up(table: dict[str, Words], name: str) -> Words:
    """The words for a name, or the name itself, twice.

    >>> look_up(SEVERITIES, "major").en
    'Major'
    >>> look_up(SEVERITIES, "grave").en
    'grave'
    """
    return table.get(name) or Words(name, name)


VERDICTS = {
    "violated": Words("不符合", "Violated"),
    "undetermined": Words("未能判定", "Undetermined"),
    "satisfied": Words("符合", "Satisfied"),
    "not_applicable": Words("不适用", "Not applicable"),
}

SEVERITIES = {  # worst first: this order is the order of the report
    "critical": Words("严重", "Critical"),
    "major": Words("主要", "Major"),
    "minor": Words("次要", "Minor"),
    "info": Words("提示", "Info"),
}

SEVERITY_MEANS = {
    "critical": Words("很可能无法加工", "unlikely to be makeable"),
    "major": Words("质量风险高", "high quality risk"),
    "minor": Words("增加成本或有一定风险", "cost or some risk"),
    "info": Words("供参考", "for information"),
}

GRADES = {
    "a": Words("a 级：数值取自公开资料", "grade a: the number was read in a public source"),
    "b": Words(
        "b 级：数值出自所列标准，凭通行表格记录；作为规范引用前请核对正式文本",
        "grade b: from the named standard as commonly printed; "
        "check a licensed copy before calling it normative",
    ),
    "c": Words(
        "c 级：车间惯例，没有单一数值来源，可按工厂情况调整",
        "grade c: shop convention without one numeric source; adjust it to your shop",
    ),
}

FACTS = {
    "hole.d": Words("孔径", "hole diameter"),
    "hole.depth": Words("孔深", "hole depth"),
    "hole.ld": Words("深径比", "depth to diameter"),
    "hole.through": Words("通孔", "through hole"),
    "hole.bottom": Words("孔底形状", "hole bottom"),
    "hole.bottom_angle": Words("孔底锥角", "bottom cone angle"),
    "hole.coverage": Words("孔壁完整度", "share of the wall present"),
    "hole.entry_angle": Words("入口面法向与孔轴夹角", "angle of axis to entry face normal"),
    "hole.entry_kind": Words("入口面类型", "entry face"),
    "hole.entry_flat": Words("入口平台直径与孔径之比", "entry flat to hole diameter"),
    "hole.exit_angle": Words("出口面法向与孔轴夹角", "angle of axis to exit face normal"),
    "hole.exit_kind": Words("出口面类型", "exit face"),
    "hole.exit_flat": Words("出口平台直径与孔径之比", "exit flat to hole diameter"),
    "hole.step_order": Words("阶梯次序", "order of the steps"),
    "hole.d_off_list": Words("与钻头系列的最大偏差", "distance from the drill list"),
    "hole.edge_dist": Words("孔壁到外边缘的最小距离", "hole wall to outer edge"),
    "hole.ligament": Words("相邻孔之间的最小壁厚", "least wall to another hole"),
    "inline.offset": Words("同轴孔轴线偏移", "offset of the axes"),
    "inline.d": Words("同轴孔最小直径", "smallest diameter in line"),
    "pocket.depth": Words("凹腔深度", "pocket depth"),
    "pocket.min_width": Words("凹腔最小宽度", "least pocket width"),
    "pocket.depth_to_width": Words("凹腔深宽比", "pocket depth to width"),
    "pocket.corner_r": Words("竖直内角最小半径", "least internal corner radius"),
    "pocket.corners": Words("竖直内角数量", "internal corners"),
    "pocket.floor_r": Words("底角最大半径", "greatest floor radius"),
    "pocket.distinct_r": Words("不同内角半径的数量", "different internal radii"),
    "pocket.open_sides": Words("敞开的侧面数", "open sides"),
    "pocket.through": Words("贯通", "through"),
    "slot.w": Words("槽宽", "slot width"),
    "slot.depth": Words("槽深", "slot depth"),
    "fillet.r": Words("圆角半径", "fillet radius"),
    "fillet.side": Words("圆角位置", "side of the fillet"),
    "fillet.on_top_edge": Words("位于顶面外棱", "on a top outer edge"),
    "chamfer.c": Words("倒角边长", "chamfer width"),
    "chamfer.angle": Words("倒角角度", "chamfer angle"),
    "part.hole_d_count": Words("不同孔径的数量", "different hole diameters"),
    "part.hole_d_close_pairs": Words("相近孔径的对数", "pairs of nearly equal diameters"),
    "part.internal_r_count": Words("不同内圆角半径的数量", "different internal radii"),
    "surface.step_height": Words("台阶高度", "step height"),
    "surface.coplanar_gap": Words("共面间隙", "gap between coplanar faces"),
    "surface.role_a": Words("第一个面的用途", "role of the first face"),
    "surface.role_b": Words("第二个面的用途", "role of the second face"),
}

VALUES = {
    "true": Words("是", "yes"),
    "false": Words("否", "no"),
    "unknown": Words("未知", "unknown"),
    "none": Words("无", "none"),
    "flat": Words("平底", "flat"),
    "cone": Words("锥形", "cone"),
    "sphere": Words("球形", "sphere"),
    "plane": Words("平面", "plane"),
    "curved": Words("曲面", "curved"),
    "single": Words("单一直径", "single"),
    "monotone": Words("逐级变化", "monotone"),
    "waisted": Words("中间小两端大", "waisted (large, small, large)"),
    "bulged": Words("中间大两端小", "bulged (small, large, small)"),
    "internal": Words("内侧", "internal"),
    "external": Words("外侧", "external"),
}

UNITS = {"mm": " mm", "deg": "°", "1": "", "bool": "", "enum": ""}
"""What follows a number; ratios, counts and words carry nothing."""

LENGTH_UNITS = {
    "millimetre": Words("毫米", "millimetre"),
    "centimetre": Words("厘米", "centimetre"),
    "metre": Words("米", "metre"),
    "inch": Words("英寸", "inch"),
    "foot": Words("英尺", "foot"),
    "given": Words("由调用者指定", "given by the caller"),
}

CLAUSES = {
    "applies_if": Words("适用条件", "applies if"),
    "unknown_if": Words("无法判定条件", "cannot tell if"),
    "bad_if": Words("不符合条件", "violated if"),
    "good_if": Words("符合条件", "satisfied if"),
}

NOTICES = {
    "leaf-without-solid": Words("没有实体，未作结构检查", "has no solid and was not reviewed"),
    "sheet-body": Words("是片体而非实体", "is a sheet body, not a solid"),
    "wire-body": Words("只有线框", "is wireframe only"),
    "multi-solid": Words("一个零件中有多个实体", "holds several solids in one part"),
    "invalid-shape": Words(
        "形状有效性检查未通过；依赖它的规则记为未能判定",
        "failed the validity check; rules that rest on it are undetermined",
    ),
    "implausible-size": Words(
        "尺寸不合常理，请核对长度单位", "has an implausible size; check the length unit"
    ),
    "no-uncertainty": Words("文件未声明长度不确定度", "states no length uncertainty"),
    "undecodable-name": Words(
        "名称编码无法识别，无法还原的字符以 \ufffd 表示",
        "has a name in an unknown encoding; lost characters show as \ufffd",
    ),
    "external-reference": Words("引用了外部文件", "refers to another file"),
    "picture-not-visible": Words(
        "没有一个视角能看清该位置，故不附图", "is visible from no camera, so it has no picture"
    ),
    "pictures-limited": Words("图片数量已达上限", "reached the limit of pictures"),
}

SCOPE_REASONS = {
    "name": Words("名称表明是标准件或外购件", "its name says standard or purchased part"),
    "shape": Words("形状符合标准件", "its shape is that of a standard part"),
    "no-solid": Words("没有实体", "it has no solid"),
}
