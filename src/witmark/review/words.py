"""Every word people read, in Chinese and English, under the stable name it stands for.

One catalogue for the HTML report, the table, SARIF and the terminal. A name that is not here
is shown as it is: a reader can look a strange name up, but not a missing one. Both languages
are fields of one value, so neither can be forgotten. Facts and their values have their words
in the vocabulary, which is shared with those who measure; they only pass through here.
"""

from typing import Literal, NamedTuple

from witmark.review import vocabulary

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


UNNAMED = Words("未命名", "unnamed")

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

FACTS = {name: Words(fact.zh, fact.en) for name, fact in vocabulary.FACTS.items()}

VALUES = {name: Words(zh, en) for name, (zh, en) in vocabulary.VALUE_WORDS.items()} | {
    "true": Words("是", "yes"),
    "false": Words("否", "no"),
    "unknown": Words("未知", "unknown"),
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
    "place-not-shown": Words("不附图", "has no picture"),
    "pictures-left-out": Words(
        "图片数量已达上限，其余未绘制",
        "the limit of pictures was reached; the rest was not drawn",
    ),
}

SCOPE_REASONS = {
    "name": Words("名称表明是标准件或外购件", "its name says standard or purchased part"),
    "shape": Words("形状绕同一轴线", "its shape turns about one axis"),
    "no-solid": Words("没有实体", "it has no solid"),
}
