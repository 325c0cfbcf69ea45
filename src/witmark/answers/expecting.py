"""What sort of thing would answer a question, and what such a thing looks like in a text.

"When" wants a date, "how many" a number, "who" a name. A sentence that holds nothing of the
sort is the less likely answer; one that does is not therefore right, so this is a nudge among
sentences that match the question, never a filter.
"""

import re
from collections.abc import Callable
from enum import StrEnum

from witmark.answers.late import late


class Expected(StrEnum):
    """The sort of thing asked for."""

    TIME = "time"
    NUMBER = "number"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    MANNER = "manner"
    PURPOSE = "purpose"
    ANYTHING = "anything"


_NUMERAL = "0-9０-９零〇○一二两兩三四五六七八九十百千万萬亿億"
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

_ASKED = (
    (
        Expected.PURPOSE,
        (
            r"用途|有什[么麼](?:用|作用)|用来(?:做|干)什|用來做什|做什[么麼]用|是干什[么麼]的|拿来做什"
            r"|\bwhat\b.*\bused? for\b|\bwhat\b.*\bgood for\b|\bwhat (?:is|are) the uses?\b"
        ),
    ),
    (
        Expected.REASON,
        (
            r"为什么|為什麼|为何|為何|为啥|原因|目的|理由|缘故|缘由"
            r"|\bwhy\b|\breasons?\b|\bhow come\b"
            r"|\bwhat (?:causes?|caused)\b|\bpurpose\b"
        ),
    ),
    (
        Expected.TIME,
        (
            r"何时|何時|何年|[几幾]时|[几幾]時|什[么麼](?:时|時|年代|朝代)|哪[一]?[年天日]|哪个月"
            r"|[几幾][年月日]|多久|多长时间|多長時間|时间|時間|日期|年代|世[纪紀]"
            r"|\bwhen\b|\bwhat (?:year|date|day|month|time)\b|\bwhich (?:year|month|day)\b"
            r"|\bhow long\b|\bsince when\b"
        ),
    ),
    (
        Expected.NUMBER,
        (
            r"多少|[几幾][个個位人名种種次届屆场場座条條台架]|第[几幾]|多[大高长長远遠重宽寬深快]"
            r"|数量|數量|人口|面[积積]|比例"
            r"|\bhow (?:many|much|old|tall|far|large|big|high|deep|wide|heavy|often)\b"
            r"|\bwhat (?:number|percentage|share|size)\b"
        ),
    ),
    (
        Expected.PERSON,
        (
            r"谁|誰|何人|哪[一几幾]?[位名]|哪[一]?个人|哪[一]?個人|\bwho\b|\bwhom\b|\bwhose\b"
            r"|\bwhich (?:person|man|woman)\b"
        ),
    ),
    (
        Expected.PLACE,
        (
            r"哪里|哪裡|哪裏|哪儿|何处|何處|何地|什[么麼]地方|位[于於]"
            r"|哪[一个個]{0,2}(?:国|國|省|市|州|县|縣|区|區|城|岛|島|地)"
            r"|\bwhere\b|\bwhich (?:city|country|place|state|town|region)\b"
        ),
    ),
    (Expected.MANNER, r"怎么|怎麼|怎样|怎樣|如何|\bhow\b"),
)
_SORTS = tuple((sort, late(pattern, re.IGNORECASE)) for sort, pattern in _ASKED)

_LOOKS = {
    Expected.TIME: late(
        rf"[{_NUMERAL}]+\s?(?:年|月|日|世[纪紀]|点|點|时|時|小时|小時|分钟|分鐘|天|周|週)|年代|时期|時期"
        rf"|\b(?:1\d|20)\d\d\b|\b(?:{_MONTH})[a-z]*\.?\s\d|\d{{1,2}}\s(?:{_MONTH})"
        r"|\b\w+day\b|\b\d+(?:st|nd|rd|th) century\b|\b\d+ (?:years?|days?|months?|hours?)\b",
        re.IGNORECASE,
    ),
    Expected.NUMBER: late(
        rf"[{_NUMERAL}]"
        r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million)\b",
        re.IGNORECASE,
    ),
    Expected.PERSON: late(r"[·•‧]|[\u4e00-\u9fff]{2}|\b[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+"),
    Expected.PLACE: late(
        r"位[于於]|[国國省市县縣区區州岛島镇鎮村山河湖海港路街]"
        r"|\b(?:in|at|near|from|of|on) (?:the )?[A-Z]|\blocated\b"
    ),
    Expected.REASON: late(
        r"(?<![原基成起])因(?![子素果数數特])|由[于於]|所以|因此|因而|从而|從而|为了|為了|以便|以免|免得|否[则則]|原因|目的|导致"
        r"|導致|使得|引起|造成|避免|旨在"
        r"|\bbecause\b|\bsince\b|\bso that\b|\btherefore\b|\bthus\b|\bhence\b|\botherwise\b"
        r"|\bdue to\b|\bowing to\b|\bin order to\b|\bto avoid\b|\bcauses?d?\b|\bleads? to\b"
        r"|\bled to\b|\bresults? in\b|\breasons?\b|\bas a result\b|\bso as to\b|\bmakes?\b",
        re.IGNORECASE,
    ),
    Expected.PURPOSE: late(
        r"用于|用於|用来|用來|用作|适合|適合|适用|適用|可[以用]|用途|以便|为了|為了|使得|让|實現|实现"
        r"|\bused? (?:for|to|in|as|when)\b|\buseful\b|\bso that\b|\bin order to\b|\ballow"
        r"|\benabl|\blets?\b|\bhelps?\b|\bprovides?\b|\bmakes it\b|\bserves?\b|\bfor \w+ing\b",
        re.IGNORECASE,
    ),
    Expected.MANNER: late(
        r"通[过過]|使用|利用|采用|採用|先|然后|然後|步[骤驟]|方法|以.{1,12}方式"
        r"|\bby \w+ing\b|\busing\b|\bfirst\b|\bthen\b|\bvia\b|\bthrough\b",
        re.IGNORECASE,
    ),
}


