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

NOTICES = {  # every code that our own code gives a notice; a test compares
    "leaf-without-solid": Words("没有实体，未作结构检查", "has no solid and was not reviewed"),
    "non-manifold-edges": Words(
        "有边被两个以上的面共用", "has edges that join more than two faces"
    ),
    "open-bodies": Words(
        "除实体外还有片体或线框，未作结构检查",
        "holds surface or wire bodies beside its solid; they were not reviewed",
    ),
    "invalid-body": Words(
        "实体有效性检查未通过，依赖它的规则记为未能判定",
        "has a body that fails the validity check; rules that rest on it are undetermined",
    ),
    "implausible-size": Words(
        "尺寸不合常理，请核对长度单位", "has an implausible size; check the length unit"
    ),
    "mixed-length-units": Words(
        "文件中声明了多种长度单位，均已换算为毫米",
        "declares several length units; all were converted to millimetres",
    ),
    "declared-unit-used": Words(
        "文件自己声明了长度单位，指定的单位未被采用",
        "declares its own length unit, so the one that was given was not used",
    ),
    "unknown-encoding": Words(
        "名称的编码无法确定，可能显示有误",
        "has names in an uncertain encoding; they may read wrongly",
    ),
    "shortened-text": Words(
        "有一段文字超出 CAD 内核的长度限制，已被截短",
        "has a text too long for the CAD kernel; it was shortened",
    ),
    "transformation-not-read": Words(
        "有零部件用变换算子定位（可能带缩放或镜像），CAD 内核未读取，其位置与尺寸可能有误",
        "places a component by a transformation operator, perhaps scaled or mirrored; it was "
        "not read, so that component's place and size may be wrong",
    ),
    "document-not-read": Words(
        "引用了非几何文档，未读取", "refers to a document that is no geometry; it was not read"
    ),
    "faces-without-record": Words(
        "有些面找不到对应的 STEP 记录，其证据没有行号",
        "has faces without a STEP record; their evidence has no line number",
    ),
    "records-not-read": Words(
        "有些面的记录不属于任何零件，未作检查",
        "has face records that belong to no part; they were not reviewed",
    ),
    "place-not-shown": Words("不附图", "has no picture"),
    "model-refused": Words(
        "有问题的模型回答未通过检查，未采用（个数/全部）；"
        "换用 witmark.toml 中的其他模型或参数可重新提问，--retry-id 不能",
        "questions whose model replies did not pass the gates; nothing was made of them. "
        "Another model or other parameters in witmark.toml ask them anew, --retry-id does not",
    ),
    "model-refused-now": Words(
        "有问题的回答曾被采纳，但未通过现在的检查，未采用（个数/全部）",
        "questions whose kept reply was accepted once, and does not pass the gates of today; "
        "nothing was made of it",
    ),
    "model-not-recorded": Words(
        "有问题已发送给模型，但磁盘未能保存其结果（个数/全部）；调用已计入，再次运行将从此处继续",
        "questions were sent to a model, and the disk did not keep what came of it; the calls "
        "are counted, and running again goes on from there",
    ),
    "model-unanswered": Words(
        "有问题未得到模型回答（个数/全部）；再次运行将从此处继续，"
        "被阻止的调用用 --retry-id 重新打开",
        "questions got no answer from a model; running again goes on from there, and "
        "--retry-id NAME opens calls that are blocked",
    ),
    "contacts-left-out": Words(
        "相邻零件对过多，部分未检查接触",
        "pairs of components were not looked at for contacts; there are too many",
    ),
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
