"""One table says what a question wants, and a look-alike of a marker is no marker."""

import pytest

from witmark.answers.asking import Intent
from witmark.answers.intent import intent_of, read_question, scaffolding

WANTED = {
    Intent.WHAT: """
        什么是光合作用|光合作用是什么|光合作用是什麽|甚麼是光合作用|何为熵|啥是熵
        解释一下熵|熵的定义|介绍一下热泵|热泵是怎么工作的|热泵有什么用|what is entropy
        What's entropy?|What’s entropy|what are heat pumps|explain entropy|define entropy
        what does PID stand for|how does a heat pump work|who was Carnot
        What is a heat pump compared with a boiler?|tell me about entropy
        What is a VSZ file?|what is the planet Mars|explain the plan
        describe an explanation|what is a whatchamacallit|what is learning rate decay
        guoying peihe shi shenme|shenme shi shuibei|¿Qué es un microservicio?|Was ist ein Pod?
        Qu'est-ce que Kubernetes ?|how does a slice resize?
        缓存过期策略是什么|什么是比较优势|what is comparative advantage""",
    Intent.WHY: """
        为什么天是蓝的|為什麼天是藍的|天为何是蓝的|为啥会下雨|怎么会这样|这是怎么回事
        weishenme shuibei hui zhalie
        why is the sky blue|How come the sky is blue?|what causes rain
        what is the reason for rain|what are the causes of rain|why do we compare prices""",
    Intent.LEARN: """
        如何学习钢琴|怎么学钢琴|怎样入门钢琴|钢琴的学习路线|学钢琴之前要先学什么|先学什么
        从哪里开始学|how to learn the piano|how do I study chess
        How should I get started with chess?|what is the best way to learn chess
        prerequisites for calculus|what should I know before calculus
        learning path for pianists|teach me chess|I want to learn chess
        in what order should I read these""",
    Intent.HOW_TO: """
        zenme qingxi shuibei
        怎么换轮胎|如何换轮胎|怎样换轮胎|换轮胎的步骤|轮胎漏气怎么办|how to change a tyre
        how do I change a tyre|How can we change it?|steps to change a tyre
        how to compare two files|如何比较两个文件|what is a way to do it""",
    Intent.COMPARE: """
        茶和咖啡的区别|茶与咖啡有什么不同|对比茶和咖啡|比较一下茶和咖啡|茶跟咖啡哪个更好
        茶、咖啡和可可的异同|compare tea and coffee|tea vs coffee|tea vs. coffee
        Tea versus coffee|difference between tea and coffee
        what is the difference between tea and coffee|how do tea and coffee differ
        how does tea compare to coffee|which is better, tea or coffee""",
    Intent.STILL_VALID: """
        这个规定还有效吗|规定仍然适用吗|该标准是否已废弃|这份指南过时了吗|是不是最新
        办法失效了没有|现在还能用吗|is the rule still valid?|is this still recommended
        Is the guide out of date?|are these up to date|has the standard been superseded
        is Python 2 deprecated|is it no longer valid|is press guide 2024 valid?
        does the washing guide still apply?|does press guide 2024 apply?|is it still ok""",
    Intent.LIST: """
        有哪些水果|常见的水果有哪些|列出所有水果|哪些水果含糖|水果分为哪几类
        list all fruits|What kinds of fruit are there?|what are the types of fruit
        enumerate the planets|which fruits are sweet|name three fruits""",
    Intent.GENERIC: """
        should I wash it by hand?|can I freeze it?
        whatever happens|explanation of the planet|什么时候下雨|如何评价这部电影
        怎么看待涨价|天气怎么样|when does it rain|how many legs|list comprehension
        linked list|whyever|howitzer|VSZ|vsphere|planet|compared with a tumbler|水杯
        water glass|comparison-free text|somewhat|学习率|still life|validity|比较级
        whose book is it""",
}


