"""Every word the embedded composer says of its own, in Chinese and English.

What comes from the notes is quoted; what is said here joins it, and only names, dates and
whole items of the notes are put into it. Chinese takes ``，`` and ``。``, English ``,`` and
``.``; a name keeps its author's spelling, set off by a blank where Han meets Latin.
"""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Final

from witmark.answers.late import late

ZH: Final = "zh"
EN: Final = "en"

_TABLE: Final[Mapping[str, tuple[str, str]]] = {
    # What is X?
    "builds_on": ("{name}以{first}为基础。", "To follow {name}, know {first} first."),
    # How do I learn X?
    "order_two": ("先学{first}，再学{last}。", "Start with {first}, then {last}."),
    "order_three": (
        "先学{first}，再学{middle}，然后学{last}。",
        "Start with {first}, then {middle}; {last} comes after both.",
    ),
    "order_many": (
        "先学{first}，再依次学{middle}，最后学{last}。",
        "Start with {first}, then {middle}; {last} comes last.",
    ),
    "order_later": (
        "在此之前还有 {count} 步，然后依次学{middle}，最后学{last}。",
        "After {count} earlier steps, learn {middle}; {last} comes last.",
    ),
    "order_later_one": (
        "在此之前还有 {count} 步，然后依次学{middle}，最后学{last}。",
        "After {count} earlier step, learn {middle}; {last} comes last.",
    ),
    "circle": (
        "笔记在这里成了一个圈：{items}互为先后。",
        "The notes form a circle here: each of {items} comes before the other.",
    ),
    "order_inferred": (
        "（{who}的次序是推断的，依据是{ground}，把握{degree}）",
        " (the place of {who} is inferred from {ground}, with {degree} confidence)",
    ),
    "no_prerequisite": (
        "笔记没有说学{name}之前要先学什么。",
        "The notes name nothing to learn before {name}.",
    ),
    "next_step": ("之后可以学{items}。", "After {name}, go on to {items}."),
    # Compare X and Y
    "common": ("{sides}都追溯到{items}。", "Both {sides} go back to {items}."),
    "common_contrast": (
        "{sides}都追溯到{items}，笔记把二者对照着讲。",
        "Both {sides} go back to {items}, and the notes set them in contrast.",
    ),
    "common_analogy": (
        "{sides}都追溯到{items}，笔记拿二者作类比。",
        "Both {sides} go back to {items}, and the notes draw an analogy between them.",
    ),
    "contrast": ("笔记把{sides}对照着讲。", "The notes set {sides} in contrast."),
    "analogy": ("笔记拿{sides}作类比。", "The notes draw an analogy between {sides}."),
    "apart": (
        "从{one}可以继续到{ones}，从{other}可以继续到{others}。",
        "{one} leads on to {ones}, {other} to {others}.",
    ),
    "no_side": ("笔记没有讲{name}。", "The notes do not tell of {name}."),
    "one_leads_on": ("其中只有{one}通向{ones}。", "Of the two, only {one} leads on to {ones}."),
    # How do I do X?
    "steps": ("依次是：{items}。", "In order: {items}."),
    "more_steps": ("{items}，等共 {count} 步", "{items}, and so on, {count} steps in all"),
    # Which are there?
    "more_items": ("{items}，等共 {count} 项", "{items}, and so on, {count} in all"),
    "items": ("有：{items}。", "There are: {items}."),
    "sections": ("{name}讲了这些：{items}。", "{name} covers {items}."),
    # Is X still valid?
    "expired": ("{name}已于{day}失效。", "{name} expired on {day}."),
    "expired_replaced": (
        "{name}已于{day}失效，由{other}取代。",
        "{name} expired on {day} and was replaced by {other}.",
    ),
    "expired_replaced_since": (
        "{name}已于{day}失效，由{other}（自{since}起有效）取代。",
        "{name} expired on {day} and was replaced by {other}, valid since {since}.",
    ),
    "replaced": ("{name}已被{other}取代。", "{name} has been replaced by {other}."),
    "replaced_since": (
        "{name}已被{other}（自{since}起有效）取代。",
        "{name} has been replaced by {other}, valid since {since}.",
    ),
    "replaced_outside": (
        "{name}已被所选范围以外的笔记取代。",
        "{name} has been replaced by a note outside this scope.",
    ),
    "not_yet": ("{name}要到{day}才生效。", "{name} does not take effect until {day}."),
    "not_valid": ("{name}在所问的日期无效。", "{name} does not hold on the day asked about."),
    "valid_between": (
        "{name}有效，期限是{since}至{day}。",
        "{name} is valid, from {since} to {day}.",
    ),
    "valid_since": ("{name}自{since}起有效。", "{name} has been valid since {since}."),
    "valid_until": ("{name}有效，到{day}为止。", "{name} is valid until {day}."),
    "replace_each_other": (
        "{name}和{other}互称取代了对方，笔记没有说哪一篇有效。",
        "{name} and {other}: each says it replaces the other; which one holds is not said.",
    ),
    "replacement_circle": (
        "{name}和取代它的笔记互相取代，笔记没有说哪一篇有效。",
        "{name} and the notes after it replace one another; which one holds is not said.",
    ),
    "limits_unreadable": (
        "{name}的期限现在读不出来，所以无法判断。",
        "The time limits of {name} cannot be read now, so this cannot be told.",
    ),
    "limit_unread": (
        "{name}写有期限，但读不成日期。",
        "A time limit is given for {name}, but it cannot be read as a date.",
    ),
    "replaces": ("{name}取代了{other}。", "{name} replaces {other}."),
    "no_limit": ("笔记没有给{name}设定期限。", "The notes set no time limit for {name}."),
    "no_limit_updated": (
        "笔记没有给{name}设定期限，最后更新于{day}。",
        "The notes set no time limit for {name}; it was last updated on {day}.",
    ),
    # Nothing to say
    "not_there": ("你的笔记里没有这个问题的答案。", "Your notes do not answer this."),
    "not_said": (
        "你的笔记提到{name}，但没有说它是什么。",
        "Your notes mention {name} but do not say what it is.",
    ),
    "not_about": (
        "你的笔记提到{name}，但没有这个问题的答案。",
        "Your notes mention {name} but do not answer this.",
    ),
    "nothing_yet": ("这里还没有可查的笔记。", "There are no notes to look in yet."),
    "not_here": (
        "这里没有这样的工作区或文件夹。",
        "There is no such workspace or folder here.",
    ),
    "out_of_scope": (
        "所选范围里没有可查的笔记。",
        "There are no notes to look in within the chosen scope.",
    ),
    "nearest": ("最接近的笔记是{items}。", "The nearest notes are {items}."),
    "nearest_one": ("最接近的笔记是{items}。", "The nearest note is {items}."),
    # Grounds and degrees of an inferred order
    "mention": ("正文提及", "a mention in the text"),
    "import": ("导入的关系", "an imported relation"),
    "low": ("较低", "low"),
    "fair": ("中等", "fair"),
    "high": ("较高", "high"),
}

