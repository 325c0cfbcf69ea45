"""The fixed phrases of the page, in two languages."""

from witmark.review.words import Words

PHRASES = {
    "report": Words("机械结构审查报告", "Mechanical review report"),
    "language": Words("语言", "Language"),
    "size": Words("大小", "Size"),
    "bytes": Words("字节", "bytes"),
    "unit": Words("长度单位", "Length unit"),
    "schema": Words("STEP 模式", "STEP schema"),
    "rulebook": Words("规则集", "Rulebook"),
    "rules": Words("条规则", "rules"),
    "not_stated": Words("未声明", "not stated"),
    "digest": Words("文件摘要", "File digest"),
    "coverage": Words("覆盖范围", "Coverage"),
    "explained": Words(
        "的面已被解释（属于已命名的特征或基础面）",
        "of faces explained (in a named feature or a base surface)",
    ),
    "part": Words("零件", "Part"),
    "faces_total": Words("面数", "Faces"),
    "faces_explained": Words("已解释", "Explained"),
    "share": Words("比例", "Share"),
    "by_part": Words("按零件", "By part"),
    "not_evaluated": Words("未评估的特征类别", "Families not evaluated"),
    "nothing_left_out": Words("无", "none"),
    "open_places": Words("未能判定的位置", "Places undetermined"),
    "no_score": Words(
        "本报告不给总分：一个数字会掩盖真正要紧的问题。",
        "There is no overall score: one number would hide the finding that matters.",
    ),
    "counts": Words("结果汇总", "Results"),
    "places": Words("处", "places"),
    "place_one": Words("处", "place"),
    "at_a_glance": Words("问题一览", "Findings at a glance"),
    "severity": Words("等级", "Severity"),
    "rule": Words("规则", "Rule"),
    "count": Words("数量", "Places"),
    "findings": Words("不符合项", "Findings"),
    "no_findings": Words(
        "在已评估的范围内没有不符合项。", "No rule is violated within what was evaluated."
    ),
    "figure": Words("图", "Figure"),
    "same_figure": Words("见图", "see figure"),
    "limit": Words("限值（不符合条件）", "Limit (violated if)"),
    "source": Words("限值来源", "Source of limit"),
    "grade": Words("来源等级", "Its grade"),
    "why": Words("为什么重要", "Why it matters"),
    "mend": Words("如何改进", "How to mend it"),
    "where": Words("零件与位置", "Part and place"),
    "measured": Words("实测值", "Measured"),
    "picture": Words("图片", "Picture"),
    "evidence": Words("证据", "Evidence"),
    "instance": Words("实例路径", "Instance path"),
    "step_record": Words("STEP 记录", "STEP record"),
    "trace_command": Words(
        "查看原始事实（在克隆目录中：./do trace … --in 本文件夹）",
        "Show the fact itself (in a clone: ./do trace … --in this folder)",
    ),
    "decision": Words("判定过程", "How it was decided"),
    "undetermined": Words("未能判定", "Undetermined"),
    "undetermined_lead": Words(
        "以下规则缺少事实，因此不作结论。补上所缺事实后即可判定。",
        "These rules lack a fact, so nothing is concluded. With the fact they can be decided.",
    ),
    "all_decided": Words("所有适用的规则都已判定。", "Every rule that applies was decided."),
    "place_number": Words("位置", "place"),
    "fact_missing": Words("缺少事实，不作结论", "a fact is missing"),
    "rules_waiting": Words("受影响的规则", "Rules waiting"),
    "missing": Words("缺少的事实", "Missing fact"),
    "why_needed": Words("为什么需要", "Why it is needed"),
    "settles": Words("怎样可以判定", "What would settle it"),
    "known": Words("已知值", "Known so far"),
    "quiet": Words("符合与不适用", "Satisfied and not applicable"),
    "satisfied": Words("符合", "Satisfied"),
    "grey": Words("其中处于灰区", "of these grey"),
    "grey_means": Words(
        "灰区：全部事实已知，数值介于“好”与“坏”两个限值之间。",
        "Grey: all facts are known, and the value lies between the good and the bad limit.",
    ),
    "not_applicable": Words("不适用", "Not applicable"),
    "instances": Words("按实例", "By instance"),
    "grey_mark": Words("灰区", "grey"),
    "context": Words("仅作装配背景的零件", "Components shown as context only"),
    "context_lead": Words(
        "标准件和外购件不作零件结构审查。",
        "Standard and purchased parts are not reviewed for their own structure.",
    ),
    "reason": Words("原因", "Why"),
    "requests": Words("第二次提取", "Second look"),
    "requests_lead": Words(
        "判定时缺少、随后补充提取的事实。",
        "Facts the judge lacked and asked to be extracted.",
    ),
    "asked_in_vain": Words("已请求，仍未得到", "asked for, but it could not be had"),
    "not_asked": Words("未请求", "not asked for"),
    "not_in_geometry": Words(
        "仅凭几何无法得到，需要补充信息", "geometry alone cannot tell; it has to be supplied"
    ),
    "instances_count": Words("数量", "Instances"),
    "fact": Words("事实", "Fact"),
    "answer": Words("结果", "Answer"),
    "unanswered": Words("无法提取", "could not be extracted"),
    "asked": Words("提取方式", "How"),
    "notices": Words("读取时的说明", "Notices from reading the file"),
    "identity": Words("出处与摘要", "Provenance"),
    "made_by": Words("生成程序", "Made by"),
    "index_digest": Words("规则索引", "Rule index"),
    "store_digest": Words("规则库", "Rule store"),
    "facts_digest": Words("事实", "Facts"),
    "gates": Words("发布前的检查", "Checks before publication"),
    "verify": Words(
        "运行 witmark verify 加报告所在文件夹，可由所存事实重新判定每一条。",
        "Run witmark verify on this report's folder to decide every verdict again "
        "from the stored facts.",
    ),
    "shown": Words(
        "突出显示的是该位置，其余部分半透明。",
        "The place is highlighted; the rest is translucent.",
    ),
}


def phrase(key: str) -> Words:
    """The phrase under a key; a key that is not here is a mistake of ours."""
    return PHRASES[key]
