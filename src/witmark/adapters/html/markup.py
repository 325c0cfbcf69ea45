"""Markup that cannot be spoilt by what is put into it.

Text is escaped when it enters an element, and only ``el`` makes the type that is not. Links
stay inside the page and pictures travel inside it: an address that would load something is a
``ValueError``, so no caller can send a reader's browser anywhere.
"""

import re
from base64 import b64encode
from functools import lru_cache
from html import escape

from witmark.review.spelling import name_words, printable
from witmark.review.words import Words

_VOID = frozenset({"br", "col", "img", "input", "meta"})
_SPECIAL = re.compile(
    r"[&<>\"'\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
).search
_PNG = "data:image/png;base64,"


class Html(str):
    """Text that is markup already. Made here and nowhere else."""

    __slots__ = ()


def el(tag: str, *children: str, **attributes: str) -> Html:
    """One element with its children; plain text among them is escaped.

    A class may ride on the tag; a trailing underscore keeps an attribute apart from a Python
    word, and the others become hyphens.

    >>> el("td.num", "a < b", id="x")
    '<td class="num" id="x">a &lt; b</td>'

    Raises:
        ValueError: a link leaves the page, or a picture is not carried in it.
    """
    if "src" in attributes:  # a whole picture; not one to keep in a cache
        return Html(_tags.__wrapped__(tag, tuple(attributes.items()))[0])
    opening, closing = _tags(tag, tuple(attributes.items()))
    return Html(f"{opening}{join(*children)}{closing}")


def join(*children: str) -> Html:
    """Children side by side."""
    return Html("".join([c if isinstance(c, Html) else _text(c) for c in children]))


@lru_cache(maxsize=8192)  # pure, and a page says the same phrases many times
def both(words: Words) -> Html:
    """One phrase in two languages; the page's switch shows one or both."""
    if words.zh == words.en:
        return _text(words.zh)
    return join(el("span.zh", words.zh, lang="zh-CN"), " ", el("span.en", words.en, lang="en"))


def paragraphs(zh: str, en: str, tag: str = "p") -> Html:
    """Longer text in two languages: blank lines part paragraphs, hyphens begin list items."""
    return join(
        el("div.zh", _prose(zh, tag), lang="zh-CN"), el("div.en", _prose(en, tag), lang="en")
    )


def name(text: str) -> Html:
    """A name from the file, fenced off so that its writing direction stays its own."""
    return el("bdi", both(name_words(text)))


def picture_source(png: bytes) -> str:
    """A picture as an address that holds the picture."""
    return _PNG + b64encode(png).decode()


def raw(asset: str) -> Html:
    """Our own style or script, which must not be escaped. Never for anything from a file."""
    return Html(asset)


@lru_cache(maxsize=1024)
def _tags(tag: str, attributes: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """The opening and the closing tag; most of a page's are the same few."""
    name, _, classes = tag.partition(".")
    inside = f' class="{_text(classes.replace(".", " "))}"' if classes else ""
    inside += "".join(_attribute(key, value) for key, value in attributes)
    return f"<{name}{inside}>", "" if name in _VOID else f"</{name}>"


def _prose(text: str, tag: str) -> Html:
    return join(*(_block(block, tag) for block in text.split("\n\n") if block.strip()))


def _block(block: str, tag: str) -> Html:
    lines = [line.strip() for line in block.strip().splitlines()]
    if all(line.startswith("- ") for line in lines):
        return el("ul", *(el("li", line[2:]) for line in lines))
    return el(tag, " ".join(lines))


def _text(text: str) -> Html:
    return Html(escape(printable(text), quote=True) if _SPECIAL(text) else text)


def _attribute(key: str, value: str) -> str:
    if (key == "href" and not value.startswith("#")) or (
        key == "src" and not value.startswith(_PNG)
    ):
        raise ValueError(f"{key} leads out of the page")
    return f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
