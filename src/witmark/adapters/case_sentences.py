"""The fixed sentences of the diagnosis desk in Chinese, found again by their English form.

A package stores them in English. Names, numbers and quotes in them stay as they are; a sentence
that is not here, such as a model's or a reporter's, is shown in its own words alone.
"""

import re
from functools import lru_cache

_FIXED = {
    # hypotheses: what would be the case, what would be seen, what is not known
    "A boundary is missed in the given source: it takes an index or a count that does not "
    "exist.": "给定源代码漏掉了边界：使用了不存在的下标或数量。",
    "The given source uses a value of another type, or no value at all, as if it fitted.": (
        "给定源代码把另一类型的值或空值当作合适的值使用。"
    ),
    "A resource or a time limit runs out in the given source.": (
        "给定源代码中某项资源或时限耗尽。"
    ),
    "The given source uses an input without checking that it has the expected form.": (
        "给定源代码使用输入前没有检查其形式。"
    ),
    "The logic of the given source is wrong: fit input gives an unfit result.": (
        "给定源代码逻辑有误：合适的输入得到不合适的结果。"
    ),
    "A change since the last good version introduced the fault.": (
        "自上一个良好版本以来的某项变更引入了故障。"
    ),
    "A setting that was handed in causes the behaviour.": "所交配置中的某项设置导致该行为。",
    "The code that ran is not the given source, or its environment differs.": (
        "实际运行的代码不是给定源代码，或运行环境不同。"
    ),
    "The code behaves as intended; what was expected is something else.": (
        "代码按本意运行；期望与本意不同。"
    ),
    "a frame, a name or a message of the case leads to one definition": (
        "案例中的栈帧、名称或消息指向同一处定义"
    ),
    "what that definition does explains the symptom": "该定义的行为能解释症状",
    "the quoted lines are not those of the given source": "所引代码行与给定源代码不符",
    "nothing in the case leads to a definition of the given source": (
        "案例中没有任何内容指向给定源代码的定义"
    ),
    "a definition that the case leads to was changed since then": (
        "案例所指的某处定义自那时起有变更"
    ),
    "every definition that the case leads to is as it was then": "案例所指的定义均与当时相同",
    "a setting that the failing code reads is unusual": "出错代码读取的某项设置不寻常",
    "no setting that was handed in is read on the way to the fault": (
        "通往故障的路径上没有读取所交的任何设置"
    ),
    "a quoted line or a line number does not fit the given source": (
        "所引代码行或行号与给定源代码不符"
    ),
    "every quoted line stands in the given source where the trace says": (
        "所引代码行均在调用栈所示之处"
    ),
    "a document or a test of the given source describes the behaviour": (
        "给定源代码的文档或测试描述了该行为"
    ),
    "the case says that it was otherwise before, or a document describes the opposite": (
        "案例说以前并非如此，或文档描述相反"
    ),
    "which input makes it fail, and does a test with it fail every time?": (
        "哪个输入使其失败？用它测试是否每次都失败？"
    ),
    "does the last good version behave well with the very same input?": (
        "上一个良好版本对同一输入表现正常吗？"
    ),
    "does it fail with the default settings as well?": "使用默认设置也会失败吗？",
    "which versions were installed where it failed?": "失败的环境中安装了哪些版本？",
    "is the expected behaviour written down anywhere?": "期望的行为有书面记载吗？",
    # the embedded analyst
    "No place in the source is supported by enough independent findings.": (
        "没有任何代码位置得到足够多独立发现的支持。"
    ),
    "no place stands out far enough to examine a rival of it": (
        "没有足够突出的位置可供审查其替代假设"
    ),
    "findings of independent kinds lead to one place": "不同来源的独立发现指向同一处",
    "a direct finding speaks against it": "有直接发现与之矛盾",
    "the findings do not decide it": "现有发现不足以判定",
    "nothing in the case decides it": "案例中没有可以判定它的内容",
    "these findings concern other places than the one that stands out": (
        "这些发现涉及的是其他位置"
    ),
    "no test was run; the mechanism is read, not observed": (
        "没有运行测试；机制来自阅读，而非观察"
    ),
    "check the remaining hypotheses' open questions before closing the case": (
        "结案之前核对其余假设的待答问题"
    ),
    "ask the reporter for a report with a call stack": "请报告者提供带调用栈的报告",
    # the ending without a valid decision
    "final validation failed: none of the decisions that were proposed kept every gate": (
        "最终检查未通过：所提出的决断无一满足全部检查"
    ),
    "no valid decision evaluated this hypothesis": "没有有效决断评估过此假设",
    "no valid decision examined an alternative": "没有有效决断审查过替代假设",
    "every question about it is open": "有关它的问题都未决",
    "read the refused decisions and their objections in the record of the model's calls": (
        "在模型调用记录中查看被拒的决断及其理由"
    ),
    "decide by hand between the hypotheses, by the open questions that are listed": (
        "依据所列待答问题，由人工在各假设之间判定"
    ),
    # what was not looked at
    "the case holds nothing for it": "案例中没有可供查看的内容",
    "it needs the source of a good version, or its number": "需要良好版本的源码或其版本号",
    "it needs settings of a good and of a bad side, or a lock file and a version": (
        "需要好坏两方的设置，或锁文件与版本"
    ),
    "it needs a coverage report, and source": "需要覆盖率报告和源码",
    "it needs a package like it that was diagnosed before": "需要先前诊断过的相似案例包",
    "it needs a folder of Git, and source": "需要Git 目录和源码",
    "it needs a stack that names its exception, and source": "需要写明异常的调用栈和源码",
    "it needs logs of a good and of a bad run, and source": "需要好坏两次运行的日志和源码",
    "it needs source": "需要源码",
    "it needs a call stack, and source": "需要调用栈和源码",
    "the budget was spent": "预算已用尽",
    "nothing to compare it with": "没有可比较的对象",
    "no tag is named like a version that was good: all commits were read": (
        "没有以良好版本命名的标签：已读取全部提交"
    ),
}

