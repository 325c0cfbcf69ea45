"""Questions about notes, from a seed: every intent, both languages, names spelled anyhow."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

from bench.made_notes import SEED

ENGLISH = (
    "What is {a}?",
    "Why is {a} needed?",
    "How can I learn {a}?",
    "How to set up {a}?",
    "What is the difference between {a} and {b}?",
    "Is {a} still valid?",
    "What are the types of {a}?",
    "{a} {b}",
)
CHINESE = (
    "什么是{a}？",
    "为什么需要{a}？",
    "怎么学习{a}？",
    "如何配置{a}？",
    "{a}和{b}有什么区别？",
    "{a}现在还有效吗？",
    "{a}有哪些类型？",
    "{a} {b}",
)


def _dropped(name: str) -> str:
    """One letter left out of a long Latin name, as a hasty hand does."""
    middle = len(name) // 2
    return name[:middle] + name[middle + 1 :] if name.isascii() and len(name) > 7 else name


def _wide(name: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)


SPELLINGS: Sequence[Callable[[str], str]] = (
    str,
    str.lower,
    str.upper,
    lambda name: name.title().replace(" ", ""),
    lambda name: name.replace(" ", "-"),
    lambda name: name.replace(" ", "_"),
    lambda name: f"《{name}》",
    lambda name: f' "{name}" ',
    _dropped,
    _wide,
)


def questions(titles: Sequence[str], count: int) -> Iterator[str]:
    """So many questions about notes with these titles."""
    dice = random.Random(SEED)  # noqa: S311  # reproducible, not secret
    forms = [form for pair in zip(ENGLISH, CHINESE, strict=True) for form in pair]
    for _, form in zip(range(count), cycle(forms), strict=False):
        one, other = (dice.choice(SPELLINGS)(dice.choice(titles)) for _ in "ab")
        yield form.format(a=one, b=other)