@pytest.mark.parametrize(
    ("intent", "question"),
    [
        (intent, question.strip())
        for intent, lines in WANTED.items()
        for question in lines.replace("\n", "|").split("|")
        if question.strip()
    ],
)
@pytest.mark.clause("ANS-INT-01")
def test_a_question_wants_what_it_says(intent, question):
    assert intent_of(question) is intent


@pytest.mark.parametrize(("question", "subject"), [
    ("什么是waterglass?", "waterglass"),
    ("请问什么是 heat pump？", "heat pump"),
    ("介绍一下热泵", "热泵"),
    ("「热泵」是什么意思？", "热泵"),
    ("熱泵是什麼", "熱泵"),
    ("Can you please explain the heat pump?", "heat pump"),
    ("what's a heat pump", "heat pump"),
    ("what does PID stand for?", "PID"),
    ("is the guide 2019 still valid?", "guide 2019"),
    ("guide 2019 还有效吗？", "guide 2019"),
    ("什么是C++？", "C++"),
    ("what is C#?", "C#"),
    ("how do I change a tyre", "change a tyre"),
    ("轮胎怎么换", "轮胎 换"),
    ("policy as code", "policy as code"),
    ("什么是什么", "什么"),
    ("为什么", "为什么"),
    ("heat pump", "heat pump"),
])  # fmt: skip
def test_without_its_frame_the_subject_is_left(question, subject):
    pieces = scaffolding(question)
    assert " ".join(piece.text for piece in pieces) == subject
    assert all(question[piece.start : piece.end] == piece.text for piece in pieces)


@pytest.mark.parametrize(("question", "sides"), [
    ("compare water glass and plastic cup", ["water glass", "plastic cup"]),
    ("what is the difference between a heat pump and the boiler?", ["heat pump", "boiler"]),
    ("what is the difference between A and B?", ["A", "B"]),
    ("茶和咖啡有什么区别", ["茶", "咖啡"]),
    ("茶與咖啡相比哪個更好？", ["茶", "咖啡"]),
    ("饱和与不饱和的区别", ["饱和", "不饱和"]),
    ("茶、咖啡和可可的区别", ["茶", "咖啡", "可可"]),
    ("tea vs coffee vs cocoa", ["tea", "coffee", "cocoa"]),
    ("which is better, tea or coffee?", ["tea", "coffee"]),
    ("对比 tea 和 咖啡", ["tea", "咖啡"]),
    ("what is tea and coffee", []),
])  # fmt: skip
def test_a_comparison_has_sides_at_their_places(question, sides):
    found = read_question(question).sides
    assert [side.text for side in found] == sides
    assert all(question[side.start : side.end] == side.text for side in found)


def test_a_name_is_not_parted():
    question = "compare salt and pepper and vinegar"
    name = (8, 23)
    assert question[slice(*name)] == "salt and pepper"
    found = read_question(question, names=[name]).sides
    assert [side.text for side in found] == ["salt and pepper", "vinegar"]


@pytest.mark.parametrize(("question", "language"), [
    ("什么是waterglass?", "zh"),
    ("compare 水杯 and 塑料杯", "en"),
    ("what is 水杯", "en"),
    ("水杯", "zh"),
    ("water glass", "en"),
    ("heat pump 的作用", "zh"),
    ("", "zh"),
])  # fmt: skip
def test_the_frame_tells_the_language(question, language):
    assert read_question(question).language == language


@pytest.mark.parametrize(
    ("question", "language", "content"),
    [
        ("guoying peihe shi shenme", "zh", "guoying peihe"),
        ("shenme shi shuibei", "zh", "shuibei"),
        ("¿Qué es un microservicio?", "en", "microservicio"),
        ("Was ist ein Pod?", "en", "Pod"),
        ("水杯?", "zh", "水杯"),
        ("water glass?", "en", "water glass"),
        ("does press guide 2024 apply?", "en", "press guide 2024"),
        ("should I wash a water glass by hand?", "en", "wash a water glass by hand"),
    ],
)
def test_pinyin_is_chinese_and_a_third_language_is_answered_in_english(
    question, language, content
):
    reading = read_question(question)

    assert (reading.language, reading.content_text) == (language, content)