OWN_WORDS: Final = (
    "and",
    "和",
    *(
        piece
        for pair in _TABLE.values()
        for template in pair
        for piece in re.split(r"\{\w+\}", template)
    ),
)
"""Everything between the slots of the table: what a sentence of ours may say by itself."""

_JOIN = late(r"(?<=[\u3400-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%])(?=[\u3400-\u9fff])")
_HAN = late("[\u3400-\u9fff]")
_HAN_STOPS = tuple("。！？．；：”」』）…")
_TWO_STOPS = late(r"(?<=[。！？．.!?…])[。.]$")
_TRAILING = late(r"[\s。.；;，,、]+$")
_LEAD_IN = late(r"[\s:：]+$")


def say(language: str, key: str, **values: str) -> str:
    """Put names into a sentence of the table, with the spacing and the stop it needs.

    >>> say("zh", "builds_on", name="水杯", first="Glass material")
    '水杯以 Glass material 为基础。'
    """
    template = _TABLE[key][language != ZH]
    pieces = re.split(r"\{(\w+)\}", template)
    said = ""
    for at, piece in enumerate(pieces):
        said = joined(said, values[piece].strip() if at % 2 else piece)
    return _TWO_STOPS.sub("", said)


def joined(left: str, right: str) -> str:
    """Two pieces of a sentence, with a blank where Han meets Latin.

    >>> joined("先学", "Git"), joined("先学", "玻璃")
    ('先学 Git', '先学玻璃')
    """
    if left and right and _JOIN.search(left[-1] + right[0]):
        return f"{left} {right}"
    return left + right


def listed(language: str, items: Sequence[str]) -> str:
    """Names as one enumeration.

    >>> listed("en", ["a", "b", "c"]), listed("zh", ["甲", "Git", "丙"])
    ('a, b and c', '甲、Git 和丙')
    """
    if len(items) == 1:
        return items[0]
    *most, last = items
    if language == ZH:
        return joined(joined("、".join(most), "和"), last)
    return f"{', '.join(most)} and {last}"


def in_turn(language: str, items: Sequence[str]) -> str:
    """Whole items as one enumeration, numbered when they are too long to tell apart."""
    bare = [without_stop(item) for item in items]
    if language == ZH:
        if _are_short(bare, 12):
            return "、".join(bare)
        return "；".join(f"（{n}）{item}" for n, item in enumerate(bare, 1))
    if _are_short(bare, 40):
        return ", ".join(bare)
    return "; ".join(f"({n}) {item}" for n, item in enumerate(bare, 1))


