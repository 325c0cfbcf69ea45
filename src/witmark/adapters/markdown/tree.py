"""comrak's reading of a text, as a flat list of tokens.

The tree is taken as XML, not as Python objects: the object tree is built and freed by
recursion in native code, and a line of a hundred thousand ``>`` brings the process down.
The XML costs the same and its depth does not matter. comrak escapes ``<``, ``>`` and quotes
everywhere but in the info string of a code block, so those are masked beforehand.

Masking replaces characters one for one in the text that is parsed, never in what is read
out: every piece is copied from the original by its place.
"""

import re

import comrak

_EXTENSIONS = comrak.ExtensionOptions(
    table=True,
    strikethrough=True,
    tasklist=True,
    footnotes=True,
    math_dollars=True,
    wikilinks_title_after_pipe=True,
    ofm_callouts=True,
    ofm_comments=True,
    highlight=True,
    cjk_friendly_emphasis=True,
    # No autolink: it swallows a wikilink that stands right after a bare address.
)
_PARSING = comrak.ParseOptions(leave_footnote_definitions=True)
_RENDERING = comrak.RenderOptions(sourcepos=True)

Token = tuple[str, str, str, str, str, str, str, str, str, str, str]
"""Name, line, column, last line, last column, other attributes; for a node that holds one text
and nothing else that text's line, column and text; the node's own text; or the name closed."""

_CLOSED = (
    "paragraph|heading|list|item|taskitem|block_quote|callout|callout_title|table_row"
    "|footnote_definition|link|image|wikilink"
)
_TOKEN = re.compile(
    r'<(?:([a-z_]++) sourcepos="(\d++):(\d++)-(\d++):(\d++)"([^>]*+)>'
    r'(?:(?<!/>)\n *+<text sourcepos="(\d++):(\d++)-[^>]*+>([^<]++)</text>'
    r"\n *+</(?:paragraph|heading)>"
    rf"|([^<]*+))|/({_CLOSED})>)"
)

_FENCES = (
    re.compile(r"```[^`\n\r]*$", re.MULTILINE),
    re.compile(r"~~~[^\n\r]*$", re.MULTILINE),
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n|```|~~~")
_ADDRESS = re.compile(r"https?://[^\s<>\[\]()\"`|\u3000-\u303f\uff00-\uff0f]*(?:[^\W_]|/)")
_IN_ADDRESS = str.maketrans("_*~=%", "xxxxx")
_IN_INFO = str.maketrans('"<>&\\', "xxxxx")
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))  # & comes last
_MASKED = tuple(b"\0$`~:")  # one of them stands in whatever is masked
_HALVES = re.compile("[\ud800-\udfff]")


def seen_by_comrak(text: str) -> tuple[str, bytes]:
    """The text as comrak may see it, and its bytes.

    It is as long, and has nothing in it that comrak would stumble over. Most texts have
    nothing such; of bytes that is soon told.
    """
    try:
        raw = text.encode()
    except UnicodeEncodeError:  # half a character has no bytes
        text = _HALVES.sub("\ufffd", text)
        raw = text.encode()
    if any(map(raw.__contains__, _MASKED)) and (seen := _masked(text)) != text:
        return seen, seen.encode()
    return text, raw


def _masked(text: str) -> str:
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if "$$" in text:
        text = _without_formulas(text)
    for mark, fence in zip(("```", "~~~"), _FENCES, strict=True):
        if mark in text:
            text = fence.sub(lambda found: found[0].translate(_IN_INFO), text)
    if "://" in text:
        text = _ADDRESS.sub(lambda found: found[0].translate(_IN_ADDRESS), text)
    return text


def _without_formulas(text: str) -> str:
    """Mask the inside of display formulas of several lines.

    A line of theirs that looks like a heading's rule or a list is neither. One with a
    blank line in it is left alone: as often its two marks belong to different formulas.
    """
    pieces = []
    at = 0
    start = text.find("$$")
    while start >= 0:
        start += 2
        end = text.find("$$", start)
        if end < 0:
            break
        line = text.rfind("\n", 0, start) + 1
        inside = text[start:end]
        if text[line : start - 2].strip(" \t") or _BLANK_LINE.search(inside):
            start = end
            continue
        if "\n" in inside.strip():
            pieces += [text[at:start], "x" * (end - start)]
            at = end
        start = text.find("$$", end + 2)
    return "".join([*pieces, text[at:]])


def tokens(text: str) -> list[Token]:
    """Parse a masked text."""
    tree = comrak.markdown_to_xml(text, _EXTENSIONS, _PARSING, _RENDERING)
    return _TOKEN.findall(tree)


def unescaped(text: str) -> str:
    """The text of a token; comrak escapes four characters, and every one of them."""
    for escape, meant in _ESCAPES:
        text = text.replace(escape, meant)
    return text
