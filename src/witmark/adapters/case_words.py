"""What a diagnosis's own names are called, in Chinese and English.

Only names of ours are here. What a case says, and what was concluded about it, is shown in the
words in which it was written.
"""

from witmark.review.words import Words

STATUS = {
    "confirmed": Words("已确认根因", "Root cause confirmed"),
    "inconclusive": Words("未能定论，移交人工", "Inconclusive, handed over to a person"),
}
LEVELS = {
    "insufficient": Words("依据不足", "insufficient"),
    "weak": Words("支持较弱", "weak"),
    "supported": Words("有支持", "supported"),
    "strongly_supported": Words("支持充分", "strongly supported"),
}
FINAL = {
    "supported": Words("成立", "supported"),
    "not_supported": Words("不成立", "not supported"),
    "factually_rejected": Words("与事实矛盾，已排除", "factually rejected"),
    "unresolved": Words("未决", "unresolved"),
}
END = {
    "open": Words("未决", "open"),
    "supported": Words("有支持", "supported"),
    "weakened": Words("被削弱", "weakened"),
    "rejected": Words("被排除", "rejected"),
}
CAUSES = {
    "regression-by-change": Words("变更引入的回归", "Regression by a change"),
    "unchecked-input": Words("输入未检查", "Unchecked input"),
    "type-or-none": Words("类型不符或空值", "Wrong type, or none"),
    "off-by-one-or-boundary": Words("边界错误", "Missed boundary"),
    "resource-or-time": Words("资源或时间耗尽", "Resource or time"),
    "configuration": Words("配置", "Configuration"),
    "environment-or-version": Words("环境或版本不同", "Other environment or version"),
    "wrong-logic": Words("逻辑错误", "Wrong logic"),
    "external-by-design": Words("按设计如此", "Works as intended"),
}
DIRECTIONS = {
    "for": Words("支持", "for"),
    "against": Words("反对", "against"),
    "neutral": Words("中性", "neutral"),
}
KINDS = {
    "direct": Words("直接", "direct"),
    "derived": Words("推导", "derived"),
    "heuristic": Words("启发", "heuristic"),
}
COMPLETENESS = {
    "complete": Words("完整", "complete"),
    "partial": Words("部分", "partial"),
    "empty": Words("空", "empty"),
}
GROUPS = {
    "text": Words("文字", "words"),
    "trace": Words("调用栈", "trace"),
    "names": Words("名称", "names"),
    "diff": Words("差异", "differences"),
    "history": Words("版本历史", "history"),
    "logs": Words("日志", "logs"),
    "coverage": Words("覆盖率", "coverage"),
    "lineage": Words("异常来源", "exceptions"),
    "earlier": Words("以往案例", "earlier cases"),
    "knowledge": Words("知识", "knowledge"),
    "design": Words("设计审查", "design"),
}
STATES = {
    "ASSEMBLED": Words("已收集", "assembled"),
    "INTERPRETED": Words("已解读", "interpreted"),
    "HYPOTHESES_READY": Words("已提出假设", "hypotheses ready"),
    "INVESTIGATED": Words("已调查", "investigated"),
    "BUILDING_DIAGNOSIS": Words("诊断已发布", "diagnosis published"),
    "OUTPUT_READY": Words("变更请求可交付", "change request ready to be handed over"),
    "FAILED_TO_ANALYZE": Words("未能定论", "not concluded"),
}
ROUTING = {
    "analysis": Words("分析流程", "the analysis"),
    "review": Words("审查人员", "a person, in review"),
    "output": Words("修改代码的人", "whoever changes code"),
}
PHASES = {
    "assembly": Words("收集输入", "inputs assembled"),
    "reopened": Words("重新分析", "reopened: a new analysis of the same inputs"),
    "interpretation": Words("解读案例", "case interpreted"),
    "hypotheses": Words("提出假设", "hypotheses formed"),
    "investigation-started": Words("开始调查", "investigation begun"),
    "investigation": Words("调查完成", "investigation closed"),
    "diagnosis-started": Words("冻结上下文，开始决断", "context frozen, decision begun"),
    "diagnosis": Words("诊断发布", "diagnosis published"),
    "change-request-started": Words("开始变更请求", "change request begun"),
    "change-request": Words("变更请求", "change request"),
    "delivery-started": Words("开始交付", "hand-over begun"),
    "delivery": Words("已交付", "handed over"),
    "feedback": Words("人工意见", "a person's word"),
}
FEEDBACK = {
    "accepted": Words("接受", "accepted"),
    "rejected": Words("拒绝", "rejected"),
}
EVENTS = {
    "reported": Words("报告中提到", "the report says"),
    "log-begins": Words("日志开始", "log begins"),
    "log-ends": Words("日志结束", "log ends"),
    "quoted": Words("作为证据引用", "cited as evidence"),
    "stack": Words("调用栈", "call stack"),
}
INPUTS = {
    "report": Words("报告", "report"),
    "log": Words("日志", "log"),
    "trace": Words("调用栈", "trace"),
    "source": Words("源代码", "source"),
    "good-source": Words("良好版本的源代码", "source of the good version"),
    "config": Words("配置", "settings"),
    "lock": Words("锁定文件", "lock file"),
    "coverage": Words("覆盖率", "coverage"),
    "screenshot": Words("截图", "screenshot"),
    "step": Words("STEP 模型", "STEP model"),
    "repository": Words("版本库", "repository"),
    "unknown": Words("未知", "unknown"),
}
CALL_ENDS = {
    "accepted": Words("采纳", "accepted"),
    "refused": Words("被拒", "refused"),
    "unjudged": Words("未判定", "not judged"),
    "lost": Words("丢失", "lost"),
}
HONEST = Words(
    "本页背后的检查保证：所引均有存档，每个假设都有结论，且审查过一个替代假设。"
    "它们不能保证对根因的推断是正确的。",
    "The checks behind this page hold that everything cited is stored, that every hypothesis "
    "has one ending, and that an alternative was examined. They cannot hold that the inference "
    "of the cause is right.",
)