def and_more(language: str, items: str, count: int, key: str) -> str:
    """An enumeration that leaves some out, and how many there are.

    >>> and_more("zh", "清洁、涂油", 7, "more_steps")
    '清洁、涂油，等共 7 步'
    """
    return say(language, key, items=items, count=str(count))


def _are_short(items: Sequence[str], chars: int) -> bool:
    return all(len(item) <= chars and not re.search(r"[,;，；、:：]", item) for item in items)


def listed_in_order(language: str, items: Sequence[str]) -> str:
    """Names one after another, the last not set apart.

    >>> listed_in_order("en", ["a", "b"]), listed_in_order("zh", ["甲", "乙"])
    ('a, b', '甲、乙')
    """
    return ("、" if language == ZH else ", ").join(items)


def with_aside(language: str, text: str, aside: str) -> str:
    """Set an aside in brackets before the stop of a sentence."""
    stop = "。" if language == ZH else "."
    return text.removesuffix(stop) + aside + stop


def led_in(language: str, lead_in: str, items: str) -> str:
    """A line of the notes that ends in a colon, and what it leads to, as one sentence.

    >>> led_in("en", "It needs:", "a cup, a lid")
    'It needs: a cup, a lid.'
    """
    bare = _LEAD_IN.sub("", " ".join(lead_in.split()))
    return f"{bare}：{items}。" if language == ZH else f"{bare}: {items}."


def warned(language: str, parts: Sequence[str]) -> str:
    """The title of a warning and its text as one sentence.

    >>> warned("en", ["Do not use boiling water", "Warm the glass first."])
    'Do not use boiling water: warm the glass first.'
    """
    *titles, body = parts
    if not titles or re.search(r"[。！？.!?]$", titles[0]):
        return closed(parts[0], language)
    colon = "：" if language == ZH else ": "
    return closed(without_stop(titles[0]) + colon + _small(body), language)


def lowered(language: str, items: Sequence[str], known: Container[str]) -> list[str]:
    """Items ready to stand inside a sentence: a capital goes where it was only an item's.

    An English word loses its capital when the notes also write it small, or when it is a
    common verb of instructions; a name keeps its own. If one item must keep it, all do.
    """
    if language == ZH or not items:
        return list(items)
    small = [_small(item, known) for item in items]
    return small if all(one[:1].islower() for one in small) else list(items)


_ORDERS: Final = frozenset(
    """add allow always apply ask avoid be begin boil bring build buy call change check choose
    clean clear click clone close collect combine compare compile complete configure confirm
    connect consider continue convert copy cover create cut decide define delete deploy
    describe design determine disable do don't download draw drop dry edit enable ensure
    enter estimate explain export fetch fill find finish fix follow get give go heat hold
    identify implement import improve increase initialize insert install invoke join keep
    learn leave let list load log look loop make mark measure merge mix modify move name
    never note open pass paste pick place plan pour prefer prepare press print publish pull
    push put read reduce register remove rename repeat replace restart return review rinse
    run save search select send set show sort specify split start stir stop store switch
    take test then try turn type unzip update upgrade upload use verify wait warm wash watch
    wipe write""".split()  # noqa: SIM905 - a word list
)
"""Words that begin an instruction."""


def _small(text: str, known: Container[str] = frozenset()) -> str:
    word = text.partition(" ")[0].rstrip(",.;:!?")
    is_capital_only = word[:1].isupper() and word[1:] == word[1:].lower() and len(word) > 1
    if is_capital_only and (word.lower() in _ORDERS or word.lower() in known):
        return text[:1].lower() + text[1:]
    return text


def without_stop(text: str) -> str:
    """A text without the full stop or comma at its end; a question mark stays."""
    return _TRAILING.sub("", text)


def closed(text: str, language: str) -> str:
    r"""A text as a sentence: its white space single, a stop at its end and only one.

    >>> closed("Dry the\nglass", "en"), closed("水杯：", "zh")
    ('Dry the glass.', '水杯。')
    """
    text = _TWO_STOPS.sub("", " ".join(text.split()))
    text = _LEAD_IN.sub("", text)
    if text.endswith("．"):
        return text[:-1] + "。"  # one full stop for all
    bare = text.rstrip("\"'”’」』》）)]】")
    if bare and bare[-1] in "。！？｡．.!?…।॥؟۔":
        return text
    return without_stop(text) + ("。" if language == ZH else ".")


def paragraph(texts: Sequence[str]) -> str:
    """Sentences as running text: a blank between them unless both are Chinese.

    >>> paragraph(["水杯是容器。", "API 是接口。", "It is clear.", "2011年它改名。"])
    '水杯是容器。API 是接口。 It is clear. 2011年它改名。'
    """
    whole = ""
    for text in texts:
        is_tight = whole[-1:] in _HAN_STOPS and _HAN.search(text) is not None
        whole += text if not whole or is_tight else f" {text}"
    return whole