_PLACE = r"(.+?), lines (\d+) to (\d+)"
_FORMS = (
    (r"against (H\d+): (.+)", "反对 {0}：{1}"),
    (
        (
            r"(.+?) The place: (.+) \(lines (\d+)–(\d+)\)\. "
            r"What leads there: (.+)\."
        ),
        "{0}位置：{1}（第 {2}–{3} 行）。线索：{4}。",
    ),
    (
        r"One place stands out by findings of independent kinds, and (H\d+) is contradicted\.",
        "有一处位置由独立来源的发现突出，且 {0} 与事实矛盾。",
    ),
    (r"The fault lies in (.+) \(lines (\d+)–(\d+)\)\.", "故障位于 {0}（第 {1}–{2} 行）。"),
    (
        (
            r"read (.+) \(lines (\d+)–(\d+)\) and confirm the mechanism by a test that fails "
            r"before a change"
        ),
        "阅读 {0}（第 {1}–{2} 行），并用一个修改前会失败的测试确认机制",
    ),
    (rf"read {_PLACE}", "阅读 {0}，第 {1} 至 {2} 行"),
    (r"find out for (H\d+): (.+)", "为 {0} 查明：{1}"),
    (
        r"(\d+) proposed decisions were refused; the package keeps them",
        "{0} 个决断被拒，保留在案",
    ),
    (
        (
            r"frame (\d+) from the innermost of a (\w+) stack lies in (.+), line (\d+) and its "
            r"quoted line stands there"
        ),
        "{1} 调用栈从最内层起第 {0} 帧位于 {2} 第 {3} 行，所引代码行与存档一致",
    ),
    (
        r"frame (\d+) from the innermost of a (\w+) stack lies in (.+), line (\d+)",
        "{1} 调用栈从最内层起第 {0} 帧位于 {2} 第 {3} 行",
    ),
    (
        r"a stack quotes another line than (.+) has at line (\d+)",
        "调用栈所引代码行与 {0} 第 {1} 行不符",
    ),
    (r"(.+) is changed since the last good version", "{0} 自上一个良好版本以来有变更"),
    (r"(.+) is new since the last good version", "{0} 是上一个良好版本之后新增的"),
    (
        (
            r"none of the (\d+) definitions that the case leads to changed since the last good "
            r"version"
        ),
        "案例所指的 {0} 处定义自上一个良好版本以来均无变更",
    ),
    (r"the case says that it was well with (.+)", "案例说 {0} 版本正常"),
    (
        r"number (\d+) of (\d+) by words shared with the report",
        "与报告用词相近，{1} 处中排第 {0}",
    ),
    (
        r"(.+): within two steps of a name that the report mentions",
        "{0}：距报告提到的名称两步之内",
    ),
    (r"(.+): the report names it", "{0}：报告提到它"),
    (r"(.+): the report names this class", "{0}：报告提到此类"),
    (
        r"(.+) raises (.+); (\d+) such sites in the given source",
        "{0} 抛出 {1}；给定源代码中共有 {2} 处",
    ),
    (r"(.+) lies in the stack and has a handler for (.+)", "{0} 在调用栈中，并处理 {1}"),
    (r"no line of (.+) ran in the run of (.+)", "{1} 的运行没有执行 {0} 的任何一行"),
    (
        r"(\d+) of (\d+) lines of (.+) ran in the run of (.+)",
        "{3} 的运行执行了 {2} 的 {1} 行中的 {0} 行",
    ),
    (
        r"no commit since (.+) touched a file of the (\d+) first suspects",
        "自 {0} 以来没有提交改动过前 {1} 个可疑位置的文件",
    ),
    (
        r"(\w+) stack: no frame of it lies in the given source",
        "{0} 调用栈没有栈帧在给定源代码中",
    ),
    (r"(\d+) definitions ranked lower by words", "{0} 处定义按用词排名更低"),
    (r"(\d+) definitions further from the names", "{0} 处定义离名称更远"),
    (r"(\d+) further changed definitions", "另有 {0} 处变更的定义"),
    (r"(\d+) further frames", "另有 {0} 个栈帧"),
    (r"([a-z]+): (.+)", "{0}：{1}"),  # an investigator, and what it left out
)
_COMPILED = tuple((re.compile(form, re.DOTALL), zh) for form, zh in _FORMS)
_LAST = len(_COMPILED) - 1
_LONGEST = 2000  # none of ours is longer, and a match takes time


@lru_cache(maxsize=4096)  # pure, and a page says the same sentences many times
def in_chinese(text: str) -> str | None:
    """The same sentence in Chinese; ``None`` if it is none of ours.

    >>> in_chinese("number 3 of 8 by words shared with the report")
    '与报告用词相近，8 处中排第 3'
    >>> in_chinese("it is broken") is None
    True
    """
    if text in _FIXED or len(text) > _LONGEST:
        return _FIXED.get(text)
    for number, (form, zh) in enumerate(_COMPILED):
        if (hit := form.fullmatch(text)) is not None:
            parts = [_part(part) for part in hit.groups()]
            if number == _LAST and parts == list(hit.groups()):
                return None  # a word and a colon alone are no sentence of ours
            return zh.format(*parts)
    return None


def _part(text: str) -> str:
    """A part of a sentence: some of ours in a row, one of ours, or a name as it is."""
    row = [in_chinese(one) for one in text.split("; ")]
    return "；".join(filter(None, row)) if all(row) else in_chinese(text) or text