def expected(question: str) -> Expected:
    """Return the sort of thing a question asks for; the surest word decides.

    >>> expected("男子100米跑共有多少国家参赛？").value, expected("Who built it?").value
    ('number', 'person')
    """
    for sort, pattern in _SORTS:
        if pattern.search(question):
            return sort
    return Expected.ANYTHING


def look_of(sort: Expected) -> Callable[[str], bool]:
    """Return the test of whether a text holds such a thing; anything holds anything."""
    if (pattern := _LOOKS.get(sort)) is None:
        return lambda _text: True
    return lambda text: pattern.search(text) is not None


_NEGATED = late(
    r"什[么麼]不是|[谁誰]不是|哪[些个個]?不是|不是什[么麼]"
    r"|\b(?:what|who|which)\b(?:\s\w+){0,2}\s(?:is|are|was|were)(?: not\b|n['’]t\b)",
    re.IGNORECASE,
)


def asks_what_is_not(question: str) -> bool:
    """Whether a question asks for what something is not, which no sentence of a note says.

    >>> asks_what_is_not("what is not welding"), asks_what_is_not("why is it not used?")
    (True, False)
    """
    return _NEGATED.search(question) is not None


_CAUTION = late(
    r"注意(?!力)|小心|当心|警告|\bwarnings?\b|\b(?:be )?careful\b|\bcautions?\b|\bwatch out\b"
    r"|\bpay attention\b",
    re.IGNORECASE,
)


def asks_for_cautions(question: str) -> bool:
    """Whether a question wants to know what to be careful about.

    >>> asks_for_cautions("煎蛋需要注意什么"), asks_for_cautions("怎么集中注意力")
    (True, False)
    """
    return _CAUTION.search(question) is not None


_CONTRAST = late(
    r"与.{1,20}(?:相比|不同|相反)|和.{1,20}(?:相比|不同)|不同于|不同於|区别|區別|差异|差異|而.{1,30}则|相较|相較"
    r"|\bcompared (?:with|to)\b|\bunlike\b|\bwhereas\b|\bin contrast\b|\bdiffers?\b"
    r"|\bdifference\b|\b(?:more|less|\w+er) than\b|\bwhile\b",
    re.IGNORECASE,
)


def contrasts(text: str) -> bool:
    """Whether a sentence sets one thing off from another."""
    return _CONTRAST.search(text) is not None


_PROMISES = {
    Expected.PURPOSE: late(
        r"用途|用法|应用|應用|场景|場景|作用|解决|解決"
        r"|\buses?\b|\bapplications?\b|\bwhen to\b|\bpurpose\b|\bproblem\b|\bhow it helps\b",
        re.IGNORECASE,
    ),
    Expected.REASON: late(
        r"为什么|為什麼|为何|為何|原因|理由|动机|動機|背景|解决.{0,3}问题|解決.{0,3}問題|好处|好處|优势|優勢|作用"
        r"|\bwhy\b|\breasons?\b|\brationale\b|\bmotivation\b|\bcontext\b|\bproblem\b|\bbenefits?\b|\badvantages?\b"
        r"|\bhow it helps\b",
        re.IGNORECASE,
    ),
    Expected.MANNER: late(
        r"步[骤驟]|怎[么麼样樣]|如何|方法|流程|做法|安[装裝]|用法|\bhow\b|\bsteps?\b"
        r"|\bprocedure\b|\binstall|\busage\b|\bgetting started\b",
        re.IGNORECASE,
    ),
}


def announces(heading: str, sort: Expected) -> bool:
    """Whether a heading promises a reason, or a way to do something."""
    pattern = _PROMISES.get(sort)
    return pattern is not None and pattern.search(heading) is not None


_LEANING = late(
    r"[同当當]时|[同當]時|然而|但|不过|不過|因此|所以|此外|而|并|並|也|亦|随后|隨後|之后|之後|其|此|该|該|本"
    r"|这|這|那|他|她|它|牠|祂|后来|後來"
    r"|(?:he|she|it|they|his|her|its|their|this|these|those|that|such|however|but|also|then|thus"
    r"|therefore|moreover|in addition|as a result|the latter|the former)\b",
    re.IGNORECASE,
)


def leans_back(text: str) -> bool:
    """Whether a sentence begins with a word that means something said before it."""
    return _LEANING.match(text) is not None


_REPEATS = late(
    r"(?:重[复複]|重新?[执執]行)[^。，；]{0,4}(?:上面|上述|以上|前面|前)[^。，；]{0,6}(?:步|[过過]程|操作)"
    r"|\brepeat (?:the )?(?:above|previous|preceding|last|first|these|those|same)\b"
    r"[^.;]{0,24}\bsteps?\b|\brepeat steps? \d",
    re.IGNORECASE,
)


def repeats_steps(text: str) -> bool:
    """Whether a sentence only sends the reader back to steps that stand before it.

    >>> repeats_steps("重复上面两步，直到队列为空。"), repeats_steps("Repeat the word aloud.")
    (True, False)
    """
    return _REPEATS.search(text) is not None
