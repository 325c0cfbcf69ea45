"""Blocks without inline markup: code, whose lines are copied as they are, and HTML."""

import html
import re

from witmark.adapters.markdown.markup import text_pieces
from witmark.adapters.markdown.plain import PlainBuilder
from witmark.adapters.markdown.spelled import words_from

_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*([A-Za-z0-9_+#.-]*)")
_LINE_END = re.compile(r"\r\n?|\n")


def fence_info(seen: str, start: int, text: str) -> tuple[str, int]:
    """The language of a code block and where its first line begins.

    The language is read from the source, for comrak does not escape it in its XML.
    """
    line_end = _LINE_END.search(seen, start)
    stop = line_end.start() if line_end else len(seen)
    opening = seen[start:stop]
    if (fence := _FENCE.match(opening)) is None or text.startswith(opening):
        return "", start  # indented
    return fence[1], line_end.end() if line_end else stop


def copy_code(plain: PlainBuilder, seen: str, text: str, at: int) -> None:
    """Copy code, each line from the end of its line in the source.

    What stands before is the prefix of a quote or a list. A tab that such a prefix cuts in
    two becomes blanks of our own.
    """
    whole = text.rstrip("\r\n")
    if "\r" not in whole and seen.startswith(whole, at):
        plain.copy(at, at + len(whole))
        return
    for number, line in enumerate(_LINE_END.split(whole)):
        if number:
            plain.add("\n")
        stop, after = _end_of_line(seen, at)
        kept = line if seen.endswith(line, at, stop) else line.lstrip()
        if seen.endswith(kept, at, stop):
            plain.add(line[: len(line) - len(kept)])
            plain.copy(stop - len(kept), stop)
        else:
            plain.add(line)
        at = after


def _end_of_line(text: str, at: int) -> tuple[int, int]:
    """Where the line of a place ends, and where the next one begins."""
    stop = text.find("\n", at)
    if stop < 0:
        stop = len(text)
    if (carriage := text.find("\r", at, stop)) < 0:
        return stop, min(stop + 1, len(text))
    return carriage, carriage + 1 + text.startswith("\n", carriage + 1)


def copy_html(plain: PlainBuilder, source: str, start: int, end: int) -> None:
    """Copy what a reader sees of HTML."""
    for low, high, breaks in text_pieces(source, start, end):
        shown = html.unescape(source[low:high])
        if breaks or shown[:1].isspace():
            plain.break_line()
        plain.take(words_from(shown, source, low, high))
        if shown[-1:].isspace():
            plain.break_line()
